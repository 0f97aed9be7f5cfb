"""What may reach whom: the table in docs/access.md, held against what the product tells each of them.

A channel is all that somebody is told: at a seat the lamps, on a public screen the public messages, at the
console every page and every live part of it, at the broker every message. Each row has a mark that can be
looked for. At a seat nothing is written anywhere: there two evenings that differ in one thing must light the
same lamps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from table_controller.config.checks import OUTPUT_NAMES
from table_controller.laws.call import parse_call
from table_controller.laws.card import parse_card
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.messages import BODIES, sealed
from table_controller.messages.codec import Json, to_json
from table_controller.messages.topics import Verb
from table_controller.screen import effects, events as ev
from table_controller.screen.effects import CallShown
from table_controller.screen.entry import Certainty, FaultKind, Mover, Share, Visit
from table_controller.screen.times import TimeColumns
from tests.director_console.generator import Sent
from tests.director_console.playing import Playing
from tests.director_console.timed import board_time, pace_of, pace_row, time_row
from tests.director_console.web_rig import PASSWORD, WebRig
from tests.screen.driving import Driver

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = ("player", "screenmate", "other face", "spectator", "public screen", "director", "observer",
           "broker's operator")  # fmt: skip
TOLD = {"yes": True, "no": False, "by eye": False, "with a reason": True, "sealed": True}
TOKEN, RULING, COMPONENT, CARD, THINKING = "tok-zebra-1", "zebra crossing ruling", "zebra.sensor", "H7", 13.7
DECISION, USED, USED_MS = "zebra late bus", "37:11", 2_231_000


def table() -> dict[str, dict[str, str]]:
    """The table of the page: row -> column -> cell."""
    text = (ROOT / "docs" / "access.md").read_text(encoding="utf-8")
    section = text.partition("## What may reach whom")[2].partition("\n## ")[0]
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line[:1] == "|"
    ]
    head, _, *rows = lines
    assert tuple(head[1:]) == COLUMNS
    return {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rows}


PAGE = table()
ROWS = list(PAGE)


def test_every_cell_of_the_page_is_one_of_the_words_it_explains() -> None:
    assert len(ROWS) == 16
    assert {cell for row in PAGE.values() for cell in row.values()} == set(TOLD)


# --- at the table: two evenings that differ in one thing


def lamps(driver: Driver, side: ScreenSide, seat: Seat) -> list[str]:
    """All that can light up at this seat, in order."""
    found = []
    for effect in driver.effects:
        match effect:
            case effects.HoldTray(side=lit) if lit is side:
                found.append("hold on")
            case effects.ReleaseTray(side=lit) if lit is side:
                found.append("hold off")
            case effects.LightSummons(seat=at, on=on) if at is seat:
                found.append(f"summons {'on' if on else 'off'}")
            case _:
                pass
    return found


def evening(
    *,
    near: tuple[str, str] = ("1C", "P"),
    far: tuple[str, str] = ("1H", "P"),
    thinking: float = 1.0,
    mover: str | None = None,
    fault: bool = False,
    tokens: bool = False,
    ruling: str | None = None,
    summons: str | None = None,
) -> Driver:
    """North and East call, the tray crosses, South and West call; before it comes back."""
    driver = Driver()
    if tokens:
        players = tuple((seat, f"{TOKEN}{seat}") for seat in Seat)
        driver.order(ev.SessionOpened, session="s", boards=(), players=players)
    driver.ready()
    driver.call("N", near[0], thinking).call("E", near[1], thinking)
    if fault:
        driver.send(ev.FaultSeen, kind=FaultKind.WINDOW_JAMMED, component=COMPONENT)
    if mover is not None:
        driver.send(ev.TrayHandled, seat=Seat(mover), held=True)
    driver.crosses(thinking)
    if mover is not None:
        driver.send(ev.TrayHandled, seat=Seat(mover), held=False)
    driver.call("S", far[0], thinking).call("W", far[1], thinking)
    if summons is not None:
        driver.summons(summons)
    if ruling is not None and driver.entries:
        driver.order(ev.Ruled, entries=tuple(driver.entries), verdict=ev.Verdict.OTHER, text=ruling)
    return driver


def at_seat(made: Driver, column: str) -> list[str]:
    """The lamps at North's seat (player), East's (his screenmate) or South's (the other face)."""
    side, seat = {
        "player": (ScreenSide.NE, Seat.N),
        "screenmate": (ScreenSide.NE, Seat.E),
        "other face": (ScreenSide.SW, Seat.S),
    }[column]
    return lamps(made, side, seat)


