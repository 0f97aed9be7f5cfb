"""How simulated tables are wired, and the configuration that tells a controller so.

Three kinds as they are built, watch, guard and full, and one that reads cards on the few pins of a
Raspberry Pi's own header. One table of wires makes both the device's own
specification and the text of the controller's configuration, so that the two agree; the controller reads that
text like any other. Must never know what a signal means.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from firmware_bridge.rig import InputSpec, OutputKind, OutputSpec, RigSpec, TokenSpec
from hw_sim.players.customs import FULL_TABLE, GUARD_TABLE, HEADER_TABLE, WATCH_TABLE, Furniture
from table_controller.laws.seat import ScreenSide, Seat

SEATS = tuple(seat.lower() for seat in Seat)
SIDES = tuple(side.lower() for side in ScreenSide)
QUICK_DEBOUNCE_MS = 5
USUAL_DEBOUNCE_MS = 25


class TableKind(StrEnum):
    """How much a table can sense."""

    WATCH = "watch"
    GUARD = "guard"
    FULL = "full"
    HEADER = "header"
    """What of a full table fits on a header's pins; its readers come over the simulator's socket."""

    @property
    def furniture(self) -> Furniture:
        return {
            TableKind.WATCH: WATCH_TABLE,
            TableKind.GUARD: GUARD_TABLE,
            TableKind.FULL: FULL_TABLE,
            TableKind.HEADER: HEADER_TABLE,
        }[self]


def _each(pattern: str, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(pattern.format(name) for name in names)


_Names = tuple[str, ...]
_CORE: _Names = (
    *_each("tray.{}", SIDES),
    "window.closed",
    "window.open",
    *_each("lead.{}.present", SEATS),
    "board.present",
    *_each("director.{}", SEATS),
)
_FACED: _Names = _each("lead.{}.faced", SEATS)
_PLAIN: _Names = (*_CORE, *_each("auction_over.{}", SIDES))
_MOTOR: _Names = ("window.obstructed", "window.overcurrent")
_ALL: _Names = (
    *_PLAIN,
    *_MOTOR,
    *_each("window.handle.{}", SEATS),
    *_FACED,
    *_each("announced.{}", SEATS),
    *_each("released.{}", SEATS),
    *_each("alert.{}", SEATS),
    *_each("tray.handle.{}", SEATS),
    *_each("cleared.{}", SIDES),
    *_each("claim.{}", SEATS),
    *_each("hand.{}", SEATS),
)
_TOKENS: _Names = (
    "board.id",
    *_each("call.ne.{}", SEATS),
    *_each("call.sw.{}", SEATS),
    *_each("card.{}", SEATS),
    *_each("seat.{}", SEATS),
)
_CORE_SENSES: _Names = ("tray", "window", "lead", "summons", "board")
_PLAIN_SENSES: _Names = (*_CORE_SENSES, "auction_over")
_HEADER_SENSES: _Names = (*_CORE_SENSES, "lead.face", "board.id", "calls", "cards")
_ALL_SENSES: _Names = (
    *_PLAIN_SENSES,
    "window.handle",
    "lead.face",
    "announced",
    "board.id",
    "calls",
    "released",
    "alerts",
    "mover",
    "cleared",
    "cards",
    "claim",
    "hands",
    "seats",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """One kind of table: its senses, and every wire with its pin."""

    kind: TableKind
    senses: tuple[str, ...]
    rig: RigSpec

    @property
    def signals(self) -> frozenset[str]:
        """Every wire and reader in, by name."""
        return frozenset([i.signal for i in self.rig.inputs] + [t.signal for t in self.rig.tokens])


def wiring(kind: TableKind, *, quick: bool = False, chain: bool = True) -> Wiring:
    """The wires of a kind of table. `quick`: the least debounce. `chain` False: on a header's pins."""
    signals: _Names
    tokens: _Names
    debounce = QUICK_DEBOUNCE_MS if quick else USUAL_DEBOUNCE_MS
    match kind:
        case TableKind.WATCH:
            signals, senses, tokens = _PLAIN, _PLAIN_SENSES, ()
        case TableKind.GUARD:
            signals = (*_PLAIN, *_MOTOR, "window.handle.s", "window.handle.w")
            senses, tokens = (*_PLAIN_SENSES, "window.handle"), ()
        case TableKind.HEADER:
            signals, senses = (*_CORE, *_FACED), _HEADER_SENSES
            tokens = tuple(token for token in _TOKENS if not token.startswith("seat"))
        case TableKind.FULL:
            signals, senses, tokens = _ALL, _ALL_SENSES, _TOKENS
    inputs = tuple(
        InputSpec(signal=signal, pin=pin, chain=chain, debounce_ms=debounce, release_ms=debounce)
        for pin, signal in enumerate(signals)
    )
    readers = tuple(TokenSpec(signal=signal, reader=reader) for reader, signal in enumerate(tokens))
    first = 0 if chain else len(inputs)
    return Wiring(
        kind=kind,
        senses=senses,
        rig=RigSpec(inputs=inputs, tokens=readers, outputs=_outputs(kind, first, deadman=not chain)),
    )


