"""The broker's operator sends what he likes; the running table does nothing he says, and says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from table_controller.messages import Status, topics
from table_controller.messages.mac import canonical
from table_controller.messages.topics import Verb
from tests.access.rig import Person, journalled, wait_for
from tests.mqtt.conftest import Mosquitto, mosquitto
from tests.table_controller.console_side import PLACE, ConsoleSide, write_keys
from tests.table_controller.live_table import LiveTable

__all__ = ["mosquitto"]
pytestmark = pytest.mark.mosquitto


def happened(table: LiveTable) -> list[str]:
    return [body["value"]["event"] for _, body in journalled(table.journal) if body.get("what") == "event"]


def alarms(table: LiveTable) -> list[str]:
    found = [body["fault"] for stream, body in journalled(table.journal) if stream == "fault"]
    return [fault["detail"] for fault in found if fault["kind"] == "MESSAGE_NOT_BELIEVED"]


def test_commands_altered_moved_or_invented_do_nothing_and_are_an_alarm(
    mosquitto: Mosquitto,
    tmp_path: Path,
) -> None:
    keys = write_keys(tmp_path / "keys.json")
    operator = Person(None, mosquitto.port, "operator").begin()
    assert operator.up
    with LiveTable(tmp_path, broker=mosquitto.url, mac_keys=tmp_path / "keys.json") as table:
        console = ConsoleSide(mosquitto.url, keys).start()
        table.run()
        console.until(lambda: console.state is not None, 40)
        table.settle()
        genuine = console.command(Verb.HOLD, why="lunch")
        assert console.answer(genuine).status is Status.DONE
        hold = topics.command(PLACE, "t1", Verb.HOLD)
        captured = next(payload for topic, payload in operator.got if topic == hold)
        held = happened(table).count("Held")
        before = len(journalled(table.journal))

        message = json.loads(captured)
        opens = topics.command(PLACE, "t1", Verb.OPEN_WINDOW)
        new_id = "01JABCDEFGHJKMNPQRSTVWXYZ0"
        invented = {**message, "type": "command/open_window", "id": new_id}
        invented["body"] = {**message["body"], "id": new_id, "args": {}}
        for topic, payload in (
            (hold, canonical({**message, "id": new_id, "body": {**message["body"], "id": new_id}})),
            (opens, captured),
            (opens, canonical(invented)),
            (opens, canonical({**invented, "mac": ""})),
            (hold, captured[:-20]),
            (topics.command(PLACE, "t1", Verb.RESUME), b"\x00" * 50),
            (topics.receipt(PLACE, "t1"), canonical({**message, "type": "receipt",
                                                      "body": {"epoch": "e", "upto": 10**6, "by": "x"}})),
            (hold, captured),
        ):  # fmt: skip
            operator.say(topic, payload)
        wait_for(lambda: len(alarms(table)) >= 3, 20)
        table.settle()
        told = happened(table)
        assert told.count("Held") == held, "the captured command itself is carried out once"
        assert "WindowOverridden" not in told
        assert table.site.body.now  # the players' side goes on
        details = alarms(table)
        assert any("wrong MAC" in detail for detail in details)
        assert any("moved from another table" in detail for detail in details)
        assert any("not readable" in detail for detail in details)
        assert len(details) < 6, "one of each, not one a message"
        console.until(lambda: len(console.rows) == len(journalled(table.journal)))
        assert len(console.rows) > before
        kinds = [m.envelope.type for m in console.rows.values()]
        assert "fault" in kinds, "the director hears of it"
        assert table.stop() == 0
        console.stop()
    operator.end()
