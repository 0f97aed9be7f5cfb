"""A hall of ten tables at a real mosquitto, a wall and a console, and what each may and may not say."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from director_console.broker_admin import deeds
from director_console.broker_admin.authority import Use, key_pem, make_authority, new_key, read_authority
from table_controller.messages import topics
from table_controller.messages.topics import Broadcast, Stream, Verb, console_filters
from tests.access.rig import PLACE, Identity, Person, Venue, keep_identity, now, wait_for

TABLES = tuple(str(number) for number in range(1, 11))
GONE = "11"
PREFIX = PLACE.prefix
GREEDY = (
    "#",
    "screens/#",
    "+/+/+/+/+/+/#",
    "$SYS/#",
    f"{PREFIX}/t/+/#",
    f"{PREFIX}/t/1/#",
    f"{PREFIX}/t/2/#",
)
SHARED = ("$share/thieves/#", f"$share/thieves/{PREFIX}/t/+/state")
COMMAND = "01JABCDEFGHJKMNPQRSTVWXYZ0"


class Hall:
    """Ten tables, the console and a wall, connected; and certificates that are no good."""

    def __init__(self, folder: Path) -> None:
        self.venue = Venue(folder / "venue", (*TABLES, GONE))
        self.tables = {name: self.venue.enrol(name) for name in TABLES}
        self.revoked = self.venue.enrol(GONE)
        deeds.revoke(self.venue.root, GONE, now())
        self.console_identity = self.venue.own("console", "console")
        self.wall_identity = self.venue.own("wall", "wall")
        self.bad = self._bad(folder)
        self.venue.start()

    def _bad(self, folder: Path) -> dict[str, Identity | None]:
        layout = self.venue.layout
        ours = read_authority(layout.authority.read_text(), layout.authority_key.read_bytes())
        theirs = make_authority("elsewhere", now())
        late, key = now() - timedelta(seconds=5), new_key()
        expired = ours.issue("4", key.public_key(), Use.CLIENT, late)
        stranger = theirs.issue("4", key.public_key(), Use.CLIENT, now() + timedelta(days=9))
        as_server = ours.issue("4", key.public_key(), Use.SERVER, now() + timedelta(days=9))
        found: dict[str, Identity | None] = {
            name: keep_identity(folder / name, "4", ours.pem, issued.pem, key_pem(key))
            for name, issued in (("expired", expired), ("stranger", stranger), ("server's", as_server))
        }
        found["self-signed"] = keep_identity(folder / "self", "4", ours.pem, theirs.pem, key_pem(theirs.key))
        found["revoked"] = self.revoked
        found["without a certificate"] = keep_identity(
            folder / "bare", "4", ours.pem, expired.pem, key_pem(key)
        )
        found["in clear"] = None
        return found

    def person(self, identity: Identity, **more: Any) -> Person:
        settings: dict[str, Any] = {"client_id": identity.name, **more}
        return Person(identity, self.venue.port, **settings)

    def connect_all(self) -> None:
        self.console = self.person(self.console_identity, filters=console_filters(PLACE)).begin()
        self.wall = self.person(self.wall_identity, filters=(*GREEDY, *SHARED)).begin()
        self.at_table = {
            name: self.person(identity, filters=(*GREEDY, *SHARED), version=4 + int(name) % 2).begin()
            for name, identity in self.tables.items()
        }
        assert self.console.up
        assert self.wall.up
        assert all(person.up for person in self.at_table.values())

    def end_all(self) -> None:
        for person in (self.console, self.wall, *self.at_table.values()):
            person.end()


def of_table(name: str) -> list[str]:
    """What a table writes."""
    reports = [topics.report(PLACE, name, stream) for stream in Stream]
    return [
        topics.avail(PLACE, name),
        topics.state(PLACE, name),
        topics.result(PLACE, name, COMMAND),
        *reports,
    ]


def of_console(name: str) -> list[str]:
    """What the console writes for a table and for everybody."""
    return [
        topics.command(PLACE, name, Verb.OPEN_WINDOW),
        topics.receipt(PLACE, name),
        topics.everybody(PLACE, Broadcast.CLOCK),
        topics.console_avail(PLACE, "console"),
        topics.public(PLACE, "clock"),
        topics.public(PLACE, "tables"),
    ]


def everything_but(name: str) -> list[str]:
    """Every topic there is that this one must not write."""
    others = [topic for other in TABLES if other != name for topic in of_table(other)]
    theirs = [topic for other in TABLES for topic in of_console(other)]
    odd = [
        f"{PREFIX}/t/{name}/command/hold",
        f"{PREFIX}/t/{name}/ev/log/more",
        f"{PREFIX}/t/{name}",
        f"screens/v1/hall/other/t/{name}/state",
        f"screens/v1/other/open/t/{name}/state",
        f"screens/v2/hall/open/t/{name}/state",
        "anything",
        "$SYS/broker/version",
        f"{PREFIX}/t/wall/state",
        f"{PREFIX}/t/console/state",
    ]
    return list(dict.fromkeys((*others, *theirs, *odd)))


def forge(person: Person, name: str) -> int:
    """Publish a forgery everywhere it does not belong."""
    wanted = everything_but(name)
    for number, topic in enumerate(wanted):
        person.say(topic, b"forged", retain=number % 2 == 0, qos=1 if number % 3 else 0)
    return len(wanted)


def genuine(hall: Hall) -> None:
    """Everybody says once what is his to say."""
    for name, person in hall.at_table.items():
        for topic in of_table(name):
            person.say(topic, b"true " + topic.encode(), retain=topic.endswith(("/avail", "/state")))
    for name in TABLES:
        for topic in of_console(name)[:2]:
            hall.console.say(topic, b"true " + topic.encode(), retain=topic.endswith("/receipt"))
    for topic in of_console("1")[2:]:
        hall.console.say(topic, b"true " + topic.encode(), retain=not topic.startswith(f"{PREFIX}/all"))


def settled(hall: Hall) -> None:
    """Until each has heard what is his, and a moment longer for what is not."""
    wanted = len(TABLES) * len(of_table("1"))
    wait_for(lambda: len({topic for topic, _ in hall.console.got if "/t/" in topic}) >= wanted, 10)
    wait_for(lambda: all(own(name) <= heard(person) for name, person in hall.at_table.items()), 10)
    time.sleep(0.5)


def own(name: str) -> set[str]:
    """What a table is to hear: its own command and receipt, what all hear, and that the console is there."""
    return set(of_console(name)[:4])


def heard(person: Person) -> set[str]:
    return {topic for topic, _ in person.got}
