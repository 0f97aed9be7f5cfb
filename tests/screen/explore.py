"""Exhaustive search over the states of the core: what must never happen, and what must always be possible.

From seeds along a normal board, through irregularities, holds and corrections, every event of an alphabet is
tried in every state, breadth first. Two states that differ only in what decides nothing are one (`essence`).

Checked at every step (`Broken` names the path): `handle` never raises; everything in `invariants`; the same
event in the same state does the same; and from every state a lawful continuation reaches the next board.

From the command line (`make explore`) see `campaign`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from table_controller.regulations.load import load
from table_controller.screen import effects, events as ev
from table_controller.screen.effects import TableView
from table_controller.screen.facts import TableState
from table_controller.screen.table import ScreenTable
from tests.screen.alphabet import Letter, alphabet
from tests.screen.coarse import coarse
from tests.screen.continuing import NEXT, Unreachable, continue_to_next_board
from tests.screen.driving import FULL
from tests.screen.essence import how_it_goes_on, what_decides
from tests.screen.invariants import Step, broken_by
from tests.screen.seeds import Seed

_OF_READERS = ("CallMade", "CallWithdrawn", "CallReleased", "TraySeen")
"""Events that a table without readers never has."""
TWICE = 16
"""One event in so many is tried again, and must do the same."""


class Broken(AssertionError):
    """An invariant does not hold; says which, and after what."""


@dataclass(slots=True)
class Figures:
    """`known`: states reached that another search has tried to the same depth or deeper."""

    events: int = 0
    states: int = 0
    continued: int = 0
    known: int = 0
    by_depth: list[int] = field(default_factory=list)
    complete: bool = True

    def __str__(self) -> str:
        layers = " ".join(f"{depth}:{count:,}" for depth, count in enumerate(self.by_depth))
        end = "" if self.complete else " (stopped by the clock)"
        known = f", {self.known:,} known from other seeds" if self.known else ""
        return (
            f"{self.states:,} distinct states ({layers}){known}, {self.events:,} events, "
            f"{self.continued:,} continuations to the next board{end}"
        )


@dataclass(frozen=True, slots=True)
class Node:
    state: TableState
    view: TableView
    at: int
    path: tuple[str, ...]


class Explorer:
    """One table under one profile; states are put into it, events tried, and what came of them judged.

    `full`: with everything that can be sensed or ordered, not only one letter for each thing that can go on.
    `elsewhere`: whether another search has tried a state with so many steps before it, or with fewer.
    """

    def __init__(
        self,
        profile: str = "ccba-2006",
        senses: frozenset[str] = FULL,
        *,
        full: bool = True,
        elsewhere: Callable[[int, int], bool] | None = None,
    ) -> None:
        self.full = full
        self.regulations = load(profile)
        self.senses = frozenset(senses)
        self.table = ScreenTable(regulations=self.regulations, senses=self.senses)
        self.figures = Figures()
        self.layers: list[list[int]] = []
        self._elsewhere = elsewhere
        self._seen: set[int] = set()
        self._alive: set[object] = set()

    def run(
        self,
        seeds: Iterable[Seed],
        depth: int,
        *,
        enough: Callable[[Figures, int, int], bool] = lambda figures, done, of: False,
    ) -> Figures:
        """Tries everything to this depth. `enough(figures, node, of)` is asked before each state is tried."""
        layer = [node for node in map(self.plant, seeds) if self._is_new(node, 0)]
        self._count(len(layer))
        for node in layer:
            self._must_continue(node)
        for step in range(1, depth + 1):
            following: list[Node] = []
            found = 0
            for index, node in enumerate(layer):
                if enough(self.figures, index, len(layer)):
                    self.figures.complete = False
                    return self.figures
                for reached in self._try_all(node, step):
                    found += 1
                    if step < depth:
                        following.append(reached)
            self._count(found)
            layer = following
        return self.figures

    def plant(self, seed: Seed) -> Node:
        driver = seed.make(self.regulations.id, self.senses)
        return Node(driver.state, driver.table.view(), driver.at, (seed.name,))

    def _count(self, found: int) -> None:
        self.figures.by_depth.append(found)

    def _is_new(self, node: Node, depth: int) -> bool:
        key = what_decides(node.state, node.at)
        if key in self._seen:
            return False
        self._seen.add(key)
        if self._elsewhere is not None and self._elsewhere(key, depth):
            self.figures.known += 1
            return False
        while len(self.layers) <= depth:
            self.layers.append([])
        self.layers[depth].append(key)
        self.figures.states += 1
        return True

    def _try_all(self, node: Node, depth: int) -> Iterator[Node]:
        letters = alphabet(node.state) if self.full else coarse(node.state, self.table.rules)
        for letter in letters:
            if not self.table.rules.reads_calls and letter.name.startswith(_OF_READERS):
                continue
            reached = self.attempt(node, letter)
            if reached.state is not node.state and self._is_new(reached, depth):
                self._must_continue(reached)
                yield reached

    def attempt(self, node: Node, letter: Letter) -> Node:
        """The node after this letter; Broken if anything that must hold does not."""
        at = node.at + letter.after
        event = letter.event(at)
        path = (*node.path, letter.name)
        done = self._handle(node, event, path)
        reached = Node(self.table.state, self.table.view(), at, path)
        problem = broken_by(Step(node.state, reached.state, event, done), self.table.rules)
        if problem is None and self.figures.events % TWICE == 0:
            problem = self._same_again(node, reached, event, done)
        if problem is not None:
            raise Broken(f"{problem} after {' / '.join(path)}")
        return reached

    def _handle(self, node: Node, event: ev.Event, path: tuple[str, ...]) -> list[effects.Effect]:
        self.figures.events += 1
        self.table.take(node.state, node.view)
        try:
            return self.table.handle(event, self.figures.events)
        except Exception as error:
            raise Broken(f"handle raised {error!r} after {' / '.join(path)}") from error

    def _same_again(
        self, node: Node, reached: Node, event: ev.Event, done: list[effects.Effect]
    ) -> str | None:
        self.table.take(node.state, node.view)
        again = self.table.handle(event, self.figures.events)
        same = again == done and self.table.state == reached.state
        return None if same else "the same event did something else"

    def _must_continue(self, node: Node) -> None:
        self.figures.continued += 1
        passed: list[object] = []

        def known(state: TableState) -> bool:
            key = how_it_goes_on(state, NEXT)
            passed.append(key)
            return key in self._alive

        try:
            self.table.take(node.state, node.view)
            continue_to_next_board(self.table, node.at, known)
        except Unreachable as stuck:
            raise Broken(f"{stuck} after {' / '.join(node.path)}") from None
        except Exception as error:
            raise Broken(f"handle raised {error!r} going on after {' / '.join(node.path)}") from error
        self._alive.update(passed)
