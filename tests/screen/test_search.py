"""The search over the states of the core, as far as a normal run has time for, and random walks far beyond.

Depth 2 from every seed and depth 3 from one of them with the deep alphabet, depth 1 with the full one under
every profile and for a table that reads little. Depth 3 from every seed takes minutes: `long`. Deeper:
`python -m tests.screen.explore --depth 5 --seconds ...`.
"""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from table_controller.screen.facts import TableState
from tests.screen.alphabet import alphabet
from tests.screen.continuing import continue_to_next_board
from tests.screen.driving import FULL, GUARD, WATCH
from tests.screen.explore import Explorer, Node
from tests.screen.seeds import SEEDS, UNREAD_SEEDS

DEEP = ("lead down",)


def test_depth_2_from_every_seed() -> None:
    figures = Explorer(full=False).run(iter(SEEDS), 2)
    assert figures.by_depth[0] == len(SEEDS)
    assert figures.states > 5_000
    print(figures)


@pytest.mark.parametrize("name", DEEP)
def test_depth_3_from_some(name: str) -> None:
    seeds = [seed for seed in SEEDS if seed.name == name]
    figures = Explorer(full=False).run(iter(seeds), 3)
    assert figures.states > 1_000
    print(figures)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.name)
def test_depth_3(seed: object) -> None:
    print(Explorer(full=False).run(iter([seed]), 3))  # type: ignore[list-item]


@pytest.mark.parametrize("profile", ["ccba-2006", "wbf", "ebl-2016", "acbl", "dbf"])
def test_every_event_from_every_seed_under_every_profile(profile: str) -> None:
    figures = Explorer(profile).run(iter(SEEDS), 1)
    assert figures.states > 1_000


@pytest.mark.parametrize("senses", [WATCH, GUARD], ids=["watch", "guard"])
def test_every_event_at_tables_that_read_little(senses: frozenset[str]) -> None:
    figures = Explorer(senses=senses).run(iter(UNREAD_SEEDS), 1)
    assert figures.states > 200


class Walk(RuleBasedStateMachine):
    """Any event after any other, for as long as hypothesis likes; and still the board can come to its end."""

    def __init__(self) -> None:
        super().__init__()
        self.explorer = Explorer()
        self.node = Node(TableState(), 0, ())

    @initialize(seed=st.sampled_from(SEEDS))
    def begin(self, seed: object) -> None:
        self.node = self.explorer._plant(seed)  # type: ignore[arg-type]

    @rule(data=st.data(), wait=st.sampled_from([0, 0, 0, 20_000_000, 11_000_000_000, 70_000_000_000]))
    def anything(self, data: st.DataObject, wait: int) -> None:
        letters = list(alphabet(self.node.state))
        letter = letters[data.draw(st.integers(0, len(letters) - 1))]
        node = Node(self.node.state, self.node.at + wait, self.node.path)
        self.node = self.explorer._try(node, letter)

    @invariant()
    def hashable(self) -> None:
        assert hash(self.node.state) == hash(self.node.state)

    def teardown(self) -> None:
        table = self.explorer.table
        continue_to_next_board(table, self.node.state, self.node.at, lambda state: False)


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
