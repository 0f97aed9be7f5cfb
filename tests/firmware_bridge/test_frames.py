"""The codec, the table and the host's types are one; nothing that was not sent is accepted."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from random import Random

import pytest
from cobs import cobs
from hypothesis import given, strategies as st

from firmware_bridge import wire
from firmware_bridge.errors import WireError
from firmware_bridge.firmware import frames
from tests.firmware_bridge.vectors import VECTOR_FILE, samples, vector_of

KINDS = [row[0] for row in frames.FRAMES]


@given(st.binary(max_size=600))
def test_framing_is_cobs_as_the_public_library_has_it(data: bytes) -> None:
    assert frames.cobs_encode(data) == cobs.encode(data)
    assert frames.cobs_decode(cobs.encode(data)) == data


@given(st.lists(st.integers(1, 255), min_size=1, max_size=80))
def test_broken_cobs_is_refused_exactly_where_the_library_refuses(code: list[int]) -> None:
    data = bytes(code)
    try:
        expected = cobs.decode(data)
    except cobs.DecodeError:
        expected = None
    assert frames.cobs_decode(data) == expected


@pytest.mark.parametrize("row", frames.FRAMES, ids=lambda row: row[1])
def test_host_type_has_the_fields_of_its_row_in_order(
    row: tuple[int, str, str, str, tuple[str, ...], tuple[str, int, int, int] | None],
) -> None:
    code, _, _, fmt, names, tail = row
    expected = names + ((tail[0],) if tail else ())
    assert wire.field_names(code) == expected
    assert len(struct.unpack(fmt, bytes(struct.calcsize(fmt)))) == len(names)


def test_every_row_has_one_host_type_and_no_type_is_without_row() -> None:
    assert [frame.CODE for frame in wire.FRAME_TYPES] == KINDS
    assert len(set(KINDS)) == len(KINDS)


def test_no_frame_is_longer_than_64_bytes_before_cobs() -> None:
    for code in KINDS:
        _, _, fixed, tail = frames.SPECS[code]
        most = fixed + (tail[2] if tail else 0)
        assert most <= frames.MAX_BODY
        assert most + 7 <= frames.MAX_FRAME == 64


@pytest.mark.parametrize("frame", samples(), ids=lambda f: type(f).__name__)
def test_a_frame_comes_back_as_it_was_sent_whole_and_byte_by_byte(frame: wire.Frame) -> None:
    data = wire.encode(frame, 77)
    assert data[0] == data[-1] == 0
    assert 0 not in data[1:-1]
    for portions in ([data], [data[i : i + 1] for i in range(len(data))]):
        reader = frames.FrameReader()
        got = [found for portion in portions for found in reader.feed(portion)]
        assert [(session, wire.decode(code, body)) for code, session, body in got] == [(77, frame)]
        assert (reader.bad, reader.unknown, reader.noise) == (0, 0, 0)


def test_golden_vectors_are_what_the_code_makes() -> None:
    recorded = json.loads(VECTOR_FILE.read_text())
    assert recorded == [vector_of(frame) for frame in samples()]


@pytest.mark.parametrize("kind", ["flip", "drop", "stray zero", "insert", "swap", "cut"])
def test_a_damaged_frame_is_never_taken_for_another(kind: str) -> None:
    random = Random(kind)
    sent = [wire.encode(frame, 9) for frame in samples()]
    whole = set(sent)
    for _ in range(3000):
        data = damaged(random.choice(sent), kind, random)
        reader = frames.FrameReader()
        for code, session, body in reader.feed(data):
            assert frames.frame_bytes(code, session, body) in whole


def damaged(data: bytes, kind: str, random: Random) -> bytes:
    at = random.randrange(1, len(data) - 1)
    match kind:
        case "flip":
            return data[:at] + bytes([data[at] ^ random.randrange(1, 256)]) + data[at + 1 :]
        case "drop":
            return data[:at] + data[at + 1 :]
        case "stray zero":
            return data[:at] + b"\0" + data[at:]
        case "insert":
            return data[:at] + random.randbytes(1) + data[at:]
        case "swap":
            return data[:at] + data[at : at + 2][::-1] + data[at + 2 :]
        case _:
            return data[:at]


def test_an_unknown_type_is_counted_and_skipped() -> None:
    reader = frames.FrameReader()
    strange = frames.frame_bytes(0x70, 1, b"hello")
    known = wire.encode(wire.Ping(echo=5), 1)
    assert [code for code, _, _ in reader.feed(strange + known)] == [frames.PING]
    assert (reader.unknown, reader.bad) == (1, 0)


def test_a_wrong_length_for_its_type_is_a_bad_frame_even_with_a_right_crc() -> None:
    reader = frames.FrameReader()
    assert reader.feed(frames.frame_bytes(frames.PING, 1, b"\1\2\3")) == []
    assert reader.feed(frames.frame_bytes(frames.EVENT, 1, bytes(6 + 5))) == []
    assert reader.bad == 2


def test_a_frame_after_endless_garbage_is_found() -> None:
    reader = frames.FrameReader()
    good = wire.encode(wire.Ping(echo=1), 1)
    for _ in range(100):
        reader.feed(bytes(Random(1).randrange(1, 256) for _ in range(97)))
    assert len(reader.feed(good)) == 1
    assert reader.bad == 1
    assert reader.noise == 9700


def test_a_value_that_does_not_fit_names_the_frame() -> None:
    with pytest.raises(WireError, match="Ping"):
        wire.encode(wire.Ping(echo=70000), 1)
    with pytest.raises(WireError, match="tail of the wrong length"):
        wire.encode(wire.Log(level=1, text=b"x" * 57), 1)


def test_vector_file_lies_beside_the_tests() -> None:
    assert Path(__file__).resolve().parents[1] / "vectors" / "frames.json" == VECTOR_FILE
