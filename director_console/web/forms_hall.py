"""Forms about alarms, notices and the viewer's own manner.

* `POST /alarms/{table}/{epoch}/{fault}`: `act` acknowledge, shelve, unshelve, out_of_service or in_service;
  `minutes` (to shelve), `text`, `next`
* `POST /notices/{notice}`: nothing more
* `POST /manner`: `lang`, `theme`, `next`
* `POST /logout`: nothing more
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from director_console.act import Act, Unable
from director_console.projection.inputs import AlarmAct
from director_console.store.acts import acknowledge_notice
from director_console.store.people import Role, end_login, set_manner
from director_console.web.fields import Field
from director_console.web.i18n import LANGUAGES
from director_console.web.pages import show_system
from director_console.web.posting import Form, Sent, Wrong
from director_console.web.posting_again import Again
from director_console.web.viewer import THEMES
from table_controller.messages.topics import Verb

MINUTE_MS = 60_000


async def back_to_system(request: Request, again: Again) -> Response:
    return show_system(request, again)


def alarm(act: Act, sent: Sent) -> str:
    table, epoch, fault = sent.path["table"], sent.path["epoch"], int(sent.path["fault"])
    chosen = AlarmAct(sent.values.text("act"))
    minutes = sent.values.whole("minutes")
    if chosen is AlarmAct.SHELVE and minutes is None:
        raise Wrong("minutes", "field.required")
    if chosen in (AlarmAct.OUT_OF_SERVICE, AlarmAct.IN_SERVICE) and not sent.viewer.may(Role.CHIEF):
        raise Unable("guard.not_allowed")
    until = None if minutes is None else act.now + minutes * MINUTE_MS
    act.alarm(table, epoch, fault, chosen, sent.viewer.name, until=until, text=sent.values.text("text"))
    if chosen is AlarmAct.ACKNOWLEDGE and act.table(table).epoch == epoch:
        act.command(act.table(table), Verb.ACKNOWLEDGE, {"faults": [fault]}, sent.viewer.name)
    return sent.values.text("next") if sent.values.text("next").startswith("/tables/") else "/system"


def notice(act: Act, sent: Sent) -> str:
    done = acknowledge_notice(act.book, int(sent.path["notice"]), sent.viewer.name, act.now)
    if done is None:
        raise Unable("unable.no_notice")
    act.inputs.append(done)
    return "/system"


def manner(act: Act, sent: Sent) -> str:
    login = sent.viewer.login
    set_manner(
        act.book, login.id, sent.values.text("lang") or login.lang, sent.values.text("theme") or login.theme
    )
    asked = sent.values.text("next")
    return asked if asked.startswith("/") and not asked.startswith(("//", "/\\")) else "/"


def logout(act: Act, sent: Sent) -> str:
    end_login(act.book, sent.viewer.login.id, act.now, sent.viewer.name)
    return "/login"


async def to_wall(request: Request, again: Again) -> Response:
    return RedirectResponse("/", 303)


FORMS = (
    Form(
        name="alarm",
        path="/alarms/{table}/{epoch}/{fault:int}",
        role=Role.DIRECTOR,
        fields=(
            Field(name="act", required=True, options=tuple(act.value for act in AlarmAct)),
            Field(name="minutes", whole=(1, 720)),
            Field(name="text"),
            Field(name="next", longest=80),
        ),
        do=alarm,
        page=back_to_system,
        summary="Acknowledge or shelve a fault alarm, or take it out of service.",
    ),
    Form(
        name="notice",
        path="/notices/{notice:int}",
        role=Role.DIRECTOR,
        fields=(),
        do=notice,
        page=back_to_system,
        summary="Acknowledge what the console says of reports it could not take.",
    ),
    Form(
        name="manner",
        path="/manner",
        role=Role.OBSERVER,
        fields=(
            Field(name="lang", options=tuple(LANGUAGES)),
            Field(name="theme", options=THEMES),
            Field(name="next", longest=200),
        ),
        do=manner,
        page=to_wall,
        summary="Language and light or dark of this login.",
    ),
    Form(
        name="logout",
        path="/logout",
        role=Role.OBSERVER,
        fields=(),
        do=logout,
        page=to_wall,
        summary="End this login.",
    ),
)
