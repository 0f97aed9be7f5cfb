"""Words: none missing in either language, none that rules, and each says what it is given."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import chain, combinations

import pytest

from table_controller.laws.board import Vulnerability
from table_controller.laws.call import ALL_CALLS, parse_call
from table_controller.laws.seat import Faces, Partnership, ScreenSide, Seat
from table_controller.regulations import strategies, time_tables
from table_controller.regulations.clock import ShareBasis
from table_controller.regulations.courses import Course, Guidance
from table_controller.regulations.forfeits import Candidate
from table_controller.regulations.keys import ALL
from table_controller.regulations.load import BASE, SHIPPED, load
from table_controller.regulations.provision import Standing as Known
from table_controller.screen.entry import Certainty, FaultKind, Kind, Level, Stage, Standing
from table_controller.screen.event_base import WindowState
from table_controller.screen.orders import Subject, Verdict
from table_controller.screen.phases import Phase
from table_controller.screen.senses import Sense, checks_off
from table_controller.words import (
    Lang,
    call_text,
    citation,
    document,
    entries,
    four_facts,
    has,
    label,
    phase,
    sections,
    sentence,
    why_off,
    word,
)
from table_controller.words.dictionary import slots_of

EN, ZH = Lang.EN, Lang.ZH
FACTS = {"CALLED_OVER", "TEMPO_RAISED_ON_SAME_FACE"}
PROFILES = (*SHIPPED, BASE)

WANTED: list[tuple[str, set[str]]] = [
    ("name", set(Kind)),
    ("clause", set(Kind)),
    ("fault", set(FaultKind)),
    ("stage", set(Stage)),
    ("level", {level.name.lower() for level in Level}),
    ("entry_standing", set(Standing)),
    ("certainty", set(Certainty)),
    ("seat", set(Seat)),
    ("partnership", set(Partnership)),
    ("face", set(ScreenSide)),
    ("vulnerability", set(Vulnerability)),
    ("window", set(WindowState)),
    ("verdict", set(Verdict)),
    ("subject", set(Subject)),
    ("sense", set(Sense)),
    ("course", set(Course)),
    ("guidance", set(Guidance)),
    ("provision", set(ALL)),
    ("standing", set(Known)),
    ("contest", set(time_tables.Contest)),
    ("unit", set(time_tables.Unit)),
    ("score", set(time_tables.BoardScore)),
    ("share", set(ShareBasis)),
    ("forfeit", set(Candidate)),
    ("step", set(time_tables.Deed)),
    ("phase", {leaf.replace(".", "_") for leaf in Phase}),
    ("fact", FACTS),
]


@pytest.mark.parametrize(("section", "keys"), WANTED, ids=[section for section, _ in WANTED])
def test_every_key_the_product_uses_has_its_words(section: str, keys: set[str]) -> None:
    assert {str(key) for key in keys} - set(entries(section)) == set()


@pytest.mark.parametrize("section", ["name", "clause", "fault", "course", "guidance", "provision", "sense"])
def test_no_word_is_left_over_from_what_is_no_more(section: str) -> None:
    assert set(entries(section)) == dict(WANTED)[section]


def every_text() -> list[tuple[str, str, Lang, str]]:
    return [
        (section, key, lang, word(section, key, lang))
        for section in sections()
        for key in entries(section)
        for lang in Lang
    ]


def test_there_is_a_text_in_both_languages_for_every_key() -> None:
    silent = {("slot", "by_unknown")}
    blank = [(s, k, lang) for s, k, lang, text in every_text() if not text.strip() and (s, k) not in silent]
    assert blank == []


def test_chinese_texts_are_chinese() -> None:
    """A text that has words at all, besides its slots and units, has Chinese ones."""
    for section, key, lang, text in every_text():
        words = re.sub(r"\{\w+\}|VP|IMP|[^\w]|\d", "", text)
        if lang is ZH and words:
            assert re.search(r"[\u4e00-\u9fff]", words), (section, key)


def own_words(text: str) -> str:
    """Without what an article says in its own words, which stands between quotation marks."""
    return re.sub("“[^”]*”", "", text)


def test_our_own_words_never_say_what_an_article_gives() -> None:
    for section, key, lang, text in every_text():
        if lang is EN:
            banned = re.compile(r"penal|infraction|punish|guilt", re.IGNORECASE)
            assert not banned.search(own_words(text)), (section, key)
        else:
            assert not re.search("罚|违规|犯规|处分", own_words(text)), (section, key)


def test_the_words_of_the_laws_are_used() -> None:
    """The face of a screen is not a *side*, and what is pushed is not called a machine's name."""
    for section, key, lang, text in every_text():
        if lang is EN:
            assert not re.search(r"\b(aperture|bidding box|bidder|TD)\b", text), (section, key)
            assert "NE side" not in text, (section, key)


