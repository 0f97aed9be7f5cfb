"""The same brokers as the tests of the link; tables and consoles that are taken down at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.chaos.live import LiveConsole, LiveTable
from tests.mqtt.conftest import mosquitto

__all__ = ["mosquitto", "open_ends"]


@pytest.fixture
def open_ends() -> Iterator[list[LiveTable | LiveConsole]]:
    ends: list[LiveTable | LiveConsole] = []
    yield ends
    for end in reversed(ends):
        end.leave()
