"""What the director ordered is what the core is told, in its own words."""

from __future__ import annotations

from typing import TypedDict

import pytest

from table_controller.commands import events_of
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import PASS, parse_call
from table_controller.laws.seat import Seat
from table_controller.messages import ARGS, codec
from table_controller.messages.codec import Json
from table_controller.messages.topics import Verb
from table_controller.regulations.time_tables import Contest
from table_controller.screen.events import (
    BoardDue,
    Corrected,
    CorrectedAuction,
    CorrectedBoard,
    CorrectedCall,
    CorrectedContract,
    CorrectedLeader,
    CorrectedPhase,
    EntryClosed,
    Held,
    Resumed,
    Ruled,
    SeatObliged,
    SessionOpened,
    SessionPlan,
    Subject,
    SummonsClassified,
    TrayBackOrdered,
    Verdict,
    WindowOrder,
    WindowOverridden,
)


class By(TypedDict):
    at: int
    by: str
    why: str
    command: str


BY: By = {"at": 9, "by": "chief", "why": "seen", "command": "X"}


@pytest.mark.parametrize(
    ("verb", "args", "events"),
    [
        (Verb.HOLD, {}, [Held(**BY)]),
        (Verb.RESUME, {"reasons": ["diverged"]}, [Resumed(**BY, reasons=("diverged",))]),
        (Verb.TRAY_BACK, {}, [TrayBackOrdered(**BY)]),
        (Verb.OPEN_WINDOW, {}, [WindowOverridden(**BY, to=WindowOrder.OPEN)]),
        (Verb.CLOSE_WINDOW, {}, [WindowOverridden(**BY, to=WindowOrder.CLOSE)]),
        (
            Verb.RULING,
            {"entries": [3, 4], "verdict": "cancel", "text": "back"},
            [Ruled(**BY, entries=(3, 4), verdict=Verdict.CANCEL, text="back")],
        ),
        (
            Verb.RULING,
            {"entries": [3], "verdict": "oblige", "seat": "E", "turns": 1},
            [
                Ruled(**BY, entries=(3,), verdict=Verdict.OBLIGE),
                SeatObliged(**BY, seat=Seat.E, turns=1),
            ],
        ),
        (
            Verb.CORRECT,
            {"correction": {"what": "call", "index": 2, "call": None}},
            [Corrected(**BY, what=CorrectedCall(index=2, call=None))],
        ),
        (
            Verb.CORRECT,
            {"correction": {"what": "auction", "calls": [["N", "1C"], ["E", "P"]]}},
            [Corrected(**BY, what=CorrectedAuction(calls=((Seat.N, parse_call("1C")), (Seat.E, PASS))))],
        ),
        (
            Verb.CORRECT,
            {"correction": {"what": "board", "number": 5}},
            [Corrected(**BY, what=CorrectedBoard(number=5))],
        ),
        (
            Verb.CORRECT,
            {"correction": {"what": "dealer", "dealer": "W"}},
            [Corrected(**BY, what=CorrectedBoard(dealer=Seat.W))],
        ),
        (
            Verb.CORRECT,
            {"correction": {"what": "vulnerability", "vulnerability": "Both"}},
            [Corrected(**BY, what=CorrectedBoard(vulnerability=Vulnerability.BOTH))],
        ),
        (
            Verb.CORRECT,
            {"correction": {"what": "contract", "bid": "4S", "doubled": 1, "declarer": "S"}},
            [Corrected(**BY, what=CorrectedContract(bid=parse_call("4S"), doubled=1, declarer=Seat.S))],
        ),
        (
            Verb.CORRECT,
            {"correction": {"what": "contract", "bid": None}},
            [Corrected(**BY, what=CorrectedContract(bid=None))],
        ),
        (
            Verb.CORRECT,
            {"correction": {"what": "leader", "seat": "W"}},
            [Corrected(**BY, what=CorrectedLeader(seat=Seat.W))],
        ),
        (
            Verb.CORRECT,
            {"correction": {"what": "phase", "phase": "play"}},
            [Corrected(**BY, what=CorrectedPhase(phase="play"))],
        ),
        (Verb.CORRECT, {"correction": {"what": "entry", "entry": 6}}, [EntryClosed(**BY, entry=6)]),
        (
            Verb.CLASSIFY,
            {"entry": 3, "subject": "tempo", "about": "E"},
            [SummonsClassified(**BY, entry=3, subject=Subject.TEMPO, about=Seat.E)],
        ),
        (
            Verb.SESSION,
            {"session": "r1", "boards": [{"number": 5, "dealer": "W"}], "players": {"N": "p1"}},
            [
                SessionOpened(
                    **BY,
                    session="r1",
                    boards=(BoardDue(number=5, dealer=Seat.W),),
                    players=((Seat.N, "p1"),),
                )
            ],
        ),
        (Verb.REPLAY, {"epoch": "abc", "first": 1, "last": 2}, []),
        (Verb.ACKNOWLEDGE, {"entries": [1]}, []),
    ],
)
def test_what_the_director_ordered_is_what_the_core_is_told(verb, args, events):
    read = ARGS[verb].model_validate({**args, "why": "seen"})
    assert list(events_of(verb, read, at=9, by="chief", command="X")) == events


NS_PER_S = 1_000_000_000
WALL = 1_800_000_000 * NS_PER_S
PLANS = [
    ({}, SessionPlan()),
    (
        {"contest": "pairs_imp", "minutes": 8, "regulations": "ccba-2006", "slow_before": 1},
        SessionPlan(contest=Contest.PAIRS_IMP, board_s=480, regulations="ccba-2006", slow_before=1),
    ),
    ({"minutes": 8, "board_seconds": 450}, SessionPlan(board_s=450)),
    ({"round_seconds": 7200, "pair_seconds": 240}, SessionPlan(round_s=7200, pair_s=240)),
    ({"start_ms": (WALL - 420 * NS_PER_S) // 1_000_000}, SessionPlan(start=9 - 420 * NS_PER_S)),
]


@pytest.mark.parametrize(("given", "plan"), PLANS)
def test_a_sessions_times_are_put_on_the_tables_own_axis(given, plan):
    read = ARGS[Verb.SESSION].model_validate({"session": "r1", "plan": given})
    (event,) = events_of(Verb.SESSION, read, at=9, by="chief", command="X", console_wall=WALL)
    assert isinstance(event, SessionOpened)
    assert event.plan == plan


def test_a_start_is_unknown_where_the_consoles_clock_is():
    read = ARGS[Verb.SESSION].model_validate({"session": "r1", "plan": {"start_ms": 5}})
    (event,) = events_of(Verb.SESSION, read, at=9, by="chief", command="X")
    assert isinstance(event, SessionOpened)
    assert event.plan.start is None


@pytest.mark.parametrize(
    "given", [{"contest": "chess"}, {"minutes": 0}, {"late_before": -1}, {"start_ms": 1.5}]
)
def test_a_plan_that_makes_no_sense_is_refused(given):
    with pytest.raises(ValueError):
        ARGS[Verb.SESSION].model_validate({"session": "r1", "plan": given})


def test_an_event_of_an_older_journal_has_no_plan():
    told: Json = {"event": "SessionOpened", "at": 9, "by": "chief", "session": "r1"}
    event = codec.event_from_json(told)
    assert isinstance(event, SessionOpened)
    assert event.plan == SessionPlan()
