"""A race survives reloads, lost networks and other windows."""

import re
from typing import Any

from tests.clients.web.conftest import NewPlayer
from tests.helpers.pages import Player, eventually

from samedeal_server.app import App


async def test_a_reload_in_the_middle_loses_nothing(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player(oneTap=False)
    await ann.race_a_bot("doublets")
    await _play_pair(ann)
    tops, left = await ann.tops(), await ann.left()
    await ann.page.reload()
    await ann.spot("t0").wait_for()
    assert (await ann.tops(), await ann.left()) == (tops, left)
    await _play_pair(ann)


async def test_a_turn_played_without_a_network_arrives_once_it_is_back(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player(oneTap=False)
    await ann.race_a_bot("juvenile")
    # Nothing gets through, and nobody says so: a laptop that was carried away.
    await _cut_off(ann)
    before = await ann.left()
    await _play_fourteen(ann)
    await eventually(lambda: _is_left(ann, before - 2), "the turn to show at once")
    await ann.page.evaluate("dispatchEvent(new Event('online'))")
    await eventually(lambda: _is_confirmed(ann), "the turn to be confirmed", 3)
    await eventually(lambda: _is_back(ann), "the connection to be back", 1)
    assert await ann.left() == before - 2


async def test_back_within_two_seconds_of_a_lost_network(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player(oneTap=False)
    await ann.race_a_bot("juvenile")
    await ann.page.context.set_offline(True)
    await _drop_sockets(ann)
    await ann.page.get_by_text("Reconnecting").wait_for()
    before = await ann.left()
    await _play_fourteen(ann)
    await ann.page.context.set_offline(False)
    await eventually(lambda: _is_back(ann), "the connection to be back", 2)
    await eventually(lambda: _is_confirmed(ann), "the turn to be confirmed", 1)
    assert await ann.left() == before - 2


async def test_a_blink_is_no_alarm(server: App, new_player: NewPlayer) -> None:
    ann = await new_player(oneTap=False)
    await ann.race_a_bot("juvenile")
    await ann.page.evaluate(
        """() => {
          window.alarms = 0;
          new MutationObserver(() => (window.alarms += 1)).observe(
            document.querySelector(".connection"), { childList: true, subtree: true });
        }"""
    )
    await _drop_sockets(ann)
    await _play_fourteen(ann)
    await eventually(lambda: _is_confirmed(ann), "the turn to be confirmed", 2)
    assert await ann.page.evaluate("window.alarms") == 0


async def test_another_window_takes_over_and_gives_back(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player(oneTap=False)
    await ann.race_a_bot("doublets")
    second = Player(await ann.page.context.new_page(), ann.url)
    await second.page.goto(ann.page.url)
    await second.spot("t0").wait_for()
    await ann.page.bring_to_front()
    await ann.page.get_by_role("button", name="Play here").click()
    await second.page.get_by_text("Open in another window").wait_for()
    await _play_pair(ann)
    await second.page.close()


async def test_a_move_that_the_server_refuses_is_taken_back_with_the_reason(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player(oneTap=False)

    def forge(route: Any) -> None:
        upstream = route.connect_to_server()

        def to_server(message: str) -> None:
            upstream.send(re.sub(r'"moves":\["[^"]*"\]', '"moves":["t0+t0"]', message))

        route.on_message(to_server)

    await ann.page.route_web_socket(re.compile("/ws$"), forge)
    await ann.race_a_bot("juvenile")
    before = await ann.left()
    await _play_fourteen(ann)
    await ann.page.get_by_text("Taken back:").wait_for()
    assert await ann.left() == before


async def test_undo_puts_the_card_back(server: App, new_player: NewPlayer) -> None:
    ann = await new_player(oneTap=False)
    await ann.race_a_bot("private-lane")
    tops = await ann.tops()
    await ann.drag("t0", "c0")
    await eventually(lambda: _has_top(ann, "c0", tops["t0"]), "the card in the cell")
    await ann.page.get_by_role("button", name="Undo").click()
    await eventually(lambda: _has_top(ann, "t0", tops["t0"]), "the card to be back")
    assert "c0" not in await ann.tops()


async def test_a_link_to_nowhere_says_what_to_do(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player(oneTap=False)
    await ann.open("/r/QQQQQQ")
    await ann.page.get_by_role("heading", name="No such race here").wait_for()
    await ann.page.get_by_role("link", name="To the start page").click()
    await ann.page.get_by_label("Your name").wait_for()


async def test_leaving_a_race_and_coming_back_to_it(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player(oneTap=False)
    await ann.race_a_bot("doublets")
    tops = await ann.tops()
    await ann.page.get_by_role("link", name="samedeal, home").click()
    await ann.page.get_by_role("button", name="Back to it").click()
    await ann.spot("t0").wait_for()
    assert await ann.tops() == tops


# Steps.


async def _cut_off(ann: Player) -> None:
    """From now on nothing passes on the connection, and nobody says so."""
    await ann.page.evaluate(
        """() => {
          for (const socket of window.sockets) {
            socket.send = () => {};
            Object.defineProperty(socket, "onmessage", { set() {}, get: () => null });
          }
        }"""
    )


async def _drop_sockets(ann: Player) -> None:
    """Close what is open, as a network does that goes away."""
    await ann.page.evaluate("window.sockets.forEach((socket) => socket.close())")


async def _play_pair(ann: Player) -> None:
    before = await ann.left()
    tops = await ann.tops()
    ranks = [card[0] for card in tops.values()]
    rank = next(rank for rank in ranks if ranks.count(rank) > 1)
    for pile in [pile for pile, card in tops.items() if card[0] == rank][:2]:
        await ann.spot(pile).click()
    await eventually(lambda: _is_confirmed(ann), "the pair to be confirmed")
    assert await ann.left() == before - 2


async def _play_fourteen(ann: Player) -> None:
    tops = await ann.tops()
    worth = {card: "A23456789TJQK".index(card[0]) + 1 for card in tops.values()}
    for one, card in tops.items():
        for other, second in tops.items():
            if one < other and worth[card] + worth[second] == 14:
                await ann.spot(one).click()
                await ann.spot(other).click()
                return
    raise AssertionError("a server's deal begins with a legal move")


async def _is_back(ann: Player) -> bool:
    """Whether no word of a lost connection is left; it goes with the next frame."""
    return not await ann.page.locator(".connection.lost").count()


async def _is_confirmed(ann: Player) -> bool:
    """Nothing played is waiting for the server."""
    return bool(await ann.page.locator('.felt[data-pending="0"]').count())


async def _is_left(ann: Player, count: int) -> bool:
    return await ann.left() == count


async def _has_top(ann: Player, pile: str, card: str) -> bool:
    return (await ann.tops()).get(pile) == card
