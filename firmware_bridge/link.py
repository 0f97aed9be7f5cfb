"""The host's end of the wire: bytes and time in, bytes, readings and deadlines out.

Pure: no port, no thread, no clock; `serial_rig` is around it. It must never raise on what arrives, and never
be silent about a loss. Life of a link: opened -> greeting -> configuring -> running; silence leads back to
greeting.
"""

from __future__ import annotations

from enum import StrEnum
from random import Random
from typing import assert_never

from firmware_bridge.clock import ClockFit
from firmware_bridge.commands import Commands
from firmware_bridge.configuration import configuration_of
from firmware_bridge.firmware import frames
from firmware_bridge.greeting import NO_SUCH_PIN, Acquaintance, Hellos, cause_of, device_info, refusal_of
from firmware_bridge.intake import Intake
from firmware_bridge.link_counts import LinkCounts
from firmware_bridge.pings import Pings
from firmware_bridge.readings import (
    DeviceInfo,
    DeviceRestarted,
    LinkDown,
    LinkUp,
    Reading,
    ResetCause,
)
from firmware_bridge.rig import Command, LinkState, RigSpec
from firmware_bridge.wire import (
    Ack,
    CommandFrame,
    ConfigCommit,
    ConfigInput,
    ConfigOutput,
    EventFrame,
    Frame,
    Hello,
    Log,
    Ping,
    Pong,
    Result,
    SnapshotAsk,
    SnapshotFrame,
    TokenFrame,
    Welcome,
    decode,
    encode,
)

MS = 1_000_000
HELLO_NS = 250 * MS
PATIENT_HELLO_NS = 1000 * MS
CONFIG_NS = 300 * MS
NAK_NS = 20 * MS
SNAPSHOT_NS, SNAPSHOT_MOST_NS = 200 * MS, 2000 * MS
DEGRADED_NS = 750 * MS
REGREET_NS = 1000 * MS
LOST_NS = 2000 * MS
STALL_NS = 500 * MS
"""Twice as long as `deadline` lets a caller wait."""
REOPEN_NS = 5000 * MS


class Phase(StrEnum):
    """Where the host is with the device."""

    CLOSED = "closed"
    GREETING = "greeting"
    CONFIGURING = "configuring"
    RUNNING = "running"


