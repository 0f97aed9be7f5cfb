"""The shipped profiles say what the profile page says: value and standing, row by row."""

from __future__ import annotations

import pytest

from table_controller.laws.seat import Faces, Seat
from table_controller.regulations import strategies as named
from table_controller.regulations.load import BASE, DEFAULT, SHIPPED, available, load
from table_controller.regulations.model import Movers, Regulations
from table_controller.regulations.provision import Provision, Standing

CCBA, EBL, ACBL, DBF = "ccba-2006", "ebl-2016", "acbl", "dbf"
TEXT, QUOTED, UNCONFIRMED = Standing.TEXT, Standing.QUOTED, Standing.UNCONFIRMED


def provision(regs: Regulations, dotted: str) -> Provision[object]:
    group, name = dotted.split(".")
    found = getattr(getattr(regs, group), name)
    assert isinstance(found, Provision)
    return found


ROWS: list[tuple[str, str, object, Standing]] = [
    ("seats.screen_sides", CCBA, Faces(), TEXT),
    ("seats.screen_sides", EBL, Faces(), TEXT),
    ("seats.screen_sides", ACBL, Faces(), TEXT),
    ("seats.screen_sides", DBF, Faces(), TEXT),
    ("tray.movers", CCBA, Movers(ne=Seat.N, sw=Seat.S), TEXT),
    ("tray.movers", EBL, Movers(ne=Seat.N, sw=Seat.S), TEXT),
    ("tray.movers", ACBL, Movers(ne=Seat.N, sw=Seat.S), TEXT),
    ("tray.movers", DBF, Movers(ne=Seat.N, sw=Seat.S), TEXT),
    ("board.on_tray", CCBA, named.OnTray.AUCTION_AND_PLAY, TEXT),
    ("board.on_tray", EBL, named.OnTray.AUCTION, TEXT),
    ("board.on_tray", ACBL, named.OnTray.AUCTION, TEXT),
    ("board.on_tray", DBF, named.OnTray.AUCTION, TEXT),
    ("call.made_when", CCBA, named.MadeWhen.PLACED, TEXT),
    ("call.made_when", EBL, named.MadeWhen.RELEASED, QUOTED),
    ("call.made_when", ACBL, named.MadeWhen.RELEASED, TEXT),
    ("call.made_when", DBF, named.MadeWhen.RELEASED, TEXT),
    ("window.opens_on", CCBA, named.OpensOn.LEAD_PLACED, TEXT),
    ("window.opens_on", EBL, named.OpensOn.LEAD_FACED, TEXT),
    ("window.opens_on", ACBL, named.OpensOn.LEAD_ANNOUNCED, TEXT),
    ("window.opens_on", DBF, named.OpensOn.LEAD_PLACED, UNCONFIRMED),
    ("window.opened_by", CCBA, named.OpenedBy.WEST_AND_SOUTH, TEXT),
    ("window.opened_by", EBL, named.OpenedBy.WEST, TEXT),
    ("window.opened_by", ACBL, named.OpenedBy.DEFENDER, TEXT),
    ("window.opened_by", DBF, named.OpenedBy.WEST_AND_SOUTH, UNCONFIRMED),
    ("window.closed_before", CCBA, named.ClosedBefore.NOT_STATED, TEXT),
    ("window.closed_before", EBL, named.ClosedBefore.HANDS_OUT, TEXT),
    ("window.closed_before", ACBL, named.ClosedBefore.HANDS_OUT, TEXT),
    ("window.closed_before", DBF, named.ClosedBefore.HANDS_OUT_ONE_FACE_AT_A_TIME, TEXT),
    ("tempo.reference_s", CCBA, 20.0, TEXT),
    ("tempo.reference_s", EBL, 15.0, QUOTED),
    ("tempo.reference_s", "wbf", 15.0, QUOTED),
    ("tempo.reference_s", ACBL, 20.0, UNCONFIRMED),
    ("tempo.reference_s", DBF, 20.0, TEXT),
    ("tempo.raised_by", CCBA, named.RaisedBy.RECEIVING_FACE, TEXT),
    ("tempo.raised_by", EBL, named.RaisedBy.RECEIVING_FACE_ELSE_STATUS_LOST, QUOTED),
    ("tempo.raised_by", "wbf", named.RaisedBy.RECEIVING_FACE_ELSE_STATUS_LOST, QUOTED),
    ("tempo.raised_by", ACBL, named.RaisedBy.ANYONE, QUOTED),
    ("tempo.raised_by", DBF, named.RaisedBy.RECEIVING_FACE, TEXT),
    ("tempo.may_vary", CCBA, True, TEXT),
    ("tempo.may_vary", EBL, True, QUOTED),
    ("tempo.may_vary", ACBL, True, UNCONFIRMED),
    ("tempo.may_vary", DBF, True, TEXT),
    ("irregular.not_crossed", CCBA, named.NotCrossed.CORRECTED_NEVER_ACCEPTED, TEXT),
    ("irregular.not_crossed", EBL, named.NotCrossed.PUT_RIGHT_BEFORE_PASSING, UNCONFIRMED),
    ("irregular.not_crossed", ACBL, named.NotCrossed.CORRECTED, UNCONFIRMED),
    ("irregular.not_crossed", DBF, named.NotCrossed.CORRECTED_BEFORE_TRAY_NEVER_ACCEPTED, TEXT),
    ("irregular.crossed", CCBA, named.Crossed.BY_RESPONSIBILITY, TEXT),
    ("irregular.crossed", EBL, named.Crossed.LAWS_SCREENMATE_MAY_HAVE_ACCEPTED, QUOTED),
    ("irregular.crossed", ACBL, named.Crossed.BACK_CORRECTED_NEVER_ACCEPTED, QUOTED),
    ("irregular.crossed", DBF, named.Crossed.BY_RESPONSIBILITY, QUOTED),
    ("irregular.returned", CCBA, named.Returned.STANDS_BUT_LAW_35, TEXT),
    ("irregular.returned", EBL, named.Returned.LAWS, QUOTED),
    ("irregular.returned", ACBL, named.Returned.LAWS, UNCONFIRMED),
    ("irregular.returned", DBF, named.Returned.STANDS_IF_BOTH_OTHERS_CALLED, QUOTED),
    ("irregular.attention_by", "wbf", named.AttentionBy.OFFENDER_OR_SCREENMATE, UNCONFIRMED),
    ("simultaneous.course", CCBA, named.SimultaneousCourse.LATER_CANCELLED, TEXT),
    ("simultaneous.course", EBL, named.SimultaneousCourse.LAW_33, UNCONFIRMED),
    ("simultaneous.course", ACBL, named.SimultaneousCourse.LAW_33, UNCONFIRMED),
    ("simultaneous.course", DBF, named.SimultaneousCourse.LAW_33, UNCONFIRMED),
    ("alert.how", CCBA, named.AlertHow.CARD_TAKEN_BACK, TEXT),
    ("alert.how", EBL, named.AlertHow.OPPONENT_MUST_BE_AWARE, TEXT),
    ("alert.how", ACBL, named.AlertHow.BOTH_FACES, UNCONFIRMED),
    ("alert.how", DBF, named.AlertHow.CARD_ON_SCREENMATES_SPACE, TEXT),
    ("explanation.how", CCBA, named.ExplanationHow.WRITING, TEXT),
    ("explanation.how", EBL, named.ExplanationHow.WRITING, UNCONFIRMED),
    ("explanation.how", ACBL, named.ExplanationHow.WRITING_AT_ANY_TIME, TEXT),
    ("explanation.how", DBF, named.ExplanationHow.WRITING, UNCONFIRMED),
    ("auction.cleared_after", CCBA, named.ClearedAfter.BOTH_FACES_SEEN, TEXT),
    ("auction.cleared_after", EBL, named.ClearedAfter.TRAY_BACK_WITH_FINAL_PASSES, QUOTED),
    ("auction.cleared_after", ACBL, named.ClearedAfter.FINAL_PASS, TEXT),
    ("auction.cleared_after", DBF, named.ClearedAfter.BOTH_FACES_SEEN, TEXT),
    ("lead.out_of_turn", CCBA, named.LeadOutOfTurn.SCREEN_TABLE, TEXT),
    ("lead.out_of_turn", EBL, named.LeadOutOfTurn.LAWS, UNCONFIRMED),
    ("lead.out_of_turn", ACBL, named.LeadOutOfTurn.LAWS, UNCONFIRMED),
    ("lead.out_of_turn", DBF, named.LeadOutOfTurn.LAWS, UNCONFIRMED),
    ("dummy.may_point_out_exposed_card", CCBA, True, TEXT),
    ("dummy.may_point_out_exposed_card", EBL, False, UNCONFIRMED),
    ("dummy.may_point_out_exposed_card", ACBL, True, TEXT),
    ("dummy.may_point_out_exposed_card", DBF, False, UNCONFIRMED),
    ("law13.only_if_crossed", CCBA, True, TEXT),
    ("law13.only_if_crossed", EBL, False, UNCONFIRMED),
    ("law13.only_if_crossed", ACBL, True, TEXT),
    ("law13.only_if_crossed", DBF, False, UNCONFIRMED),
    ("stop_card.use", CCBA, named.StopCard.NOT_USED, TEXT),
    ("stop_card.use", EBL, named.StopCard.NOT_USED, UNCONFIRMED),
    ("stop_card.use", ACBL, named.StopCard.NOT_USED, UNCONFIRMED),
    ("stop_card.use", DBF, named.StopCard.NOT_USED, TEXT),
    ("electronic_record.allowed", CCBA, named.ElectronicRecord.SILENT, TEXT),
    ("electronic_record.allowed", EBL, named.ElectronicRecord.ALLOWED, TEXT),
    ("electronic_record.allowed", ACBL, named.ElectronicRecord.SILENT, UNCONFIRMED),
    ("electronic_record.allowed", DBF, named.ElectronicRecord.SILENT, UNCONFIRMED),
]


