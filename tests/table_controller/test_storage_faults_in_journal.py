"""A disk that fills up in mid-board: said at the console, the table goes on, and what it knew is kept."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw_sim.table.changes import MS
from tests.mqtt.conftest import Mosquitto, mosquitto
from tests.table_controller.console_side import ConsoleSide, write_keys
from tests.table_controller.live_table import LiveTable, command, games

__all__ = ["mosquitto"]
pytestmark = [pytest.mark.mosquitto, pytest.mark.long, pytest.mark.live]


@pytest.fixture
def pair(tmp_path: Path, mosquitto: Mosquitto) -> Iterator[tuple[LiveTable, ConsoleSide]]:
    keys = write_keys(tmp_path / "keys.json")
    with LiveTable(tmp_path, broker=mosquitto.url, mac_keys=tmp_path / "keys.json") as table:
        table.site.data.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(table.site.data)]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("a file system cannot be mounted here")
        console = ConsoleSide(mosquitto.url, keys).start()
        yield table, console
        console.stop()
        table.kill()
        subprocess.run(["umount", "-l", str(table.site.data)], check=False)


def storage(console: ConsoleSide) -> list[str]:
    """The changes of STORAGE_FAILED that came to the console."""
    told = [message.body.model_dump(mode="json") for _, message in sorted(console.rows.items())]
    return [
        body["change"] for body in told if body.get("fault") and body["fault"]["kind"] == "STORAGE_FAILED"
    ]


def test_a_disk_that_fills_up_is_said_at_the_console_and_the_table_goes_on(pair) -> None:
    table, console = pair
    table.run()
    ballast = table.site.data / "ballast"

    def fill() -> None:
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)

    play = table.play(games()[0], when=lambda play: len(play.account.calls) >= 1, deed=fill)
    table.settle()
    console.until(lambda: bool(storage(console)), 20)
    assert storage(console)[0] == "raised"
    console.until(lambda: console.state is not None and console.state.board is None, 20)
    told = [message.body.model_dump(mode="json") for message in console.rows.values()]
    values = [body["value"] for body in told if body.get("what") == "board"]
    assert [f"{seat}:{call}" for seat, call in values[0]["calls"]] == play.account.calls
    ballast.unlink()
    table.play(games()[1])
    table.settle(2_000 * MS)
    console.until(lambda: storage(console)[-1] == "cleared", 30)
    assert table.stop() == 0
    assert "sound" in command("journal", "verify", table.journal)
