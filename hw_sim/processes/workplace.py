"""A folder for one run, which nobody else may read and which goes with the run, however that ends.

A run that is killed cannot tidy up, so the next one does it: a lock, which the kernel lifts with its holder,
tells whether the owner of a folder still lives. Must never remove the folder of a run that may be alive, nor
follow a link out of one.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from pathlib import Path

from table_controller.plain.given_paths import PathUnusable

IN_USE = "in-use"
"""The file in every such folder whose lock its owner holds."""


class Workplace:
    """An open folder. Use as a context, or close it; `path` is then gone."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove it with all that is in it. May be called twice."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def open_workplace(prefix: str) -> Workplace:
    """A new folder, mode 0700, after removing those of runs with this prefix that were killed.

    Raises PathUnusable where this machine has no room for it.
    """
    try:
        remove_abandoned(prefix)
        path = Path(tempfile.mkdtemp(prefix=prefix))
    except OSError as problem:
        raise PathUnusable(
            f"no folder for this run can be made ({problem.strerror}); set TMPDIR to a directory that can be "
            "written"
        ) from None
    lock = os.open(path / "coming", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    (path / "coming").rename(path / IN_USE)  # so that it is never seen without its lock
    return Workplace(path, lock)


def remove_abandoned(prefix: str) -> list[Path]:
    """Remove our own folders with this prefix whose owner is dead; which they were."""
    gone: list[Path] = []
    for path in sorted(Path(tempfile.gettempdir()).glob(f"{prefix}*")):
        with contextlib.suppress(OSError):
            if _our_folder(path) and _abandoned(path / IN_USE):
                shutil.rmtree(path, ignore_errors=True)
                gone.append(path)
    return gone


def _our_folder(path: Path) -> bool:
    return not path.is_symlink() and path.is_dir() and path.stat().st_uid == os.geteuid()


def _abandoned(file: Path) -> bool:
    """Whether nobody holds the lock of this file. Raises OSError where there is no such file."""
    lock = os.open(file, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(lock)
    return True
