"""An authority and certificates for one test, valid from 1970."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True, slots=True)
class Certificates:
    folder: Path

    @property
    def authority(self) -> Path:
        return self.folder / "authority.crt"

    @property
    def server(self) -> Path:
        return self.of("server")

    @property
    def server_key(self) -> Path:
        return self.key_of("server")

    def of(self, name: str) -> Path:
        return self.folder / f"{name}.crt"

    def key_of(self, name: str) -> Path:
        return self.folder / f"{name}.key"


def make_certificates(folder: Path, names: list[str]) -> Certificates:
    folder.mkdir(parents=True, exist_ok=True)
    files = Certificates(folder)
    authority_key = ec.generate_private_key(ec.SECP256R1())
    authority = _name("authority")
    _write(files.authority, _certificate(authority, authority, authority_key, authority_key, authority=True))
    for name in ["server", *names]:
        key = ec.generate_private_key(ec.SECP256R1())
        _write(files.of(name), _certificate(_name(name), authority, key, authority_key, authority=False))
        files.key_of(name).touch(mode=0o600)
        files.key_of(name).write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
    return files


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    *,
    authority: bool,
) -> x509.Certificate:
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(1970, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2060, 1, 1, tzinfo=UTC))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .add_extension(names, critical=False)
        .sign(signer, hashes.SHA256())
    )


def _write(path: Path, certificate: x509.Certificate) -> None:
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
