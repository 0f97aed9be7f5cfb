"""A board by hand to its end: what the bench says is next, and what leaves the table with the board."""

from __future__ import annotations

import pytest

from tests.bench.rig import BenchRig

pytestmark = pytest.mark.live


def waits(rig: BenchRig, code: str) -> None:
    rig.until(
        lambda session: rig.frame.waits.code == code, f"{code} is not waited for, but {rig.frame.waits}"
    )


def test_a_board_ends_with_nothing_left_on_the_table(rig: BenchRig) -> None:
    rig.fresh()
    rig.do("N places board 1", "window closed", "N 1NT", "E P", "tray to SW", "S P", "W P")
    waits(rig, "lead")
    assert (rig.frame.contract, rig.frame.declarer, rig.frame.waits.seat) == ("1NT", "N", "E")
    rig.do("E leads face down")
    waits(rig, "unshown")
    assert rig.frame.waits.side == "NE"
    rig.do("tray to NE")
    waits(rig, "face")
    rig.do("E faces the lead", "E plays SQ", "S plays S4")
    for seat in "NESW":
        rig.do(f"{seat} clears his cards")
    rig.do("N claims")
    waits(rig, "claimed")
    rig.do("N lifts the board")
    table = rig.bench.bulletin.table
    assert table is not None
    assert set(table.leads.values()) == set(table.played.values()) == {""}
    waits(rig, "board")
    assert rig.kinds() == []


def test_a_board_lifted_off_in_the_auction_takes_nothing_along(rig: BenchRig) -> None:
    rig.fresh()
    rig.do("N places board 2", "window closed", "E 1NT", "S leads face down", "N lifts the board")
    table = rig.bench.bulletin.table
    assert table is not None
    assert table.leads["S"] == "down"


def test_a_lesson_waits_until_it_has_been_read(rig: BenchRig) -> None:
    rig.control(do="lesson", lesson="03", play=0, paused=True)
    rig.quiet()
    assert rig.frame.playing.paused
    assert rig.frame.playing.line is None
    assert rig.session.log.deeds == []
    rig.control(do="step")
    rig.until(lambda session: len(session.log.deeds) > 0, "a step does nothing")
