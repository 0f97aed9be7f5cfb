"""What came of a game that was played through a table: one JSON object a game.

Read from what the table recorded, never from the record that was played: file, game and room say only which
it was. Must never fill in what the table does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from hw_sim.records.model import RecordedGame, RefusedGame
from table_controller.laws.contract import parse_contract
from table_controller.laws.seat import Seat

MISSING_BOARD = "the table recorded no board for this game: what it sensed did not reach its record"


class Outcome(StrEnum):
    """What became of a game."""

    COMPLETED = "completed"
    REFUSED = "refused"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBoard:
    """A board as the table recorded it. `kinds` with the monotonic time of each entry, ns."""

    number: int | None
    dealer: str | None
    vulnerability: str | None
    calls: tuple[str, ...]
    crossings: int
    contract: str | None
    declarer: str | None
    tricks: int | None
    kinds: tuple[str, ...]
    completed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """One line of `hw-sim records`. `calls` is how many there were; `result` is `=`, `+1`, `-2` or None."""

    file: str
    game: int
    room: str | None
    board: int | None
    dealer: str | None = None
    vulnerability: str | None = None
    calls: int | None = None
    crossings: int | None = None
    contract: str | None = None
    declarer: str | None = None
    tricks: int | None = None
    result: str | None = None
    irregularities: tuple[str, ...] = ()
    outcome: Outcome
    reason: str | None = None

    def as_json(self) -> dict[str, object]:
        return {**asdict(self), "irregularities": list(self.irregularities), "outcome": self.outcome.value}


def refused(game: RefusedGame) -> GameResult:
    """A game that was never played."""
    return GameResult(
        file=game.file,
        game=game.game,
        room=game.room,
        board=game.board,
        outcome=Outcome.REFUSED,
        reason=game.reason,
    )


def unplayed(game: RecordedGame, reason: str) -> GameResult:
    """A game the table has no board for."""
    return GameResult(
        file=game.file,
        game=game.game,
        room=game.room,
        board=game.board,
        outcome=Outcome.UNFINISHED,
        reason=reason,
    )


def result_of(game: RecordedGame, board: TableBoard, complaint: str | None) -> GameResult:
    """What the table made of the game. `complaint`: what its players waited for in vain."""
    return GameResult(
        file=game.file,
        game=game.game,
        room=game.room,
        board=board.number,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        calls=len(board.calls),
        crossings=board.crossings,
        contract=board.contract,
        declarer=board.declarer,
        tricks=board.tricks,
        result=relative_result(board.contract, board.declarer, board.tricks),
        irregularities=board.kinds,
        outcome=Outcome.COMPLETED if board.completed else Outcome.UNFINISHED,
        reason=None if board.completed else complaint or why_unfinished(game, board.kinds),
    )


def why_unfinished(game: RecordedGame, kinds: Sequence[str]) -> str:
    """Why a board that was played as recorded came to no end."""
    if "AUCTION_STUCK" in kinds:
        return "the passes end nothing while a skipped turn or an inadmissible call is open, and nobody ruled"
    if game.contract is None:
        return f"the record stops after {len(game.calls)} calls, before the auction is over"
    return "the table did not record the board as complete"


def relative_result(contract: str | None, declarer: str | None, tricks: int | None) -> str | None:
    """Tricks against the contract, as players write it; None where the table did not count them."""
    if contract is None or declarer is None or tricks is None:
        return None
    over = tricks - parse_contract(contract, Seat(declarer)).tricks_needed
    return f"{over:+d}" if over else "="
