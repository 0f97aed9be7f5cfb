"""Who may do what: every form and page tried without login, with too small a role, forged, oversized,
malformed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.routing import Route

from director_console.store.people import PASSWORD_LEAST, Role, make_code, users
from director_console.web.app import FORMS
from director_console.web.pages import ROUTES
from director_console.web.posting import Form
from tests.director_console.playing import Playing
from tests.director_console.web_rig import PASSWORD, WebRig

OPEN = {"/login", "/healthz", "/favicon.ico", "/public", "/public/state"}
PAGES = [route.path for route in ROUTES if isinstance(route, Route) and "GET" in (route.methods or ())]
KEY = "01ARZ3NDEKTSV4RRFFQ69G5FAV"


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebRig]:
    made = WebRig(tmp_path_factory.mktemp("access"))
    table = Playing("7", made.keys, 1)
    made.hear(
        *table.hello(), *table.step(), table.wired.entry(table.entry()), table.wired.fault(table.fault())
    )
    made.epoch = table.wired.epoch
    yield made
    made.close()


def filled(rig: WebRig, path: str) -> str:
    values = {"table": "7", "epoch": rig.epoch, "entry": "1", "fault": "2", "notice": "1", "export": KEY}
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda name: values[name[1]], path)


def csrf_of(client: httpx.Client) -> str:
    found = re.search(r'name="csrf" content="([^"]+)"', client.get("/account").text)
    assert found
    return found[1]


def fields_for(form: Form) -> dict[str, str]:
    """Something each field takes."""
    made: dict[str, str] = {}
    for field in form.fields:
        if field.options:
            made[field.name] = field.options[0]
        elif field.whole is not None:
            made[field.name] = str(field.whole[0])
        elif field.required:
            made[field.name] = "some text here"
    return made


def state_of(rig: WebRig) -> list[tuple[object, ...]]:
    """Everything a form could change, except who logged in and what was refused."""
    tables = "case_steps alarm_steps rulings commands notices reveals shifts contests drafts users "
    tables += "round_clocks time_rulings"
    rig.settle()
    return [
        (name, *rig.running.console.reader.execute(f"SELECT count(*) FROM {name}").fetchone())
        for name in [*tables.split(), "submissions", "exports"]
    ]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_no_form_does_anything_for_somebody_who_is_not_logged_in(rig: WebRig, form: Form) -> None:
    before = state_of(rig)
    answer = rig.stranger().post(filled(rig, form.path), data={"key": KEY, **fields_for(form)})
    assert (answer.status_code, answer.headers["location"][:6]) == (303, "/login")
    as_json = rig.stranger().post(filled(rig, form.path), headers={"accept": "application/json"})
    assert as_json.status_code == 401
    assert state_of(rig) == before


ONE_BELOW = {Role.DIRECTOR: "olga", Role.CHIEF: "ben"}


@pytest.mark.parametrize(
    "form", [form for form in FORMS if form.role in ONE_BELOW], ids=lambda form: form.name
)
def test_no_form_does_anything_for_too_small_a_role(rig: WebRig, form: Form) -> None:
    client = rig.login(ONE_BELOW[form.role])
    before = state_of(rig)
    data = {"csrf": csrf_of(client), "key": KEY, **fields_for(form)}
    assert client.post(filled(rig, form.path), data=data).status_code == 403
    assert state_of(rig) == before


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@pytest.mark.parametrize("csrf", ["", "wrong", "another login's"])
def test_a_forged_form_does_nothing(rig: WebRig, form: Form, csrf: str) -> None:
    token = csrf_of(rig.login("ben")) if csrf.startswith("another") else csrf
    before = state_of(rig)
    data = {"csrf": token, "key": KEY, **fields_for(form)}
    assert rig.client.post(filled(rig, form.path), data=data).status_code == 403
    assert state_of(rig) == before


@pytest.mark.parametrize(
    "headers", [{"origin": "https://elsewhere.example"}, {"sec-fetch-site": "cross-site"}]
)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_form_on_another_sites_page_does_nothing(rig: WebRig, form: Form, headers: dict[str, str]) -> None:
    before = state_of(rig)
    data = {"csrf": csrf_of(rig.client), "key": KEY, **fields_for(form)}
    assert rig.client.post(filled(rig, form.path), data=data, headers=headers).status_code == 403
    assert state_of(rig) == before


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_huge_or_malformed_body_is_refused_without_an_error_of_ours(rig: WebRig, form: Form) -> None:
    path = filled(rig, form.path)
    before = state_of(rig)
    assert rig.client.post(path, content=b"x" * 300_000).status_code == 413

    def endless() -> Iterator[bytes]:
        for _ in range(300):
            yield b"a=" + b"b" * 1000 + b"&"

    kind = {"content-type": "application/x-www-form-urlencoded"}
    assert rig.client.post(path, content=endless(), headers=kind).status_code in (400, 413)
    for content_type in (
        "application/json",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "nonsense",
    ):
        answer = rig.client.post(path, content=b"\xff\xfe{]--x", headers={"content-type": content_type})
        assert answer.status_code in (400, 403), content_type
    assert state_of(rig) == before


@pytest.mark.parametrize("declared", [True, False], ids=["length said", "length not said"])
def test_a_browser_gets_a_page_and_a_program_json_when_a_form_is_refused(rig: WebRig, declared: bool) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(300):
            yield b"a=" + b"b" * 1000 + b"&"

    large = b"a=" + b"b" * 300_000 if declared else endless
    kind = {"content-type": "application/x-www-form-urlencoded"}
    for accept, wanted in (("text/html,*/*;q=0.8", "text/html"), ("application/json", "application/json")):
        content = large if isinstance(large, bytes) else large()
        answer = rig.client.post("/session", content=content, headers={"accept": accept, **kind})
        assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (413, wanted)
        data = {"csrf": csrf_of(rig.client), "key": "short", "act": "start", "text": "kept words"}
        answer = rig.client.post("/shift", data=data, headers={"accept": accept})
        assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (422, wanted)
    page = rig.client.post("/shift", data=data, headers={"accept": "text/html"}).text
    assert "The form has no valid key" in page


@pytest.mark.parametrize("page", [page for page in PAGES if page not in OPEN])
def test_no_page_shows_anything_to_a_stranger(rig: WebRig, page: str) -> None:
    answer = rig.stranger().get(filled(rig, page))
    assert answer.status_code in (303, 401)
    assert not answer.headers.get("location", "/login").startswith("/queue")
    assert "South" not in answer.text


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", ["anna", "ben", "olga"])
def test_every_page_opens_for_those_who_may_see_it(rig: WebRig, page: str, name: str) -> None:
    answer = rig.login(name).get(filled(rig, page))
    wanted = {200, 301, 303}
    if page in ("/people",) and name != "anna":
        wanted = {403}
    if page.endswith("/time") and name == "olga":
        wanted = {403}
    if page.startswith("/evidence/{"):
        wanted = {404}
    if page.endswith("preview"):
        wanted = {422} if name != "olga" else {403}
    assert answer.status_code in wanted


def test_an_observer_is_offered_nothing_he_may_not_do(rig: WebRig) -> None:
    client = rig.login("olga")
    for page in (
        "/",
        "/queue",
        "/tables/7",
        f"/cases/7/{rig.epoch}/1",
        "/session",
        "/shift",
        "/system",
        "/evidence",
    ):
        posts = set(re.findall(r'<form[^>]*method="post"[^>]*action="([^"]+)"', client.get(page).text))
        assert posts <= {"/manner", "/logout"}, page


def test_headers_on_every_answer(rig: WebRig) -> None:
    for client, path in (
        (rig.client, "/"),
        (rig.stranger(), "/login"),
        (rig.client, "/nowhere"),
        (rig.client, "/static/console.css"),
    ):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
    assert rig.client.get("/").headers["cache-control"] == "no-store"


def test_no_page_has_an_inline_script_a_style_or_anything_from_elsewhere(rig: WebRig) -> None:
    for page in (page for page in PAGES if "export" not in page and "preview" not in page):
        html = rig.client.get(filled(rig, page)).text
        assert not re.search(r"<script(?![^>]*\bsrc=)", html), page
        assert not re.search(r"\son\w+=|\sstyle=|<style|javascript:", html), page
        for address in re.findall(r'(?:src|href|action)="([^"]*)"', html):
            assert re.match(r"[/#](?!/)", address) or address == "/", (page, address)


def test_cookies_cannot_be_read_by_scripts_or_sent_by_other_sites(rig: WebRig) -> None:
    answer = rig.stranger().post("/login", data={"name": "anna", "password": PASSWORD})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_wrong_logins_tell_nothing_and_are_slowed_down(tmp_path: Path) -> None:
    rig = WebRig(tmp_path)
    try:
        wrong = rig.stranger().post("/login", data={"name": "anna", "password": "no"})
        nobody = rig.stranger().post("/login", data={"name": "nobody", "password": "no"})
        assert (wrong.status_code, nobody.status_code) == (403, 403)
        plain = [re.sub(r"anna|nobody|\d{6,}", "", answer.text) for answer in (wrong, nobody)]
        assert plain[0] == plain[1]
        answers = [
            rig.stranger().post("/login", data={"name": "anna", "password": "no"}).status_code
            for _ in range(8)
        ]
        assert 429 in answers
        assert rig.stranger().post("/login", data={"name": "anna", "password": PASSWORD}).status_code == 429
        acts = [row[0] for row in rig.running.console.reader.execute("SELECT act FROM audit")]
        assert "login refused" in acts
    finally:
        rig.close()


def test_a_one_time_address_lets_in_once(tmp_path: Path) -> None:
    rig = WebRig(tmp_path)
    try:
        code = rig.running.desk.do(lambda act: make_code(act.book, "anna", act.now)).result(5)
        first = rig.stranger().get(f"/login?code={code}")
        assert (first.status_code, "set-cookie" in first.headers) == (303, True)
        second = rig.stranger().get(f"/login?code={code}")
        assert (second.status_code, "set-cookie" in second.headers) == (403, False)
    finally:
        rig.close()


def test_wrong_passwords_from_here_do_not_keep_a_one_time_address_out_and_codes_have_their_own_limit(
    tmp_path: Path,
) -> None:
    rig = WebRig(tmp_path)
    try:
        for _ in range(7):
            last = rig.stranger().post("/login", data={"name": "nobody", "password": "no"})
        assert last.status_code == 429
        code = rig.running.desk.do(lambda act: make_code(act.book, "anna", act.now)).result(5)
        assert rig.stranger().get(f"/login?code={code}").status_code == 303
        guesses = [rig.stranger().get(f"/login?code=guess{n}").status_code for n in range(7)]
        assert (guesses[0], guesses[-1]) == (403, 429)
    finally:
        rig.close()


def test_a_login_ends_when_it_is_ended_its_user_disabled_or_his_password_changed(tmp_path: Path) -> None:
    rig = WebRig(tmp_path)
    try:
        ben = rig.login("ben")
        assert ben.get("/queue").status_code == 200
        rig.post("/people", "/people/act", {"name": "ben", "act": "disable"})
        assert ben.get("/queue").status_code == 303
        assert rig.stranger().post("/login", data={"name": "ben", "password": PASSWORD}).status_code == 403
        rig.post("/people", "/people/act", {"name": "ben", "act": "observer"})
        ben = rig.login("ben")
        assert 'action="/tables/7/hold"' not in ben.get("/tables/7").text
        rig.post("/account", "/account", {"present": "wrong", "password": "x" * PASSWORD_LEAST})
        assert rig.client.get("/queue").status_code == 200
        rig.post("/account", "/account", {"present": PASSWORD, "password": "a new pass phrase"})
        assert rig.client.get("/queue").status_code == 303
        assert rig.login("anna", "a new pass phrase").get("/queue").status_code == 200
    finally:
        rig.close()


@pytest.mark.parametrize("name", ["Anna", "ANNA", "\u0430nna", "\uff41nna", "an na", "\u200banna", "安娜"])
def test_a_user_name_that_could_be_taken_for_anothers_is_refused(rig: WebRig, name: str) -> None:
    before = len(users(rig.running.console.reader))
    fields = {"name": name, "role": "director", "password": "x" * PASSWORD_LEAST}
    answer = rig.post("/people", "/people", fields)
    assert answer.status_code == 422
    assert 'id="e-people-name"' in answer.text
    assert len(users(rig.running.console.reader)) == before


def test_a_login_does_not_send_its_user_to_another_site(rig: WebRig) -> None:
    for asked in ("//elsewhere.example", "https://elsewhere.example", "/\\elsewhere", "javascript:alert(1)"):
        answer = rig.stranger().post("/login", data={"name": "anna", "password": PASSWORD, "next": asked})
        assert answer.headers["location"] == "/"


def test_nothing_secret_is_in_the_journal_a_page_or_a_log(rig: WebRig) -> None:
    raw = (rig.directory / "console.db").read_bytes() + (rig.directory / "console.db-wal").read_bytes()
    secrets = [
        PASSWORD.encode(),
        *(key.hex().encode() for key in rig.keys.tables.values()),
        rig.keys.venue.hex().encode(),
    ]
    secrets += [cookie.value.encode() for cookie in rig.client.cookies.jar if cookie.value]
    for secret in secrets:
        assert secret not in raw
    pages = "".join(rig.client.get(filled(rig, page)).text for page in PAGES)
    for secret in secrets:
        assert secret.decode() not in pages


def test_strange_values_in_every_field_are_never_an_error_of_ours(rig: WebRig) -> None:
    rng = random.Random(5)
    odd = [
        "",
        " ",
        "0",
        "-1",
        "9" * 30,
        "\u202etxt",
        "<script>alert(1)</script>",
        "'; DROP TABLE users; --",
        "🂡" * 50,
    ]
    odd += [
        "../../etc/passwd",
        "%00",
        "{{7*7}}",
        "{0.__class__}",
        "N",
        "accept",
        "1-999999",
        "\ud83d".encode("utf-8", "surrogatepass").decode("latin-1"),
    ]
    csrf = csrf_of(rig.client)
    for form in FORMS:
        if form.name in ("logout", "account"):
            continue
        for round_ in range(6):
            data: dict[str, list[str] | str] = {field.name: rng.choice(odd) for field in form.fields}
            data |= {"csrf": csrf, "key": f"{rng.randrange(10**26):026d}"}
            if round_ % 2:
                data[rng.choice(odd) or "x"] = "y"
            answer = rig.client.post(
                filled(rig, form.path), data=data, headers={"accept": "application/json"}
            )
            assert answer.status_code in (200, 303, 403, 404, 409, 413, 422), (form.name, data, answer.text)
            assert "<script>alert" not in answer.text or "application/json" in answer.headers["content-type"]
    for path in (
        "/tables/none",
        "/cases/7/none/1",
        "/cases/7/e/99999999999999999999",
        "/tables/%2e%2e",
        "/evidence/x.zip",
        "/static/../cli.py",
        "/api/changes?since=x&key=tile:none|q&key=zzz",
    ):
        assert rig.client.get(path).status_code in (200, 404), path
    assert rig.client.get("/healthz").json()["ok"] is True


def test_the_services_own_description_names_every_form_and_only_what_is_there(rig: WebRig) -> None:
    document = rig.client.get("/api/openapi.json").json()
    posts = {path for path, methods in document["paths"].items() if "post" in methods}
    others = {"/login", "/drafts", "/evidence/check"}
    assert posts - others == {re.sub(r":\w+\}", "}", form.path) for form in FORMS}
    assert rig.stranger().get("/api/openapi.json").status_code in (303, 401)
    rule = document["paths"]["/cases/{table}/{epoch}/{entry}/rule"]["post"]
    schema = rule["requestBody"]["content"]["application/x-www-form-urlencoded"]["schema"]
    assert {"csrf", "key", "verdict"} == set(schema["required"])
