"""The auction: what has been called, whose turn it is, and every way a call departs from the Laws.

An auction here is a record of facts. It takes any call by any seat, lawful or not, and says what is
irregular about it: it must never refuse a call, correct one, or rule on one. How an irregular call is
read (what is due next, what still counts) is settled in one place, `_Reader`, and nowhere else:

* a call out of rotation makes its own left the next due and leaves the jumped seats *deprived* of a turn
  until they call; if the due seat it jumped calls next after all, that call is in rotation and an
  opponent's call out of rotation is *set aside* (L28B);
* an insufficient bid ranks as it lies (L27);
* an inadmissible double or redouble uses the turn and changes nothing else (L36, L37), and is *open* until
  a later bid supersedes it;
* three passes after a bid, or four at the start, end the auction unless a turn is still owed to a deprived
  seat or an inadmissible call is open (L34, 17D3);
* a call after that counts for nothing (L39).

What the director has settled (a ruling, or resuming with the cards as they lie) is no longer open: `settle`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import InitVar, dataclass, field, replace
from enum import IntEnum, StrEnum

from table_controller.laws.call import PASS, Bid, Call, Double, Pass, Redouble
from table_controller.laws.seat import Seat


class CallFault(StrEnum):
    """One way in which a call departs from the Laws. One call can have several at once."""

    CALL_OUT_OF_ROTATION = "CALL_OUT_OF_ROTATION"
    INSUFFICIENT_BID = "INSUFFICIENT_BID"
    INADMISSIBLE_DOUBLE = "INADMISSIBLE_DOUBLE"
    INADMISSIBLE_REDOUBLE = "INADMISSIBLE_REDOUBLE"
    CALL_AFTER_FINAL_PASS = "CALL_AFTER_FINAL_PASS"


class Doubling(IntEnum):
    """What stands on the last bid: nothing, an opponent's double, or the redouble of it."""

    UNDOUBLED = 0
    DOUBLED = 1
    REDOUBLED = 2


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call and the seat that made it."""

    seat: Seat
    call: Call

    def __str__(self) -> str:
        return f"{self.seat}:{self.call}"


@dataclass(frozen=True, slots=True)
class Auction:
    """The calls in the order they were made, from `dealer` (None: unknown, the first call is in rotation).

    `calls` holds every call, also one set aside. The first `settled` calls have been dealt with by the
    director: a turn skipped or an inadmissible call among them no longer keeps the auction open.
    Equal and hashable by dealer, calls and settled; the rest is derived once, when the value is built.
    """

    dealer: Seat | None
    calls: tuple[MadeCall, ...] = ()
    settled: int = 0
    _reading: _Reader = field(init=False, repr=False, compare=False)
    read: InitVar[_Reader | None] = None
    """For `after` alone: what has been read already."""

    def __post_init__(self, read: _Reader | None) -> None:
        if not 0 <= self.settled <= len(self.calls):
            raise ValueError(f"settled is a number of the {len(self.calls)} calls, not {self.settled}")
        object.__setattr__(self, "_reading", self._read() if read is None else read)

    def _read(self) -> _Reader:
        reading = _Reader(self.dealer)
        for index, made in enumerate(self.calls):
            reading = reading.following(index, made, settled=index + 1 == self.settled)
        return reading

    @classmethod
    def in_rotation(cls, dealer: Seat, calls: Iterable[Call]) -> Auction:
        """The auction in which these calls were made in turn, starting with the dealer."""
        made: list[MadeCall] = []
        seat = dealer
        for call in calls:
            made.append(MadeCall(seat, call))
            seat = seat.lho
        return cls(dealer, tuple(made))

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is; None once the auction is over, or at the start if the dealer is unknown."""
        return None if self.is_over else self._reading.due

    @property
    def last_bid(self) -> MadeCall | None:
        """The last bid as it lies, sufficient or not."""
        return self._reading.last_bid

    @property
    def doubling(self) -> Doubling:
        """What stands on `last_bid`; inadmissible doubles and redoubles do not."""
        return self._reading.doubling

    @property
    def skipped(self) -> Seat | None:
        """The due seat that the latest call jumped: if it calls now, it calls in rotation (L28B)."""
        return None if self.is_over else self._reading.skipped

    @property
    def deprived(self) -> frozenset[Seat]:
        """Seats jumped by a call out of rotation that have not called since (L34)."""
        return frozenset(self._reading.deprived)

    @property
    def set_aside(self) -> tuple[int, ...]:
        """Indices into `calls` of calls out of rotation set aside by the due seat's own call (L28B)."""
        return tuple(self._reading.set_aside)

    @property
    def ended_at(self) -> int | None:
        """How many of `calls` had been made when the auction ended; None while it runs."""
        return self._reading.ended_at

    @property
    def is_over(self) -> bool:
        return self._reading.ended_at is not None

    @property
    def passed_but_open(self) -> bool:
        """Whether the passes would end the auction, were no skipped turn or inadmissible call open."""
        return not self.is_over and self._reading.enough_passes()

    @property
    def standing(self) -> tuple[MadeCall, ...]:
        """The calls without those set aside and those after the final pass; other irregular ones stand."""
        counted = self.calls if self.ended_at is None else self.calls[: self.ended_at]
        return tuple(made for index, made in enumerate(counted) if index not in self.set_aside)

    def column(self, seat: Seat) -> tuple[Call, ...]:
        """Everything the seat has called, oldest first: its column on the tray, cards set aside included."""
        return tuple(made.call for made in self.calls if made.seat is seat)

    def after(self, seat: Seat, call: Call) -> Auction:
        """The auction with this call made, whatever is wrong with it (`faults_of` says what)."""
        made = MadeCall(seat, call)
        reading = self._reading.following(len(self.calls), made, settled=False)
        return Auction(self.dealer, (*self.calls, made), self.settled, read=reading)

    def without(self, index: int) -> Auction:
        """The auction as if the call at `index` had not been made; what follows is read afresh.

        Raises IndexError if there is no such call.
        """
        kept = self.calls[: self._existing(index)] + self.calls[index + 1 :]
        return Auction(self.dealer, kept, self.settled - (index < self.settled))

    def replacing(self, index: int, call: Call) -> Auction:
        """The auction with another call by the same seat at `index`. Raises IndexError if there is none."""
        made = MadeCall(self.calls[self._existing(index)].seat, call)
        return replace(self, calls=(*self.calls[:index], made, *self.calls[index + 1 :]))

    def _existing(self, index: int) -> int:
        if not 0 <= index < len(self.calls):
            raise IndexError(f"the auction has {len(self.calls)} calls; there is none at index {index}")
        return index

    def settle(self) -> Auction:
        """The same calls, dealt with by the director: no skipped turn or inadmissible call is open any more.

        Enough passes then end the auction. One that is over is returned as it is.
        """
        return self if self.is_over else replace(self, settled=len(self.calls))

    def owed_by(self, seats: Collection[Seat]) -> tuple[Seat, ...]:
        """The seats among `seats` (those of one face) that owe a call now, in rotation from the turn.

        It stops where a pass would end the auction: whether the seat behind owes a call is not known yet.
        """
        owed: list[Seat] = []
        supposed = self
        while (turn := supposed.turn) is not None and turn in seats and turn not in owed:
            owed.append(turn)
            supposed = supposed.after(turn, PASS)
        return tuple(owed)


