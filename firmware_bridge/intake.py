"""Numbered events and snapshots into readings: every event once, in order, and every loss visible.

Pure half of the link. It must never guess: a change that no event told is marked inferred, and a signal that
does not settle is withheld until it does. It never sends; it says what it wants sent (`ack_due`, `nak_due`,
`snapshot_wanted`).
"""

from __future__ import annotations

import binascii
from collections.abc import Iterable
from dataclasses import dataclass

from firmware_bridge.clock import ClockFit, Instant
from firmware_bridge.firmware import frames
from firmware_bridge.readings import (
    Direction,
    EventsDropped,
    LevelRead,
    MoveEnded,
    MoveStatus,
    OutputReleased,
    Reading,
    ReleaseCause,
    SignalSuspected,
    SignalTrusted,
    Snapshot,
    Suspicion,
    TokenRead,
)
from firmware_bridge.rig import OutputKind, RigSpec
from firmware_bridge.wire import EventFrame, Pong, SnapshotFrame, TokenFrame

DROPPED_WRAP = 1 << 16
ENDINGS = {
    frames.END_DONE: MoveStatus.DONE,
    frames.END_LIMIT: MoveStatus.LIMIT,
    frames.END_OBSTRUCTED: MoveStatus.OBSTRUCTED,
    frames.END_OVERCURRENT: MoveStatus.OVERCURRENT,
    frames.END_LEASE: MoveStatus.LEASE_EXPIRED,
    frames.END_LONGEST: MoveStatus.LONGEST_RUN,
    frames.END_SILENT: MoveStatus.HOST_SILENT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """One numbered event, whichever frame brought it. `text` is set for a reader's."""

    t_us: int
    who: int
    level: int
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Whole:
    """A snapshot with all its parts."""

    next_event: int
    t_us: int
    levels: bytes
    tokens: dict[int, str]


class Intake:
    """What the host knows of inputs and readers. One for the life of a `HostLink`."""

    def __init__(self, spec: RigSpec) -> None:
        self._signals = [wire.signal for wire in spec.inputs]
        self._readers = {token.reader: token.signal for token in spec.tokens}
        self._outputs = spec.outputs
        self.levels: dict[str, bool] = {}
        self.tokens: dict[str, str] = {}
        self.wanted: int | None = None
        self.ack_due = False
        self.nak_due = False
        self.snapshot_wanted = False
        self.duplicates = 0
        self.gaps = 0
        self.inferred = 0
        self.dropped_total = 0
        self.ended: list[MoveEnded | OutputReleased] = []
        self._clock = ClockFit()
        self._waiting: list[_Change] = []
        self._first_waiting = 0
        self.dropped = 0
        self._suspected: set[str] = set()
        self._known_at: int | None = None
        self.heard = 0
        """Whatever settled on the device before this instant has been told; 0: nothing yet."""
        self._parts: dict[int, bytes] = {}
        self._parts_tag = -1
        self._whole: _Whole | None = None
        self._behind = 0
        self._out: list[Reading] = []

    # -- sessions

    def resume(self, *, clock: ClockFit, next_event: int, restarted: bool, now: int) -> None:
        """A session begins; `next_event` will come first. Levels are not known until a snapshot."""
        self._clock = clock
        self.dropped = 0
        if restarted or self.wanted is None:
            self.wanted = next_event
            self._waiting = []
            # A device that starts takes every input as it finds it: what was doubted is settled.
            for signal in sorted(self._suspected):
                self._out.append(SignalTrusted(at=now, signal=signal))
            self._suspected.clear()
        elif next_event > self.wanted:
            self._lose(next_event - self.wanted, now)
            self.wanted = next_event
        self.ack_due = self.snapshot_wanted = True
        self.nak_due = False
        self._whole = None
        self._behind = 0

    def known(self, now: int) -> None:
        """The levels as told were true at `now`: an inferred change came later."""
        self._known_at = now

    # -- frames

    def event(self, frame: EventFrame, now: int) -> None:
        """Changes of inputs and ends of outputs."""
        changes = [_Change(t_us=e.t_us, who=e.who, level=e.level) for e in frame.parsed()]
        self._take(frame.first, changes, frame.dropped, now)

    def token(self, frame: TokenFrame, now: int) -> None:
        """A reader's new text."""
        text = frame.text.decode("ascii", "replace")
        change = _Change(t_us=frame.t_us, who=frame.reader, level=0, text=text)
        self._take(frame.number, [change], frame.dropped, now)

    def pong(self, frame: Pong, now: int) -> None:
        """Compare counts and digests; ask for what is missing."""
        self._note_dropped(frame.dropped, now)
        if self.wanted is None:
            return
        if frame.next_event > self.wanted:
            # Events may be right behind this answer; a second answer with nothing between says they are not.
            self._behind += 1
            self.nak_due = self.nak_due or self._behind >= 2
            return
        self._behind = 0
        if frame.next_event == self.wanted and self.levels and not self._waiting:
            if self._bits() != self._ours(frame.levels) or frame.token_digest != self._digest():
                self.snapshot_wanted = True
            else:
                self.known(now)
                if self._clock.ready:
                    self.heard = self._place(frame.t_us, now).at

    def snapshot(self, frame: SnapshotFrame, tag: int, now: int) -> None:
        """One part; complete with all parts of the same `tag`, which is the one last asked for."""
        if frame.tag != tag:
            return
        if frame.tag != self._parts_tag:
            self._parts, self._parts_tag = {}, frame.tag
        self._parts[frame.part] = frame.payload
        if len(self._parts) == frame.parts:
            whole = b"".join(self._parts[part] for part in range(1, frame.parts))
            self._whole = _Whole(
                next_event=frame.next_event,
                t_us=frame.t_us,
                levels=self._parts.get(0, b""),
                tokens=_tokens_of(whole),
            )
            self._settle(now)

    def take_readings(self, now: int) -> list[Reading]:
        """What is ready to be told, in order. Nothing before the clock can place it."""
        if self._clock.ready:
            while self._waiting:
                self._tell(self._waiting.pop(0), now)
            self._settle(now)
        out, self._out = self._out, []
        return out

    # -- inside

    def _take(self, first: int, changes: list[_Change], dropped: int, now: int) -> None:
        self._note_dropped(dropped, now)
        if self.wanted is None:
            return
        if first > self.wanted:
            self.gaps += 1
            self.nak_due = True
            return
        self.ack_due = True
        fresh = changes[self.wanted - first :]
        if not fresh:
            self.duplicates += 1
            return
        self._behind = 0
        for change in fresh:
            self._settle(now)
            self._waiting.append(change)
            self.wanted += 1
            if self._clock.ready:
                self.take_waiting(now)

    def take_waiting(self, now: int) -> None:
        """Tell every change that waits."""
        while self._waiting:
            self._tell(self._waiting.pop(0), now)
        self._settle(now)

    def _note_dropped(self, dropped: int, now: int) -> None:
        count = (dropped - self.dropped) % DROPPED_WRAP
        if 0 < count < DROPPED_WRAP // 2:
            self.dropped = dropped
            self._lose(count, now)

    def _lose(self, count: int, now: int) -> None:
        self.dropped_total += count
        self._out.append(EventsDropped(at=now, count=count))
        self.snapshot_wanted = True

    def _place(self, t_us: int, now: int) -> Instant:
        instant = self._clock.to_host(t_us)
        return Instant(at=min(instant.at, now), uncertainty=instant.uncertainty)

    def _tell(self, change: _Change, now: int) -> None:
        instant = self._place(change.t_us, now)
        if change.level & frames.LEVEL_OLD and change.text is None and change.who < frames.ENTRY_OUTPUT:
            instant = Instant(at=instant.at, uncertainty=now)
        if change.text is not None:
            self._tell_token(self._readers.get(change.who), change.text, instant)
        elif change.who & frames.ENTRY_OUTPUT:
            self._tell_end(change.who & ~frames.ENTRY_OUTPUT, change.level, instant)
        elif change.who < len(self._signals):
            self._tell_level(self._signals[change.who], change.level, instant)

    def _tell_token(self, signal: str | None, text: str, instant: Instant) -> None:
        if signal is not None:
            self.tokens[signal] = text
            self._out.append(
                TokenRead(at=instant.at, uncertainty=instant.uncertainty, signal=signal, token=text)
            )

    def _tell_level(self, signal: str, level: int, instant: Instant) -> None:
        at, uncertainty = instant.at, instant.uncertainty
        if level & frames.LEVEL_SUSPECT:
            self._suspected.add(signal)
            self._out.append(
                SignalSuspected(at=at, uncertainty=uncertainty, signal=signal, why=Suspicion.CHATTERING)
            )
            return
        active = bool(level & frames.LEVEL_ACTIVE)
        doubted = signal in self._suspected
        if doubted:
            self._suspected.discard(signal)
            self._out.append(SignalTrusted(at=at, uncertainty=uncertainty, signal=signal))
            if self.levels.get(signal) == active:
                return
            self.inferred += 1
        self.levels[signal] = active
        self._out.append(
            LevelRead(
                at=at,
                uncertainty=uncertainty,
                signal=signal,
                active=active,
                inferred=doubted,
                not_before=self._known_at if doubted else None,
            )
        )

    def _tell_end(self, output: int, code: int, instant: Instant) -> None:
        if output >= len(self._outputs):
            return
        spec = self._outputs[output]
        status = ENDINGS.get(code & ~frames.END_CLOSING, MoveStatus.DONE)
        ended: MoveEnded | OutputReleased
        if spec.kind is OutputKind.MOTOR:
            way = Direction.CLOSE if code & frames.END_CLOSING else Direction.OPEN
            ended = MoveEnded(
                at=instant.at, uncertainty=instant.uncertainty, output=spec.name, direction=way, status=status
            )
        else:
            why = ReleaseCause.HOST_SILENT if status is MoveStatus.HOST_SILENT else ReleaseCause.LONGEST_ON
            ended = OutputReleased(at=instant.at, uncertainty=instant.uncertainty, output=spec.name, why=why)
        self.ended.append(ended)
        self._out.append(ended)

    def _settle(self, now: int) -> None:
        """Apply a complete snapshot once every event before it has been told."""
        whole = self._whole
        if whole is None or self.wanted is None or self._waiting or not self._clock.ready:
            return
        if self.wanted < whole.next_event:
            return
        self._whole = None
        if self.wanted > whole.next_event:
            # Newer events have been told; this picture would take them back.
            self.snapshot_wanted = True
            return
        self.snapshot_wanted = False
        instant = self._place(whole.t_us, now)
        levels = {s: bool(whole.levels[i >> 3] >> (i & 7) & 1) for i, s in enumerate(self._signals)}
        tokens = {signal: whole.tokens.get(reader, "") for reader, signal in self._readers.items()}
        if self.levels or self.tokens:
            self._infer(levels, tokens, instant)
        self.levels, self.tokens = levels, tokens
        self._known_at = self.heard = instant.at
        self._out.append(
            Snapshot(at=instant.at, uncertainty=instant.uncertainty, levels=dict(levels), tokens=dict(tokens))
        )

    def _infer(self, levels: dict[str, bool], tokens: dict[str, str], instant: Instant) -> None:
        for signal, active in levels.items():
            if self.levels.get(signal, active) != active:
                self.inferred += 1
                self._out.append(
                    LevelRead(
                        at=instant.at,
                        uncertainty=instant.uncertainty,
                        signal=signal,
                        active=active,
                        inferred=True,
                        not_before=self._known_at,
                    )
                )
        for signal, token in tokens.items():
            if self.tokens.get(signal, token) != token:
                self.inferred += 1
                self._out.append(
                    TokenRead(
                        at=instant.at,
                        uncertainty=instant.uncertainty,
                        signal=signal,
                        token=token,
                        inferred=True,
                        not_before=self._known_at,
                    )
                )

    def _bits(self) -> list[bool]:
        return [self.levels.get(signal, False) for signal in self._signals]

    def _ours(self, bitmap: bytes) -> list[bool]:
        return [
            bool(bitmap[i >> 3] >> (i & 7) & 1) for i in range(len(self._signals)) if i >> 3 < len(bitmap)
        ]

    def _digest(self) -> int:
        known = {reader: self.tokens.get(signal, "") for reader, signal in self._readers.items()}
        return token_digest(known.items())


def token_digest(tokens: Iterable[tuple[int, str]], readers: int = 24) -> int:
    """What the device's PONG says of its readers' texts."""
    texts = [b""] * readers
    for reader, text in tokens:
        texts[reader] = text.encode("ascii", "replace")
    return binascii.crc32(b"\0".join(texts)) & 0xFFFF


def _tokens_of(payload: bytes) -> dict[int, str]:
    out: dict[int, str] = {}
    at = 0
    while at + 2 <= len(payload):
        reader, size = payload[at], payload[at + 1]
        out[reader] = payload[at + 2 : at + 2 + size].decode("ascii", "replace")
        at += 2 + size
    return out
