"""Any encoding, any end of line: the same games."""

import codecs

import pytest

from hw_sim.records.decoding import decode
from hw_sim.records.read import read_text

TEXT = """[Event "Żurek Łódź"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Auction "N"]
1S =1= AP
[Note "1:ciężki"]
"""
PLAIN = TEXT.translate(str.maketrans("ŻŁóźęż", "ZLozez"))

ENCODINGS = [
    pytest.param(TEXT.encode("utf-8"), TEXT, "utf-8", id="UTF-8"),
    pytest.param(codecs.BOM_UTF8 + TEXT.encode("utf-8"), TEXT, "utf-8", id="UTF-8 with a mark"),
    pytest.param(
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), TEXT, "utf-16-le", id="UTF-16 little, marked"
    ),
    pytest.param(codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), TEXT, "utf-16-be", id="UTF-16 big, marked"),
    pytest.param(TEXT.encode("utf-16-le"), TEXT, "utf-16-le", id="UTF-16 little, no mark"),
    pytest.param(TEXT.encode("utf-16-be"), TEXT, "utf-16-be", id="UTF-16 big, no mark"),
    pytest.param(TEXT.encode("iso8859-2"), TEXT, "iso8859-2", id="ISO-8859-2, told by its letters"),
    pytest.param(PLAIN.encode("ascii"), PLAIN, "ascii", id="ASCII"),
    pytest.param("“café”".encode("cp1252"), "“café”", "cp1252", id="Windows-1252"),
    pytest.param(
        "Hôtel des Indes\xa0- Paris".encode("cp1252"),
        "Hôtel des Indes\xa0- Paris",
        "cp1252",
        id="a hard space",
    ),
    pytest.param(
        b"% charset=KOI8-R\n\xd4\xd5\xda", "% charset=KOI8-R\nтуз", "koi8-r", id="named in the file"
    ),
    pytest.param(b"% charset=UTF-16\n\xe9", "% charset=UTF-16\né", "cp1252", id="a name that cannot be true"),
    pytest.param(b"% charset=rot13\n\xe9", "% charset=rot13\né", "cp1252", id="a name of no code for text"),
]


@pytest.mark.parametrize(("data", "text", "encoding"), ENCODINGS)
def test_what_a_file_says_in_its_own_encoding(data: bytes, text: str, encoding: str) -> None:
    decoded = decode(data)
    assert (decoded.text, decoded.encoding) == (text, encoding)
    assert decoded.remarks == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "iso8859-2"])
def test_ends_of_lines_are_all_the_same(end: str, encoding: str) -> None:
    games = list(read_text(decode(TEXT.replace("\n", end).encode(encoding)).text, "x.pbn"))
    assert games == list(read_text(TEXT, "x.pbn"))
    assert len(games) == 1


def test_an_old_end_mark_in_the_middle_of_joined_files_ends_nothing() -> None:
    decoded = decode((PLAIN + "\x1a" + PLAIN + "\x1a").encode())
    assert len(list(read_text(decoded.text, "x.pbn"))) == 2


def test_damage_is_said() -> None:
    assert "replacement" in decode(codecs.BOM_UTF16_LE + b"a\x00b").remarks[0]
    assert "zero" in decode(b"[Board \x00 1]").remarks[0]
    assert "replacement" in decode(b"\x81\xe9").remarks[0]
