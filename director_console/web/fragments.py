"""The parts of pages that change while one looks: each has a key, a template and a context.

The server draws them, also for the first paint, so that there is one drawing of each thing. A drawing is kept
until its revision changes and shared by everybody who sees it the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from director_console.projection.hall import Hall
from director_console.store.people import Role
from director_console.web.contexts import (
    alarms_context,
    links_context,
    queue_context,
    round_context,
    session_context,
    shift_context,
    strip_context,
    system_context,
    tile_context,
)
from director_console.web.contexts_table import (
    auction_context,
    case_context,
    commands_context,
    log_context,
    table_context,
    tempo_context,
)
from director_console.web.contexts_time import boards_context, evening_context, time_context
from director_console.web.helpers import helpers
from director_console.web.state import Console
from director_console.web.templating import environment, seal_forms
from director_console.web.viewer import Viewer

Context = Callable[[Console, Viewer, str], Mapping[str, object] | None]
"""What the template needs; None where there is no such thing (any more)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """`rev`: the hall's revision at which it last changed, None where only the drawing itself can tell."""

    template: str
    context: Context
    rev: Callable[[Hall, str], int | None]
    shared: bool = False
    """Whether everybody of one language and role sees the same."""


def _of_table(hall: Hall, argument: str) -> int | None:
    table = hall.tables.get(argument.split("|")[0])
    return None if table is None else table.rev


def _of_case(hall: Hall, argument: str) -> int | None:
    return _of_table(hall, argument.split("/")[0])


def _untold(hall: Hall, argument: str) -> int | None:
    return None


FRAGMENTS: dict[str, Fragment] = {
    "tile": Fragment(template="fragments/tile.html", context=tile_context, rev=_of_table, shared=True),
    "strip": Fragment(template="fragments/strip.html", context=strip_context, rev=_untold),
    "round": Fragment(template="fragments/round.html", context=round_context, rev=_untold),
    "clock": Fragment(template="fragments/clock.html", context=round_context, rev=_untold),
    "links": Fragment(template="fragments/links.html", context=links_context, rev=_untold),
    "queue": Fragment(template="fragments/queue.html", context=queue_context, rev=_untold),
    "alarms": Fragment(template="fragments/alarms.html", context=alarms_context, rev=_untold),
    "table": Fragment(template="fragments/table.html", context=table_context, rev=_of_table),
    "auction": Fragment(
        template="fragments/auction.html", context=auction_context, rev=_of_table, shared=True
    ),
    "tempo": Fragment(template="fragments/tempo.html", context=tempo_context, rev=_of_table),
    "log": Fragment(template="fragments/log.html", context=log_context, rev=_of_table),
    "case": Fragment(template="fragments/case.html", context=case_context, rev=_of_case),
    "commands": Fragment(template="fragments/commands.html", context=commands_context, rev=_of_case),
    "session": Fragment(template="fragments/session.html", context=session_context, rev=_untold),
    "time": Fragment(template="fragments/time.html", context=time_context, rev=_untold),
    "boards": Fragment(template="fragments/boards.html", context=boards_context, rev=_of_table),
    "evening": Fragment(template="fragments/evening.html", context=evening_context, rev=_of_table),
    "shift": Fragment(template="fragments/shift.html", context=shift_context, rev=_untold),
    "system": Fragment(template="fragments/system.html", context=system_context, rev=_untold),
}
KEPT_AT_MOST = 4000
_kept: dict[tuple[str, str, str], tuple[int, str]] = {}


def fragment_html(console: Console, viewer: Viewer, key: str) -> str:
    """The fragment, with this viewer's tokens. Empty where there is no such thing."""
    html = unsealed(console, viewer, key)
    return seal_forms(html, viewer.login.csrf, console.desk.now()) if html else ""


def unsealed(console: Console, viewer: Viewer, key: str) -> str:
    """The fragment before tokens are put in: what can be compared and kept."""
    name, _, argument = key.partition(":")
    fragment = FRAGMENTS.get(name)
    if fragment is None:
        return ""
    rev = fragment.rev(console.desk.hall, argument)
    kept_as = (key, viewer.lang, viewer.role.value)
    if fragment.shared and rev is not None:
        known = _kept.get(kept_as)
        if known is not None and known[0] == rev:
            return known[1]
    context = fragment.context(console, viewer, argument)
    if context is None:
        return ""

    html = (
        environment()
        .get_template(fragment.template)
        .render(
            {
                **helpers(viewer.lang),
                "viewer": viewer,
                "Role": Role,
                "now": console.desk.now(),
                "key": key,
                **context,
            }
        )
    )
    if fragment.shared and rev is not None:
        if len(_kept) > KEPT_AT_MOST:
            _kept.clear()
        _kept[kept_as] = (rev, html)
    return html


def changed_since(hall: Hall, key: str, since: int) -> bool:
    """Whether it may have changed after this revision; always, where only its drawing can tell."""
    name, _, argument = key.partition(":")
    fragment = FRAGMENTS.get(name)
    if fragment is None:
        return False
    rev = fragment.rev(hall, argument)
    return rev is None or rev > since
