"""Holds: a set of reasons among the facts, and what happens when the last of them ends.

Between hold and resume calls, tray and lead are the director's hands: facts are noted, nothing new is
reported of them. When play is resumed the auction is what he corrected it to, else the cards as they lie.
Must never be a state of the phase machine.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.laws.auction import faults_in
from table_controller.screen import tempo
from table_controller.screen.aside import make_what_still_lies
from table_controller.screen.beliefs import BOTH_SIDES, is_over
from table_controller.screen.book import begin_hold
from table_controller.screen.calls import set_auction, take_back_lifted
from table_controller.screen.columns import as_they_lie
from table_controller.screen.facts import NOBODY_KNOWN
from table_controller.screen.moment import Moment
from table_controller.screen.obligations import give_turn_back
from table_controller.screen.orders import Held, Resumed
from table_controller.screen.override import lapsed
from table_controller.screen.refusals import Refusal, WhyRefused, refusal
from table_controller.screen.rephase import rephase

DIRECTOR = "director"


def note_held(m: Moment, event: Held) -> None:
    begin_hold(m, DIRECTOR)


def note_resumed(m: Moment, event: Resumed) -> Refusal | None:
    """Ends the holds it names, all if none is named. Returns why not, if that makes no sense."""
    in_force = {hold.reason for hold in m.now.holds}
    if not in_force:
        return refusal(WhyRefused.NO_HOLD)
    unknown = [reason for reason in event.reasons if reason not in in_force]
    if unknown:
        return refusal(WhyRefused.NO_SUCH_HOLD, hold=unknown[0], holds=" ".join(sorted(in_force)))
    ended = set(event.reasons) or in_force
    m.now = replace(m.now, holds=tuple(hold for hold in m.now.holds if hold.reason not in ended))
    if not m.now.holds:
        _go_on(m)
    return None


def _go_on(m: Moment) -> None:
    take_back_lifted(m)
    corrected = m.now.auction.corrected
    if not corrected:
        make_what_still_lies(m)
    auction = m.now.auction if corrected else as_they_lie(m.now.auction)
    for one in m.now.auction.laid:
        if all(one.uid != kept.uid for kept in auction.laid):
            give_turn_back(m, one)
    faults = faults_in(auction.calls)
    laid = tuple(
        replace(one, faults=faults[index], stay=one.stay or m.now.tray.stay)
        for index, one in enumerate(auction.laid)
    )
    if m.now.tray.at is not None:
        here = m.now.tray.at
        laid = tuple(
            replace(one, sides=BOTH_SIDES) if one.lies and here not in one.sides else one for one in laid
        )
    settled = auction.calls.settle()
    set_auction(
        m,
        replace(
            auction,
            calls=settled,
            laid=laid,
            strays=(),
            corrected=False,
            diverged=False,
            mismatch=False,
            begun=auction.begun and bool(laid or not m.rules.reads_calls or m.now.contract.given),
            shown_settled=auction.shown_settled or bool(auction.cleared),
        ),
    )
    _begin_visit_anew(m)
    m.now = replace(
        m.now,
        counting_from=m.at,
        window=lapsed(m.now.window, m.now.phase, m.rules),
        given=replace(m.now.given, window=None),
    )
    rephase(m)


def _begin_visit_anew(m: Moment) -> None:
    m.interrupt()
    if m.now.visit is not None and m.now.visit.left is None:
        tempo.end_visit(m, m.at, (), NOBODY_KNOWN)
    if m.now.auction.begun and not is_over(m.now, m.rules) and m.now.tray.at is not None:
        tempo.begin_visit(m, m.now.tray.at, m.at, m.event.uncertainty, interrupted=True)
