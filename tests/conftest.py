"""For all tests: an example may take its time. A busy machine is no failure of what is tested."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("patient", parent=settings.default, deadline=None)
settings.load_profile("patient")
