"""Seat tokens and guest cookies: signed, so that any process with the secret can trust them alone."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256

from libs.identity.ids import is_table_id

_VERSION = "t1"
_GUEST_VERSION = "g1"


class BadToken(ValueError):
    """The token is not ours, was changed, or is over. One text for all, so that nothing is told."""

    def __init__(self) -> None:
        super().__init__("the token is not valid")


@dataclass(frozen=True, slots=True)
class SeatToken:
    """The right to one seat of one match.

    ``lease`` numbers who has held the seat, people and bot workers alike: one below the seat's is void.
    ``expires_at_s`` is Unix time.
    """

    match_id: str
    seat: int
    lease: int
    expires_at_s: int
    is_bot: bool = False


def _signature(secret: bytes, text: str) -> str:
    return urlsafe_b64encode(hmac.digest(secret, text.encode(), sha256)).decode().rstrip("=")


def mint_seat_token(secret: bytes, token: SeatToken) -> str:
    """Return the signed text of a seat token."""
    holder = "b" if token.is_bot else "h"
    text = f"{_VERSION}.{token.match_id}.{token.seat}.{holder}{token.lease}.{token.expires_at_s}"
    return f"{text}.{_signature(secret, text)}"


def read_seat_token(secret: bytes, text: str, now_s: float) -> SeatToken:
    """Return the seat token that ``text`` proves at ``now_s`` (Unix seconds). Raises BadToken."""
    body, _, signature = text.rpartition(".")
    if not text.isascii() or not hmac.compare_digest(signature, _signature(secret, body)):
        raise BadToken
    parts = body.split(".")
    if len(parts) != 5 or parts[0] != _VERSION or not is_table_id(parts[1]):
        raise BadToken
    token = SeatToken(parts[1], int(parts[2]), int(parts[3][1:]), int(parts[4]), parts[3][0] == "b")
    if now_s >= token.expires_at_s:
        raise BadToken
    return token


def new_guest_id(dice: bytes) -> str:
    """Return a guest id made of 16 random bytes."""
    return urlsafe_b64encode(dice[:16]).decode().rstrip("=")


def mint_guest_cookie(secret: bytes, guest_id: str) -> str:
    """Return the signed cookie text of a guest id."""
    text = f"{_GUEST_VERSION}.{guest_id}"
    return f"{text}.{_signature(secret, text)}"


def read_guest_cookie(secret: bytes, text: str) -> str:
    """Return the guest id that the cookie proves. Raises BadToken."""
    body, _, signature = text.rpartition(".")
    if not text.isascii() or not hmac.compare_digest(signature, _signature(secret, body)):
        raise BadToken
    version, _, guest_id = body.partition(".")
    try:
        known_length = len(urlsafe_b64decode(guest_id + "==")) == 16
    except ValueError:
        known_length = False
    if version != _GUEST_VERSION or not known_length:
        raise BadToken
    return guest_id
