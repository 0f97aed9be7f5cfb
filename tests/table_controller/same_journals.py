"""The same games at three tables, the core alone, behind a wire, behind GPIO; and what each recorded of them.

What is compared is every row of the journal with its times taken out. Two things that happen at once on both
faces may be told in either order, so the rows of an evening are compared as a collection, and those that the
procedure orders (phases, boards, orders to the window, visits, irregularities) also in order.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from hw_sim.core_runner import customs_of
from hw_sim.core_runner.customs import regulations_of
from hw_sim.core_runner.play import senses_of
from hw_sim.core_runner.stage import CoreStage
from hw_sim.players.customs import STYLES, Floors, Manner
from hw_sim.players.four import BoardPlay
from hw_sim.players.ledger import Ledger
from hw_sim.players.runner import play_out
from hw_sim.players.script import script_of
from hw_sim.records.model import RecordedGame
from hw_sim.table.changes import MS
from hw_sim.table.site import Way
from hw_sim.table.wiring import TableKind
from table_controller.journal.rows import NewRow
from table_controller.messages import ClockQuality
from table_controller.screen.events import Event
from table_controller.screen.senses import Sense
from table_controller.service.reports import Stamp, effect_row, event_row
from tests.table_controller.live_table import LiveTable, rows

PROFILE = "ccba-2006"
KIND = TableKind.FULL
STAMP = Stamp(mono=0, wall=None, clock=ClockQuality.RTC, rev=0)
TIMES = frozenset(
    {
        "at",
        "not_before",
        "uncertainty",
        "inferred",
        "arrived",
        "left",
        "hold",
        "thinking",
        "transit",
        "until",
        "evidence",
    }
)
"""`inferred` says how a time is known. `evidence` numbers rows, which what happens at once exchanges."""
PROCEDURE = ("moved", "board", "order", "visit", "irregularity", "fault")
NOT_COMPARED = ("boot", "view", "deadline", "note")
"""A view is what the table shows after a row: it differs where two things came in the other order."""

Told = tuple[str, dict[str, Any]]
"""A row: what it is, and its body."""


class ToldStage(CoreStage):
    """A core alone that keeps what would be its journal's rows."""

    def __init__(self) -> None:
        self.rows: list[NewRow] = []
        super().__init__(regulations=regulations_of(PROFILE), senses=senses_of(KIND))

    def tell(self, event: Event, *senses: Sense) -> None:
        if not self._senses.issuperset(senses):
            return
        self.rows.append(event_row(event, STAMP))
        self.events += 1
        effects = self.table.handle(event, self.events)
        self.rows += [effect_row(effect, STAMP) for effect in effects]
        for effect in effects:
            self._obey(effect)


def through_core(games: Sequence[RecordedGame]) -> list[Told]:
    """One table's evening."""
    stage = ToldStage()
    ledger, manner = Ledger("core"), Manner(STYLES["fast"], Random(1), Floors.quickest())
    for game in games:
        play = _play(stage, game, ledger, manner)
        play_out(stage, play.play(), speed=float("inf"))
    return [_told(row.stream.value, _body(row.body)) for row in stage.rows]


def comes_to_an_end(game: RecordedGame) -> bool:
    """Whether the core alone saw it to its end with nothing left to wait for."""
    stage = ToldStage()
    play = _play(stage, game, Ledger("core"), Manner(STYLES["fast"], Random(1), Floors.quickest()))
    try:
        play_out(stage, play.play(), speed=float("inf"))
    except Exception:
        return False
    return play.account.finished and len(stage.boards) == 1


def _play(stage: CoreStage, game: RecordedGame, ledger: Ledger, manner: Manner) -> BoardPlay:
    return BoardPlay(
        hands=stage,
        script=script_of(game),
        customs=customs_of(PROFILE),
        furniture=KIND.furniture,
        manner=manner,
        ledger=ledger,
        misdeed=None,
    )


def through_process(games: Sequence[RecordedGame], way: Way, directory: Path, *, quick: bool) -> list[Told]:
    """The same evening at a table with a controller of its own process. `quick`: hardware at its least."""
    directory.mkdir(parents=True)
    with LiveTable(directory, kind=KIND, way=way, quick=quick) as table:
        table.run()
        for game in games:
            table.play(game)
        table.settle(1_300 * MS)
        assert table.stop() == 0, table.log.read_text()
        told = [_told(row["type"], row["body"]) for row in rows(table.journal) if not table.explains(row)]
        return [_uninterrupted(row) for row in told] if table.stood_still else told


def side_by_side(
    shares: Sequence[Sequence[RecordedGame]], ways: Sequence[Way], directory: Path, *, quick: bool
) -> dict[tuple[int, Way], list[Told]]:
    """Every share at a table of its own each way, all at once.

    Each table has a process: in one, its device would wait for the others' and seem to have fallen silent.
    """
    places = [(number, way) for number in range(len(shares)) for way in ways]
    with ProcessPoolExecutor(len(places), mp_context=get_context("spawn")) as pool:
        waiting = {
            (number, way): pool.submit(
                through_process, shares[number], way, directory / f"{number}-{way}", quick=quick
            )
            for number, way in places
        }
        return {place: played.result() for place, played in waiting.items()}


def said_of(shares: list[list[RecordedGame]], directory: Path, *, quick: bool) -> list[str]:
    """What differs between core, wire and GPIO when each share is played each way; nothing at best."""
    found = side_by_side(shares, (Way.WIRE, Way.GPIO), directory, quick=quick)
    said: list[str] = []
    for number, share in enumerate(shares):
        core = through_core(share)
        wire, gpio = found[number, Way.WIRE], found[number, Way.GPIO]
        for one, other, what in ((wire, gpio, "wire and GPIO"), (core, wire, "core and wire")):
            said += [f"table {number + 1}, {what}: {row}" for row in differences(one, other)]
        assert len([row for row in core if row[0] == "board"]) >= len(share)
    return said


def differences(one: list[Told], other: list[Told]) -> list[str]:
    """What the one has that the other has not, and the first step of the procedure at which they part."""
    ours, theirs = ([_text(row) for row in told if row[0] not in NOT_COMPARED] for told in (one, other))
    more, less = Counter(ours), Counter(theirs)
    found = [f"only in the first: {row}" for row in (more - less).elements()]
    found += [f"only in the second: {row}" for row in (less - more).elements()]
    steps = [[_text(row) for row in told if row[0] in PROCEDURE] for told in (one, other)]
    parting = next((pair for pair in zip(*steps, strict=False) if pair[0] != pair[1]), None)
    return found if parting is None else [*found, f"they part at {parting[0]} and {parting[1]}"]


def _uninterrupted(row: Told) -> Told:
    """A visit in which events may have been lost is marked so."""
    what, body = row
    if what != "visit":
        return row
    return what, {**body, "visit": {k: v for k, v in body["visit"].items() if k != "interrupted"}}


def _told(stream: str, body: dict[str, Any]) -> Told:
    if "what" in body:
        return str(body["what"]), bare(body["value"])
    return stream, bare(body)


def bare(value: Any) -> Any:
    """Without times."""
    if isinstance(value, dict):
        return {key: bare(inner) for key, inner in value.items() if key not in TIMES}
    return [bare(inner) for inner in value] if isinstance(value, list) else value


def _text(row: Told) -> str:
    return f"{row[0]} {json.dumps(row[1], sort_keys=True, ensure_ascii=False)}"


def _body(text: object) -> dict[str, Any]:
    found = json.loads(text) if isinstance(text, str | bytes) else text
    assert isinstance(found, dict)
    return found
