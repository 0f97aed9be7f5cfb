"""Whose time it is: calls and cards due, hold, questions, the director; corrections in mid-board."""

from __future__ import annotations

import pytest

from table_controller.laws.card import parse_card
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import Kind
from table_controller.screen.times import SessionPlan
from tests.clock.driving import Timed, begun, now, owned
from tests.screen.driving import FULL, bid

NO_MOVER = FULL - {"mover"}


def test_a_board_without_anything_in_the_way() -> None:
    table = begun()
    table.call("N", "1C", 7).call("E", "P", 4)
    table.leaves(3).tray("SW", 2).seen()
    table.call("S", "P", 5.7).call("W", "P", 6)
    table.leaves(1).tray("NE", 1).seen()
    table.lead("E", False, 8.7).window_opens().faces("E").lift(9).tick(70)
    assert dict(table.row.seats) == {Seat.N: 7_000, Seat.E: 4_000 + 9_000, Seat.S: 6_000, Seat.W: 6_000}
    assert table.columns() == {
        "ns": 13_000,
        "ew": 19_000,
        "hold_ns": 3_000 + 1_000,
        "transit": 2_000 + 1_000,
        "procedure": 2_000 + 3_000 + 9_000,
    }


def test_the_hold_is_the_movers_and_nobody_elses() -> None:
    table = begun().call("N", "P", 5).call("E", "P", 5)
    table.send(ev.TrayHandled, 19, seat=Seat.E, held=True)
    table.leaves(1).send(ev.TrayHandled, 0, seat=Seat.E, held=False)
    table.tray("SW", 1).seen()
    table.send(ev.TrayHandled, 0, seat=Seat.S, held=True).send(ev.TrayHandled, 0, seat=Seat.W, held=True)
    table.call("S", "P", 4.7).call("W", "P", 5).leaves(9).tray("NE", 1).lift(0)
    columns = table.columns()
    assert (columns["ns"], columns["ew"]) == (10_000, 10_000)
    assert columns["hold_ew"] == 20_000
    assert columns["hold_unknown"] == 9_000
    assert "hold_ns" not in columns


@pytest.mark.parametrize(("profile", "own"), [("ccba-2006", 5_000), ("acbl", 11_000)])
def test_where_nobody_must_be_shown_the_auction_the_lead_is_due_at_once(profile: str, own: int) -> None:
    """Else it is due once the tray has crossed; on its way it is nobody's."""
    table = begun(regulations=profile)
    table.auction("1NT P P P")
    table.leaves(6).tray("NE", 3).seen()
    table.lead("E", False, 4.7)
    before = 1_000  # East's own call
    assert owned(table, Seat.E) == pytest.approx(before + own, abs=50)
    assert now(table)["transit"] >= 3_000


def test_questions_are_from_the_alert_to_its_acknowledgement() -> None:
    table = begun().call("N", "1C", 5)
    table.send(ev.AlertPlaced, 1, seat=Seat.N)
    table.send(ev.AlertRemoved, 30, seat=Seat.N)
    table.call("E", "P", 3)
    table.leaves(1)
    assert owned(table, Seat.E) == 4_000
    columns = now(table)
    assert columns["questions"] == 30_000


def test_the_director_is_nobodys_time_from_the_summons_until_he_has_ruled() -> None:
    table = begun().call("N", "1C", 5)
    table.send(ev.DirectorSummoned, 10, seat=Seat.E)
    entry = table.entry("SUMMONS")
    table.send(ev.Held, 120, by="TD")
    table.send(ev.Ruled, 60, by="TD", entries=(entry.id,), verdict=ev.Verdict.OTHER)
    table.send(ev.Resumed, 5, by="TD")
    table.call("E", "P", 20)
    assert now(table)["director"] == 120_000 + 60_000 + 5_000
    assert owned(table, Seat.E) == 10_000 + 20_000


def test_an_alert_while_the_lead_is_awaited_is_a_question_too() -> None:
    table = begun().auction("1NT P P P")
    table.leaves(1).tray("NE", 1).seen()
    table.send(ev.AlertPlaced, 4.7, seat=Seat.E)
    table.send(ev.AlertRemoved, 30, seat=Seat.E)
    table.lead("E", False, 2)
    assert now(table)["questions"] == 30_000
    assert owned(table, Seat.E) == 1_000 + 5_000 + 2_000


def test_cards_that_go_on_being_played_end_the_directors_time_at_the_second() -> None:
    """In the play no tray shows that it goes on; one card may have crossed with the summons."""
    table = Timed()
    table.tray("NE").opened("1NT P P P")
    table.faces("E").cards("E:S2", "S:S3", "W:S4")
    table.send(ev.DirectorSummoned, 1, seat=Seat.N)
    director = now(table)["director"]
    for seconds, card in ((20, "N:S5"), (7, "N:H2"), (9, "E:H3")):
        seat, text = card.split(":")
        table.send(ev.CardPlayed, seconds, seat=Seat(seat), card=parse_card(text))
    assert now(table)["director"] - director == 27_000
    assert owned(table, Seat.E) >= 9_000


def test_what_was_not_seen_takes_nothing_from_the_director() -> None:
    """His time is known from his orders, whatever the sensors missed."""
    table = begun().call("N", "1C", 20)
    seen = table.at
    table.send(ev.Held, 10, by="TD")
    table.send(ev.Resumed, 60, by="TD")
    table.send(ev.CallMade, 5, seat=Seat.E, call=bid("1D"), inferred=True, not_before=seen)
    columns = now(table)
    assert columns["director"] == 60_000
    assert columns["unknown"] == 10_000 + 5_000
    assert columns["ns"] == 20_000


