"""The link to the broker heals itself, never holds more than the window, and no callback can end it."""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Iterator

import pytest

from table_controller.mqtt_client import (
    Arrived,
    BrokerAddressWrong,
    CallbackFailed,
    LinkDown,
    LinkEvent,
    MqttLink,
    Settings,
    Will,
    parse_address,
)
from tests.firmware_bridge.calm import Watch
from tests.mqtt.wires import Cable, Owner

pytestmark = [pytest.mark.mosquitto, pytest.mark.live]

both = pytest.mark.parametrize("version", [4, 5], ids=["3.1.1", "5"])


@pytest.fixture
def owners() -> Iterator[list[Owner]]:
    made: list[Owner] = []
    yield made
    for owner in made:
        owner.link.stop(1.0)


@both
def test_messages_go_and_come_in_order_and_their_tokens_come_back(mosquitto, owners, version):
    listener = Owner(mosquitto.url, "listener", filters=("a/#",), version=version).start()
    speaker = Owner(mosquitto.url, "speaker", version=version).start()
    owners += [listener, speaker]
    for number in range(10):
        assert speaker.link.publish("a/b", b"%d" % number, token=number + 1)
    speaker.until(lambda: len(speaker.tokens) == 10)
    listener.until(lambda: len(listener.arrived) == 10)
    assert speaker.tokens == list(range(1, 11))
    assert listener.payloads == [b"%d" % number for number in range(10)]
    assert speaker.link.held == 0


@both
def test_only_what_the_broker_had_kept_is_marked_as_retained(mosquitto, owners, version):
    """Or a table's every heartbeat, published to be kept, would pass for an old one."""
    there = Owner(mosquitto.url, "there", filters=("a/#",), version=version).start()
    speaker = Owner(mosquitto.url, "speaker", version=version).start()
    owners += [there, speaker]
    assert speaker.link.publish("a/state", b"now", retain=True)
    there.until(lambda: len(there.arrived) == 1)
    late = Owner(mosquitto.url, "late", filters=("a/#",), version=version).start()
    owners.append(late)
    late.until(lambda: len(late.arrived) == 1)
    assert [there.arrived[0].retained, late.arrived[0].retained] == [False, True]


@both
def test_never_more_than_the_window_is_held_and_nothing_is_held_over_a_reconnection(
    mosquitto, owners, version
):
    cable = Cable(mosquitto.port)
    speaker = Owner(cable.url, "speaker", version=version).start()
    listener = Owner(mosquitto.url, "listener", filters=("a",), version=version).start()
    owners += [speaker, listener]
    mosquitto.freeze()
    taken = [speaker.link.publish("a", b"%d" % number) for number in range(30)]
    assert taken == [True] * 20 + [False] * 10
    assert (speaker.link.held, speaker.link.room) == (20, 0)
    cable.dead.set()
    mosquitto.thaw()
    cable.cut()
    speaker.until(lambda: any(isinstance(event, LinkDown) for event in speaker.events))
    assert (speaker.link.held, speaker.link.room) == (0, 0)
    assert not speaker.link.publish("a", b"while down")
    cable.dead.clear()
    speaker.until(lambda: speaker.ups == 2)
    before = len(listener.payloads)
    assert speaker.link.publish("a", b"after")
    listener.until(lambda: b"after" in listener.payloads)
    assert listener.payloads[before:].count(b"after") == 1
    assert listener.payloads[-1] == b"after"
    listener.drain()
    assert listener.payloads[-1] == b"after"
    cable.close()


@both
def test_after_the_broker_was_killed_it_connects_and_subscribes_again(mosquitto, owners, version):
    listener = Owner(mosquitto.url, "listener", filters=("a", "b/+"), version=version).start()
    owners.append(listener)
    mosquitto.kill()
    listener.until(lambda: not listener.link.connected)
    mosquitto.start()
    listener.until(lambda: listener.link.connected)
    speaker = Owner(mosquitto.url, "speaker", version=version).start()
    owners.append(speaker)
    speaker.link.publish("a", b"1")
    speaker.link.publish("b/x", b"2")
    listener.until(lambda: len(listener.arrived) == 2)


@both
def test_a_broker_that_comes_later_is_found(mosquitto, owners, version):
    mosquitto.kill()
    speaker = Owner(mosquitto.url, "speaker", version=version).start(wait=False)
    owners.append(speaker)
    assert not speaker.link.publish("a", b"too early")
    speaker.until(lambda: len(speaker.events) >= 2)
    assert all(isinstance(event, LinkDown) and event.connection == 0 for event in speaker.events)
    mosquitto.start()
    speaker.until(lambda: speaker.link.connected)


@both
def test_a_callback_that_raises_is_told_and_the_link_goes_on(mosquitto, owners, version):
    listener = Owner(mosquitto.url, "listener", filters=("a",), version=version).start()
    owners.append(listener)
    into = listener.inbox.put

    def careless(event: LinkEvent) -> None:
        if isinstance(event, Arrived) and event.payload == b"bad":
            raise RuntimeError("a mistake of ours")
        into(event)

    listener.put = careless
    for payload in (b"bad", b"good", b"bad", b"better"):
        listener.link.publish("a", payload)
    listener.until(lambda: len(listener.arrived) == 2)
    assert listener.payloads == [b"good", b"better"]
    failures = [event for event in listener.events if isinstance(event, CallbackFailed)]
    assert [failure.where for failure in failures] == ["on_message", "on_message"]
    assert "a mistake of ours" in failures[0].what
    assert listener.ups == 1


