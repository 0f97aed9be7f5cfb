"""The owner thread: true times behind a slow handler, a dead rig made anew, nothing that ends the loop."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.rig import SetOutput
from tests.table_controller.live_table import until
from tests.table_controller.owner_in_hand import OwnerInHand


@pytest.fixture
def hand(tmp_path: Path):
    made = OwnerInHand(tmp_path)
    yield made
    made.stop()


def test_a_handler_that_blocks_leaves_the_other_sensors_their_true_times(hand: OwnerInHand) -> None:
    """Hardware case 5."""
    hand.core.before = lambda event: time.sleep(1) if type(event).__name__ == "DirectorSummoned" else None
    hand.start()
    until(lambda: bool(hand.told("WindowMoved")))
    hand.rig.set_level("director.n", True)
    time.sleep(0.2)
    at = time.monotonic_ns()
    hand.rig.set_level("alert.e", True, at)
    hand.rig.set_level("claim.s", True, at + 5_000_000)
    until(lambda: bool(hand.told("ClaimMade")))
    assert [event.at for event in hand.told("AlertPlaced")] == [at]
    assert [event.at for event in hand.told("ClaimMade")] == [at + 5_000_000]


def test_an_error_of_ours_in_a_turn_does_not_end_the_loop(hand: OwnerInHand, monkeypatch) -> None:
    hand.start()
    until(lambda: bool(hand.told("WindowMoved")))
    usual = hand.engine.turn
    broken = iter([True])

    def turn(*args: Any, **kwargs: Any) -> Any:
        if next(broken, False):
            raise KeyError("for the test")
        return usual(*args, **kwargs)

    monkeypatch.setattr(hand.engine, "turn", turn)
    hand.rig.set_level("director.n", True)
    until(lambda: bool(hand.told("DirectorSummoned")))
    assert hand.told("DirectorSummoned")[0].inferred


def test_a_rig_whose_thread_has_died_is_made_anew_and_its_lamps_lit_again(hand: OwnerInHand) -> None:
    hand.start()
    until(lambda: bool(hand.told("WindowMoved")))
    hand.rig.set_level("director.n", True)
    until(lambda: SetOutput(output="summons.n", on=True) in hand.rig.commands)
    hand.rig.health = lambda: type(hand.rig).health(hand.rig).__class__(thread_alive=False)  # type: ignore[method-assign]
    until(lambda: bool(hand.made), 5)
    until(lambda: SetOutput(output="summons.n", on=True) in hand.made[0].commands, 5)


def test_a_storm_of_readings_is_taken_in_portions_and_all_of_it(hand: OwnerInHand) -> None:
    hand.start()
    until(lambda: bool(hand.told("WindowMoved")))
    for turn in range(2_000):
        hand.rig.set_level("tray.handle.n", turn % 2 == 0)
    until(lambda: len(hand.told("TrayHandled")) == 2_000, 60)
