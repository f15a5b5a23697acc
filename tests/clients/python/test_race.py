"""A race from its lobby to its rematch, against a real server."""

import asyncio
import random
from typing import Any

import pytest
from tests.helpers.positions import VARIANTS, rows, variant_id

import samedeal
from samedeal_cli.verification import verify
from samedeal_games import Variant, view
from samedeal_protocol import logfile
from samedeal_server.app import App


async def alone(client: samedeal.Client, *what: str, **how: Any) -> samedeal.Race:
    """A race of one that has begun."""
    race = await client.create(*what, seats=1, countdown_ms=0, **how)
    await race.ready()
    await race.started()
    return race


def game(variant: str, turns: int) -> dict[str, Any]:
    """A game of so many turns at least, from the vectors."""
    transcripts = rows(f"transcripts/{variant}.jsonl")
    return next(game for game in transcripts if len(game["turns"]) >= turns)


async def play(race: samedeal.Race, most: int) -> None:
    """Play at random, and resign after so many moves."""
    await race.started()
    for _ in range(most):
        moves = race.board.legal_moves()
        if not moves:
            return
        await race.move(random.choice(moves))
    if race.board.playing:
        await race.resign()


# Whole races.


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
async def test_two_clients_and_two_bots_race_to_the_end(
    server: App,
    client: samedeal.Client,
    other: samedeal.Client,
    variant: Variant,
) -> None:
    race = await client.create(
        variant.game, variant.name, bots=["greedy", "random"], countdown_ms=0
    )
    theirs = await other.join(race.code)
    await asyncio.gather(race.ready(), theirs.ready())
    await asyncio.gather(play(race, 60), play(theirs, 60))
    standings = await race.ended()
    assert standings == await theirs.ended() == race.standings
    assert {line.seat for line in standings} == {0, 1, 2, 3}
    assert race.boards == theirs.boards
    for line in standings:
        board = race.boards[line.seat]
        assert (board.status, board.left) == (line.status, line.left)
        assert race.progress[line.seat].left == line.left
    log = await samedeal.fetch_log(server.url, race.id)
    assert logfile.read(log).actual_digest == race.digest == theirs.digest
    report = verify(log, race_id=race.id, digest=race.digest)
    assert not report.faults
    replayed = report.race
    assert replayed is not None and replayed.standings is not None
    places = [(line.place, line.seat, line.left) for line in replayed.standings]
    assert [(line.place, line.seat, line.left) for line in standings] == places
    for seat in replayed.taken:
        assert view(seat.board) == race.boards[seat.number].piles


