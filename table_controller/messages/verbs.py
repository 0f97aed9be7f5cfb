"""Commands as the console sends them: one model of arguments a verb.

An argument is plain text and numbers; `commands.events_of` makes core events of it. Must never decide whether
a command may be carried out: that is the gate's and the core's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from table_controller.messages.fields import Count, Line, Model, Name, Text, Ulid, Value, Wall, Whole
from table_controller.messages.topics import Verb

Call = Annotated[str, StringConstraints(strict=True, pattern=r"^(P|X|XX|[1-7](C|D|H|S|NT))$")]
Bid = Annotated[str, StringConstraints(strict=True, pattern=r"^[1-7](C|D|H|S|NT)$")]
Seat = Literal["N", "E", "S", "W"]
Vulnerability = Literal["None", "NS", "EW", "Both"]
Entries = Annotated[tuple[Count, ...], Field(max_length=200)]


LONGEST_ARGS = 12 * 1024
"""Bytes. The event that comes of a command is a row, and a row must fit into a message."""
TOO_LONG = "order_too_long"
LONGEST_AUCTION = 319
"""Three passes, then every bid doubled and redoubled with two passes before each, and three passes."""


class _Args(Model):
    why: Text = ""
    """The director's reason in his own words; may be empty."""

    @model_validator(mode="after")
    def _fit_into_a_row(self) -> Self:
        length = len(self.model_dump_json(exclude_defaults=True).encode())
        if length > LONGEST_ARGS:
            raise PydanticCustomError(
                TOO_LONG,
                "the order has {length} bytes, at most {most} can be kept in one report; shorten its texts",
                {"length": length, "most": LONGEST_ARGS},
            )
        return self


class HoldArgs(_Args):
    """Stop the procedure here."""


class ResumeArgs(_Args):
    reasons: Annotated[tuple[Line, ...], Field(max_length=50)] = ()
    """Which holds end; none named: all of them."""


class TrayBackArgs(_Args):
    """Let the tray go back to the other face."""


class WindowArgs(_Args):
    """Open or close the window by the director's own order."""


class RulingArgs(_Args):
    entries: Entries = ()
    """The entries this ruling closes."""
    verdict: Literal["accept", "cancel", "oblige", "other"]
    text: Text = ""
    seat: Seat | None = None
    """With `oblige`: who must pass."""
    turns: Annotated[int, Field(strict=True, ge=1, le=99)] | None = None
    """With `oblige`: for how many turns; null: whenever it is his turn."""


class CallWrong(Model):
    what: Literal["call"] = "call"
    index: Count
    """Which call, from 0, in the order made."""
    call: Call | None
    """What it was; null: there never was one."""


class AuctionWrong(Model):
    what: Literal["auction"] = "auction"
    calls: Annotated[tuple[tuple[Seat, Call], ...], Field(max_length=LONGEST_AUCTION)]


class BoardWrong(Model):
    what: Literal["board"] = "board"
    number: Annotated[int, Field(strict=True, ge=1)] | None = None
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None


class DealerWrong(Model):
    what: Literal["dealer"] = "dealer"
    dealer: Seat


class VulnerabilityWrong(Model):
    what: Literal["vulnerability"] = "vulnerability"
    vulnerability: Vulnerability


class ContractWrong(Model):
    what: Literal["contract"] = "contract"
    bid: Bid | None
    """Null: passed out."""
    doubled: Annotated[int, Field(strict=True, ge=0, le=2)] = 0
    declarer: Seat | None = None


class LeaderWrong(Model):
    what: Literal["leader"] = "leader"
    seat: Seat


class PhaseWrong(Model):
    what: Literal["phase"] = "phase"
    phase: Line


class EntryWrong(Model):
    """The entry was a misreading of the sensors."""

    what: Literal["entry"] = "entry"
    entry: Count


Wrong = Annotated[
    CallWrong
    | AuctionWrong
    | BoardWrong
    | DealerWrong
    | VulnerabilityWrong
    | ContractWrong
    | LeaderWrong
    | PhaseWrong
    | EntryWrong,
    Field(discriminator="what"),
]


class CorrectArgs(_Args):
    """What the table believes is wrong; this is how it is."""

    correction: Wrong


