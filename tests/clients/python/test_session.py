"""Commands and their answers, whatever happens to the connection meanwhile."""

import asyncio

import msgspec
import pytest
from tests.clients.python import peer as scripted
from tests.clients.python.peer import RACE, Line, Peer, patch, race_info, view

import samedeal
from samedeal_protocol import commands
from samedeal_protocol.updates import Joined, LobbyList, Pong


Met = tuple[samedeal.Client, Line]
Playing = tuple[samedeal.Race, Line]


# Answers.


async def test_an_answer_goes_to_whoever_asked(met: Met) -> None:
    client, line = met
    first = asyncio.ensure_future(client.lobby())
    second = asyncio.ensure_future(client.ping())
    lobby, ping = await line.next(commands.Lobby), await line.next(commands.Ping)
    await line.tell(Pong(now_ms=1), ping)
    assert await second >= 0
    await line.tell(LobbyList(races=[]), lobby)
    assert list(await first) == []


async def test_answers_that_nobody_waits_for_are_passed_over(met: Met) -> None:
    client, line = met
    await line.tell(Pong(now_ms=1), 999)
    asking = asyncio.ensure_future(client.lobby())
    await line.answer_lobby()
    await asking


async def test_no_answer_in_time_is_an_error_of_its_own(peer: Peer) -> None:
    connecting = asyncio.ensure_future(
        samedeal.connect(peer.url, timeout=0.2, ping_timeout=5)
    )
    line = await peer.accept()
    await line.greet()
    async with await connecting as client:
        with pytest.raises(samedeal.NoAnswer):
            await client.lobby()


async def test_too_much_for_one_message_is_not_sent(met: Met) -> None:
    client, line = met
    with pytest.raises(samedeal.BadMessage, match="the server takes 8192"):
        await client.join("X" * 9000)
    asking = asyncio.ensure_future(client.lobby())
    await line.answer_lobby()
    await asking