PAIRS: dict[str, tuple[Callable[[], Driver], Callable[[], Driver]]] = {
    "a call before the tray has crossed": (
        lambda: evening(near=("1C", "P"), far=("1H", "P")),
        lambda: evening(near=("2S", "3D"), far=("X", "5C")),
    ),
    "the auction both faces have seen": (
        lambda: evening(),
        lambda: evening(near=("P", "1NT"), far=("2C", "X")),
    ),
    "figures of thinking, holding and crossing": (lambda: evening(), lambda: evening(thinking=THINKING)),
    "time each pair has used, boards that are over": (lambda: evening(), lambda: evening(thinking=THINKING)),
    "what a director decided about time": (
        lambda: evening(summons="W", ruling="short"),
        lambda: evening(summons="W", ruling=DECISION),
    ),
    "cards played": (
        lambda: Driver().opened("1C P P P").faces("E"),
        lambda: Driver().opened("1C P P P").faces("E").cards(f"E:{CARD}", "S:H2", "W:H3", "N:H4"),
    ),
    "who moved tray or window": (lambda: evening(mover="N"), lambda: evening(mover="E")),
    "irregularities and possible courses": (
        lambda: evening(near=("1C", "P"), far=("1H", "P")),
        lambda: evening(near=("1C", "P"), far=("1H", "1S")),
    ),
    "a ruling's text": (
        lambda: evening(summons="W", ruling="short"),
        lambda: evening(summons="W", ruling=RULING),
    ),
    "faults of sensors, motor, links": (lambda: evening(), lambda: evening(fault=True)),
    "tokens of the players at a table": (lambda: evening(), lambda: evening(tokens=True)),
}
LAMP_ROWS = {
    "lamp: a call is owed on this face": "hold",
    "lamp: the director is coming (at the caller's seat)": "summons",
}


@pytest.mark.parametrize("column", ["player", "screenmate", "other face"])
@pytest.mark.parametrize("row", PAIRS)
def test_at_a_seat_the_lamps_tell_nothing_of_it(row: str, column: str) -> None:
    one, other = (make() for make in PAIRS[row])
    assert one.log != other.log
    assert at_seat(one, column) == at_seat(other, column)
    assert not TOLD[PAGE[row][column]]


def test_the_two_lamps_light_for_those_the_page_names() -> None:
    made = evening(summons="N")
    for row, word in LAMP_ROWS.items():
        for column in ("player", "screenmate"):
            lit = any(word in lamp for lamp in at_seat(made, column))
            assert lit == TOLD[PAGE[row][column]], (row, column)
    before = Driver().ready()
    assert at_seat(before, "player") == ["hold on"]
    assert at_seat(before, "other face") == [], "what is owed over there lights nothing here"
    assert not any("summons" in lamp for lamp in at_seat(made, "other face"))


def test_there_is_no_other_way_to_somebody_at_the_table() -> None:
    assert set(OUTPUT_NAMES) == {
        *("window.motor", "window.latch", "window.lamp", "window.lamp.close"),
        *("hold.ne", "hold.sw"),
        *("summons.n", "summons.e", "summons.s", "summons.w"),
    }


# --- everything that is sent and shown


