"""What is going on at the bench, and what its socket tells.

Must never be sent to a half-table view.
"""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from hw_sim.bench.contract.base import FaceName, Reason, RigName, SeatName, Shape, TableName
from hw_sim.bench.contract.table import TableFrame


class Setup(Shape):
    """What the table is made of. `pace`: waits and the regulations' seconds are divided by it (scenarios)."""

    table: TableName
    rig: RigName
    regulations: str
    pace: float


class Plugs(Shape):
    """True: plugged in, or running."""

    cable: bool
    controller: bool
    broker: bool
    console: bool


class LineResult(Shape):
    """One line of the scenario that is played. `met` None: not come to yet, or nothing is expected of it.

    `why`: why not, in English; `reason`: what a page words instead, where the deed could not be done.
    """

    number: int
    text: str
    met: bool | None
    why: str
    reason: Reason | None = None


class Playing(Shape):
    """`what`: hand (nobody plays by himself), record, scenario or lesson. `lines`: of a scenario.

    `line`: the number of the line played last. `ended`: it came to its end, or stopped (`said` says why).
    """

    what: Literal["hand", "record", "scenario", "lesson"]
    title: str
    paused: bool
    ended: bool
    speed: float
    style: str
    line: int | None
    lines: list[LineResult]
    lesson: str | None


WaitCode = Literal[
    "nothing",
    "board",
    "alert_left",
    "closing",
    "close_by_hand",
    "call",
    "tray",
    "passes_unshown",
    "lead",
    "leader_unknown",
    "unshown",
    "announce",
    "window_face",
    "wrong_lead",
    "handle",
    "opening",
    "open_by_hand",
    "blocked",
    "hold",
    "face",
    "clear",
    "card",
    "play",
    "claimed",
    "clear_lift",
    "lift",
]


class Waits(Shape):
    """What has to happen next, by what the controller has reported; whose it is to do, or on which face."""

    code: WaitCode
    seat: SeatName | None = None
    side: FaceName | None = None


class SessionFrame(Shape):
    """`state`: starting until the controller knows the table, then ready; broken where it could not start.

    `number` grows with every new table: what came before belongs to another journal. `last_ms`: how far the
    past reaches. `log`: how many deeds. `said`: the last thing that went wrong, one English sentence, or "";
    `reason`: the same, for a page to word.
    `misdeed`: of the players, waiting for its moment. `director`: who rules. `console`: address of the
    director's console, `login` the address that lets in once; "" where none runs.
    """

    number: int
    state: Literal["starting", "ready", "broken"]
    setup: Setup
    playing: Playing
    plugs: Plugs
    phase: str
    """As the controller last reported it: `setup`, `auction.ne`, ...; "" while nothing is known."""
    waits: Waits
    contract: str
    """As reported, `3NT`, `4SX`; "" while it is not known."""
    declarer: SeatName | None
    director: Literal["scripted", "you"]
    misdeed: str
    said: str
    reason: Reason | None = None
    last_ms: int
    log: int
    console: str
    login: str
    simulated: Literal[True] = True


Layer = Literal[
    "level", "reading", "wire", "event", "move", "effect", "entry", "fault", "visit", "command", "other"
]


class InsideItem(Shape):
    """One thing that was seen of the controller's inside, each with what caused it.

    `id` grows by one. `ms`: since the session began. `cause`: the id of the item it came of, None where
    nothing here caused it (time passing, a director's command, a start). `seq`: the journal's row. `name`: a
    signal (level, reading), a frame (wire), else the value's own name, as `TrayLeft`, `OpenWindow`,
    `INSUFFICIENT_BID,SUMMONS`. `text`: one line for a program's reader, not a sentence. `body`: the row's own
    value.

    Layers: *level* the copper as it is; *wire* frames both ways; *reading* debounced, as the device says it
    (on the wire; by GPIO the controller debounces and only events are seen); *event*, *move* (of the phase),
    *effect*, *entry* (an irregularity, whole, as it now is), *fault*, *visit*, *command*: journal rows.
    """

    id: int
    layer: Layer
    ms: int
    cause: int | None
    seq: int | None
    name: str
    text: str
    body: dict[str, JsonValue]


class LogLine(Shape):
    """A deed that was done, as a `.scn` file has it."""

    number: int
    ms: int
    text: str


class Hello(Shape):
    """The first message: everything so far. `levels`: every wire and reader by signal."""

    type: Literal["hello"] = "hello"
    session: SessionFrame
    table: TableFrame
    levels: dict[str, bool | str]
    inside: list[InsideItem]
    """The latest few hundred, without heartbeats of the wire."""
    log: list[LogLine]


class TableNews(Shape):
    """The table has changed."""

    type: Literal["table"] = "table"
    table: TableFrame


class SessionNews(Shape):
    """Whole, whenever any of it has changed. Where `number` has grown a `Hello` follows instead."""

    type: Literal["session"] = "session"
    session: SessionFrame


class InsideNews(Shape):
    type: Literal["inside"] = "inside"
    items: list[InsideItem]


class LogNews(Shape):
    type: Literal["log"] = "log"
    lines: list[LogLine]


News = Hello | TableNews | SessionNews | InsideNews | LogNews
