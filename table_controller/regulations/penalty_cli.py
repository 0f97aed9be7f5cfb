"""`table-controller penalty`: what the tables for late, slow and forfeit say of one case.

The word is the articles' own; what is printed is an indication, and the director decides. Must never pick one
of two readings. Bad input ends with exit code 2 and one sentence.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperCommand

from table_controller.laws.seat import Partnership
from table_controller.regulations import clock, forfeits
from table_controller.regulations.cli import AsJson, Language, Supplements, loaded, refuse
from table_controller.regulations.load import DEFAULT
from table_controller.regulations.penalty_show import (
    Used,
    forfeit_lines,
    nothing,
    plain_indication,
    plain_source,
    show_indication,
    show_slow,
    show_used,
)
from table_controller.regulations.sheet import source_text
from table_controller.regulations.time_tables import Contest, ForfeitTable, UnplayedBoards
from table_controller.regulations.values import Plain, plain
from table_controller.words import Lang, word

if TYPE_CHECKING:
    from typer._click.core import Context

app = typer.Typer(
    no_args_is_help=True,
    help="What the tables for late, slow and forfeit say of one case: an indication, the director decides.",
    epilog="Example: table-controller penalty late teams-vp 7.0",
)


class Form(StrEnum):
    """The contests as they are typed; an individual follows the tables for pairs."""

    TEAMS_VP = "teams-vp"
    TEAMS_KNOCKOUT = "teams-knockout"
    PAIRS_MATCHPOINTS = "pairs-matchpoints"
    PAIRS_IMP = "pairs-imp"
    INDIVIDUAL_MATCHPOINTS = "individual-matchpoints"
    INDIVIDUAL_IMP = "individual-imp"

    @property
    def contest(self) -> Contest:
        return Contest(self.value.replace("individual", "pairs").replace("-", "_"))


class Responsible(StrEnum):
    BOTH = "both"
    NS = "NS"
    EW = "EW"


class ForfeitForm(StrEnum):
    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    BOARD_A_MATCH = "board-a-match"
    PAIRS_MATCHPOINTS = "pairs-matchpoints"
    PAIRS_IMP = "pairs-imp"


Contests = Annotated[Form, typer.Argument(help="The form of the contest.")]
Minutes = Annotated[str, typer.Argument(help="Minutes over, as 7, 7.5 or 7:30.")]
Earlier = Annotated[int, typer.Option("--earlier", min=0, help="How often this was so before.")]
Profile = Annotated[str, typer.Option("--regulations", metavar="ID", help="A profile's id or file.")]


def nanoseconds_of(text: str) -> int:
    """`7`, `7.5` (minutes) or `7:30` (minutes and seconds). Exits with code 2 on anything else."""
    if found := re.fullmatch(r"(\d+):([0-5]\d)", text):
        return int(found[1]) * clock.NS_PER_MIN + int(found[2]) * clock.NS_PER_MIN // 60
    try:
        minutes = Decimal(text)
    except InvalidOperation:
        minutes = Decimal("NaN")
    if not minutes.is_finite() or minutes < 0:
        refuse(f"minutes: {text!r} is no time; minutes are 0 or more, as 7, 7.5 or 7:30")
    return int(minutes * clock.NS_PER_MIN)


NS_PER_S = 1_000_000_000


class _Times(TyperCommand):
    """Says of `-5` that it is no time, where it would be called an option that there is not."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        for word_given in args:
            if re.fullmatch(r"-\d[\d.:]*", word_given):
                refuse(f"{word_given!r} is less than nothing; minutes are 0 or more, as 7, 7.5 or 7:30")
        return super().parse_args(ctx, args)


@app.command(cls=_Times, epilog="Example: table-controller penalty late teams-knockout 12.2")
def late(
    form: Contests,
    minutes: Minutes,
    earlier: Earlier = 0,
    profile: Profile = DEFAULT,
    supplement: Supplements = None,
    lang: Language = Lang.EN,
    as_json: AsJson = False,
) -> None:
    """A table that was late."""
    regs = loaded(profile, supplement)
    found = clock.late(regs, form.contest, nanoseconds_of(minutes), earlier)
    if found is None:
        nothing(regs, bool(regs.clock.late.value.rows(form.contest)), lang, as_json)
    elif as_json:
        typer.echo(json.dumps(plain_indication(found), ensure_ascii=False))
    else:
        show_indication(found, lang)


