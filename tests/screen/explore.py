"""Exhaustive search over the states of the core: what must never happen, and what must always be possible.

From seeds along a normal board, through irregularities, holds and corrections, every event of an alphabet
of everything that can be sensed or ordered is tried in every state, breadth first. Two states that differ
only in times and journal numbers are one (`essence`).

    python -m tests.screen.explore --depth 5 [--seconds 600] [--jobs 2] [--profile ebl-2016]

Checked at every step (`Broken` names the path): `handle` never raises; the window is ordered open only as
the rules allow, by an oracle of its own; no entry is lost, doubled, or moved to a wrong stage; in a hold
nothing new is reported of calls, tray and lead; the same event in the same state does the same; and from
every state a lawful continuation reaches the next board.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field

from table_controller.regulations.load import load
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import Entry, Kind, Stage, Standing
from table_controller.screen.facts import TableState
from table_controller.screen.table import ScreenTable
from tests.screen.alphabet import Letter, alphabet
from tests.screen.coarse import coarse
from tests.screen.continuing import Unreachable, continue_to_next_board
from tests.screen.driving import FULL
from tests.screen.essence import essence, how_it_goes_on, without_book
from tests.screen.oracle import may_be_ordered_open
from tests.screen.seeds import SEEDS, Seed

_OF_READERS = ("CallMade", "CallWithdrawn", "CallReleased", "TraySeen")
"""Events that a table without readers never has."""

ORDER = {Stage.NOT_CROSSED: 0, Stage.CROSSED: 1, Stage.RETURNED: 2}


HANDS_OF_DIRECTOR = frozenset(
    kind
    for kind in Kind
    if kind.startswith(("TRAY_", "AUCTION_", "CALL_", "INADMISSIBLE_", "LEAD_", "OPENING_LEAD", "INSUFF"))
    or kind in (Kind.CHANGE_OF_CALL, Kind.SIMULTANEOUS_CALLS)
)
"""Calls, tray and lead: between hold and resume nothing new of these."""


class Broken(AssertionError):
    """An invariant does not hold; says which, and after what."""


@dataclass(slots=True)
class Figures:
    events: int = 0
    states: int = 0
    continued: int = 0
    by_depth: list[int] = field(default_factory=list)
    complete: bool = True

    def __str__(self) -> str:
        layers = " ".join(f"{depth}:{count}" for depth, count in enumerate(self.by_depth))
        end = "" if self.complete else " (stopped by the clock)"
        return (
            f"{self.states} distinct states ({layers}), {self.events} events, "
            f"{self.continued} continuations to the next board{end}"
        )


@dataclass(frozen=True, slots=True)
class Node:
    state: TableState
    at: int
    path: tuple[str, ...]


class Explorer:
    """One table under one profile; states are put into it, events tried, and what came of them judged."""

    def __init__(
        self, profile: str = "ccba-2006", senses: frozenset[str] = FULL, *, full: bool = True
    ) -> None:
        self.full = full
        self.regulations = load(profile)
        self.senses = frozenset(senses)
        self.table = ScreenTable(regulations=self.regulations, senses=self.senses)
        self.figures = Figures()
        self._seen: set[object] = set()
        self._alive: set[object] = set()

    def run(self, seeds: Iterator[Seed], depth: int, until: float | None = None) -> Figures:
        layer = [node for node in map(self._plant, seeds) if self._is_new(node)]
        self.figures.by_depth.append(len(layer))
        for node in layer:
            self._must_continue(node)
        for _ in range(depth):
            following: list[Node] = []
            for node in layer:
                if until is not None and time.monotonic() > until:
                    self.figures.complete = False
                    return self.figures
                following.extend(self._try_all(node))
            self.figures.by_depth.append(len(following))
            layer = following
        return self.figures

    def _plant(self, seed: Seed) -> Node:
        driver = seed.make(self.regulations.id, self.senses)
        return Node(driver.state, driver.at, (seed.name,))

    def _is_new(self, node: Node) -> bool:
        key = essence(node.state) if self.full else without_book(node.state)
        if key in self._seen:
            return False
        self._seen.add(key)
        self.figures.states += 1
        return True

    def _try_all(self, node: Node) -> Iterator[Node]:
        letters = alphabet(node.state) if self.full else coarse(node.state, self.table.rules)
        for letter in letters:
            if not self.table.rules.reads_calls and letter.name.startswith(_OF_READERS):
                continue
            reached = self._try(node, letter)
            if reached.state is not node.state and self._is_new(reached):
                self._must_continue(reached)
                yield reached

    def _try(self, node: Node, letter: Letter) -> Node:
        at = node.at + letter.after
        event = letter.event(at)
        path = (*node.path, letter.name)
        done = self._handle(node.state, event, path)
        state = self.table.state
        self._judge(node.state, state, event, done, path)
        return Node(state, at, path)

    def _handle(self, state: TableState, event: ev.Event, path: tuple[str, ...]) -> list[effects.Effect]:
        self.figures.events += 1
        self.table._take(state)
        try:
            return self.table.handle(event, self.figures.events)
        except Exception as error:
            raise Broken(f"handle raised {error!r} after {' / '.join(path)}") from error

    # --- what must hold

    def _judge(
        self,
        before: TableState,
        after: TableState,
        event: ev.Event,
        done: list[effects.Effect],
        path: tuple[str, ...],
    ) -> None:
        for check in (self._window, self._entries, self._boards, self._same_again):
            problem = check(before, after, event, done)
            if problem is not None:
                raise Broken(f"{problem} after {' / '.join(path)}")

    def _window(
        self, before: TableState, after: TableState, event: ev.Event, done: list[effects.Effect]
    ) -> str | None:
        if any(isinstance(effect, effects.OpenWindow) for effect in done):
            return may_be_ordered_open(after, self.table.rules)
        return None

    def _entries(
        self, before: TableState, after: TableState, event: ev.Event, done: list[effects.Effect]
    ) -> str | None:
        old = {entry.id: entry for entry in before.book.entries}
        new = {entry.id: entry for entry in after.book.entries}
        told: set[int] = set()
        for effect in done:
            if isinstance(effect, effects.Report):
                if effect.entry.id in old or effect.entry.id in told or effect.entry.revision:
                    return f"entry {effect.entry.id} is reported twice"
                if effect.entry.id < before.book.next_id:
                    return f"entry {effect.entry.id} has an old number"
                if not self.table.rules.off.isdisjoint(effect.entry.kinds):
                    return f"{effect.entry.kinds} is reported at a table where it is off"
                if before.holds and not HANDS_OF_DIRECTOR.isdisjoint(effect.entry.kinds):
                    return f"{effect.entry.kinds} is reported in a hold"
                told.add(effect.entry.id)
            elif isinstance(effect, effects.Amend):
                told.add(effect.entry.id)
                problem = _amended(old.get(effect.entry.id), effect.entry, bool(before.holds), event)
                if problem is not None:
                    return problem
        for entry in new.values():
            if old.get(entry.id) != entry and entry.id not in told:
                return f"entry {entry.id} changed and nobody was told"
        for entry in old.values():
            gone = entry.id not in new and entry.id not in told
            if gone and entry.standing is Standing.OPEN:
                return f"entry {entry.id} is lost"
        return None

    def _boards(
        self, before: TableState, after: TableState, event: ev.Event, done: list[effects.Effect]
    ) -> str | None:
        """A begun board leaves the table only with its record."""
        records = sum(isinstance(effect, effects.RecordBoard) for effect in done)
        if records > 1:
            return "two boards were recorded at once"
        lost = before.auction.begun and (before.board.current is not None) and not after.auction.begun
        corrected = isinstance(event, ev.Corrected | ev.Resumed)
        return "a begun board was forgotten" if lost and not records and not corrected else None

    def _same_again(
        self, before: TableState, after: TableState, event: ev.Event, done: list[effects.Effect]
    ) -> str | None:
        if self.figures.events % 16:
            return None
        self.table._take(before)
        again = self.table.handle(event, self.figures.events)
        return None if again == done and self.table.state == after else "the same event did something else"

    def _must_continue(self, node: Node) -> None:
        self.figures.continued += 1
        passed: list[object] = []

        def known(state: TableState) -> bool:
            key = how_it_goes_on(state)
            passed.append(key)
            return key in self._alive

        try:
            continue_to_next_board(self.table, node.state, node.at, known)
        except Unreachable as stuck:
            raise Broken(f"{stuck} after {' / '.join(node.path)}") from None
        except Exception as error:
            raise Broken(f"handle raised {error!r} going on after {' / '.join(node.path)}") from error
        self._alive.update(passed)


def _amended(old: Entry | None, new: Entry, held: bool, event: ev.Event) -> str | None:
    if old is None:
        return f"entry {new.id} is amended but was never reported"
    if new.revision != old.revision + 1:
        return f"entry {new.id} went from revision {old.revision} to {new.revision}"
    if old.stage is not None and new.stage is not None and new.stage is not old.stage:
        if held:
            return f"the stage of entry {new.id} moved in a hold"
        if not isinstance(event, ev.TrayArrived | ev.TrayLeft):  # it must have come there to leave there
            return f"the stage of entry {new.id} moved and no tray arrived"
        if (event.side is new.screen_side) is not (new.stage is Stage.RETURNED):
            return f"entry {new.id} is {new.stage} with the tray on {event.side}"
        if ORDER[new.stage] != ORDER[old.stage] + 1:
            return f"entry {new.id} went from {old.stage} to {new.stage}"
    if old.standing is not Standing.OPEN and new.standing is not old.standing:
        return f"entry {new.id} was {old.standing} and became {new.standing}"
    return None


def search(profile: str, full: bool, seeds: list[str], depth: int, seconds: float | None) -> str:
    """One search from these seeds, told in a line; a process of its own where there are several."""
    started = time.monotonic()
    until = None if seconds is None else started + seconds
    explorer = Explorer(profile, full=full)
    chosen = [seed for seed in SEEDS if seed.name in seeds]
    try:
        figures = explorer.run(iter(chosen), depth, until)
    except Broken as broken:
        return f"BROKEN: {broken}; {explorer.figures}"
    return f"{', '.join(seeds)}: {figures}, {time.monotonic() - started:.0f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description="Search the states of the core.")
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=300, help="for each seed; then stop, and say so")
    parser.add_argument("--profile", default="ccba-2006")
    parser.add_argument("--seed", action="append", help="only from this seed; may be given again")
    parser.add_argument("--alphabet", choices=("coarse", "full"), default="coarse")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes, a seed at a time each")
    chosen = parser.parse_args()
    names = chosen.seed or [seed.name for seed in SEEDS]
    full = chosen.alphabet == "full"
    head = f"{chosen.profile}, {chosen.alphabet} alphabet, depth {chosen.depth}, {len(names)} seeds"
    print(head, flush=True)
    broken = False
    with ProcessPoolExecutor(max_workers=chosen.jobs) as pool:
        told = [
            pool.submit(search, chosen.profile, full, [name], chosen.depth, chosen.seconds) for name in names
        ]
        for one in as_completed(told):
            print(one.result(), flush=True)
            broken = broken or one.result().startswith("BROKEN")
    raise SystemExit(1 if broken else 0)


if __name__ == "__main__":
    main()
