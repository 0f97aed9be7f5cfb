"""`hw-sim bench` as it is typed: what it refuses, what it prints, and that nothing is left when it ends."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from hw_sim.bench.cli import bench as command

typer = pytest.importorskip("typer")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--lang", "fr"], "--lang fr: expected one of en, zh-CN"),
        (["--profile", "fifa"], "fifa"),
        (["--records", "no-such-file.pbn"], "no-such-file.pbn"),
        (["--scenarios", "no-such-file.scn"], "there is no file no-such-file.scn"),
        (["--keep", "."], "already there"),
        (["--table", "round"], "round"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_two(options: list[str], words: str) -> None:
    app = typer.Typer()
    app.command()(command)
    result = CliRunner().invoke(app, ["--no-browser", "--port", "0", *options])
    assert result.exit_code == 2
    said = " ".join(result.output.split())
    assert words in said
    assert "Traceback" not in said


def test_a_port_in_use_is_said(free_socket_port: int) -> None:
    app = typer.Typer()
    app.command()(command)
    result = CliRunner().invoke(app, ["--no-browser", "--port", str(free_socket_port)])
    assert result.exit_code == 2
    assert "it is in use" in " ".join(result.output.split())


@pytest.fixture
def free_socket_port() -> object:
    """A port that somebody listens on."""
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def of_the_bench(directory: Path) -> list[str]:
    """Processes that have this folder in their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(directory) in line:
            found.append(line)
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_it_runs_from_the_command_line_and_leaves_nothing(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    run = [sys.executable, "-m", "hw_sim", "bench", "--port", "0", "--no-browser", "--no-console"]
    with (tmp_path / "said").open("w+") as said:
        process = subprocess.Popen([*run, "--keep", str(kept)], stdout=said, stderr=subprocess.STDOUT)
        try:
            address = _address(tmp_path / "said", process)
            assert httpx.get(address, trust_env=False).status_code == 200
            assert httpx.get(f"{address}half/SW", trust_env=False).status_code == 200
            assert len(of_the_bench(kept)) >= 3, "itself, broker and controller"
        finally:
            process.send_signal(signal.SIGINT)
            code = process.wait(30)
    assert code == 0, (tmp_path / "said").read_text()
    assert of_the_bench(kept) == []
    assert (kept / "table-1" / "data" / "journal.sqlite").is_file()


def _address(said: Path, process: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        if found := re.search(r"http://127\.0\.0\.1:\d+/", said.read_text()):
            return found[0]
        time.sleep(0.1)
    raise AssertionError(f"it did not say where it is: {said.read_text()}")
