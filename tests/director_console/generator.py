"""Real messages of tables that do not exist: envelopes, MACs, numbers and all, from a seed.

Stands in for controllers where only the console is under test, and for two hundred of them in the bench. Time
is an argument (monotonic ms); nothing here sleeps or draws from an unseeded source.
"""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass, replace

from table_controller import codec, topics
from table_controller.codec import Json
from table_controller.laws.auction import Auction, is_legal
from table_controller.laws.board import dealer_of, vulnerability_of
from table_controller.laws.call import ALL_CALLS, PASS, Bid, Call, Denomination
from table_controller.laws.contract import Contract, contract_of
from table_controller.laws.seat import Faces, ScreenSide, Seat
from table_controller.mac import KeyRing
from table_controller.messages import Envelope, sealed, wall_text
from table_controller.screen.effects import CallShown, RecordBoard, ShowState, TableView
from table_controller.screen.entry import (
    Certainty,
    Cited,
    Entry,
    Fact,
    Fault,
    FaultKind,
    Kind,
    Level,
    Mover,
    Share,
    Stage,
    Visit,
)
from table_controller.screen.events import CallMade, Event, TrayArrived, TrayLeft, WindowState
from table_controller.topics import Place, Stream

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

    def result(self, command: str, verb: str, status: str, reason: str = "") -> Sent:
        body: dict[str, Json] = {"command": command, "verb": verb, "status": status, "reason": reason}
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


def random_auction(rng: random.Random, dealer: Seat) -> Auction:
    """A legal auction with about as many calls as people make (8 to 16)."""
    auction = Auction(dealer)
    while not auction.is_over and len(auction.calls) < 40:
        turn = auction.turn
        assert turn is not None
        auction = auction.after(turn, _some_call(rng, auction, turn))
    return auction


def _some_call(rng: random.Random, auction: Auction, seat: Seat) -> Call:
    bids = [call for call in ALL_CALLS if isinstance(call, Bid) and is_legal(auction, seat, call)]
    if bids and rng.random() < (0.75 if auction.last_bid is None else 0.45):
        return bids[min(len(bids) - 1, int(rng.expovariate(0.45)))]
    return PASS


