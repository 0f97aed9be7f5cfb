"""Child processes that end together with whoever started them: no orphan, however it ends.

Each runs in a session of its own, so that Ctrl-C at the terminal reaches the supervisor alone, and asks the
kernel to end it when the supervisor dies (`child`). Must start them from one thread that lives to the end,
and never leave a group behind.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

GRACE_S = 8.0
"""How long a child may take to end by itself once asked."""


@dataclass(frozen=True, slots=True)
class Child:
    """One running process; what it prints is in `log`."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def last_words(self, lines: int = 12) -> str:
        """The end of what it printed."""
        with contextlib.suppress(OSError):
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])
        return ""

    def signal(self, number: signal.Signals) -> None:
        """To the child and whatever it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)


class Supervisor:
    """Use as a context: leaving it ends every child, the last started first."""

    def __init__(self, log_directory: Path) -> None:
        self._log_directory = log_directory
        self.children: list[Child] = []

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop_all()

    def start(self, name: str, command: Sequence[str], environment: Mapping[str, str] | None = None) -> Child:
        """Start a command. Raises OSError if there is no such program."""
        log = self._log_directory / f"{name}.log"
        wrapped = [sys.executable, "-m", "hw_sim.processes.child", str(os.getpid()), *command]
        with log.open("ab") as output:
            process = subprocess.Popen(
                wrapped,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, **(environment or {})},
            )
        child = Child(name, process, log)
        self.children.append(child)
        return child

    def ended(self) -> list[Child]:
        """Children that are no longer running though nobody stopped them."""
        return [child for child in self.children if not child.alive]

    def stop(self, child: Child, grace_s: float = GRACE_S) -> int:
        """End one child, kindly first. Its exit code."""
        if child in self.children:
            self.children.remove(child)
        child.signal(signal.SIGTERM)
        try:
            return child.process.wait(grace_s)
        except subprocess.TimeoutExpired:
            child.signal(signal.SIGKILL)
            return child.process.wait()
        finally:
            child.signal(signal.SIGKILL)  # whatever it left in its group

    def stop_all(self, grace_s: float = GRACE_S) -> None:
        """End all, the last started first, within about `grace_s` together."""
        end = time.monotonic() + grace_s
        children = list(reversed(self.children))
        for child in children:
            child.signal(signal.SIGTERM)
        for child in children:
            self.stop(child, max(end - time.monotonic(), 0.2))


def program(name: str) -> list[str]:
    """The command of one of this product's programs, run by this very interpreter."""
    module = {
        "table-controller": "table_controller",
        "director-console": "director_console",
        "hw-sim": "hw_sim",
    }
    return [sys.executable, "-m", module[name]]
