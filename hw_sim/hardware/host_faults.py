"""What may be done to a controller's process from outside: stop it, want its port, move its clock.

Signals and processes only; it must never reach into the controller's memory.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Sequence

from hw_sim.misdeeds.hardware import NotHere
from hw_sim.refusals import Why

REFUSAL_S = 20.0


class ControllerProcess:
    """The `Host` of the hardware misdeeds. `second`: the command that starts another one on the same wires.

    `step_wall(seconds)` moves the clock the process reads; who starts it knows how, or leaves it out.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes] | subprocess.Popen[str],
        second: Sequence[str],
        step_wall: Callable[[float], None] | None = None,
    ) -> None:
        self._process = process
        self._second = list(second)
        self._step_wall = step_wall

    def stall(self, on: bool) -> None:
        """Stop it, or let it go on. A process that has ended is left alone."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGSTOP if on else signal.SIGCONT)

    def second_opener(self) -> str:
        """The last line that the second controller says; it is ended if it did not refuse by itself."""
        try:
            done = subprocess.run(
                self._second, capture_output=True, text=True, timeout=REFUSAL_S, check=False
            )
        except subprocess.TimeoutExpired:
            return "the second controller was not refused"
        lines = (done.stdout + done.stderr).strip().splitlines()
        return lines[-1] if lines else ""

    def step_wall(self, seconds: float) -> None:
        """Move its wall clock. Raises `NotHere` where nobody said how."""
        if self._step_wall is None:
            raise NotHere(
                "wall-step needs a clock that can be moved, which this run has not",
                Why.MISDEED_NEEDS,
                misdeed="wall-step",
                needs="clock",
            )
        self._step_wall(seconds)
