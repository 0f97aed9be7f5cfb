"""The demonstration's broker does what table and console rely on, whichever of the two it is."""

from __future__ import annotations

import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from paho.mqtt.client import Client, ConnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from hw_sim.processes.broker import (
    BrokerError,
    BrokerKind,
    answers,
    command,
    free_port,
    resolve,
    wait_until_listening,
)
from hw_sim.processes.supervise import Supervisor
from tests.needs import need_mosquitto

KINDS = [
    pytest.param(BrokerKind.EMBEDDED, id="embedded"),
    pytest.param(BrokerKind.MOSQUITTO, id="mosquitto", marks=pytest.mark.mosquitto),
]


@pytest.fixture(scope="module", params=KINDS)
def port(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    if request.param is BrokerKind.MOSQUITTO:
        need_mosquitto()
    directory: Path = tmp_path_factory.mktemp("broker")
    with Supervisor(directory) as supervisor:
        chosen = free_port()
        supervisor.start("broker", command(request.param, chosen, directory))
        assert wait_until_listening(chosen)
        yield chosen


def eventually(holds: Callable[[], bool], within: float = 5.0) -> bool:
    end = time.monotonic() + within
    while time.monotonic() < end and not holds():
        time.sleep(0.01)
    return holds()


class Guest:
    """One client with what it has been sent."""

    def __init__(
        self, port: int, name: str, *, clean: bool = True, will: str | None = None, manual: bool = False
    ) -> None:
        self.got: list[MQTTMessage] = []
        self.session_present = False
        self._up, self._subscribed = threading.Event(), threading.Event()
        self.client = Client(
            CallbackAPIVersion.VERSION2, client_id=name, clean_session=clean, manual_ack=manual
        )
        self.client.on_connect = self._connected
        self.client.on_message = lambda client, data, message: self.got.append(message)
        self.client.on_subscribe = lambda *args: self._subscribed.set()
        if will is not None:
            self.client.will_set(will, "offline", qos=1, retain=True)
        self.client.connect("127.0.0.1", port, keepalive=10)
        self.client.loop_start()
        assert self._up.wait(5)

    def _connected(self, client: object, data: object, flags: ConnectFlags, *rest: object) -> None:
        self.session_present = flags.session_present
        self._up.set()

    def subscribe(self, filter_: str) -> None:
        self._subscribed.clear()
        self.client.subscribe(filter_, qos=1)
        assert self._subscribed.wait(5)

    def publish(self, topic: str, text: str, *, retain: bool = False) -> None:
        self.client.publish(topic, text, qos=1, retain=retain).wait_for_publish(5)

    def texts(self) -> list[str]:
        return [message.payload.decode() for message in self.got]

    def leave(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def vanish(self) -> None:
        """The connection breaks without a word."""
        broken = self.client.socket()
        assert isinstance(broken, socket.socket)
        self.client.loop_stop()
        broken.shutdown(socket.SHUT_RDWR)
        broken.close()


def test_a_retained_message_goes_only_to_who_asks_for_it(port: int) -> None:
    writer = Guest(port, "r-writer")
    writer.publish("r/t/1/state", "one", retain=True)
    writer.publish("r/t/2/state", "two", retain=True)
    stranger, reader, every = Guest(port, "r-stranger"), Guest(port, "r-reader"), Guest(port, "r-every")
    reader.subscribe("r/t/1/#")
    every.subscribe("r/t/+/state")
    assert eventually(lambda: len(reader.got) == 1 and len(every.got) == 2)
    time.sleep(0.2)
    assert (stranger.texts(), reader.texts(), sorted(every.texts())) == ([], ["one"], ["one", "two"])
    assert all(message.retain for message in every.got)
    writer.publish("r/t/1/state", "again", retain=True)
    assert eventually(lambda: reader.texts() == ["one", "again"])
    assert not reader.got[-1].retain
    for guest in (writer, stranger, reader, every):
        guest.leave()


def test_a_will_is_published_for_who_vanishes_and_not_for_who_leaves(port: int) -> None:
    watcher = Guest(port, "w-watcher")
    watcher.subscribe("w/+/avail")
    Guest(port, "w-left", will="w/left/avail").leave()
    Guest(port, "w-gone", will="w/gone/avail").vanish()
    assert eventually(lambda: len(watcher.got) == 1)
    assert watcher.got[0].topic == "w/gone/avail"
    late = Guest(port, "w-late")
    late.subscribe("w/+/avail")
    assert eventually(lambda: late.texts() == ["offline"])
    watcher.leave()
    late.leave()


def test_a_persistent_session_gets_what_came_meanwhile_in_order(port: int) -> None:
    first = Guest(port, "p-session", clean=False)
    first.subscribe("p/#")
    first.leave()
    writer = Guest(port, "p-writer")
    sent = [f"message {n}" for n in range(300)]
    for text in sent:
        writer.client.publish("p/x", text, qos=1)
    again = Guest(port, "p-session", clean=False)
    assert again.session_present
    assert eventually(lambda: again.texts() == sent)
    again.leave()
    writer.leave()


def test_what_was_not_acknowledged_comes_again(port: int) -> None:
    reader = Guest(port, "a-session", clean=False, manual=True)
    reader.subscribe("a/#")
    writer = Guest(port, "a-writer")
    for n in range(10):
        writer.publish("a/x", str(n))
    assert eventually(lambda: len(reader.got) == 10)
    for message in reader.got[:4]:
        reader.client.ack(message.mid, message.qos)
    time.sleep(0.2)
    reader.vanish()
    again = Guest(port, "a-session", clean=False)
    assert eventually(lambda: again.texts() == [str(n) for n in range(4, 10)])
    again.leave()
    writer.leave()


def test_the_longest_envelope_goes_through(port: int) -> None:
    reader, writer = Guest(port, "l-reader"), Guest(port, "l-writer")
    reader.subscribe("l/#")
    writer.publish("l/x", "x" * 16_384)
    assert eventually(lambda: len(reader.got) == 1)
    assert len(reader.got[0].payload) == 16_384
    reader.leave()
    writer.leave()


def test_thirty_clients_at_once(port: int) -> None:
    guests: list[Guest] = []

    def come(n: int) -> None:
        guest = Guest(port, f"m-{n}", will=f"m/{n}/avail")
        guest.subscribe(f"m/{n}/command/#")
        guests.append(guest)

    threads = [threading.Thread(target=come, args=(n,)) for n in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(guests) == 30
    for n in range(30):
        guests[0].publish(f"m/{n}/command/hold", "hold")
    assert eventually(lambda: all(len(guest.got) == 1 for guest in guests))
    for guest in guests:
        guest.leave()


@pytest.mark.skipif(sys.platform == "win32", reason="stopping a process is a matter of Unix")
def test_a_broker_that_hangs_does_not_answer(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        port = free_port()
        child = supervisor.start("broker", command(BrokerKind.EMBEDDED, port, tmp_path))
        assert wait_until_listening(port)
        assert answers(port)
        child.signal(signal.SIGSTOP)
        assert not answers(port, within_s=0.5)
        child.signal(signal.SIGCONT)
        assert eventually(lambda: answers(port))


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken, Supervisor(tmp_path) as supervisor:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        child = supervisor.start("broker", command(BrokerKind.EMBEDDED, taken.getsockname()[1], tmp_path))
        assert child.process.wait(20) == 2
        assert "is already in use; choose another" in child.last_words()


def test_mosquitto_is_taken_where_it_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hw_sim.processes.broker.find_mosquitto", lambda: None)
    assert resolve(BrokerKind.AUTO) is BrokerKind.EMBEDDED
    with pytest.raises(BrokerError, match="mosquitto is not installed"):
        resolve(BrokerKind.MOSQUITTO)
    monkeypatch.setattr("hw_sim.processes.broker.find_mosquitto", lambda: "/usr/sbin/mosquitto")
    assert resolve(BrokerKind.AUTO) is BrokerKind.MOSQUITTO
    assert "embedded" in command(BrokerKind.EMBEDDED, 1, Path("x"))
    assert sys.executable in command(BrokerKind.EMBEDDED, 1, Path("x"))
