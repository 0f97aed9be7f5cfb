"""Certificates, the list of those taken back, and the files of a venue."""

from __future__ import annotations

import json
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from director_console.broker_admin import deeds
from director_console.broker_admin.authority import (
    RequestWrong,
    Use,
    make_authority,
    new_key,
    read_authority,
    requested_key,
)
from director_console.broker_admin.broker_files import access_list, configuration
from director_console.broker_admin.deeds import Plan, default_broker_user
from director_console.broker_admin.layout import AccessError, Layout, loose
from director_console.broker_admin.next_steps import SERVICE_DATA, SERVICE_ROOT, as_user, next_steps
from director_console.broker_admin.register import Role
from director_console.broker_admin.status import status_lines
from director_console.broker_admin.venue import look
from table_controller.messages.mac import load_keys
from table_controller.messages.topics import Place
from tests.access.rig import PLACE, Venue, now, request_of

EMPTY_REQUEST = "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n"
BOOT = datetime(1970, 1, 1, tzinfo=UTC)


def plan(*tables: str, **more: Any) -> Plan:
    return Plan(venue="hall", event="open", tables=tables, hosts=("127.0.0.1",), **more)


@pytest.fixture
def venue(tmp_path: Path) -> Venue:
    return Venue(tmp_path / "venue", ("1", "2"))


def certificates(root: Path) -> list[x509.Certificate]:
    return [x509.load_pem_x509_certificate(path.read_bytes()) for path in root.glob("*/*.pem")
            if path.name != "revoked.pem"]  # fmt: skip


def test_every_certificate_holds_from_1970_for_a_table_that_boots_without_a_clock(venue: Venue) -> None:
    venue.enrol("1")
    found = certificates(venue.root)
    found.append(x509.load_pem_x509_certificate(venue.granted["1"].certificate.encode()))
    assert len(found) > 6
    assert {certificate.not_valid_before_utc for certificate in found} == {BOOT}
    assert all(certificate.not_valid_after_utc > now() + timedelta(days=700) for certificate in found)
    revoked = x509.load_pem_x509_crl(venue.layout.revoked.read_bytes())
    assert revoked.last_update_utc < BOOT + timedelta(days=1)
    assert revoked.next_update_utc is not None
    assert revoked.next_update_utc > now() + timedelta(days=7000)


def test_a_table_is_known_by_the_name_of_its_code_whatever_its_request_says(venue: Venue) -> None:
    key = new_key()
    from director_console.broker_admin.granting import redeem
    from table_controller.enrolment.protocol import Redeem, parse_code

    secret = parse_code(venue.codes["2"]).secret.hex()
    granted = redeem(venue.root, Redeem(secret=secret, request=request_of(key, "console")), now())
    certificate = x509.load_pem_x509_certificate(granted.certificate.encode())
    assert [name.value for name in certificate.subject] == ["2"]
    usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.CLIENT_AUTH]
    constraints = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
    assert not constraints.ca


def test_no_private_key_of_a_table_is_ever_at_the_venue(venue: Venue) -> None:
    before = set(venue.root.rglob("*.key"))
    identity = venue.enrol("1")
    assert set(venue.root.rglob("*.key")) == before
    secret = identity.key.read_text().splitlines()[1]
    assert all(secret not in path.read_text() for path in venue.root.rglob("*") if path.is_file())


def test_every_file_is_its_owners_alone_and_the_register_holds_no_secret(venue: Venue) -> None:
    for path in venue.root.rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert not mode & (stat.S_IRWXG | stat.S_IRWXO), (path, oct(mode))
    assert stat.S_IMODE(venue.root.stat().st_mode) == 0o711
    register = venue.layout.venue.read_text()
    keys = load_keys(venue.layout.keys)
    codes = [code.partition("/")[2].replace("-", "") for code in venue.codes.values()]
    from table_controller.enrolment.protocol import parse_code

    secrets = [parse_code(code).secret.hex() for code in venue.codes.values()]
    for text in (keys.venue.hex(), *(key.hex() for key in keys.tables.values()), *codes, *secrets, "PRIVATE"):
        assert text not in register


def test_a_key_that_others_can_read_is_said(venue: Venue) -> None:
    venue.layout.key("broker", "broker").chmod(0o640)
    assert loose(venue.layout) == [venue.layout.key("broker", "broker")]
    _, wrong = status_lines(venue.root, now())
    assert any("others can read it" in sentence for sentence in wrong)


def test_revocation_counts_editions_and_names_numbers(venue: Venue) -> None:
    venue.enrol("1")
    serial = look(venue.root).holders["1"].serial
    before = x509.load_pem_x509_crl(venue.layout.revoked.read_bytes())
    deeds.revoke(venue.root, "1", now())
    after = x509.load_pem_x509_crl(venue.layout.revoked.read_bytes())
    assert [one.serial_number for one in after] == [serial]
    assert after.last_update_utc > before.last_update_utc
    assert load_keys(venue.layout.keys).of("1") is None
    assert "\nuser 1\ntopic deny #\n" in venue.layout.access_list.read_text()


