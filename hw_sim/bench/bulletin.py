"""What the bench shows, for whoever looks from another thread: frozen values, replaced whole.

Written by the bench's own thread alone. What a half view is given (`Sights`) stands apart from the rest: it
is handed nothing else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from hw_sim.bench.contract import FaceName, InsideItem, LogLine, NearFrame, SessionFrame, TableFrame

KEPT = 4_000
"""Inside items that a slow page can still be told."""


class Sights:
    """The present sight of each face."""

    def __init__(self) -> None:
        self._sights: dict[FaceName, NearFrame] = {}

    def show(self, sight: NearFrame) -> None:
        self._sights[sight.face] = sight

    def sight(self, face: FaceName) -> NearFrame | None:
        """None before the first table stands."""
        return self._sights.get(face)


class Bulletin:
    """`stream` numbers what inside items are told: an item that got its cause is told again."""

    def __init__(self) -> None:
        self.session: SessionFrame | None = None
        self.table: TableFrame | None = None
        self.levels: dict[str, bool | str] = {}
        self.log: tuple[LogLine, ...] = ()
        self.latest: tuple[InsideItem, ...] = ()
        self._stream: deque[tuple[int, InsideItem]] = deque(maxlen=KEPT)
        self.told = 0

    def begin(self) -> None:
        """A new session: its inside begins anew."""
        self._stream.clear()
        self.log = ()
        self.latest = ()
        self.table = None

    def tell(self, items: Sequence[InsideItem]) -> None:
        for item in items:
            self.told += 1
            self._stream.append((self.told, item))

    def since(self, number: int) -> tuple[int, list[InsideItem]]:
        """What was told after `number`, and the number to ask with next."""
        told = self.told
        items = [item for at, item in list(self._stream) if number < at <= told]
        return told, items
