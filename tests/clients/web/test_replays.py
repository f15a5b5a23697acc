"""Replays show what the log says; verification tells a true log from another."""

import asyncio
import json
import re
import urllib.request
from typing import Any

import pytest
from tests.clients.web.conftest import NewPlayer
from tests.helpers.pages import Peer, Player, eventually, peer, transcript

from samedeal_games import apply_move, deal, find_variant, parse_move, parse_seed, view
from samedeal_protocol.patches import apply
from samedeal_server.app import App


GAMES = ("doublets_reserve", "straight-fifteens_either", "private-lane_by-suit")


@pytest.mark.parametrize("name", GAMES)
async def test_a_replay_served_is_what_the_log_plays(server: App, name: str) -> None:
    game = transcript(f"{name}.jsonl", "won" if "lane" in name else "stuck")
    race = await _played(server, game)
    replay = json.loads(await _get(server, f"/races/{race}/replay.json"))
    log = (await _get(server, f"/races/{race}/log.jsonl")).splitlines()
    events = [json.loads(line)["event"] for line in log[:-1]]
    moved = [event["moves"] for event in events if event["type"] == "moved"]

    (seat,) = replay["seats"]
    board = deal(find_variant(game["game"], game["variant"]), parse_seed(game["seed"]))
    piles = seat["piles"]
    assert piles == {pile: list(cards) for pile, cards in view(board).items()}
    assert [step["played"] for step in seat["steps"]] == moved
    for step in seat["steps"]:
        for text in step["played"]:
            board = apply_move(board, parse_move(text))
        piles = apply(piles, step["piles"])
        assert piles == {pile: list(cards) for pile, cards in view(board).items()}
    assert replay["standings"] == events[-1]["standings"]


async def test_a_replay_of_a_race_that_is_not_over_is_not_served(server: App) -> None:
    async with peer(server.url, "Host") as host:
        joined = await host.ask("create", game="doublets")
        for what in ("replay.json", "log.jsonl"):
            with pytest.raises(urllib.request.HTTPError, match="409"):
                await _get(server, f"/races/{joined['race']}/{what}")
        with pytest.raises(urllib.request.HTTPError, match="404"):
            await _get(server, "/races/nonsense/replay.json")


async def test_undone_and_given_up_turns_are_in_a_replay(server: App) -> None:
    async with peer(server.url, "Host") as host:
        game = transcript("private-lane_by-suit.jsonl", "won")
        race = await _begun(host, game, undo=True)
        move = game["turns"][0]["move"]
        await host.ask("move", race=race, turn=0, moves=[move])
        await host.ask("undo", race=race, turn=1)
        await host.ask("resign", race=race)
        replay = json.loads(await _get(server, f"/races/{race}/replay.json"))
    steps = replay["seats"][0]["steps"]
    assert [step["played"] for step in steps] == [[move], "undo", "resigned"]
    assert [step["turn"] for step in steps] == [1, 2, 2]
    assert steps[2]["piles"] == {} and steps[2]["status"] == "resigned"


async def test_scrubbed_to_every_turn_a_replay_equals_the_log(
    server: App, new_player: NewPlayer
) -> None:
    game = transcript("doublets_reserve.jsonl", "stuck")
    race = await _played(server, game)
    replay = json.loads(await _get(server, f"/races/{race}/replay.json"))
    (seat,) = replay["seats"]
    eve = await new_player()
    await eve.open(f"/replay/{race}")
    await eve.page.get_by_role("slider", name="Time").wait_for()

    piles = seat["piles"]
    assert await _drawn(eve) == _faces(piles)
    for step in seat["steps"]:
        piles = apply(piles, step["piles"])
        await _scrub(eve, step["at_ms"])
        assert await _drawn(eve) == _faces(piles)
        assert f"turn {step['turn']} · {step['left']} left" in await _caption(eve)
    # And back again, in one leap and then by single turns.
    await _scrub(eve, 0)
    assert await _drawn(eve) == _faces(seat["piles"])
    piles = seat["piles"]
    for step in seat["steps"][:3]:
        piles = apply(piles, step["piles"])
        await eve.page.get_by_role("button", name="One turn on").click()
        assert await _drawn(eve) == _faces(piles)


