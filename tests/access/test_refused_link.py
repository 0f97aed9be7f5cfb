"""A broker that refuses a certificate: whoever reads the log is told so, and what to do."""

from __future__ import annotations

import queue
import ssl
from pathlib import Path

import pytest

from director_console.broker_admin import deeds
from table_controller.mqtt_client import LinkDown, LinkEvent, MqttLink, Settings, TlsFiles, parse_address
from table_controller.mqtt_client.refusal import refusal
from tests.access.rig import Venue, now

SAID = "refused: certificate not accepted (revoked or expired?); ask for a new code"


@pytest.mark.mosquitto
def test_a_table_whose_certificate_was_revoked_is_told_that_and_not_of_a_lost_connection(
    tmp_path: Path,
) -> None:
    venue = Venue(tmp_path / "venue", ("1",))
    identity = venue.enrol("1")
    deeds.revoke(venue.root, "1", now())
    venue.start()
    inbox: queue.SimpleQueue[LinkEvent] = queue.SimpleQueue()
    tls = TlsFiles(authority=identity.authority, certificate=identity.certificate, key=identity.key)
    link = MqttLink(Settings(address=parse_address(venue.url), client_id="1", tls=tls), inbox.put)
    try:
        link.start()
        event = inbox.get(timeout=10)
    finally:
        link.stop(1.0)
        venue.stop()
    assert isinstance(event, LinkDown)
    assert event.why == SAID


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("failed to receive on socket: [SSL: SSLV3_ALERT_CERTIFICATE_REVOKED] ssl/tls alert", True),
        ("[SSL: SSLV3_ALERT_CERTIFICATE_EXPIRED] sslv3 alert certificate expired (_ssl.c:2580)", True),
        ("[SSL: TLSV1_ALERT_UNKNOWN_CA] tlsv1 alert unknown ca (_ssl.c:2580)", True),
        ("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate", False),
        ("[Errno 104] Connection reset by peer", False),
        ("Received PINGRESP", False),
    ],
)
def test_a_refusal_is_told_from_other_trouble_and_from_our_own_disbelief(text: str, refused: bool) -> None:
    assert (refusal(text) == SAID) is refused


def test_an_alert_while_the_connection_is_made_is_one_too() -> None:
    assert refusal(str(ssl.SSLError(1, "[SSL: SSLV3_ALERT_CERTIFICATE_REVOKED] alert"))) == SAID
