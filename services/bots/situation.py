"""What a bot decides on: what its seat may see, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from libs.rules.position import Profile, Variant
from services.bots.belief import Sighting


@dataclass(frozen=True, slots=True)
class Situation:
    """The own board when it is the bot's turn.

    ``side`` is 0 for White. ``fen`` is the board in tandem, empty in fog; ``pieces`` are its 64 characters
    from a8 to h1, with "?" for fog. ``moves`` are the legal moves as UCI. ``wishes`` is what the partner
    asked for: by kind letter ("N"), a bonus for giving one, negative for not losing one to the opponents.
    In fog: ``key`` names the seat, ``history`` is what it has seen after each ply since ``first_ply``, and
    ``captures`` how many pieces it had taken before that.
    """

    variant: Variant
    profile: Profile
    side: int
    fen: str
    pieces: str
    moves: tuple[str, ...]
    wishes: dict[str, int] = field(default_factory=dict)
    key: str = ""
    first_ply: int = 0
    captures: int = 0
    history: tuple[Sighting, ...] = ()