@pytest.mark.parametrize(("dotted", "profile", "value", "standing"), ROWS, ids=lambda cell: str(cell)[:40])
def test_profile_has_the_value_and_standing_of_the_page(
    dotted: str, profile: str, value: object, standing: Standing
) -> None:
    found = provision(load(profile), dotted)
    assert found.value == value
    assert found.standing is standing


@pytest.mark.parametrize(
    ("dotted", "article"),
    [
        ("seats.screen_sides", "23.1, 24.4"),
        ("tray.movers", "24.4"),
        ("board.on_tray", "24.5"),
        ("call.made_when", "24.3"),
        ("window.opens_on", "23.1, 21.8"),
        ("window.opened_by", "23.1"),
        ("tempo.reference_s", "23.2.3"),
        ("tempo.raised_by", "23.2.3"),
        ("tempo.may_vary", "23.2.9"),
        ("irregular.not_crossed", "23.2.5.1"),
        ("irregular.crossed", "23.2.5.2-3"),
        ("irregular.returned", "23.2.5.4"),
        ("simultaneous.course", "23.2.6"),
        ("alert.how", "31.2"),
        ("explanation.how", "32.2"),
        ("auction.cleared_after", "23.2.4"),
        ("lead.out_of_turn", "23.2.8"),
        ("dummy.may_point_out_exposed_card", "23.2.1"),
        ("law13.only_if_crossed", "23.2.2"),
        ("stop_card.use", "21.7"),
        ("electronic_record.allowed", None),
        ("clock.late", "26"),
        ("clock.slow", "27"),
        ("clock.slow_shares", "27.1"),
        ("clock.forfeit", "28"),
    ],
)
def test_default_profile_cites_its_articles(dotted: str, article: str | None) -> None:
    found = provision(load(), dotted)
    assert found.citation.article == article
    assert found.citation.document == "CCBA tournament regulations 2006"
    assert found.date == "2006"
    assert found.layer == "ccba-2006"


