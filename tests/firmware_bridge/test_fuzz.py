"""A short seeded form of the fuzzing; `python -m tests.firmware_bridge.fuzz` is the long one."""

from __future__ import annotations

from tests.firmware_bridge.fuzz import fuzz_decoder, fuzz_firmware, fuzz_host


def test_nothing_is_accepted_that_was_not_sent() -> None:
    assert fuzz_decoder(40_000, seed=20) > 0


def test_a_running_host_raises_nothing() -> None:
    fuzz_host(20_000, seed=21)


def test_the_firmware_raises_nothing_and_always_answers() -> None:
    fuzz_firmware(20_000, seed=22)
