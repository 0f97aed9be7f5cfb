"""A board laid on the tray only so that the one before it is given up: where a record stops in the auction.

Must never be mistaken for a board that was played: its number is one that no record has.
"""

from __future__ import annotations

from hw_sim.players.asks import Script
from hw_sim.players.four import BoardPlay
from hw_sim.table.changes import SECOND
from hw_sim.table.tags import BoardTag

SPARE_NUMBER = 9_999
WINDOW_RESTS = SECOND
"""A window closes for any board; it is left to."""


def place_spare(play: BoardPlay) -> Script:
    """Lay the spare board on the tray and take it off again."""
    yield play.manner.settles()
    play.hands.place_board(BoardTag(number=SPARE_NUMBER), hands=False)
    yield play.manner.acts(least=WINDOW_RESTS)
    play.hands.lift_board()
    yield play.manner.settles()
