"""Proved deals: where they come from, and that each is given out once."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from tests.conftest import Serve
from tests.helpers import raw

from samedeal_games import GAMES, Variant, deal, find_variant, outcome, parse_seed
from samedeal_games.solver import Verdict, solve
from samedeal_protocol.settings import RaceSettings
from samedeal_server.app import App
from samedeal_server.deals.drawing import Deals
from samedeal_server.deals.pool import Pool
from samedeal_server.deals.proving import try_seed
from samedeal_server.deals.shipped import SHIPPED
from samedeal_server.store import Store, open_store, start_embedded


VARIANTS = [variant for game in GAMES.values() for variant in game.variants]


def is_won(game: str, variant: str, seed: bytes) -> bool:
    state = deal(find_variant(game, variant), seed)
    return outcome(state) is None and solve(state).verdict is Verdict.WON


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: f"{v.game}-{v.name}")
def test_every_shipped_deal_can_be_won(variant: Variant) -> None:
    key = variant.game, variant.name
    assert len(set(SHIPPED[key])) == 8
    assert all(is_won(*key, parse_seed(seed)) for seed in SHIPPED[key])


def test_a_found_seed_is_proved() -> None:
    while (seed := try_seed(find_variant("juvenile"))) is None:
        continue
    assert is_won("juvenile", "one-deck", seed)


async def test_a_pool_fills_and_gives_each_seed_once(store: Store) -> None:
    pool = Pool(store, 2)
    pool.start()
    try:
        variant = find_variant("straight-fifteens")
        drawn = [await pool.draw(variant, 30) for _ in range(5)]
    finally:
        await pool.close()
    seeds = [seed for seed in drawn if seed is not None]
    assert len(seeds) == len(set(seeds)) == 5
    assert all(is_won("straight-fifteens", "either", seed) for seed in seeds)


async def test_what_lies_where_a_server_runs_is_none_of_its_code(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hashlib.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    pool = Pool(store, 1)
    pool.start()
    try:
        assert await pool.draw(find_variant("straight-fifteens"), 10) is not None
    finally:
        await pool.close()


async def test_two_nodes_never_draw_the_same(store: Store) -> None:
    variant = find_variant("doublets")
    for number in range(20):
        await store.registry.pool_add("doublets", "reserve", bytes([number]) * 16)
    one, other = Pool(store, 1), Pool(store, 1)
    draws = (pool.draw(variant, 0) for _ in range(10) for pool in (one, other))
    seeds = await asyncio.gather(*draws)
    assert sorted(seed for seed in seeds if seed) == [
        bytes([number]) * 16 for number in range(20)
    ]
    assert await one.draw(variant, 0) is None


@pytest.mark.parametrize("how", ["stopped", "killed"])
async def test_a_restart_draws_nothing_again(tmp_path: Path, how: str) -> None:
    """Of server and store; what was drawn last may be on disk alone by then."""
    variant = find_variant("doublets")
    together = RaceSettings(seats=4, deals="winnable")
    seeds = [bytes([number]) * 16 for number in range(12)]
    drawn: list[bytes | None] = []
    for run in range(4):
        embedded = await start_embedded(tmp_path / "data")
        store = await open_store(embedded.url)
        if run == 0:
            for seed in seeds:
                await store.registry.pool_add("doublets", "reserve", seed)
        one, other = Deals(Pool(store, 1)), Deals(Pool(store, 1))
        draws = [each.draw(variant, together) for each in (one, other, one)]
        drawn += await asyncio.gather(*draws)
        if how == "killed":
            os.kill(embedded.pid, signal.SIGKILL)
        await store.aclose()
        await embedded.stop()
    assert sorted(seed for seed in drawn if seed) == seeds


async def test_alone_one_need_not_wait(store: Store) -> None:
    deals = Deals(Pool(store, 1))
    variant = find_variant("private-lane")
    alone = RaceSettings(seats=2, bots=("greedy",), deals="winnable")
    seed = await deals.draw(variant, alone)
    assert seed is not None and seed.hex() in SHIPPED["private-lane", "by-suit"]


async def test_people_never_race_on_a_public_deal(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("samedeal_server.deals.drawing.PATIENCE_S", 0.0)
    together = RaceSettings(seats=3, bots=("greedy",), deals="winnable")
    assert await Deals(Pool(store, 1)).draw(find_variant("doublets"), together) is None


async def created(app: App, **settings: object) -> raw.Message:
    client = await raw.connect(app.url, raw.JSON)
    try:
        await client.hello()
        joined = await client.ask("create", **settings)
        if joined["type"] == "error":
            return joined
        return await client.until("race", race=joined["race"])
    finally:
        await client.close()


async def test_a_race_says_which_deals_it_has(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("samedeal_server.deals.drawing.PATIENCE_S", 0.0)
    monkeypatch.setattr(Pool, "start", lambda self: None)
    app = await serve(pool=1)
    bots = {"bots": ["greedy"], "seats": 2}
    told = await created(app, game="juvenile", **bots)
    assert told["settings"]["deals"] == "winnable"
    told = await created(app, game="juvenile", deals="any", **bots)
    assert told["settings"]["deals"] == "any"
    # The pool is empty and nobody fills it: any deal, and the race says so.
    told = await created(app, game="juvenile", deals="winnable")
    assert told["settings"]["deals"] == "any"
    told = await created(app, game="juvenile", deals="winnable", seed="0" * 32)
    assert told["code"] == "bad_settings"
    told = await created(app, game="juvenile", seed="0" * 32)
    assert told["chosen"] and told["settings"]["deals"] == "any"


@pytest.mark.parametrize(
    ("asked", "next_deals"),
    [
        ({"deals": "any"}, "any"),
        ({"deals": "winnable"}, "winnable"),
        ({}, "winnable"),
        ({"seed": "0" * 32}, "winnable"),
    ],
)
async def test_a_rematch_is_on_the_same_kind_of_deal(
    serve: Serve,
    monkeypatch: pytest.MonkeyPatch,
    asked: dict[str, str],
    next_deals: str,
) -> None:
    """A chosen deal says nothing of the next one."""
    monkeypatch.setattr(Pool, "start", lambda self: None)
    app = await serve(pool=1)
    client = await raw.connect(app.url, raw.JSON)
    try:
        await client.hello()
        bots = {"bots": ["greedy"], "seats": 2, "countdown_ms": 0}
        joined = await client.ask("create", game="juvenile", **bots, **asked)
        race = joined["race"]
        await client.send("ready", race=race)
        await client.until("view", race=race)
        await client.ask("resign", race=race)
        again = await client.ask("rematch", race=race)
        told = await client.until("race", race=again["race"])
        assert told["settings"]["deals"] == next_deals
        assert not told["chosen"]
    finally:
        await client.close()
