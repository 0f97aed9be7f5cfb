"""The same brokers as the tests of the link."""

from __future__ import annotations

from tests.mqtt.conftest import mosquitto

__all__ = ["mosquitto"]
