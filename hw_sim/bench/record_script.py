"""Players at the bench who play a record, board after board, and what they do there that they should not.

Must never wait for anything a person at the table could not see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from hw_sim.misdeeds.form import Deed
from hw_sim.misdeeds.plan import choose, places_of
from hw_sim.players.asks import Complaint, Script
from hw_sim.players.customs import STYLES, Customs, Floors, Furniture, Manner
from hw_sim.players.four import BoardPlay
from hw_sim.players.hands import Hands
from hw_sim.players.ledger import Ledger
from hw_sim.players.moments import Moment
from hw_sim.players.script import BoardScript
from hw_sim.refusals import Refusing, Said, Why

CARELESS = "careless"
IN_AUCTION = (Moment.BEFORE_CALL, Moment.AFTER_CALL)
AFTER_AUCTION = (Moment.AUCTION_OVER, Moment.BEFORE_LEAD, Moment.LEAD_DOWN)


class NoPlace(Refusing, ValueError):
    """The misdeed cannot be done on any board of this record; the sentence says what to do."""


@dataclass(kw_only=True)
class RecordPlay:
    """Boards of one record, played from `first` on, round and round no more than once.

    `word(kind)`: how often the director has told the table to go on after such an entry. `asked`: a misdeed
    somebody wants, with its options, until it is being done. `said` is told what went wrong.
    """

    hands: Hands
    scripts: Sequence[BoardScript]
    first: int
    customs: Customs
    furniture: Furniture
    ledger: Ledger
    word: Callable[[str], int]
    style: str
    seed: int
    said: Callable[[Said], None]
    floors: Floors = field(default_factory=Floors.quickest)
    asked: str = ""
    asked_options: Mapping[str, str] = field(default_factory=dict)
    once: bool = False
    """End after the board on which the misdeed was asked for."""
    at: int = 0
    board: BoardPlay | None = None
    manner: Manner = field(init=False)

    def __post_init__(self) -> None:
        self.manner = Manner(STYLES[self.style], Random(self.seed), self.floors)
        self._random = Random(f"{self.seed}/misdeeds")
        self.at = self.first

    def change_style(self, style: str) -> None:
        self.style = style
        self.manner.style = STYLES[style]

    @property
    def title(self) -> str:
        """The board being played, as its record has it."""
        script = self.scripts[self.at % len(self.scripts)]
        return f"board {script.number}, {script.outcome}"

    def ask(self, name: str, options: Mapping[str, str]) -> None:
        """Do it on this board if there is still time, else on the next where one can. Raises NoPlace."""
        later = [script for script in self.scripts if self._places(name, script, options)]
        if not later:
            raise NoPlace(
                f"{name} cannot be done on any board of this record under these regulations; choose another",
                Why.NO_PLACE_IN_RECORD,
                misdeed=name,
            )
        board = self.board
        if board is not None and board.misdeed is None:
            made = len(board.account.calls) if hasattr(board, "account") else 0
            over = made >= len(board.script.calls)
            left = [
                deed
                for deed in self._places(name, board.script, options)
                if (deed.moment in IN_AUCTION and deed.index > made)
                or (deed.moment in AFTER_AUCTION and not over)
            ]
            if left:
                board.misdeed = self._one(left, options)
                return
        self.asked, self.asked_options = name, options

    def script(self) -> Script:
        """Every board once, from the first."""
        for at in range(self.first, self.first + len(self.scripts)):
            self.at = at
            script = self.scripts[at % len(self.scripts)]
            misdeed = self._misdeed(script)
            if self.once and misdeed is None:
                continue
            self.board = BoardPlay(
                hands=self.hands,
                script=script,
                customs=self.customs,
                furniture=self.furniture,
                manner=self.manner,
                ledger=self.ledger,
                misdeed=misdeed,
                word=self.word,
            )
            try:
                yield from self.board.play()
            except Complaint as complaint:
                self.said(complaint.said)
                yield from self.board.abandon()
            self.board = None
            if self.once:
                return

    def _misdeed(self, script: BoardScript) -> Deed | None:
        if self.asked:
            places = self._places(self.asked, script, self.asked_options)
            if places:
                self.asked = ""
                return self._one(places, self.asked_options)
            return None
        if self.style == CARELESS:
            return choose(self._random, script, self.customs, director=True)
        return None

    def _places(self, name: str, script: BoardScript, options: Mapping[str, str]) -> list[Deed]:
        places = places_of(name, script, self.customs)
        call = options.get("call")
        if call is None or call == "":
            return places
        return [deed for deed in places if deed.index == int(call) - 1]

    def _one(self, places: Sequence[Deed], options: Mapping[str, str]) -> Deed:
        seed = options.get("seed") or ""
        return (Random(seed) if seed else self._random).choice(list(places))


def player_options(name: str) -> dict[str, str]:
    """The parameters of a players' misdeed: which call of the auction, from 1, and the seed of the choice."""
    return {"call": "", "seed": ""}
