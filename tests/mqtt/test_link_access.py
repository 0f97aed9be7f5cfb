"""Who is let in by the broker, and what is said of it: no password, but why."""

from __future__ import annotations

import logging
import ssl
import time
from contextlib import closing
from pathlib import Path

import pytest

from table_controller.mqtt_client import (
    LinkDown,
    LinkEvent,
    LinkUp,
    MqttLink,
    Settings,
    TlsFiles,
    parse_address,
)
from tests.mqtt.certificates import make_certificates
from tests.mqtt.conftest import Mosquitto
from tests.mqtt.wires import Owner

pytestmark = pytest.mark.mosquitto


class TestAccess:
    def test_a_refused_login_is_said_without_the_password_and_tried_again(self, tmp_path, caplog):
        (tmp_path / "passwords").write_text("")
        broker = Mosquitto(tmp_path, f"password_file {tmp_path / 'passwords'}\n")
        text = broker.config.read_text().replace("allow_anonymous true", "allow_anonymous false")
        broker.config.write_text(text)
        broker.start()
        caplog.set_level(logging.DEBUG)
        owner = Owner(broker.url.replace("//", "//anna:secret@"), "x").start(wait=False)
        owner.until(lambda: len(owner.events) >= 2)
        for event in owner.events:
            assert isinstance(event, LinkDown)
            assert "refused" in event.why
            assert "secret" not in event.why
        assert "secret" not in caplog.text
        owner.link.stop(1.0)
        broker.kill()

    def test_mutual_tls_and_nobody_without_a_certificate_of_ours(self, tmp_path):
        files = make_certificates(tmp_path, ["table-7"])
        broker = Mosquitto(
            tmp_path,
            f"cafile {files.authority}\ncertfile {files.server}\nkeyfile {files.server_key}\n"
            "require_certificate true\nuse_identity_as_username true\n",
        )
        broker.start()
        ours = TlsFiles(
            authority=files.authority, certificate=files.of("table-7"), key=files.key_of("table-7")
        )
        with closing(_Tls(broker, ours)) as owner:
            owner.until_up()
        strangers = make_certificates(tmp_path / "other", ["table-7"])
        theirs = TlsFiles(
            authority=files.authority, certificate=strangers.of("table-7"), key=strangers.key_of("table-7")
        )
        for wrong in (theirs, TlsFiles(authority=files.authority), TlsFiles(authority=strangers.authority)):
            with closing(_Tls(broker, wrong)) as owner:
                owner.until_refused()
        assert "its certificate is not believed" in str(owner.events[0])
        broker.kill()

    def test_certificates_of_1970_are_valid_for_a_table_without_a_clock(self, tmp_path):
        files = make_certificates(tmp_path, ["table-7"])
        context = ssl.create_default_context(cafile=str(files.authority))
        (certificate,) = context.get_ca_certs()
        assert str(certificate["notBefore"]).endswith("1970 GMT")


class _Tls:
    def __init__(self, broker: Mosquitto, files: TlsFiles) -> None:
        self.events: list[LinkEvent] = []
        address = parse_address(f"mqtts://localhost:{broker.port}")
        settings = Settings(address=address, client_id="x", tls=files, soonest_s=0.05, first_limit_s=0.1)
        self.link = MqttLink(settings, self.events.append)
        self.link.start()

    def _wait(self, kind: type) -> None:
        limit = time.monotonic() + 10
        while not any(isinstance(event, kind) for event in self.events):
            assert time.monotonic() < limit, self.events
            time.sleep(0.02)

    def until_up(self) -> None:
        self._wait(LinkUp)

    def until_refused(self) -> None:
        self._wait(LinkDown)
        assert not any(type(event).__name__ == "LinkUp" for event in self.events), self.events

    def close(self) -> None:
        self.link.stop(1.0)


def test_the_tests_own_certificates_are_made_here_and_never_kept(tmp_path: Path):
    files = make_certificates(tmp_path, ["a"])
    assert files.key_of("a").stat().st_mode & 0o077 == 0
