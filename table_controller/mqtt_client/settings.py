"""Where the broker is and how to connect to it, as values.

Must never let a user name or password into a text: they are left out of `repr`, `str` and every error.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

KEEPALIVE_S = 10


class BrokerAddressWrong(ValueError):
    """A broker URL that cannot be used. One sentence, without what might be a password."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsFiles:
    """The authority we trust, and our own certificate and key where the broker asks for them."""

    authority: Path
    certificate: Path | None = None
    key: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where the broker is."""

    host: str
    port: int
    tls: bool
    user: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{'mqtts' if self.tls else 'mqtt'}://{self.host}:{self.port}"


def _told(url: str) -> str:
    """The URL as an error may show it: without what might be a user and a password."""
    scheme, there, rest = url.partition("://")
    _, hidden, shown = rest.rpartition("@") if there else scheme.rpartition("@")
    host, colon, port = shown.rpartition(":")
    if colon and not port.isdigit() and "]" not in port:
        shown = f"{host}:..."
    return repr(f"{f'{scheme}://' if there else ''}{'...@' if hidden else ''}{shown}")


def parse_address(url: str) -> Address:
    """`mqtt://[user:password@]host[:port]` or `mqtts://...`. Raises BrokerAddressWrong."""
    expected = f"broker URL {_told(url)}: expected mqtt://host:port or mqtts://host:port"
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        raise BrokerAddressWrong(expected) from None
    try:
        port = parts.port
    except ValueError:
        raise BrokerAddressWrong(f"{expected}, with a port from 1 to 65535") from None
    if parts.scheme not in ("mqtt", "mqtts"):
        raise BrokerAddressWrong(expected)
    if port == 0:
        raise BrokerAddressWrong(f"{expected}, with a port from 1 to 65535")
    if not host:
        raise BrokerAddressWrong(f"{expected}, with a name or an address of the host")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise BrokerAddressWrong(f"{expected}, and nothing after the port")
    tls = parts.scheme == "mqtts"
    return Address(
        host=host,
        port=port or (8883 if tls else 1883),
        tls=tls,
        user=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Will:
    """What the broker says for us when we are gone. Retained, at least once."""

    topic: str
    payload: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to connect. `persistent`: the broker keeps our session, and what arrives must be acknowledged by
    `ack`.

    Waits between connections are drawn between `soonest_s` and a limit that doubles from `first_limit_s` up
    to `latest_s`.
    """

    address: Address
    client_id: str
    filters: tuple[str, ...] = ()
    persistent: bool = False
    version: int = 4
    """4 for MQTT 3.1.1, 5 for MQTT 5."""
    tls: TlsFiles | None = None
    window: int = 20
    soonest_s: float = 0.5
    first_limit_s: float = 4.0
    latest_s: float = 30.0
    keepalive_s: int = KEEPALIVE_S


def tls_context(files: TlsFiles | None) -> ssl.SSLContext:
    """TLS 1.2 or later, the broker's certificate checked against our authority. Raises OSError or
    ssl.SSLError.
    """
    context = ssl.create_default_context(cafile=None if files is None else str(files.authority))
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if files is not None and files.certificate is not None:
        context.load_cert_chain(files.certificate, files.key)
    return context
