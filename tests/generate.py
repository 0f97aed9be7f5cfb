"""Write the generated pages of docs/ anew, or say which are stale.

    python -m tests.generate --write     writes them into docs/generated
    python -m tests.generate             exits 1 and names the stale ones

Each writer is a module of the product run as `python -m MODULE --write DIRECTORY`.
"""

from __future__ import annotations

import filecmp
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GENERATED = ROOT / "docs" / "generated"
WRITERS: tuple[str, ...] = (
    "table_controller.regulations.pages",
    "table_controller.asyncapi",
    "table_controller.wiring_pages",
    "table_controller.screen.diagram",
    "table_controller.config.pages",
    "hw_sim.scenario.coverage",
)


def write(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    for module in WRITERS:
        subprocess.run([sys.executable, "-m", module, "--write", str(directory)], cwd=ROOT, check=True)


def files(directory: Path) -> set[Path]:
    return {path.relative_to(directory) for path in directory.rglob("*") if path.is_file()}


def stale() -> list[str]:
    """Names under docs/generated that differ from what is written now, are missing or have no writer."""
    with tempfile.TemporaryDirectory() as fresh_name:
        fresh = Path(fresh_name)
        write(fresh)
        names = files(fresh) | files(GENERATED)
        return sorted(
            str(name)
            for name in names
            if not (fresh / name).exists()
            or not (GENERATED / name).exists()
            or not filecmp.cmp(fresh / name, GENERATED / name, shallow=False)
        )


def main() -> int:
    if "--write" in sys.argv[1:]:
        write(GENERATED)
        return 0
    found = stale()
    for name in found:
        print(f"docs/generated/{name} is stale: run `make docs`")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
