from __future__ import annotations

import pytest

from tests.access.rig import has_mosquitto


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("mosquitto") is not None and not has_mosquitto():
            item.add_marker(pytest.mark.skip(reason="mosquitto is not installed"))
