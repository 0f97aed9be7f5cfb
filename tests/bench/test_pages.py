"""The bench's pages: their words in both languages, their look, and a strict policy they can live under."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from hw_sim.bench import rendering
from hw_sim.bench.game_words import game_words
from hw_sim.misdeeds.hardware import HARDWARE_MISDEEDS
from hw_sim.misdeeds.plan import MISDEEDS
from table_controller.screen import effects, events

BENCH = Path(rendering.__file__).parent
CONSOLE = BENCH.parents[1] / "director_console"
SCRIPTS = sorted((BENCH / "static").glob("*.js"))
PAGES = sorted((BENCH / "pages").glob("*.html"))
LANGUAGES = ("en", "zh-CN")


def slots(text: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_both_languages_have_the_same_words_with_the_same_slots() -> None:
    english, chinese = (rendering.words(lang) for lang in LANGUAGES)
    own = [key for key in english if not key.startswith(("kind.", "fault."))]
    assert set(english) == set(chinese)
    assert [key for key in own if slots(english[key]) != slots(chinese[key])] == []


def test_no_chinese_word_was_left_in_english() -> None:
    english, chinese = (rendering.words(lang) for lang in LANGUAGES)
    plain = {key: re.sub(r"\{\w+\}", "", text) for key, text in english.items()}
    same = {key for key in english if english[key] == chinese[key] and re.search("[a-z]{4}", plain[key])}
    assert same == set()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_word_that_a_script_says_is_there(script: Path) -> None:
    words = rendering.words("en")
    text = script.read_text(encoding="utf-8")
    said = re.findall(r'\bsay\("([^"]+)"', text)
    groups = re.findall(r"\bsay(?:Or)?\(`([a-z_]+)\.\$\{", text)
    assert [key for key in said if key not in words] == []
    assert [group for group in groups if not any(key.startswith(f"{group}.") for key in words)] == []


def test_no_word_is_kept_that_nobody_says() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in [*SCRIPTS, *PAGES])
    own = {key for key in rendering.words("en") if key not in game_words("en")}
    groups = {f"{begin}." for begin in re.findall(r"`([a-z_]+)\.\$\{", text)}
    begins = set(re.findall(r"`([a-z_]+\.[a-z_]+_)\$\{", text)) | groups | {"phase_short.", "half.seats_"}
    unsaid = [
        key
        for key in own
        if not re.search(f"['\"]{re.escape(key)}['\"]", text) and not key.startswith(tuple(begins))
    ]
    assert sorted(unsaid) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_misdeed_and_every_option_has_a_name(lang: str) -> None:
    words = rendering.words(lang)
    names = [*MISDEEDS, *HARDWARE_MISDEEDS]
    options = {key for misdeed in HARDWARE_MISDEEDS.values() for key in misdeed.options}
    assert [name for name in names if f"misdeed_name.{name}" not in words] == []
    assert [key for key in options if f"option.{key}" not in words] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_and_effect_has_a_name(lang: str) -> None:
    words = rendering.words(lang)
    assert [one.__name__ for one in events.Event.__args__ if f"event.{one.__name__}" not in words] == []
    assert [one.__name__ for one in effects.Effect.__args__ if f"effect.{one.__name__}" not in words] == []


def test_the_bench_has_the_consoles_palette_and_type() -> None:
    ours, theirs = (
        re.findall(r"--[\w-]+:\s*[^;]+;", (folder / "static" / "tokens.css").read_text(encoding="utf-8"))
        for folder in (BENCH, CONSOLE)
    )
    assert ours == theirs


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_has_nothing_inline_and_nothing_from_elsewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*src=)", text) == []
    assert re.findall(r"(?:https?:)?//", text) == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_makes_no_markup_of_text(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert (
        re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
        == []
    )
    assert len(text.splitlines()) <= 400


def test_the_half_page_asks_for_nothing_but_its_own_face() -> None:
    """Its scripts open one socket and one address, both with the face's own name in them."""
    text = (BENCH / "static" / "half.js").read_text(encoding="utf-8")
    assert re.findall(r"`(/[^`]+)`", text) == ["/half/${face}/deed", "/half/${face}/ws"]
    assert "/api/" not in text
