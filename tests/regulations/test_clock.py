"""Late and slow: every row and boundary of the tables, to the second."""

from __future__ import annotations

from decimal import Decimal

import pytest

from table_controller.laws.seat import Partnership
from table_controller.regulations.clock import (
    NS_PER_MIN,
    Outcome,
    ShareBasis,
    Warned,
    late,
    overuse,
    slow,
)
from table_controller.regulations.load import load
from table_controller.regulations.time_tables import (
    BoardScore,
    Contest,
    Deduct,
    Deed,
    Imps,
    MayDropBoards,
    Unit,
    UnplayedBoards,
)

CCBA = load("ccba-2006")
NS_PER_S = 1_000_000_000
VP, KO = Contest.TEAMS_VP, Contest.TEAMS_KNOCKOUT
MP, IMP = Contest.PAIRS_MATCHPOINTS, Contest.PAIRS_IMP


def at(minutes: int, seconds: int = 0) -> int:
    return minutes * NS_PER_MIN + seconds * NS_PER_S


def vp(amount: str) -> Deduct:
    return Deduct(amount=Decimal(amount), unit=Unit.VP)


def imp(amount: str) -> Deduct:
    return Deduct(amount=Decimal(amount), unit=Unit.IMP)


def top(percent: str) -> Deduct:
    return Deduct(amount=Decimal(percent), unit=Unit.PERCENT_OF_TOP)


def drop(least: int, most: int, *, imps: bool) -> MayDropBoards:
    if imps:
        offender, other = Imps(amount=Decimal(0)), Imps(amount=Decimal(3))
        return MayDropBoards(least=least, most=most, offender=offender, other=other)
    return MayDropBoards(least=least, most=most, offender=BoardScore.ZERO, other=BoardScore.AVERAGE_PLUS)


ROUND, FORFEIT, COMMITTEE = Deed.MAY_FORFEIT_TWO_BOARD_ROUND, Deed.FORFEIT_SESSION, Deed.COMMITTEE
STOP, CANCEL = Deed.STOP_PLAY, Deed.UNPLAYED_CANCELLED_OR_APPEAL
WARNED = Warned()

LATE: list[tuple[Contest, int, int, list[Outcome]]] = [
    (VP, 0, 1, [WARNED]),
    (VP, 5, 0, [WARNED]),
    (VP, 5, 1, [vp("1")]),
    (VP, 10, 0, [vp("1")]),
    (VP, 10, 1, [vp("2")]),
    (VP, 15, 0, [vp("2")]),
    (VP, 15, 1, [vp("3")]),
    (VP, 20, 0, [vp("3")]),
    (VP, 20, 1, [vp("4")]),
    (VP, 25, 0, [vp("4")]),
    (VP, 25, 1, [COMMITTEE]),
    (KO, 5, 0, [WARNED]),
    (KO, 5, 1, [imp("2")]),
    (KO, 6, 0, [imp("2")]),
    (KO, 6, 1, [imp("3")]),
    (KO, 10, 0, [imp("6")]),
    (KO, 10, 1, [imp("7")]),
    (KO, 15, 0, [imp("11")]),
    (KO, 20, 0, [imp("16")]),
    (KO, 25, 0, [imp("21")]),
    (KO, 25, 1, [COMMITTEE]),
    (MP, 5, 0, [WARNED]),
    (MP, 5, 1, [top("10"), drop(1, 1, imps=False)]),
    (MP, 10, 0, [top("10"), drop(1, 1, imps=False)]),
    (MP, 10, 1, [top("20"), drop(1, 2, imps=False)]),
    (MP, 15, 0, [top("20"), drop(1, 2, imps=False)]),
    (MP, 15, 1, [top("30"), drop(2, 3, imps=False), ROUND]),
    (MP, 20, 0, [top("30"), drop(2, 3, imps=False), ROUND]),
    (MP, 20, 1, [FORFEIT]),
    (MP, 25, 0, [FORFEIT]),
    (MP, 25, 1, [FORFEIT]),
    (IMP, 5, 0, [WARNED]),
    (IMP, 5, 1, [imp("3"), drop(1, 1, imps=True)]),
    (IMP, 10, 1, [imp("6"), drop(1, 2, imps=True)]),
    (IMP, 15, 1, [imp("9"), drop(2, 3, imps=True), ROUND]),
    (IMP, 20, 0, [imp("9"), drop(2, 3, imps=True), ROUND]),
    (IMP, 20, 1, [FORFEIT]),
    (IMP, 25, 1, [FORFEIT]),
]


