"""`python -m table_controller.wiring_pages --write DIRECTORY`: what `make docs` calls."""

from __future__ import annotations

import argparse
from pathlib import Path

from table_controller.config.load import load_config, rig_spec
from table_controller.wiring_pages.drawing import draw
from table_controller.wiring_pages.page import header_of, page

TABLES = Path(__file__).resolve().parents[2] / "configs" / "tables"


def write(directory: Path, tables: Path = TABLES) -> None:
    """A page and a drawing of every table in `tables`, into `directory`, which must exist."""
    for path in sorted(tables.glob("*.toml")):
        config = load_config(path)
        title = f"{path.stem}: {header_of(config).name}"
        (directory / f"wiring-{path.stem}.md").write_text(page(path.stem, config), encoding="utf-8")
        svg = draw(title, header_of(config), rig_spec(config))
        (directory / f"wiring-{path.stem}.svg").write_text(svg, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the wiring pages of the ready-made tables.")
    parser.add_argument("--write", type=Path, required=True, metavar="DIRECTORY")
    write(parser.parse_args().write)


if __name__ == "__main__":
    main()
