"""One recorded game through the core alone, in virtual time.

Must never read a result off the record: what came of it is what the core recorded.
"""

from __future__ import annotations

import math
from random import Random

from hw_sim.core_runner.customs import customs_of, regulations_of
from hw_sim.core_runner.stage import CoreStage
from hw_sim.misdeeds.form import Deed
from hw_sim.players.asks import Complaint
from hw_sim.players.customs import STYLES, Customs, Floors, Manner
from hw_sim.players.four import BoardPlay
from hw_sim.players.ledger import BoardAccount, Ledger
from hw_sim.players.runner import play_out
from hw_sim.players.script import script_of
from hw_sim.players.spare import place_spare
from hw_sim.records.model import Game, RecordedGame, RefusedGame
from hw_sim.records.results import MISSING_BOARD, GameResult, TableBoard, refused, result_of, unplayed
from hw_sim.table.wiring import TableKind, wiring
from table_controller.screen.effects import RecordBoard
from table_controller.screen.senses import Sense, parse_senses


def senses_of(kind: TableKind) -> frozenset[Sense]:
    """What the core is told that this kind of table can sense and move."""
    wires = wiring(kind)
    outputs = {output.name.split(".")[0] if output.name.startswith("hold") else output.name
               for output in wires.rig.outputs}  # fmt: skip
    known = {sense.value for sense in Sense}
    return parse_senses([*wires.senses, *(outputs & known)])


def play_game(
    game: Game,
    *,
    regulations: str = "ccba-2006",
    kind: TableKind = TableKind.FULL,
    misdeed: Deed | None = None,
) -> GameResult:
    """Play one game at a fresh table. Raises UnknownRegulations."""
    if isinstance(game, RefusedGame):
        return refused(game)
    stage = CoreStage(regulations=regulations_of(regulations), senses=senses_of(kind))
    account, complaint = _play(stage, game, customs_of(regulations), kind, misdeed)
    if not stage.boards:
        return unplayed(game, complaint or MISSING_BOARD)
    return result_of(game, _read(stage, stage.boards[0], account), complaint)


def _play(
    stage: CoreStage, game: RecordedGame, customs: Customs, kind: TableKind, misdeed: Deed | None
) -> tuple[BoardAccount, str | None]:
    ledger, manner = Ledger("core"), Manner(STYLES["steady"], Random(game.game), Floors.quickest())
    play = BoardPlay(
        hands=stage,
        script=script_of(game),
        customs=customs,
        furniture=kind.furniture,
        manner=manner,
        ledger=ledger,
        misdeed=misdeed,
    )
    complaint = None
    try:
        play_out(stage, play.play(), speed=math.inf)
    except Complaint as problem:
        complaint = str(problem)
        play.account.broken_off_at = stage.now
        play_out(stage, play.abandon(), speed=math.inf)
    if not stage.boards:
        play_out(stage, place_spare(play), speed=math.inf)
    return play.account, complaint


def _read(stage: CoreStage, board: RecordBoard, account: BoardAccount) -> TableBoard:
    return TableBoard(
        number=board.number,
        dealer=None if board.dealer is None else board.dealer.value,
        vulnerability=None if board.vulnerability is None else board.vulnerability.value,
        calls=tuple(f"{seat}:{call}" for seat, call in board.calls),
        crossings=board.crossings,
        contract=board.contract,
        declarer=None if board.declarer is None else board.declarer.value,
        tricks=board.tricks,
        kinds=_kinds(stage, board, account.broken_off_at),
        completed=board.outcome == "completed",
    )


def _kinds(stage: CoreStage, board: RecordBoard, until: int | None) -> tuple[str, ...]:
    """The irregularities of the board; those that came of breaking it off are left out."""
    if until is None:
        return tuple(kind.value for kind in board.irregularities)
    entries = [entry for entry in stage.entries.values() if entry.at <= until]
    return tuple(kind.value for entry in entries for kind in entry.kinds)
