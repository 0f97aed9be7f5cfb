"""What the repository must and must not hold."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout: what is tracked is not known")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name]


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, OSError):
        return ""


def test_the_top_level_is_the_agreed_one() -> None:
    names = {path.relative_to(ROOT).parts[0] for path in tracked()}
    agreed = {
        "pyproject.toml", "firmware_bridge", "table_controller", "hw_sim", "director_console", "configs",
        "tests", "docs", "README.md", "README.zh-CN.md", "Makefile", "constraints.txt", "LICENSE", ".ci",
        ".gitignore",
    }  # fmt: skip
    assert names <= agreed, names - agreed


def test_dependencies_are_pinned_by_name_and_version_only() -> None:
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"(#.*)?|[A-Za-z0-9_.-]+==[A-Za-z0-9_.+!-]+", line), line


def test_every_declared_dependency_is_pinned() -> None:
    import tomllib

    def normal(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = [
        *project["dependencies"],
        *(d for group in project["optional-dependencies"].values() for d in group),
    ]
    pinned = {
        normal(line.split("==")[0]) for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    }
    for requirement in declared:
        name = re.match(r"[A-Za-z0-9_.-]+", requirement)
        assert name is not None
        assert normal(name.group()) in pinned, requirement


def test_no_private_key_is_in_the_repository() -> None:
    marker = "-----BEGIN " + "PRIVATE KEY"
    for path in tracked():
        assert marker not in text_of(path), path


def test_no_python_file_has_grown_into_two_rooms() -> None:
    grown = [(path.relative_to(ROOT), n) for path in tracked() if path.suffix == ".py"
             and (n := text_of(path).count("\n")) > 400]  # fmt: skip
    assert grown == []
