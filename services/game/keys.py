"""Names of game's keys in the store. Each carries its shard's tag, so that a script touches one slot."""

from __future__ import annotations

from dataclasses import dataclass

from libs.identity.ids import SHARD_COUNT, shard_of, shard_tag

SHARDS = range(SHARD_COUNT)


@dataclass(frozen=True, slots=True)
class ShardKeys:
    """What a shard has once.

    ``time``: hash of the shard's time; ``outages``: list of "began lasted"; ``deadlines``: ordered set of
    match ids by shard time; ``feed``: stream of events; ``gateways``: hash of each gateway's last report;
    ``reports``: stream of what players reported of their partners' words; ``ended``: ordered set of finished
    matches that the archive does not have yet.
    """

    time: str
    outages: str
    deadlines: str
    feed: str
    gateways: str
    reports: str
    ended: str

    def held_by(self, gateway_id: str) -> str:
        """The set of matches that a gateway has reported connections of."""
        return f"{self.gateways}:{gateway_id}"


def shard_keys(shard: int) -> ShardKeys:
    """The keys of a shard."""
    prefix = f"{shard_tag(shard)}:game"
    return ShardKeys(
        f"{prefix}:time",
        f"{prefix}:outages",
        f"{prefix}:deadlines",
        f"{prefix}:feed",
        f"{prefix}:gateways",
        f"{prefix}:reports",
        f"{prefix}:ended",
    )


@dataclass(frozen=True, slots=True)
class MatchKeys:
    """What a match has.

    ``clock``: hash of all that scripts change; ``state``: the raw state without what is stamped; ``log``:
    list of stamped events; ``answers``: hash of the last answers by seat and request; ``presence``: hash of
    connections by seat and gateway; ``talk_one`` and ``talk_two``: lists of lines.
    """

    shard: ShardKeys
    clock: str
    state: str
    log: str
    answers: str
    presence: str
    talk_one: str
    talk_two: str

    @property
    def commit(self) -> tuple[str, ...]:
        """The keys of a match's scripts, in the order that they know them by."""
        shard = self.shard
        return (
            shard.time,
            shard.outages,
            self.clock,
            self.state,
            self.log,
            self.answers,
            shard.deadlines,
            shard.feed,
            self.presence,
            self.talk_one,
            self.talk_two,
            shard.ended,
        )


ALL_SHARDS = tuple(shard_keys(shard) for shard in SHARDS)


def match_keys(match_id: str) -> MatchKeys:
    """The keys of a match. Raises ValueError for a text that is no match's id."""
    shard = shard_of(match_id)
    prefix = f"{shard_tag(shard)}:match:{match_id}"
    return MatchKeys(
        ALL_SHARDS[shard],
        f"{prefix}:clock",
        f"{prefix}:state",
        f"{prefix}:log",
        f"{prefix}:answers",
        f"{prefix}:presence",
        f"{prefix}:talk:1",
        f"{prefix}:talk:2",
    )


@dataclass(frozen=True, slots=True)
class OperatorKeys:
    """What there is once, in a slot of its own.

    ``blocked``: hash of addresses; ``announcement``: string; ``acts``: stream of what operators have done;
    ``roll``: hash of the processes that check in.
    """

    blocked: str = "{operator}:blocked"
    announcement: str = "{operator}:announcement"
    acts: str = "{operator}:acts"
    roll: str = "{operator}:roll"


OPERATOR_KEYS = OperatorKeys()
