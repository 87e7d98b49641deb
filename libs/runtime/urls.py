"""URLs with a password in them: looked at before they are used, and never quoted."""

from __future__ import annotations

import re

HOST_AND_PORT = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:/@]*)(:\d{1,5})?")


def check_hosts(url: str) -> str:
    """The URL, if what stands where its hosts belong can be hosts; one of them, or several by commas.

    A password with a `/`, `?` or `#` ends them too early, and what reads such a URL fails later and quotes a
    part of it. Raises ValueError, which says nothing of the URL.
    """
    authority, _, rest = re.sub(r"[/?#]", "\0", url.partition("://")[2], count=1).partition("\0")
    hosts = authority.rpartition("@")[2].split(",")
    if "@" in rest or not all(HOST_AND_PORT.fullmatch(host.strip()) for host in hosts):
        raise ValueError(
            "the URL's hosts cannot be read: in a password write / as %2F, ? as %3F, # as %23, @ as %40, "
            "[ as %5B and ] as %5D"
        )
    return url
