"""Noting what the director decides: rulings, closings, classified summonses, obligations, orders, sessions.

Each is a fact with who and why; one that makes no sense here is answered with the reason. Must never do more
than the order says: a ruling closes exactly the entries it names.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.laws.seat import Partnership, Seat
from table_controller.regulations.strategies import RaisedBy
from table_controller.screen.aside import drop_strays
from table_controller.screen.beliefs import declaring, obstructed
from table_controller.screen.book import amend, freeze_stages
from table_controller.screen.calls import make_void, set_auction
from table_controller.screen.course import course_of_call
from table_controller.screen.entry import Entry, Fact, Kind, Standing
from table_controller.screen.facts import Obligation, Session
from table_controller.screen.moment import Moment
from table_controller.screen.orders import (
    EntryClosed,
    Ruled,
    SeatObliged,
    SessionOpened,
    Subject,
    SummonsClassified,
    TrayBackOrdered,
    Verdict,
    WindowOverridden,
)
from table_controller.screen.override import ordered
from table_controller.screen.refusals import Refusal, WhyRefused, refusal
from table_controller.screen.rephase import rephase

TEMPO_RAISED = "TEMPO_RAISED_ON_SAME_FACE"


def note_ruled(m: Moment, event: Ruled) -> Refusal | None:
    if not event.entries:
        return refusal(WhyRefused.NO_ENTRY_NAMED)
    for entry_id in event.entries:
        if (refused := _not_before_director(m, entry_id)) is not None:
            return refused
    for entry_id in dict.fromkeys(event.entries):
        entry = m.now.entry(entry_id)
        assert entry is not None
        _rule(m, event, entry)
    rephase(m)
    return None


def _not_before_director(m: Moment, entry_id: int) -> Refusal | None:
    """Why there is nothing left to decide about this entry; None while it waits for the director.

    What the players put right, and what came right by itself, waits for him all the same: he may find that
    there is more to it.
    """
    entry = m.now.entry(entry_id)
    if entry is None:
        return refusal(WhyRefused.NO_SUCH_ENTRY, entry=entry_id)
    if entry.standing.waits:
        return None
    ruled = entry.standing is Standing.RULED
    return refusal(WhyRefused.ENTRY_RULED if ruled else WhyRefused.ENTRY_CLOSED, entry=entry_id)


def _rule(m: Moment, event: Ruled, entry: Entry) -> None:
    """Closes the entry. The auction and the lead follow the verdict only where nothing had put it right."""
    stands = entry.standing is Standing.OPEN
    if stands:
        match event.verdict:
            case Verdict.ACCEPT:
                _accept(m, entry)
            case Verdict.CANCEL:
                _cancel(m, entry)
            case Verdict.OBLIGE | Verdict.OTHER:
                pass
    _settle(m, entry)
    ruling = Fact(name="ruled", text=event.verdict.value, at=m.at)
    why = event.text or event.why
    amend(m, entry, standing=Standing.RULED, closed_by=event.by, closed_why=why, fact=ruling)
    if stands:
        _follow(m, entry.id)


def _follow(m: Moment, entry_id: int) -> None:
    """Once a call is cancelled, what may be made of the information from it belongs to its course."""
    entry = m.now.entry(entry_id)
    if entry is not None and entry.stage is not None:
        amend(m, entry, course=course_of_call(entry, m.rules))


def _accept(m: Moment, entry: Entry) -> None:
    """The call stands and nothing about it keeps the auction open; the lead stands, so it is the lead."""
    index = _index(m, entry)
    if index is not None:
        auction = m.now.auction
        calls = replace(auction.calls, settled=max(auction.calls.settled, index + 1))
        set_auction(m, replace(auction, calls=calls))
    elif Kind.OPENING_LEAD_OUT_OF_TURN in entry.kinds and entry.seats:
        seat = entry.seats[0]
        if seat.partnership is not declaring(m.now):
            m.now = replace(m.now, contract=replace(m.now.contract, leader=seat))


def _cancel(m: Moment, entry: Entry) -> None:
    """The call is cancelled; its card is nobody's call, wherever it lies."""
    index = _index(m, entry)
    if index is None:
        drop_strays(m, [card for card in m.now.auction.strays if entry.id in card.entries])
        return
    make_void(m, index)


def _settle(m: Moment, entry: Entry) -> None:
    if Kind.AUCTION_NOT_SHOWN in entry.kinds:
        set_auction(m, replace(m.now.auction, shown_settled=True))


