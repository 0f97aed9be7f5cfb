"""Ending what one who was revoked still has at a running broker: his open connection, his session, and what
the broker keeps of him.

The authority vouches for minutes for two hands of its own. One connects under the revoked name, and a broker
ends the older connection of a name; the other takes back what is retained. Nobody without the authority's key
can do either. Must never leave a certificate or key behind.
"""

from __future__ import annotations

import queue
import tempfile
import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from director_console.broker_admin.authority import Authority, Use, key_pem, new_key
from director_console.broker_admin.broker_files import KEEPER
from director_console.broker_admin.layout import Layout, write
from director_console.broker_admin.register import Register, Role
from director_console.broker_admin.venue import authority_of, in_address, look
from table_controller.messages import topics
from table_controller.messages.topics import Place
from table_controller.mqtt_client import (
    Acknowledged,
    LinkDown,
    LinkEvent,
    LinkUp,
    MqttLink,
    Settings,
    TlsFiles,
    parse_address,
)

GOOD_FOR = timedelta(minutes=5)
PATIENCE_S = 5.0
REREAD_S = 0.5
"""The broker needs a moment to read the list of revoked certificates; ended before, he would be back."""


def end_what_is_left(root: Path, name: str, now: datetime) -> str | None:
    """End the connection under this name and take back what is retained of it; why not, if it did not come
    about. To be called when the broker has read that it is revoked. Raises AccessError.
    """
    layout, register = Layout(root), look(root)
    authority = authority_of(layout)
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        write(room / "ca.pem", authority.pem)
        time.sleep(REREAD_S)
        under_his_name = _hand(authority, room, name, now)
        why = _connected(register, name, under_his_name, ())
        if why is None:
            why = _connected(register, KEEPER, _hand(authority, room, KEEPER, now), _kept_of(register, name))
    return why


def _hand(authority: Authority, room: Path, name: str, now: datetime) -> TlsFiles:
    key = new_key()
    issued = authority.issue(name, key.public_key(), Use.CLIENT, now + GOOD_FOR)
    files = TlsFiles(authority=room / "ca.pem", certificate=room / f"{name}.pem", key=room / f"{name}.key")
    write(room / f"{name}.key", key_pem(key))
    write(room / f"{name}.pem", issued.pem)
    return files


def _kept_of(register: Register, name: str) -> tuple[str, ...]:
    place = Place(venue=register.venue, event=register.event)
    match register.holder(name).role:
        case Role.TABLE:
            return (
                topics.receipt(place, name),
                topics.avail(place, name),
                topics.state(place, name),
            )
        case Role.CONSOLE:
            return (topics.console_avail(place, name),)
        case _:
            return ()


def _connected(register: Register, name: str, tls: TlsFiles, empty: Iterable[str]) -> str | None:
    """Connect under this name, which ends an older connection, and empty these topics; or why not."""
    inbox: queue.SimpleQueue[LinkEvent] = queue.SimpleQueue()
    host = in_address(register.listen or "localhost")
    settings = Settings(
        address=parse_address(f"mqtts://{host}:{register.broker_port}"),
        client_id=name,
        tls=tls,
        first_limit_s=0.5,
        latest_s=1.0,
    )
    link = MqttLink(settings, inbox.put)
    link.start()
    try:
        return _emptied(link, inbox, tuple(empty))
    finally:
        link.stop(1.0)


def _emptied(link: MqttLink, inbox: queue.SimpleQueue[LinkEvent], empty: tuple[str, ...]) -> str | None:
    end, why, waiting = time.monotonic() + PATIENCE_S, "no answer", len(empty)
    while (left := end - time.monotonic()) > 0:
        try:
            event = inbox.get(timeout=left)
        except queue.Empty:
            break
        link.note(event)
        match event:
            case LinkUp():
                for topic in empty:
                    link.publish(topic, b"", retain=True)
                if not empty:
                    return None
            case Acknowledged():
                waiting -= 1
                if not waiting:
                    return None
            case LinkDown(why=reason):
                why = reason
            case _:
                pass
    return why
