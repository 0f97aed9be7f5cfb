"""Each joint of the chain broken in turn: the demonstration fails, and says which it was."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw_sim.demo.breakage import Breakage
from tests.hw_sim.running import eventually, processes_of, start

pytestmark = pytest.mark.live

SAYS = {
    Breakage.MUTE: "broken at the wire between table and controller: table 1: the window did not close",
    Breakage.DROP: "broken at the wire between table and controller: table 1: the window did not close",
    Breakage.WINDOW: "broken at the window's orders: table 1: the window did not close within 10 s",
    Breakage.BROKER: "broken at the broker: ",
    Breakage.CONSOLE: "broken at the director's console: ",
}
Runs = dict[Breakage, tuple[subprocess.Popen[str], Path]]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    """All of them at once, since most of their time is waiting."""
    folder = tmp_path_factory.mktemp("joints")
    options = ("--tables", "1", "--boards", "1", "--speed", "100", "--broker", "embedded", "--every", "0")
    started: Runs = {}
    for breakage in Breakage:
        keep = folder / breakage.value
        started[breakage] = (start("demo", *options, "--break", breakage.value, "--keep", str(keep)), keep)
    yield started
    for process, _ in started.values():
        process.kill()
        process.communicate()


@pytest.mark.parametrize("breakage", Breakage)
def test_a_broken_joint_is_named_and_nothing_is_left_running(breakage: Breakage, runs: Runs) -> None:
    process, keep = runs[breakage]
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 1, said
    assert SAYS[breakage] in said
    assert "Traceback" not in said
    assert SAYS[breakage] in said.strip().splitlines()[-1], "the sentence stands last, below any log"
    assert eventually(lambda: not processes_of(keep)), processes_of(keep)
