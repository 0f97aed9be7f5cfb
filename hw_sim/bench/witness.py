"""Whoever stands beside the table and writes down what becomes: frames, levels, rows, the past.

Must never do anything to the table, and never hear of the controller but by its rows and at the metal.
"""

from __future__ import annotations

from firmware_bridge.readings import Direction
from firmware_bridge.rig import RigSpec
from hw_sim.bench.bulletin import Bulletin, Sights
from hw_sim.bench.contract import LogLine
from hw_sim.bench.deed_log import DeedLog
from hw_sim.bench.frames import table_frame
from hw_sim.bench.history import History, Moment
from hw_sim.bench.inside import Inside
from hw_sim.bench.near import sight_of
from hw_sim.bench.saving import Reported
from hw_sim.bench.taps import Ear
from hw_sim.scenario.full.body import ScenarioBody
from hw_sim.table.changes import MS
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.messages import Change, IrregularityBody, LogBody, Message, What
from table_controller.screen.entry import Kind

LATEST_INSIDE = 400


class Witness:
    """`observe()` whenever some time has passed, `row()` for each published row. `began`: monotonic ns.

    `opener` opens the window where hands do. What it sees goes to `bulletin` and `sights`; the tray's arrival
    and the window's end also to `log`, where a rerun must wait for them.
    """

    def __init__(
        self,
        body: ScenarioBody,
        spec: RigSpec,
        ear: Ear,
        log: DeedLog,
        bulletin: Bulletin,
        sights: Sights,
        *,
        began: int,
        opener: Seat,
    ) -> None:
        self.inside = Inside(spec, began)
        self.history = History()
        self.reported: list[Reported] = []
        self._body = body
        self._ear = ear
        self._log = log
        self._bulletin = bulletin
        self._sights = sights
        self._began = began
        self._opener = opener
        self._outputs = tuple(output.name for output in spec.outputs if output.close_pin is None)
        self._event_at = 0
        self._window: bool | None = None
        self._motor = Direction.STOP
        self._tray: ScreenSide | None = body.tray_at
        self._log_version = -1

    def row(self, message: Message) -> None:
        """One row of the journal, in its order."""
        self._hear()
        self.inside.row(message)
        match message.body:
            case LogBody(what=What.EVENT, value=value):
                at = value.get("at")
                self._event_at = at if isinstance(at, int) else self._event_at
            case IrregularityBody(change=Change.NEW) as told:
                entry = told.read()
                self.reported.append(
                    Reported(
                        at=self._event_at,
                        kinds=tuple(kind.value for kind in entry.kinds),
                        seats=tuple(seat.value for seat in entry.seats),
                        summons=entry.kinds == (Kind.SUMMONS,),
                    )
                )
            case _:
                pass

    def _hear(self) -> None:
        """What was heard at the metal so far; before a row, so that its cause is known."""
        for heard in self._ear.take():
            self.inside.heard(heard)

    def observe(self) -> None:
        """Some time has passed: see what has become, and show it."""
        self._watch()
        self._hear()
        self._show_inside()
        for side in ScreenSide:
            self._sights.show(sight_of(side, self._body, self._opener, self._outputs))
        self._show_log()
        self._show_table()

    def _show_inside(self) -> None:
        new = self.inside.take_new()
        if new:
            self._bulletin.tell(new)
            self._bulletin.latest = self.inside.latest(LATEST_INSIDE)
            self._bulletin.levels = dict(self.inside.levels)

    def _show_log(self) -> None:
        if self._log.version != self._log_version:
            self._log_version = self._log.version
            self._bulletin.log = tuple(
                LogLine(number=n, ms=(deed.at - self._began) // MS, text=deed.text)
                for n, deed in enumerate(self._log.deeds, start=1)
            )

    def _show_table(self) -> None:
        frame = table_frame(self._body, self._outputs, max((self._body.now - self._began) // MS, 0))
        before = self._bulletin.table
        if before is None or frame.model_copy(update={"ms": before.ms}) != before:
            self._bulletin.table = frame
            moment = Moment(
                table=frame, inside=self.inside.last, log=len(self._log.deeds), phase=self.inside.phase
            )
            self.history.add(moment)

    def _watch(self) -> None:
        """The tray arrives, or the motor brings the window to its end: a rerun waits for the same.

        A hand that moves the window needs no waiting for: its deed is over when it lets go.
        """
        body = self._body
        if body.tray_at is not self._tray:
            self._tray = body.tray_at
            if body.tray_at is not None:
                self._log.arrived(body.tray_at, body.now)
        open_ = True if body.window_open else False if body.window_closed else None
        if open_ is not self._window:
            before, self._window = self._window, open_
            by_motor = (Direction.OPEN if open_ else Direction.CLOSE) in (self._motor, body.motor)
            if open_ is not None and before is None and by_motor and self._log.deeds:
                self._log.saw("window open" if open_ else "window closed", body.now)
        self._motor = body.motor
