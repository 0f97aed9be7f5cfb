"""What the bench says the table waits for: the first thing that is missing, as the controller reports it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hw_sim.bench.contract import TableFrame, Waits
from hw_sim.bench.rendering import words
from hw_sim.bench.waiting import Known, waits_for
from hw_sim.core_runner import customs_of
from hw_sim.players.customs import FULL_TABLE, WATCH_TABLE
from table_controller.laws.call import parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.effects import CallShown, TableView
from table_controller.screen.entry import FaultKind
from table_controller.screen.event_base import WindowState

BOTH = (ScreenSide.NE, ScreenSide.SW)
SEATS = ("N", "E", "S", "W")
WAIT_CODES = Waits.model_json_schema()["properties"]["code"]["enum"]


def calls(*last: ScreenSide) -> tuple[CallShown, ...]:
    """1NT by North and three passes; the passes of South and West have been seen on `last`."""
    made = zip(Seat, ("1NT", "P", "P", "P"), strict=True)
    return tuple(
        CallShown(
            seat=seat, call=parse_call(call), sides=BOTH if index < 2 else last, entry=None, alerted_by=()
        )
        for index, (seat, call) in enumerate(made)
    )


VIEW = TableView(
    phase="lead.down",
    board=1,
    dealer=Seat.N,
    vulnerability=None,
    tray="NE",
    window=WindowState.CLOSED,
    calls=calls(*BOTH),
    turn=Seat.E,
    contract="1NT",
    declarer=Seat.N,
    leader=Seat.E,
    lead=Seat.E,
    lead_faced=False,
    cards_played=0,
    holds=(),
    open_entries=(),
    faults=(),
    summons=(),
)
UNSHOWN = replace(VIEW, calls=calls(ScreenSide.SW), tray="SW")


def frame(**changed: object) -> TableFrame:
    each: dict[str, object] = {
        "columns": {seat: [] for seat in SEATS},
        "alerts": dict.fromkeys(SEATS, False),
        "touched": dict.fromkeys(SEATS, False),
        "leads": {**dict.fromkeys(SEATS, ""), "E": "down"},
        "played": dict.fromkeys(SEATS, ""),
        "hands": dict.fromkeys(SEATS, True),
        "players": dict.fromkeys(SEATS, ""),
    }
    rest = {
        "ms": 0,
        "tray": {"on": "NE", "heading": "NE"},
        "board": {"number": 1, "dealer": "N", "vulnerability": "None"},
        "window": {"position": 0.0, "motor": "stop", "obstructed": False, "jammed": False},
        "lamps": {},
        "pressed": [],
    }
    return TableFrame.model_validate({**each, **rest, **changed})


def said(view: TableView, profile: str = "ccba-2006", table: TableFrame | None = None, **more: Any) -> str:
    known = Known(
        view=view,
        faults=more.get("faults", frozenset()),
        claimed=more.get("claimed"),
        customs=customs_of(profile),
        furniture=more.get("furniture", FULL_TABLE),
    )
    waits = waits_for(known, table or frame())
    return " ".join(filter(None, (waits.code, waits.seat, waits.side)))


CLOSED = [
    pytest.param(UNSHOWN, "ccba-2006", "unshown NE", id="the last passes not shown"),
    pytest.param(UNSHOWN, "acbl", "announce N", id="nobody asks that they be shown"),
    pytest.param(VIEW, "ebl-2016", "window_face E", id="under lead faced"),
    pytest.param(VIEW, "acbl", "announce N", id="under lead announced"),
    pytest.param(replace(VIEW, holds=("director",)), "ccba-2006", "hold", id="a hold is in force"),
    pytest.param(replace(VIEW, leader=None, contract=None), "laws-2017", "handle W", id="leader not known"),
    pytest.param(VIEW, "ccba-2006", "opening", id="nothing is missing"),
]


@pytest.mark.parametrize(("view", "profile", "expected"), CLOSED)
def test_it_says_why_the_window_is_still_shut(view: TableView, profile: str, expected: str) -> None:
    assert said(view, profile) == expected


def test_the_lead_that_is_awaited_is_somebodys() -> None:
    awaited = replace(VIEW, phase="lead.awaiting", lead=None)
    assert said(awaited) == "lead E"
    assert said(replace(awaited, leader=None)) == "leader_unknown"


def test_a_wrong_lead_is_named_and_something_in_the_way_too() -> None:
    both = frame(leads={"N": "", "E": "down", "S": "", "W": "down"})
    assert said(VIEW, table=both) == "wrong_lead W"
    assert said(VIEW, faults=frozenset({FaultKind.WINDOW_JAMMED})) == "blocked"
    assert said(VIEW, faults=frozenset({FaultKind.LINK_LOST})) == "opening"


def test_in_the_auction_it_is_a_call_or_the_tray_that_is_waited_for() -> None:
    auction = replace(VIEW, phase="auction.ne", turn=Seat.E, contract=None, leader=None, lead=None)
    assert said(auction) == "call E"
    assert said(replace(auction, turn=Seat.S)) == "tray SW"
    over = replace(auction, turn=None, calls=calls(ScreenSide.SW))
    assert said(over) == "passes_unshown NE"


def test_where_no_motor_is_a_person_opens_and_closes() -> None:
    assert said(replace(VIEW, phase="opening")) == "opening"
    assert said(replace(VIEW, phase="opening"), furniture=WATCH_TABLE) == "open_by_hand W"
    assert said(replace(VIEW, phase="closing"), furniture=WATCH_TABLE) == "close_by_hand W"


def test_the_end_of_a_board_says_what_is_left_to_do() -> None:
    play = replace(VIEW, phase="play", lead_faced=True, turn=Seat.S, cards_played=4)
    lying = frame(columns={"N": ["1NT"], "E": ["P"], "S": ["P"], "W": ["P"]})
    assert said(play) == "card S"
    assert said(play, table=lying) == "clear"
    assert said(play, claimed=Seat.N) == "claimed N"
    assert said(replace(play, cards_played=52, turn=None)) == "lift"
    assert said(replace(play, phase="complete"), table=lying) == "clear_lift"
    alert = frame(board=None, alerts={"N": True, "E": False, "S": False, "W": False})
    assert said(replace(VIEW, phase="setup"), table=alert) == "alert_left N"


@pytest.mark.parametrize("lang", ["en", "zh-CN"])
def test_everything_that_is_waited_for_has_a_sentence(lang: str) -> None:
    assert [code for code in WAIT_CODES if f"waits.{code}" not in words(lang)] == []
