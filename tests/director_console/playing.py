"""A table that plays board after board from a seed, and what can go wrong at it."""

from __future__ import annotations

import random
from dataclasses import replace

from table_controller.laws.auction import Auction, is_legal
from table_controller.laws.board import dealer_of, vulnerability_of
from table_controller.laws.call import ALL_CALLS, PASS, Bid, Call, Denomination
from table_controller.laws.contract import Contract, contract_of
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.messages.codec import Json
from table_controller.messages.mac import KeyRing
from table_controller.screen.effects import CallShown, RecordBoard, TableView
from table_controller.screen.entry import (
    Certainty,
    Entry,
    Fault,
    FaultKind,
    Kind,
    Level,
    Mover,
    Share,
    Stage,
    Visit,
)
from table_controller.screen.events import CallMade, TrayArrived, TrayLeft, WindowState
from tests.director_console.generator import (
    CITED,
    CITED_CALL,
    FACES,
    MS,
    SECOND,
    Sent,
    Wired,
    empty_view,
    keyring,
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
        )

    def fault(self, kind: FaultKind = FaultKind.WINDOW_JAMMED, component: str = "window") -> Fault:
        self.ids += 1
        return Fault(id=self.ids, kind=kind, component=component, at=self.wired.mono_ms * MS, detail="3.2 A")


def hall(names: list[str], seed: int) -> list[Playing]:
    keys = keyring(names)
    return [Playing(name, keys, seed + index) for index, name in enumerate(names)]