class Told:
    """What each of the others was told in one evening that has every mark in it."""

    def __init__(self, rig: WebRig) -> None:
        self.rig = rig
        self.playing = Playing("7", rig.keys, 1)
        self.sent = self._spoken()
        rig.hear(*self.sent)
        self._act()
        self.director, self.observer = (self._shown(rig.login(name)) for name in ("ben", "olga"))
        self.chief = self._shown(rig.client)
        ben = rig.login("ben")
        rig.post("/tables/7", "/tables/7/reveal", {"reason": "appeal"}, client=ben)
        self.after_a_reason = self._shown(ben)
        refused = rig.login("olga").post("/tables/7/reveal", data={"csrf": "x", "reason": "appeal"})
        assert refused.status_code == 403

    def _spoken(self) -> list[Sent]:
        """The table's side."""
        playing, wired = self.playing, self.playing.wired
        mover = Mover(seat=Seat.N, certainty=Certainty.KNOWN)
        shown = (
            CallShown(seat=Seat.N, call=parse_call("6D"), sides=(ScreenSide.NE, ScreenSide.SW)),
            CallShown(seat=Seat.E, call=parse_call("7NT"), sides=(ScreenSide.NE,)),
        )
        sent = list(playing.hello())
        view = replace(playing.view, phase="auction.ne", calls=shown)
        visit = Visit(
            board=view.board,
            ordinal=1,
            screen_side=ScreenSide.NE,
            arrived=10**9,
            left=30 * 10**9,
            shares=(Share(seat=Seat.N, thinking=round(THINKING * 1e9), call=parse_call("6D")),),
            hold=2 * 10**9,
            transit=10**9,
            mover=mover,
        )
        orders = (effects.HoldTray(side=ScreenSide.NE), effects.LightSummons(seat=Seat.N, on=True))
        return [
            *sent,
            wired.view(view),
            wired.visit(visit),
            wired.event(ev.CardPlayed(at=9_000_000_000, seat=Seat.N, card=parse_card(CARD))),
            wired.entry(replace(playing.entry(), mover=mover)),
            wired.fault(playing.fault(FaultKind.SENSOR_SUSPECT, COMPONENT)),
            *(wired.log("order", to_json(order)) for order in orders),
            time_row(wired, board_time(1, 1000, TimeColumns(ns=USED_MS, ew=9000), session="s1")),
            pace_row(wired, pace_of(1000, 1, 1)),
            wired.state(view),
        ]

    def _act(self) -> None:
        """The director's side: a line-up, and a ruling."""
        rig = self.rig
        page = f"/cases/7/{self.playing.wired.epoch}/1"
        assert rig.post(page, f"{page}/rule", {"verdict": "other", "text": RULING}).status_code == 303
        html = rig.client.get("/session").text
        contest = re.search(r'name="contest".*?<option[^>]*value="([^"]+)"', html, re.S)
        assert contest
        fields = {"session": "s1", "contest": contest[1], "minutes": "8", "boards": "1-4", "tables": "7",
                  "lineup": f"7: {TOKEN} b c d", "regulations": "ccba-2006"}  # fmt: skip
        assert rig.post("/session", "/session", fields).status_code == 303
        rig.until_sent(Verb.SESSION)
        rig.until_sent(Verb.RULING)
        decided = {"matter": "slow", "verdict": "nothing", "reason": DECISION}
        assert rig.post("/tables/7/time", "/tables/7/time/decide", decided).status_code == 303
        for fields in ({"act": "set", "round": "3", "minutes": "20"}, {"act": "start"}):
            assert rig.post("/session", "/round", fields).status_code == 303
        rig.until(lambda: any(body["round"] == 3 for body in rig.wire.of("public/clock")))

    def _shown(self, client: httpx.Client) -> str:
        """Every page and every live part of one."""
        epoch = self.playing.wired.epoch
        case = f"7/{epoch}/1"
        pages = ["/", "/queue", "/tables/7", f"/cases/{case}", "/system", "/session", "/shift", "/evidence"]
        pages += ["/tables/7/time"]
        parts = (
            "tile:7 strip links queue: alarms: alarms:7 table:7 auction:7 tempo:7 log:7 commands:7 system: "
            "session: clock: round: time:7 boards:7 evening:7"
        )
        keys = [*parts.split(), f"case:{case}", f"commands:{case}"]
        shown = [client.get(page).text for page in pages]
        live = client.get("/api/changes", params=[("since", "0"), *(("key", key) for key in keys)])
        shown += live.json()["html"].values()
        return "\n".join(shown)

    @property
    def public(self) -> str:
        """What anybody in the hall is shown, and what a public screen may read."""
        stranger = self.rig.stranger()
        published = [json.dumps(message) for topic, message, _ in self.rig.wire.sent if "/public/" in topic]
        assert published
        return "\n".join((*published, *(stranger.get(page).text for page in ("/public", "/public/state"))))

    @property
    def operator(self) -> str:
        """Every message that passed the broker."""
        theirs = [sent.payload.decode() for sent in self.sent]
        ours = [json.dumps(message, ensure_ascii=False) for _, message, _ in self.rig.wire.sent]
        return "\n".join((*theirs, *ours, *public_messages(self.rig)))


