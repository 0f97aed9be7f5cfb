"""After an evening: no key, password, code, hand or name where it does not belong.

Everything that was written is read again: logs, journals, what the broker keeps, what the console exports,
and what is retained for those who come later.
"""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
import zipfile
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from director_console.cli import app
from director_console.store.book import open_reader
from table_controller.enrolment.cli import broker_section, complete
from table_controller.messages.mac import load_keys
from table_controller.messages.topics import Place, console_filters
from tests.access.rig import Identity, Person, Venue, journalled, wait_for
from tests.table_controller.live_table import ROOT, LiveTable, games

pytestmark = pytest.mark.mosquitto
DEMO = Place(venue="demo", event="evening")
TOKENS = {"N": "tok-north-77", "E": "tok-east-77", "S": "tok-south-77", "W": "tok-west-77"}
PASSWORD = "a pass phrase of her own"
CARD = re.compile(r"(?<![A-Za-z0-9])[SHDC](?:[2-9TJQKA]|10)(?![A-Za-z0-9])")


@dataclass
class Evening:
    """What an evening left behind."""

    folder: Path
    secrets: dict[str, str] = field(default_factory=dict)
    retained: dict[str, list[tuple[str, bytes]]] = field(default_factory=dict)
    pages: str = ""

    def logs(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.folder.rglob("*.log")}

    def journals(self) -> dict[str, bytes]:
        found = [*self.folder.rglob("journal.sqlite*"), *self.folder.rglob("console.db*")]
        return {path.name: path.read_bytes() for path in found}

    def exports(self) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for path in self.folder.glob("*.zip"):
            with zipfile.ZipFile(path) as archive:
                found |= {f"{path.name}/{name}": archive.read(name) for name in archive.namelist()}
        return {**found, "journal": (self.folder / "journal.jsonl").read_bytes()}

    def broker(self) -> dict[str, bytes]:
        return {"mosquitto.db": (self.folder / "venue" / "broker" / "mosquitto.db").read_bytes()}


def pem_body(path: Path) -> str:
    return "".join(path.read_text().splitlines()[1:-1])[:60]


def play_an_evening(folder: Path) -> Evening:
    evening = Evening(folder)
    venue = Venue(folder / "venue", ("t1", "t2"), place=DEMO)
    identity = venue.enrol("t1")
    other = venue.enrol("t2")
    venue.start()
    data, log = folder / "console", (folder / "console.log").open("w")
    added = CliRunner().invoke(
        app,
        ["user", "add", "zenobia", "--role", "chief", "--password-stdin", "--data", str(data)],
        input=f"{PASSWORD}\n",
    )
    assert added.exit_code == 0
    words = ["run", "--access", str(venue.root), "--port", "0", "--data", str(data), "--json"]
    words += ["--one-time-login", "--login-as", "zenobia"]
    console = subprocess.Popen(
        [sys.executable, "-m", "director_console", *words],
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        cwd=ROOT,
    )
    assert console.stdout is not None
    base = json.loads(console.stdout.readline())["console"]
    code = json.loads(console.stdout.readline())["login"].partition("code=")[2]
    try:
        with LiveTable(folder / "table") as table:
            enrol_here(venue, identity, table)
            evening.secrets |= secrets_of(venue, identity, other, code)
            browser = httpx.Client(base_url=base, verify=False, trust_env=False, timeout=20)
            wait_for(lambda: answers(browser), 30)
            table.run()
            wait_for(lambda: "t1" in browser_login(browser, evening), 40)
            give_session(browser)
            wait_for(lambda: any(has_tokens(body) for _, body in journalled(table.journal)), 30)
            table.play(games(cards=8)[0])
            table.settle()
            reader = open_reader(data)
            wait_for(lambda: received(reader) == len(journalled(table.journal)), 30)
            reader.close()
            evening.pages = "".join(browser.get(page).text for page in ("/", "/queue", "/system", "/session"))
            evening.secrets["cookie"] = next(iter(browser.cookies.jar)).value or ""
            look_at_what_is_retained(venue, other, evening)
            assert table.stop() == 0
            exported = subprocess.run(
                [sys.executable, "-m", "table_controller", "journal", "export", str(table.journal)],
                cwd=ROOT, capture_output=True, text=True, check=True, timeout=60,
            )  # fmt: skip
            (folder / "journal.jsonl").write_text(exported.stdout)
    finally:
        console.terminate()
        console.wait(15)
        log.close()
        venue.stop()
    for name, more in (("without", []), ("with", ["--hands"])):
        out = ["export", "--table", "t1", "--out", str(folder / f"{name}.zip"), "--reason", "test", *more]
        keys = ["--data", str(data), "--keys", str(venue.layout.keys)]
        assert CliRunner().invoke(app, [*out, *keys]).exit_code == 0
    return evening


