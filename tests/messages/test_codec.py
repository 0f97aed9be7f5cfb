"""Core values survive being written, and nothing that is not one is read as one."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings, strategies as st

from table_controller.laws.call import PASS, parse_call
from table_controller.laws.seat import Seat
from table_controller.messages import codec
from table_controller.messages.codec import CodecError, Json
from table_controller.screen.entry import Entry, Fault, Kind, Level, Visit
from table_controller.screen.events import CallMade, Corrected, CorrectedCall, EventsLost, Held
from tests.messages.values import EFFECT_TYPES, EVENT_TYPES

WIRE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def through_text(value: object) -> Json:
    read: Json = json.loads(json.dumps(codec.to_json(value)))
    return read


@pytest.mark.parametrize("kind", EVENT_TYPES, ids=lambda kind: kind.__name__)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_event_comes_back_as_it_was_written(kind, data):
    event = data.draw(st.from_type(kind))
    assert codec.event_from_json(through_text(event)) == event


@pytest.mark.parametrize("kind", EFFECT_TYPES, ids=lambda kind: kind.__name__)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_effect_comes_back_as_it_was_written(kind, data):
    effect = data.draw(st.from_type(kind))
    assert codec.effect_from_json(through_text(effect)) == effect


@pytest.mark.parametrize("kind", [Entry, Fault, Visit])
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_every_record_comes_back_as_it_was_written(kind, data):
    record = data.draw(st.from_type(kind))
    assert codec.from_json(kind, through_text(record)) == record


def test_what_is_written_is_what_a_person_would_write():
    event = CallMade(at=5, seat=Seat.N, call=parse_call("1NT"))
    assert codec.to_json(event) == {"event": "CallMade", "at": 5, "seat": "N", "call": "1NT"}
    misread = Corrected(at=9, by="dir", what=CorrectedCall(index=2, call=None))
    assert codec.to_json(misread) == {
        "event": "Corrected",
        "at": 9,
        "by": "dir",
        "what": {"correction": "CorrectedCall", "index": 2, "call": None},
    }


@settings(max_examples=400, deadline=None)
@given(value=WIRE)
def test_nothing_but_a_codec_error_comes_of_any_json(value):
    for read in (codec.event_from_json, codec.effect_from_json, codec.correction_from_json):
        with pytest.raises(CodecError):
            read(value)
    for kind in (Entry, Fault, Visit):
        with pytest.raises(CodecError):
            codec.from_json(kind, value)


SOUND: dict[str, Json] = {"event": "CallMade", "at": 5, "seat": "N", "call": "1NT"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"event": "CallMaed"}, "CallMaed"),
        ({"event": None}, "None"),
        ({"colour": "red"}, "unknown field 'colour'"),
        ({"seat": "Q"}, "seat: 'Q' is no Seat"),
        ({"call": "8NT"}, "call: '8NT' is not a call"),
        ({"at": "5"}, "at: expected int"),
        ({"at": True}, "at: expected int, found True"),
        ({"at": None}, "at: expected int, found None"),
        ({"inferred": 1}, "inferred: expected bool, found 1"),
    ],
)
def test_a_changed_row_is_refused_with_the_place_and_the_reason(change, says):
    with pytest.raises(CodecError, match=says.replace("(", r"\(")):
        codec.event_from_json({**SOUND, **change})


def test_a_missing_field_is_refused_by_name():
    with pytest.raises(CodecError, match="field 'seat' is missing"):
        codec.event_from_json({"event": "CallMade", "at": 5, "call": "P"})


def test_a_field_of_a_later_version_is_passed_over_in_a_message_and_refused_in_our_own_rows():
    later: dict[str, Json] = {**SOUND, "card_colour": "red"}
    assert codec.event_from_json(later, newer=True) == CallMade(at=5, seat=Seat.N, call=parse_call("1NT"))
    with pytest.raises(CodecError):
        codec.event_from_json(later)


def test_a_field_with_its_default_is_left_out_and_understood():
    assert codec.to_json(Held(at=1, by="d")) == {"event": "Held", "at": 1, "by": "d"}
    assert codec.event_from_json({"event": "EventsLost", "at": 1, "count": 3}) == EventsLost(at=1, count=3)


def test_true_is_not_one_and_levels_are_numbers():
    entry = Entry(id=1, kinds=(Kind.SUMMONS,), level=Level.HOLD, at=1, board=None, phase="auction", call=PASS)
    written = codec.to_json(entry)
    assert isinstance(written, dict)
    assert written["level"] == 3
    with pytest.raises(CodecError, match="is no Level"):
        codec.from_json(Entry, {**written, "level": True})


def test_what_is_no_value_of_the_core_is_not_written():
    with pytest.raises(TypeError):
        codec.to_json(1.5)
    with pytest.raises(TypeError):
        codec.to_json({"a": 1})
