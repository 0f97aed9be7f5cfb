"""Tables on a narrow terminal: what does not fit goes on in the next line, and nothing is cut.

By itself rich cuts a cell's longest word and puts dots there, so that every journal is `journal.s...`. Must
never change what a cell says.
"""

from __future__ import annotations

from rich.table import Table


def folded(table: Table) -> Table:
    """The same table, once all its columns are there."""
    for column in table.columns:
        column.overflow = "fold"
    return table
