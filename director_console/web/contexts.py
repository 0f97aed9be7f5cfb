"""What the fragments about the whole hall need, from the hall and the journal. No markup, no words of our
own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from director_console.projection.alarm import Alarm, AlarmState
from director_console.projection.case import Case, queue_order
from director_console.projection.hall import Hall, TableNow
from director_console.projection.inputs import Presence, Progress
from director_console.projection.punctual import delayed_tables
from director_console.web import sentences
from director_console.web.drawing import drawing_of
from director_console.web.held import held_line
from director_console.web.numbers import whole_number
from director_console.web.pace import table_pace
from director_console.web.show import short
from director_console.web.state import Console
from director_console.web.viewer import Viewer
from table_controller.screen.entry import Level, Standing

Context = Mapping[str, object] | None
STRIP_AT_MOST = 3
TILE_CASES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """What a tile has to say at a glance. `state`: also its shape and border; never colour alone.

    `count`: how many are of this state; `more`: symbol and number of what waits beside them, of each lesser
    level.
    """

    state: str
    symbol: str
    count: int
    more: tuple[tuple[str, int], ...] = ()


def badge_of(hall: Hall, table: TableNow, now: int) -> Badge:
    """The most pressing thing about a table, in this order: hold, urgent, report, put right, fault, gone.
    A hold stands as long as the table is held, whatever became of its case.
    """
    cases = [case for case in hall.cases_of(table.name) if case.waits and hall.shown(case)]
    standing = [case for case in cases if case.entry.standing is Standing.OPEN]
    of = Counter(case.level for case in standing)
    top = Level.HOLD if table.holds else max(of, default=None)
    alarms = [alarm for alarm in hall.alarms_of(table.name) if alarm.state(now) in _RINGING]
    if top is not None:
        lesser = tuple(
            (symbol, of[level]) for level, (_, symbol) in _STATE.items() if level < top and of[level]
        )
        state, symbol = _STATE[top]
        return Badge(state=state, symbol=symbol, count=of[top], more=lesser)
    if alarms:
        return Badge(state="fault", symbol="⬡", count=len(alarms))
    if cases:
        return Badge(state="put-right", symbol="◇", count=len(cases))
    if table.presence in (Presence.OFFLINE, Presence.STOPPING):
        return Badge(state="gone", symbol="✕", count=0)
    return Badge(state="calm", symbol="", count=0)


_STATE = {Level.HOLD: ("hold", "■"), Level.URGENT: ("urgent", "▲"), Level.REPORT: ("report", "◆")}
_RINGING = (AlarmState.UNACKNOWLEDGED, AlarmState.ACKNOWLEDGED, AlarmState.RETURNED)


def tile_context(console: Console, viewer: Viewer, argument: str) -> Context:
    """`argument`: the table, and after a bar the size of the tile (s, m, l)."""
    name, _, size = argument.partition("|")
    hall = console.desk.hall
    table = hall.tables.get(name)
    if table is None:
        return None
    cases = hall.cases_of(name)
    unseen = any(case.needs_acknowledgement for case in cases)
    waiting = sorted((case for case in cases if case.waits and hall.shown(case)), key=queue_order)
    said = any(case.level is Level.HOLD for case in waiting)
    held = held_line(hall, table) if table.holds and not said else None
    return {
        "table": table,
        "size": size or "m",
        "badge": badge_of(hall, table, console.desk.now()),
        "unseen": unseen,
        "lines": [case_line(viewer.lang, case) for case in waiting[: TILE_CASES - (held is not None)]]
        if size == "l"
        else [],
        "held": held,
        "phase": sentences.phase_name(viewer.lang, table.phase) if table.phase else "",
        "calls": auction_rows(table),
        "drawing": drawing_of(table),
    }


def auction_rows(table: TableNow) -> list[list[object]]:
    """The auction in rows of four, West first as on paper; None before the dealer, and where a seat was
    jumped.
    """
    view = table.view
    if view is None or not view.calls:
        return []
    order = "WNES"
    rows: list[list[object]] = []
    row: list[object] = []
    for shown in view.calls:
        column = order.index(shown.seat.value)
        if len(row) > column:
            rows.append(row + [None] * (4 - len(row)))
            row = []
        row += [None] * (column - len(row))
        row.append(shown)
        if len(row) == 4:
            rows.append(row)
            row = []
    if row:
        rows.append(row + [None] * (4 - len(row)))
    return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseLine:
    """A case as one line of the queue or the strip."""

    case: Case
    sentence: str
    brief: str
    """The same without the number of the board."""
    article: str


def case_line(lang: str, case: Case) -> CaseLine:
    return CaseLine(
        case=case,
        sentence=sentences.case_sentence(lang, case),
        brief=sentences.brief(lang, case.entry),
        article=sentences.article(lang, case.entry),
    )


def strip_context(console: Console, viewer: Viewer, argument: str) -> Context:
    """One row that never grows: the newest urgent cases nobody has seen, then faults and notices."""
    hall, now, lang = console.desk.hall, console.desk.now(), viewer.lang
    urgent = sorted(
        (case for case in hall.waiting() if case.needs_acknowledgement),
        key=lambda case: (-case.when, case.key),
    )
    others = [
        (
            "notice",
            sentences.notice_sentence(lang, item),
            "",
            item.at,
            f"/notices/{item.id}",
            item.id,
        )
        for item in hall.open_notices()
    ] + [
        (
            "alarm",
            sentences.fault_sentence(lang, alarm.fault),
            alarm.table,
            alarm.when,
            f"/alarms/{alarm.key}",
            alarm.key,
        )
        for alarm in hall.standing_alarms(now)
        if alarm.state(now) in (AlarmState.UNACKNOWLEDGED, AlarmState.RETURNED)
    ]
    lines = [case_line(lang, case) for case in urgent[:STRIP_AT_MOST]]
    said = {case.table for case in urgent if case.level is Level.HOLD}
    held = [held_line(hall, table) for table in hall.in_order() if table.holds and table.name not in said]
    held_shown = held[: STRIP_AT_MOST - len(lines)]
    shown = others[: STRIP_AT_MOST - len(lines) - len(held_shown)]
    return {
        "lines": lines,
        "held": held_shown,
        "others": shown,
        "more": len(urgent) + len(held) + len(others) - len(lines) - len(held_shown) - len(shown),
        "more_urgent": len(urgent) + len(held) > len(lines) + len(held_shown),
        "urgent": len(urgent),
        "newest": urgent[0].key if urgent else "",
        "waiting": len(hall.waiting()),
    }


def links_context(console: Console, viewer: Viewer, argument: str) -> Context:
    hall = console.desk.hall
    now = console.desk.now()
    live = [
        table
        for table in hall.tables.values()
        if not table.stale(now) and table.presence is not Presence.OFFLINE
    ]
    return {
        "broker": hall.broker_up,
        "live": len(live),
        "tables": len(hall.tables),
        "behind": sum(table.behind > 0 for table in hall.tables.values()),
        "waiting": len(hall.waiting()) + len(hall.left_held()),
    }


def round_context(console: Console, viewer: Viewer, argument: str) -> Context:
    return {"clock": console.desk.hall.clock}


def queue_context(console: Console, viewer: Viewer, argument: str) -> Context:
    """`argument`: mine, or nothing for all."""
    hall = console.desk.hall
    waiting = hall.waiting()
    mine = [case for case in waiting if case.owner == viewer.name]
    chosen = mine if argument == "mine" else list(waiting)
    dealt = [case for case in hall.cases.values() if not case.waits and hall.shown(case)]
    dealt.sort(key=lambda case: (-case.rev, case.key))
    return {
        "lines": [case_line(viewer.lang, case) for case in chosen],
        "held": [held_line(hall, table) for table in hall.left_held()],
        "mine": len(mine),
        "all": len(waiting),
        "dealt": [case_line(viewer.lang, case) for case in dealt[:30]],
        "argument": argument,
    }


DETAIL_AT_MOST = 240


def alarms_context(console: Console, viewer: Viewer, argument: str) -> Context:
    """`argument`: a table, or nothing for the hall."""
    hall = console.desk.hall
    now = console.desk.now()
    alarms: tuple[Alarm, ...] = hall.alarms_of(argument) if argument else hall.standing_alarms(now)
    return {
        "alarms": [
            (alarm, alarm.state(now), sentences.fault_sentence(viewer.lang, alarm.fault)) for alarm in alarms
        ],
        "notices": [
            (item, sentences.notice_sentence(viewer.lang, item), short(item.detail, DETAIL_AT_MOST))
            for item in (hall.open_notices() if not argument else ())
        ],
    }


def session_context(console: Console, viewer: Viewer, argument: str) -> Context:
    hall, now = console.desk.hall, console.desk.now()
    paces = [table_pace(hall, table, now, viewer.lang) for table in hall.in_order() if table.epoch]
    return {"paces": paces, "delayed": delayed_tables(hall, now)}


def shift_context(console: Console, viewer: Viewer, argument: str) -> Context:
    hall, now = console.desk.hall, console.desk.now()
    waiting = hall.waiting()
    return {
        "mine": [case_line(viewer.lang, case) for case in waiting if case.owner == viewer.name],
        "unowned": sum(not case.owner for case in waiting),
        "waiting": len(waiting),
        "alarms": [
            (alarm, alarm.state(now), sentences.fault_sentence(viewer.lang, alarm.fault))
            for alarm in hall.standing_alarms(now)
        ],
        "gone": [table for table in hall.in_order() if table.stale(now)],
        "unconfirmed": sum(command.progress is Progress.UNCONFIRMED for command in hall.commands.values()),
    }


def case_of(hall: Hall, key: str) -> Case | None:
    """The case of `table/epoch/number`."""
    table, _, rest = key.partition("/")
    epoch, _, number = rest.partition("/")
    entry = whole_number(number)
    return None if entry is None else hall.cases.get((table, epoch, entry))


def system_context(console: Console, viewer: Viewer, argument: str) -> Context:
    hall = console.desk.hall
    now = console.desk.now()
    return {
        "tables": [(table, table.stale(now)) for table in hall.in_order()],
        "version": console.version,
        "venue": console.venue,
        "event": console.event,
    }
