"""Whole numbers as they come in addresses and hidden fields: digits of ASCII, and not many of them.

Python takes other digits for digits, and a number of any length; a database takes neither. Imported before
any route is made, so that `{entry:int}` in a path means the same.
"""

from __future__ import annotations

import re

from starlette.convertors import Convertor, register_url_convertor

MOST_DIGITS = 15
_WHOLE = re.compile(rf"[0-9]{{1,{MOST_DIGITS}}}\Z")


def whole_number(text: str) -> int | None:
    """The number, None where the text is none, or a longer one than anything is counted to."""
    return int(text) if _WHOLE.match(text) else None


class ShortNumber(Convertor[int]):
    """`int` in a path, without numbers nobody counts to."""

    regex = rf"[0-9]{{1,{MOST_DIGITS}}}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("int", ShortNumber())
