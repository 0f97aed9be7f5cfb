"""A hardware misdeed as one line: read strictly, begun at its time, the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest

from firmware_bridge.readings import Direction
from hw_sim.hardware.faulty_wires import FaultyWires
from hw_sim.misdeeds.hardware import HARDWARE_MISDEEDS, HardwareBench, NotHere, UnknownHardwareMisdeed
from hw_sim.misdeeds.order import MisdeedOrder, read_order
from hw_sim.table.wiring import TableKind, wiring


class Copper:
    """Wires that remember what was done to them."""

    def __init__(self) -> None:
        self.done: list[tuple[str, bool]] = []

    def start(self) -> None: ...

    def close(self) -> None: ...

    def set_input(self, signal: str, active: bool) -> None:
        self.done.append((signal, active))

    hide_input = set_input

    def wave(self, signal: str, levels: Sequence[tuple[float, bool]]) -> None:
        self.done += [(signal, active) for _, active in levels]

    def set_token(self, signal: str, text: str) -> None: ...

    def outputs(self) -> dict[str, bool]:
        return {}

    def motor(self, name: str) -> Direction:
        return Direction.STOP


class Bench:
    """A bench whose time stands still until it is run."""

    def __init__(self) -> None:
        self.copper = Copper()
        self.later: list[tuple[float, Callable[[], None]]] = []
        faulty = FaultyWires(self.copper, self._after, Random(1))
        self.bench = HardwareBench(spec=wiring(TableKind.WATCH).rig, wires=faulty, after=self._after)

    def _after(self, ms: float, deed: Callable[[], None]) -> None:
        self.later.append((ms, deed))

    def begin(self, line: str, seed: int = 1) -> None:
        read_order(line).begin(self.bench, seed, do=lambda deed: deed())


def test_a_line_is_name_options_time_and_seed() -> None:
    order = read_order("bounce signal=tray.ne ms=20 at=3 seed=7")
    assert order == MisdeedOrder(name="bounce", options={"signal": "tray.ne", "ms": "20"}, at=3.0, seed=7)
    assert read_order("unplug") == MisdeedOrder(name="unplug")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("bounse", "choose one of bounce"),
        ("bounce volume=3", "it has signal, ms, at, seed"),
        ("bounce ms", "KEY=VALUE"),
        ("bounce ms=3 ms=4", "once"),
        ("bounce at=soon", "expected a number"),
        ("bounce at=-1", "expected a number"),
        ("bounce ms=banana", "ms is 'banana', expected a number"),
        ("bounce ms=inf", "expected a number"),
        ("stuck level=high", "choose one of active, inactive"),
        ("reset cause=boredom", "cause is 'boredom', choose one of"),
    ],
)
def test_what_is_misspelt_is_refused_in_a_sentence(line: str, words: str) -> None:
    with pytest.raises(UnknownHardwareMisdeed, match=words):
        read_order(line)


@pytest.mark.parametrize("name", HARDWARE_MISDEEDS)
def test_every_misdeed_there_is_can_be_written(name: str) -> None:
    assert read_order(f"{name} at=1").name == name


def test_it_begins_at_its_time_and_not_before() -> None:
    bench = Bench()
    bench.begin("stuck signal=tray.ne level=active at=2")
    assert bench.copper.done == []
    ((ms, deed),) = bench.later
    assert ms == 2_000
    deed()
    assert bench.copper.done == [("tray.ne", True)]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("unplug at=2", NotHere),
        ("jam at=2", NotHere),
        ("glitch signal=call.ne.n at=2", UnknownHardwareMisdeed),
    ],
)
def test_what_this_table_cannot_have_is_refused_at_once(line: str, error: type[ValueError]) -> None:
    with pytest.raises(error):
        Bench().begin(line)


def test_the_same_seed_does_the_same_and_the_lines_own_seed_goes_first() -> None:
    def done(line: str, seed: int) -> list[tuple[str, bool]]:
        bench = Bench()
        bench.begin(line, seed)
        return bench.copper.done

    assert done("emi inputs=6", 3) == done("emi inputs=6", 3)
    assert done("emi inputs=6", 3) != done("emi inputs=6", 4)
    assert done("emi inputs=6 seed=3", 9) == done("emi inputs=6", 3)
