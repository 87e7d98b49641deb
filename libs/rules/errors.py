"""What the rules answer when something is not right: always a reason, a sentence and a place."""

from typing import Self


class RulesError(ValueError):
    """Base of every error of the rules.

    ``reason`` is machine readable (snake_case), ``detail`` one sentence for a person, ``where`` the place in
    the text that was read ("rank 3, column 5", "token 12A"), or "" where there is no place to name.
    """

    def __init__(self, reason: str, detail: str, where: str = "") -> None:
        super().__init__(reason, detail, where)
        self.reason = reason
        self.detail = detail
        self.where = where

    def __str__(self) -> str:
        return f"{self.detail} ({self.where})" if self.where else self.detail


class BadText(RulesError):
    """A text that means nothing: reasons bad_fen, bad_uci, bad_san, bad_bpgn, bad_pgn, bad_square ..."""


class IllegalMove(RulesError):
    """A well-formed move that the rules refuse.

    Tandem names why: no_piece, wrong_side, not_in_hand, square_occupied, pawn_on_last_rank,
    leaves_king_in_check, illegal_move. Fog says only illegal_move, always in the same words (F-secret).
    """


class MatchOver(RulesError):
    """A move for a match or game that has its outcome already: reason "over"."""

    def __init__(self, reason: str = "over", detail: str = "The match is over.", where: str = "") -> None:
        super().__init__(reason, detail, where)


class Problem(str):
    """What was wrong in a text that was read all the same: one sentence, with its parts for programs.

    ``reason`` is snake_case, ``where`` the place ("line 3", "19A P@e4", "tag Result") or "" where there is
    none; ``stops`` says that nothing behind that place was read.
    """

    reason: str
    where: str
    stops: bool

    def __new__(cls, sentence: str, reason: str, where: str = "", *, stops: bool = False) -> Self:
        problem = super().__new__(cls, sentence)
        problem.reason, problem.where, problem.stops = reason, where, stops
        return problem
