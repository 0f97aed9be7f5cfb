"""The dictionary: sections of keys, each with its text in every language.

Read once from the TOML files beside this module and checked whole: a text missing in one language is our
Error and refuses to load. Must never fall back from one language to another.
"""

from __future__ import annotations

import string
import tomllib
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files

FILES = ("kinds.toml", "table.toml", "courses.toml", "provisions.toml", "clock.toml", "refusals.toml")


class Lang(StrEnum):
    EN = "en"
    ZH = "zh-CN"


class WordsError(ValueError):
    """A file of words that is not whole. One sentence naming file and key."""


def languages() -> tuple[Lang, ...]:
    return tuple(Lang)


def sections() -> tuple[str, ...]:
    """The names of all sections, such as `clause`, `phase`, `provision`."""
    return tuple(_all())


def entries(section: str) -> tuple[str, ...]:
    """The keys of one section. KeyError if there is no such section."""
    return tuple(_all()[section])


def has(section: str, key: str) -> bool:
    return key in _all().get(section, {})


def word(section: str, key: str, lang: Lang, **slots: object) -> str:
    """The text of a key, with its slots filled in. KeyError if there is none, since keys are ours."""
    texts = _all().get(section, {}).get(key)
    if texts is None:
        raise KeyError(f"there is no word for {key!r} in [{section}]; add it to table_controller/words")
    return texts[lang].format(**slots) if slots else texts[lang]


def label(section: str, key: str, lang: Lang) -> str:
    """The text of a key, or the key itself with spaces: for names that a newer table may send."""
    return word(section, key, lang) if has(section, key) else key.replace("_", " ").lower()


@lru_cache(maxsize=1)
def _all() -> dict[str, dict[str, dict[Lang, str]]]:
    found: dict[str, dict[str, dict[Lang, str]]] = {}
    for name in FILES:
        text = (files("table_controller.words") / name).read_text(encoding="utf-8")
        for section, keys in tomllib.loads(text).items():
            if section in found:
                raise WordsError(f"{name}: [{section}] stands in another file already; merge the two")
            found[section] = {key: _texts(name, section, key, value) for key, value in keys.items()}
    return found


def _texts(file: str, section: str, key: str, value: object) -> dict[Lang, str]:
    """Both languages, with the same slots, unless a slot has no place in one of them."""
    if (
        not isinstance(value, dict)
        or set(value) != set(Lang)
        or not all(isinstance(t, str) for t in value.values())
    ):
        raise WordsError(f"{file}: {section}.{key}: expected text for {' and '.join(Lang)}")
    return {lang: value[lang] for lang in Lang}


def slots_of(text: str) -> frozenset[str]:
    """The names of the slots in a text."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name)
