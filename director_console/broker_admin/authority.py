"""The venue's authority: a key that signs who is who, and the list of those it no longer vouches for.

Certificates are valid from 1970, because a table without a clock boots there; the list's date counts its
editions from 1970 for the same reason, and so that of two editions the later one wins. Pure but for drawing
keys and serial numbers: time is an argument, files are the caller's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from ipaddress import ip_address

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
AUTHORITY_DAYS = 20 * 365
CURVE = ec.SECP256R1()
_NO_USE = {
    "digital_signature": False,
    "content_commitment": False,
    "key_encipherment": False,
    "data_encipherment": False,
    "key_agreement": False,
    "key_cert_sign": False,
    "crl_sign": False,
    "encipher_only": False,
    "decipher_only": False,
}


class Use(StrEnum):
    """What a certificate may be shown for."""

    SERVER = "server"
    CLIENT = "client"


class RequestWrong(ValueError):
    """A certificate request that is not signed. One sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Issued:
    """A certificate in PEM, and how it is named when it is taken back."""

    pem: str
    serial: int
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Authority:
    """The certificate everybody trusts, and the key nobody else may have."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey = field(repr=False)

    @property
    def pem(self) -> str:
        return pem_of(self.certificate)

    def issue(
        self, name: str, key: ec.EllipticCurvePublicKey, use: Use, until: datetime, hosts: Iterable[str] = ()
    ) -> Issued:
        """Vouch for the holder of `key` under `name` until then; `hosts`: where a server is found."""
        until = min(until, self.certificate.not_valid_after_utc).replace(microsecond=0)
        serial = x509.random_serial_number()
        purpose = ExtendedKeyUsageOID.SERVER_AUTH if use is Use.SERVER else ExtendedKeyUsageOID.CLIENT_AUTH
        builder = (
            x509.CertificateBuilder()
            .subject_name(common_name(name))
            .issuer_name(self.certificate.subject)
            .public_key(key)
            .serial_number(serial)
            .not_valid_before(EPOCH)
            .not_valid_after(until)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.KeyUsage(**{**_NO_USE, "digital_signature": True}), critical=True)
            .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False
            )
        )
        if names := [_general_name(host) for host in hosts]:
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return Issued(pem=pem_of(builder.sign(self.key, hashes.SHA256())), serial=serial, until=until)

    def revocations(self, edition: int, serials: Iterable[int]) -> str:
        """The list of certificates that are no longer good, in PEM. Later editions have greater numbers."""
        dated = EPOCH + timedelta(seconds=edition)
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.certificate.subject)
            .last_update(dated)
            .next_update(self.certificate.not_valid_after_utc)
            .add_extension(x509.CRLNumber(edition), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False
            )
        )
        for serial in serials:
            revoked = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(dated).build()
            builder = builder.add_revoked_certificate(revoked)
        return builder.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()


def make_authority(venue: str, now: datetime) -> Authority:
    """A new authority of this venue, good for twenty years."""
    key = new_key()
    name = common_name(f"screen-table {venue}"[:64])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(EPOCH)
        .not_valid_after((now + timedelta(days=AUTHORITY_DAYS)).replace(microsecond=0))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.KeyUsage(**{**_NO_USE, "key_cert_sign": True, "crl_sign": True}), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return Authority(certificate=certificate, key=key)


def read_authority(certificate_pem: str, key_pem: bytes) -> Authority:
    """Raises ValueError where these are no certificate and key, or do not belong together."""
    certificate = x509.load_pem_x509_certificate(certificate_pem.encode())
    key = serialization.load_pem_private_key(key_pem, password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        raise ValueError("key and certificate of the authority do not belong together")
    return Authority(certificate=certificate, key=key)


def new_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(CURVE)


def key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The key as it lies in a file that only its holder may read."""
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def pem_of(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(serialization.Encoding.PEM).decode()


def requested_key(request_pem: str) -> ec.EllipticCurvePublicKey:
    """The key a request is signed with. Nothing else in it is believed. Raises RequestWrong."""
    try:
        request = x509.load_pem_x509_csr(request_pem.encode())
        key = request.public_key()
        signed = request.is_signature_valid
    except (ValueError, TypeError, InvalidSignature):
        raise RequestWrong("the certificate request cannot be read") from None
    if (
        not signed
        or not isinstance(key, ec.EllipticCurvePublicKey)
        or not isinstance(key.curve, ec.SECP256R1)
    ):
        raise RequestWrong("the certificate request is not signed with a P-256 key of its own")
    return key


def ends(certificate_pem: str) -> datetime:
    """Until when a certificate is good. Raises ValueError."""
    return x509.load_pem_x509_certificate(certificate_pem.encode()).not_valid_after_utc


def common_name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host.strip("[]")))
    except ValueError:
        return x509.DNSName(host)
