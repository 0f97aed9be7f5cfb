"""Traffic as lines a person can read."""

from __future__ import annotations

import pytest

from firmware_bridge import wire
from firmware_bridge.decode import Decoder, capture_record, decode_all, read_capture
from firmware_bridge.firmware import frames
from tests.firmware_bridge.vectors import SESSION, samples


def test_every_frame_has_a_line_with_its_name_sender_and_session() -> None:
    data = b"".join(wire.encode(frame, SESSION) for frame in samples())
    lines = list(decode_all(data))
    assert [line.kind for line in lines] == [frames.SPECS[frame.CODE][0] for frame in samples()]
    assert all(line.session == SESSION and line.sender in ("host", "device") for line in lines)


def test_lines_say_what_happened() -> None:
    text = "\n".join(str(line) for line in decode_all(b"".join(wire.encode(f, 1) for f in samples())))
    for expected in (
        "-> s1 HELLO nonce=4660 major=1 minor=0",
        "interpreter='micropython'",
        "123456789us input 3 active; 0us output 3 ended: limit closing",
        "reader=5 text='2:P'",
        "-> s1 ACK next=41 NAK",
        "levels={0,63}",
        "#2 MOVE output=3 close lease=400ms",
        "<- s1 RESULT #2 at limit",
        "LOG 'ring full'",
    ):
        assert expected in text


def test_what_is_no_frame_is_shown_and_nothing_is_raised() -> None:
    good = wire.encode(wire.Ping(echo=1), 1)
    lines = list(
        decode_all(b"AT+GMM\r\n\0" + good + b"\0\1\1\1\0" + frames.frame_bytes(0x55, 1, b"x") + b"tail")
    )
    assert [line.kind for line in lines] == ["BAD", "PING", "BAD", "UNKNOWN", "BAD"]
    assert "|AT+GMM..|" in lines[0].text


def test_portions_make_no_difference() -> None:
    data = b"".join(wire.encode(frame, 3) for frame in samples())
    decoder = Decoder()
    assert [line for i in range(len(data)) for line in decoder.feed(data[i : i + 1])] == list(
        decode_all(data)
    )


def test_a_capture_of_both_directions_is_read_back_with_its_times() -> None:
    ping, pong = wire.encode(wire.Ping(echo=1), 1), wire.encode(wire.Ack(next_event=2), 1)
    capture = (
        capture_record(5, "host", ping[:4])
        + capture_record(6, "device", pong)
        + capture_record(9, "host", ping[4:])
    )
    assert [(at, line.kind) for at, line in read_capture(capture)] == [(6, "ACK"), (9, "PING")]
    with pytest.raises(ValueError, match="cut short"):
        list(read_capture(capture[:-1]))