async def test_a_replay_plays_by_itself(server: App, new_player: NewPlayer) -> None:
    race = await _played(server, transcript("doublets_reserve.jsonl", "stuck"))
    eve = await new_player()
    await eve.open(f"/replay/{race}")
    await eve.page.get_by_label("Speed").select_option("8")
    await eve.page.get_by_role("button", name="Play", exact=True).click()
    await eve.page.get_by_text("stuck").wait_for()


@pytest.mark.parametrize("change", [False, True])
async def test_verifying_in_the_page(
    server: App, new_player: NewPlayer, change: bool
) -> None:
    ann = await new_player()

    async def answer(route: Any) -> None:
        response = await route.fetch()
        body = bytearray(await response.body())
        if change:
            body[len(body) // 2] ^= 1
        await route.fulfill(response=response, body=bytes(body))

    await ann.page.route(re.compile("log.jsonl$"), answer)
    await ann.race_a_bot("simple-pairs")
    await ann.page.get_by_role("button", name="Give up").click()
    await ann.page.locator("dialog").get_by_role("button", name="Give up").click()
    await ann.ended()
    await ann.page.get_by_role("button", name="Verify this race").click()
    await ann.page.locator(".checks[data-result]").wait_for()
    result = await ann.page.locator(".checks").get_attribute("data-result")
    assert result == ("bad" if change else "good")


async def test_where_the_browser_cannot_verify_it_says_so(
    server: App, new_player: NewPlayer
) -> None:
    race = await _played(server, transcript("doublets_reserve.jsonl", "stuck"))
    replay = json.loads(await _get(server, f"/races/{race}/replay.json"))
    eve = await new_player()
    await eve.page.add_init_script(
        "Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })"
    )
    await eve.open(f"/r/{replay['code']}")
    await eve.page.get_by_role("button", name="Verify this race").click()
    await eve.page.get_by_text("plain http page").wait_for()
    await eve.page.get_by_role("link", name="Download the log").wait_for()
    assert f"samedeal verify {race}" in await eve.page.locator("pre").inner_text()


# Steps.


async def _begun(host: Any, game: dict[str, Any], **settings: Any) -> str:
    joined = await host.ask(
        "create",
        game=game["game"],
        variant=game["variant"],
        seed=game["seed"],
        seats=1,
        countdown_ms=0,
        **settings,
    )
    race: str = joined["race"]
    await host.ask("start", race=race)
    await host.until("view")
    return race


async def _played(server: App, game: dict[str, Any]) -> str:
    """A race of one seat, played to its end, no two turns at the same moment."""
    async with peer(server.url, "Host") as host:
        race = await _begun(host, game)
        for turn, played in enumerate(game["turns"]):
            # Else two turns, or the start and the first, could have one time.
            await _next_moment(host)
            await host.ask("move", race=race, turn=turn, moves=[played["move"]])
        await host.until("race", phase="ended")
    return race


async def _next_moment(host: Peer) -> None:
    """Go on once the log's clock has moved on."""
    before = (await host.ask("ping"))["now_ms"]
    while (await host.ask("ping"))["now_ms"] <= before:
        pass


async def _get(server: App, path: str) -> str:
    def get() -> str:
        with urllib.request.urlopen(server.url + path) as response:
            return str(response.read().decode())

    return await asyncio.to_thread(get)


async def _scrub(eve: Player, ms: int) -> None:
    await eve.page.locator(".scrubber").evaluate(
        "(s, ms) => { s.value = ms; s.dispatchEvent(new Event('input')); }", ms
    )


async def _caption(eve: Player) -> str:
    return str(await eve.page.locator("figcaption").inner_text())


async def _drawn(eve: Player) -> list[str]:
    """The faces of all cards drawn, sorted; those on their way out do not count."""
    await eventually(lambda: _is_still(eve), "cards to have gone")
    faces: list[str] = await eve.page.eval_on_selector_all(
        ".card:not(.gone)",
        """cards => cards.map((card) => card.classList.contains("down") ? "??" :
          card.querySelector(".rank").textContent.replace("10", "T") +
          card.querySelector(".pip").classList[1])""",
    )
    return sorted(faces)


async def _is_still(eve: Player) -> bool:
    return not await eve.page.locator(".card.gone").count()


def _faces(piles: dict[str, list[str]]) -> list[str]:
    return sorted(card for cards in piles.values() for card in cards)
