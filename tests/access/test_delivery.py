"""Access, by what is delivered: everybody tries everything at a real mosquitto; foreign messages received 0,
forged messages accepted 0.

A broker grants any subscription and says nothing of a refused publish under MQTT 3.1.1: only what arrives
counts. Every genuine message is marked `true`, every forged one `forged`.
"""

from __future__ import annotations

import json
import queue
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from director_console.broker_admin import deeds
from director_console.broker_admin.broker_files import KEEPER
from director_console.broker_admin.layout import AccessError
from director_console.broker_admin.reload import Reloaded, reload_broker
from director_console.cli import app
from table_controller.enrolment.cli import try_broker
from table_controller.messages import topics
from table_controller.messages.topics import Broadcast, Stream, Verb, console_filters
from table_controller.mqtt_client import (
    LinkDown,
    LinkEvent,
    LinkUp,
    MqttLink,
    Settings,
    TlsFiles,
    parse_address,
)
from tests.access.hall import (
    GREEDY,
    PREFIX,
    Hall,
    forge,
    genuine,
    heard,
    of_console,
    of_table,
    own,
    settled,
)
from tests.access.rig import PLACE, Person, Venue, Will, now, wait_for

pytestmark = pytest.mark.mosquitto


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    made = Hall(tmp_path_factory.mktemp("hall"))
    yield made
    made.venue.stop()


@pytest.fixture
def together(hall: Hall) -> Iterator[Hall]:
    hall.connect_all()
    yield hall
    hall.end_all()


def test_each_hears_its_own_and_nothing_of_the_others_and_no_forgery_reaches_anybody(together: Hall) -> None:
    forged = sum(forge(person, name) for name, person in together.at_table.items())
    forged += forge(together.wall, "wall")
    genuine(together)
    settled(together)
    foreign = {
        name: heard(person) - own(name)
        for name, person in together.at_table.items()
        if heard(person) - own(name)
    }
    everybody = (together.console, together.wall, *together.at_table.values())
    accepted = [item for person in everybody for item in person.got if not item[1].startswith(b"true")]
    misplaced = [(t, p) for person in everybody for t, p in person.got if p != b"true " + t.encode()]
    assert forged > 1000
    assert foreign == {}
    assert accepted == []
    assert misplaced == []
    assert heard(together.wall) == {topics.public(PLACE, "clock"), topics.public(PLACE, "tables")}
    for name, person in together.at_table.items():
        assert heard(person) == own(name), name


def test_nothing_forged_is_kept_for_those_who_come_later(together: Hall) -> None:
    for name, person in together.at_table.items():
        forge(person, name)
    genuine(together)
    settled(together)
    late = Person(
        together.console_identity, together.venue.port, "late", filters=(*console_filters(PLACE), "#")
    ).begin()
    wait_for(lambda: bool(late.got))
    time.sleep(0.7)
    late.end()
    assert late.got
    assert all(payload.startswith(b"true") for _, payload in late.got)


@pytest.mark.parametrize("version", [4, 5], ids=["MQTT 3.1.1", "MQTT 5"])
def test_a_will_says_nothing_in_anothers_name(together: Hall, version: int) -> None:
    for number, topic in enumerate((topics.avail(PLACE, "2"), *of_console("2"), topics.public(PLACE, "x"))):
        thief = together.at_table["3"] if number else together.wall
        assert thief.identity is not None
        ghost = Person(
            thief.identity,
            together.venue.port,
            "x",
            filters=(),
            will=Will(topic, b"forged will"),
            version=version,
        ).begin()
        ghost.drop()
    true = together.person(
        together.tables["5"], filters=(), will=Will(topics.avail(PLACE, "5"), b"true will of 5")
    ).begin()
    true.drop()
    wait_for(lambda: (topics.avail(PLACE, "5"), b"true will of 5") in together.console.got)
    time.sleep(0.3)
    for person in (together.console, together.wall, *together.at_table.values()):
        assert not [item for item in person.got if item[1].startswith(b"forged")]


def test_anothers_client_identifier_takes_nothing_over(hall: Hall) -> None:
    console = hall.person(hall.console_identity, filters=console_filters(PLACE), clean=False).begin()
    victim = hall.person(hall.tables["6"], filters=(f"{PREFIX}/t/6/command/+",), clean=False).begin()
    console.say(topics.command(PLACE, "6", Verb.HOLD), b"true 1")
    wait_for(lambda: len(victim.got) == 1)
    thieves = [
        hall.person(hall.tables["7"], client_id=stolen, filters=(), clean=False).begin()
        for stolen in ("6", "console", "wall")
    ]
    for person, topic in ((console, topics.state(PLACE, "6")), (victim, "")):
        assert person.up, f"{person.client_id} was thrown out"
        if topic:
            victim.say(topic, b"true 2")
    console.say(topics.command(PLACE, "6", Verb.HOLD), b"true 3")
    wait_for(lambda: len(victim.got) == 2)
    wait_for(lambda: (topics.state(PLACE, "6"), b"true 2") in console.got)
    time.sleep(0.3)
    assert [thief.got for thief in thieves] == [[], [], []]
    for person in (console, victim, *thieves):
        person.end()


