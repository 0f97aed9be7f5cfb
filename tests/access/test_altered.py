"""A captured message altered in any one field, or said again in another place: refused, and said aloud.

The broker's operator, or whoever sits on a bridge between two brokers, can read and send what he likes; he
has no key.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from director_console.dispatch import Dispatch
from director_console.projection.inputs import NoticeKind
from table_controller.messages import Distrust, Refused, open_sealed, sealed, topics
from table_controller.messages.codec import Json
from table_controller.messages.mac import MAX_BYTES, canonical
from table_controller.messages.topics import Broadcast, Place, Stream, Verb
from table_controller.service.distrust import AGAIN_NS, DistrustWatch
from tests.director_console.generator import PLACE, Sent, keyring
from tests.director_console.playing import Playing
from tests.director_console.test_desk import Rig

KEYS = keyring(["7", "9"])
OTHER = Place(venue="hall", event="women")


def console_side() -> list[Sent]:
    """What the console says: a command, a receipt, a broadcast."""
    dispatch = Dispatch(KEYS, PLACE, "console", lambda: 5000)
    key = KEYS.of("7")
    assert key is not None
    command: dict[str, Json] = {
        "id": "01JABCDEFGHJKMNPQRSTVWXYZ0",
        "issued": "2026-05-01T18:30:00.000Z",
        "deadline": "2026-05-01T18:31:00.000Z",
        "expect_rev": 3,
        "seen_ms": 4000,
        "by": "anna",
        "args": {"why": "to look"},
    }
    at = 1_700_000_000_000
    return [
        Sent(
            topic=topics.command(PLACE, "7", Verb.OPEN_WINDOW),
            payload=sealed(
                dispatch.envelope("command/open_window", command, at, "7", epoch="e1", session="s1"), key
            ),
            retain=False,
        ),
        Sent(
            topic=topics.receipt(PLACE, "7"),
            payload=sealed(
                dispatch.envelope("receipt", {"epoch": "e1", "upto": 3, "by": "console"}, at, "7"), key
            ),
            retain=True,
        ),
        Sent(
            topic=topics.everybody(PLACE, Broadcast.ANNOUNCE),
            payload=sealed(dispatch.envelope("all/announce", {"by": "console"}, at), KEYS.venue),
            retain=False,
        ),
    ]


def table_side() -> list[Sent]:
    """What a table says: presence, snapshot, and a row on each of its streams."""
    table = Playing("7", KEYS, 1)
    sent = [*table.hello(), *table.step(), table.wired.entry(table.entry()), table.wired.state(table.view)]
    while not any(one.topic.endswith("/ev/visit") for one in sent):
        sent.extend(table.step())
    return sent


def one_of_each() -> list[Sent]:
    return list({one.topic: one for one in (*table_side(), *console_side())}.values())


def leaves(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every single value in a message."""
    match value:
        case dict():
            for name, inner in value.items():
                yield from leaves(inner, (*path, name))
            yield (*path, "one more")
        case list():
            for number, inner in enumerate(value):
                yield from leaves(inner, (*path, number))
        case _:
            yield path


def altered(message: dict[str, Json], path: tuple[str | int, ...]) -> dict[str, Json]:
    changed = deepcopy(message)
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    old = place.get(path[-1]) if isinstance(place, dict) else place[path[-1]]
    match old:
        case bool():
            new: Json = not old
        case int():
            new = old + 1
        case str():
            new = ("0" if old[:1] != "0" else "1") + old[1:]
        case _:
            new = 1
    place[path[-1]] = new
    return changed


