"""How scenarios are written, as one page made from the tables of phrases: it cannot be stale.

Must never list a phrase that the parser does not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from hw_sim.scenario import expect_phrases as e
from hw_sim.scenario.parse import HEADER
from hw_sim.scenario.phrases import ALL
from hw_sim.scenario.terms import Phrase

T = TypeVar("T")
_HEAD = """# How scenarios are written

A `.scn` file opens with `# ` and one sentence that says what it shows. Then a header, then lines. A line is
who acts (a seat, a face, `director`, or nobody), what is done, and behind `->` what that deed must bring. A
line that begins with `expect` says how things must stand. `#` begins a comment; `;` parts expectations, `,`
an entry's attributes. An irregularity that no line speaks of fails the scenario.

Times are the file's. The full runner divides waits of a second or more by 60, and provisions in seconds too.

"""


def reference() -> str:
    """The page, in Markdown."""
    parts = [_HEAD, "## Header\n\n", _table(HEADER)]
    for who, phrases in ALL:
        parts += [f"\n## What {who} can do\n\n", _table(_rows(phrases))]
    parts += ["\n## What can be expected\n\n", _table(_rows(e.STATES))]
    parts += [
        "\n### Of entries\n\n",
        _table((*((example, means) for _, example, means in e.OF_ENTRIES), *_rows(e.ATTRIBUTES))),
    ]
    parts += ["\n### Of visits\n\n", _table((example, means) for _, example, means in e.OF_VISITS)]
    records = (*((example, means) for _, example, means in e.OF_RECORDS), *_rows(e.RECORDS))
    parts += ["\n### Of a board's record\n\n", _table(records)]
    return "".join(parts)


def _rows(phrases: Sequence[Phrase[T]]) -> list[tuple[str, str]]:
    return [(phrase.example, phrase.means) for phrase in phrases]


def _table(rows: Iterable[tuple[str, str]]) -> str:
    lines = ["| write | it means |", "|---|---|", *(f"| `{write}` | {means} |" for write, means in rows)]
    return "\n".join(lines) + "\n"
