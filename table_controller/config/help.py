"""The keys of a table's configuration as a page for a person, made from the models themselves.

Must never say anything the models do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from rich.table import Table

from table_controller.plain.folded import folded

Schema = Mapping[str, object]


def explained(schema: Schema) -> Table:
    """Every section and key, its type, default and meaning, from the JSON schema of `TableConfig`."""
    page = Table("section", "key", "value", "default", "meaning", box=None, pad_edge=False)
    for section, key, kind, default, meaning in keys(schema):
        page.add_row(section, key, kind, default, meaning)
    return folded(page)


def keys(schema: Schema) -> Iterator[tuple[str, str, str, str, str]]:
    """Section, key, kind of value, default and meaning of every key, the file's own first."""
    definitions = cast("Mapping[str, Schema]", schema.get("$defs", {}))
    yield from _of(schema, "")
    for name, definition in definitions.items():
        yield from _of(definition, _SECTIONS.get(name, name))


_SECTIONS = {
    "TableSection": "[table]",
    "RegulationsSection": "[regulations]",
    "SerialRig": "[rig] kind = serial",
    "GpioRig": "[rig] kind = gpio",
    "InputSection": "[inputs] each",
    "TokenSection": "[tokens] each",
    "OutputSection": "[outputs] each",
    "BrokerSection": "[broker]",
    "TimingSection": "[timings]",
}


def _of(definition: Schema, section: str) -> Iterator[tuple[str, str, str, str, str]]:
    required = cast("list[str]", definition.get("required", []))
    for key, raw in cast("Mapping[str, Schema]", definition.get("properties", {})).items():
        if _is_section(raw):
            continue
        default = "must be given" if key in required else _text(raw.get("default"))
        yield section, key, _kind(raw), default, str(raw.get("description", ""))


def _is_section(raw: Schema) -> bool:
    parts = cast("list[Schema]", raw.get("anyOf", []))
    return "$ref" in raw or "oneOf" in raw or "additionalProperties" in raw or any("$ref" in p for p in parts)


def _kind(raw: Schema) -> str:
    if "enum" in raw:
        return " | ".join(map(str, cast("list[object]", raw["enum"])))
    if "const" in raw:
        return str(raw["const"])
    if "anyOf" in raw:
        kinds = [_kind(part) for part in cast("list[Schema]", raw["anyOf"])]
        return " | ".join(kind for kind in kinds if kind != "null")
    return str(raw.get("type", "any"))


def _text(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)
