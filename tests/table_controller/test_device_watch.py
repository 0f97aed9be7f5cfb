"""A table started without its device says so once, and says when it has been found."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from firmware_bridge.memory_rig import MEMORY_DEVICE
from firmware_bridge.readings import LinkDown, LinkUp
from table_controller.service.device_watch import PATIENCE_NS, DeviceWatch
from tests.table_controller.live_table import until
from tests.table_controller.owner_in_hand import OwnerInHand

PORT = "/dev/screen-table"


def test_a_device_missed_at_the_start_is_said_once_and_when_it_is_found() -> None:
    watch, up = DeviceWatch(PORT, 0), LinkUp(at=1, device=MEMORY_DEVICE)
    assert watch.look([], PATIENCE_NS - 1) == []
    (said,) = watch.look([], PATIENCE_NS)
    assert said == f"no microcontroller at {PORT} yet; trying again (nothing has answered)"
    assert watch.look([LinkDown(at=5, why="no such port")], 2 * PATIENCE_NS) == []
    (found,) = watch.look([up], 3 * PATIENCE_NS)
    assert PORT in found
    assert up.device.uid in found
    assert watch.look([], 9 * PATIENCE_NS) == []


def test_a_link_that_falls_later_is_said_in_other_words() -> None:
    watch, up = DeviceWatch(PORT, 0), LinkUp(at=1, device=MEMORY_DEVICE)
    assert len(watch.look([up], 1)) == 1
    (said,) = watch.look([LinkDown(at=2, why="unplugged")], 2)
    assert said == f"the device at {PORT} is gone; trying again (unplugged)"
    assert len(watch.look([up], 3)) == 1


def test_a_first_word_that_the_link_is_down_gives_its_reason() -> None:
    (said,) = DeviceWatch(PORT, 0).look([LinkDown(at=1, why="no such port")], 1)
    assert said == f"no microcontroller at {PORT} yet; trying again (no such port)"


def test_the_owner_says_it_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    hand = OwnerInHand(tmp_path)
    hand.start()
    until(lambda: "answers at" in caplog.text)
    hand.rig.link_down("for the test")
    until(lambda: "is gone; trying again (for the test)" in caplog.text)
    hand.stop()
