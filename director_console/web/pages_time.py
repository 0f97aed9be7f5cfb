"""The page about one table's time, for directors alone."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from director_console.projection.inputs import Matter, TimeVerdict
from director_console.store.people import Role
from director_console.web.contexts_time import EVENING, evening_revealed
from director_console.web.guard import not_allowed, not_logged_in
from director_console.web.pace import table_pace
from director_console.web.posting_again import Again
from director_console.web.render import render
from director_console.web.state import console_of
from director_console.web.viewer import viewer_of

__all__ = ["EVENING", "show_time"]


def show_time(request: Request, again: Again) -> Response:
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    if not viewer.may(Role.DIRECTOR):
        return not_allowed(request, viewer, "time")
    console = console_of(request)
    table = console.desk.hall.tables.get(request.path_params["table"])
    if table is None:
        raise HTTPException(404)
    pace = table_pace(console.desk.hall, table, console.desk.now(), viewer.lang)
    context = {
        "table": table,
        "pace": pace,
        "matters": tuple(matter.value for matter in Matter),
        "verdicts": tuple(verdict.value for verdict in TimeVerdict),
        "first": pace.indications[0].matter.value if pace.indications else Matter.SLOW.value,
        "revealed": evening_revealed(console, viewer, table.name),
    }
    return render(request, viewer, "time.html", context, again=again)
