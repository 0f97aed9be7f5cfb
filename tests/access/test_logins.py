"""Logging in: many tries at once are many, a stranger keeps nobody out, and what is revoked ends."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from director_console.cli import app
from director_console.data_dir import VARIABLE, default_data
from director_console.store.audit import first_break
from director_console.store.book import audit_rows, open_book, open_reader
from director_console.store.people import Role, begin_login, login_of, make_code
from director_console.web.rate import RateLimit
from tests.director_console.web_rig import PASSWORD, WebRig

SECOND = 1000


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[WebRig]:
    made = WebRig(tmp_path / "console")
    yield made
    made.close()


def test_forty_tries_at_once_are_not_forty_tries(rig: WebRig) -> None:
    def attempt(number: int) -> int:
        with rig.stranger() as client:
            return client.post("/login", data={"name": "ben", "password": f"guess {number}"}).status_code

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(attempt, range(40)))
    assert answers.count(403) <= 6
    assert answers.count(429) >= 34


def test_a_stranger_who_tries_a_directors_name_does_not_keep_him_out() -> None:
    rate = RateLimit()
    now = 0
    rate.came_home("anna", "from:tablet")
    for _ in range(50):
        for key in ("from:elsewhere", "name:anna"):
            rate.failed(key, now)
    assert rate.wait_ms("name:anna", now) > 0
    assert rate.at_home("anna", "from:tablet")
    assert rate.wait_ms("from:tablet", now) == 0
    assert not rate.at_home("anna", "from:elsewhere")
    assert not rate.at_home("ben", "from:tablet")


def test_a_good_login_costs_nothing() -> None:
    rate = RateLimit()
    for _ in range(100):
        assert rate.wait_ms("from:hall", 0) == 0
        rate.failed("from:hall", 0)
        rate.give_back("from:hall", 0)
    for _ in range(5):
        rate.failed("from:hall", 0)
    assert rate.wait_ms("from:hall", 0) > 0
    assert rate.wait_ms("from:hall", 25 * SECOND) == 0


def test_a_user_disabled_on_the_command_line_is_out_at_his_next_click(rig: WebRig) -> None:
    ben = rig.login("ben")
    assert ben.get("/queue").status_code == 200
    data = ["--data", str(rig.directory)]
    assert CliRunner().invoke(app, ["user", "disable", "ben", *data]).exit_code == 0
    assert ben.get("/queue").status_code == 303
    assert CliRunner().invoke(app, ["user", "role", "ben", "observer", *data]).exit_code == 0
    ben = rig.login("ben")
    assert ben.get("/people").status_code == 403


def test_users_are_added_by_the_command_line_with_a_password_no_list_or_file_shows(tmp_path: Path) -> None:
    data = ["--data", str(tmp_path)]
    run = CliRunner().invoke
    add = ["user", "add", "dora", "--role", "chief", "--password-stdin", *data]
    assert run(app, add, input=f"{PASSWORD}\n").exit_code == 0
    again = run(app, add, input=f"{PASSWORD}\n")
    assert (again.exit_code, again.stderr.count("\n")) == (2, 1)
    short = run(app, ["user", "add", "eve", "--password-stdin", *data], input="short\n")
    assert (short.exit_code, "at least" in short.stderr) == (2, True)
    shown = run(app, ["user", "list", "--json", *data]).stdout
    assert json.loads(shown) == {"name": "dora", "role": "chief", "disabled": False}
    raw = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert PASSWORD.encode() not in raw
    assert b"$argon2id$" in raw
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.iterdir())


def test_a_login_ends_by_itself_after_twelve_hours(tmp_path: Path) -> None:
    book = open_book(tmp_path)
    from director_console.store.people import LOGIN_MS, add_user

    with book.deed():
        add_user(book, "anna", Role.CHIEF, PASSWORD, 0, "test")
        token = begin_login(book, "anna", "en", "auto", 1000)
    assert login_of(book.db, token, 1000 + LOGIN_MS - 1) is not None
    assert login_of(book.db, token, 1000 + LOGIN_MS) is None
    assert LOGIN_MS == 12 * 3600 * SECOND
    book.close()


@pytest.mark.parametrize(
    "tamper",
    [
        "UPDATE audit SET by = 'nobody' WHERE n = 3",
        "UPDATE audit SET detail = '{}' WHERE n = 3",
        "UPDATE audit SET at = at + 1 WHERE n = 3",
        "DELETE FROM audit WHERE n = 3",
        "UPDATE audit SET n = n + 1 WHERE n >= 3",
        "UPDATE audit SET hash = 'x' WHERE n = 3",
    ],
)
def test_whoever_alters_the_audit_log_breaks_its_chain_there(rig: WebRig, tamper: str) -> None:
    for name in ("ben", "olga"):
        rig.login(name)
    rig.post("/people", "/people/act", {"name": "ben", "act": "disable"})
    rig.settle()
    reader = open_reader(rig.directory)
    rows = list(audit_rows(reader))
    assert len(rows) >= 6
    assert first_break(rows) is None
    command = ["audit", "--data", str(rig.directory)]
    assert CliRunner().invoke(app, command).exit_code == 0
    db = sqlite3.connect(rig.directory / "console.db", isolation_level=None)
    db.execute("PRAGMA busy_timeout = 5000")
    for statement in (
        (tamper,)
        if "n + 1" not in tamper
        else ("UPDATE audit SET n = -n - 1 WHERE n >= 3", "UPDATE audit SET n = -n WHERE n < 0")
    ):
        db.execute(statement)
    db.close()
    assert first_break(audit_rows(reader)) == 3
    reader.close()
    assert CliRunner().invoke(app, command).exit_code == 1


def test_over_tls_the_cookie_goes_over_tls_only_and_the_browser_keeps_to_it(tmp_path: Path) -> None:
    from director_console.running import Options, Running
    from tests.director_console.generator import PLACE

    running = Running(Options(address=None, place=PLACE, data=tmp_path, keys=None, secure=True))
    code = running.one_time_code("anna", Role.CHIEF)
    running.start()

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=running.app)
        async with httpx.AsyncClient(transport=transport, base_url="https://console") as client:
            return await client.get(f"/login?code={code}")

    try:
        answer = asyncio.run(ask())
    finally:
        running.stop()
    assert "; secure" in answer.headers["set-cookie"].lower()
    assert "max-age" in answer.headers["strict-transport-security"]


def test_who_came_in_by_a_one_time_address_sets_a_password_without_knowing_the_present_one(
    rig: WebRig,
) -> None:
    """It is how somebody who forgot his password, or never had one, gets in again."""
    code = rig.running.desk.do(lambda act: make_code(act.book, "ben", act.now)).result(5)
    ben = rig.stranger()
    assert ben.get(f"/login?code={code}").status_code == 303
    page = ben.get("/account").text
    assert 'name="present"' not in page
    assert 'name="password"' in page
    assert rig.post("/account", "/account", {"password": "another pass phrase"}, ben).status_code == 303
    again = rig.login("ben", "another pass phrase")
    assert 'name="present"' in again.get("/account").text
    refused = rig.post("/account", "/account", {"present": "no", "password": "a third pass phrase"}, again)
    assert refused.status_code != 303
    assert rig.login("ben", "another pass phrase").get("/queue").status_code == 200


def test_a_code_of_one_user_opens_nothing_at_anothers_account(rig: WebRig) -> None:
    code = rig.running.desk.do(lambda act: make_code(act.book, "ben", act.now)).result(5)
    assert rig.stranger().get(f"/login?code={code}").status_code == 303
    assert 'name="present"' in rig.client.get("/account").text
    refused = rig.post("/account", "/account", {"password": "another pass phrase"})
    assert refused.status_code != 303


def test_where_nobody_says_so_the_journal_lies_in_the_users_own_state_and_never_where_he_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_data() == tmp_path / ".local/state/screen-table/console"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert default_data() == tmp_path / "state/screen-table/console"
    monkeypatch.setenv(VARIABLE, str(tmp_path / "here"))
    assert default_data() == tmp_path / "here"


@pytest.mark.parametrize(
    "words",
    [["user", "list"], ["user", "disable", "a"], ["user", "role", "a", "chief"], ["audit"]],
    ids=lambda words: " ".join(words),
)
def test_where_no_console_has_a_journal_that_is_said_and_none_is_made(
    words: list[str], tmp_path: Path
) -> None:
    nowhere = tmp_path / "nowhere"
    done = CliRunner().invoke(app, [*words, "--data", str(nowhere)])
    assert done.exit_code == 2
    assert "no console journal is here" in done.output
    assert "--data" in done.output
    assert not nowhere.exists()


def test_the_first_user_is_told_which_journal_he_is_in(tmp_path: Path) -> None:
    def added(name: str) -> str:
        words = ["user", "add", name, "--password-stdin", "--data", str(tmp_path)]
        return CliRunner().invoke(app, words, input="a long pass phrase\n").stdout

    assert f"the first user of the journal in {tmp_path}" in added("dora")
    assert "first user" not in added("eve")
