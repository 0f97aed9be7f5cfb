"""Whether a table may report to the broker it is configured with.

Real hardware means real hands: without TLS anybody on the network can read the auction, without a certificate
of its own the broker cannot tell this table from another, and a key others can read is no key. Looks at the
configuration and the files it names; must never open a socket, nor show anything of a key.
"""

from __future__ import annotations

import ssl
import stat
from pathlib import Path

from table_controller.cli_errors import Unusable
from table_controller.config.model import BrokerSection, TableConfig
from table_controller.mqtt_client import TlsFiles, parse_address, tls_context
from table_controller.plain.given_paths import may_be_there

INSECURE = (
    "--insecure: this table reports without protection. Anybody on the network can read the auction while it "
    "is being made, and can pretend to be the console or another table towards the broker"
)
"""What it means, said at every start."""
_MEND = "`table-controller enrol` makes them all, or say --insecure, which means: "


class BrokerUnsafe(Unusable):
    """A broker that must not be used as it is configured. One sentence."""


def refuse_unsafe_broker(config: TableConfig, *, insecure: bool) -> None:
    """Raise BrokerUnsafe where a table with real hardware would report unprotected and nobody said so.

    Files that are named must be usable in any case.
    """
    broker = config.broker
    if broker is None:
        return
    real = not config.table.simulated
    if real and not insecure:
        _protected(broker)
    if parse_address(broker.url).tls:
        _usable(broker)
    if real and not insecure:
        _private(broker)


def _protected(broker: BrokerSection) -> None:
    meaning = INSECURE.partition(". ")[2]
    if not parse_address(broker.url).tls:
        raise BrokerUnsafe(
            f"broker.url: a table with real hardware needs mqtts://, with ca, cert and key; {_MEND}{meaning}"
        )
    for name in ("ca", "cert", "key"):
        if getattr(broker, name) is None:
            raise BrokerUnsafe(
                f"broker.{name}: missing; a table with real hardware needs ca, cert and key, so that the "
                f"broker lets it write and read only what is its own; {_MEND}{meaning}"
            )


def _usable(broker: BrokerSection) -> None:
    if broker.ca is None:
        return
    files = TlsFiles(
        authority=Path(broker.ca),
        certificate=None if broker.cert is None else Path(broker.cert),
        key=None if broker.key is None else Path(broker.key),
    )
    try:
        tls_context(files)
    except (OSError, ssl.SSLError) as problem:
        named = [name for name in (broker.ca, broker.cert, broker.key) if name is not None]
        lacking = [name for name in named if not may_be_there(Path(name))]
        raise BrokerUnsafe(
            f"{lacking[0] if lacking else ', '.join(named)}: "
            f"{'there is no such file' if lacking else _reason(problem)}; enrol this table again, or correct "
            "broker.ca, broker.cert and broker.key"
        ) from None


def _reason(problem: OSError) -> str:
    if isinstance(problem, ssl.SSLError):
        return "they do not belong together, or are no certificate and key"
    return problem.strerror or "cannot be read"


def _private(broker: BrokerSection) -> None:
    for name in (broker.key, broker.mac_keys):
        if name is None:
            continue
        try:
            mode = Path(name).stat().st_mode
        except OSError:
            continue  # reading it says what is wrong with it
        if mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise BrokerUnsafe(
                f"{name}: other users of this computer can read this key; chmod 600 it, owned by the user "
                "the table runs as"
            )
