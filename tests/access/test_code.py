"""The enrolment code: what a person copies, what he may get wrong, and what it proves."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from director_console.broker_admin.authority import make_authority
from table_controller.enrolment.protocol import (
    FINGERPRINT_BYTES,
    SECRET_BYTES,
    AnswerWrong,
    CodeWrong,
    EnrolmentCode,
    fingerprint,
    parse_code,
    read_granted,
    read_redeem,
)
from tests.access.rig import now

CODE = EnrolmentCode(
    host="hall.local", port=8471, fingerprint=bytes(range(16)), secret=bytes(range(100, 116))
)
hosts = st.sampled_from(["hall.local", "192.168.1.10", "[fe80::1]", "a-b.example"])
parts = st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES)


@given(hosts, st.integers(1, 65535), parts, parts)
def test_what_is_copied_is_what_was_made(host: str, port: int, secret: bytes, print_: bytes) -> None:
    code = EnrolmentCode(host=host, port=port, fingerprint=print_, secret=secret)
    assert parse_code(code.text()) == code


@pytest.mark.parametrize(
    "as_typed",
    [
        str.lower,
        lambda text: text.replace("-", ""),
        lambda text: text.replace("-", " "),
        lambda text: text[:16] + text[16:].replace("0", "O").replace("1", "l"),
        lambda text: f"  {text}\n",
    ],
    ids=["small letters", "no hyphens", "spaces", "O and l", "around it"],
)
def test_how_a_person_may_type_it(as_typed) -> None:
    assert parse_code(as_typed(CODE.text())) == CODE


@given(st.data())
def test_one_wrong_letter_anywhere_is_noticed(data: st.DataObject) -> None:
    text = CODE.text()
    place = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.sampled_from("0123456789ABCDEFGHJKMNPQRSTVWXYZabc./:"))
    wrong = text[:place] + letter + text[place + 1 :]
    try:
        understood = parse_code(wrong)
    except CodeWrong:
        return
    assert understood == CODE  # a small letter, or the same one


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected HOST:PORT/"),
        ("hall.local/ABC", "expected HOST:PORT/"),
        ("hall.local:99999/ABC", "expected HOST:PORT/"),
        ("hall local:1:2/ABC", "expected HOST:PORT/"),
        ("hall.local:8471/ABC", "has 3 letters after the address, expected 56"),
        (CODE.text()[:-1], "has 55 letters"),
        (CODE.text()[:-1] + "?", "eight groups of seven"),
        (CODE.text().replace("8471", "8472"), "its address is mistyped"),
        (CODE.text().replace("hall", "ball"), "its address is mistyped"),
    ],
)
def test_what_is_no_code_is_refused_in_one_sentence(text: str, says: str) -> None:
    with pytest.raises(CodeWrong, match=says):
        parse_code(text)


def test_a_refusal_and_a_repr_show_nothing_of_the_secret() -> None:
    assert CODE.secret.hex() not in repr(CODE)
    assert repr(CODE.secret)[2:-1] not in repr(CODE)
    digits = CODE.text().partition("/")[2]
    with pytest.raises(CodeWrong) as refused:
        parse_code(CODE.text()[:-1] + "0")
    assert digits[:14] not in str(refused.value)


def test_the_code_fits_its_own_authority_and_no_other() -> None:
    ours, theirs = make_authority("hall", now()), make_authority("hall", now())
    code = EnrolmentCode(host="h", port=1, fingerprint=fingerprint(ours.pem), secret=b"x" * SECRET_BYTES)
    assert len(code.fingerprint) == FINGERPRINT_BYTES
    assert code.fits(ours.pem)
    assert not code.fits(theirs.pem)
    assert not code.fits("no certificate at all")


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{}", b'{"v":2}', b"\xff\xfe", b'{"v":1,"secret":"zz"}', b"[" * 9000]
)
def test_bytes_that_are_no_question_or_answer_are_refused(raw: bytes) -> None:
    for read in (read_redeem, read_granted):
        with pytest.raises(AnswerWrong):
            read(raw)
