"""The projection alone: what tiles, cases and alarms show follows from the reports, in whatever order they
come.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from director_console.projection.case import Handling
from director_console.projection.fold import fold
from director_console.projection.hall import Hall, natural
from director_console.projection.inputs import (
    AlarmSeen,
    CaseStepped,
    CommandSeen,
    EntrySeen,
    Input,
    NoticeKind,
    NoticeSeen,
    Presence,
    PresenceSeen,
    Progress,
    RowSeen,
    RulingMade,
    Snapshot,
    SnapshotSeen,
    Step,
    TableKnown,
    ViewSeen,
)
from table_controller.screen.entry import (
    Entry,
    Fault,
    FaultKind,
    Kind,
    Level,
    Standing,
)
from tests.director_console.generator import empty_view

SECOND = 1_000_000_000


def entry(**changes: object) -> Entry:
    made = Entry(
        id=1, kinds=(Kind.TRAY_CROSSED_EARLY,), level=Level.REPORT, at=5 * SECOND, board=3, phase="auction.ne"
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def seen(what: Entry, seq: int = 7, table: str = "1", epoch: str = "e") -> EntrySeen:
    return EntrySeen(table=table, epoch=epoch, seq=seq, entry=what, when=1000 + seq, reported=2000 + seq)


def step(what: Step, at: int, by: str = "anna", **more: str) -> CaseStepped:
    return CaseStepped(table="1", epoch="e", entry=1, step=what, by=by, at=at, **more)


def ruled(at: int, version: int = 1, command: str = "C1") -> RulingMade:
    return RulingMade(
        table="1",
        epoch="e",
        entry=1,
        version=version,
        verdict="accept",
        text="",
        by="anna",
        at=at,
        command=command,
    )


def command(progress: Progress, id_: str = "C1", reason: str = "") -> CommandSeen:
    return CommandSeen(
        id=id_,
        table="1",
        epoch="e",
        verb="ruling",
        summary="",
        by="anna",
        at=10,
        progress=progress,
        entry=1,
        reason=reason,
    )


def case_after(*inputs: Input):
    return fold(Hall(), inputs).cases["1", "e", 1]


# --- cases

HANDLINGS: list[tuple[str, tuple[Input, ...], Handling, bool]] = [
    ("a new entry is open", (seen(entry()),), Handling.OPEN, True),
    ("a note is kept and does not wait", (seen(entry(level=Level.NOTE)),), Handling.OPEN, False),
    ("taken is assigned", (seen(entry()), step(Step.TAKE, 5, owner="anna")), Handling.ASSIGNED, True),
    ("at the table", (seen(entry()), step(Step.TAKE, 5), step(Step.AT_TABLE, 6)), Handling.AT_TABLE, True),
    ("seen is still open", (seen(entry()), step(Step.ACKNOWLEDGE, 5)), Handling.OPEN, True),
    (
        "put right by the players still waits until a director has dealt with it",
        (seen(entry()), seen(entry(standing=Standing.CORRECTED), 8)),
        Handling.OPEN,
        True,
    ),
    (
        "a ruling on its way is ruled",
        (seen(entry()), ruled(9), command(Progress.SENT)),
        Handling.RULED,
        False,
    ),
    (
        "a refused ruling waits again",
        (seen(entry()), ruled(9), command(Progress.REFUSED)),
        Handling.OPEN,
        True,
    ),
    (
        "an unconfirmed ruling waits again",
        (seen(entry()), step(Step.TAKE, 5), ruled(9), command(Progress.UNCONFIRMED)),
        Handling.ASSIGNED,
        True,
    ),
    (
        "ruled by the table's own word, whatever became of the answer",
        (seen(entry()), ruled(9), command(Progress.UNCONFIRMED), seen(entry(standing=Standing.RULED), 8)),
        Handling.RULED,
        False,
    ),
    ("under review waits", (seen(entry()), ruled(9), step(Step.REVIEW, 11)), Handling.UNDER_REVIEW, True),
    (
        "ruled again after review",
        (seen(entry()), ruled(9), step(Step.REVIEW, 11), ruled(12, 2, "C2"), command(Progress.DONE, "C2")),
        Handling.RULED,
        False,
    ),
    ("closed without a ruling", (seen(entry()), step(Step.CLOSE, 5)), Handling.CLOSED, False),
    ("opened again", (seen(entry()), step(Step.CLOSE, 5), step(Step.REOPEN, 6)), Handling.OPEN, True),
    (
        "a misreading is void",
        (seen(entry()), seen(entry(standing=Standing.MISREADING), 8)),
        Handling.VOID,
        False,
    ),
]


@pytest.mark.parametrize(
    ("inputs", "handling", "waits"), [row[1:] for row in HANDLINGS], ids=[row[0] for row in HANDLINGS]
)
def test_how_far_a_case_is(inputs: tuple[Input, ...], handling: Handling, waits: bool) -> None:
    case = case_after(*inputs)
    assert (case.handling, case.waits) == (handling, waits)


def test_urgent_blinks_until_somebody_has_seen_it() -> None:
    urgent = seen(entry(level=Level.HOLD))
    assert case_after(urgent).needs_acknowledgement
    assert not case_after(urgent, step(Step.ACKNOWLEDGE, 5)).needs_acknowledgement
    assert not case_after(urgent, step(Step.TAKE, 5)).needs_acknowledgement
    assert case_after(urgent, step(Step.ACKNOWLEDGE, 5)).waits


def test_the_queue_is_by_level_then_age_and_what_was_put_right_comes_last() -> None:
    inputs = [
        seen(entry(id=1, level=Level.REPORT), 1),
        seen(entry(id=2, level=Level.HOLD), 9),
        seen(entry(id=3, level=Level.HOLD, standing=Standing.HEALED), 2),
        seen(entry(id=4, level=Level.REPORT), 5),
        seen(entry(id=5, level=Level.HOLD), 4),
        seen(entry(id=6, level=Level.URGENT), 3),
    ]
    assert [case.entry.id for case in fold(Hall(), inputs).waiting()] == [5, 2, 6, 1, 4, 3]


def test_what_only_the_director_may_know_after_the_board_is_not_shown_during_it() -> None:
    hidden = seen(entry(kinds=(Kind.ALERT_ON_ONE_FACE_ONLY,), after_board=True))
    row = RowSeen(table="1", epoch="e", seq=7, upto=7, at=1, live=True)

    def view(board: int, phase: str, seq: int) -> ViewSeen:
        return ViewSeen(table="1", epoch="e", seq=seq, view=replace(empty_view(board), phase=phase), when=1)

    during = fold(Hall(), [row, view(3, "auction.ne", 8), hidden])
    assert not during.waiting()
    assert fold(during, [view(3, "complete", 9)]).waiting()
    assert fold(during, [view(4, "setup", 9)]).waiting()


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 12))
def test_the_order_in_which_reports_arrive_changes_nothing(rng: random.Random, batches: int) -> None:
    rows: list[Input] = []
    for seq in range(1, 25):
        rows.append(RowSeen(table="1", epoch="e", seq=seq, upto=0, at=50, live=False))
        rows.append(ViewSeen(table="1", epoch="e", seq=seq, view=empty_view(seq), when=seq))
        rows.append(seen(entry(id=seq % 5 + 1, revision=seq), seq))
        fault = Fault(id=seq % 3 + 90, kind=FaultKind.LINK_LOST, component="usb", at=seq)
        rows.append(AlarmSeen(table="1", epoch="e", seq=seq, fault=fault, when=seq))
    first = RowSeen(table="1", epoch="e", seq=1, upto=0, at=50, live=True)
    shuffled = rows[:]
    rng.shuffle(shuffled)
    straight = fold(Hall(), [first, *rows])
    mixed = fold(Hall(), [first])
    size = len(shuffled) // batches + 1
    for start in range(0, len(shuffled), size):
        mixed = fold(mixed, shuffled[start : start + size])
    again: list[Input] = rng.sample(shuffled, 10)
    mixed = fold(mixed, again)
    table, other = straight.tables["1"], mixed.tables["1"]
    assert (table.view, table.highest) == (other.view, other.highest)
    assert [case.entry for case in straight.waiting()] == [case.entry for case in mixed.waiting()]
    assert {key: case.amendments for key, case in straight.cases.items()} == {
        key: case.amendments for key, case in mixed.cases.items()
    }
    assert {key: alarm.fault.at for key, alarm in straight.alarms.items()}.keys() == mixed.alarms.keys()


# --- tables


def snapshot(epoch: str = "e", last_seq: int = 5) -> Snapshot:
    return Snapshot(
        epoch=epoch,
        session="s",
        rev=1,
        mono_ms=1,
        last_seq=last_seq,
        phase="setup",
        board=None,
        tray="NE",
        window="open",
        clock="ntp",
    )


def test_a_table_is_stale_after_45_seconds_and_before_it_has_spoken() -> None:
    hall = fold(
        Hall(), [TableKnown(table="1"), SnapshotSeen(table="2", snapshot=snapshot(), at=1000, live=True)]
    )
    assert hall.tables["1"].stale(1000)
    assert not hall.tables["2"].stale(46_000)
    assert hall.tables["2"].stale(46_001)


def test_a_new_journal_begins_numbers_and_view_anew_and_late_reports_of_the_old_do_not_return_it() -> None:
    old: list[Input] = [
        RowSeen(table="1", epoch="e", seq=9, upto=9, at=1, live=True),
        ViewSeen(table="1", epoch="e", seq=9, view=empty_view(9), when=1),
    ]
    new = SnapshotSeen(table="1", snapshot=snapshot("f", 2), at=2, live=True)
    hall = fold(Hall(), [*old, new])
    assert (hall.tables["1"].epoch, hall.tables["1"].view, hall.tables["1"].behind) == ("f", None, 2)
    hall = fold(hall, [RowSeen(table="1", epoch="e", seq=10, upto=10, at=3, live=False), seen(entry(), 10)])
    assert hall.tables["1"].epoch == "f"
    assert hall.waiting(), "what was reported before still waits"


def test_presence_of_an_old_session_is_recognised() -> None:
    def presence(session: str, what: Presence) -> PresenceSeen:
        return PresenceSeen(table="1", epoch="e", session=session, presence=what, at=5, live=True)

    hall = fold(Hall(), [presence("s2", Presence.ONLINE), presence("s1", Presence.OFFLINE)])
    assert hall.tables["1"].presence is Presence.ONLINE
    assert fold(hall, [presence("s2", Presence.OFFLINE)]).tables["1"].presence is Presence.OFFLINE


def test_tables_stand_in_natural_order_whatever_order_they_spoke_in() -> None:
    names = ["10", "open-2", "9", "1", "open-10", "b7"]
    hall = Hall()
    for name in names:
        hall = fold(hall, [TableKnown(table=name)])
    assert hall.order == ("1", "9", "10", "b7", "open-2", "open-10")
    assert natural("9") < natural("10")


def test_folding_nothing_changes_nothing_and_the_old_hall_stays_as_it_was() -> None:
    hall = fold(Hall(), [seen(entry())])
    assert fold(hall, []) is hall
    after = fold(hall, [step(Step.CLOSE, 5)])
    assert hall.cases["1", "e", 1].waits
    assert not after.cases["1", "e", 1].waits
    assert after.rev == hall.rev + 1


def test_a_notice_stands_until_acknowledged() -> None:
    notice = NoticeSeen(id=1, kind=NoticeKind.FORGED, table="1", detail="", at=1)
    hall = fold(Hall(), [notice])
    assert hall.open_notices() == (notice,)
    assert not fold(hall, [replace(notice, acknowledged_by="anna")]).open_notices()
