"""What follows from the facts, asked by everybody and answered in one place.

Every function takes the state and the rules and changes nothing. Must never guess: unknown is None, and a
leader nobody can know is no leader.
"""

from __future__ import annotations

from table_controller.laws.auction import Auction
from table_controller.laws.contract import Contract, Outcome, PassedOut, contract_of
from table_controller.laws.seat import Partnership, ScreenSide, Seat
from table_controller.regulations.strategies import OpensOn
from table_controller.screen.entry import FaultKind
from table_controller.screen.event_base import WindowOrder, WindowState
from table_controller.screen.facts import AuctionFacts, Laid, LyingLead, TableState
from table_controller.screen.phase import clarifies_first
from table_controller.screen.phases import Phase
from table_controller.screen.rules import Rules, senses_doubted
from table_controller.screen.senses import Sense

BOTH_SIDES = frozenset(ScreenSide)
_WORKED_BY = frozenset({Seat.W, Seat.S})
_BLOCKS = frozenset({FaultKind.WINDOW_OBSTRUCTED, FaultKind.WINDOW_JAMMED})
_WITHHOLD_ON = frozenset({Sense.WINDOW, Sense.LEAD, Sense.LEAD_FACE, Sense.CALLS, Sense.ANNOUNCED})


# --- the auction


def standing(auction: AuctionFacts) -> Auction:
    """The auction as it lies: without cards at its end that have been taken up again."""
    calls = auction.calls
    if not auction.laid or auction.laid[-1].lifted is None:
        return calls
    keep = len(auction.laid)
    while keep and auction.laid[keep - 1].lifted is not None:
        keep -= 1
    return Auction(calls.dealer, calls.calls[:keep], min(calls.settled, keep))


def calls_are_over(auction: AuctionFacts) -> bool:
    """The calls end the auction, and none of them has been taken up."""
    return auction.calls.is_over and all(laid.lifted is None for laid in auction.laid)


def is_over(state: TableState, rules: Rules) -> bool:
    """The auction is over: by its calls; where they are not read, because somebody said so; or by order."""
    if state.contract.given is not None or calls_are_over(state.auction):
        return True
    return not rules.reads_calls and state.auction.said_over is not None


def outcome(state: TableState) -> Outcome | None:
    """Contract or pass-out; None while unknown, and while the two faces' auctions differ."""
    if state.contract.given is not None:
        return state.contract.given
    if state.auction.diverged or not calls_are_over(state.auction):
        return None
    return contract_of(state.auction.calls)


def contract(state: TableState) -> Contract | None:
    found = outcome(state)
    return found if isinstance(found, Contract) else None


def passed_out(state: TableState) -> bool:
    return isinstance(outcome(state), PassedOut)


def leader(state: TableState) -> Seat | None:
    """The presumed leader, or whom the director named; None where nobody can know."""
    if state.contract.leader is not None:
        return state.contract.leader
    found = contract(state)
    return None if found is None else found.leader


def has_contract(state: TableState, rules: Rules) -> bool:
    """There is a contract to be played; where calls are not read, there may be."""
    if not is_over(state, rules) or passed_out(state):
        return False
    return contract(state) is not None or not rules.reads_calls


def declaring(state: TableState) -> Partnership | None:
    found = contract(state)
    return None if found is None else found.declarer.partnership


def owed(state: TableState, rules: Rules, side: ScreenSide) -> tuple[Seat, ...]:
    """The seats on this face that owe a call now, in rotation.

    A seat that a call out of rotation jumped owes its call until somebody calls over it, and a card taken up
    is owed again.
    """
    if not rules.reads_calls or is_over(state, rules):
        return ()
    seats = rules.seats_on(side)
    calls = standing(state.auction)
    found = [calls.skipped] if calls.skipped in seats else []
    found += calls.owed_by(seats)
    found += [laid.seat for laid in state.auction.laid if laid.lifted is not None and laid.seat in seats]
    return tuple(dict.fromkeys(seat for seat in found if seat is not None))


def seen_by_both(state: TableState) -> bool:
    """Every card of the auction has been on both faces. One laid after its end is none of it."""
    auction = state.auction
    return all(laid.sides == BOTH_SIDES for laid in auction.laid[: auction.calls.ended_at])


def shown(state: TableState, rules: Rules) -> bool:
    """The auction has been shown to both faces, or nobody can know, or the director has dealt with it."""
    if not rules.reads_calls or not rules.has(Sense.TRAY):
        return True
    return state.contract.given is not None or state.auction.shown_settled or seen_by_both(state)


def auction_seen(state: TableState, side: ScreenSide) -> Auction:
    """The auction as this face has seen it."""
    auction = state.auction
    made = tuple(
        call for call, laid in zip(auction.calls.calls, auction.laid, strict=True) if side in laid.sides
    )
    return Auction(auction.calls.dealer, made)


def faces_differ(state: TableState) -> bool:
    """The two faces would name different contracts: more than passes has been seen by one alone."""
    ne, sw = (auction_seen(state, side) for side in (ScreenSide.NE, ScreenSide.SW))
    return (ne.last_bid, ne.doubling) != (sw.last_bid, sw.doubling)


