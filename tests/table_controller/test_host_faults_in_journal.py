"""What is done to the controller's process and its machine, on both ways in; what its journal says after."""

from __future__ import annotations

import json
import random
import signal
import socket
import time
from pathlib import Path

import pytest

from hw_sim.hardware.host_faults import ControllerProcess
from hw_sim.hardware.wall import SteppableWall
from hw_sim.players.script import script_of
from hw_sim.table.changes import MS
from tests.table_controller.faulty import a_board_with, assert_the_board_is_right, both, long, table
from tests.table_controller.live_table import (
    CONTROLLER,
    ROOT,
    LiveTable,
    boards,
    command,
    events,
    faults,
    games,
    rows,
)

pytestmark = pytest.mark.live

__all__ = ["table"]

TWO_WEEKS_S = 1_209_600


@long
@both
def test_killed_at_four_instants_of_a_board_nothing_is_lost_or_doubled(table: LiveTable) -> None:
    table.run()
    chance = random.Random(4)
    instants = [1, 2, 4, 6]

    def kill() -> None:
        table.settle(chance.randrange(0, 400) * MS)
        table.kill()
        table.settle(chance.randrange(50, 600) * MS)
        table.run()
        table.settle(2_000 * MS)

    play = table.site._board(script_of(games()[2]), None)

    def interrupted():
        done = 0
        for ask in play.play():
            if done < len(instants) and len(play.account.calls) >= instants[done]:
                done += 1
                kill()
            yield ask

    table.site.live.play(interrupted())
    table.settle(1_600 * MS)
    assert table.stop() == 0, table.log.read_text()
    (board,) = boards(table.journal)
    assert [f"{seat}:{call}" for seat, call in board["calls"]] == play.account.calls
    assert (board["contract"], board["outcome"]) == (play.account.contract, "completed")
    told = [event["event"] for event in events(table.journal)]
    assert told.count("Restarted") == len(instants)
    assert told.count("BoardPlaced") == 1
    assert told.count("CallMade") == len(play.account.calls)
    numbers = [row["seq"] for row in rows(table.journal)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert "sound" in command("journal", "verify", table.journal)
    assert json.loads(command("replay", table.journal, "--json"))["same"] is True


@long
@both
def test_case_11_a_host_that_stands_still_for_twenty_seconds_goes_on_where_the_table_is(
    table: LiveTable,
) -> None:
    pressed: list[int] = []

    def press(on: bool) -> None:
        if on:
            pressed.append(time.monotonic_ns())
        table.faulty.set_input("director.e", on)

    def stall() -> None:
        assert table.process is not None
        table.bench.host = ControllerProcess(table.process, [])
        table.commit("host-stall", ms="20000")
        table.timeline.after(5_000, lambda: press(True))
        table.timeline.after(5_300, lambda: press(False))
        table.settle(24_000 * MS)

    play = a_board_with(table, stall, calls=1)
    (board,) = boards(table.journal)
    assert [f"{seat}:{call}" for seat, call in board["calls"]] == play.account.calls
    told = [e for e in events(table.journal) if e["event"] == "DirectorSummoned"]
    assert len(told) == 1
    assert abs(told[0]["at"] - pressed[0]) < 20 * MS
    lost = [e for e in events(table.journal) if e["event"] == "EventsLost"]
    if table.site.device is not None:
        assert lost == []
        assert table.faults() == []
        return
    # On GPIO the kernel keeps a few edges of a line: nobody knows whether they were all, and that is said.
    assert [e["count"] for e in lost] == [0]
    assert 19e9 < lost[0]["gap"] < 25e9
    assert {kind for _, kind, _ in faults(table.journal)} == {"EVENTS_LOST"}


@both
def test_case_4_a_second_opener_is_told_so_and_the_first_goes_on(table: LiveTable) -> None:
    def second() -> None:
        assert table.process is not None
        config = table.site.directory / "second.toml"
        text = table.site.config.read_text(encoding="utf-8")
        config.write_text(text.replace(str(table.site.data), str(table.site.directory / "second")))
        run = [*CONTROLLER, "doctor", "--config", str(config), "--seconds", "0", "--json"]
        table.bench.host = ControllerProcess(table.process, run)
        table.commit("second-opener")

    play = a_board_with(table, second, calls=1)
    assert_the_board_is_right(table, play)
    (said,) = table.bench.notes
    assert "already in use" in said
    assert table.faults() == []


@long
@both
def test_case_13_a_wall_that_steps_two_weeks_moves_nothing(table: LiveTable, tmp_path: Path) -> None:
    """The wall is moved under the process, as a time server would; the axis of the events does not notice."""
    wall = SteppableWall(tmp_path)
    table.environment |= wall.environment()
    table.environment["PYTHONPATH"] += f":{ROOT}"

    def step() -> None:
        assert table.process is not None
        table.bench.host = ControllerProcess(table.process, [], step_wall=wall.step)
        table.commit("wall-step", s=str(TWO_WEEKS_S))
        table.settle(1_500 * MS)

    play = a_board_with(table, step, calls=2)
    assert_the_board_is_right(table, play)
    told = rows(table.journal)
    axis = [row["mono_ms"] for row in told]
    assert axis == sorted(axis)
    assert axis[-1] - axis[0] < 120_000
    days = {row["wall"][:10] for row in told if row["wall"]}
    assert len(days) >= 2, "the step was not seen at all"
    ats = [event["at"] for event in events(table.journal)]
    assert max(ats) - min(ats) < 120_000 * MS


@long
@both
def test_a_loop_that_stands_still_does_not_feed_the_watchdog(table: LiveTable, tmp_path: Path) -> None:
    """The process lives, its loop is stopped: systemd hears nothing, and would restart it."""
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    channel.bind(str(tmp_path / "notify"))
    channel.settimeout(5)
    table.environment |= {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "1500000"}
    table.run()
    assert channel.recv(200).startswith(b"READY=1")
    assert channel.recv(200) == b"WATCHDOG=1"
    assert table.process is not None
    table.process.send_signal(signal.SIGSTOP)
    time.sleep(0.3)
    channel.settimeout(1.2)
    with pytest.raises(TimeoutError):
        _drain(channel)
    table.process.send_signal(signal.SIGCONT)
    channel.settimeout(5)
    assert channel.recv(200) == b"WATCHDOG=1"
    assert table.stop() == 0
    channel.close()


def _drain(channel: socket.socket) -> None:
    while True:
        channel.recv(200)
