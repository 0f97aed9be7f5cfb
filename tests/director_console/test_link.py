"""The console's own end of the link: what it says in its log, and what it hands to the desk."""

from __future__ import annotations

import logging

import pytest

from director_console.dispatch import Dispatch
from director_console.link import BrokerWire
from director_console.wire import LinkChanged, News
from table_controller.mqtt_client import LinkDown, LinkUp, parse_address
from tests.director_console.generator import PLACE, keyring

KEYS = keyring(["7"])
OTHER = "another console of this venue is running"


def a_wire() -> BrokerWire:
    dispatch = Dispatch(KEYS, PLACE, "console", lambda: 1)
    return BrokerWire(
        parse_address("mqtt://127.0.0.1:9"), PLACE, KEYS, dispatch, lambda news: None, lambda: 1
    )


def test_the_same_trouble_is_said_once_with_its_cause_and_every_change_reaches_the_desk(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    wire = a_wire()
    refused = LinkDown(connection=0, why="no connection to mqtt://127.0.0.1:9: Connection refused")
    heard = [wire.open(News(value=refused, at=at)) for at in range(5)]
    assert heard == [LinkChanged(up=False, at=at) for at in range(5)]
    assert [record.getMessage() for record in caplog.records] == [
        "no link to the broker: no connection to mqtt://127.0.0.1:9: Connection refused; trying on"
    ]
    wire.open(News(value=LinkUp(connection=1), at=6))
    wire.open(News(value=refused, at=7))
    assert len(caplog.records) == 2


def pushed_off(wire: BrokerWire, times: int, every_ms: int, why: str) -> None:
    for number in range(1, times + 1):
        wire.open(News(value=LinkUp(connection=number), at=number * every_ms))
        wire.open(News(value=LinkDown(connection=number, why=why), at=number * every_ms + 1))


@pytest.mark.parametrize(
    ("times", "every_ms", "why", "said"),
    [
        (1, 1000, "the connection was lost: Session taken over", 1),
        (6, 1000, "the connection was lost: Unspecified error", 1),
        (3, 1000, "the connection was lost: Unspecified error", 0),
        (6, 5000, "the connection was lost: Unspecified error", 0),
    ],
    ids=["the broker says so", "back three times in ten seconds", "back twice", "a bad network"],
)
def test_another_console_of_the_same_name_is_named_once(
    times: int, every_ms: int, why: str, said: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    pushed_off(a_wire(), times, every_ms, why)
    assert sum(OTHER in record.getMessage() for record in caplog.records) == said
