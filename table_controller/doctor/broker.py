"""The way to the broker: name, port, certificates, keys; without sending a message.

Must never print a key, nor the user and password of a URL.
"""

from __future__ import annotations

import socket
import ssl
import stat
import time
from pathlib import Path

from table_controller.config.model import BrokerSection
from table_controller.doctor.findings import Finding, advice, fine, unknown, wrong
from table_controller.messages.mac import KeysUnusable, load_keys
from table_controller.mqtt_client import BrokerAddressWrong, TlsFiles, parse_address, tls_context
from table_controller.service.certificate import CertificateDays

TIMEOUT_S = 3.0
DAY_S = 86_400
RENEW = "ask for a new code (`director-console broker renew`) and enrol with it"


def look_at_broker(broker: BrokerSection | None, table: str) -> list[Finding]:
    """Every step on the way there, as far as one gets."""
    if broker is None:
        todo = "add [broker] to the configuration if a director's console is to follow this table"
        return [
            advice("broker", "none is configured: the table keeps its journal and reports to nobody", todo)
        ]
    found = [_keys(broker, table), *_own(broker)]
    try:
        address = parse_address(broker.url)
    except BrokerAddressWrong as problem:
        return [*found, wrong("broker", str(problem), "correct broker.url")]
    try:
        with socket.create_connection((address.host, address.port), timeout=TIMEOUT_S) as plain:
            found.append(fine("broker", f"{address} answers"))
            if address.tls:
                found.extend(_tls(plain, broker, address.host))
    except OSError as problem:
        todo = "check the network and the address; the table keeps everything until it is back"
        found.append(wrong("broker", f"{address} cannot be reached: {problem}", todo))
    return found


def _keys(broker: BrokerSection, table: str) -> Finding:
    path = Path(broker.mac_keys)
    try:
        ring = load_keys(path)
    except KeysUnusable as problem:
        return wrong("keys", str(problem), "enrol the table again")
    if ring.of(table) is None:
        return wrong("keys", f"{path} has no key for table {table}", "enrol this table, or correct table.id")
    loose = [
        name for name in (broker.mac_keys, broker.key) if name is not None and _open_to_others(Path(name))
    ]
    if loose:
        return wrong(
            "keys", f"{', '.join(loose)} can be read by others", "chmod 600, owned by the service's user"
        )
    return fine("keys", "this table's keys are there and nobody else can read them")


def _open_to_others(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:  # it is not there, or we may not look: said where it is read
        return False


def _own(broker: BrokerSection) -> list[Finding]:
    """This table's own certificate, without which the broker does not let it in."""
    if broker.cert is None:
        return []
    days = CertificateDays(Path(broker.cert)).left(time.time_ns())
    if days is None:
        return [wrong("certificate", f"{broker.cert} cannot be read", "enrol the table again")]
    if days < 0:
        return [wrong("certificate", f"this table's certificate ended {-days} days ago", RENEW)]
    if days < 30:
        return [advice("certificate", f"this table's certificate ends in {days} days", RENEW)]
    return [fine("certificate", f"this table's certificate is good for {days} days")]


def _tls(plain: socket.socket, broker: BrokerSection, host: str) -> list[Finding]:
    if broker.ca is None:
        return [wrong("certificates", "broker.ca is missing: the broker cannot be recognised", "add it")]
    files = TlsFiles(
        authority=Path(broker.ca),
        certificate=None if broker.cert is None else Path(broker.cert),
        key=None if broker.key is None else Path(broker.key),
    )
    try:
        with tls_context(files).wrap_socket(plain, server_hostname=host) as secure:
            secure.settimeout(TIMEOUT_S)
            peer = secure.getpeercert()
    except (OSError, ssl.SSLError) as problem:
        return [
            wrong(
                "certificates", f"no secure connection: {problem}", "enrol again, or check ca, cert and key"
            )
        ]
    ends = peer.get("notAfter") if peer else None
    if not isinstance(ends, str):
        return [unknown("certificates", "the broker's certificate does not say when it ends")]
    days = (ssl.cert_time_to_seconds(ends) - time.time()) / DAY_S
    if days < 14:
        return [advice("certificates", f"the broker's certificate ends in {days:.0f} days", "renew it")]
    return [
        fine(
            "certificates", f"the connection is secure; the broker's certificate is good for {days:.0f} days"
        )
    ]
