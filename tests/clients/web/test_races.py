"""Whole races in a browser: by mouse, by touch, by keyboard alone."""

import json
from functools import partial
from typing import Any

import pytest
from tests.clients.web.conftest import NewPlayer
from tests.helpers.pages import Player, eventually, peer, transcript

from samedeal_server.app import App


GAMES = (
    ("simple-pairs_standard.jsonl", "stuck"),
    ("doublets_reserve.jsonl", "stuck"),
    ("juvenile_one-deck.jsonl", "stuck"),
    ("straight-fifteens_either.jsonl", "stuck"),
    ("private-lane_by-suit.jsonl", "won"),
)


@pytest.mark.parametrize(("file", "status"), GAMES)
async def test_a_whole_race_by_mouse(
    server: App, new_player: NewPlayer, file: str, status: str
) -> None:
    game = transcript(file, status)
    ann = await new_player(oneTap=False)
    async with peer(server.url, "Host") as host:
        race = await _begin(host, ann, game)
        tops = {p: c[-1] for p, c in game["start"]["piles"].items() if c}
        for turn in game["turns"]:
            await _play(ann, turn["move"], tops)
            tops |= {p: c[-1] for p, (_, c) in turn["patch"].items() if c}
            _uncover(tops, turn, game)
        shown = "Cleared!" if status == "won" else "No moves left"
        await ann.page.get_by_role("heading", name=shown).wait_for()
        await host.ask("resign", race=race)
        assert await ann.ended() == "You win!"
        view = await host.until("view", seat=1)
    assert view["left"] == game["turns"][-1]["left"]
    assert view["turn"] == len(game["turns"])


async def test_a_race_by_touch(server: App, new_player: NewPlayer) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    ann = await new_player(context=phone, oneTap=False)
    game = transcript("juvenile_one-deck.jsonl", "stuck")
    async with peer(server.url, "Host") as host:
        race = await _begin(host, ann, game)
        for turn in game["turns"]:
            for pile in turn["move"].split("+"):
                await ann.spot(pile).tap()
        await ann.page.get_by_role("heading", name="No moves left").wait_for()
        await host.ask("resign", race=race)
        assert await ann.ended() == "You win!"


async def test_a_race_by_keyboard_alone(server: App, new_player: NewPlayer) -> None:
    ann = await new_player(oneTap=False)
    keys = ann.page.keyboard
    async with peer(server.url, "Host") as host:
        game = transcript("doublets_reserve.jsonl", "stuck")
        race, code = await _create(host, game)
        await ann.open(f"/r/{code}")
        await ann.page.get_by_label("Your name").wait_for()
        await _tab_to(ann, "Your name")
        await keys.type("Ann")
        await keys.press("Enter")
        await ann.page.get_by_role("button", name="I am ready").wait_for()
        await _tab_to(ann, "I am ready")
        await keys.press("Enter")
        await host.ask("start", race=race)
        await ann.spot("t0").wait_for()

        await keys.press("ArrowRight")
        await keys.press("ArrowRight")
        focused = await ann.page.evaluate("document.activeElement.dataset.pile")
        assert focused == "t1"

        banner = ann.page.get_by_role("heading", name="No moves left")
        won = ann.page.get_by_role("heading", name="Cleared!")
        while not (await banner.is_visible() or await won.is_visible()):
            pair = _some_pair((await ann.tops()).values())
            if pair is None:  # A card is still on its way.
                continue
            before = await ann.left()
            await keys.press(pair)
            await keys.press(pair)
            await eventually(partial(_has_fewer, ann, before), "the pair to go")
        await host.ask("resign", race=race)
        assert await ann.ended() == "You win!"


