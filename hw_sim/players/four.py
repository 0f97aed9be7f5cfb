"""Four players play one board at a screened table, from the board on the tray until it is taken off.

They do what the procedure says and what the record has, irregular calls as recorded, and wait only for what
people at a table see: the window closed, the tray arrived, a lamp lit. Must never ask what the controller
believes; where something does not happen in its time they say which joint is likely broken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from firmware_bridge.readings import Direction
from hw_sim.players.asks import Complaint, Script, Until
from hw_sim.players.customs import AT_SIGHT, Customs, Furniture, Manner, Opening, WindowKind
from hw_sim.players.hands import Hands
from hw_sim.players.in_vain import DARK_TO_CLOSE, DARK_TO_OPEN, NO_DIRECTOR, NOT_CLOSED, NOT_OPEN, not_arrived
from hw_sim.players.ledger import BoardAccount, Ledger, OwnTime
from hw_sim.players.moments import Moment
from hw_sim.players.script import BoardScript
from hw_sim.refusals import Said, Why
from hw_sim.table.changes import MS, SECOND
from table_controller.laws.call import Call
from table_controller.laws.contract import Contract, PassedOut
from table_controller.laws.play import Play, PlayedCard
from table_controller.laws.seat import ScreenSide, Seat

ALERT_LIES = 1_200 * MS
"""An alert card taken back under a second is itself a fact for the director (31.3)."""
SUMMONS = "SUMMONS"
DIRECTOR_COMES = 90 * SECOND


class Misdeed(Protocol):
    """Something one of them does that he should not. `kinds`: what must be reported for it."""

    @property
    def name(self) -> str: ...

    @property
    def kinds(self) -> tuple[str, ...]: ...

    def due(self, moment: Moment, index: int) -> bool:
        """Whether it happens at this moment; `index` counts calls, or tricks, from 0."""
        ...

    def act(self, play: BoardPlay) -> Script: ...


@dataclass(kw_only=True)
class BoardPlay:
    """One board being played: the players' hands, what they know, and the primitives their misdeeds share.

    `word(kind)` counts how often the director has told this table to go on after such an irregularity.
    `pusher` pushes the next time in the proper mover's stead; `faces_lead_at_once`: the leader does;
    `half_alerted` is the call that only its own face hears alerted.
    """

    hands: Hands
    script: BoardScript
    customs: Customs
    furniture: Furniture
    manner: Manner
    ledger: Ledger
    misdeed: Misdeed | None = None
    word: Callable[[str], int] = lambda kind: 0
    pusher: Seat | None = None
    faces_lead_at_once: bool = False
    half_alerted: int | None = None
    account: BoardAccount = field(init=False)
    watch: OwnTime = field(init=False, default_factory=OwnTime)

    def play(self) -> Script:
        """The whole board. Raises Complaint where something at the table does not happen in its time."""
        yield from self._set_up()
        yield from self._auction()
        match self.script.outcome:
            case Contract() as contract:
                yield from self._show()
                yield from self._lead(contract)
                yield from self._play(contract)
            case PassedOut():
                yield from self._show()
            case None:
                self.ledger.note("break off", self.hands.now)
                self.account.broken_off_at = self.hands.now
        yield from self._take_off()
        yield from self._clear_far()

    def abandon(self) -> Script:
        """After a wait in vain: the leads, the board and all cards in reach are taken off."""
        yield self.manner.settles()
        for seat in Seat:
            self.hands.lift_lead(seat)
        self.hands.lift_board()
        self.ledger.close_board(self.account)
        if self.hands.tray_at is not None:
            yield from self._clear_far()

    # --- what they share with their misdeeds

    def do_misdeed(self, moment: Moment, index: int = -1) -> Script:
        misdeed = self.misdeed
        if misdeed is None or not misdeed.due(moment, index):
            return
        yield self.manner.acts()
        self.account.misdeeds.append(misdeed.name)
        self.account.kinds.extend(misdeed.kinds)
        self.ledger.note("misdeed", self.hands.now, name=misdeed.name, kinds=list(misdeed.kinds))
        yield from misdeed.act(self)

    def until(self, seen: Callable[[], bool], complaint: str | Said, within: int = AT_SIGHT) -> Script:
        yield Until(seen=seen, within=within, complaint=complaint)

    def push(self, by: Seat | None = None, due: Seat | None = None) -> Script:
        """Push the tray across and see it arrive; then it is up to `due`, if anybody."""
        side = self.hands.tray_at
        if side is None:
            raise Complaint("the tray is between the faces and nobody can push it", Why.TRAY_STUCK_BETWEEN)
        seat = by or self.pusher or self.customs.movers[side]
        self.pusher = None
        yield self.manner.pushes()
        self.ledger.note("push", self.hands.now, seat=seat)
        self.hands.push_tray(seat)
        yield from self.until(
            lambda: self.hands.tray_at is side.other,
            not_arrived(side.other),
        )
        if due is not None:
            self.watch.turn(due, self.hands.now)
        yield self.manner.settles()

    def bring_tray_to(self, side: ScreenSide) -> Script:
        if self.hands.tray_at is not side:
            yield from self.push()

    def lay(self, seat: Seat, call: Call) -> None:
        self.ledger.note("call", self.hands.now, seat=seat, call=str(call))
        self.hands.lay_call(seat, call)

    def lift(self, seat: Seat) -> Script:
        """Take the top card off, and leave the tray alone long enough for that to be seen."""
        self.ledger.note("lift", self.hands.now, seat=seat)
        self.hands.lift_call(seat)
        yield self.manner.settles()

    def summon(self, seat: Seat) -> Script:
        """Call the director, see the lamp, and wait until he has told the table to go on."""
        before = self.word(SUMMONS)
        self.account.summonses.append(seat.value)
        self.account.kinds.append(SUMMONS)
        self.ledger.note("summons", self.hands.now, seat=seat)
        lamp = f"summons.{seat.lower()}"
        lit = self.hands.times_lit(lamp)
        self.hands.press_director(seat)
        if self.furniture.summons_lamps:
            yield from self.until(
                lambda: self.hands.times_lit(lamp) > lit,
                Said.because(
                    f"the summons lamp at {seat} did not light within 10 s: the press or the order is lost",
                    Why.SUMMONS_LAMP_DARK,
                    seat=seat,
                ),
            )
        yield from self.await_director(SUMMONS, before)

    def await_director(self, kind: str, before: int) -> Script:
        """Wait until the director has spoken about this since he had spoken `before` times."""
        yield from self.until(
            lambda: self.word(kind) > before,
            NO_DIRECTOR,
            within=DIRECTOR_COMES,
        )
        yield self.manner.settles()

    def close_window(self) -> Script:
        """See it closed; by hand where that is how it is worked."""
        hands = self.hands
        if self.furniture.window is WindowKind.HAND and not hands.window_closed:
            if self.furniture.lamps:
                yield from self.until(
                    lambda: hands.lamp("window.lamp.close"),
                    DARK_TO_CLOSE,
                )
            yield self.manner.acts()
            hands.move_window(self.customs.window_by[0], Direction.CLOSE)
        yield from self.until(
            lambda: hands.window_closed,
            NOT_CLOSED,
        )

    # --- step by step

    def _set_up(self) -> Script:
        script = self.script
        vulnerability = None if script.vulnerability is None else script.vulnerability.value
        self.account = self.ledger.open_board(
            number=script.number, dealer=script.dealer.value, vulnerability=vulnerability
        )
        self.watch = OwnTime(self.account.used)
        yield self.manner.settles()
        yield from self.bring_tray_to(self.customs.faces.side_of(script.dealer))
        self.hands.place_board(script.tag)
        self.ledger.note("board placed", self.hands.now, tag=str(script.tag))
        self.watch.waits = True
        yield self.manner.acts()
        yield from self.do_misdeed(Moment.PLACED)
        yield from self.close_window()
        self.look()
        for seat in Seat:
            self.hands.take_hand(seat)
        yield self.manner.settles()

    def look(self) -> None:
        """The window is seen closed, and the first call is due: for `play_out`'s `between`, to the moment."""
        if self.watch.waits and self.hands.window_closed:
            self.watch.turn(self.script.dealer, self.hands.now)

    def _up_to(self, index: int) -> None:
        """Call `index` is due, if it is one of this face; else the tray's way is."""
        made = self.script.calls[index] if index < len(self.script.calls) else None
        here = made is not None and self.customs.faces.side_of(made.seat) is self.hands.tray_at
        self.watch.turn(made.seat if made is not None and here else None, self.hands.now)

    def _auction(self) -> Script:
        for index, made in enumerate(self.script.calls):
            side = self.customs.faces.side_of(made.seat)
            if self.hands.tray_at is not side:
                yield from self.push(due=made.seat)
                self.account.crossings += 1 if index else 0
            if not self.script.same_visit(index, self.customs.faces):
                yield from self._partner_alerts(index)
            yield from self.do_misdeed(Moment.BEFORE_CALL, index)
            yield self.manner.thinks(made.seat)
            self.lay(made.seat, made.call)
            self._up_to(index + 1)
            self.account.calls.append(str(made))
            if index in self.script.alerts or index == self.half_alerted:
                yield from self._alert(made.seat)
            yield from self.do_misdeed(Moment.AFTER_CALL, index)
        self._note_contract()

    def _note_contract(self) -> None:
        outcome = self.script.outcome
        self.account.contract = None if outcome is None else str(outcome)
        self.account.declarer = outcome.declarer.value if isinstance(outcome, Contract) else None

    def _alert(self, seat: Seat) -> Script:
        """Lay the alert card in the screenmate's column; he nods, and it is taken back (23.2.7)."""
        yield self.manner.settles()
        self.ledger.note("alert", self.hands.now, seat=seat)
        due = self.watch.owner
        self.watch.turn(None, self.hands.now)
        self.hands.lay_alert(seat)
        yield self.manner.acts(least=ALERT_LIES)
        self.hands.lift_alert(seat)
        self.watch.turn(due, self.hands.now)
        yield self.manner.acts()

    def _partner_alerts(self, index: int) -> Script:
        """The tray has brought partner's alertable call: alert it on this face too."""
        here = self.hands.tray_at
        for earlier in range(max(index - 2, 0), index):
            if earlier in self.script.alerts:
                partner = self.script.calls[earlier].seat.partner
                if self.customs.faces.side_of(partner) is here:
                    yield from self._alert(partner)

    def _show(self) -> Script:
        """The tray crosses once more, so that both faces have seen the whole auction."""
        yield from self.do_misdeed(Moment.AUCTION_OVER)
        outcome = self.script.outcome
        yield from self.push(due=outcome.leader if isinstance(outcome, Contract) else None)
        yield from self._partner_alerts(len(self.script.calls))
        if self.furniture.auction_over_button and self.hands.tray_at is not None:
            self.hands.press_auction_over(self.hands.tray_at)
        yield self.manner.settles()

    def _lead(self, contract: Contract) -> Script:
        leader, hands = contract.leader, self.hands
        yield from self.do_misdeed(Moment.BEFORE_LEAD)
        yield self.manner.plays(leader)
        at_once = self.faces_lead_at_once
        self.ledger.note("lead", hands.now, seat=leader, faced=at_once)
        hands.lay_lead(leader, faced=at_once)
        self.watch.turn(None, hands.now)
        yield from self.do_misdeed(Moment.LEAD_DOWN)
        yield self.manner.settles()
        if self.customs.opening is Opening.LEAD_ANNOUNCED and self.furniture.announce_button:
            hands.press_announced(self.customs.faces.screenmate(leader))
        if self.customs.opening is Opening.LEAD_FACED and not at_once:
            hands.face_lead(leader)
        yield from self._open_window()
        yield self.manner.settles()
        if not at_once and self.customs.opening is not Opening.LEAD_FACED:
            hands.face_lead(leader)
            yield self.manner.settles()

    def _open_window(self) -> Script:
        hands, opener = self.hands, self.customs.window_by[0]
        match self.furniture.window:
            case WindowKind.HAND:
                if self.furniture.lamps:
                    yield from self.until(
                        lambda: hands.lamp("window.lamp"),
                        DARK_TO_OPEN,
                    )
                hands.move_window(opener, Direction.OPEN)
            case WindowKind.HANDLE:
                hands.work_handle(opener)
            case WindowKind.MOTOR:
                pass
        yield from self.until(
            lambda: hands.window_open,
            NOT_OPEN,
        )

    def _play(self, contract: Contract) -> Script:
        yield from self._clear()
        for number, trick in enumerate(self.script.tricks()):
            for seat, card in trick:
                yield self.manner.plays(contract.declarer if seat is contract.dummy else seat)
                self.hands.play_card(seat, card)
                self.account.cards += 1
                self._next_card(contract)
            if len(trick) == 4:
                yield self.manner.plays()
                self.hands.turn_trick()
            if number == 0:
                self.hands.lift_lead(contract.leader)
            yield from self.do_misdeed(Moment.TRICK_OVER, number)
        if len(self.script.play) < 52 and self.furniture.claim_button:
            yield self.manner.acts()
            self.hands.press_claim(self.script.claimer or contract.declarer)
            self.watch.turn(None, self.hands.now)
            yield self.manner.settles()
        self.hands.lift_lead(contract.leader)
        self.hands.turn_trick()

    def _next_card(self, contract: Contract) -> None:
        """Dummy's cards are declarer's to think about."""
        played = tuple(PlayedCard(*card) for card in self.script.play[: self.account.cards])
        turn = Play(contract, played).turn
        self.watch.turn(contract.declarer if turn is contract.dummy else turn, self.hands.now)

    def _clear(self) -> Script:
        """All bidding cards go back into their boxes, the nearest first."""
        for seat in sorted(Seat, key=lambda seat: self.customs.faces.side_of(seat) is not self.hands.tray_at):
            if self.hands.reaches_tray(seat):
                yield self.manner.acts()
                self.hands.clear_cards(seat)

    def _clear_far(self) -> Script:
        """Where the window stayed closed, the tray goes round to whoever still has cards on it."""
        yield from self._clear()
        if any(self.hands.cards_of(seat) for seat in Seat):
            yield self.manner.settles()
            yield from self.push()
            yield from self._clear()

    def _take_off(self) -> Script:
        yield self.manner.settles()
        for seat in Seat:
            self.hands.return_hand(seat)
        yield self.manner.settles()
        self.hands.lift_board()
        self.watch.turn(None, self.hands.now)
        self.ledger.note("board lifted", self.hands.now)
        self.account.finished = self.script.outcome is not None
        self.ledger.close_board(self.account)
        yield self.manner.settles()
