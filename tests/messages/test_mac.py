"""Canonical JSON has one spelling, and the code notices every change."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings, strategies as st

from table_controller.messages import mac
from table_controller.messages.codec import Json

KEY = bytes(range(32))
OTHER = bytes(range(1, 33))
OBJECTS = st.dictionaries(
    st.text(max_size=6),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=6),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=6,
    ),
    max_size=5,
)


def encodable(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


@settings(max_examples=200, deadline=None)
@given(value=OBJECTS.filter(encodable))
def test_canonical_json_is_read_back_and_spelt_the_same(value):
    once = mac.canonical(value)
    assert mac.parse_object(once) == value
    assert mac.canonical(mac.parse_object(once)) == once


def test_order_and_spaces_do_not_matter_and_other_letters_stay_themselves():
    first = mac.parse_object('{"b": 1, "a": {"y": "桥牌", "x": []}}'.encode())
    assert mac.canonical(first).decode() == '{"a":{"x":[],"y":"桥牌"},"b":1}'


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"[]",
        b"1",
        b"null",
        b"{",
        b'{"a": 1.5}',
        b'{"a": 1e3}',
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": 1, "a": 2}',
        b'{"a": {"b": 1, "b": 1}}',
        b'{"a": "\xff"}',
        b"[" * 20000,
        b'{"a":' * 5000,
        b'{"a": ' + b"1" * 9000 + b"}",
        b'{"a": "' + b"x" * mac.MAX_BYTES + b'"}',
    ],
)
def test_what_is_no_plain_object_is_refused_in_one_sentence(payload):
    with pytest.raises(mac.NotCanonical) as caught:
        mac.parse_object(payload)
    assert "\n" not in str(caught.value)


def test_half_a_surrogate_pair_is_refused_before_it_reaches_a_code():
    with pytest.raises(mac.NotCanonical):
        mac.canonical(mac.parse_object(rb'{"a": "\ud800"}'))
    assert not mac.verify(mac.parse_object(rb'{"a": "\ud800", "mac": "00"}'), KEY)


def not_verified(payload: bytes) -> bool:
    try:
        return not mac.verify(mac.parse_object(payload), KEY)
    except mac.NotCanonical:
        return True


def test_a_known_code_for_whoever_writes_another_console():
    message: dict[str, Json] = {"v": 1, "body": {"what": "note"}, "table": "7"}
    assert mac.canonical(message) == b'{"body":{"what":"note"},"table":"7","v":1}'
    assert mac.code(message, KEY) == "3188a0bc68b2328182ad70cd4b9fccd94c9151768a36c1c6edffcbd24ed7e70d"


def test_every_changed_byte_is_noticed():
    sealed = mac.seal({"v": 1, "table": "7", "body": {"n": 12}}, KEY)
    assert mac.verify(mac.parse_object(sealed), KEY)
    assert not mac.verify(mac.parse_object(sealed), OTHER)
    for position in range(len(sealed)):
        for bit in range(8):
            changed = bytearray(sealed)
            changed[position] ^= 1 << bit
            assert not_verified(bytes(changed)), bytes(changed)


def test_a_message_without_a_code_or_with_a_strange_one_is_not_believed():
    codes: tuple[Json, ...] = (None, 5, "", "é" * 64, ["a"])
    for code in codes:
        assert not mac.verify({"v": 1, "mac": code}, KEY)
    assert not mac.verify({"v": 1}, KEY)


def test_unknown_fields_are_under_the_code_too():
    sealed = mac.parse_object(mac.seal({"v": 1, "later": "x"}, KEY))
    assert mac.verify(sealed, KEY)
    assert not mac.verify({**sealed, "later": "y"}, KEY)
    assert not mac.verify({name: value for name, value in sealed.items() if name != "later"}, KEY)


class TestKeys:
    def test_keys_are_read_and_never_shown(self, tmp_path):
        path = tmp_path / "keys.json"
        path.write_text(json.dumps({"venue": OTHER.hex(), "tables": {"7": KEY.hex()}}))
        keys = mac.load_keys(path)
        assert keys.of("7") == KEY
        assert keys.of(None) == OTHER
        assert keys.of("8") is None
        assert KEY.hex() not in repr(keys)
        assert repr(KEY) not in repr(keys)

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            ("", "not JSON"),
            ("{}", "venue: expected at least 32 hexadecimal digits"),
            ('{"venue": "zz"}', "venue: expected"),
            ('{"venue": "00112233445566778899aabbccddeeff", "tables": {"7": "0011"}}', "tables.7: expected"),
            ('{"venue": "00112233445566778899aabbccddeeff", "tabels": {}}', "unknown key 'tabels'"),
            ('{"venue": "00112233445566778899aabbccddeeff", "tables": []}', "tables: expected an object"),
        ],
    )
    def test_a_bad_key_file_is_refused_with_file_and_key_and_no_secret(self, tmp_path, content, says):
        path = tmp_path / "keys.json"
        path.write_text(content)
        with pytest.raises(mac.KeysUnusable) as caught:
            mac.load_keys(path)
        assert says in str(caught.value)
        assert str(path) in str(caught.value)
        assert "8899aabb" not in str(caught.value)

    def test_a_missing_key_file_says_what_to_do(self, tmp_path):
        with pytest.raises(mac.KeysUnusable, match="enrolment"):
            mac.load_keys(tmp_path / "none.json")
