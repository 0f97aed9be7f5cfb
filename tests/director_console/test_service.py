"""The real `director-console run` on a real broker: reports in, receipts out, a ruling there and back."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import httpx
import pytest

from table_controller.messages import topics
from table_controller.mqtt_client import Arrived, LinkUp, MqttLink, Settings, parse_address
from tests.director_console.generator import PLACE, Sent, keyring
from tests.director_console.playing import Playing
from tests.firmware_bridge.calm import Watch
from tests.mqtt.conftest import Mosquitto, mosquitto  # noqa: F401

pytestmark = pytest.mark.mosquitto
KEYS = keyring(["7"])


class TableEnd:
    """The table's end of the broker: publishes what the generator makes, keeps what is said to the table."""

    def __init__(self, url: str) -> None:
        import queue

        self.inbox: queue.SimpleQueue[object] = queue.SimpleQueue()
        settings = Settings(
            address=parse_address(url), client_id="table-7", filters=topics.table_filters(PLACE, "7")
        )
        self.link = MqttLink(settings, self.inbox.put)
        self.got: list[tuple[str, dict[str, object]]] = []
        self.link.start()
        self.wait(lambda: self.link.connected)

    def pump(self) -> None:
        while not self.inbox.empty():
            event = self.inbox.get()
            self.link.note(event)  # type: ignore[arg-type]
            if isinstance(event, Arrived):
                self.got.append((event.topic, json.loads(event.payload)))
            assert not isinstance(event, LinkUp) or self.link.connected

    def wait(self, wanted, seconds: float = 10) -> None:
        end = time.monotonic() + seconds
        while not wanted():
            self.pump()
            assert time.monotonic() < end, "did not come about"
            time.sleep(0.02)

    def say(self, *sent: Sent) -> None:
        for one in sent:
            self.wait(lambda: self.link.room > 0)
            self.link.publish(one.topic, one.payload, retain=one.retain)
            self.pump()

    def receipt(self) -> int:
        self.pump()
        found = [message["body"]["upto"] for topic, message in self.got if topic.endswith("/receipt")]  # type: ignore[index]
        return found[-1] if found else -1

    def command(self, verb: str) -> dict[str, object] | None:
        self.pump()
        found = [message["body"] for topic, message in self.got if topic.endswith(f"/command/{verb}")]
        return found[-1] if found else None  # type: ignore[return-value]


