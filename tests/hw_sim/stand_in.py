"""A stand-in for the controller in tests of the players: it works the window as the procedure says.

It sees only the wires, as the real one does, and knows nothing of the Laws.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from firmware_bridge.readings import Direction
from hw_sim.misdeeds.form import Deed
from hw_sim.players.customs import FULL_TABLE, STYLES, Customs, Furniture, Manner
from hw_sim.players.four import BoardPlay
from hw_sim.players.ledger import BoardAccount, Ledger
from hw_sim.players.runner import play_out
from hw_sim.players.script import BoardScript
from hw_sim.table.body import Body
from hw_sim.table.changes import Change, LevelChange


class StandIn:
    """Closes the window for the auction, opens it on a lead once the auction has been shown.

    `obeys` False: no window order is carried out. `answers`: lights the summons lamp, and the director comes.
    """

    def __init__(self, body: Body, *, obeys: bool = True, answers: bool = True) -> None:
        self.body = body
        self.obeys = obeys
        self.answers = answers
        self.words = 0
        self.shown = False
        self.log: list[Change] = []

    def look(self) -> None:
        for change in self.body.take_changes():
            self.log.append(change)
            if isinstance(change, LevelChange):
                self._level(change.signal, change.active)
            elif change.signal == "board.id" and change.token:
                self.words += self.answers

    def _level(self, signal: str, active: bool) -> None:
        if signal.startswith("director.") and active and self.answers:
            self.body.set_output(signal.replace("director", "summons"), True)
            self.words += 1
        if signal.startswith("cleared.") and active and not self.shown:
            self.words += self.answers
        if signal.startswith("auction_over") and active:
            self.shown = True
        if signal == "board.present" and not active:
            self.words += self.answers
        if signal == "board.present" and active:
            self.shown = False
        if signal == "window.closed" and not active and not self.shown:
            self.words += self.answers
        if self.obeys:
            self._order()

    def _order(self) -> None:
        levels = self.body.levels()
        lead = any(levels[f"lead.{seat}.present"] for seat in "nesw")
        if self.shown and lead:
            self._move(Direction.OPEN)
        elif (levels["board.present"] and not self.shown) or (
            self.shown and not lead and not levels["window.open"]
        ):
            self._move(Direction.CLOSE)

    def _move(self, direction: Direction) -> None:
        self.body.drive_window(direction)
        self.body.set_output("window.lamp", direction is Direction.OPEN)
        self.body.set_output("window.lamp.close", direction is Direction.CLOSE)


class Evening:
    """One table with its stand-in, its players and their ledger, on virtual time."""

    def __init__(
        self,
        *,
        furniture: Furniture = FULL_TABLE,
        customs: Customs | None = None,
        style: str = "steady",
        seed: int = 1,
        obeys: bool = True,
        answers: bool = True,
    ) -> None:
        self.body = Body()
        self.controller = StandIn(self.body, obeys=obeys, answers=answers)
        self.customs = customs or Customs()
        self.furniture = furniture
        self.manner = Manner(STYLES[style], Random(seed))
        self.ledger = Ledger("1")
        self.watch: Callable[[], None] = lambda: None

    def board(self, script: BoardScript, misdeed: Deed | None = None, *, speed: float = 1.0) -> BoardAccount:
        play = BoardPlay(
            hands=self.body,
            script=script,
            customs=self.customs,
            furniture=self.furniture,
            manner=self.manner,
            ledger=self.ledger,
            misdeed=misdeed,
            word=lambda kind: self.controller.words,
        )

        def between() -> None:
            self.controller.look()
            self.watch()

        play_out(self.body, play.play(), speed=speed, between=between)
        return self.ledger.boards[-1]
