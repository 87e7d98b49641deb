"""Issues ids and seat tokens. The same request gives the same table id, which makes it safe to repeat."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable, Iterable
from hashlib import sha256

from libs.identity.ids import SHARD_COUNT, new_table_id
from libs.identity.tokens import BadToken, SeatToken, mint_seat_token, read_seat_token
from libs.runtime.refusals import Refusal
from services.matchmaking.table import Table

TOKEN_LIFETIME_S = 8 * 24 * 3600


class Issuer:
    """``token_key`` signs seat tokens, ``id_key`` turns requests into table ids nobody can guess."""

    def __init__(self, token_key: bytes, id_key: bytes, clock: Callable[[], float] = time.time) -> None:
        self._token_key = token_key
        self._id_key = id_key
        self._clock = clock

    def table_id(self, guest_id: str, request_id: str) -> str:
        """Return the id of the table that this request of the guest makes."""
        return self._new_id(f"request {guest_id} {request_id}")

    def ticket_id(self, pool: str, guest_id: str, request_id: str) -> str:
        """Return the id of the place in a pool's queue that this request of the guest makes."""
        return pool + self._new_id(f"ticket {pool} {guest_id} {request_id}")[2:]

    def quick_table_id(self, tickets: Iterable[tuple[str, int]]) -> str:
        """Return the id of the table of these tickets, as they stand by their versions."""
        return self._new_id("quick " + " ".join(f"{name}.{version}" for name, version in tickets))

    def next_table_id(self, table_id: str) -> str:
        """Return the id of the table of this one's rematch."""
        return self._new_id(f"rematch {table_id}")

    def person_token(self, table_id: str, number: int, lease: int) -> str:
        """Return the token of the person who holds a seat."""
        return self._mint(table_id, number, lease, is_bot=False)

    def bot_token(self, table_id: str, number: int, lease: int) -> str:
        """Return a bot's token for its lease."""
        return self._mint(table_id, number, lease, is_bot=True)

    def read(self, text: str) -> SeatToken:
        """Return the seat that the token names; raises Refusal("bad_token")."""
        try:
            return read_seat_token(self._token_key, text, self._clock())
        except BadToken as error:
            raise Refusal("bad_token") from error

    def _mint(self, table_id: str, number: int, lease: int, *, is_bot: bool) -> str:
        expires_at_s = int(self._clock()) + TOKEN_LIFETIME_S
        return mint_seat_token(self._token_key, SeatToken(table_id, number, lease, expires_at_s, is_bot))

    def _new_id(self, purpose: str) -> str:
        dice = hmac.digest(self._id_key, purpose.encode(), sha256)
        return new_table_id(dice[0] % SHARD_COUNT, dice[1:])


def proved_seat(table: Table, token: SeatToken) -> int:
    """The seat of this table that the token proves: its own, or that of the same person in the match before
    (R03). Raises Refusal("not_your_seat")."""
    if table.previous and token.match_id == table.previous and not token.is_bot:
        for number, origin in enumerate(table.origins):
            # Once somebody has left that seat of the new table, the old one proves nothing there.
            seat = table.seats[number]
            if origin == (token.seat, token.lease) and (seat.kind, seat.lease) == ("human", 1):
                return number
    require_holder(table, token)
    return token.seat


def require_holder(table: Table, token: SeatToken) -> None:
    """Raise Refusal("not_your_seat") unless the token is that of the person who sits there now."""
    if token.match_id != table.table_id or not 0 <= token.seat < len(table.seats):
        raise Refusal("not_your_seat")
    seat = table.seats[token.seat]
    if seat.kind != "human" or token.is_bot or token.lease != seat.lease:
        raise Refusal("not_your_seat")
