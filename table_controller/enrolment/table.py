"""`table-controller enrol CODE`: what a table does once, to be let into a venue.

Asks the address in the code for its authority and believes it only if the code's fingerprint fits; shows the
secret only over a connection this authority vouches for. The private key is made here, before anything is
asked, and is kept until the answer is stored: an answer lost on its way can be fetched again. Must never
leave a table with half of its files, and never print a key or the secret.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from table_controller.cli_errors import Unusable
from table_controller.enrolment.protocol import (
    AUTHORITY_PATH,
    LARGEST,
    REDEEM_PATH,
    AnswerWrong,
    EnrolmentCode,
    Granted,
    Redeem,
    read_granted,
)

PENDING = "pending.key"
TIMEOUT_S = 20.0


class NotEnrolled(Unusable):
    """The table is not enrolled. One sentence, with what to do."""


class Refused(NotEnrolled):
    """The venue said no: nothing was granted for the key that was shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Self:
    """Who the table takes itself for; None: it does not know yet."""

    venue: str | None = None
    event: str | None = None
    table: str | None = None


def enrol(code: EnrolmentCode, into: Path, who: Self) -> Granted:
    """Redeem the code and store what comes of it in the directory `into`. Raises NotEnrolled."""
    key, fresh = _pending_key(into)
    with _forgotten(into, NotEnrolled if fresh else None):
        authority = _believed_authority(code)
    question = Redeem(
        secret=code.secret.hex(), request=_request(key), venue=who.venue, event=who.event, table=who.table
    )
    with _forgotten(into, Refused if fresh else None):
        granted = _redeemed(code, authority, question)
    if granted.authority.strip() != authority.strip():
        raise NotEnrolled("the venue names another authority than the one the code fits; ask for a new code")
    _check_certificate(granted, key)
    store(granted, into)
    return granted


def store(granted: Granted, into: Path) -> None:
    """Put the files there, each whole, the key last: until then the try can be repeated.

    Raises NotEnrolled.
    """
    keys = {"tables": {granted.table: granted.table_key}, "venue": granted.venue_key}
    files = {
        "ca.pem": granted.authority,
        "table.pem": granted.certificate,
        "mac.json": json.dumps(keys) + "\n",
    }
    try:
        for name, text in files.items():
            _write(into / f".{name}.new", text.encode())
        for name in files:
            (into / f".{name}.new").replace(into / name)
        (into / PENDING).replace(into / "table.key")
        _settle(into)
    except OSError as problem:
        raise NotEnrolled(
            f"{into}: the files cannot be written ({problem.strerror}); mend that and say the same again "
            "within ten minutes"
        ) from None


@contextmanager
def _forgotten(into: Path, where: type[NotEnrolled] | None) -> Iterator[None]:
    """Take away the key made for this try where nothing can have been granted for it. One that was there
    before may be waiting for an answer that was lost, and stays (`where` None).
    """
    try:
        yield
    except NotEnrolled as problem:
        if where is not None and isinstance(problem, where):
            with suppress(OSError):
                (into / PENDING).unlink()
        raise


def _pending_key(into: Path) -> tuple[ec.EllipticCurvePrivateKey, bool]:
    """The key made before anything is asked, and whether it is new; else it is that of a try that did not
    come to its end.
    """
    path = into / PENDING
    try:
        into.mkdir(parents=True, exist_ok=True)
        into.chmod(0o700)
        with suppress(FileNotFoundError, ValueError, TypeError):
            known = serialization.load_pem_private_key(path.read_bytes(), password=None)
            if isinstance(known, ec.EllipticCurvePrivateKey):
                return known, False
        key = ec.generate_private_key(ec.SECP256R1())
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        _write(path, pem)
        _settle(into)
    except OSError as problem:
        raise NotEnrolled(
            f"{into}: cannot be written ({problem.strerror}); run this as the user the table runs as"
        ) from None
    return key, True


def _request(key: ec.EllipticCurvePrivateKey) -> str:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "table")])
    request = x509.CertificateSigningRequestBuilder().subject_name(name).sign(key, hashes.SHA256())
    return request.public_bytes(serialization.Encoding.PEM).decode()


def _believed_authority(code: EnrolmentCode) -> str:
    """The authority's certificate, once the code has proved it. Nothing is told before that."""
    blind = ssl.create_default_context()
    blind.check_hostname = False
    blind.verify_mode = ssl.CERT_NONE
    status, body = _asked(code, blind, "GET", AUTHORITY_PATH, None)
    text = body.decode("ascii", "replace")
    if status != http.client.OK or not code.fits(text):
        raise NotEnrolled(
            f"{code.address} is not the venue this code was made at: its fingerprint differs; nothing was "
            "told to it; check the address and who answers there"
        )
    return text


def _redeemed(code: EnrolmentCode, authority: str, question: Redeem) -> Granted:
    trusting = ssl.create_default_context(cadata=authority)
    trusting.minimum_version = ssl.TLSVersion.TLSv1_2
    status, body = _asked(code, trusting, "POST", REDEEM_PATH, question.model_dump_json().encode())
    if status != http.client.OK:
        raise Refused(f"{code.address} says: {_message(body)}")
    try:
        return read_granted(body)
    except AnswerWrong as problem:
        raise NotEnrolled(f"{code.address}: {problem}; are both of the same version?") from None


def _asked(
    code: EnrolmentCode, context: ssl.SSLContext, method: str, path: str, body: bytes | None
) -> tuple[int, bytes]:
    """One question over a connection of its own; status and answer. Raises NotEnrolled."""
    host = code.host.strip("[]")
    connection = http.client.HTTPSConnection(host, code.port, timeout=TIMEOUT_S, context=context)
    try:
        connection.request(method, path, body, {"content-type": "application/json"} if body else {})
        answer = connection.getresponse()
        return answer.status, answer.read(LARGEST)
    except ssl.SSLCertVerificationError as problem:
        raise NotEnrolled(
            f"{code.address}: its certificate is not good for this address ({problem.verify_message}); make "
            "the venue with --host and this address"
        ) from None
    except (OSError, http.client.HTTPException, socket.gaierror) as problem:
        raise NotEnrolled(
            f"{code.address} does not answer ({problem}); is the door open (director-console broker enrol), "
            "and is this table on the same network?"
        ) from None
    finally:
        connection.close()


def _message(body: bytes) -> str:
    try:
        said = json.loads(body)["message"]
    except (ValueError, TypeError, KeyError):
        said = None
    return said[:600] if isinstance(said, str) and said.isprintable() else "something this table cannot read"


def _check_certificate(granted: Granted, key: ec.EllipticCurvePrivateKey) -> None:
    """It must be for our key, under our name, from this authority."""
    try:
        certificate = x509.load_pem_x509_certificate(granted.certificate.encode())
        certificate.verify_directly_issued_by(x509.load_pem_x509_certificate(granted.authority.encode()))
        names = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
        ours = certificate.public_key() == key.public_key() and [n.value for n in names] == [granted.table]
    except Exception:  # whatever is wrong with it, it is not a certificate for this table
        ours = False
    if not ours:
        raise NotEnrolled("the venue's answer holds no certificate for this table; ask for a new code")


def _write(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _settle(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
