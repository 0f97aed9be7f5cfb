"""The controller's inside as its own outputs show it: levels, wire, readings, rows, each linked to its cause.

What is here was sensed at the metal or published by the controller; the links are made by whoever listens: a
reading comes of the level before it, an event of the reading at its time, an effect of the event before it in
the journal. Must never open the journal or the core itself.
"""

from __future__ import annotations

import json
from collections import deque
from typing import cast

from pydantic import JsonValue

from firmware_bridge.rig import RigSpec
from hw_sim.bench.contract import InsideItem, Layer
from hw_sim.bench.taps import BytesHeard, Heard, LevelHeard
from hw_sim.bench.wire_reader import WireReader
from hw_sim.table.changes import MS
from table_controller.messages import FaultBody, IrregularityBody, LogBody, Message, VisitBody, What

KEPT = 20_000
HEARTBEATS = frozenset({"PING", "PONG", "ACK"})
KEEP_ALIVE = frozenset({"PING", "PONG", "ACK"})
"""Frames that say only that the line is there, a dozen a second: told as they come, and not kept."""
TEXT = 160
IN_PLAY = ("play", "complete")
NEAR_NS = 60 * MS
BEFORE_NS = 3_000 * MS
OF_EVENT: dict[str, tuple[str, ...]] = {
    "Board": ("board.",),
    "Tray": ("tray.ne tray.sw", "call."),
    "TrayHandled": ("tray.handle.",),
    "TraySeen": ("call.", "tray.ne tray.sw"),
    "Window": ("window.open window.closed", "window."),
    "WindowHandled": ("window.handle.",),
    "Call": ("call.",),
    "CallReleased": ("released.",),
    "CardsCleared": ("cleared.", "call."),
    "AuctionOver": ("auction_over.",),
    "Alert": ("alert.",),
    "StopCard": ("call.",),
    "Hands": ("hand.",),
    "Seat": ("seat.",),
    "Lead": ("lead.",),
    "LeadAnnounced": ("announced.",),
    "CardPlayed": ("card.",),
    "Dummy": ("card.",),
    "Claim": ("claim.",),
    "DirectorSummoned": ("director.",),
    "Sensor": ("tray.ne tray.sw window.open window.closed lead.",),
}
"""Which signals an event can come of, the likeliest first; the longest beginning of its name counts."""
_ORDERED = {
    "OpenWindow": "window.",
    "CloseWindow": "window.",
    "StopWindow": "window.",
    "HoldTray": "hold.",
    "ReleaseTray": "hold.",
    "LightSummons": "summons.",
}
_LAYERS: dict[What, Layer] = {
    What.EVENT: "event",
    What.MOVED: "move",
    What.ORDER: "effect",
    What.DEADLINE: "effect",
    What.BOARD: "effect",
    What.VIEW: "effect",
    What.REFUSED: "effect",
    What.COMMAND: "command",
}


