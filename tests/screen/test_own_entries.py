"""Which entries are about the board being played: its record has them, whatever its number is found to be."""

from __future__ import annotations

import pytest

from table_controller.laws.seat import Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import Kind, Standing
from table_controller.screen.senses import Sense
from tests.screen.driving import FULL, WATCH, Driver

NO_CARDS = FULL - {Sense.CARDS, Sense.CLAIM}
NO_TAG = FULL - {Sense.BOARD_ID}
INSUFFICIENT = (Kind.INSUFFICIENT_BID,)


def _insufficient(driver: Driver) -> Driver:
    return driver.ready(1).auction("1H").call("E", "1C")


def _to_the_play(driver: Driver) -> Driver:
    driver.auction("P P P").crosses().cleared()
    return driver.lead("S").window_opens().faces("S")


@pytest.mark.parametrize("seconds", [0, 20, 59, 61, 70])
@pytest.mark.parametrize("number", [2, 7])
def test_the_next_board_takes_nothing_from_the_record(seconds: float, number: int) -> None:
    driver = _to_the_play(_insufficient(Driver(senses=NO_CARDS))).lift().tick(seconds).board(number)
    assert [one.irregularities for one in driver.boards] == [INSUFFICIENT]
    assert driver.table.view().board == number


def test_a_board_put_straight_on_a_passed_out_one() -> None:
    driver = Driver().ready(1).auction("P").send(ev.StopCardSeen, seat=Seat.E)
    driver.auction("P P P").crosses().board(2)
    assert driver.boards[0].irregularities == (Kind.STOP_CARD_USED,)


def test_another_board_before_the_play_can_be_over() -> None:
    driver = _to_the_play(_insufficient(Driver(senses=NO_CARDS))).board(2)
    assert driver.boards[0].irregularities == INSUFFICIENT


def test_the_next_board_has_its_own() -> None:
    """Out of order: a fact about the board that comes, not about the one that goes."""
    driver = Driver(senses=NO_CARDS)
    due = tuple(ev.BoardDue(number=number) for number in (1, 2, 3))
    driver.order(ev.SessionOpened, session="s", boards=due)
    _to_the_play(_insufficient(driver)).lift().wait(20).board(3)
    assert driver.boards[0].irregularities == INSUFFICIENT
    assert driver.entry("WRONG_BOARD").board == 3
    driver.window_closes()
    if driver.state.tray.at is not None and driver.state.tray.at.value == "NE":
        driver.crosses()
    driver.auction("P P P P").crosses().lift()
    assert driver.boards[1].irregularities == (Kind.WRONG_BOARD,)


@pytest.mark.parametrize("number", [1, 5])
def test_the_number_is_given_after_an_entry(number: int) -> None:
    driver = Driver(senses=NO_TAG).ready(None).call("N", "1H").call("E", "1C")
    assert driver.entry("INSUFFICIENT_BID").board is None
    driver.correct(ev.CorrectedBoard(number=number))
    entry = driver.entry("INSUFFICIENT_BID")
    assert (entry.board, entry.standing) == (number, Standing.OPEN)
    driver.correct(ev.CorrectedPhase(phase="complete"))
    driver.lift()
    assert (driver.boards[0].number, driver.boards[0].irregularities) == (number, INSUFFICIENT)


def test_the_number_is_corrected_after_an_entry() -> None:
    driver = _insufficient(Driver()).correct(ev.CorrectedBoard(number=5))
    assert driver.entry("INSUFFICIENT_BID").board == 5
    assert len(driver.now(effects.Amend)) == 1
    driver.correct(ev.CorrectedPhase(phase="complete")).lift()
    assert (driver.boards[0].number, driver.boards[0].irregularities) == (5, INSUFFICIENT)


def test_the_number_is_read_after_an_entry() -> None:
    driver = Driver().ready(None).call("N", "1H").call("E", "1C").board(3)
    assert driver.entry("INSUFFICIENT_BID").board == 3
    driver.correct(ev.CorrectedPhase(phase="complete")).lift()
    assert driver.boards[0].irregularities == INSUFFICIENT


def test_what_has_been_ruled_on_is_found_under_the_boards_own_number() -> None:
    driver = _insufficient(Driver()).order(ev.Ruled, entries=(1,), verdict=ev.Verdict.OTHER)
    driver.correct(ev.CorrectedBoard(number=5))
    entry = driver.entry("INSUFFICIENT_BID")
    assert (entry.board, entry.standing, entry.closed_by) == (5, Standing.RULED, "TD")


def test_an_earlier_board_keeps_its_number() -> None:
    driver = _insufficient(Driver()).correct(ev.CorrectedPhase(phase="complete")).lift()
    driver.ready(2).correct(ev.CorrectedBoard(number=9))
    assert driver.entry("INSUFFICIENT_BID").board == 1


def test_an_entry_of_an_earlier_unknown_board_is_none_of_this_one() -> None:
    driver = Driver(senses=NO_TAG).ready(None).call("N", "1H").call("E", "1C")
    driver.correct(ev.CorrectedPhase(phase="complete")).lift()
    driver.ready(None).call("N", "P")
    driver.correct(ev.CorrectedPhase(phase="complete")).lift()
    assert [one.irregularities for one in driver.boards] == [INSUFFICIENT, ()]


def test_a_correction_of_the_number_does_not_forbid_the_leaders_change() -> None:
    """The irregular call is of this board, so a lead may be taken back and changed (21.8)."""
    driver = _insufficient(Driver()).correct(ev.CorrectedBoard(number=5))
    driver.auction("P P P").crosses().cleared().lead("S").lead_up("S").lead("S")
    assert "LEAD_CHANGED" not in driver.kinds


def test_tempo_raised_first_on_the_receiving_face_under_another_number() -> None:
    driver = Driver("wbf").ready(1).auction("1C P").crosses()
    tempo = {"subject": ev.Subject.TEMPO, "about": Seat.E}
    driver.summons("S")
    driver.order(ev.SummonsClassified, entry=driver.entry("SUMMONS").id, **tempo)
    driver.correct(ev.CorrectedBoard(number=5)).summons("N")
    mine = [one for one in driver.entries.values() if one.seats == (Seat.N,)]
    driver.order(ev.SummonsClassified, entry=mine[0].id, **tempo)
    assert "TEMPO_RAISED_ON_SAME_FACE" not in {fact.name for fact in driver.entries[mine[0].id].facts}


def test_what_left_early_has_crossed_though_the_number_was_corrected() -> None:
    driver = Driver().ready(1).call("N", "1C").leaves().correct(ev.CorrectedBoard(number=5)).tray("SW")
    assert driver.entry("TRAY_CROSSED_EARLY").course


def test_a_summons_before_any_board_is_of_no_board() -> None:
    driver = Driver(senses=WATCH).summons("N").ready(1)
    assert driver.entry("SUMMONS").board is None
