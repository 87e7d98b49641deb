"""Ids and tokens: what is ours is read back, anything else is refused alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.identity.ids import SHARD_COUNT, is_table_id, new_table_id, shard_of, shard_tag
from libs.identity.tokens import (
    BadToken,
    SeatToken,
    mint_guest_cookie,
    mint_seat_token,
    new_guest_id,
    read_guest_cookie,
    read_seat_token,
)

SECRET = b"s" * 32


@given(st.integers(0, SHARD_COUNT - 1), st.binary(min_size=15, max_size=15))
def test_a_table_id_names_its_shard(shard: int, dice: bytes) -> None:
    table_id = new_table_id(shard, dice)
    assert is_table_id(table_id)
    assert shard_of(table_id) == shard
    assert shard_tag(shard) == f"{{s{shard:02x}}}"


@pytest.mark.parametrize(
    "text", ["", "07", "zz" + "a" * 24, "10" + "a" * 24, "07" + "A" * 24, "07" + "a" * 25]
)
def test_other_texts_are_no_table_ids(text: str) -> None:
    assert not is_table_id(text)
    with pytest.raises(ValueError, match="not a table id"):
        shard_of(text)


@given(st.integers(0, 3), st.integers(0, 2**40), st.integers(1, 2**33), st.booleans())
def test_a_seat_token_is_read_back_until_it_expires(
    seat: int, lease: int, expires: int, is_bot: bool
) -> None:
    token = SeatToken(new_table_id(3, b"x" * 15), seat, lease, expires, is_bot)
    text = mint_seat_token(SECRET, token)
    assert read_seat_token(SECRET, text, expires - 1) == token
    with pytest.raises(BadToken):
        read_seat_token(SECRET, text, expires)


@given(st.text())
def test_a_text_we_did_not_sign_is_a_bad_token(text: str) -> None:
    with pytest.raises(BadToken):
        read_seat_token(SECRET, text, 0)
    with pytest.raises(BadToken):
        read_guest_cookie(SECRET, text)


@given(st.data())
def test_a_changed_token_is_refused(data: st.DataObject) -> None:
    text = mint_seat_token(SECRET, SeatToken(new_table_id(3, b"x" * 15), 1, 0, 1000))
    place = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.characters(codec="ascii").filter(lambda c: c != text[place]))
    with pytest.raises(BadToken):
        read_seat_token(SECRET, text[:place] + letter + text[place + 1 :], 0)


def test_the_same_token_under_another_secret_is_refused() -> None:
    text = mint_seat_token(SECRET, SeatToken(new_table_id(3, b"x" * 15), 1, 0, 1000))
    with pytest.raises(BadToken):
        read_seat_token(b"t" * 32, text, 0)


@given(st.binary(min_size=16, max_size=16))
def test_a_guest_cookie_is_read_back(dice: bytes) -> None:
    guest_id = new_guest_id(dice)
    assert read_guest_cookie(SECRET, mint_guest_cookie(SECRET, guest_id)) == guest_id


def test_a_seat_token_is_no_guest_cookie() -> None:
    text = mint_seat_token(SECRET, SeatToken(new_table_id(3, b"x" * 15), 1, 0, 1000))
    with pytest.raises(BadToken):
        read_guest_cookie(SECRET, text)
