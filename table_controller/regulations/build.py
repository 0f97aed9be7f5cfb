"""From merged layers to the typed `Regulations`.

Each provision is read again by its own key, so that the type the core sees is the type the key promises. Must
never supply a value: what no layer gives is refused by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from table_controller.laws.seat import Faces
from table_controller.regulations import keys, model
from table_controller.regulations.courses import Guidance
from table_controller.regulations.errors import RegulationsError
from table_controller.regulations.keys import Key
from table_controller.regulations.layer import Given, KindSource, Layer
from table_controller.regulations.provision import Article, Citation, Provision

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """The layers of one set of regulations, lowest first; the last that gives a thing wins."""

    layers: tuple[Layer, ...]

    def given(self, name: str) -> tuple[Layer, Given]:
        for layer in reversed(self.layers):
            if name in layer.provisions:
                return layer, layer.provisions[name]
        raise RegulationsError(f"{self.layers[-1].file}: provisions.{name}: no layer gives it; add it")

    def take(self, key: Key[T]) -> Provision[T]:
        """The provision of one key, typed by the key."""
        layer, given = self.given(key.name)
        return Provision(
            value=key.parse(given.value),
            citation=given.source.citation,
            date=given.source.date,
            standing=given.source.standing,
            layer=layer.id,
        )

    def kinds(self) -> dict[str, tuple[Layer, KindSource]]:
        """Every kind with the layer that cites it last. The base names them all; a new name is refused."""
        base, *others = self.layers
        found = {kind: (base, source) for kind, source in base.articles.items()}
        for layer in others:
            for kind, source in layer.articles.items():
                if kind not in found:
                    raise RegulationsError(
                        f"{layer.file}: articles.{kind}: unknown key; expected a kind of the catalogue, "
                        f"such as INSUFFICIENT_BID"
                    )
                found[kind] = (layer, source)
        return found


def build(merged: Merged, profile: Layer) -> model.Regulations:
    """The whole, checked for what only the whole can show. Raises RegulationsError."""
    take = merged.take
    _check_seating(merged)
    return model.Regulations(
        id=profile.id,
        title_en=profile.title_en,
        title_zh=profile.title_zh,
        layers=tuple(layer.id for layer in merged.layers),
        seats=model.SeatsRules(screen_sides=take(keys.SEATS_SCREEN_SIDES)),
        tray=_tray(merged),
        board=_board(merged),
        call=model.CallRules(made_when=take(keys.CALL_MADE_WHEN)),
        window=_window(merged),
        tempo=_tempo(merged),
        irregular=_irregular(merged),
        simultaneous=_simultaneous(merged),
        alert=_alert(merged),
        explanation=model.ExplanationRules(how=take(keys.EXPLANATION_HOW)),
        auction=_auction(merged),
        lead=model.LeadRules(out_of_turn=take(keys.LEAD_OUT_OF_TURN)),
        dummy=model.DummyRules(may_point_out_exposed_card=take(keys.DUMMY_MAY_POINT_OUT)),
        law13=model.Law13Rules(only_if_crossed=take(keys.LAW13_ONLY_IF_CROSSED)),
        stop_card=model.StopCardRules(use=take(keys.STOP_CARD_USE)),
        electronic_record=model.ElectronicRecordRules(allowed=take(keys.ELECTRONIC_RECORD_ALLOWED)),
        laws=_laws(merged),
        clock=_clock(merged),
        articles=_articles(merged),
        guidance=_guidance(merged),
    )


def _tray(merged: Merged) -> model.TrayRules:
    return model.TrayRules(
        movers=merged.take(keys.TRAY_MOVERS),
        hold_output=merged.take(keys.TRAY_HOLD_OUTPUT),
        stalled_after_s=merged.take(keys.TRAY_STALLED_AFTER_S),
        forgotten_after_s=merged.take(keys.TRAY_FORGOTTEN_AFTER_S),
    )


def _board(merged: Merged) -> model.BoardRules:
    return model.BoardRules(
        on_tray=merged.take(keys.BOARD_ON_TRAY), back_within_s=merged.take(keys.BOARD_BACK_WITHIN_S)
    )


def _window(merged: Merged) -> model.WindowRules:
    return model.WindowRules(
        opens_on=merged.take(keys.WINDOW_OPENS_ON),
        opened_by=merged.take(keys.WINDOW_OPENED_BY),
        closed_before=merged.take(keys.WINDOW_CLOSED_BEFORE),
        open_within_s=merged.take(keys.WINDOW_OPEN_WITHIN_S),
    )


def _tempo(merged: Merged) -> model.TempoRules:
    return model.TempoRules(
        reference_s=merged.take(keys.TEMPO_REFERENCE_S),
        raised_by=merged.take(keys.TEMPO_RAISED_BY),
        may_vary=merged.take(keys.TEMPO_MAY_VARY),
    )


def _simultaneous(merged: Merged) -> model.SimultaneousRules:
    return model.SimultaneousRules(
        within_ms=merged.take(keys.SIMULTANEOUS_WITHIN_MS), course=merged.take(keys.SIMULTANEOUS_COURSE)
    )


def _alert(merged: Merged) -> model.AlertRules:
    return model.AlertRules(
        how=merged.take(keys.ALERT_HOW), taken_back_under_s=merged.take(keys.ALERT_TAKEN_BACK_UNDER_S)
    )


def _auction(merged: Merged) -> model.AuctionRules:
    return model.AuctionRules(
        cleared_after=merged.take(keys.AUCTION_CLEARED_AFTER),
        clearing_within_s=merged.take(keys.AUCTION_CLEARING_WITHIN_S),
        shown_before_window=merged.take(keys.AUCTION_SHOWN_BEFORE_WINDOW),
    )


def _laws(merged: Merged) -> model.LawsRules:
    return model.LawsRules(
        code=merged.take(keys.LAWS_CODE),
        numbers=merged.take(keys.LAWS_NUMBERS),
        revoke=merged.take(keys.LAWS_REVOKE),
        play_after_claim=merged.take(keys.LAWS_PLAY_AFTER_CLAIM),
    )


def _clock(merged: Merged) -> model.ClockRules:
    return model.ClockRules(
        late=merged.take(keys.CLOCK_LATE),
        slow=merged.take(keys.CLOCK_SLOW),
        slow_shares=merged.take(keys.CLOCK_SLOW_SHARES),
        forfeit=merged.take(keys.CLOCK_FORFEIT),
    )


def _irregular(merged: Merged) -> model.IrregularRules:
    return model.IrregularRules(
        not_crossed=merged.take(keys.IRREGULAR_NOT_CROSSED),
        crossed=merged.take(keys.IRREGULAR_CROSSED),
        returned=merged.take(keys.IRREGULAR_RETURNED),
        information=merged.take(keys.IRREGULAR_INFORMATION),
        attention_by=merged.take(keys.IRREGULAR_ATTENTION_BY),
    )


def _check_seating(merged: Merged) -> None:
    """A mover sits on the face he pushes from: true of two provisions together, so only checked here."""
    faces: Faces = merged.take(keys.SEATS_SCREEN_SIDES).value
    movers = merged.take(keys.TRAY_MOVERS).value
    if movers.ne not in faces.ne or movers.sw not in faces.sw:
        layer, _ = merged.given(keys.TRAY_MOVERS.name)
        raise RegulationsError(
            f"{layer.file}: provisions.tray.movers.value: {movers.ne} and {movers.sw} do not sit on the "
            f"faces they push from; take one seat of {'/'.join(faces.ne)} and one of {'/'.join(faces.sw)}"
        )


def _articles(merged: Merged) -> tuple[tuple[str, Provision[tuple[Article, ...]]], ...]:
    numbers = merged.take(keys.LAWS_NUMBERS).value
    return tuple(
        (kind, _kind(merged, layer, source, numbers)) for kind, (layer, source) in merged.kinds().items()
    )


def _kind(
    merged: Merged, layer: Layer, written: KindSource, numbers: model.LawNumbers
) -> Provision[tuple[Article, ...]]:
    """The articles of one kind, its own first, then those of the provisions it stands for."""
    own: list[Article] = []
    for cited in written.articles:
        own.append(
            Article(
                document=cited.document,
                number=cited.number,
                law=bool(cited.code),
                number_2017=_in_2017(cited.number, cited.code, numbers),
                standing=cited.standing,
                note="" if written.source is None or cited.code else written.source.citation.note,
            )
        )
    seen = [(name, *merged.given(name)) for name in written.see]
    borrowed = [_borrowed(name, given, numbers) for name, _, given in seen]
    if written.source is not None:
        source, where = written.source, layer.id
    else:
        source, where = seen[0][2].source, seen[0][1].id
    return Provision(
        value=(*own, *borrowed),
        citation=source.citation,
        date=source.date,
        standing=source.standing,
        layer=where,
    )


def _borrowed(name: str, given: Given, numbers: model.LawNumbers) -> Article:
    citation: Citation = given.source.citation
    return Article(
        document=citation.document,
        number=citation.article,
        law=bool(given.code),
        number_2017=_in_2017(citation.article, given.code, numbers),
        standing=given.source.standing,
        provision=name,
        note=citation.note,
    )


def _in_2017(number: str | None, code: str, numbers: model.LawNumbers) -> str | None:
    """The number in the code of 2017 of an article of the Laws; None for any other document."""
    if number is None or not code:
        return None
    return number if code == "2017" else numbers.in_2017(number)


def _guidance(merged: Merged) -> tuple[tuple[Guidance, Provision[tuple[str, ...]]], ...]:
    kinds = merged.kinds()
    found: dict[Guidance, Provision[tuple[str, ...]]] = {}
    for layer in merged.layers:
        for item, advice in layer.guidance.items():
            for kind in advice.bears_on:
                if kind not in kinds:
                    raise RegulationsError(
                        f"{layer.file}: guidance.{item.name}.bears_on: {kind!r} is no kind of the catalogue"
                    )
            found[item] = Provision(
                value=advice.bears_on,
                citation=advice.source.citation,
                date=advice.source.date,
                standing=advice.source.standing,
                layer=layer.id,
            )
    return tuple(found.items())
