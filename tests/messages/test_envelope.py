"""A message is believed only if it is whole, known, in its place and sealed by who it says."""

from __future__ import annotations

import json
from typing import cast

import pytest
from hypothesis import given, settings, strategies as st

from table_controller.messages import (
    ARGS,
    BODIES,
    ClockQuality,
    CommandBody,
    Distrust,
    Envelope,
    LogBody,
    Refused,
    What,
    mac,
    open_sealed,
    sealed,
    topics,
    ulid,
    wall_ns,
    wall_text,
)
from table_controller.messages.codec import Json
from table_controller.messages.topics import Broadcast, Place, Stream, Verb

PLACE = Place(venue="hall", event="open-teams")
KEYS = mac.KeyRing(venue=b"v" * 32, tables={"7": b"7" * 32, "8": b"8" * 32})


def envelope(**changes: object) -> Envelope:
    fields: dict[str, object] = {
        "id": "7-abc-12",
        "type": "log",
        "venue": "hall",
        "event": "open-teams",
        "table": "7",
        "epoch": "abc",
        "seq": 12,
        "session": "s1",
        "mono_ms": 1000,
        "wall": "2026-05-01T18:30:00.000Z",
        "clock": "ntp",
        "rev": 3,
        "body": {"what": "note", "value": {"text": "hello"}},
    }
    return Envelope.model_validate(fields | changes)


LOG = topics.report(PLACE, "7", Stream.LOG)


def test_a_sealed_message_is_believed_and_read():
    payload = sealed(envelope(), KEYS.tables["7"])
    message = open_sealed(LOG, payload, KEYS.of)
    assert message.envelope.seq == 12
    assert message.envelope.clock is ClockQuality.NTP
    assert isinstance(message.body, LogBody)
    assert message.body.value == {"text": "hello"}


def test_the_wire_has_exactly_the_fields_of_the_specification():
    payload = json.loads(sealed(envelope(), KEYS.tables["7"]))
    assert set(payload) == {
        "v", "id", "type", "venue", "event", "table", "epoch", "seq", "session", "mono_ms", "wall", "clock",
        "rev", "cause", "body", "mac",
    }  # fmt: skip


def test_unknown_fields_are_passed_over_at_every_depth():
    fields = cast("dict[str, Json]", json.loads(sealed(envelope(), b"x" * 32)))
    fields["later"] = 1
    fields["body"] = {"what": "note", "value": {"text": "x", "more": 1}, "hue": "red"}
    message = open_sealed(LOG, mac.seal(fields, KEYS.tables["7"]), KEYS.of)
    assert isinstance(message.body, LogBody)


@pytest.mark.parametrize(
    ("topic", "changes", "key", "why"),
    [
        (LOG, {}, b"8" * 32, Distrust.FORGED),
        (topics.report(PLACE, "8", Stream.LOG), {}, b"7" * 32, Distrust.MISPLACED),
        (topics.report(PLACE, "7", Stream.VISIT), {}, b"7" * 32, Distrust.MISPLACED),
        ("screens/v1/other/open-teams/t/7/ev/log", {}, b"7" * 32, Distrust.MISPLACED),
        ("screens/v1/hall/other/t/7/ev/log", {}, b"7" * 32, Distrust.MISPLACED),
        ("screens/v2/hall/open-teams/t/7/ev/log", {}, b"7" * 32, Distrust.MISPLACED),
        (topics.report(PLACE, "9", Stream.LOG), {"table": "9"}, b"7" * 32, Distrust.STRANGER),
        (LOG, {"body": {"what": 5, "value": {}}}, b"7" * 32, Distrust.MALFORMED),
        (LOG, {"body": {}}, b"7" * 32, Distrust.MALFORMED),
    ],
)
def test_what_cannot_be_believed_is_refused_with_the_reason(topic, changes, key, why):
    with pytest.raises(Refused) as caught:
        open_sealed(topic, sealed(envelope(**changes), key), KEYS.of)
    assert caught.value.why is why
    assert "\n" not in str(caught.value)


