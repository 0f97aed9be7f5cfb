"""The phase machine drawn: Mermaid made from the machine itself, one diagram a variant of its table.

There are no conditions or callbacks on the rows, so what is drawn is all there is; the caption says what is
not a row. Must never be drawn by hand: a test says when the pages in the docs are stale.

    python -m table_controller.screen.diagram --write docs/generated
"""

from __future__ import annotations

import argparse
from pathlib import Path

from table_controller.regulations.load import SHIPPED, load
from table_controller.regulations.model import Regulations
from table_controller.regulations.strategies import OpensOn
from table_controller.screen.phase import PARENTS, SEPARATOR, PhaseMachine, machine_for
from table_controller.screen.phases import Phase

CAPTION = (
    "A director's correction sets the phase to a leaf that fits the facts, or is refused; corrections are no "
    "rows and are not drawn. An arrow from a box leaves each state in it."
)


def mermaid(regulations: Regulations) -> str:
    """The machine these regulations choose, as the text of a Mermaid state diagram."""
    return draw(machine_for(regulations.window.opens_on.value))


def draw(machine: PhaseMachine) -> str:
    lines = ["stateDiagram-v2", f"    [*] --> {_id(Phase.SETUP)}"]
    for parent, children in PARENTS.items():
        lines.append(f"    state {parent} {{")
        lines += [f'        state "{child}" as {_id(f"{parent}{SEPARATOR}{child}")}' for child in children]
        lines.append("    }")
    order = [row.trigger.value for row in machine.rows]
    edges = sorted(machine.edges(), key=lambda edge: order.index(edge[1]))
    lines += [f"    {_id(source)} --> {_id(dest)}: {trigger}" for source, trigger, dest in edges]
    return "\n".join((*lines, ""))


def _id(state: str) -> str:
    """Mermaid wants plain identifiers."""
    return state.replace(SEPARATOR, "_")


def pages() -> dict[str, str]:
    """The pages of the docs by file name: one a variant, naming the profiles that have it."""
    found: dict[str, str] = {}
    for opens_on in OpensOn:
        profiles = [name for name in SHIPPED if load(name).window.opens_on.value is opens_on]
        title = opens_on.value.replace("_", " ")
        body = draw(machine_for(opens_on))
        found[f"diagram-{opens_on.value.replace('_', '-')}.md"] = (
            f"# The phases of a board, where the window opens on: {title}\n\n"
            f"Profiles: {', '.join(profiles) or 'none of those shipped'}.\n\n"
            f"```mermaid\n{body}```\n\n{CAPTION}\n"
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the phase diagrams of the docs.")
    parser.add_argument("--write", type=Path, required=True, metavar="DIR", help="e.g. docs/generated")
    folder: Path = parser.parse_args().write
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
