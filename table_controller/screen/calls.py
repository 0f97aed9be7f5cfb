"""Noting calls: cards laid, let go, taken up, set aside, and what the auction becomes.

A card is a fact whoever laid it and whether or not it was his turn; `laws.auction` reads it. Here is only
which card is a call, when, and in whose place. Must never judge: it says what happened.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.laws.auction import faults_in, faults_of
from table_controller.laws.call import Call
from table_controller.laws.seat import Seat
from table_controller.screen.beliefs import column, is_over, standing
from table_controller.screen.entry import Kind
from table_controller.screen.events import CallMade, CallReleased, CallWithdrawn
from table_controller.screen.facts import AuctionFacts, Laid, Pending, Taken
from table_controller.screen.moment import (
    Cleared,
    Healed,
    Made,
    Missed,
    Moment,
    Replaced,
    Simultaneous,
    TurnedLegal,
)
from table_controller.screen.obligations import breaks, count_turn, give_turn_back, is_bound
from table_controller.screen.senses import Sense
from table_controller.screen.tempo import mark_call


def note_made(m: Moment, event: CallMade) -> None:
    if not says_something(m):
        return
    if put_back(m, event.seat, event.call):
        return
    if m.rules.made_on_release:
        waiting = Pending(
            seat=event.seat, call=event.call, at=event.at, number=m.number, uncertainty=event.uncertainty
        )
        others = tuple(one for one in m.now.auction.pending if one.seat is not event.seat)
        set_auction(m, replace(m.now.auction, pending=(*others, waiting)))
        return
    make(m, event.seat, event.call, m.number)


def says_something(m: Moment) -> bool:
    """Whether a bidding card laid or taken up now is a fact about the auction.

    After the lead was faced it is none; and once the director has corrected the auction in a hold, the cards
    are laid to fit what he said.
    """
    if m.now.lead.faced or m.now.play.begun:
        return False
    return not (m.now.holds and m.now.auction.corrected)


def note_released(m: Moment, event: CallReleased) -> None:
    """Where a call is made when let go. A pending call still there when the tray leaves was let go too."""
    waiting = next((one for one in m.now.auction.pending if one.seat is event.seat), None)
    if waiting is not None:
        release(m, waiting)


def release(m: Moment, waiting: Pending) -> None:
    rest = tuple(one for one in m.now.auction.pending if one is not waiting)
    set_auction(m, replace(m.now.auction, pending=rest))
    make(m, waiting.seat, waiting.call, waiting.number)


def put_back(m: Moment, seat: Seat, call: Call) -> bool:
    """The same card laid again is nothing, and a missed card that is back heals what its absence began."""
    auction = m.now.auction
    for index, laid in reversed(list(enumerate(auction.laid))):
        if laid.unlaid and laid.seat is seat and laid.reads(call) and auction.calls.turn is not seat:
            _set_laid(m, index, replace(laid, unlaid=False))
            return True
        if laid.seat is not seat or laid.lies or not laid.reads(call) or seat in auction.cleared:
            continue
        if laid.lifted is not None:
            _set_laid(m, index, replace(laid, lies=True, lifted=None))
            return True
        if laid.gone is not None:
            _set_laid(m, index, replace(laid, lies=True, gone=None))
            heal(m)
            return True
        if is_over(m.now, m.rules):
            _set_laid(m, index, replace(laid, lies=True))
            return True
    return False


def miss_what_is_gone(m: Moment) -> None:
    """A card of an earlier stay is away and will not be back in time: the next call, or the tray goes."""
    auction = m.now.auction
    if is_over(m.now, m.rules) or auction.diverged or not m.judges(Kind.AUCTION_DIVERGED):
        return
    seats = [one.seat for one in auction.laid if one.gone is not None and one.seat not in auction.cleared]
    if seats:
        set_auction(m, replace(auction, diverged=True, called_since_missed=False))
        m.happened.append(Missed(seats=tuple(dict.fromkeys(seats))))


def heal(m: Moment) -> None:
    """Everything missed is back before the next call."""
    auction = m.now.auction
    if auction.called_since_missed or auction.mismatch:
        return
    if auction.diverged and all(laid.gone is None for laid in auction.laid):
        set_auction(m, replace(auction, diverged=False))
        m.happened.append(Healed())


def make(m: Moment, seat: Seat, call: Call, number: int, *, card: Laid | None = None) -> None:
    """The call is made. `card`: it lay there already, set aside."""
    miss_what_is_gone(m)
    auction = m.now.auction
    for index, laid in enumerate(auction.laid):
        if laid.seat is seat and laid.lifted is not None:
            _replace_in_place(m, index, call, number)
            return
    if card is None and (first := _simultaneous_with(m, seat)) is not None:
        _set_aside(m, seat, call, number, first)
        return
    _drop_lifted_at_end(m)
    taken = next((one for one in m.now.auction.taken if one.card.seat is seat), None)
    _append(m, seat, call, number, card)
    if taken is not None and card is None:
        _forget_taken(m, seat)
        _judge_again(m, taken)


def _judge_again(m: Moment, taken: Taken) -> None:
    """In the place of a card taken up its seat has laid another, or the same again, now in its turn."""
    fresh = m.now.auction.laid[-1]
    if taken.card.call != fresh.call:
        m.happened.append(Replaced(old=taken.card, uid=fresh.uid, after=m.at - taken.at))
    elif fresh.is_legal and not taken.card.is_legal:
        m.happened.append(TurnedLegal(card=taken.card))


def _append(m: Moment, seat: Seat, call: Call, number: int, card: Laid | None) -> None:
    auction = m.now.auction
    before = auction.calls
    faults = faults_of(before, seat, call)
    after = before.after(seat, call)
    uid = auction.uid + 1 if card is None else card.uid
    bound = is_bound(m.now, seat)
    laid = Laid(
        uid=uid,
        seat=seat,
        call=call,
        at=m.at if card is None else card.at,
        number=number,
        stay=m.now.tray.stay,
        sides=frozenset({m.now.tray.at or m.rules.side_of(seat)}),
        faults=faults,
        obliged=breaks(call, bound=bound),
        bound=bound,
        entries=() if card is None else card.entries,
    )
    aside = tuple(auction.laid[index].uid for index in after.set_aside if index not in before.set_aside)
    first = not auction.begun
    counted = auction.crossings + (auction.crossings_since_call if not first else 0)
    set_auction(
        m,
        replace(
            auction,
            calls=after,
            laid=(*auction.laid, laid),
            uid=max(uid, auction.uid),
            begun=True,
            cleared=auction.cleared - {seat},
            crossings=counted,
            crossings_since_call=0,
            due_since=m.at,
            called_since_missed=auction.diverged,
        ),
    )
    count_turn(m, seat)
    mark_call(m, seat, call, first=first)
    m.happened.append(Made(uid=uid, first=first, aside=aside, again=card is not None))
    if aside and card is None:
        _maybe_simultaneous(m, aside[-1])


def _maybe_simultaneous(m: Moment, uid: int) -> None:
    """The call now set aside had been laid within the limit before this one in turn (L33)."""
    aside = next(laid for laid in m.now.auction.laid if laid.uid == uid)
    if 0 <= m.at - aside.at <= m.rules.simultaneous:
        m.happened.append(Simultaneous(later=aside.seat, call=aside.call, uid=uid, entries=aside.entries))


def _simultaneous_with(m: Moment, seat: Seat) -> Laid | None:
    """The call in turn that this card comes within the limit of, on the same face."""
    auction = m.now.auction
    if not auction.laid:
        return None
    latest = auction.laid[-1]
    near = latest.lies and latest.seat is not seat and 0 <= m.at - latest.at <= m.rules.simultaneous
    same_face = m.rules.side_of(latest.seat) is m.rules.side_of(seat)
    return latest if near and same_face and latest.is_legal else None


def _set_aside(m: Moment, seat: Seat, call: Call, number: int, first: Laid) -> None:
    """It stays where it lies, its seat owes again, and no judge sees it but as simultaneous."""
    auction = m.now.auction
    stray = Laid(
        uid=auction.uid + 1,
        seat=seat,
        call=call,
        at=m.at,
        number=number,
        stay=m.now.tray.stay,
        sides=first.sides,
    )
    set_auction(m, replace(auction, strays=(*auction.strays, stray), uid=stray.uid))
    m.happened.append(Simultaneous(later=seat, call=call, uid=stray.uid))


def _replace_in_place(m: Moment, index: int, call: Call, number: int) -> None:
    auction = m.now.auction
    old = auction.laid[index]
    calls = auction.calls.replacing(index, call)
    fresh = replace(
        old,
        uid=auction.uid + 1,
        call=call,
        at=m.at,
        number=number,
        sides=frozenset({m.now.tray.at or m.rules.side_of(old.seat)}),
        faults=faults_in(calls)[index],
        obliged=breaks(call, bound=old.bound),
        lies=True,
        lifted=None,
        entries=(),
        alerted=(),
    )
    laid = (*auction.laid[:index], fresh, *auction.laid[index + 1 :])
    set_auction(m, replace(auction, calls=calls, laid=laid, uid=fresh.uid, due_since=m.at))
    mark_call(m, old.seat, call, first=False)
    lifted = old.lifted if old.lifted is not None else m.at
    m.happened.append(Replaced(old=old, uid=fresh.uid, after=m.at - lifted))
    m.happened.append(Made(uid=fresh.uid, first=False))


# --- cards taken up


def note_withdrawn(m: Moment, event: CallWithdrawn) -> None:
    if _was_void(m, event) or not says_something(m):
        return
    auction = m.now.auction
    if any(one.seat is event.seat for one in auction.pending):
        rest = tuple(one for one in auction.pending if one.seat is not event.seat)
        set_auction(m, replace(auction, pending=rest))
        return
    lying = [one for one in column(auction, event.seat) if one not in auction.void]
    if not lying:
        return
    card = lying[-1]
    if card in auction.strays:
        set_auction(m, replace(auction, strays=tuple(one for one in auction.strays if one is not card)))
        return
    index = auction.laid.index(card)
    ended_at = auction.calls.ended_at
    if ended_at is not None and index >= ended_at:
        _set_laid(m, index, replace(card, lies=False))  # laid after the end, it was no part of what is shown
    elif is_over(m.now, m.rules):
        _set_laid(m, index, replace(card, lies=False))  # once the auction is over this is clearing
        m.happened.append(Cleared(side=m.rules.side_of(card.seat)))
    elif index in auction.calls.set_aside:
        remove(m, index)  # it was no call any more, but what is laid in its place puts it right
        taken = Taken(card=replace(card, lies=False), at=m.at)
        set_auction(m, replace(m.now.auction, taken=(*m.now.auction.taken, taken)))
    elif card.stay in (m.now.tray.stay, auction.reopened) and (
        m.now.tray.at is not None or not m.rules.has(Sense.TRAY)
    ):
        _set_laid(m, index, replace(card, lies=False, lifted=m.at))
    else:
        _set_laid(m, index, replace(card, lies=False, gone=m.at))


def _was_void(m: Moment, event: CallWithdrawn) -> bool:
    """The card taken up was nobody's call any more, which says nothing of the calls that lie there.

    What is read counts for more than the order; and of two cards alike it is the one that is no call.
    """
    auction = m.now.auction
    void = [card for card in auction.void if card.seat is event.seat]
    if not void:
        return False
    gone = next((card for card in reversed(void) if card.reads(event.call)), None)
    if gone is None:
        return False
    set_auction(m, replace(auction, void=tuple(one for one in auction.void if one is not gone)))
    return True


def take_back_lifted(m: Moment) -> tuple[tuple[Laid, ...], tuple[Laid, ...]]:
    """The tray leaves, or a hold ends: what is taken up and not replaced is no call any more.

    What that was: first the cards others have called over or that were set aside, then those in their place.
    """
    auction = m.now.auction
    lifted = [laid for laid in auction.laid if laid.lifted is not None]
    taken = [one.card for one in auction.taken]
    for laid in lifted:
        remove(m, m.now.auction.laid.index(laid))
    if taken:
        set_auction(m, replace(m.now.auction, taken=()))
    return tuple(taken), tuple(lifted)


def remove(m: Moment, index: int) -> None:
    """As if the call at `index` had not been made; what follows is read afresh, not judged afresh."""
    auction = m.now.auction
    give_turn_back(m, auction.laid[index])
    laid = (*auction.laid[:index], *auction.laid[index + 1 :])
    set_auction(m, replace(auction, calls=auction.calls.without(index), laid=laid))


def make_void(m: Moment, index: int) -> None:
    """The director has made the call at `index` nobody's; its card lies there until it is taken up."""
    card = m.now.auction.laid[index]
    remove(m, index)
    auction = m.now.auction
    void = (*auction.void, replace(card, entries=())) if card.lies else auction.void
    set_auction(m, replace(auction, void=void, unread=auction.unread | {card.seat}))


