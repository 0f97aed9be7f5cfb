"""Reads a `.scn` file.

    # A sentence: what the scenario shows.
    regulations  ccba-2006
    table        full
    without      mover
    board        3

    SW   places the board     -> window ordered closed
         window closed
    S    1C
         tray to NE           -> report TRAY_CROSSED_EARLY W
    expect phase auction.ne

A line is WHO, a deed, and behind `->` what is expected of it; or `expect` and how things stand. `#` begins a
comment. Must never play anything; what it does not understand it names with file and line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from hw_sim.refusals import Why
from hw_sim.scenario.deeds import Deed
from hw_sim.scenario.errors import NotUnderstood, ScenarioError
from hw_sim.scenario.expect_phrases import read_expectations
from hw_sim.scenario.model import DEFAULT_REGULATIONS, Line, Scenario
from hw_sim.scenario.phrases import read_deed
from hw_sim.scenario.terms import Phrase, read_phrase, time_of
from hw_sim.table.tags import BoardTag
from hw_sim.table.wiring import TableKind, wiring
from table_controller.laws.seat import ScreenSide
from table_controller.plain.given_paths import PathUnusable, is_file

ARROW = "->"
_WHO = re.compile(r"(N|E|S|W|NE|SW|director)\s+(.+)")
_TOGETHER = re.compile(r"[NESW]\s+\S+\s+and\s")
_OUTPUTS = ("window.motor", "window.latch", "window.lamp", "hold")

BOARD_PHRASES: tuple[Phrase[BoardTag], ...] = (
    Phrase[BoardTag](
        form="{number}[ dealer {dealer:seat}][ vulnerable {vulnerability}]",
        example="3",
        means="what is printed on the board",
        make=lambda **slots: BoardTag(**slots),
    ),
    Phrase[BoardTag](
        form="dealer {dealer:seat}[ vulnerable {vulnerability}]",
        example="dealer W",
        means="no number",
        make=lambda **slots: BoardTag(**slots),
    ),
)


@dataclass(slots=True)
class _Head:
    """What the header has said so far, with the line of each key."""

    said: dict[str, int] = field(default_factory=dict)
    regulations: str = DEFAULT_REGULATIONS
    regulations_line: int | None = None
    supplements: tuple[Path, ...] = ()
    kind: TableKind = TableKind.FULL
    without: frozenset[str] = frozenset()
    more: frozenset[str] = frozenset()
    board: BoardTag | None = None
    tray_on: ScreenSide | None = None
    window_takes: int | None = None
    not_in_full: str | None = None


HEADER = (
    ("regulations ID", "the profile it is played under; ccba-2006 if nothing is said"),
    ("supplement FILE", "an event's supplement on top of it; the path is taken from the scenario's folder"),
    ("table KIND", "full (if nothing is said), guard, watch or header: what the table can sense and move"),
    ("without SENSES", "senses that a table of this kind has and this one lacks, parted by commas"),
    ("with SENSES", "senses it has beyond those of its kind"),
    ("board NUMBER dealer SEAT vulnerable WHOM", "what is printed on the board; only the number is needed"),
    ("tray on SIDE", "where the tray is at the beginning; the dealer's face if nothing is said"),
    ("window takes TIME", "the motor's whole way; a second if nothing is said"),
    ("not in full: REASON", "why it cannot be played through simulated hardware"),
)


def read_scenario(path: Path) -> Scenario:
    """Raises ScenarioError with one sentence."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        why = problem.strerror or problem
        raise ScenarioError(
            path, None, f"cannot be read: {why}; give an existing file", Why.FILE_UNREADABLE
        ) from None
    except UnicodeDecodeError:
        raise ScenarioError(path, None, "not UTF-8 text; save it as UTF-8", Why.FILE_NOT_UTF8) from None
    return parse_scenario(text, path)


def parse_scenario(text: str, path: Path) -> Scenario:
    """The same from a text; `path` is where relative paths start, and what errors name."""
    text = text.removeprefix("\ufeff")  # some editors leave a byte-order mark
    shows = _sentence(text, path)
    head, lines = _Head(), list[Line]()
    for number, raw in enumerate(text.splitlines(), start=1):
        line = _bare(raw)
        if not line:
            continue
        try:
            if not lines and _header(head, line, number, path):
                continue
            lines.append(_line(line, number))
        except NotUnderstood as problem:
            said = problem.said
            raise ScenarioError(path, number, said.text, said.why, **said.params) from None
    if head.board is None:
        raise ScenarioError(
            path, None, "no board; write a line such as `board 3` before the first deed", Why.NO_BOARD
        )
    if not lines:
        raise ScenarioError(path, None, "nothing happens; write deeds below the header", Why.NOTHING_HAPPENS)
    values = {name: getattr(head, name) for name in _Head.__slots__ if name != "said"}
    return Scenario(path=path, shows=shows, lines=tuple(lines), **values)


def _sentence(text: str, path: Path) -> str:
    words: list[str] = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        words.append(line.lstrip("#").strip())
    shows = " ".join(words).strip()
    if not shows.endswith((".", "?", "!")):
        raise ScenarioError(
            path,
            1,
            "begin with `# ` and one sentence that says what the scenario shows",
            Why.SENTENCE_MISSING,
        )
    return shows