class HostLink:
    """One device's link. `seed` only makes nonces and the first session differ.

    `byte_ns`: how long a byte takes on a UART, so that a long answer is not taken for a late one; 0 on USB.
    """

    def __init__(self, spec: RigSpec, *, seed: int, byte_ns: int = 0) -> None:
        self.pings = Pings(byte_ns)
        self._spec = spec
        self._config = configuration_of(spec)
        self._random = Random(seed)
        self._reader = frames.FrameReader()
        self._clock = ClockFit()
        self.intake = Intake(spec)
        self.commands = Commands(spec)
        self.counts = LinkCounts()
        self.device: DeviceInfo | None = None
        self.log_lines: list[str] = []
        self._phase = Phase.CLOSED
        self._hellos = Hellos(self._random)
        self._known = Acquaintance()
        self._told_down = False
        self._told_up = False
        self._restarted: ResetCause | None = None
        self._heard_at = 0
        self._awake_at = 0
        self._greet_at = 0
        self._config_at = 0
        self._commits: set[int] = set()
        self._nak_at = 0
        self._snapshot_at = 0
        self._snapshot_wait = SNAPSHOT_NS
        self._tag = 0
        self._out = bytearray()
        self._readings: list[Reading] = []

    # -- from the port

    def opened(self, now: int) -> None:
        """The port is open; noise may come first."""
        self._reader.reset()
        self._out.clear()
        self._heard_at = self._awake_at = now
        self._begin_greeting(now)

    def closed(self, now: int, why: str) -> None:
        """The port is gone, for whatever reason: one `LinkDown` until the next `LinkUp`."""
        self._phase = Phase.CLOSED
        self._out.clear()
        self._lost(now, why)

    def received(self, data: bytes, now: int) -> None:
        """Bytes from the device, in any portions."""
        self._excuse(now)
        for code, session, body in self._reader.feed(data):
            self._take(decode(code, body), session, now)
        self.counts.take_reader(self._reader)
        self._collect(now)

    def wake(self, now: int) -> None:
        """Do what is due."""
        self._excuse(now)
        if self._phase is Phase.CLOSED:
            return
        silent = now - self._heard_at
        if silent >= LOST_NS and self._phase is not Phase.GREETING:
            self._lost(now, f"nothing heard for {silent / 1e9:.1f} s")
            self._begin_greeting(now)
        match self._phase:
            case Phase.GREETING:
                if now >= self._greet_at:
                    self._hello(now)
            case Phase.CONFIGURING:
                if now >= self._config_at:
                    self._configure(now)
            case Phase.RUNNING:
                self._run(now)
            case _:
                assert_never(self._phase)
        self._collect(now)

    def command(self, command: Command, now: int) -> None:
        """An order from above. Raises `RigConfigError` for an output that does not exist."""
        self.commands.check(command)
        self.commands.add(command, now)
        self.wake(now)

    def deadline(self) -> int | None:
        """When `wake` is next due; None: never."""
        match self._phase:
            case Phase.CLOSED:
                return None
            case Phase.GREETING:
                return self._greet_at
            case Phase.CONFIGURING:
                return min(self._config_at, self._heard_at + LOST_NS)
            case Phase.RUNNING:
                due = [self.pings.due_at, self._heard_at + LOST_NS]
                command = self.commands.deadline()
                if command is not None:
                    due.append(command)
                if self.intake.snapshot_wanted:
                    due.append(self._snapshot_at)
                if self.intake.nak_due:
                    due.append(self._nak_at)
                return min(due)
            case _:
                assert_never(self._phase)

    def wants_reopen(self, now: int) -> bool:
        """Whether the silence is so long that the port itself is in doubt."""
        return self._phase is not Phase.CLOSED and now - self._heard_at >= REOPEN_NS

    def take_bytes(self) -> bytes:
        """What is to be sent."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def take_readings(self) -> list[Reading]:
        """What is to be told, in order."""
        out, self._readings = self._readings, []
        return out

    def state(self, now: int) -> LinkState:
        """How well the device is heard."""
        if self._phase is not Phase.RUNNING:
            return LinkState.DOWN if self._phase is Phase.CLOSED else LinkState.OPENING
        return LinkState.DEGRADED if now - self._heard_at >= DEGRADED_NS else LinkState.UP

    @property
    def clock(self) -> ClockFit:
        """The fit of this boot of the device."""
        return self._clock

    # -- sending

    def _send(self, frame: Frame) -> None:
        self._out += encode(frame, self._hellos.session)

    def _begin_greeting(self, now: int) -> None:
        self._phase = Phase.GREETING
        self._greet_at = now
        self.commands.link_down(now)

    def _hello(self, now: int) -> None:
        self._greet_at = now + HELLO_NS
        self.counts.greetings += 1
        self._send(self._hellos.next())

    def _configure(self, now: int) -> None:
        self._config_at = now + CONFIG_NS
        for wire in self._config.inputs:
            self._send(wire)
        for output in self._config.outputs:
            self._send(output)
        number = self._random.randrange(1 << 16)
        self._commits.add(number)
        self._send(
            ConfigCommit(
                number=number,
                inputs=len(self._config.inputs),
                outputs=len(self._config.outputs),
                crc=self._config.crc,
            )
        )

    def _run(self, now: int) -> None:
        intake = self.intake
        ping_due = now >= self.pings.due_at
        # An ACK may have been lost, and with the first of a session all events: one goes with each ping.
        intake.ack_due = intake.ack_due or ping_due
        if intake.nak_due and now >= self._nak_at and intake.wanted is not None:
            self._nak_at = now + NAK_NS
            intake.nak_due = intake.ack_due = False
            self.counts.naks += 1
            self._send(Ack(next_event=intake.wanted, nak=1, dropped=intake.dropped))
        elif intake.ack_due and intake.wanted is not None:
            intake.ack_due = False
            self._send(Ack(next_event=intake.wanted, dropped=intake.dropped))
        if ping_due:
            self._ping(now)
        if not intake.snapshot_wanted:
            self._snapshot_wait = SNAPSHOT_NS
        elif now >= self._snapshot_at:
            # Only the latest is taken, so a slow device is given longer each time.
            self._snapshot_at = now + self._snapshot_wait
            self._snapshot_wait = min(2 * self._snapshot_wait, SNAPSHOT_MOST_NS)
            self._tag = self._tag % 255 + 1
            self._send(SnapshotAsk(tag=self._tag))
        for frame in self.commands.poll(now):
            self._send(frame)

    def _ping(self, now: int) -> None:
        self.pings.schedule(now)
        self.counts.pings += 1
        if now - self._heard_at >= REGREET_NS:
            # Perhaps it has restarted and knows no session: greet without giving up the link yet.
            self._hello(now)
            return
        self._send(self.pings.next())
        self.pings.sent(now, len(self._out))

    # -- receiving

    def _take(self, frame: Frame, session: int, now: int) -> None:
        if session != self._hellos.session:
            self.counts.stale_frames += 1
            if isinstance(frame, Welcome) and self._hellos.answers(frame, session):
                # It lives and is only slow: another HELLO now would make its next answer stale too.
                self._heard_at = now
                self._greet_at = max(self._greet_at, now + PATIENT_HELLO_NS)
            return
        if isinstance(frame, Welcome):
            if self._hellos.answers(frame, session):
                self._heard_at = now
                self._welcome(frame, now)
            return
        if self._phase is Phase.GREETING:
            self.counts.stale_frames += 1
            return
        self._heard_at = now
        match frame:
            case EventFrame():
                self.intake.event(frame, now)
            case TokenFrame():
                self.intake.token(frame, now)
            case SnapshotFrame():
                self.intake.snapshot(frame, self._tag, now)
            case Pong():
                self._pong(frame, now)
            case Result():
                self._result(frame, now)
            case Log():
                self.log_lines = [*self.log_lines[-49:], frame.text.decode("ascii", "replace")]
            case Hello() | ConfigInput() | ConfigOutput() | ConfigCommit() | Ack() | SnapshotAsk() | Ping():
                self.counts.stale_frames += 1
            case CommandFrame():
                self.counts.stale_frames += 1
            case _:
                assert_never(frame)

    def _welcome(self, frame: Welcome, now: int) -> None:
        why = refusal_of(frame, self._spec)
        if why:
            self._refuse(why, now)
            return
        again = self._known.is_same(frame, now)
        if not again:
            self._clock = ClockFit()
            self.counts.device_restarted()
            if self._known.boot is not None:
                self._restarted = cause_of(frame)
                if self._told_up:
                    self._lost(now, "the device restarted")
        self._known.meet(frame, now)
        self._hellos.answered()
        self.device = device_info(frame)
        self.intake.resume(clock=self._clock, next_event=frame.next_event, restarted=not again, now=now)
        if frame.config_crc == self._config.crc:
            self._running(now)
        else:
            self._phase = Phase.CONFIGURING
            self._commits.clear()
            self._configure(now)

    def _refuse(self, why: str, now: int) -> None:
        """This device cannot serve; ask again now and then, for another may be plugged in."""
        self._lost(now, why)
        self._phase = Phase.GREETING
        self._greet_at = now + LOST_NS

    def _result(self, frame: Result, now: int) -> None:
        if self._phase is Phase.RUNNING:
            self.commands.result(frame, now)
        elif frame.number in self._commits:
            if frame.status == frames.OK:
                self._running(now)
            elif frame.status == frames.NO_SUCH_PIN:
                self._refuse(NO_SUCH_PIN, now)
            else:
                # Some rows were lost on the way; the device keeps those that came.
                self._configure(now)

    def _running(self, now: int) -> None:
        self._phase = Phase.RUNNING
        self.pings.begin(now)
        self._snapshot_at = now
        self.commands.link_up()
        if not self._told_up and self.device is not None:
            self._told_up, self._told_down = True, False
            self._readings.append(LinkUp(at=now, device=self.device))
        if self._restarted is not None:
            self._readings.append(DeviceRestarted(at=now, cause=self._restarted))
            self.commands.device_restarted(now)
            self._restarted = None
        self._run(now)

    def _pong(self, frame: Pong, now: int) -> None:
        self.counts.take_pong(frame)
        self.pings.answered(frame, now, self._clock)
        if self._phase is Phase.RUNNING:
            self.intake.pong(frame, now)

    def _excuse(self, now: int) -> None:
        """A time in which this program itself stood still was not listened to, and is no silence."""
        stood = now - self._awake_at
        self._awake_at = now
        if stood >= STALL_NS and self._phase in (Phase.CONFIGURING, Phase.RUNNING):
            self._heard_at += stood

    def _lost(self, now: int, why: str) -> None:
        self.commands.link_down(now)
        if not self._told_down:
            self._told_down, self._told_up = True, False
            self._readings.append(LinkDown(at=now, why=why))

    def _collect(self, now: int) -> None:
        if self._phase is Phase.RUNNING:
            self._run(now)
        self._readings += self.intake.take_readings(now)
        for ended in self.intake.ended:
            self.commands.note_end(ended)
        self.intake.ended.clear()
        self._readings += self.commands.take_readings()