async def test_two_browsers_race_from_a_shared_link(
    server: App, new_player: NewPlayer
) -> None:
    ann, bob = await new_player(oneTap=False), await new_player()
    await ann.open()
    await ann.page.get_by_label("Your name").fill("Ann")
    await ann.page.get_by_role("button", name="Invite friends").click()
    link = await ann.page.get_by_label("Link to this race").input_value()
    code = await ann.page.locator(".big-code").inner_text()
    assert link == f"{server.url}/r/{code}"

    await bob.join(code, "Bob")
    await ann.page.get_by_text("Bob").wait_for()
    await ann.page.get_by_role("button", name="Start now").click()
    await ann.page.locator(".count").wait_for()
    await ann.spot("t0").wait_for()
    await bob.spot("t0").wait_for()
    assert await ann.tops() == await bob.tops()

    await _play_one(ann)
    await bob.page.locator(".lane:not(.own) b", has_text="50").wait_for()
    await bob.page.get_by_role("button", name="Give up").click()
    await bob.page.locator("dialog").get_by_role("button", name="Give up").click()
    await bob.page.get_by_role("heading", name="You gave up").wait_for()
    await ann.page.keyboard.press("r")
    await ann.page.locator("dialog").get_by_role("button", name="Give up").click()
    assert await ann.ended() == "You win!"
    assert await bob.ended() == "Ann wins"
    await bob.page.get_by_role("button", name="Rematch").click()
    await ann.page.get_by_role("button", name="Join the rematch").click()
    await ann.page.get_by_role("button", name="I am ready").wait_for()


async def test_a_watcher_sees_progress_and_then_the_boards(
    server: App, new_player: NewPlayer
) -> None:
    eve = await new_player()
    async with peer(server.url, "Host") as host:
        game = transcript("juvenile_one-deck.jsonl", "stuck")
        race, code = await _create(host, game, seats=1)
        await host.ask("start", race=race)
        await eve.open(f"/r/{code}")
        await eve.page.get_by_text("You are watching").wait_for()
        move = game["turns"][0]["move"]
        await host.ask("move", race=race, turn=0, moves=[move])
        await eve.page.locator(".lane b", has_text="50").wait_for()
        assert await eve.page.locator(".card").count() == 0
        await host.ask("resign", race=race)
        await eve.ended()
        await eve.page.locator(".boards .card").first.wait_for()


# Steps.


async def _create(host: Any, game: dict[str, Any], seats: int = 2) -> tuple[str, str]:
    joined = await host.ask(
        "create",
        game=game["game"],
        variant=game["variant"],
        seed=game["seed"],
        seats=seats,
        countdown_ms=0,
    )
    return joined["race"], joined["code"]


async def _begin(host: Any, ann: Player, game: dict[str, Any]) -> str:
    race, code = await _create(host, game)
    await ann.join(code, "Ann")
    await host.ask("start", race=race)
    await ann.spot("t0").wait_for()
    return race


async def _play(ann: Player, move: str, tops: dict[str, str]) -> None:
    if ">" not in move:
        for pile in move.split("+"):
            await ann.spot(pile, tops[pile]).click()
        return
    source, target = move.split(">")
    if target == "f":
        await ann.spot(source).dblclick()
    else:
        await ann.drag(source, target)


def _uncover(tops: dict[str, str], turn: dict[str, Any], game: dict[str, Any]) -> None:
    """Where a patch only shortens a pile, its next card is the top."""
    piles = game["start"]["piles"]
    for pile, (keep, cards) in turn["patch"].items():
        piles[pile] = [*piles[pile][:keep], *cards]
        if piles[pile]:
            tops[pile] = piles[pile][-1]


def _some_pair(cards: Any) -> str | None:
    ranks = [card[0] for card in cards]
    return next((rank for rank in ranks if ranks.count(rank) > 1), None)


async def _has_fewer(ann: Player, before: int) -> bool:
    return await ann.left() < before


async def _play_one(ann: Player) -> None:
    """Some pair, by mouse."""
    tops = await ann.tops()
    rank = _some_pair(tops.values())
    assert rank is not None, json.dumps(tops)
    for pile in [pile for pile, card in tops.items() if card[0] == rank][:2]:
        await ann.spot(pile).click()


async def _tab_to(ann: Player, name: str) -> None:
    """Tab until the control of that name has the focus."""
    for _ in range(30):
        label = await ann.page.evaluate(
            "(document.activeElement.labels?.[0] ?? document.activeElement).textContent"
        )
        if label.strip() == name:
            return
        await ann.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came to {name!r}")
