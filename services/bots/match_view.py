"""A match as one bot's seat sees it: frames in, situations out. No I/O; the time is an argument."""

from __future__ import annotations

from gen.tandemfog.types.v1 import types_pb2
from gen.tandemfog.view.v1 import view_pb2
from libs.rules.position import Variant
from libs.rules.squares import parse_square
from services.bots.belief import Sighting
from services.bots.situation import Situation


class MatchView:
    """The newest state that the frames add up to. ``seen`` is False until the first full view."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.seen = False
        self.version = 0
        self.epoch = 0
        self.captures = 0
        self.setup = view_pb2.Setup()
        self.seats = view_pb2.SeatList()
        self.standing = view_pb2.Standing()
        self.outcome: types_pb2.Outcome | None = None
        self._boards: dict[int, view_pb2.BoardView] = {}
        self._legal = view_pb2.Legal()
        self._clocks = view_pb2.Clocks()
        self._read_at_ms = 0.0
        self._key = ""
        self._history: list[Sighting] = []
        self._first_ply = self._first_captures = 0

    def take(self, view: view_pb2.View, now_ms: float) -> bool:
        """Add a frame that came at ``now_ms``; False when one is missing, and a full view is needed."""
        if view.full:
            self.seen, self.captures, self._boards = True, 0, {}
            self.setup = view.setup
            self.outcome = None
        elif not self.seen or view.epoch != self.epoch or view.version > self.version + 1:
            return False
        elif view.version <= self.version:
            return True  # known already
        self.version, self.epoch = view.version, view.epoch
        for board in view.boards:
            self._boards[board.board] = board
        if view.HasField("seats"):
            self.seats = view.seats
        if view.HasField("standing"):
            self.standing = view.standing
        if view.HasField("legal"):
            self._legal = view.legal
        if view.HasField("clocks"):
            self._clocks, self._read_at_ms = view.clocks, now_ms - view.clocks.age_ms
        if view.HasField("outcome"):
            self.outcome = view.outcome
        self.captures += sum(1 for move in view.moves if "x" in move.san)
        if self.variant == "fog":
            self._note_sighting(view)
        return True

    def _note_sighting(self, view: view_pb2.View) -> None:
        """Remember what was seen after this ply; a full view begins anew with what it shows."""
        new = self.ply - (self._first_ply + len(self._history) - 1)
        if view.full or new not in (0, 1):
            self._key = f"{view.match_id}/{self.seat}"
            self._history = [Sighting("", self.board.pieces)]
            self._first_ply, self._first_captures = self.ply, self.captures
        elif new == 1:
            own = [move.uci for move in view.moves if move.ply == self.ply]
            self._history.append(Sighting(own[0] if own else "", self.board.pieces))

    @property
    def variant(self) -> Variant:
        return "fog" if self.setup.variant == types_pb2.VARIANT_FOG else "tandem"

    @property
    def side(self) -> int:
        """0 for White, 1 for Black."""
        return self.seat % 2

    @property
    def board(self) -> view_pb2.BoardView:
        """The own board."""
        return self._boards[0 if self.variant == "fog" else self.seat // 2]

    @property
    def ply(self) -> int:
        """Single moves made on the own board."""
        return self.board.ply

    @property
    def lead(self) -> int:
        """How many plies the own board is ahead of the other; 0 unless bots alone set its pace."""
        first = self.seat - self.side
        players = self.seats.seats[first : first + 2]
        if self.variant == "fog" or any(player.kind != types_pb2.SEAT_KIND_BOT for player in players):
            return 0
        return self.ply - self._boards[1 - self.seat // 2].ply

    @property
    def on_turn(self) -> bool:
        """Whether the bot has a move to make now: its turn, and some move there is (T-wait)."""
        return self.to_move and bool(self.moves())

    @property
    def to_move(self) -> bool:
        """Whether it is the bot's turn, even if it can only wait for a piece."""
        return self.seen and self.outcome is None and self.board.white_to_move == (self.side == 0)

    def moves(self) -> tuple[str, ...]:
        """The legal moves as UCI: the destinations that the server named, and drops of what is in hand."""
        legal = self._legal
        if legal.ply != self.ply:
            return ()
        moves: list[str] = []
        for origin in legal.origins:
            start = getattr(origin, "from")
            pawn = self._letter(start) in ("P", "p")
            for to in origin.to:
                promotes = pawn and to[1] in "18"
                moves += [start + to + kind for kind in "qrbn"] if promotes else [start + to]
        for letter in sorted(set(self.hand)):
            targets = legal.pawn_drops if letter == "P" else legal.piece_drops
            moves += [f"{letter}@{square}" for square in targets]
        return tuple(moves)

    def situation(self, wishes: dict[str, int]) -> Situation:
        """What the brain decides on."""
        club = self.setup.profile == types_pb2.PROFILE_CLUB
        return Situation(
            self.variant,
            "club" if club else "online",
            self.side,
            self.board.fen,
            self.board.pieces,
            self.moves(),
            wishes,
            self._key,
            self._first_ply,
            self._first_captures,
            tuple(self._history),
        )

    def takes(self) -> frozenset[str]:
        """The kinds ("P", "N" ...) that a legal move captures now, as far as the seat sees."""
        found = {self._letter(move[2:4]).upper() for move in self.moves() if "@" not in move}
        return frozenset(letter for letter in found if letter.isalpha())

    def remaining_ms(self, now_ms: float) -> int | None:
        """The own clock at ``now_ms``; None without one."""
        return self.clock_ms(self.seat, now_ms)

    def clock_ms(self, seat: int, now_ms: float) -> int | None:
        """A seat's clock at ``now_ms``; None without one."""
        if seat >= len(self._clocks.remaining_ms):
            return None
        left = float(self._clocks.remaining_ms[seat])
        if self._clocks.running[seat]:
            left -= now_ms - self._read_at_ms
        return max(0, int(left))

    def asked_for_draw(self) -> bool:
        """Whether somebody has offered a draw that this seat has not answered."""
        agreed = self.standing.draw_agreed
        return self.outcome is None and bool(agreed) and self.seat not in agreed

    @property
    def hand(self) -> str:
        """The letters of the own hand, upper case."""
        return self.board.hands[self.side].upper() if self.board.hands else ""

    def _letter(self, square: str) -> str:
        index = parse_square(square)
        return self.board.pieces[(7 - index // 8) * 8 + index % 8]
