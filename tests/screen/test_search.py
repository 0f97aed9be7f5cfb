"""The search over the states of the core, as far as a normal run has time for, and random walks far beyond.

With the deep alphabet depth 3 from a dozen seeds (some 7 s each), depth 2 from the rest; with the full one
depth 1 from every seed under every profile and at tables that read little. `long`: depth 3 from the rest,
depth 2 with the full alphabet. Deeper: `make explore` (`campaign`).
"""

from __future__ import annotations

from dataclasses import replace

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.screen.alphabet import alphabet
from tests.screen.continuing import continue_to_next_board
from tests.screen.driving import FULL, GUARD, WATCH
from tests.screen.explore import Explorer, Node
from tests.screen.seeds import SEEDS, UNREAD_SEEDS, Seed

pytestmark = pytest.mark.timeout(1200)
DOZEN = (
    *("closing", "in mid visit", "tray between the faces", "out of rotation", "held in the auction"),
    *("over, not shown", "passed out", "wrong lead faced", "lead down", "clarification", "play", "diverged"),
)
REST = tuple(seed for seed in SEEDS if seed.name not in DOZEN)


@pytest.mark.parametrize("name", DOZEN)
def test_depth_3_from_a_dozen_seeds(name: str) -> None:
    (seed,) = (seed for seed in SEEDS if seed.name == name)
    figures = Explorer(full=False).run([seed], 3)
    assert len(figures.by_depth) == 4
    print(figures)


def test_depth_2_from_the_rest() -> None:
    figures = Explorer(full=False).run(REST, 2)
    assert figures.by_depth[0] == len(REST)
    print(figures)


@pytest.mark.long
@pytest.mark.parametrize("seed", REST, ids=lambda seed: seed.name)
def test_depth_3_from_the_rest(seed: Seed) -> None:
    print(Explorer(full=False).run([seed], 3))


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.name)
def test_depth_2_with_every_event(seed: Seed) -> None:
    print(Explorer().run([seed], 2))


@pytest.mark.parametrize("profile", ["ccba-2006", "wbf", "ebl-2016", "acbl", "dbf"])
def test_every_event_from_every_seed_under_every_profile(profile: str) -> None:
    figures = Explorer(profile).run(SEEDS, 1)
    assert figures.states > 1_000


@pytest.mark.parametrize("profile", ["ccba-2006", "ebl-2016", "acbl", "dbf"])
@pytest.mark.parametrize("senses", [WATCH, GUARD], ids=["watch", "guard"])
def test_every_event_at_tables_that_read_little(senses: frozenset[str], profile: str) -> None:
    figures = Explorer(profile, senses=senses).run(UNREAD_SEEDS, 1)
    assert figures.states > 200


class Walk(RuleBasedStateMachine):
    """Any event after any other, for as long as hypothesis likes; and still the board can come to its end."""

    def __init__(self) -> None:
        super().__init__()
        self.explorer = Explorer()
        table = self.explorer.table
        self.node = Node(table.state, table.view(), 0, ())

    @initialize(seed=st.sampled_from(SEEDS))
    def begin(self, seed: Seed) -> None:
        self.node = self.explorer.plant(seed)

    @rule(data=st.data(), wait=st.sampled_from([0, 0, 0, 20_000_000, 11_000_000_000, 70_000_000_000]))
    def anything(self, data: st.DataObject, wait: int) -> None:
        letters = list(alphabet(self.node.state))
        letter = letters[data.draw(st.integers(0, len(letters) - 1))]
        self.node = self.explorer.attempt(replace(self.node, at=self.node.at + wait), letter)

    @invariant()
    def hashable(self) -> None:
        assert hash(self.node.state) == hash(self.node.state)

    def teardown(self) -> None:
        table = self.explorer.table
        table.take(self.node.state)
        continue_to_next_board(table, self.node.at, lambda state: False)


TestWalk = Walk.TestCase
TestWalk.settings = settings(
    max_examples=60,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def test_the_walks_use_every_sense() -> None:
    assert Explorer().senses == FULL
