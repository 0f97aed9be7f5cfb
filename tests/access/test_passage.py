"""The console's user may pass through a venue's directory and not list it; that must be enough to run."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from director_console.cli import app

NOBODY = 65534


@pytest.fixture
def passage() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp())
    made.chmod(0o711)
    yield made
    shutil.rmtree(made)


def _run_as_nobody(given: str) -> None:
    """The directory is empty, so that it gets no further than looking for what should be in it."""
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    with pytest.raises(PermissionError):
        os.listdir(given)
    done = CliRunner().invoke(app, ["run", "--access", given, "--data", f"{given}/console"])
    assert done.exit_code == 2, done.output
    assert "not readable" not in done.output, done.output


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_the_directory_that_init_makes_is_taken_by_a_user_who_may_not_list_it(passage: Path) -> None:
    child = multiprocessing.get_context("fork").Process(target=_run_as_nobody, args=(str(passage),))
    child.start()
    child.join(30)
    assert child.exitcode == 0