@both
def test_an_inbox_that_takes_nothing_at_all_does_not_end_the_thread(mosquitto, owners, version):
    listener = Owner(mosquitto.url, "listener", filters=("a",), version=version).start()
    owners.append(listener)
    into = listener.inbox.put

    def broken(event: LinkEvent) -> None:
        raise RuntimeError("nothing goes in")

    listener.put = broken
    for _ in range(5):
        listener.link.publish("a", b"lost")
    time.sleep(0.5)
    listener.put = into
    speaker = Owner(mosquitto.url, "speaker", version=version).start()
    owners.append(speaker)
    speaker.link.publish("a", b"heard")
    listener.until(lambda: b"heard" in listener.payloads)


@both
def test_a_link_that_is_only_half_open_is_given_up_and_made_anew(mosquitto, owners, version):
    cable = Cable(mosquitto.port)
    speaker = Owner(cable.url, "speaker", version=version, keepalive_s=1).start()
    owners.append(speaker)
    cable.dead.set()
    with Watch() as watch:
        begun = time.monotonic()
        speaker.until(lambda: not speaker.link.connected)
        took = time.monotonic() - begun
    assert took < 5 + watch.paused_s
    cable.dead.clear()
    speaker.until(lambda: speaker.link.connected)
    cable.close()


@both
def test_a_round_trip_is_not_delayed_by_the_network_stack(mosquitto, owners, version):
    both_ways = Owner(mosquitto.url, "both", filters=("a",), version=version).start()
    owners.append(both_ways)
    times = []
    for number in range(60):
        begun = time.perf_counter()
        both_ways.link.publish("a", b"%d" % number)
        both_ways.until(lambda number=number: len(both_ways.arrived) > number)  # type: ignore[misc]
        times.append(time.perf_counter() - begun)
    assert statistics.median(times) < 0.015, "22 ms would be the delayed acknowledgement without TCP_NODELAY"


@both
def test_what_was_not_acknowledged_by_us_comes_again_as_a_duplicate(mosquitto, owners, version):
    """The console is killed between reading and committing: only the DUP copy arrives, and it must count."""
    console = Owner(mosquitto.url, "console", filters=("a",), persistent=True, version=version)
    console.acking = False
    console.start()
    speaker = Owner(mosquitto.url, "speaker", version=version).start()
    owners.append(speaker)
    for number in range(3):
        speaker.link.publish("a", b"%d" % number)
    console.until(lambda: len(console.arrived) == 3)
    console.link.ack(console.arrived[0])
    time.sleep(0.2)
    console.link.stop(1.0)
    again = Owner(mosquitto.url, "console", filters=("a",), persistent=True, version=version).start()
    owners.append(again)
    again.until(lambda: len(again.arrived) == 2)
    assert again.payloads == [b"1", b"2"]
    assert all(message.duplicate for message in again.arrived)


@both
def test_an_acknowledgement_of_an_earlier_connection_is_not_sent_over_this_one(mosquitto, owners, version):
    cable = Cable(mosquitto.port)
    console = Owner(cable.url, "console", filters=("a",), persistent=True, version=version)
    console.acking = False
    owners.append(console)
    console.start()
    speaker = Owner(mosquitto.url, "speaker", version=version).start()
    owners.append(speaker)
    speaker.link.publish("a", b"1")
    console.until(lambda: len(console.arrived) == 1)
    cable.cut()
    console.until(lambda: console.ups == 2)
    console.until(lambda: len(console.arrived) == 2)
    console.link.ack(console.arrived[0])
    console.drain()
    cable.cut()
    console.until(lambda: len(console.arrived) == 3)
    console.link.ack(console.arrived[-1])
    cable.close()


@both
def test_a_connection_that_is_dropped_comes_back_with_what_was_not_acknowledged(mosquitto, owners, version):
    """A console whose disk failed in a batch: nothing of it was acknowledged, and it must come again."""
    console = Owner(mosquitto.url, "console", filters=("a",), persistent=True, version=version)
    console.acking = False
    owners.append(console)
    console.start()
    console.link.publish("a", b"1")
    console.until(lambda: len(console.arrived) == 1)
    console.link.drop("the disk is full")
    console.until(lambda: console.ups == 2)
    console.acking = True
    console.until(lambda: console.payloads == [b"1", b"1"])
    assert [event.why for event in console.events if isinstance(event, LinkDown)] == ["the disk is full"]


