"""A broker for the demonstration and for tests: on loopback only, with simulated data only.

A local mosquitto where one is installed, else iotcore, which installs with pip and does what the console
needs of a broker (tests/hw_sim/test_broker.py). Neither is confidential here. Must never listen anywhere but
on 127.0.0.1, and must never be used at a venue.

Run as a process of its own: `python -m hw_sim.processes.broker --port 1883 [--kind auto|embedded|mosquitto]`.
"""

from __future__ import annotations

import logging
import os
import shutil
import socket
import sys
import tempfile
import time
from enum import StrEnum
from pathlib import Path

LOOPBACK = "127.0.0.1"
MESSAGE_LIMIT = 65_536
_MOSQUITTO_PLACES = ("/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto")
_CONFIGURATION = """\
listener {port} {host}
allow_anonymous true
persistence false
max_queued_messages 100000
max_inflight_messages 20
max_packet_size {limit}
log_dest stderr
log_type error
log_type warning
"""


class BrokerKind(StrEnum):
    """`AUTO` takes mosquitto where it is installed."""

    AUTO = "auto"
    EMBEDDED = "embedded"
    MOSQUITTO = "mosquitto"


class BrokerError(RuntimeError):
    """The broker cannot run here; the message is one sentence with what to do."""


def find_mosquitto() -> str | None:
    """Where mosquitto is installed, or None. Debian keeps it out of a user's PATH."""
    found = shutil.which("mosquitto")
    return found or next((place for place in _MOSQUITTO_PLACES if os.access(place, os.X_OK)), None)


def resolve(kind: BrokerKind) -> BrokerKind:
    """Which broker `kind` comes to here. Raises BrokerError if mosquitto is asked for and absent."""
    installed = find_mosquitto() is not None
    if kind is BrokerKind.MOSQUITTO and not installed:
        raise BrokerError("mosquitto is not installed; install it or use the broker embedded here")
    if kind is BrokerKind.AUTO:
        return BrokerKind.MOSQUITTO if installed else BrokerKind.EMBEDDED
    return kind


def command(kind: BrokerKind, port: int, directory: Path) -> list[str]:
    """The command that runs this broker as a process of its own; its files lie in `directory`."""
    program = [sys.executable, "-m", "hw_sim.processes.broker"]
    return [*program, "--port", str(port), "--kind", resolve(kind).value, "--directory", str(directory)]


def free_port() -> int:
    """A port nobody listens on now. Somebody else may take it before it is used: try again then."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_listening(port: int, within_s: float = 10.0) -> bool:
    """Whether something accepts connections on the port before the time is up."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        try:
            with socket.create_connection((LOOPBACK, port), timeout=0.5):
                return True
        except OSError:
            time.sleep(0.05)
    return False


def answers(port: int, within_s: float = 3.0) -> bool:
    """Whether the broker answers a greeting: a port that accepts may belong to a process that hangs."""
    name = b"probe-%d" % os.getpid()
    body = b"\x00\x04MQTT\x04\x02\x00\x0a" + len(name).to_bytes(2, "big") + name
    try:
        with socket.create_connection((LOOPBACK, port), timeout=within_s) as probe:
            probe.sendall(bytes([0x10, len(body)]) + body)
            return probe.recv(4)[:1] == b"\x20"
    except OSError:
        return False


def run_embedded(port: int) -> None:
    """Serve until the process ends."""
    from iotcore import IotCoreBroker

    logging.basicConfig(level=logging.WARNING)
    logging.getLogger("rumqttd").setLevel(logging.CRITICAL)  # it logs every packet as an error
    broker = IotCoreBroker(listen=LOOPBACK, port=port, max_payload_size=MESSAGE_LIMIT)
    try:
        broker.check_ports()
    except OSError:
        raise BrokerError(f"port {port} is already in use; choose another or stop what uses it") from None
    broker.run_forever()


def run_mosquitto(port: int, directory: Path) -> None:
    """Become mosquitto: this process ends as that one, so that its supervisor sees one child."""
    program = find_mosquitto()
    if program is None:
        raise BrokerError("mosquitto is not installed; install it or use the broker embedded here")
    file = directory / "mosquitto.conf"
    text = _CONFIGURATION.format(port=port, host=LOOPBACK, limit=MESSAGE_LIMIT)
    if os.geteuid() == 0:
        text += "user root\n"  # it would change its user, and then nobody tells it that we are gone
    file.write_text(text)
    os.execv(program, [program, "-c", str(file)])


def run(kind: BrokerKind, port: int, directory: Path) -> None:
    """Run the broker in this process until it is ended. Raises BrokerError."""
    match resolve(kind):
        case BrokerKind.MOSQUITTO:
            run_mosquitto(port, directory)
        case _:
            run_embedded(port)


def main() -> None:
    import argparse

    parser = argparse.ArgumentParser(
        prog="python -m hw_sim.processes.broker", description="A broker on loopback."
    )
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--kind", choices=[kind.value for kind in BrokerKind], default="auto")
    parser.add_argument("--directory", type=Path, help="where mosquitto's configuration is written")
    given = parser.parse_args()
    try:
        directory = given.directory or Path(tempfile.mkdtemp(prefix="screen-table-broker-"))
        run(BrokerKind(given.kind), given.port, directory)
    except BrokerError as problem:
        print(f"broker: {problem}", file=sys.stderr)
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        raise SystemExit(0) from None


if __name__ == "__main__":
    main()
