"""A row longer than a message still goes to the console, under its own number, and holds nothing up."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from table_controller.journal import Journal, NewRow, sealed_row
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import Pass
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.messages import (
    ClockQuality,
    FaultBody,
    IrregularityBody,
    LogBody,
    Message,
    VisitBody,
    What,
    mac,
    open_sealed,
)
from table_controller.messages.topics import Stream
from table_controller.screen.effects import Amend, Effect, RaiseFault, RecordBoard, RecordVisit
from table_controller.screen.entry import Entry, Fault, FaultKind, Kind, Level, Mover, Share, Standing, Visit
from table_controller.service.reports import Stamp, effect_row
from tests.journal.helpers import ME, note

KEY = b"k" * 32
STAMP = Stamp(mono=10**18, wall="2026-05-01T18:30:00.000Z", clock=ClockQuality.NTP, rev=10**9)
HUGE = "招" * 20_000

ENTRY = Entry(
    id=3,
    kinds=(Kind.SUMMONS,),
    level=Level.REPORT,
    at=5,
    board=12,
    phase="play",
    standing=Standing.RULED,
    evidence=tuple(range(1, 9_000)),
    closed_by="anna",
    closed_why=HUGE,
)
FAULT = Fault(id=4, kind=FaultKind.DEVICE_RESET, component="device", detail=HUGE, at=5, standing=False)
VISIT = Visit(
    board=12,
    ordinal=7,
    screen_side=ScreenSide.NE,
    arrived=None,
    left=9,
    shares=tuple(Share(seat=Seat.N, thinking=n, call=Pass()) for n in range(1_000)),
    hold=None,
    transit=None,
    mover=Mover(),
)
BOARD = RecordBoard(
    number=12,
    dealer=Seat.W,
    vulnerability=Vulnerability.NS,
    calls=tuple((Seat.W, Pass()) for _ in range(5_000)),
    crossings=1,
    contract=None,
    declarer=None,
    leader=None,
    play=(),
    claimed_by=None,
    tricks=None,
    score=None,
    irregularities=(),
    outcome="completed",
)


def sent(row: NewRow) -> tuple[Message, bytes, bytes]:
    """The message of the row as the console reads it, what went over the wire, and what was written."""
    journal = Journal.in_memory(identity=ME, epoch="e" * 64, session="s" * 64)
    journal.append([note(1), row])
    written = next(iter(journal.rows(2, 2)))
    topic, payload = sealed_row(written, ME, journal.epoch, KEY)
    assert sealed_row(written, ME, journal.epoch, KEY) == (topic, payload)
    assert len(payload) <= mac.MAX_BYTES
    message = open_sealed(topic, payload, lambda _: KEY)
    assert (message.envelope.seq, message.envelope.id) == (2, f"7-{'e' * 64}-2")
    return message, payload, written.body.encode()


@pytest.mark.parametrize(
    ("effect", "stream"),
    [(Amend(entry=ENTRY), Stream.IRREGULARITY), (RaiseFault(fault=FAULT), Stream.FAULT),
     (RecordVisit(visit=VISIT), Stream.VISIT)],
    ids=["an entry", "a fault", "a visit"],
)  # fmt: skip
def test_what_the_director_must_hear_of_comes_with_its_long_parts_cut(effect: Effect, stream: Stream) -> None:
    message, _, written = sent(effect_row(effect, STAMP, "7-" + "e" * 64 + "-1"))
    assert len(written) > mac.MAX_BYTES
    assert message.envelope.type == stream
    match message.body:
        case IrregularityBody():
            entry = message.body.read()
            assert replace(entry, evidence=ENTRY.evidence, closed_why=HUGE) == ENTRY
            assert entry.evidence == ENTRY.evidence[:40]
        case FaultBody():
            assert replace(message.body.read(), detail=HUGE) == FAULT
        case VisitBody():
            assert replace(message.body.read(), shares=VISIT.shares) == VISIT


def test_a_row_of_the_log_says_what_it_was_how_long_and_with_which_hash() -> None:
    message, _, written = sent(effect_row(BOARD, STAMP))
    body = message.body
    assert isinstance(body, LogBody)
    assert body.what is What.TOO_LONG
    assert body.value["about"] == "board"
    assert body.value["bytes"] == len(written)
    assert body.value["sha256"] == hashlib.sha256(written).hexdigest()


def test_what_fits_goes_as_it_is_up_to_the_last_byte() -> None:
    _, payload, written = sent(note(1, 14_000))
    most = len(written) + mac.MAX_BYTES - len(payload)
    for length, what in ((most, What.NOTE), (most + 1, What.TOO_LONG)):
        filler = length - len(mac.canonical(note(1, 0).body))
        message, payload, _ = sent(note(1, filler))
        assert isinstance(message.body, LogBody)
        assert message.body.what is what
        assert (len(payload) == mac.MAX_BYTES) is (what is What.NOTE)
