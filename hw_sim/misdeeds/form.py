"""The form of a misdeed: a name, the kinds that must be reported for it, its moment, and what the hands do.

Must never hold a judgement of its own: `kinds` are the catalogue's names for what is truly done here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hw_sim.players.asks import Script
from hw_sim.players.customs import Customs
from hw_sim.players.four import BoardPlay
from hw_sim.players.moments import Moment
from hw_sim.players.script import BoardScript


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One misdeed at one place of one board. `index` counts calls or tricks from 0, -1 where there is none.

    `director`: the players wait for him, so there must be one.
    """

    name: str
    kinds: tuple[str, ...]
    moment: Moment
    index: int = -1
    director: bool = False
    action: Callable[[BoardPlay], Script]

    def due(self, moment: Moment, index: int) -> bool:
        return moment is self.moment and index == self.index

    def act(self, play: BoardPlay) -> Script:
        return self.action(play)


Finder = Callable[[BoardScript, Customs], Iterator[Deed]]
"""Every place of a board at which a misdeed could be done, in order; none where it cannot happen."""