def test_what_waits_for_one_who_is_away_is_given_to_nobody_else(hall: Hall) -> None:
    away = hall.person(hall.tables["8"], filters=(f"{PREFIX}/t/8/command/+",), clean=False).begin()
    away.end()
    console = hall.person(hall.console_identity, filters=()).begin()
    console.say(topics.command(PLACE, "8", Verb.HOLD), b"true, for 8 alone")
    time.sleep(0.2)
    thief = hall.person(hall.tables["9"], client_id="8", filters=(), clean=False).begin()
    time.sleep(0.4)
    thief.end()
    assert thief.got == []
    back = hall.person(hall.tables["8"], filters=(), clean=False).begin()
    wait_for(lambda: [payload for _, payload in back.got] == [b"true, for 8 alone"])
    for person in (back, console):
        person.end()


@pytest.mark.parametrize(
    "who",
    ["stranger", "expired", "revoked", "self-signed", "server's", "without a certificate", "in clear"],
)
def test_who_has_no_good_certificate_is_not_let_in_and_hears_and_says_nothing(
    together: Hall, who: str
) -> None:
    identity = together.bad[who]
    thief = Person(identity, together.venue.port, "4", filters=GREEDY)
    if who == "without a certificate":
        import ssl

        assert identity is not None
        thief.client = type(thief.client)(thief.client._callback_api_version, client_id="4")
        thief.client.tls_set_context(ssl.create_default_context(cafile=str(identity.authority)))
        thief.client.on_connect, thief.client.on_disconnect = thief._connected, thief._disconnected
        thief.client.on_message = thief._message
    thief.begin()
    assert not thief.ever_up
    assert thief.refused
    forge(thief, "4")
    for topic in of_table("4"):
        thief.say(topic, b"forged")
    genuine(together)
    settled(together)
    thief.end()
    assert thief.got == []
    assert not [p for _, p in together.console.got if not p.startswith(b"true")]
    assert together.at_table["4"].up


def test_one_who_is_revoked_while_connected_falls_silent_and_deaf_and_does_not_come_back(
    tmp_path: Path,
) -> None:
    venue = Venue(tmp_path / "venue", ("1", "2"))
    identities = {name: venue.enrol(name) for name in ("1", "2")}
    venue.start()
    try:
        console = Person(
            venue.own("console", "console"), venue.port, "console", filters=console_filters(PLACE)
        ).begin()
        one, two = (Person(identities[name], venue.port, name, filters=GREEDY).begin() for name in ("1", "2"))
        two.say(topics.state(PLACE, "2"), b"true before")
        wait_for(lambda: bool(console.got))
        deeds.revoke(venue.root, "2", now())
        assert reload_broker(venue.layout) is Reloaded.DONE
        time.sleep(0.5)
        console.got.clear()
        two.say(topics.state(PLACE, "2"), b"forged after")
        two.say(topics.report(PLACE, "2", Stream.LOG), b"forged after")
        for name in ("1", "2"):
            console.say(topics.command(PLACE, name, Verb.HOLD), b"true")
        console.say(topics.everybody(PLACE, Broadcast.CLOCK), b"true")
        wait_for(lambda: len(one.got) == 2)
        time.sleep(0.3)
        assert two.got == []
        assert console.got == []
        again = Person(identities["2"], venue.port, "2").begin()
        assert not again.ever_up
        assert one.up
        for person in (console, one, two):
            person.end()
    finally:
        venue.stop()


