"""What is said of bad input, at a length that can be read: a value may be a megabyte, a sentence may not.

A word longer than any name or path is cut in its middle, and so is a whole that is longer than a page; what
was found stays at the beginning, what to do at the end. Must never touch what is short enough.
"""

from __future__ import annotations

import re

LONGEST_WORD = 400
LONGEST = 4000
CUT = "..."
_LONG = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")


def shortened(sentence: str) -> str:
    """For the error stream, and nothing else: a file, a log and JSON have it whole."""
    words = _LONG.sub(lambda found: _cut(found[0], LONGEST_WORD), sentence)
    return _cut(words, LONGEST)


def _cut(text: str, longest: int) -> str:
    """Three quarters of it from the beginning, the rest from the end."""
    if len(text) <= longest:
        return text
    first = longest * 3 // 4
    return f"{text[:first]}{CUT}{text[first + len(CUT) - longest :]}"