@pytest.mark.parametrize(
    ("dotted", "value"),
    [
        ("tray.stalled_after_s", 10.0),
        ("tray.forgotten_after_s", 180.0),
        ("window.open_within_s", 60.0),
        ("board.back_within_s", 60.0),
        ("simultaneous.within_ms", 50.0),
        ("alert.taken_back_under_s", 1.0),
        ("auction.clearing_within_s", 10.0),
    ],
)
@pytest.mark.parametrize("profile", SHIPPED)
def test_the_catalogues_thresholds_are_provisions_that_claim_no_authority(
    profile: str, dotted: str, value: float
) -> None:
    found = provision(load(profile), dotted)
    assert found.value == value
    assert found.layer == BASE
    assert "no authority" in found.citation.document


def test_default_profile_is_complete_but_for_the_tables_own_waits() -> None:
    from table_controller.regulations.keys import ALL

    regs = load()
    below = {dotted for dotted in ALL if provision(regs, dotted).layer == BASE}
    assert below == {
        "tray.hold_output",
        "tray.stalled_after_s",
        "tray.forgotten_after_s",
        "window.open_within_s",
        "board.back_within_s",
        "simultaneous.within_ms",
        "alert.taken_back_under_s",
        "auction.clearing_within_s",
        "laws.numbers",
    }


