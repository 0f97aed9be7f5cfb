"""One table's regulations and senses, with what follows from the two and never changes.

Must never hold anything that happens at the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from table_controller.laws.seat import Faces, ScreenSide, Seat
from table_controller.regulations.model import Regulations
from table_controller.regulations.provision import NS_PER_MS, nanoseconds
from table_controller.regulations.strategies import (
    ClearedAfter,
    HoldOutput,
    MadeWhen,
    OnTray,
    OpensOn,
)
from table_controller.screen.entry import Cited, Kind
from table_controller.screen.senses import (
    LEADER_FROM_CONTRACT,
    NEEDS,
    Sense,
    checks_off,
    kinds_off,
    lacking,
    parse_senses,
)

LINK = "link"

_DOUBT_NAMES = {
    "call": Sense.CALLS,
    "alert": Sense.ALERTS,
    "director": Sense.SUMMONS,
    "card": Sense.CARDS,
    "hand": Sense.HANDS,
    "seat": Sense.SEATS,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rules:
    """Made by `rules_of`. Durations in ns."""

    regulations: Regulations
    senses: frozenset[Sense]
    off: frozenset[Kind]
    off_without_contract: frozenset[Kind]
    checks_off: tuple[tuple[str, str], ...]
    faces: Faces
    opens_on: OpensOn
    opens_on_sensed: bool
    made_on_release: bool
    board_stays_for_play: bool
    hold_outputs: bool
    shown_before_window: bool
    must_be_shown: bool
    """The finished auction crosses once more before its cards are taken up."""
    stalled: int
    forgotten: int
    back_within: int
    open_within: int
    simultaneous: int
    clearing: int
    alert_at_once: int
    _cited: dict[Kind, tuple[Cited, ...]] = field(default_factory=dict)

    def has(self, sense: Sense) -> bool:
        return sense in self.senses

    @property
    def reads_calls(self) -> bool:
        return Sense.CALLS in self.senses

    @property
    def motor(self) -> bool:
        return Sense.WINDOW_MOTOR in self.senses

    def seats_on(self, side: ScreenSide) -> tuple[Seat, Seat]:
        return self.faces.seats_on(side)

    def side_of(self, seat: Seat) -> ScreenSide:
        return self.faces.side_of(seat)

    def cited(self, kind: Kind) -> tuple[Cited, ...]:
        """The articles a kind falls under here; empty where the profile names none."""
        found = self._cited.get(kind)
        if found is None:
            found = self._cited[kind] = _cited(self.regulations, kind)
        return found


def rules_of(regulations: Regulations, senses: frozenset[str]) -> Rules:
    """Raises ValueError with one sentence for a name that is no sense."""
    return _rules_of(regulations, parse_senses(senses))


@lru_cache(maxsize=64)
def _rules_of(regulations: Regulations, has: frozenset[Sense]) -> Rules:
    off = kinds_off(regulations, has)
    needs_contract = {kind for kind in off & LEADER_FROM_CONTRACT if lacking(kind, has) == {Sense.CALLS}}
    with_calls = kinds_off(regulations, has | {Sense.CALLS})
    off_without_contract = frozenset(needs_contract - with_calls)
    opens_on = regulations.window.opens_on.value
    need = {OpensOn.LEAD_ANNOUNCED: Sense.ANNOUNCED, OpensOn.LEAD_FACED: Sense.LEAD_FACE}.get(
        opens_on, Sense.LEAD
    )
    return Rules(
        regulations=regulations,
        senses=has,
        off=off - off_without_contract,
        off_without_contract=off_without_contract,
        checks_off=checks_off(regulations, has),
        faces=regulations.seats.screen_sides.value,
        opens_on=opens_on,
        opens_on_sensed=need in has and Sense.LEAD in has,
        made_on_release=regulations.call.made_when.value is MadeWhen.RELEASED and Sense.RELEASED in has,
        board_stays_for_play=regulations.board.on_tray.value is OnTray.AUCTION_AND_PLAY,
        hold_outputs=regulations.tray.hold_output.value is HoldOutput.WHILE_OWED and Sense.HOLD in has,
        shown_before_window=regulations.auction.shown_before_window.value,
        must_be_shown=regulations.auction.cleared_after.value is not ClearedAfter.FINAL_PASS,
        stalled=nanoseconds(regulations.tray.stalled_after_s.value),
        forgotten=nanoseconds(regulations.tray.forgotten_after_s.value),
        back_within=nanoseconds(regulations.board.back_within_s.value),
        open_within=nanoseconds(regulations.window.open_within_s.value),
        simultaneous=round(regulations.simultaneous.within_ms.value * NS_PER_MS),
        clearing=nanoseconds(regulations.auction.clearing_within_s.value),
        alert_at_once=nanoseconds(regulations.alert.taken_back_under_s.value),
    )


@lru_cache(maxsize=64)
def senses_doubted(name: str) -> frozenset[Sense]:
    """The senses a doubt about `name` touches: `lead` touches `lead` and `lead.face`; unknown names none.

    `link` touches them all: nothing is sensed while the way to the device is down.
    """
    if name == LINK:
        return frozenset(Sense)
    if name in _DOUBT_NAMES:
        return frozenset({_DOUBT_NAMES[name]})
    return frozenset(sense for sense in Sense if sense == name or sense.startswith(f"{name}."))


def needs(kind: Kind) -> frozenset[Sense]:
    return NEEDS.get(kind, frozenset())


def _cited(regulations: Regulations, kind: Kind) -> tuple[Cited, ...]:
    try:
        articles = regulations.article_of(kind).value
    except KeyError:
        return ()
    return tuple(
        Cited(
            document=article.document,
            article=article.number,
            standing=article.standing.value,
            law_2017=article.number_2017,
        )
        for article in articles
    )
