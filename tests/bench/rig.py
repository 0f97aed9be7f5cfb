"""A bench for tests: real controller, broker and paths; no browser, and no console if not asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from hw_sim.bench import contract as c
from hw_sim.bench.choices import library
from hw_sim.bench.conducting import Conductor
from hw_sim.bench.engine import Bench, BenchOptions
from hw_sim.bench.server import application
from hw_sim.bench.session import Session
from hw_sim.processes.journal_reader import Row, export_journal
from hw_sim.table.site import Way
from hw_sim.table.wiring import TableKind

WITHIN_S = 60.0


class BenchRig:
    """A bench that runs, worked by its own orders; `client` speaks to it as a page does."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.conductor = Conductor(bench)
        self.client = TestClient(application(bench), base_url="http://127.0.0.1")

    @property
    def session(self) -> Session:
        return self.bench.ask(lambda: self.bench.session).result(WITHIN_S)

    def control(self, **order: Any) -> None:
        self.post("/api/control", order)

    def post(self, path: str, order: dict[str, Any]) -> dict[str, Any]:
        """The answer; an answer that is a problem fails the test."""
        answer = self.client.post(path, json=order)
        assert answer.status_code < 300, answer.text
        return dict(answer.json())

    def refused(self, path: str, order: dict[str, Any]) -> dict[str, Any]:
        """The problem it was answered with."""
        answer = self.client.post(path, json=order)
        assert answer.status_code >= 400, answer.text
        return dict(answer.json())

    def do(self, *lines: str) -> None:
        """Deeds by hand, one after another."""
        for line in lines:
            self.bench.deed(line).result(WITHIN_S)

    def until(self, seen: Callable[[Session], bool], what: str, within_s: float = WITHIN_S) -> None:
        end = time.monotonic() + within_s
        while not self.bench.ask(lambda: seen(self.bench.session)).result(WITHIN_S):
            assert time.monotonic() < end, f"{what}; it says: {self.frame.said!r}"
            time.sleep(0.05)
        self.bench.ask(self.bench.show).result(WITHIN_S)  # what is shown from now on is how it stands

    def until_ended(self, within_s: float = WITHIN_S) -> None:
        """Until what plays has come to its end and the table has nothing more to say."""
        self.until(lambda session: session.ended, "it did not come to its end", within_s)
        self.quiet()

    def quiet(self) -> None:
        self.until(
            lambda session: session.table.body.now - session.table.heard_at > 400_000_000, "it is never quiet"
        )

    @property
    def frame(self) -> c.SessionFrame:
        """As it was last shown."""
        frame = self.bench.bulletin.session
        assert frame is not None
        return frame

    def rows(self) -> list[Row]:
        """The journal of the table that stands, by the controller's own export."""
        return list(export_journal(self.session.journal))

    def kinds(self) -> list[str]:
        """Kinds of all irregularities in the journal, as they are in the end."""
        entries: dict[int, tuple[str, ...]] = {}
        for row in self.rows():
            if "entry" in row["body"]:
                entry = row["body"]["entry"]
                entries[entry["id"]] = tuple(entry["kinds"])
        return sorted(kind for kinds in entries.values() for kind in kinds)

    def faults(self) -> list[tuple[str, str]]:
        """(change, kind) of every fault in the journal."""
        rows = [row["body"] for row in self.rows() if "fault" in row["body"]]
        return [(str(body["change"]), str(body["fault"]["kind"])) for body in rows]

    def fresh(self, **order: Any) -> None:
        """A new table, in real time, with nobody playing."""
        self.control(do="setup", **order)


@contextmanager
def bench(
    directory: Path,
    *,
    kind: TableKind = TableKind.FULL,
    way: Way = Way.WIRE,
    console: bool = False,
    scenarios: tuple[Path, ...] = (),
) -> Iterator[BenchRig]:
    """Everything ends with it."""
    options = BenchOptions(library=library("en", [], list(scenarios)), kind=kind, way=way, console=console)
    with Bench(options, directory) as running:
        yield BenchRig(running)
