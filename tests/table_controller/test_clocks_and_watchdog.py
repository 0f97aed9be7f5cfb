"""The axis that never steps, the wall that may, and who is told that the loop still turns."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from table_controller.messages import ClockQuality
from table_controller.service.clockwatch import Continued, StepWatch, Wall, continue_axis
from table_controller.service.watchdog import Watchdog

S = 1_000_000_000
KNOWN = ClockQuality.NTP


def axis(**changes: object) -> Continued:
    usual: dict[str, Any] = {
        "last_at": 500 * S,
        "same_boot": True,
        "last_offset": 0,
        "last_wall": Wall(at=1_800_000_000 * S, quality=KNOWN),
        "mono": 540 * S,
        "wall": Wall(at=1_800_000_040 * S, quality=KNOWN),
    }
    return continue_axis(**(usual | changes))


def test_a_restart_in_the_same_boot_goes_on_with_the_same_axis() -> None:
    assert axis() == Continued(offset=0, down_since=500 * S)


def test_after_a_power_cut_the_wall_tells_how_long_it_took() -> None:
    found = axis(same_boot=False, mono=7 * S)
    assert 7 * S + found.offset == 540 * S
    assert found.down_since == 500 * S


@pytest.mark.parametrize(
    "changes",
    [
        {"wall": Wall(at=5 * S, quality=ClockQuality.UNSET)},
        {"last_wall": None},
        {"wall": Wall(at=1_700_000_000 * S, quality=KNOWN)},
    ],
    ids=["no clock now", "no clock then", "the wall went back"],
)
def test_where_the_wall_cannot_tell_time_goes_on_and_the_interval_is_unknown(changes: dict[str, Any]) -> None:
    found = axis(same_boot=False, mono=7 * S, **changes)
    assert 7 * S + found.offset > 500 * S
    assert found.down_since is None


def test_a_monotonic_clock_that_claims_the_same_boot_but_went_back_is_not_believed() -> None:
    assert 3 * S + axis(mono=3 * S).offset > 500 * S


def test_a_step_of_two_weeks_is_seen_once_and_a_slew_is_not() -> None:
    watch = StepWatch()
    assert watch.look(1_000 * S, 10 * S) is None
    assert watch.look(1_001 * S + S // 100, 11 * S) is None
    assert watch.look(1_002 * S + 1_209_600 * S, 12 * S) == pytest.approx(1_209_600 * S, abs=S)
    assert watch.look(1_003 * S + 1_209_600 * S, 13 * S) is None


def test_a_wall_that_was_never_set_is_no_time_at_all() -> None:
    assert Wall(at=3 * S, quality=ClockQuality.UNSET).text is None


def listening(path: Path) -> tuple[socket.socket, Watchdog]:
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    channel.bind(str(path))
    channel.settimeout(20)
    return channel, Watchdog({"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "300000"})


def test_systemd_is_told_ready_fed_and_stopping(tmp_path: Path) -> None:
    channel, watchdog = listening(tmp_path / "notify")
    watchdog.ready("table t1")
    watchdog.fed(1 * S)
    watchdog.fed(1 * S + 1)
    watchdog.fed(2 * S)
    watchdog.stopping()
    told = [channel.recv(200).decode() for _ in range(4)]
    assert told == ["READY=1\nSTATUS=table t1", "WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"]
    channel.close()


def test_without_systemd_nothing_is_said_and_nothing_raised() -> None:
    watchdog = Watchdog({})
    watchdog.ready("x")
    watchdog.fed(5 * S)
    assert not watchdog.expected


def test_a_loop_that_hangs_is_not_fed(tmp_path: Path) -> None:
    """The watchdog is fed by the loop that does the work and by nothing else."""
    from tests.table_controller.owner_in_hand import OwnerInHand

    channel, watchdog = listening(tmp_path / "notify")
    hand = OwnerInHand(tmp_path, watchdog=watchdog)
    hang = threading.Event()
    hand.core.before = lambda event: hang.wait(60) if type(event).__name__ == "DirectorSummoned" else None
    hand.start()
    assert channel.recv(200).startswith(b"READY=1")
    assert channel.recv(200) == b"WATCHDOG=1"
    hand.rig.set_level("director.n", True)
    time.sleep(0.3)
    channel.settimeout(0.8)
    with pytest.raises(TimeoutError):
        _drain(channel)
    hang.set()
    channel.settimeout(20)
    assert channel.recv(200) == b"WATCHDOG=1"
    hand.stop()
    channel.close()


def _drain(channel: socket.socket) -> None:
    while True:
        channel.recv(200)
