"""Fields of forms: what directors type is understood, what cannot be is said in one sentence."""

from __future__ import annotations

import pytest

from director_console.web.fields import Bad, Field, read_auction, read_call
from director_console.web.forms_session import read_lineup, read_list, read_pairs
from director_console.web.posting import Wrong
from table_controller.laws.seat import Seat

CALLS = [
    ("1c", "1C"),
    ("7NT", "7NT"),
    ("3n", "3NT"),
    ("2♥", "2H"),
    ("pass", "P"),
    ("p", "P"),
    ("-", "P"),
    ("x", "X"),
    ("dbl", "X"),
    ("XX", "XX"),
    ("不叫", "P"),
    ("再加倍", "XX"),
    ("1无将", "1NT"),
]


@pytest.mark.parametrize(("typed", "call"), CALLS)
def test_a_call_as_directors_type_it(typed: str, call: str) -> None:
    assert str(read_call(typed)) == call


@pytest.mark.parametrize("typed", ["8C", "1Z", "0NT", "NT", "1", "", "<b>", "1CC"])
def test_what_is_no_call_is_said(typed: str) -> None:
    with pytest.raises(Bad) as bad:
        read_call(typed)
    assert bad.value.key == "field.call"


def test_an_auction_goes_on_in_rotation_and_a_named_seat_calls_out_of_it() -> None:
    calls = read_auction("1C, p 1h; X\nN:2c P", Seat.S)
    assert [(seat.value, str(call)) for seat, call in calls] == [
        ("S", "1C"),
        ("W", "P"),
        ("N", "1H"),
        ("E", "X"),
        ("N", "2C"),
        ("E", "P"),
    ]


REFUSED = [
    (Field(name="a", required=True), ["  "], "field.required"),
    (Field(name="a"), ["x", "y"], "field.once"),
    (Field(name="a", longest=3), ["abcd"], "field.too_long"),
    (Field(name="a"), ["a\x00b"], "field.odd_characters"),
    (Field(name="a"), ["a\x1b[31m"], "field.odd_characters"),
    (Field(name="a"), ["\ud800"], "field.odd_characters"),
    (Field(name="a", options=("x",)), ["y"], "field.choose"),
    (Field(name="a", whole=(1, 9)), ["10"], "field.whole"),
    (Field(name="a", whole=(1, 9)), ["1e3"], "field.whole"),
    (Field(name="a", whole=(1, 9)), ["٣"], "field.whole"),
    (Field(name="a", whole=(1, 9)), ["9" * 50], "field.whole"),
]


@pytest.mark.parametrize(("field", "given", "key"), REFUSED, ids=lambda value: str(value)[:40])
def test_a_field_says_what_it_wants(field: Field, given: list[str], key: str) -> None:
    with pytest.raises(Bad) as bad:
        field.read(given)
    assert bad.value.key == key


def test_texts_keep_their_lines_tabs_and_any_script() -> None:
    assert Field(name="a").read([" 一\n\t二 🂡 "]) == ("一\n\t二 🂡",)


def test_unseen_characters_that_turn_a_text_around_are_taken_out() -> None:
    turned = "stands\u202e.dellecnac si llac ehT\u2066\u200f\x85\ufeff"
    assert Field(name="a").read([turned]) == ("stands.dellecnac si llac ehT",)
    assert Field(name="a", secret=True).read(["a\u202eb"]) == ("a\u202eb",)
    with pytest.raises(Bad):
        Field(name="a", required=True).read(["\u202e \u200b"])


def test_lists_of_boards_and_tables() -> None:
    assert read_list("1-3, 7 open-2，9", "boards") == ("1", "2", "3", "7", "open-2", "9")
    for bad in ("3-1", "1-9999", "a b/c", "0-4"):
        with pytest.raises(Wrong):
            read_list(bad, "boards")


def test_pairs_that_have_waived_alerts_are_ns_and_ew_only() -> None:
    assert read_pairs("ns, EW ns") == ("NS", "EW")
    assert read_pairs("") == ()
    with pytest.raises(Wrong) as wrong:
        read_pairs("NS zzz")
    assert (wrong.value.field, wrong.value.bad.key) == ("waived", "field.pairs")


def test_a_lineup_is_a_line_a_table() -> None:
    assert read_lineup("7: n1 e1 s1 w1\n\n9：a b c d", {"7", "9"}) == {
        "7": {"N": "n1", "E": "e1", "S": "s1", "W": "w1"},
        "9": {"N": "a", "E": "b", "S": "c", "W": "d"},
    }
    for bad in ("7: n1 e1 s1", "8: a b c d", "7: a b c d/e"):
        with pytest.raises(Wrong):
            read_lineup(bad, {"7"})
