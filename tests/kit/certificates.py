"""Certificates made for one test: an authority, and what it signs for services."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Files:
    """Where a certificate, its key and its authority's certificate lie."""

    certificate: Path
    key: Path
    authority: Path

    def settings(self, mutual: bool = True) -> dict[str, object]:
        """The fields of any service's settings that turn TLS on."""
        return {
            "tls_cert": self.certificate,
            "tls_key": self.key,
            "tls_ca": self.authority,
            "tls_mutual": mutual,
        }

    def environment(self) -> dict[str, str]:
        """The same as variables."""
        return {
            "TANDEMFOG_TLS_CERT": str(self.certificate),
            "TANDEMFOG_TLS_KEY": str(self.key),
            "TANDEMFOG_TLS_CA": str(self.authority),
        }


class Authority:
    """Signs certificates, all written to `folder`."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        self._folder = folder
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._path = folder / f"{name}.pem"
        certificate = (
            self._builder(self._name, self._key.public_key())
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .sign(self._key, hashes.SHA256())
        )
        self._path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def sign(self, *names: str, days: int = 1) -> Files:
        """A certificate for a service of these names; `days` below zero: it is over."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = (
            self._builder(x509.Name([]), key.public_key(), days)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), critical=True)
            .sign(self._key, hashes.SHA256())
        )
        stem = f"{self._path.stem}-{'-'.join(names)}{days}"
        files = Files(self._folder / f"{stem}.pem", self._folder / f"{stem}.key", self._path)
        files.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        files.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        files.key.chmod(0o600)
        return files

    def _builder(
        self, subject: x509.Name, public_key: ec.EllipticCurvePublicKey, days: int = 1
    ) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(public_key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=2))
            .not_valid_after(now + timedelta(days=days))
        )
