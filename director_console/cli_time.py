"""`director-console times`: whose time it was at each table, what the articles say of it, what was decided.

Reads only; works beside a running console and after it. Sums over boards that are over; no figure of a visit.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict

from rich.console import Console as Terminal
from rich.table import Table

from director_console.cli_data import DATA, AsJson, Data, Lang, reader
from director_console.loading import load
from director_console.rows import time_ruling_row
from director_console.web.pace import TablePace, table_pace
from director_console.web.show import length, over
from table_controller.plain.folded import folded


def time_row(pace: TablePace) -> dict[str, object]:
    """Lengths in ms; null: not known, or nothing is planned."""
    standing = pace.standing
    return {
        "table": pace.table.name,
        "session": None if standing.plan is None else standing.plan.session,
        "begun": standing.begun,
        "finished": standing.finished,
        "unplayed": standing.unplayed,
        "late_ms": standing.late,
        "over_ms": standing.over,
        "over_for_boards_played_ms": standing.over_played,
        "columns_ms": asdict(standing.columns),
        "pairs": [asdict(share) for share in standing.shares],
        "observed": standing.observed is not None,
        "indications": [
            {"matter": one.matter.value, "lines": list(one.lines), "source": one.source}
            for one in pace.indications
        ],
        "decisions": [time_ruling_row(ruled) for versions in pace.rulings for ruled in versions],
    }


def times(data: Data = DATA, as_json: AsJson = False, lang: Lang = "en") -> None:
    """Where each table stands in its session: boards, each pair's time, late and over, what was decided.

    Example: [bold]director-console times --json[/bold]
    """
    hall = load(reader(data))
    now = time.time_ns() // 1_000_000
    paces = [table_pace(hall, table, now, lang) for table in hall.in_order() if table.epoch]
    if as_json:
        for pace in paces:
            print(json.dumps(time_row(pace), ensure_ascii=False))
        return
    shown = Table("Table", "Session", "Boards", "NS", "EW", "Common", "Unknown", "Late", "Over")
    for pace in paces:
        standing, columns = pace.standing, pace.standing.columns
        shown.add_row(
            pace.table.name,
            "-" if standing.plan is None else standing.plan.session,
            f"{standing.finished}/{0 if standing.plan is None else len(standing.plan.boards)}",
            *(length(ms) for ms in (columns.ns, columns.ew, columns.common, columns.unknown)),
            "-" if standing.late is None else over(standing.late),
            "-" if standing.over is None else over(standing.over),
        )
    Terminal(emoji=False).print(folded(shown))