WHO = {"who", "whose", "by", "owed", "paren"}
WHERE = {"on", "on_note", "from", "from_note"}
SLOTS = WHO | WHERE | {"call", "other", "over", "of", "turn", "expected"}


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("lang", Lang)
def test_every_kind_is_one_sentence(kind: Kind, lang: Lang) -> None:
    assert slots_of(word("clause", kind, lang)) <= SLOTS
    full = sentence(
        kind,
        lang,
        board=3,
        seats=(Seat.S, Seat.W),
        side=ScreenSide.SW,
        call=parse_call("1C"),
        other_call=parse_call("1H"),
    )
    bare = sentence(kind, lang)
    for said in (full, bare):
        assert "{" not in said
        assert "  " not in said
        assert said.endswith("." if lang is EN else "。")
        assert said.count("." if lang is EN else "。") == 1
    assert full.startswith("Board 3: " if lang is EN else "第3副：")
    if "who" in slots_of(word("clause", kind, lang)):
        assert ("South and West" if lang is EN else "南家、西家") in full
        assert ("unknown player" if lang is EN else "某位牌手") in bare


def test_a_sentence_names_seat_face_board_and_call() -> None:
    said = sentence(
        "INSUFFICIENT_BID",
        EN,
        board=7,
        seats=(Seat.N,),
        side=ScreenSide.NE,
        call=parse_call("1NT"),
        other_call=parse_call("2D"),
    )
    assert said == "Board 7: North's bid of 1NT on the NE face does not outrank the last bid (2♦)."


def test_an_entry_of_two_kinds_is_one_sentence() -> None:
    said = sentence((Kind.INSUFFICIENT_BID, Kind.CALL_OUT_OF_ROTATION), EN, board=1, seats=(Seat.E,))
    assert said == (
        "Board 1: East's bid does not outrank the last bid; also, East's call was out of rotation: "
        "it was another player's turn."
    )


def test_a_kind_nobody_knows_is_an_error_of_ours() -> None:
    with pytest.raises(KeyError, match="TRAY_ATE_CARD"):
        sentence("TRAY_ATE_CARD", EN)
    assert label("name", "TRAY_ATE_CARD", EN) == "tray ate card"


@pytest.mark.parametrize("lang", Lang)
def test_every_call_can_be_said(lang: Lang) -> None:
    said = [call_text(call, lang) for call in ALL_CALLS]
    assert len(set(said)) == 38
    assert call_text(parse_call("3NT"), lang) == "3NT"


def test_the_four_facts_say_what_is_presumed_and_what_is_not_known() -> None:
    known = four_facts(
        EN,
        offenders=(Seat.S,),
        mover=Seat.S,
        certainty="presumed",
        called_over_by=Seat.W,
        gap_ns=2_340_000_000,
    )
    assert [value for _, value in known] == ["South", "South (presumed)", "yes, by West", "2.3 s"]
    unknown = four_facts(EN, offenders=(), mover=None, certainty="unknown", called_over_by=None, gap_ns=None)
    assert [value for _, value in unknown] == ["an unknown player", "unknown", "no", "unknown"]
    waiting = dict(
        four_facts(ZH, offenders=(Seat.S,), mover=None, certainty=None, called_over_by=None, gap_ns=None)
    )
    assert waiting["推托盘者"] == "尚未推动"


@pytest.mark.parametrize("name", ["auction_ne", "auction.ne", "AUCTION_NE"])
def test_a_phase_by_any_spelling(name: str) -> None:
    assert phase(name, EN) == "auction, tray on NE"
    assert all(phase(leaf, ZH) != leaf for leaf in Phase)
    assert phase("a new one", EN) == "a new one"


def strategies_of() -> list[type[StrEnum]]:
    found = [*vars(strategies).values(), time_tables.SlowShares]
    kinds = [kind for kind in found if isinstance(kind, type) and issubclass(kind, StrEnum)]
    return [kind for kind in kinds if kind is not StrEnum]


