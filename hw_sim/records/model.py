"""What a record of bridge is to us: a game as it was recorded, or a game refused with its reason.

Must never hold anything a record does not say. What is unknown is None; where a record contradicts itself
the game says so in `remarks`, and what was taken is what these docstrings name.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.laws.auction import Auction, MadeCall
from table_controller.laws.board import Vulnerability
from table_controller.laws.card import Deal
from table_controller.laws.contract import Contract, Outcome, contract_of
from table_controller.laws.play import Play, PlayedCard
from table_controller.laws.seat import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """An alert, or an explanation, of one call (`call` counts from 0). `text` is empty where only marked."""

    call: int
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedGame:
    """One game of a record, as recorded: irregular calls and cards are in it.

    `game` counts from 1 in the file. `dealer` and `vulnerability` are the record's own where it names them
    (else by the board's number, which is then remarked on). `calls` and `play` are in the order they were
    made. `claimed` is the number of tricks declarer was given where the play stopped short of thirteen;
    `result` the number the record says he won. `recorded_contract` ("4SX", "Pass", or as written where it
    cannot be read) and `recorded_declarer` are what the record claims; what counts is `contract`.
    """

    file: str
    game: int
    room: str | None
    board: int | None
    dealer: Seat
    vulnerability: Vulnerability | None
    calls: tuple[MadeCall, ...]
    alerts: tuple[Alert, ...] = ()
    play: tuple[PlayedCard, ...] = ()
    hands: Deal | None = None
    claimed: int | None = None
    result: int | None = None
    recorded_contract: str | None = None
    recorded_declarer: Seat | None = None
    remarks: tuple[str, ...] = ()

    @property
    def auction(self) -> Auction:
        return Auction(self.dealer, self.calls)

    @property
    def contract(self) -> Outcome | None:
        """What the calls come to, whatever the record claims; None where they do not end the auction."""
        return contract_of(self.auction)

    @property
    def played(self) -> Play | None:
        """The play of the contract that the calls come to; None without a contract."""
        contract = self.contract
        return Play(contract, self.play, self.hands) if isinstance(contract, Contract) else None

    @property
    def tricks(self) -> int | None:
        """Tricks won by declarer: as recorded, else counted where all thirteen were played."""
        played = self.played
        if self.result is not None or played is None or len(played.complete_tricks) < 13:
            return self.result
        return played.declarer_tricks


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedGame:
    """A game that cannot be played, and why, in one sentence. `game` is 0 where the whole file is meant."""

    file: str
    game: int
    reason: str
    room: str | None = None
    board: int | None = None
    remarks: tuple[str, ...] = ()


Game = RecordedGame | RefusedGame
