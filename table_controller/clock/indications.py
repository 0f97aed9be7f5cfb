"""LATE_ARRIVAL and SLOW_PLAY: when the table has something to say of time, and which facts belong to it.

Indications only: the row of the authority's table, the minutes, the boards, what each partnership used. Where
the authority has no table for the contest, or nobody said what contest it is, nothing is indicated. Must
never divide anything between the sides: that is the director's.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.clock.segments import NS_PER_MS
from table_controller.clock.shares import add_up, observed, pair_shares, per_pair_ms
from table_controller.clock.standing import SessionStanding
from table_controller.regulations.clock import late, slow
from table_controller.regulations.model import Regulations
from table_controller.screen.book import New, amend, open_entries, report
from table_controller.screen.entry import Fact, Kind
from table_controller.screen.moment import Moment

MS_PER_MIN = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicated:
    """`at`: when it became true, ns. `facts`: name and text, as `Fact` has them. `amends`: only an entry
    still open is to be told of it.
    """

    kind: Kind
    at: int
    facts: tuple[tuple[str, str], ...]
    amends: bool = False


def late_arrival(session: SessionStanding, regulations: Regulations) -> Indicated | None:
    """The first board against the start."""
    plan, start, arrived = session.plan, session.start, session.arrived
    if plan.contest is None or start is None or arrived is None:
        return None
    found = late(regulations, plan.contest, (arrived - start) * NS_PER_MS, plan.late_before)
    if found is None:
        return None
    facts = (("minutes_over", minutes(arrived - start)), ("table_row", str(found.row)))
    return Indicated(kind=Kind.LATE_ARRIVAL, at=arrived * NS_PER_MS, facts=facts)


def slow_begins(session: SessionStanding, regulations: Regulations, at: int) -> Indicated | None:
    """The time allowed is over at `at` ns and not every board is. Nothing is over by any minutes yet."""
    contest, over_at = session.plan.contest, session.over_at
    if contest is None or over_at is None or not regulations.clock.slow.value.rows(contest):
        return None
    return Indicated(kind=Kind.SLOW_PLAY, at=at, facts=_boards(session))


def slow_ended(session: SessionStanding, regulations: Regulations) -> Indicated | None:
    """The last board due is over, after the time: by how much, and what each partnership used of it."""
    plan, over_at, ended = session.plan, session.over_at, session.ended
    if plan.contest is None or over_at is None or ended is None:
        return None
    found = slow(regulations, plan.contest, (ended - over_at) * NS_PER_MS, plan.slow_before)
    if found is None:
        return None
    facts = [("minutes_over", minutes(ended - over_at)), ("table_row", str(found.total.row))]
    facts += [*_boards(session), *_used(session)]
    return Indicated(kind=Kind.SLOW_PLAY, at=ended * NS_PER_MS, facts=tuple(facts), amends=session.slow_said)


def _boards(session: SessionStanding) -> tuple[tuple[str, str], ...]:
    unplayed = [number for number in session.due if number not in session.over]
    return ("boards_played", str(len(session.rows))), ("boards_unplayed", str(len(unplayed)))


def _used(session: SessionStanding) -> tuple[tuple[str, str], ...]:
    """Only where every call and card was read: else own time is but a part of what was used."""
    sums = add_up(session.rows)
    per_pair = per_pair_ms(session.plan, session.laid)
    if per_pair is None or observed(sums, per_pair) is None:
        return ()
    ns, ew = pair_shares(sums, per_pair)
    facts = (
        ("used_ns", minutes(ns.used)),
        ("used_ew", minutes(ew.used)),
        ("over_ns", minutes(ns.over)),
        ("over_ew", minutes(ew.over)),
    )
    if sums.columns.unknown or sums.unmeasured:
        return (*facts, ("unknown", minutes(sums.columns.unknown)))
    return facts


def minutes(ms: int) -> str:
    """`7:00`, as the tables count: whole seconds, begun ones included, so that 5:00.001 is not in time."""
    seconds = -(-ms // 1_000)
    return f"{seconds // 60}:{seconds % 60:02d}"


def indicate(found: Indicated, m: Moment) -> None:
    """Into the book: a new entry, or more facts of the one still open."""
    facts = tuple(Fact(name=name, text=text, at=found.at) for name, text in found.facts)
    if not found.amends:
        report(m, New(kinds=(found.kind,), at=found.at, facts=facts))
        return
    entry = next(reversed(open_entries(m, found.kind)), None)
    if entry is None:
        return  # the director has dealt with it
    for fact in facts:
        amend(m, m.now.entry(entry.id) or entry, fact=fact)
