"""Pages and their words: templates of `pages/`, words of `words/LANG.toml`, nothing else.

`say("page.title")` is the word at that place of the file, its `{slots}` filled. Must never let a missing word
pass as a word: it is an error of ours.
"""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hw_sim.bench.game_words import game_words

HERE = Path(__file__).parent
LANGUAGES = {"en": "English", "zh-CN": "中文"}
THEMES = ("light", "dark")


@cache
def words(lang: str) -> dict[str, str]:
    """Every word by its dotted place. KeyError for a language we do not have."""
    if lang not in LANGUAGES:
        raise KeyError(lang)
    with (HERE / "words" / f"{lang}.toml").open("rb") as file:
        return {**game_words(lang), **dict(_flat("", tomllib.load(file)))}


def _flat(before: str, value: dict[str, object]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, inner in value.items():
        if isinstance(inner, dict):
            found += _flat(f"{before}{key}.", inner)
        else:
            found.append((before + key, str(inner)))
    return found


@cache
def words_json(lang: str) -> str:
    """The same for the pages' own scripts."""
    return json.dumps(words(lang), ensure_ascii=False)


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(HERE / "pages"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )


def page(name: str, *, lang: str, theme: str, face: str = "") -> str:
    """The HTML of `pages/NAME.html`."""

    def say(key: str, **slots: str) -> str:
        return words(lang)[key].format(**slots)

    return (
        _templates()
        .get_template(f"{name}.html")
        .render(lang=lang, theme=theme, face=face, languages=LANGUAGES, say=say)
    )
