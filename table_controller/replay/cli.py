"""`table-controller replay`: an evening told again.

Reads a journal and writes nothing. Must never say that a replay is the same when a row could not be read.
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from rich.console import Console
from rich.table import Table

from table_controller.cli_errors import Unusable, one_sentence
from table_controller.clock.table import TimedTable
from table_controller.journal import Row, history, inspect
from table_controller.journal.database import connect_to_read, read_rows
from table_controller.messages.codec import Json, to_json
from table_controller.plain.console import plain_console
from table_controller.plain.folded import folded
from table_controller.plain.given_paths import need_file
from table_controller.regulations.load import load
from table_controller.regulations.model import Regulations
from table_controller.replay.evening import Difference, Replayed, Told, replay
from table_controller.screen.event_base import WindowOrder
from table_controller.screen.table import ScreenTable
from table_controller.service.resume import Core

SHOWN = 20
"""So many differences are printed for a person; a program gets all."""


def run_replay(journal: Path, regulations: str | None, *, as_json: bool) -> int:
    """Replay a journal and say what came of it; the exit code."""
    with one_sentence():
        rows = rows_of(journal)
        replayed = replay(rows, lambda boot: core_of_boot(boot, regulations), given_by)
    if as_json:
        print(json.dumps(value_of(replayed), ensure_ascii=False))
    else:
        _show(replayed, plain_console(), other=regulations is not None)
    return 1 if regulations is None and not replayed.same else 0


def given_by(core: Core) -> WindowOrder | None:
    """The order this core holds to be given to the window now."""
    return core.state.given.window if isinstance(core, ScreenTable) else None


def rows_of(path: Path) -> list[Row]:
    """All rows of a sound journal. Raises Unusable or PathUnusable with one sentence."""
    need_file(path, "the journal of a table, e.g. data/journal.sqlite")
    seen = inspect(path)
    if seen.complaints:
        raise Unusable(f"{path}: {seen.complaints[0]}; see `table-controller journal verify`")
    with closing(connect_to_read(path)) as connection:
        rows = list(read_rows(connection, 1))
    return rows if seen.origin is None else history(path, seen.origin.identity, rows)


def core_of_boot(boot: dict[str, Json], profile: str | None) -> tuple[Core, str]:
    """The core of the run that wrote this boot row, under its regulations or those asked for."""
    if profile is not None:
        regulations = load(profile)
    else:
        regulations = _as_played(boot)
    senses = frozenset(str(sense) for sense in cast("list[Json]", boot.get("senses") or []))
    return TimedTable(regulations=regulations, senses=senses), regulations.id


def _as_played(boot: dict[str, Json]) -> Regulations:
    """The regulations of a run, its supplements as its boot row has them, else from their files."""
    paths = [str(path) for path in cast("list[Json]", boot.get("supplements") or [])]
    texts = [str(text) for text in cast("list[Json]", boot.get("supplement_texts") or [])]
    profile = str(boot.get("profile", ""))
    if len(texts) != len(paths):
        return load(profile, paths)
    with TemporaryDirectory() as folder:
        kept = [Path(folder) / f"{number}-{Path(path).name}" for number, path in enumerate(paths)]
        for path, text in zip(kept, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        return load(profile, kept)


def value_of(replayed: Replayed) -> dict[str, Json]:
    """For `--json`."""
    return {
        "regulations": replayed.regulations,
        "runs": replayed.boots,
        "events": replayed.events,
        "effects": replayed.effects,
        "same": replayed.same,
        "moves": [{"row": seq, "move": to_json(move)} for seq, move in replayed.moves],
        "entries": [to_json(entry) for entry in replayed.entries.values()],
        "boards": [to_json(board) for board in replayed.boards],
        "other_moments": [
            {"order": name, "live": live, "replayed": ours} for name, live, ours in replayed.other_moments()
        ],
        "orders": [{"row": seq, "order": to_json(order)} for seq, order in replayed.orders],
        "differences": [_difference(difference) for difference in replayed.differences],
    }


def _difference(difference: Difference) -> dict[str, Json]:
    return {
        "row": difference.seq,
        "live": [_told(told) for told in difference.live],
        "replayed": [_told(told) for told in difference.replayed],
    }


def _told(told: Told) -> dict[str, Json]:
    return {"stream": told[0], "body": told[1]}


def _show(replayed: Replayed, console: Console, *, other: bool) -> None:
    console.print(
        f"{replayed.events} events, {replayed.effects} effects, {len(replayed.boards)} boards, "
        f"{replayed.boots} runs, under {replayed.regulations}"
    )
    entries = Table("entry", "what", "board", "level", "how it ended", box=None, pad_edge=False)
    for entry in replayed.entries.values():
        kinds = ", ".join(kind.value for kind in entry.kinds)
        board = "" if entry.board is None else str(entry.board)
        entries.add_row(str(entry.id), kinds, board, entry.level.name.lower(), entry.standing.value)
    if replayed.entries:
        console.print(folded(entries))
    if replayed.same:
        console.print("The same phases, entries and effects as happened live.")
        return
    for name, live, ours in replayed.other_moments() if other else ():
        was = "was not given live" if live is None else f"was given live after row {live}"
        would = "would not be given" if ours is None else f"would be given after row {ours}"
        console.print(f"{name} {was}; under {replayed.regulations} it {would}.", highlight=False)
    how = "What these regulations make of it" if other else "The replay"
    console.print(f"{how} differs after {len(replayed.differences)} events:")
    lines = [
        f"  row {difference.seq} {sign} {_line(told)}"
        for difference in replayed.differences
        for sign, side in (("-", difference.live), ("+", difference.replayed))
        for told in side
        if not other or _matters(told)
    ]
    for line in lines[:SHOWN]:
        console.print(line, highlight=False, soft_wrap=True)
    if len(lines) > SHOWN:
        console.print(f"... and {len(lines) - SHOWN} more; --json has all")


_OF_NO_AUTHORITY = ("ShowState", "SetDeadline", "ClearDeadline", "RecordTime", "RecordPace")


def _matters(told: Told) -> bool:
    """Under another authority's profile: what a director would ask about, not what a screen shows."""
    value = told[1].get("value")
    effect = value.get("effect") if isinstance(value, dict) else None
    return told[0] != "visit" and effect not in _OF_NO_AUTHORITY


def _line(told: Told) -> str:
    stream, body = told
    inner = next((value for value in body.values() if isinstance(value, dict)), {})
    short = {name: value for name, value in inner.items() if name not in ("view", "evidence", "provisions")}
    return f"{stream} {json.dumps(short, ensure_ascii=False)}"[:200]
