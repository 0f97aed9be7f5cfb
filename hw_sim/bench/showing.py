"""What is going on at the bench, made into the frame that its page shows.

Must never decide anything.
"""

from __future__ import annotations

from hw_sim.bench.contract import LineResult, Playing, Plugs, SessionFrame, Setup
from hw_sim.bench.programs import Programs
from hw_sim.bench.record_script import RecordPlay
from hw_sim.bench.scenario_script import ScenarioPlay
from hw_sim.bench.session import Session

LATEST_MS = 250
"""How finely the end of the past is told: a slider needs no more."""


def session_frame(
    session: Session, programs: Programs, *, scripted: bool, speed: float, broken: str
) -> SessionFrame:
    order = session.order
    died = session.table.ended_by_itself if session.ready else None
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
            "director": "scripted" if scripted else "you",
            "misdeed": _waiting(session),
            "said": broken or session.said or ("" if died is None else f"the controller ended: {died}"),
            "last_ms": session.now_ms // LATEST_MS * LATEST_MS,
            "log": len(session.log.deeds),
            "console": programs.address if programs.console_in else "",
            "login": programs.login,
        }
    )


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
            LineResult(number=one.line.number, text=one.line.text, met=one.met, why=one.why)
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
