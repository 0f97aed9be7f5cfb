"""Real messages of tables that do not exist: envelopes, MACs, numbers and all, from a seed.

Stands in for controllers where only the console is under test, and for two hundred of them in the bench. Time
is an argument (monotonic ms); nothing here sleeps or draws from an unseeded source.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from table_controller.laws.seat import Faces
from table_controller.messages import Envelope, codec, sealed, topics, wall_text
from table_controller.messages.codec import Json
from table_controller.messages.mac import KeyRing
from table_controller.messages.topics import Place, Stream
from table_controller.screen.effects import RecordBoard, ShowState, TableView
from table_controller.screen.entry import (
    Cited,
    Entry,
    Fault,
    Visit,
)
from table_controller.screen.events import Event, WindowState

PLACE = Place(venue="hall", event="open")
MS = 1_000_000
SECOND = 1000 * MS
FACES = Faces()


def keyring(names: list[str]) -> KeyRing:
    """The same keys every time, as long as they are only for tests."""
    return KeyRing(venue=b"v" * 32, tables={name: name.encode().ljust(32, b"k") for name in names})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One message as it goes on the wire."""

    topic: str
    payload: bytes
    retain: bool


class Wired:
    """One table's voice: numbers its rows and seals its messages."""

    def __init__(self, name: str, keys: KeyRing, *, epoch: str = "e1", session: str = "s1") -> None:
        self.name, self.keys = name, keys
        self.epoch, self.session = epoch, session
        self.seq = 0
        self.rev = 0
        self.mono_ms = 1000
        self.wall_ms: int | None = None

    def envelope(self, kind: str, body: dict[str, Json], *, id_: str, seq: int | None) -> Envelope:
        return Envelope.model_validate(
            {
                "v": 1,
                "id": id_,
                "type": kind,
                "venue": PLACE.venue,
                "event": PLACE.event,
                "table": self.name,
                "epoch": self.epoch,
                "seq": seq,
                "session": self.session,
                "mono_ms": self.mono_ms,
                "wall": None if self.wall_ms is None else wall_text(self.wall_ms * MS),
                "clock": "unset" if self.wall_ms is None else "ntp",
                "rev": self.rev,
                "body": body,
            }
        )

    def _seal(self, envelope: Envelope) -> bytes:
        key = self.keys.of(self.name)
        assert key is not None
        return sealed(envelope, key)

    def row(self, stream: Stream, body: dict[str, Json]) -> Sent:
        self.seq += 1
        envelope = self.envelope(stream.value, body, id_=f"{self.name}-{self.epoch}-{self.seq}", seq=self.seq)
        return Sent(topic=topics.report(PLACE, self.name, stream), payload=self._seal(envelope), retain=False)

    def log(self, what: str, value: Json) -> Sent:
        return self.row(Stream.LOG, {"what": what, "value": value})

    def event(self, event: Event) -> Sent:
        return self.log("event", codec.to_json(event))

    def view(self, view: TableView) -> Sent:
        self.rev += 1
        return self.log("view", codec.to_json(ShowState(view=view)))

    def board(self, board: RecordBoard) -> Sent:
        return self.log("board", codec.to_json(board))

    def entry(self, entry: Entry, change: str = "new") -> Sent:
        return self.row(Stream.IRREGULARITY, {"change": change, "entry": codec.to_json(entry)})

    def fault(self, fault: Fault, change: str = "raised") -> Sent:
        return self.row(Stream.FAULT, {"change": change, "fault": codec.to_json(fault)})

    def visit(self, visit: Visit) -> Sent:
        return self.row(Stream.VISIT, {"visit": codec.to_json(visit)})

    def plain(self, topic: str, kind: str, body: dict[str, Json], *, retain: bool) -> Sent:
        id_ = "".join(secrets.choice("0123456789ABCDEF") for _ in range(26))
        return Sent(
            topic=topic,
            payload=self._seal(self.envelope(kind, body, id_=id_, seq=None)),
            retain=retain,
        )

    def avail(self, status: str = "online") -> Sent:
        return self.plain(topics.avail(PLACE, self.name), "avail", {"status": status}, retain=True)

    def state(self, view: TableView) -> Sent:
        body: dict[str, Json] = {
            "phase": view.phase,
            "board": view.board,
            "dealer": view.dealer,
            "window": view.window.value,
            "tray": view.tray,
            "last_seq": self.seq,
            "versions": {"controller": "0.1.0", "firmware": "1.0", "wire": "1"},
            "health": {"disk_free_kib": 12_400_000, "certificate_days": 61},
        }
        return self.plain(topics.state(PLACE, self.name), "state", body, retain=True)

    def result(
        self, command: str, verb: str, status: str, reason: str = "", code: str = "", **slots: str
    ) -> Sent:
        body: dict[str, Json] = {"command": command, "verb": verb, "status": status, "reason": reason}
        body |= {"code": code, "slots": dict(slots)}
        return self.plain(topics.result(PLACE, self.name, command), "result", body, retain=False)


def empty_view(board: int | None = None) -> TableView:
    return TableView(
        phase="setup",
        board=board,
        dealer=None,
        vulnerability=None,
        tray="NE",
        window=WindowState.OPEN,
        calls=(),
        turn=None,
        contract=None,
        declarer=None,
        leader=None,
        lead=None,
        lead_faced=None,
        cards_played=0,
        holds=(),
        open_entries=(),
        faults=(),
        summons=(),
    )


CITED = Cited(document="CCBA 2006", article="24.4", standing="text")
CITED_CALL = (
    Cited(document="CCBA 2006", article="23.2.5", standing="text"),
    Cited(document="Laws", article="27", standing="text", law_2017="27"),
)
