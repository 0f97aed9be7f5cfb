"""Forms about users, and of one's own password.

* `POST /people` (chief): `name`, `role`, `password`
* `POST /people/act` (chief): `name`, `act` disable, observer, director or chief
* `POST /logins/end` (chief): `login`
* `POST /account`: `present`, `password`
* `POST /shift`: `act` start, hand_over or end; `to`, `text`
* `POST /evidence`: `table`, `entry` (`EPOCH/NUMBER`, empty: the whole table), `hands`, `reason`
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from director_console.act import Act, Unable
from director_console.projection.inputs import Step
from director_console.store import people
from director_console.store.people import PASSWORD_LEAST, PeopleError, Role
from director_console.web.fields import Field
from director_console.web.files import show_evidence
from director_console.web.numbers import whole_number
from director_console.web.pages import show_account, show_people, show_shift
from director_console.web.posting import Form, Sent, Wrong
from director_console.web.posting_again import Again


async def people_page(request: Request, again: Again) -> Response:
    return show_people(request, again)


async def account_page(request: Request, again: Again) -> Response:
    return show_account(request, again)


async def shift_page(request: Request, again: Again) -> Response:
    return show_shift(request, again)


async def evidence_page(request: Request, again: Again) -> Response:
    return show_evidence(request, again)


def add(act: Act, sent: Sent) -> str:
    values = sent.values
    if len(values.text("password")) < PASSWORD_LEAST:
        raise Wrong("password", "field.password_short", least=PASSWORD_LEAST)
    if people.taken(act.book.db, values.text("name")):
        raise Wrong("name", "field.user_exists")
    try:
        role = Role(values.text("role"))
        people.add_user(
            act.book, values.text("name"), role, values.text("password"), act.now, sent.viewer.name
        )
    except PeopleError:
        raise Wrong("name", "field.user_name") from None
    return "/people"


def change(act: Act, sent: Sent) -> str:
    name, chosen = sent.values.text("name"), sent.values.text("act")
    if name == sent.viewer.name:
        raise Unable("unable.yourself")
    try:
        if chosen == "disable":
            people.disable(act.book, name, act.now, sent.viewer.name)
        else:
            people.set_role(act.book, name, Role(chosen), act.now, sent.viewer.name)
    except PeopleError:
        raise Wrong("name", "field.no_user", name=name) from None
    return "/people"


def end(act: Act, sent: Sent) -> str:
    people.end_login(act.book, sent.values.text("login"), act.now, sent.viewer.name)
    return "/people"


def account(act: Act, sent: Sent) -> str:
    values, name = sent.values, sent.viewer.name
    if len(values.text("password")) < PASSWORD_LEAST:
        raise Wrong("password", "field.password_short", least=PASSWORD_LEAST)
    db = act.book.db
    known = people.password_of(db, name)
    ask = people.must_show_password(db, name, sent.viewer.login.id)
    if ask and not people.password_fits(known, values.text("present")):
        raise Wrong("present", "field.password_wrong")
    people.set_password(act.book, name, values.text("password"), act.now, name)
    return "/login"


def shift(act: Act, sent: Sent) -> str:
    values, by = sent.values, sent.viewer.name
    chosen, to = values.text("act"), values.text("to")
    if chosen == "hand_over":
        other = people.user(act.book.db, to) if to else None
        if other is None or other.disabled or not other.role.may(Role.DIRECTOR) or to == by:
            raise Wrong("to", "field.no_user", name=to)
        for case in act.hall.waiting():
            if case.owner == by:
                act.step(case, Step.ASSIGN, by, owner=to)
    act.book.db.execute(
        'INSERT INTO shifts (user, act, "to", text, at) VALUES (?, ?, ?, ?, ?)',
        (by, chosen, to, values.text("text"), act.now),
    )
    act.book.audit(act.now, by, f"shift {chosen}", to=to)
    return "/shift"


def export(act: Act, sent: Sent) -> str:
    values = sent.values
    table, entry = values.text("table"), values.text("entry")
    act.table(table)
    if entry:
        epoch, _, number = entry.partition("/")
        found = whole_number(number)
        if found is None:
            raise Wrong("entry", "field.required")
        act.case(table, epoch, found)
    if len(values.text("reason")) < 3:
        raise Wrong("reason", "field.reveal_reason")
    id_ = act.new_id()
    act.book.db.execute(
        "INSERT INTO exports VALUES (?, ?, ?, ?, ?, ?, ?)",
        (id_, table, entry, int(values.flag("hands")), values.text("reason"), sent.viewer.name, act.now),
    )
    act.book.audit(
        act.now,
        sent.viewer.name,
        "evidence exported",
        table=table,
        entry=entry,
        hands=int(values.flag("hands")),
        reason=values.text("reason"),
    )
    return f"/evidence/{id_}.zip"


NAME = Field(name="name", required=True, longest=40)
ROLES = tuple(role.value for role in Role)
FORMS = (
    Form(
        name="people",
        path="/people",
        role=Role.CHIEF,
        fields=(
            NAME,
            Field(name="role", required=True, options=ROLES),
            Field(name="password", required=True, longest=200, secret=True),
        ),
        do=add,
        page=people_page,
        summary="Add a user.",
    ),
    Form(
        name="people_act",
        path="/people/act",
        role=Role.CHIEF,
        fields=(NAME, Field(name="act", required=True, options=("disable", *ROLES))),
        do=change,
        page=people_page,
        summary="Disable a user or give him another role.",
    ),
    Form(
        name="login_end",
        path="/logins/end",
        role=Role.CHIEF,
        fields=(Field(name="login", required=True, longest=64),),
        do=end,
        page=people_page,
        summary="End a login.",
    ),
    Form(
        name="account",
        path="/account",
        role=Role.OBSERVER,
        fields=(
            Field(name="present", longest=200, secret=True),
            Field(name="password", required=True, longest=200, secret=True),
        ),
        do=account,
        page=account_page,
        summary="Set one's own password; all one's logins end.",
    ),
    Form(
        name="shift",
        path="/shift",
        role=Role.DIRECTOR,
        fields=(
            Field(name="act", required=True, options=("start", "hand_over", "end")),
            Field(name="to", longest=40),
            Field(name="text"),
        ),
        do=shift,
        page=shift_page,
        summary="Start, hand over or end a shift.",
    ),
    Form(
        name="evidence",
        path="/evidence",
        role=Role.DIRECTOR,
        fields=(
            Field(name="table", required=True, longest=64),
            Field(name="entry", longest=90),
            Field(name="hands", options=("1",)),
            Field(name="reason", required=True),
        ),
        do=export,
        page=evidence_page,
        summary="Export evidence of a table or a case.",
    ),
)
