"""The console's own words, in both languages. What concerns the game comes from `table_controller.words`.

One TOML a language, keys grouped by page. A missing key is our Error and raises; a test keeps both files
level.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

LANGUAGES: dict[str, str] = {"en": "English", "zh-CN": "中文"}
DEFAULT = "en"


@cache
def words_of(lang: str) -> Mapping[str, str]:
    """Every key of the language, dotted."""
    text = files("director_console.web").joinpath("words", f"{lang}.toml").read_text(encoding="utf-8")
    return {
        f"{group}.{key}": value
        for group, section in tomllib.loads(text).items()
        for key, value in section.items()
    }


def say(lang: str, key: str, **values: object) -> str:
    """The text of this key. Raises KeyError naming it where there is none."""
    text = words_of(lang)[key]
    return text.format(**values) if values else text


def known(lang: str, key: str) -> bool:
    return key in words_of(lang)


def best_language(accept: str, otherwise: str = DEFAULT) -> str:
    """The first language of an Accept-Language header that we speak; `otherwise` if there is none."""
    for part in accept.split(","):
        code = part.split(";")[0].strip().lower()
        if code.startswith("zh"):
            return "zh-CN"
        if code.startswith("en"):
            return "en"
    return otherwise
