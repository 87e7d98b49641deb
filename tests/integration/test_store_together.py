"""Commands that travel together: each has its own answer, its own failure, and its own end."""

from __future__ import annotations

import asyncio
from pathlib import Path

from redis.exceptions import ConnectionError as StoreGone
from redis.exceptions import NoScriptError, ResponseError

from libs.store.connect import open_client
from libs.store.together import MOST, Together
from tests.kit.valkey import running_valkey

WITHIN_S = 5.0


def together(url: str) -> Together:
    client = open_client(url, 8, WITHIN_S)
    return Together(client, WITHIN_S)  # type: ignore[arg-type]


async def commands_processed(bundle: Together) -> int:
    return int((await bundle.execute("INFO", "stats"))["total_reads_processed"])


async def test_every_command_of_a_bundle_gets_its_own_answer_in_few_reads(valkey_url: str) -> None:
    bundle = together(valkey_url)
    before = await commands_processed(bundle)
    answers = await asyncio.gather(*(bundle.execute("ECHO", str(number)) for number in range(3 * MOST)))
    assert answers == [str(number).encode() for number in range(3 * MOST)]
    assert await commands_processed(bundle) - before < 40, "they did not travel together"


async def test_a_command_that_fails_does_not_fail_its_neighbours(valkey_url: str) -> None:
    bundle = together(valkey_url)
    answers = await asyncio.gather(
        bundle.execute("ECHO", "before"),
        bundle.execute("EVALSHA", "0" * 40, 0),
        bundle.execute("NONSENSE"),
        bundle.execute("ECHO", "after"),
        return_exceptions=True,
    )
    assert (answers[0], answers[3]) == (b"before", b"after")
    assert isinstance(answers[1], NoScriptError)
    assert isinstance(answers[2], ResponseError)


async def test_a_caller_who_gives_up_takes_nobody_elses_answer_away(valkey_url: str) -> None:
    bundle = together(valkey_url)
    given_up = [asyncio.create_task(bundle.execute("ECHO", "x")) for _ in range(20)]
    await asyncio.sleep(0)
    for task in given_up[::2]:
        task.cancel()
    answers = await asyncio.gather(*given_up[1::2], *(bundle.execute("ECHO", str(n)) for n in range(20)))
    assert answers == [b"x"] * 10 + [str(number).encode() for number in range(20)]


async def test_when_the_server_goes_all_hear_it_and_the_next_ones_find_it_again(
    tmp_path: Path,
) -> None:
    with running_valkey(tmp_path / "own") as server:
        bundle = together(server.url)
        assert await bundle.execute("ECHO", "there") == b"there"
        await asyncio.to_thread(server.stop)
        lost = await asyncio.gather(
            *(bundle.execute("ECHO", "gone") for _ in range(5)), return_exceptions=True
        )
        assert all(isinstance(each, StoreGone) for each in lost)
        await asyncio.to_thread(server.start)
        assert await bundle.execute("ECHO", "back") == b"back"
