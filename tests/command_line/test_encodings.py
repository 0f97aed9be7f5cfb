"""On a terminal whose encoding lacks a character, every program says its say, and JSON stays JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from table_controller.plain.streams import escaped
from tests.command_line.programs import ROOT

ASCII = {"PYTHONIOENCODING": "ascii"}
LATIN = {"PYTHONIOENCODING": "latin-1"}
PLAIN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
COMMANDS = [
    pytest.param("table_controller regulations", ASCII, 0, id="a sheet in ASCII"),
    pytest.param("table_controller config", PLAIN_C, 0, id="keys in the C locale"),
    pytest.param("table_controller regulations --lang zh-CN", LATIN, 0, id="Chinese in Latin-1"),
    pytest.param("director_console run --help", ASCII, 0, id="the console's help"),
    pytest.param("director_console cases --lang 中 --data .", LATIN, 2, id="the console's refusal"),
    pytest.param("hw_sim records 中.pbn", ASCII, 2, id="the simulator's refusal"),
    pytest.param("hw_sim scenario --words", LATIN, 0, id="the simulator's words"),
]


def _run(words: str, cwd: Path, more: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [sys.executable, "-m", *words.split()],
        capture_output=True,
        check=False,
        timeout=60,
        cwd=cwd,
        env={**kept, "PYTHONPATH": str(ROOT), **more},
    )


@pytest.mark.parametrize(("words", "environment", "code"), COMMANDS)
def test_a_poor_encoding_breaks_nothing(
    words: str, environment: dict[str, str], code: int, tmp_path: Path
) -> None:
    done = _run(words, tmp_path, environment)
    assert b"Traceback" not in done.stderr
    assert done.returncode == code, done.stderr


def test_json_stays_json_and_means_the_same(tmp_path: Path) -> None:
    words = "table_controller regulations --lang zh-CN --json"
    rich, poor = (_run(words, tmp_path, {"PYTHONIOENCODING": name}).stdout for name in ("utf-8", "latin-1"))
    assert json.loads(poor.decode("latin-1")) == json.loads(rich.decode())
    assert "中".encode() in rich


@pytest.mark.parametrize("text", ["é", "中♠", "😀", "\udcff", "a\U0001f0a1b"])
def test_an_escape_is_the_character_in_json(text: str) -> None:
    written, end = escaped(UnicodeEncodeError("ascii", text, 0, len(text), "lacking"))
    assert end == len(text)
    assert json.loads(f'"{written}"') == text
    assert written.isascii()
