"""The form that lays down a session and sends it to the tables.

`POST /session` (chief): `session` a short name; `contest`; `day` (YYYY-MM-DD) and `start` (HH:MM), both
or neither; `minutes` for both pairs together, `per` a board or all; `boards` as `1-12` or `1,2,5`; `tables`
the same, empty for all; `lineup` a line a table: `7: n1 e1 s1 w1` (tokens, never names); `regulations`;
`waived` pairs that alert nothing; `before` a line a table, what came before: `7: NS late 1, EW forfeit 1`;
`why`, which a change must have.
"""

from __future__ import annotations

import re
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response

from director_console.act import Act
from director_console.projection.contest import Before, Plan
from director_console.projection.inputs import Matter
from director_console.store.people import Role
from director_console.store.timekeeping import lay_plan
from director_console.web.fields import Field
from director_console.web.numbers import whole_number
from director_console.web.pages import show_session
from director_console.web.posting import Form, Sent, Wrong
from director_console.web.posting_again import Again
from table_controller.laws.seat import Partnership, Seat
from table_controller.messages.codec import Json
from table_controller.messages.topics import Verb
from table_controller.regulations.load import available
from table_controller.regulations.time_tables import Contest

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
MOST = 200
PAIRS = tuple(pair.value for pair in Partnership)


async def session_page(request: Request, again: Again) -> Response:
    return show_session(request, again)


def read_list(text: str, field: str) -> tuple[str, ...]:
    """`1-12, 15, open-3` as single names. Raises Wrong."""
    found: dict[str, None] = {}
    for part in re.split(r"[\s,;，、]+", text.strip()):
        if not part:
            continue
        span = re.fullmatch(r"(\d{1,4})[-–](\d{1,4})", part)
        if span and 0 < int(span[1]) <= int(span[2]) and int(span[2]) - int(span[1]) < MOST:
            found.update({str(number): None for number in range(int(span[1]), int(span[2]) + 1)})
        elif NAME.fullmatch(part) and not span:
            found[part] = None
        else:
            raise Wrong(field, "field.list", part=part[:20])
    if len(found) > MOST:
        raise Wrong(field, "field.list_long", most=MOST)
    return tuple(found)


def read_pairs(text: str) -> tuple[str, ...]:
    """`NS`, `EW`, both or neither. Raises Wrong."""
    found = tuple(dict.fromkeys(part.upper() for part in read_list(text, "waived")))
    if any(pair not in PAIRS for pair in found):
        raise Wrong("waived", "field.pairs")
    return found


