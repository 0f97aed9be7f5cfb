"""A case: one irregularity or summons, and what the directors have done about it.

Two standings meet here and are never mixed: what became of the entry *at the table* (`Entry.standing`, the
table's word) and how far the director is with it (`Handling`, the console's). Clearing, healing or correcting
at the table never closes a case: it waits until a director has dealt with it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from director_console.projection.inputs import CaseStepped, CommandSeen, EntrySeen, Progress, RulingMade, Step
from table_controller.screen.entry import Entry, Kind, Level, Standing


class Handling(StrEnum):
    """How far the director is."""

    OPEN = "open"
    ASSIGNED = "assigned"
    AT_TABLE = "at the table"
    RULED = "ruled"
    UNDER_REVIEW = "under review"
    CLOSED = "closed"
    VOID = "void"


WAITING = frozenset({Handling.OPEN, Handling.ASSIGNED, Handling.AT_TABLE, Handling.UNDER_REVIEW})


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """One state of the entry as reported."""

    seq: int
    entry: Entry
    reported: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One entry of one table's journal. `when`: when it happened, console clock, ms. `rev`: last change."""

    table: str
    epoch: str
    entry: Entry
    when: int
    reported: int
    rev: int
    amendments: tuple[Amendment, ...] = ()
    steps: tuple[CaseStepped, ...] = ()
    rulings: tuple[RulingMade, ...] = ()
    commands: tuple[CommandSeen, ...] = ()
    goes_on_as: str = ""
    """The key of the same entry in the table's newer journal, where it is dealt with now."""

    @property
    def key(self) -> str:
        return f"{self.table}/{self.epoch}/{self.entry.id}"

    @property
    def is_summons(self) -> bool:
        return Kind.SUMMONS in self.entry.kinds

    @property
    def level(self) -> Level:
        return self.entry.level

    @property
    def acknowledged(self) -> CaseStepped | None:
        """The first sign that a director has seen it."""
        seen = (Step.ACKNOWLEDGE, Step.TAKE, Step.AT_TABLE, Step.CLOSE)
        return next((step for step in self.steps if step.step in seen), None)

    @property
    def owner(self) -> str:
        named = [step.owner for step in self.steps if step.step in (Step.TAKE, Step.ASSIGN)]
        return named[-1] if named else ""

    @property
    def ruling(self) -> RulingMade | None:
        return self.rulings[-1] if self.rulings else None

    @property
    def dealt_by(self) -> str:
        """Who ruled on it or closed it last; empty while nobody has."""
        done = [(ruling.at, ruling.by) for ruling in self.rulings]
        done += [(step.at, step.by) for step in self.steps if step.step is Step.CLOSE]
        return max(done, default=(0, ""))[1]

    def progress_of(self, ruling: RulingMade) -> CommandSeen | None:
        return next((command for command in self.commands if command.id == ruling.command), None)

    @property
    def handling(self) -> Handling:
        handling, at = self._by_steps()
        ruling = self.ruling
        if handling is Handling.CLOSED or (ruling is None and self.entry.standing not in _DEALT_WITH):
            return handling
        if handling is Handling.UNDER_REVIEW and (ruling is None or ruling.at <= at):
            return handling
        if self.entry.standing is Standing.MISREADING:
            return Handling.VOID
        command = None if ruling is None else self.progress_of(ruling)
        failed = command is not None and command.progress.ended and command.progress is not Progress.DONE
        if self.entry.standing is not Standing.RULED and failed:
            return handling if handling in WAITING else Handling.OPEN
        return Handling.RULED

    def _by_steps(self) -> tuple[Handling, int]:
        handling, at = Handling.OPEN, 0
        for step in self.steps:
            match step.step:
                case Step.TAKE | Step.ASSIGN:
                    handling = Handling.ASSIGNED if handling is Handling.OPEN else handling
                case Step.AT_TABLE:
                    handling = Handling.AT_TABLE
                case Step.REVIEW:
                    handling = Handling.UNDER_REVIEW
                case Step.CLOSE:
                    handling = Handling.CLOSED
                case Step.REOPEN:
                    handling = Handling.OPEN
                case Step.ACKNOWLEDGE:
                    continue
            at = step.at
        return handling, at

    @property
    def waits(self) -> bool:
        """Whether it is in the queue: a note is only kept, everything above it waits for a director."""
        return self.level > Level.NOTE and self.handling in WAITING and not self.goes_on_as

    @property
    def urgent(self) -> bool:
        """Whether it still calls for him at once: urgent, open at the table, and waiting."""
        return self.level >= Level.URGENT and self.waits and self.entry.standing is Standing.OPEN

    @property
    def needs_acknowledgement(self) -> bool:
        return self.urgent and self.acknowledged is None

    def same_entry(self, other: Case) -> bool:
        """Whether this is the other's entry, told again in another journal: number and time are the table's,
        and go on over its journals.
        """
        mine, theirs = self.entry, other.entry
        same = (mine.id, mine.at, mine.board) == (theirs.id, theirs.at, theirs.board)
        return same and self.epoch != other.epoch

    def amended(self, seen: EntrySeen, rev: int) -> Case:
        """With one more state of the entry; one already known changes nothing, in whatever order."""
        if any(known.seq == seen.seq for known in self.amendments):
            return self
        new = Amendment(seq=seen.seq, entry=seen.entry, reported=seen.reported)
        amendments = tuple(sorted((*self.amendments, new), key=lambda amendment: amendment.seq))
        return replace(
            self,
            entry=amendments[-1].entry,
            amendments=amendments,
            when=min(self.when, seen.when),
            reported=min(self.reported, seen.reported),
            rev=rev,
        )

    def with_command(self, seen: CommandSeen, rev: int) -> Case:
        kept = tuple(seen if command.id == seen.id else command for command in self.commands)
        known = any(command.id == seen.id for command in self.commands)
        return replace(self, commands=kept if known else (*kept, seen), rev=rev)


_DEALT_WITH = (Standing.RULED, Standing.MISREADING)


def queue_order(case: Case) -> tuple[bool, int, int, str, int]:
    """Sort key: what stands before what players have put right, then by level, then the oldest first."""
    put_right = case.entry.standing in (Standing.CORRECTED, Standing.HEALED)
    return (put_right, -int(case.level), case.when, case.table, case.entry.id)