def enrol_here(venue: Venue, identity: Identity, table: LiveTable) -> None:
    granted = venue.granted["t1"]
    keys = {"venue": granted.venue_key, "tables": {"t1": granted.table_key}}
    (identity.folder / "mac.json").touch(0o600)
    (identity.folder / "mac.json").write_text(json.dumps(keys))
    config = table.site.config
    assert complete(config, broker_section(granted, identity.folder, config), None)


def secrets_of(venue: Venue, identity: Identity, other: Identity, code: str) -> dict[str, str]:
    keys = load_keys(venue.layout.keys)
    found = {f"MAC key of {name}": key.hex() for name, key in keys.tables.items()}
    found |= {f"private key {path.name}": pem_body(path) for path in venue.root.rglob("*.key")}
    found |= {f"private key of {one.name}": pem_body(one.key) for one in (identity, other)}
    found |= {f"code of {name}": text.partition("/")[2] for name, text in venue.codes.items()}
    return {**found, "venue key": keys.venue.hex(), "password": PASSWORD, "login code": code}


def answers(browser: httpx.Client) -> bool:
    try:
        return browser.get("/healthz").status_code == 200
    except httpx.HTTPError:
        return False


def browser_login(browser: httpx.Client, evening: Evening) -> str:
    if not list(browser.cookies.jar):
        browser.get("/login", params={"code": evening.secrets["login code"]})
    return browser.get("/system").text


def give_session(browser: httpx.Client) -> None:
    page = browser.get("/session").text
    form = re.search(r'<form[^>]*action="/session".*?</form>', page, re.S)
    assert form
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[0]))
    contest = re.search(r'<select[^>]*name="contest".*?<option[^>]*value="([^"]+)"', form[0], re.S)
    assert contest
    fields = {"session": "evening-1", "contest": contest[1], "minutes": "8", "boards": "1-4", "tables": "t1",
              "lineup": f"t1: {' '.join(TOKENS.values())}", "regulations": "ccba-2006"}  # fmt: skip
    answer = browser.post("/session", data={**hidden, **fields})
    assert answer.status_code in (200, 303), answer.text[:2000]


def has_tokens(body: object) -> bool:
    return TOKENS["N"] in json.dumps(body)


def received(reader: sqlite3.Connection) -> int:
    return int(reader.execute("SELECT count(*) FROM reports").fetchone()[0])


def _has_come(person: Person) -> bool:
    return bool(person.got) or person.client_id != "late"


def look_at_what_is_retained(venue: Venue, other: Identity, evening: Evening) -> None:
    """What one gets who comes after the deal: another console, a public screen, another table."""
    for identity, filters in (
        (venue.own("console", "console"), console_filters(DEMO)),
        (venue.own("wall", "wall"), ("#",)),
        (other, ("#",)),
    ):
        if identity.name == "console":
            from director_console.broker_admin import deeds
            from director_console.broker_admin.register import Role
            from director_console.broker_admin.reload import reload_broker
            from tests.access.rig import now

            deeds.add_own(venue.root, Role.CONSOLE, "late", now())
            reload_broker(venue.layout)
            identity = venue.own("console", "late")
        person = Person(identity, venue.port, identity.name, filters=filters).begin()
        assert person.up, person.refused
        wait_for(partial(_has_come, person), 5)
        evening.retained[identity.name] = person.got
        person.end()


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return play_an_evening(tmp_path_factory.mktemp("evening"))


