"""A run's own folder: private, gone with the run, and gone with the next run where the first was killed."""

from __future__ import annotations

import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw_sim.processes.workplace import open_workplace, remove_abandoned

PREFIX = "screen-table-test-"
HOLDER = f"""
import sys, time
from hw_sim.processes.workplace import open_workplace
print(open_workplace({PREFIX!r}).path, flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


@pytest.fixture
def holder() -> Iterator[subprocess.Popen[str]]:
    """Another run, which has its folder open."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE, text=True)
    yield process
    process.kill()
    process.communicate()


def test_it_is_nobody_elses_and_goes_with_the_run() -> None:
    with open_workplace(PREFIX) as path:
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
        (path / "secret").write_text("x")
    assert not path.exists()


def test_the_folder_of_a_run_that_was_killed_goes_with_the_next_run(holder: subprocess.Popen[str]) -> None:
    assert holder.stdout is not None
    left = Path(holder.stdout.readline().strip())
    (left / "secret").write_text("x")
    assert remove_abandoned(PREFIX) == []
    assert left.exists(), "its owner lives"
    holder.send_signal(signal.SIGKILL)
    holder.wait(10)
    assert left.exists()
    with open_workplace(PREFIX):
        assert not left.exists()


def test_a_link_and_a_folder_nobody_claims_are_left_alone(temporary: Path) -> None:
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "in-use").touch()
    (temporary / f"{PREFIX}link").symlink_to(elsewhere)
    (temporary / f"{PREFIX}strange").mkdir()
    assert remove_abandoned(PREFIX) == []
    assert (elsewhere / "in-use").exists()
    assert (temporary / f"{PREFIX}strange").exists()
