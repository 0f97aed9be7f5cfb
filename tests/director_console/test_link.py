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


def test_the_same_trouble_is_said_once_with_its_cause_and_every_change_reaches_the_desk(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    dispatch = Dispatch(KEYS, PLACE, "console", lambda: 1)
    wire = BrokerWire(
        parse_address("mqtt://127.0.0.1:9"), PLACE, KEYS, dispatch, lambda news: None, lambda: 1
    )
    refused = LinkDown(connection=0, why="no connection to mqtt://127.0.0.1:9: Connection refused")
    heard = [wire.open(News(value=refused, at=at)) for at in range(5)]
    assert heard == [LinkChanged(up=False, at=at) for at in range(5)]
    assert [record.getMessage() for record in caplog.records] == [
        "no link to the broker: no connection to mqtt://127.0.0.1:9: Connection refused; trying on"
    ]
    wire.open(News(value=LinkUp(connection=1), at=6))
    wire.open(News(value=refused, at=7))
    assert len(caplog.records) == 2
