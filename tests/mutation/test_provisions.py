"""Every provision of every profile changed in turn: somebody must notice, or it is said why nobody can.

Two questions. Does a test of the regulations (or of the values here) name the value? And does what the table
does change, so that a scenario, a wait or a list of courses comes out otherwise? Those whose change no table
can show are listed with the reason, and the list must stay minimal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import lru_cache

import pytest

from table_controller.regulations.keys import ALL
from table_controller.regulations.load import SHIPPED, load
from table_controller.regulations.model import Regulations
from tests.mutation import test_values
from tests.mutation.courses import courses
from tests.mutation.flips import Flip, flips_of, value_of
from tests.mutation.noticing import regulations_test_that_notices, scenario_that_notices
from tests.mutation.waits import WITNESSES
from tests.regulations import test_clock, test_forfeits, test_profiles

ON_THE_SHEET: dict[str, str] = {
    "window.opened_by": "whose task it is; who did open it is reported, whoever it was",
    "tempo.reference_s": "a figure beside the director's list of visits, never a report",
    "tempo.may_vary": "a lawful way of playing, so there is nothing to report",
    "explanation.how": "questions and answers are written on paper that no sensor reads",
    "dummy.may_point_out_exposed_card": "guidance beside entries about an exposed card",
    "law13.only_if_crossed": "guidance beside entries about hands and boards",
    "electronic_record.allowed": "whether the organiser may use such a table at all",
    "laws.code": "the edition an authority cites; the numbers come from the citations themselves",
    "laws.numbers": "numbers in the citations of an entry, not what is cited when",
    "laws.revoke": "guidance beside a summons",
    "laws.play_after_claim": "guidance beside a summons",
    "clock.late": "the table says which row it is, the clock's own tests what is in each",
    "clock.slow": "the table says which row it is, the clock's own tests what is in each",
    "clock.slow_shares": "answered by the clock when the director asks",
    "clock.forfeit": "answered by the clock when the director asks",
}
"""Provisions on which nothing that the core does depends: the director reads them on the sheet."""

SAME_AT_THE_TABLE: dict[str, tuple[frozenset[str], str]] = {
    "window.closed_before": (
        frozenset({"hands_out", "hands_out_one_face_at_a_time"}),
        "either way no hand comes out before the window is closed; the order of the faces has no kind",
    ),
    "alert.how": (
        frozenset({"opponent_must_be_aware", "both_faces", "card_on_screenmates_space", "not_stated"}),
        "only an alert card that is taken back on acknowledgement can be taken back at once",
    ),
    "auction.cleared_after": (
        frozenset({"both_faces_seen", "tray_back_with_final_passes"}),
        "a tray that goes back with the final passes is what both faces have seen",
    ),
}
"""Answers in different words which the core need not tell apart."""

PINS = (test_profiles, test_clock, test_forfeits, test_values)

Pair = tuple[str, frozenset[str]]
"""A provision, and the two answers between which a flip goes."""


def pair_of(flip: Flip) -> Pair:
    was = value_of(load(flip.profile), flip.provision)
    return flip.provision, frozenset({str(was), str(flip.value)})


def is_listed(pair: Pair) -> bool:
    provision, answers = pair
    return provision in ON_THE_SHEET or answers <= SAME_AT_THE_TABLE.get(provision, (frozenset(), ""))[0]


@lru_cache(maxsize=1)
def flips() -> tuple[Flip, ...]:
    return tuple(flip for profile in SHIPPED for flip in flips_of(profile, load(profile)))


def witnesses_that_notice(flip: Flip) -> Iterator[str]:
    """The waits are the base's, so they are tried once, under the default; courses under each profile."""
    changed = flip.of(load(flip.profile))
    for witness in WITNESSES.get(flip.provision, ()):
        if flip.profile == SHIPPED[0] and _fails(witness, changed):
            yield witness.__name__
    if flip.provision.startswith("irregular.") and _fails(courses, changed):
        yield courses.__name__


def _fails(witness: Callable[[Regulations], None], regulations: Regulations) -> bool:
    try:
        witness(regulations)
    except Exception:
        return True
    return False


def noticed_at_the_table(flip: Flip) -> str | None:
    found = next(witnesses_that_notice(flip), None)
    return found or scenario_that_notices(flip)


def test_the_witnesses_find_nothing_wrong_with_the_shipped_profiles() -> None:
    for witnesses in WITNESSES.values():
        for witness in witnesses:
            witness(load())
    for profile in SHIPPED:
        courses(load(profile))


@pytest.mark.parametrize("provision", [name for name in ALL if name not in ON_THE_SHEET])
def test_the_table_shows_every_change_that_it_can(provision: str) -> None:
    """For each two answers some profile, changed from one to the other, has a scenario or witness fail."""
    waiting: dict[Pair, list[Flip]] = {}
    for flip in flips():
        if flip.provision == provision and not is_listed(pair_of(flip)):
            waiting.setdefault(pair_of(flip), []).append(flip)
    assert waiting
    unseen = [pair for pair, ways in waiting.items() if not any(map(noticed_at_the_table, ways))]
    assert not unseen, "nobody notices: add a scenario, or say in a list why no table can show it"


@pytest.mark.parametrize("profile", SHIPPED)
def test_every_value_of_a_profile_is_named_by_a_test(profile: str) -> None:
    own = [flip for flip in flips() if flip.profile == profile and not flip.provision.startswith("clock.")]
    unseen = [str(flip) for flip in own if regulations_test_that_notices(flip, PINS) is None]
    assert not unseen


@pytest.mark.long
def test_every_figure_of_the_tables_of_times_is_named_by_a_test() -> None:
    own = [flip for flip in flips() if flip.provision.startswith("clock.")]
    unseen = [str(flip) for flip in own if regulations_test_that_notices(flip, PINS) is None]
    assert not unseen


@pytest.mark.long
def test_the_lists_are_minimal() -> None:
    """What they call invisible is: no scenario under any profile comes out otherwise."""
    seen = [
        f"{flip}: {found}"
        for flip in flips()
        if is_listed(pair_of(flip)) and not flip.provision.startswith("clock.")
        if (found := noticed_at_the_table(flip)) is not None
    ]
    assert not seen, "the table shows it: take it off the list"


def test_the_lists_name_provisions_and_answers_there_are() -> None:
    assert set(ON_THE_SHEET) | set(SAME_AT_THE_TABLE) <= set(ALL)
    assert not set(ON_THE_SHEET) & set(SAME_AT_THE_TABLE)
    for provision, (answers, _) in SAME_AT_THE_TABLE.items():
        value = value_of(load(), provision)
        assert isinstance(value, StrEnum)
        assert answers <= {str(member) for member in type(value)}
