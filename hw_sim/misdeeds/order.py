"""A misdeed of the hardware as it is written: name, options, time and seed, one line for every tool.

`bounce signal=tray.ne ms=20 at=3 seed=7`. A scenario, the demonstration and the bench read this same line.
Must never accept a name or option that `hardware` has not: a misspelt fault is a test that lies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from random import Random

from firmware_bridge.readings import ResetCause
from hw_sim.misdeeds.hardware import (
    HardwareBench,
    UnknownHardwareMisdeed,
    check,
    commit,
    misdeed_called,
    must_have,
)
from hw_sim.refusals import Why

OF_THE_ORDER = ("at", "seed")
LATEST_S = 3_600.0
CHOICES = {"level": ["active", "inactive"], "cause": [str(cause) for cause in ResetCause]}
"""Options that are one of a few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MisdeedOrder:
    """`at`: seconds after it is given; None: whenever the tool likes. `seed` None: the tool's own."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    at: float | None = None
    seed: int | None = None

    def begin(self, bench: HardwareBench, seed: int, *, do: Callable[[Callable[[], None]], None]) -> None:
        """Commit it at its time; `do` runs a later deed in the thread that works the table.

        Raises as `commit`, at once also where it would begin later.
        """

        def now() -> None:
            commit(bench, self.name, seed if self.seed is None else self.seed, **self.options)

        if not self.at:
            now()
            return
        check(bench, self.name, self.options)
        bench.after(self.at * 1_000, lambda: do(now))


def read_order(text: str) -> MisdeedOrder:
    """Raises UnknownHardwareMisdeed with one sentence: which names, options or numbers there are."""
    name, *pairs = text.split()
    misdeed = misdeed_called(name)
    options: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not value or key in options:
            raise UnknownHardwareMisdeed(
                f"{pair!r}: write each option of {name} once, as KEY=VALUE",
                Why.OPTION_MALFORMED,
                text=pair,
                misdeed=name,
            )
        must_have(misdeed, key, OF_THE_ORDER)
        options[key] = value
    at, seed = options.pop("at", None), options.pop("seed", None)
    for key, value in options.items():
        _check_value(key, value, misdeed.options[key])
    return MisdeedOrder(
        name=name,
        options=options,
        at=None if at is None else _number("at", at),
        seed=None if seed is None else round(_number("seed", seed)),
    )


def _check_value(key: str, given: str, by_itself: str) -> None:
    """What can be said of a value before there is a table: a number, or one of a few words."""
    known = CHOICES.get(key)
    if known is not None and given not in known:
        raise UnknownHardwareMisdeed(
            f"{key} is {given!r}, choose one of {', '.join(known)}",
            Why.OPTION_NOT_ONE_OF,
            option=key,
            given=given,
            known=known,
        )
    if _finite(by_itself) and not _finite(given):
        raise UnknownHardwareMisdeed(
            f"{key} is {given!r}, expected a number", Why.OPTION_NOT_A_NUMBER, option=key, given=given
        )


def _finite(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


def some_time(random: Random, within_s: float) -> float:
    """A moment for an order without one, in seconds."""
    return random.uniform(0.0, within_s)


def _number(key: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= LATEST_S:
        raise UnknownHardwareMisdeed(
            f"{f'{key}={text}'!r}: expected a number from 0 to {LATEST_S:.0f}",
            Why.OPTION_OUT_OF_RANGE,
            option=key,
            given=text,
            most=round(LATEST_S),
        )
    return value
