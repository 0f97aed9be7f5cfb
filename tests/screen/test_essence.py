"""The searches' merging of states is sound: states that count as one do the same, whatever happens next."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from table_controller.screen import effects
from table_controller.screen.facts import TableState
from table_controller.screen.rules import Rules
from tests.screen.alphabet import Letter, alphabet
from tests.screen.campaign import Elsewhere, Task, finished, search
from tests.screen.coarse import coarse
from tests.screen.essence import essence, what_decides
from tests.screen.explore import Explorer, Node
from tests.screen.seeds import SEEDS, Seed

MOST_PAIRS = 60


Letters = Callable[[TableState, Rules], Iterable[Letter]]


def everything(state: TableState, rules: Rules) -> Iterable[Letter]:
    return alphabet(state)


def _twins(explorer: Explorer, seed: Seed, depth: int, letters: Letters) -> list[tuple[Node, Node]]:
    """Nodes that count as one and are not the same, reached in different ways."""
    found: dict[int, list[Node]] = defaultdict(list)
    layer = [explorer.plant(seed)]
    for _ in range(depth):
        following = []
        for node in layer:
            for letter in letters(node.state, explorer.table.rules):
                reached = explorer.attempt(node, letter)
                same = found[what_decides(reached.state, reached.at)]
                if not same:
                    following.append(reached)
                if all(essence(one.state) != essence(reached.state) for one in same):
                    same.append(reached)
        layer = following
    pairs = [(same[0], other) for same in found.values() for other in same[1:]]
    return pairs[:: max(len(pairs) // MOST_PAIRS, 1)]


def _told(done: list[effects.Effect]) -> list[object]:
    """What was done, without times, numbers and what is only told."""
    told: list[object] = []
    for effect in done:
        match effect:
            case effects.Report(entry=entry):
                told.append(("report", entry.kinds, entry.level, entry.stage, entry.seats, entry.standing))
            case effects.OpenWindow() | effects.CloseWindow() | effects.StopWindow() | effects.Moved():
                told.append(effect)
            case effects.HoldTray() | effects.ReleaseTray() | effects.LightSummons() | effects.Refuse():
                told.append(type(effect))
            case effects.RecordBoard():
                told.append((effect.contract, effect.outcome, effect.calls))
            case _:
                pass
    return told


SOME = ("in mid visit", "insufficient bid crossed", "wrong lead faced", "play", "diverged")


@pytest.mark.parametrize(
    "name", [pytest.param(one.name, marks=() if one.name in SOME else pytest.mark.long) for one in SEEDS]
)
def test_states_that_count_as_one_do_the_same_at_every_event(name: str) -> None:
    (seed,) = (seed for seed in SEEDS if seed.name == name)
    explorer = Explorer(full=False)
    pairs = _twins(explorer, seed, 2, coarse)
    assert len(pairs) > 10
    for one, other in pairs:
        _do_the_same(explorer, one, other, coarse)


@pytest.mark.parametrize(
    "name", [pytest.param(one.name, marks=() if one.name in SOME[:2] else pytest.mark.long) for one in SEEDS]
)
def test_they_do_the_same_at_everything_that_can_be_sensed_or_ordered(name: str) -> None:
    (seed,) = (seed for seed in SEEDS if seed.name == name)
    explorer = Explorer()
    for one, other in (*_twins(explorer, seed, 1, everything)[::3], *_twins(explorer, seed, 2, coarse)[::6]):
        _do_the_same(explorer, one, other, everything)


def _do_the_same(explorer: Explorer, one: Node, other: Node, letters: Letters) -> None:
    rules, table = explorer.table.rules, explorer.table
    for letter, same in zip(letters(one.state, rules), letters(other.state, rules), strict=True):
        where = (one.path, other.path, letter.name)
        assert letter.name.split()[0] == same.name.split()[0], where
        table.take(one.state, one.view)
        first = table.handle(letter.event(one.at + letter.after), 1)
        after = what_decides(table.state, one.at + letter.after)
        table.take(other.state, other.view)
        second = table.handle(same.event(other.at + same.after), 1)
        assert _told(first) == _told(second), where
        assert after == what_decides(table.state, other.at + same.after), where


def test_a_campaign_goes_on_where_it_was_left_and_tries_nothing_twice(tmp_path: Path) -> None:
    first = search(Task(seed="lead down", profile="ccba-2006", depth=2, folder=tmp_path))
    assert first.figures.complete
    assert finished(tmp_path)["lead down"].figures.by_depth == first.figures.by_depth
    told = json.loads((tmp_path / "lead_down.json").read_text())
    assert told["states"] == sum(told["by_depth"]) == first.figures.states
    second = search(Task(seed="window opening", profile="ccba-2006", depth=2, folder=tmp_path))
    alone = Explorer(full=False).run([seed for seed in SEEDS if seed.name == "window opening"], 2)
    assert second.figures.known > 0
    assert second.figures.states < alone.states
    both = Explorer(full=False).run([s for s in SEEDS if s.name in ("lead down", "window opening")], 2)
    assert first.figures.states + second.figures.states >= both.states  # tried again only with more to go


def test_a_state_known_with_fewer_steps_to_go_is_tried_again(tmp_path: Path) -> None:
    search(Task(seed="lead down", profile="ccba-2006", depth=2, folder=tmp_path))
    explorer = Explorer(full=False)
    explorer.run([seed for seed in SEEDS if seed.name == "lead down"], 2)
    elsewhere = Elsewhere(tmp_path, 2)
    for steps, keys in enumerate(explorer.layers):
        for key in keys:
            assert elsewhere(key, steps)
            assert elsewhere(key, 2)
            assert steps == 0 or not elsewhere(key, steps - 1)
    assert not elsewhere(0, 2)