def test_one_taken_in_again_has_another_key_and_the_old_certificate_stays_revoked(venue: Venue) -> None:
    venue.enrol("1")
    old = load_keys(venue.layout.keys).of("1")
    serial = look(venue.root).holders["1"].serial
    deeds.revoke(venue.root, "1", now())
    [again] = deeds.add(venue.root, ["1"], now())
    assert "\nuser 1\ntopic deny #\n" in venue.layout.access_list.read_text(), "shut until it has enrolled"
    venue.enrol("1", again.code)
    assert load_keys(venue.layout.keys).of("1") not in (None, old)
    assert "\nuser 1\n" not in venue.layout.access_list.read_text()
    assert serial in [one.serial_number for one in x509.load_pem_x509_crl(venue.layout.revoked.read_bytes())]


def test_renewal_keeps_the_key_and_ends_the_old_certificate_once_the_new_one_is_fetched(venue: Venue) -> None:
    venue.enrol("1")
    key, serial = load_keys(venue.layout.keys).of("1"), look(venue.root).holders["1"].serial
    invitation = deeds.renew(venue.root, "1", now())
    assert invitation is not None
    assert [one.serial for one in look(venue.root).revoked] == []
    venue.enrol("1", invitation.code)
    assert [(one.serial, one.why) for one in look(venue.root).revoked] == [(serial, "renewed")]
    assert load_keys(venue.layout.keys).of("1") == key


@pytest.mark.parametrize("name", ["broker", "pages", "console", "wall"])
def test_one_of_our_own_is_renewed_at_once_and_fits_its_key(venue: Venue, name: str) -> None:
    room = deeds.ROOM[Role(name)]
    before = venue.layout.certificate(room, name).read_text()
    assert deeds.renew(venue.root, name, now()) is None
    assert venue.layout.certificate(room, name).read_text() != before
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(venue.layout.certificate(room, name), venue.layout.key(room, name))


def test_another_event_moves_the_access_list_and_leaves_everybody_enrolled(venue: Venue) -> None:
    venue.enrol("1")
    deeds.set_event(venue.root, "final", now())
    text = venue.layout.access_list.read_text()
    assert "screens/v1/hall/final/t/%u/state" in text
    assert "/open/" not in text
    assert look(venue.root).holders["1"].serial is not None
    assert json.loads((venue.root / "console" / "console.json").read_text())["event"] == "final"


def test_a_second_screen_and_a_second_console_have_names_of_their_own(venue: Venue) -> None:
    deeds.add_own(venue.root, Role.WALL, "lobby", now())
    deeds.add_own(venue.root, Role.CONSOLE, "standby", now())
    text = venue.layout.access_list.read_text()
    assert "user lobby\ntopic deny screens/v1/hall/open/t/#" in text
    assert "topic readwrite screens/v1/hall/open/console/standby/avail" in text
    with pytest.raises(AccessError, match="there already"):
        deeds.add_own(venue.root, Role.WALL, "1", now())


def test_the_settings_of_the_broker_are_those_agreed(venue: Venue) -> None:
    lines = venue.layout.config.read_text().splitlines()
    for wanted in (
        "require_certificate true",
        "use_identity_as_username true",
        "allow_anonymous false",
        "max_queued_messages 100000",
        "max_inflight_messages 20",
        "persistence true",
        "autosave_interval 60",
        "message_size_limit 65536",
        "persistent_client_expiration 2d",
        "tls_version tlsv1.2",
    ):
        assert wanted in lines
    assert sum(line.startswith("listener") for line in lines) == 1
    assert not any("websockets" in line for line in lines)


def test_the_access_list_lets_a_table_write_its_own_tree_and_nothing_else() -> None:
    text = access_list(PLACE, ["console"], ["wall"], [])
    general = text.partition("\nuser ")[0].splitlines()
    writes = [line.split()[-1] for line in general if line.startswith("pattern write")]
    reads = [line.split()[-1] for line in general if line.startswith("pattern read")]
    assert all(topic.startswith(f"{PLACE.prefix}/t/%u/") for topic in writes)
    assert [topic for topic in reads if "%u" not in topic] == [
        f"{PLACE.prefix}/all/+",
        f"{PLACE.prefix}/console/+/avail",
    ]
    assert not any(line.startswith("topic") for line in general), "that would be for who has no name"


def test_the_examples_that_ship_are_what_the_commands_write() -> None:
    shipped = Path(__file__).resolve().parents[2] / "configs" / "broker"
    layout = Layout(Path("/var/lib/screen-table-venue"))
    text = configuration(layout, 8883, 12, "mosquitto")
    assert (shipped / "mosquitto.conf.example").read_text() == text
    text = access_list(Place(venue="club", event="evening"), ["console"], ["wall"], [])
    assert (shipped / "access.acl.example").read_text() == text