def test_every_value_of_every_provision_has_its_words() -> None:
    """Each named strategy of each key; numbers, seats and tables have forms of their own."""
    wanted = set()
    for name, key in ALL.items():
        for kind in strategies_of():
            for member in kind:
                try:
                    read = key.parse(member.value)
                except ValueError:
                    continue
                if type(read) is kind:
                    wanted.add(f"{name}.{member.value}")
    assert wanted - set(entries("value")) == set()
    left_over = {key for key in entries("value") if "." in key} - wanted
    assert left_over == set()
    assert len(wanted) > 50


@pytest.mark.parametrize("profile", PROFILES)
def test_documents_and_notes_of_shipped_profiles_have_chinese(profile: str) -> None:
    regs = load(profile)
    provisions = [getattr(getattr(regs, key.split(".")[0]), key.split(".")[1]) for key in ALL]
    cited = [provision.citation for provision in provisions]
    cited += [provision.citation for _, provision in regs.articles]
    cited += [provision.citation for _, provision in regs.guidance]
    assert [c.document for c in cited if not has("document", c.document)] == []
    assert [c.note for c in cited if c.note and not has("note", c.note)] == []
    assert all(has("document", a.document) for _, found in regs.articles for a in found.value)


def test_the_regulations_name_every_kind_of_the_catalogue() -> None:
    """Regulations may not see the screen, so the two lists of kinds are pinned here."""
    for profile in PROFILES:
        assert {kind for kind, _ in load(profile).articles} == set(Kind) | FACTS


def test_every_course_and_value_of_irregular_calls_matches_a_strategy() -> None:
    for group, kind in (
        ("not_crossed", strategies.NotCrossed),
        ("returned", strategies.Returned),
        ("information", strategies.CancelledInformation),
    ):
        for member in kind:
            if member is not strategies.Returned.STANDS_BUT_LAW_35:
                assert Course(f"irregular.{group}.{member.value}")


def test_every_reason_a_check_is_off_can_be_said_in_chinese() -> None:
    subsets: list[tuple[Sense, ...]] = [(), tuple(Sense)]
    subsets += [tuple(set(Sense) - set(two)) for two in combinations(Sense, 2)]
    reasons = chain.from_iterable(checks_off(load(p), senses) for p in PROFILES for senses in subsets)
    untold = {why for _, why in reasons if not re.search(r"[\u4e00-\u9fff]", why_off(why, ZH))}
    assert untold == set()


def test_why_off_names_the_senses() -> None:
    why = "this table does not sense calls, tray"
    assert why_off(why, ZH) == "本桌不能感知：叫品、托盘"
    assert why_off(why, EN) == "this table does not sense the calls, the tray"
    assert why_off("a new reason", ZH) == "a new reason"


def test_a_citation_says_article_law_and_the_number_of_2017() -> None:
    ccba = "CCBA tournament regulations 2006"
    assert citation(ccba, "23.2.5", EN) == "CCBA tournament regulations 2006, 23.2.5"
    assert citation("Laws of Duplicate Bridge 1997", "34", EN, law=True, number_2017="17D3") == (
        "Laws of Duplicate Bridge 1997, Law 34 (2017: 17D3)"
    )
    assert citation("Laws of Duplicate Bridge 1997", "54", ZH, law=True, number_2017="54") == (
        "《复式桥牌规则》1997 第54条"
    )
    assert citation("Cup", None, EN) == "Cup, article unknown"
    assert document("Cup", ZH) == "Cup"


def test_faces_default_is_the_usual_seating() -> None:
    assert load().seats.screen_sides.value == Faces()


def test_a_call_out_of_rotation_says_whose_turn_it_was_and_a_wrong_board_which_was_due() -> None:
    out = sentence((Kind.CALL_OUT_OF_ROTATION,), EN, board=1, seats=(Seat.W,), turn=Seat.E)
    assert out == "Board 1: West's call was out of rotation: it was East's turn."
    wrong = sentence((Kind.WRONG_BOARD,), EN, board=6, expected="5")
    assert wrong == "Board 6: The board on the tray is not the one expected (board 5)."
    assert "应由东家叫牌" in sentence((Kind.CALL_OUT_OF_ROTATION,), Lang.ZH, seats=(Seat.W,), turn=Seat.E)
    assert "应为第5副" in sentence((Kind.WRONG_BOARD,), Lang.ZH, expected="5")