async def test_so_many_commands_may_be_under_way(peer: Peer) -> None:
    connecting = asyncio.ensure_future(
        samedeal.connect(peer.url, unanswered=2, timeout=5)
    )
    line = await peer.accept()
    await line.greet()
    async with await connecting as client:
        asking = [asyncio.ensure_future(client.lobby()) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(samedeal.TooManyUnanswered):
            await client.lobby()
        for _ in asking:
            await line.answer_lobby()
        await asyncio.gather(*asking)


# Cuts.


async def test_a_move_in_flight_completes_after_a_cut(
    playing: Playing, peer: Peer
) -> None:
    race, line = playing
    moving = race.move("t0+t2")
    sent = await line.next(commands.Move)
    line.cut()
    line = await peer.accept()
    await line.greet()
    sync = await line.synced()
    assert (sync.race, sync.turn) == (RACE, 0)
    again = await line.next(commands.Move)
    assert (again.turn, list(again.moves)) == (sent.turn, list(sent.moves))
    await line.tell(patch(0, 1), again)
    assert (await moving).turn == 1


async def test_a_move_that_was_played_before_the_cut_is_only_confirmed(
    playing: Playing, peer: Peer
) -> None:
    race, line = playing
    moving = race.move("t0+t2")
    await line.next(commands.Move)
    line.cut()
    line = await peer.accept()
    await line.greet()
    sync = await line.next(commands.Sync)
    await line.tell(race_info(), sync)
    played = patch(0, 1, piles={"t0": (1, []), "t2": (0, [])}, left=4)
    await line.tell(played)
    await line.tell(played, await line.next(commands.Move))
    board = await moving
    assert (board.turn, board.left, board.piles["t0"]) == (1, 4, ["Kh"])


async def test_the_board_catches_up_after_a_cut(playing: Playing, peer: Peer) -> None:
    race, line = playing
    line.cut()
    syncing = asyncio.ensure_future(race.sync())
    line = await peer.accept()
    await line.greet()
    await line.synced(turn=4)
    await syncing
    assert race.board.turn == 4


@pytest.mark.parametrize("asked", ["before the cut", "after it"])
async def test_one_sync_is_enough_for_a_connection(
    met: Met, playing: Playing, peer: Peer, asked: str
) -> None:
    (client, _), (race, line) = met, playing
    syncing: list[asyncio.Future[None]] = []
    if asked == "before the cut":
        syncing.append(asyncio.ensure_future(race.sync()))
        await line.next(commands.Sync)
    line.cut()
    line = await peer.accept()
    if asked == "after it":
        syncing.append(asyncio.ensure_future(race.sync()))
    await line.greet()
    await line.synced(turn=4)
    await asyncio.gather(*syncing)
    pinging = asyncio.ensure_future(client.ping())
    await line.tell(Pong(now_ms=1), await line.next(commands.Ping))
    await pinging


async def test_a_create_is_repeated_under_the_same_id(met: Met, peer: Peer) -> None:
    client, line = met
    creating = asyncio.ensure_future(client.create("juvenile"))
    first = await line.next(commands.Create)
    line.cut()
    line = await peer.accept()
    await line.greet()
    second = await line.next(commands.Create)
    assert first == second
    assert isinstance(second.id, str)
    await line.tell(Joined(race=RACE, code="ABCDEF", seat=0), second)
    await line.tell(race_info("lobby"))
    assert (await creating).id == RACE


async def test_creates_never_share_an_id(met: Met) -> None:
    client, line = met
    creating = [asyncio.ensure_future(client.create("juvenile")) for _ in range(2)]
    ids = {(await line.next(commands.Create)).id for _ in creating}
    assert len(ids) == 2
    for task in creating:
        task.cancel()


async def test_a_seat_whose_race_was_not_told_is_asked_about(
    met: Met, peer: Peer
) -> None:
    client, line = met
    joining = asyncio.ensure_future(client.join("abcdef"))
    command = await line.next(commands.Join)
    assert command.code == "abcdef"
    await line.tell(Joined(race=RACE, code="ABCDEF", seat=0), command)
    # An answer to something later: so `joined` has been read.
    pinging = asyncio.ensure_future(client.ping())
    await line.tell(Pong(now_ms=1), await line.next(commands.Ping))
    await pinging
    line.cut()
    line = await peer.accept()
    await line.greet()
    sync = await line.next(commands.Sync)
    assert sync.turn is msgspec.UNSET
    await line.tell(race_info("lobby"), sync)
    assert (await joining).code == "ABCDEF"


async def test_a_kick_is_not_repeated(playing: Playing, peer: Peer) -> None:
    race, line = playing
    kicking = asyncio.ensure_future(race.kick(1))
    await line.next(commands.Kick)
    line.cut()
    with pytest.raises(samedeal.NoAnswer):
        await kicking


async def test_ready_that_was_heard_before_the_cut_is_done(
    playing: Playing, peer: Peer
) -> None:
    race, line = playing
    readying = asyncio.ensure_future(race.ready())
    await line.next(commands.Ready)
    line.cut()
    line = await peer.accept()
    await line.greet()
    await line.synced()
    await line.refuse(await line.next(commands.Ready), "race_started")
    await readying


async def test_a_watched_race_is_watched_again(met: Met, peer: Peer) -> None:
    client, line = met
    watching = asyncio.ensure_future(client.watch("ABCDEF"))
    seats = [scripted.seat_info(0, "q" * 16)]
    await line.tell(race_info(seats=seats), await line.next(commands.Watch))
    race = await watching
    assert race.seat is None
    line.cut()
    syncing = asyncio.ensure_future(race.sync())
    line = await peer.accept()
    await line.greet()
    again = await line.next(commands.Watch)
    assert again.code == "ABCDEF", "A race that is not open is watched by its code."
    await line.tell(race_info(seats=seats, watchers=5), again)
    await syncing
    assert race.info.watchers == 5


async def test_a_seat_that_was_freed_meanwhile_is_noticed(
    playing: Playing, peer: Peer
) -> None:
    race, line = playing
    ending = asyncio.ensure_future(race.ended())
    line.cut()
    line = await peer.accept()
    await line.greet()
    await line.refuse(await line.next(commands.Sync), "not_in_race")
    with pytest.raises(samedeal.NotInRace):
        await ending


# Refusals and trouble.


async def test_unavailable_is_asked_again_until_it_is_confirmed(
    playing: Playing,
) -> None:
    race, line = playing
    moving = race.move("t0+t2")
    for _ in range(3):
        command = await line.next(commands.Move)
        assert command.turn == 0
        await line.refuse(command, "unavailable")
    await line.tell(patch(0, 1), await line.next(commands.Move))
    assert (await moving).turn == 1


async def test_unavailable_for_too_long_is_the_error(peer: Peer) -> None:
    connecting = asyncio.ensure_future(samedeal.connect(peer.url, timeout=0.3))
    line = await peer.accept()
    await line.greet()

    async def refuse() -> None:
        while True:
            await line.refuse(await line.next(commands.Lobby), "unavailable")

    async with await connecting as client:
        refusing = asyncio.ensure_future(refuse())
        with pytest.raises(samedeal.Unavailable):
            await client.lobby()
        refusing.cancel()


async def test_a_row_of_moves_survives_an_unavailable_first(playing: Playing) -> None:
    race, line = playing
    first, second = race.move("t0+t2"), race.move("t1+t3")
    one, two = await line.next(commands.Move), await line.next(commands.Move)
    assert (one.turn, two.turn) == (0, 1)
    await line.refuse(one, "unavailable")
    await line.refuse(two, "stale_turn", turn=0)
    one, two = await line.next(commands.Move), await line.next(commands.Move)
    assert (one.turn, two.turn) == (0, 1)
    await line.tell(patch(0, 1), one)
    await line.tell(patch(1, 2), two)
    assert (await second).turn == 2
    assert (await first).turn == 1


async def test_a_row_of_moves_ends_at_the_first_refused(playing: Playing) -> None:
    race, line = playing
    moves = [race.move("t0+t2"), race.move("t0+t1"), race.move("t1+t3")]
    one, two, three = [await line.next(commands.Move) for _ in moves]
    await line.tell(patch(0, 1), one)
    await line.refuse(two, "illegal_move")
    await line.refuse(three, "stale_turn", turn=1)
    assert (await moves[0]).turn == 1
    with pytest.raises(samedeal.IllegalMove):
        await moves[1]
    with pytest.raises(samedeal.StaleTurn):
        await moves[2]
    following = race.move("t1+t3")
    assert (await line.next(commands.Move)).turn == 1
    following.cancel()


async def test_a_stale_turn_brings_the_board_up_to_date(playing: Playing) -> None:
    race, line = playing
    moving = race.move("t0+t2")
    await line.refuse(await line.next(commands.Move), "stale_turn", turn=3)
    with pytest.raises(samedeal.StaleTurn) as caught:
        await moving
    assert caught.value.turn == 3
    syncing = asyncio.ensure_future(race.sync())
    await line.synced(turn=3)
    await syncing
    assert race.board.turn == 3


async def test_a_patch_that_does_not_fit_is_made_good_before_the_move_is_done(
    playing: Playing,
) -> None:
    race, line = playing
    moving = race.move("t0+t2")
    await line.tell(patch(4, 5), await line.next(commands.Move))
    sync = await line.next(commands.Sync)
    assert sync.turn == 0
    assert not moving.done()
    await line.tell(race_info(), sync)
    await line.tell(view(turn=5))
    assert (await moving).turn == 5


async def test_a_move_whose_asker_went_away_keeps_its_place(playing: Playing) -> None:
    race, line = playing
    race.move("t0+t2").cancel()
    following = race.move("t1+t3")
    one, two = await line.next(commands.Move), await line.next(commands.Move)
    assert (one.turn, two.turn) == (0, 1)
    await line.tell(patch(0, 1), one)
    await line.tell(patch(1, 2), two)
    assert (await following).turn == 2


# The end.


async def test_closing_fails_what_is_under_way(met: Met, playing: Playing) -> None:
    (client, _), (race, line) = met, playing
    moving = race.move("t0+t2")
    reading = asyncio.ensure_future(anext(race.updates(), None))
    ending = asyncio.ensure_future(race.ended())
    await line.next(commands.Move)
    await client.close()
    with pytest.raises(samedeal.Closed):
        await moving
    with pytest.raises(samedeal.Closed):
        await ending
    assert await reading is None
    with pytest.raises(samedeal.Closed):
        race.move("t1+t3")
    await line.socket.wait_closed()
    assert line.socket.close_code == 1000


async def test_a_closed_client_leaves_no_task() -> None:
    async with Peer() as peer:
        for ending in (Line.cut, None):
            connecting = asyncio.ensure_future(samedeal.connect(peer.url, timeout=5))
            line = await peer.accept()
            await line.greet()
            client = await connecting
            asking = asyncio.ensure_future(client.lobby())
            await line.next(commands.Lobby)
            if ending is not None:
                ending(line)
            await client.close()
            await client.close()
            with pytest.raises(samedeal.Closed):
                await asking
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_giving_up_while_connecting_leaves_no_task() -> None:
    async with Peer() as peer:
        connecting = asyncio.ensure_future(samedeal.connect(peer.url, timeout=5))
        line = await peer.accept()
        await line.next(commands.Hello)
        connecting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await connecting
    assert asyncio.all_tasks() == {asyncio.current_task()}
