"""For all tests: an example may take its time, and of the tests that live in real time a seeded sample runs.

A busy machine is no failure of what is tested. Tests marked `live` wait on real processes rather than on the
machine, so that a whole set of them takes minutes whatever the machine: `make test` runs about a quarter of
the cases, chosen by their names and `SCREEN_TABLE_SEED`; `make test-long` runs the others.
"""

from __future__ import annotations

import os
from zlib import crc32

import pytest
from hypothesis import settings

from tests.needs import need_mosquitto

settings.register_profile("patient", parent=settings.default, deadline=None)
settings.load_profile("patient")

ONE_OF = 4
SEED = os.environ.get("SCREEN_TABLE_SEED", "1")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("live") and not in_sample(item.nodeid):
            item.add_marker(pytest.mark.long)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("mosquitto"):
        need_mosquitto()


def in_sample(nodeid: str) -> bool:
    """Whether this case is one of the quarter that runs in `make test`."""
    return crc32(f"{SEED}/{nodeid}".encode()) % ONE_OF == 0
