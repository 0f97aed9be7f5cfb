"""Values of the shipped profiles that no other test names, each as the profile page has it.

Found by changing every value in turn: what is here is what nobody else would have noticed.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from table_controller.laws.seat import Faces, Seat
from table_controller.regulations.load import load
from table_controller.regulations.model import Movers
from table_controller.regulations.time_tables import Contest, DeductPerMinute, Unit
from tests.mutation.flips import value_of

EVERYWHERE: dict[str, object] = {
    "seats.screen_sides": Faces(),
    "tray.hold_output": "while_owed",
    "tray.movers": Movers(ne=Seat.N, sw=Seat.S),
    "tempo.may_vary": True,
}
CCBA: dict[str, object] = {
    "irregular.information": "by_responsibility",
    "irregular.attention_by": "screenmate_may_far_face_must",
    "auction.shown_before_window": True,
    "laws.code": "1997",
    "laws.revoke": "older_accounts",
    "laws.play_after_claim": "never",
}
BELOW: dict[str, object] = {
    "clock.slow_shares": "not_stated",
    "irregular.information": "laws",
    "laws.code": "2017",
    "laws.revoke": "code_2017",
    "laws.play_after_claim": "if_asked_and_all_agree",
}
"""What all the others take from the base."""
WBF: dict[str, object] = {
    "board.on_tray": "auction",
    "call.made_when": "released",
    "window.opens_on": "lead_placed",
    "window.opened_by": "west_and_south",
    "window.closed_before": "not_stated",
    "irregular.not_crossed": "put_right_before_passing",
    "irregular.crossed": "laws_screenmate_may_have_accepted",
    "irregular.returned": "laws",
    "simultaneous.course": "law_33",
    "alert.how": "not_stated",
    "explanation.how": "writing",
    "auction.cleared_after": "both_faces_seen",
    "auction.shown_before_window": True,
    "lead.out_of_turn": "laws",
    "dummy.may_point_out_exposed_card": False,
    "law13.only_if_crossed": False,
    "stop_card.use": "silent",
    "electronic_record.allowed": "silent",
}
OTHERS: dict[str, dict[str, object]] = {
    "wbf": {**BELOW, **WBF},
    "ebl-2016": {
        **BELOW,
        "auction.shown_before_window": True,
        "irregular.attention_by": "offender_or_screenmate",
    },
    "acbl": {**BELOW, "auction.shown_before_window": False, "irregular.attention_by": "not_stated"},
    "dbf": {**BELOW, "auction.shown_before_window": True, "irregular.attention_by": "not_stated"},
}
HERE = {"ccba-2006": CCBA, **OTHERS}

NUMBERS = {
    "9A2(b)(1)": "9A",
    "42B3": "42B",
    "43A1(b)": "43A",
    "16": "16B",
    "20": "20 and 41B",
    **{number: f"{number}, with 23" for number in ("26", "27", "28", "29", "30", "31", "32", "28-32")},
    "34": "17D3",
    "35": "36A, 37A, 39A",
    "40(b)": "40",
}
"""Law numbers of 1997 in the code of 2017."""


@pytest.mark.parametrize("profile", HERE)
def test_values_that_no_other_test_names(profile: str) -> None:
    for provision, value in {**EVERYWHERE, **HERE[profile]}.items():
        assert value_of(load(profile), provision) == value, provision


@pytest.mark.parametrize("profile", HERE)
def test_the_numbers_of_the_laws(profile: str) -> None:
    assert dict(load(profile).laws.numbers.value.pairs) == NUMBERS


@pytest.mark.parametrize("contest", Contest)
def test_the_boundaries_of_the_tables(contest: Contest) -> None:
    clock = load("ccba-2006").clock
    assert [row.up_to_min for row in clock.late.value.rows(contest)] == [5, 10, 15, 20, 25, None]
    assert [row.up_to_min for row in clock.slow.value.rows(contest)] == [2, 5, 10, 15, 20, 25, None]


def test_27_a_slow_knock_out_costs_an_imp_a_minute_in_every_row() -> None:
    *rows, last = load("ccba-2006").clock.slow.value.rows(Contest.TEAMS_KNOCKOUT)
    each = DeductPerMinute(amount=Decimal(1), unit=Unit.IMP, above_min=0)
    assert [row.steps for row in rows] == [(each,)] * 6
    assert last.second_reading is not None


@pytest.mark.parametrize("contest", [Contest.PAIRS_MATCHPOINTS, Contest.PAIRS_IMP])
def test_27_pairs_over_ten_minutes_are_all_treated_alike(contest: Contest) -> None:
    *_, fourth, fifth, sixth, last = load("ccba-2006").clock.slow.value.rows(contest)
    assert fourth.steps == fifth.steps == sixth.steps == last.steps
