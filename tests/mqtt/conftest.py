"""A mosquitto of the test's own on a free loopback port, which can be killed and started again."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.needs import need_mosquitto


class Mosquitto:
    """A broker process. `kill` is SIGKILL: what it kept in memory is gone."""

    def __init__(self, folder: Path, lines: str = "") -> None:
        self.program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self.folder = folder
        self.port = _free_port()
        self.config = folder / "mosquitto.conf"
        self.config.write_text(
            f"user root\nlistener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n"
            "max_inflight_messages 20\nmax_queued_messages 100000\n"
            f"log_dest file {folder / 'mosquitto.log'}\n{lines}"
        )
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [self.program, "-c", str(self.config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        limit = time.monotonic() + 10
        while time.monotonic() < limit:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise RuntimeError(f"mosquitto did not listen on port {self.port} within 10 s")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def freeze(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        assert isinstance(port, int)
        return port


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    need_mosquitto()
    broker = Mosquitto(tmp_path)
    broker.start()
    yield broker
    broker.kill()
