"""What is said of a scenario file that cannot be read, or cannot be played.

One sentence each, with file and line: what was found, what was expected.
"""

from __future__ import annotations

from pathlib import Path


class ScenarioError(ValueError):
    """The file is wrong. `line` counts from 1; None: the file as a whole."""

    def __init__(self, path: Path, line: int | None, what: str) -> None:
        place = f"{path}:{line}" if line is not None else str(path)
        super().__init__(f"{place}: {what}")
        self.path = path
        self.line = line
        self.what = what


class NotUnderstood(ValueError):
    """A phrase that nobody knows; the parser adds file and line."""


class CannotBePlayed(RuntimeError):
    """Nobody could do this at a table in this state, or this runner cannot; one sentence."""