def faults_of(auction: Auction, seat: Seat, call: Call) -> frozenset[CallFault]:
    """Every departure from the Laws that this call would be, made now by this seat; empty when it is legal.

    After the final pass nobody has a turn, so rotation is not judged there; the rest still is.
    """
    return frozenset(auction._reading.faults(seat, call))


def is_legal(auction: Auction, seat: Seat, call: Call) -> bool:
    return not faults_of(auction, seat, call)


def faults_in(auction: Auction) -> tuple[frozenset[CallFault], ...]:
    """For each call of the auction, what was irregular about it when it was made."""
    found: list[frozenset[CallFault]] = []
    reader = _Reader(auction.dealer)
    for index, made in enumerate(auction.calls):
        found.append(frozenset(reader.faults(made.seat, made.call)))
        reader = reader.following(index, made, settled=index + 1 == auction.settled)
    return tuple(found)


class _Reader:
    """What the calls so far come to. Private to this module, and never changed once an auction keeps it."""

    __slots__ = (
        "before",
        "deprived",
        "doubling",
        "due",
        "ended_at",
        "last_bid",
        "latest",
        "open_inadmissible",
        "passes",
        "set_aside",
        "skipped",
    )

    def __init__(self, dealer: Seat | None) -> None:
        self.due = dealer
        self.last_bid: MadeCall | None = None
        self.doubling = Doubling.UNDOUBLED
        self.passes = 0
        self.skipped: Seat | None = None
        self.deprived: set[Seat] = set()
        self.open_inadmissible = False
        self.set_aside: list[int] = []
        self.ended_at: int | None = None
        self.latest = -1  # index of the latest call that stands, which is the one `skipped` speaks of
        self.before: _Reader | None = None  # the reading before that call, where it was out of rotation

    def copy(self) -> _Reader:
        twin = _Reader(self.due)
        twin.last_bid, twin.doubling, twin.passes = self.last_bid, self.doubling, self.passes
        twin.skipped, twin.deprived = self.skipped, set(self.deprived)
        twin.open_inadmissible, twin.set_aside = self.open_inadmissible, list(self.set_aside)
        twin.ended_at, twin.latest, twin.before = self.ended_at, self.latest, self.before
        return twin

    def called_in_rotation(self, seat: Seat) -> bool:
        return self.due is None or seat is self.due or seat is self.skipped

    def reverted_for(self, seat: Seat) -> _Reader:
        """This reading, or the one without the opponent's call that a call by `seat` sets aside (L28B)."""
        if seat is not self.skipped or self.before is None or self.due is None:
            return self
        offender = self.due.rho
        if offender.partnership is seat.partnership:
            return self
        reverted = self.before.copy()
        reverted.set_aside.append(self.latest)
        return reverted

    def faults(self, seat: Seat, call: Call) -> list[CallFault]:
        found: list[CallFault] = []
        if self.ended_at is not None:
            found.append(CallFault.CALL_AFTER_FINAL_PASS)
        elif not self.called_in_rotation(seat):
            found.append(CallFault.CALL_OUT_OF_ROTATION)
        fault = self.reverted_for(seat).fault_of_rank(seat, call)
        return found if fault is None else [*found, fault]

    def fault_of_rank(self, seat: Seat, call: Call) -> CallFault | None:
        match call:
            case Pass():
                return None
            case Bid():
                sufficient = self.last_bid is None or _rank(call) > _rank(self.last_bid.call)
                return None if sufficient else CallFault.INSUFFICIENT_BID
            case Double():
                good = self.stands_by_opponent_of(seat) and self.doubling is Doubling.UNDOUBLED
                return None if good else CallFault.INADMISSIBLE_DOUBLE
            case Redouble():
                good = self.stands_by_partnership_of(seat) and self.doubling is Doubling.DOUBLED
                return None if good else CallFault.INADMISSIBLE_REDOUBLE

    def stands_by_opponent_of(self, seat: Seat) -> bool:
        return self.last_bid is not None and self.last_bid.seat.partnership is not seat.partnership

    def stands_by_partnership_of(self, seat: Seat) -> bool:
        return self.last_bid is not None and self.last_bid.seat.partnership is seat.partnership

    def following(self, index: int, made: MadeCall, *, settled: bool) -> _Reader:
        """The reading after one more call; `settled`: the director has dealt with everything up to it."""
        if self.ended_at is not None:
            return self
        reader = self.reverted_for(made.seat)
        irregular = reader.due is not None and made.seat is not reader.due and made.seat is not reader.skipped
        before = reader.copy() if irregular else None
        fault = reader.fault_of_rank(made.seat, made.call)
        after = reader.copy()
        after.take_turn(made.seat, irregular=irregular)
        after.count(made, fault)
        after.latest, after.before = index, before
        if settled:
            after.close_what_is_open()
        after.end_if_passed(index + 1)
        return after

    def take_turn(self, seat: Seat, *, irregular: bool) -> None:
        self.skipped = self.due if irregular else None
        jumped = self.due
        while irregular and jumped is not None and jumped is not seat:
            self.deprived.add(jumped)
            jumped = jumped.lho
        self.deprived.discard(seat)
        self.due = seat.lho

    def count(self, made: MadeCall, fault: CallFault | None) -> None:
        match made.call:
            case Pass():
                self.passes += 1
                return
            case Bid():
                self.last_bid, self.doubling, self.open_inadmissible = made, Doubling.UNDOUBLED, False
            case Double() | Redouble() if fault is not None:
                self.open_inadmissible = True
            case Double():
                self.doubling = Doubling.DOUBLED
            case Redouble():
                self.doubling = Doubling.REDOUBLED
        self.passes = 0

    def close_what_is_open(self) -> None:
        self.deprived.clear()
        self.skipped, self.before, self.open_inadmissible = None, None, False

    def enough_passes(self) -> bool:
        return self.passes >= (4 if self.last_bid is None else 3)

    def end_if_passed(self, made: int) -> None:
        something_open = bool(self.deprived) or self.open_inadmissible
        if self.ended_at is None and self.enough_passes() and not something_open:
            self.ended_at = made


def _rank(call: Call) -> int:
    return call.level * 5 + call.denomination if isinstance(call, Bid) else -1
