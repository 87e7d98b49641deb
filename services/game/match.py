"""One running match as an immutable value, and its raw state. Pure; clocks and times are the store's."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gen.tandemfog.feed.v1.feed_pb2 import RawState
from gen.tandemfog.types.v1.types_pb2 import SEAT_KIND_BOT, SEAT_KIND_HUMAN, Seat, TimeControl
from libs.rules.outcome import Outcome
from libs.rules.tandem import TandemMatch, team_of
from libs.runtime.refusals import Refusal
from libs.wire.raw import SCHEMA, Game, game_of, is_readable, write_game


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat. ``online`` is False once a person's connections are all gone."""

    human: bool
    name: str
    level: int
    online: bool


@dataclass(frozen=True, slots=True)
class Match:
    """A match between two events.

    ``agreed``: seats whose draw offer or agreement stands, the maker of the offer first. ``offer_again``: per
    seat the number of moves on its board from which it may offer again. ``initial_ms`` None: no clock.
    ``verdicts``: the rules' word per board. ``version``: the number of events so far. ``leases``: per
    seat that of the person who took it, 0 for bots. ``lifts``: how often the curtain between two people
    on one device has been lifted, None without one (F-curtain).
    """

    match_id: str
    game: Game
    players: tuple[Player, ...]
    initial_ms: int | None
    increment_ms: int
    verdicts: tuple[str, ...]
    agreed: tuple[int, ...] = ()
    offer_again: tuple[int, ...] = ()
    version: int = 0
    leases: tuple[int, ...] = ()
    lifts: int | None = None

    @property
    def is_fog(self) -> bool:
        return not isinstance(self.game, TandemMatch)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome

    @property
    def plies(self) -> tuple[int, ...]:
        """Single moves made on each board."""
        return self.game.plies if isinstance(self.game, TandemMatch) else (self.game.plies,)

    @property
    def may_abort(self) -> bool:
        """Whether no board has had its second single move (T-abort)."""
        return max(self.plies) < 2

    @property
    def curtain_is_down(self) -> bool:
        """Whether the side to move has not lifted the curtain yet, as it must before each of its moves."""
        return self.lifts == self.plies[0]

    def turn(self, board: int) -> int:
        """The side to move on a board."""
        if isinstance(self.game, TandemMatch):
            return self.game.positions[board].turn
        return self.game.position.turn

    def team(self, seat: int) -> int:
        """Tandem: team 1 or 2; fog: 1 White, 2 Black."""
        return seat + 1 if self.is_fog else team_of(seat)

    def lost_by(self, seat: int, reason: str) -> Outcome:
        """The outcome when one player loses: the whole team does (T-end)."""
        return Outcome(3 - self.team(seat), reason)

    def ended(self, outcome: Outcome) -> Match:
        """The match with its outcome; no offer stands any more."""
        return replace(self, game=replace(self.game, outcome=outcome), agreed=())


def start_match(
    match_id: str,
    game: Game,
    players: tuple[Player, ...],
    initial_ms: int | None,
    increment_ms: int,
    leases: tuple[int, ...] = (),
    has_curtain: bool = False,
) -> Match:
    """A match at its start."""
    if isinstance(game, TandemMatch):
        verdicts: tuple[str, ...] = (game.verdict(0), game.verdict(1))
    else:
        verdicts = (game.position.verdict(),)
    return Match(
        match_id,
        game,
        players,
        initial_ms,
        increment_ms,
        verdicts,
        offer_again=(0,) * len(players),
        version=1,
        leases=leases or (0,) * len(players),
        lifts=0 if has_curtain else None,
    )


def raw_state(match: Match) -> RawState:
    """The state to keep: everything but what the commit stamps."""
    state = RawState(
        match_id=match.match_id,
        draw_agreed=match.agreed,
        offer_again_ply=match.offer_again,
        leases=match.leases,
        seats=[seat_message(player) for player in match.players],
        lifts=match.lifts,
        schema=SCHEMA,
    )
    if match.initial_ms is not None:
        state.time.CopyFrom(TimeControl(initial_ms=match.initial_ms, increment_ms=match.increment_ms))
    write_game(state, match.game, match.verdicts)
    return state


def match_of(state: RawState) -> Match:
    """The match that a kept and stamped state holds.

    Raises Refusal unavailable for one that a newer replica has written: it asks another replica again.
    """
    if not is_readable(state):
        raise Refusal("unavailable", "A newer version of the service has this match.")
    return Match(
        match_id=state.match_id,
        game=game_of(state),
        players=tuple(
            Player(seat.kind == SEAT_KIND_HUMAN, seat.name, seat.level, seat.online) for seat in state.seats
        ),
        initial_ms=state.time.initial_ms if state.HasField("time") else None,
        increment_ms=state.time.increment_ms,
        verdicts=tuple(board.verdict for board in state.boards),
        agreed=tuple(state.draw_agreed),
        offer_again=tuple(state.offer_again_ply),
        version=state.version,
        leases=tuple(state.leases),
        lifts=state.lifts if state.HasField("lifts") else None,
    )


def seat_message(player: Player) -> Seat:
    """A player as everybody may know them."""
    kind = SEAT_KIND_HUMAN if player.human else SEAT_KIND_BOT
    return Seat(kind=kind, name=player.name, level=player.level, online=player.online)
