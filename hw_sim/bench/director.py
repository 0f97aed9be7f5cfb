"""The director at the bench: scripted, who rules on what waits as soon as it is told, or a person.

Whoever rules, the players go on once their entry is dealt with and no hold is in force: that they are told by
him, standing at the table. Must never know more than the table has reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hw_sim.scenario.seen import Seen
from table_controller.screen.entry import Entry, Kind, Level, Standing

LOOKS_AFTER = 700_000_000
"""A case lies before him for so long, ns, so that it is seen to wait."""


class BenchDirector:
    """`order(text)` gives a director's deed as a scenario has it."""

    def __init__(self, seen: Seen, order: Callable[[str], None]) -> None:
        self._seen = seen
        self._order = order
        self.scripted = True
        self._since: dict[int, int] = {}
        self._ruled: set[int] = set()
        self._dealt: set[int] = set()
        self._words: Counter[str] = Counter()

    def word(self, kind: str) -> int:
        """How often the players were told to go on after such an entry."""
        return self._words[kind]

    def look(self, now: int) -> None:
        """Rule on one case, if it is his to rule; tell the players to go on where all is dealt with."""
        entries = list(self._seen.entries.values())
        if self.scripted:
            waiting = [entry for entry in entries if self._waits(entry)]
            for entry in waiting:
                if now - self._since.setdefault(entry.id, now) >= LOOKS_AFTER:
                    self._rule(entry)
                    return
        if self._held():
            return
        for entry in entries:
            if entry.id not in self._dealt and entry.standing is not Standing.OPEN:
                self._dealt.add(entry.id)
                self._words.update(kind.value for kind in entry.kinds)

    def _waits(self, entry: Entry) -> bool:
        put_off = entry.after_board and (self._seen.view is None or self._seen.view.board == entry.board)
        return (
            entry.level > Level.NOTE
            and entry.standing is Standing.OPEN
            and entry.id not in self._ruled
            and not put_off
        )

    def _held(self) -> bool:
        return self._seen.view is not None and bool(self._seen.view.holds)

    def _rule(self, entry: Entry) -> None:
        self._ruled.add(entry.id)
        number = self._seen.number_of(entry.id)
        view = self._seen.view
        if Kind.AUCTION_NOT_SHOWN in entry.kinds and view is not None and view.calls:
            calls = ", ".join(f"{shown.seat} {shown.call}" for shown in view.calls)
            self._order(f"director corrects the auction to {calls}")
        self._order(f"director rules on #{number}")
        if self._held():
            self._order("director resumes")