def test_revoking_ends_the_open_connection_and_takes_back_what_the_broker_kept_of_it(tmp_path: Path) -> None:
    venue = Venue(tmp_path / "venue", ("1", "2"))
    identities = {name: venue.enrol(name) for name in ("1", "2")}
    venue.start()
    try:
        console = Person(venue.own("console", "console"), venue.port, "console", filters=()).begin()
        one, two = (Person(identities[name], venue.port, name, filters=GREEDY).begin() for name in ("1", "2"))
        for name, person in (("1", one), ("2", two)):
            person.say(topics.avail(PLACE, name), b"true", retain=True)
            person.say(topics.state(PLACE, name), b"true", retain=True)
            console.say(topics.receipt(PLACE, name), b"true", retain=True)
        wait_for(lambda: bool(one.got) and bool(two.got))
        said = CliRunner().invoke(app, ["broker", "revoke", str(venue.root), "2", "--json"])
        assert said.exit_code == 0, said.output
        assert json.loads(said.stdout.splitlines()[-1])["ended"] is True
        wait_for(lambda: not two.up)
        assert one.up
        assert console.up
        late = Person(
            venue.own("console", "console"), venue.port, "console", filters=console_filters(PLACE)
        ).begin()
        wait_for(lambda: len(late.got) >= 2)
        time.sleep(0.3)
        kept = {topic for topic, payload in late.got if payload}
        assert kept == {topics.avail(PLACE, "1"), topics.state(PLACE, "1")}
        again = Person(identities["1"], venue.port, "1", filters=(topics.receipt(PLACE, "1"),)).begin()
        wait_for(lambda: [payload for _, payload in again.got] == [b"true"])
        assert not Person(identities["2"], venue.port, "2").begin().ever_up
        secrets = [path for path in tmp_path.rglob("*") if path.name in ("2.key", "keeper.key")]
        assert secrets == []
        for person in (console, one, two, late, again):
            person.end()
    finally:
        venue.stop()


def test_nobody_but_the_authoritys_own_hand_may_be_the_keeper(tmp_path: Path) -> None:
    with pytest.raises(AccessError, match="taken"):
        Venue(tmp_path / "venue", (KEEPER,))


def test_without_the_access_list_these_same_attempts_would_be_seen(tmp_path: Path) -> None:
    venue = Venue(tmp_path / "venue", ("1", "2", "3"))
    identities = {name: venue.enrol(name) for name in ("1", "2")}
    text = venue.layout.config.read_text()
    for needed in ("acl_file ", "use_username_as_clientid "):
        text = "".join(line for line in text.splitlines(True) if not line.startswith(needed))
    venue.layout.config.write_text(text)
    venue.start()
    try:
        console = Person(
            venue.own("console", "console"), venue.port, "console", filters=console_filters(PLACE)
        ).begin()
        one, two = (Person(identities[name], venue.port, name).begin() for name in ("1", "2"))
        two.say(topics.state(PLACE, "2"), b"true")
        one.say(topics.state(PLACE, "3"), b"forged")
        wait_for(lambda: (topics.state(PLACE, "2"), b"true") in one.got)
        wait_for(lambda: (topics.state(PLACE, "3"), b"forged") in console.got)
        tried = try_broker(venue.granted["1"], identities["1"].folder)
        assert tried.foreign == (), "nothing is retained yet"
        two.say(topics.state(PLACE, "2"), b"true", retain=True)
        wait_for(lambda: console.got.count((topics.state(PLACE, "2"), b"true")) > 1)
        tried = try_broker(venue.granted["1"], identities["1"].folder)
        assert tried.foreign == (topics.state(PLACE, "2"),), "enrolment notices, and says so"
        thief = Person(identities["1"], venue.port, "2", filters=()).begin()
        wait_for(lambda: not two.up)
        for person in (console, one, two, thief):
            person.end()
    finally:
        venue.stop()


def test_the_links_thread_outlives_files_that_do_not_fit_for_a_moment(hall: Hall, tmp_path: Path) -> None:
    """While certificate and key are being replaced, a connection may find the old one with the new other."""
    identity = hall.tables["10"]
    folder = tmp_path / "tls"
    folder.mkdir()
    for name in ("ca.pem", "table.pem"):
        (folder / name).write_bytes((identity.folder / name).read_bytes())
    (folder / "table.key").write_bytes(hall.tables["9"].key.read_bytes())
    inbox: queue.SimpleQueue[LinkEvent] = queue.SimpleQueue()
    files = TlsFiles(authority=folder / "ca.pem", certificate=folder / "table.pem", key=folder / "table.key")
    settings = Settings(
        address=parse_address(hall.venue.url),
        client_id="10",
        tls=files,
        soonest_s=0.05,
        first_limit_s=0.1,
        latest_s=0.2,
    )
    link = MqttLink(settings, inbox.put)
    link.start()
    try:
        for _ in range(3):
            down = inbox.get(timeout=5)
            assert isinstance(down, LinkDown)
            assert "SSLError" in down.why
        (folder / "table.key").write_bytes(identity.key.read_bytes())
        while not isinstance(inbox.get(timeout=5), LinkUp):
            pass
    finally:
        link.stop(1.0)
