"""A tandem match as an immutable value: two boards, the pieces that pass between them, and the end."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from libs.rules.errors import BadText, MatchOver
from libs.rules.outcome import MATE, MOVE_LIMIT, NOBODY_CAN_MOVE, Outcome
from libs.rules.position import Position, Profile, Verdict
from libs.rules.san import check_mark, san_stem
from libs.rules.squares import WHITE

BOARD_A: Final = 0
BOARD_B: Final = 1
LIMIT_PLIES: Final = 800  # single moves on both boards together (T-draw)


def seat_of(board: int, side: int) -> int:
    """The seat 0..3 (A-White, A-Black, B-White, B-Black) that plays a side of a board."""
    return 2 * board + side


def board_of(seat: int) -> int:
    """The board a seat moves on."""
    return seat >> 1


def side_of(seat: int) -> int:
    """The side a seat plays."""
    return seat & 1


def team_of(seat: int) -> int:
    """The team of a seat: 1 = A-White and B-Black, 2 = A-Black and B-White (T-seats)."""
    return 1 if seat in (0, 3) else 2


def partner_of(seat: int) -> int:
    """The other seat of the team."""
    return 3 - seat


@dataclass(frozen=True, slots=True)
class TandemMatch:
    """Both boards at one instant. ``plies``: single moves made on each; ``outcome`` None while it runs."""

    profile: Profile
    positions: tuple[Position, Position]
    plies: tuple[int, int]
    outcome: Outcome | None

    # As for Position.
    def __reduce__(self) -> tuple[type["TandemMatch"], tuple[object, ...]]:
        return TandemMatch, (self.profile, self.positions, self.plies, self.outcome)

    @staticmethod
    def start(profile: Profile) -> "TandemMatch":
        """A match before its first move."""
        position = Position.start("tandem")
        return TandemMatch(profile, (position, position), (0, 0), None)

    @staticmethod
    def at(
        positions: tuple[Position, Position], profile: Profile, plies: tuple[int, int] = (0, 0)
    ) -> "TandemMatch":
        """A match set up with these boards; it is over at once when the rules say so."""
        verdicts = (positions[0].verdict(profile), positions[1].verdict(profile))
        return TandemMatch(profile, positions, plies, _outcome(positions, verdicts, plies))

    def play(self, board: int, uci: str) -> "TandemStep":
        """The match after a move or drop on a board; a captured piece passes on in the same step (T-capture).

        Decides in order mate, nobody can move, 800 moves (T-draw). Raises MatchOver, BadText ("bad_uci",
        "bad_board") or IllegalMove; this value never changes (B-refuse).
        """
        if board not in (BOARD_A, BOARD_B):
            raise BadText("bad_board", f"There is no board {board!r}, only 0 (A) and 1 (B).")
        if self.outcome is not None:
            raise MatchOver()
        before = self.positions[board]
        played = before.play(uci, self.profile)
        other = self.positions[1 - board]
        if played.captured is not None:
            other = other.with_in_hand(played.captured)
        positions = (played.position, other) if board == BOARD_A else (other, played.position)
        plies = (self.plies[0] + (board == BOARD_A), self.plies[1] + (board == BOARD_B))
        verdicts = (positions[0].verdict(self.profile), positions[1].verdict(self.profile))
        match = TandemMatch(self.profile, positions, plies, _outcome(positions, verdicts, plies))
        # A normal verdict says no check: most moves need no second look for the mark.
        mark = "" if verdicts[board] == "normal" else check_mark(played.position, self.profile)
        text = san_stem(before, uci, self.profile) + mark
        return TandemStep(match, board, before.turn, uci, text, played.captured, verdicts)

    def legal_moves(self, board: int) -> tuple[str, ...]:
        """The legal moves and drops on a board, as ``Position.legal_moves``; none once the match is over."""
        return () if self.outcome else self.positions[board].legal_moves(self.profile)

    def verdict(self, board: int) -> Verdict:
        """What a board's position means for its side to move, in this match's profile."""
        return self.positions[board].verdict(self.profile)


@dataclass(frozen=True, slots=True)
class TandemStep:
    """One move made: the match after it, who moved where and how it is written.

    ``captured`` is the piece as it arrived in the partner's hand, or None; ``verdicts`` are those of both
    boards after the move.
    """

    match: TandemMatch
    board: int
    side: int
    uci: str
    san: str
    captured: str | None
    verdicts: tuple[Verdict, Verdict]

    def __reduce__(self) -> tuple[type["TandemStep"], tuple[object, ...]]:
        values = (self.match, self.board, self.side, self.uci, self.san, self.captured, self.verdicts)
        return TandemStep, values


def units(match: TandemMatch) -> Counter[str]:
    """Every unit on the boards and in the hands by letter, promoted ones as pawns: 64 in a real match."""
    count: Counter[str] = Counter()
    for position in match.positions:
        for letter in position.pieces().values():
            promoted = letter.endswith("~")
            count[("P" if letter[0].isupper() else "p") if promoted else letter] += 1
        for side in (0, 1):
            for letter, number in position.hand(side).items():
                count[letter if side == WHITE else letter.lower()] += number
    return count


def _outcome(
    positions: tuple[Position, Position], verdicts: tuple[Verdict, Verdict], plies: tuple[int, int]
) -> Outcome | None:
    for board in (BOARD_A, BOARD_B):
        if verdicts[board] == "mate":
            return Outcome(team_of(seat_of(board, 1 - positions[board].turn)), MATE)
    if verdicts == ("waiting", "waiting"):
        return Outcome(None, NOBODY_CAN_MOVE)
    if sum(plies) >= LIMIT_PLIES:
        return Outcome(None, MOVE_LIMIT)
    return None
