"""Going on from a journal: its events told again to the core and to the sensing, its answers remembered.

Effects of a replay are carried out never: only what stands is kept. What differs from the world is found
afterwards, when every sensor is read afresh. Must never write a row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Protocol, cast

from table_controller.commands import Because, Remembered
from table_controller.journal import Row, body_of
from table_controller.messages import LogBody, Status, What
from table_controller.messages.codec import CodecError, Json
from table_controller.messages.mac import NotCanonical
from table_controller.messages.topics import Stream
from table_controller.screen.effects import Effect, Refuse, TableView
from table_controller.screen.events import Event, Restarted, TimePassed
from table_controller.screen.orders import DirectorOrder
from table_controller.screen.refusals import Refusal
from table_controller.service.standing import Standing


class Core(Protocol):
    """The pure core, as the service knows it."""

    @property
    def phase(self) -> str: ...

    def handle(self, event: Event, number: int = 0) -> list[Effect]: ...

    def view(self) -> TableView: ...


class Believer(Protocol):
    """What rebuilds its beliefs from events."""

    def believe(self, event: Event) -> None: ...


class JournalUnreadable(ValueError):
    """A row of our own that this version cannot read. One sentence with the row's number."""


@dataclass(slots=True, kw_only=True)
class Resumed:
    """Where a journal leaves the table. `boots`: number and value of each boot row, oldest first."""

    standing: Standing = field(default_factory=Standing)
    remembered: list[Remembered] = field(default_factory=list)
    boots: list[tuple[int, dict[str, Json]]] = field(default_factory=list)
    last_at: int = 0
    last_row: Row | None = None
    events: int = 0


def log_of(row: Row) -> tuple[What, dict[str, Json]] | None:
    """What a row of the game log is about, and its value; None for another stream.

    Raises JournalUnreadable.
    """
    if row.stream != Stream.LOG:
        return None
    try:
        body = LogBody.model_validate(body_of(row))
    except (ValueError, NotCanonical) as problem:
        raise JournalUnreadable(f"row {row.seq} cannot be read ({problem}); verify the journal") from None
    return body.what, cast(dict[str, Json], dict(body.value))  # what is sealed holds whole numbers only


def event_of(row: Row) -> Event | None:
    """The event of a row about one. Raises JournalUnreadable."""
    found = log_of(row)
    if found is None or found[0] is not What.EVENT:
        return None
    try:
        return LogBody.model_validate({"what": What.EVENT, "value": found[1]}).event()
    except CodecError as problem:
        raise JournalUnreadable(
            f"row {row.seq}: {problem}; it was written by a newer version, use that one"
        ) from None


def resume(rows: Iterable[Row], core: Core, *believers: Believer) -> Resumed:
    """Tell every event of these rows again. Raises JournalUnreadable."""
    resumed = Resumed()
    ended: dict[str, Refusal | None] = {}
    for row in rows:
        resumed.last_row = row
        found = log_of(row)
        if found is None:
            continue
        what, value = found
        if what is What.EVENT:
            event = event_of(row)
            assert event is not None
            resumed.events += 1
            resumed.last_at = max(resumed.last_at, event.at)
            if isinstance(event, TimePassed):
                resumed.standing.take_due(event.at)
            elif isinstance(event, Restarted):
                resumed.standing.deadlines.clear()
            effects = core.handle(event, row.seq)
            for effect in effects:
                resumed.standing.after(effect)
            if isinstance(event, DirectorOrder) and event.command:
                refused = next((effect.refusal for effect in effects if isinstance(effect, Refuse)), None)
                ended[event.command] = ended.get(event.command) or refused
            for believer in believers:
                believer.believe(event)
        elif what is What.COMMAND:
            resumed.remembered.append(Remembered.read(value))
        elif what is What.BOOT:
            resumed.boots.append((row.seq, value))
    resumed.remembered += _unanswered(resumed.remembered, ended)
    return resumed


def _unanswered(remembered: list[Remembered], ended: dict[str, Refusal | None]) -> list[Remembered]:
    """How the orders ended that were carried out just before the end, with no time for an answer."""
    latest = {told.id: told for told in remembered}
    cut = [told for told in latest.values() if told.status is Status.ACCEPTED and told.id in ended]
    found = []
    for told in cut:
        why = ended[told.id]
        if why is None:
            found.append(replace(told, status=Status.DONE))
        else:
            found.append(replace(told, status=Status.REFUSED, because=Because.refused(why)))
    return found