@both
def test_the_will_is_said_when_we_are_killed_and_not_when_we_say_goodbye(mosquitto, owners, version):
    listener = Owner(mosquitto.url, "listener", filters=("w",), version=version).start()
    owners.append(listener)
    cable = Cable(mosquitto.port)
    one = Owner(cable.url, "one", will=Will(topic="w", payload=b"gone"), version=version).start()
    one.link.stop(2.0)
    listener.drain()
    assert listener.arrived == []
    other = Owner(cable.url, "other", will=Will(topic="w", payload=b"gone"), version=version).start()
    owners.append(other)
    cable.cut()
    listener.until(lambda: listener.payloads == [b"gone"])
    cable.close()


def test_goodbye_takes_a_limited_time_even_if_the_broker_does_not_answer(mosquitto):
    owner = Owner(mosquitto.url, "x").start()
    owner.link.publish("a", b"1")
    mosquitto.freeze()
    owner.link.publish("a", b"2")
    with Watch() as watch:
        begun = time.monotonic()
        owner.link.stop(1.0)
        took = time.monotonic() - begun
    assert took < 4 + watch.paused_s
    mosquitto.thaw()


def test_what_was_published_last_still_goes_out_with_the_goodbye(mosquitto, owners):
    listener = Owner(mosquitto.url, "listener", filters=("a",)).start()
    owners.append(listener)
    speaker = Owner(mosquitto.url, "speaker").start()
    for number in range(20):
        assert speaker.link.publish("a", b"%d" % number)
    speaker.link.stop(2.0)
    listener.until(lambda: len(listener.arrived) == 20)


def test_waits_between_attempts_are_drawn_wider_and_wider_up_to_half_a_minute():
    asked: list[tuple[float, float]] = []
    link = MqttLink(
        Settings(address=parse_address("mqtt://127.0.0.1:1"), client_id="x"),
        lambda event: None,
        draw=lambda low, high: asked.append((low, high)) or 0.0,  # type: ignore[func-returns-value]
    )
    for failures in range(7):
        link._wait(failures)
    assert asked == [(0.5, 4), (0.5, 4), (0.5, 8), (0.5, 16), (0.5, 30), (0.5, 30), (0.5, 30)]


class TestAddress:
    def test_it_is_read(self):
        address = parse_address("mqtts://anna:p%40ss@hall.example:9999")
        assert (address.host, address.port, address.tls) == ("hall.example", 9999, True)
        assert (address.user, address.password) == ("anna", "p@ss")
        assert parse_address("mqtt://127.0.0.1").port == 1883
        assert parse_address("mqtts://127.0.0.1").port == 8883

    def test_a_password_is_in_no_text(self):
        address = parse_address("mqtt://anna:secret@hall:1")
        settings = Settings(address=address, client_id="x")
        for text in (repr(address), str(address), repr(settings), f"{settings}"):
            assert "secret" not in text
            assert "anna" not in text

    @pytest.mark.parametrize(
        "url",
        ["", "hall", "http://hall", "mqtt://", "mqtt://hall:99999", "mqtt://hall:x", "mqtt://u:secret@:1",
         "mqtt://u:secret@hall/path", "mqtt://u:secret@hall?x=1", "mqtt://[u:secret@hall"],
    )  # fmt: skip
    def test_a_bad_one_is_refused_in_one_sentence_without_the_password(self, url):
        with pytest.raises(BrokerAddressWrong) as caught:
            parse_address(url)
        assert "mqtt://host:port" in str(caught.value)
        assert "secret" not in str(caught.value)


@both
def test_why_no_connection_came_about_is_said(owners, version):
    speaker = Owner("mqtt://127.0.0.1:9", "speaker", version=version).start(wait=False)
    owners.append(speaker)
    speaker.until(lambda: any(isinstance(event, LinkDown) for event in speaker.events))
    (first, *_) = [event for event in speaker.events if isinstance(event, LinkDown)]
    assert first.why == "no connection to mqtt://127.0.0.1:9: Connection refused"


def test_tries_without_end_keep_nothing_open(owners):
    """Each try has a client of its own; none of them may wait for a collection of garbage to let go."""
    gc.collect()
    gc.disable()
    try:
        speaker = Owner("mqtt://127.0.0.1:9", "x", soonest_s=0.01, first_limit_s=0.01, latest_s=0.01)
        owners.append(speaker.start(wait=False))
        speaker.until(lambda: len(speaker.events) >= 2)
        before = len(os.listdir("/proc/self/fd"))
        speaker.until(lambda: len(speaker.events) >= 5)
        assert len(os.listdir("/proc/self/fd")) <= before + 4
    finally:
        gc.enable()


@both
def test_a_farewell_goes_out_though_the_window_is_full(mosquitto, owners, version):
    """Without it the broker would neither have our last word nor say our will."""
    listener = Owner(mosquitto.url, "listener", filters=("w",), version=version).start()
    speaker = Owner(mosquitto.url, "speaker", will=Will(topic="w", payload=b"gone"), version=version).start()
    owners += [listener, speaker]
    while speaker.link.publish("a", b"row"):
        pass
    assert speaker.link.connected
    speaker.link.farewell("w", b"stopping")
    speaker.link.stop(1.0)
    listener.until(lambda: listener.payloads == [b"stopping"])
    late = Owner(mosquitto.url, "late", filters=("w",), version=version).start()
    owners.append(late)
    late.until(lambda: late.payloads == [b"stopping"])
