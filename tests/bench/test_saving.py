"""What was done at the bench is kept as a scenario that runs again, by every runner, to the same journal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hw_sim.bench.deed_log import DeedLog
from hw_sim.bench.furnish import bare_table
from hw_sim.bench.hands import WrittenHands
from hw_sim.bench.saving import Reported, Saved, scenario_text
from hw_sim.players.hands import Impossible
from hw_sim.processes.journal_reader import Row
from hw_sim.scenario.core import play_on_core
from hw_sim.scenario.full import FullHall
from hw_sim.scenario.full.body import ScenarioBody
from hw_sim.scenario.parse import deed_of, parse_scenario
from hw_sim.table.changes import MS, SECOND
from hw_sim.table.tags import BoardTag
from hw_sim.table.wiring import TableKind
from table_controller.laws.call import ALL_BIDS, PASS
from table_controller.laws.card import parse_card
from table_controller.laws.seat import ScreenSide, Seat
from tests.bench.rig import BenchRig
from tests.table_controller.same_journals import Told, bare, differences

pytestmark = pytest.mark.live

SHORT = (
    "N places board 1",
    "window closed",
    "N 1H",
    "tray to SW by E",
    "S 1C",
    "S takes 1C back",
    "S calls the director",
)
IRREGULAR = (
    "N places board 1",
    "window closed",
    "NE take the hands out",
    "SW take the hands out",
    "N 1H",
    "tray to SW by E",
    "tray to NE by S",
    "E 1C",
    "E takes 1C back",
    "E 1S",
    "N alerts",
    "N takes the alert card back",
    "tray to SW by N",
    "W P",
    "W takes P back",
    "S P",
    "W P",
    "tray to NE by S",
    "N P",
    "tray to SW by N",
    "N calls the director",
    "W leads face down",
    "W takes the lead back",
    "S leads face down",
    "window open",
    "S faces the lead",
    "S plays HQ",
    "W plays H2",
    "N plays H3",
    "E plays HA",
    "trick turned",
    "E claims",
)


def told(rows: Sequence[Row]) -> list[Told]:
    """Every row of a journal without its times."""
    found: list[Told] = []
    for row in rows:
        body = row["body"]
        found.append(
            (str(body["what"]), bare(body["value"])) if "what" in body else (str(row["type"]), bare(body))
        )
    return found


@pytest.mark.parametrize(
    ("deeds", "least"),
    [
        pytest.param(SHORT, 3, id="the beginning of an auction"),
        pytest.param(IRREGULAR, 5, id="a whole board", marks=pytest.mark.long),
    ],
)
def test_deeds_by_hand_with_irregularities_run_again_to_the_same_journal(
    deeds: tuple[str, ...], least: int, rig: BenchRig, tmp_path: Path
) -> None:
    rig.fresh()
    rig.control(do="director", who="you")
    rig.do(*deeds)
    rig.quiet()
    first, kinds = told(rig.rows()), rig.kinds()
    text = rig.client.get("/api/scn", params={"title": "A board by hand"}).text
    assert "TRAY_CROSSED_EARLY" in text, text
    assert len(kinds) >= least, kinds

    again = parse_scenario(text, tmp_path / "again.scn")
    on_core = play_on_core(again)
    assert on_core.failures == (), text

    rig.post("/api/scn", {"text": text, "name": "again", "pace": 1.0})
    rig.until_ended()
    assert rig.frame.said == "", text
    assert rig.kinds() == kinds
    assert differences(first, told(rig.rows())) == [], text


@pytest.mark.long
def test_the_same_through_the_full_runner(rig: BenchRig, tmp_path: Path) -> None:
    rig.fresh()
    rig.control(do="director", who="you")
    rig.do(*IRREGULAR)
    rig.quiet()
    text = rig.client.get("/api/scn", params={"title": "A board by hand"}).text
    with FullHall() as hall:
        result = hall.play(parse_scenario(text, tmp_path / "again.scn"))
    assert result.failures == (), text


# --- each deed as it is written


def hands() -> tuple[WrittenHands, ScenarioBody, DeedLog]:
    body, log = ScenarioBody(tray_on=ScreenSide.NE), DeedLog()
    return WrittenHands(body, log), body, log


def test_every_deed_is_written_as_the_language_reads_it() -> None:
    written, body, log = hands()
    bid = ALL_BIDS[3]
    written.place_board(BoardTag(number=7))
    written.place_board(BoardTag(number=7), hands=False)
    written.lift_board()
    written.return_hand(Seat.N)
    written.take_hand(Seat.N)
    written.lay_call(Seat.N, bid)
    written.lift_call(Seat.N)
    written.hold_call(Seat.E, PASS)
    written.let_go(Seat.E)
    written.lay_stop_card(Seat.N)
    written.lift_stop_card(Seat.N)
    written.lay_alert(Seat.N)
    written.lift_alert(Seat.N)
    written.clear_cards(Seat.E)
    written.lay_lead(Seat.W)
    written.face_lead(Seat.W)
    written.lift_lead(Seat.W)
    written.play_card(Seat.S, parse_card("DT"))
    written.turn_trick()
    for press in (written.press_director, written.press_announced, written.press_claim, written.work_handle):
        press(Seat.E)
    written.press_auction_over(ScreenSide.NE)
    written.push_pane(opens=True)
    written.sit_down(Seat.N, "n1")
    written.push_tray(Seat.N)
    body.advance(SECOND // 10)
    written.lose_card(Seat.N) if written.cards_of(Seat.N) else None
    written.stop_tray()
    written.move_tray_on(ScreenSide.SW)
    texts = [deed.text for deed in log.deeds]
    assert [text for text in texts if not deed_of(text)] == []
    assert "tray leaves by N" in texts
    assert texts[-1] == "tray arrives at SW"
    assert len(texts) == len(set(texts)), "each deed has words of its own"


def test_what_changes_nothing_and_what_nobody_could_do_is_not_written() -> None:
    written, _, log = hands()
    written.clear_cards(Seat.N)
    written.turn_trick()
    written.lift_lead(Seat.W)
    written.take_hand(Seat.S)
    with pytest.raises(Impossible):
        written.lift_call(Seat.N)
    assert log.deeds == []


def test_a_deed_done_while_the_tray_is_on_its_way_keeps_its_place() -> None:
    written, body, log = hands()
    written.push_tray(Seat.N)
    body.advance(300 * MS)
    written.press_director(Seat.S)
    body.advance(2 * SECOND)
    log.arrived(ScreenSide.SW, body.now)
    assert [deed.text for deed in log.deeds] == [
        "N pushes the tray",
        "S calls the director",
        "tray has come to SW",
    ]


# --- time between deeds


def saved(
    log: DeedLog, *, reported: tuple[Reported, ...] = (), pace: float = 1.0, expected: bool = True
) -> str:
    return scenario_text(
        Saved(
            title="A title",
            scenario=bare_table(TableKind.FULL, "ccba-2006"),
            tray_on="NE",
            deeds=log.deeds,
            reported=reported,
            began=0,
            now=200 * SECOND,
            pace=pace,
            expected=expected,
        )
    )


def quick_pass(gap: int) -> DeedLog:
    log = DeedLog()
    log.add("N P", 1 * SECOND)
    log.add("E P", 1 * SECOND + gap)
    return log


def test_time_between_deeds_is_a_wait_and_a_moment_is_none() -> None:
    assert "wait 20.0 s" in saved(quick_pass(20 * SECOND))
    assert "wait" not in saved(quick_pass(SECOND // 2))


def test_the_time_of_a_divided_table_is_written_as_that_of_the_game() -> None:
    assert "wait 60.0 s" in saved(quick_pass(3 * SECOND), pace=20.0)


def test_what_time_brought_is_said_of_the_wait_and_what_a_deed_brought_of_the_deed() -> None:
    of_deed = Reported(at=1 * SECOND + 20 * MS, kinds=("INSUFFICIENT_BID",), seats=("N",), summons=False)
    of_time = Reported(at=15 * SECOND, kinds=("TRAY_STALLED",), seats=(), summons=False)
    lines = saved(quick_pass(20 * SECOND), reported=(of_deed, of_time)).splitlines()
    assert next(line for line in lines if line.startswith("N P")).endswith("-> report INSUFFICIENT_BID N")
    assert next(line for line in lines if line.startswith("wait")).endswith("-> report TRAY_STALLED")
    assert lines[-1] == "expect 2 entries"


def test_deeds_alone_keep_only_the_waits_in_which_something_was_reported() -> None:
    of_time = Reported(at=15 * SECOND, kinds=("TRAY_STALLED",), seats=(), summons=False)
    assert "wait" not in saved(quick_pass(20 * SECOND), expected=False)
    with_wait = saved(quick_pass(20 * SECOND), reported=(of_time,), expected=False)
    assert "wait 20.0 s" in with_wait
    assert "report" not in with_wait


def test_of_deeds_done_at_once_nobody_says_which_brought_it() -> None:
    brought = Reported(at=1 * SECOND + 20 * MS, kinds=("AUCTION_NOT_SHOWN",), seats=(), summons=False)
    lines = saved(quick_pass(10 * MS), reported=(brought,)).splitlines()
    assert next(line for line in lines if line.startswith("E P")).endswith("-> entry AUCTION_NOT_SHOWN")
    assert not next(line for line in lines if line.startswith("N P")).endswith("SHOWN")
