"""docs/access.md followed to the letter: its commands are read out of it and typed, in its order.

What a test cannot do is left out or put in place: packages and users of the machine, systemd (the unit's own
command is run), and the address, ports and directories of a real venue.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from director_console.cli import app as console_app
from table_controller.__main__ import app as table_app
from table_controller.config.load import load_config
from table_controller.service.safety import refuse_unsafe_broker
from tests.access.rig import LOOPBACK, free_port, mosquitto_program, wait_for

pytestmark = pytest.mark.mosquitto
ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "access.md").read_text(encoding="utf-8")
NOT_HERE = ("apt ", "useradd ", "install -d", "chown ", "systemctl disable")
COMMANDS = {"director-console": console_app, "table-controller": table_app}
PROGRAMS = {"director-console": "director_console", "table-controller": "table_controller"}


def typed_on_the_page() -> list[str]:
    """Every line of its shell blocks."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def typed_later() -> list[str]:
    """The commands of the table *Later*, in its order."""
    section = PAGE.partition("## Later")[2].partition("\n## ")[0]
    return re.findall(r"`(director-console broker [^`]+)`", section)


class Follower:
    """Somebody with the page open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.venue, self.data = folder / "venue", folder / "console"
        self.ports = {"broker": free_port(), "door": free_port(), "pages": free_port()}
        self.config = folder / "7.toml"
        self.codes: dict[str, str] = {}
        self.running: dict[str, subprocess.Popen[str]] = {}
        self.said: dict[str, str] = {}
        text = (ROOT / "configs" / "tables" / "watch.toml").read_text(encoding="utf-8")
        for key, value in (("venue", "club"), ("event", "evening"), ("id", "7")):
            text = re.sub(rf'^{key} = ".*"$', f'{key} = "{value}"', text, count=1, flags=re.M)
        self.config.write_text(text, encoding="utf-8")

    def here(self, line: str) -> str:
        """The line, with what is of this venue put in place of the page's."""
        line = re.sub(r"^sudo (-u \S+ )?", "", line)
        for theirs, ours in (
            ("/var/lib/screen-table-venue", str(self.venue)),
            ("/var/lib/screen-table-console", str(self.data)),
            ("/opt/screen-table/bin/", ""),
            ("/etc/screen-table/7.toml", str(self.config)),
            ("192.168.1.10", LOOPBACK),
            (" --console-user screen-table", ""),
            (" DIR", f" {self.venue}"),
        ):
            line = line.replace(theirs, ours)
        if "CODE" in line:
            line = line.replace("CODE", self.codes["7"])
        if "broker init" in line:
            line += f" --port {self.ports['broker']} --door-port {self.ports['door']} --listen {LOOPBACK}"
            line += " --broker-user root" if os.geteuid() == 0 else ""
        if " user add" in line:
            line += " --password-stdin"
        return line

    def types(self, line: str) -> None:
        line = self.here(line)
        if line.startswith("systemctl enable --now "):
            self.start_unit(line.split()[-1])
        elif line.startswith("cp "):
            assert (ROOT / line.split()[1]).exists(), line
        elif " broker enrol " in line:
            self.start("door", f"{line} --listen {LOOPBACK}")
            wait_for(lambda: open_at(self.ports["door"]), 20)
        else:
            self.run(line)

    def run(self, line: str) -> None:
        program, *rest = shlex.split(line)
        done = CliRunner().invoke(COMMANDS[program], rest, input="a pass phrase\n")
        assert done.exit_code == 0, (line, done.output)
        self.said[line] = done.stdout
        self.codes |= dict(re.findall(r"^table (\S+)\s+(\S+:\d+/\S+)", done.stdout, re.M))

    def start_unit(self, name: str) -> None:
        unit = (ROOT / "configs" / "broker" / f"{name}.service").read_text(encoding="utf-8")
        found = re.search(r"^ExecStart=(.+)$", unit, re.M)
        assert found
        line = self.here(found[1]).replace("/usr/sbin/mosquitto", mosquitto_program())
        if "director-console" in line:
            line = line.replace("0.0.0.0", LOOPBACK) + f" --port {self.ports['pages']}"
        self.start(name, line)
        wait_for(lambda: open_at(self.ports["pages" if "console" in name else "broker"]), 30)

    def start(self, name: str, line: str) -> None:
        log = (self.folder / f"{name}.log").open("w")
        self.running[name] = subprocess.Popen(words(line), cwd=ROOT, stdout=log, stderr=log, text=True)
        log.close()

    def end(self) -> None:
        for process in self.running.values():
            process.send_signal(signal.SIGTERM)
        for process in self.running.values():
            process.wait(15)


def words(line: str) -> list[str]:
    first, *rest = shlex.split(line)
    return [sys.executable, "-m", PROGRAMS[first], *rest] if first in PROGRAMS else [first, *rest]


def open_at(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((LOOPBACK, port)) == 0


@pytest.fixture
def follower(tmp_path: Path) -> Iterator[Follower]:
    made = Follower(tmp_path)
    yield made
    made.end()


def test_whoever_types_what_the_page_says_has_a_venue_with_a_table_in_it(follower: Follower) -> None:
    typed = [line for line in typed_on_the_page() if not any(word in line for word in NOT_HERE)]
    assert len(typed) == 9
    for line in typed:
        follower.types(line)
    said = "\n".join(follower.said.values())
    assert "lets this table in, and keeps the others' reports from it" in said
    status = next(text for line, text in follower.said.items() if "broker status" in line)
    assert status.count("waiting") == 12
    assert status.splitlines()[-1].startswith("12 "), "no sentence stands below the list"

    # The table is one with real hardware, and may now report; the console is there over TLS alone.
    refuse_unsafe_broker(load_config(follower.config), insecure=False)
    context = ssl.create_default_context(cafile=str(follower.venue / "console" / "ca.pem"))
    address = f"https://{LOOPBACK}:{follower.ports['pages']}"
    with httpx.Client(verify=context, trust_env=False) as browser:
        assert browser.get(f"{address}/healthz").json()["ok"] is True
        wait_for(lambda: browser.get(f"{address}/healthz").json()["broker"] is True, 15)
        login = browser.post(f"{address}/login", data={"name": "anna", "password": "a pass phrase"})
        assert login.status_code == 303
    with pytest.raises(httpx.HTTPError), httpx.Client(trust_env=False, timeout=3) as browser:
        browser.get(f"http://{LOOPBACK}:{follower.ports['pages']}/healthz")

    # And everything the page says for later.
    later = typed_later()
    assert len(later) == 9
    for line in later:
        follower.run(follower.here(line))
    fingerprint = re.search(r"authority, SHA-256: (\S+)", "\n".join(follower.said.values()))
    assert fingerprint
    assert len(fingerprint[1]) == 32 * 3 - 1


def test_every_command_and_option_the_page_names_is_there() -> None:
    for program, verb in re.findall(r"`(director-console|table-controller) ([a-z]+)", PAGE):
        shown = CliRunner().invoke(COMMANDS[program], [verb, "--help"])
        assert shown.exit_code == 0, (program, verb)


def test_a_command_on_the_consoles_journal_names_the_journal_and_its_user() -> None:
    inline = re.findall(r"`((?:sudo [^`]*)?director-console (?:user|audit)\b[^`]*)`", PAGE)
    found = inline + [line for line in typed_on_the_page() if "director-console user" in line]
    assert len(found) == 3
    for line in found:
        assert line.startswith("sudo -u screen-table director-console "), line
        assert line.split()[-2:] == ["--data", "/var/lib/screen-table-console"], line
