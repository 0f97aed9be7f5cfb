"""The judges: small functions that turn what happened into entries, one for each kind or family of kinds.

Each works on a `Moment` and writes only into the book; what a kind needs to be judged is in `senses`, and
`Moment.judges` answers whether it is on. Must never change a fact, refuse one, or rule.
"""

from __future__ import annotations

from table_controller.screen.judges.auction import judge_auction
from table_controller.screen.judges.board import judge_board
from table_controller.screen.judges.calls import judge_calls
from table_controller.screen.judges.lead import judge_lead
from table_controller.screen.judges.people import judge_people
from table_controller.screen.judges.tray import judge_tray
from table_controller.screen.judges.window import judge_window
from table_controller.screen.moment import Moment


def judge(m: Moment) -> None:
    """The order matters only where one event makes several entries: stages before new calls, calls last."""
    judge_tray(m)
    judge_auction(m)
    judge_calls(m)
    judge_window(m)
    judge_lead(m)
    judge_board(m)
    judge_people(m)
