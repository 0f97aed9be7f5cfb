r"""Standard output and error that take every character, whatever the terminal's encoding lacks.

A character the encoding has no place for is written as `\u2660`, which also is that character in JSON: what
`--json` prints stays JSON and means the same. Must never need anything but the standard library: it comes
before all else.
"""

from __future__ import annotations

import codecs
import io
import sys

HANDLER = "screen-table-escape"


def take_every_character() -> None:
    """For the process's own streams; the first thing that a program's `main` does."""
    codecs.register_error(HANDLER, escaped)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)


def escaped(problem: UnicodeError) -> tuple[str, int]:
    """An error handler for encoding: beyond the first 65,536 characters there are two escapes, as in JSON."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    lacking = problem.object[problem.start : problem.end].encode("utf-16-be", "surrogatepass")
    pairs = zip(lacking[::2], lacking[1::2], strict=True)
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in pairs), problem.end
