"""What the director does, as the commands a console sends: a verb and its arguments.

Must never decide whether an order makes sense: the table answers one that does not.
"""

from __future__ import annotations

import time
from typing import assert_never

from hw_sim.scenario import deeds as d
from hw_sim.scenario.deeds import DirectorDeed, SessionTimes
from hw_sim.scenario.references import entry_id, hold_reason
from hw_sim.scenario.seen import Seen
from table_controller.messages.codec import Json
from table_controller.messages.topics import Verb

Command = tuple[Verb, dict[str, Json]]
NS_PER_S = 1_000_000_000
NS_PER_MS = 1_000_000


def command_of(deed: DirectorDeed, seen: Seen) -> Command:
    """Raises CannotBePlayed for an entry that is not there."""
    match deed:
        case d.DirectorHolds(why=why):
            return Verb.HOLD, {"why": why}
        case d.DirectorResumes(reasons=reasons, why=why):
            named: list[Json] = [hold_reason(ref, seen) for ref in reasons]
            return Verb.RESUME, {"why": why, "reasons": named}
        case d.CallIs() | d.AuctionIs() | d.BoardIs() | d.ContractIs() | d.LeaderIs() | d.PhaseIs():
            return Verb.CORRECT, {"why": deed.why, "correction": _correction(deed)}
        case d.DirectorCloses(entry=ref, why=why):
            return Verb.CORRECT, {"why": why, "correction": {"what": "entry", "entry": entry_id(ref, seen)}}
        case d.DirectorRules(verdict=verdict, entries=refs, why=why):
            return Verb.RULING, {"why": why, "entries": _entries(refs, seen), "verdict": verdict}
        case d.DirectorObliges(seat=seat, turns=turns, entries=refs, why=why):
            args: dict[str, Json] = {"why": why, "entries": _entries(refs, seen), "verdict": "oblige"}
            return Verb.RULING, {**args, "seat": seat.value, "turns": turns}
        case d.DirectorClassifies(entry=ref, subject=subject, about=about, why=why):
            who = None if about is None else about.value
            return Verb.CLASSIFY, {
                "why": why,
                "entry": entry_id(ref, seen),
                "subject": subject,
                "about": who,
            }
        case d.DirectorSendsTrayBack(why=why):
            return Verb.TRAY_BACK, {"why": why}
        case d.DirectorMovesWindow(opens=opens, why=why):
            return (Verb.OPEN_WINDOW if opens else Verb.CLOSE_WINDOW), {"why": why}
        case d.DirectorOpensSession(boards=boards, players=players, waived=waived, times=times):
            return Verb.SESSION, {
                "plan": _plan(times),
                "session": "scenario",
                "boards": [{"number": number} for number in boards],
                "players": {seat.value: player for seat, player in players},
                "alerts_waived": list(waived),
            }
        case _:
            assert_never(deed)


def _plan(times: SessionTimes | None) -> dict[str, Json]:
    """The start is on this desk's own clock, as the console's is."""
    if times is None:
        return {}
    return {
        "contest": times.contest,
        "start_ms": (time.time_ns() + times.due) // NS_PER_MS,
        "board_seconds": times.board // NS_PER_S,
        "pair_seconds": None if times.pair is None else times.pair // NS_PER_S,
    }


def _entries(refs: tuple[d.EntryRef, ...], seen: Seen) -> list[Json]:
    return [entry_id(ref, seen) for ref in refs]


def _correction(deed: d.Correction) -> dict[str, Json]:
    match deed:
        case d.CallIs(number=number, call=call):
            return {"what": "call", "index": number - 1, "call": None if call is None else str(call)}
        case d.AuctionIs(calls=calls):
            return {"what": "auction", "calls": [[seat.value, str(call)] for seat, call in calls]}
        case d.BoardIs(number=number, dealer=dealer, vulnerability=vulnerability):
            return {
                "what": "board",
                "number": number,
                "dealer": None if dealer is None else dealer.value,
                "vulnerability": None if vulnerability is None else vulnerability.value,
            }
        case d.ContractIs(bid=bid, doubled=doubled, declarer=declarer):
            return {
                "what": "contract",
                "bid": None if bid is None else str(bid),
                "doubled": doubled,
                "declarer": None if declarer is None else declarer.value,
            }
        case d.LeaderIs(seat=seat):
            return {"what": "leader", "seat": seat.value}
        case d.PhaseIs(phase=phase):
            return {"what": "phase", "phase": phase}
        case _:
            assert_never(deed)
