"""What the simulator may do to a table's wires, whichever way they go into the controller.

`SimulatedDevice` (a microcontroller on a pseudo-terminal) and `SimulatedPins` (direct GPIO over a socket)
both are this. Nothing here tells the controller anything but by a level or a reader's text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from firmware_bridge.readings import Direction
from firmware_bridge.rig import OutputKind, OutputSpec

OnOutput = Callable[[str, bool, int], None]
OnMotor = Callable[[str, Direction, int], None]


class Wires(Protocol):
    """One table's wires. Times are host monotonic nanoseconds."""

    def start(self) -> None: ...

    def close(self) -> None: ...

    def set_input(self, signal: str, active: bool) -> None:
        """Work an input. KeyError for a signal that is not there."""

    def hide_input(self, signal: str, active: bool) -> None:
        """Change a level so that no edge is seen, if this way in has edges that can be lost."""

    def wave(self, signal: str, levels: Sequence[tuple[float, bool]]) -> None:
        """Levels at so many ms from now, at their true times however late this machine is.

        Whoever works the input meanwhile ends it.
        """

    def set_token(self, signal: str, text: str) -> None:
        """Put a text on a reader, or take it away with ''."""

    def outputs(self) -> dict[str, bool]:
        """Every lamp and latch: is it away from its safe level?"""

    def motor(self, name: str) -> Direction:
        """Which way a motor is driven now."""


def state_of(output: OutputSpec, level_of: Callable[[int], int | None]) -> bool | Direction:
    """What an output's pins say: on or off; for a motor which way."""
    away = 1 - int(output.safe_level)
    first = level_of(output.pin) == away
    if output.kind is not OutputKind.MOTOR or output.close_pin is None:
        return first
    if first:
        return Direction.OPEN
    return Direction.CLOSE if level_of(output.close_pin) == away else Direction.STOP


def rest_of(output: OutputSpec) -> bool | Direction:
    """The same, when nothing is driven."""
    return Direction.STOP if output.kind is OutputKind.MOTOR else False
