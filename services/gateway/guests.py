"""Guests: a signed cookie that names one, and says nothing else."""

from __future__ import annotations

import secrets

from aiohttp import web

from libs.identity.tokens import BadToken, mint_guest_cookie, new_guest_id, read_guest_cookie

COOKIE = "tandemfog_guest"
LIFETIME_S = 365 * 24 * 3600


class Guests:
    """Reads and sets the cookie; `secure` when browsers reach us over TLS."""

    def __init__(self, secret: bytes, secure: bool) -> None:
        self._secret = secret
        self._secure = secure

    def welcome(self, request: web.Request, response: web.StreamResponse) -> str:
        """The id of the guest who asks; who has none, or a forged one, gets a new one with the response."""
        try:
            return read_guest_cookie(self._secret, request.cookies.get(COOKIE, ""))
        except BadToken:
            guest_id = new_guest_id(secrets.token_bytes(16))
        response.set_cookie(
            COOKIE,
            mint_guest_cookie(self._secret, guest_id),
            max_age=LIFETIME_S,
            httponly=True,
            samesite="Lax",
            secure=self._secure,
        )
        return guest_id
