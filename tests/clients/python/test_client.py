"""Finding races and taking part, against a real server."""

import gc
import weakref
from typing import TypeGuard

import pytest
from tests.helpers.positions import rows

import samedeal
from samedeal_games import GAMES
from samedeal_server.app import App


async def test_the_games_are_those_of_the_catalogue(client: samedeal.Client) -> None:
    games = await client.games()
    assert [game.game for game in games] == list(GAMES)
    assert {variant.hidden for game in games for variant in game.variants} == {
        True,
        False,
    }


async def test_settings_go_through(client: samedeal.Client) -> None:
    race = await client.create(
        "private-lane",
        "any-suit",
        seats=3,
        bots=["random"],
        countdown_ms=0,
        time_limit_ms=10_000,
        undo=True,
        open=True,
        deals="any",
    )
    info = race.info
    assert (info.game, info.variant) == ("private-lane", "any-suit")
    settings = info.settings
    assert (settings.seats, list(settings.bots)) == (3, ["random"])
    assert (settings.countdown_ms, settings.time_limit_ms) == (0, 10_000)
    assert (settings.undo, settings.open, settings.deals) == (True, True, "any")
    assert not info.chosen
    assert repr(race) == f"<Race {race.code}: private-lane any-suit, lobby>"


async def test_a_chosen_seed_is_marked(client: samedeal.Client) -> None:
    race = await client.create("juvenile", seed="0" * 32)
    assert race.info.chosen


@pytest.mark.parametrize(
    ("game", "settings", "error"),
    [
        ("klondike", {}, samedeal.UnknownGame),
        ("juvenile", {"variant": "backwards"}, samedeal.UnknownVariant),
        ("juvenile", {"bots": ["genius"]}, samedeal.UnknownLevel),
        ("juvenile", {"seats": 99}, samedeal.BadSettings),
        ("juvenile", {"seed": "xyz"}, samedeal.BadSettings),
        ("juvenile", {"seats": "two"}, samedeal.BadMessage),
    ],
)
async def test_settings_that_cannot_be_are_raised(
    client: samedeal.Client,
    game: str,
    settings: dict[str, object],
    error: type[samedeal.SamedealError],
) -> None:
    with pytest.raises(error) as caught:
        await client.create(game, **settings)  # type: ignore[arg-type]
    assert caught.value.code == error.code
    assert str(caught.value)


async def test_a_race_is_joined_by_code_in_any_case_or_by_id(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    race = await client.create("juvenile")
    theirs = await other.join(race.code.lower())
    assert (theirs.id, theirs.seat, race.seat) == (race.id, 1, 0)
    again = await other.join(race.id)
    assert again.seat == 1
    with pytest.raises(samedeal.UnknownRace):
        await other.join("z" * 16)
    with pytest.raises(samedeal.UnknownRace):
        await other.join("no such code")


async def test_open_races_are_in_the_lobby(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    race = await client.create("doublets", open=True)
    (listed,) = await other.lobby()
    assert (listed.race, listed.host, listed.taken) == (race.id, "Ada", 1)


async def test_quick_finds_whoever_wants_the_same(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    mine, theirs = await client.quick("juvenile"), await other.quick("juvenile")
    assert mine.id == theirs.id
    assert (await client.quick("juvenile")).seat == mine.seat


async def test_a_race_is_gone_on_with_by_its_id(
    server: App, client: samedeal.Client
) -> None:
    # Here any order of play goes on for as long as any other.
    games = rows("transcripts/simple-pairs_standard.jsonl")
    known = next(game for game in games if len(game["turns"]) >= 5)
    race = await client.create(
        "simple-pairs", seats=1, countdown_ms=0, seed=known["seed"]
    )
    await race.ready()
    await race.started()
    board = await race.move(race.board.legal_moves()[0])
    await client.close()
    async with samedeal.connect(server.url, token=client.token) as again:
        assert again.races == (race.id,)
        resumed = await again.resume(race.id)
        assert resumed.board == board
        assert (await resumed.move(resumed.board.legal_moves()[0])).turn == 2


async def test_what_is_not_ones_own_cannot_be_gone_on_with(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    race = await client.create("juvenile")
    with pytest.raises(samedeal.NotInRace):
        await other.resume(race.id)
    with pytest.raises(samedeal.UnknownRace):
        await other.resume("z" * 16)


async def test_a_watcher_sees_how_far_everyone_is_and_the_boards_at_the_end(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    race = await client.create("juvenile", bots=["random"], countdown_ms=0)
    watched = await other.watch(race.code)
    assert watched.seat is None
    with pytest.raises(samedeal.NotInRace):
        _ = watched.board
    updates = watched.updates()
    await race.ready()
    await watched.started()
    await race.started()
    assert not watched.boards
    await race.resign()
    standings = await watched.ended()
    assert standings == await race.ended()
    assert watched.boards.keys() == {0, 1}
    assert watched.boards == race.boards
    kinds = {type(update) async for update in updates}
    assert samedeal.Progress in kinds
    assert samedeal.Patch not in kinds


async def test_a_private_race_is_watched_by_code_only(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    race = await client.create("juvenile")
    with pytest.raises(samedeal.UnknownRace):
        await other.watch(race.id)
    watched = await other.watch(race.code)
    reading = watched.updates()
    await watched.leave()
    async for _ in reading:
        pass
    with pytest.raises(samedeal.NotInRace):
        await watched.ended()
    again = await other.watch(race.code)
    seated = await other.join(race.code)
    assert (again.seat, seated.seat) == (1, 1)


async def test_a_race_is_followed_only_while_it_is_held(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    race = await client.create("juvenile", open=True)
    reading = (await other.watch(race.id)).updates()
    gc.collect()
    await race.leave()
    told = [update async for update in reading]
    assert is_info(told[-1]) and told[-1].phase == "ended", "Who reads, holds it."
    source = weakref.ref(reading)
    del reading
    gc.collect()
    assert source() is None


def is_info(update: object) -> TypeGuard[samedeal.RaceInfo]:
    return isinstance(update, samedeal.RaceInfo)
