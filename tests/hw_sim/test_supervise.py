"""No process is left behind, however the supervisor ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hw_sim.processes.supervise import Supervisor

SLEEPER = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "print('up', flush=True)\ntime.sleep(600)",
]
PARENT = """
import subprocess, sys, time
from pathlib import Path
from hw_sim.processes.supervise import Supervisor
supervisor = Supervisor(Path({directory!r}))
child = supervisor.start("sleeper", [sys.executable, "-c", "import time; time.sleep(600)"])
print(child.process.pid, flush=True)
time.sleep(600)
"""


def eventually(holds: Callable[[], bool], within: float = 10.0) -> bool:
    end = time.monotonic() + within
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return holds()


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[-1].split()[0] == "Z"
    except OSError:
        return True


def test_leaving_the_context_ends_every_child(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        pids = [supervisor.start(f"child-{n}", SLEEPER).process.pid for n in range(3)]
        assert eventually(lambda: all("up" in c.last_words() for c in supervisor.children))
    assert all(gone(pid) for pid in pids)


def test_a_child_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        child = supervisor.start("stubborn", STUBBORN)
        assert eventually(lambda: "up" in child.last_words())
        assert supervisor.stop(child, grace_s=0.3) == -signal.SIGKILL
    assert gone(child.process.pid)


def test_a_child_that_ends_by_itself_is_noticed_with_its_last_words(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        supervisor.start("short", [sys.executable, "-c", "raise SystemExit('no such port')"])
        assert eventually(lambda: bool(supervisor.ended()))
        assert supervisor.ended()[0].last_words() == "no such port"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent was killed")
def test_children_end_even_when_the_supervisor_is_killed(tmp_path: Path) -> None:
    source = PARENT.format(directory=str(tmp_path))
    parent = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert not gone(pid)
    parent.kill()
    parent.wait()
    assert eventually(lambda: gone(pid))
