"""What the fragments of one table and of one case need, from the hall and the journal. No markup here."""

from __future__ import annotations

from dataclasses import dataclass

from director_console.projection.case import Case
from director_console.projection.hall import TableNow
from director_console.projection.inputs import CommandSeen, Progress, ViewSeen
from director_console.projection.tempo import chart_of
from director_console.reading import inputs_of_stored
from director_console.store import reports
from director_console.web import lines, sentences
from director_console.web.contexts import Context, auction_rows, badge_of, case_line, case_of
from director_console.web.drawing import Drawing, drawing_of
from director_console.web.state import Console
from director_console.web.viewer import Viewer
from table_controller.screen.effects import TableView
from table_controller.screen.events import Subject

RAISED_ON_SAME_FACE = "TEMPO_RAISED_ON_SAME_FACE"
LOG_AT_MOST = 80
COMMANDS_SHOWN = 6


def table_context(console: Console, viewer: Viewer, argument: str) -> Context:
    """`argument`: the table, and after a bar `now` where it stands beside what was: small and named so."""
    hall = console.desk.hall
    name, _, manner = argument.partition("|")
    table = hall.tables.get(name)
    if table is None:
        return None
    cases = [case for case in hall.cases_of(name) if hall.shown(case)]
    return {
        "table": table,
        "now_beside": manner == "now",
        "badge": badge_of(hall, table, console.desk.now()),
        "phase": sentences.phase_name(viewer.lang, table.phase) if table.phase else "",
        "drawing": drawing_of(table),
        "waiting": [case_line(viewer.lang, case) for case in cases if case.waits],
        "other": [case_line(viewer.lang, case) for case in cases if not case.waits][:12],
        "calls": auction_rows(table),
        "off": () if table.view is None else table.view.off,
    }


def auction_context(console: Console, viewer: Viewer, argument: str) -> Context:
    table = console.desk.hall.tables.get(argument)
    return None if table is None else {"table": table, "calls": auction_rows(table)}


def tempo_context(console: Console, viewer: Viewer, argument: str) -> Context:
    table = console.desk.hall.tables.get(argument)
    if table is None:
        return None
    revealed = console.revealed(viewer.login, table)
    visits = lines.visits_of(console.reader, table) if revealed else []
    return {
        "table": table,
        "revealed": revealed,
        "chart": chart_of(visits, console.reference) if revealed else None,
    }


def log_context(console: Console, viewer: Viewer, argument: str) -> Context:
    table = console.desk.hall.tables.get(argument)
    if table is None:
        return None
    rows = reports.read(console.reader, table.name, table.epoch, newest=LOG_AT_MOST)
    hands = console.revealed(viewer.login, table)
    first = rows[0].seq if rows else 1
    missing = reports.gaps(console.reader, table.name, table.epoch, max(table.last_seq, table.highest))
    return {
        "table": table,
        "rows": lines.log_lines(viewer.lang, rows, [gap for gap in missing if gap[1] >= first], hands=hands),
        "hands": hands,
    }


def case_context(console: Console, viewer: Viewer, argument: str) -> Context:
    case = case_of(console.desk.hall, argument)
    if case is None:
        return None
    table = console.desk.hall.tables.get(case.table)
    return {
        "case": case,
        "table": table,
        "line": case_line(viewer.lang, case),
        "facts": lines.fact_lines(viewer.lang, case),
        "courses": [sentences.course_text(viewer.lang, key) for key in case.entry.course],
        "articles": sentences.articles(viewer.lang, case.entry),
        "guidance": sentences.guidance(viewer.lang, case.entry, console.regulations),
        "history": lines.history_of(viewer.lang, case),
        "entitled": entitled(case),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Then:
    """The table as it was when a case arose."""

    view: TableView
    drawing: Drawing
    calls: list[list[object]]


def then_of(console: Console, case: Case) -> Then | None:
    """From the last view before the entry; None where none is here."""
    first = case.amendments[0].seq
    rows = reports.read(console.reader, case.table, case.epoch, what=("view",), last=first, newest=1)
    for row in rows:
        for item in inputs_of_stored(row):
            if isinstance(item, ViewSeen):
                before = TableNow(name=case.table, rev=0, view=item.view)
                return Then(view=item.view, drawing=drawing_of(before), calls=auction_rows(before))
    return None


def entitled(case: Case) -> bool | None:
    """For a summons about tempo, whether it came from one who may raise it; None for anything else."""
    facts = {fact.name: fact.text for fact in case.entry.facts}
    if not case.is_summons or facts.get("subject") != Subject.TEMPO or "about" not in facts:
        return None
    return RAISED_ON_SAME_FACE not in facts


def commands_context(console: Console, viewer: Viewer, argument: str) -> Context:
    """`argument`: `case` or `table`, a colon, and which. What was sent and how far it has come, newest
    first.
    """
    hall = console.desk.hall
    case = case_of(hall, argument)
    found: list[CommandSeen]
    if case is not None:
        found = list(case.commands)
    else:
        found = [command for command in hall.commands.values() if command.table == argument]
    found = [command for command in found if command.verb != "replay"]
    found.sort(key=lambda command: (-command.at, command.id))
    return {"commands": found[:COMMANDS_SHOWN], "Progress": Progress}