def test_a_row_about_something_only_a_later_version_knows_is_taken_all_the_same():
    """It must be kept and receipted, or the table would send it for ever."""
    newer = envelope(body={"what": "gossip", "value": {"of": "a later version"}})
    message = open_sealed(LOG, sealed(newer, KEYS.tables["7"]), KEYS.of)
    assert isinstance(message.body, LogBody)
    assert message.body.what is What.OTHER
    assert not message.body.has_effect


@pytest.mark.parametrize("version", [0, 2, "1", None, True, 1.0])
def test_another_envelope_version_is_refused_before_anything_else_is_read(version):
    payload = json.dumps({"v": version, "anything": "else"}).encode()
    with pytest.raises(Refused) as caught:
        open_sealed(LOG, payload, KEYS.of)
    assert caught.value.why in (Distrust.VERSION, Distrust.MALFORMED)


@pytest.mark.parametrize("field", ["id", "type", "venue", "event", "session", "mono_ms", "clock", "body"])
@pytest.mark.parametrize("value", [None, 1.5, [], {"a": []}, -1, "\u0000", "a/b"])
def test_a_field_of_the_wrong_kind_is_refused_not_crashed_on(field, value):
    fields = cast("dict[str, Json]", json.loads(sealed(envelope(), b"x" * 32)))
    fields[field] = value
    try:
        payload = mac.seal(fields, KEYS.tables["7"])
    except mac.NotCanonical:
        pytest.skip("not sealable at all")
    with pytest.raises(Refused):
        open_sealed(LOG, payload, KEYS.of)


@settings(max_examples=300, deadline=None)
@given(payload=st.binary(max_size=200))
def test_any_bytes_are_refused_not_crashed_on(payload):
    with pytest.raises(Refused):
        open_sealed(LOG, payload, KEYS.of)


def test_a_broadcast_is_sealed_with_the_venues_key_and_a_table_cannot_make_one():
    topic = topics.everybody(PLACE, Broadcast.ANNOUNCE)
    said = envelope(type="all/announce", table=None, epoch=None, seq=None, body={"by": "desk"})
    open_sealed(topic, sealed(said, KEYS.venue), KEYS.of)
    with pytest.raises(Refused) as caught:
        open_sealed(topic, sealed(said, KEYS.tables["7"]), KEYS.of)
    assert caught.value.why is Distrust.FORGED


def test_a_report_turned_into_a_command_is_refused():
    """The type is under the code, so a carrier cannot use one message of a table as another."""
    payload = sealed(envelope(), KEYS.tables["7"])
    for verb in Verb:
        with pytest.raises(Refused):
            open_sealed(topics.command(PLACE, "7", verb), payload, KEYS.of)


def test_more_than_16_kib_is_neither_sent_nor_read():
    big = envelope(body={"what": "note", "value": {"text": "x" * 17000}})
    with pytest.raises(ValueError, match="at most 16384"):
        sealed(big, KEYS.tables["7"])


