"""What the director ordered is what the core is told, in its own words."""

from __future__ import annotations

from typing import TypedDict

import pytest

from table_controller.commands import events_of
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import PASS, parse_call
from table_controller.laws.seat import Seat
from table_controller.messages import ARGS
from table_controller.messages.topics import Verb
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
