"""Golden messages: what goes over the wire, byte for byte, for whoever writes another console or another
table.

`python -m tests.messages.golden --write` writes tests/vectors/messages anew; a test says when it is stale.
The keys are the vectors' own and used nowhere else.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from table_controller.laws.board import Vulnerability
from table_controller.laws.call import parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.messages import ARGS, Envelope, codec, mac, sealed, topics, ulid, wall_text
from table_controller.messages.codec import Json
from table_controller.messages.topics import Broadcast, Place, Stream, Verb
from table_controller.regulations.time_tables import Contest
from table_controller.screen.effects import Moved, OpenWindow, RecordBoard, RecordPace, RecordTime
from table_controller.screen.entry import (
    Certainty,
    Cited,
    Entry,
    Fault,
    FaultKind,
    Kind,
    Level,
    Mover,
    Share,
    Stage,
    Visit,
)
from table_controller.screen.events import CallMade, TrayLeft
from table_controller.screen.times import TimeColumns
from tests.messages.test_commands import ARGUMENTS

FOLDER = Path(__file__).resolve().parents[1] / "vectors" / "messages"
PLACE = Place(venue="hall-1", event="open-teams")
KEYS = mac.KeyRing(venue=bytes(range(32)), tables={"7": bytes(range(32, 64)), "8": bytes(range(64, 96))})
WALL = 1_777_660_200_123_000_000
ULID = ulid(WALL, bytes(range(10)))
S = 1_000_000_000


def envelope(kind: str, body: dict[str, Json], **changes: Json) -> Envelope:
    fields: dict[str, Json] = {
        "id": ULID,
        "type": kind,
        "venue": PLACE.venue,
        "event": PLACE.event,
        "table": "7",
        "epoch": "5f0c3a91b2d4",
        "seq": None,
        "session": "9c1f00aa",
        "mono_ms": 81234,
        "wall": wall_text(WALL),
        "clock": "ntp",
        "rev": 17,
        "cause": None,
        "body": body,
    }
    return Envelope.model_validate(fields | changes)


def row(stream: Stream, seq: int, body: dict[str, Json], **changes: Json) -> tuple[str, Envelope]:
    made = envelope(stream, body, id=f"7-5f0c3a91b2d4-{seq}", seq=seq, **changes)
    return topics.report(PLACE, "7", stream), made


def log(seq: int, what: str, value: object, **changes: Json) -> tuple[str, Envelope]:
    plain = value if isinstance(value, dict) else codec.to_json(value)
    return row(Stream.LOG, seq, {"what": what, "value": plain}, **changes)


def console(topic: str, kind: str, body: dict[str, Json], **changes: Json) -> tuple[str, Envelope]:
    absent: dict[str, Json] = {"epoch": None, "rev": None, "session": "c0ffee00"}
    return topic, envelope(kind, body, **(absent | changes))


def messages() -> list[tuple[str, str, Envelope]]:
    """Name, topic and envelope of every message type at least once."""
    call = CallMade(at=81 * S, seat=Seat.N, call=parse_call("1NT"))
    entry = Entry(
        id=3,
        kinds=(Kind.INSUFFICIENT_BID,),
        level=Level.REPORT,
        at=81 * S,
        board=12,
        phase="auction.ne",
        seats=(Seat.S,),
        screen_side=ScreenSide.SW,
        stage=Stage.CROSSED,
        provisions=(Cited(document="Laws", article="27", standing="text"),),
        evidence=(41, 44),
        call=parse_call("1C"),
        mover=Mover(seat=Seat.S, certainty=Certainty.PRESUMED),
        called_over_by=Seat.W,
        gap=4 * S,
    )
    visit = Visit(
        board=12,
        ordinal=2,
        screen_side=ScreenSide.NE,
        arrived=70 * S,
        left=82 * S,
        shares=(Share(seat=Seat.N, thinking=11 * S, call=parse_call("1NT")),),
        hold=1 * S,
        transit=None,
        mover=Mover(seat=Seat.N, certainty=Certainty.PRESUMED),
    )
    board = RecordBoard(
        number=12,
        dealer=Seat.W,
        vulnerability=Vulnerability.NS,
        calls=((Seat.W, parse_call("P")), (Seat.N, parse_call("1NT"))),
        crossings=1,
        contract="1NT",
        declarer=Seat.N,
        leader=Seat.E,
        play=(),
        claimed_by=None,
        tricks=7,
        score=90,
        irregularities=(Kind.INSUFFICIENT_BID,),
        outcome="completed",
    )
    board_time = RecordTime(
        session="evening",
        ordinal=1,
        board=12,
        begun=70_000,
        ended=520_250,
        columns=TimeColumns(ns=200_000, ew=180_250, hold_ns=20_000, transit=5_000, procedure=45_000),
        seats=((Seat.N, 120_000), (Seat.E, 100_250), (Seat.S, 80_000), (Seat.W, 80_000)),
        hold_presumed=20_000,
        uncertainty=40,
    )
    pace = RecordPace(
        session="evening",
        contest=Contest.TEAMS_VP,
        start=60_000,
        arrived=70_000,
        due=1_020_000,
        allowed=960_000,
        begun=(12,),
        finished=(12,),
        unplayed=(13,),
    )
    fault = Fault(
        id=4, kind=FaultKind.SENSOR_SUSPECT, component="tray.ne", at=90 * S, detail="three edges in 2 ms"
    )
    state: dict[str, Json] = {
        "phase": "auction.ne",
        "board": 12,
        "dealer": "W",
        "vulnerability": "NS",
        "window": "closed",
        "tray": "NE",
        "auction": [["W", "P"]],
        "open_entries": [3],
        "last_seq": 44,
        "head": "ab" * 32,
        "versions": {"controller": "0.1.0", "firmware": "1"},
        "health": {"disk_free_kib": 1048576, "certificate_days": None},
    }
    result: dict[str, Json] = {
        "command": ULID,
        "verb": "open_window",
        "status": "stale",
        "reason": "state 16",
    }
    receipt: dict[str, Json] = {"epoch": "5f0c3a91b2d4", "upto": 44, "by": "desk-1"}
    clock: dict[str, Json] = {"round": 3, "running": True, "ends": wall_text(WALL + 600 * S)}
    too_long: dict[str, Json] = {
        "stream": "log",
        "about": "board",
        "bytes": 17000,
        "sha256": "cd" * 32,
        "begins": '{"value":',
    }
    listed = [
        ("row of the log: a call", *log(41, "event", call)),
        ("row of the log: the tray left", *log(42, "event", TrayLeft(at=82 * S, side=ScreenSide.NE))),
        (
            "row of the log: an order, with its cause",
            *log(43, "order", OpenWindow(reason="lead placed"), cause="7-5f0c3a91b2d4-42"),
        ),
        (
            "row of the log: a move of the phase",
            *log(44, "moved", Moved(trigger="shown", source="auction.sw", dest="lead.awaiting")),
        ),
        ("row of the log: a board is over", *log(45, "board", board)),
        ("row of the log: a board's time", *log(51, "board_time", board_time)),
        ("row of the log: where the session stands", *log(52, "session_time", pace)),
        (
            "row of the log: of a table without a clock, and Chinese",
            *log(46, "note", {"text": "桌"}, wall=None, clock="unset"),
        ),
        ("row of the log: in place of one that is too long", *log(50, "too_long", too_long)),
        (
            "irregularity, new",
            *row(Stream.IRREGULARITY, 47, {"change": "new", "entry": codec.to_json(entry)}),
        ),
        ("fault, raised", *row(Stream.FAULT, 48, {"change": "raised", "fault": codec.to_json(fault)})),
        ("visit of the tray", *row(Stream.VISIT, 49, {"visit": codec.to_json(visit)})),
        ("snapshot", topics.state(PLACE, "7"), envelope("state", state)),
        ("presence", topics.avail(PLACE, "7"), envelope("avail", {"status": "online"})),
        ("will", topics.avail(PLACE, "7"), envelope("avail", {"status": "offline"})),
        ("result", topics.result(PLACE, "7", ULID), envelope("result", result, cause=ULID)),
        ("receipt", *console(topics.receipt(PLACE, "7"), "receipt", receipt)),
        (
            "announce",
            *console(
                topics.everybody(PLACE, Broadcast.ANNOUNCE), "all/announce", {"by": "desk-1"}, table=None
            ),
        ),
        ("round clock", *console(topics.everybody(PLACE, Broadcast.CLOCK), "all/clock", clock, table=None)),
        (
            "pause",
            *console(
                topics.everybody(PLACE, Broadcast.PAUSE),
                "all/pause",
                {"paused": True, "by": "chief"},
                table=None,
            ),
        ),
        (
            "a console's presence",
            *console(
                topics.console_avail(PLACE, "desk-1"),
                "console",
                {"status": "online", "role": "primary"},
                table=None,
            ),
        ),
        ("public clock", *console(topics.public(PLACE, "clock"), "public/clock", clock, table=None)),
        (
            "public tables",
            *console(topics.public(PLACE, "tables"), "public/tables", {"delayed": {"7": True}}, table=None),
        ),
    ]
    return [*listed, *(_command(verb) for verb in Verb)]


def _command(verb: Verb) -> tuple[str, str, Envelope]:
    body: dict[str, Json] = {
        "id": ULID,
        "issued": wall_text(WALL),
        "deadline": wall_text(WALL + 10 * S),
        "expect_rev": 17,
        "seen_ms": 80000,
        "by": "chief",
        "args": ARGUMENTS[verb],
    }
    ARGS[verb].model_validate(ARGUMENTS[verb])
    topic = topics.command(PLACE, "7", verb)
    return (
        f"command {verb}",
        *console(topic, f"command/{verb}", body, session="9c1f00aa", epoch="5f0c3a91b2d4"),
    )


def vectors() -> list[dict[str, Json]]:
    """Sound messages, then broken ones with the reason for which each is refused."""
    made: list[dict[str, Json]] = []
    for name, topic, message in messages():
        key = KEYS.of(message.table)
        assert key is not None
        payload = sealed(message, key).decode()
        made.append({"name": name, "topic": topic, "payload": payload, "refused": None})
    first = made[0]
    payload, topic = str(first["payload"]), str(first["topic"])
    fields = mac.parse_object(payload.encode())
    newer: dict[str, Json] = {**fields, "later": {"a": 1}}
    broken = [
        ("a later version's unknown field: ignored", topic, mac.seal(newer, KEYS.tables["7"]).decode(), None),
        ("one digit of the MAC changed", topic, _other_mac(payload), "forged"),
        ("one field changed", topic, payload.replace('"1NT"', '"2NT"'), "forged"),
        ("sealed with another table's key", topic, mac.seal(fields, KEYS.tables["8"]).decode(), "forged"),
        (
            "an unknown field added without the key",
            topic,
            payload.replace('{"body"', '{"added":1,"body"'),
            "forged",
        ),
        ("no MAC", topic, mac.canonical({k: v for k, v in fields.items() if k != "mac"}).decode(), "forged"),
        ("on another table's topic", topic.replace("/t/7/", "/t/8/"), payload, "misplaced"),
        ("on another stream", topic.replace("/log", "/visit"), payload, "misplaced"),
        (
            "a table nobody knows",
            topic.replace("/t/7/", "/t/9/"),
            _sealed({**fields, "table": "9", "id": "9-5f0c3a91b2d4-41"}),
            "stranger",
        ),
        ("another envelope version", topic, _sealed({**fields, "v": 2}), "version"),
        (
            "a row whose id is not its number",
            topic,
            _sealed({**fields, "id": "7-5f0c3a91b2d4-40"}),
            "misplaced",
        ),
        ("not JSON", topic, payload[:-1], "malformed"),
        ("a fraction", topic, payload.replace('"rev":17', '"rev":17.0'), "malformed"),
        ("a key twice", topic, payload.replace('"rev":17', '"rev":17,"rev":17'), "malformed"),
        ("text for a number", topic, _sealed({**fields, "mono_ms": "81234"}), "malformed"),
    ]
    made.extend(
        {"name": name, "topic": where, "payload": what, "refused": why} for name, where, what, why in broken
    )
    return made


def _sealed(fields: dict[str, Json]) -> str:
    return mac.seal(fields, KEYS.tables["7"]).decode()


def _other_mac(payload: str) -> str:
    position = payload.index('"mac":"') + len('"mac":"')
    digit = "0" if payload[position] != "0" else "1"
    return payload[:position] + digit + payload[position + 1 :]


def text() -> str:
    """The vectors as JSON lines; the first line holds the keys."""
    tables: dict[str, Json] = {name: key.hex() for name, key in KEYS.tables.items()}
    lines: list[dict[str, Json]] = [{"keys": {"venue": KEYS.venue.hex(), "tables": tables}}, *vectors()]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "messages.jsonl").write_text(text())
