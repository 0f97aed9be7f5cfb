"""Paths that a person gave: what is there, and what is to be made there.

`Path.exists()` and its like raise where a directory on the way may not be entered, and a file that is to be
written may be refused in a dozen ways. Here all of that is one sentence. Must never write over anything.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path


class PathUnusable(ValueError):
    """What was given cannot be looked at, or not be made. One sentence."""


def is_there(path: Path) -> bool:
    """Whether anything is at this path. Raises PathUnusable where we may not look."""
    return _mode(path) is not None


def is_file(path: Path) -> bool:
    """Whether a file is at this path. Raises PathUnusable where we may not look."""
    mode = _mode(path)
    return mode is not None and stat.S_ISREG(mode)


def is_folder(path: Path) -> bool:
    """Whether a directory is at this path. Raises PathUnusable where we may not look."""
    mode = _mode(path)
    return mode is not None and stat.S_ISDIR(mode)


def may_be_there(path: Path) -> bool:
    """No only where surely nothing is; yes where we may not look, so that whoever opens it says why."""
    try:
        return is_there(path)
    except PathUnusable:
        return True


def need_file(path: Path, what: str) -> None:
    """Raises PathUnusable unless a file is there; `what` says what to give, such as `a table's journal`."""
    if is_file(path):
        return
    if not is_there(path):
        raise PathUnusable(f"{path}: there is no such file; give {what}")
    raise PathUnusable(f"{path}: this is {'a directory' if is_folder(path) else 'no file'}; give {what}")


def refuse_taken(path: Path, mend: str) -> None:
    """Raises PathUnusable where something is already, a link that leads nowhere too; `mend`: what to do."""
    if is_there(path) or path.is_symlink():
        raise PathUnusable(f"{path}: it is already there; {mend}")


def write_new(path: Path, content: bytes, mend: str) -> None:
    """Write a file that is not there yet, whole or not at all. Raises PathUnusable; `mend`: what to do."""
    refuse_taken(path, mend)
    begun = False
    try:
        with path.open("xb") as file:
            begun = True
            file.write(content)
    except OSError as problem:
        if begun:
            with contextlib.suppress(OSError):
                path.unlink()
        raise PathUnusable(f"{path}: it cannot be written ({_why(problem)}); {mend}") from None


def make_folder(path: Path, mend: str) -> Path:
    """A directory that is not there yet, for its owner alone; its full path. Raises PathUnusable."""
    refuse_taken(path, mend)
    try:
        path.mkdir(parents=True, mode=0o700)
        return path.resolve()
    except OSError as problem:
        raise PathUnusable(f"{path}: it cannot be made ({_why(problem)}); {mend}") from None


def _mode(path: Path) -> int | None:
    """What kind of thing is there; None where nothing is."""
    try:
        return os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        raise PathUnusable(
            f"{path}: we may not look there ({_why(problem)}); give another path, or say it as a user who may"
        ) from None


def _why(problem: OSError) -> str:
    return problem.strerror or str(problem)
