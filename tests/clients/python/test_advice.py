"""Hints while one plays, hindsight when it is over; against a real server."""

import asyncio

import pytest
from tests.clients.python.peer import RACE, Line
from tests.clients.python.test_race import alone, game

import samedeal
from samedeal_games import apply_move, deal, find_variant, left, parse_move, parse_seed
from samedeal_protocol import commands


async def test_a_hint_is_a_legal_move_and_why(client: samedeal.Client) -> None:
    race = await alone(client, "doublets", hints=True)
    told = await race.hint()
    assert told.turn == 0 and told.why
    assert told.move in [str(move) for move in race.board.legal_moves()]
    await race.move(str(told.move))
    assert (await race.hint()).turn == 1


async def test_no_hints_where_there_are_none(client: samedeal.Client) -> None:
    race = await alone(client, "doublets")
    with pytest.raises(samedeal.BadSettings):
        await race.hint()


async def test_an_analysis_of_what_was_played(
    client: samedeal.Client, other: samedeal.Client
) -> None:
    """A line of each seat clears its board from the turn that is named."""
    played = game("doublets_reserve", 8)
    variant = find_variant("doublets", "reserve")
    race = await alone(client, "doublets", "reserve", seed=played["seed"])
    for turn in played["turns"][:8]:
        await race.move(turn["move"])
    with pytest.raises(samedeal.RaceStarted):
        await race.analyse()
    await race.resign()
    await race.ended()
    watched = await other.watch(race.code)
    told = await race.analyse()
    assert told.seats == (await watched.analyse(0)).seats
    assert (told.race, told.left, told.verdict) == (race.id, 0, "won")
    (seat,) = told.seats
    assert isinstance(seat, samedeal.SeatAnalysis)
    assert isinstance(seat.turn, int) and isinstance(seat.line, list)
    assert seat.certain
    board = deal(variant, parse_seed(played["seed"]))
    kept = [turn["move"] for turn in played["turns"][: seat.turn]]
    for text in (*kept, *seat.line):
        board = apply_move(board, parse_move(text))
    assert left(board) == 0
    with pytest.raises(samedeal.NotInRace):
        await race.analyse(1)


async def test_what_is_being_worked_out_is_asked_for_again(
    playing: tuple[samedeal.Race, Line],
) -> None:
    """And what is asked meanwhile does not wait for it."""
    race, line = playing
    analysing = asyncio.ensure_future(race.analyse())
    asked = await line.next(commands.Analyse)
    await line.refuse(asked, "unavailable")
    moving = race.move("t0+t2")
    await line.next(commands.Move)
    again = await line.next(commands.Analyse)
    assert (again.race, again.id) != (RACE, asked.id)
    answer = samedeal.Analysis(
        race=RACE, verdict="unknown", left=4, exact=False, line=[], seats=[]
    )
    await line.tell(answer, again)
    told = await analysing
    assert (told.verdict, told.left) == ("unknown", 4)
    moving.cancel()


async def test_it_is_not_asked_for_ever(playing: tuple[samedeal.Race, Line]) -> None:
    race, line = playing
    race._session.timeout = 0.1
    analysing = asyncio.ensure_future(race.analyse())
    await line.refuse(await line.next(commands.Analyse), "unavailable")
    with pytest.raises(samedeal.Unavailable):
        await analysing
