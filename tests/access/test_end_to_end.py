"""Enrolment, renewal and revocation by the commands a person types: real mosquitto, table and console."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer import Typer
from typer.testing import CliRunner

from director_console.cli import app as console_app
from director_console.store.book import open_reader
from director_console.store.reports import gaps, progress
from table_controller.__main__ import app as table_app
from tests.access.rig import (
    LOOPBACK,
    Identity,
    Person,
    Venue,
    free_port,
    journalled,
    mosquitto_program,
    wait_for,
)
from tests.table_controller.live_table import ROOT, LiveTable, games

pytestmark = pytest.mark.mosquitto
CONSOLE = [sys.executable, "-m", "director_console"]


class Typed:
    """Commands of one venue, typed one after the other; what runs on is ended at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.venue = folder / "venue"
        self.data = folder / "console"
        self.port, self.door_port = free_port(), free_port()
        self.running: dict[str, subprocess.Popen[str]] = {}

    def broker(self, *words: str, ok: int = 0) -> list[dict[str, object]]:
        verb, *more = words
        return self.typed(console_app, ["broker", verb, str(self.venue), *more, "--json"], ok)

    def table(self, *words: str | Path, ok: int = 0) -> list[dict[str, object]]:
        return self.typed(table_app, [*map(str, words)], ok)

    def typed(self, command: Typer, words: list[str], ok: int) -> list[dict[str, object]]:
        done = CliRunner().invoke(command, words)
        assert done.exit_code == ok, (words[:2], done.output)
        self.errors = done.stderr
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def start(self, name: str, *words: str) -> subprocess.Popen[str]:
        log = (self.folder / f"{name}.log").open("a")
        process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True)
        log.close()
        self.running[name] = process
        return process

    def init(self, *tables: str) -> dict[str, str]:
        named = [word for table in tables for word in ("--table", table)]
        told = self.broker(
            "init", *named, "--venue", "demo", "--event", "evening", "--host", LOOPBACK, "--listen", LOOPBACK,
            "--port", str(self.port), "--door-port", str(self.door_port), *broker_user(),
        )  # fmt: skip
        return {str(one["table"]): str(one["code"]) for one in told}

    def start_broker(self) -> None:
        self.start("mosquitto", mosquitto_program(), "-c", str(self.venue / "broker" / "mosquitto.conf"))
        wait_for(lambda: socket.socket().connect_ex((LOOPBACK, self.port)) == 0, 10)

    def open_door(self) -> None:
        words = [*CONSOLE, "broker", "enrol", str(self.venue), "--listen", LOOPBACK, "--stay", "--json"]
        process = self.start("door", *words)
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["door"] == self.door_port

    def start_console(self) -> str:
        words = ["run", "--access", str(self.venue), "--port", "0", "--data", str(self.data), "--json"]
        process = self.start("console", *CONSOLE, *words)
        assert process.stdout is not None
        return str(json.loads(process.stdout.readline())["console"])

    def end(self, name: str) -> None:
        process = self.running.pop(name)
        process.send_signal(signal.SIGTERM)
        process.wait(15)

    def end_all(self) -> None:
        for process in self.running.values():
            process.kill()
            process.wait(10)

    def notices(self) -> list[str]:
        """What the console was alarmed of: messages it did not believe."""
        db = open_reader(self.data)
        found = db.execute("SELECT kind, detail FROM notices WHERE kind != 'new_journal'").fetchall()
        db.close()
        return [str(tuple(row)) for row in found]

    def received(self, table: str) -> int:
        """How many rows the console has of this table, if none is missing in between; else -1."""
        db = open_reader(self.data)
        epochs = [epoch for name, epoch in progress(db) if name == table]
        missing = any(gaps(db, table, epoch) for epoch in epochs)
        count = db.execute('SELECT count(*) FROM reports WHERE "table" = ?', (table,)).fetchone()[0]
        db.close()
        return -1 if missing else int(count)


def written(table: LiveTable) -> int:
    """How many rows the table's journal has."""
    return len(journalled(table.journal))


def broker_user() -> list[str]:
    return ["--broker-user", "root"] if os.geteuid() == 0 else []


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Typed]:
    made = Typed(tmp_path)
    yield made
    made.end_all()


def all_there(person: Typed, table: LiveTable) -> bool:
    return person.received("t1") == written(table) > 0


