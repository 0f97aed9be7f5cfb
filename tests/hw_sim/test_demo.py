"""The demonstration, end to end: four kinds of process, their ledger, and no process left behind."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from tests.hw_sim.running import eventually, here, hw_sim, processes_of, start

pytestmark = pytest.mark.live

QUICK = ("--speed", "max", "--broker", "embedded")


def test_one_board_a_table_with_nothing_lost_doubled_or_left_open(tmp_path: Path) -> None:
    keep = tmp_path / "run"
    done = hw_sim("demo", "--tables", "2", "--boards", "1", "--every", "1", *QUICK, "--keep", str(keep))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 boards" in done.stdout
    assert "2 misdeeds" in done.stdout
    assert "nothing lost, doubled or left open" in done.stdout
    assert eventually(lambda: not processes_of(keep)), processes_of(keep)
    for name in ("console-keys.json", "keys-1.json", "keys-2.json"):
        assert stat.S_IMODE((keep / name).stat().st_mode) == 0o600
    keys = json.loads((keep / "console-keys.json").read_text())
    said = "".join(file.read_text(errors="replace") for file in keep.glob("*.log"))
    assert not any(key in said + done.stdout for key in (keys["venue"], *keys["tables"].values()))


def test_what_hardware_does_comes_on_every_board_and_loses_nothing() -> None:
    faults = ("bounce signal=tray.ne at=0.2", "noise ms=3000 at=0.1", "wall-step at=0.5")
    asked = [word for fault in faults for word in ("--misdeed", fault)]
    done = hw_sim("demo", "--tables", "1", "--boards", "2", *QUICK, *asked)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("noise in 0.1 s") == 2
    assert "0 misdeeds" in done.stdout
    assert "nothing lost, doubled or left open" in done.stdout


def until_up(process: subprocess.Popen[str]) -> str:
    """Read what it says until the tables play; the login link."""
    assert process.stdout is not None
    link = ""
    for line in process.stdout:
        if found := re.search(r"Log in once with: (\S+)", line):
            link = found.group(1)
        if line.startswith("Simulated tables"):
            return link
    raise AssertionError("it ended before it was up")


@pytest.mark.parametrize(
    "number",
    [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL],
    ids=["Ctrl-C", "SIGTERM", "closed terminal", "kill -9"],
)
def test_however_it_ends_no_process_is_left_and_no_folder_with_keys(
    number: signal.Signals, tmp_path: Path
) -> None:
    process = start("demo", "--tables", "1", *QUICK, TMPDIR=str(tmp_path))
    try:
        until_up(process)
        assert eventually(lambda: len(processes_of(tmp_path)) >= 3), processes_of(tmp_path)
        [folder] = tmp_path.glob("screen-table-demo-*")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert (folder / "console-keys.json").exists()
        os.kill(process.pid, number)
        process.wait(30)
        assert eventually(lambda: not processes_of(tmp_path)), processes_of(tmp_path)
        if number is not signal.SIGKILL:  # which the next run tidies up after: test_workplace
            assert process.returncode == 0
            assert list(tmp_path.iterdir()) == []
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("after_s", [0.05, 0.3, 0.6])
def test_interrupted_while_it_starts_it_ends_without_a_trace(after_s: float, tmp_path: Path) -> None:
    process = start("demo", "--tables", "1", *QUICK, "--keep", str(tmp_path / "run"))
    time.sleep(after_s)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=30)
    if after_s > 0.1:  # before that Python itself has not begun
        assert "Traceback" not in said
    assert eventually(lambda: not processes_of(tmp_path))


def test_the_link_it_prints_lets_one_person_in_once(tmp_path: Path) -> None:
    process = start("demo", "--tables", "1", *QUICK, "--keep", str(tmp_path / "run"))
    try:
        link = until_up(process)
        with httpx.Client(follow_redirects=True, trust_env=False) as person:
            wall = person.get(link)
            assert wall.status_code == 200
            assert wall.url.path == "/"
            assert eventually(lambda: "tile-1" in person.get(wall.url).text)
            assert person.get(wall.url.copy_with(path="/queue")).status_code == 200
        with httpx.Client(follow_redirects=True, trust_env=False) as another:
            assert another.get(link).status_code == 403
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--records", "nowhere.pbn"), "there is no file nowhere.pbn"),
        (("--speed", "quick"), "--speed is a number above 0, or max, not 'quick'"),
        (("--misdeed", "lies"), "no misdeed is called 'lies'; choose one of tray-early"),
        (("--misdeed", "bounce ms=banana"), "ms is 'banana', expected a number"),
        (("--misdeed", "bounce signal=nope"), "there is no input 'nope'; choose one of tray.ne"),
        (("--regulations", "house"), "house"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(options: tuple[str, ...], sentence: str) -> None:
    done = here("demo", *options)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_help_has_an_example() -> None:
    done = here("demo", "--help")
    assert done.returncode == 0
    assert "hw-sim demo --tables 8" in done.stdout