def test_wbf_lies_under_ebl_and_the_sheet_can_say_so() -> None:
    regs = load("ebl-2016")
    assert regs.layers == ("laws-2017", "wbf", "ebl-2016")
    assert regs.tempo.reference_s.layer == "wbf"
    assert regs.window.opens_on.layer == "ebl-2016"
    assert regs.lead.out_of_turn.layer == "laws-2017"


def test_default_and_the_list_of_profiles() -> None:
    assert load().id == DEFAULT == "ccba-2006"
    assert set(available()) >= {*SHIPPED, BASE}


@pytest.mark.parametrize("profile", [*SHIPPED, BASE])
def test_regulations_are_one_hashable_value(profile: str) -> None:
    assert load(profile) == load(profile)
    assert hash(load(profile)) == hash(load(profile))


@pytest.mark.parametrize(
    ("kind", "document", "number", "number_2017"),
    [
        ("INSUFFICIENT_BID", "Laws of Duplicate Bridge 1997", "27", "27, with 23"),
        ("INSUFFICIENT_BID", "CCBA tournament regulations 2006", "23.2.5", None),
        ("CALL_OUT_OF_ROTATION", "Laws of Duplicate Bridge 1997", "28-32", "28-32, with 23"),
        ("TEMPO_RAISED_ON_SAME_FACE", "Laws of Duplicate Bridge 1997", "16", "16B"),
        ("AUCTION_STUCK", "Laws of Duplicate Bridge 1997", "34", "17D3"),
        ("OPENING_LEAD_OUT_OF_TURN", "Laws of Duplicate Bridge 1997", "54", "54"),
        ("TRAY_CROSSED_EARLY", "CCBA tournament regulations 2006", "24.4", None),
    ],
)
def test_an_entry_cites_the_article_as_the_profile_has_it_with_the_2017_number(
    kind: str, document: str, number: str, number_2017: str | None
) -> None:
    articles = load().article_of(kind).value
    assert (document, number, number_2017) in [(a.document, a.number, a.number_2017) for a in articles]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("9A2(b)(1)", "9A"),
        ("42B3", "42B"),
        ("43A1(b)", "43A"),
        ("16", "16B"),
        ("20", "20 and 41B"),
        ("25", "25"),
        ("26", "26, with 23"),
        ("34", "17D3"),
        ("35", "36A, 37A, 39A"),
        ("40(b)", "40"),
        ("54", "54"),
    ],
)
def test_law_numbers_of_1997_in_the_code_of_2017(old: str, new: str) -> None:
    assert load().laws.numbers.value.in_2017(old) == new


def test_an_authority_whose_article_is_unknown_is_cited_through_its_provision() -> None:
    (article,) = load("acbl").article_of("TRAY_CROSSED_EARLY").value
    assert article.document == "ACBL screen regulations"
    assert article.number is None
    assert article.provision == "tray.movers"
    assert article.standing is TEXT


def test_a_kind_nobody_knows_is_refused_by_name() -> None:
    with pytest.raises(KeyError, match="NO_SUCH_KIND"):
        load().article_of("NO_SUCH_KIND")


def test_guidance_stands_beside_the_kinds_it_bears_on() -> None:
    names = {item.name for item, _ in load().guidance_for("AUCTION_NOT_SHOWN")}
    assert names == {"REVIEW_OF_AUCTION"}
    assert load("dbf").guidance_for("AUCTION_NOT_SHOWN") == ()
