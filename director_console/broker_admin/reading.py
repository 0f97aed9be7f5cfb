"""What the console needs of a venue: names, broker, certificates, keys. Reads only the console's own room."""

from __future__ import annotations

import json
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from director_console.broker_admin.layout import AccessError, read
from table_controller.mqtt_client import TlsFiles
from table_controller.plain.given_paths import PathUnusable, is_folder

FILE = "console.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """As `director-console run --access DIR` takes it."""

    venue: str
    event: str
    broker: str
    tls: TlsFiles
    keys: Path
    certificate: Path
    private_key: Path


def read_access(directory: Path) -> Access:
    """The venue's directory, or the console's room copied out of it. Raises AccessError."""
    try:
        room = directory / "console" if is_folder(directory / "console") else directory
    except PathUnusable as problem:
        raise AccessError(str(problem)) from None
    raw = read(room / FILE)
    try:
        said = json.loads(raw)
        venue, event, broker = (str(said[name]) for name in ("venue", "event", "broker"))
    except (ValueError, KeyError, TypeError):
        raise AccessError(
            f"{room / FILE}: not what `director-console broker` wrote; any broker command writes it anew"
        ) from None
    return Access(
        venue=venue,
        event=event,
        broker=broker,
        tls=TlsFiles(authority=room / "ca.pem", certificate=room / "console.pem", key=room / "console.key"),
        keys=room / "keys.json",
        certificate=room / "pages.pem",
        private_key=room / "pages.key",
    )


def is_loopback(host: str) -> bool:
    """Whether nobody else can hear what is said to this address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
