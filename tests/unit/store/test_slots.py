"""Which slot a command touches, and that all keys of a match share one."""

from __future__ import annotations

import pytest
from redis.crc import key_slot
from redis.exceptions import MovedError, ReadOnlyError, ResponseError

from libs.identity.ids import SHARD_COUNT, new_table_id
from libs.store.connect import is_cluster, seeds_of
from libs.store.passing import is_passing
from libs.store.slots import SlotMap, slot_of
from services.game.keys import match_keys
from services.matchmaking import keys as tables

MATCHMAKING = (
    tables.due_key,
    tables.open_key,
    tables.running_key,
    tables.changes_key,
    tables.bots_key,
    tables.leases_key,
)


@pytest.mark.parametrize("shard", range(SHARD_COUNT))
def test_all_keys_of_a_match_and_of_its_table_are_in_one_slot(shard: int) -> None:
    match_id = new_table_id(shard, bytes(range(15)))
    keys = match_keys(match_id)
    names = [*keys.commit, keys.shard.gateways, keys.shard.held_by("g1"), tables.table_key(match_id)]
    names += [name(shard) for name in MATCHMAKING]
    assert len({key_slot(name.encode()) for name in names}) == 1


def test_the_shards_are_spread_over_three_masters() -> None:
    thirds = [key_slot(tables.due_key(shard).encode()) * 3 // 16_384 for shard in range(SHARD_COUNT)]
    assert set(thirds) == {0, 1, 2}


def test_a_command_goes_by_its_first_key() -> None:
    slot = key_slot(b"{s07}:x")
    assert slot_of(("GET", "{s07}:x")) == slot
    assert slot_of(("EVALSHA", "digest", 2, "{s07}:x", "{s07}:y", "word")) == slot
    assert slot_of(("EVAL", "return 1", 0)) is None
    assert slot_of(("XREAD", b"COUNT", 10, b"BLOCK", 200, b"STREAMS", b"{s07}:x", b"0-0")) == slot
    assert slot_of(("WAIT", 1, 1000)) is None


def test_the_map_knows_what_it_was_told_last() -> None:
    known = SlotMap()
    assert known.find(5) is None
    known.learn(
        [[0, 99, [b"10.0.0.1", 6379, b"id"], [b"10.0.0.2", 6379, b"id"]], [100, 200, [b"", 7000, b"id"]]],
        ("seed", 1),
    )
    assert known.find(5) == ("10.0.0.1", 6379)
    assert known.find(150) == ("seed", 7000)
    assert known.find(300) is None
    assert known.find(None) == ("10.0.0.1", 6379)
    known.move(5, ("10.0.0.2", 6379))
    assert known.find(5) == ("10.0.0.2", 6379)
    known.learn([[0, 16_383, [b"10.0.0.3", 6379, b"id"]]], ("seed", 1))
    assert known.find(5) == ("10.0.0.3", 6379)


def test_urls_of_one_server_and_of_a_cluster() -> None:
    assert seeds_of("redis://:secret@127.0.0.1:7000/0") == [("127.0.0.1", 7000)]
    assert seeds_of("redis+cluster://u:p@a:1,b:2,[::1]:3") == [("a", 1), ("b", 2), ("::1", 3)]
    assert is_cluster("rediss+cluster://a:1")
    assert not is_cluster("rediss://a:1")
    for wrong in ("redis+cluster://a", "redis+cluster://a:1,b", "redis+cluster://a:1/3"):
        with pytest.raises(ValueError, match=r"host:port|databases"):
            seeds_of(wrong)


def test_what_passes_by_itself_is_told_from_what_is_wrong() -> None:
    assert is_passing(ConnectionRefusedError())
    assert is_passing(ReadOnlyError("You can't write against a read only replica."))
    assert is_passing(MovedError("5 127.0.0.1:7000"))
    assert is_passing(ResponseError("NOREPLICAS Not enough good replicas to write. script: x"))
    assert not is_passing(ResponseError("WRONGTYPE Operation against a key holding the wrong kind of value"))
    assert not is_passing(ResponseError("CROSSSLOT Keys in request don't hash to the same slot"))
