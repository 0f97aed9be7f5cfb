"""What is said of a scenario file that cannot be read, or cannot be played.

One sentence each, with file and line: what was found, what was expected.
"""

from __future__ import annotations

from pathlib import Path

from hw_sim.refusals import Refusing, Why


class ScenarioError(Refusing, ValueError):
    """The file is wrong. `line` counts from 1; None: the file as a whole."""

    def __init__(
        self, path: Path, line: int | None, what: str, why: Why | None = None, /, **params: object
    ) -> None:
        place = f"{path}:{line}" if line is not None else str(path)
        at = {} if line is None else {"line": line}
        super().__init__(f"{place}: {what}", why, **at, **params)
        self.path = path
        self.line = line
        self.what = what


class NotUnderstood(Refusing, ValueError):
    """A phrase that nobody knows; the parser adds file and line."""


class CannotBePlayed(Refusing, RuntimeError):
    """Nobody could do this at a table in this state, or this runner cannot; one sentence."""

    @classmethod
    def since(cls, problem: Refusing) -> CannotBePlayed:
        """For the same reason."""
        return cls(problem.said.text, problem.said.why, **problem.said.params)