def public_messages(rig: WebRig) -> list[str]:
    """What a public screen may read: each of its types, with every field filled."""
    bodies: dict[str, dict[str, Json]] = {
        "public/clock": {"round": 3, "running": True, "remaining_ms": 61_000, "label": "Round 3"},
        "public/tables": {"delayed": {"7": True, "9": False}},
    }
    assert set(bodies) == {kind for kind in BODIES if kind.startswith("public/")}
    for kind, body in bodies.items():
        model = BODIES[kind]
        assert set(body) | {"ends"} >= set(model.model_fields), f"{kind} says more than the page knows of"
    envelope = rig.running.desk.dispatch.envelope
    return [sealed(envelope(kind, body, rig.now()), rig.keys.venue).decode() for kind, body in bodies.items()]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    rig = WebRig(tmp_path_factory.mktemp("console"))
    yield Told(rig)
    rig.close()


MARKS: dict[str, str] = {
    "a call before the tray has crossed": r'7<span class="nt">|"7NT"',
    "the auction both faces have seen": r'6<span class="suit diamonds">|"6D"',
    "lamp: a call is owed on this face": r"hold the tray on NE|HoldTray",
    "lamp: the director is coming (at the caller's seat)": r"Lamp at North|LightSummons",
    "figures of thinking, holding and crossing": r"13\.7 s|\b13700000000\b",
    "time each pair has used, boards that are over": rf"\b{USED}\b|\b{USED_MS}\b",
    "what a director decided about time": DECISION,
    "cards played": rf"\b{CARD}\b",
    "who moved tray or window": r'North \(known\)|"mover":',
    "irregularities and possible courses": r"does not outrank|INSUFFICIENT_BID",
    "a ruling's text": RULING,
    "faults of sensors, motor, links": re.escape(COMPONENT),
    "tokens of the players at a table": TOKEN,
    "round clock; table on time or delayed": r'"remaining_ms"|"delayed"',
}


def found(row: str, text: str) -> bool:
    return re.search(MARKS[row], text) is not None


@pytest.mark.parametrize("row", MARKS)
def test_the_brokers_operator_can_read_what_passes_as_the_page_says(told: Told, row: str) -> None:
    assert found(row, told.operator) == TOLD[PAGE[row]["broker's operator"]]


@pytest.mark.parametrize("column", ["public screen", "spectator"])
@pytest.mark.parametrize("row", MARKS)
def test_a_public_screen_shows_what_the_page_says(told: Told, row: str, column: str) -> None:
    assert found(row, "\n".join(public_messages(told.rig))) == TOLD[PAGE[row][column]]
    assert found(row, told.public) == TOLD[PAGE[row][column]]


SHOWN_ON_PAGES = [row for row in MARKS if not row.startswith("round clock")]


@pytest.mark.parametrize("row", SHOWN_ON_PAGES)
def test_the_director_sees_what_the_page_says_and_some_of_it_only_for_a_reason(told: Told, row: str) -> None:
    cell = PAGE[row]["director"]
    assert found(row, told.director) == (cell == "yes")
    assert found(row, told.after_a_reason) == TOLD[cell]


@pytest.mark.parametrize("row", SHOWN_ON_PAGES)
def test_an_observer_sees_what_the_page_says(told: Told, row: str) -> None:
    assert found(row, told.observer) == TOLD[PAGE[row]["observer"]]


def test_the_chief_director_alone_sees_the_line_up_he_laid_down(told: Told) -> None:
    assert TOKEN in told.chief
    assert not found("cards played", told.chief), "for his rank alone he is shown nothing more"
    assert not found("figures of thinking, holding and crossing", told.chief)


def test_a_reason_is_kept(told: Told) -> None:
    acts = told.rig.running.console.reader.execute("SELECT by, act, detail FROM audit WHERE act = 'revealed'")
    [(by, _, detail)] = list(acts)
    assert by == "ben"
    assert json.loads(detail)["reason"] == "appeal"


def test_keys_passwords_and_names_are_nobodys_business(told: Told) -> None:
    secrets = [key.hex() for key in (*told.rig.keys.tables.values(), told.rig.keys.venue)] + [PASSWORD]
    for text in (told.director, told.observer, told.after_a_reason, told.operator):
        assert not [secret for secret in secrets if secret in text]
    for row in ("keys, passwords, codes", "names of players"):
        assert not any(TOLD[cell] for cell in PAGE[row].values())
    fields = {name for body in BODIES.values() for name in body.model_fields}
    assert not [name for name in fields if "name" in name.lower() or "password" in name.lower()]


def test_every_row_of_the_page_is_held_against_something() -> None:
    assert set(ROWS) == set(MARKS) | {"keys, passwords, codes", "names of players"}
    assert set(PAIRS) | set(LAMP_ROWS) | {"round clock; table on time or delayed"} == set(MARKS)
