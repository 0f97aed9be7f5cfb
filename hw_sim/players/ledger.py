"""What the players of one table truly did, written down by themselves: the measure of everything reported.

One JSON object a line. Must never be filled from what the controller or the console says: it is what they are
compared with.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from table_controller.laws.seat import Seat


@dataclass(slots=True, kw_only=True)
class BoardAccount:
    """One board as it was played. `calls` as they lay at the end, written `S:1NT`; `misdeeds` by name.

    `used`: by seat, ns from when his call or card was due until he made it, as the players saw it themselves
    (dummy's cards are declarer's); alerts, pushes and what nobody had to do are not in it.
    `kinds` are the irregularities that must be reported, as often as they happened; `summonses` the seats
    that called the director. `finished`: taken off the tray after the end of the play; else the record
    stopped, and the players with it, `broken_off_at` ns.
    """

    table: str
    ordinal: int
    number: int | None
    dealer: str
    vulnerability: str | None
    calls: list[str] = field(default_factory=list)
    crossings: int = 0
    contract: str | None = None
    declarer: str | None = None
    cards: int = 0
    misdeeds: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    summonses: list[str] = field(default_factory=list)
    finished: bool = False
    broken_off_at: int | None = None
    used: dict[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> BoardAccount:
        """Raises TypeError for anything that `as_json` did not make."""
        return cls(**value)


class OwnTime:
    """The players' own watch: whose turn it is now, and since when, as they see it themselves."""

    def __init__(self, used: dict[str, int] | None = None) -> None:
        self._used: dict[str, int] = {} if used is None else used
        self.owner: Seat | None = None
        self.waits = False
        """For the window, before the first call."""
        self._since = 0

    def turn(self, seat: Seat | None, at: int) -> None:
        """From `at` ns on a call or card of `seat` is due; None: of nobody."""
        if self.owner is not None:
            before = self._used.get(self.owner.value, 0)
            self._used[self.owner.value] = before + at - self._since
        self.owner, self._since, self.waits = seat, at, False


class Ledger:
    """Appends to an open text, if there is one, and keeps the boards in memory."""

    def __init__(self, table: str, text: TextIO | None = None) -> None:
        self.table = table
        self.boards: list[BoardAccount] = []
        self.last_at = 0
        """When the players last did something, ns."""
        self._text = text

    def open_board(self, *, number: int | None, dealer: str, vulnerability: str | None) -> BoardAccount:
        """A new board lies on the tray; what becomes of it is written into the account."""
        account = BoardAccount(
            table=self.table,
            ordinal=len(self.boards) + 1,
            number=number,
            dealer=dealer,
            vulnerability=vulnerability,
        )
        self.boards.append(account)
        return account

    def note(self, what: str, at: int, **facts: object) -> None:
        """One deed, as it was done, `at` ns of the table's own time."""
        self.last_at = at
        self._write({"what": what, "at": at, **facts})

    def close_board(self, account: BoardAccount) -> None:
        self._write({"what": "board", **account.as_json()})

    def _write(self, value: Mapping[str, object]) -> None:
        if self._text is not None:
            self._text.write(json.dumps({"table": self.table, **value}, separators=(",", ":")) + "\n")
            self._text.flush()


def read_accounts(lines: Iterable[str]) -> Iterator[BoardAccount]:
    """The boards in a ledger's lines."""
    for line in lines:
        value = json.loads(line)
        if value.pop("what") == "board":
            yield BoardAccount.from_json(value)


def read_file(path: Path) -> list[BoardAccount]:
    with path.open(encoding="utf-8") as text:
        return list(read_accounts(text))
