"""A table driven by hand: short words for events, and everything it did kept for asking.

Time is an argument of the driver: each event comes one second after the last unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self, TypeVar

from table_controller.laws.call import Bid, Call, parse_call
from table_controller.laws.card import parse_card
from table_controller.laws.contract import Contract
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.regulations.load import load
from table_controller.regulations.model import Regulations
from table_controller.screen import effects, entry, events as ev
from table_controller.screen.facts import TableState
from table_controller.screen.phase import PhaseMachine
from table_controller.screen.senses import Sense
from table_controller.screen.table import ScreenTable
from table_controller.words import Lang, refusal

S = 1_000_000_000
MS = 1_000_000

FULL = frozenset(Sense) - {Sense.WINDOW_LAMP, Sense.WINDOW_LATCH}
WATCH = frozenset(
    {Sense.TRAY, Sense.WINDOW, Sense.LEAD, Sense.SUMMONS, Sense.BOARD, Sense.AUCTION_OVER, Sense.WINDOW_LAMP}
)
GUARD = WATCH - {Sense.WINDOW_LAMP} | {Sense.WINDOW_HANDLE, Sense.WINDOW_MOTOR}
HAND_WORKED = FULL - {Sense.WINDOW_MOTOR} | {Sense.WINDOW_LAMP}

COMES_BACK = (ev.Restarted, ev.LinkRestored, ev.DeviceReset, ev.SensorCleared)

E = TypeVar("E")
NE, SW = ScreenSide.NE, ScreenSide.SW


class Driver:
    """`effects`: everything done so far; `last`: what the last event did."""

    def __init__(
        self,
        regulations: str | Regulations = "ccba-2006",
        senses: Iterable[str] = FULL,
        *,
        step: int = S,
        machine: PhaseMachine | None = None,
    ) -> None:
        rules = load(regulations) if isinstance(regulations, str) else regulations
        self.table = ScreenTable(regulations=rules, senses=frozenset(senses), machine=machine)
        self.at = 0
        self.step = step
        self.number = 0
        self.effects: list[effects.Effect] = []
        self.last: list[effects.Effect] = []
        self.log: list[ev.Event] = []

    # --- asking

    @property
    def state(self) -> TableState:
        return self.table.state

    @property
    def phase(self) -> str:
        return self.table.phase

    def did(self, kind: type[E]) -> list[E]:
        return [effect for effect in self.effects if isinstance(effect, kind)]

    def now(self, kind: type[E]) -> list[E]:
        return [effect for effect in self.last if isinstance(effect, kind)]

    @property
    def entries(self) -> dict[int, entry.Entry]:
        """Every entry ever reported, as it is now."""
        found: dict[int, entry.Entry] = {}
        for effect in self.effects:
            if isinstance(effect, effects.Report | effects.Amend):
                found[effect.entry.id] = effect.entry
        return found

    @property
    def kinds(self) -> list[str]:
        return [kind.value for one in self.entries.values() for kind in one.kinds]

    def entry(self, kind: str) -> entry.Entry:
        found = [one for one in self.entries.values() if kind in one.kinds]
        assert len(found) == 1, f"{kind} is in {len(found)} entries of {self.kinds}"
        return found[0]

    @property
    def calls(self) -> str:
        return " ".join(f"{laid.seat}:{laid.call}" for laid in self.state.auction.laid)

    @property
    def boards(self) -> list[effects.RecordBoard]:
        return self.did(effects.RecordBoard)

    # --- driving

    def wait(self, seconds: float) -> Self:
        self.at += round(seconds * S)
        return self

    def tick(self, seconds: float) -> Self:
        """Time passes, deadline by deadline, as the owner's loop would have it."""
        end = self.at + round(seconds * S)
        while True:
            due = [at for _, at in self.state.given.deadlines if self.at < at <= end]
            if not due:
                break
            self._handle(ev.TimePassed(at=min(due)))
        self.at = end
        self._handle(ev.TimePassed(at=end))
        return self

    def send(self, event_type: type[ev.Event], after: float | None = None, **fields: Any) -> Self:
        """What comes back has been read afresh at once; `unread` sends the event alone."""
        self.unread(event_type, after, **fields)
        if issubclass(event_type, COMES_BACK):
            told = self.last
            self._handle(ev.SensorsRead(at=self.at + 1))
            self.at -= 1
            self.last = told + self.last
        return self

    def unread(self, event_type: type[ev.Event], after: float | None = None, **fields: Any) -> Self:
        self.at += self.step if after is None else round(after * S)
        self._handle(event_type(at=self.at, **fields))
        return self

    def _handle(self, event: ev.Event) -> None:
        self.number += 1
        self.at = event.at
        self.log.append(event)
        self.last = self.table.handle(event, self.number)
        self.effects += self.last

    def board(self, number: int | None = 1, dealer: str | None = None, after: float | None = None) -> Self:
        return self.send(
            ev.BoardPlaced, after, number=number, dealer=None if dealer is None else Seat(dealer)
        )

    def lift(self, after: float | None = None) -> Self:
        return self.send(ev.BoardRemoved, after)

    def tray(self, side: str, after: float | None = None) -> Self:
        return self.send(ev.TrayArrived, after, side=ScreenSide(side))

    def leaves(self, after: float | None = None) -> Self:
        assert self.state.tray.at is not None
        return self.send(ev.TrayLeft, after, side=self.state.tray.at)

    def goes_over(self) -> Self:
        """Across, where nobody reads the calls."""
        to = self.state.tray.at
        assert to is not None
        return self.leaves().tray(to.other.value)

    def crosses(self, seconds: float = 1.0) -> Self:
        """Away from where it is to the other face, and what lies on it is read there."""
        to = self.state.tray.at
        assert to is not None
        self.leaves()
        self.tray(to.other.value, seconds)
        return self.seen()

    def seen(self, **columns: str) -> Self:
        """The face's readers settle on what lies there, or on what is given: `n="2:1C"`."""
        side = self.state.tray.at
        assert side is not None
        shown = []
        for seat in Seat:
            lying = [laid for laid in self.state.auction.laid if laid.seat is seat and laid.lies]
            count, top = len(lying), lying[-1].call if lying else None
            if seat.value.lower() in columns:
                text, _, call = columns[seat.value.lower()].partition(":")
                count, top = int(text), parse_call(call) if call else None
            shown.append(ev.Column(seat=seat, count=count, top=top))
        return self.send(ev.TraySeen, 0.3, side=side, columns=tuple(shown))

    def call(self, seat: str, call: str, after: float | None = None) -> Self:
        self.send(ev.CallMade, after, seat=Seat(seat), call=parse_call(call))
        if self.table.rules.made_on_release:
            made = self.last
            self.send(ev.CallReleased, 0.01, seat=Seat(seat))
            self.last = made + self.last
        return self

    def takes_up(self, seat: str, call: str, after: float | None = None) -> Self:
        return self.send(ev.CallWithdrawn, after, seat=Seat(seat), call=parse_call(call))

    def window(self, state: str, order: str | None = None, after: float | None = None) -> Self:
        return self.send(
            ev.WindowMoved,
            after,
            state=ev.WindowState(state),
            order=None if order is None else ev.WindowOrder(order),
        )

    def window_opens(self, order: str | None = "open") -> Self:
        return self.window("between", order).window("open", order)

    def window_closes(self, order: str | None = "close") -> Self:
        return self.window("between", order).window("closed", order)

    def by_hand(self, seat: str) -> Self:
        """The window is opened by this seat's handle."""
        self.send(ev.WindowHandled, seat=Seat(seat), held=True)
        self.window_opens(None)
        return self.send(ev.WindowHandled, seat=Seat(seat), held=False)

    def lead(self, seat: str, faced: bool | None = False, after: float | None = None) -> Self:
        return self.send(ev.LeadMade, after, seat=Seat(seat), faced=faced)

    def faces(self, seat: str) -> Self:
        return self.send(ev.LeadFaced, seat=Seat(seat))

    def lead_up(self, seat: str) -> Self:
        return self.send(ev.LeadWithdrawn, seat=Seat(seat))

    def summons(self, seat: str) -> Self:
        return self.send(ev.DirectorSummoned, seat=Seat(seat))

    def order(self, event_type: type[ev.Event], **fields: Any) -> Self:
        return self.send(event_type, by="TD", why="because", command=f"c{self.number}", **fields)

    def correct(self, what: ev.Correction) -> Self:
        return self.order(ev.Corrected, what=what)

    def resume(self, *reasons: str) -> Self:
        return self.order(ev.Resumed, reasons=tuple(reasons))

    @property
    def refused(self) -> str | None:
        found = self.now(effects.Refuse)
        if not found:
            return None
        why = found[0].refusal
        said = refusal(why.code, dict(why.slots), Lang.EN)
        assert said, f"{why} has no words"
        assert refusal(why.code, dict(why.slots), Lang.ZH), f"{why} has no Chinese words"
        return said

    # --- whole stretches

    def ready(self, number: int | None = 1, dealer: str | None = None) -> Self:
        """The board lies, the window is closed, the tray is on the dealer's face."""
        self.board(number, dealer)
        current = self.state.board.current
        seat = None if current is None else current.dealer
        side = NE if seat is None else self.table.rules.side_of(seat)
        self.window_closes()
        if self.state.tray.at is None:
            self.tray(side.value)
        elif self.state.tray.at is not side:
            self.leaves().tray(side.value)
        return self

    def auction(self, calls: str) -> Self:
        """Calls in rotation, the tray crossing when it should. It does not cross after the last."""
        for text in calls.split():
            seat = self.state.auction.calls.turn
            assert seat is not None
            if self.state.tray.at is not self.table.rules.side_of(seat):
                self.crosses()
            self.call(seat.value, text)
        return self

    def contract(self, calls: str = "1NT P P P", number: int | None = 1) -> Self:
        """As far as the lead: the auction is over, shown and cleared."""
        self.ready(number).auction(calls).crosses()
        return self.cleared()

    def cleared(self) -> Self:
        for side in ScreenSide:
            self.send(ev.CardsCleared, side=side)
        return self

    def opened(self, calls: str = "1NT P P P", number: int | None = 1) -> Self:
        """As far as clarification."""
        self.contract(calls, number)
        seat = self.table.view().leader
        assert seat is not None
        self.lead(seat.value)
        return self.window_opens()

    def cards(self, *cards: str) -> Self:
        for one in cards:
            seat, card = one.split(":")
            self.send(ev.CardPlayed, 0.5, seat=Seat(seat), card=parse_card(card))
        return self


def bid(text: str) -> Bid:
    call: Call = parse_call(text)
    assert isinstance(call, Bid)
    return call


def contract_of(driver: Driver) -> Contract:
    found = driver.state.contract.given
    assert isinstance(found, Contract)
    return found
