"""A table with real hardware refuses an unprotected broker, and says what --insecure means."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from table_controller.config.load import TableConfig, parse_config
from table_controller.service.safety import INSECURE, BrokerUnsafe, refuse_unsafe_broker
from tests.access.rig import Venue

WATCH = (Path(__file__).resolve().parents[2] / "configs" / "tables" / "watch.toml").read_text()


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("venue")
    identity = Venue(folder / "venue", ("1",)).enrol("1")
    (identity.folder / "mac.json").touch(0o600)
    return identity.folder


def table(
    tls: Path, *, simulated: bool = False, url: str = "mqtts://hall.local:8883", without: str = ""
) -> TableConfig:
    lines = {
        "url": f'"{url}"',
        "ca": '"ca.pem"',
        "cert": '"table.pem"',
        "key": '"table.key"',
        "mac_keys": '"mac.json"',
    }
    section = "\n".join(f"{key} = {value}" for key, value in lines.items() if key not in without.split())
    text = WATCH if not simulated else WATCH.replace("[table]", "[table]\nsimulated = true", 1)
    return parse_config(f"{text}\n[broker]\n{section}\n", tls / "table.toml")


def test_with_everything_there_it_is_taken(tls: Path) -> None:
    refuse_unsafe_broker(table(tls), insecure=False)


@pytest.mark.parametrize(
    ("url", "without", "says"),
    [
        ("mqtt://hall.local", "", "broker.url: a table with real hardware needs mqtts://"),
        ("mqtt://hall.local", "ca cert key", "broker.url: a table with real hardware needs mqtts://"),
        ("mqtts://hall.local", "ca", "broker.ca: missing"),
        ("mqtts://hall.local", "cert", "broker.cert: missing"),
        ("mqtts://hall.local", "key", "broker.key: missing"),
    ],
)
def test_real_hardware_is_not_run_unprotected(tls: Path, url: str, without: str, says: str) -> None:
    config = table(tls, url=url, without=without)
    with pytest.raises(BrokerUnsafe, match=says) as refused:
        refuse_unsafe_broker(config, insecure=False)
    assert "table-controller enrol" in str(refused.value)
    assert "Anybody on the network can read the auction" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_insecure_is_taken_where_somebody_says_so_and_means_what_it_says(tls: Path) -> None:
    refuse_unsafe_broker(table(tls, url="mqtt://hall.local", without="ca cert key"), insecure=True)
    assert "Anybody on the network can read the auction" in INSECURE
    assert "pretend to be the console or another table" in INSECURE


def test_a_simulated_table_may_report_in_clear(tls: Path) -> None:
    refuse_unsafe_broker(
        table(tls, simulated=True, url="mqtt://127.0.0.1", without="ca cert key"), insecure=False
    )


@pytest.mark.parametrize("name", ["table.key", "mac.json"])
def test_a_key_that_other_users_can_read_is_refused(tls: Path, name: str) -> None:
    (tls / name).chmod(0o644)
    try:
        with pytest.raises(BrokerUnsafe, match="other users of this computer can read this key; chmod 600"):
            refuse_unsafe_broker(table(tls), insecure=False)
    finally:
        (tls / name).chmod(0o600)


@pytest.mark.parametrize("insecure", [False, True])
@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("table.pem", None, "there is no such file"),
        ("ca.pem", None, "there is no such file"),
        ("table.pem", "no certificate", "they do not belong together, or are no certificate"),
        ("table.key", "no key", "they do not belong together, or are no certificate"),
    ],
)
def test_files_that_cannot_be_used_are_said_at_the_start_and_not_at_every_connection(
    tls: Path, name: str, content: str | None, says: str, insecure: bool
) -> None:
    before = (tls / name).read_text()
    try:
        (tls / name).unlink()
        if content is not None:
            (tls / name).touch(0o600)
            (tls / name).write_text(content)
        with pytest.raises(BrokerUnsafe, match=says) as refused:
            refuse_unsafe_broker(table(tls), insecure=insecure)
        assert "enrol this table again" in str(refused.value)
        assert before.splitlines()[1] not in str(refused.value)
    finally:
        (tls / name).unlink(missing_ok=True)
        (tls / name).touch(0o600)
        (tls / name).write_text(before)


def test_run_itself_refuses_with_exit_code_2_before_it_touches_a_wire(tls: Path, tmp_path: Path) -> None:
    from table_controller.__main__ import app

    config = tmp_path / "table.toml"
    text = WATCH.replace("/var/lib/screen-table", str(tmp_path / "data"))
    config.write_text(f'{text}\n[broker]\nurl = "mqtt://hall.local"\nmac_keys = "mac.json"\n')
    told = CliRunner().invoke(app, ["run", "--config", str(config)])
    assert told.exit_code == 2
    assert "needs mqtts://" in told.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("lang", ["en", "zh-CN"])
def test_every_page_of_the_demonstration_says_that_its_broker_is_not_confidential(
    tmp_path: Path, lang: str
) -> None:
    """Also before anybody has logged in; and no page of a venue says so."""
    import asyncio

    import httpx

    from director_console.running import Options, Running
    from director_console.store.people import Role
    from director_console.web.i18n import say
    from tests.director_console.generator import PLACE

    async def shown(running: Running, code: str) -> list[str]:
        transport = httpx.ASGITransport(app=running.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://console") as client:
            stranger = (await client.get(f"/login?lang={lang}")).text
            await client.get(f"/login?lang={lang}&code={code}")
            pages = ("/", "/queue", "/system", "/session", "/shift", "/evidence", "/people", "/account")
            return [stranger, *[(await client.get(page)).text for page in pages]]

    for demo in (True, False):
        data = tmp_path / str(demo)
        running = Running(Options(address=None, place=PLACE, data=data, keys=None, demo=demo))
        code = running.one_time_code("anna", Role.CHIEF)
        running.start()
        try:
            pages = asyncio.run(shown(running, code))
        finally:
            running.stop()
        said = [any(say(each, "app.demo") in page for each in ("en", "zh-CN")) for page in pages]
        assert said == [demo] * len(pages)