def read_lineup(text: str, tables: set[str]) -> dict[str, dict[str, str]]:
    """A line a table, four tokens in the order North, East, South, West. Raises Wrong."""
    found: dict[str, dict[str, str]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        table, _, rest = line.replace("：", ":").partition(":")
        tokens = rest.split()
        good = len(tokens) == 4 and all(NAME.fullmatch(token) for token in tokens)
        if table.strip() not in tables or not good:
            raise Wrong("lineup", "field.lineup", line=number)
        found[table.strip()] = dict(zip((seat.value for seat in Seat), tokens, strict=True))
    return found


IN_CHINESE = {"南北": "NS", "东西": "EW", "迟到": "late", "超时": "slow", "弃权": "forfeit"}
BEFORE = re.compile(
    r"(NS|EW|南北|东西)\s*(late|slow|forfeit|迟到|超时|弃权)\s*([0-9]{1,2})(?:次)?", re.IGNORECASE
)


def read_before(text: str, tables: set[str]) -> dict[str, tuple[Before, ...]]:
    """A line a table: `7: NS late 1, EW forfeit 1`, or `7：南北迟到1`. Raises Wrong."""
    found: dict[str, tuple[Before, ...]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        table, _, rest = line.replace("：", ":").partition(":")
        parts = [BEFORE.fullmatch(part.strip()) for part in re.split(r"[,;，、；]", rest)]
        said = [part for part in parts if part is not None]
        if table.strip() not in tables or len(said) != len(parts):
            raise Wrong("before", "field.before", line=number)
        found[table.strip()] = tuple(
            Before(
                partnership=Partnership(IN_CHINESE.get(part[1], part[1].upper())),
                what=Matter(IN_CHINESE.get(part[2], part[2].lower())).value,
                times=int(part[3]),
            )
            for part in said
        )
    return found


def plan_of(act: Act, sent: Sent) -> Plan:
    values = sent.values
    if not NAME.fullmatch(values.text("session")):
        raise Wrong("session", "field.session_name")
    if any(plan.session == values.text("session") for plan in act.hall.plans) and not values.text("why"):
        raise Wrong("why", "field.change_reason")
    boards = read_list(values.text("boards"), "boards")
    if not boards or not all(whole_number(board) for board in boards):
        raise Wrong("boards", "field.boards")
    tables = read_list(values.text("tables"), "tables")
    unknown = [table for table in tables if table not in act.hall.tables]
    if unknown:
        raise Wrong("tables", "unable.no_table", table=unknown[0])
    return Plan(
        session=values.text("session"),
        contest=Contest(values.text("contest")),
        start=_start(values.text("day"), values.text("start")),
        minutes=values.whole("minutes") or 0,
        whole=values.text("per") == "all",
        boards=tuple(int(board) for board in boards),
        tables=tables,
        lineup=read_lineup(values.text("lineup"), set(act.hall.tables)),
        regulations=values.text("regulations"),
        waived=read_pairs(values.text("waived")),
        before=read_before(values.text("before"), set(act.hall.tables)),
        why=values.text("why"),
        by=sent.viewer.name,
        at=act.now,
    )


def _start(day: str, clock: str) -> int | None:
    if not day and not clock:
        return None
    try:
        return round(datetime.strptime(f"{day} {clock}", "%Y-%m-%d %H:%M").timestamp() * 1000)
    except ValueError:
        raise Wrong("start", "field.date") from None


def timing_of(plan: Plan, table: str) -> dict[str, Json]:
    """What the table's own clock needs of it. The table knows no pairs, so that what came before is the more
    of the two.
    """
    seconds = plan.minutes * 60
    return {
        "contest": plan.contest.value,
        "start_ms": plan.start,
        **({"round_seconds": seconds} if plan.whole else {"board_seconds": seconds}),
        "regulations": plan.regulations,
        "late_before": plan.most_before(table, Matter.LATE.value),
        "slow_before": plan.most_before(table, Matter.SLOW.value),
        "forfeits_before": plan.most_before(table, Matter.FORFEIT.value),
    }


def lay_down(act: Act, sent: Sent) -> str:
    plan = plan_of(act, sent)
    act.inputs.append(lay_plan(act.book, plan))
    for table in act.hall.in_order():
        if table.epoch and plan.concerns(table.name):
            args: dict[str, Json] = {
                "session": plan.session,
                "boards": [{"number": number} for number in plan.boards],
                "players": dict(plan.lineup.get(table.name, {})),
                "alerts_waived": list(plan.waived),
                "plan": timing_of(plan, table.name),
                "why": sent.values.text("why"),
            }
            act.command(table, Verb.SESSION, args, plan.by, summary="order.session")
    return "/session"


FORMS = (
    Form(
        name="session",
        path="/session",
        role=Role.CHIEF,
        fields=(
            Field(name="session", required=True, longest=64),
            Field(name="contest", required=True, options=tuple(contest.value for contest in Contest)),
            Field(name="day", longest=10),
            Field(name="start", longest=5),
            Field(name="minutes", required=True, whole=(1, 600)),
            Field(name="per", options=("board", "all")),
            Field(name="boards", required=True, longest=400),
            Field(name="tables", longest=800),
            Field(name="lineup", longest=20_000),
            Field(name="regulations", required=True, options=available()),
            Field(name="waived", longest=100),
            Field(name="before", longest=20_000),
            Field(name="why"),
        ),
        do=lay_down,
        page=session_page,
        summary="Lay down a session and send it to the tables.",
    ),
)
