"""The stack of docker-compose.yml for real: built, started, played through, hurt, scaled, taken away."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio

from libs.rules.record import MatchRecord
from libs.rules.tandem import seat_of
from libs.runtime.settings import SERVICES
from tests.deploy.stack import DockerFailed, Stack, docker, why_not
from tests.kit.browser import Browser, Refused
from tests.kit.table import full_table, played, positions, real_game, replay

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.slow,
    pytest.mark.timeout(1_200),
]
BACK_WITHIN_S = 20.0
MEASURED_WITHIN_S = 60.0


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stack() -> AsyncIterator[Stack]:
    reason = await why_not()
    if reason is not None:
        pytest.skip(reason)
    stack = Stack()
    async with stack:
        size = int(await docker("image", "inspect", "--format", "{{.Size}}", f"{stack.project}:built"))
        figures = {"image_mb": size // 1_000_000, "built_s": stack.built_in_s, "up_s": stack.up_in_s}
        print(json.dumps(figures | {"absent": stack.absent}))  # noqa: T201 - for who measures
        yield stack
    assert await stack.left() == []


async def insist(browsers: list[Browser], record: MatchRecord, first: int, last: int | None) -> None:
    """Moves first..last, each sent with one request id until it is acknowledged, as a patient page does."""
    plies = [0, 0]
    for number, move in enumerate(record.moves[:last]):
        browser = browsers[seat_of(move.board, plies[move.board] % 2)]
        while number >= first:
            try:
                async with asyncio.timeout(BACK_WITHIN_S):
                    await browser.command(
                        "move",
                        request_id=f"move-{number}",
                        board="AB"[move.board],
                        ply=plies[move.board],
                        uci=move.uci,
                    )
                break
            except Refused as refusal:
                if refusal.reason not in ("unavailable", "busy"):
                    raise
                await asyncio.sleep(0.1)
        plies[move.board] += 1


async def test_a_match_is_played_through_the_published_gateway_and_survives_a_game_replica(
    stack: Stack,
) -> None:
    game = real_game("game_13")
    async with full_table(stack.url, variant="tandem") as browsers:
        await replay(browsers, game.record, last=12)
        replicas = await stack.ids("game")
        assert len(replicas) == 2
        await docker("kill", replicas[0])
        await insist(browsers, game.record, 12, 20)
        await docker("start", replicas[0])
        await insist(browsers, game.record, 20, None)
        for browser in browsers:
            await browser.wait_for(lambda b: b.match and b.match["result"], BACK_WITHIN_S)
            assert browser.match is not None
            assert browser.match["result"]["reason"] == "mate"
            assert played(browser) == [(move.board, move.uci) for move in game.record.moves]
            assert positions(browser) == game.final_positions


async def test_the_page_is_served(stack: Stack) -> None:
    assert "<html" in await stack.answers(f"{stack.url}/")


async def test_four_replicas_of_bots_share_the_seats_and_play(stack: Stack) -> None:
    await stack.up("bots=4")
    workers = await stack.ids("bots")
    assert len(workers) == 4
    ready = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:9464/metrics').read().decode())"
    async with AsyncExitStack() as people, asyncio.timeout(MEASURED_WITHIN_S):
        tables: list[Browser] = []
        held = [0.0]
        while not all(held):  # whoever asks first takes all seats that are free: until each had its turn
            person = await people.enter_async_context(Browser(stack.url))
            await person.command("play_now", variant="tandem", name="Kari", seat=0, level=1)
            tables.append(person)
            held = []
            for worker in workers:
                metrics = await docker("exec", worker, "python", "-c", ready)
                (line,) = (line for line in metrics.splitlines() if line.startswith("tandemfog_bots_seats "))
                held.append(float(line.split()[1]))
        for person in tables:  # nobody moves but the bots, whose White of board B is on move at once
            await person.wait_for(lambda page: page.match and page.match["moves"], BACK_WITHIN_S)


async def test_every_container_runs_without_root_and_writes_nowhere_but_where_it_must(stack: Stack) -> None:
    ours = {identity for service in SERVICES for identity in await stack.ids(service)}
    for identity in await stack.ids():
        told = await stack.inspect(identity)
        name, host = told["Name"], told["HostConfig"]
        assert not told["Config"]["User"].startswith(("0", "root")), name
        assert told["Config"]["User"], name
        assert host["ReadonlyRootfs"], name
        assert host["CapDrop"] == ["ALL"], name
        assert not host["CapAdd"], name
        assert host["Memory"] > 0, name
        assert host["NanoCpus"] > 0, name
        assert told["State"].get("Health", {}).get("Status") != "unhealthy", name
    for identity in ours:
        status = await docker("exec", identity, "python", "-c", "print(open('/proc/1/status').read())")
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        assert set(fields["Uid"].split()) == {"10001"}
        assert int(fields["CapEff"], 16) == 0
        assert fields["NoNewPrivs"] == "1"
        with pytest.raises(DockerFailed, match="Read-only file system"):
            await docker("exec", identity, "touch", "/app/anything")
    assert ours


async def test_the_image_has_no_compiler(stack: Stack) -> None:
    identity = (await stack.ids("game"))[0]
    for program in ("gcc", "cc", "node", "npm"):
        with pytest.raises(DockerFailed):
            await docker("exec", identity, "sh", "-c", f"command -v {program}")
    rules = "import libs.rules.board as board; print(board.__file__)"
    assert (await docker("exec", identity, "python", "-c", rules)).endswith(".so")


async def test_only_game_and_matchmaking_reach_the_store(stack: Stack) -> None:
    knock = "import socket; socket.create_connection(('redis', 6379), 3)"
    for service in SERVICES:
        identity = (await stack.ids(service))[0]
        if service in ("game", "matchmaking"):
            await docker("exec", identity, "python", "-c", knock)
        else:
            with pytest.raises(DockerFailed):
                await docker("exec", identity, "python", "-c", knock)


async def test_prometheus_hears_from_every_replica(stack: Stack) -> None:
    if "prometheus" in stack.absent:
        pytest.skip("no image of Prometheus can be had here")
    url = "http://prometheus:9090/api/v1/query?query=up"
    ask = f"import urllib.request as request; print(request.urlopen('{url}').read().decode())"
    wanted = {service: len(await stack.ids(service)) for service in SERVICES}
    identity = (await stack.ids("visibility"))[0]
    async with asyncio.timeout(MEASURED_WITHIN_S):
        while True:
            answer = json.loads(await docker("exec", identity, "python", "-c", ask))
            up = [one["metric"]["job"] for one in answer["data"]["result"] if one["value"][1] == "1"]
            if {service: up.count(service) for service in SERVICES} == wanted:
                return
            await asyncio.sleep(1.0)


async def test_grafana_has_the_dashboards(stack: Stack) -> None:
    if "grafana" in stack.absent:
        pytest.skip("no image of Grafana can be had here")
    url = f"http://{await stack.compose('port', 'grafana', '3000')}"
    found = json.loads(await stack.answers(f"{url}/api/search?type=dash-db"))
    assert "tandemfog-overview" in {dashboard["uid"] for dashboard in found}


async def test_every_service_drains_and_leaves_in_time_when_it_is_asked_to_stop(stack: Stack) -> None:
    """The last test here: nothing runs after it."""
    ours = [identity for service in SERVICES for identity in await stack.ids(service)]
    await docker("stop", "--time", "15", *ours)
    for identity in ours:
        told = await stack.inspect(identity)
        assert told["State"]["ExitCode"] == 0, told["Name"]  # 137: it was killed when its time was over