@app.command(
    cls=_Times,
    epilog="Example: table-controller penalty slow teams-vp 9.5 --responsible both\n\n"
    "Example: table-controller penalty slow teams-vp --took 124 --boards 13 --per-board 4 --used 78:00 46:00",
)
def slow(
    form: Contests,
    minutes: Annotated[
        str | None, typer.Argument(help="Minutes over, as 7, 7.5 or 7:30; left out with --took.")
    ] = None,
    earlier: Earlier = 0,
    responsible: Annotated[
        Responsible, typer.Option(help="Whom the director finds responsible.")
    ] = Responsible.BOTH,
    took: Annotated[
        str | None, typer.Option(help="Time from the start to the end; needs --boards, --per-board.")
    ] = None,
    used: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="NS EW", help="Time used by each; needs --boards, --per-board."),
    ] = None,
    boards: Annotated[int | None, typer.Option(min=1, help="Boards actually played.")] = None,
    per_board: Annotated[str | None, typer.Option(help="Minutes a board allowed to each pair.")] = None,
    profile: Profile = DEFAULT,
    supplement: Supplements = None,
    lang: Language = Lang.EN,
    as_json: AsJson = False,
) -> None:
    """A table that was slow: the total for both sides, and how it may be borne.

    What was allowed is scaled to the boards actually played, also where a match was cut short.
    """
    regs = loaded(profile, supplement)
    given = _used(used, boards, per_board, with_took=took is not None)
    over = _over(minutes, took, boards, per_board)
    found = clock.slow(
        regs,
        form.contest,
        over,
        earlier,
        responsible=None if responsible is Responsible.BOTH else Partnership(responsible.value),
        observed=None if given is None else given.over,
    )
    if found is None:
        nothing(regs, bool(regs.clock.slow.value.rows(form.contest)), lang, as_json)
    elif as_json:
        shares = [plain(each) for each in found.shares]
        more: dict[str, Plain] = {
            "over_s": over // NS_PER_S,
            "used": None if given is None else given.plain(),
        }
        typer.echo(
            json.dumps({**plain_indication(found.total), **more, "shares": shares}, ensure_ascii=False)
        )
    else:
        if given is not None:
            show_used(given, lang)
        show_slow(found, lang)


def _used(
    used: tuple[str, str] | None, boards: int | None, per_board: str | None, *, with_took: bool
) -> Used | None:
    """How long each pair was over, for the boards actually played."""
    if used is None and (with_took or (boards is None and per_board is None)):
        return None
    if used is None or boards is None or per_board is None:
        refuse("--used, --boards and --per-board belong together; give all three or none")
    ns, ew = (nanoseconds_of(time) for time in used)
    return Used(ns=ns, ew=ew, boards=boards, per_board=nanoseconds_of(per_board))


def _over(minutes: str | None, took: str | None, boards: int | None, per_board: str | None) -> int:
    """Minutes over as given, or what was taken less what both pairs had for the boards played."""
    if (minutes is None) is (took is None):
        refuse("give the minutes over, or --took with --boards and --per-board, and not both")
    if minutes is not None:
        return nanoseconds_of(minutes)
    assert took is not None
    if boards is None or per_board is None:
        refuse("--took needs --boards and --per-board, which say what was allowed")
    return clock.overuse(nanoseconds_of(took), boards, 2 * nanoseconds_of(per_board))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Match:
    """What was given about a forfeited match."""

    top: str
    drawn: str
    own_average: str | None
    forfeiters_average: str | None
    boards: int
    win_counts_one: bool


