"""What a director's end says and hears on the wire, for scenarios that need it byte for byte."""

from __future__ import annotations

from table_controller.messages import Envelope, ResultBody, open_sealed, sealed, topics, ulid, wall_text
from table_controller.messages.codec import Json
from table_controller.messages.topics import Verb
from tests.chaos.place import PLACE, key_of, keys
from tests.mqtt.wires import Owner

S = 1_000_000_000


def command(table: str, verb: Verb, issued: int, number: int, **changes: Json) -> tuple[str, bytes]:
    """A command's topic and bytes, as the console would have sent them at `issued` (ns since 1970)."""
    id_ = ulid(issued, number.to_bytes(10))
    body: dict[str, Json] = {
        "id": id_,
        "issued": wall_text(issued),
        "deadline": wall_text(issued + 10 * S),
        "expect_rev": 0,
        "by": "chief",
        "args": {},
    }
    envelope = Envelope.model_validate(
        {
            "id": id_,
            "type": f"command/{verb}",
            "venue": PLACE.venue,
            "event": PLACE.event,
            "table": table,
            "session": changes.pop("session", "x"),
            "mono_ms": 1,
            "wall": wall_text(issued),
            "clock": "ntp",
            "body": body | changes,
        }
    )
    payload = sealed(envelope, key_of(table).tables[table])
    return topics.command(PLACE, table, verb), payload


def results(director: Owner) -> list[ResultBody]:
    found = [open_sealed(one.topic, one.payload, keys(30).of).body for one in director.arrived]
    return [body for body in found if isinstance(body, ResultBody)]