def column(auction: AuctionFacts, seat: Seat) -> tuple[Laid, ...]:
    """The cards lying in a seat's column, lowest first, whether or not they are calls."""
    others = (*auction.strays, *auction.void)
    cards = [laid for laid in (*auction.laid, *others) if laid.seat is seat and laid.lies]
    return tuple(sorted(cards, key=lambda laid: laid.uid)) if others else tuple(cards)


def tray_face(state: TableState, rules: Rules) -> ScreenSide | None:
    """The face the tray is on; without a tray sense the dealer's, None between the faces or not known."""
    if rules.has(Sense.TRAY):
        return state.tray.at
    dealer = state.auction.calls.dealer
    return None if dealer is None else rules.side_of(dealer)


# --- the lead


def lead_of(state: TableState, seat: Seat) -> LyingLead | None:
    return next((lead for lead in state.lead.lying if lead.seat is seat), None)


def right_lead(state: TableState, rules: Rules) -> LyingLead | None:
    """The lead that counts: the presumed leader's; where calls are not read, the only one lying."""
    seat = leader(state)
    if seat is not None:
        return lead_of(state, seat)
    if rules.reads_calls or len(state.lead.lying) != 1:
        return None
    return state.lead.lying[0]


def wrong_lead_lies(state: TableState, rules: Rules) -> bool:
    right = right_lead(state, rules)
    return any(lead is not right for lead in state.lead.lying)


def opens_on_met(state: TableState, rules: Rules) -> bool:
    """`window.opens_on` has been met by the right seat. False where the table cannot sense it."""
    lead = right_lead(state, rules)
    if lead is None or not rules.opens_on_sensed:
        return False
    match rules.opens_on:
        case OpensOn.LEAD_PLACED:
            return True
        case OpensOn.LEAD_ANNOUNCED:
            return state.lead.announced
        case OpensOn.LEAD_FACED:
            return lead.faced is True or state.lead.faced


# --- the window


def blocked(state: TableState) -> bool:
    """The table gives no order of its own: something is in the way, or it jammed and waits for a person."""
    return any(fault.kind in _BLOCKS and fault.cleared_at is None for fault in state.faults)


def obstructed(state: TableState) -> bool:
    """Something is in the window's way: that refuses the director's own order too."""
    return any(
        fault.kind is FaultKind.WINDOW_OBSTRUCTED and fault.cleared_at is None for fault in state.faults
    )


def doubted(state: TableState) -> frozenset[Sense]:
    found: frozenset[Sense] = frozenset()
    for doubt in state.doubts:
        found |= senses_doubted(doubt.sense)
    return found


def may_open(state: TableState, rules: Rules) -> bool:
    """Whether the window may be ordered open, whatever lies in its way.

    Contract known (or, where calls are not read, the auction over), auction shown where the profile asks it,
    no hold, `window.opens_on` met by the right seat, no other lead lying, nothing of this in doubt. A motor
    that knows no leader waits for West or South to work a handle.
    """
    doubtful = bool(state.doubts) and bool(doubted(state) & _WITHHOLD_ON)
    return not doubtful and lets_open(state, rules)


def lets_open(state: TableState, rules: Rules) -> bool:
    """The same, whatever is in doubt: an order given before the doubt came stands."""
    if state.holds or not has_contract(state, rules):
        return False
    if rules.shown_before_window and not shown(state, rules):
        return False
    if not opens_on_met(state, rules) or wrong_lead_lies(state, rules):
        return False
    return not rules.motor or leader(state) is not None or bool(state.window.worked & _WORKED_BY)


def is_let_open(state: TableState, rules: Rules) -> bool:
    """May be ordered open, or stands open in fact with the lead down in the manner that can be sensed."""
    if may_open(state, rules):
        return True
    lead = right_lead(state, rules)
    if state.window.state is not WindowState.OPEN or lead is None:
        return False
    return (
        opens_on_met(state, rules)
        or not rules.opens_on_sensed
        or lead.faced is True
        or state.lead.faced
        or state.window.override is WindowOrder.OPEN
    )


def window_known_closed(state: TableState) -> bool:
    return state.window.state is WindowState.CLOSED


def window_unknowable(state: TableState, rules: Rules) -> bool:
    """No limit switches, or none to be believed."""
    if not rules.has(Sense.WINDOW) or state.window.state is WindowState.UNKNOWN:
        return True
    return bool(state.doubts) and Sense.WINDOW in doubted(state)


def may_play_be_on(state: TableState, rules: Rules) -> bool:
    """Phases in which the board's leaving can mean the end of the play; any after the auction, with neither
    lead nor cards sensed.
    """
    if state.phase is Phase.PLAY:
        return True
    if (
        not rules.has(Sense.LEAD)
        and not rules.has(Sense.CARDS)
        and (state.phase.in_lead or state.phase is Phase.OPENING)
    ):
        return not passed_out(state)
    return state.phase is Phase.CLARIFICATION and not clarifies_first(rules.opens_on)


# --- the play


def play_is_counted(state: TableState, rules: Rules) -> bool:
    """Cards are read, so that the table would know a thirteenth trick from an earlier one."""
    return rules.has(Sense.CARDS) and rules.has(Sense.CLAIM) and bool(state.play.cards)


def all_tricks_played(state: TableState) -> bool:
    return len(state.play.cards) >= 52
