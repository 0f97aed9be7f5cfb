"""One bench for a file of tests: it takes seconds to start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.bench.rig import BenchRig, bench


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BenchRig]:
    with bench(tmp_path_factory.mktemp("bench")) as running:
        yield running
