"""A command is answered by the table it was given to, and by no other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from director_console.projection.inputs import NoticeKind, Progress
from table_controller.messages.topics import Verb
from tests.director_console.playing import Playing
from tests.director_console.test_desk import KEYS, Rig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    yield made
    made.book.close()


def test_another_tables_answer_ends_no_command_and_is_told(rig: Rig) -> None:
    table, other = Playing("7", KEYS, 1), Playing("9", KEYS, 2)
    rig.hear(*table.hello(), *other.hello())
    given = rig.desk.do(lambda act: act.command(act.table("7"), Verb.HOLD, {}, "chief"))
    rig.desk._work([rig.desk.inbox.get()])
    command = given.result(0)
    rig.hear(other.wired.result(command, "hold", "done"))
    assert rig.desk.hall.commands[command].progress is Progress.SENT
    rig.wait(4000)
    assert len(rig.wire.of("t/7/command/hold")) == 2, "it is still asked for"
    (notice,) = rig.desk.hall.notices.values()
    assert (notice.kind, notice.table) == (NoticeKind.MISPLACED, "9")
    rig.hear(table.wired.result(command, "hold", "done"))
    assert rig.desk.hall.commands[command].progress is Progress.DONE
