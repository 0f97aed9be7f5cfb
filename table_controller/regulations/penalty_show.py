"""What the tables say of a case, printed for a person and as values for a program.

Shared by the questions of `penalty_cli`. Must never leave one of two readings out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal

import typer

from table_controller.regulations import clock, forfeits
from table_controller.regulations.clock_words import all_said, bound_text, number, score, share_text
from table_controller.regulations.model import Regulations
from table_controller.regulations.provision import Provision
from table_controller.regulations.sheet import source_text
from table_controller.regulations.time_tables import UnplayedBoards
from table_controller.regulations.values import Plain, plain
from table_controller.words import Lang, word

NS_PER_S = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """Time each pair used, and what it had for a board, ns; `boards` actually played."""

    ns: int
    ew: int
    boards: int
    per_board: int

    @property
    def over(self) -> tuple[int, int]:
        """How long NS and EW were each over their own allowance."""
        ns, ew = (clock.overuse(used, self.boards, self.per_board) for used in (self.ns, self.ew))
        return ns, ew

    def plain(self) -> dict[str, Plain]:
        """In seconds."""
        ns, ew = self.over
        return {
            "boards": self.boards,
            "allowed_s": self.boards * self.per_board // NS_PER_S,
            "ns_s": self.ns // NS_PER_S,
            "ew_s": self.ew // NS_PER_S,
            "ns_over_s": ns // NS_PER_S,
            "ew_over_s": ew // NS_PER_S,
        }


def minutes_text(ns: int) -> str:
    """`26:00`."""
    seconds = ns // NS_PER_S
    return f"{seconds // 60}:{seconds % 60:02d}"


def show_used(used: Used, lang: Lang) -> None:
    """Each pair against its allowance, scaled to the boards played."""
    allowed = minutes_text(used.boards * used.per_board)
    for pair, time, over in zip(("NS", "EW"), (used.ns, used.ew), used.over, strict=True):
        slots: dict[str, object] = {
            "pair": word("partnership", pair, lang),
            "used": minutes_text(time),
            "allowed": allowed,
        }
        slots |= {"boards": used.boards, "over": minutes_text(over)}
        typer.echo(word("answer", "pair_over" if over else "pair_within", lang, **slots))


def forfeit_lines(found: forfeits.Forfeit | UnplayedBoards | Decimal, lang: Lang) -> list[str]:
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


def show_indication(found: clock.Indication, lang: Lang) -> None:
    contest, bound = word("contest", found.contest, lang), bound_text(found.up_to_min, lang)
    typer.echo(word("answer", "case", lang, contest=contest, bound=bound))
    for index, outcomes in enumerate(found.readings):
        text = all_said(outcomes, lang)
        typer.echo("  " + (text if index == 0 else word("step", "or_read", lang, steps=text)))
    typer.echo(source_text(found.source, lang))
    typer.echo(word("answer", "indication", lang))


def show_slow(found: clock.SlowIndication, lang: Lang) -> None:
    show_indication(found.total, lang)
    typer.echo(word("answer", "total", lang))
    for shares in found.shares:
        for each in shares:
            typer.echo("  " + share_text(each, lang))
    typer.echo(source_text(found.source, lang))


def nothing(regs: Regulations, has_table: bool, lang: Lang, as_json: bool) -> None:
    key = "in_time" if has_table else "none"
    if as_json:
        typer.echo(json.dumps({"regulations": regs.id, "readings": [], "why": key}))
    else:
        typer.echo(word("answer", key, lang))


def plain_indication(found: clock.Indication) -> dict[str, Plain]:
    return {
        "contest": found.contest.value,
        "row": found.row,
        "up_to_min": found.up_to_min,
        "readings": [[plain(outcome) for outcome in outcomes] for outcomes in found.readings],
        "source": plain_source(found.source),
    }


def plain_source(provision: Provision[object]) -> dict[str, Plain]:
    return {
        "document": provision.citation.document,
        "article": provision.citation.article,
        "date": provision.date,
        "standing": provision.standing.value,
        "layer": provision.layer,
    }