@pytest.mark.parametrize(
    ("tables", "says"),
    [
        (("1", "1"), "named twice"),
        (("console",), "taken"),
        (("a/b",), "letters, digits"),
        (("é",), "letters, digits"),
        (("",), "letters, digits"),
    ],
)
def test_names_that_cannot_be_tables_are_refused(tmp_path: Path, tables: tuple[str, ...], says: str) -> None:
    with pytest.raises(AccessError, match=says):
        deeds.begin(tmp_path / "v", plan(*tables), now())
    assert not (tmp_path / "v" / "venue.json").exists()


def test_a_venue_is_not_made_twice_nor_by_a_clock_that_was_never_set(tmp_path: Path) -> None:
    with pytest.raises(AccessError, match="set it before"):
        deeds.begin(tmp_path / "v", plan("1"), BOOT)
    deeds.begin(tmp_path / "v", plan("1"), now())
    with pytest.raises(AccessError, match="is a venue already"):
        deeds.begin(tmp_path / "v", plan("1"), now())


def test_two_hundred_tables_have_keys_the_console_can_read(tmp_path: Path) -> None:
    names = tuple(f"open-room-table-{number:03}" for number in range(200))
    invitations = deeds.begin(tmp_path / "v", plan(*names), now())
    assert len({one.code for one in invitations}) == 200
    keys = load_keys(Layout(tmp_path / "v").keys)
    assert len(set(keys.tables.values())) == 200


@pytest.mark.parametrize(
    "request_text",
    ["", "no request", "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n"],
)
def test_what_is_no_request_is_refused(request_text: str) -> None:
    with pytest.raises(RequestWrong):
        requested_key(request_text)


def test_a_request_altered_after_it_was_signed_is_refused() -> None:
    from cryptography.hazmat.primitives import serialization

    request = x509.load_pem_x509_csr(request_of(new_key(), "table").encode())
    raw = request.public_bytes(serialization.Encoding.DER).replace(b"table", b"tabel")
    altered = x509.load_der_x509_csr(raw).public_bytes(serialization.Encoding.PEM).decode()
    with pytest.raises(RequestWrong):
        requested_key(altered)


def test_a_key_that_is_not_the_authoritys_is_not_taken_for_it() -> None:
    one, other = make_authority("a", now()), make_authority("b", now())
    from director_console.broker_admin.authority import key_pem

    with pytest.raises(ValueError, match="do not belong together"):
        read_authority(one.pem, key_pem(other.key))


def test_no_certificate_outlives_its_authority() -> None:
    authority = make_authority("hall", now())
    issued = authority.issue("1", new_key().public_key(), Use.CLIENT, now() + timedelta(days=99_999))
    assert issued.until == authority.certificate.not_valid_after_utc


def test_root_is_told_to_install_the_broker_before_a_venue_it_could_not_read_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nobody(name: str) -> None:
        raise KeyError(name)

    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("pwd.getpwnam", nobody)
    with pytest.raises(AccessError, match="apt install mosquitto"):
        default_broker_user()
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert default_broker_user() == ""


@pytest.mark.parametrize(
    ("who", "says"),
    [
        ({"broker_user": "no-such-broker"}, r"'no-such-broker' .* `sudo apt install mosquitto`"),
        (
            {"console_user": "no-such-console"},
            r"'no-such-console' .* `sudo useradd --system .* no-such-console`",
        ),
    ],
)
def test_a_venue_for_a_user_who_is_not_there_is_refused_before_anything_is_written(
    tmp_path: Path, who: dict[str, str], says: str
) -> None:
    with pytest.raises(AccessError, match=says):
        deeds.begin(tmp_path / "venue", plan("1", **who), now())
    assert not (tmp_path / "venue").exists()


@pytest.mark.parametrize(
    ("user", "euid", "said"),
    [("mosquitto", 0, "sudo -u mosquitto "), ("root", 0, "sudo "), ("", 0, ""), ("mosquitto", 1000, "")],
)
def test_the_next_steps_name_who_is_to_take_them(
    monkeypatch: pytest.MonkeyPatch, user: str, euid: int, said: str
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: euid)
    assert as_user(user) == said


def test_the_next_steps_of_the_pages_venue_are_the_lines_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "access.md").read_text(encoding="utf-8")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    typed = [line.strip() for line in next_steps(SERVICE_ROOT, "mosquitto", "screen-table") if line[0] == " "]
    assert len(typed) == 7
    for line in typed:
        assert line.replace("NAME", "anna") in page, line


def test_the_next_steps_of_another_venue_fit_it_and_name_one_journal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    text = "\n".join(next_steps(tmp_path, "mosquitto", "console"))
    assert str(SERVICE_ROOT) not in text
    assert f"sudo -u mosquitto /usr/sbin/mosquitto -c {tmp_path}" in text
    assert text.count("sudo -u console director-console ") == 2
    assert text.count(f"--data {SERVICE_DATA}") == 2
