"""The clock of the round over a real broker: heard by the tables, kept for public screens, there after a
restart.
"""

from __future__ import annotations

import json
import queue
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from table_controller.messages import open_sealed, topics
from table_controller.messages.topics import Broadcast
from table_controller.mqtt_client import Arrived, MqttLink, Settings, parse_address
from tests.director_console.generator import PLACE
from tests.director_console.test_service import KEYS, TableEnd, service
from tests.mqtt.conftest import Mosquitto, mosquitto  # noqa: F401

pytestmark = pytest.mark.mosquitto
QUIET_S = 1.5


def heard_late(url: str, name: str, heard: str, least: int = 0) -> dict[str, bytes]:
    """What somebody hears who comes when all has been said: at `least` so much, and whatever else comes soon
    after.
    """
    inbox: queue.SimpleQueue[object] = queue.SimpleQueue()
    link = MqttLink(Settings(address=parse_address(url), client_id=name, filters=(heard,)), inbox.put)
    got: dict[str, bytes] = {}

    def hear(wanted: Callable[[], bool], within_s: float) -> None:
        end = time.monotonic() + within_s
        while not wanted() and time.monotonic() < end:
            while not inbox.empty():
                event = inbox.get()
                link.note(event)  # type: ignore[arg-type]
                if isinstance(event, Arrived):
                    got[event.topic] = event.payload
            time.sleep(0.02)

    link.start()
    hear(lambda: link.connected and len(got) >= least, 20)
    assert link.connected
    hear(lambda: False, QUIET_S)
    link.stop()
    return got


def test_the_round_clock_is_broadcast_to_tables_and_retained_for_public_screens(
    mosquitto: Mosquitto,  # noqa: F811
    tmp_path: Path,
) -> None:
    with service(mosquitto.url, tmp_path / "data") as console:
        table = TableEnd(mosquitto.url)
        for fields in ({"act": "set", "round": "4", "minutes": "20"}, {"act": "start"}):
            data = {**console.form("/session", "/round"), **fields}
            assert console.client.post("/round", data=data).status_code == 200
        on_all = topics.everybody(PLACE, Broadcast.CLOCK)
        table.wait(lambda: any(t == on_all and m["body"]["running"] for t, m in table.got))  # type: ignore[index]
        table.link.stop()
        public = heard_late(mosquitto.url, "screen", f"{PLACE.prefix}/public/+", least=2)
        assert set(public) == {topics.public(PLACE, "clock"), topics.public(PLACE, "tables")}
        clock = json.loads(public[topics.public(PLACE, "clock")])["body"]
        assert (clock["round"], clock["running"], clock["label"]) == (4, True, "")
        for topic, payload in public.items():
            open_sealed(topic, payload, KEYS.of)
        assert heard_late(mosquitto.url, "late", f"{PLACE.prefix}/all/+") == {}
        console.kill()
        console.start()
        state = console.client.get("/public/state").json()
        assert state["round"] == 4
        assert state["ends"] is not None
