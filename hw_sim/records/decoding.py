"""Bytes of a record file to text, whatever program on whatever system wrote them.

Must never fail and never lose a line: what cannot be told is read as Windows-1252, and bytes that even
that does not have become replacement characters, which is remarked on.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NAMED = re.compile(rb"charset\s*=\s*\"?([A-Za-z0-9_-]+)", re.IGNORECASE)
_ONE_BYTE_CODES = ("iso8859", "cp125", "cp437", "cp85", "koi8", "mac-")
_LETTER = rb"[A-Za-z]"
# Polish, Czech and Hungarian letters of ISO-8859-2 whose bytes are signs, not letters, in Windows-1252:
# beside a letter they are hardly ever signs.
_LATIN_2 = re.compile(
    rb"(?:%s[\xa1\xa3\xa6\xac\xaf\xb1\xb3\xb6\xb9\xbc\xbe\xbf])|(?:[\xa3\xa6\xaf\xac]%s)" % (_LETTER, _LETTER)
)
_WINDOWS_ONLY = re.compile(rb"[\x80-\x9f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Text with `\\n` at the end of every line, how it was encoded, and what had to be said about it."""

    text: str
    encoding: str
    remarks: tuple[str, ...] = ()


def decode(data: bytes) -> Text:
    """The text of a file's bytes: by its mark, by its zero bytes, as UTF-8, or as a one-byte code."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _as(data[len(mark) :], encoding)
    wide = _wide(data)
    if wide is not None:
        return _as(data, wide)
    try:
        return _as(data, "ascii" if data.isascii() else "utf-8", strict=True)
    except UnicodeDecodeError:
        return _as(data, _one_byte(data))


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark: plain text has a zero in every other byte."""
    sample = data[:4096]
    if len(sample) < 4:
        return None
    half = len(sample) // 2
    if sample[1::2].count(0) > half * 0.6 and sample[0::2].count(0) < half * 0.1:
        return "utf-16-le"
    if sample[0::2].count(0) > half * 0.6 and sample[1::2].count(0) < half * 0.1:
        return "utf-16-be"
    return None


def _one_byte(data: bytes) -> str:
    named = _NAMED.search(data[:4096])
    if named is not None:
        try:
            name = codecs.lookup(named.group(1).decode("ascii")).name
        except LookupError:
            name = ""
        if name.startswith(_ONE_BYTE_CODES):
            return name
    if not _WINDOWS_ONLY.search(data) and _LATIN_2.search(data):
        return "iso8859-2"
    return "cp1252"


def _as(data: bytes, encoding: str, *, strict: bool = False) -> Text:
    text = data.decode(encoding, "strict" if strict else "replace")
    remarks = []
    if "\ufffd" in text:
        remarks.append(f"some bytes are not {encoding} and became replacement characters")
    if "\x00" in text:
        remarks.append("zero characters in the text were dropped")
    # Ctrl-Z once marked the end of a file; files joined together have it in the middle.
    text = text.replace("\x00", "").replace("\x1a", "\n").lstrip("\ufeff")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Text(text=text, encoding=encoding, remarks=tuple(remarks))
