"""Layers: the last wins, supplements go on top, and what is not right is refused in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from table_controller.laws.seat import Seat
from table_controller.regulations import load as loading
from table_controller.regulations.errors import RegulationsError
from table_controller.regulations.keys import ALL, IN_SECONDS
from table_controller.regulations.layer import read_layer
from table_controller.regulations.load import load
from table_controller.regulations.strategies import OpensOn

HEAD = """
id = "cup"
title = { en = "The cup", zh-CN = "杯赛" }
[documents.cup]
title = "Conditions of contest"
date = "2024-03-01"
"""
LAWS = '[documents.laws]\ntitle = "Laws"\ndate = "2017"\ncode = "2017"\nstanding = "text"\n'


def supplement(tmp_path: Path, body: str, head: str = HEAD, name: str = "cup.toml") -> Path:
    path = tmp_path / name
    path.write_text(head + body, encoding="utf-8")
    return path


def test_a_supplement_wins_over_the_profile_and_says_who_it_is(tmp_path: Path) -> None:
    body = (
        "[provisions.tempo]\nreference_s = "
        '{ value = 12.5, document = "cup", article = "7", standing = "text" }\n'
    )
    regs = load("ccba-2006", [supplement(tmp_path, body)])
    found = regs.tempo.reference_s
    assert (found.value, found.layer, found.date) == (12.5, "cup", "2024-03-01")
    assert found.citation.document == "Conditions of contest"
    assert regs.layers == ("laws-2017", "ccba-2006", "cup")
    assert regs.id == "ccba-2006"
    assert regs.window == load("ccba-2006").window


def test_of_two_supplements_the_last_wins(tmp_path: Path) -> None:
    def body(seconds: int) -> str:
        return provision(f"value = {seconds}, {GOOD}", "reference_s", "tempo")

    first = supplement(tmp_path, body(5))
    second = supplement(tmp_path, body(7), HEAD.replace('"cup"', '"final"', 1), "final.toml")
    assert load("dbf", [first, second]).tempo.reference_s.value == 7
    assert load("dbf", [second, first]).tempo.reference_s.value == 5


def test_the_order_of_layers_is_the_order_of_the_chain(tmp_path: Path) -> None:
    body = (
        '[provisions.window]\nopens_on = { value = "lead_announced", document = "cup", standing = "text" }\n'
    )
    regs = load(supplement(tmp_path, body, 'under = "ebl-2016"\n' + HEAD))
    assert regs.layers == ("laws-2017", "wbf", "ebl-2016", "cup")
    assert regs.window.opens_on.value is OpensOn.LEAD_ANNOUNCED


def test_a_seating_of_south_with_east_is_a_provision(tmp_path: Path) -> None:
    body = (
        "[provisions.seats]\nscreen_sides = { value = { ne = ['N', 'W'], sw = ['S', 'E'] },"
        ' document = "cup", standing = "text" }\n'
    )
    faces = load("ccba-2006", [supplement(tmp_path, body)]).seats.screen_sides.value
    assert faces.screenmate(Seat.S) is Seat.E


def provision(rest: str, key: str = "opens_on", group: str = "window") -> str:
    return f"[provisions.{group}]\n{key} = {{ {rest} }}\n"


GOOD = 'document = "cup", standing = "text"'
REFUSED: list[tuple[str, str, str]] = [
    ("no citation", provision('value = "lead_faced", standing = "text"'), "window.opens_on: no citation"),
    ("no standing", provision('value = "lead_faced", document = "cup"'), "opens_on.standing: missing"),
    ("no value", provision(GOOD), "window.opens_on.value: missing"),
    ("unknown strategy", provision(f'value = "lead_thrown", {GOOD}'), "expected one of lead_placed"),
    ("wrong type", provision(f"value = 3, {GOOD}"), "window.opens_on.value: expected one of"),
    ("unknown group", provision(f"value = 3, {GOOD}", group="door"), "provisions.door.opens_on: unknown key"),
    ("unknown key", provision(f"value = 3, {GOOD}", key="opens"), "provisions.window.opens: unknown key"),
    (
        "unknown field",
        provision(f'value = "lead_faced", {GOOD}, why = "x"'),
        "window.opens_on.why: unknown key",
    ),
    (
        "unknown document",
        provision('value = "lead_faced", document = "x", standing = "text"'),
        "'x' is not in",
    ),
    (
        "unknown standing",
        provision('value = "lead_faced", document = "cup", standing = "sure"'),
        "not 'sure'",
    ),
    (
        "bad date",
        provision(f'value = "lead_faced", {GOOD}, date = "2024-13"'),
        "opens_on.date: expected a date",
    ),
    (
        "date no date",
        provision(f"value = 'lead_faced', {GOOD}, date = 'May'"),
        "opens_on.date: expected a date",
    ),
    (
        "date a number",
        provision(f"value = 'lead_faced', {GOOD}, date = 2024"),
        "opens_on.date: expected a date",
    ),
    ("article empty", provision(f"value = 'lead_faced', {GOOD}, article = ''"), "article: expected text"),
    (
        "negative wait",
        provision(f"value = -1, {GOOD}", "open_within_s"),
        "expected a number above zero, not -1",
    ),
    ("wait infinite", provision(f"value = inf, {GOOD}", "open_within_s"), "expected a number above zero"),
    ("wait a truth", provision(f"value = true, {GOOD}", "open_within_s"), "expected a number above zero"),
    ("truth a number", provision(f"value = 1, {GOOD}", "may_vary", "tempo"), "expected true or false, not 1"),
    ("group no table", "[provisions]\nwindow = 3\n", "provisions.window: expected a table"),
    ("provision no table", "[provisions.window]\nopens_on = 'lead_faced'\n", "expected a table"),
    ("top-level key", "[window]\nx = 1\n", "window: unknown key"),
    ("document without date", '[documents.b]\ntitle = "B"\n', "documents.b.date: missing"),
    ("document code", '[documents.b]\ntitle = "B"\ndate = "1999"\ncode = "1963"\n', "documents.b.code"),
    (
        "unknown kind",
        f"[articles]\nTRAY_ATE_CARD = {{ articles = ['1'], {GOOD} }}\n",
        "articles.TRAY_ATE_CARD",
    ),
    ("kind without source", "[articles]\nTRAY_STALLED = {}\n", "articles.TRAY_STALLED: no citation"),
    (
        "kind without document",
        "[articles]\nTRAY_STALLED = { articles = ['3'] }\n",
        "TRAY_STALLED: no citation",
    ),
    (
        "kind sees nothing",
        "[articles]\nTRAY_STALLED = { see = ['tray.lost'] }\n",
        "'tray.lost' is no provision",
    ),
    ("law without code", f"[articles]\nTRAY_STALLED = {{ articles = ['L9'], {GOOD} }}\n", "'laws' is not in"),
    (
        "unknown guidance",
        f"[guidance]\nHINT = {{ bears_on = ['SUMMONS'], {GOOD} }}\n",
        "guidance.HINT: unknown",
    ),
    ("guidance kind", f"[guidance]\nREVOKE = {{ bears_on = ['REVOKE'], {GOOD} }}\n", "'REVOKE' is no kind"),
    (
        "mover sits elsewhere",
        provision(f"value = {{ne='S',sw='N'}}, {GOOD}", "movers", "tray"),
        "do not sit on",
    ),
    (
        "mover missing",
        provision(f"value = {{ne='N'}}, {GOOD}", "movers", "tray"),
        "expected a table with ne, sw",
    ),
    (
        "seat twice",
        provision(f"value={{ne=['N','N'],sw=['S','W']}}, {GOOD}", "screen_sides", "seats"),
        "faces:",
    ),
    ("not TOML", "[provisions\n", "not TOML"),
    ("made for another", 'under = "acbl"\n', "made for 'acbl'"),
]


@pytest.mark.parametrize(
    ("body", "says"), [(b, s) for _, b, s in REFUSED], ids=[name for name, _, _ in REFUSED]
)
def test_refused_in_one_sentence_naming_file_and_key(tmp_path: Path, body: str, says: str) -> None:
    head = body + HEAD if body.startswith("under") else HEAD
    path = supplement(tmp_path, "" if body.startswith("under") else body, head)
    with pytest.raises(RegulationsError) as refused:
        load("ccba-2006", [path])
    message = str(refused.value)
    assert message.startswith(str(path))
    assert says in message
    assert "\n" not in message


def test_without_an_id_or_title_it_is_refused(tmp_path: Path) -> None:
    for missing in ("id", "title"):
        head = "\n".join(line for line in HEAD.splitlines() if not line.startswith(f"{missing} ="))
        with pytest.raises(RegulationsError, match=f"{missing}: missing"):
            load("dbf", [supplement(tmp_path, "", head)])


def test_a_profile_without_a_layer_below_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RegulationsError, match="under: missing"):
        load(supplement(tmp_path, ""))


def test_a_layer_cannot_lie_above_itself(tmp_path: Path) -> None:
    with pytest.raises(RegulationsError, match="lies above itself"):
        load(supplement(tmp_path, "", 'under = "cup"\n' + HEAD))


def test_the_same_supplement_twice_is_refused(tmp_path: Path) -> None:
    path = supplement(tmp_path, "")
    with pytest.raises(RegulationsError, match="already a layer"):
        load("dbf", [path, path])


def test_missing_and_unreadable_files_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(RegulationsError, match=r"nowhere\.toml: cannot be read"):
        load("dbf", [tmp_path / "nowhere.toml"])
    (tmp_path / "latin.toml").write_bytes(b'id = "\xff"')
    with pytest.raises(RegulationsError, match="not UTF-8"):
        load("dbf", [tmp_path / "latin.toml"])
    with pytest.raises(RegulationsError, match="there is no profile 'abf'"):
        load("abf")


class Point:
    """An entry point as the standard library gives it, as far as the loader looks."""

    def __init__(self, name: str, found: object) -> None:
        self.name = name
        self._found = found

    def load(self) -> object:
        return self._found


def test_another_package_can_ship_a_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = supplement(tmp_path, "", 'under = "acbl"\n' + HEAD)
    monkeypatch.setattr(loading, "entry_points", lambda group: [Point("cup", path)])
    assert load("cup").layers == ("laws-2017", "acbl", "cup")
    assert "cup" in loading.available()
    monkeypatch.setattr(loading, "entry_points", lambda group: [Point("other", str(path))])
    with pytest.raises(RegulationsError, match="the two must be the same"):
        load("other")
    monkeypatch.setattr(loading, "entry_points", lambda group: [Point("other", 3)])
    with pytest.raises(RegulationsError, match="expected the path"):
        load("other")


def test_two_profiles_of_other_packages_under_each_other_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = supplement(tmp_path, "", 'under = "two"\n' + HEAD.replace('"cup"', '"one"', 1), "one.toml")
    two = supplement(tmp_path, "", 'under = "one"\n' + HEAD.replace('"cup"', '"two"', 1), "two.toml")
    monkeypatch.setattr(loading, "entry_points", lambda group: [Point("one", one), Point("two", two)])
    with pytest.raises(RegulationsError, match="lies above itself"):
        load("one")


def test_every_wait_is_named_in_seconds() -> None:
    assert "tray.stalled_after_s" in IN_SECONDS
    assert all(ALL[name].parse(1) == 1.0 for name in IN_SECONDS)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=60, deadline=None)
@given(value=VALUES)
def test_a_value_is_read_or_refused_with_what_was_expected(name: str, value: Any) -> None:
    message = "read"
    try:
        hash(ALL[name].parse(value))
    except ValueError as refused:
        message = str(refused)
    assert message
    assert message.isprintable()


@settings(max_examples=200, deadline=None)
@given(text=st.text(alphabet='abid=[]."{}\n 0123', max_size=60))
def test_any_text_is_a_layer_or_refused(text: str) -> None:
    with pytest.raises(RegulationsError, match=r"^x\.toml: ") as refused:
        read_layer(text, "x.toml")
    assert "\n" not in str(refused.value)


def test_a_supplement_nested_without_end_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text("a=" + "[" * 20_000)
    with pytest.raises(RegulationsError, match=r"deep\.toml: not TOML: it is nested more than 32 deep"):
        load("dbf", [path])


def test_a_byte_order_mark_is_no_part_of_a_supplement(tmp_path: Path) -> None:
    path = supplement(tmp_path, "")
    wanted = load("dbf", [path])
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert load("dbf", [path]) == wanted
