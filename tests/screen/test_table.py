"""The table as a whole: the same events, the same effects, quickly; and nothing of tempo goes to players."""

from __future__ import annotations

import time

import pytest

from table_controller.laws.call import PASS
from table_controller.laws.seat import Seat
from table_controller.regulations.load import load
from table_controller.screen import effects, events as ev
from table_controller.screen.facts import TableState
from table_controller.screen.table import ScreenTable
from tests.screen.driving import FULL, Driver, S
from tests.screen.seeds import SEEDS, Seed

TO_PLAYERS = (
    effects.OpenWindow,
    effects.CloseWindow,
    effects.StopWindow,
    effects.HoldTray,
    effects.ReleaseTray,
    effects.LightSummons,
)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.name)
def test_the_same_events_give_the_same_effects_and_state(seed: Seed) -> None:
    driver = seed.make("ccba-2006", FULL)
    again = ScreenTable(regulations=load("ccba-2006"), senses=FULL)
    done = [effect for number, event in enumerate(driver.log, 1) for effect in again.handle(event, number)]
    assert done == driver.effects
    assert again.state == driver.state
    assert hash(again.state) == hash(driver.state)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.name)
def test_a_table_put_in_a_state_goes_on_like_the_one_that_came_there(seed: Seed) -> None:
    driver = seed.make("ccba-2006", FULL)
    twin = ScreenTable.from_state(driver.state, regulations=load("ccba-2006"), senses=FULL)
    assert twin.view() == driver.table.view()
    event = ev.CallMade(at=driver.at + S, seat=Seat.W, call=PASS)
    assert twin.handle(event, 99) == driver.table.handle(event, 99)


def test_nothing_a_player_can_see_depends_on_tempo() -> None:
    shown = []
    for wait in (0.2, 7, 90):
        driver = Driver(step=round(wait * S)).ready(1)
        for seat, call in (("N", "1C"), ("E", "1S")):
            driver.call(seat, call, wait)
        driver.crosses(wait).call("S", "P", wait).call("W", "P", wait).crosses(wait).call("N", "P", wait)
        driver.summons("N").crosses(wait)
        shown.append([effect for effect in driver.effects if isinstance(effect, TO_PLAYERS)])
    assert shown[0] == shown[1] == shown[2]
    assert any(isinstance(effect, effects.LightSummons) for effect in shown[0])


def test_the_summons_lamp_is_lit_only_where_it_was_pressed_and_until_the_summons_is_dealt_with() -> None:
    driver = Driver().ready(1).summons("E")
    assert driver.now(effects.LightSummons) == [effects.LightSummons(seat=Seat.E, on=True)]
    driver.summons("E")
    assert not driver.now(effects.LightSummons)
    assert driver.kinds == ["SUMMONS"]
    driver.order(ev.Ruled, entries=(driver.entry("SUMMONS").id,), verdict=ev.Verdict.OTHER)
    assert driver.now(effects.LightSummons) == [effects.LightSummons(seat=Seat.E, on=False)]


def test_two_thousand_events_a_second() -> None:
    driver = Driver()
    started = time.process_time()
    for number in range(1, 21):
        driver.opened("1C P 1H X 2H 3C P P X P P P", number)
        leader = driver.table.view().leader
        assert leader is not None
        driver.faces(leader.value).send(ev.ClaimMade, seat=Seat.N).lift()
    spent = time.process_time() - started
    assert len(driver.boards) == 20
    assert driver.number / spent > 2_000, f"{driver.number / spent:.0f} events a second"


def test_a_fresh_table_is_in_the_empty_state() -> None:
    table = ScreenTable(regulations=load("ccba-2006"), senses=FULL)
    assert table.state == TableState()
    assert table.phase == "setup"


def test_a_name_that_is_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="the senses are"):
        ScreenTable(regulations=load("ccba-2006"), senses={"trey"})


def test_every_entry_carries_the_article_of_the_profile() -> None:
    for profile in ("ccba-2006", "ebl-2016", "acbl"):
        driver = Driver(profile).ready(1).call("N", "1NT").call("E", "1C")
        cited = driver.entry("INSUFFICIENT_BID").provisions
        assert cited
        assert all(one.document and one.standing for one in cited)
