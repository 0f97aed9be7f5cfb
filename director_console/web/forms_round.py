"""The form of the round's clock.

`POST /round`: `act` set, start, pause, change or clear; to set: `round`, `minutes`, `warnings` (minutes
before the end, as `10,5,1`); to change: `more` minutes (fewer where negative), with `why`.
"""

from __future__ import annotations

from director_console.act import Act, Unable
from director_console.projection.round_clock import (
    WARNINGS,
    ClockAct,
    ClockWrong,
    RoundClock,
    changed,
    new_clock,
    paused,
    started,
)
from director_console.store.people import Role
from director_console.store.timekeeping import set_clock
from director_console.web.fields import Field
from director_console.web.forms_session import read_list, session_page
from director_console.web.numbers import whole_number
from director_console.web.posting import Form, Sent, Wrong

MOST_MINUTES = 600
MOST_WARNINGS = 5


def round_clock(act: Act, sent: Sent) -> str:
    chosen = ClockAct(sent.values.text("act"))
    try:
        clock = _clock_after(act, sent, chosen)
    except ClockWrong as wrong:
        raise Unable(str(wrong)) from None
    why = sent.values.text("why")
    act.inputs.append(set_clock(act.book, clock, chosen, why, sent.viewer.name, act.now))
    return "/session"


def _clock_after(act: Act, sent: Sent, chosen: ClockAct) -> RoundClock | None:
    clock, values = act.hall.clock, sent.values
    match chosen:
        case ClockAct.SET:
            number, minutes = values.whole("round"), values.whole("minutes")
            if number is None:
                raise Wrong("round", "field.required")
            if minutes is None:
                raise Wrong("minutes", "field.required")
            return new_clock(number, minutes, read_warnings(values.text("warnings")))
        case ClockAct.START:
            return started(clock, act.now)
        case ClockAct.PAUSE:
            return paused(clock, act.now)
        case ClockAct.CHANGE:
            more = values.whole("more")
            if not more:
                raise Wrong("more", "field.required")
            if not values.text("why"):
                raise Wrong("why", "field.required")
            return changed(clock, more, act.now)
        case ClockAct.CLEAR:
            return None


def read_warnings(text: str) -> tuple[int, ...]:
    """`10,5,1` as minutes; what is usual where nothing was given. Raises Wrong."""
    if not text:
        return WARNINGS
    found = [whole_number(part) for part in read_list(text, "warnings")]
    if len(found) > MOST_WARNINGS or any(minutes is None or not 0 < minutes < 100 for minutes in found):
        raise Wrong("warnings", "field.warnings", most=MOST_WARNINGS)
    return tuple(minutes for minutes in found if minutes)


FORMS = (
    Form(
        name="round",
        path="/round",
        role=Role.DIRECTOR,
        fields=(
            Field(name="act", required=True, options=tuple(act.value for act in ClockAct)),
            Field(name="round", whole=(1, 99)),
            Field(name="minutes", whole=(1, MOST_MINUTES)),
            Field(name="warnings", longest=40),
            Field(name="more", whole=(-MOST_MINUTES, MOST_MINUTES)),
            Field(name="why"),
        ),
        do=round_clock,
        page=session_page,
        summary="Set, start, pause, change or take away the clock of the round.",
    ),
)
