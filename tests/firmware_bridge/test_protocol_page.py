"""PROTOCOL.md says what the code does."""

from __future__ import annotations

import re

from firmware_bridge import commands, link, pings
from firmware_bridge.firmware import frames, main, motor, sampler
from firmware_bridge.protocol_doc import PROTOCOL, with_table

PAGE = PROTOCOL.read_text()
FLAT = " ".join(PAGE.split())


def test_the_frame_table_is_the_one_in_the_code() -> None:
    assert with_table(PAGE) == PAGE, "run `python -m firmware_bridge.protocol_doc`"


def test_the_times_and_sizes_are_those_of_the_code() -> None:
    ms = 1_000_000
    said = {
        "at most 64 bytes before COBS": frames.MAX_FRAME == 64,
        "`len` is at most 57": frames.MAX_BODY == 57,
        "again every 250 ms": 250 * ms == link.HELLO_NS,
        "PING every 250 ms": 250 * ms == pings.PING_NS,
        "every 20 ms ten times after a greeting": (20 * ms, 10) == (pings.FIRST_PING_NS, pings.FIRST_PINGS),
        "after 60 ms without progress, doubling to 500 ms": (main.RESEND_US, main.RESEND_MOST_US)
        == (60_000, 500_000),
        "at most every 20 ms": 20 * ms == link.NAK_NS,
        "repeated after 50, 100 and 200 ms": (50 * ms, 100 * ms, 200 * ms) == commands.RETRY_NS,
        "(at most 2000 counts)": motor.LONGEST_LEASE_MS == 2000,
        "Host silent for 1 s": motor.SILENT_US == 1_000_000,
        "degraded at 750 ms, greeted anew from 1 s, lost at 2 s, the port opened anew at 5 s": (
            750 * ms,
            1000 * ms,
            2000 * ms,
            5000 * ms,
        )
        == (
            link.DEGRADED_NS,
            link.REGREET_NS,
            link.LOST_NS,
            link.REOPEN_NS,
        ),
        "at least 32 of them": sampler.RING >= 32,
        "up to eight consecutive ones": frames.MAX_ENTRIES == 8,
        "until no edge came for two seconds": sampler.QUIET_US == 2_000_000,
        "more than 67 minutes old": 67 * 60 * 1_000_000 <= 0xF0000000 < 68 * 60 * 1_000_000,
    }
    for sentence, true in said.items():
        assert sentence in FLAT, sentence
        assert true, sentence


def test_the_hash_is_over_the_files_the_page_names() -> None:
    named = re.search(r"SHA-256 over (.*?) in that order", FLAT)
    assert named is not None
    assert tuple(re.findall(r"`(\w+\.py)`", named[1])) == main.FILES


def test_every_status_end_and_cause_has_its_number_on_the_page() -> None:
    for text, value in (
        ("1 already at that limit", frames.AT_LIMIT),
        ("6 something is in the way of closing", frames.BLOCKED),
        ("7 no such pin", frames.NO_SUCH_PIN),
        ("5 bad configuration", frames.BAD_CONFIG),
        ("4 lease ended", frames.END_LEASE),
        ("6 host silent", frames.END_SILENT),
        ("3 brown-out", frames.RESET_BROWN_OUT),
    ):
        assert text in FLAT
        assert text.startswith(f"{value} ")
