"""The regulations in force at a table, whole and typed: one frozen, hashable value.

The core asks `regs.window.opens_on.value` and carries the `Provision` itself into an entry, so that the
article travels with the judgement. Must never branch on an authority's name, and never supply a value: that
is for `load`.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.laws.seat import Faces, ScreenSide, Seat
from table_controller.regulations.courses import Guidance
from table_controller.regulations.provision import Article, Provision
from table_controller.regulations.strategies import (
    AlertHow,
    AttentionBy,
    CancelledInformation,
    ClearedAfter,
    ClosedBefore,
    Crossed,
    ElectronicRecord,
    ExplanationHow,
    HoldOutput,
    LawCode,
    LeadOutOfTurn,
    MadeWhen,
    NotCrossed,
    OnTray,
    OpenedBy,
    OpensOn,
    PlayAfterClaim,
    RaisedBy,
    Returned,
    RevokeCourse,
    SimultaneousCourse,
    StopCard,
)
from table_controller.regulations.time_tables import ForfeitTable, SlowShares, TimeTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Movers:
    """Who pushes the tray from each face."""

    ne: Seat
    sw: Seat

    def on(self, side: ScreenSide) -> Seat:
        return self.ne if side is ScreenSide.NE else self.sw


@dataclass(frozen=True, slots=True, kw_only=True)
class LawNumbers:
    """Numbers of an older code of the Laws with their numbers in the code of 2017; the others keep theirs."""

    pairs: tuple[tuple[str, str], ...] = ()

    def in_2017(self, number: str) -> str:
        """The 2017 number of `27`, `41A` or of a range such as `28-32`."""
        return dict(self.pairs).get(number, number)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsRules:
    screen_sides: Provision[Faces]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayRules:
    movers: Provision[Movers]
    hold_output: Provision[HoldOutput]
    stalled_after_s: Provision[float]
    forgotten_after_s: Provision[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRules:
    on_tray: Provision[OnTray]
    back_within_s: Provision[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRules:
    made_when: Provision[MadeWhen]


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowRules:
    opens_on: Provision[OpensOn]
    opened_by: Provision[OpenedBy]
    closed_before: Provision[ClosedBefore]
    open_within_s: Provision[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TempoRules:
    reference_s: Provision[float]
    raised_by: Provision[RaisedBy]
    may_vary: Provision[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularRules:
    """The course for an irregular call, by its stage."""

    not_crossed: Provision[NotCrossed]
    crossed: Provision[Crossed]
    returned: Provision[Returned]
    information: Provision[CancelledInformation]
    attention_by: Provision[AttentionBy]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimultaneousRules:
    within_ms: Provision[float]
    course: Provision[SimultaneousCourse]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRules:
    how: Provision[AlertHow]
    taken_back_under_s: Provision[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationRules:
    how: Provision[ExplanationHow]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionRules:
    cleared_after: Provision[ClearedAfter]
    clearing_within_s: Provision[float]
    shown_before_window: Provision[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadRules:
    out_of_turn: Provision[LeadOutOfTurn]


@dataclass(frozen=True, slots=True, kw_only=True)
class DummyRules:
    may_point_out_exposed_card: Provision[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Law13Rules:
    only_if_crossed: Provision[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class StopCardRules:
    use: Provision[StopCard]


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectronicRecordRules:
    allowed: Provision[ElectronicRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class LawsRules:
    code: Provision[LawCode]
    numbers: Provision[LawNumbers]
    revoke: Provision[RevokeCourse]
    play_after_claim: Provision[PlayAfterClaim]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRules:
    """Late, slow, forfeited. An empty table, or None for forfeits: the authority says nothing."""

    late: Provision[TimeTable]
    slow: Provision[TimeTable]
    slow_shares: Provision[SlowShares]
    forfeit: Provision[ForfeitTable | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Regulations:
    """What an authority says, complete. `layers` are the ids of the layers it was made from, lowest first."""

    id: str
    title_en: str
    title_zh: str
    layers: tuple[str, ...]
    seats: SeatsRules
    tray: TrayRules
    board: BoardRules
    call: CallRules
    window: WindowRules
    tempo: TempoRules
    irregular: IrregularRules
    simultaneous: SimultaneousRules
    alert: AlertRules
    explanation: ExplanationRules
    auction: AuctionRules
    lead: LeadRules
    dummy: DummyRules
    law13: Law13Rules
    stop_card: StopCardRules
    electronic_record: ElectronicRecordRules
    laws: LawsRules
    clock: ClockRules
    articles: tuple[tuple[str, Provision[tuple[Article, ...]]], ...]
    guidance: tuple[tuple[Guidance, Provision[tuple[str, ...]]], ...]

    def article_of(self, kind: str) -> Provision[tuple[Article, ...]]:
        """The articles a kind of irregularity falls under here; `kind` by its catalogue name.

        Raises KeyError naming the kind if it is not in the catalogue.
        """
        for name, provision in self.articles:
            if name == kind:
                return provision
        raise KeyError(f"no irregularity is called {kind!r}; see `table-controller regulations`")

    def guidance_for(self, kind: str) -> tuple[tuple[Guidance, Provision[tuple[str, ...]]], ...]:
        """What the director may want to know beside an entry of this kind, with its source; often nothing."""
        return tuple(item for item in self.guidance if kind in item[1].value)
