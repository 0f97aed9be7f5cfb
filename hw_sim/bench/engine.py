"""The bench: programs, one table after another, and a thread that works them all.

Whatever is asked comes in as a deed for that thread and is answered by a future. Must never be worked by two
threads, nor answer before a deed is done.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from hw_sim.bench.bulletin import Bulletin, Sights
from hw_sim.bench.choices import Library
from hw_sim.bench.contract import FaceName, NearDeed, PlugOrder
from hw_sim.bench.furnish import Order, bare_table
from hw_sim.bench.near import check_near
from hw_sim.bench.programs import Programs
from hw_sim.bench.session import Session
from hw_sim.bench.showing import session_frame
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.processes.broker import BrokerKind
from hw_sim.processes.joints import Joint, JointBroken
from hw_sim.refusals import Said, Why
from hw_sim.scenario.parse import deed_of
from hw_sim.table.site import Way
from hw_sim.table.wiring import TableKind

log = logging.getLogger(__name__)
T = TypeVar("T")
SHOW_EVERY = 5
"""So many turns between two looks at what is going on."""
CLOSES_WITHIN_S = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchOptions:
    """`console` False: without the director's console."""

    library: Library
    kind: TableKind = TableKind.FULL
    way: Way = Way.WIRE
    regulations: str = "ccba-2006"
    console: bool = True
    broker: BrokerKind = BrokerKind.AUTO
    lang: str = "en"


