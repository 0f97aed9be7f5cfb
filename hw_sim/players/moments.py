"""The moments of a board at which something can go wrong at the players' hands.

Must never name what goes wrong: that is for `misdeeds`.
"""

from __future__ import annotations

from enum import StrEnum


class Moment(StrEnum):
    """Where the players are when they ask themselves whether to misbehave."""

    PLACED = "the board lies on the tray"
    BEFORE_CALL = "a call is due"
    AFTER_CALL = "a call has been made"
    AUCTION_OVER = "the last call lies, and the tray has not yet shown it"
    BEFORE_LEAD = "the auction has been shown"
    LEAD_DOWN = "the lead lies on the table"
    TRICK_OVER = "a trick has been turned"
