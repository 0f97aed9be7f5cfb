"""The wire read as a listener reads it: frames as lines, and the debounced readings inside them, each once.

Must never answer, and never trust a frame that does not check.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge import wire
from firmware_bridge.decode import Decoder, Line
from firmware_bridge.firmware import frames
from firmware_bridge.rig import OutputKind, RigSpec

_MOVES = {frames.MOVE_STOP: "stop", frames.MOVE_OPEN: "open", frames.MOVE_CLOSE: "close"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingHeard:
    """What the device says of an input or a reader; `doubtful`: it does not settle."""

    signal: str
    value: bool | str
    doubtful: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameHeard:
    """One frame. `order`: the output a command is about with what it is told, or ""."""

    line: Line
    readings: tuple[ReadingHeard, ...] = ()
    order: str = ""


class WireReader:
    """Feed it what each end sends, in any portions."""

    def __init__(self, spec: RigSpec) -> None:
        self._inputs = [one.signal for one in spec.inputs]
        self._readers = {one.reader: one.signal for one in spec.tokens}
        self._outputs = spec.outputs
        self._kept = {"host": bytearray(), "device": bytearray()}
        self._boot: int | None = None
        self._next = 0

    def feed(self, sender: str, data: bytes) -> list[FrameHeard]:
        """The frames that are whole by now."""
        kept = self._kept[sender]
        kept += data
        *whole, rest = bytes(kept).split(b"\0")
        kept[:] = rest
        return [self._frame(piece) for piece in whole if piece]

    def _frame(self, piece: bytes) -> FrameHeard:
        (line,) = Decoder().feed(piece + b"\0")
        parsed = frames.parse(piece)
        if parsed is None or parsed[0] not in frames.SPECS:
            return FrameHeard(line=line)
        frame = wire.decode(parsed[0], parsed[2])
        match frame:
            case wire.Welcome(boot_id=boot, next_event=number):
                if boot != self._boot:
                    self._boot, self._next = boot, number
            case wire.EventFrame(first=first):
                entries = frame.parsed()
                new = entries[max(self._next - first, 0) :]
                self._next = max(self._next, first + len(entries))
                return FrameHeard(line=line, readings=tuple(self._reading(entry) for entry in new))
            case wire.TokenFrame(number=number, reader=reader, text=text) if number >= self._next:
                self._next = number + 1
                signal = self._readers.get(reader, f"reader {reader}")
                return FrameHeard(
                    line=line,
                    readings=(ReadingHeard(signal=signal, value=text.decode("ascii", "replace")),),
                )
            case wire.CommandFrame(output=output, argument=argument) if output < len(self._outputs):
                spec = self._outputs[output]
                motor = spec.kind is OutputKind.MOTOR
                what = _MOVES.get(argument, "?") if motor else ("on" if argument else "off")
                return FrameHeard(line=line, order=f"{spec.name} {what}")
            case _:
                pass
        return FrameHeard(line=line)

    def _reading(self, entry: wire.Entry) -> ReadingHeard:
        if entry.who & frames.ENTRY_OUTPUT:
            index = entry.who & ~frames.ENTRY_OUTPUT
            name = self._outputs[index].name if index < len(self._outputs) else f"output {index}"
            return ReadingHeard(signal=name, value="ended")
        signal = self._inputs[entry.who] if entry.who < len(self._inputs) else f"input {entry.who}"
        return ReadingHeard(
            signal=signal,
            value=bool(entry.level & frames.LEVEL_ACTIVE),
            doubtful=bool(entry.level & frames.LEVEL_SUSPECT),
        )
