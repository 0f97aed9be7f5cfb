"""What a simulated wire or reader does, with the true time of it: the only thing the table's body tells.

Must never say what a change means at a table, and never be late: `at` is when it happened, not when it was
asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

MS = 1_000_000
"""One millisecond in the simulator's unit of time, the nanosecond."""
SECOND = 1_000 * MS


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelChange:
    """A wire named `signal` became active or inactive."""

    at: int
    signal: str
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChange:
    """The reader named `signal` reads another text (empty: nothing lies there)."""

    at: int
    signal: str
    token: str


Change = LevelChange | TokenChange


@dataclass(frozen=True, slots=True, kw_only=True)
class Travel:
    """How long things take by themselves, ns; nothing a player does faster makes them faster.

    `tray_clears`: from the push until the dock's switch lets go; `tray`: until the other dock's closes.
    `reader`: how far a reader of cards lags behind the card. `press`: how long a button is held, `touch`: how
    long fingers stay on a card just laid. `window` is the motor's whole way, `window_by_hand` a hand's.
    """

    tray_clears: int = 60 * MS
    tray: int = 900 * MS
    reader: int = 15 * MS
    press: int = 200 * MS
    touch: int = 120 * MS
    window: int = 1_500 * MS
    window_by_hand: int = 700 * MS

    @classmethod
    def quickest(cls) -> Travel:
        """The fastest that debounced switches and settled readers can still tell apart."""
        return cls(
            tray_clears=10 * MS,
            tray=120 * MS,
            reader=2 * MS,
            press=50 * MS,
            touch=20 * MS,
            window=150 * MS,
            window_by_hand=100 * MS,
        )

    def at_speed(self, speed: float) -> Travel:
        """These times divided by `speed`, none below the quickest."""
        floor = Travel.quickest()
        return Travel(
            **{name: max(round(getattr(self, name) / speed), getattr(floor, name)) for name in self.__slots__}
        )
