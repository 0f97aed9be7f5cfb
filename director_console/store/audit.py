"""The audit log: who did what and when, each row bound to the one before by a hash.

Pure. A row taken out, changed or put in between breaks the chain from there on, and `first_break` says where.
Must never hold a secret: passwords, keys, tokens and cookies have no place in `detail`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

START = "0" * 64


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """`n` counts from 1; `at`: Unix ms; `detail`: a JSON object as text."""

    n: int
    at: int
    by: str
    act: str
    detail: str
    previous: str
    hash: str


def hash_of(n: int, at: int, by: str, act: str, detail: str, previous: str) -> str:
    text = json.dumps([n, at, by, act, detail, previous], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def next_row(last: AuditRow | None, at: int, by: str, act: str, detail: str) -> AuditRow:
    n = 1 if last is None else last.n + 1
    previous = START if last is None else last.hash
    digest = hash_of(n, at, by, act, detail, previous)
    return AuditRow(n=n, at=at, by=by, act=act, detail=detail, previous=previous, hash=digest)


def first_break(rows: Iterable[AuditRow]) -> int | None:
    """The number of the first row that does not follow from the one before, None if all do."""
    previous, expected = START, 1
    for row in rows:
        digest = hash_of(row.n, row.at, row.by, row.act, row.detail, row.previous)
        if row.n != expected or row.previous != previous or row.hash != digest:
            return expected
        previous, expected = row.hash, expected + 1
    return None