def test_every_verb_has_arguments_and_every_type_a_topic():
    assert set(ARGS) == set(Verb)
    for kind in BODIES:
        if kind in set(Stream):
            topic = topics.report(PLACE, "7", Stream(kind))
        elif kind.startswith("command/"):
            topic = topics.command(PLACE, "7", Verb(kind.removeprefix("command/")))
            assert BODIES[kind] is CommandBody
        elif kind.startswith("all/"):
            topic = topics.everybody(PLACE, Broadcast(kind.removeprefix("all/")))
        elif kind.startswith("public/"):
            topic = topics.public(PLACE, kind.removeprefix("public/"))
        else:
            topic = {
                "avail": topics.avail(PLACE, "7"),
                "state": topics.state(PLACE, "7"),
                "result": topics.result(PLACE, "7", "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
                "receipt": topics.receipt(PLACE, "7"),
                "console": topics.console_avail(PLACE, "desk-1"),
            }[kind]
        parsed = topics.parse(topic)
        assert parsed is not None, kind
        assert parsed.kind == kind
        assert parsed.place == PLACE


@pytest.mark.parametrize(
    "topic",
    ["", "screens/v1", "screens/v1/h/e/t/7", "screens/v1/h/e/t/7/ev/gossip", "screens/v1/h/e/t/+/state",
     "screens/v1/h/e/t/7/command/fire", "screens/v1/h/e/t/7/state/x", "screens/v1/h/e/t/a b/state",
     "screens/v1//e/t/7/state", "screens/v1/h/e/t/7/ev/log\n"],
)  # fmt: skip
def test_what_is_no_topic_of_ours_is_none(topic):
    assert topics.parse(topic) is None


def test_filters_cover_what_each_must_hear_and_do_not_overlap():
    def matches(pattern: str, topic: str) -> bool:
        levels, parts = pattern.split("/"), topic.split("/")
        return len(levels) == len(parts) and all(a in ("+", b) for a, b in zip(levels, parts, strict=True))

    for_table = [
        topics.receipt(PLACE, "7"),
        topics.console_avail(PLACE, "d"),
        *(topics.command(PLACE, "7", verb) for verb in Verb),
        *(topics.everybody(PLACE, broadcast) for broadcast in Broadcast),
    ]
    for_console = [
        topics.avail(PLACE, "7"),
        topics.state(PLACE, "7"),
        topics.result(PLACE, "7", "X"),
        topics.console_avail(PLACE, "d"),
        *(topics.report(PLACE, "7", stream) for stream in Stream),
    ]
    for topic in for_table:
        assert sum(matches(pattern, topic) for pattern in topics.table_filters(PLACE, "7")) == 1, topic
        assert topic not in for_console or topic.endswith("/avail")
    for topic in for_console:
        assert sum(matches(pattern, topic) for pattern in topics.console_filters(PLACE)) == 1, topic
    other = topics.command(PLACE, "8", Verb.HOLD)
    assert not any(matches(pattern, other) for pattern in topics.table_filters(PLACE, "7"))


@pytest.mark.parametrize("name", ["", "a/b", "a+b", "#", "a b", "ä", "x" * 65, "a\n"])
def test_a_name_that_cannot_be_a_level_is_refused(name):
    with pytest.raises(ValueError, match="letters, digits"):
        Place(venue=name, event="e")


def test_wall_times_and_ulids_are_text_that_sorts():
    assert wall_text(0) == "1970-01-01T00:00:00.000Z"
    assert wall_text(1_777_660_200_123_999_999) == "2026-05-01T18:30:00.123Z"
    assert wall_ns("2026-05-01T18:30:00.123Z") == 1_777_660_200_123_000_000
    with pytest.raises(ValueError, match="no time"):
        wall_ns("2026-05-01 18:30")
    with pytest.raises(ValueError):
        wall_ns("2026-13-01T18:30:00.000Z")
    early, late = ulid(1_000_000_000, b"\xff" * 10), ulid(2_000_000_000, b"\0" * 10)
    assert early < late
    assert len(early) == 26
    assert CommandBody.model_fields["id"].metadata


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"id": "7-abc-13"}, Distrust.MISPLACED),
        ({"id": "7-abd-12"}, Distrust.MISPLACED),
        ({"epoch": None}, Distrust.MALFORMED),
        ({"seq": None}, Distrust.MALFORMED),
        ({"seq": 0, "id": "7-abc-0"}, Distrust.MALFORMED),
    ],
)
def test_a_row_must_be_named_as_the_row_it_is(changes, why):
    with pytest.raises(Refused) as caught:
        open_sealed(LOG, sealed(envelope(**changes), KEYS.tables["7"]), KEYS.of)
    assert caught.value.why is why


def test_a_result_must_stand_on_the_topic_of_the_command_it_answers():
    command = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
    body = {"command": command, "verb": "hold", "status": "done"}
    payload = sealed(envelope(type="result", body=body, seq=None), KEYS.tables["7"])
    open_sealed(topics.result(PLACE, "7", command), payload, KEYS.of)
    with pytest.raises(Refused):
        open_sealed(topics.result(PLACE, "7", command.replace("V", "W")), payload, KEYS.of)
