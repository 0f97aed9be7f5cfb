"""Several scripts acted out at one table at once, the one that plays by itself with pause, step and speed.

Pure: time is an argument. Must never hold up a hand: only the script that may be paused is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hw_sim.players.asks import Ask, Complaint, Pause, Script, Until
from hw_sim.players.hands import Impossible
from hw_sim.players.runner import wait_for
from hw_sim.processes.joints import JointBroken
from hw_sim.scenario.errors import CannotBePlayed

Ended = Callable[[Exception | None], None]
OURS = (CannotBePlayed, Complaint, Impossible, JointBroken)
"""What a script may end with that is no error of ours."""


@dataclass(slots=True, kw_only=True)
class _Actor:
    script: Script
    ended: Ended
    ask: Ask | None = None
    until: int = 0
    last: int | None = None


@dataclass(slots=True)
class Pace:
    """How the self-playing script goes. `steps` are counted; up to `hurry_to` of them go without pauses."""

    speed: float = 1.0
    paused: bool = False
    hurry_to: int = 0
    step_to: int | None = None
    steps: Callable[[], int] = field(default=lambda: 0)

    @property
    def hurries(self) -> bool:
        """Whether people take only the time that hardware needs."""
        return self.steps() < self.hurry_to or self.step_to is not None

    def stands(self) -> bool:
        """Whether it is to stand still now; ends a step and a hurry that are over."""
        done = self.steps()
        if self.step_to is not None and done >= self.step_to:
            self.step_to, self.paused = None, True
        if self.hurry_to and done >= self.hurry_to:
            self.hurry_to, self.paused = 0, True
        return self.paused and self.step_to is None and not self.hurry_to

    def step(self) -> None:
        """One more of what is counted, then stand."""
        self.step_to = self.steps() + 1


class Stagehands:
    """`turn(now)` often. `pace` rules the script begun with `play`; those begun with `act` are by hand."""

    def __init__(self) -> None:
        self.pace = Pace()
        self._acting: list[_Actor] = []
        self._playing: _Actor | None = None

    @property
    def playing(self) -> bool:
        """Whether a script plays by itself."""
        return self._playing is not None

    def act(self, script: Script, ended: Ended) -> None:
        """By hand: at once, never paused."""
        self._acting.append(_Actor(script=script, ended=ended))

    def play(self, script: Script, ended: Ended) -> None:
        """By itself, in the place of what played so far."""
        self.stop()
        self._playing = _Actor(script=script, ended=ended)

    def stop(self) -> None:
        """Nothing plays by itself any more."""
        playing, self._playing = self._playing, None
        if playing is not None:
            playing.script.close()

    def turn(self, now: int) -> None:
        """Act out whatever is due."""
        for actor in list(self._acting):
            if self._go_on(actor, now, lambda pause: pause.least + pause.human):
                self._acting.remove(actor)
        playing = self._playing
        if playing is None:
            return
        if self.pace.stands():
            if playing.last is not None:
                playing.until += now - playing.last  # what it waits for waits too
            playing.last = now
            return
        playing.last = now
        if self._go_on(playing, now, self._wait) and self._playing is playing:
            self._playing = None

    def _wait(self, pause: Pause) -> int:
        return pause.least if self.pace.hurries else wait_for(pause, self.pace.speed)

    def _go_on(self, actor: _Actor, now: int, wait: Callable[[Pause], int]) -> bool:
        """True where it has ended."""
        while True:
            problem: Complaint | None = None
            match actor.ask:
                case Pause() if now < actor.until:
                    return False
                case Until(seen=seen) if not seen():
                    if now < actor.until:
                        return False
                    problem = Complaint.of(actor.ask)
                case _:
                    pass
            if self._playing is actor and actor.ask is not None and self.pace.stands():
                return False
            try:
                ask = next(actor.script) if problem is None else actor.script.throw(problem)
            except StopIteration:
                actor.ended(None)
                return True
            except OURS as reason:
                actor.ended(reason)
                return True
            actor.ask = ask
            actor.until = now + (wait(ask) if isinstance(ask, Pause) else ask.within)
