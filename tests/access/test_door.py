"""The door, over HTTPS: a code lets its table in once, and nobody else."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest

from director_console.broker_admin import deeds
from director_console.broker_admin.door import Door, OpenDoor, close_when_done
from director_console.broker_admin.venue import look
from table_controller.enrolment.protocol import LARGEST, EnrolmentCode, parse_code
from table_controller.enrolment.table import PENDING, NotEnrolled, Self, enrol
from table_controller.messages.mac import load_keys
from tests.access.rig import LOOPBACK, Venue, now, request_of, wait_for


class Held:
    """A door held open. `later`: added to its clock; `said`: what it told the person there."""

    def __init__(self, venue: Venue) -> None:
        self.venue = venue
        self.later = timedelta()
        self.said: list[tuple[str, bool]] = []
        self.door = Door(root=venue.root, said=lambda *said: self.said.append(said), now=self.now)
        listening = socket.create_server((LOOPBACK, venue.door_port))
        self.opened = OpenDoor(self.door, listening)
        self.thread = threading.Thread(target=self.opened.serve, daemon=True)
        self.thread.start()

    def now(self) -> datetime:
        return now() + self.later

    def code(self, table: str) -> EnrolmentCode:
        return parse_code(self.venue.codes[table])

    def client(self) -> httpx.Client:
        context = ssl.create_default_context(cafile=str(self.venue.layout.trusted("console")))
        return httpx.Client(
            base_url=f"https://{LOOPBACK}:{self.venue.door_port}", verify=context, trust_env=False
        )

    def close(self) -> None:
        self.opened.close()
        self.thread.join(5)


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Held]:
    made = Held(Venue(tmp_path / "venue", ("1", "2")))
    yield made
    made.close()


def test_a_table_is_let_in_with_all_it_needs_and_keeps_its_key_to_itself(held: Held, tmp_path: Path) -> None:
    granted = enrol(held.code("1"), tmp_path / "tls", Self(venue="hall", event="open", table="1"))
    assert (granted.venue, granted.event, granted.table) == ("hall", "open", "1")
    assert granted.broker == held.venue.url
    files = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "tls").iterdir()}
    assert files == {"ca.pem": 0o600, "table.pem": 0o600, "table.key": 0o600, "mac.json": 0o600}
    assert (tmp_path / "tls").stat().st_mode & 0o777 == 0o700
    ours, theirs = load_keys(tmp_path / "tls" / "mac.json"), load_keys(held.venue.layout.keys)
    assert ours.of("1") == theirs.of("1")
    assert ours.venue == theirs.venue
    assert ours.of("2") is None
    context = ssl.create_default_context(cafile=str(tmp_path / "tls" / "ca.pem"))
    context.load_cert_chain(tmp_path / "tls" / "table.pem", tmp_path / "tls" / "table.key")
    assert held.said == [(f"table 1 is enrolled ({LOOPBACK})", True)]


def test_a_code_works_once(held: Held, tmp_path: Path) -> None:
    enrol(held.code("1"), tmp_path / "first", Self())
    with pytest.raises(NotEnrolled, match=r"was used on .* if that was not table 1 itself"):
        enrol(held.code("1"), tmp_path / "second", Self())
    assert list((tmp_path / "second").iterdir()) == []


def test_an_answer_lost_on_its_way_can_be_fetched_again_by_the_same_key_for_ten_minutes(
    held: Held, tmp_path: Path
) -> None:
    folder = tmp_path / "tls"
    enrol(held.code("1"), folder, Self())
    (folder / "table.key").rename(folder / PENDING)  # as it was before the answer was stored
    (folder / "table.pem").unlink()
    held.later = timedelta(minutes=9)
    enrol(held.code("1"), folder, Self())
    assert (folder / "table.pem").exists()
    (folder / "table.key").rename(folder / PENDING)
    held.later = timedelta(minutes=11)
    with pytest.raises(NotEnrolled, match="was used"):
        enrol(held.code("1"), folder, Self())
    assert (folder / PENDING).exists(), "not of this try: its answer may only have been lost"


def test_a_door_that_does_not_answer_leaves_no_key(tmp_path: Path) -> None:
    code = parse_code(Venue(tmp_path / "venue", ("1",)).codes["1"])
    with pytest.raises(NotEnrolled, match="does not answer"):
        enrol(code, tmp_path / "tls", Self())
    assert list((tmp_path / "tls").iterdir()) == []


def test_a_code_expires(held: Held, tmp_path: Path) -> None:
    held.later = timedelta(hours=48, seconds=1)
    with pytest.raises(NotEnrolled, match="this code expired on"):
        enrol(held.code("1"), tmp_path / "tls", Self())
    assert look(held.venue.root).holders["1"].serial is None


def test_a_new_code_ends_the_old_one(held: Held, tmp_path: Path) -> None:
    [again] = deeds.add(held.venue.root, ["1"], now())
    with pytest.raises(NotEnrolled, match="not known here, or another has been made since"):
        enrol(held.code("1"), tmp_path / "tls", Self())
    assert enrol(parse_code(again.code), tmp_path / "tls", Self()).table == "1"


def test_anothers_code_is_not_spent_by_the_wrong_table(held: Held, tmp_path: Path) -> None:
    with pytest.raises(NotEnrolled, match="this code is for table 1 of hall/open") as refused:
        enrol(held.code("1"), tmp_path / "tls", Self(venue="hall", event="open", table="2"))
    assert '[table] in the table\'s file says id = "2", change it to id = "1" (or' in str(refused.value)
    with pytest.raises(
        NotEnrolled, match='says venue = "house", change it to venue = "hall" and event = "x"'
    ):
        enrol(held.code("1"), tmp_path / "tls", Self(venue="house", event="x", table="1"))
    assert not (tmp_path / "tls" / PENDING).exists(), "a refused try leaves no key"
    assert enrol(held.code("1"), tmp_path / "tls", Self()).table == "1"


def test_nothing_is_told_to_one_whose_fingerprint_differs(held: Held, tmp_path: Path) -> None:
    elsewhere = Venue(tmp_path / "elsewhere", ("1",))
    code = replace(parse_code(elsewhere.codes["1"]), port=held.venue.door_port)
    with pytest.raises(NotEnrolled, match="its fingerprint differs; nothing was told to it"):
        enrol(code, tmp_path / "tls", Self())
    assert held.said == []


def test_one_who_copies_the_authoritys_certificate_cannot_answer_in_its_name(tmp_path: Path) -> None:
    venue, thief = Venue(tmp_path / "venue", ("1",)), Venue(tmp_path / "thief", ("1",))
    thief.layout.trusted("console").write_text(venue.layout.trusted("console").read_text())
    held = Held(thief)
    try:
        code = replace(parse_code(venue.codes["1"]), port=thief.door_port)
        with pytest.raises(NotEnrolled, match="its certificate is not good for this address"):
            enrol(code, tmp_path / "tls", Self())
        assert held.said == []
    finally:
        held.close()


def test_an_address_the_venue_was_not_made_with_is_refused(tmp_path: Path) -> None:
    held = Held(Venue(tmp_path / "venue", ("1",), hosts=("hall.example",)))
    try:
        code = replace(parse_code(held.venue.codes["1"]), host="127.0.0.2")
        with pytest.raises(NotEnrolled, match=r"is not good for this address|does not answer"):
            enrol(code, tmp_path / "tls", Self())
    finally:
        held.close()


def test_a_closed_door_is_one_sentence(tmp_path: Path) -> None:
    venue = Venue(tmp_path / "venue", ("1",))
    with pytest.raises(NotEnrolled, match=r"does not answer .* is the door open"):
        enrol(parse_code(venue.codes["1"]), tmp_path / "tls", Self())


def test_whoever_tries_codes_is_soon_made_to_wait(held: Held) -> None:
    with held.client() as client:
        question = {"v": 1, "secret": "00" * 16, "request": request_of_any()}
        statuses = [client.post("/redeem", json=question).status_code for _ in range(14)]
    assert statuses[:10] == [403] * 10
    assert set(statuses[10:]) == {429}
    assert any("too many wrong codes" in sentence for sentence, _ in held.said)


def request_of_any() -> str:
    from director_console.broker_admin.authority import new_key

    return request_of(new_key())


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"{", 422),
        (b"[" * 5000, 422),
        (b"\xff" * 20, 422),
        (b"x" * (LARGEST + 1), 413),
        (json.dumps({"v": 1, "secret": "ab" * 16}).encode(), 422),
        (json.dumps({"v": 1, "secret": "ab" * 16, "request": "x", "more": 1}).encode(), 422),
        (json.dumps({"v": 1, "secret": "ab" * 16, "request": "x"}).encode(), 422),
        (json.dumps({"v": 1, "secret": "ab" * 16, "request": "x", "table": "../../etc"}).encode(), 422),
    ],
)
def test_what_is_no_question_is_answered_without_an_effect_or_a_trace(
    held: Held, body: bytes, status: int
) -> None:
    before = held.venue.layout.venue.read_bytes()
    with held.client() as client:
        answer = client.post("/redeem", content=body)
    assert answer.status_code == status
    assert set(answer.json()) == {"message"}
    assert "Traceback" not in answer.text
    assert str(held.venue.root) not in answer.text
    assert held.venue.layout.venue.read_bytes() == before


@pytest.mark.parametrize(
    "path", ["/", "/docs", "/venue.json", "/../venue.json", "/authority.key", "/console/keys.json"]
)
def test_the_door_has_two_questions_and_nothing_else(held: Held, path: str) -> None:
    with held.client() as client:
        assert client.get(path).status_code == 404
        assert client.get("/redeem").status_code == 405
        assert client.post("/authority").status_code == 405
        assert "PRIVATE" not in client.get("/authority").text


def test_two_tables_with_the_same_code_at_once_are_not_both_let_in(held: Held, tmp_path: Path) -> None:
    results: list[str] = []

    def attempt(number: int) -> None:
        try:
            results.append(enrol(held.code("2"), tmp_path / str(number), Self()).table)
        except NotEnrolled:
            results.append("refused")

    threads = [threading.Thread(target=attempt, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(results) == ["2", *["refused"] * 5]


def test_the_door_closes_by_itself_after_the_last_table(held: Held, tmp_path: Path) -> None:
    held.door.granted = close_when_done(held.opened, held.venue.root, held.now)
    enrol(held.code("1"), tmp_path / "1", Self())
    assert held.thread.is_alive()
    enrol(held.code("2"), tmp_path / "2", Self())
    wait_for(lambda: not held.thread.is_alive(), 5)


def test_a_table_that_dies_while_it_stores_its_files_can_go_on(
    held: Held, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before each rename in turn: the same command afterwards ends with files that fit."""
    folder = tmp_path / "tls"
    replace_file = Path.replace
    for dies_at in range(4):
        count = 0

        def dying(path: Path, target: Path, at: int = dies_at) -> Path:
            nonlocal count
            if path.parent == folder:
                if count == at:
                    raise KeyboardInterrupt
                count += 1
            return replace_file(path, target)

        monkeypatch.setattr(Path, "replace", dying)
        with pytest.raises(KeyboardInterrupt):
            enrol(held.code("1"), folder, Self())
        monkeypatch.setattr(Path, "replace", replace_file)
    enrol(held.code("1"), folder, Self())
    context = ssl.create_default_context(cafile=str(folder / "ca.pem"))
    context.load_cert_chain(folder / "table.pem", folder / "table.key")
    assert not (folder / PENDING).exists()
