"""The running controller and its console's side, over a real broker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw_sim.table.changes import MS
from table_controller.messages import Status
from table_controller.messages.topics import Verb
from tests.mqtt.conftest import Mosquitto, mosquitto
from tests.table_controller.console_side import ConsoleSide, write_keys
from tests.table_controller.live_table import LiveTable, boards, events, games, rows

__all__ = ["mosquitto"]
pytestmark = pytest.mark.mosquitto


@pytest.fixture
def pair(tmp_path: Path, mosquitto: Mosquitto) -> Iterator[tuple[LiveTable, ConsoleSide]]:
    keys = write_keys(tmp_path / "keys.json")
    with LiveTable(tmp_path, broker=mosquitto.url, mac_keys=tmp_path / "keys.json") as table:
        console = ConsoleSide(mosquitto.url, keys).start()
        yield table, console
        console.stop()


def test_everything_journalled_arrives_once_and_in_order_and_presence_is_told(pair) -> None:
    table, console = pair
    table.run()
    console.until(lambda: console.state is not None and bool(console.avail))
    table.play(games()[0])
    table.settle()
    console.until(lambda: console.state is not None and console.state.last_seq == len(console.rows))
    assert [status for status, _ in console.avail] == ["online"]
    assert table.stop() == 0
    console.until(lambda: console.avail[-1][0] == "stopping")
    written = rows(table.journal)
    epoch = written[0]["epoch"]
    console.until(lambda: console.upto(epoch) == len(written))
    assert console.order == sorted(set(console.order))
    assert console.doubled == 0
    kept = [json.loads(m.envelope.model_dump_json(exclude={"mac"})) for m in console.rows.values()]
    assert [row["body"] for row in kept] == [row["body"] for row in written]
    assert len(boards(table.journal)) == 1


def test_a_killed_table_is_offline_by_the_will_of_its_own_session(pair) -> None:
    table, console = pair
    table.run()
    console.until(lambda: bool(console.avail))
    table.kill()
    console.until(lambda: console.avail[-1][0] == "offline", 30)
    assert console.avail[-1][1] == console.avail[0][1]


def test_orders_of_the_director_are_carried_out_once_and_answered(pair) -> None:
    table, console = pair
    table.run()
    console.until(lambda: console.state is not None)
    table.settle(800 * MS)
    hold = console.command(Verb.HOLD, why="lunch")
    assert console.answer(hold).status is Status.DONE
    console.until(lambda: console.state is not None and console.state.holds != ())
    before = len(console.results)
    console.command(Verb.HOLD, id_=hold, why="lunch")
    console.until(lambda: len(console.results) > before)
    assert console.results[-1].status is Status.DONE
    assert [event["event"] for event in events(table.journal)].count("Held") == 1

    rev = console.state_envelope.rev
    late = console.command(Verb.OPEN_WINDOW, expect_rev=rev - 1, why="look")
    assert console.answer(late).status is Status.STALE
    kept = console.command(Verb.OPEN_WINDOW, expect_rev=rev, retain=True, why="look")
    console.until(lambda: any(result.command == kept for result in console.results), 5)
    expired = console.command(Verb.RESUME, expect_rev=rev, life_s=-5)
    assert console.answer(expired).status is Status.EXPIRED
    resumed = console.command(Verb.RESUME, expect_rev=console.state_envelope.rev)
    assert console.answer(resumed).status is Status.DONE
    assert table.stop() == 0
    assert [event["event"] for event in events(table.journal)].count("Resumed") == 1


def test_a_command_answered_before_a_restart_is_answered_the_same_after_it(pair) -> None:
    table, console = pair
    table.run()
    console.until(lambda: console.state is not None)
    table.settle(800 * MS)
    hold = console.command(Verb.HOLD)
    assert console.answer(hold).status is Status.DONE
    table.kill()
    session = console.state_envelope.session
    table.run()
    console.until(lambda: console.state_envelope.session != session, 30)
    before = len(console.results)
    console.command(Verb.HOLD, id_=hold)
    console.until(lambda: len(console.results) > before)
    assert console.results[-1].status is Status.DONE
    table.stop()
    assert [event["event"] for event in events(table.journal)].count("Held") == 1


def test_a_broker_away_for_a_whole_deal_gets_all_of_it_afterwards(pair, mosquitto) -> None:
    table, console = pair
    table.run()
    console.until(lambda: console.state is not None)
    mosquitto.kill()
    table.play(games()[0])
    table.settle()
    mosquitto.start()
    written = rows(table.journal)
    console.until(lambda: console.upto(written[0]["epoch"]) >= len(written), 60)
    assert table.stop() == 0
    assert [board["contract"] for board in boards(table.journal)] == ["3NT"]
