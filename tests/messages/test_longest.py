"""Orders so long that what comes of them would fit into no message, and the longest that are taken."""

from __future__ import annotations

import pytest
from pydantic import JsonValue, ValidationError

from table_controller.commands import events_of, read_args
from table_controller.journal import Journal, sealed_row
from table_controller.laws.seat import Seat
from table_controller.messages import LONGEST_ARGS, ClockQuality, args_too_long
from table_controller.messages.fields import Value
from table_controller.messages.topics import Identity, Verb
from table_controller.regulations.load import load
from table_controller.screen.events import BoardPlaced, DirectorSummoned, Event
from table_controller.screen.table import ScreenTable
from table_controller.service.reports import Stamp, effect_row, event_row
from tests.messages.test_commands import PLACE, id_of

LONG = "招" * 2000


@pytest.mark.parametrize(
    ("verb", "args"),
    [
        (
            Verb.RULING,
            {"verdict": "other", "text": LONG, "why": LONG, "entries": [10**6] * 200},
        ),
        (
            Verb.SESSION,
            {
                "session": "r",
                "why": LONG,
                "boards": [{"number": 10**6, "dealer": "N", "vulnerability": "Both"}] * 200,
            },
        ),
        (Verb.RULING, {"verdict": "other", "text": "\U0001f0a1" * 2000, "why": "\U0001f0a1" * 1500}),
    ],
    ids=["a ruling with 200 entries", "a session of 200 boards", "four-byte characters"],
)
def test_an_order_too_long_for_a_row_is_refused_in_one_sentence(verb: Verb, args: Value) -> None:
    assert args_too_long(verb, args)
    with pytest.raises(ValidationError) as caught:
        read_args(verb, args)
    (problem,) = caught.value.errors()
    assert problem["msg"].startswith("the order has ")
    assert f"at most {LONGEST_ARGS} can be kept" in problem["msg"]


@pytest.mark.parametrize(
    ("verb", "args"),
    [
        (Verb.RULING, {"verdict": "other", "text": LONG, "why": LONG[:1900], "entries": [1]}),
        (Verb.CORRECT, {"why": LONG, "correction": {"what": "auction", "calls": [["N", "7NT"]] * 319}}),
        (Verb.SESSION, {"session": "s" * 64, "why": LONG, "boards": [
            {"number": n, "dealer": "N", "vulnerability": "Both"} for n in range(1000, 1090)]}),
    ],
    ids=["a ruling", "the longest auction", "a session of 90 boards"],
)  # fmt: skip
def test_whatever_comes_of_the_longest_orders_taken_fits_into_messages(verb: Verb, args: Value) -> None:
    assert not args_too_long(verb, args)
    core = ScreenTable(regulations=load("ccba-2006"), senses=frozenset({"tray", "calls", "window", "board"}))
    events: list[Event] = [
        BoardPlaced(at=1, number=1),
        DirectorSummoned(at=2, seat=Seat.N),
        *events_of(verb, read_args(verb, args), at=3, by="b" * 200, command=id_of(1)),
    ]
    stamp = Stamp(mono=10**18, wall="2026-05-01T18:30:00.000Z", clock=ClockQuality.NTP, rev=10**9)
    journal = Journal.in_memory(identity=Identity(place=PLACE, table="7"), epoch="e" * 12, session="s" * 12)
    for event in events:
        effects = core.handle(event, journal.next_seq)
        journal.append([event_row(event, stamp), *(effect_row(effect, stamp) for effect in effects)])
    for row in journal.rows():
        _, payload = sealed_row(row, journal.identity, journal.epoch, b"k" * 32)
        assert b'"too_long"' not in payload
        assert row.body.encode() in payload or b'"what":"view"' in payload
        assert payload.count(b'"7NT"') == row.body.encode().count(b'"7NT"')


def test_no_auction_is_longer_than_the_longest_there_can_be() -> None:
    calls: list[JsonValue] = [["N", "P"]] * 320
    with pytest.raises(ValidationError, match="at most 319"):
        read_args(Verb.CORRECT, {"correction": {"what": "auction", "calls": calls}})