def _outputs(kind: TableKind, first: int, *, deadman: bool) -> tuple[OutputSpec, ...]:
    names = list(_each("summons.{}", SEATS))
    if kind in (TableKind.FULL, TableKind.HEADER):
        names += _each("hold.{}", SIDES)
    if kind is TableKind.WATCH:
        names += ["window.lamp", "window.lamp.close"]
    lamps = [OutputSpec(name=name, kind=OutputKind.LAMP, pin=first + 2 + n) for n, name in enumerate(names)]
    if kind is TableKind.WATCH:
        return tuple(replace(lamp, pin=lamp.pin - 2) for lamp in lamps)
    motor = OutputSpec(
        name="window.motor",
        kind=OutputKind.MOTOR,
        pin=first,
        close_pin=first + 1,
        limit_open="window.open",
        limit_close="window.closed",
        obstructed=None if kind is TableKind.HEADER else "window.obstructed",
        overcurrent=None if kind is TableKind.HEADER else "window.overcurrent",
        hardware_deadman=deadman,
    )
    return (motor, *lamps)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFile:
    """What a simulated table's configuration says beside its wires. Paths are absolute.

    `rig` is the text of the section `[rig]` below its heading. `broker` None: it reports to nobody.
    `quick`: the sensing waits as little as it may, columns of cards for `settle_ms`.
    """

    table: str
    directory: Path
    rig: str
    wiring: Wiring
    venue: str = "demo"
    event: str = "evening"
    regulations: str = "ccba-2006"
    supplements: tuple[Path, ...] = ()
    broker: str | None = None
    mac_keys: Path | None = None
    quick: bool = False
    settle_ms: int = 40

    def text(self) -> str:
        """The configuration, as TOML."""
        parts = [
            f"data_dir = {_quoted(self.directory)}",
            "[table]",
            f"venue = {_quoted(self.venue)}",
            f"event = {_quoted(self.event)}",
            f"id = {_quoted(self.table)}",
            f"senses = [{', '.join(map(_quoted, self.wiring.senses))}]",
            "simulated = true",
            "[regulations]",
            f"id = {_quoted(self.regulations)}",
            f"supplements = [{', '.join(map(_quoted, self.supplements))}]",
            "[rig]",
            self.rig.strip(),
            *self._broker(),
            *self._timings(),
            "[inputs]",
            *(_input(wire) for wire in self.wiring.rig.inputs),
            "[tokens]",
            *(f"{_quoted(token.signal)} = {{ reader = {token.reader} }}" for token in self.wiring.rig.tokens),
            "[outputs]",
            *(_output(output) for output in self.wiring.rig.outputs),
        ]
        return "\n".join(parts) + "\n"

    def _broker(self) -> list[str]:
        if self.broker is None:
            return []
        keys = [] if self.mac_keys is None else [f"mac_keys = {_quoted(self.mac_keys)}"]
        return ["[broker]", f"url = {_quoted(self.broker)}", 'version = "3.1.1"', *keys]

    def _timings(self) -> list[str]:
        if not self.quick:
            return []
        return ["[timings]", f"settle_ms = {self.settle_ms}", "lead_settle_ms = 20", "tag_settle_ms = 20"]


def _quoted(value: object) -> str:
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def _input(wire: InputSpec) -> str:
    chain = ", chain = true" if wire.chain else ""
    return f"{_quoted(wire.signal)} = {{ pin = {wire.pin}{chain}, debounce_ms = {wire.debounce_ms} }}"


def _output(output: OutputSpec) -> str:
    parts = [f'kind = "{output.kind}"', f"pin = {output.pin}", 'safe = "low"']
    if output.close_pin is not None:
        parts.append(f"close_pin = {output.close_pin}")
    for key in ("limit_open", "limit_close", "obstructed", "overcurrent"):
        signal = getattr(output, key)
        if signal is not None:
            parts.append(f"{key} = {_quoted(signal)}")
    if output.hardware_deadman:
        parts.append("hardware_deadman = true")
    return f"{_quoted(output.name)} = {{ {', '.join(parts)} }}"
