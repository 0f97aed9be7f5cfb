"""Bad input on the command line: one sentence on standard error, exit code 2."""

from __future__ import annotations

from typing import NoReturn

import typer
from rich.console import Console as Terminal

from table_controller.plain.shortened import shortened


def refuse(sentence: str) -> NoReturn:
    """Say what is wrong and what to do, and end."""
    Terminal(emoji=False, stderr=True, highlight=False, soft_wrap=True).print(
        shortened(sentence), markup=False
    )
    raise typer.Exit(2)
