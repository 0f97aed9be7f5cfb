"""Cards set aside: laid at once with another (L33), or out of rotation before the due seat called (L28B).

They stay where they lie and their seats owe again; what still lies when the tray leaves is made then, and
judged afresh. Must never make a call of a card that its seat has called over.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.screen.calls import make, remove, set_auction
from table_controller.screen.facts import AuctionFacts, Laid
from table_controller.screen.moment import Moment, TurnedLegal


def make_what_still_lies(m: Moment) -> None:
    """The tray leaves, or a hold ends: a card set aside and left lying is made now.

    It waits for the tray to leave its own face.
    """
    auction = m.now.auction
    here = m.now.tray.at
    left = [laid for laid in auction.strays if laid.lies and here in (None, m.rules.side_of(laid.seat))]
    aside = [
        auction.laid[index]
        for index in auction.calls.set_aside
        if auction.laid[index].lies
        and index >= auction.calls.settled
        and here in (None, m.rules.side_of(auction.laid[index].seat))
    ]
    covered = {laid.seat for laid in auction.laid if laid.lies and laid not in aside}
    for card in (*left, *aside):
        if card in aside:
            if _has_called_since(m.now.auction, card):
                continue
            remove(m, m.now.auction.laid.index(card))
        else:
            if card.seat in covered and _has_called_since(m.now.auction, card):
                drop_strays(m, [card])
                continue
            rest = tuple(one for one in m.now.auction.strays if one is not card)
            set_auction(m, replace(m.now.auction, strays=rest))
        make(m, card.seat, card.call, card.number, card=card)
        if m.now.auction.laid[-1].is_legal:
            m.happened.append(TurnedLegal(card=card))


def drop_strays(m: Moment, cards: list[Laid]) -> None:
    """They will not be made any more; where they lie, they are nobody's call."""
    auction = m.now.auction
    strays = tuple(one for one in auction.strays if one not in cards)
    void = (*auction.void, *(replace(one, entries=()) for one in cards if one.lies))
    set_auction(m, replace(auction, strays=strays, void=void))


def _has_called_since(auction: AuctionFacts, card: Laid) -> bool:
    return any(laid.seat is card.seat and laid.uid > card.uid and laid.lies for laid in auction.laid)
