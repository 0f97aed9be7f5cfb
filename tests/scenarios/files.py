"""Where the scenarios lie, for the tests about them."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDERS = ("cases", "kinds", "profiles", "interpretation", "misdeeds")


def scenario_files(*folders: str) -> list[Path]:
    """Every scenario of these folders, of all if none is named, in the order of their names."""
    return [path for folder in folders or FOLDERS for path in sorted((HERE / folder).glob("*.scn"))]


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"
