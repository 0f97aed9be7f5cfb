"""What the fragments about a table's time need. Figures visit by visit only once a reason was given."""

from __future__ import annotations

from collections.abc import Mapping

from director_console.projection.boards_chart import chart_of_boards
from director_console.store.people import Role
from director_console.web.evening import evening_of
from director_console.web.pace import table_pace
from director_console.web.state import Console
from director_console.web.viewer import Viewer

Context = Mapping[str, object] | None
EVENING = "evening"
"""What stands for a board where a reason was given for all of a table's evening."""


def evening_revealed(console: Console, viewer: Viewer, table: str) -> bool:
    """Whether this login has given a reason to see the figures of this table's evening."""
    found = console.reader.execute(
        'SELECT 1 FROM reveals WHERE login = ? AND "table" = ? AND board = ?',
        (viewer.login.id, table, EVENING),
    ).fetchone()
    return found is not None


def time_context(console: Console, viewer: Viewer, argument: str) -> Context:
    hall, table = console.desk.hall, console.desk.hall.tables.get(argument)
    if table is None or not viewer.may(Role.DIRECTOR):
        return None
    return {"pace": table_pace(hall, table, console.desk.now(), viewer.lang)}


def boards_context(console: Console, viewer: Viewer, argument: str) -> Context:
    hall, table = console.desk.hall, console.desk.hall.tables.get(argument)
    if table is None or not viewer.may(Role.DIRECTOR):
        return None
    revealed = evening_revealed(console, viewer, argument)
    standing = table_pace(hall, table, console.desk.now(), viewer.lang).standing
    return {
        "revealed": revealed,
        "chart": chart_of_boards(standing.boards) if revealed else None,
    }


def evening_context(console: Console, viewer: Viewer, argument: str) -> Context:
    """Nothing is even read before a reason was given."""
    hall = console.desk.hall
    if argument not in hall.tables or not viewer.may(Role.DIRECTOR):
        return None
    revealed = evening_revealed(console, viewer, argument)
    reference = console.reference
    pairs = evening_of(console.reader, hall, argument, reference) if revealed else ()
    return {"revealed": revealed, "pairs": pairs, "reference": reference}