async def test_a_rematch_brings_everyone_together_again(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    race = await client.create("juvenile", countdown_ms=0)
    theirs = await other.join(race.code)
    await asyncio.gather(race.ready(), theirs.ready())
    await asyncio.gather(play(race, 0), play(theirs, 0))
    await asyncio.gather(race.ended(), theirs.ended())
    offers = theirs.updates()
    again = await race.rematch()
    offer = await anext(offers)
    assert isinstance(offer, samedeal.RaceInfo)
    assert offer.rematch == again.id != race.id
    theirs_again = await theirs.rematch()
    assert (theirs_again.id, theirs_again.seat) == (again.id, 1)


async def test_updates_tell_the_whole_race_and_end_with_it(
    client: samedeal.Client,
) -> None:
    known = game("simple-pairs_standard", 5)
    race = await client.create(
        "simple-pairs", bots=["random"], countdown_ms=0, seed=known["seed"]
    )
    updates = race.updates()
    await race.ready()
    await play(race, 1)
    await race.ended()
    told = [update async for update in updates]
    phases = [update.phase for update in told if isinstance(update, samedeal.RaceInfo)]
    assert phases[-2:] == ["racing", "ended"]
    patches = [update for update in told if isinstance(update, samedeal.Patch)]
    assert [update.turn for update in patches] == [1, 1]
    assert patches[-1].status == "resigned"
    assert isinstance(told[-1], samedeal.View)


# The lobby.


async def test_not_ready_can_be_taken_back(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    race = await client.create("juvenile")
    theirs = await other.join(race.code)
    await race.ready()
    await race.ready(False)
    await theirs.ready()
    await theirs.sync()
    assert [seat.ready for seat in theirs.info.seats] == [False, True]
    assert theirs.info.phase == "lobby"


async def test_the_host_starts_alone(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    race = await client.create("juvenile", countdown_ms=0)
    theirs = await other.join(race.code)
    with pytest.raises(samedeal.NotHost):
        await theirs.start()
    await race.start()
    await asyncio.gather(race.started(), theirs.started())
    assert race.board.piles == theirs.board.piles


async def test_who_is_put_out_is_told_and_may_come_back(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    race = await client.create("juvenile")
    theirs = await other.join(race.code)
    waiting = asyncio.ensure_future(theirs.started())
    reading = theirs.updates()
    await race.kick(1)
    with pytest.raises(samedeal.NotInRace):
        await waiting
    with pytest.raises(samedeal.NotInRace):
        async for _ in reading:
            pass
    assert theirs.seat is None
    again = await other.join(race.code)
    assert again.seat == 1
    await again.ready()


async def test_leaving_frees_the_seat(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    race = await client.create("juvenile")
    theirs = await other.join(race.code)
    await theirs.leave()
    assert theirs.seat is None
    with pytest.raises(samedeal.NotInRace):
        await theirs.started()
    await race.sync()
    assert [seat.seat for seat in race.info.seats] == [0]


async def test_a_lobby_that_everyone_leaves_never_begins(
    client: samedeal.Client,
) -> None:
    race = await client.create("juvenile")
    waiting = asyncio.ensure_future(race.started())
    await race.leave()
    with pytest.raises(samedeal.Finished, match="before it began"):
        await waiting
    assert await race.ended() == ()


# Playing.


async def test_before_the_start_there_is_no_board(client: samedeal.Client) -> None:
    race = await client.create("juvenile")
    with pytest.raises(samedeal.NotStarted, match=r"await race\.started"):
        _ = race.board
    with pytest.raises(samedeal.NotStarted):
        await race.move("t0+t1")
    assert race.standings == ()
    assert race.digest is None


async def test_moves_are_refused_by_kind(client: samedeal.Client) -> None:
    race = await alone(client, "juvenile")
    with pytest.raises(samedeal.BadMove) as bad:
        await race.move("t1+t0")
    with pytest.raises(samedeal.IllegalMove) as illegal:
        await race.move("t0+t99")
    assert bad.value.race == illegal.value.race == race.id
    with pytest.raises(ValueError, match="at least one move"):
        race.move()
    assert race.board.turn == 0
    await race.resign()
    assert race.board.status == "resigned"
    with pytest.raises(samedeal.Finished):
        await race.move("t0+t1")


@pytest.mark.parametrize("variant", ["juvenile_one-deck", "doublets_reserve"])
async def test_moves_can_follow_each_other_without_waiting(
    client: samedeal.Client, variant: str
) -> None:
    known = game(variant, 15)
    race = await alone(client, known["game"], known["variant"], seed=known["seed"])
    moves = [turn["move"] for turn in known["turns"]]
    boards = await asyncio.gather(*[race.move(move) for move in moves])
    last = known["turns"][-1]
    assert boards[-1] == race.board
    assert (race.board.turn, race.board.left, race.board.status) == (
        len(moves),
        last["left"],
        last["status"],
    )


async def test_what_follows_a_refused_move_is_not_played(
    client: samedeal.Client,
) -> None:
    known = game("juvenile_one-deck", 5)
    race = await alone(client, "juvenile", seed=known["seed"])
    first, second, third = [turn["move"] for turn in known["turns"][:3]]
    asked = [race.move(move) for move in (first, "t0+t99", second, third)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(outcomes[0], samedeal.Board)
    assert isinstance(outcomes[1], samedeal.IllegalMove)
    assert isinstance(outcomes[2], samedeal.StaleTurn)
    assert isinstance(outcomes[3], samedeal.StaleTurn)
    assert (await race.move(second)).turn == 2


async def test_several_moves_can_be_one_turn_and_be_undone(
    client: samedeal.Client,
) -> None:
    race = await alone(client, "private-lane", undo=True, seed="0" * 32)
    before = race.board
    after = await race.move("t0>c0", "t1>c1")
    assert after.turn == 1
    assert after.piles["c0"] == before.piles["t0"][-1:]
    assert after.piles["c1"] == before.piles["t1"][-1:]
    with pytest.raises(samedeal.IllegalMove):
        await race.move("c0>t0", "c1>c0")
    undone = await race.undo()
    assert (undone.turn, undone.piles) == (2, before.piles)
    with pytest.raises(samedeal.NothingToUndo):
        await race.undo()


async def test_without_undo_there_is_none(client: samedeal.Client) -> None:
    race = await alone(client, "private-lane")
    await race.move("t0>c0")
    with pytest.raises(samedeal.UndoRefused):
        await race.undo()


async def test_a_race_left_while_playing_is_resigned(client: samedeal.Client) -> None:
    race = await alone(client, "juvenile")
    await race.leave()
    (line,) = await race.ended()
    assert line.status == "resigned"


async def test_giving_up_in_the_countdown_waits_for_no_board(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    race = await client.create("juvenile", countdown_ms=300)
    theirs = await other.join(race.code)
    await race.ready()
    await theirs.ready()
    await theirs.resign()
    await asyncio.gather(race.started(), theirs.started())
    await race.resign()
    assert {line.status for line in await theirs.ended()} == {"resigned"}
