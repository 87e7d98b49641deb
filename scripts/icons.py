"""`python scripts/icons.py` makes the icons in web/public from one drawing: two boards that overlap."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

PUBLIC = Path(__file__).resolve().parent.parent / "web" / "public"
GRID = 32
GROUND, LIGHT, DARK = "#1f6f5c", "#f3efe6", "#123f35"
RADIUS = 7.0
# x, y, width, height and colour on a grid of 32; the two dark squares of each board are on one diagonal.
BOARDS = (
    (5, 8, 10, 10, LIGHT),
    (5, 8, 5, 5, DARK),
    (10, 13, 5, 5, DARK),
    (17, 14, 10, 10, LIGHT),
    (22, 14, 5, 5, DARK),
    (17, 19, 5, 5, DARK),
)
SIZES = {"icon-192.png": (192, RADIUS), "icon-512.png": (512, RADIUS), "icon-maskable-512.png": (512, 0.0)}
SIZES |= {"apple-touch-icon.png": (180, 0.0)}


def svg() -> str:
    squares = "".join(f'  <path d="M{x} {y}h{w}v{h}h-{w}z" fill="{c}"/>\n' for x, y, w, h, c in BOARDS)
    ground = f'  <rect width="{GRID}" height="{GRID}" rx="{RADIUS:g}" fill="{GROUND}"/>\n'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {GRID} {GRID}">\n{ground}{squares}</svg>\n'


def _colour(text: str) -> bytes:
    return bytes.fromhex(text[1:]) + b"\xff"


def _covered(x: float, y: float, radius: float) -> float:
    """How much of the pixel-wide place x, y (on the grid) lies inside the rounded ground, 0 to 1."""
    across = max(radius - x, x - (GRID - radius), 0.0)
    down = max(radius - y, y - (GRID - radius), 0.0)
    distance = (across**2 + down**2) ** 0.5
    return 1.0 if radius == 0 else min(1.0, max(0.0, (radius - distance) * 8 + 0.5))


def png(side: int, radius: float) -> bytes:
    """The drawing as a PNG of `side` pixels; without a radius it fills the whole square (maskable)."""
    colours = {name: _colour(name) for name in (GROUND, LIGHT, DARK)}
    rows = list[bytes]()
    for row in range(side):
        y = (row + 0.5) * GRID / side
        line = bytearray(b"\0")
        for column in range(side):
            x = (column + 0.5) * GRID / side
            name = GROUND
            for left, top, width, height, colour in BOARDS:
                if left <= x < left + width and top <= y < top + height:
                    name = colour
            red, green, blue, _ = colours[name]
            line += bytes((red, green, blue, round(255 * _covered(x, y, radius))))
        rows.append(bytes(line))
    header = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    data = zlib.compress(b"".join(rows), 9)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


if __name__ == "__main__":
    (PUBLIC / "icon.svg").write_text(svg())
    for file, (side, radius) in SIZES.items():
        (PUBLIC / file).write_bytes(png(side, radius))
