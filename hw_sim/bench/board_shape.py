"""The board on the tray as it is printed, for whoever sees it.

Must never fill in what is not printed.
"""

from __future__ import annotations

from hw_sim.bench.contract import BoardShape
from hw_sim.table.body import Body

_VULNERABLE = {"None": "None", "NS": "NS", "EW": "EW", "All": "Both"}


def board_shape(body: Body) -> BoardShape | None:
    """None where no board lies there."""
    if not body.levels()["board.present"]:
        return None
    number, _, rest = body.tokens()["board.id"].partition(":")
    dealer, _, vulnerable = rest.partition(":")
    return BoardShape.model_validate(
        {
            "number": int(number) if number else None,
            "dealer": dealer or None,
            "vulnerability": _VULNERABLE.get(vulnerable),
        }
    )
