"""The table as a small drawing: where the screen, the tray, the window and the lead are. Pure; no markup
here.
"""

from __future__ import annotations

from dataclasses import dataclass

from director_console.projection.hall import TableNow

TRAY_AT = {"NE": (75, 45), "SW": (45, 75), "moving": (60, 60)}
SEAT_AT = {"N": (60, 14), "E": (106, 61), "S": (60, 107), "W": (14, 61)}
LEAD_AT = {"N": (68, 27), "E": (88, 68), "S": (45, 88), "W": (25, 47)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Coordinates in a square of 120. `trays`: one, two where sensors conflict, none where unknown."""

    tray: str
    window: str
    trays: tuple[tuple[int, int], ...]
    seats: tuple[tuple[str, int, int, bool, bool, bool], ...]
    """Letter, x, y, dealer, whose turn, has called the director."""
    lead: tuple[int, int, bool] | None
    """x, y, faced."""


def drawing_of(table: TableNow) -> Drawing:
    """From the view if there is one, else from the retained snapshot."""
    view, snapshot = table.view, table.snapshot
    tray = view.tray if view else snapshot.tray if snapshot else "unknown"
    window = view.window.value if view else snapshot.window if snapshot else "unknown"
    if tray == "conflict":
        trays: tuple[tuple[int, int], ...] = (TRAY_AT["NE"], TRAY_AT["SW"])
    else:
        trays = (TRAY_AT[tray],) if tray in TRAY_AT else ()
    seats = tuple(
        (
            letter,
            x,
            y,
            bool(view and view.dealer == letter),
            bool(view and view.turn == letter),
            bool(view and letter in view.summons),
        )
        for letter, (x, y) in SEAT_AT.items()
    )
    lead = None
    if view is not None and view.lead is not None and view.cards_played <= 1:
        lead = (*LEAD_AT[view.lead.value], bool(view.lead_faced))
    return Drawing(tray=tray, window=window, trays=trays, seats=seats, lead=lead)
