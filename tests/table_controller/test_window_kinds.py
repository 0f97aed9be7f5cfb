"""A window with a latch, from board to board through the process, both ways in; motor and lamps are in
`test_three_tables`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.rig import OutputKind, OutputSpec
from hw_sim.table import site
from hw_sim.table.changes import MS
from hw_sim.table.site import Way
from hw_sim.table.wiring import TableKind, Wiring, wiring
from tests.table_controller.live_table import LiveTable, boards, events, games, rows

pytestmark = pytest.mark.live


def with_a_latch(kind: TableKind, *, quick: bool = False, chain: bool = True) -> Wiring:
    """The usual wires, and a coil in the motor's place."""
    usual = wiring(kind, quick=quick, chain=chain)
    motor = next(output for output in usual.rig.outputs if output.kind is OutputKind.MOTOR)
    latch = OutputSpec(name="window.latch", kind=OutputKind.LATCH, pin=motor.pin)
    outputs = (latch, *(output for output in usual.rig.outputs if output is not motor))
    inputs = tuple(i for i in usual.rig.inputs if i.signal not in ("window.obstructed", "window.overcurrent"))
    return replace(usual, rig=replace(usual.rig, inputs=inputs, outputs=outputs))


@pytest.mark.parametrize("way", [Way.WIRE, pytest.param(Way.GPIO, marks=pytest.mark.long)])
def test_a_latched_window_closes_and_opens_when_it_is_due(
    way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "wiring", with_a_latch)
    with LiveTable(tmp_path, kind=TableKind.FULL, way=way) as table:
        table.site.body.set_output("window.latch", False)  # without current its spring closes it
        table.settle(500 * MS)
        table.run()
        played = []
        for game in games()[:2]:
            played.append(table.play(game).account.calls)
            table.settle(1_200 * MS)
        assert table.stop() == 0, table.log.read_text()
        told = boards(table.journal)
        assert [[f"{seat}:{call}" for seat, call in board["calls"]] for board in told] == played
        moved = [e for e in events(table.journal) if e["event"] == "WindowMoved"]
        ordered = [(e["state"], e.get("order")) for e in moved if e["state"] in ("open", "closed")]
        assert ordered == [("closed", None), ("open", "open"), ("closed", "close"), ("open", "open")]
        assert not [row["body"] for row in rows(table.journal) if row["type"] in ("irregularity", "fault")]
