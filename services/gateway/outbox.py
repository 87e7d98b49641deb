"""What waits to be sent to one browser, within bounds: a slow one costs so many frames and no more."""

from __future__ import annotations

from collections import deque
from enum import Enum, auto

from services.gateway.waiter import Waiter

MATCH_FRAMES = 32
"""So many frames of a match wait; one more, and all of them give way to one full view."""
ANSWERS = 128
"""So many answers wait; who asks on without reading is cut off."""


class Kind(Enum):
    """What a waiting frame is, for what may become of it: answers and byes stay whatever comes."""

    ANSWER = auto()
    TABLE = auto()
    QUEUE = auto()
    LIST = auto()
    NOTICE = auto()
    MATCH = auto()


class Outbox:
    """Frames in their order. `owed`: match frames were dropped, and nothing but a full view helps now.
    `committed_at_us`: when the event was written that the frame taken last tells, 0 for none."""

    def __init__(self) -> None:
        self.owed = False
        self.committed_at_us = 0
        self._owed_told = False
        self._frames: deque[tuple[Kind, bytes, int]] = deque()
        self._counts = dict.fromkeys(Kind, 0)
        self._waiter = Waiter()

    def __len__(self) -> int:
        return len(self._frames)

    def put_answer(self, frame: bytes) -> bool:
        """False, and nothing put, when too many answers wait already."""
        if self._counts[Kind.ANSWER] >= ANSWERS:
            return False
        self._put(Kind.ANSWER, frame)
        return True

    def put_latest(self, kind: Kind, frame: bytes) -> None:
        """The state of a table, of the waiting or of the list stands for all former ones: only it waits."""
        self._drop(kind)
        self._put(kind, frame)

    def put_full(self, frame: bytes) -> None:
        """A full view: it makes up for whatever was dropped, and for what waits when that is too much."""
        self.owed = False
        if self._counts[Kind.MATCH] >= MATCH_FRAMES:
            self._drop(Kind.MATCH)
        self._put(Kind.MATCH, frame)

    def put_change(self, frame: bytes, committed_at_us: int = 0) -> bool:
        """A delta or a line of talk. False when that was one too many: all of them were dropped.

        Until the full view that is owed then, they are dropped without a word.
        """
        if self.owed:
            return True
        if self._counts[Kind.MATCH] >= MATCH_FRAMES:
            self._drop(Kind.MATCH)
            self.owed, self._owed_told = True, False
            self._waiter.wake()
            return False
        self._put(Kind.MATCH, frame, committed_at_us)
        return True

    def forget_match(self) -> None:
        """Drops what waits of a match that is not watched any more."""
        self._drop(Kind.MATCH)
        self.owed = False

    async def take(self) -> bytes | None:
        """The next frame, as soon as there is one; None, once, when all is sent and a full view is owed."""
        while not self._frames:
            if self.owed and not self._owed_told:
                self._owed_told = True
                return None
            await self._waiter.sleep()
        kind, frame, self.committed_at_us = self._frames.popleft()
        self._counts[kind] -= 1
        return frame

    def _put(self, kind: Kind, frame: bytes, committed_at_us: int = 0) -> None:
        self._frames.append((kind, frame, committed_at_us))
        self._counts[kind] += 1
        self._waiter.wake()

    def _drop(self, kind: Kind) -> None:
        if self._counts[kind]:
            self._frames = deque(entry for entry in self._frames if entry[0] is not kind)
            self._counts[kind] = 0
