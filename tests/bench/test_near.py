"""Nothing leaks across: what one face is shown, and when, hangs on nothing that only the other face knows."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from random import Random

import pytest

from firmware_bridge.readings import Direction
from hw_sim.bench import half_feed, near
from hw_sim.bench.bulletin import Sights
from hw_sim.bench.contract import NearFrame
from hw_sim.bench.half_feed import TICK_S, feed
from hw_sim.bench.near import NotFromHere, check_near, sight_of
from hw_sim.players.hands import Impossible
from hw_sim.scenario.full.body import ScenarioBody
from hw_sim.scenario.parse import deed_of
from hw_sim.table.changes import MS, SECOND
from hw_sim.table.tags import BoardTag
from hw_sim.table.window_panel import CLOSED
from table_controller.laws.call import ALL_BIDS, DOUBLE, PASS, Call
from table_controller.laws.card import parse_card
from table_controller.laws.seat import ScreenSide, Seat

LAMPS = (*(f"summons.{seat}" for seat in "nesw"), "hold.ne", "hold.sw", "window.lamp", "window.lamp.close")
CALLS: list[Call] = [PASS, DOUBLE, *ALL_BIDS]


def table(tray_on: ScreenSide) -> ScenarioBody:
    """In an auction: the window is closed and a board lies on the tray."""
    body = ScenarioBody(tray_on=tray_on, window=CLOSED)
    body.place_board(BoardTag(number=7), hands=False)
    return body


def seen(body: ScenarioBody, side: ScreenSide) -> str:
    return sight_of(side, body, Seat.W, LAMPS).model_dump_json()


def far_deed(body: ScenarioBody, side: ScreenSide, random: Random, *, push: bool) -> None:
    """Anything that the players of `side` can do there without the window, or the table to their lamps."""
    seats = body.faces.seats_on(side)
    seat = random.choice(seats)
    call = random.choice(CALLS)
    deeds: list[Callable[[], object]] = [
        lambda: body.lay_call(seat, call),
        lambda: body.hold_call(seat, call),
        lambda: body.lift_call(seat),
        lambda: body.clear_cards(seat),
        lambda: body.lay_stop_card(seat),
        lambda: body.lay_alert(seat),
        lambda: body.lift_alert(seat),
        lambda: body.lay_lead(seat, faced=random.random() < 0.5),
        lambda: body.face_lead(seat),
        lambda: body.lift_lead(seat),
        lambda: body.play_card(seat, parse_card("SQ")),
        lambda: body.press_director(seat),
        lambda: body.press_announced(seat),
        lambda: body.press_claim(seat),
        lambda: body.press_auction_over(side),
        lambda: body.sit_down(seat, "x"),
        lambda: body.take_hand(seat),
        lambda: body.lift_board(),
        lambda: body.place_board(BoardTag(number=random.randrange(1, 40))),
        lambda: body.set_output(f"summons.{seat.lower()}", random.random() < 0.5),
        lambda: body.set_output(f"hold.{side.lower()}", random.random() < 0.5),
    ]
    if push:
        deeds += [lambda: body.push_tray(seat), lambda: body.stop_tray()]
    try:
        random.choice(deeds)()
    except (Impossible, IndexError):
        return


@pytest.mark.parametrize("far", [ScreenSide.NE, ScreenSide.SW])
@pytest.mark.parametrize("seed", range(40))
def test_whatever_the_far_face_does_the_near_face_sees_the_same(far: ScreenSide, seed: int) -> None:
    """Until the tray arrives: then they see what it brings."""
    random = Random(f"{far}/{seed}")
    body = table(far)
    near_side = far.other
    before = seen(body, near_side)
    changed = False
    for step in range(60):
        was = seen(body, far)
        far_deed(body, far, random, push=step > 30)
        changed = changed or seen(body, far) != was
        body.advance(body.now + random.randrange(200 * MS))
        if body.tray_at is near_side:
            break
        assert seen(body, near_side) == before
    assert changed, "nothing happened on the far face: this test proves nothing"


def test_what_the_tray_brings_is_seen_when_it_arrives_and_not_before() -> None:
    body = table(ScreenSide.SW)
    before = seen(body, ScreenSide.NE)
    body.lay_call(Seat.S, ALL_BIDS[0])
    body.lay_call(Seat.W, PASS)
    body.push_tray(Seat.S)
    body.advance(body.travel.tray - 1 * MS)
    assert seen(body, ScreenSide.NE) == before
    body.advance(body.now + SECOND)
    here = sight_of(ScreenSide.NE, body, Seat.W, LAMPS)
    assert here.tray is not None
    assert here.tray.columns == {"N": [], "E": [], "S": ["1C"], "W": ["P"]}


def test_an_open_window_shows_the_far_seats_and_a_closed_one_does_not() -> None:
    body = table(ScreenSide.SW)
    body.lay_lead(Seat.W)
    assert sight_of(ScreenSide.NE, body, Seat.W, LAMPS).through is None
    body.drive_window(Direction.OPEN)
    body.advance(body.now + 3 * SECOND)
    through = sight_of(ScreenSide.NE, body, Seat.W, LAMPS).through
    assert through is not None
    assert through["W"].lead == "down"


def test_a_face_has_the_lamps_of_its_own_seats_only() -> None:
    body = table(ScreenSide.NE)
    assert set(sight_of(ScreenSide.NE, body, Seat.W, LAMPS).lamps) == {"summons.n", "summons.e", "hold.ne"}
    assert "window.lamp" in sight_of(ScreenSide.SW, body, Seat.W, LAMPS).lamps


# --- when it is sent


class Clock:
    """Time that passes only in `sleep`."""

    def __init__(self) -> None:
        self.now = 0.0
        self.at_next: dict[int, Callable[[], None]] = {}
        self._sleeps = 0

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        self._sleeps += 1
        self.at_next.get(self._sleeps, lambda: None)()


class Over(Exception):
    """Enough was sent."""


def traffic(happenings: dict[int, Callable[[ScenarioBody], None]], ticks: int) -> list[tuple[float, str]]:
    """What a half view of NE is sent and when, while things happen on SW at these ticks."""
    body, sights, clock = table(ScreenSide.SW), Sights(), Clock()
    sent: list[tuple[float, str]] = []

    def look() -> None:
        for side in ScreenSide:
            sights.show(sight_of(side, body, Seat.W, LAMPS))

    def at(tick: int) -> Callable[[], None]:
        def happen() -> None:
            body.advance(round(clock.now * SECOND))
            happenings.get(tick, lambda body: None)(body)
            look()

        return happen

    async def send(text: str) -> None:
        sent.append((clock.now, text))
        if len(sent) == ticks:
            raise Over

    look()
    clock.at_next = {tick: at(tick) for tick in range(1, ticks + 1)}
    with pytest.raises(Over):
        asyncio.run(feed("NE", sights, send, clock=clock.time, sleep=clock.sleep))
    return sent


def test_two_different_far_happenings_give_the_same_bytes_at_the_same_times() -> None:
    quick: dict[int, Callable[[ScenarioBody], None]] = {
        3: lambda body: body.lay_call(Seat.S, ALL_BIDS[4]),
        4: lambda body: body.lay_call(Seat.W, PASS),
    }
    slow: dict[int, Callable[[ScenarioBody], None]] = {
        5: lambda body: body.lay_call(Seat.S, PASS),
        9: lambda body: body.lift_call(Seat.S),
        13: lambda body: body.lay_call(Seat.W, DOUBLE),
        17: lambda body: body.press_director(Seat.W),
        20: lambda body: body.lay_lead(Seat.W),
    }
    one, other = traffic(quick, 40), traffic(slow, 40)
    assert one == other
    assert [round(at / TICK_S) for at, _ in one] == list(range(40))


def test_a_push_at_another_moment_changes_the_traffic_only_from_the_arrival_on() -> None:
    def push(body: ScenarioBody) -> None:
        body.push_tray(Seat.S)

    early, late = traffic({5: push}, 50), traffic({20: push}, 50)
    first = next(n for n, pair in enumerate(zip(early, late, strict=True)) if pair[0] != pair[1])
    assert first == 5 + 9, "the tray takes nine tenths of a second"
    assert [at for at, _ in early] == [at for at, _ in late]


def test_the_feed_is_given_nothing_but_one_face_and_a_clock() -> None:
    """What it is not given it cannot tell."""
    assert list(inspect.signature(feed).parameters) == ["face", "sees", "send", "clock", "sleep"]
    assert [name for name in vars(Sights) if not name.startswith("_")] == ["show", "sight"]
    for module in (half_feed, near):
        source = inspect.getsource(module)
        for word in ("bulletin", "session", "inside", "engine", "messages", "journal"):
            assert f"bench.{word} " not in source, f"{module.__name__} sees {word}"


# --- what may be done from there


def frame(side: ScreenSide, tray_on: ScreenSide) -> NearFrame:
    return sight_of(side, table(tray_on), Seat.W, LAMPS)


@pytest.mark.parametrize(
    "line",
    ["N 1C", "N takes 1C back", "E alerts", "tray to SW by N", "N pushes the tray", "N lifts the board"],
)
def test_without_the_tray_the_refusal_says_no_more_than_that(line: str) -> None:
    """Where it is instead, only the other face knows."""
    said: set[str] = set()
    for body in (table(ScreenSide.SW), table(ScreenSide.SW)):
        body.push_tray(Seat.S) if said else None
        body.advance(body.now + 300 * MS)
        with pytest.raises(NotFromHere) as refused:
            check_near(deed_of(line), "NE", sight_of(ScreenSide.NE, body, Seat.W, LAMPS))
        said.add(str(refused.value))
        assert refused.value.said.params == {}
    assert said == {"the tray is not here; wait until it comes"}


@pytest.mark.parametrize(
    "line", ["S 1C", "SW press auction over", "tray to NE by S", "cable pulled", "director holds"]
)
def test_one_face_does_nothing_for_the_other(line: str) -> None:
    with pytest.raises(NotFromHere):
        check_near(deed_of(line), "NE", frame(ScreenSide.NE, ScreenSide.NE))


@pytest.mark.parametrize("line", ["N 1C", "E P", "tray to SW", "N calls the director", "E opens the window"])
def test_its_own_seats_do_what_they_can(line: str) -> None:
    check_near(deed_of(line), "NE", frame(ScreenSide.NE, ScreenSide.NE))
