"""Two hundred tables at two hundred updates a second: the figures the specification asks for."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

PAINT_MS, P95_MS = 1000, 500


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.mosquitto
def test_first_paint_and_updates_are_as_fast_as_promised() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.director_console.bench", "--seconds", "15", "--json"],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    figures = json.loads(done.stdout.splitlines()[-1])
    busy = os.getloadavg()[0] > 1.5 * (os.cpu_count() or 1)
    said = f"{figures}{' (other work was going on)' if busy else ''}"
    assert figures["rate"] > 190, said
    assert figures["first_paint_ms"] < PAINT_MS * (3 if busy else 1), said
    assert figures["latency_p95_ms"] < P95_MS * (4 if busy else 1), said
