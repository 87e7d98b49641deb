"""Secrets kept in files: read once at the start, and one key derived for each purpose."""

from __future__ import annotations

import hashlib
import hmac
import stat
from pathlib import Path

MINIMUM_BYTES = 32


class SecretError(Exception):
    """The secret file cannot be used; the message says what to do."""


def derived_key(path: Path, purpose: str) -> bytes:
    """A key of 32 bytes for one purpose, from the secret in the file `path`.

    The same file and purpose give the same key in every replica; two purposes give unrelated keys.
    Raises SecretError when the file is missing, too short, or readable by every user of the machine.
    """
    try:
        mode = path.stat().st_mode
        secret = path.read_bytes().strip()
    except OSError as error:
        raise SecretError(f"The secret file {path} cannot be read: {error.strerror}.") from error
    if mode & stat.S_IROTH:
        raise SecretError(f"The secret file {path} may be read by every user: chmod o-rwx {path}")
    if len(secret) < MINIMUM_BYTES:
        raise SecretError(f"The secret in {path} has {len(secret)} bytes; {MINIMUM_BYTES} are needed.")
    return hmac.digest(secret, purpose.encode(), hashlib.sha256)
