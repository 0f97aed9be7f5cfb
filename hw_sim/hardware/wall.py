"""A wall clock that can be moved under one process, as a time server or a person moves a machine's.

Python reads the module `sitecustomize` before anything else; the one written here puts what stands in a file
on top of `time.time`. Nothing of the controller is touched, nor its monotonic clock. Must never be given to a
process whose table is real.
"""

from __future__ import annotations

import os
from pathlib import Path

_VARIABLE = "SCREEN_TABLE_SIMULATED_WALL"
_MODULE = f"""
import os, time
_path = os.environ.get("{_VARIABLE}")
_time, _time_ns = time.time, time.time_ns
def _step():
    try:
        with open(_path) as file:
            return int(file.read() or 0)
    except (OSError, TypeError, ValueError):
        return 0
time.time = lambda: _time() + _step()
time.time_ns = lambda: _time_ns() + _step() * 1_000_000_000
"""


class SteppableWall:
    """One process's wall; `environment` is what it must be started with."""

    def __init__(self, directory: Path) -> None:
        self._file = directory / "wall-step"
        self._modules = directory / "wall"
        self._stepped = 0

    def environment(self) -> dict[str, str]:
        """Writes what is needed, and says with which environment to start the process."""
        self._modules.mkdir(parents=True, exist_ok=True)
        (self._modules / "sitecustomize.py").write_text(_MODULE, encoding="utf-8")
        self._file.write_text("0", encoding="ascii")
        others = os.environ.get("PYTHONPATH", "")
        path = os.pathsep.join(filter(None, (str(self._modules), others)))
        return {"PYTHONPATH": path, _VARIABLE: str(self._file)}

    def step(self, seconds: float) -> None:
        """Move it so far at once, on top of earlier steps."""
        self._stepped += round(seconds)
        fresh = self._file.with_suffix(".new")
        fresh.write_text(str(self._stepped), encoding="ascii")
        fresh.replace(self._file)