@app.command(epilog="Example: table-controller penalty forfeit round-robin --own 14 --theirs 8")
def forfeit(
    form: Annotated[ForfeitForm, typer.Argument(help="The form of the contest.")],
    own: Annotated[str | None, typer.Option(help="Average so far of the side that was there.")] = None,
    theirs: Annotated[str | None, typer.Option(help="Average so far of the forfeiter.")] = None,
    top: Annotated[str, typer.Option(help="The top of the VP scale.")] = "25",
    drawn: Annotated[str, typer.Option(help="VP of a drawn match.")] = "15",
    boards: Annotated[int, typer.Option(min=1, help="Boards of a board-a-match.")] = 1,
    win_counts_one: Annotated[
        bool, typer.Option("--win-counts-one", help="A won board counts 1, not 2.")
    ] = False,
    profile: Profile = DEFAULT,
    supplement: Supplements = None,
    lang: Language = Lang.EN,
    as_json: AsJson = False,
) -> None:
    """A match or session that was forfeited."""
    regs = loaded(profile, supplement)
    source = regs.clock.forfeit
    if source.value is None:
        nothing(regs, False, lang, as_json)
        return
    given = _Match(
        top=top,
        drawn=drawn,
        own_average=own,
        forfeiters_average=theirs,
        boards=boards,
        win_counts_one=win_counts_one,
    )
    found = _forfeited(source.value, form, given)
    if as_json:
        body: dict[str, Plain] = {"form": form.value, "result": plain(found), "source": plain_source(source)}
        typer.echo(json.dumps(body, ensure_ascii=False))
        return
    for text in forfeit_lines(found, lang):
        typer.echo(text)
    typer.echo(source_text(source, lang))


@app.command(epilog="Example: table-controller penalty team P,F,P,F,F --matches 11")
def team(
    record: Annotated[
        str, typer.Argument(help="Its matches of the stage in order: P played, F forfeited, as P,F,P.")
    ],
    matches: Annotated[int, typer.Option(min=1, help="Matches of the stage in all.")],
    swiss: Annotated[bool, typer.Option("--swiss", help="The stage is a Swiss.")] = False,
    profile: Profile = DEFAULT,
    supplement: Supplements = None,
    lang: Language = Lang.EN,
    as_json: AsJson = False,
) -> None:
    """Whether forfeits put a team out, and whether its results go with it."""
    marks = [mark.strip().upper() for mark in record.split(",") if mark.strip()]
    if not marks or any(mark not in ("P", "F") for mark in marks):
        refuse(f"{record!r} is no record of matches; write P or F for each, as P,F,P")
    if len(marks) > matches:
        refuse(f"{len(marks)} matches are more than the {matches} of the stage; see --matches")
    regs = loaded(profile, supplement)
    source = regs.clock.forfeit
    if source.value is None:
        nothing(regs, False, lang, as_json)
        return
    forfeited = [mark == "F" for mark in marks]
    found = forfeits.team_standing(source.value, forfeited, stage_matches=matches, is_swiss=swiss)
    if as_json:
        typer.echo(json.dumps({"result": plain(found), "source": plain_source(source)}, ensure_ascii=False))
        return
    typer.echo(word("answer", "team_out" if found.out else "team_in", lang))
    if found.out:
        typer.echo(word("answer", "results_go" if found.results_cancelled else "results_stay", lang))
    typer.echo(source_text(source, lang))
    typer.echo(word("answer", "indication", lang))


def _forfeited(
    table: ForfeitTable, form: ForfeitForm, given: _Match
) -> forfeits.Forfeit | UnplayedBoards | Decimal:
    match form:
        case ForfeitForm.ROUND_ROBIN:
            return forfeits.round_robin(
                table,
                top=_decimal("--top", given.top),
                drawn=_decimal("--drawn", given.drawn),
                own_average=None if given.own_average is None else _decimal("--own", given.own_average),
                forfeiters_average=(
                    None
                    if given.forfeiters_average is None
                    else _decimal("--theirs", given.forfeiters_average)
                ),
            )
        case ForfeitForm.SWISS:
            return forfeits.swiss(table, drawn=_decimal("--drawn", given.drawn))
        case ForfeitForm.BOARD_A_MATCH:
            return forfeits.board_a_match(table, given.boards, win_counts_one=given.win_counts_one)
        case ForfeitForm.PAIRS_MATCHPOINTS | ForfeitForm.PAIRS_IMP:
            return forfeits.pairs(table, imps=form is ForfeitForm.PAIRS_IMP)


def _decimal(option: str, text: str) -> Decimal:
    try:
        found = Decimal(text)
    except InvalidOperation:
        found = Decimal("NaN")
    if not found.is_finite() or found < 0:
        refuse(f"{option}: {text!r} is no score; write a number such as 18 or 17.5")
    return found
