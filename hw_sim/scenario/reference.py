"""How scenarios are written, as one page made from the tables of phrases: it cannot be stale.

Must never list a phrase that the parser does not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    return _HEAD + "\n".join(f"{heading}\n\n{_table(rows)}" for heading, rows in _sections())


def reference_value() -> list[dict[str, object]]:
    """The same for a program: each section's phrases."""
    return [
        {
            "section": heading.lstrip("# "),
            "phrases": [{"write": write, "means": means} for write, means in rows],
        }
        for heading, rows in _sections()
    ]


def _sections() -> Iterator[tuple[str, Sequence[tuple[str, str]]]]:
    """Every heading with what may be written under it."""
    yield "## Header", HEADER
    for who, phrases in ALL:
        yield f"## What {who} can do", _rows(phrases)
    yield "## What can be expected", _rows(e.STATES)
    entries = [(example, means) for _, example, means in e.OF_ENTRIES]
    yield "### Of entries", [*entries, *_rows(e.ATTRIBUTES)]
    yield "### Of visits", [(example, means) for _, example, means in e.OF_VISITS]
    records = [(example, means) for _, example, means in e.OF_RECORDS]
    yield "### Of a board's record", [*records, *_rows(e.RECORDS)]


def _rows(phrases: Sequence[Phrase[T]]) -> list[tuple[str, str]]:
    return [(phrase.example, phrase.means) for phrase in phrases]


def _table(rows: Iterable[tuple[str, str]]) -> str:
    lines = ["| write | it means |", "|---|---|", *(f"| `{write}` | {means} |" for write, means in rows)]
    return "\n".join(lines) + "\n"