class Bench:
    """Use as a context: entering starts everything and returns when the first table stands."""

    def __init__(self, options: BenchOptions, directory: Path) -> None:
        self.options = options
        self.library = options.library
        self.bulletin = Bulletin()
        self.sights = Sights()
        self.scripted_director = True
        self.speed = 1.0
        self._directory = directory
        self._hub = DeviceHub()
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._started: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="bench", daemon=True)
        self._programs: Programs | None = None
        self._session: Session | None = None
        self._numbers = 0
        self._broken: Said | None = None

    def __enter__(self) -> Bench:
        self._thread.start()
        self._started.result()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End everything. May be called twice."""
        self._closing.set()
        self._orders.put(lambda: None)
        if self._thread.is_alive():
            self._thread.join(CLOSES_WITHIN_S)

    # --- from other threads

    def ask(self, deed: Callable[[], T]) -> Future[T]:
        """Do it in the bench's thread; its answer, or what it raised."""
        future: Future[T] = Future()

        def do() -> None:
            try:
                future.set_result(deed())
            except Exception as problem:
                future.set_exception(problem)

        self._orders.put(do)
        return future

    def deed(self, line: str) -> Future[None]:
        """A deed by hand. Raises NotUnderstood at once; the future is done when the deed is."""
        deed = deed_of(line)
        future: Future[None] = Future()

        def ended(problem: Exception | None) -> None:
            if problem is None:
                future.set_result(None)
            else:
                future.set_exception(problem)

        def begin() -> None:
            try:
                self.session.do(line, deed, ended)
            except Exception as problem:
                ended(problem)

        self._orders.put(begin)
        return future

    def near_deed(self, face: FaceName, order: NearDeed) -> None:
        """A deed from a half view. What this face cannot see itself is not told: nothing is waited for.

        Raises NotUnderstood, NotFromHere; both by what is said and what is seen here alone.
        """
        deed = deed_of(order.line)
        sight = self.sights.sight(face)
        if sight is None:
            return
        check_near(deed, face, sight)

        def begin() -> None:
            self.session.do(order.line, deed, lambda problem: None)

        self._orders.put(begin)

    # --- in the bench's thread

    @property
    def session(self) -> Session:
        """The table that stands."""
        if self._session is None:
            what = "no table stands yet" if self._broken is None else self._broken.text
            raise JointBroken(Joint.CONTROLLER, what, why=Why.NO_TABLE_STANDS)
        return self._session

    @property
    def programs(self) -> Programs:
        assert self._programs is not None
        return self._programs

    def furnish(self, order: Order) -> Session:
        """A new table in the place of the one that stands. Raises JointBroken, UnknownRegulations."""
        from hw_sim.core_runner import customs_of

        customs_of(order.scenario.regulations, order.scenario.supplements)  # refuse before anything ends
        before, self._session = self._session, None
        if before is not None:
            before.close()
        self._numbers += 1
        programs = self.programs
        assert programs.desk is not None
        session = Session(
            self._numbers,
            order,
            programs.place,
            self._hub,
            programs.desk,
            self.bulletin,
            self.sights,
            console=lambda: programs.console_in or bool(programs.address),
            listens=lambda: programs.broker_in,
        )
        self._session = session
        self._broken = None
        session.director.scripted = self.scripted_director
        session.speed(self.speed)
        self.show()
        try:
            session.begin()
        except JointBroken as broken:
            self._broken = broken.said
            raise
        finally:
            self.show()
        return session

    def plug(self, order: PlugOrder) -> None:
        """Pull or put back one plug. Raises JointBroken, CannotBePlayed."""
        session, programs = self.session, self.programs
        was = {
            "cable": session.table.cable_in,
            "controller": session.table.running,
            "broker": programs.broker_in,
            "console": programs.console_in,
        }[order.what]
        if was is order.plugged and order.what != "cable":
            return
        match order.what:
            case "cable":
                session.table.levers.cable(order.plugged)
            case "controller":
                levers = session.table.levers
                (levers.come_back if order.plugged else levers.die)()
            case "broker":
                (programs.plug_broker if order.plugged else programs.pull_broker)()
                self._remark(order)
            case "console":
                (programs.plug_console if order.plugged else programs.pull_console)()
                self._remark(order)
        self.show()

    def _remark(self, order: PlugOrder) -> None:
        """No line of a scenario says this; it is kept as a remark."""
        done = len(self.session.log.deeds)
        what = "was put back" if order.plugged else "was pulled"
        self.session.remarks.append(f"The {order.what} {what} after {done} deeds; no scenario has that.")

    def show(self) -> None:
        """Let everybody see what is going on."""
        session = self._session
        if session is None:
            return
        frame = session_frame(
            session, self.programs, scripted=self.scripted_director, speed=self.speed, broken=self._broken
        )
        if frame != self.bulletin.session:
            self.bulletin.session = frame

    # --- the thread

    def _run(self) -> None:
        try:
            self._start()
        except BaseException as problem:
            self._end()
            self._started.set_exception(problem)
            return
        self._started.set_result(None)
        try:
            self._go_on()
        finally:
            self._end()

    def _start(self) -> None:
        options = self.options
        self._hub.start()
        self._programs = Programs(
            self._directory, options.broker, console_wanted=options.console, lang=options.lang
        )
        self._programs.start()
        self.furnish(Order(scenario=bare_table(options.kind, options.regulations), way=options.way))

    def _go_on(self) -> None:
        turns = 0
        while not self._closing.is_set():
            while not self._orders.empty():
                self._orders.get()()
            if self._session is None or not self._session.ready:
                self._orders.get()()  # nothing stands here; somebody has to order a table
                continue
            self._turn(self._session)
            turns += 1
            if turns % SHOW_EVERY == 0:
                self.show()

    def _turn(self, session: Session) -> None:
        """An error of ours ends this table, never the bench: somebody orders another."""
        try:
            session.turn()
        except Exception as error:
            log.exception("our error at table %s", session.number)
            self._broken = Said.because(
                f"an error of the bench ended this table ({type(error).__name__}); set up another",
                Why.OUR_ERROR_AT_TABLE,
                name=type(error).__name__,
            )
            self.show()
            session.ready = False

    def _end(self) -> None:
        if self._session is not None:
            self._session.close()
        if self._programs is not None:
            self._programs.close()
        self._hub.close()
