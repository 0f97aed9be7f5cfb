"""Was anything lost, doubled or left open? The players' ledgers against the console's database.

The console's side is read by its own export, as a process; the tables are not asked. Must never take a report
for right because a table says so: the ledger is what truly happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hw_sim.players.ledger import BoardAccount
from hw_sim.records.results import TableBoard


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """One entry as the console has it. `waits`: it is still in the director's queue."""

    id: int
    kinds: tuple[str, ...]
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleBoard:
    """A board in the console's database with the entries that began while it was on the tray."""

    board: TableBoard
    cards: int
    entries: tuple[Reported, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleTable:
    """What the console's database holds of one table. `rest`: entries after the last board."""

    boards: tuple[ConsoleBoard, ...] = ()
    rest: tuple[Reported, ...] = ()
    missing_rows: int = 0


@dataclass(slots=True, kw_only=True)
class Summary:
    """`complaints` one sentence each; none: nothing was lost, doubled or left open."""

    boards: int = 0
    calls: int = 0
    misdeeds: int = 0
    rulings: int = 0
    complaints: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        return not self.complaints

    @property
    def headline(self) -> str:
        differences = _counted(len(self.complaints), "difference")
        verdict = "nothing lost, doubled or left open" if self.good else differences
        return (
            f"{_counted(self.boards, 'board')}, {_counted(self.calls, 'call')}, "
            f"{_counted(self.misdeeds, 'misdeed')}, {_counted(self.rulings, 'ruling')}: "
            f"{verdict} between the players' ledgers and the console's database"
        )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def compare(ledgers: Mapping[str, Sequence[BoardAccount]], console: Mapping[str, ConsoleTable]) -> Summary:
    """All tables of a demonstration."""
    summary = Summary()
    for table, accounts in ledgers.items():
        summary.boards += len(accounts)
        summary.calls += sum(len(account.calls) for account in accounts)
        summary.misdeeds += sum(len(account.misdeeds) for account in accounts)
        summary.complaints += _table(table, accounts, console.get(table, ConsoleTable()))
    for table in sorted(console.keys() - ledgers.keys()):
        summary.complaints.append(f"table {table}: the console has reports of a table that nobody played at")
    return summary


def _table(table: str, accounts: Sequence[BoardAccount], found: ConsoleTable) -> list[str]:
    complaints: list[str] = []
    if found.missing_rows:
        complaints.append(f"table {table}: lost: the console misses {found.missing_rows} rows of its journal")
    rest = list(found.boards)
    for account in accounts:
        where = f"table {table}, board {account.number} (the {_nth(account.ordinal)})"
        at = next((n for n, seen in enumerate(rest) if _same(seen.board, account)), None)
        if at is None:
            complaints.append(f"{where}: lost: the console has no record of the board")
            continue
        complaints += [f"table {table}: doubled: board {seen.board.number} twice" for seen in rest[:at]]
        complaints += [f"{where}: {what}" for what in _board(account, rest[at])]
        del rest[: at + 1]
    complaints += [
        f"table {table}: doubled: the console has board {seen.board.number} once more than it was played"
        for seen in rest
    ]
    for entry in [*found.rest, *(entry for seen in found.boards for entry in seen.entries)]:
        if entry.waits:
            complaints.append(f"table {table}: left open: {' and '.join(entry.kinds)} waits for a director")
    if found.rest:
        kinds = ", ".join(kind for entry in found.rest for kind in entry.kinds)
        complaints.append(f"table {table}: reported with no board: {kinds}")
    return complaints


def _same(board: TableBoard, account: BoardAccount) -> bool:
    return board.number == account.number and board.dealer == account.dealer


def _board(account: BoardAccount, found: ConsoleBoard) -> list[str]:
    complaints: list[str] = []
    pairs = (
        ("vulnerability", account.vulnerability, found.board.vulnerability),
        ("calls", " ".join(account.calls), " ".join(found.board.calls)),
        ("contract", account.contract, found.board.contract),
        ("declarer", account.declarer, found.board.declarer),
        ("cards played", account.cards, found.cards),
    )
    for name, truly, seen in pairs:
        if truly != seen:
            complaints.append(f"{name}: played {truly or 'none'}, the console has {seen or 'none'}")
    if not found.board.completed:
        complaints.append("left open: the console does not have the board as completed")
    done = Counter(account.kinds)
    told = Counter(kind for entry in found.entries for kind in entry.kinds)
    lost, invented = sorted((done - told).items()), sorted((told - done).items())
    complaints += [f"lost: {_times(kind, n)} done and not reported" for kind, n in lost]
    complaints += [f"doubled or invented: {_times(kind, n)} reported and not done" for kind, n in invented]
    return complaints


def _times(kind: str, count: int) -> str:
    return kind if count == 1 else f"{kind} ({count} times)"


def _nth(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"
