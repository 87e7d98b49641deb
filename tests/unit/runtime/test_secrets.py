"""Secret files and the keys derived from them."""

from __future__ import annotations

import pytest

from libs.runtime.secrets import SecretError, derived_key


@pytest.fixture
def secret_file(tmp_path):
    path = tmp_path / "secret"
    path.write_text("0123456789abcdef" * 4 + "\n")
    path.chmod(0o600)
    return path


def test_a_purpose_has_one_key_and_two_purposes_have_two(secret_file):
    key = derived_key(secret_file, "seat-token")
    assert len(key) == 32
    assert key == derived_key(secret_file, "seat-token")
    assert key != derived_key(secret_file, "session")


def test_a_missing_secret_is_named(tmp_path):
    with pytest.raises(SecretError, match="nothing-here"):
        derived_key(tmp_path / "nothing-here", "seat-token")


def test_a_short_secret_is_refused(secret_file):
    secret_file.write_text("hunter2")
    with pytest.raises(SecretError, match="7 bytes"):
        derived_key(secret_file, "seat-token")


def test_a_secret_that_everybody_may_read_is_refused(secret_file):
    secret_file.chmod(0o644)
    with pytest.raises(SecretError, match="chmod o-rwx"):
        derived_key(secret_file, "seat-token")
