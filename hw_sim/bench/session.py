"""One table at the bench until the next is ordered: what plays there, what was done, how it stood and when.

Lives in the bench's thread. Must never hold up the table for a page, and never look into the controller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic_ns
from typing import Literal

from hw_sim.bench.bench_table import BenchTable
from hw_sim.bench.bulletin import Bulletin, Sights
from hw_sim.bench.deed_log import DeedLog
from hw_sim.bench.director import BenchDirector
from hw_sim.bench.furnish import TABLE, Order, Place, furnish
from hw_sim.bench.hands import WrittenHands, WrittenLevers
from hw_sim.bench.history import History
from hw_sim.bench.inside import IN_PLAY, Inside
from hw_sim.bench.record_script import RecordPlay
from hw_sim.bench.saving import Reported, Saved, scenario_text
from hw_sim.bench.scenario_script import ScenarioPlay
from hw_sim.bench.stagehands import OURS, Ended, Stagehands
from hw_sim.bench.taps import Ear
from hw_sim.bench.witness import Witness
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.players.asks import Pause, Script
from hw_sim.players.customs import Floors
from hw_sim.players.ledger import Ledger
from hw_sim.players.script import BoardScript
from hw_sim.refusals import Said, Why, said_of
from hw_sim.scenario.deeds import Deed, DirectorDeed, LiftBoard, LiftLead, TurnTrick
from hw_sim.scenario.errors import CannotBePlayed
from hw_sim.scenario.full.desk import Desk
from hw_sim.scenario.model import Scenario
from hw_sim.scenario.parse import deed_of
from hw_sim.scenario.playing import Players
from hw_sim.table.changes import MS, SECOND, Travel
from table_controller.laws.seat import ScreenSide, Seat

TURN = 15 * MS
BETWEEN = 250 * MS
"""From one deed to the next at the least, also where deeds are done again: twice of it, and a card lifted is
told from a tray that leaves."""
OVER_LOOKS = 12
LEAST, MOST = 180 * MS, 1_500 * MS
"""The same where time is divided, whatever ten seconds become: so that an eye can follow."""
What_ = Literal["hand", "record", "scenario", "lesson"]


class Session:
    """`begin()` starts the controller and returns when it knows the table; then `turn()` again and again."""

    def __init__(
        self,
        number: int,
        order: Order,
        place: Place,
        hub: DeviceHub,
        desk: Desk,
        bulletin: Bulletin,
        sights: Sights,
        *,
        console: Callable[[], bool],
        listens: Callable[[], bool],
    ) -> None:
        self.number = number
        self.order = order
        self.directory = place.directory / f"table-{number}"
        self.bulletin = bulletin
        self.began = monotonic_ns()
        ear = Ear()
        setting = furnish(order, place, self.directory, ear)
        self.table = BenchTable(
            TABLE,
            setting,
            hub,
            desk,
            ear,
            on_row=lambda message: self.witness.row(message),
            turn=lambda: self.witness.observe(),
            console=console,
            listens=listens,
        )
        self.customs = setting.customs
        self.tray_on: ScreenSide = setting.tray_on
        self.signals = [one.signal for one in setting.wiring.rig.inputs]
        self.log = DeedLog()
        self.witness = Witness(
            self.table.body,
            setting.wiring.rig,
            ear,
            self.log,
            bulletin,
            sights,
            began=self.began,
            opener=self.customs.window_by[0],
        )
        hands = WrittenHands(self.table.body, self.log)
        levers = WrittenLevers(self.table, self.log, lambda: self.table.body.now)
        self.table.written = (hands, levers)
        self.table.on_order = lambda text: self._note(text)
        self.table.between_deeds = (
            BETWEEN if order.pace <= 1 else min(MOST, max(LEAST, round(10 * SECOND / order.pace)))
        )
        scenario = order.scenario
        self.players = Players(self.table, scenario.board, scenario.window_takes or 0)
        self.stage = Stagehands()
        self.director = BenchDirector(self.table.seen, self._director_says)
        self.play: ScenarioPlay | RecordPlay | None = None
        self.ready = False
        self.said: Said | None = None
        """The last thing that went wrong."""
        self.ended = False
        self.what: What_ = "hand"
        self.title = ""
        self.lesson: str | None = None
        self.mixed = False
        """Somebody has done something by hand beside what plays."""
        self.remarks: list[str] = []
        self._notes = 0

    # --- life

    def begin(self) -> None:
        """Raises JointBroken."""
        self.bulletin.begin()
        self.witness.observe()
        self.table.start()
        self.began_to_play = self.table.body.now
        self.ready = True
        self.witness.observe()

    def close(self) -> None:
        self.stage.stop()
        self.table.close()

    def turn(self) -> None:
        """Let a little time pass, and act out what is due."""
        self.table.let_pass(TURN)
        self.stage.turn(self.table.body.now)
        if not isinstance(self.play, ScenarioPlay) or self.ended:
            self._let_direct()
        notes = self.table.notes
        if len(notes) > self._notes:
            self._notes = len(notes)
            self.said = Said.because(notes[-1], Why.SECOND_OPENER_SAID, text=notes[-1])

    def _let_direct(self) -> None:
        try:
            self.director.look(self.table.body.now)
        except OURS as problem:
            self.said = said_of(problem)

    # --- by hand

    def act(self, text: str, ended: Ended) -> None:
        """One deed as a scenario's line has it. Raises NotUnderstood."""
        self.do(text, deed_of(text), ended)

    def do(self, text: str, deed: Deed, ended: Ended) -> None:
        if isinstance(self.play, ScenarioPlay | RecordPlay):
            self.mixed = True
        self.stage.act(self._by_hand(text, deed), ended)

    def _by_hand(self, text: str, deed: Deed) -> Script:
        self.table.saying = text
        refused = len(self.table.seen.step.refusals)
        in_play = self.inside.phase in IN_PLAY
        yield from self.players.do(deed)
        if isinstance(deed, LiftBoard) and in_play:
            yield from self._take_cards_along()
        refusals = self.table.seen.step.refusals
        if isinstance(deed, DirectorDeed) and len(refusals) > refused:
            last = refusals[-1]
            raise CannotBePlayed(
                f"the table refused: {last.text}",
                Why.TABLE_REFUSED,
                reason=last.code,
                slots=last.slots,
                text=last.text,
            )

    def _take_cards_along(self) -> Script:
        """Once the table says that the board is over, what was played leaves it too."""
        for _ in range(OVER_LOOKS):
            if self.inside.phase not in IN_PLAY:
                break
            yield Pause(human=0, least=BETWEEN // 2)
        else:
            return
        body = self.table.body
        if any(card for signal, card in body.tokens().items() if signal.startswith("card.")):
            yield from self.players.do(TurnTrick())
        for seat in Seat:
            if body.place_of_lead(seat) is not None:
                yield from self.players.do(LiftLead(seat=seat))

    def _director_says(self, text: str) -> None:
        self.table.saying = text
        for _ in self.players.do(deed_of(text)):
            pass

    def _note(self, text: str) -> None:
        """A director's order was given, as it is written."""
        self.log.add(text, self.table.body.now)

    # --- by itself

    def play_record(
        self, scripts: tuple[BoardScript, ...], first: int, *, style: str, seed: int, once: bool
    ) -> RecordPlay:
        """Players begin to play; `once`: one board, for a misdeed that is asked for next."""
        play = RecordPlay(
            hands=self.table.hands,
            scripts=scripts,
            first=first,
            customs=self.customs,
            furniture=self.order.scenario.kind.furniture,
            ledger=Ledger(TABLE),
            word=self.director.word,
            style=style,
            seed=seed,
            said=self._say,
            floors=Floors(),
            once=once,
        )
        self._begin_to_play(play, play.script(), lambda: len(self.log.deeds))
        return play

    def play_scenario(self, scenario: Scenario, *, check: bool = True) -> ScenarioPlay:
        play = ScenarioPlay(scenario, self.table, self.players, self._saying)
        self._begin_to_play(play, play.script(check=check), lambda: play.played)
        return play

    def do_again(self, scenario: Scenario) -> None:
        """All deeds of it, as fast as hardware lets; then nobody plays."""
        play = ScenarioPlay(scenario, self.table, self.players, self._saying)

        def over(problem: Exception | None) -> None:
            self.play, self.mixed = None, False
            self.said = None if problem is None else said_of(problem)
            if play.failures:
                self.said = play.failures[0]

        self.play = play
        self.stage.pace.hurry_to = 0
        self.stage.play(play.script(check=False), over)

    def _begin_to_play(
        self, play: ScenarioPlay | RecordPlay, script: Script, steps: Callable[[], int]
    ) -> None:
        self.play, self.ended, self.said = play, False, None
        self.stage.pace.steps = steps
        self.stage.pace.step_to, self.stage.pace.hurry_to = None, 0
        self.stage.play(script, self._over)

    def _over(self, problem: Exception | None) -> None:
        self.ended = True
        if problem is not None:
            self.said = said_of(problem)
        elif isinstance(self.play, ScenarioPlay) and self.play.failures:
            self.said = self.play.failures[0]

    def stop(self) -> None:
        """Nobody plays by himself any more."""
        self.stage.stop()
        self.play, self.ended = None, False
        self.what, self.title, self.lesson = "hand", "", None
        self.stage.pace.paused = False

    def speed(self, speed: float) -> None:
        """Of people, and where nothing is divided of the tray they push."""
        self.stage.pace.speed = speed
        if self.order.pace <= 1:
            body = self.table.body  # the panel of its window moves as it was built
            window, by_hand = body.travel.window, body.travel.window_by_hand
            body.travel = replace(Travel().at_speed(speed), window=window, window_by_hand=by_hand)

    def _saying(self, text: str) -> None:
        self.table.saying = text

    def _say(self, said: Said) -> None:
        self.said = said

    # --- what is seen

    @property
    def inside(self) -> Inside:
        return self.witness.inside

    @property
    def history(self) -> History:
        return self.witness.history

    @property
    def reported(self) -> list[Reported]:
        """Entries in the order they were new."""
        return self.witness.reported

    @property
    def now_ms(self) -> int:
        return (self.table.body.now - self.began) // MS if self.ready else 0

    def by_row(self) -> Mapping[int, int]:
        return dict(self.inside.by_row)

    @property
    def journal(self) -> Path:
        return self.directory / "data" / "journal.sqlite"

    def saved(self, title: str, *, until: int | None = None, expected: bool = True) -> str:
        """What was done here, up to `until` (ns), as a scenario."""
        now = self.table.body.now
        end = now if until is None else until
        return scenario_text(
            Saved(
                title=title,
                scenario=self.order.scenario,
                tray_on=self.tray_on.value,
                deeds=[deed for deed in self.log.deeds if deed.at <= end],
                reported=[one for one in self.reported if one.at <= end],
                began=self.began_to_play,
                now=end,
                pace=self.order.pace,
                remarks=self.remarks,
                expected=expected,
            )
        )
