"""What players do that they should not, by name, and who does what when: seeded, about every third board.

They put it right themselves or wait for the director, so that every board comes to its end. Must never depend
on what the controller noticed: a misdeed that goes unreported is what the ledger is there to find.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random

from hw_sim.misdeeds import calls, lead, tray
from hw_sim.misdeeds.form import Deed, Finder
from hw_sim.players.customs import Customs
from hw_sim.players.script import BoardScript
from hw_sim.refusals import Refusing, Why
from table_controller.laws.auction import faults_in

MISDEEDS: Mapping[str, Finder] = {
    "tray-early": tray.pushed_early,
    "tray-early-summons": tray.pushed_early_and_summoned,
    "tray-without-calls": tray.pushed_without_calls,
    "tray-wrong-mover": tray.pushed_by_wrong_seat,
    "tray-stalled": tray.tray_stopped,
    "board-off-tray": tray.board_lifted,
    "wrong-board": tray.board_swapped,
    "insufficient-bid": calls.call_insufficient,
    "out-of-rotation": calls.call_out_of_rotation,
    "inadmissible-double": calls.double_inadmissible,
    "inadmissible-redouble": calls.redouble_inadmissible,
    "change-of-call": calls.call_changed,
    "call-withdrawn": calls.call_taken_back,
    "call-after-final-pass": calls.call_after_final_pass,
    "cleared-before-shown": calls.cards_cleared_before_shown,
    "alert-one-face": calls.alerted_on_one_face,
    "stop-card": calls.stop_card_laid,
    "window-in-auction": lead.window_opened_in_auction,
    "window-before-lead": lead.window_opened_before_lead,
    "lead-out-of-turn": lead.lead_out_of_turn,
    "lead-in-auction": lead.lead_during_auction,
    "hands-out-early": lead.hands_out_before_closed,
    "lead-faced": lead.lead_faced_at_once,
    "summons": lead.director_called,
}
SLOW = frozenset({"tray-stalled"})
"""They take a regulation's own seconds, which no speed shortens: only when asked for by name."""
EVERY = 3
"""About one board in so many has a misdeed."""


class UnknownMisdeed(Refusing, ValueError):
    """No misdeed has this name; the message lists those that have."""


def places_of(name: str, script: BoardScript, customs: Customs) -> list[Deed]:
    """Every way of doing it on this board; empty where it cannot be done. Raises UnknownMisdeed."""
    try:
        finder = MISDEEDS[name]
    except KeyError:
        raise UnknownMisdeed(
            f"no misdeed is called {name!r}; choose one of {', '.join(MISDEEDS)}",
            Why.NO_SUCH,
            thing="misdeed",
            name=name,
            known=list(MISDEEDS),
        ) from None
    if any(faults_in(script.auction)):
        return []  # an auction recorded with irregularities is played as it is, with none of ours on top
    return list(finder(script, customs))


def choose(
    random: Random,
    script: BoardScript,
    customs: Customs,
    *,
    director: bool,
    names: Collection[str] = (),
) -> Deed | None:
    """A misdeed that can be done on this board, from `names` (empty: all but the slow ones), or None.

    `director`: whether there is one to wait for.
    """
    wanted = list(names) or [name for name in MISDEEDS if name not in SLOW]
    random.shuffle(wanted)
    for name in wanted:
        places = [deed for deed in places_of(name, script, customs) if director or not deed.director]
        if places:
            return random.choice(places)
    return None


class Plan:
    """Which boards of one table have a misdeed, and which: the same for the same seed."""

    def __init__(
        self, random: Random, customs: Customs, *, director: bool, every: int = EVERY, table: int = 0
    ) -> None:
        self._random = random
        self._customs = customs
        self._director = director
        self._every = every
        self._clean = table % every if every else 0  # so that a third of the tables begin with one

    def for_board(self, script: BoardScript) -> Deed | None:
        """What goes wrong on the next board; None on about two of three. `every` 0: never."""
        if not self._every:
            return None
        self._clean += 1
        if self._clean < self._every:
            return None
        deed = choose(self._random, script, self._customs, director=self._director)
        if deed is not None:
            self._clean = self._random.choice((-1, 0, 1)) if self._every > 2 else 0
        return deed
