"""What the players know before they sit down: the house's customs, the table's furniture, their own manner.

Must never hold a provision's text or citation: customs are what people do under an authority, read off its
profile by `core_runner`, which alone may look there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random

from hw_sim.players.asks import Pause
from hw_sim.table.changes import MS, SECOND
from table_controller.laws.seat import Faces, Partnership, ScreenSide, Seat


class Opening(StrEnum):
    """What players do before the window opens for the play."""

    LEAD_PLACED = "lead placed"
    LEAD_ANNOUNCED = "lead announced"
    LEAD_FACED = "lead faced"


@dataclass(frozen=True, kw_only=True)
class Customs:
    """How an authority has them play. `movers` push the tray; the first of `window_by` opens the window."""

    faces: Faces = field(default_factory=Faces)
    movers: Mapping[ScreenSide, Seat] = field(
        default_factory=lambda: {ScreenSide.NE: Seat.N, ScreenSide.SW: Seat.S}
    )
    window_by: tuple[Seat, ...] = (Seat.W, Seat.S)
    opening: Opening = Opening.LEAD_PLACED
    shown_first: bool = True
    """The tray shows both faces the whole auction before the window opens."""
    hands_wait: bool = False
    """Hands stay in the board until the window is closed."""


class WindowKind(StrEnum):
    """How the window is moved."""

    MOTOR = "motor"
    HAND = "hand"
    """By hand; where there are lamps, when they light."""
    HANDLE = "handle"
    """By the motor, once a hand works a handle: on a table that cannot know who must lead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Furniture:
    """What this table has that people can see and use."""

    window: WindowKind = WindowKind.MOTOR
    lamps: bool = False
    """Lamps say when to open and close a window worked by hand."""
    auction_over_button: bool = True
    announce_button: bool = True
    claim_button: bool = True
    summons_lamps: bool = True


FULL_TABLE = Furniture()
GUARD_TABLE = Furniture(window=WindowKind.HANDLE, announce_button=False, claim_button=False)
HEADER_TABLE = Furniture(auction_over_button=False, announce_button=False, claim_button=False)
WATCH_TABLE = Furniture(window=WindowKind.HAND, lamps=True, announce_button=False, claim_button=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How quick people are, in seconds: half of the calls, cards and pushes are quicker than these.

    `spread` is how much they vary: a third of them take longer than the median times one and the spread.
    """

    call: float = 5.0
    card: float = 1.8
    push: float = 1.5
    other: float = 2.0
    spread: float = 0.6


STYLES: Mapping[str, Style] = {
    "steady": Style(),
    "fast": Style(call=2.0, card=0.8, push=0.7, other=1.0, spread=0.4),
    "slow": Style(call=11.0, card=4.0, push=3.0, other=3.0, spread=0.6),
    "hesitant": Style(call=7.0, card=2.5, push=2.0, other=2.0, spread=1.5),
    "careless": Style(call=3.0, card=1.2, push=0.8, other=1.2, spread=1.0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Floors:
    """What the hardware needs to tell deeds apart, ns: no speed shortens it.

    `call`: two calls nearer than 50 ms could be taken for simultaneous (Law 33). `deed`: what debounced
    switches need, and a hand to let go of a card. `settled`: a card lifted must lie off the tray long enough
    not to be taken for the tray leaving, and a tray that has come long enough to be read.
    """

    call: int = 130 * MS
    card: int = 25 * MS
    deed: int = 140 * MS
    settled: int = 700 * MS

    @classmethod
    def quickest(cls) -> Floors:
        """For sensing and debouncing set to their least."""
        return cls(call=120 * MS, card=15 * MS, deed=40 * MS, settled=130 * MS)


AT_SIGHT = 10 * SECOND
"""How long people wait for what ought to happen at once, before they say what is broken."""


class Manner:
    """One table's players: a style, perhaps one for each pair, and a seeded source of chance.

    Two with the same seed play alike.
    """

    def __init__(
        self,
        style: Style,
        random: Random,
        floors: Floors | None = None,
        pairs: Mapping[Partnership, Style] | None = None,
    ) -> None:
        self.style = style
        self._pairs = dict(pairs or {})
        self.random = random
        self.floors = floors or Floors()

    def _some(self, median: float) -> int:
        return round(median * SECOND * self.random.lognormvariate(0.0, self.style.spread))

    def _of(self, seat: Seat | None) -> Style:
        return self.style if seat is None else self._pairs.get(seat.partnership, self.style)

    def thinks(self, seat: Seat | None = None) -> Pause:
        """Before a call, at this player's pair's own pace if it has one."""
        return Pause(human=self._some(self._of(seat).call), least=self.floors.call)

    def plays(self, seat: Seat | None = None) -> Pause:
        """Before a card."""
        return Pause(human=self._some(self._of(seat).card), least=self.floors.card)

    def pushes(self) -> Pause:
        """Before the tray is pushed."""
        return Pause(human=self._some(self.style.push), least=self.floors.deed)

    def acts(self, least: int = 0) -> Pause:
        """Before anything else; `least` where a regulation's own seconds must pass."""
        return Pause(human=self._some(self.style.other), least=max(least, self.floors.deed))

    def settles(self) -> Pause:
        """The same, where what was done before must have come to rest."""
        return Pause(human=self._some(self.style.other), least=self.floors.settled)
