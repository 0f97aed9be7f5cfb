"""What a device's WELCOME says: who it is, whether it has restarted, whether it can serve this table.

Pure. It must never let a device through whose protocol or size does not fit; the reason is one sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from firmware_bridge.configuration import refuse_if_too_large
from firmware_bridge.errors import RigConfigError
from firmware_bridge.firmware import frames
from firmware_bridge.readings import DeviceInfo, ResetCause
from firmware_bridge.rig import RigSpec
from firmware_bridge.wire import Hello, Welcome

MS = 1_000_000
UPTIME_SLACK_MS = 1000
NO_SUCH_PIN = (
    "the device has not all the pins of the table's configuration; correct the pins, or flash its firmware "
    "with the shift-register chain it has"
)
CAUSES = {
    frames.RESET_POWER_ON: ResetCause.POWER_ON,
    frames.RESET_WATCHDOG: ResetCause.WATCHDOG,
    frames.RESET_BROWN_OUT: ResetCause.BROWN_OUT,
    frames.RESET_PIN: ResetCause.RESET_PIN,
    frames.RESET_SOFT: ResetCause.SOFT,
}


class Hellos:
    """The HELLOs of a host: a session and a nonce of its own each."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._asked: dict[int, int] = {}
        self.session = random.randrange(1, 256)

    def next(self) -> Hello:
        """Another one, in a session of its own."""
        self.session = self.session % 255 + 1
        self._asked[self.session] = self._random.randrange(1 << 16)
        return Hello(nonce=self._asked[self.session])

    def answers(self, frame: Welcome, session: int) -> bool:
        """Whether it answers one of ours since the last that was answered; the latest, if of our session."""
        return self._asked.get(session) == frame.nonce

    def answered(self) -> None:
        """The latest was answered; an answer to it or to any before is no news from now on."""
        self._asked = {self.session: self._asked[self.session]} if self.session in self._asked else {}


@dataclass(slots=True)
class Acquaintance:
    """The boot we know. Two may draw the same number; then the uptime, which went back, gives it away."""

    boot: tuple[bytes, int] | None = None
    uptime_ms: int = 0
    met_at: int = 0

    def is_same(self, frame: Welcome, now: int) -> bool:
        """Whether this is the boot we met before."""
        expected_ms = self.uptime_ms + (now - self.met_at) // MS
        return (
            self.boot == (frame.uid, frame.boot_id)
            and frame.uptime_ms + UPTIME_SLACK_MS > expected_ms * 98 // 100
        )

    def meet(self, frame: Welcome, now: int) -> None:
        """Remember it."""
        self.boot = (frame.uid, frame.boot_id)
        self.uptime_ms = frame.uptime_ms
        self.met_at = now


def cause_of(frame: Welcome) -> ResetCause:
    """Why the device started."""
    return CAUSES.get(frame.reset_cause, ResetCause.UNKNOWN)


def refusal_of(frame: Welcome, spec: RigSpec) -> str:
    """Why this device cannot serve these wires, in one sentence; empty when it can."""
    if frame.major != frames.MAJOR:
        return (
            f"the device speaks protocol {frame.major}.{frame.minor}, this controller {frames.MAJOR}.x; "
            "flash the firmware that came with the controller"
        )
    try:
        refuse_if_too_large(spec, inputs=frame.inputs, outputs=frame.outputs, tokens=frame.tokens)
    except RigConfigError as error:
        return str(error)
    return ""


def device_info(frame: Welcome) -> DeviceInfo:
    """The same for people."""
    interpreter = frame.interpreter.rstrip(b"\0").decode("ascii", "replace")
    version = f"{frame.interpreter_major}.{frame.interpreter_minor}.{frame.interpreter_patch}"
    return DeviceInfo(
        uid=frame.uid.hex(),
        boot_id=f"{frame.boot_id:04x}",
        reset_cause=cause_of(frame),
        firmware=frame.firmware.rstrip(b"\0").decode("ascii", "replace"),
        version=f"{frame.version_major}.{frame.version_minor}.{frame.version_patch}",
        firmware_hash=f"{frame.firmware_hash:08x}",
        interpreter=f"{interpreter} {version}",
        protocol=f"{frame.major}.{frame.minor}",
    )
