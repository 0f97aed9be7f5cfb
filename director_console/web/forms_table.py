"""Forms that tell a table something: hold, resume, tray, window, corrections; and reveal, which only the
console keeps.

All are `POST /tables/{table}/...` with `csrf` and `key`; `entry` names the case it was done from, so that
the page goes back there and the command is shown with it (`EPOCH/NUMBER`), and `why` is the director's
reason.

| path        | fields                                                                          |
|-------------|---------------------------------------------------------------------------------|
| `hold`      |                                                                                 |
| `resume`    | `reasons` (may come several times; none: all holds end)                          |
| `tray-back` |                                                                                 |
| `window`    | `to` open or close; `expect_rev` the table's revision the director looked at     |
| `correct`   | `what` call, auction, board, dealer, vulnerability, contract, leader or phase, and: |
|             | `index` and `call` (empty: there was none); `calls` and `dealer`; `number`, `dealer`, |
|             | `vulnerability`; `bid` (empty: passed out), `doubled`, `declarer`; `seat`; `phase` |
| `reveal`    | `reason`                                                                        |
| `replay`    |                                                                                 |
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from director_console.act import Act, Unable
from director_console.projection.hall import TableNow
from director_console.store.people import Role
from director_console.web.corrections import FIELDS as CORRECTIONS, correction_of
from director_console.web.fields import Field
from director_console.web.numbers import whole_number
from director_console.web.pages import show_case, show_table
from director_console.web.posting import Do, Form, Sent, Wrong
from director_console.web.posting_again import Again
from table_controller.messages.codec import Json
from table_controller.messages.topics import Verb

PATH = "/tables/{table}"
WHY = Field(name="why")
ENTRY = Field(name="entry", longest=90)


async def table_page(request: Request, again: Again) -> Response:
    entry = "".join(again.given.get("entry", ()))
    if entry.count("/") == 1 and whole_number(entry.split("/")[1]) is not None:
        return show_case(request, again, case=f"{request.path_params['table']}/{entry}")
    return show_table(request, again)


def table_of(act: Act, sent: Sent) -> TableNow:
    return act.table(sent.path["table"])


def case_number(table: TableNow, sent: Sent) -> int | None:
    """The case this was done from, if it is one of the table's present journal."""
    epoch, _, number = sent.values.text("entry").partition("/")
    return whole_number(number) if epoch == table.epoch else None


def back(table: TableNow, sent: Sent) -> str:
    entry = sent.values.text("entry")
    return f"/cases/{table.name}/{entry}" if case_number(table, sent) is not None else f"/tables/{table.name}"


def order(act: Act, sent: Sent, verb: Verb, args: dict[str, Json], summary: str) -> str:
    table = table_of(act, sent)
    rev = sent.values.whole("expect_rev")
    act.command(
        table,
        verb,
        {**args, "why": sent.values.text("why")},
        sent.viewer.name,
        summary=summary,
        entry=case_number(table, sent),
        expect_rev=rev,
    )
    return back(table, sent)


def hold(act: Act, sent: Sent) -> str:
    return order(act, sent, Verb.HOLD, {}, "order.hold")


def resume(act: Act, sent: Sent) -> str:
    return order(act, sent, Verb.RESUME, {"reasons": list(sent.values.all("reasons"))}, "order.resume")


def tray_back(act: Act, sent: Sent) -> str:
    return order(act, sent, Verb.TRAY_BACK, {}, "order.tray_back")


def window(act: Act, sent: Sent) -> str:
    if sent.values.text("to") == "open":
        return order(act, sent, Verb.OPEN_WINDOW, {}, "order.open_window")
    return order(act, sent, Verb.CLOSE_WINDOW, {}, "order.close_window")


def correct(act: Act, sent: Sent) -> str:
    table = table_of(act, sent)
    correction = correction_of(sent.values, table)
    what = sent.values.text("what")
    return order(act, sent, Verb.CORRECT, {"correction": correction}, f"order.correct_{what}")


def replay(act: Act, sent: Sent) -> str:
    table = table_of(act, sent)
    last = max(table.last_seq, table.highest)
    if last < 1:
        raise Unable("unable.not_reported", table=table.name)
    args: dict[str, Json] = {"epoch": table.epoch, "first": 1, "last": last}
    act.command(table, Verb.REPLAY, args, sent.viewer.name)
    return "/system"


def reveal(act: Act, sent: Sent) -> str:
    table = table_of(act, sent)
    if len(sent.values.text("reason")) < 3:
        raise Wrong("reason", "field.reveal_reason")
    login = sent.viewer.login.id
    act.book.db.execute(
        'INSERT INTO reveals (user, login, "table", epoch, board, reason, at) VALUES (?,?,?,?,?,?,?)',
        (
            sent.viewer.name,
            login,
            table.name,
            table.epoch,
            str(table.board),
            sent.values.text("reason"),
            act.now,
        ),
    )
    act.book.audit(
        act.now,
        sent.viewer.name,
        "revealed",
        table=table.name,
        board=table.board,
        reason=sent.values.text("reason"),
    )
    return back(table, sent)


def _form(name: str, do: Do, summary: str, *fields: Field, role: Role = Role.DIRECTOR) -> Form:
    return Form(
        name=name,
        path=f"{PATH}/{name}",
        role=role,
        fields=(WHY, ENTRY, *fields),
        do=do,
        page=table_page,
        summary=summary,
    )


REV = Field(name="expect_rev", whole=(0, 999_999_999))
FORMS = (
    _form("hold", hold, "Hold the table."),
    _form("resume", resume, "End holds.", Field(name="reasons", many=True, longest=80), REV),
    _form("tray-back", tray_back, "Let the tray go back to the other face.", REV),
    _form(
        "window",
        window,
        "Open or close the window.",
        Field(name="to", required=True, options=("open", "close")),
        REV,
    ),
    _form("correct", correct, "Correct what the table believes.", *CORRECTIONS),
    _form("replay", replay, "Ask the table for everything again.", role=Role.CHIEF),
    _form(
        "reveal",
        reveal,
        "See tempo and hands of this board, with a reason.",
        Field(name="reason", required=True),
    ),
)
