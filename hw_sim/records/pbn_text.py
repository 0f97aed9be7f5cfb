"""PBN as text: tags, section rows and comments, cut into games, with `#` and `##` carried over.

Knows the format and nothing of bridge. Must never lose a game: a comment that is never closed, a tag that
is broken and a blank line in the wrong place cost at most what they stand in, and are remarked on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

SECTIONS = frozenset({"Auction", "Play"})
_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"([^"\n]*)"\s*\]')
_ESCAPED_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"((?:[^"\\\n]|\\.)*)"\s*\]')
_QUOTED_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"([^\n]*)"\s*\](?=\s*(?:\n|$))')
_BARE_TAG = re.compile(r'\[[ \t]*([A-Za-z][A-Za-z0-9_]*)[ \t]+"?([^"\]\n]*)"?[ \t]*\]?(?=[ \t]*(?:\n|$))')
_TAG_LINE = re.compile(r'^\s*\[\s*[A-Za-z0-9_]+\s*"', re.MULTILINE)
_BLANK_LINE = re.compile(r"[ \t\f\v\xa0]*\n")
# Which of a game's tags tell one game from the next, where no blank line does.
_IDENTITY = frozenset({"Event", "Board", "Deal", "Auction"})
_NAMES = {
    name.lower(): name
    for name in (
        *("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal"),
        *("Scoring", "Declarer", "Contract", "Result", "Auction", "Play", "Note", "Room", "Stage", "Score"),
    )
}


@dataclass(slots=True, kw_only=True)
class Section:
    """A tag with rows under it: its value, its rows of tokens' text, and the notes that follow it."""

    value: str
    rows: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class TaggedGame:
    """One game's tags (inheritance resolved), its sections, and what was odd about the text."""

    tags: dict[str, str] = field(default_factory=dict)
    sections: dict[str, Section] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Tag:
    name: str
    value: str
    remark: str | None = None


@dataclass(frozen=True, slots=True)
class _Row:
    text: str


@dataclass(frozen=True, slots=True)
class _Blank:
    pass


@dataclass(frozen=True, slots=True)
class _Odd:
    remark: str
    ends_section: bool = False


_Item = _Tag | _Row | _Blank | _Odd


def games_of(text: str) -> Iterator[TaggedGame]:
    """The games of a file, in order. `text` has `\\n` at the ends of lines."""
    previous: dict[str, str] = {}
    previous_sections: dict[str, Section] = {}
    sticky: set[str] = set()
    for items in _split(list(_scan(text))):
        game = _gathered(items)
        _inherit(game, previous, previous_sections, sticky)
        previous, previous_sections = game.tags, game.sections
        yield game


def _scan(text: str) -> Iterator[_Item]:
    at, end = 0, len(text)
    while at < end:
        line_start = at == 0 or text[at - 1] == "\n"
        blank = _BLANK_LINE.match(text, at) if line_start else None
        if blank is not None:
            yield _Blank()
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
            yield _Row(text[at:stop].strip())
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


def _past_comment(text: str, at: int) -> tuple[int, _Odd | None]:
    """Where a comment ends. One never closed ends with its line, or it would swallow the games behind it."""
    close = text.find("}", at)
    inside = text[at + 1 : close] if close != -1 else ""
    tag_inside = _TAG_LINE.search(inside)
    if close == -1 or (tag_inside is not None and "{" in inside):
        return _line_end(text, at), _Odd("a comment is not closed; it was taken to end with its line")
    if tag_inside is not None:
        return close + 1, _Odd("a comment holds what looks like tags; it was not read")
    return close + 1, None


def _tag(text: str, at: int) -> tuple[int, _Item]:
    for pattern in (_ESCAPED_TAG, _TAG, _QUOTED_TAG):
        found = pattern.match(text, at)
        if found is not None:
            # A single backslash is one that was not escaped, as in a path.
            value = re.sub(r"\\([\\\"])", r"\1", found.group(2))
            return found.end(), _Tag(_name(found.group(1)), value)
    found = _BARE_TAG.match(text, at)
    if found is not None:
        name = _name(found.group(1))
        return found.end(), _Tag(
            name, found.group(2).strip(), f"the {name} tag is not written as a tag should be"
        )
    end = _line_end(text, at)
    return end, _Odd(f"a tag cannot be read: {text[at:end].strip()[:60]!r}", True)


def _name(text: str) -> str:
    return _NAMES.get(text.lower(), text)


