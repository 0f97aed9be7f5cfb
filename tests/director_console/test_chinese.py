"""Every page in Chinese: no sentence of it is English, whatever a page, a form or a refusal says."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator
from html.parser import HTMLParser

import httpx
import pytest

from table_controller.messages import ulid
from tests.director_console.browser.conftest import fill
from tests.director_console.playing import Playing
from tests.director_console.web_rig import WebRig

NAMES = [str(number) for number in range(1, 13)]
LATIN = re.compile(r"[A-Za-z]{3,}")
SENTENCE = re.compile(r"[A-Za-z]{3,} [A-Za-z]{2,}")
CHINESE = re.compile(r"[一-鿿]")
NO_WORDS = re.compile(r"anna|ben|olga|English|GiB|IMP|VP|MP|director-console [a-z-]+|[\w.-]+@[\w.-]+")
"""Names of people, of the other language, units and commands: the same in any language."""
READ = ("title", "aria-label", "placeholder", "alt")
PAGES = {
    "wall": "/",
    "wall, small": "/?size=s",
    "wall, large": "/?size=l",
    "queue": "/queue",
    "my queue": "/queue?mine=1",
    "table with a case": "/tables/2",
    "table with a fault": "/tables/8",
    "case": "/cases/2/{2}/1",
    "hold": "/cases/4/{4}/1",
    "summons": "/cases/6/{6}/1",
    "session": "/session",
    "time": "/tables/2/time",
    "evidence": "/evidence",
    "evidence of a case": "/evidence?table=2&entry={2}/1",
    "shift": "/shift",
    "system": "/system",
    "people": "/people",
    "account": "/account",
    "no such page": "/nowhere",
    "no such table": "/tables/nowhere",
}


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in ("script", "style")
        words = tag == "template"
        self.found += [
            value for name, value in attrs if value and (name in READ or (words and name.startswith("data-")))
        ]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.found.append(data.strip())


def texts(html: str) -> list[str]:
    reader = _Texts()
    reader.feed(html)
    return reader.found


def english(said: list[str]) -> list[str]:
    """Those that say something in English: a word alone, or two side by side in a Chinese sentence."""
    found = []
    for text in said:
        rest = NO_WORDS.sub("", text)
        if SENTENCE.search(rest) or (LATIN.search(rest) and not CHINESE.search(rest)):
            found.append(text)
    return found


class Chinese:
    """A hall with something of every kind, seen by somebody who reads Chinese."""

    def __init__(self, rig: WebRig, tables: dict[str, Playing]) -> None:
        self.rig, self.tables = rig, tables
        self.client = rig.client
        self.rig.post("/account", "/manner", {"lang": "zh-CN", "next": "/"}, self.client)

    def path(self, pattern: str) -> str:
        for name, table in self.tables.items():
            pattern = pattern.replace(f"{{{name}}}", table.wired.epoch)
        return pattern

    def send(self, path: str, fields: dict[str, str]) -> httpx.Response:
        tokens = self.rig.tokens(self.client, "/account", "/manner")
        key = ulid(time.time_ns(), secrets.token_bytes(10))
        data = {**fields, "csrf": tokens["csrf"], "key": key}
        return self.client.post(path, data=data, headers={"accept": "application/json"})


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chinese]:
    rig = WebRig(tmp_path_factory.mktemp("chinese"), tuple(NAMES))
    yield Chinese(rig, fill(rig, NAMES))
    rig.close()


@pytest.mark.parametrize("page", PAGES)
def test_no_sentence_of_a_chinese_page_is_english(chinese: Chinese, page: str) -> None:
    answer = chinese.client.get(chinese.path(PAGES[page]), headers={"accept": "text/html"})
    assert answer.status_code == (404 if page.startswith("no such") else 200)
    said = texts(answer.text)
    assert sum(bool(CHINESE.search(text)) for text in said) > 5
    assert english(said) == []


def test_the_login_page_speaks_the_language_that_is_asked_for(chinese: Chinese) -> None:
    answer = chinese.rig.stranger().get("/login", headers={"accept-language": "zh-CN"})
    assert english(texts(answer.text)) == []


def test_every_form_refuses_in_the_viewers_language(chinese: Chinese) -> None:
    """Each form of the service's own description is sent what it cannot take."""
    described = chinese.client.get("/api/openapi.json").json()
    values = {
        "table": "2",
        "epoch": chinese.tables["2"].wired.epoch,
        "entry": "1",
        "fault": "1",
        "notice": "1",
    }
    refused = 0
    for path, operations in described["paths"].items():
        if "post" not in operations or path in ("/logout", "/login", "/logins/end"):
            continue
        real = re.sub(r"\{(\w+)\}", lambda found: values[found[1]], path)
        content = next(iter(operations["post"]["requestBody"]["content"].values()))
        for bad in ("", "!", "x" * 200):
            fields = {name: bad for name in content["schema"]["properties"] if name not in ("csrf", "key")}
            answer = chinese.send(real, fields)
            if answer.status_code < 400:
                continue
            told = answer.json()
            refused += 1
            said = [told.get("message", ""), *told.get("errors", {}).values()]
            assert any(said), real
            one_of = re.compile(r"：[a-z_, ]+。")  # the values a program may send, by their names
            assert english([one_of.sub("", text) for text in said]) == [], real
    assert refused > 20
