"""Scenarios through the whole system: a device on a pseudo-terminal, a real controller, a broker, orders.

Twenty of them always, the others in the long tests; several at a time, since most of it is waiting. A table's
seconds are a sixtieth of people's: where the machine stood still for a quarter of a second, players were slow
by fifteen, and a scenario that failed is played again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from hw_sim.processes.joints import JointBroken
from hw_sim.scenario.full import FullHall
from hw_sim.scenario.parse import parse_scenario, read_scenario
from hw_sim.scenario.result import Failure, Result
from hw_sim.scenario.seen import Seen
from tests.firmware_bridge.calm import MS, Watch
from tests.scenarios.files import name_of, scenario_files

AT_A_TIME = 3
ALWAYS = (
    "cases/01b-early-and-called-over",
    "cases/03-insufficient-crossed-and-doubled",
    "cases/04-insufficient-and-nobody-notices",
    "cases/05-cards-cleared-before-the-tray-went-back",
    "cases/06a-the-wrong-face-raises-tempo-under-wbf",
    "cases/07b-two-minutes-east-thinks",
    "cases/10-alerted-on-one-face",
    "cases/12a2-the-right-lead-beside-the-wrong-one",
    "cases/12e-declarer-opens-on-the-wrong-lead",
    "cases/13b-window-opened-in-the-auction",
    "cases/13c-hand-worked-and-still-closed",
    "cases/14b-board-off-the-tray-in-the-play",
    "cases/16-tray-on-both-faces",
    "cases/17-power-cut-in-the-auction",
    "cases/18-the-director-corrects-a-misreading",
    "interpretation/fault-06-the-tray-crosses-while-the-cable-is-out",
    "interpretation/no-readers-07-the-director-gives-the-contract",
    "interpretation/no-readers-08-a-motor-waits-for-a-hand",
    "interpretation/window-08-lifted-while-it-opens",
    "profiles/window-opens-on-acbl",
)
FILES = {name_of(path): path for path in scenario_files()}
OTHERS = tuple(name for name in FILES if name not in ALWAYS)


BEARS = 250 * MS
ATTEMPTS = 4


def play_in_calm(play: Callable[[], Result]) -> Result:
    """Again where it went wrong while the machine stood still; the last result whatever it is, for what goes
    wrong four times is more than a pause.
    """
    for left in reversed(range(ATTEMPTS)):
        with Watch() as watch:
            try:
                result: Result | JointBroken = play()
            except JointBroken as broken:
                result = broken
        good = isinstance(result, Result) and (result.passed or result.skipped)
        if good or watch.worst < BEARS or left == 0:
            break
    if isinstance(result, JointBroken):
        raise result
    return result


def play_all(names: tuple[str, ...]) -> Iterator[dict[str, Future[Result]]]:
    with FullHall() as hall, ThreadPoolExecutor(AT_A_TIME) as pool:
        plays = {name: partial(hall.play, read_scenario(FILES[name])) for name in names}
        yield {name: pool.submit(play_in_calm, play) for name, play in plays.items()}
        pool.shutdown(cancel_futures=True)


@pytest.fixture(scope="module")
def always() -> Iterator[dict[str, Future[Result]]]:
    yield from play_all(ALWAYS)


@pytest.fixture(scope="module")
def others() -> Iterator[dict[str, Future[Result]]]:
    yield from play_all(OTHERS)


def check(result: Result) -> None:
    if result.skipped:
        pytest.skip(f"not in full: {result.skipped}")
    assert result.passed, "\n".join(map(str, result.failures))


@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", ALWAYS)
def test_in_full(name: str, always: dict[str, Future[Result]]) -> None:
    check(always[name].result())


@pytest.mark.long
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize("name", OTHERS)
def test_in_full_long(name: str, others: dict[str, Future[Result]]) -> None:
    check(others[name].result())


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """The hall ends every process it started and takes its folder away."""
    with FullHall() as hall:
        directory = hall.directory
        assert directory.is_dir()
        children = [child.process for child in hall.processes]
        assert children
    assert not directory.exists()
    assert all(process.poll() is not None for process in children)


def test_a_broken_joint_is_named() -> None:
    """The controller cannot start: the sentence says that it is the controller, and what it said."""
    scenario = parse_scenario("# A board.\nboard 1\nNE places the board\n", Path("one.scn"))
    with FullHall() as hall:
        hall.controller = ("-c", "raise SystemExit('no such luck')")
        with pytest.raises(JointBroken, match=r"the controller: it ended by itself: no such luck"):
            hall.play(scenario)


@pytest.mark.parametrize(("paused_ms", "played"), [(0, 1), (249, 1), (250, ATTEMPTS)])
def test_only_a_pause_of_the_machine_has_a_failed_scenario_played_again(
    paused_ms: int, played: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Measured(Watch):
        worst = paused_ms * MS

    monkeypatch.setattr(sys.modules[__name__], "Watch", Measured)
    scenario = parse_scenario("# A board.\nboard 1\nNE places the board\n", Path("one.scn"))
    wrong = Failure(line=1, text="board 1", why="it did not")
    plays: list[int] = []

    def fails() -> Result:
        plays.append(1)
        return Result(scenario=scenario, regulations="", failures=(wrong,), seen=Seen())

    assert not play_in_calm(fails).passed
    assert len(plays) == played
