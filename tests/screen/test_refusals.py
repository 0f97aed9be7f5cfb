"""Every reason for which an order is refused: each can happen, and each has its words in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from table_controller.laws.seat import Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import FaultKind, Standing
from table_controller.screen.refusals import WhyRefused
from table_controller.words import Lang, entries, refusal, word
from table_controller.words.dictionary import slots_of
from tests.screen.driving import Driver, bid

W = WhyRefused
Told = Callable[[Driver], Driver]


def _phase(name: str) -> Told:
    return lambda d: d.correct(ev.CorrectedPhase(phase=name))


def _insufficient(d: Driver) -> Driver:
    return d.ready(1).auction("1S").call("E", "1D")


def _rule(d: Driver, *entries: int) -> Driver:
    return d.order(ev.Ruled, entries=entries, verdict=ev.Verdict.OTHER)


def _obstructed(d: Driver) -> Driver:
    return d.ready(1).send(ev.FaultSeen, kind=FaultKind.WINDOW_OBSTRUCTED, component="window.motor")


def _contract(d: Driver, **what: object) -> Driver:
    return d.ready(1).correct(ev.CorrectedContract(**what))  # type: ignore[arg-type]


def _session(d: Driver, number: int, *waived: str) -> Driver:
    return d.order(
        ev.SessionOpened, session="s", boards=(ev.BoardDue(number=number),), alerts_waived=tuple(waived)
    )


CASES: list[tuple[WhyRefused, Told, dict[str, str]]] = [
    (W.NO_ENTRY_NAMED, lambda d: _rule(d.ready(1)), {}),
    (W.NO_SUCH_ENTRY, lambda d: _rule(_insufficient(d), 1, 7), {"entry": "7"}),
    (W.ENTRY_RULED, lambda d: _rule(_rule(_insufficient(d), 1), 1), {"entry": "1"}),
    (W.ENTRY_CLOSED, lambda d: _rule(_insufficient(d).order(ev.EntryClosed, entry=1), 1), {"entry": "1"}),
    (
        W.NO_SUMMONS,
        lambda d: _insufficient(d).order(ev.SummonsClassified, entry=1, subject=ev.Subject.TEMPO),
        {"entry": "1"},
    ),
    (
        W.TURNS_BELOW_ONE,
        lambda d: d.ready(1).order(ev.SeatObliged, seat=Seat.N, turns=0),
        {"turns": "0"},
    ),
    (W.TRAY_ON_NEITHER_FACE, lambda d: d.ready(1).auction("1C P").leaves().order(ev.TrayBackOrdered), {}),
    (W.NO_AUCTION_ON_TRAY, lambda d: d.ready(1).order(ev.TrayBackOrdered), {}),
    (
        W.WINDOW_OBSTRUCTED,
        lambda d: _obstructed(d).order(ev.WindowOverridden, to=ev.WindowOrder.OPEN),
        {},
    ),
    (W.BOARD_BELOW_ONE, lambda d: _session(d, 0), {"number": "0"}),
    (W.NO_SUCH_PAIR, lambda d: _session(d, 1, "NW"), {"pair": "NW"}),
    (W.NO_HOLD, lambda d: d.ready(1).resume(), {}),
    (
        W.NO_SUCH_HOLD,
        lambda d: d.ready(1).order(ev.Held).resume("entry:3"),
        {"hold": "entry:3", "holds": "director"},
    ),
    (W.NO_BOARD, lambda d: d.correct(ev.CorrectedLeader(seat=Seat.E)), {}),
    (
        W.BOARD_OVER,
        lambda d: (
            d.ready(1)
            .order(ev.Held)
            .correct(ev.CorrectedPhase(phase="complete"))
            .correct(ev.CorrectedLeader(seat=Seat.E))
        ),
        {},
    ),
    (
        W.NO_SUCH_CALL,
        lambda d: d.ready(1).auction("1C").correct(ev.CorrectedCall(index=1, call=None)),
        {"number": "2", "count": "1"},
    ),
    (W.DECLARER_MISSING, lambda d: _contract(d, bid=bid("3NT")), {}),
    (
        W.DOUBLED_UNKNOWN,
        lambda d: _contract(d, bid=bid("3NT"), declarer=Seat.S, doubled=3),
        {"doubled": "3"},
    ),
    (W.AUCTION_NOT_OVER, lambda d: d.ready(1).correct(ev.CorrectedLeader(seat=Seat.E)), {}),
    (
        W.PASSED_OUT,
        lambda d: d.ready(1).auction("P P P P").correct(ev.CorrectedLeader(seat=Seat.E)),
        {},
    ),
    (
        W.LEADER_DECLARES,
        lambda d: d.contract().correct(ev.CorrectedLeader(seat=Seat.S)),
        {"seat": "S"},
    ),
    (
        W.NO_SUCH_PHASE,
        lambda d: _phase("lunch")(d.ready(1)),
        {
            "name": "lunch",
            "names": "setup, closing, auction.ne, auction.sw, lead.awaiting, lead.down, opening, "
            "clarification, play, complete",
        },
    ),
    (W.PHASE_NO_BOARD, _phase("play"), {"phase": "play"}),
    (W.PHASE_BOARD_ON_TRAY, lambda d: _phase("setup")(d.ready(1)), {"phase": "setup"}),
    (W.PHASE_AUCTION_OVER, lambda d: _phase("auction.ne")(d.contract()), {"phase": "auction.ne"}),
    (W.PHASE_AUCTION_NOT_OVER, lambda d: _phase("play")(d.ready(1)), {"phase": "play"}),
    (
        W.PHASE_PASSED_OUT,
        lambda d: _phase("lead.down")(d.ready(1).auction("P P P P")),
        {"phase": "lead.down"},
    ),
    (
        W.PHASE_TRAY_ELSEWHERE,
        lambda d: _phase("auction.sw")(d.ready(1).auction("1C")),
        {"phase": "auction.sw", "side": "NE"},
    ),
    (W.PHASE_LEAD_LIES, lambda d: _phase("lead.awaiting")(d.opened()), {"phase": "lead.awaiting"}),
    (W.PHASE_NO_LEAD, lambda d: _phase("opening")(d.contract()), {"phase": "opening"}),
    (
        W.PHASE_LEAD_FACED,
        lambda d: _phase("clarification")(d.opened().faces("E")),
        {"phase": "clarification"},
    ),
    (
        W.PHASE_OPENS_ON_NOT_MET,
        lambda d: _phase("opening")(d.contract().lead("E")),
        {"phase": "opening"},
    ),
]
UNDER_EBL = {W.PHASE_OPENS_ON_NOT_MET}
BY_TYPE_ALONE = {W.CONTRACT_NO_BID}
"""What the types keep out, and a row written by somebody else may yet hold."""


@pytest.mark.parametrize(("why", "told", "slots"), CASES, ids=[case[0].value for case in CASES])
def test_it_is_refused_for_this_reason_and_changes_nothing_else(
    why: WhyRefused, told: Told, slots: dict[str, str]
) -> None:
    driver = Driver("ebl-2016" if why in UNDER_EBL else "ccba-2006")
    told(driver)
    (refused,) = driver.now(effects.Refuse)
    assert (refused.refusal.code, dict(refused.refusal.slots)) == (why, slots)
    assert refused.command == f"c{driver.number - 1}"
    for lang in Lang:
        assert refusal(why, slots, lang)
        assert "{" not in refusal(why, slots, lang)
        assert set(slots_of(_words(why, lang))) == set(slots)


def _words(why: WhyRefused, lang: Lang) -> str:
    return word("refusal", why, lang)


def test_every_reason_of_the_core_is_among_these_and_has_its_words() -> None:
    assert {case[0] for case in CASES} | BY_TYPE_ALONE == set(WhyRefused)
    assert {why.value for why in WhyRefused} <= set(entries("refusal"))


def test_the_words_are_of_the_viewers_language() -> None:
    slots = {"phase": "lead.awaiting", "side": "NE"}
    assert refusal("phase_tray_elsewhere", slots, Lang.EN) == (
        "the phase cannot be “awaiting the opening lead”: the tray is on NE"
    )
    assert refusal("phase_tray_elsewhere", slots, Lang.ZH) == "不能改为“等待首攻”阶段：托盘在北东面"
    assert refusal("leader_declares", {"seat": "S"}, Lang.EN).startswith("South is of the declaring side")
    assert refusal("leader_declares", {"seat": "S"}, Lang.ZH).startswith("南家是定约方")
    holds = {"hold": "director", "holds": "entry:3 entry:4"}
    assert "until entry 3 is dealt with, until entry 4" in refusal("no_such_hold", holds, Lang.EN)


def test_a_reason_of_a_later_table_is_shown_as_that_table_worded_it() -> None:
    assert refusal("moon_is_full", {}, Lang.ZH, "the moon is full") == "the moon is full"
    assert refusal("no_such_call", {"number": "2"}, Lang.ZH, "its own words") == "its own words"


# --- what was put right is before the director all the same


def _put_right(driver: Driver) -> Driver:
    driver.ready(1).call("N", "1S").call("E", "1D").takes_up("E", "1D").call("E", "2D")
    assert driver.entries[1].standing is Standing.CORRECTED
    return driver


@pytest.mark.parametrize("verdict", list(ev.Verdict))
def test_a_ruling_on_what_was_put_right_closes_it_and_leaves_the_auction(verdict: ev.Verdict) -> None:
    driver = _put_right(Driver())
    calls = driver.table.view().calls
    course = driver.entries[1].course
    driver.order(ev.Ruled, entries=(1,), verdict=verdict)
    assert driver.refused is None
    assert (driver.entries[1].standing, driver.entries[1].closed_by) == (Standing.RULED, "TD")
    assert driver.entries[1].course == course
    assert [(one.seat, one.call) for one in driver.table.view().calls] == [
        (one.seat, one.call) for one in calls
    ]


def test_what_was_put_right_can_be_closed_as_a_misreading() -> None:
    driver = _put_right(Driver()).order(ev.EntryClosed, entry=1)
    assert driver.entries[1].standing is Standing.MISREADING


def test_a_ruling_after_the_board_reaches_what_was_put_right_on_it() -> None:
    driver = _put_right(Driver()).auction("P P").auction("P").crosses().cleared()
    driver.lead("W").window_opens().faces("W").lift().board(2)
    assert driver.state.board.current is not None
    assert driver.state.board.current.number == 2
    driver.order(ev.Ruled, entries=(1,), verdict=ev.Verdict.OTHER)
    assert driver.refused is None
    assert driver.entries[1].standing is Standing.RULED