def _split(items: list[_Item]) -> Iterator[list[_Item]]:
    """Items cut into games: at a blank line before tags that begin anew, and at a repeated tag."""
    game: list[_Item] = []
    names: set[str] = set()
    first: str | None = None
    after_blank = False
    for index, item in enumerate(items):
        match item:
            case _Blank():
                after_blank = True
                continue
            case _Tag(name=name) if name != "Note":
                begins = _begins_anew(items, index, names, first, after_blank)
                if names and begins:
                    yield game
                    game, names, first = [], set(), None
                elif after_blank and names:
                    game.append(_Odd("a blank line inside the game"))
                names.add(name)
                first = first or name
            case _:
                pass
        after_blank = after_blank and not isinstance(item, _Tag)
        game.append(item)
    if names:
        yield game


def _begins_anew(
    items: list[_Item], index: int, names: set[str], first: str | None, after_blank: bool
) -> bool:
    """Whether the tag at `index` begins a game; the one before it has `names`, and `first` was its first."""
    tag = items[index]
    assert isinstance(tag, _Tag)
    name = tag.name
    if after_blank:
        ahead = _names_ahead(items, index)
        return bool(names & ahead) or not names & _IDENTITY or bool(ahead & {"Event", "Board"})
    if name not in names:
        return False
    if tag.remark is not None:
        return False  # a broken tag is too little to begin a game with; the next good one will
    if name in (first, "Event"):
        return names != {name}
    return _is_repeated_for_another_game(items, index, names, first)


def _is_repeated_for_another_game(items: list[_Item], index: int, names: set[str], first: str | None) -> bool:
    """Whether a tag that comes again does so because another game has begun, and not by a slip.

    Another game has its identity tags again, and does not have this tag a second time itself.
    """
    name = _named(items[index])
    ahead = _names_ahead(items, index)
    if not names & ahead & _IDENTITY:
        return False
    if first not in ahead:
        return True
    begun = False
    for item in items[index + 1 :]:
        begun = begun or _named(item) == first
        if begun and _named(item) == name:
            return False
        if isinstance(item, _Blank) or (begun and _named(item) in SECTIONS):
            break
    return True


def _named(item: _Item) -> str | None:
    return item.name if isinstance(item, _Tag) else None


def _names_ahead(items: list[_Item], index: int) -> set[str]:
    """The tags from `index` on, up to a blank line or to where one of them comes again."""
    names: set[str] = set()
    for item in items[index:]:
        if isinstance(item, _Blank):
            break
        if isinstance(item, _Tag) and item.name != "Note":
            if item.name in names:
                break
            names.add(item.name)
    return names


def _gathered(items: list[_Item]) -> TaggedGame:
    game = TaggedGame()
    section: Section | None = None
    current = ""
    for item in items:
        match item:
            case _Tag(name="Note", value=value):
                number, _, text = value.partition(":")
                noted = section or game.sections.get("Auction")
                if noted is not None:
                    noted.notes.setdefault(number.strip(), text.strip())
            case _Tag(name=name, value=value, remark=remark):
                current = name
                section = Section(value=value) if name in SECTIONS else None
                if remark is not None:
                    game.remarks.append(remark)
                _add(game, name, value, section)
            case _Row(text=text):
                if section is not None:
                    section.rows.append(text)
                elif not current:
                    game.remarks.append(f"text that belongs to no tag was not read: {text[:40]!r}")
            case _Odd(remark=remark, ends_section=ends):
                section = None if ends else section
                if remark not in game.remarks:
                    game.remarks.append(remark)
            case _Blank():
                pass
    return game


def _add(game: TaggedGame, name: str, value: str, section: Section | None) -> None:
    if name in game.tags:
        if value != game.tags[name] or section is not None:
            game.remarks.append(f"the {name} tag comes twice; the first, {game.tags[name]!r}, was taken")
        return
    game.tags[name] = value
    if section is not None:
        game.sections[name] = section


def _inherit(
    game: TaggedGame, previous: dict[str, str], previous_sections: dict[str, Section], sticky: set[str]
) -> None:
    """`#` takes the previous game's value once; `##` with or without a value goes on to later games."""
    for name, value in list(game.tags.items()):
        if value == "#":
            sticky.discard(name)
        elif value.startswith("##"):
            sticky.add(name)
            game.tags[name] = value[2:]
        if value in ("#", "##"):
            _take_over(game, name, previous, previous_sections)
    for name in sticky - game.tags.keys():
        if name in previous and name not in SECTIONS:
            game.tags[name] = previous[name]


def _take_over(
    game: TaggedGame, name: str, previous: dict[str, str], previous_sections: dict[str, Section]
) -> None:
    if name not in previous:
        del game.tags[name]
        game.sections.pop(name, None)
        game.remarks.append(f"the {name} tag means the previous game's, which has none")
        return
    game.tags[name] = previous[name]
    section, before = game.sections.get(name), previous_sections.get(name)
    if section is not None and before is not None:
        section.value = before.value
        if not section.rows:
            section.rows, section.notes = list(before.rows), dict(before.notes)
            game.remarks.append(f"the {name.lower()} is the previous game's, as the record says")