@pytest.mark.parametrize("sent", one_of_each(), ids=lambda sent: sent.topic.removeprefix(PLACE.prefix + "/"))
def test_a_message_altered_in_any_one_field_is_refused(sent: Sent) -> None:
    assert open_sealed(sent.topic, sent.payload, KEYS.of)
    message = json.loads(sent.payload)
    ways = list(leaves(message))
    assert len(ways) > 15
    for path in ways:
        with pytest.raises(Refused):
            open_sealed(sent.topic, canonical(altered(message, path)), KEYS.of)
    for name in message:
        with pytest.raises(Refused):
            open_sealed(
                sent.topic, canonical({key: value for key, value in message.items() if key != name}), KEYS.of
            )


@pytest.mark.parametrize("sent", one_of_each(), ids=lambda sent: sent.topic.removeprefix(PLACE.prefix + "/"))
def test_a_message_said_again_in_another_place_is_refused(sent: Sent) -> None:
    prefix = PLACE.prefix
    elsewhere = {
        sent.topic.replace("/t/7/", "/t/9/"),
        sent.topic.replace(prefix, OTHER.prefix),
        sent.topic.replace("/hall/", "/club/"),
        *(topics.report(PLACE, "7", stream) for stream in Stream),
        *(topics.command(PLACE, "7", verb) for verb in Verb),
        topics.state(PLACE, "7"),
        topics.avail(PLACE, "7"),
        topics.receipt(PLACE, "7"),
        topics.result(PLACE, "7", "01JABCDEFGHJKMNPQRSTVWXYZ9"),
        topics.everybody(PLACE, Broadcast.PAUSE),
        topics.public(PLACE, "clock"),
        topics.console_avail(PLACE, "7"),
    } - {sent.topic}
    for topic in elsewhere:
        with pytest.raises(Refused) as refused:
            open_sealed(topic, sent.payload, KEYS.of)
        assert refused.value.why is Distrust.MISPLACED


@pytest.mark.parametrize("sent", one_of_each(), ids=lambda sent: sent.topic.removeprefix(PLACE.prefix + "/"))
def test_a_message_sealed_with_anothers_key_is_refused(sent: Sent) -> None:
    from table_controller.messages import mac

    message = json.loads(sent.payload)
    wrong = KEYS.of("9")
    assert wrong is not None
    for key in (wrong, b"", b"\x00" * 32, KEYS.venue if message["table"] else b"no" * 16):
        with pytest.raises(Refused) as refused:
            open_sealed(sent.topic, mac.seal(message, key), KEYS.of)
        assert refused.value.why is Distrust.FORGED
    for bad in ("", None, 5, "é" * 64, message["mac"].upper(), message["mac"][:-1]):
        with pytest.raises(Refused):
            open_sealed(sent.topic, canonical({**message, "mac": bad}), KEYS.of)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    yield made
    made.book.close()


def count(rig: Rig) -> int:
    return int(rig.book.db.execute("SELECT count(*) FROM reports").fetchone()[0])


def notices(rig: Rig) -> list[NoticeKind]:
    return [notice.kind for notice in rig.desk.hall.notices.values()]


def test_at_the_console_an_altered_report_is_not_kept_and_an_alarm_says_so(rig: Rig) -> None:
    rows = [one for one in table_side() if "/ev/" in one.topic]
    for sent in {one.topic: one for one in rows}.values():
        message = json.loads(sent.payload)
        for path in leaves(message):
            rig.hear(Sent(topic=sent.topic, payload=canonical(altered(message, path)), retain=False))
    assert count(rig) == 0
    assert NoticeKind.FORGED in notices(rig)
    assert rig.wire.of("receipt") == []
    audit = [row[0] for row in rig.book.db.execute("SELECT act FROM audit")]
    assert "notice forged" in audit