class Service:
    """A console process."""

    def __init__(self, url: str, data: Path, *more: str) -> None:
        self.url, self.data, self.more = url, data, more
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "director_console", "run", "--broker", self.url, "--port", "0"]
        command += ["--venue", PLACE.venue, "--event", PLACE.event, "--data", str(self.data), "--json"]
        command += ["--keys", str(self.data / "keys.json"), "--one-time-login", "--login-as", "anna"]
        self.process = subprocess.Popen(
            [*command, *self.more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout
        self.base = json.loads(self.process.stdout.readline())["console"]
        self.login = json.loads(self.process.stdout.readline())["login"]
        self.client = httpx.Client(base_url=self.base, follow_redirects=True, timeout=10, trust_env=False)
        end = time.monotonic() + 15
        while True:
            try:
                self.client.get("/healthz")
                break
            except httpx.HTTPError:
                assert time.monotonic() < end
                time.sleep(0.05)
        self.client.get(self.login)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(15)

    def form(self, page: str, action: str) -> dict[str, str]:
        html = self.client.get(page).text
        form = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', html, re.S)
        assert form, f"no form for {action} on {page}"
        fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[0])
        return {name: unescape(value) for name, value in fields}


@contextmanager
def service(url: str, data: Path, *more: str) -> Iterator[Service]:
    data.mkdir(parents=True, exist_ok=True)
    tables = {name: key.hex() for name, key in KEYS.tables.items()}
    (data / "keys.json").write_text(json.dumps({"venue": KEYS.venue.hex(), "tables": tables}))
    running = Service(url, data, *more)
    try:
        yield running
    finally:
        running.kill()


def test_a_report_reaches_the_page_and_its_receipt_the_table_and_a_ruling_goes_round(
    mosquitto: Mosquitto,  # noqa: F811
    tmp_path: Path,
) -> None:
    with service(mosquitto.url, tmp_path / "data") as console:
        end = TableEnd(mosquitto.url)
        table = Playing("7", KEYS, 1)
        end.say(
            *table.hello(), *table.step(), table.wired.entry(table.entry()), table.wired.state(table.view)
        )
        end.wait(lambda: end.receipt() == table.wired.seq)
        queue = console.client.get("/queue").text
        assert f'data-case="7/{table.wired.epoch}/1"' in queue
        page = f"/cases/7/{table.wired.epoch}/1"
        fields = console.form(page, f"{page}/rule")
        assert console.client.post(f"{page}/rule", data={**fields, "verdict": "accept"}).status_code == 200
        end.wait(lambda: end.command("ruling") is not None)
        command = end.command("ruling")
        assert command is not None
        end.say(table.wired.result(str(command["id"]), "ruling", "done"))
        end.wait(lambda: "p-done" in console.client.get(page).text)
        assert console.stop() == 0
        rows = subprocess.run(
            [sys.executable, "-m", "director_console", "cases", "--data", str(tmp_path / "data"), "--json"],
            capture_output=True,
            text=True,
            check=True,
            timeout=30,
        ).stdout.splitlines()
        [case] = [json.loads(row) for row in rows]
        assert (case["kinds"], case["waits"], case["handling"]) == (["INSUFFICIENT_BID"], False, "ruled")


def test_what_was_sent_while_the_console_was_away_is_there_when_it_comes_back(
    mosquitto: Mosquitto,  # noqa: F811
    tmp_path: Path,
) -> None:
    with service(mosquitto.url, tmp_path / "data") as console:
        end = TableEnd(mosquitto.url)
        table = Playing("7", KEYS, 1)
        end.say(*table.hello())
        end.wait(lambda: end.receipt() == table.wired.seq)
        console.kill()
        end.say(*table.step(), table.wired.entry(table.entry()), *table.step())
        console.start()
        end.wait(lambda: end.receipt() == table.wired.seq)
        assert console.client.get("/queue").text.count('data-waits="1"') == 1
        end.link.stop()


def test_the_server_killed_in_the_middle_of_a_submit_has_exactly_one_ruling_afterwards(
    mosquitto: Mosquitto,  # noqa: F811
    tmp_path: Path,
) -> None:
    with service(mosquitto.url, tmp_path / "data") as console:
        end = TableEnd(mosquitto.url)
        table = Playing("7", KEYS, 1)
        end.say(*table.hello(), *table.step())
        for round_ in range(1, 4):
            end.say(table.wired.entry(table.entry()))
            end.wait(lambda: end.receipt() == table.wired.seq)
            page = f"/cases/7/{table.wired.epoch}/{round_}"
            fields = {**console.form(page, f"{page}/rule"), "verdict": "other", "text": "once"}
            answered = _submit_while_killed(console, f"{page}/rule", fields, delay=0.004 * round_)
            csrf = re.search(r'name="csrf" content="([^"]+)"', console.client.get("/queue").text)
            assert csrf
            again = console.client.post(f"{page}/rule", data={**fields, "csrf": csrf[1]})
            assert again.status_code == 200, (answered, again.text)
            history = console.client.get(page).text
            assert history.count("ruling, version 1") == 1
            assert "ruling, version 2" not in history
        end.link.stop()


def _submit_while_killed(console: Service, path: str, fields: dict[str, str], delay: float) -> bool:
    """Send the form and kill the server a moment later; whether an answer came before it died."""
    import threading

    answered: list[bool] = []

    def send() -> None:
        try:
            console.client.post(path, data=fields, follow_redirects=False)
            answered.append(True)
        except httpx.HTTPError:
            answered.append(False)

    sending = threading.Thread(target=send)
    sending.start()
    time.sleep(delay)
    console.kill()
    sending.join(10)
    cookies = console.client.cookies
    console.start()
    console.client.cookies.update(cookies)
    return answered[0]


def test_after_the_broker_is_restarted_every_table_is_right_again_in_five_seconds(
    mosquitto: Mosquitto,  # noqa: F811
    tmp_path: Path,
) -> None:
    with service(mosquitto.url, tmp_path / "data") as console:
        end = TableEnd(mosquitto.url)
        table = Playing("7", KEYS, 1)
        end.say(*table.hello(), *table.step())
        end.wait(lambda: end.receipt() == table.wired.seq)
        mosquitto.kill()
        end.wait(lambda: console.client.get("/healthz").json()["broker"] is False)
        sent = [*table.step(), table.wired.entry(table.summons())]
        mosquitto.start()
        with Watch() as watch:
            back = time.monotonic()
            end.wait(lambda: console.client.get("/healthz").json()["broker"] is True, 20)
            took = time.monotonic() - back
        assert took < 5 + watch.paused_s
        end.wait(lambda: end.link.connected, 15)
        end.say(*sent)
        with Watch() as watch:
            start = time.monotonic()
            end.wait(lambda: 'data-waits="1"' in console.client.get("/queue").text, 20)
            took = time.monotonic() - start
        assert took < 5 + watch.paused_s
        end.wait(lambda: end.receipt() == table.wired.seq)
        end.link.stop()
