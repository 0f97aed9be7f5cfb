"""Taking messages in: believe, keep, count; and say which receipts are owed.

Works on a batch inside one deed of the book. Nothing here is acknowledged: that is for the desk, once the
deed is committed. Must never fail because of what a message says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from director_console.freshness import Freshness
from director_console.orders import PROGRESS_OF
from director_console.own_word import Heard
from director_console.projection.clocks import Clocks
from director_console.projection.hall import Hall
from director_console.projection.inputs import (
    Input,
    NoticeKind,
    Presence as ToldPresence,
    PresenceSeen,
    RowSeen,
    SnapshotSeen,
)
from director_console.reading import presence_of, row_of, snapshot_of
from director_console.store.acts import command_of, mark_progress, raise_notice
from director_console.store.book import Book
from director_console.store.reports import Kept, LastWord, advance, keep, keep_last_word, note_receipt
from director_console.wire import Arrived
from table_controller.messages import (
    AvailBody,
    ConsoleBody,
    Distrust,
    Message,
    Presence,
    Refused,
    ResultBody,
    StateBody,
    open_sealed,
)
from table_controller.messages.mac import KeyRing
from table_controller.messages.topics import Place, Stream, emptied, parse

NOTICE_OF: dict[Distrust, NoticeKind] = {
    Distrust.FORGED: NoticeKind.FORGED,
    Distrust.STRANGER: NoticeKind.STRANGER,
    Distrust.VERSION: NoticeKind.UNKNOWN_VERSION,
    Distrust.MALFORMED: NoticeKind.UNREADABLE,
    Distrust.TYPE: NoticeKind.UNREADABLE,
    Distrust.MISPLACED: NoticeKind.MISPLACED,
}
NEWER_KEYS_MAY_HELP = frozenset({Distrust.FORGED, Distrust.STRANGER})
STREAMS = frozenset(stream.value for stream in Stream)


def speaker_of(topic: str) -> str:
    """Whose topic this is: a table's name, `console/NAME`, or nothing for any other. Names no table can have
    tell a console's topic from a table's.
    """
    match topic.split("/")[4:]:
        case ["t", table, _, *_]:
            return table
        case ["console", console, _, *_]:
            return f"console/{console}"
        case _:
            return ""


@dataclass(slots=True)
class Taken:
    """What a batch came to: `receipts` are (table, epoch) -> upto, owed once the batch is committed."""

    inputs: list[Input] = field(default_factory=list)
    receipts: dict[tuple[str, str], int] = field(default_factory=dict)
    clocks: Clocks = field(default_factory=Clocks)
    consoles: list[Heard] = field(default_factory=list)


class Intake:
    """Holds what must be remembered from batch to batch: only the tables' clocks. `newer_keys` looks whether
    there are other keys than `keys`, and puts them there.
    """

    newer_keys: Callable[[], bool]

    def __init__(self, keys: KeyRing, place: Place) -> None:
        self.newer_keys = lambda: False
        self.keys = keys
        self.place = place
        self.clocks = Clocks()
        self.freshness = Freshness()

    def take(self, book: Book, batch: list[Arrived], hall: Hall) -> Taken:
        """Keep these messages, inside a deed."""
        taken = Taken(clocks=self.clocks)
        touched: dict[tuple[str, str], int] = {}
        for arrived in batch:
            if emptied(arrived.topic, arrived.payload):
                self._of_console(taken, arrived, None)
                self._taken_away(taken, arrived, hall)
                continue
            try:
                message = self._opened(arrived)
            except Refused as refused:
                self._refuse(book, taken, arrived, refused)
                self._of_console(taken, arrived, None)
                continue
            self._of_console(taken, arrived, message)
            if message.envelope.venue != self.place.venue or message.envelope.event != self.place.event:
                detail = f"{arrived.topic}: of another venue or event"
                _say(book, taken, NoticeKind.MISPLACED, speaker_of(arrived.topic), detail, arrived.at)
                continue
            self._one(book, taken, arrived, message, touched, hall)
        for (table, epoch), at in touched.items():
            upto = advance(book, table, epoch, at)
            note_receipt(book, table, epoch, upto, at)
            taken.receipts[table, epoch] = upto
        taken.inputs.extend(
            RowSeen(table=table, epoch=epoch, seq=0, upto=upto, at=touched[table, epoch], live=False)
            for (table, epoch), upto in taken.receipts.items()
        )
        return taken

    def _opened(self, arrived: Arrived) -> Message:
        """A table enrolled anew may speak with its new key before we have next looked at the key file: only
        what fits none of the newest keys is refused for its key. Raises Refused.
        """
        try:
            return open_sealed(arrived.topic, arrived.payload, self.keys.of)
        except Refused as refused:
            if refused.why not in NEWER_KEYS_MAY_HELP or not self.newer_keys():
                raise
        return open_sealed(arrived.topic, arrived.payload, self.keys.of)

    def _of_console(self, taken: Taken, arrived: Arrived, message: Message | None) -> None:
        """A word on a console's topic; `message` None: there is none, or none that can be believed."""
        parsed = parse(arrived.topic)
        if parsed is None or parsed.console is None or parsed.place != self.place:
            return
        body = None if message is None else message.body
        online = isinstance(body, ConsoleBody) and body.status is Presence.ONLINE
        session = "" if message is None else message.envelope.session
        taken.consoles.append(Heard(topic=arrived.topic, session=session, online=online))

    def _taken_away(self, taken: Taken, arrived: Arrived, hall: Hall) -> None:
        """A broker no longer keeps a table's presence: it was locked out. One that speaks on is heard."""
        parsed = parse(arrived.topic)
        if parsed is None or parsed.kind != "avail" or parsed.place != self.place:
            return
        known = hall.tables.get(parsed.table or "")
        if known is not None:
            gone = PresenceSeen(
                table=known.name,
                epoch="",
                session=known.session,
                presence=ToldPresence.OFFLINE,
                at=arrived.at,
                live=False,
            )
            taken.inputs.append(gone)

    def _refuse(self, book: Book, taken: Taken, arrived: Arrived, refused: Refused) -> None:
        _say(book, taken, NOTICE_OF[refused.why], speaker_of(arrived.topic), str(refused), arrived.at)

    def _one(
        self,
        book: Book,
        taken: Taken,
        arrived: Arrived,
        message: Message,
        touched: dict[tuple[str, str], int],
        hall: Hall,
    ) -> None:
        envelope = message.envelope
        live = not arrived.retained
        if self._old_word(message):
            return
        if live and envelope.table is not None:
            taken.clocks = taken.clocks.seen(envelope.table, envelope.session, envelope.mono_ms, arrived.at)
        if envelope.type in STREAMS:
            self._report(book, taken, arrived, message, touched)
        elif isinstance(message.body, ResultBody):
            self._result(book, taken, message.body, envelope.table or "", arrived.at)
        elif (presence := presence_of(message, arrived.at, live=live)) is not None:
            taken.inputs.append(presence)
        elif (snapshot := snapshot_of(message, arrived.at, live=live)) is not None:
            taken.inputs.append(snapshot)
            self._new_journal(book, taken, snapshot, hall, arrived.at)
            keep_last_word(
                book,
                LastWord(
                    name=snapshot.table,
                    epoch=snapshot.snapshot.epoch,
                    state=arrived.payload,
                    heard=snapshot.at,
                ),
            )

    def _old_word(self, message: Message) -> bool:
        """Whether a table's presence or snapshot is one from before: kept by a broker, delivered once more,
        or said again by somebody who should not. A will was made early and may come late.
        """
        envelope, body = message.envelope, message.body
        table = envelope.table
        if table is None or not isinstance(body, AvailBody | StateBody):
            return False
        if isinstance(body, AvailBody) and body.status is Presence.OFFLINE:
            return self.freshness.is_over(table, envelope.session)
        return not self.freshness.is_new(table, envelope.session, envelope.type, envelope.mono_ms)

    def _report(
        self,
        book: Book,
        taken: Taken,
        arrived: Arrived,
        message: Message,
        touched: dict[tuple[str, str], int],
    ) -> None:
        try:
            row = row_of(message, arrived.payload, arrived.at, taken.clocks)
        except ValueError as error:
            _say(book, taken, NoticeKind.UNREADABLE, message.envelope.table or "", str(error), arrived.at)
            return
        report = row.report
        touched[report.table, report.epoch] = arrived.at
        match keep(book, report):
            case Kept.NEW:
                taken.inputs.append(
                    RowSeen(
                        table=report.table,
                        epoch=report.epoch,
                        seq=report.seq,
                        upto=0,
                        at=arrived.at,
                        live=not arrived.retained,
                    )
                )
                taken.inputs.extend(row.inputs)
            case Kept.CONTRADICTED:
                detail = f"{report.table}-{report.epoch}-{report.seq}"
                _say(book, taken, NoticeKind.CONTRADICTED, report.table, detail, arrived.at)
            case Kept.KNOWN:
                pass

    def _result(self, book: Book, taken: Taken, body: ResultBody, table: str, at: int) -> None:
        command = command_of(book.db, body.command)
        if command is None:
            return
        if command.table != table:  # its key is its own: what was ordered elsewhere it cannot answer
            detail = f"table {table} answers command {body.command}, given to table {command.table}"
            _say(book, taken, NoticeKind.MISPLACED, table, detail, at)
            return
        progress = PROGRESS_OF[body.status]
        if command.progress.ended and not progress.ended:
            return
        mark_progress(book, body.command, progress, body.reason, at, body.code, body.slots)
        changed = command_of(book.db, body.command)
        assert changed is not None
        taken.inputs.append(changed.seen())

    def _new_journal(self, book: Book, taken: Taken, seen: SnapshotSeen, hall: Hall, at: int) -> None:
        known = hall.tables.get(seen.table)
        if known is None or known.epoch in ("", seen.snapshot.epoch) or not seen.live:
            return
        detail = f"{known.epoch} -> {seen.snapshot.epoch}"
        _say(book, taken, NoticeKind.NEW_JOURNAL, seen.table, detail, at)


def _say(book: Book, taken: Taken, kind: NoticeKind, table: str, detail: str, at: int) -> None:
    notice = raise_notice(book, kind, table, detail, at)
    if notice is not None:
        taken.inputs.append(notice)
