"""Rows say what happened; the snapshot says nothing one face could not know of the other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from table_controller.laws.call import Call, parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.messages import BODIES, Change, ClockQuality, IrregularityBody, LogBody, What, mac
from table_controller.messages.topics import Stream
from table_controller.screen.effects import Amend, CallShown, Report, ShowState, TableView
from table_controller.screen.entry import Entry, Kind, Level, Standing
from table_controller.screen.events import CallMade, WindowState
from table_controller.service.reports import Stamp, Surroundings, effect_row, event_row, snapshot
from tests.messages.values import EFFECT_TYPES, EVENT_TYPES

STAMP = Stamp(mono=5_000_000_000, wall="2026-05-01T18:30:00.000Z", clock=ClockQuality.NTP, rev=4)
BOTH, NE, SW = (ScreenSide.NE, ScreenSide.SW), (ScreenSide.NE,), (ScreenSide.SW,)
AROUND = Surroundings(last_seq=9, head="ab", safe=True, timers=(("tray", 7_000_000_000),))


def view(phase: str, *calls: tuple[str, str, tuple[ScreenSide, ...]]) -> TableView:
    return TableView(
        phase=phase,
        board=3,
        dealer=Seat.N,
        vulnerability=None,
        tray="NE",
        window=WindowState.CLOSED,
        calls=tuple(
            CallShown(seat=Seat(seat), call=parse_call(call), sides=sides) for seat, call, sides in calls
        ),
        turn=Seat.E,
        contract="4S",
        declarer=Seat.S,
        leader=Seat.W,
        lead=None,
        lead_faced=None,
        cards_played=0,
        holds=(),
        open_entries=(1,),
        faults=(),
        summons=(),
    )


@pytest.mark.parametrize("kind", EVENT_TYPES, ids=lambda kind: kind.__name__)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_every_event_has_a_row_that_reads_back(kind, data):
    event = data.draw(st.from_type(kind))
    row = event_row(event, STAMP)
    body = LogBody.model_validate(mac.parse_object(mac.canonical(row.body)))
    assert (row.stream, body.what) == (Stream.LOG, What.EVENT)
    assert body.event() == event


@pytest.mark.parametrize("kind", EFFECT_TYPES, ids=lambda kind: kind.__name__)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_every_effect_has_a_row_whose_body_is_of_its_streams_schema(kind, data):
    effect = data.draw(st.from_type(kind))
    row = effect_row(effect, STAMP, cause="7-abc-1")
    body = BODIES[row.stream].model_validate(mac.parse_object(mac.canonical(row.body)))
    if isinstance(body, LogBody):
        assert body.has_effect
        assert body.effect() == effect
    assert (row.mono_ms, row.rev, row.cause) == (5000, 4, "7-abc-1")


@pytest.mark.parametrize(
    ("standing", "change"),
    [(Standing.OPEN, Change.AMENDED), (Standing.RULED, Change.CLOSED), (Standing.MISREADING, Change.CLOSED)],
)
def test_an_entry_is_new_amended_or_closed(standing, change):
    entry = Entry(
        id=1, kinds=(Kind.SUMMONS,), level=Level.REPORT, at=1, board=3, phase="auction", standing=standing
    )
    for effect, expected in ((Report(entry=entry), Change.NEW), (Amend(entry=entry), change)):
        row = effect_row(effect, STAMP)
        body = IrregularityBody.model_validate(row.body)
        assert body.change is expected
        assert body.read() == entry


class TestSnapshot:
    def test_only_the_calls_both_faces_have_seen_are_in_it(self):
        shown = snapshot(view("auction.sw", ("N", "1C", BOTH), ("E", "P", BOTH), ("S", "1H", SW)), AROUND)
        assert shown.auction == (("N", "1C"), ("E", "P"))

    def test_nothing_after_a_call_that_is_not_on_both_faces(self):
        shown = snapshot(view("auction.ne", ("N", "1C", NE), ("E", "P", BOTH)), AROUND)
        assert shown.auction == ()

    def test_no_phase_that_tells_of_calls_not_yet_shown(self):
        hidden = snapshot(view("lead.awaiting", ("N", "1C", BOTH), ("E", "P", NE)), AROUND)
        assert hidden.phase == "auction"
        assert snapshot(view("lead.awaiting", ("N", "1C", BOTH)), AROUND).phase == "lead.awaiting"
        assert snapshot(view("auction.sw", ("N", "1C", NE)), AROUND).phase == "auction.sw"

    def test_no_turn_no_contract_no_hand_and_no_time_of_a_player(self):
        fields = snapshot(view("play"), AROUND).model_dump()
        assert set(fields) == {
            "phase", "board", "dealer", "vulnerability", "window", "tray", "auction", "timers", "holds",
            "open_entries", "faults", "summons", "off", "last_seq", "head", "safe", "versions", "health",
        }  # fmt: skip

    @settings(max_examples=100, deadline=None)
    @given(
        seen=st.lists(st.sampled_from([BOTH, NE, SW, ()]), max_size=12),
        phase=st.sampled_from(
            ["setup", "closing", "auction.ne", "auction.sw", "lead.awaiting", "opening", "play"]
        ),
    )
    def test_two_auctions_that_differ_only_in_what_one_face_lacks_give_the_same_snapshot(self, seen, phase):
        first = [("NESW"[index % 4], "P", sides) for index, sides in enumerate(seen)]
        other = [(seat, "P" if sides == BOTH else "1C", sides) for seat, _, sides in first]
        assert snapshot(view(phase, *first), AROUND) == snapshot(view(phase, *other), AROUND)


def test_a_long_auction_fits_into_a_message():
    calls: list[tuple[str, Call]] = [("NESW"[index % 4], parse_call("7NT")) for index in range(319)]
    long = view("auction.ne", *((seat, str(call), BOTH) for seat, call in calls))
    row = effect_row(ShowState(view=long), STAMP)
    assert len(mac.canonical(row.body)) < 16 * 1024 - 1024
    assert len(mac.canonical(snapshot(long, AROUND).model_dump(mode="json"))) < 16 * 1024 - 1024


def test_an_events_row_is_stamped_with_the_axis_and_the_wall():
    row = event_row(CallMade(at=5_000_000_000, seat=Seat.N, call=parse_call("1C")), STAMP)
    assert (row.mono_ms, row.wall, row.clock) == (5000, STAMP.wall, ClockQuality.NTP)
