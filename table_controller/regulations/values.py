"""The value of a provision in plain words, and as plain data for a program.

Must never show an unknown form as its Python text: a value without a form here is our Error.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import StrEnum

from table_controller.laws.seat import Faces
from table_controller.regulations.model import LawNumbers, Movers
from table_controller.regulations.time_tables import ForfeitTable, TimeTable
from table_controller.words import Lang, seats_text, word

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]


def value_text(name: str, value: object, lang: Lang) -> str:
    """What a provision says; `name` is its dotted key."""
    match value:
        case bool():
            return word("value", "yes" if value else "no", lang)
        case StrEnum():
            return word("value", f"{name}.{value}", lang)
        case float():
            unit = "milliseconds" if name.endswith("_ms") else "seconds"
            return word("value", unit, lang, number=f"{value:g}")
        case Faces():
            ne, sw = seats_text(value.ne, lang), seats_text(value.sw, lang)
            return word("value", "faces", lang, ne=ne, sw=sw)
        case Movers():
            ne, sw = seats_text((value.ne,), lang), seats_text((value.sw,), lang)
            return word("value", "movers", lang, ne=ne, sw=sw)
        case LawNumbers():
            return "; ".join(f"{old} → {new}" for old, new in value.pairs)
        case TimeTable():
            return word("value", "table" if value.by_contest else "no_table", lang)
        case ForfeitTable():
            return word("value", "table", lang)
        case None:
            return word("value", "no_table", lang)
        case _:
            raise TypeError(
                f"{name}: {type(value).__name__} has no form in words; add one to values.value_text"
            )


def plain(value: object) -> Plain:
    """A value as JSON has it: tables as objects, exact numbers as text."""
    match value:
        case None | bool() | int() | float():
            return value
        case StrEnum():
            return value.value
        case str():
            return value
        case Decimal():
            return str(value)
        case tuple():
            return [plain(item) for item in value]
        case _ if is_dataclass(value) and not isinstance(value, type):
            step = {"is": type(value).__name__}
            return {**step, **{field.name: plain(getattr(value, field.name)) for field in fields(value)}}
        case _:
            raise TypeError(f"{type(value).__name__} has no plain form; add one to values.plain")
