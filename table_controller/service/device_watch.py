"""Says in the log whether anything answers at the wires: once when it is missed, once when it is found.

The core and the director hear of a lost link by themselves; this is for the person who starts a table and
looks at its terminal. Must never repeat itself while nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.readings import LinkDown, LinkUp, Reading

PATIENCE_NS = 3_000_000_000
"""A device that is there has greeted by then."""


class DeviceWatch:
    """`where`: what the person calls the place, as a port's path; `now`: when the wires were started, ns."""

    def __init__(self, where: str, now: int) -> None:
        self._where = where
        self._began = now
        self._met = False
        self._missed = False

    def look(self, readings: Iterable[Reading], now: int) -> list[str]:
        """What is to be said after these readings, one sentence each."""
        said: list[str] = []
        for reading in readings:
            match reading:
                case LinkUp(device=device):
                    again = self._missed or not self._met
                    self._met, self._missed = True, False
                    if again:
                        said.append(f"{device.uid} answers at {self._where}: the table sees its wires")
                case LinkDown(why=why):
                    said += self._miss(why)
                case _:
                    pass
        if not self._met and now - self._began >= PATIENCE_NS:
            said += self._miss("nothing has answered")
        return said

    def _miss(self, why: str) -> list[str]:
        if self._missed:
            return []
        self._missed = True
        if self._met:
            return [f"the device at {self._where} is gone; trying again ({why})"]
        return [f"no microcontroller at {self._where} yet; trying again ({why})"]
