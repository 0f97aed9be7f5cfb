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
from table_controller.regulations.clock_words import all_said, bound_text, number, score, share_text
from table_controller.regulations.load import DEFAULT
from table_controller.regulations.model import Regulations
from table_controller.regulations.provision import Provision
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
        _nothing(regs, bool(regs.clock.late.value.rows(form.contest)), lang, as_json)
    elif as_json:
        typer.echo(json.dumps(_plain(found), ensure_ascii=False))
    else:
        _show_indication(found, lang)


@app.command(
    cls=_Times,
    epilog="Example: table-controller penalty slow teams-vp 9.5 --responsible both --used 78:00 46:00",
)
def slow(
    form: Contests,
    minutes: Minutes,
    earlier: Earlier = 0,
    responsible: Annotated[
        Responsible, typer.Option(help="Whom the director finds responsible.")
    ] = Responsible.BOTH,
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
    """A table that was slow: the total for both sides, and how it may be borne."""
    regs = loaded(profile, supplement)
    found = clock.slow(
        regs,
        form.contest,
        nanoseconds_of(minutes),
        earlier,
        responsible=None if responsible is Responsible.BOTH else Partnership(responsible.value),
        observed=_observed(used, boards, per_board),
    )
    if found is None:
        _nothing(regs, bool(regs.clock.slow.value.rows(form.contest)), lang, as_json)
    elif as_json:
        shares = [plain(each) for each in found.shares]
        typer.echo(json.dumps({**_plain(found.total), "shares": shares}, ensure_ascii=False))
    else:
        _show_slow(found, lang)


def _observed(
    used: tuple[str, str] | None, boards: int | None, per_board: str | None
) -> tuple[int, int] | None:
    """How long each pair was over, for the boards actually played."""
    if used is None and boards is None and per_board is None:
        return None
    if used is None or boards is None or per_board is None:
        refuse("--used, --boards and --per-board belong together; give all three or none")
    allowed = nanoseconds_of(per_board)
    ns, ew = (clock.overuse(nanoseconds_of(time), boards, allowed) for time in used)
    return ns, ew


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
        _nothing(regs, False, lang, as_json)
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
        body: dict[str, Plain] = {"form": form.value, "result": plain(found), "source": _source(source)}
        typer.echo(json.dumps(body, ensure_ascii=False))
        return
    for text in _forfeit_lines(found, lang):
        typer.echo(text)
    typer.echo(source_text(source, lang))


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


def _forfeit_lines(found: forfeits.Forfeit | UnplayedBoards | Decimal, lang: Lang) -> list[str]:
    match found:
        case forfeits.Forfeit():
            lines = [
                word("answer", "candidate", lang, name=word("forfeit", name, lang), number=number(value))
                for name, value in found.candidates
            ]
            forfeiter, other = f"{number(found.forfeiter)} VP", f"{number(found.other)} VP"
        case UnplayedBoards():
            lines, forfeiter, other = [], score(found.offender, lang), score(found.other, lang)
        case _:
            lines, forfeiter, other = [], "0", number(found)
    return [
        word("forfeit", "forfeiter", lang, amount=forfeiter),
        word("forfeit", "other", lang, amount=other),
        *lines,
    ]


def _show_indication(found: clock.Indication, lang: Lang) -> None:
    contest, bound = word("contest", found.contest, lang), bound_text(found.up_to_min, lang)
    typer.echo(word("answer", "case", lang, contest=contest, bound=bound))
    for index, outcomes in enumerate(found.readings):
        text = all_said(outcomes, lang)
        typer.echo("  " + (text if index == 0 else word("step", "or_read", lang, steps=text)))
    typer.echo(source_text(found.source, lang))
    typer.echo(word("answer", "indication", lang))


def _show_slow(found: clock.SlowIndication, lang: Lang) -> None:
    _show_indication(found.total, lang)
    typer.echo(word("answer", "total", lang))
    for shares in found.shares:
        for each in shares:
            typer.echo("  " + share_text(each, lang))
    typer.echo(source_text(found.source, lang))


def _nothing(regs: Regulations, has_table: bool, lang: Lang, as_json: bool) -> None:
    key = "in_time" if has_table else "none"
    if as_json:
        typer.echo(json.dumps({"regulations": regs.id, "readings": [], "why": key}))
    else:
        typer.echo(word("answer", key, lang))


def _plain(found: clock.Indication) -> dict[str, Plain]:
    return {
        "contest": found.contest.value,
        "row": found.row,
        "up_to_min": found.up_to_min,
        "readings": [[plain(outcome) for outcome in outcomes] for outcomes in found.readings],
        "source": _source(found.source),
    }


def _source(provision: Provision[object]) -> dict[str, Plain]:
    return {
        "document": provision.citation.document,
        "article": provision.citation.article,
        "date": provision.date,
        "standing": provision.standing.value,
        "layer": provision.layer,
    }
