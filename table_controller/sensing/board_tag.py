"""The board on the tray, its tag, and the cards and players' tokens that are read as texts.

Presence comes from a switch or from the tag itself. The tag may be read a moment after the board lies there,
so a board is held back for `tag_settle_ns`. Must never take a tag that is lost for a board that is lifted,
where a switch knows better.
"""

from __future__ import annotations

from table_controller.laws.card import Card
from table_controller.laws.seat import Seat
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import BoardPlaced, BoardRemoved, CardPlayed, Event, SeatTaken
from table_controller.sensing.signals import Meaning, Signal
from table_controller.sensing.tags import BoardTag, read_card, read_tag
from table_controller.sensing.watcher import Emit, Watcher, When, doubt, trust, unreadable

ORPHAN_NS = 2_000_000_000
"""A tag read for so long without a board: the switch is wrong, and the tag is believed."""


class BoardWatch(Watcher):
    """Watches `board.present` and `board.id`, whichever there are."""

    def __init__(self, emit: Emit, *, has_switch: bool, has_tag: bool, tag_settle_ns: int) -> None:
        super().__init__(emit)
        self._has_switch = has_switch
        self._has_tag = has_tag
        self._tag_settle_ns = tag_settle_ns
        self._switch = False
        self._text = ""
        self._placed = False
        self._tag = BoardTag()
        self._waiting: When | None = None
        self._suspect = False
        self._orphan: int | None = None
        self._broken = False

    def level(self, signal: Signal, active: bool, when: When) -> None:
        self._switch = active
        if active and self._broken:
            self._broken = False
            self._emit(trust("board", FaultKind.SENSOR_SUSPECT, "board.present", when))
        self._look(when)

    def token(self, signal: Signal, text: str, when: When) -> None:
        self._text = text
        self._look(when)

    def freeze(self, signal: Signal, when: When) -> None:
        self._suspect = True

    def thaw(self, signal: Signal, when: When) -> None:
        self._suspect = False
        self._look(when)

    def tick(self, now: int) -> None:
        if self._orphan is not None and now >= self._orphan + ORPHAN_NS:
            when = When(at=self._orphan + ORPHAN_NS)
            self._orphan, self._broken = None, True
            detail = "a board's tag is read while the switch says there is no board"
            self._emit(doubt("board", FaultKind.SENSOR_SUSPECT, "board.present", detail, when))
            self._look(when)
        if self._waiting is not None and now >= self._waiting.at + self._tag_settle_ns:
            self._place(BoardTag(), self._waiting)

    def deadline(self) -> int | None:
        due = [] if self._orphan is None else [self._orphan + ORPHAN_NS]
        if self._waiting is not None:
            due.append(self._waiting.at + self._tag_settle_ns)
        return min(due, default=None)

    def pending_since(self) -> int | None:
        return None if self._waiting is None else self._waiting.at

    def believe(self, event: Event) -> None:
        match event:
            case BoardPlaced(number=number, dealer=dealer, vulnerability=vulnerability):
                self._placed = self._switch = True  # a tag may be heard of before the switch is
                self._tag = BoardTag(number=number, dealer=dealer, vulnerability=vulnerability)
            case BoardRemoved():
                self._placed = self._switch = False
            case _:
                pass

    def _look(self, when: When) -> None:
        if self._suspect:
            return
        if self._text and self._has_switch and not self._switch and not self._broken:
            self._orphan = self._orphan or when.at
        else:
            self._orphan = None
        there = self._switch if self._has_switch and not self._broken else self._text != ""
        if not there:
            if self._waiting is not None:
                self._place(BoardTag(), self._waiting)
            if self._placed:
                self._placed = False
                self._emit(when.stamp(BoardRemoved(at=when.at)))
            return
        if self._text:
            tag = read_tag(self._text)
            if tag is None:
                self._emit(unreadable("board.id", self._text, when))
                tag = BoardTag()
            if self._waiting is not None:
                self._place(tag, self._waiting)
            elif not self._placed or (tag != self._tag and tag != BoardTag()):
                self._place(tag, when)
        elif not self._placed and self._waiting is None:
            self._waiting = when
            if not self._has_tag:
                self._place(BoardTag(), when)

    def _place(self, tag: BoardTag, when: When) -> None:
        self._waiting = None
        self._placed = True
        self._tag = tag
        placed = BoardPlaced(
            at=when.at, number=tag.number, dealer=tag.dealer, vulnerability=tag.vulnerability
        )
        self._emit(when.stamp(placed))


class TextWatch(Watcher):
    """Watches `card.<seat>` and `seat.<seat>`. A card is played once a board, however often it is read."""

    def __init__(self, emit: Emit) -> None:
        super().__init__(emit)
        self._played: set[Card] = set()
        self._sitting: dict[Seat, str] = {}
        self._suspects: set[str] = set()

    def token(self, signal: Signal, text: str, when: When) -> None:
        assert signal.seat is not None
        if not text or signal.name in self._suspects:
            return
        if signal.meaning is Meaning.SEAT:
            if self._sitting.get(signal.seat) != text:
                self._sitting[signal.seat] = text
                self._emit(when.stamp(SeatTaken(at=when.at, seat=signal.seat, player=text)))
            return
        card = read_card(text)
        if card is None:
            self._emit(unreadable(signal.name, text, when))
        elif card not in self._played:
            self._played.add(card)
            self._emit(when.stamp(CardPlayed(at=when.at, seat=signal.seat, card=card)))

    def freeze(self, signal: Signal, when: When) -> None:
        self._suspects.add(signal.name)

    def thaw(self, signal: Signal, when: When) -> None:
        self._suspects.discard(signal.name)

    def believe(self, event: Event) -> None:
        match event:
            case BoardPlaced() | BoardRemoved():
                self._played.clear()
            case CardPlayed(card=card):
                self._played.add(card)
            case SeatTaken(seat=seat, player=player):
                self._sitting[seat] = player
            case _:
                pass
