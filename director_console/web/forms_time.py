"""Forms about a table's time: what the director decides, and seeing an evening's figures with a reason.

* `POST /tables/{table}/time/decide`: `matter` late, slow or forfeit; `verdict` as_indicated, otherwise or
  nothing; `ns`, `ew` what each bears, in his words; `reason`, which every verdict but the first must have
* `POST /tables/{table}/time/reveal`: `reason`
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from director_console.act import Act, Unable
from director_console.projection.inputs import Matter, TimeRuled, TimeVerdict
from director_console.store.people import Role
from director_console.store.timekeeping import rule_time
from director_console.web.fields import Field
from director_console.web.pace import table_pace
from director_console.web.pages_time import EVENING, show_time
from director_console.web.posting import Form, Sent, Wrong
from director_console.web.posting_again import Again

PATH = "/tables/{table}/time"
SHORTEST_REASON = 3


async def time_page(request: Request, again: Again) -> Response:
    return show_time(request, again)


def decide(act: Act, sent: Sent) -> str:
    table, values = act.table(sent.path["table"]), sent.values
    pace = table_pace(act.hall, table, act.now, sent.viewer.lang)
    if pace.standing.plan is None:
        raise Unable("unable.no_session", table=table.name)
    matter, verdict = Matter(values.text("matter")), TimeVerdict(values.text("verdict"))
    indicated = pace.indicated(matter)
    ns, ew, reason = values.text("ns"), values.text("ew"), values.text("reason")
    if verdict is TimeVerdict.AS_INDICATED and indicated is None:
        raise Wrong("verdict", "field.not_indicated")
    if verdict is not TimeVerdict.AS_INDICATED and len(reason) < SHORTEST_REASON:
        raise Wrong("reason", "field.decision_reason")
    if verdict is TimeVerdict.OTHERWISE and not (ns or ew):
        raise Wrong("ns", "field.decision_amount")
    shown = () if indicated is None else (*indicated.lines, indicated.source)
    ruled = TimeRuled(
        table=table.name,
        session=pace.standing.plan.session,
        matter=matter,
        version=0,
        verdict=verdict,
        ns=ns,
        ew=ew,
        reason=reason,
        shown=shown,
        by=sent.viewer.name,
        at=act.now,
    )
    act.inputs.append(rule_time(act.book, ruled))
    return sent.where.removesuffix("/decide")


def reveal(act: Act, sent: Sent) -> str:
    table, reason = act.table(sent.path["table"]), sent.values.text("reason")
    if len(reason) < SHORTEST_REASON:
        raise Wrong("reason", "field.reveal_reason")
    act.book.db.execute(
        'INSERT INTO reveals (user, login, "table", epoch, board, reason, at) VALUES (?,?,?,?,?,?,?)',
        (sent.viewer.name, sent.viewer.login.id, table.name, table.epoch, EVENING, reason, act.now),
    )
    act.book.audit(act.now, sent.viewer.name, "revealed", table=table.name, board=EVENING, reason=reason)
    return sent.where.removesuffix("/reveal")


FORMS = (
    Form(
        name="time-decide",
        path=f"{PATH}/decide",
        role=Role.DIRECTOR,
        fields=(
            Field(name="matter", required=True, options=tuple(matter.value for matter in Matter)),
            Field(name="verdict", required=True, options=tuple(verdict.value for verdict in TimeVerdict)),
            Field(name="ns", longest=80),
            Field(name="ew", longest=80),
            Field(name="reason"),
        ),
        do=decide,
        page=time_page,
        summary="Decide about a late or slow table or a forfeit: as indicated, or otherwise with a reason.",
    ),
    Form(
        name="time-reveal",
        path=f"{PATH}/reveal",
        role=Role.DIRECTOR,
        fields=(Field(name="reason", required=True),),
        do=reveal,
        page=time_page,
        summary="See the figures of an evening, visit by visit, with a reason.",
    ),
)
