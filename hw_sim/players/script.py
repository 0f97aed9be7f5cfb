"""One board as it will be played: what the players are told before they sit down.

Made from a record, never corrected. Must never hold what the record leaves open: what nobody recorded, nobody
plays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from hw_sim.records.model import RecordedGame
from hw_sim.table.tags import BoardTag
from table_controller.laws.auction import Auction, MadeCall
from table_controller.laws.board import Vulnerability
from table_controller.laws.card import Card
from table_controller.laws.contract import Outcome, contract_of
from table_controller.laws.seat import Faces, Seat

ALL_CARDS_PLAYED = 52


@dataclass(frozen=True, kw_only=True)
class BoardScript:
    """`calls` and `play` in the order made, by whom; `alerts` counts calls from 0.

    Fewer than 52 cards mean a claim by `claimer` (declarer, where nobody is named) after the last of them.
    """

    number: int | None
    dealer: Seat
    vulnerability: Vulnerability | None
    calls: tuple[MadeCall, ...]
    alerts: frozenset[int] = frozenset()
    play: tuple[tuple[Seat, Card], ...] = ()
    claimer: Seat | None = None

    @cached_property
    def auction(self) -> Auction:
        return Auction(self.dealer, self.calls)

    @cached_property
    def outcome(self) -> Outcome | None:
        """What the auction comes to by the Laws; None where the record stops before its end."""
        return contract_of(self.auction)

    @property
    def tag(self) -> BoardTag:
        return BoardTag(number=self.number, dealer=self.dealer, vulnerability=self.vulnerability)

    def before(self, index: int) -> Auction:
        """The auction as it lies when call `index` is to be made."""
        return Auction(self.dealer, self.calls[:index])

    def crossings(self, faces: Faces) -> int:
        """How often the tray crosses between two calls made on different faces."""
        sides = [faces.side_of(made.seat) for made in self.calls]
        return sum(before is not after for before, after in pairwise(sides))

    def same_visit(self, index: int, faces: Faces) -> bool:
        """Whether call `index` follows another on the same face, without a crossing between them."""
        if index < 1:
            return False
        return faces.side_of(self.calls[index].seat) is faces.side_of(self.calls[index - 1].seat)

    def tricks(self) -> Iterator[tuple[tuple[Seat, Card], ...]]:
        """The recorded cards four by four; the last may be fewer."""
        for start in range(0, len(self.play), 4):
            yield self.play[start : start + 4]


def script_of(game: RecordedGame) -> BoardScript:
    """The board as a record has it, irregular calls included."""
    return BoardScript(
        number=game.board,
        dealer=game.dealer,
        vulnerability=game.vulnerability,
        calls=game.calls,
        alerts=frozenset(alert.call for alert in game.alerts),
        play=tuple((played.seat, played.card) for played in game.play),
    )