class Inside:
    """`began`: the session's zero, monotonic ns. `take_new`: what is new, and items that now have a cause."""

    def __init__(self, spec: RigSpec, began: int) -> None:
        self.began = began
        self.items: deque[InsideItem] = deque(maxlen=KEPT)
        self.levels: dict[str, bool | str] = {one.signal: False for one in spec.inputs}
        self.levels |= {one.signal: "" for one in spec.tokens}
        self.phase = ""
        self.claimed = ""
        """The seat that claimed in the play of the board that lies there."""
        self.by_row: dict[int, int] = {}
        self._wire = WireReader(spec)
        self._fresh: list[InsideItem] = []
        self._next = 1
        self._level_of: dict[str, tuple[int, int]] = {}
        """By signal: (time, item) of its latest level."""
        self._reading_of: dict[str, tuple[int, int]] = {}
        self._orders: list[tuple[int, str, InsideItem]] = []
        self._cause: int | None = None

    @property
    def last(self) -> int:
        """The id of the latest item, 0 where there is none."""
        return self._next - 1

    def take_new(self) -> list[InsideItem]:
        taken, self._fresh = self._fresh, []
        return taken

    def latest(self, count: int) -> tuple[InsideItem, ...]:
        """The latest few, heartbeats of the wire left out: they would push everything else away."""
        found: list[InsideItem] = []
        for item in reversed(self.items):
            if item.name not in HEARTBEATS:
                found.append(item)
                if len(found) == count:
                    break
        return tuple(reversed(found))

    # --- the metal

    def heard(self, heard: Heard) -> None:
        match heard:
            case LevelHeard(at=at, signal=signal, value=value):
                self.levels[signal] = value
                item = self._add("level", at, signal, _shown(value), body={"signal": signal, "value": value})
                self._level_of[signal] = (at, item.id)
            case BytesHeard(at=at, sender=sender, data=data):
                self._bytes(at, sender, data)

    def _bytes(self, at: int, sender: str, data: bytes) -> None:
        for frame in self._wire.feed(sender, data):
            first = frame.readings[0].signal if frame.readings else ""
            item = self._add(
                "wire",
                at,
                frame.line.kind,
                str(frame.line),
                cause=self._level_of.get(first, (0, None))[1],
                body={"sender": sender, "kind": frame.line.kind, "text": frame.line.text},
            )
            for reading in frame.readings:
                text = _shown(reading.value) + (", does not settle" if reading.doubtful else "")
                told = self._add(
                    "reading",
                    at,
                    reading.signal,
                    text,
                    cause=item.id,
                    body={"signal": reading.signal, "value": reading.value, "doubtful": reading.doubtful},
                )
                level_at = self._level_of.get(reading.signal, (at, 0))[0]
                self._reading_of[reading.signal] = (level_at, told.id)
            if frame.order:
                self._orders = [*self._orders[-30:], (at, frame.order, item)]

    # --- the journal's rows as they are published

    def row(self, message: Message) -> None:
        """One row, in its order."""
        envelope = message.envelope
        at = envelope.mono_ms * MS
        seq = envelope.seq
        match message.body:
            case LogBody(what=What.EVENT, value=value):
                name = str(value.get("event", "event"))
                moment = value.get("at")
                cause = self._cause_of(name, moment if isinstance(moment, int) else at)
                item = self._add("event", at, name, _short(value), cause=cause, seq=seq, body=_body(value))
                self._cause = item.id
                if name == "ClaimMade":
                    self.claimed = str(value.get("seat", ""))
            case LogBody(what=what, value=value):
                layer = _LAYERS.get(what, "other")
                name = str(value.get("effect", what.value)) if isinstance(value, dict) else what.value
                if layer == "command":
                    self._cause = None
                if layer == "move":
                    self.phase = str(value.get("dest", self.phase))
                    self.claimed = self.claimed if self.phase in IN_PLAY else ""
                item = self._add(
                    layer, at, name, _short(value), cause=self._cause, seq=seq, body=_body(value)
                )
                if layer == "command":
                    self._cause = item.id
                self._caused(item, name, at)
                if what is What.VIEW:
                    self._view(value)
            case IrregularityBody(change=change, entry=entry):
                kinds = entry.get("kinds")
                name = ",".join(map(str, kinds)) if isinstance(kinds, list) else "entry"
                body: dict[str, object] = {"change": change.value, "entry": entry}
                self._add("entry", at, name, _short(entry), cause=self._cause, seq=seq, body=_body(body))
            case FaultBody(change=fault_change, fault=fault):
                body = {"change": fault_change.value, "fault": fault}
                name = str(fault.get("kind", "fault"))
                self._add("fault", at, name, _short(fault), cause=self._cause, seq=seq, body=_body(body))
            case VisitBody(visit=visit):
                self._add("visit", at, "visit", _short(visit), cause=self._cause, seq=seq, body=_body(visit))
            case _:
                pass
        if seq is not None:
            self.by_row[seq] = self.last

    def _view(self, value: object) -> None:
        view = value.get("view") if isinstance(value, dict) else None
        if isinstance(view, dict) and isinstance(view.get("phase"), str):
            self.phase = str(view["phase"])

    def _cause_of(self, name: str, moment: int) -> int | None:
        """The reading (by GPIO: level) of a signal this event can come of, nearest to its time."""
        begins = [key for key in OF_EVENT if name.startswith(key)]
        if not begins:
            return None
        found = self._reading_of or self._level_of
        for signals in OF_EVENT[max(begins, key=len)]:
            near = [
                (abs(at - moment), item)
                for signal, (at, item) in found.items()
                if signal.startswith(tuple(signals.split())) and moment - BEFORE_NS <= at <= moment + NEAR_NS
            ]
            if near:
                return min(near)[1]
        return None

    def _caused(self, effect: InsideItem, name: str, at: int) -> None:
        """The command on the wire that this order became: it was seen before the row was published."""
        begins = _ORDERED.get(name)
        if begins is None:
            return
        for number, (when, order, item) in enumerate(self._orders):
            if order.startswith(begins) and item.cause is None and abs(when - at) < 500 * MS:
                linked = item.model_copy(update={"cause": effect.id})
                self._orders[number] = (when, order, linked)
                self._fresh.append(linked)
                return

    def _add(
        self,
        layer: Layer,
        at: int,
        name: str,
        text: str,
        *,
        body: dict[str, JsonValue],
        cause: int | None = None,
        seq: int | None = None,
    ) -> InsideItem:
        item = InsideItem(
            id=self._next,
            layer=layer,
            ms=max((at - self.began) // MS, 0),
            cause=cause or None,
            seq=seq,
            name=name,
            text=text[:TEXT],
            body=body,
        )
        self._next += 1
        if layer != "wire" or name not in KEEP_ALIVE:
            self.items.append(item)
        self._fresh.append(item)
        return item


def _shown(value: bool | str) -> str:
    if isinstance(value, str):
        return value or "nothing"
    return "active" if value else "inactive"


def _short(value: object) -> str:
    if not isinstance(value, dict):
        return str(value)
    left_out = (
        "event",
        "effect",
        "at",
        "uncertainty",
        "not_before",
        "evidence",
        "provisions",
        "view",
        "facts",
    )
    kept = {
        key: inner for key, inner in value.items() if key not in left_out and inner not in (None, [], False)
    }
    return json.dumps(kept, ensure_ascii=False, separators=(", ", ": "))[1:-1]


def _body(value: object) -> dict[str, JsonValue]:
    return cast("dict[str, JsonValue]", value if isinstance(value, dict) else {"value": value})
