"""What was done at the bench, by whomever, as lines of the scenario language.

Written at the hands, so that it is the same whoever moved them. Pure: time is an argument. Must never hold
what the controller made of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.laws.seat import ScreenSide, Seat


@dataclass(slots=True, kw_only=True)
class Done:
    """One deed. `at`: when it was begun, ns; `until`: when it was over. `waits`: people only waited."""

    at: int
    until: int
    text: str
    waits: bool = False
    board: bool = False
    """It lays a board without a number on the tray, which only the header of a file can name."""


@dataclass(slots=True)
class _OnItsWay:
    """A push: the deed, who pushed, where to, and whether something was done before it arrived."""

    deed: Done
    seat: Seat
    to: ScreenSide
    alone: bool = True


class DeedLog:
    """Deeds in their order. `version` grows with every change, also of a line that was written before."""

    def __init__(self) -> None:
        self.deeds: list[Done] = []
        self.version = 0
        self._push: _OnItsWay | None = None

    def add(self, text: str, at: int, *, board: bool = False) -> Done:
        """A deed that takes no time of its own."""
        if self._push is not None and self._push.alone:
            self._push.alone = False
            self._push.deed.text = f"{self._push.seat} pushes the tray"
        return self._append(Done(at=at, until=at, text=text, board=board))

    def saw(self, text: str, at: int) -> None:
        """People see that something has come about which a rerun must wait for."""
        self._append(Done(at=at, until=at, text=text, waits=True))

    def pushed(self, seat: Seat, to: ScreenSide, at: int) -> None:
        deed = self.add(f"tray to {to} by {seat}", at)
        self._push = _OnItsWay(deed, seat, to)

    def stopped(self) -> None:
        """The tray that was pushed stays between the faces."""
        if self._push is not None:
            self._push.deed.text = f"tray leaves by {self._push.seat}"
            self._push = None
            self.version += 1

    def moved_on(self, to: ScreenSide, at: int) -> None:
        self.add(f"tray arrives at {to}", at)

    def arrived(self, side: ScreenSide, at: int) -> None:
        """The tray has come to a face."""
        push, self._push = self._push, None
        if push is not None and push.alone:
            push.deed.until = at
            self.version += 1
        elif push is not None:
            self.saw(f"tray has come to {side}", at)
        elif self.deeds and self.deeds[-1].text == f"tray arrives at {side}":
            self.deeds[-1].until = at

    def _append(self, deed: Done) -> Done:
        self.deeds.append(deed)
        self.version += 1
        return deed
