"""Tokens, cookies and tries of the operator's page."""

from __future__ import annotations

from pathlib import Path

import pytest

from libs.runtime.secrets import SecretError
from services.gateway.ops_access import LASTS_S, TRIES, WITHIN_S, Access, Attempts

TOKEN, OTHER = "k" * 40, "s" * 40


def written(folder: Path, text: str, mode: int = 0o600) -> Path:
    path = folder / "operators"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_a_token_says_who_has_it(tmp_path: Path) -> None:
    access = Access(written(tmp_path, f"kari {TOKEN}\n\n# a remark\nola {OTHER}\n"))
    assert (access.name_of(TOKEN), access.name_of(OTHER)) == ("kari", "ola")
    for wrong in ("", "kari", TOKEN[:-1], TOKEN + "k", TOKEN.upper(), "ø" * 40):
        assert access.name_of(wrong) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nobody\n" * 9,
        f"kari {'k' * 31}",
        TOKEN,
        f"k.a {TOKEN}",
        f"kari {TOKEN}\nkari {OTHER}",
        f"a b {TOKEN}",
    ],
)
def test_a_file_that_says_anything_else_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(SecretError):
        Access(written(tmp_path, text))


def test_a_file_that_everybody_may_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SecretError):
        Access(written(tmp_path, f"kari {TOKEN}", 0o644))


def test_a_cookie_holds_for_its_time_its_name_and_these_tokens(tmp_path: Path) -> None:
    access = Access(written(tmp_path, f"kari {TOKEN}\nola {OTHER}"))
    cookie = access.cookie("kari", 1_000)
    assert access.name_in(cookie, 1_000) == "kari"
    assert access.name_in(cookie, 1_000 + LASTS_S) is None
    for forged in (
        cookie.replace("kari", "ola"),
        cookie[:-1],
        f"{cookie}0",
        "",
        "a.b",
        cookie.replace(".2", ".3"),
    ):
        assert access.name_in(forged, 1_000) is None
    assert access.is_own_form(cookie, access.form_key(cookie))
    assert not access.is_own_form(cookie, access.form_key(access.cookie("kari", 2_000)))
    assert not access.is_own_form(cookie, "")
    later = Access(written(tmp_path, f"ola {OTHER}"))
    assert later.name_in(cookie, 1_000) is None


def test_after_five_wrong_tries_an_address_waits_and_no_other_does() -> None:
    attempts = Attempts()
    for number in range(TRIES):
        assert attempts.may_try("a", number)
        attempts.note_wrong("a", number)
    assert not attempts.may_try("a", TRIES)
    assert attempts.may_try("b", TRIES)
    assert attempts.may_try("a", WITHIN_S)
