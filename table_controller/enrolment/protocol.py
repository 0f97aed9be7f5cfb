"""What a table and its venue say to each other once, so that they trust each other afterwards.

A one-time code carries the address, the fingerprint of the venue's authority and a secret. The table asks for
the authority, believes it only if the fingerprint fits, and shows the secret over a connection that this
authority vouches for. Its private key is made at the table and never leaves it. Pure: no socket, no file, no
clock. Must never put a secret into a repr, an error or a log.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import ssl
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

VERSION = 1
AUTHORITY_PATH = "/authority"
REDEEM_PATH = "/redeem"
LARGEST = 32 * 1024
"""Bytes of the longest question or answer of an enrolment."""
SECRET_BYTES = 16
FINGERPRINT_BYTES = 16
_CHECK_BYTES = 3
_GROUP = 7
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_DIGITS = 56
"""Crockford's base 32 of 35 bytes."""
_MISREAD = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})
_ADDRESS = re.compile(r"(?P<host>[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:]{2,45}\]):(?P<port>[0-9]{1,5})\Z")


class CodeWrong(ValueError):
    """Text that is no enrolment code. One sentence that shows nothing of it."""


class AnswerWrong(ValueError):
    """An answer of the venue that is not what an enrolment gives. One sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrolmentCode:
    """Where to go, whom to believe, and what to show: `HOST:PORT/` and eight groups of seven."""

    host: str
    port: int
    fingerprint: bytes
    """The first bytes of the SHA-256 of the authority's certificate (DER)."""
    secret: bytes = field(repr=False)

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    def text(self) -> str:
        """The code as a person copies it."""
        raw = self.secret + self.fingerprint
        digits = _base32(raw + _check(self.address, raw))
        groups = [digits[start : start + _GROUP] for start in range(0, len(digits), _GROUP)]
        return f"{self.address}/{'-'.join(groups)}"

    def fits(self, authority_pem: str) -> bool:
        """Whether this certificate is the authority the code was made by."""
        try:
            return hmac.compare_digest(fingerprint(authority_pem), self.fingerprint)
        except ValueError:
            return False


def parse_code(text: str) -> EnrolmentCode:
    """The code a person typed; small letters, missing hyphens, O for 0 and I or L for 1 are understood.

    Raises CodeWrong.
    """
    address, slash, digits = "".join(text.split()).partition("/")
    found = _ADDRESS.match(address)
    port = int(found["port"]) if found else 0
    if not slash or found is None or not 0 < port < 65536:
        raise CodeWrong("this is no enrolment code: expected HOST:PORT/ and eight groups of seven letters")
    digits = digits.upper().translate(_MISREAD)
    if len(digits) != _DIGITS or any(digit not in _ALPHABET for digit in digits):
        raise CodeWrong(
            f"the enrolment code has {len(digits)} letters after the address, expected {_DIGITS} in eight "
            "groups of seven; copy it again"
        )
    raw = _bytes(digits)
    body, check = raw[:-_CHECK_BYTES], raw[-_CHECK_BYTES:]
    if check != _check(address, body):
        raise CodeWrong("the enrolment code or its address is mistyped; copy it again")
    return EnrolmentCode(
        host=found["host"], port=port, secret=body[:SECRET_BYTES], fingerprint=body[SECRET_BYTES:]
    )


def fingerprint(certificate_pem: str) -> bytes:
    """What a code says of an authority. Raises ValueError where this is no certificate in PEM."""
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate_pem.strip())).digest()[:FINGERPRINT_BYTES]


def _check(address: str, raw: bytes) -> bytes:
    return hashlib.sha256(address.lower().encode() + b"/" + raw).digest()[:_CHECK_BYTES]


def _base32(raw: bytes) -> str:
    number = int.from_bytes(raw)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(5 * (_DIGITS - 1), -5, -5))


def _bytes(digits: str) -> bytes:
    number = 0
    for digit in digits:
        number = number << 5 | _ALPHABET.index(digit)
    return number.to_bytes(_DIGITS * 5 // 8)


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Pem = Annotated[str, StringConstraints(max_length=8000)]
Hex = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32,128}$")]


class Redeem(_Said):
    """What a table says: its secret, and the request for a certificate of a key it alone has."""

    v: Literal[1] = 1
    secret: Hex = Field(repr=False)
    request: Pem
    """A certificate signing request in PEM."""
    venue: Name | None = None
    """With `event` and `table`: who the table takes itself for. Another's code is then not spent."""
    event: Name | None = None
    table: Name | None = None


class Granted(_Said):
    """What the venue answers: who the table is, where its broker is, its certificate and its keys."""

    v: Literal[1] = 1
    venue: Name
    event: Name
    table: Name
    broker: Annotated[str, StringConstraints(pattern=r"^mqtts://[^/@]{3,300}$")]
    authority: Pem
    certificate: Pem
    table_key: Hex = Field(repr=False)
    venue_key: Hex = Field(repr=False)


def read_redeem(raw: bytes) -> Redeem:
    """Raises AnswerWrong."""
    try:
        return Redeem.model_validate_json(raw)
    except ValidationError as problem:
        raise AnswerWrong(f"not the question of an enrolment: {_where(problem)}") from None


def read_granted(raw: bytes) -> Granted:
    """Raises AnswerWrong."""
    try:
        return Granted.model_validate_json(raw)
    except ValidationError as problem:
        raise AnswerWrong(f"not the answer of an enrolment: {_where(problem)}") from None


def _where(problem: ValidationError) -> str:
    error = problem.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in error["loc"]) or "the whole"
    return f"{place}: {error['type'].replace('_', ' ')}"
