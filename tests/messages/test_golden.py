"""The golden messages and the generated documents are what the code says today."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from jsonschema import Draft202012Validator

from table_controller.asyncapi.__main__ import pages
from table_controller.asyncapi.document import channels, document
from table_controller.asyncapi.schemas import MessageSchemas
from table_controller.messages import BODIES, ClockQuality, Refused, codec, mac, open_sealed, topics
from table_controller.service.reports import Stamp, effect_row, event_row
from tests.messages import golden
from tests.messages.values import EFFECT_TYPES, EVENT_TYPES

STORED = golden.FOLDER / "messages.jsonl"
LINES = [json.loads(line) for line in STORED.read_text().splitlines()]
KEYS = mac.KeyRing(
    venue=bytes.fromhex(LINES[0]["keys"]["venue"]),
    tables={name: bytes.fromhex(key) for name, key in LINES[0]["keys"]["tables"].items()},
)
VECTORS = LINES[1:]
ROOT = Path(__file__).resolve().parents[2]


def validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(pages()[f"schemas/{kind.replace('/', '.')}.json"]))


def test_the_vectors_are_fresh():
    assert STORED.read_text() == golden.text(), "run `python -m tests.messages.golden --write`"


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_each_is_believed_or_refused_as_it_says(vector):
    payload = vector["payload"].encode()
    if vector["refused"] is None:
        message = open_sealed(vector["topic"], payload, KEYS.of)
        assert validator(message.envelope.type).is_valid(json.loads(payload))
    else:
        with pytest.raises(Refused) as caught:
            open_sealed(vector["topic"], payload, KEYS.of)
        assert caught.value.why.value == vector["refused"]


def test_every_message_type_has_a_vector():
    parsed = {topics.parse(vector["topic"]) for vector in VECTORS if vector["refused"] is None}
    assert {topic.kind for topic in parsed if topic is not None} == set(BODIES)


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_every_schema_is_a_schema_and_refuses_an_empty_object(kind):
    schema = json.loads(pages()[f"schemas/{kind.replace('/', '.')}.json"])
    Draft202012Validator.check_schema(schema)
    assert not Draft202012Validator(schema).is_valid({})


@pytest.mark.parametrize(
    ("field", "value"),
    [("seat", "Q"), ("call", "8NT"), ("at", "5"), ("event", "CallMaed"), ("inferred", 1)],
)
def test_the_schema_of_the_log_notices_a_wrong_core_value(field, value):
    message = json.loads(VECTORS[0]["payload"])
    assert validator("log").is_valid(message)
    message["body"]["value"][field] = value
    assert not validator("log").is_valid(message)


STAMP = Stamp(mono=1, wall=None, clock=ClockQuality.UNSET, rev=1)
SHARED = MessageSchemas("#/$defs/").shared


def core(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SHARED})


@pytest.mark.parametrize("kind", [*EVENT_TYPES, *EFFECT_TYPES], ids=lambda kind: kind.__name__)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_what_the_codec_writes_is_what_the_schemas_say(kind, data):
    value = data.draw(st.from_type(kind))
    name = "Event" if kind in EVENT_TYPES else "Effect"
    core(name).validate(codec.to_json(value))
    row = event_row(value, STAMP) if name == "Event" else effect_row(value, STAMP)
    body = {"log": "LogBody", "irregularity": "IrregularityBody", "fault": "FaultBody", "visit": "VisitBody"}
    core(body[row.stream]).validate(json.loads(mac.canonical(row.body)))


class TestDocument:
    def test_every_reference_leads_somewhere(self):
        whole = json.loads(json.dumps(document()))

        def resolve(path: str) -> object:
            found = whole
            for part in path.removeprefix("#/").split("/"):
                found = found[part]
            return found

        references = re.findall(r'"\$ref": "([^"]+)"', json.dumps(whole))
        assert len(references) > 100
        for reference in set(references):
            assert isinstance(resolve(reference), dict), reference

    def test_every_topic_is_one_the_code_takes_apart(self):
        for channel in channels():
            filled = re.sub(r"\{\w+\}", "X", channel.address)
            parsed = topics.parse(filled)
            assert parsed is not None, channel
            assert parsed.kind == channel.kind

    def test_every_channel_has_its_operation_and_its_parameters(self):
        whole = json.loads(json.dumps(document()))
        assert whole["asyncapi"] == "3.0.0"
        operated = {operation["channel"]["$ref"].split("/")[-1] for operation in whole["operations"].values()}
        assert operated == set(whole["channels"])
        for channel in whole["channels"].values():
            assert set(channel["parameters"]) == set(re.findall(r"\{(\w+)\}", channel["address"]))

    def test_commands_are_never_retained_and_what_is_retained_is_what_the_specification_says(self):
        retained = {channel.kind for channel in channels() if channel.retain}
        assert retained == {"avail", "state", "receipt", "console", "public/clock", "public/tables"}

    def test_the_pages_in_docs_are_fresh(self):
        for name, text in pages().items():
            path = ROOT / "docs" / "generated" / name
            assert path.exists(), f"{name} is missing: run `make docs`"
            assert path.read_text() == text, f"{name} is stale: run `make docs`"
