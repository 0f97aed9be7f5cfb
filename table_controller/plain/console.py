"""The one console that everything is printed through: text stays as it is.

Rich reads `[broker]` as a style and `:W:` as an emoji, and would swallow what a person, a file or an
authority wrote. What is to be styled is a `Text`. Must never be given markup.
"""

from __future__ import annotations

from rich.console import Console


def plain_console(*, stderr: bool = False) -> Console:
    """A console without markup and emoji codes, in print, tables and questions alike."""
    return Console(stderr=stderr, markup=False, emoji=False)
