"""The hands at the bench: those of a scenario's table, each of their deeds written down.

Must never change what a hand does. What nobody could do, and what changes nothing, is not written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from firmware_bridge.readings import Direction
from hw_sim.bench.deed_log import DeedLog
from hw_sim.misdeeds.order import MisdeedOrder
from hw_sim.scenario.deeds import Doubtful
from hw_sim.scenario.full.body import ScenarioBody
from hw_sim.scenario.room import Levers
from hw_sim.table.body import STOP_CARD
from hw_sim.table.tags import BoardTag
from table_controller.laws.call import Call
from table_controller.laws.card import Card
from table_controller.laws.seat import Faces, ScreenSide, Seat


class WrittenHands:
    """`ScenarioHands` around a body; `log` gets every deed."""

    def __init__(self, body: ScenarioBody, log: DeedLog) -> None:
        self._body = body
        self._log = log

    # --- what they see

    @property
    def now(self) -> int:
        return self._body.now

    @property
    def faces(self) -> Faces:
        return self._body.faces

    @property
    def tray_at(self) -> ScreenSide | None:
        return self._body.tray_at

    @property
    def window_closed(self) -> bool:
        return self._body.window_closed

    @property
    def window_open(self) -> bool:
        return self._body.window_open

    def lamp(self, output: str) -> bool:
        return self._body.lamp(output)

    def times_lit(self, output: str) -> int:
        return self._body.times_lit(output)

    def cards_of(self, seat: Seat) -> tuple[str, ...]:
        return self._body.cards_of(seat)

    def reaches_tray(self, seat: Seat) -> bool:
        return self._body.reaches_tray(seat)

    # --- board and hands

    def place_board(self, tag: BoardTag, *, hands: bool = True) -> None:
        self._body.place_board(tag, hands=hands)
        out = "" if hands else ", its hands out"
        if tag.number is None:
            self._log.add(f"{self._near()} places the board{out}", self.now, board=True)
            return
        dealer = "" if tag.dealer is None else f" dealer {tag.dealer}"
        vulnerable = "" if tag.vulnerability is None else f" vulnerable {tag.vulnerability.value}"
        self._write(f"{self._near()} places board {tag.number}{dealer}{vulnerable}{out}")

    def lift_board(self) -> None:
        self._body.lift_board()
        self._write(f"{self._near()} lifts the board")

    def take_hand(self, seat: Seat) -> None:
        self._if_changed(
            lambda: self._body.take_hand(seat), f"{seat} takes the hand out", f"hand.{seat.lower()}"
        )

    def return_hand(self, seat: Seat) -> None:
        self._if_changed(
            lambda: self._body.return_hand(seat), f"{seat} puts the hand back", f"hand.{seat.lower()}"
        )

    def sit_down(self, seat: Seat, player: str) -> None:
        self._body.sit_down(seat, player)
        self._write(f"{seat} sits down as {player}")

    # --- tray

    def push_tray(self, seat: Seat) -> None:
        self._body.push_tray(seat)
        self._log.pushed(seat, self.faces.side_of(seat).other, self.now)

    def stop_tray(self) -> None:
        self._body.stop_tray()
        self._log.stopped()

    def move_tray_on(self, to: ScreenSide | None = None) -> None:
        self._body.move_tray_on(to)
        self._log.moved_on(to or self._body.heading, self.now)

    # --- cards on the tray

    def lay_call(self, seat: Seat, call: Call) -> None:
        self._body.lay_call(seat, call)
        self._write(f"{seat} {call}")

    def hold_call(self, seat: Seat, call: Call) -> None:
        self._body.hold_call(seat, call)
        self._write(f"{seat} holds {call} on the tray")

    def let_go(self, seat: Seat) -> None:
        self._body.let_go(seat)
        self._write(f"{seat} lets go")

    def lift_call(self, seat: Seat) -> None:
        cards = self.cards_of(seat)
        self._body.lift_call(seat)
        top = cards[-1]
        self._write(f"{seat} takes the stop card back" if top == STOP_CARD else f"{seat} takes {top} back")

    def lose_card(self, seat: Seat) -> None:
        self._body.lose_card(seat)
        self._write(f"top card of {seat} falls off")

    def clear_cards(self, seat: Seat) -> None:
        there = bool(self.cards_of(seat))
        self._body.clear_cards(seat)
        if there:
            self._write(f"{seat} clears his cards")

    def lay_stop_card(self, seat: Seat) -> None:
        self._body.lay_stop_card(seat)
        self._write(f"{seat} lays the stop card")

    def lift_stop_card(self, seat: Seat) -> None:
        there = STOP_CARD in self.cards_of(seat)
        self._body.lift_stop_card(seat)
        if there:
            self._write(f"{seat} takes the stop card back")

    def lay_alert(self, seat: Seat) -> None:
        self._body.lay_alert(seat)
        self._write(f"{seat} alerts")

    def lift_alert(self, seat: Seat) -> None:
        self._body.lift_alert(seat)
        self._write(f"{seat} takes the alert card back")

    # --- lead and play

    def lay_lead(self, seat: Seat, *, faced: bool = False) -> None:
        self._body.lay_lead(seat, faced=faced)
        self._write(f"{seat} leads face {'up' if faced else 'down'}")

    def face_lead(self, seat: Seat) -> None:
        self._body.face_lead(seat)
        self._write(f"{seat} faces the lead")

    def lift_lead(self, seat: Seat) -> None:
        there = f"lead.{seat.lower()}.present"
        self._if_changed(lambda: self._body.lift_lead(seat), f"{seat} takes the lead back", there)

    def play_card(self, seat: Seat, card: Card) -> None:
        self._body.play_card(seat, card)
        self._write(f"{seat} plays {card}")

    def turn_trick(self) -> None:
        there = any(self._body.tokens()[f"card.{seat.lower()}"] for seat in Seat)
        self._body.turn_trick()
        if there:
            self._write("trick turned")

    # --- buttons and window

    def press_director(self, seat: Seat) -> None:
        self._body.press_director(seat)
        self._write(f"{seat} calls the director")

    def press_announced(self, seat: Seat) -> None:
        self._body.press_announced(seat)
        self._write(f"{seat} announces the lead")

    def press_claim(self, seat: Seat) -> None:
        self._body.press_claim(seat)
        self._write(f"{seat} claims")

    def press_auction_over(self, side: ScreenSide) -> None:
        self._body.press_auction_over(side)
        self._write(f"{side} press auction over")

    def move_window(self, seat: Seat, to: Direction) -> None:
        self._body.move_window(seat, to)
        self._write(f"{seat} {'opens' if to is Direction.OPEN else 'closes'} the window")

    def push_pane(self, *, opens: bool) -> None:
        self._body.push_pane(opens=opens)
        self._write(f"window {'opened' if opens else 'closed'} by hand")

    def work_handle(self, seat: Seat) -> None:
        self._body.work_handle(seat)
        self._write(f"{seat} works the handle")

    # --- writing

    def _write(self, text: str) -> None:
        self._log.add(text, self.now)

    def _if_changed(self, deed: Callable[[], None], text: str, signal: str) -> None:
        before = self._body.levels()[signal]
        deed()
        if self._body.levels()[signal] is not before:
            self._write(text)

    def _near(self) -> Seat:
        """Who lays a board on the tray: somebody of the face it is on."""
        return self.faces.seats_on(self.tray_at or ScreenSide.NE)[0]


class WrittenLevers:
    """A table's levers, each pull written down."""

    def __init__(self, levers: Levers, log: DeedLog, now: Callable[[], int]) -> None:
        self._levers = levers
        self._log = log
        self._now = now

    def fail(self, what: Doubtful, seat: Seat | None) -> int:
        self._write(_failing(what, seat))
        return self._levers.fail(what, seat)

    def recover(self, what: Doubtful, seat: Seat | None) -> int:
        self._write(_recovering(what, seat))
        return self._levers.recover(what, seat)

    def obstruct(self, there: bool) -> None:
        self._levers.obstruct(there)
        self._write(f"{'something' if there else 'nothing'} in the window's way")

    def jam(self, stuck: bool) -> None:
        self._levers.jam(stuck)
        self._write("window jams" if stuck else "window moves freely")

    def cable(self, plugged: bool) -> int:
        takes = self._levers.cable(plugged)
        self._write("cable back" if plugged else "cable pulled")
        return takes

    def reset_device(self) -> int:
        takes = self._levers.reset_device()
        self._write("device resets")
        return takes

    def misdeed(self, order: MisdeedOrder) -> None:
        at = self._now()
        self._levers.misdeed(order)
        options = "".join(f" {key}={value}" for key, value in order.options.items())
        later = "" if order.at is None else f" at={order.at:g}"
        seed = "" if order.seed is None else f" seed={order.seed}"
        self._log.add(f"misdeed {order.name}{options}{later}{seed}", at)

    def die(self) -> int:
        takes = self._levers.die()
        self._write("controller dies")
        return takes

    def come_back(self) -> int:
        self._write("controller returns")
        return self._levers.come_back()

    def _write(self, text: str) -> None:
        self._log.add(text, self._now())


def _failing(what: Doubtful, seat: Seat | None) -> str:
    match what:
        case Doubtful.TRAY:
            return "tray sensed on both faces"
        case Doubtful.WINDOW:
            return "window sensed open and closed"
        case Doubtful.LEAD:
            return f"lead sensor of {seat} chatters"
        case _:
            assert_never(what)


def _recovering(what: Doubtful, seat: Seat | None) -> str:
    match what:
        case Doubtful.TRAY:
            return "tray sensed on one face again"
        case Doubtful.WINDOW:
            return "window sensed in one place again"
        case Doubtful.LEAD:
            return f"lead sensor of {seat} steady again"
        case _:
            assert_never(what)
