"""What the READMEs tell a developer to type works as typed, one line after the other, in an empty folder."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READMES = ("README.md", "README.zh-CN.md")
OURS = ("hw-sim", "table-controller", "director-console")
FOR_DEVELOPERS = re.compile(r"^## (?:For developers|给开发者)$.*?```sh\n(.*?)```", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[str]:
    """The lines as typed, without what is said about them."""
    return [typed for line in text.splitlines() if (typed := line.partition("#")[0].strip())]


def test_both_readmes_tell_the_same_commands() -> None:
    english, chinese = (
        [
            command
            for block in BLOCK.findall((ROOT / name).read_text(encoding="utf-8"))
            for command in commands(block)
        ]
        for name in READMES
    )
    assert english == chinese


@pytest.mark.long
@pytest.mark.parametrize("readme", READMES)
def test_what_a_developer_is_told_to_type_works(readme: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "hw_sim/recordings", tmp_path / "hw_sim/recordings")
    shutil.copytree(ROOT / "tests/scenarios/cases", tmp_path / "tests/scenarios/cases")
    block = FOR_DEVELOPERS.search((ROOT / readme).read_text(encoding="utf-8"))
    assert block is not None
    typed = [command for command in commands(block[1]) if command.startswith(OURS)]
    assert len(typed) >= 5
    path = f"PATH={Path(sys.executable).parent}:$PATH"
    for command in typed:
        done = subprocess.run(
            ["bash", "-c", f"{path} {command} < /dev/null"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
