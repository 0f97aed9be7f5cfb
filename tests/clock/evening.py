"""An evening of simulated tables on the virtual clock: players with paces of their own, and their own watch.

The players' watch (`BoardAccount.used`) is the measure; nothing of it comes from the controller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from hw_sim.core_runner.customs import customs_of, regulations_of
from hw_sim.core_runner.play import senses_of
from hw_sim.core_runner.stage import CoreStage
from hw_sim.players.customs import STYLES, Floors, Manner, Style
from hw_sim.players.four import BoardPlay
from hw_sim.players.ledger import BoardAccount, Ledger
from hw_sim.players.runner import play_out
from hw_sim.players.script import script_of
from hw_sim.records.model import RecordedGame
from hw_sim.records.read import read_records
from hw_sim.table.changes import Travel
from hw_sim.table.wiring import TableKind
from table_controller.laws.seat import Partnership, Seat
from table_controller.screen import events as ev
from table_controller.screen.times import RecordTime, SessionPlan

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
RECORDINGS = Path(__file__).resolve().parents[2] / "hw_sim" / "recordings"


@lru_cache(maxsize=1)
def games() -> tuple[RecordedGame, ...]:
    paths = sorted(path for path in RECORDINGS.iterdir() if path.suffix in (".pbn", ".lin"))
    found = {game.board: game for game in read_records(paths) if isinstance(game, RecordedGame)}
    return tuple(found[number] for number in sorted(number for number in found if number is not None))


@dataclass(frozen=True, kw_only=True)
class Played:
    """One table's evening: what the players saw themselves, and what the table reported."""

    accounts: tuple[BoardAccount, ...]
    stage: CoreStage

    def pairs(self) -> Sequence[tuple[BoardAccount, RecordTime]]:
        return list(zip(self.accounts, self.stage.times, strict=True))


def used_ms(account: BoardAccount, partnership: Partnership) -> float:
    return sum(ns for seat, ns in account.used.items() if Seat(seat).partnership is partnership) / NS_PER_MS


def evening(
    boards: Sequence[RecordedGame],
    *,
    seed: int,
    pairs: Mapping[Partnership, Style] | None = None,
    plan: SessionPlan | None = None,
    late_s: int = 0,
    kind: TableKind = TableKind.FULL,
    regulations: str = "ccba-2006",
) -> Played:
    """Play these boards at one table. The session begins at once; the players come `late_s` after."""
    stage = CoreStage(regulations=regulations_of(regulations), senses=senses_of(kind), travel=Travel())
    order = ev.SessionOpened(
        at=stage.now,
        by="TD",
        session="evening",
        boards=tuple(ev.BoardDue(number=game.board or 0) for game in boards),
        plan=plan or SessionPlan(),
    )
    stage.tell(order)
    stage.advance(stage.now + late_s * NS_PER_S)
    ledger = Ledger(f"table-{seed}")
    manner = Manner(STYLES["steady"], Random(seed), Floors(), pairs)
    for game in boards:
        play = BoardPlay(
            hands=stage,
            script=script_of(game),
            customs=customs_of(regulations),
            furniture=kind.furniture,
            manner=manner,
            ledger=ledger,
        )
        play_out(stage, play.play(), between=play.look)
    stage.advance(stage.now + 100 * NS_PER_S)
    return Played(accounts=tuple(ledger.boards), stage=stage)
