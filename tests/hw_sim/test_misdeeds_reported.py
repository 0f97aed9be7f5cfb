"""Every misdeed is reported as what it is, exactly once, and the board still comes to its end.

Two ways to the same core on virtual time: events made directly, and the body's wires through the controller's
own sensing and drive. What the players truly did is the measure of both.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from hw_sim.core_runner import CoreStage
from hw_sim.core_runner.customs import customs_of, regulations_of
from hw_sim.core_runner.play import senses_of
from hw_sim.misdeeds.form import Deed
from hw_sim.misdeeds.plan import MISDEEDS, places_of
from hw_sim.players.customs import STYLES, Floors, Manner
from hw_sim.players.four import BoardPlay
from hw_sim.players.ledger import BoardAccount, Ledger
from hw_sim.players.runner import play_out
from hw_sim.players.script import BoardScript
from hw_sim.table.wiring import TableKind
from table_controller.screen.effects import RecordBoard
from table_controller.screen.entry import Entry, Kind, Level, Standing
from table_controller.screen.events import Corrected, CorrectedAuction, Event, Resumed, Ruled, Verdict
from tests.hw_sim.scripts import CLAIMED, LONG, NOTRUMP, PASSED_OUT
from tests.hw_sim.virtual_table import VirtualTable

WAYS = ("core", "sensing")


class Hall:
    """One table of either kind with a director who rules at once and sends the players on."""

    def __init__(self, way: str, regulations: str = "ccba-2006", kind: TableKind = TableKind.FULL) -> None:
        self.regulations = regulations
        self.kind = kind
        self.words: dict[str, int] = {}
        self.ledger = Ledger("1")
        self._ruled: set[int] = set()
        self.entries: dict[int, Entry]
        self.boards: list[RecordBoard]
        self.order: Callable[[Event], None]
        if way == "core":
            core = CoreStage(regulations=regulations_of(regulations), senses=senses_of(kind))
            self.stage: Any = core
            self.entries, self.boards, self.order = core.entries, core.boards, core.tell
            self.view = core.table.view
            self.look: Callable[[], None] = lambda: None
        else:
            table = VirtualTable(kind, regulations)
            self.stage = table
            self.entries, self.boards, self.order = table.core.entries, table.core.boards, table.order
            self.view = table.core.table.view
            self.look = table.look

    def play(self, script: BoardScript, deed: Deed | None) -> BoardAccount:
        play = BoardPlay(
            hands=self.stage,
            script=script,
            customs=customs_of(self.regulations),
            furniture=self.kind.furniture,
            manner=Manner(STYLES["steady"], Random(1), Floors.quickest()),
            ledger=self.ledger,
            misdeed=deed,
            word=lambda kind: self.words.get(kind, 0),
        )
        play_out(self.stage, play.play(), speed=math.inf, between=self._between)
        return self.ledger.boards[-1]

    def _between(self) -> None:
        self.look()
        for entry in list(self.entries.values()):
            if entry.level > Level.NOTE and entry.standing is Standing.OPEN and entry.id not in self._ruled:
                self._ruled.add(entry.id)
                self._rule(entry)

    def _rule(self, entry: Entry) -> None:
        if Kind.AUCTION_NOT_SHOWN in entry.kinds:
            calls = tuple((shown.seat, shown.call) for shown in self.view().calls)
            self.order(Corrected(at=self.stage.now, by="director", what=CorrectedAuction(calls=calls)))
        self.order(
            Ruled(at=self.stage.now, by="director", entries=(entry.id,), verdict=Verdict.OTHER, text="go on")
        )
        if entry.level is Level.HOLD:
            self.order(Resumed(at=self.stage.now, by="director"))
        for kind in entry.kinds:
            self.words[kind] = self.words.get(kind, 0) + 1

    @property
    def kinds(self) -> list[str]:
        return sorted(kind.value for entry in self.entries.values() for kind in entry.kinds)


def as_recorded(account: BoardAccount, board: RecordBoard) -> None:
    assert board.outcome == "completed"
    assert [f"{seat}:{call}" for seat, call in board.calls] == account.calls
    assert board.contract == account.contract
    assert (board.declarer and board.declarer.value) == account.declarer
    assert len(board.play) == account.cards


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", MISDEEDS)
def test_each_misdeed_is_reported_once_as_what_it_is(name: str, way: str) -> None:
    profile = "dbf" if name == "hands-out-early" else "ccba-2006"
    customs = customs_of(profile)
    done = 0
    for script in (NOTRUMP, LONG, CLAIMED):
        places = places_of(name, script, customs)
        for deed in Random(name).sample(places, min(len(places), 3)):
            hall = Hall(way, profile)
            account = hall.play(script, deed)
            where = f"{deed.name} at {deed.moment} {deed.index} of {[str(c) for c in script.calls]}"
            assert hall.kinds == sorted(account.kinds), where
            assert len(hall.boards) == 1, where
            as_recorded(account, hall.boards[0])
            done += 1
    assert done


@pytest.mark.parametrize("way", WAYS)
def test_a_clean_evening_reports_nothing(way: str) -> None:
    hall = Hall(way)
    for script in (NOTRUMP, LONG, CLAIMED):
        account = hall.play(script, None)
        as_recorded(account, hall.boards[-1])
    assert hall.kinds == []
    assert len(hall.boards) == 3


@pytest.mark.parametrize("way", WAYS)
def test_an_evening_with_one_misdeed_after_another(way: str) -> None:
    hall = Hall(way)
    customs = customs_of("ccba-2006")
    random = Random(5)
    number = 0
    for name in (*MISDEEDS, *MISDEEDS):
        script = random.choice((NOTRUMP, LONG, CLAIMED))
        places = places_of(name, script, customs)
        if not places:
            continue
        before = len(hall.kinds)
        account = hall.play(script, random.choice(places))
        number += 1
        assert len(hall.boards) == number, account.misdeeds
        as_recorded(account, hall.boards[-1])
        assert len(hall.kinds) == before + len(account.kinds), account.misdeeds
    assert hall.kinds == sorted(kind for account in hall.ledger.boards for kind in account.kinds)


@pytest.mark.parametrize("profile", ["ccba-2006", "wbf", "ebl-2016", "acbl", "dbf"])
@pytest.mark.parametrize("way", WAYS)
def test_under_every_authority_a_clean_evening_reports_nothing(way: str, profile: str) -> None:
    hall = Hall(way, profile)
    for script in (NOTRUMP, LONG, CLAIMED):
        as_recorded(hall.play(script, None), hall.boards[-1])
    assert hall.kinds == []


@pytest.mark.parametrize("kind", [TableKind.WATCH, TableKind.GUARD, TableKind.HEADER])
@pytest.mark.parametrize("way", WAYS)
def test_tables_that_know_less_go_from_board_to_board(way: str, kind: TableKind) -> None:
    hall = Hall(way, kind=kind)
    boards = (NOTRUMP, LONG, PASSED_OUT, NOTRUMP, NOTRUMP)
    for script in boards:
        assert hall.play(script, None).finished
    assert len(hall.boards) >= len(boards) - 1  # the last is over when the next one comes
    assert {board.outcome for board in hall.boards} == {"completed"}
    assert hall.kinds == []
