"""Writes the page on every key of a table's file: `python -m table_controller.config.pages --write DIR`.

Made from the models, so that it cannot say anything else. Must never be edited by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

from table_controller.config.checks import OUTPUT_NAMES
from table_controller.config.help import keys
from table_controller.config.model import TableConfig
from table_controller.sensing.signals import LEVELS, NEEDS, TOKENS

PAGE = "configuration.md"
INTRODUCTION = """# A table's configuration

One TOML file a table. It is the truth about the wires: the device boots unconfigured and is told all of it.
Three complete tables lie in `configs/tables`. Unknown keys are refused; `table-controller check FILE` says
what a table can see. Paths are relative to the file. Written by the code; do not edit.
"""


def page() -> str:
    """The whole page, as Markdown."""
    parts = [INTRODUCTION]
    section: str | None = None
    for place, key, kind, default, meaning in keys(TableConfig.model_json_schema()):
        if place != section:
            section = place
            head = ["| key | value | default | meaning |", "|---|---|---|---|"]
            parts += ["", f"## {place or 'The file itself'}", "", *head]
        parts.append(f"| `{key}` | {kind.replace('|', 'or')} | {default} | {meaning} |")
    parts += [
        "",
        "## Senses and their signals",
        "",
        "| sense | needs | one of | rests on |",
        "|---|---|---|---|",
    ]
    for sense, needs in NEEDS.items():
        cells = [_list(needs.signals), _list(needs.some), _list(needs.senses)]
        parts.append(f"| `{sense}` | {' | '.join(cells)} |")
    parts += [
        "",
        "## Names",
        "",
        f"Inputs: {_list(tuple(LEVELS))}.",
        "",
        f"Tokens: {_list(tuple(TOKENS))}.",
        "",
    ]
    parts += [f"Outputs: {_list(OUTPUT_NAMES)}.", ""]
    return "\n".join(parts)


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def main() -> int:
    match sys.argv[1:]:
        case ["--write", directory]:
            (Path(directory) / PAGE).write_text(page(), encoding="utf-8")
            return 0
        case _:
            print("usage: python -m table_controller.config.pages --write DIRECTORY", file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main())