def test_a_table_is_enrolled_plays_is_renewed_revoked_and_taken_in_again_and_nothing_is_lost(
    person: Typed, tmp_path: Path
) -> None:
    codes = person.init("t1", "t2")
    person.start_broker()
    person.open_door()
    base = person.start_console()
    assert base.startswith("https://")
    with LiveTable(tmp_path / "table") as table:
        config = table.site.config
        [told] = person.table("enrol", codes["t1"], "--config", config, "--json")
        assert (told["table"], told["config_complete"]) == ("t1", True)
        assert (told["broker_reached"], told["foreign"]) == (True, [])
        assert "[broker]" in config.read_text()
        person.table("enrol", codes["t1"], "--into", tmp_path / "thief", "--no-check", ok=2)
        assert "was used on" in person.errors

        table.run()
        wait_for(lambda: person.received("t1") > 0, 40)
        table.play(games()[0])
        table.settle()
        wait_for(lambda: all_there(person, table), 20)

        # Renewal: a new code, the same command, and the next connection is made with the new certificate.
        tls = config.parent / "tls"
        keep = tmp_path / "old"
        keep.mkdir()
        for file in tls.iterdir():
            (keep / file.name).write_bytes(file.read_bytes())
        [again] = person.broker("renew", "t1")
        [told] = person.table("enrol", str(again["code"]), "--config", config, "--no-check", "--json")
        assert told["config_complete"]
        assert (tls / "table.pem").read_bytes() != (keep / "table.pem").read_bytes()
        wait_for(lambda: not Person(Identity("t1", keep), person.port, "t1").begin().ever_up, 10)
        person.end("mosquitto")
        person.start_broker()
        table.play(games()[1])
        table.settle()
        wait_for(lambda: all_there(person, table), 40)

        # Revocation: the table plays on and keeps its journal, and the console hears no more of it.
        told_of = person.broker("revoke", "t1")
        assert [one.get("reloaded", one.get("ended")) for one in told_of[-2:]] == [True, True]
        before = person.received("t1")
        table.play(games()[2])
        table.settle()
        time.sleep(1.0)
        assert person.received("t1") == before
        assert written(table) > before
        assert not Person(Identity("t1", tls), person.port, "t1").begin().ever_up
        lines = {line["name"]: line for line in person.broker("status") if "name" in line}
        assert (lines["t1"]["state"], lines["t2"]["state"]) == ("revoked", "waiting")

        # Taken in again, with another key, while it runs: everything it kept arrives, once, and nothing old
        # makes either end suspicious.
        [again] = person.broker("add", "t1")
        [told] = person.table("enrol", str(again["code"]), "--config", config, "--json")
        assert told["broker_reached"]
        wait_for(lambda: all_there(person, table), 60)
        assert "MESSAGE_NOT_BELIEVED" not in str(journalled(table.journal))
        assert person.notices() == []
        assert table.stop() == 0
    person.end("console")


def test_what_the_commands_print_to_logs_holds_no_code_and_no_key(person: Typed, tmp_path: Path) -> None:
    codes = person.init("t1")
    person.open_door()
    into = tmp_path / "tls"
    person.table("enrol", codes["t1"], "--into", into, "--no-check", "--json")
    person.end("door")
    secret = (into / "table.key").read_text().splitlines()[1]
    keys = json.loads((into / "mac.json").read_text())
    logs = "".join(path.read_text() for path in tmp_path.glob("*.log")) + person.errors
    for text in (secret, keys["venue"], keys["tables"]["t1"], codes["t1"].partition("/")[2]):
        assert text not in logs


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["broker", "status", "/nowhere"], "give the directory `director-console broker init` made"),
        (["broker", "enrol", "/nowhere"], "give the directory"),
        (["broker", "revoke", "VENUE", "99"], "there is no '99' at this venue"),
        (["broker", "renew", "VENUE", "99"], "there is no '99' at this venue"),
        (["broker", "revoke", "VENUE", "broker"], "belongs to this machine"),
        (["broker", "add", "VENUE"], "name at least one table"),
        (["broker", "add", "VENUE", "wall"], "taken"),
        (["broker", "init", "VENUE", "--tables", "2"], "is a venue already"),
        (["broker", "init", "NEW", "--host", "not a host"], "--host 'not a host'"),
        (["broker", "event", "VENUE", "a/b"], "letters, digits"),
        (["run", "--host", "0.0.0.0"], "passwords and auctions would be there for anybody"),
        (["run", "--broker", "mqtt://broker.example"], "anybody on the way could read"),
        (["run", "--access", "/nowhere"], "give the directory"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(tmp_path: Path, words: list[str], says: str) -> None:
    venue = Venue(tmp_path / "venue", ("t1",)) if "VENUE" in words else None
    places = {"VENUE": str(tmp_path / "venue"), "NEW": str(tmp_path / "new")}
    command = [places.get(word, word) for word in words]
    if words[0] == "run":
        command += ["--data", str(tmp_path / "data"), "--port", "0"]
    told = CliRunner().invoke(console_app, command)
    assert told.exit_code == 2, told.output
    assert says in told.stderr
    assert len(told.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "new").exists()
    assert venue is None or venue.layout.venue.exists()
