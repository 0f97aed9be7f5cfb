"""The flashing page: what it says to copy is what starts, and its other commands are right."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from firmware_bridge.firmware import main as firmware
from tests.firmware_bridge.test_micropython import pytestmark
from tests.firmware_bridge.test_pico_board import METAL, run_under_micropython

__all__ = ["pytestmark"]

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "flashing.md").read_text(encoding="utf-8")
COPIES = re.findall(r"^mpremote connect auto fs cp (\S+) :(\S+)$", PAGE, re.MULTILINE)
MACHINE = METAL[: METAL.index("from array import array")]
START = """
import time
class Wdt:
    fed = 0
    def __init__(self, timeout=0):
        assert timeout == 2000
    def feed(self):
        Wdt.fed += 1
        if Wdt.fed == 5:
            print("SERVES", machine.timer_started)
            raise SystemExit
class Started(Timer):
    def init(self, freq=0, mode=0, callback=None):
        super().init(freq, mode, callback)
        machine.timer_started = freq
def restart():
    print("RESTARTS")
    raise SystemExit
class Rp2:
    pressed = {pressed}
    asked = 0
    @staticmethod
    def bootsel_button():
        Rp2.asked += 1
        return Rp2.pressed and Rp2.asked == 3
machine.WDT, machine.Timer, machine.reset = Wdt, Started, restart
machine.reset_cause = lambda: {cause}
sys.modules["rp2"] = Rp2
import main
print("asked", Rp2.asked)
"""
POWER, WATCHDOG = 1, 3


def copied(folder: Path) -> None:
    """As the page says."""
    (folder / "firmware").mkdir()
    for source, target in COPIES:
        shutil.copy(ROOT / source, folder / target)


def started(folder: Path, *, cause: int, pressed: bool = False) -> str:
    begin = MACHINE.format(root=str(folder))
    return run_under_micropython(begin + START.format(cause=cause, pressed=pressed), folder)


def test_the_page_copies_every_file_of_the_firmware_and_nothing_else() -> None:
    named = {Path(source).name for source, target in COPIES if target.startswith("firmware/")}
    assert named == {path.name for path in (ROOT / "firmware_bridge" / "firmware").glob("*.py")}
    assert named >= set(firmware.FILES)
    assert ("configs/pico/main.py", "main.py") in COPIES


@pytest.mark.parametrize("cause", [POWER, WATCHDOG])
def test_what_was_copied_starts_and_feeds_the_watchdog(tmp_path: Path, cause: int) -> None:
    copied(tmp_path)
    out = started(tmp_path, cause=cause)
    assert "SERVES 1000" in out, out


def test_bootsel_after_power_on_leaves_it_at_the_prompt(tmp_path: Path) -> None:
    copied(tmp_path)
    out = started(tmp_path, cause=POWER, pressed=True)
    assert "at the prompt" in out, out
    assert "asked 3" in out
    assert "SERVES" not in out


def test_after_a_watchdog_restart_nothing_is_waited_for(tmp_path: Path) -> None:
    copied(tmp_path)
    assert "SERVES" in started(tmp_path, cause=WATCHDOG, pressed=True)


def test_a_file_that_is_missing_is_said_and_tried_again(tmp_path: Path) -> None:
    copied(tmp_path)
    (tmp_path / "firmware" / "motor.py").unlink()
    out = started(tmp_path, cause=WATCHDOG)
    assert "screen-table: ImportError" in out, out
    assert "RESTARTS" in out


def test_the_hash_that_the_page_computes_is_that_of_the_files_here() -> None:
    (line,) = re.findall(r'^python -c "(.+)"$', PAGE, re.MULTILINE)
    told: list[str] = []
    exec(line, {"print": told.append})
    assert told == [f"{firmware.source_hash(firmware.own_folder()):08x}"]
