"""Two readings of the tray, and the cards taken up when the auction is done with.

Readers sit in the docks, one set a face. What a face shows on arrival is compared with the cards that left;
a difference is a fact about the auction, and until it is settled there is no contract. Must never correct
the auction by itself: only a hold's end reads the cards as they lie.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.laws.auction import Auction, MadeCall
from table_controller.laws.call import Call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import calls
from table_controller.screen.beliefs import column, is_over
from table_controller.screen.entry import Kind
from table_controller.screen.events import CardsCleared, Column, TraySeen
from table_controller.screen.facts import AuctionFacts, Laid, SaidOver
from table_controller.screen.moment import Cleared, Missed, Moment
from table_controller.screen.senses import Sense


def note_seen(m: Moment, event: TraySeen) -> None:
    auction = m.now.auction
    views = ((event.side, event.columns), *(view for view in auction.views if view[0] is not event.side))
    calls.set_auction(m, replace(auction, views=views))
    if not auction.laid or m.now.lead.faced or m.now.play.begun or Sense.CALLS in m.doubted():
        return
    wrong = [one for one in event.columns if not _agrees(auction, one)]
    if not wrong:
        if auction.mismatch:
            calls.set_auction(m, replace(m.now.auction, mismatch=False))
        calls.heal(m)
        return
    for one in wrong:
        _note_difference(m, one)
    if not m.judges(Kind.AUCTION_DIVERGED):
        return
    called = auction.diverged and auction.called_since_missed
    calls.set_auction(m, replace(m.now.auction, diverged=True, called_since_missed=called))
    if not auction.diverged:
        m.happened.append(Missed(seats=tuple(one.seat for one in wrong)))


def _agrees(auction: AuctionFacts, seen: Column) -> bool:
    if seen.seat in auction.cleared or seen.seat in auction.unread:
        return True
    lying = column(auction, seen.seat)
    return len(lying) == seen.count and (seen.top is None or not lying or lying[-1].reads(seen.top))


def _note_difference(m: Moment, seen: Column) -> None:
    """Cards plainly missing from the top can come back one by one; anything else needs a new reading."""
    lying = column(m.now.auction, seen.seat)
    kept = lying[: seen.count]
    if seen.count < len(lying) and (not kept or seen.top is None or kept[-1].reads(seen.top)):
        missing = set(lying[seen.count :])
        laid = tuple(
            replace(one, lies=False, gone=m.at) if one in missing else one for one in m.now.auction.laid
        )
        calls.set_auction(m, replace(m.now.auction, laid=laid))
    else:
        calls.set_auction(m, replace(m.now.auction, mismatch=True))


def note_cleared(m: Moment, event: CardsCleared) -> None:
    if m.now.lead.faced or m.now.play.begun:
        return
    if not m.rules.reads_calls:
        say_over(m, SaidOver.CLEARED)
    elif is_over(m.now, m.rules) or _whole_face_called(m, event.side):
        clear(m, event.side)


def clear_if_emptied(m: Moment, seat: Seat) -> None:
    """All columns of a face emptied within the limit, older cards among them: that is clearing."""
    auction = m.now.auction
    side = m.rules.side_of(seat)
    seats = m.rules.seats_on(side)
    if any(column(auction, one) for one in seats) or not _whole_face_called(m, side):
        return
    up = [laid.gone or laid.lifted for laid in auction.laid if laid.seat in seats and not laid.lies]
    times = [moment for moment in up if moment is not None]
    older = any(laid.gone is not None for laid in auction.laid if laid.seat in seats)
    if is_over(m.now, m.rules) or (older and m.at - min(times) <= m.rules.clearing):
        clear(m, side)


def clear(m: Moment, side: ScreenSide) -> None:
    auction = m.now.auction
    seats = frozenset(m.rules.seats_on(side))
    if seats <= auction.cleared:
        return
    laid = tuple(
        replace(one, lies=False, lifted=None, gone=None) if one.seat in seats else one for one in auction.laid
    )
    strays = tuple(one for one in auction.strays if one.seat not in seats)
    void = tuple(one for one in auction.void if one.seat not in seats)
    pending = tuple(one for one in auction.pending if one.seat not in seats)
    calls.set_auction(
        m,
        replace(
            auction,
            laid=laid,
            strays=strays,
            void=void,
            pending=pending,
            cleared=auction.cleared | seats,
        ),
    )
    m.happened.append(Cleared(side=side))


def say_over(m: Moment, how: SaidOver) -> None:
    """A table that does not read calls is told that the auction is over."""
    auction = m.now.auction
    if m.rules.reads_calls or auction.said_over is not None or m.now.board.current is None:
        return
    calls.set_auction(m, replace(auction, said_over=how, begun=True))


def _whole_face_called(m: Moment, side: ScreenSide) -> bool:
    """Both players of the face have called, so that an empty face is no single card being changed."""
    called = {laid.seat for laid in m.now.auction.laid}
    return all(seat in called for seat in m.rules.seats_on(side))


def track_view(m: Moment, seat: Seat, top: Call | None, change: int) -> None:
    """While the faces differ, the latest reading is kept in step with the cards laid and taken up since."""
    auction = m.now.auction
    if not auction.mismatch or not auction.views:
        return
    side, columns = auction.views[0]
    kept = tuple(
        replace(one, count=max(one.count + change, 0), top=top) if one.seat is seat else one
        for one in columns
    )
    calls.set_auction(m, replace(auction, views=((side, kept), *auction.views[1:])))


def as_they_lie(auction: AuctionFacts) -> AuctionFacts:
    """The auction read off the cards: what is missing left out, what the latest reading shows put in.

    Cards taken up after a finished auction were cleared, and say nothing of it; in one that is not over they
    are calls no more.
    """
    laid = [one for one in auction.laid if one.gone is None and one.lifted is None]
    cleared = auction.cleared
    if not _calls_of(auction, laid).settle().is_over:
        laid = [one for one in laid if one.lies]
        cleared = frozenset()
    uid = auction.uid
    if auction.mismatch and auction.views:
        side, columns = auction.views[0]
        for seen in columns:
            if not _agrees(auction, seen):
                uid += 1
                laid = _read_column(laid, seen, side, uid)
    return replace(
        auction,
        calls=_calls_of(auction, laid),
        laid=tuple(laid),
        cleared=cleared,
        uid=uid,
        taken=(),
        diverged=False,
        mismatch=False,
    )


def _calls_of(auction: AuctionFacts, laid: list[Laid]) -> Auction:
    return Auction(auction.calls.dealer, tuple(MadeCall(one.seat, one.call) for one in laid))


def _read_column(laid: list[Laid], seen: Column, side: ScreenSide, uid: int) -> list[Laid]:
    own = [index for index, one in enumerate(laid) if one.seat is seen.seat and one.lies]
    surplus = set(own[seen.count :])
    kept = [one for index, one in enumerate(laid) if index not in surplus]
    own = [index for index, one in enumerate(kept) if one.seat is seen.seat and one.lies]
    if seen.top is None or not seen.count:
        return kept
    if len(own) < seen.count:
        card = Laid(uid=uid, seat=seen.seat, call=seen.top, at=0, number=0, stay=0, sides=frozenset({side}))
        return [*kept, card]
    if kept[own[-1]].call != seen.top:
        kept[own[-1]] = replace(kept[own[-1]], call=seen.top, entries=(), faults=frozenset(), obliged=False)
    return kept
