"""Every operation the console describes, tried by everybody who should not.

The operations are read from the service's own description while it runs; a test sees to it that nothing is
left out of it. Whatever is tried: no effect, no trace of a secret, no answer of the 500s.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from starlette.routing import Route
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from director_console.store.people import Role
from tests.access.target import JSON, Target

PUBLIC = {"/public", "/public/state"}
OPEN_TO_ALL = {"/login", "/healthz", "/favicon.ico", *PUBLIC}


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    made = Target(tmp_path_factory.mktemp("console"))
    yield made
    made.rig.close()


def test_the_description_leaves_nothing_out(target: Target) -> None:
    described = {(one.method.upper(), one.path) for one in target.operations}
    served = {
        (method, re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path))
        for route in target.rig.running.app.routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert described == served
    assert len(target.posts()) > 20


def test_without_a_login_nothing_is_done_and_nothing_is_shown(target: Target) -> None:
    before = target.everything()
    for operation in target.operations:
        path = target.path(operation.path)
        if path in OPEN_TO_ALL:
            continue
        for headers in ({}, JSON):
            stranger = target.rig.stranger()
            if operation.method == "get":
                answer = stranger.get(path, headers=headers)
            else:
                answer = stranger.post(path, data=target.good(operation, Role.CHIEF), headers=headers)
            assert answer.status_code in (303, 401), (operation.name, answer.status_code)
            assert answer.headers.get("location", "/login").startswith("/login")
            target.harmless(answer)
            assert "auction" not in answer.text
    assert target.everything() == before


def test_what_the_hall_may_see_holds_nothing_else(target: Target) -> None:
    for path in PUBLIC:
        answer = target.rig.stranger().get(path)
        assert answer.status_code == 200
        target.harmless(answer)
        assert "set-cookie" not in answer.headers
        assert not re.search(r"auction|csrf|/live|board", answer.text)


@pytest.mark.parametrize("role", [Role.OBSERVER, Role.DIRECTOR])
def test_with_too_small_a_role_nothing_is_done(target: Target, role: Role) -> None:
    client, before, tried = target.clients[role], target.everything(), 0
    for operation in target.posts():
        needed = operation.role
        if needed is None or role.may(needed):
            continue
        tried += 1
        answer = client.post(target.path(operation.path), data=target.good(operation, role))
        assert answer.status_code == 403, operation.name
        target.harmless(answer, own=role)
    assert tried > (3 if role is Role.DIRECTOR else 15)
    if role is Role.OBSERVER:
        for operation in target.posts():
            if operation.role is None and operation.name != "log_in":
                answer = client.post(target.path(operation.path), data=target.good(operation, role))
                assert answer.status_code == 403, operation.name
    assert target.everything() == before


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://elsewhere.example", "sec-fetch-site": "same-origin"},
    ],
    ids=lambda headers: " ".join(headers.values()),
)
def test_from_another_sites_page_nothing_is_done(target: Target, headers: dict[str, str]) -> None:
    before = target.everything()
    for operation in target.posts():
        answer = target.chief.post(
            target.path(operation.path), data=target.good(operation, Role.CHIEF), headers=headers
        )
        assert answer.status_code == 403, operation.name
        target.harmless(answer)
    assert target.everything() == before


def test_with_another_logins_token_or_none_nothing_is_done(target: Target) -> None:
    before = target.everything()
    for operation in target.posts():
        if operation.name == "log_in":
            continue
        for csrf in ("", "x", target.csrf[Role.DIRECTOR], target.csrf[Role.CHIEF] + "x", "é" * 10):
            data = {**target.good(operation, Role.CHIEF), "csrf": csrf}
            answer = target.chief.post(target.path(operation.path), data=data)
            assert answer.status_code == 403, (operation.name, csrf)
    assert target.everything() == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "PROPFIND"])
def test_other_methods_do_nothing(target: Target, method: str) -> None:
    before = target.everything()
    for path in {target.path(one.path) for one in target.operations}:
        answer = target.chief.request(method, path)
        assert answer.status_code in (403, 404, 405), (method, path)
        target.harmless(answer, own=Role.CHIEF)
    assert target.everything() == before


def test_paths_that_lead_out_of_the_static_files_lead_nowhere(target: Target) -> None:
    for path in ("/static/../cli.py", "/static/%2e%2e/cli.py", "/static/..%2fcli.py", "/static//etc/passwd",
                 "/static/%00", "/static/", "/static/console.css/..", "/../../etc/passwd"):  # fmt: skip
        answer = target.rig.stranger().get(path)
        assert answer.status_code in (303, 307, 400, 401, 404), path
        assert "import" not in answer.text
        target.harmless(answer)


@pytest.mark.parametrize(
    ("headers", "logged_in"),
    [
        ({}, False),
        ({"origin": "https://elsewhere.example"}, True),
        ({"cookie": "screen_table_login=x"}, False),
    ],
    ids=["nobody", "another site", "a wrong cookie"],
)
def test_the_live_connection_is_not_for_everybody(
    target: Target, headers: dict[str, str], logged_in: bool
) -> None:
    url = target.rig.base.replace("http", "ws") + "/live"
    if logged_in:
        headers["cookie"] = "; ".join(f"{one.name}={one.value}" for one in target.chief.cookies.jar)
    assert heard(url, headers) is None


def heard(url: str, headers: dict[str, str]) -> str | bytes | None:
    """What the live connection says to one who asks for a tile; None where it is not for him."""
    try:
        with connect(url, additional_headers=headers) as live:
            live.send(json.dumps({"keys": ["tile:7", "queue:"], "since": 0}))
            return live.recv(timeout=2)
    except WebSocketException:
        return None
