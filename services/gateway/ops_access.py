"""Who may see the operator's page: tokens by name from a file, a signed cookie for a browser, few tries."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import OrderedDict
from pathlib import Path

from libs.runtime.secrets import SecretError, derived_key

NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
TOKEN_LENGTH = 32
LASTS_S = 8 * 3600
TRIES, WITHIN_S = 5, 600.0
ADDRESSES = 10_000


def read_tokens(path: Path) -> dict[str, str]:
    """Tokens by the name of who has each, from lines "name token". Raises SecretError for anything else."""
    derived_key(path, "operator")  # refuses a file that every user may read
    tokens: dict[str, str] = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2 or not NAME.fullmatch(words[0]) or len(words[1]) < TOKEN_LENGTH:
            raise SecretError(
                f"Line {number} of {path} is not a name and a token of at least {TOKEN_LENGTH} characters."
            )
        if words[0] in tokens:
            raise SecretError(f"Line {number} of {path} names {words[0]} a second time.")
        tokens[words[0]] = words[1]
    if not tokens:
        raise SecretError(f"{path} has no token.")
    return tokens


class Attempts:
    """Wrong tries by address; `now_s` is any clock that goes forward."""

    def __init__(self) -> None:
        self._wrong: OrderedDict[str, list[float]] = OrderedDict()

    def may_try(self, address: str, now_s: float) -> bool:
        """Whether the address has not been wrong too often lately."""
        return len(self._lately(address, now_s)) < TRIES

    def note_wrong(self, address: str, now_s: float) -> None:
        """The address was wrong."""
        while self._wrong and not self._lately(oldest := next(iter(self._wrong)), now_s):
            del self._wrong[oldest]
        self._wrong[address] = [*self._lately(address, now_s), now_s]
        self._wrong.move_to_end(address)
        if len(self._wrong) > ADDRESSES:
            self._wrong.popitem(last=False)

    def _lately(self, address: str, now_s: float) -> list[float]:
        return [at_s for at_s in self._wrong.get(address, []) if now_s - at_s < WITHIN_S]


class Access:
    """Judges tokens, cookies and forms. Every comparison takes the same time, whatever is wrong."""

    def __init__(self, path: Path) -> None:
        self._tokens = {name: _digest(token) for name, token in read_tokens(path).items()}
        self._key = derived_key(path, "operator session")  # other tokens: other cookies

    def name_of(self, token: str) -> str | None:
        """Whose token it is."""
        given = _digest(token)
        found = [name for name, digest in self._tokens.items() if hmac.compare_digest(digest, given)]
        return found[0] if found else None

    def cookie(self, name: str, now_s: float) -> str:
        """What a browser shows from now on instead of the token."""
        text = f"{name}.{int(now_s) + LASTS_S}"
        return f"{text}.{self._signed(text)}"

    def name_in(self, cookie: str, now_s: float) -> str | None:
        """Whom a cookie names; None for a forged one and one that is over."""
        text, _, signature = cookie.rpartition(".")
        name, _, until = text.partition(".")
        if not hmac.compare_digest(self._signed(text).encode(), _bytes(signature)):
            return None
        return name if name in self._tokens and until.isdecimal() and now_s < int(until) else None

    def form_key(self, cookie: str) -> str:
        """What each form of a page carries, so that no other page can send one."""
        return self._signed(f"form {cookie}")

    def is_own_form(self, cookie: str, key: str) -> bool:
        return hmac.compare_digest(self.form_key(cookie).encode(), _bytes(key))

    def _signed(self, text: str) -> str:
        return hmac.digest(self._key, _bytes(text), hashlib.sha256).hex()


def _digest(token: str) -> bytes:
    return hashlib.sha256(_bytes(token)).digest()


def _bytes(text: str) -> bytes:
    """What somebody has sent may be no text at all, and comes as surrogates then: wrong, but no failure."""
    return text.encode(errors="surrogatepass")