def test_a_tray_found_on_the_other_face_was_pushed_by_nobody_known() -> None:
    table = begun().call("N", "1C", 5).call("E", "P", 5)
    held = table.at
    table.send(ev.TrayArrived, 30, side=ScreenSide.SW, inferred=True, not_before=held + 20_000_000_000)
    table.call("S", "P", 4).call("W", "P", 4)
    table.leaves(6)
    columns = now(table)
    assert columns["hold_unknown"] == 20_000
    assert columns["unknown"] == 10_000
    assert columns["hold_ns"] == 6_000, "South should have pushed, and nobody else's hand was felt"


def test_a_hold_whose_tray_never_left_is_nobodys_known() -> None:
    """Passed out, and the board taken off without the tray having shown it."""
    table = begun().auction("P P P P")
    table.lift(15)
    assert table.columns()["hold_unknown"] == 15_000


def test_how_far_the_sensors_may_be_off_is_added_up_where_the_owner_changed() -> None:
    table = begun()
    table.send(ev.CallMade, 5, seat=Seat.N, call=bid("1C"), uncertainty=30_000_000)
    table.send(ev.TrayHandled, 5, seat=Seat.N, held=True, uncertainty=900_000_000)
    table.send(ev.CallMade, 5, seat=Seat.E, call=bid("1D"), uncertainty=12_500_000)
    ledger = table.table.keeping.ledger
    assert ledger is not None
    assert ledger.row(session="s", ordinal=1, outcome="", rules=table.table.rules).uncertainty == 43


def test_a_summons_left_in_the_queue_does_not_stop_the_clocks_for_ever() -> None:
    table = begun().call("N", "1C", 5)
    table.send(ev.DirectorSummoned, 1, seat=Seat.E)
    table.call("E", "P", 2)  # may have crossed with the summons
    table.leaves(60).tray("SW", 1).seen()
    table.call("S", "P", 9.7)
    assert now(table)["director"] == 2_000 + 60_000
    assert owned(table, Seat.S) == 10_000


def test_a_hold_is_held_until_the_director_does_something() -> None:
    table = begun().call("N", "1C", 5)
    table.window("between", after=2)
    assert table.entry("WINDOW_OPENED_IN_AUCTION")
    assert table.state.holds
    table.correct_after(30, ev.CorrectedCall(index=0, call=bid("1D")))
    table.send(ev.Resumed, 10, by="TD")
    columns = now(table)
    assert (columns["held"], columns["director"]) == (30_000, 10_000)


def test_a_correction_mid_board_moves_no_time_that_was_sensed() -> None:
    plain, corrected = begun(), begun()
    for table in (plain, corrected):
        table.call("N", "1C", 20).call("E", "P", 30)
    corrected.send(ev.Corrected, 0, by="TD", what=ev.CorrectedCall(index=0, call=bid("1D")))
    for table in (plain, corrected):
        table.leaves(5).tray("SW", 1).seen()
        table.call("S", "P", 9.7)
    assert now(plain) == now(corrected)


def test_a_corrected_board_number_is_the_rows() -> None:
    table = begun()
    table.call("N", "P", 5)
    table.send(ev.Corrected, 1, by="TD", what=ev.CorrectedBoard(number=17))
    table.call("E", "P", 5).leaves(1).tray("SW", 1).seen()
    table.call("S", "P", 5).call("W", "P", 5).leaves(1).tray("NE", 1).lift(0)
    assert table.row.board == 17


def test_the_same_board_back_on_the_tray_goes_on() -> None:
    table = Timed(senses=FULL - {"cards", "claim"})
    table.tray("NE").opened("1NT P P P")
    table.faces("E")
    table.lift(100)
    table.board(1, after=20)
    table.lift(30).tick(61)
    row = table.row
    assert row.columns.total == row.ended - row.begun
    assert row.columns.common == 100_000 + 30_000
    assert row.columns.procedure >= 20_000


def test_an_abandoned_board_has_its_row_too() -> None:
    table = begun().call("N", "1C", 20)
    table.lift(1).board(2, after=1)
    assert table.row.outcome == "abandoned"
    assert (table.row.board, table.row.ordinal) == (1, 1)
    assert table.pace.begun == (1,)
    assert table.pace.finished == ()


def test_without_a_session_there_is_no_row_and_the_view_says_so() -> None:
    table = Timed(session=False)
    table.tray("NE")
    table.ready(1)
    table.over()
    assert table.rows == []
    assert ("clock", "no session is laid down, so no clock is kept") in table.table.view().off
    table.lays_down()
    assert "clock" not in dict(table.table.view().off)
    assert [view.view for view in table.now(effects.ShowState)] == [table.table.view()]


def test_a_session_under_another_profile_is_said() -> None:
    table = Timed(session=False)
    table.lays_down((), SessionPlan(regulations="ebl-2016"))
    assert "ebl-2016" in dict(table.table.view().off)["clock"]


def test_the_clock_changes_no_entry_and_no_order_of_the_core() -> None:
    from table_controller.screen.table import ScreenTable

    table = begun()
    table.call("N", "1C", 20).leaves(1).tray("SW", 1).seen()
    table.call("S", "1S", 3)
    core = ScreenTable(regulations=table.regulations, senses=table.senses)
    done = [effect for number, event in enumerate(table.log, 1) for effect in core.handle(event, number)]
    of_time = effects.RecordTime | effects.RecordPace | effects.ShowState
    ours = [effect for effect in table.effects if not isinstance(effect, of_time)]
    assert ours == [effect for effect in done if not isinstance(effect, effects.ShowState)]
    assert table.state == core.state
    assert Kind.TRAY_CROSSED_EARLY in {kind for entry in table.entries.values() for kind in entry.kinds}
