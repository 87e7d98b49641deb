"""What the rules answer when something is not right: always a reason, a sentence and a place."""


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
