"""A journal's evening told again to the core: the same phases, entries and effects, or what differs.

Under the regulations it was played with, a replay is compared with what happened live, row by row. Under
another authority's it shows what that authority would have made of the same evening. Nothing is carried out,
nothing written. Must never judge a movement that an order of ours caused: such a movement carries its order
in the event itself; where the other profile would have ordered it at another moment, that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from table_controller.journal import Row, body_of
from table_controller.messages import ClockQuality, What
from table_controller.messages.codec import Json
from table_controller.screen.effects import (
    Amend,
    CloseWindow,
    Effect,
    Moved,
    OpenWindow,
    RecordBoard,
    Report,
    StopWindow,
)
from table_controller.screen.entry import Entry
from table_controller.screen.events import Event, WindowOrder
from table_controller.service.reports import Stamp, effect_row
from table_controller.service.resume import Core, event_of, log_of

OURS = frozenset({What.EVENT, What.BOOT, What.COMMAND, What.STORAGE, What.NOTE})
"""Rows of the game log that no effect made."""
WINDOW_ORDERS = ("OpenWindow", "CloseWindow")
_NO_STAMP = Stamp(mono=0, wall=None, clock=ClockQuality.UNSET, rev=0)
Told = tuple[str, dict[str, Json]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """After the event in row `seq`: what was told live, and what the replay tells, each once."""

    seq: int
    live: tuple[Told, ...]
    replayed: tuple[Told, ...]


@dataclass(slots=True, kw_only=True)
class Replayed:
    """What a replay found. `boots`: how many runs of the controller the journal holds."""

    regulations: str
    events: int = 0
    effects: int = 0
    boots: int = 0
    moves: list[tuple[int, Moved]] = field(default_factory=list)
    entries: dict[int, Entry] = field(default_factory=dict)
    boards: list[RecordBoard] = field(default_factory=list)
    orders: list[tuple[int, Effect]] = field(default_factory=list)
    orders_live: list[tuple[int, str]] = field(default_factory=list)
    """Row and name of the window orders given live."""
    wished: list[tuple[int, str]] = field(default_factory=list)
    """The same for this replay, also where the window was already where it would have been ordered to."""
    differences: list[Difference] = field(default_factory=list)

    def other_moments(self) -> list[tuple[str, int | None, int | None]]:
        """Window orders at other moments than live: name, row live, row here; None where it is not given."""
        live_only = [order for order in self.orders_live if order not in self.wished]
        here_only = [order for order in self.wished if order not in self.orders_live]
        found: list[tuple[str, int | None, int | None]] = []
        for seq, name in live_only:
            other = next((order for order in here_only if order[1] == name), None)
            if other is not None:
                here_only.remove(other)
            found.append((name, seq, None if other is None else other[0]))
        return [*found, *((name, None, seq) for seq, name in here_only)]

    @property
    def same(self) -> bool:
        return not self.differences


Given = Callable[[Core], WindowOrder | None]
"""The order a core holds to be given to the window now."""
MakeCore = Callable[[dict[str, Json]], tuple[Core, str]]
"""A new core for the run whose boot row has this value, and the id of its regulations."""


def replay(rows: Iterable[Row], make_core: MakeCore, given: Given = lambda core: None) -> Replayed:
    """Tell the events again. A restart rebuilt the core from all rows before it, and so does the replay."""
    result = Replayed(regulations="")
    core: Core | None = None
    past: list[tuple[int, Event]] = []
    for seq, value, event, live in _by_event(rows):
        if value is not None:
            core, result.regulations = make_core(value)
            result.boots += 1
            for number, before in past:
                core.handle(before, number)
        if event is None or core is None:
            continue
        past.append((seq, event))
        before_order = given(core)
        effects = core.handle(event, seq)
        _wish(result, seq, before_order, given(core))
        result.events += 1
        result.effects += len(effects)
        _keep(result, seq, effects)
        result.orders_live += [(seq, name) for name in _window_orders(live)]
        told = [_told(effect) for effect in effects]
        if told != live:
            result.differences.append(_difference(seq, live, told))
    return result


def _by_event(
    rows: Iterable[Row],
) -> Iterator[tuple[int, dict[str, Json] | None, Event | None, list[Told]]]:
    """Each boot, and each event with what was told of it live: the rows between it and the next of ours."""
    waiting: tuple[int, Event, list[Told]] | None = None
    for row in rows:
        log = log_of(row)
        if log is not None and log[0] in OURS:
            if waiting is not None:
                yield waiting[0], None, waiting[1], waiting[2]
                waiting = None
            if log[0] is What.BOOT:
                yield row.seq, log[1], None, []
            elif log[0] is What.EVENT:
                event = event_of(row)
                assert event is not None
                waiting = (row.seq, event, [])
        elif waiting is not None:
            waiting[2].append((row.stream, body_of(row)))
    if waiting is not None:
        yield waiting[0], None, waiting[1], waiting[2]


def _wish(result: Replayed, seq: int, before: WindowOrder | None, after: WindowOrder | None) -> None:
    if after is not None and after is not before:
        result.wished.append((seq, "OpenWindow" if after is WindowOrder.OPEN else "CloseWindow"))


def _window_orders(live: Sequence[Told]) -> list[str]:
    values = [body.get("value") for _, body in live]
    names = [str(value.get("effect")) for value in values if isinstance(value, dict)]
    return [name for name in names if name in WINDOW_ORDERS]


def _told(effect: Effect) -> Told:
    row = effect_row(effect, _NO_STAMP)
    return row.stream.value, row.body


def _difference(seq: int, live: Sequence[Told], replayed: Sequence[Told]) -> Difference:
    return Difference(
        seq=seq,
        live=tuple(told for told in live if told not in replayed),
        replayed=tuple(told for told in replayed if told not in live),
    )


def _keep(result: Replayed, seq: int, effects: Sequence[Effect]) -> None:
    for effect in effects:
        match effect:
            case Moved():
                result.moves.append((seq, effect))
            case Report(entry=entry) | Amend(entry=entry):
                result.entries[entry.id] = entry
            case RecordBoard():
                result.boards.append(effect)
            case OpenWindow() | CloseWindow() | StopWindow():
                result.orders.append((seq, effect))
            case _:
                pass
