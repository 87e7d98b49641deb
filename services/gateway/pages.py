"""The built page: read and packed once at the start, served from memory with the right types and caching."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from services.gateway.guests import Guests

CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".map": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".wasm": "application/wasm",
}
INDEX = "index.html"
HASHED = "assets/"
"""The builder names these files by their content, so that they never change."""
NO_PAGES = (HASHED, "api/", "ops")
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
SMALLEST_PACKED = 1_000
"""Files of fewer bytes are sent as they are."""
NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>tandemfog</title></head>
<body>
<h1>The page is not built</h1>
<p>The server runs, but there is no built page where it looks for one.
Build it with <code>make web</code>, then start the gateway again.</p>
</body>
</html>
"""


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file, and its gzip where that is smaller; None elsewhere."""

    body: bytes
    packed: bytes | None
    content_type: str
    cache_control: str
    tag: str


class Pages:
    """The files under `folder`, by their path in it; index.html is the page itself."""

    def __init__(self, folder: Path, guests: Guests) -> None:
        self._guests = guests
        self._files = {
            path.relative_to(folder).as_posix(): _read(path, path.relative_to(folder).as_posix())
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix in CONTENT_TYPES
        }

    async def page(self, request: web.Request) -> web.StreamResponse:
        """The page, which makes whoever asks a guest."""
        index = self._files.get(INDEX)
        response: web.StreamResponse
        if index is None:
            response = web.Response(text=NOT_BUILT, content_type="text/html", charset="utf-8", status=503)
        else:
            response = _respond(request, index)
        self._guests.welcome(request, response)
        return response

    async def file(self, request: web.Request) -> web.StreamResponse:
        """One file of the page; 404 for any other path.

        Who goes to such a path in a browser is shown the page, which says so in their language; who asks for
        a part of a page, or is a program, gets a line of text.
        """
        path = request.match_info["path"]
        found = self._files.get(path)
        if found is not None:
            return _respond(request, found)
        index = self._files.get(INDEX)
        if index is None or path.startswith(NO_PAGES) or "text/html" not in request.headers.get("Accept", ""):
            raise web.HTTPNotFound(text="There is no such page.\n")
        return web.Response(
            body=index.body,
            status=404,
            headers={"Content-Type": index.content_type, "Cache-Control": ASK_AGAIN, "Vary": "Accept"},
        )


def _read(path: Path, name: str) -> PageFile:
    body = path.read_bytes()
    packed = gzip.compress(body, mtime=0) if len(body) >= SMALLEST_PACKED else body
    return PageFile(
        body,
        packed if len(packed) < 0.9 * len(body) else None,
        CONTENT_TYPES[path.suffix],
        FOREVER if name.startswith(HASHED) else ASK_AGAIN,
        f'W/"{hashlib.sha256(body).hexdigest()[:32]}"',  # weak: it names what is said, packed or not
    )


def _respond(request: web.Request, file: PageFile) -> web.Response:
    headers = {"Cache-Control": file.cache_control, "ETag": file.tag}
    if file.packed is not None:
        headers["Vary"] = "Accept-Encoding"
    if request.headers.get("If-None-Match") == file.tag:
        return web.Response(status=304, headers=headers)
    headers["Content-Type"] = file.content_type
    if file.packed is None or not _takes_gzip(request.headers.get("Accept-Encoding", "")):
        return web.Response(body=file.body, headers=headers)
    return web.Response(body=file.packed, headers={**headers, "Content-Encoding": "gzip"})


def _takes_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding has gzip in it, and does not refuse it."""
    codings = (coding.strip().partition(";") for coding in accepted.lower().split(","))
    return any(
        name.strip() in ("gzip", "*") and weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
        for name, _, weight in codings
    )
