"""TLS between the services: one certificate, key and authority for each process, from files, or none at all.

A service's certificate names the service ("game") among its alternative names, and callers ask for that
name, whatever the address. With `mutual` whoever calls must show a certificate of the same authority.
"""

from __future__ import annotations

import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc

from libs.runtime.secrets import SecretError

Options = Sequence[tuple[str, int | str]]


@dataclass(frozen=True, slots=True)
class Tls:
    """PEM texts: what we show, the key to it, and whose certificates we believe."""

    certificate: bytes
    key: bytes
    authority: bytes
    mutual: bool

    def server_credentials(self) -> grpc.ServerCredentials:
        """For a port that takes TLS only."""
        return grpc.ssl_server_credentials(
            [(self.key, self.certificate)],
            root_certificates=self.authority,
            require_client_auth=self.mutual,
        )

    def channel_credentials(self) -> grpc.ChannelCredentials:
        return grpc.ssl_channel_credentials(self.authority, self.key, self.certificate)


def load_tls(certificate: Path | None, key: Path | None, authority: Path | None, mutual: bool) -> Tls | None:
    """What the three files say; None when none is named. Raises SecretError for one that cannot be used."""
    if certificate is None or key is None or authority is None:
        return None
    for path in (certificate, key, authority):
        if not path.is_file():
            raise SecretError(f"The TLS file {path} cannot be read.")
    if key.stat().st_mode & stat.S_IROTH:
        raise SecretError(f"The TLS key {key} may be read by every user: chmod o-rwx {key}")
    try:
        texts = [path.read_bytes() for path in (certificate, key, authority)]
    except OSError as error:
        raise SecretError(f"A TLS file cannot be read: {error}.") from error
    return Tls(texts[0], texts[1], texts[2], mutual)


def open_channel(address: str, name: str, tls: Tls | None, options: Options = ()) -> grpc.aio.Channel:
    """A channel to a member of the service `name`, which must prove that name when there is TLS."""
    if tls is None:
        return grpc.aio.insecure_channel(address, options=options)
    named = [*options, ("grpc.ssl_target_name_override", name)]
    return grpc.aio.secure_channel(address, tls.channel_credentials(), options=named)