def _index(m: Moment, entry: Entry) -> int | None:
    if entry.stage is None:
        return None
    return next((i for i, laid in enumerate(m.now.auction.laid) if entry.id in laid.entries), None)


def note_closed(m: Moment, event: EntryClosed) -> Refusal | None:
    refused = _not_before_director(m, event.entry)
    entry = m.now.entry(event.entry)
    if refused is not None or entry is None:
        return refused
    _settle(m, entry)
    amend(m, entry, standing=Standing.MISREADING, closed_by=event.by, closed_why=event.why)
    return None


def note_classified(m: Moment, event: SummonsClassified) -> Refusal | None:
    entry = m.now.entry(event.entry)
    if entry is None or Kind.SUMMONS not in entry.kinds:
        return refusal(WhyRefused.NO_SUMMONS, entry=event.entry)
    about = "" if event.about is None else event.about.value
    amend(m, entry, fact=Fact(name="subject", text=event.subject.value, at=m.at))
    if about:
        amend(m, m.now.entry(entry.id) or entry, fact=Fact(name="about", text=about, at=m.at))
    if event.subject is Subject.TEMPO and event.about is not None and _on_same_face(m, entry, event.about):
        amend(m, m.now.entry(entry.id) or entry, fact=Fact(name=TEMPO_RAISED, text=about, at=m.at))
    return None


def _on_same_face(m: Moment, entry: Entry, about: Seat) -> bool:
    """Whether a break in tempo was raised on the face where it is said to have happened."""
    caller = entry.seats[0]
    if m.rules.side_of(caller) is not m.rules.side_of(about):
        return False
    match m.rules.regulations.tempo.raised_by.value:
        case RaisedBy.RECEIVING_FACE:
            return caller.partnership is not about.partnership
        case RaisedBy.RECEIVING_FACE_ELSE_STATUS_LOST:
            return not _raised_before(m, entry, about)
        case RaisedBy.ANYONE:
            return False


def _raised_before(m: Moment, entry: Entry, about: Seat) -> bool:
    """Somebody on the receiving face had raised it earlier on this board."""
    own = m.now.book.own
    return any(
        other.id < entry.id
        and other.board == entry.board
        and (other.id in own) is (entry.id in own)
        and Kind.SUMMONS in other.kinds
        and any(fact.name == "subject" and fact.text == Subject.TEMPO for fact in other.facts)
        and any(fact.name == "about" and fact.text == about for fact in other.facts)
        for other in m.now.book.entries
    )


def note_obliged(m: Moment, event: SeatObliged) -> Refusal | None:
    if event.turns is not None and event.turns < 1:
        return refusal(WhyRefused.TURNS_BELOW_ONE, turns=event.turns)
    others = tuple(one for one in m.now.obligations if one.seat is not event.seat)
    m.now = replace(m.now, obligations=(*others, Obligation(seat=event.seat, turns=event.turns)))
    return None


def note_tray_back(m: Moment, event: TrayBackOrdered) -> Refusal | None:
    tray = m.now.tray
    if tray.at is None:
        return refusal(WhyRefused.TRAY_ON_NEITHER_FACE)
    if not m.now.auction.begun or m.now.lead.faced or m.now.board.ended:
        return refusal(WhyRefused.NO_AUCTION_ON_TRAY)
    freeze_stages(m)
    m.interrupt()
    m.now = replace(m.now, tray=replace(tray, sent_back=tray.at.other))
    return None


def note_overridden(m: Moment, event: WindowOverridden) -> Refusal | None:
    if obstructed(m.now):
        return refusal(WhyRefused.WINDOW_OBSTRUCTED)
    m.now = replace(
        m.now,
        window=ordered(m.now.window, event.to),
        given=replace(m.now.given, window=None),
    )
    return None


def note_session(m: Moment, event: SessionOpened) -> Refusal | None:
    wrong = next((due.number for due in event.boards if due.number < 1), None)
    if wrong is not None:
        return refusal(WhyRefused.BOARD_BELOW_ONE, number=wrong)
    known = {pair.value for pair in Partnership}
    if strange := [name for name in event.alerts_waived if name not in known]:
        return refusal(WhyRefused.NO_SUCH_PAIR, pair=strange[0])
    again = m.now.session is not None and m.now.session.id == event.session
    session = Session(
        id=event.session,
        boards=event.boards,
        players=event.players,
        waived=frozenset(Partnership(name) for name in event.alerts_waived),
    )
    played = m.now.board.played if again else ()
    m.now = replace(m.now, session=session, board=replace(m.now.board, played=played))
    return None
