"""What a pause of the machine explains in a table's journal, and what it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.gpio_rig import STALL_NS
from hw_sim.table.site import Way
from hw_sim.table.wiring import TableKind
from tests.table_controller.live_table import LiveTable

LOST = {
    "type": "fault",
    "body": {"change": "raised", "fault": {"kind": "EVENTS_LOST", "component": "device"}},
}
LOST_EVENT = {"type": "event", "body": {"what": "event", "value": {"event": "EventsLost", "count": 0}}}
JAMMED = {
    "type": "fault",
    "body": {"change": "raised", "fault": {"kind": "WINDOW_JAMMED", "component": "window"}},
}


@pytest.mark.parametrize(
    ("way", "paused", "row", "explained"),
    [
        (Way.GPIO, STALL_NS, LOST, True),
        (Way.GPIO, STALL_NS, LOST_EVENT, True),
        (Way.GPIO, STALL_NS, JAMMED, False),
        (Way.GPIO, 0, LOST, False),
        (Way.GPIO, 0, LOST_EVENT, False),
        (Way.WIRE, STALL_NS, LOST, False),
    ],
)
def test_only_lost_events_of_a_header_are_explained_and_only_by_a_pause_that_was_seen(
    way: Way, paused: int, row: dict[str, object], explained: bool, tmp_path: Path
) -> None:
    table = LiveTable(tmp_path, kind=TableKind.WATCH if way is Way.GPIO else TableKind.GUARD, way=way)
    table.watch._worst = paused
    assert table.explains(row) is explained
