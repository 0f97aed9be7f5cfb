"""The broker dies and comes back: every table of a hall of real controllers is right in five seconds."""

from __future__ import annotations

import re
import time
from pathlib import Path

import httpx
import pytest

from hw_sim.demo.cli import OWN_RECORDS, scripts_in
from hw_sim.demo.director import open_client
from hw_sim.demo.evening import Demo, Options
from hw_sim.processes import broker
from tests.firmware_bridge.calm import Watch

TABLES = 12
WITHIN_S = 5.0
TILE = re.compile(r'id="tile-(\w+)"\s+data-fragment="[^"]*" data-heard="(\d+)" data-presence="(\w+)"')


def live_since(client: httpx.Client, since_ms: int) -> set[str]:
    """The tables the wall shows as online and heard of since then."""
    wall = client.get("/").text
    tiles = TILE.findall(wall)
    return {name for name, heard, presence in tiles if presence == "online" and int(heard) >= since_ms}


def until_all(client: httpx.Client, since_ms: int, seconds: float) -> float:
    """Seconds until every table is live."""
    start = time.monotonic()
    while len(found := live_since(client, since_ms)) < TABLES:
        assert time.monotonic() - start < seconds, f"after {seconds} s only {sorted(found)}"
        time.sleep(0.1)
    return time.monotonic() - start


@pytest.mark.long
@pytest.mark.mosquitto
@pytest.mark.parametrize("away_s", [0.2, 1.0])
def test_every_table_is_right_again_five_seconds_after_the_broker_is_back(
    away_s: float, tmp_path: Path
) -> None:
    options = Options(scripts=scripts_in([OWN_RECORDS]), tables=TABLES, broker=broker.BrokerKind.MOSQUITTO)
    with Demo(options, tmp_path, lambda line: None) as demo:
        demo.start()
        with open_client(demo.address) as client:
            client.get(demo.login)
            until_all(client, 1, 60)
            child = next(child for child in demo.supervisor.children if child.name == "broker")
            demo.supervisor.stop(child, 0)
            time.sleep(away_s)
            demo.supervisor.start("broker", broker.command(options.broker, demo.broker_port, tmp_path))
            assert broker.wait_until_listening(demo.broker_port)
            back_ms = time.time_ns() // 1_000_000
            with Watch() as watch:
                took = until_all(client, back_ms, 60)
            print(f"{TABLES} tables right again {took:.1f} s after a broker away for {away_s} s")
            assert took < WITHIN_S + watch.paused_s