class ClassifyArgs(_Args):
    """What a summons was about."""

    entry: Count
    subject: Literal["tempo", "call", "tray", "alert", "lead", "other"]
    about: Seat | None = None


class BoardArgs(Model):
    number: Annotated[int, Field(strict=True, ge=1)]
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None


Seconds = Annotated[int, Field(strict=True, ge=1, le=100_000)]
Times = Annotated[int, Field(strict=True, ge=0, le=1000)]


class PlanArgs(Model):
    """How the session is timed. Times allowed are for both sides together, but for `pair_seconds`."""

    contest: Literal["teams_vp", "teams_knockout", "pairs_matchpoints", "pairs_imp"] | None = None
    start_ms: Whole | None = None
    """When it is to begin: Unix ms on the console's clock."""
    minutes: Annotated[int, Field(strict=True, ge=1, le=1000)] | None = None
    """For a board; `board_seconds` stands above it."""
    board_seconds: Seconds | None = None
    round_seconds: Seconds | None = None
    """For all boards of the session."""
    pair_seconds: Seconds | None = None
    """For each pair, a board; null: half of the board's."""
    regulations: Line = ""
    """The id of the profile it is played under."""
    late_before: Times = 0
    slow_before: Times = 0
    forfeits_before: Times = 0


class SessionArgs(_Args):
    """What is to be played at this table."""

    session: Name
    boards: Annotated[tuple[BoardArgs, ...], Field(max_length=200)] = ()
    players: dict[Seat, Name] = Field(default_factory=dict)
    """Opaque tokens by seat, never names."""
    alerts_waived: Annotated[tuple[Line, ...], Field(max_length=10)] = ()
    plan: PlanArgs = PlanArgs()
    """Form of contest, start, time allowed, profile, and what came before."""


class ReplayArgs(_Args):
    """Send these rows again, the same messages with the same identity."""

    epoch: Name
    first: Annotated[int, Field(strict=True, ge=1)]
    last: Annotated[int, Field(strict=True, ge=1)]


class AcknowledgeArgs(_Args):
    """The director has seen these entries and faults. Kept with the record; closes nothing."""

    entries: Entries = ()
    faults: Entries = ()


Args = (
    HoldArgs
    | ResumeArgs
    | TrayBackArgs
    | RulingArgs
    | CorrectArgs
    | ClassifyArgs
    | WindowArgs
    | SessionArgs
    | ReplayArgs
    | AcknowledgeArgs
)

ARGS: dict[Verb, type[Args]] = {
    Verb.HOLD: HoldArgs,
    Verb.RESUME: ResumeArgs,
    Verb.TRAY_BACK: TrayBackArgs,
    Verb.RULING: RulingArgs,
    Verb.CORRECT: CorrectArgs,
    Verb.CLASSIFY: ClassifyArgs,
    Verb.OPEN_WINDOW: WindowArgs,
    Verb.CLOSE_WINDOW: WindowArgs,
    Verb.SESSION: SessionArgs,
    Verb.REPLAY: ReplayArgs,
    Verb.ACKNOWLEDGE: AcknowledgeArgs,
}


def args_too_long(verb: Verb, args: Mapping[str, object]) -> bool:
    """Whether a table would refuse these arguments for their length."""
    try:
        ARGS[verb].model_validate(dict(args))
    except ValidationError as error:
        return any(problem["type"] == TOO_LONG for problem in error.errors(include_url=False))
    return False


MOVES_HARDWARE = frozenset({Verb.OPEN_WINDOW, Verb.CLOSE_WINDOW, Verb.TRAY_BACK, Verb.RESUME})
"""Verbs after which something may move: they must name the state they were given in (`expect_rev`)."""


class CommandBody(Model):
    """One command. The verb is the last word of the envelope's type."""

    id: Ulid
    issued: Wall
    """When the director gave it, on the console's clock."""
    deadline: Wall
    """After this it must not be carried out."""
    expect_rev: Whole | None = None
    """The state revision the director saw. Needed by what moves hardware; checked wherever given."""
    seen_ms: Count | None = None
    """`mono_ms` of the table's snapshot this rests on: lets a table without a clock tell how old it is."""
    by: Line
    """Who: a role or initials."""
    args: Value
