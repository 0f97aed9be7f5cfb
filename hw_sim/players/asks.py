"""What a player's script asks of time: let some pass, or wait until something can be seen.

Scripts are generators of asks; who runs them knows the clock, virtual or real. Must never wait for what a
person could not see, and never without an end: a wait that ends in vain names the joint that is broken.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

from hw_sim.refusals import Refusing, Said
from hw_sim.table.changes import MS, SECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """A person takes `human` ns, divided by the speed of the demonstration, and at the least `least` ns.

    `least` is what the hardware needs to tell two deeds apart, or a regulation's own seconds: no speed
    shortens it.
    """

    human: int
    least: int = 80 * MS


@dataclass(frozen=True, slots=True, kw_only=True)
class Until:
    """Wait until `seen()`; if that does not come within `within` ns of real time, `complaint` is raised."""

    seen: Callable[[], bool]
    within: int
    complaint: str | Said


Ask = Pause | Until
Script = Generator[Ask, None, None]


class Complaint(Refusing, RuntimeError):
    """The players waited in vain: one sentence, what did not happen and which joint is likely broken."""

    @classmethod
    def of(cls, ask: Until) -> Complaint:
        """That this did not come."""
        said = ask.complaint
        return cls(said) if isinstance(said, str) else cls(said.text, said.why, **said.params)


def pause(seconds: float, least: int = 80 * MS) -> Pause:
    """A pause of so many human seconds."""
    return Pause(human=round(seconds * SECOND), least=least)
