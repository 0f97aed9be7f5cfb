"""TOML that a person wrote: read whole, or refused with a reason that can stand in one sentence.

A byte-order mark, as some editors leave it, is no part of the text. Must never let a file end the program in
anything but `NotToml`.
"""

from __future__ import annotations

import tomllib

DEEPEST = 32
"""Tables and arrays in one another; no file of ours goes beyond six."""


class NotToml(ValueError):
    """Why the text is no TOML that can be used; a clause, without the file's name."""


def read_toml(text: str) -> dict[str, object]:
    """The tables of a TOML text. Raises NotToml."""
    try:
        found: dict[str, object] = tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise NotToml(_TOO_DEEP) from None
    except ValueError as problem:  # also what the language itself refuses, as a number of 5000 digits
        raise NotToml(str(problem)) from None
    if _deeper_than(found, DEEPEST):
        raise NotToml(_TOO_DEEP)
    return found


_TOO_DEEP = f"it is nested more than {DEEPEST} deep"


def _deeper_than(found: object, limit: int) -> bool:
    """Level by level: a recursion here would be what is guarded against."""
    level = [found]
    for _ in range(limit + 1):
        inner: list[object] = []
        for value in level:
            if isinstance(value, dict):
                inner.extend(value.values())
            elif isinstance(value, list):
                inner.extend(value)
        if not inner:
            return False
        level = inner
    return True