@pytest.mark.parametrize(
    ("contest", "minutes", "seconds", "outcomes"),
    [pytest.param(*row, id=f"26: {row[0]} {row[1]}:{row[2]:02}") for row in LATE],
)
def test_late(contest: Contest, minutes: int, seconds: int, outcomes: list[Outcome]) -> None:
    found = late(CCBA, contest, at(minutes, seconds))
    assert found is not None
    assert found.readings == (tuple(outcomes),)
    assert found.source.citation.article == "26"


@pytest.mark.parametrize(
    ("contest", "minutes", "outcome"),
    [(VP, 4, vp("1")), (KO, 4, imp("1")), (KO, 5, imp("1")), (MP, 5, top("10")), (IMP, 1, imp("3"))],
)
def test_26_the_second_time_is_no_longer_a_warning(contest: Contest, minutes: int, outcome: Deduct) -> None:
    found = late(CCBA, contest, at(minutes), earlier=1)
    assert found is not None
    assert found.readings == ((outcome,),)
    assert found.row == 1


@pytest.mark.parametrize("contest", Contest)
def test_in_time_is_nothing(contest: Contest) -> None:
    assert late(CCBA, contest, 0) is None
    assert slow(CCBA, contest, 0) is None
    assert late(CCBA, contest, -at(3)) is None


UNPLAYED_MP = UnplayedBoards(offender=BoardScore.AVERAGE_MINUS, other=BoardScore.AVERAGE_PLUS)
UNPLAYED_IMP = UnplayedBoards(offender=Imps(amount=Decimal(-3)), other=Imps(amount=Decimal(3)))

SLOW: list[tuple[Contest, int, int, list[Outcome]]] = [
    (VP, 0, 1, [vp("1")]),
    (VP, 2, 0, [vp("1")]),
    (VP, 2, 1, [vp("1")]),
    (VP, 5, 0, [vp("1")]),
    (VP, 5, 1, [vp("1.5")]),
    (VP, 10, 0, [vp("1.5")]),
    (VP, 10, 1, [vp("2")]),
    (VP, 15, 0, [vp("2")]),
    (VP, 15, 1, [vp("2.5")]),
    (VP, 20, 0, [vp("2.5")]),
    (VP, 20, 1, [vp("3")]),
    (VP, 25, 0, [vp("3")]),
    (VP, 25, 1, [COMMITTEE]),
    (KO, 0, 1, [imp("1")]),
    (KO, 1, 0, [imp("1")]),
    (KO, 1, 1, [imp("2")]),
    (KO, 24, 1, [imp("25")]),
    (KO, 25, 0, [imp("25")]),
    (MP, 2, 0, [WARNED]),
    (MP, 2, 1, [top("10")]),
    (MP, 5, 0, [top("10")]),
    (MP, 5, 1, [top("20")]),
    (MP, 10, 0, [top("20")]),
    (MP, 10, 1, [STOP, top("20"), UNPLAYED_MP]),
    (MP, 15, 1, [STOP, top("20"), UNPLAYED_MP]),
    (MP, 20, 1, [STOP, top("20"), UNPLAYED_MP]),
    (MP, 25, 1, [STOP, top("20"), UNPLAYED_MP]),
    (IMP, 2, 0, [WARNED]),
    (IMP, 2, 1, [imp("3")]),
    (IMP, 5, 1, [imp("6")]),
    (IMP, 10, 0, [imp("6")]),
    (IMP, 10, 1, [STOP, imp("6"), UNPLAYED_IMP]),
    (IMP, 99, 0, [STOP, imp("6"), UNPLAYED_IMP]),
]


@pytest.mark.parametrize(
    ("contest", "minutes", "seconds", "outcomes"),
    [pytest.param(*row, id=f"27: {row[0]} {row[1]}:{row[2]:02}") for row in SLOW],
)
def test_slow(contest: Contest, minutes: int, seconds: int, outcomes: list[Outcome]) -> None:
    found = slow(CCBA, contest, at(minutes, seconds))
    assert found is not None
    assert found.total.readings == (tuple(outcomes),)


