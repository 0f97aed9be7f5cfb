"""Rows, steps and outcomes of the time tables in words.

For the sheet of a profile, the command line and the console alike. Must never add a figure of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import assert_never

from table_controller.regulations.clock import Outcome, Shares, Warned
from table_controller.regulations.time_tables import (
    Deduct,
    DeductPerMinute,
    Deed,
    ForfeitTable,
    Imps,
    MayDropBoards,
    Row,
    Score,
    Step,
    UnplayedBoards,
    Warn,
)
from table_controller.words import Lang, word


def number(value: Decimal) -> str:
    """As a director writes it: `1`, `1.5`, `0.75`; at most two places."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def score(value: Score, lang: Lang) -> str:
    if isinstance(value, Imps):
        signed = number(value.amount) if value.amount <= 0 else f"+{number(value.amount)}"
        return word("unit", "imp", lang, number=signed)
    return word("score", value, lang)


def amount(step: Deduct, lang: Lang) -> str:
    return word("unit", step.unit, lang, number=number(step.amount))


def _per_minute(step: DeductPerMinute, lang: Lang) -> str:
    each = word("unit", step.unit, lang, number=number(step.amount))
    if step.above_min == 0:
        return word("step", "per_minute", lang, amount=each)
    return word("step", "per_minute_above", lang, amount=each, minutes=step.above_min)


def _warn(step: Warn, lang: Lang) -> str:
    if step.again is None:
        return word("step", "warn_next_row", lang)
    return word("step", "warn_again", lang, amount=amount(step.again, lang))


def _may_drop(step: MayDropBoards, lang: Lang) -> str:
    if step.least == step.most == 1:
        count = word("step", "one_board", lang)
    else:
        count = word("step", "boards", lang, least=step.least, most=step.most)
    offender, other = score(step.offender, lang), score(step.other, lang)
    return word("step", "may_drop", lang, count=count, offender=offender, other=other)


def said(step: Step | Outcome, lang: Lang) -> str:
    """One step of a table, or one outcome for a case."""
    match step:
        case Deduct():
            return amount(step, lang)
        case DeductPerMinute():
            return _per_minute(step, lang)
        case Warn():
            return _warn(step, lang)
        case Warned():
            return word("step", "warned", lang)
        case MayDropBoards():
            return _may_drop(step, lang)
        case UnplayedBoards():
            offender, other = score(step.offender, lang), score(step.other, lang)
            return word("step", "unplayed", lang, offender=offender, other=other)
        case Deed():
            return word("step", step, lang)
        case _:
            assert_never(step)


def all_said(steps: Iterable[Step | Outcome], lang: Lang) -> str:
    return word("step", "between", lang).join(said(step, lang) for step in steps)


def row_text(row: Row, lang: Lang) -> str:
    """A row's steps, with the other way to read it where there is one."""
    text = all_said(row.steps, lang)
    if row.second_reading is None:
        return text
    other = word("step", "or_read", lang, steps=all_said(row.second_reading, lang))
    return text + word("step", "between", lang) + other


def bound_text(up_to_min: int | None, lang: Lang) -> str:
    if up_to_min is None:
        return word("row", "more", lang)
    return word("row", "to", lang, minutes=up_to_min)


def share_text(shares: Shares, lang: Lang) -> str:
    return word(
        "share",
        "line",
        lang,
        basis=word("share", shares.basis, lang),
        ns=number(shares.ns),
        ew=number(shares.ew),
        why=word("share", "by_rule" if shares.by_rule else "beside", lang),
    )


def forfeit_lines(table: ForfeitTable, lang: Lang) -> tuple[str, ...]:
    """The forfeit table as sentences."""

    def boards(key: str, both: UnplayedBoards) -> str:
        return word("forfeit", key, lang, offender=score(both.offender, lang), other=score(both.other, lang))

    return (
        word("forfeit", "drawn_times", lang, number=number(table.drawn_times)),
        word(
            "forfeit",
            "opposite",
            lang,
            number=number(table.opposite_of),
            top=number(table.opposite_on_top),
        ),
        word(
            "forfeit",
            "board_a_match",
            lang,
            number=number(table.board_a_match),
            small=number(table.board_a_match_small),
        ),
        boards("pairs_matchpoints", table.pairs_matchpoints),
        boards("pairs_imp", table.pairs_imp),
        word(
            "forfeit",
            "out",
            lang,
            running=table.out_after_running,
            in_all=table.out_after_in_all,
            share=f"{table.results_kept_from * 100:.0f} %",
        ),
    )
