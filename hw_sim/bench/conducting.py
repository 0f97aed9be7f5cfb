"""What the page may order of the bench beside deeds: tables, players, scenarios, time, misdeeds.

All of it in the bench's thread. Must never end what stands before it is sure that the new can stand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from hw_sim.bench import contract as c
from hw_sim.bench.choices import NoSuch
from hw_sim.bench.engine import Bench
from hw_sim.bench.furnish import Order, bare_table
from hw_sim.bench.record_script import NoPlace, RecordPlay
from hw_sim.bench.scenario_script import ScenarioPlay
from hw_sim.bench.session import Session
from hw_sim.misdeeds.hardware import HARDWARE_MISDEEDS
from hw_sim.misdeeds.order import read_order
from hw_sim.misdeeds.plan import MISDEEDS, places_of
from hw_sim.players.customs import STYLES
from hw_sim.players.script import BoardScript
from hw_sim.refusals import Refusing, Why
from hw_sim.scenario.errors import CannotBePlayed, ScenarioError
from hw_sim.scenario.model import Scenario
from hw_sim.scenario.parse import parse_scenario
from hw_sim.table.changes import MS
from hw_sim.table.site import Way
from hw_sim.table.wiring import TableKind

UPLOADED = Path("uploaded.scn")
Again = Callable[["Conductor"], None]


class NotANumber(Refusing, ValueError):
    """An option that counts from 1 is something else."""


class Conductor:
    """Every method is a deed for the bench's thread; each raises what makes it impossible."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._again: Again | None = None
        """How what plays began, so that it can be begun anew."""

    def control(self, order: c.Control) -> None:
        bench, session = self._bench, self._bench.session
        pace = session.stage.pace
        match order:
            case c.DoSetup():
                self._set_up(order)
            case c.DoPlayRecord():
                self._record(order)
            case c.DoPlayScenario(scenario=name, pace=divisor):
                self._scenario(bench.library.scenario(name), divisor, "scenario", None)
            case c.DoPlayLesson():
                self._lesson(order)
            case c.DoPlay():
                pace.paused, pace.step_to = False, None
            case c.DoPause():
                pace.paused, pace.step_to, pace.hurry_to = True, None, 0
            case c.DoStep():
                if not session.stage.playing:
                    raise CannotBePlayed(
                        "nobody plays by himself; choose a record, a scenario or a lesson", Why.NOBODY_PLAYS
                    )
                pace.paused = True
                pace.step()
            case c.DoStop():
                session.stop()
                self._again = None
            case c.DoSpeed(speed=speed):
                bench.speed = speed
                session.speed(speed)
            case c.DoStyle(style=style):
                self._style(style)
            case c.DoBack(ms=ms):
                self._back(ms)
            case c.DoDirector(who=who):
                bench.scripted_director = session.director.scripted = who == "scripted"
            case _:
                assert_never(order)
        bench.show()

    # --- tables

    def _bare(self, session: Session) -> Order:
        """A table as the one that stands, at which nothing is divided."""
        before = session.order.scenario
        return Order(scenario=bare_table(before.kind, before.regulations), way=session.order.way)

    def _set_up(self, order: c.DoSetup) -> None:
        now = self._bench.session.order
        kind = now.scenario.kind if order.table is None else TableKind(order.table)
        way = now.way if order.rig is None else Way(order.rig)
        profile = order.regulations or now.scenario.regulations
        self._bench.furnish(Order(scenario=bare_table(kind, profile), way=way))
        self._again = None

    def _fresh(self) -> Session:
        """A table at which nothing has happened and nothing is divided."""
        session = self._bench.session
        if session.order.pace <= 1 and not session.log.deeds and session.play is None:
            return session
        return self._bench.furnish(self._bare(session))

    # --- what plays by itself

    def _record(self, order: c.DoPlayRecord) -> None:
        scripts = self._bench.library.record(order.record)
        _known_style(order.style)
        if order.board >= len(scripts):
            raise NoSuch("board", str(order.board), [str(n) for n in range(len(scripts))])
        self._bench.speed = order.speed
        session = self._fresh()
        session.speed(order.speed)
        session.play_record(scripts, order.board, style=order.style, seed=order.seed, once=False)
        session.what, session.lesson = "record", None
        self._again = lambda conductor: conductor._record(order)

    def _lesson(self, order: c.DoPlayLesson) -> None:
        lesson = self._bench.library.lesson(order.lesson)
        if order.play >= len(lesson.scenarios):
            raise NoSuch("play", str(order.play), [str(n) for n in range(len(lesson.scenarios))])
        self._scenario(lesson.scenarios[order.play], order.pace, "lesson", lesson.id)
        self._bench.session.stage.pace.paused = order.paused

    def scenario_text(self, order: c.ScenarioText) -> None:
        """A file's text. Raises ScenarioError."""
        scenario = parse_scenario(order.text, Path(f"{order.name.removesuffix('.scn')}.scn"))
        self._scenario(scenario, order.pace, "scenario", None)
        self._bench.show()

    def _scenario(self, scenario: Scenario, pace: float, what: str, lesson: str | None) -> None:
        if scenario.not_in_full is not None:
            raise CannotBePlayed(
                f"it cannot be played through hardware: {scenario.not_in_full}",
                Why.NOT_IN_FULL,
                text=scenario.not_in_full,
            )
        session = self._bench.furnish(Order(scenario=scenario, way=self._way_for(scenario), pace=pace))
        session.play_scenario(scenario)
        session.what = "lesson" if what == "lesson" else "scenario"
        session.title, session.lesson = scenario.shows, lesson
        self._again = lambda conductor: conductor._scenario(scenario, pace, what, lesson)

    def _way_for(self, scenario: Scenario) -> Way:
        return self._bench.session.order.way

    def _style(self, style: str) -> None:
        _known_style(style)
        play = self._bench.session.play
        if not isinstance(play, RecordPlay):
            raise CannotBePlayed(
                "nobody plays a record here; choose one, and its players' style with it", Why.NO_RECORD_PLAYS
            )
        play.change_style(style)

    # --- back in time

    def _back(self, ms: int) -> None:
        session = self._bench.session
        until = session.began + (ms + 1) * MS - 1  # all of that millisecond
        again, play = self._again, session.play
        if again is not None and not session.mixed and isinstance(play, RecordPlay | ScenarioPlay):
            times = play.times if isinstance(play, ScenarioPlay) else [one.at for one in session.log.deeds]
            count = sum(1 for at in times if at <= until)
            again(self)
            pace = self._bench.session.stage.pace
            pace.hurry_to = count
            pace.paused = not count
            return
        text = session.saved("Again, from the beginning.", until=until, expected=False)
        order = session.order
        try:
            scenario = parse_scenario(text, UPLOADED)
        except ScenarioError:
            scenario = None  # nothing had been done by then
        self._again = None
        fresh = self._bench.furnish(order)
        if scenario is not None:
            fresh.do_again(replace(scenario, supplements=order.scenario.supplements))

    # --- misdeeds

    def misdeed(self, order: c.MisdeedOrder) -> None:
        """Raises NoSuch, NoPlace, and what the hardware's misdeeds raise."""
        if order.name in HARDWARE_MISDEEDS:
            pairs = [f"{key}={value}" for key, value in order.options.items() if value != ""]
            session = self._bench.session
            at = session.table.body.now
            session.table.levers.misdeed(read_order(" ".join([order.name, *pairs])))
            assert at <= session.table.body.now
        elif order.name in MISDEEDS:
            self._of_players(order)
        else:
            raise NoSuch("misdeed", order.name, [*MISDEEDS, *HARDWARE_MISDEEDS])
        self._bench.show()

    def _of_players(self, order: c.MisdeedOrder) -> None:
        for key, value in order.options.items():
            if key not in ("call", "seed"):
                raise NoSuch("option", key, ["call", "seed"])
            if value and (not value.isdecimal() or int(value) < 1):
                raise NotANumber(
                    f"{key} is {value!r}; write a whole number from 1",
                    Why.OPTION_NOT_A_WHOLE_NUMBER,
                    option=key,
                    given=value,
                )
        session = self._bench.session
        if isinstance(session.play, RecordPlay) and not session.ended:
            session.play.ask(order.name, order.options)
            return
        scripts = self._with_a_place(order, session)
        session = self._fresh()
        session.what, session.lesson = "record", None
        session.play_record(scripts, 0, style="steady", seed=1, once=True).ask(order.name, order.options)
        session.speed(self._bench.speed)
        self._again = None

    def _with_a_place(self, order: c.MisdeedOrder, session: Session) -> tuple[BoardScript, ...]:
        call = order.options.get("call") or ""
        for scripts in self._bench.library.records.values():
            found = tuple(
                script
                for script in scripts
                if any(
                    not call or deed.index == int(call) - 1
                    for deed in places_of(order.name, script, session.customs)
                )
            )
            if found:
                return found
        under = session.order.scenario.regulations
        if not call:
            raise NoPlace(
                f"{order.name} cannot be done on any board here under {under}; choose other regulations",
                Why.NO_PLACE,
                misdeed=order.name,
                regulations=under,
            )
        raise NoPlace(
            f"{order.name} cannot be done at call {call} on any board here under {under}; "
            "choose another call, or other regulations",
            Why.NO_PLACE_AT_CALL,
            misdeed=order.name,
            number=call,
            regulations=under,
        )


def _known_style(style: str) -> None:
    if style not in STYLES:
        raise NoSuch("style", style, list(STYLES))
