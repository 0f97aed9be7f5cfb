"""What the director does, as the events the core is told.

Must never decide whether an order makes sense: the core answers one that does not.
"""

from __future__ import annotations

from typing import assert_never

from hw_sim.scenario import deeds as d
from hw_sim.scenario.deeds import DirectorDeed, EntryRef, SessionTimes
from hw_sim.scenario.references import entry_id, hold_reason
from hw_sim.scenario.seen import Seen
from table_controller.regulations.time_tables import Contest
from table_controller.screen import orders as o
from table_controller.screen.event_base import WindowOrder
from table_controller.screen.events import Event
from table_controller.screen.times import SessionPlan

WHO = "TD"
NS_PER_S = 1_000_000_000


def events_of(deed: DirectorDeed, at: int, seen: Seen) -> tuple[Event, ...]:
    """In order. Raises CannotBePlayed for an entry that is not there."""
    match deed:
        case d.DirectorHolds(why=why):
            return (o.Held(at=at, by=WHO, why=why),)
        case d.DirectorResumes(reasons=reasons, why=why):
            named = tuple(hold_reason(ref, seen) for ref in reasons)
            return (o.Resumed(at=at, by=WHO, why=why, reasons=named),)
        case d.CallIs() | d.AuctionIs() | d.BoardIs() | d.ContractIs() | d.LeaderIs() | d.PhaseIs():
            return (o.Corrected(at=at, by=WHO, why=deed.why, what=_correction(deed)),)
        case d.DirectorCloses(entry=ref, why=why):
            return (o.EntryClosed(at=at, by=WHO, why=why, entry=entry_id(ref, seen)),)
        case d.DirectorRules(verdict=verdict, entries=refs, why=why):
            return (_ruled(refs, o.Verdict(verdict), at, why, seen),)
        case d.DirectorObliges(seat=seat, turns=turns, entries=refs, why=why):
            obliged = o.SeatObliged(at=at, by=WHO, why=why, seat=seat, turns=turns)
            return (_ruled(refs, o.Verdict.OBLIGE, at, why, seen), obliged)
        case d.DirectorClassifies(entry=ref, subject=subject, about=about, why=why):
            return (
                o.SummonsClassified(
                    at=at,
                    by=WHO,
                    why=why,
                    entry=entry_id(ref, seen),
                    subject=o.Subject(subject),
                    about=about,
                ),
            )
        case d.DirectorSendsTrayBack(why=why):
            return (o.TrayBackOrdered(at=at, by=WHO, why=why),)
        case d.DirectorMovesWindow(opens=opens, why=why):
            to = WindowOrder.OPEN if opens else WindowOrder.CLOSE
            return (o.WindowOverridden(at=at, by=WHO, why=why, to=to),)
        case d.DirectorOpensSession(boards=boards, players=players, waived=waived, times=times):
            due = tuple(o.BoardDue(number=number) for number in boards)
            return (
                o.SessionOpened(
                    at=at,
                    by=WHO,
                    session="scenario",
                    boards=due,
                    players=players,
                    alerts_waived=waived,
                    plan=_plan(times, at),
                ),
            )
        case _:
            assert_never(deed)


def _plan(times: SessionTimes | None, at: int) -> SessionPlan:
    if times is None:
        return SessionPlan()
    return SessionPlan(
        contest=Contest(times.contest),
        start=at + times.due,
        board_s=times.board // NS_PER_S,
        pair_s=None if times.pair is None else times.pair // NS_PER_S,
    )


def _ruled(refs: tuple[EntryRef, ...], verdict: o.Verdict, at: int, why: str, seen: Seen) -> o.Ruled:
    named = tuple(entry_id(ref, seen) for ref in refs)
    return o.Ruled(at=at, by=WHO, why=why, entries=named, verdict=verdict)


def _correction(deed: d.Correction) -> o.Correction:
    match deed:
        case d.CallIs(number=number, call=call):
            return o.CorrectedCall(index=number - 1, call=call)
        case d.AuctionIs(calls=calls):
            return o.CorrectedAuction(calls=calls)
        case d.BoardIs(number=number, dealer=dealer, vulnerability=vulnerability):
            return o.CorrectedBoard(number=number, dealer=dealer, vulnerability=vulnerability)
        case d.ContractIs(bid=bid, doubled=doubled, declarer=declarer):
            return o.CorrectedContract(bid=bid, doubled=doubled, declarer=declarer)
        case d.LeaderIs(seat=seat):
            return o.CorrectedLeader(seat=seat)
        case d.PhaseIs(phase=phase):
            return o.CorrectedPhase(phase=phase)
        case _:
            assert_never(deed)
