"""The AsyncAPI 3 document: every topic, who writes it, how it is delivered, what is in it.

For whoever writes another console, another table or a bridge. Must never say anything that is not taken from
the types in `messages` and the builders in `topics`.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.asyncapi.schemas import MessageSchemas
from table_controller.asyncapi.values import Schema
from table_controller.messages import BODIES, VERSION, topics
from table_controller.messages.codec import Json
from table_controller.messages.fields import NAME_PATTERN
from table_controller.messages.topics import Broadcast, Place, Stream, Verb

_VENUE, _EVENT, _TABLE, _CONSOLE, _COMMAND = "VENUE", "EVENT", "TABLE", "CONSOLE", "COMMAND"
_PLACE = Place(venue=_VENUE, event=_EVENT)
_PARAMETERS = {
    "venue": (_VENUE, "The venue."),
    "event": (_EVENT, "The event held there."),
    "table": (_TABLE, "A table's name, as on the table."),
    "console": (_CONSOLE, "A console's name."),
    "command": (_COMMAND, "The ULID of the command that is answered."),
}


_ABOUT = (
    "Reports of screened bridge tables and a director's commands, over MQTT 3.1.1 or 5. UTF-8 JSON, at most "
    "16 KiB, whole numbers only. `mac` is HMAC-SHA256 in hexadecimal over the message without `mac`, as JSON "
    "with sorted keys and no spaces; the key is the table's, for `all`, `console` and `public` the venue's. "
    "Unknown fields are ignored, an unknown `v` is refused."
)
_PAGE = (
    "Generated from `table_controller/messages`; do not edit. The whole contract "
    "is in [asyncapi.json](asyncapi.json), a JSON schema a message in [schemas](schemas), messages "
    "to try another console with in `tests/vectors/messages`."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """One topic. `writer`: table or console; always QoS 1."""

    kind: str
    address: str
    writer: str
    retain: bool
    about: str


def channels() -> list[Channel]:
    """Every topic there is, with parameters in braces."""
    at = (_PLACE, _TABLE)
    listed = [
        Channel(
            kind="avail",
            address=topics.avail(*at),
            writer="table",
            retain=True,
            about="Presence; also the will, of the same session, so that a late one is recognised.",
        ),
        Channel(
            kind="state",
            address=topics.state(*at),
            writer="table",
            retain=True,
            about="Snapshot, on change and every 30 s. Older than 45 s it is stale.",
        ),
        *(
            Channel(
                kind=stream.value,
                address=topics.report(*at, stream),
                writer="table",
                retain=False,
                about="A row of the table's journal. One sequence over all four streams.",
            )
            for stream in Stream
        ),
        Channel(
            kind="result",
            address=topics.result(*at, _COMMAND),
            writer="table",
            retain=False,
            about="What became of a command.",
        ),
        *(
            Channel(
                kind=f"command/{verb}",
                address=topics.command(*at, verb),
                writer="console",
                retain=False,
                about="A command. Never retained; carried out at most once, and not after its deadline.",
            )
            for verb in Verb
        ),
        Channel(
            kind="receipt",
            address=topics.receipt(*at),
            writer="console",
            retain=True,
            about="Every row up to this one is in the console's database. Only this ends a report.",
        ),
        *(
            Channel(
                kind=f"all/{broadcast}",
                address=topics.everybody(_PLACE, broadcast),
                writer="console",
                retain=False,
                about="To every table, under the venue's key.",
            )
            for broadcast in Broadcast
        ),
        Channel(
            kind="console",
            address=topics.console_avail(_PLACE, _CONSOLE),
            writer="console",
            retain=True,
            about="A console's presence and role; also its will.",
        ),
        *(
            Channel(
                kind=kind,
                address=topics.public(_PLACE, kind.removeprefix("public/")),
                writer="console",
                retain=True,
                about="The only tree a public screen may read.",
            )
            for kind in BODIES
            if kind.startswith("public/")
        ),
    ]
    return [
        Channel(
            kind=channel.kind,
            address=_with_braces(channel.address),
            writer=channel.writer,
            retain=channel.retain,
            about=channel.about,
        )
        for channel in listed
    ]


def document() -> Schema:
    """The AsyncAPI 3.0 document as plain JSON."""
    schemas = MessageSchemas("#/components/schemas/")
    listed = channels()
    by_type: dict[str, Json] = {_key(kind): schema for kind, schema in schemas.by_type.items()}
    shared: dict[str, Json] = dict(schemas.shared)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "screen-table",
            "version": str(VERSION),
            "description": _ABOUT,
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {_key(channel.kind): _channel(channel) for channel in listed},
        "operations": {_operation_name(channel): _operation(channel) for channel in listed},
        "components": {
            "messages": {
                _key(kind): {
                    "name": kind,
                    "title": kind,
                    "contentType": "application/json",
                    "payload": {"$ref": f"#/components/schemas/{_key(kind)}.message"},
                }
                for kind in BODIES
            },
            "schemas": {**{f"{key}.message": schema for key, schema in by_type.items()}, **shared},
        },
    }


def topic_table() -> str:
    """The topics as a Markdown table."""
    lines = [
        "# Topics",
        "",
        _PAGE,
        "",
        "| topic | type | writer | QoS, retain | content |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| `{channel.address}` | `{channel.kind}` | {channel.writer} | 1, "
        f"{'retained' if channel.retain else 'no'} | {channel.about} |"
        for channel in channels()
    ]
    return "\n".join(lines) + "\n"


def _with_braces(address: str) -> str:
    for name, (placeholder, _) in _PARAMETERS.items():
        address = address.replace(placeholder, f"{{{name}}}")
    return address


def _channel(channel: Channel) -> Json:
    used = {name: about for name, (_, about) in _PARAMETERS.items() if f"{{{name}}}" in channel.address}
    parameters: dict[str, Json] = {
        name: {"description": f"{about} Matches {NAME_PATTERN}."} for name, about in used.items()
    }
    return {
        "address": channel.address,
        "description": channel.about,
        "messages": {_key(channel.kind): {"$ref": f"#/components/messages/{_key(channel.kind)}"}},
        "parameters": parameters,
    }


def _operation_name(channel: Channel) -> str:
    return f"{channel.writer}.{_key(channel.kind)}"


def _operation(channel: Channel) -> Json:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{_key(channel.kind)}"},
        "summary": f"The {channel.writer} writes it.",
        "bindings": {"mqtt": {"qos": 1, "retain": channel.retain, "bindingVersion": "0.2.0"}},
    }


def _key(kind: str) -> str:
    """A message type as a name AsyncAPI allows for a component."""
    return kind.replace("/", ".")
