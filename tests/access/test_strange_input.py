"""Malformed, oversized and strange input at every operation the console describes.

Whatever comes: no effect where it is refused, no trace of a secret, no answer of the 500s; the console lives.
"""

from __future__ import annotations

import io
import json
import random
import re
import socket
import zipfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from director_console.store.people import Role
from tests.access.target import FORM, JSON, Target

pytestmark = pytest.mark.live

DISRUPTIVE = {"logout", "account", "login_end", "people_act", "log_in", "people"}
"""What would end the login of the one who tries, make users, or wait, if it were let through."""
PART = b'--x\r\nContent-Disposition: form-data; name="csrf"; filename="a"\r\n\r\n'
BROKEN = (
    ("application/json", b"{}"),
    ("application/json", b"[" * 20_000),
    ("multipart/form-data", b"--x"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--"),
    ("multipart/form-data; boundary=x", PART),
    ("multipart/form-data; boundary=" + "x" * 300, b"--x"),
    (FORM, b"\xff\xfe\x00=&&&===&%ff=%00&csrf"),
    (FORM, b"csrf=%ED%A0%80&key=%F0%9F"),
    (FORM, b"&".join(b"a%d=b" % number for number in range(2000))),
    ("text/plain", b"csrf=1"),
    ("nonsense", b"\x00" * 100),
    ("", b"csrf"),
)
HALF = "\ud83d".encode("utf-8", "surrogatepass")
ODD: tuple[str | bytes, ...] = (
    "", " ", "0", "-1", "9" * 9, "9" * 30, "9" * 5000, "\u00b2", "\u0663", "1/\u00b2", "e1/1",
    f"e1/{'9' * 25}", "\u202etxt", "<script>alert(1)</script>", "'; DROP TABLE users; --",
    "\U0001f0a1" * 50, "../../etc/passwd", "%00", "{{7*7}}", "{0.__class__}", "N", "accept", "1-999999",
    HALF, "x" * 3000, "\x00", "\r\nset-cookie: a=b", "//elsewhere.example", "[" * 5000,
    '{"a": "\\ud800"}', '{"a": 1}',
)  # fmt: skip


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    made = Target(tmp_path_factory.mktemp("console"))
    yield made
    made.rig.close()


@pytest.fixture(scope="module")
def worn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """Another one, for what may have an effect."""
    made = Target(tmp_path_factory.mktemp("worn"))
    yield made
    made.rig.close()


def test_malformed_bodies_are_refused(target: Target) -> None:
    before = target.everything()
    for operation in target.posts():
        for kind, body in BROKEN:
            answer = target.chief.post(
                target.path(operation.path), content=body, headers={"content-type": kind}
            )
            assert answer.status_code in (400, 403, 413, 422, 429), (operation.name, kind)
            target.harmless(answer, own=Role.CHIEF)
    assert target.everything() == before


def test_oversized_bodies_are_refused_whether_or_not_they_say_how_long_they_are(target: Target) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(20):
            yield b"a=" + b"b" * 60_000 + b"&"

    before = target.everything()
    for operation in target.posts():
        path = target.path(operation.path)
        if operation.name != "check_evidence":
            assert target.chief.post(path, content=b"a" * 300_000).status_code == 413, operation.name
            try:
                answer = target.chief.post(path, content=endless(), headers={"content-type": FORM})
                assert answer.status_code in (400, 413), operation.name
            except httpx.TransportError:
                pass  # the service has closed the connection on us
        refused = raw(target, f"POST {path} HTTP/1.1", "content-length: 99999999999999")
        assert refused in (400, 413), operation.name
    for length in ("\u00b2", "-1", "1, 2", "0x10", "9" * 30):
        assert raw(target, "POST /login HTTP/1.1", f"content-length: {length}") in (400, 413)
    assert target.everything() == before


def raw(target: Target, *lines: str) -> int:
    """The status of a request a client library would not send."""
    host, port = target.rig.base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as opened:
        text = "\r\n".join((*lines, f"host: {host}:{port}", "connection: close", "", ""))
        opened.sendall(text.encode("latin-1"))
        return int(opened.recv(100).split()[1])


@pytest.mark.parametrize("most", [15, pytest.param(10_000, marks=pytest.mark.long)], ids=["some", "all"])
def test_strange_values_in_every_field_of_every_form(worn: Target, most: int) -> None:
    rng = random.Random(6)
    number = 0
    for operation in worn.posts():
        if operation.name in DISRUPTIVE:
            continue
        plans = [(name, odd) for name in operation.fields for odd in ODD if name not in ("csrf", "key")]
        for name, odd in rng.sample(plans, min(most, len(plans))):
            number += 1
            data: dict[str, Any] = {**worn.good(operation, Role.CHIEF), name: odd}
            data |= {"csrf": worn.csrf[Role.CHIEF], "key": f"{most:05d}{number:021d}"}
            answer = worn.chief.post(worn.path(operation.path), data=data, headers=JSON)
            worn.harmless(answer, own=Role.CHIEF)
            assert answer.status_code in (200, 303, 400, 403, 409, 413, 422), (operation.name, name, odd)
            assert "set-cookie" not in answer.headers
    assert number > 15 * 15


@pytest.mark.parametrize("most", [10, pytest.param(1000, marks=pytest.mark.long)], ids=["some", "all"])
def test_strange_values_in_every_path_and_query(worn: Target, most: int) -> None:
    rng = random.Random(7)
    every = [odd for odd in ODD if isinstance(odd, str) and odd]
    keys = (f"case:7/{worn.epoch}/\u00b2", "commands:7/x/\u00b2", "tile:7|q", "case:///", "log:\ud83d")
    for operation in worn.operations:
        strange = rng.sample(every, min(most, len(every)))
        for odd in strange if "{" in operation.path else ():
            path = re.sub(r"\{\w+\}", quote(odd, safe=""), operation.path)
            if len(path) > 20_000:
                continue
            if operation.method == "get":
                answer = worn.chief.get(path)
            else:
                answer = worn.chief.post(path, data=worn.good(operation, Role.CHIEF), headers=JSON)
            worn.harmless(answer, own=Role.CHIEF)
        for query in operation.queries:
            for odd in (*strange, *keys):
                text = quote(odd, safe="", errors="surrogatepass")
                answer = worn.chief.get(f"{worn.path(operation.path)}?{query}={text}")
                worn.harmless(answer, own=Role.CHIEF)
                assert not answer.headers.get("location", "/").startswith(("//", "http"))
    assert worn.chief.get("/healthz").json()["ok"] is True


def zipped(files: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def no_evidence() -> Iterator[bytes]:
    """Files that somebody might bring instead of evidence."""
    whole = zipped({"manifest.json": json.dumps({"format": "x"}).encode() * 50})
    damaged = bytearray(whole)
    damaged[60:70] = b"\xff" * 10
    lzma = zipped({"manifest.json": b"{}" * 100}, zipfile.ZIP_LZMA)
    lying = {
        "format": "screen-table evidence",
        "version": 1,
        "table": "7",
        "files": {"reports.jsonl": [], "cases.jsonl": {}},
        "journals": {"e": {"missing": [[1, 99_999_999_999], "x", [None]]}},
    }
    rows = b"[" * 9000 + b'\n{}\n\xff\n{"epoch":"e","seq":999999999}\n{"epoch":"e","seq":-5}'
    yield from (b"", b"PK", whole, whole[:-5], bytes(damaged), lzma[:50] + b"\x00" * 20 + lzma[70:])
    yield zipped({"manifest.json": b"\x00" * 300_000_000})
    yield zipped({"manifest.json": b"[" * 50_000})
    yield zipped({"../../etc/passwd": b"x"})
    yield zipped({f"{number}": b"x" for number in range(50)})
    yield zipped(
        {"manifest.json": json.dumps(lying).encode(), "reports.jsonl": rows, "cases.jsonl": b"[" * 90_000}
    )


def test_what_is_no_evidence_is_told_apart_without_an_error_of_ours(target: Target) -> None:
    before = target.everything()
    for content in no_evidence():
        answer = target.chief.post(
            "/evidence/check", data={"csrf": target.csrf[Role.CHIEF]}, files={"evidence": ("e.zip", content)}
        )
        target.harmless(answer, own=Role.CHIEF)
        assert answer.status_code in (200, 400, 413, 422)
    assert target.everything() == before


FIRST_WORDS = (
    "", "x", "[]", "{", "[" * 30_000, '{"keys": 5}', '{"keys": ["case:7/e/\\u00b2", "tile:7", "\\ud800"]}',
    '{"keys": ["' + "x" * 70_000 + '"]}', '{"since": 1e400}', '{"since": "x", "keys": [1, null, {}]}',
)  # fmt: skip


@pytest.mark.parametrize("first", FIRST_WORDS, ids=range(len(FIRST_WORDS)))
def test_strange_words_on_the_live_connection_end_it_and_nothing_else(
    target: Target, first: str, caplog: pytest.LogCaptureFixture
) -> None:
    url = target.rig.base.replace("http", "ws") + "/live"
    cookie = "; ".join(f"{one.name}={one.value}" for one in target.chief.cookies.jar)
    with connect(url, additional_headers={"cookie": cookie}) as live:
        live.send(first)
        try:
            said = str(live.recv(timeout=1))
            assert not [secret for secret in target.secrets() if secret in said]
        except (TimeoutError, WebSocketException):
            pass
    assert target.chief.get("/healthz").json()["ok"] is True
    assert not [record for record in caplog.records if record.exc_info]
