"""Bidding cards on the tray, from the four readers of each dock.

The cards travel with the tray, so there is one belief and two sets of readers. A tray that leaves empties its
dock's readers, perhaps before its switch has noticed: a column that shrinks is therefore held back for
`settle_ns`, and forgotten if the tray leaves. Must never take a departure for a withdrawal, nor cards that
arrive for calls.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.laws.call import Call
from table_controller.laws.seat import Faces, ScreenSide, Seat
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import (
    CallMade,
    CallWithdrawn,
    CardsCleared,
    Event,
    FaultSeen,
    StopCardSeen,
    TraySeen,
)
from table_controller.sensing.columns import Difference, Other, Stack, stack_of
from table_controller.sensing.docks import DockWatch
from table_controller.sensing.signals import LEVELS, Signal
from table_controller.sensing.tags import EMPTY, Pile, read_pile
from table_controller.sensing.watcher import Emit, Watcher, When, doubt, trust, unreadable

STRAY_NS = 2_000_000_000
"""Cards read so long at a dock whose switch says there is no tray: the switch is wrong."""
SEVERAL = "several cards appeared at once; only the uppermost could be read"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settling:
    """The readers come to rest. `known`: we know what should lie there; `arrival`: the tray has just come."""

    began: When
    changed: int
    known: bool
    arrival: bool


class ColumnWatch(Watcher):
    """Watches `call.<face>.<seat>`. `docks` says where the tray is, and calls `moved` when that changes."""

    def __init__(self, emit: Emit, *, faces: Faces, settle_ns: int, clearing_ns: int) -> None:
        super().__init__(emit)
        self.docks: DockWatch | None = None
        self._faces = faces
        self._settle_ns = settle_ns
        self._clearing_ns = clearing_ns
        self._stacks = {seat: Stack() for seat in Seat}
        self._known = False
        self._piles: dict[tuple[ScreenSide, Seat], Pile] = {}
        self._lifting: dict[Seat, When] = {}
        self._settling: _Settling | None = None
        self._clearing: dict[ScreenSide, tuple[int, frozenset[Seat]]] = {}
        self._cleared: set[ScreenSide] = set()
        self._suspects: set[str] = set()
        self._stray: dict[ScreenSide, int] = {}
        self._stray_told: set[ScreenSide] = set()
        self._was_frozen = False
        self._deaf = False
        self.heard = 0
        """Everything that settled on the wires before this instant has been told here."""

    # --- what comes in

    def token(self, signal: Signal, text: str, when: When) -> None:
        assert signal.side is not None
        assert signal.seat is not None
        pile = read_pile(text)
        if pile is None:
            self._emit(unreadable(signal.name, text, when))
            return
        self._piles[signal.side, signal.seat] = pile
        self._look_for_strays(when)
        if self._frozen or self._place is not signal.side or signal.name in self._suspects:
            return
        if self._settling is not None:
            self._settling = _Settling(
                began=self._settling.began,
                changed=when.at,
                known=self._settling.known,
                arrival=self._settling.arrival,
            )
            self._try_to_settle()
        else:
            self._compare(signal.seat, pile, when)

    def level(self, signal: Signal, active: bool, when: When) -> None:
        """A dock's switch changed, believed or not."""
        self._look_for_strays(when)

    def moved(self, side: ScreenSide, arrived: bool, when: When) -> None:
        """The tray arrived at this face, or left it."""
        self._lifting.clear()
        self._settling = None
        self._was_frozen = False
        if arrived:
            self._settling = _Settling(began=when, changed=when.at, known=self._known, arrival=True)
            self._try_to_settle()
        self._look_for_strays(when)

    def freeze(self, signal: Signal, when: When) -> None:
        self._suspects.add(signal.name)

    def thaw(self, signal: Signal, when: When) -> None:
        self._suspects.discard(signal.name)
        self._recheck(when)

    def baseline(self, when: When) -> None:
        if self._settling is None:
            self._recheck(when)

    def link(self, up: bool, when: When) -> None:
        """While nothing is heard, nothing comes to rest; what was held back waits anew afterwards."""
        self._deaf = not up
        if up:
            self._lifting = {
                seat: When(at=when.at, inferred=True, not_before=held.not_before or held.at)
                for seat, held in self._lifting.items()
            }

    def tick(self, now: int) -> None:
        if self._deaf:
            return
        if self._frozen:
            self._was_frozen = True
            return
        if self._was_frozen:
            self._was_frozen = False
            if self._settling is None:
                self._recheck(When(at=now, inferred=True))
        self._strays_due(now)
        settling = self._settling
        if settling is not None and self.heard >= settling.changed + self._settle_ns:
            self._settle(settling)
        for seat, when in list(self._lifting.items()):
            place = self._place
            if self.heard >= when.at + self._settle_ns and place is not None:
                del self._lifting[seat]
                self._tell(seat, self._stacks[seat].towards(self._pile(place, seat)), when, when)

    # --- what waits

    def deadline(self) -> int | None:
        if self._deaf or self._frozen:
            return None
        due = [when.at + self._settle_ns for when in self._lifting.values()]
        if self._settling is not None:
            due.append(self._settling.changed + self._settle_ns)
        due.extend(since + STRAY_NS for side, since in self._stray.items() if side not in self._stray_told)
        return min(due, default=None)

    def pending_since(self) -> int | None:
        held = [when.at for when in self._lifting.values()]
        if self._settling is not None:
            held.append(self._settling.began.at)
        return min(held, default=None)

    def believe(self, event: Event) -> None:
        match event:
            case TraySeen(columns=columns):
                self._known = True
                for column in columns:
                    if self._stacks[column.seat].column(column.seat) != column:
                        self._stacks[column.seat] = stack_of(column)
            case CardsCleared(side=side):
                self._cleared.add(side)
            case CallMade(seat=seat, call=call):
                self._cleared.discard(self._faces.side_of(seat))
                self._stacks[seat] = Stack(items=(*self._stacks[seat].items, call))
            case StopCardSeen(seat=seat):
                self._stacks[seat] = Stack(items=(*self._stacks[seat].items, Other.STOP))
            case CallWithdrawn(seat=seat):
                self._stacks[seat] = Stack(items=self._stacks[seat].items[:-1])
            case _:
                pass

    # --- how it is read

    @property
    def _place(self) -> ScreenSide | None:
        return None if self.docks is None else self.docks.place

    @property
    def _frozen(self) -> bool:
        return self.docks is None or self.docks.frozen

    def _pile(self, side: ScreenSide, seat: Seat) -> Pile:
        return self._piles.get((side, seat), EMPTY)

    def _compare(self, seat: Seat, pile: Pile, when: When) -> None:
        stack = self._stacks[seat]
        if stack.shows(pile):
            self._lifting.pop(seat, None)
            return
        difference = stack.towards(pile)
        if not difference.laid:
            self._lifting.setdefault(seat, when)
            return
        self._tell(seat, difference, self._lifting.pop(seat, when), when)

    def _recheck(self, when: When) -> None:
        """The tray is where it was; whatever differs happened while we could not see."""
        if self._place is not None and not self._frozen:
            self._settling = _Settling(began=when, changed=when.at, known=self._known, arrival=False)

    def _try_to_settle(self) -> None:
        settling, place = self._settling, self._place
        if settling is None or place is None or not settling.known or not settling.arrival:
            return
        if all(self._stacks[seat].shows(self._pile(place, seat)) for seat in Seat):
            self._settle(settling)

    def _settle(self, settling: _Settling) -> None:
        self._settling = None
        place = self._place
        if place is None:
            return
        at, began = settling.changed, settling.began
        when = When(at=at, inferred=began.inferred, not_before=began.not_before)
        if settling.known and settling.arrival:
            laid_since = [
                seat for seat in self._faces.seats_on(place)
                if (d := self._stacks[seat].towards(self._pile(place, seat))).laid and not d.lifted
                and len(d.laid) == 1
            ]  # fmt: skip
            for seat in set(Seat) - set(laid_since):
                self._take(place, seat)
            self._seen(place, when)
            late = When(at=at, uncertainty=at - began.at, inferred=True, not_before=began.at)
            for seat in laid_since:
                self._tell(seat, self._stacks[seat].towards(self._pile(place, seat)), late, late)
            return
        for seat in Seat:
            if settling.known:
                change = When(at=at, inferred=True, not_before=began.not_before)
                self._tell(seat, self._stacks[seat].towards(self._pile(place, seat)), change, change)
            else:
                self._take(place, seat)
        self._seen(place, when)

    def _take(self, place: ScreenSide, seat: Seat) -> None:
        stack = self._stacks[seat]
        self._stacks[seat] = stack.after(stack.towards(self._pile(place, seat)))

    def _seen(self, place: ScreenSide, when: When) -> None:
        self._known = True
        columns = tuple(self._stacks[seat].column(seat) for seat in Seat)
        self._emit(when.stamp(TraySeen(at=when.at, side=place, columns=columns)))

    def _tell(self, seat: Seat, difference: Difference, lifted: When, laid: When) -> None:
        self._stacks[seat] = self._stacks[seat].after(difference)
        for item in difference.lifted:
            if not isinstance(item, Other):
                self._emit(lifted.stamp(CallWithdrawn(at=lifted.at, seat=seat, call=item)))
        if difference.lifted and not difference.laid:
            self._clear(seat, lifted)
        for item in difference.laid:
            self._clearing.pop(self._faces.side_of(seat), None)
            self._cleared.discard(self._faces.side_of(seat))
            self._emit(laid.stamp(self._laid(seat, item, laid)))

    def _laid(self, seat: Seat, item: Call | Other, when: When) -> CallMade | StopCardSeen | FaultSeen:
        if not isinstance(item, Other):
            return CallMade(at=when.at, seat=seat, call=item)
        if item is Other.STOP:
            return StopCardSeen(at=when.at, seat=seat)
        component = f"call.{self._place}.{seat}".lower()
        return FaultSeen(
            at=when.at, kind=FaultKind.SENSOR_SUSPECT, component=component, detail=SEVERAL, standing=False
        )

    def _clear(self, seat: Seat, when: When) -> None:
        """All cards of a face taken up within `clearing_ns`, from both its columns, is clearing."""
        side = self._faces.side_of(seat)
        since, seats = self._clearing.get(side, (when.at, frozenset[Seat]()))
        if when.at - since > self._clearing_ns:
            since, seats = when.at, frozenset[Seat]()
        seats |= {seat}
        self._clearing[side] = since, seats
        owners = self._faces.seats_on(side)
        if seats.issuperset(owners) and not any(self._stacks[owner].items for owner in owners):
            del self._clearing[side]
            if side in self._cleared:
                return
            self._cleared.add(side)
            self._emit(when.stamp(CardsCleared(at=when.at, side=side)))

    # --- a dock's switch that the dock's readers contradict

    def _look_for_strays(self, when: When) -> None:
        for side in ScreenSide:
            cards = any(self._pile(side, seat).count for seat in Seat)
            there = self.docks is not None and self.docks.says(side)
            if cards and not there:
                self._stray.setdefault(side, when.at)
            else:
                self._stray.pop(side, None)
                if side in self._stray_told and self.docks is not None:
                    self._stray_told.discard(side)
                    signal = LEVELS[f"tray.{side.lower()}"]
                    self._emit(trust("tray", FaultKind.SENSOR_SUSPECT, signal.name, when))
                    self.docks.thaw(signal, when)

    def _strays_due(self, now: int) -> None:
        for side, since in self._stray.items():
            if side not in self._stray_told and now >= since + STRAY_NS and self.docks is not None:
                self._stray_told.add(side)
                signal = LEVELS[f"tray.{side.lower()}"]
                when = When(at=since + STRAY_NS)
                detail = "bidding cards are read at this dock while its switch says there is no tray"
                self._emit(doubt("tray", FaultKind.SENSOR_SUSPECT, signal.name, detail, when))
                self.docks.freeze(signal, when)
