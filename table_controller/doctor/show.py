"""Every input live on a terminal, as one works it: a tray that moves when the tray does.

Pure drawing: what was seen in, lines out. Must never start anything.
"""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from table_controller.doctor.findings import Finding, Verdict
from table_controller.doctor.wires import Seen
from table_controller.plain.folded import folded

_MARKS = {
    Verdict.FINE: ("+", "green"),
    Verdict.ADVICE: ("!", "yellow"),
    Verdict.WRONG: ("x", "bold red"),
    Verdict.UNKNOWN: ("?", "dim"),
}
COLUMNS = 3


def picture(seen: Seen) -> str:
    """The table from above in four lines: faces, screen with its window, tray."""
    ne, sw = seen.levels.get("tray.ne", False), seen.levels.get("tray.sw", False)
    closed, opened = seen.levels.get("window.closed", False), seen.levels.get("window.open", False)
    gap = {(True, False): "######", (False, True): "      ", (True, True): "??????"}.get(
        (closed, opened), "##  ##"
    )
    tray = "[=====]"
    at_ne, between, at_sw = (tray if ne else ""), (tray if not ne and not sw else ""), (tray if sw else "")
    return "\n".join(
        (
            f"  N E face   {at_ne:^9}",
            f"  ######## {between or gap:^9} ########   screen and window",
            f"  S W face   {at_sw:^9}",
        )
    )


def live(seen: Seen, seconds_left: float) -> RenderableType:
    """Picture, levels and texts now."""
    grid = Table.grid(padding=(0, 2))
    names = sorted(seen.levels)
    rows = -(-len(names) // COLUMNS)
    for row in range(rows):
        cells: list[Text] = []
        for name in names[row::rows]:
            mark = "o" if seen.levels[name] else "."
            style = "bold green" if seen.levels[name] else "dim"
            if name in seen.suspects:
                mark, style = "?", "bold red"
            text = Text(f"{mark} {name} {seen.changes.get(name, 0)}", style=style)
            cells.append(Text.assemble(text, " <" if name == seen.last else ""))
        grid.add_row(*cells)
    texts = "   ".join(f"{name}={text}" for name, text in sorted(seen.tokens.items()) if text)
    foot = Text(f"work every switch; {seconds_left:.0f} s left, Ctrl-C ends it", style="dim")
    return Group(Text(picture(seen)), Text(""), grid, Text(texts), foot)


def findings_table(findings: list[Finding]) -> Table:
    """The findings as a page: mark, subject, how it is, what to do."""
    table = Table("", "what", "how it is", "what to do", box=None, pad_edge=False)
    for finding in findings:
        mark, style = _MARKS[finding.verdict]
        table.add_row(Text(mark, style=style), finding.subject, finding.says, finding.todo)
    return folded(table)
