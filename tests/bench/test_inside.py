"""What is seen inside is linked to what caused it, from the copper to an entry and back to the motor."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hw_sim.bench.contract import InsideItem
from tests.bench.rig import BenchRig


def items(rig: BenchRig) -> dict[int, InsideItem]:
    """As the page has them: one that is told again takes the place of the first."""
    _, told = rig.bench.bulletin.since(0)
    return {item.id: item for item in told}


def find(found: dict[int, InsideItem], layer: str, name: str) -> InsideItem:
    fits = [item for item in found.values() if item.layer == layer and item.name.startswith(name)]
    assert fits, f"no {layer} {name} among {sorted({(i.layer, i.name) for i in found.values()})}"
    return fits[0]


def chain(found: dict[int, InsideItem], item: InsideItem) -> list[InsideItem]:
    """It and everything that caused it, the first cause last."""
    way = [item]
    while way[-1].cause is not None:
        way.append(found[way[-1].cause])
        assert len(way) < 20, "causes go round in a circle"
    return way


def layers(way: Sequence[InsideItem]) -> list[str]:
    return [item.layer for item in way]


@pytest.fixture(scope="module")
def found(rig: BenchRig) -> dict[int, InsideItem]:
    """West has not called when the tray goes across."""
    rig.fresh()
    rig.control(do="director", who="you")
    rig.do("N places board 3", "window closed", "tray to SW", "S 1C", "tray to NE by S")
    rig.quiet()
    return items(rig)


def test_an_entry_goes_back_to_the_level_of_a_switch(found: dict[int, InsideItem]) -> None:
    way = chain(found, find(found, "entry", "TRAY_CROSSED_EARLY"))
    assert layers(way) == ["entry", "event", "reading", "wire", "level"]
    assert way[1].name == "TrayLeft"
    assert way[2].name == way[4].name == "tray.sw"
    assert way[2].body["value"] is False
    assert way[4].ms <= way[2].ms <= way[0].ms


def test_a_call_goes_back_to_its_reader(found: dict[int, InsideItem]) -> None:
    way = chain(found, find(found, "event", "CallMade"))
    assert [item.name for item in way] == ["CallMade", "call.sw.s", "TOKEN", "call.sw.s"]
    assert way[-1].body["value"] == "1:1C"


def test_the_motors_command_goes_back_to_the_board_that_was_laid_there(found: dict[int, InsideItem]) -> None:
    command = next(
        item for item in found.values() if item.layer == "wire" and " close " in item.text and item.cause
    )
    way = chain(found, command)
    assert [item.layer for item in way][:3] == ["wire", "effect", "event"]
    assert way[1].name == "CloseWindow"
    assert way[2].name == "BoardPlaced"


def test_a_move_of_the_phase_goes_back_to_an_event(found: dict[int, InsideItem]) -> None:
    assert layers(chain(found, find(found, "move", "Moved")))[1] == "event"


def test_rows_are_in_the_order_of_the_journal_and_each_is_there(
    found: dict[int, InsideItem], rig: BenchRig
) -> None:
    seen = [item.seq for item in found.values() if item.seq is not None]
    assert seen == sorted(seen)
    assert seen == [row["seq"] for row in rig.rows()][: len(seen)]


def test_what_nothing_here_caused_says_so(rig: BenchRig, found: dict[int, InsideItem]) -> None:
    rig.do("director holds")
    rig.quiet()
    held = items(rig)
    assert find(held, "command", "").cause is None
