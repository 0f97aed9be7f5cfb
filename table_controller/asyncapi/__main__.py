"""Write the AsyncAPI document, the topic table and the schemas: `python -m table_controller.asyncapi
--write DIR`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from table_controller.asyncapi.document import document, topic_table
from table_controller.asyncapi.schemas import MessageSchemas
from table_controller.asyncapi.values import Schema


def pages() -> dict[str, str]:
    """Every page by its name under docs/generated."""
    schemas = MessageSchemas("#/$defs/")
    written = {"asyncapi.json": _text(document()), "topics.md": topic_table()}
    for kind, schema in schemas.by_type.items():
        whole: Schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
        whole["$defs"] = {name: schemas.shared[name] for name in sorted(_needed(schema, schemas.shared))}
        written[f"schemas/{kind.replace('/', '.')}.json"] = _text(whole)
    return written


def _needed(schema: object, shared: dict[str, Schema]) -> set[str]:
    """The names this schema refers to, and those they refer to."""
    found: set[str] = set()
    waiting: list[object] = [schema]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, dict):
            reference = value.get("$ref")
            if isinstance(reference, str):
                name = reference.rsplit("/", 1)[1]
                if name not in found:
                    found.add(name)
                    waiting.append(shared[name])
            waiting.extend(value.values())
    return found


def _text(value: Schema) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    match arguments:
        case ["--write", folder]:
            for name, text in pages().items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return 0
        case _:
            print("usage: python -m table_controller.asyncapi --write DIRECTORY", file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
