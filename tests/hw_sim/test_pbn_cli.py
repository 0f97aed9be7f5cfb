"""What a table journalled goes out as PBN, and comes back as it was."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hw_sim.commands import app
from hw_sim.records import RecordedGame, pbn_cli, read_records
from hw_sim.records.pbn_cli import game_of

BOARD = {
    "number": 7,
    "dealer": "S",
    "vulnerability": "Both",
    "calls": [["S", "1C"], ["W", "P"], ["N", "1C"], ["E", "P"], ["S", "P"], ["W", "P"]],
    "play": [["W", "S2"], ["N", "S3"], ["E", "S4"], ["S", "SA"]],
    "tricks": None,
}
UNKNOWN = {**BOARD, "number": None, "dealer": None}


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that the export command, stood in for, has two boards to tell of."""
    lines = [
        {"body": {"what": "view", "value": {}}},
        *({"body": {"what": "board", "value": v}} for v in (BOARD, UNKNOWN)),
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)

    def run(command: list[str], **_options: object) -> subprocess.CompletedProcess[str]:
        assert command[-4:-2] == ["journal", "export"], command
        return subprocess.CompletedProcess(command, 0, stdout=text, stderr="")

    monkeypatch.setattr(subprocess, "run", run)
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"x")
    return path


def test_a_board_comes_back_as_it_was_journalled_irregular_calls_included(
    journal: Path, tmp_path: Path
) -> None:
    out = tmp_path / "evening.pbn"
    done = CliRunner().invoke(app, ["pbn", str(journal), "--out", str(out)])
    assert done.exit_code == 1, "one board's dealer was never known, and that is said"
    assert "board 2 of the journal" in done.stderr
    (back,) = read_records([out])
    assert isinstance(back, RecordedGame)
    wanted = game_of(BOARD, "journal.sqlite", 1)
    assert wanted is not None
    assert (back.board, back.dealer, back.vulnerability) == (7, wanted.dealer, wanted.vulnerability)
    assert back.calls == wanted.calls
    assert set(back.play) == set(wanted.play)


@pytest.mark.parametrize("missing", ["journal", "out"])
def test_bad_input_is_one_sentence_and_exit_code_2(journal: Path, tmp_path: Path, missing: str) -> None:
    arguments = (
        [str(tmp_path / "none.sqlite")] if missing == "journal" else [str(journal), "-o", str(journal)]
    )
    done = CliRunner().invoke(app, ["pbn", *arguments])
    assert done.exit_code == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert journal.read_bytes() == b"x"


def test_an_unknown_dealer_is_never_guessed() -> None:
    assert pbn_cli.game_of(UNKNOWN, "j", 1) is None
