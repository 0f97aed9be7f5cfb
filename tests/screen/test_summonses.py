"""A player's summons: pressed again it is the same; of another board, or of a contested claim, it says so."""

from __future__ import annotations

from table_controller.laws.seat import Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import Entry, Standing
from tests.screen.driving import Driver


def _summonses(driver: Driver) -> list[Entry]:
    return [one for one in driver.entries.values() if "SUMMONS" in one.kinds]


def _names(entry: Entry) -> list[str]:
    return [fact.name for fact in entry.facts]


def _claimed(driver: Driver) -> Driver:
    return driver.opened().faces("E").cards("E:SQ").send(ev.ClaimMade, seat=Seat.N)


def test_pressed_again_it_is_the_same() -> None:
    driver = Driver().ready(1).auction("1C P").summons("N").summons("N").summons("E")
    assert [one.seats for one in _summonses(driver)] == [(Seat.N,), (Seat.E,)]
    assert len(driver.entries[1].evidence) == 2


def test_the_claim_was_contested_though_he_had_called_before() -> None:
    driver = Driver().ready(1).auction("1NT").summons("W")
    driver.auction("P P P").crosses().cleared().lead("E").window_opens().faces("E").cards("E:SQ")
    driver.send(ev.ClaimMade, seat=Seat.N).summons("W")
    (entry,) = _summonses(driver)
    assert _names(entry) == ["claim_contested"]
    assert driver.state.play.contested


def test_the_claim_was_contested_by_a_first_summons() -> None:
    driver = _claimed(Driver()).summons("W").summons("W")
    (entry,) = _summonses(driver)
    assert _names(entry) == ["claim_contested"]


def test_a_summons_on_another_board_is_its_own() -> None:
    driver = Driver().ready(1).auction("1C P").summons("N")
    driver.correct(ev.CorrectedPhase(phase="complete")).lift().ready(2).summons("N")
    assert [(one.seats, one.board, one.standing) for one in _summonses(driver)] == [
        ((Seat.N,), 1, Standing.OPEN),
        ((Seat.N,), 2, Standing.OPEN),
    ]
    assert driver.table.view().summons == (Seat.N,)
    driver.summons("N")
    assert [len(one.evidence) for one in _summonses(driver)] == [1, 2]


def test_the_lamp_stays_until_the_last_of_them_is_dealt_with() -> None:
    driver = Driver().ready(1).auction("1C P").summons("N")
    driver.correct(ev.CorrectedPhase(phase="complete")).lift().ready(2).summons("N")
    for entry, lit in zip(_summonses(driver), (True, False), strict=True):
        driver.order(ev.Ruled, entries=(entry.id,), verdict=ev.Verdict.OTHER)
        assert bool(driver.state.given.lamps) is lit
    assert [one.on for one in driver.did(effects.LightSummons)] == [True, False]


def test_between_two_boards_it_is_still_the_same() -> None:
    driver = Driver().ready(1).auction("1C P").summons("N")
    driver.correct(ev.CorrectedPhase(phase="complete")).lift().summons("N")
    assert len(_summonses(driver)) == 1


def test_one_made_before_any_board_is_the_same_on_the_first() -> None:
    driver = Driver().summons("N").ready(1).summons("N")
    (entry,) = _summonses(driver)
    assert entry.board is None


def test_a_board_whose_number_is_corrected_is_no_other_board() -> None:
    driver = Driver().ready(1).auction("1C P").summons("N").correct(ev.CorrectedBoard(number=5)).summons("N")
    (entry,) = _summonses(driver)
    assert entry.board == 5


def test_a_lead_may_be_changed_on_the_word_of_a_director_called_on_this_board() -> None:
    """The older summons is still open; that he was called again on this board allows it."""
    driver = Driver().ready(1).auction("1C P").summons("E")
    driver.correct(ev.CorrectedPhase(phase="complete")).lift()
    driver.contract(number=2).summons("S").lead("S").lead_up("S").lead("S")
    assert "LEAD_CHANGED" not in driver.kinds