def places(evening: Evening) -> dict[str, bytes]:
    retained = {
        f"retained for {who}: {topic}": payload
        for who, got in evening.retained.items()
        for topic, payload in got
    }
    return {**evening.logs(), **evening.journals(), **evening.exports(), **evening.broker(), **retained,
            "pages": evening.pages.encode()}  # fmt: skip


def test_there_is_something_to_look_at(evening: Evening) -> None:
    found = places(evening)
    assert {"console.log", "controller.log", "mosquitto.log", "journal.sqlite", "console.db"} <= set(found)
    assert all(found[name] for name in ("mosquitto.log", "journal.sqlite", "console.db", "mosquitto.db"))
    assert len(evening.secrets) >= 15
    assert CARD.search(evening.exports()["journal"].decode()), "cards were played and journalled"


def test_no_key_password_code_or_cookie_was_written_or_sent_anywhere(evening: Evening) -> None:
    for place, content in places(evening).items():
        for what, secret in evening.secrets.items():
            assert secret.encode() not in content, f"{what} stands in {place}"
            assert secret.replace("-", "").encode() not in content, f"{what} stands in {place}"
            if re.fullmatch(r"[0-9a-f]{64}", secret):
                assert bytes.fromhex(secret) not in content, f"{what} stands in {place} as bytes"


def test_no_card_stands_in_what_is_retained_in_a_log_or_in_an_export_without_hands(evening: Evening) -> None:
    retained = [payload for got in evening.retained.values() for _, payload in got]
    assert any(b'"phase"' in payload for payload in retained)
    without = {name: text for name, text in evening.exports().items() if name.startswith("without.zip")}
    with_hands = [text for name, text in evening.exports().items() if name.startswith("with.zip")]
    assert any(b"CardPlayed" in text for text in with_hands)
    places_without = [*retained, *evening.logs().values(), *without.values(), evening.pages.encode()]
    for text in places_without:
        assert b"CardPlayed" not in text
    for payload in retained:
        assert not CARD.search(payload.decode().replace('"auction"', "")), payload


def test_tokens_of_players_stand_with_the_table_and_the_director_and_nowhere_else(evening: Evening) -> None:
    for token in TOKENS.values():
        for got in evening.retained.values():
            assert not [topic for topic, payload in got if token.encode() in payload]
        for name, log in evening.logs().items():
            assert token.encode() not in log, name
        assert token.encode() in evening.exports()["journal"]


def test_a_table_and_a_public_screen_that_come_later_find_nothing_of_another_table(evening: Evening) -> None:
    assert evening.retained["late"]
    assert not [topic for topic, _ in evening.retained["t2"] if "/t/t1/" in topic]
    assert not [topic for topic, _ in evening.retained["wall"] if "/public/" not in topic]


def test_nothing_retained_tells_tempo_or_who_moved_what(evening: Evening) -> None:
    words = (b"thinking", b"transit", b"tempo", b"mover", b"visit", b"hold_ns", b"CallMade")
    for topic, payload in evening.retained["late"]:
        for word in words:
            assert word not in payload, (topic, word)


def test_the_repository_holds_no_key_and_no_password() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout: what is tracked is not known")
    names = [name for name in listed.stdout.decode().split("\0") if name]
    pem = re.compile("-----BEGIN [A-Z ]*PRIVATE " + "KEY-----")
    argon = re.compile(r"\$argon2id\$v=\d+\$m=")
    code = re.compile(r"(?:[0-9A-HJKMNP-TV-Z]{7}-){7}[0-9A-HJKMNP-TV-Z]{7}")
    for name in names:
        try:
            text = (ROOT / name).read_text(encoding="utf-8")
        except (UnicodeDecodeError, OSError):
            continue
        assert not pem.search(text), name
        assert not argon.search(text), name
        assert not code.search(text), name
