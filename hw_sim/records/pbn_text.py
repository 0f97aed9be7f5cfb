"""PBN text cut into games, each with its tags and sections, and with `#` and `##` carried over.

Knows the format and nothing of bridge. Must never lose a game: a broken tag, a repeated one and a blank line
in the wrong place cost at most the game they stand in, and are remarked on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hw_sim.records.pbn_scan import Blank, Item, Odd, Row, Tag, scan

SECTIONS = frozenset({"Auction", "Play"})
# Which of a game's tags tell one game from the next, where no blank line does.
_IDENTITY = frozenset({"Event", "Board", "Deal", "Auction"})


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


def games_of(text: str) -> Iterator[TaggedGame]:
    """The games of a file, in order. `text` has `\\n` at the ends of lines."""
    previous: dict[str, str] = {}
    previous_sections: dict[str, Section] = {}
    sticky: set[str] = set()
    for items in _split(list(scan(text))):
        game = _gathered(items)
        _inherit(game, previous, previous_sections, sticky)
        previous, previous_sections = game.tags, game.sections
        yield game


def _split(items: list[Item]) -> Iterator[list[Item]]:
    """Items cut into games: at a blank line before tags that begin anew, and at a repeated tag."""
    game: list[Item] = []
    seen: set[str] = set()
    names: set[str] = set()  # without broken tags, which are too little to tell games by
    first: str | None = None
    after_blank = False
    for index, item in enumerate(items):
        match item:
            case Blank():
                after_blank = True
                continue
            case Tag(name=name) if name != "Note":
                if after_blank:
                    begins = _begins_after_blank(items, index, seen)
                else:
                    begins = item.remark is None and _begins_anew(items, index, names, first)
                if seen and begins:
                    yield game
                    game, seen, names, first = [], set(), set(), None
                elif after_blank and seen:
                    game.append(Odd("a blank line inside the game"))
                seen.add(name)
                if item.remark is None:
                    names.add(name)
                    first = first or name
            case _:
                pass
        after_blank = after_blank and not isinstance(item, Tag)
        game.append(item)
    if seen:
        yield game


def _begins_anew(items: list[Item], index: int, names: set[str], first: str | None) -> bool:
    """Whether the tag at `index` begins a game; the one before it has `names`, and `first` was its first."""
    name = _named(items[index])
    if name not in names:
        return False
    if name in (first, "Event"):
        return names != {name}
    return _is_repeated_for_another_game(items, index, names, first)


def _begins_after_blank(items: list[Item], index: int, seen: set[str]) -> bool:
    """Whether the tag after a blank line begins a game: not if it brings what the game still lacks."""
    if not seen & _IDENTITY:
        return True
    brought: set[str] = set()
    again = False
    for item in items[index:]:
        name = _named(item)
        again = name in seen
        if again or isinstance(item, Blank):
            break
        if name is not None:
            brought.add(name)
    if "Event" in brought or ("Board" in brought and seen & {"Deal", "Auction"}):
        return True
    return again and not brought & {"Deal", "Auction", "Play"}


def _is_repeated_for_another_game(items: list[Item], index: int, names: set[str], first: str | None) -> bool:
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
        if isinstance(item, Blank) or (begun and _named(item) in SECTIONS):
            break
    return True


def _named(item: Item) -> str | None:
    return item.name if isinstance(item, Tag) else None


def _names_ahead(items: list[Item], index: int) -> set[str]:
    """The tags from `index` on, up to a blank line or to where one of them comes again."""
    names: set[str] = set()
    for item in items[index:]:
        if isinstance(item, Blank):
            break
        if isinstance(item, Tag) and item.name != "Note":
            if item.name in names:
                break
            names.add(item.name)
    return names


def _gathered(items: list[Item]) -> TaggedGame:
    game = TaggedGame()
    section: Section | None = None
    current = ""
    for item in items:
        match item:
            case Tag(name="Note", value=value):
                number, _, text = value.partition(":")
                noted = section or game.sections.get("Auction")
                if noted is not None:
                    noted.notes.setdefault(number.strip(), text.strip())
            case Tag(name=name, value=value, remark=remark):
                current = name
                section = Section(value=value) if name in SECTIONS else None
                if remark is not None:
                    game.remarks.append(remark)
                _add(game, name, value, section)
            case Row(text=text):
                if section is not None:
                    section.rows.append(text)
                elif not current:
                    game.remarks.append(f"text that belongs to no tag was not read: {text[:40]!r}")
            case Odd(remark=remark, ends_section=ends):
                section = None if ends else section
                if remark not in game.remarks:
                    game.remarks.append(remark)
            case Blank():
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
