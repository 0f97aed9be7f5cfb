"""A day's outage drains in order, twenty at a time, in bounded memory; a hall comes back spread out."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from table_controller.journal import open_journal
from table_controller.mqtt_client import LinkEvent, LinkUp, MqttLink, Settings, parse_address
from tests.chaos.counting import CountingCable
from tests.chaos.hall import Hall
from tests.chaos.place import identity
from tests.chaos.table_end import fact_row
from tests.chaos.verdict import judge, settled
from tests.mqtt.conftest import Mosquitto

pytestmark = pytest.mark.mosquitto


def memory_kib(pid: int, field: str = "VmHWM") -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1])
    raise LookupError(field)


def write_a_day(folder: Path, rows: int) -> None:
    """A journal as it is after a day without a broker."""
    book = open_journal(folder / "1" / "journal.sqlite", identity=identity("1"), session="yesterday")
    for first in range(1, rows + 1, 500):
        book.journal.append(
            [fact_row(fact, fact * 1_000_000) for fact in range(first, min(first + 500, rows + 1))]
        )
    book.close()


@pytest.mark.timeout(1600)
@pytest.mark.parametrize(
    ("rows", "limit_s"), [(1500, 60), pytest.param(50_000, 1500, marks=pytest.mark.long, id="50000")]
)
def test_a_days_outage_drains_in_order_with_twenty_on_the_wire(tmp_path, mosquitto: Mosquitto, rows, limit_s):
    hall = Hall(tmp_path, tables=1, seed=1, rate=1.0, command_every=1e6)
    write_a_day(tmp_path, rows)
    (tmp_path / "1" / "ledger").write_text("".join(f"{fact}\n" for fact in range(1, rows + 1)))
    hall.players["1"].done = hall.players["1"].asked = rows
    hall.port = mosquitto.port
    cable = CountingCable(mosquitto.port)
    try:
        hall.bear("console")
        hall.port = cable.port
        hall.bear("1")
        time.sleep(2.0)
        at_first = memory_kib(hall.pids["1"], "VmRSS")
        took = 2.0 + hall.calm(lambda: settled(tmp_path, ["1"]), limit_s)
        grown = memory_kib(hall.pids["1"]) - at_first
        console_peak = memory_kib(hall.pids["console"])
        verdict = judge(tmp_path, ["1"])
    finally:
        hall.end()
        cable.close()
    print(
        f"{rows} rows in {took:.1f} s ({rows / took:.0f}/s), at most {cable.most} on the wire, "
        f"{cable.sent} publishes; the table grew by {grown} KiB, the console's peak was {console_peak} KiB"
    )
    assert verdict.clean, verdict
    assert verdict.facts == rows
    assert cable.most <= 20
    assert cable.rows == list(range(1, verdict.rows + 1)), "first sendings are in order and leave nothing out"
    assert cable.sent < rows * 1.2 + 100
    assert grown < 20_000
    assert console_peak < 300_000


@pytest.mark.long
def test_two_hundred_tables_come_back_spread_out_and_all_of_them(mosquitto: Mosquitto):
    """With the waits a table has in the field."""
    draw = random.Random(1)
    ups: dict[int, list[float]] = {number: [] for number in range(200)}

    def noting(number: int, events: list[LinkEvent]):
        def put(event: LinkEvent) -> None:
            events.append(event)
            if isinstance(event, LinkUp):
                ups[number].append(time.monotonic())

        return put

    links = [
        MqttLink(
            Settings(address=parse_address(mosquitto.url), client_id=f"t{number}", filters=("a/b",)),
            noting(number, []),
            draw=draw.uniform,
        )
        for number in range(200)
    ]
    try:
        for link in links:
            link.start()
        wait_for(lambda: all(len(times) == 1 for times in ups.values()), 35)
        mosquitto.kill()
        time.sleep(1.0)
        mosquitto.start()
        back = time.monotonic()
        wait_for(lambda: all(len(times) == 2 for times in ups.values()), 35)
        times = sorted(pair[1] - back for pair in ups.values())
        print(
            f"200 back: the first after {times[0]:.1f} s, half of them after {times[100]:.1f} s, "
            f"the last after {times[-1]:.1f} s"
        )
        assert times[-1] < 35
        assert times[-1] - times[0] >= 3
        busiest = max(sum(low <= time < low + 0.25 for time in times) for low in times)
        assert busiest < 50, "no stampede"
    finally:
        for link in links:
            link._stopping.set()
        for link in links:
            link.stop(0.5)


def wait_for(true, limit_s: float) -> None:
    limit = time.monotonic() + limit_s
    while not true():
        assert time.monotonic() < limit, "not in time"
        time.sleep(0.05)
