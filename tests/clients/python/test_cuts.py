"""A real server behind a network that cuts connections at random bytes."""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from tests.helpers.cuts import Cuts, Fault
from tests.helpers.positions import rows

import samedeal
from samedeal_protocol import codec, events, logfile
from samedeal_server.app import App, running
from samedeal_server.settings import Limits, Settings


async def long_race(client: samedeal.Client) -> tuple[dict[str, Any], samedeal.Race]:
    """A race of one that has begun, and a known game of its deal."""
    known = next(
        game
        for game in rows("transcripts/juvenile_seventeen-piles.jsonl")
        if len(game["turns"]) >= 30
    )
    race = await client.create(
        known["game"], known["variant"], seats=1, countdown_ms=0, seed=known["seed"]
    )
    await race.ready()
    await race.started()
    return known, race


BOARD = samedeal.Patch | samedeal.View


def faults(chance: random.Random) -> Iterator[Fault]:
    """Connections that never last: cut in one direction, and split up."""
    while True:
        where = chance.randrange(150, 2500)
        split = chance.choice([1, 7, 100, 65536])
        if chance.random() < 0.5:
            yield Fault(up=where, split=split)
        else:
            yield Fault(down=2 * where, split=split)


@pytest.mark.parametrize("seed", range(4))
async def test_after_any_cut_every_move_is_played_once(server: App, seed: int) -> None:
    chance = random.Random(seed)
    async with (
        Cuts(server.url, faults(chance)) as cuts,
        samedeal.connect(cuts.url, name="Ada", timeout=50) as client,
    ):
        known, race = await long_race(client)
        told = race.updates()
        moves = [turn["move"] for turn in known["turns"]]
        while moves:
            # One at a time, or several on the way at once.
            row = [race.move(move) for move in moves[: chance.choice([1, 1, 2, 5])]]
            boards = await asyncio.gather(*row)
            assert boards[-1].turn == race.board.turn
            del moves[: len(row)]
        assert race.board.turn == len(known["turns"])
        assert race.board.left == known["turns"][-1]["left"]
        if race.board.playing:
            await race.resign()
        await race.ended()
        async with samedeal.connect(server.url) as witness:
            watched = await witness.watch(race.code)
            await watched.ended()
            assert watched.boards == race.boards
        log = logfile.read(await samedeal.fetch_log(server.url, race.id))
        played = [codec.decode_event(entry.event) for entry in log.entries]
        assert [
            event.moves[0] for event in played if isinstance(event, events.Moved)
        ] == [turn["move"] for turn in known["turns"]]
        assert log.digest == race.digest
        shown = [update async for update in told if isinstance(update, BOARD)]
        assert shown[-1].turn == len(known["turns"])
        assert cuts.cuts >= 3


async def test_another_node_is_as_good(
    serve: Callable[..., Awaitable[App]],
) -> None:
    first, second = await serve(), await serve()
    async with (
        Cuts(first.url) as cuts,
        samedeal.connect(
            [cuts.url, second.url], timeout=20, ping_timeout=0.5
        ) as client,
    ):
        known, race = await long_race(client)
        first_move, second_move = [turn["move"] for turn in known["turns"][:2]]
        await race.move(first_move)
        cuts.freeze()
        moving = race.move(second_move)
        # The heartbeat is 10 s; a test does not wait for that to be missed.
        cuts.cut()
        assert (await moving).turn == 2
        assert cuts.connections == 1


async def test_a_node_that_shuts_down_hands_its_players_on(
    serve: Callable[..., Awaitable[App]], valkey: str
) -> None:
    second = await serve()
    settings = Settings(port=0, redis=valkey, limits=Limits.off())
    async with contextlib.AsyncExitStack() as stack:
        first = await stack.enter_async_context(running(settings))
        async with samedeal.connect([first.url, second.url], timeout=20) as client:
            known, race = await long_race(client)
            moves = [turn["move"] for turn in known["turns"]]
            row = [race.move(move) for move in moves[:9]]
            closing = asyncio.ensure_future(stack.aclose())
            row += [race.move(move) for move in moves[9:19]]
            assert (await asyncio.gather(*row))[-1].turn == 19
            await closing
            assert (await race.move(moves[19])).turn == 20
            assert client.connected
