"""From what a format's reader has understood to a game: playable with remarks, or refused with its reason.

The same for PBN and LIN, so that the two never judge differently. Must never mend anything: where two
statements of a record differ, the one that was taken is named here and the difference is remarked on.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hw_sim.records.model import Alert, Game, RecordedGame, RefusedGame
from table_controller.laws.auction import MadeCall
from table_controller.laws.board import Board, Vulnerability, dealer_of, vulnerability_of
from table_controller.laws.call import Call, Pass
from table_controller.laws.card import Deal
from table_controller.laws.contract import Contract, PassedOut
from table_controller.laws.play import PlayedCard
from table_controller.laws.seat import Seat


@dataclass(slots=True, kw_only=True)
class Draft:
    """A game while it is being read. `refusal` is the first reason for which it cannot be played."""

    file: str
    game: int
    room: str | None = None
    board: int | None = None
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None
    calls: list[MadeCall] = field(default_factory=list)
    alerts: list[Alert] = field(default_factory=list)
    play: list[PlayedCard] = field(default_factory=list)
    hands: Deal | None = None
    claimed: int | None = None
    result: int | None = None
    contract_text: str | None = None
    declarer: Seat | None = None
    remarks: list[str] = field(default_factory=list)
    refusal: str | None = None

    def remark(self, text: str) -> None:
        if text not in self.remarks:
            self.remarks.append(text)

    def refuse(self, reason: str) -> None:
        if self.refusal is None:
            self.refusal = reason


class Caller:
    """Lays a row of calls on a draft, seat by seat from a first column, whatever the calls are."""

    def __init__(self, draft: Draft, first: Seat) -> None:
        self._draft = draft
        self.seat = first

    def call(self, call: Call) -> None:
        self._draft.calls.append(MadeCall(self.seat, call))
        self.seat = self.seat.lho

    def skip(self) -> None:
        self.seat = self.seat.lho

    def all_pass(self) -> None:
        """Passes until the auction is over: three after a bid, four where nobody has bid."""
        calls = [made.call for made in self._draft.calls]
        ended_by = 3 if any(not isinstance(call, Pass) for call in calls) else 4
        passes = 0
        while passes < len(calls) and isinstance(calls[-1 - passes], Pass):
            passes += 1
        for _ in range(ended_by - passes):
            self.call(Pass())

    def alert(self, text: str = "") -> bool:
        """Alert the latest call; two explanations of it become one text. False if there is no call yet."""
        draft = self._draft
        if not draft.calls:
            return False
        call = len(draft.calls) - 1
        if draft.alerts and draft.alerts[-1].call == call:
            before = draft.alerts.pop().text
            text = "; ".join(part for part in (before, text) if part)
        draft.alerts.append(Alert(call=call, text=text))
        return True


def settle_board(draft: Draft) -> None:
    """Dealer and vulnerability the record does not give come from its board number, and that is said."""
    number = draft.board
    if draft.dealer is None and number is not None:
        draft.dealer = dealer_of(number)
        draft.remark(f"no dealer is recorded; by board {number} it is {draft.dealer}")
    if draft.vulnerability is None and number is not None:
        draft.vulnerability = vulnerability_of(number)
        draft.remark(f"no vulnerability is recorded; by board {number} it is {draft.vulnerability}")


LONGEST_AUCTION = 319
"""Three passes, then each of the 35 bids with a double, a redouble and two passes around each (L19, L22)."""


def finished(draft: Draft) -> Game:
    """The game of a draft whose calls and cards are on it."""
    if not draft.calls:
        draft.refuse(_why_no_calls(draft))
    if len(draft.calls) > LONGEST_AUCTION:
        draft.refuse(f"{len(draft.calls)} calls are recorded; no auction has more than {LONGEST_AUCTION}")
    dealer = draft.dealer
    if dealer is None:
        draft.refuse("neither a dealer nor a board number says who calls first")
    if draft.refusal is not None or dealer is None:
        return RefusedGame(
            file=draft.file,
            game=draft.game,
            reason=draft.refusal or "",
            room=draft.room,
            board=draft.board,
            remarks=tuple(draft.remarks),
        )
    for departure in Board(number=draft.board, dealer=dealer, vulnerability=draft.vulnerability).departures:
        draft.remark(departure)
    game = RecordedGame(
        file=draft.file,
        game=draft.game,
        room=draft.room,
        board=draft.board,
        dealer=dealer,
        vulnerability=draft.vulnerability,
        calls=tuple(draft.calls),
        alerts=tuple(draft.alerts),
        play=tuple(draft.play),
        hands=draft.hands,
        claimed=draft.claimed,
        result=draft.result,
        recorded_contract=draft.contract_text,
        recorded_declarer=draft.declarer,
    )
    return _remarked(game, draft)


def _why_no_calls(draft: Draft) -> str:
    if draft.contract_text == "Pass":
        return "no calls are recorded; the contract says Pass, which a board never played may say as well"
    return "no calls are recorded"


def _remarked(game: RecordedGame, draft: Draft) -> RecordedGame:
    """The game with everything said in which the record contradicts its own calls and cards."""
    said = list(draft.remarks)
    outcome = game.contract
    if outcome is None:
        said.append("the calls recorded do not end the auction")
    said += _contract_remarks(game)
    if isinstance(outcome, PassedOut) and game.play:
        said.append("cards are recorded although the board was passed out")
    said += _play_remarks(game)
    return replace(game, remarks=tuple(dict.fromkeys(said)))


def _contract_remarks(game: RecordedGame) -> list[str]:
    outcome = game.contract
    said: list[str] = []
    if outcome is not None and game.recorded_contract is not None and game.recorded_contract != str(outcome):
        said.append(f"the record says the contract is {game.recorded_contract}, its calls say {outcome}")
    if isinstance(outcome, Contract) and game.recorded_declarer not in (None, outcome.declarer):
        said.append(
            f"the record says the declarer is {game.recorded_declarer}, its calls say {outcome.declarer}"
        )
    if isinstance(outcome, PassedOut) and game.recorded_declarer is not None:
        said.append(f"the record says the declarer is {game.recorded_declarer}, its calls pass the board out")
    return said


def _play_remarks(game: RecordedGame) -> list[str]:
    play = game.played
    said: list[str] = []
    if play is None:
        return said
    won = play.declarer_tricks
    if len(play.complete_tricks) == 13 and game.result is not None and game.result != won:
        said.append(f"the record says declarer won {game.result} tricks, its cards say {won}")
    if game.result is not None and game.claimed is not None and game.result != game.claimed:
        said.append(
            f"the record says declarer won {game.result} tricks, and that he was given {game.claimed}"
        )
    if play.cards and play.cards[0].seat is not play.contract.leader:
        said.append(f"{play.cards[0].seat} led, the calls say {play.contract.leader}")
    return said
