"""Requests that are hardly HTTP, or are and should not be, each with a secret somewhere."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from urllib.parse import urlsplit

PATIENCE_S = 3.0
"""Some of it is not answered at all: more of the request might still come."""
LONG = 9_000
"""Longer than any line that is read."""
MOST = 300
"""More headers than are read."""
_GET, _CHUNKED = "GET / HTTP/1.1\r\nHost: x\r\n", "Transfer-Encoding: chunked\r\n"
_POST = "POST /api/games HTTP/1.1\r\nHost: x\r\n"
_UPGRADE = "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
_WEBSOCKET = _UPGRADE + "Sec-WebSocket-Version: 13\r\n"
_ODD = {
    "control character in a header": _GET + "Authorization: Bearer {}\x01\r\n\r\n",
    "control character in a cookie": _GET + "Cookie: tandemfog_guest={}\x00\r\n\r\n",
    "bytes that are no text": _GET + "Authorization: Bearer \xff\xfe{}\r\n\r\n",
    "bytes that are no text in a cookie": _GET + "Cookie: tandemfog_guest=\xff{}\r\n\r\n",
    "cookie with half a quote": _GET + 'Cookie: tandemfog_guest="{}; a=\\\r\n\r\n',
    "too long cookie": _GET + "Cookie: tandemfog_guest={}" + "a" * LONG + "\r\n\r\n",
    "too long header that begins otherwise": _GET + "Authorization: " + "a" * LONG + "{}\r\n\r\n",
    "too long name of a header": _GET + "X{}" + "a" * LONG + ": 1\r\n\r\n",
    "too long line": "GET /{}" + "a" * LONG + " HTTP/1.1\r\nHost: x\r\n\r\n",
    "too many headers": _GET + "".join(f"X-{number}: {{}}\r\n" for number in range(MOST)) + "\r\n",
    "folded header": _GET + "Authorization: Bearer\r\n {}\r\n\r\n",
    "header without a colon": _GET + "{}\r\n\r\n",
    "header with a space in its name": _GET + "X {} : 1\r\n\r\n",
    "header without a name": _GET + ": {}\r\n\r\n",
    "lone line feeds": "GET /{} HTTP/1.1\nHost: x\rCookie: {}\n\n",
    "no such method": "{} / HTTP/1.1\r\nHost: x\r\n\r\n",
    "method with a control character": "G\x01T{} / HTTP/1.1\r\nHost: x\r\n\r\n",
    "method in small letters": "get /?token={} HTTP/1.1\r\nHost: x\r\n\r\n",
    "method for another route": "DELETE /api/tables?token={} HTTP/1.1\r\nHost: x\r\n\r\n",
    "tunnel": "CONNECT {}:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    "no version": "GET /{}\r\n\r\n",
    "another version": "GET /{} HTTP/9.9\r\nHost: x\r\n\r\n",
    "a secret for a version": "GET / {}\r\nHost: x\r\n\r\n",
    "no HTTP": "{}\r\n\r\n",
    "TLS": "\x16\x03\x01\x02\x00\x01\x00{}\r\n\r\n",
    "address that is none": "GET http://[{}/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "port that is none": "GET http://x:{}/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "target with bytes that are no text": "GET /%ff%fe%zz\xff{} HTTP/1.1\r\nHost: x\r\n\r\n",
    "target with a control character": "GET /\x01{} HTTP/1.1\r\nHost: x\r\n\r\n",
    "target with a space": "GET / {} HTTP/1.1\r\nHost: x\r\n\r\n",
    "host that is none": "GET / HTTP/1.1\r\nHost: [{}\r\n\r\n",
    "no such expectation": _POST + "Expect: {}\r\nContent-Length: 1\r\n\r\n1",
    "length that is none": _POST + "Content-Length: {}\r\n\r\n",
    "two lengths": _POST + "Content-Length: 1\r\nContent-Length: 2\r\nCookie: {}\r\n\r\n12",
    "length and chunks": _POST + "Content-Length: 4\r\n" + _CHUNKED + "\r\n{}",
    "coding that is none": _POST + "Transfer-Encoding: {}\r\n\r\n",
    "size of a chunk that is none": _POST + _CHUNKED + "\r\n{}\r\n0\r\n\r\n",
    "size of a later chunk that is none": _POST + _CHUNKED + "\r\n1\r\na\r\n{}\r\n",
    "chunk longer than said": _POST + _CHUNKED + "\r\n1\r\n{}\r\n0\r\n\r\n",
    "too long size of a chunk": _POST + _CHUNKED + "\r\n1;{}" + "a" * LONG + "\r\n",
    "odd trailer": _POST + _CHUNKED + "\r\n0\r\n{}\x01\r\n\r\n",
    "body that is not compressed": _POST + "Content-Encoding: gzip\r\nContent-Length: 99\r\n\r\n" + "{:99}",
    "body that is no game": _POST + "Content-Length: 99\r\n\r\n{:99}",
    "body that ends early": _POST + "Content-Length: 999\r\n\r\n{}",
    "key that is none": _WEBSOCKET + "Sec-WebSocket-Key: {}\r\n\r\n",
    "origin that is none": _WEBSOCKET + "Origin: http://[{}\r\n\r\n",
    "websocket of another version": _UPGRADE + "Sec-WebSocket-Version: {}\r\n\r\n",
    "rubbish after an upgrade": _WEBSOCKET + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n{}",
    "rubbish after an upgrade that is declined": _WEBSOCKET + "\r\n\x01{}\x01\r\n\r\n",
    "rubbish after a request": _GET + "\r\n\x01{}\r\n\r\n",
    "tag that is none": _GET + 'If-None-Match: "{}\x80\r\n\r\n',
    "half a request": _GET + "Cookie: {}",
}


@dataclass(frozen=True)
class Answer:
    """An answer's status, headers by their small names, and what follows."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    rest: bytes = b""


def odd_requests(secret: str) -> dict[str, bytes]:
    """The requests by what is wrong with them."""
    return {name: text.format(*[secret] * MOST).encode("latin-1") for name, text in _ODD.items()}


async def answers_to_odd(url: str, secret: str) -> dict[str, Answer | None]:
    """Sends them all; the answers by what was wrong."""
    requests = odd_requests(secret)
    answers = await asyncio.gather(*(answer_to(url, request) for request in requests.values()))
    return dict(zip(requests, answers, strict=True))


async def answer_to(url: str, request: bytes) -> Answer | None:
    """The first answer, if there is one before the other side hangs up or we lose patience."""
    place = urlsplit(url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    text = b""
    try:
        async with asyncio.timeout(PATIENCE_S):
            writer.write(request)
            while not _is_whole(text) and (more := await reader.read(65_536)):
                text += more
    except (ConnectionError, TimeoutError):
        pass
    finally:
        writer.close()
    return _read(text)


def _read(text: bytes) -> Answer | None:
    head, end, rest = text.partition(b"\r\n\r\n")
    if not end or not head.startswith(b"HTTP/1."):
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return Answer(int(first.split()[1]), headers, rest)


def _is_whole(text: bytes) -> bool:
    answer = _read(text)
    return answer is not None and len(answer.rest) >= int(answer.headers.get("content-length", "0"))