class Playing:
    """A table that plays board after board; `step` gives the messages of the next thing that happens."""

    def __init__(self, name: str, keys: KeyRing, seed: int) -> None:
        self.wired = Wired(name, keys, epoch=f"e{seed:04x}")
        self.rng = random.Random(seed)
        self.number = self.rng.randint(1, 16)
        self.ids = 0
        self.visit_start = 0
        self.ordinal = 0
        self._begin()

    def _begin(self) -> None:
        self.dealer = dealer_of(self.number)
        self.auction = random_auction(self.rng, self.dealer)
        self.made = 0
        self.cards = 0
        self.view = replace(
            empty_view(self.number),
            dealer=self.dealer,
            vulnerability=vulnerability_of(self.number),
            tray=FACES.side_of(self.dealer).value,
            turn=self.dealer,
            phase="closing",
        )
        self.ordinal = 0
        self.visit_start = 0

    def hello(self) -> list[Sent]:
        wired = self.wired
        boot: Json = {"version": "0.1.0", "regulations": "ccba-2006"}
        return [wired.avail(), wired.log("boot", boot), wired.view(self.view), wired.state(self.view)]

    def step(self) -> list[Sent]:
        """The next fact at this table; `wired.mono_ms` says when."""
        if self.made < len(self.auction.calls):
            return self._call()
        if self.view.phase.startswith("auction"):
            return self._lead()
        return self._play()

    def _show(self, view: TableView) -> list[Sent]:
        self.view = view
        return [self.wired.view(view), self.wired.state(view)]

    def _call(self) -> list[Sent]:
        made = self.auction.calls[self.made]
        side = FACES.side_of(made.seat)
        sent: list[Sent] = []
        at = self.wired.mono_ms * MS
        if self.made and self.view.tray != side.value:
            sent += self._cross(side, at)
        self.made += 1
        shown = CallShown(seat=made.seat, call=made.call, sides=(side,))
        before = tuple(
            replace(call, sides=(ScreenSide.NE, ScreenSide.SW)) if side not in call.sides else call
            for call in self.view.calls
        )
        sent.append(self.wired.event(CallMade(at=at, seat=made.seat, call=made.call)))
        phase = f"auction.{side.value.lower()}"
        view = replace(
            self.view,
            phase=phase,
            tray=side.value,
            window=WindowState.CLOSED,
            calls=(*before, shown),
            turn=made.seat.lho,
        )
        return sent + self._show(view)

    def _cross(self, side: ScreenSide, at: int) -> list[Sent]:
        sent = [self.wired.event(TrayLeft(at=at - SECOND, side=side.other))]
        sent.append(self.wired.event(TrayArrived(at=at, side=side)))
        length = self.rng.randint(4, 60) * SECOND
        first = int(length * self.rng.uniform(0.1, 0.6))
        second = int((length - first) * self.rng.uniform(0.2, 0.8))
        seats = FACES.seats_on(side.other)
        visit = Visit(
            board=self.number,
            ordinal=self.ordinal + 1,
            screen_side=side.other,
            arrived=at - length - SECOND,
            left=at - SECOND,
            shares=(
                Share(seat=seats[0], thinking=first, call=None),
                Share(seat=seats[1], thinking=second, call=None),
            ),
            hold=length - first - second,
            transit=SECOND,
            mover=Mover(seat=seats[0], certainty=Certainty.PRESUMED),
        )
        self.ordinal += 1
        return [*sent, self.wired.visit(visit)]

    def _lead(self) -> list[Sent]:
        outcome = contract_of(self.auction)
        if not isinstance(outcome, Contract):
            return self._finish("Pass", None)
        view = replace(
            self.view,
            phase="play",
            window=WindowState.OPEN,
            contract=str(outcome),
            declarer=outcome.declarer,
            leader=outcome.leader,
            lead=outcome.leader,
            lead_faced=True,
            turn=outcome.declarer.partner,
            cards_played=1,
        )
        return self._show(view)

    def _play(self) -> list[Sent]:
        self.cards += 13
        if self.cards < 52:
            return self._show(replace(self.view, cards_played=self.cards))
        return self._finish(self.view.contract, self.view.declarer)

    def _finish(self, contract: str | None, declarer: Seat | None) -> list[Sent]:
        record = RecordBoard(
            number=self.number,
            dealer=self.dealer,
            vulnerability=self.view.vulnerability,
            calls=tuple((made.seat, made.call) for made in self.auction.calls),
            crossings=self.ordinal,
            contract=contract,
            declarer=declarer,
            leader=None if declarer is None else declarer.lho,
            play=(),
            claimed_by=None,
            tricks=None,
            score=None,
            irregularities=(),
            outcome="completed",
        )
        sent = [self.wired.board(record)]
        self.number = self.number % 32 + 1
        self._begin()
        return sent + self._show(self.view)

    # --- what goes wrong

    def entry(self, **changes: object) -> Entry:
        """An entry of this table, now: an insufficient bid that has crossed, unless told otherwise."""
        self.ids += 1
        entry = Entry(
            id=self.ids,
            kinds=(Kind.INSUFFICIENT_BID,),
            level=Level.REPORT,
            at=self.wired.mono_ms * MS,
            board=self.view.board,
            phase=self.view.phase,
            seats=(Seat.S,),
            screen_side=ScreenSide.SW,
            stage=Stage.CROSSED,
            provisions=CITED_CALL,
            evidence=(max(1, self.wired.seq),),
            course=("irregular.crossed.both", "irregular.crossed.one"),
            call=Bid(1, Denomination.H),
            other_call=Bid(1, Denomination.S),
            mover=Mover(seat=Seat.S, certainty=Certainty.PRESUMED),
            called_over_by=Seat.W,
            gap=4 * SECOND,
        )
        return replace(entry, **changes)  # type: ignore[arg-type]

    def tray_early(self) -> Entry:
        return self.entry(
            kinds=(Kind.TRAY_CROSSED_EARLY,),
            seats=(Seat.W,),
            stage=None,
            provisions=(CITED,),
            course=(),
            call=None,
            other_call=None,
            called_over_by=None,
            gap=None,
        )

    def window_opened(self) -> Entry:
        return self.entry(
            kinds=(Kind.WINDOW_OPENED_IN_AUCTION,),
            level=Level.HOLD,
            seats=(),
            screen_side=None,
            stage=None,
            provisions=(replace(CITED, article="23.1"),),
            course=(),
            call=None,
            other_call=None,
            mover=None,
            called_over_by=None,
            gap=None,
        )

    def summons(self, seat: Seat = Seat.N) -> Entry:
        return self.entry(
            kinds=(Kind.SUMMONS,),
            level=Level.URGENT,
            seats=(seat,),
            screen_side=FACES.side_of(seat),
            stage=None,
            provisions=(replace(CITED, article="21.2"),),
            course=(),
            call=None,
            other_call=None,
            mover=None,
            called_over_by=None,
            gap=None,
            facts=(Fact(name="tray", text=self.view.tray, at=self.wired.mono_ms * MS),),
        )

    def fault(self, kind: FaultKind = FaultKind.WINDOW_JAMMED, component: str = "window") -> Fault:
        self.ids += 1
        return Fault(id=self.ids, kind=kind, component=component, at=self.wired.mono_ms * MS, detail="3.2 A")


def hall(names: list[str], seed: int) -> list[Playing]:
    keys = keyring(names)
    return [Playing(name, keys, seed + index) for index, name in enumerate(names)]
