"""What the bench answers, and what there is to choose.

Must never hold more than was asked for.
"""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from hw_sim.bench.contract.base import Reason, RigName, Shape, TableName
from hw_sim.bench.contract.table import TableFrame


class Done(Shape):
    done: Literal[True] = True


class Problem(Shape):
    """A refusal. `code`: of what sort it is. `reason`: what a page words in its reader's language.

    `text`: the same in one English sentence that says what to do, for programs. `field`: the key it is about,
    or "".
    """

    code: Literal["not-understood", "impossible", "unknown", "absent", "busy", "foreign"]
    text: str
    reason: Reason | None = None
    field: str = ""


class Past(Shape):
    """How things stood then. `inside`: id of the last item; `log`: how many deeds were done."""

    ms: int
    table: TableFrame
    inside: int
    log: int
    phase: str


class Difference(Shape):
    """After row `seq`: what was told live and what the other profile would have told.

    Each as `{"stream": ..., "body": ...}`, the journal's own shape. `item`: the inside item of the row's
    event, where it is known.
    """

    seq: int
    item: int | None
    live: list[dict[str, JsonValue]]
    retold: list[dict[str, JsonValue]]


class OtherMoment(Shape):
    """A window order at another row than live; None: not given at all there."""

    order: str
    live: int | None
    retold: int | None


class Retold(Shape):
    """`entries`: as the other profile has them, whole (the journal's shape). `same`: nothing differs."""

    regulations: str
    same: bool
    events: int
    entries: list[dict[str, JsonValue]]
    differences: list[Difference]
    other_moments: list[OtherMoment]


class Move(Shape):
    trigger: str
    source: str
    dest: str


class Diagram(Shape):
    """The phase machine as the controller draws it: leaves by full name (`auction.ne`), moves between them.

    A move from or to a phase that has inner ones is told from each of them.
    """

    regulations: str
    phases: list[str]
    moves: list[Move]


class RecordBoard(Shape):
    number: int | None
    title: str
    """Contract and declarer, as `4S by N`, or `passed out`."""


class RecordChoice(Shape):
    id: str
    boards: list[RecordBoard]


class ScenarioChoice(Shape):
    id: str
    shows: str
    regulations: str
    table: TableName


class Words(Shape):
    """The same in both languages."""

    en: str
    zh: str


class LessonPlay(Shape):
    """One scenario of a lesson. `id`: as `01a`."""

    id: str
    shows: str
    regulations: str


class LessonChoice(Shape):
    """A case as a lesson. `see`: three sentences on what to see."""

    id: str
    title: Words
    see: list[Words]
    plays: list[LessonPlay]


class MisdeedChoice(Shape):
    """`whose`: players or hardware. `options`: name to what it is by itself. `needs`: a rig or record part,
    of the hardware: input, motor, cable or host. `what`: one clause in English. `kinds`: reported for it,
    where that is certain. `regulations`: the only profile it exists under, or ""."""

    name: str
    whose: Literal["players", "hardware"]
    what: str
    options: dict[str, str]
    needs: str
    kinds: list[str]
    regulations: str


class Choices(Shape):
    """`calls`: all 38, as their cards are named. `signals`: inputs this table has, for misdeeds' `signal`."""

    lang: Literal["en", "zh-CN"]
    tables: list[TableName]
    rigs: list[RigName]
    regulations: list[str]
    styles: list[str]
    records: list[RecordChoice]
    scenarios: list[ScenarioChoice]
    lessons: list[LessonChoice]
    misdeeds: list[MisdeedChoice]
    signals: list[str]
    calls: list[str]
