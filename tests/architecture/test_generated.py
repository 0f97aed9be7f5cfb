"""The generated pages of docs/ say what the code says."""

from __future__ import annotations

from tests.generate import stale


def test_no_generated_page_is_stale() -> None:
    assert stale() == [], "run `make docs`"
