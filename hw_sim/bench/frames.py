"""The whole table as an eye above it sees it: a body made into a `TableFrame`.

Pure. Must never look at the controller.
"""

from __future__ import annotations

from firmware_bridge.readings import Direction
from hw_sim.bench.board_shape import board_shape
from hw_sim.bench.contract import TableFrame, TrayShape, WindowShape
from hw_sim.scenario.full.body import ScenarioBody
from table_controller.laws.seat import Seat

PRESSED = ("director.", "announced.", "claim.", "auction_over.", "window.handle.", "tray.handle.")
_MOTOR = {Direction.OPEN: "open", Direction.CLOSE: "close", Direction.STOP: "stop"}


def table_frame(body: ScenarioBody, outputs: tuple[str, ...], ms: int) -> TableFrame:
    """How things stand now; `outputs` are the lamps and latches of this table."""
    levels, tokens, side = body.levels(), body.tokens(), body.tray_at
    return TableFrame.model_validate(
        {
            "ms": ms,
            "tray": TrayShape(on=None if side is None else side.value, heading=body.heading.value),
            "board": board_shape(body),
            "columns": {seat.value: list(body.cards_of(seat)) for seat in Seat},
            "alerts": {seat.value: levels[f"alert.{seat.lower()}"] for seat in Seat},
            "touched": {seat.value: levels[f"released.{seat.lower()}"] for seat in Seat},
            "leads": {seat.value: _lead(body.place_of_lead(seat)) for seat in Seat},
            "played": {seat.value: tokens[f"card.{seat.lower()}"] for seat in Seat},
            "hands": {seat.value: levels[f"hand.{seat.lower()}"] for seat in Seat},
            "players": {seat.value: tokens[f"seat.{seat.lower()}"] for seat in Seat},
            "window": WindowShape.model_validate(
                {
                    "position": round(body.window_position, 2),
                    "motor": _MOTOR[body.motor],
                    "obstructed": levels["window.obstructed"],
                    "jammed": body.window_jammed,
                }
            ),
            "lamps": {name: body.lamp(name) for name in outputs},
            "pressed": sorted(name for name, on in levels.items() if on and name.startswith(PRESSED)),
        }
    )


def _lead(faced: bool | None) -> str:
    return "" if faced is None else "faced" if faced else "down"