def let_go(m: Moment) -> None:
    """The tray leaves: a card that goes with it has been let go."""
    for waiting in m.now.auction.pending:
        release(m, waiting)


# --- small things


def set_auction(m: Moment, auction: AuctionFacts) -> None:
    m.now = replace(m.now, auction=auction)


def _set_laid(m: Moment, index: int, laid: Laid) -> None:
    auction = m.now.auction
    set_auction(m, replace(auction, laid=(*auction.laid[:index], laid, *auction.laid[index + 1 :])))


def _drop_lifted_at_end(m: Moment) -> None:
    """Another seat calls: the cards at the end that were taken up are withdrawn, their seats owe again."""
    auction = m.now.auction
    calls = standing(auction)
    keep = len(calls.calls)
    if keep == len(auction.laid):
        return
    for laid in auction.laid[keep:]:
        give_turn_back(m, laid)
    taken = tuple(Taken(card=laid, at=laid.lifted or m.at) for laid in auction.laid[keep:])
    set_auction(m, replace(auction, calls=calls, laid=auction.laid[:keep], taken=(*auction.taken, *taken)))


def _forget_taken(m: Moment, seat: Seat) -> None:
    auction = m.now.auction
    set_auction(m, replace(auction, taken=tuple(one for one in auction.taken if one.card.seat is not seat)))
