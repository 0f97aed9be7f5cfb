"""What the players of a board say when they have waited in vain, and what is likely broken then."""

from __future__ import annotations

from hw_sim.refusals import Said, Why
from table_controller.laws.seat import ScreenSide

NO_DIRECTOR = Said(
    "the director did not come within 90 s: no report reached the console, or no order the table",
    Why.DIRECTOR_DID_NOT_COME,
)
DARK_TO_CLOSE = Said(
    "the lamp to close the window did not light within 10 s: lamp orders are not obeyed",
    Why.LAMP_TO_CLOSE_DARK,
)
DARK_TO_OPEN = Said(
    "the lamp to open the window did not light within 10 s: lamp orders are not obeyed",
    Why.LAMP_TO_OPEN_DARK,
)
NOT_CLOSED = Said(
    "the window did not close within 10 s: window orders are not given or not obeyed",
    Why.WINDOW_DID_NOT_CLOSE,
)
NOT_OPEN = Said(
    "the window did not open within 10 s of the lead: window orders are not given or not obeyed",
    Why.WINDOW_DID_NOT_OPEN,
)
NOT_BY_HAND = Said("the window could not be moved by hand within 10 s", Why.WINDOW_NOT_MOVED_BY_HAND)
NOT_LEFT = Said("the tray did not leave its dock within 10 s", Why.TRAY_DID_NOT_LEAVE)


def not_arrived(side: ScreenSide) -> Said:
    """That the tray did not come to this face."""
    return Said.because(
        f"the tray did not arrive on face {side} within 10 s", Why.TRAY_DID_NOT_ARRIVE, side=side
    )
