"""What is going on at the bench, made into the frame that its page shows.

Must never decide anything.
"""

from __future__ import annotations

from hw_sim.bench.contract import LineResult, Playing, Plugs, SessionFrame, Setup, Waits
from hw_sim.bench.problems import reason_of
from hw_sim.bench.programs import Programs
from hw_sim.bench.record_script import RecordPlay
from hw_sim.bench.scenario_script import ScenarioPlay
from hw_sim.bench.session import Session
from hw_sim.bench.waiting import NOTHING, Known, waits_for
from hw_sim.refusals import Said, Why
from table_controller.laws.seat import Seat

LATEST_MS = 250
"""How finely the end of the past is told: a slider needs no more."""


def session_frame(
    session: Session, programs: Programs, *, scripted: bool, speed: float, broken: Said | None
) -> SessionFrame:
    order = session.order
    view = session.table.seen.view
    said = broken or session.said or _died(session)
    return SessionFrame.model_validate(
        {
            "number": session.number,
            "state": "broken" if broken else "ready" if session.ready else "starting",
            "setup": Setup.model_validate(
                {
                    "table": order.scenario.kind.value,
                    "rig": order.way.value,
                    "regulations": order.scenario.regulations,
                    "pace": float(order.pace),
                }
            ),
            "playing": _playing(session, speed),
            "plugs": Plugs(
                cable=session.table.cable_in,
                controller=session.table.running,
                broker=programs.broker_in,
                console=programs.console_in,
            ),
            "phase": session.inside.phase,
            "waits": _waits(session),
            "contract": "" if view is None or view.contract is None else view.contract,
            "declarer": None if view is None or view.declarer is None else view.declarer.value,
            "director": "scripted" if scripted else "you",
            "misdeed": _waiting(session),
            "said": "" if said is None else said.text,
            "reason": reason_of(said),
            "last_ms": session.now_ms // LATEST_MS * LATEST_MS,
            "log": len(session.log.deeds),
            "console": programs.address if programs.console_in else "",
            "login": programs.login,
        }
    )


def _died(session: Session) -> Said | None:
    died = session.table.ended_by_itself if session.ready else None
    return None if died is None else Said(f"the controller ended: {died}", Why.CONTROLLER_ENDED)


def _waits(session: Session) -> Waits:
    view, table = session.table.seen.view, session.bulletin.table
    if view is None or table is None:
        return Waits(code="board") if session.ready else NOTHING
    faults = session.table.seen.faults.values()
    claimed = session.inside.claimed
    known = Known(
        view=view,
        faults=frozenset(fault.kind for fault in faults if fault.cleared_at is None),
        claimed=Seat(claimed) if claimed else None,
        customs=session.customs,
        furniture=session.order.scenario.kind.furniture,
    )
    return waits_for(known, table)


def _playing(session: Session, speed: float) -> Playing:
    play = session.play
    scenario = play if isinstance(play, ScenarioPlay) and session.what != "hand" else None
    title = play.title if isinstance(play, RecordPlay) else session.title
    return Playing(
        what=session.what,
        title=title,
        paused=session.stage.pace.paused,
        ended=session.ended,
        speed=float(speed),
        style=play.style if isinstance(play, RecordPlay) else "",
        line=None if scenario is None else scenario.at,
        lines=[]
        if scenario is None
        else [
            LineResult(
                number=one.line.number,
                text=one.line.text,
                met=one.met,
                why="" if one.why is None else one.why.text,
                reason=reason_of(one.why),
            )
            for one in scenario.states
        ],
        lesson=session.lesson,
    )


def _waiting(session: Session) -> str:
    play = session.play
    if not isinstance(play, RecordPlay):
        return ""
    if play.asked:
        return play.asked
    board = play.board
    if board is None or board.misdeed is None or not hasattr(board, "account"):
        return ""
    return "" if board.misdeed.name in board.account.misdeeds else board.misdeed.name
