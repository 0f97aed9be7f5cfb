"""PBN text to its parts: tags, rows of sections, blank lines, and what is none of these.

Must never let one mistake swallow the file: a comment that is never closed and a tag that is broken cost at
most their own line, and are said to be odd.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"([^"\n]*)"\s*\]')
_ESCAPED_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"((?:[^"\\\n]|\\.)*)"\s*\]')
_QUOTED_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"([^\n]*)"\s*\](?=\s*(?:\n|$))')
_BARE_TAG = re.compile(r'\[[ \t]*([A-Za-z][A-Za-z0-9_]*)[ \t]+"?([^"\]\n]*)"?[ \t]*\]?(?=[ \t]*(?:\n|$))')
_TAG_LINE = re.compile(r'^\s*\[\s*[A-Za-z0-9_]+\s*"', re.MULTILINE)
_BLANK_LINE = re.compile(r"[ \t\f\v\xa0]*\n")
_NAMES = {
    name.lower(): name
    for name in (
        *("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal"),
        *("Scoring", "Declarer", "Contract", "Result", "Auction", "Play", "Note", "Room", "Stage", "Score"),
    )
}


@dataclass(frozen=True, slots=True)
class Tag:
    name: str
    value: str
    remark: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    text: str


@dataclass(frozen=True, slots=True)
class Blank:
    pass


@dataclass(frozen=True, slots=True)
class Odd:
    remark: str
    ends_section: bool = False


Item = Tag | Row | Blank | Odd


def scan(text: str) -> Iterator[Item]:
    """The parts of a file's text in order. `text` has `\\n` at the ends of lines."""
    at, end = 0, len(text)
    while at < end:
        line_start = at == 0 or text[at - 1] == "\n"
        blank = _BLANK_LINE.match(text, at) if line_start else None
        if blank is not None:
            yield Blank()
            at = blank.end()
        elif text[at].isspace():
            at += 1
        elif text[at] == ";" or (text[at] == "%" and line_start):
            at = _line_end(text, at)
        elif text[at] == "{":
            at, odd = _past_comment(text, at)
            if odd is not None:
                yield odd
        elif text[at] == "[":
            at, item = _tag(text, at)
            yield item
        else:
            stop = min(_stops(text, at))
            yield Row(text[at:stop].strip())
            at = max(stop, at + 1)


def _stops(text: str, at: int) -> Iterator[int]:
    """Where a row ends before its line does: at a comment, or at a tag on the same line."""
    line_end = _line_end(text, at)
    yield line_end
    for sign in ("{", ";"):
        found = text.find(sign, at, line_end)
        if found != -1:
            yield found
    found_tag = _TAG.search(text, at, line_end)
    if found_tag is not None:
        yield found_tag.start()


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found == -1 else found


def _past_comment(text: str, at: int) -> tuple[int, Odd | None]:
    """Where a comment ends. One never closed ends with its line, or it would swallow the games behind it."""
    close = text.find("}", at)
    inside = text[at + 1 : close] if close != -1 else ""
    tag_inside = _TAG_LINE.search(inside)
    if close == -1 or (tag_inside is not None and "{" in inside):
        return _line_end(text, at), Odd("a comment is not closed; it was taken to end with its line")
    if tag_inside is not None:
        tags = len(_TAG_LINE.findall(inside))
        return close + 1, Odd(f"a comment holds what looks like {tags} tags; they were not read")
    return close + 1, None


def _tag(text: str, at: int) -> tuple[int, Item]:
    for pattern in (_ESCAPED_TAG, _TAG, _QUOTED_TAG):
        found = pattern.match(text, at)
        if found is not None:
            # A single backslash is one that was not escaped, as in a path.
            value = re.sub(r"\\([\\\"])", r"\1", found.group(2))
            return found.end(), Tag(_name(found.group(1)), value)
    found = _BARE_TAG.match(text, at)
    if found is not None:
        name = _name(found.group(1))
        return found.end(), Tag(
            name, found.group(2).strip(), f"the {name} tag is not written as a tag should be"
        )
    end = _line_end(text, at)
    return end, Odd(f"a tag cannot be read: {text[at:end].strip()[:60]!r}", True)


def _name(text: str) -> str:
    return _NAMES.get(text.lower(), text)
