"""The phases of a board by name.

A room of its own so that the console, which shows phases and corrects them, needs nothing else of the core.
"""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    """The leaves of the phase machine, by the names the diagram has."""

    SETUP = "setup"
    CLOSING = "closing"
    AUCTION_NE = "auction.ne"
    AUCTION_SW = "auction.sw"
    LEAD_AWAITING = "lead.awaiting"
    LEAD_DOWN = "lead.down"
    OPENING = "opening"
    CLARIFICATION = "clarification"
    PLAY = "play"
    COMPLETE = "complete"

    @property
    def in_auction(self) -> bool:
        return self in (Phase.AUCTION_NE, Phase.AUCTION_SW)

    @property
    def in_lead(self) -> bool:
        return self in (Phase.LEAD_AWAITING, Phase.LEAD_DOWN)

    @property
    def before_auction(self) -> bool:
        return self in (Phase.SETUP, Phase.CLOSING)
