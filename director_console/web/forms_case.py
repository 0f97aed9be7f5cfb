"""Forms of a case: rule, take and hand over, misreading, what a summons was about.

All are `POST /cases/{table}/{epoch}/{entry}/...` with `csrf` and `key`:

| path         | fields                                                                                |
|--------------|---------------------------------------------------------------------------------------|
| `rule`       | `verdict` accept, cancel, oblige or other; `text`; with oblige `seat` and `turns`;     |
|              | `resume`: the holds that end with it, with spaces between                              |
| `step`       | `step` take, assign, at_table, acknowledge, review, close or reopen; `owner`, `text`   |
| `misreading` | `text`                                                                                |
| `classify`   | `subject` tempo, call, tray, alert, lead or other; `about` a seat                      |

A ruling is a row here before it is a command. A table that has begun a new journal since, or has been told of
an earlier ruling on the entry, is not told: the ruling is kept for the record.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from director_console.act import Act, Unable
from director_console.projection.case import Case
from director_console.projection.inputs import Step
from director_console.store.people import Role, user
from director_console.web.fields import SEATS, Field
from director_console.web.held import ends_with
from director_console.web.pages import show_case
from director_console.web.posting import Form, Sent, Wrong
from director_console.web.posting_again import Again
from table_controller.messages.codec import Json
from table_controller.messages.topics import Verb
from table_controller.screen.events import Subject, Verdict

PATH = "/cases/{table}/{epoch}/{entry:int}"
SEEN = (Step.ACKNOWLEDGE, Step.TAKE, Step.AT_TABLE)


async def case_page(request: Request, again: Again) -> Response:
    return show_case(request, again)


def case_of(act: Act, sent: Sent) -> Case:
    return act.case(sent.path["table"], sent.path["epoch"], int(sent.path["entry"]))


def here(case: Case) -> str:
    return f"/cases/{case.key}"


def current(act: Act, case: Case) -> bool:
    """Whether the table still writes the journal this case is from."""
    return act.table(case.table).epoch == case.epoch


def rule(act: Act, sent: Sent) -> str:
    case, values = case_of(act, sent), sent.values
    verdict, seat = values.text("verdict"), values.text("seat")
    if verdict == Verdict.OBLIGE and not seat:
        raise Wrong("seat", "field.seat_needed")
    if verdict == Verdict.OTHER and not values.text("text"):
        raise Wrong("text", "field.ruling_text")
    args: dict[str, Json] = {
        "entries": [case.entry.id],
        "verdict": verdict,
        "text": values.text("text"),
        "seat": seat or None if verdict == Verdict.OBLIGE else None,
        "turns": values.whole("turns") if verdict == Verdict.OBLIGE else None,
    }
    command = ""
    if current(act, case) and case.entry.standing.waits:
        table = act.table(case.table)
        command = act.command(
            table, Verb.RULING, args, sent.viewer.name, summary=f"verdict.{verdict}", entry=case.entry.id
        )
    act.rule(case, verdict, values.text("text"), sent.viewer.name, command)
    _let_go_on(act, case, values.text("resume").split(), sent.viewer.name)
    return here(case)


def _let_go_on(act: Act, case: Case, wanted: Sequence[str], by: str) -> None:
    """End the holds the form named, as far as they still stand; the table has the ruling before."""
    table = act.table(case.table)
    reasons: list[Json] = [reason for reason in ends_with(table, case) if reason in wanted]
    if reasons:
        args: dict[str, Json] = {"reasons": reasons, "why": ""}
        act.command(table, Verb.RESUME, args, by, summary="order.resume", entry=case.entry.id)


def step(act: Act, sent: Sent) -> str:
    case, values, by = case_of(act, sent), sent.values, sent.viewer.name
    chosen = Step(values.text("step"))
    owner = values.text("owner")
    if chosen is Step.ASSIGN:
        known = user(act.book.db, owner) if owner else None
        if known is None or known.disabled:
            raise Wrong("owner", "field.no_user", name=owner)
    elif chosen is Step.TAKE:
        owner = by
    if chosen is Step.CLOSE and not values.text("text") and not case.rulings:
        raise Wrong("text", "field.close_reason")
    if chosen in SEEN and case.acknowledged is None and current(act, case):
        args: dict[str, Json] = {"entries": [case.entry.id]}
        act.command(act.table(case.table), Verb.ACKNOWLEDGE, args, by, entry=case.entry.id)
    act.step(case, chosen, by, owner=owner, text=values.text("text"))
    return _back(values.text("next"), here(case))


def _back(asked: str, otherwise: str) -> str:
    """Where the form was, if it is a page of ours."""
    return asked if asked in ("/", "/queue") or asked.startswith("/tables/") else otherwise


def misreading(act: Act, sent: Sent) -> str:
    case = case_of(act, sent)
    if not current(act, case):
        raise Unable("unable.old_journal", table=case.table)
    args: dict[str, Json] = {
        "correction": {"what": "entry", "entry": case.entry.id},
        "why": sent.values.text("text"),
    }
    act.command(
        act.table(case.table),
        Verb.CORRECT,
        args,
        sent.viewer.name,
        summary="order.misreading",
        entry=case.entry.id,
    )
    return here(case)


def classify(act: Act, sent: Sent) -> str:
    case, values = case_of(act, sent), sent.values
    if not case.is_summons:
        raise Unable("unable.no_summons")
    if values.text("subject") == Subject.TEMPO and not values.text("about"):
        raise Wrong("about", "field.about_needed")
    args: dict[str, Json] = {
        "entry": case.entry.id,
        "subject": values.text("subject"),
        "about": values.text("about") or None,
    }
    act.command(
        act.table(case.table),
        Verb.CLASSIFY,
        args,
        sent.viewer.name,
        summary="order.classify",
        entry=case.entry.id,
    )
    return here(case)


FORMS = (
    Form(
        name="rule",
        path=f"{PATH}/rule",
        role=Role.DIRECTOR,
        fields=(
            Field(name="verdict", required=True, options=tuple(verdict.value for verdict in Verdict)),
            Field(name="text"),
            Field(name="seat", options=SEATS),
            Field(name="turns", whole=(1, 99)),
            Field(name="resume", longest=80),
        ),
        do=rule,
        page=case_page,
        summary="Rule on a case; a further ruling is a new version.",
    ),
    Form(
        name="step",
        path=f"{PATH}/step",
        role=Role.DIRECTOR,
        fields=(
            Field(name="step", required=True, options=tuple(step.value for step in Step)),
            Field(name="owner", longest=40),
            Field(name="text"),
            Field(name="next", longest=80),
        ),
        do=step,
        page=case_page,
        summary="Take, assign, acknowledge, review, close or reopen a case.",
    ),
    Form(
        name="misreading",
        path=f"{PATH}/misreading",
        role=Role.DIRECTOR,
        fields=(Field(name="text", required=True),),
        do=misreading,
        page=case_page,
        summary="Close a case as a misreading of the sensors.",
    ),
    Form(
        name="classify",
        path=f"{PATH}/classify",
        role=Role.DIRECTOR,
        fields=(
            Field(name="subject", required=True, options=tuple(subject.value for subject in Subject)),
            Field(name="about", options=SEATS),
        ),
        do=classify,
        page=case_page,
        summary="Say what a summons was about.",
    ),
)