def test_at_the_console_a_report_said_again_elsewhere_is_not_kept_and_an_alarm_says_so(rig: Rig) -> None:
    genuine = [one for one in table_side() if "/ev/" in one.topic]
    rig.hear(*genuine)
    kept = count(rig)
    row = genuine[0]
    rig.hear(row, row)
    assert (count(rig), notices(rig)) == (kept, []), "the same report once more is nothing"
    for topic in (row.topic.replace("/t/7/", "/t/9/"), topics.report(PLACE, "7", Stream.FAULT)):
        rig.hear(Sent(topic=topic, payload=row.payload, retain=False))
    assert count(rig) == kept
    assert notices(rig) == [NoticeKind.MISPLACED, NoticeKind.MISPLACED]
    message = json.loads(row.payload)
    for field, value in (("epoch", "e2"), ("event", "women"), ("table", "9"), ("seq", 999)):
        moved = {**message, field: value}
        moved["id"] = f"{moved['table']}-{moved['epoch']}-{moved['seq']}"
        topic = topics.report(Place(venue="hall", event=moved["event"]), moved["table"], Stream.LOG)
        rig.hear(Sent(topic=topic, payload=canonical(moved), retain=False))
    assert count(rig) == kept
    assert notices(rig).count(NoticeKind.FORGED) == 2, "one for each table it was said of"


def test_at_the_console_a_true_report_of_another_event_with_the_same_keys_is_refused_and_said(
    rig: Rig,
) -> None:
    table = Playing("7", KEYS, 1)
    row = next(one for one in table.hello() if "/ev/" in one.topic)
    envelope = table.wired.envelope("log", {"what": "note", "value": {"text": "x"}}, id_="7-e1-1", seq=1)
    key = KEYS.of("7")
    assert key is not None
    theirs = sealed(envelope.model_copy(update={"event": "women"}), key)
    rig.hear(Sent(topic=row.topic.replace(PLACE.prefix, OTHER.prefix), payload=theirs, retain=False))
    assert count(rig) == 0
    assert notices(rig) == [NoticeKind.MISPLACED]


def test_at_the_console_an_old_snapshot_said_again_does_not_make_a_table_look_alive(rig: Rig) -> None:
    table = Playing("7", KEYS, 1)
    old = table.wired.state(table.view)
    rig.hear(*table.hello(), old)
    table.wired.mono_ms += 60_000
    rig.hear(table.wired.state(table.view))
    heard = rig.desk.hall.tables["7"].heard_at
    rig.wait(120_000)
    rig.hear(old)
    assert rig.desk.hall.tables["7"].heard_at == heard
    table.wired.session, table.wired.mono_ms = "s2", 5
    rig.hear(table.wired.state(table.view))
    assert rig.desk.hall.tables["7"].session == "s2"
    rig.hear(old)
    assert rig.desk.hall.tables["7"].session == "s2"


NO_MESSAGES = (
    b"", b"null", b"[]", b"{", b"\xff\xfe\x00", b'{"v":1}', b'{"v":2}', b'{"v":true}', b'{"v":1,"v":1}',
    b"[" * 9000, b'{"v":1.5}', b'{"v":NaN}', b" " * (MAX_BYTES + 1), b'{"v":1,"id":"\\ud800"}',
)  # fmt: skip


@pytest.mark.parametrize("payload", NO_MESSAGES, ids=range(len(NO_MESSAGES)))
@pytest.mark.parametrize(
    "topic", [topics.state(PLACE, "7"), topics.report(PLACE, "7", Stream.LOG), "a/b", ""]
)
def test_bytes_that_are_no_message_are_refused_whatever_they_are(topic: str, payload: bytes) -> None:
    with pytest.raises(Refused):
        open_sealed(topic, payload, KEYS.of)


def test_a_flood_of_forgeries_is_said_at_once_then_once_a_minute_with_how_many() -> None:
    watch = DistrustWatch()
    first = watch.heard(Distrust.FORGED, 0)
    assert first is not None
    assert "wrong MAC" in first
    assert [watch.heard(Distrust.FORGED, number) for number in range(1, 1001)] == [None] * 1000
    assert watch.heard(Distrust.MISPLACED, 5) is not None
    again = watch.heard(Distrust.FORGED, AGAIN_NS)
    assert again is not None
    assert "1000 more since the last" in again