def _bare(raw: str) -> str:
    """Without a comment and with single blanks; a `#` between quotation marks, or of `#1`, is no comment."""
    kept = re.match(r'(?:[^#"]|"[^"]*"|#(?=\d))*', raw)
    return " ".join((kept[0] if kept else "").split())


def _line(line: str, number: int) -> Line:
    if line == "expect" or line.startswith("expect "):
        return Line(number=number, text=line, expected=read_expectations(line[6:], after_deed=False))
    deed_text, arrow, expected_text = line.partition(ARROW)
    expected = read_expectations(expected_text, after_deed=True) if arrow else ()
    return Line(number=number, text=line, deed=deed_of(deed_text.strip()), expected=expected)


def deed_of(text: str) -> Deed:
    """The deed of a line without its expectations. Raises NotUnderstood."""
    if not text:
        raise NotUnderstood(
            "nothing is done here; write a deed before `->`, or begin with `expect`", Why.NOTHING_DONE
        )
    who = None if _TOGETHER.match(text) else _WHO.fullmatch(text)
    return read_deed(None, text) if who is None else read_deed(who[1], who[2])


def _header(head: _Head, line: str, number: int, path: Path) -> bool:
    """Whether the line was one of the header."""
    key, _, value = line.partition(" ")
    if line.startswith("not in full"):
        key, value = "not in full", line.removeprefix("not in full").strip(": ")
    elif line.startswith(("tray on ", "window takes ")):
        key, _, value = line.rpartition(" ") if line.startswith("tray") else ("window takes", "", line[13:])
    if key not in _SET:
        return False
    if key in head.said and key != "supplement":
        raise NotUnderstood(
            f"`{key}` was said in line {head.said[key]} already; say it once",
            Why.SAID_TWICE,
            name=key,
            first=head.said[key],
        )
    head.said[key] = number
    if key == "regulations":
        head.regulations_line = number
    _SET[key](head, value.strip(), path)
    return True


def _set_regulations(head: _Head, value: str, path: Path) -> None:
    if not value:
        raise NotUnderstood("which regulations? write their id, such as ccba-2006", Why.REGULATIONS_MISSING)
    head.regulations = value


def _set_supplement(head: _Head, value: str, path: Path) -> None:
    file = (path.parent / value).resolve()
    try:
        there = is_file(file)
    except PathUnusable as problem:
        raise NotUnderstood(str(problem), Why.NO_SUCH_FILE, name=value) from None
    if not there:
        raise NotUnderstood(
            f"there is no file {value!r} seen from {path.parent}; give the path of a TOML file",
            Why.NO_SUCH_FILE,
            name=value,
        )
    head.supplements = (*head.supplements, file)


def _set_table(head: _Head, value: str, path: Path) -> None:
    try:
        head.kind = TableKind(value)
    except ValueError:
        raise NotUnderstood(
            f"{value!r} is no kind of table; write {', '.join(TableKind)}",
            Why.NO_SUCH,
            thing="table",
            name=value,
            known=list(TableKind),
        ) from None


def _set_without(head: _Head, value: str, path: Path) -> None:
    head.without = _senses(value)


def _set_with(head: _Head, value: str, path: Path) -> None:
    head.more = _senses(value)


def _senses(value: str) -> frozenset[str]:
    known = {*wiring(TableKind.FULL).senses, *_OUTPUTS}
    named = frozenset(part.strip() for part in value.split(",") if part.strip())
    if strange := sorted(named - known):
        raise NotUnderstood(
            f"{strange[0]!r} is no sense; the senses are {', '.join(sorted(known))}",
            Why.NO_SUCH,
            thing="sense",
            name=strange[0],
            known=sorted(known),
        )
    if not named:
        raise NotUnderstood("which senses? write their names, parted by commas", Why.SENSES_MISSING)
    return named


def _set_board(head: _Head, value: str, path: Path) -> None:
    head.board = read_phrase(value, BOARD_PHRASES, "board")


def _set_tray(head: _Head, value: str, path: Path) -> None:
    if value not in (side.value for side in ScreenSide):
        raise NotUnderstood(
            f"{value!r} is no face; write `tray on NE` or `tray on SW`",
            Why.NO_SUCH,
            thing="face",
            name=value,
            known=list(ScreenSide),
        )
    head.tray_on = ScreenSide(value)


def _set_window(head: _Head, value: str, path: Path) -> None:
    try:
        head.window_takes = time_of(value)
    except (ValueError, KeyError):
        head.window_takes = 0
    if head.window_takes <= 0:  # a motor with no way to go would be sent on it for ever
        raise NotUnderstood(
            f"{value!r} is no time above 0; write `window takes 60 s`", Why.WINDOW_TIME_WRONG, text=value
        )


def _set_not_in_full(head: _Head, value: str, path: Path) -> None:
    if not value:
        raise NotUnderstood("say why it cannot be played in full: `not in full: REASON`", Why.REASON_MISSING)
    head.not_in_full = value


_SET = {
    "regulations": _set_regulations,
    "supplement": _set_supplement,
    "table": _set_table,
    "without": _set_without,
    "with": _set_with,
    "board": _set_board,
    "tray on": _set_tray,
    "window takes": _set_window,
    "not in full": _set_not_in_full,
}
