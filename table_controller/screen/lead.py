"""Noting leads, and the cards that follow.

Whose lead is right is a belief (`beliefs.leader`), so a wrong lead is only another card on another spot. Once
the right lead has been faced, what comes and goes on the spots is play. Must never judge a lead.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.laws.play import PlayedCard
from table_controller.laws.seat import Seat
from table_controller.screen.beliefs import has_contract, is_over, lead_of, leader, right_lead
from table_controller.screen.columns import say_over
from table_controller.screen.events import (
    CardPlayed,
    ClaimMade,
    DummySpread,
    LeadAnnounced,
    LeadFaced,
    LeadMade,
    LeadWithdrawn,
)
from table_controller.screen.facts import LeadFacts, LiftedLead, LyingLead, SaidOver
from table_controller.screen.moment import LeadLaid, LeadUp, Moment
from table_controller.screen.phases import Phase
from table_controller.screen.senses import Sense


def note_lead_made(m: Moment, event: LeadMade) -> None:
    if m.now.lead.faced or m.now.play.begun or m.now.phase is Phase.COMPLETE:
        return
    if _ends_auction(m):
        say_over(m, SaidOver.LEAD)
    if m.now.phase is Phase.CLARIFICATION and _is_next_card(m, event.seat):
        begin_play(m)
        return
    known = lead_of(m.now, event.seat)
    if known is not None:
        if event.faced:
            _face(m, event.seat)
        return
    lead = m.now.lead
    again = lead.lifted if lead.lifted is not None and lead.lifted.seat is event.seat else None
    laid = LyingLead(seat=event.seat, faced=event.faced, at=m.at)
    set_lead(m, replace(lead, lying=(*lead.lying, laid), lifted=None if again else lead.lifted))
    m.happened.append(LeadLaid(seat=event.seat, again=again))
    if event.faced and _is_right(m, event.seat):
        set_lead(m, replace(m.now.lead, faced=True))


def _ends_auction(m: Moment) -> bool:
    """Calls are not read, so the first lead tells. Before the tray has left with the auction on it is only a
    card on a spot; where no tray is sensed, before the window is closed.
    """
    if m.rules.reads_calls or is_over(m.now, m.rules):
        return False
    return m.now.auction.begun or (not m.rules.has(Sense.TRAY) and m.now.phase.in_auction)


def _is_next_card(m: Moment, seat: Seat) -> bool:
    """A card on another spot while the lead waits to be faced, where a spot cannot tell: the play has begun.

    Where faces are told apart it is a wrong lead, and stands among the facts.
    """
    right = right_lead(m.now, m.rules)
    return right is not None and right.seat is not seat and not m.rules.has(Sense.LEAD_FACE)


def note_lead_faced(m: Moment, event: LeadFaced) -> None:
    if m.now.lead.faced or m.now.play.begun:
        return
    if lead_of(m.now, event.seat) is None:
        note_lead_made(m, LeadMade(at=event.at, seat=event.seat, faced=None))
        if lead_of(m.now, event.seat) is None:
            return
    _face(m, event.seat)


def _face(m: Moment, seat: Seat) -> None:
    lead = m.now.lead
    lying = tuple(replace(one, faced=True) if one.seat is seat else one for one in lead.lying)
    set_lead(m, replace(lead, lying=lying))
    if _is_right(m, seat):
        set_lead(m, replace(m.now.lead, faced=True))


def _is_right(m: Moment, seat: Seat) -> bool:
    """The right lead, with the auction over: until then a card on a spot is no opening lead."""
    right = right_lead(m.now, m.rules)
    return right is not None and right.seat is seat and has_contract(m.now, m.rules)


def note_lead_withdrawn(m: Moment, event: LeadWithdrawn) -> None:
    known = lead_of(m.now, event.seat)
    if known is None:
        return
    right = _is_right(m, event.seat)
    if right and (m.now.lead.faced or m.now.play.begun):
        return  # it was faced: what happens to it now is play
    if right and m.now.phase is Phase.CLARIFICATION and not m.rules.has(Sense.LEAD_FACE):
        begin_play(m)  # turned over or gathered, the spot cannot tell
        return
    lead = m.now.lead
    if known is lead.lying[0]:
        m.now = replace(m.now, window=replace(m.now.window, worked=frozenset()))
    rest = tuple(one for one in lead.lying if one is not known)
    lifted = lead.lifted
    if right:
        lifted = LiftedLead(seat=event.seat, at=m.at, number=m.number, begun=m.now.window.begun)
        _forget_led_card(m, event.seat)
    set_lead(m, replace(lead, lying=rest, announced=lead.announced and not right, lifted=lifted))
    m.happened.append(LeadUp(seat=event.seat, entry=known.entry, right=right))


def note_announced(m: Moment, event: LeadAnnounced) -> None:
    """Only the screenmate of a leader whose card lies can announce it."""
    right = right_lead(m.now, m.rules)
    if right is not None and m.rules.faces.screenmate(right.seat) is event.seat:
        set_lead(m, replace(m.now.lead, announced=True))


# --- the play


def note_card(m: Moment, event: CardPlayed) -> None:
    play = m.now.play
    if play.claimed_by is not None or not has_contract(m.now, m.rules):
        return
    if len(play.cards) >= 52 or m.now.phase.before_auction or m.now.phase is Phase.COMPLETE:
        return
    if not play.begun and not _opens_play(m, event.seat):
        return
    m.now = replace(m.now, play=replace(play, cards=(*play.cards, PlayedCard(event.seat, event.card))))
    if len(m.now.play.cards) > 1:
        begin_play(m)
    end_play_if_board_is_off(m)


def _opens_play(m: Moment, seat: Seat) -> bool:
    """Before the play only the lead itself counts, and then the card that follows it."""
    cards = m.now.play.cards
    if not cards:
        right = right_lead(m.now, m.rules)
        first = right.seat if right is not None else leader(m.now)
        return first is None or seat is first
    return seat is not cards[0].seat and (
        m.now.lead.faced or m.now.phase in (Phase.CLARIFICATION, Phase.OPENING)
    )


def end_play_if_board_is_off(m: Moment) -> None:
    """Thirteen tricks, and a board that lawfully left before or is not sensed: the play is over."""
    board = m.now.board
    gone = board.present is False or not m.rules.has(Sense.BOARD)
    if gone and len(m.now.play.cards) >= 52:
        m.now = replace(m.now, board=replace(board, ended=True, sure=True))


def note_dummy(m: Moment, event: DummySpread) -> None:
    if has_contract(m.now, m.rules):
        begin_play(m)


def begin_play(m: Moment) -> None:
    if not m.now.play.begun:
        m.now = replace(m.now, play=replace(m.now.play, begun=True))
    if not m.now.lead.faced:
        set_lead(m, replace(m.now.lead, faced=True))


def note_claim(m: Moment, event: ClaimMade) -> None:
    play = m.now.play
    if play.claimed_by is None and m.now.phase in (Phase.CLARIFICATION, Phase.PLAY):
        m.now = replace(m.now, play=replace(play, claimed_by=event.seat))


def _forget_led_card(m: Moment, seat: Seat) -> None:
    cards = m.now.play.cards
    if len(cards) == 1 and cards[0].seat is seat:
        m.now = replace(m.now, play=replace(m.now.play, cards=()))


def set_lead(m: Moment, lead: LeadFacts) -> None:
    m.now = replace(m.now, lead=lead)
