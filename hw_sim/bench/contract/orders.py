"""What a page may ask of the bench.

Must never name a file of this machine.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hw_sim.bench.contract.base import PlugName, RigName, Shape, TableName


class DeedOrder(Shape):
    """Any deed as a `.scn` line has it, without `->`: `N 1C`, `N takes 1C back`, `tray to SW by N`,
    `N alerts`, `N takes the alert card back` (once E has acknowledged), `W leads face down`,
    `W faces the lead`, `S announces the lead`, `S opens the window`, `S works the handle`,
    `N places board 7`, `N lifts the board`, `N calls the director`, `N clears his cards`, `S claims`,
    `N plays SQ`, `trick turned`, `N puts the hand back`, `NE press auction over`,
    `NE take the hands out`, `director rules on #1`, `director resumes` ...
    (`hw-sim scenario --words` has all).
    """

    line: str = Field(min_length=1, max_length=400)


class DoSetup(Shape):
    """A new table: new body, new controller, new journal. Whatever played ends. None: as it is."""

    do: Literal["setup"]
    table: TableName | None = None
    rig: RigName | None = None
    regulations: str | None = None


class DoPlayRecord(Shape):
    """Players begin to play a record, from board `board` (index into `Choices.records`' boards) on.

    `careless` players do something they should not on every board where one can.
    """

    do: Literal["record"]
    record: str
    board: int = Field(default=0, ge=0)
    style: str = "steady"
    speed: float = Field(default=1.0, gt=0, le=100)
    seed: int = 1


class DoPlayScenario(Shape):
    """A scenario by its id in `Choices.scenarios`, at a table made for it."""

    do: Literal["scenario"]
    scenario: str
    pace: float = Field(default=20.0, ge=1, le=60)


class DoPlayLesson(Shape):
    """A lesson by its id, and which of its scenarios."""

    do: Literal["lesson"]
    lesson: str
    play: int = Field(default=0, ge=0)
    pace: float = Field(default=20.0, ge=1, le=60)
    paused: bool = False
    """The table is laid, and nothing is done until somebody orders `play` or `step`."""


class DoPlay(Shape):
    """Go on. Only players and script are ever paused: the table's and the controller's time goes on."""

    do: Literal["play"]


class DoPause(Shape):
    do: Literal["pause"]


class DoStep(Shape):
    """One more deed (of a scenario: one more line), then pause."""

    do: Literal["step"]


class DoStop(Shape):
    """Nobody plays by himself any more; the table stays as it is, for hands."""

    do: Literal["stop"]


class DoSpeed(Shape):
    """Players' own time is divided by it; hardware and controller are as they are."""

    do: Literal["speed"]
    speed: float = Field(gt=0, le=100)


class DoStyle(Shape):
    do: Literal["style"]
    style: str


class DoBack(Shape):
    """Back to a moment of this session, to go on from there: a new table at which all deeds up to `ms` are
    done again, as fast as hardware lets; then it is paused."""

    do: Literal["back"]
    ms: int = Field(ge=0)


class DoDirector(Shape):
    """Who rules: a scripted director at once, or you, by deeds of `director` or at the console."""

    do: Literal["director"]
    who: Literal["scripted", "you"]


Control = Annotated[
    DoSetup
    | DoPlayRecord
    | DoPlayScenario
    | DoPlayLesson
    | DoPlay
    | DoPause
    | DoStep
    | DoStop
    | DoSpeed
    | DoStyle
    | DoBack
    | DoDirector,
    Field(discriminator="do"),
]


class MisdeedOrder(Shape):
    """By name with its parameters, as text. Of the hardware: now. Of the players: at its next moment on the
    board being played, else on the next board where it can be done; players begin to play where none do."""

    name: str
    options: dict[str, str] = Field(default_factory=dict)


class PlugOrder(Shape):
    what: PlugName
    plugged: bool


class ScenarioText(Shape):
    """A `.scn` file's text; `name` for messages."""

    text: str = Field(max_length=200_000)
    name: str = Field(default="uploaded", max_length=80)
    pace: float = Field(default=20.0, ge=1, le=60)


class RetellOrder(Shape):
    regulations: str