def test_27_a_knock_out_over_25_minutes_can_be_read_two_ways() -> None:
    found = slow(CCBA, KO, at(25, 1))
    assert found is not None
    assert found.total.readings == ((STOP, CANCEL), (imp("25"), STOP, CANCEL))


@pytest.mark.parametrize(("contest", "outcome"), [(MP, top("10")), (IMP, imp("3"))])
def test_27_the_second_time_slow_to_two_minutes(contest: Contest, outcome: Deduct) -> None:
    found = slow(CCBA, contest, at(2), earlier=1)
    assert found is not None
    assert found.total.readings == ((outcome,),)


def test_27_1_in_matches_by_vp_both_responsible_each_bears_half() -> None:
    found = slow(CCBA, VP, at(9, 30))
    assert found is not None
    (shares,) = found.shares
    assert [(s.basis, s.ns, s.ew, s.by_rule) for s in shares] == [
        (ShareBasis.HALF_EACH, Decimal("0.75"), Decimal("0.75"), True)
    ]
    assert found.source.citation.article == "27.1"


def test_the_observed_shares_stand_beside_the_rules_half_and_half() -> None:
    found = slow(CCBA, VP, at(9, 30), observed=(at(6), at(3)))
    assert found is not None
    (shares,) = found.shares
    assert [(s.basis, s.ns, s.by_rule) for s in shares] == [
        (ShareBasis.HALF_EACH, Decimal("0.75"), True),
        (ShareBasis.OBSERVED, Decimal("1"), False),
    ]
    assert all(s.ns + s.ew == Decimal("1.5") for s in shares)


def test_27_1_outside_vp_both_ways_to_read_otherwise_are_given_and_neither_is_the_rule() -> None:
    found = slow(CCBA, KO, at(9), observed=(at(6), at(3)))
    assert found is not None
    (shares,) = found.shares
    assert [(s.basis, s.ns, s.ew, s.by_rule) for s in shares] == [
        (ShareBasis.HALF_EACH, Decimal("4.5"), Decimal("4.5"), False),
        (ShareBasis.OBSERVED, Decimal(6), Decimal(3), False),
    ]


@pytest.mark.parametrize(
    ("responsible", "ns", "ew"), [(Partnership.NS, "1.5", "0"), (Partnership.EW, "0", "1.5")]
)
def test_27_1_one_responsible_bears_all(responsible: Partnership, ns: str, ew: str) -> None:
    found = slow(CCBA, VP, at(9, 30), responsible=responsible, observed=(at(1), at(1)))
    assert found is not None
    (shares,) = found.shares
    assert [(s.basis, s.ns, s.ew, s.by_rule) for s in shares] == [
        (ShareBasis.OBSERVED, Decimal(ns), Decimal(ew), True)
    ]


def test_case_9_a_match_cut_short_is_scaled_to_the_boards_played() -> None:
    assert overuse(at(78), 13, at(4)) == at(26)
    assert overuse(at(46), 13, at(4)) == 0


@pytest.mark.parametrize("profile", ["wbf", "ebl-2016", "acbl", "dbf", "laws-2017"])
def test_an_authority_without_tables_gives_no_indication(profile: str) -> None:
    regs = load(profile)
    assert late(regs, VP, at(9)) is None
    assert slow(regs, VP, at(9)) is None
    assert regs.clock.forfeit.value is None


@pytest.mark.parametrize(
    ("minutes", "contest", "outcome"),
    [("7.0", VP, vp("1")), ("5.0", VP, WARNED), ("12.2", KO, imp("9"))],
    ids=["7.0 min late, teams VP -> 1 VP", "5.0 -> warning", "12.2, knock-out -> 1 + 8 = 9 IMP"],
)
def test_the_specifications_check_numbers(minutes: str, contest: Contest, outcome: Outcome) -> None:
    found = late(CCBA, contest, int(Decimal(minutes) * NS_PER_MIN))
    assert found is not None
    assert found.readings == ((outcome,),)
