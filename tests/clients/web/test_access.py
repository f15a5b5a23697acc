"""Usable by everyone: axe on every screen in both themes, and no keyboard trap."""

from typing import Any

import pytest
from tests.clients.web.conftest import NewPlayer
from tests.helpers.pages import AXE, Player, check_axe, peer, transcript

from samedeal_server.app import App


@pytest.mark.parametrize(
    ("theme", "size"), [("dark", (390, 844)), ("light", (1200, 800))]
)
async def test_axe_finds_nothing(
    server: App, new_player: NewPlayer, theme: str, size: tuple[int, int]
) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not here; in clients/web: npm ci")
    width, height = size
    ann = await new_player(
        context={
            "viewport": {"width": width, "height": height},
            "color_scheme": theme,
            "bypass_csp": True,
            "reduced_motion": "reduce",
        },
        oneTap=False,
    )
    page = ann.page
    await ann.open()
    await page.get_by_text("None right now").wait_for()
    await check_axe(ann, "home")
    await page.get_by_role("button", name="Rules of Juvenile").click()
    await page.get_by_text("Clear").last.wait_for()
    await check_axe(ann, "rules")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Settings").click()
    await check_axe(ann, "settings")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="How to play").click()
    await check_axe(ann, "help")
    await page.keyboard.press("Escape")

    await page.get_by_role("button", name="Invite friends").click()
    await page.locator(".big-code").wait_for()
    await check_axe(ann, "lobby")
    await page.get_by_role("link", name="Leave").click()

    for game in ("private-lane", "doublets"):
        await ann.race_a_bot(game)
        await check_axe(ann, game)
    await ann.page.keyboard.press("7")
    await check_axe(ann, "picked")
    await page.get_by_role("button", name="Give up").click()
    await check_axe(ann, "give up")
    await page.locator("dialog").get_by_role("button", name="Give up").click()
    await ann.ended()
    await check_axe(ann, "ended")
    await page.get_by_role("button", name="Verify this race").click()
    await page.locator(".checks[data-result]").wait_for()
    await check_axe(ann, "verify")
    await page.keyboard.press("Escape")

    await ann.open("/r/QQQQQQ")
    await page.get_by_role("heading", name="No such race here").wait_for()
    await check_axe(ann, "trouble")
    async with peer(server.url, "Host") as host:
        await _watch_and_replay(ann, host)


async def _watch_and_replay(ann: Player, host: Any) -> None:
    game = transcript("juvenile_one-deck.jsonl", "stuck")
    joined = await host.ask(
        "create", game="juvenile", seed=game["seed"], seats=1, countdown_ms=0
    )
    race = joined["race"]
    await host.ask("start", race=race)
    await ann.open(f"/r/{joined['code']}")
    await ann.page.get_by_text("You are watching").wait_for()
    await check_axe(ann, "watch")
    for turn in range(3):
        move = game["turns"][turn]["move"]
        await host.ask("move", race=race, turn=turn, moves=[move])
    await host.ask("resign", race=race)
    await ann.page.get_by_role("link", name="Replay").click()
    await ann.page.get_by_role("slider", name="Time").wait_for()
    await check_axe(ann, "replay")


@pytest.mark.parametrize("game", ["private-lane", "doublets", "straight-fifteens"])
async def test_a_race_is_no_wider_than_a_small_phone(
    new_player: NewPlayer, game: str
) -> None:
    ann = await new_player(context={"viewport": {"width": 360, "height": 740}})
    await ann.race_a_bot(game)
    wide, room = await ann.page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    assert wide <= room


async def test_tab_goes_through_a_race_and_out_again(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player()
    await ann.race_a_bot("straight-fifteens")
    seen = []
    for _ in range(12):
        await ann.page.keyboard.press("Tab")
        seen.append(
            await ann.page.evaluate(
                "document.activeElement.ariaLabel || document.activeElement.textContent"
            )
        )
    assert "Settings" in seen
    assert any("top of" in name or "pile 1" in name for name in seen)
    assert any("Give up" in name for name in seen)
    for _ in range(12):
        await ann.page.keyboard.press("Shift+Tab")
    await ann.page.keyboard.press("?")
    dialog = ann.page.get_by_role("dialog", name="How to play")
    await dialog.wait_for()
    for _ in range(5):
        await ann.page.keyboard.press("Tab")
    await ann.page.keyboard.press("Escape")
    await dialog.wait_for(state="detached")


async def test_the_board_is_told_in_words(server: App, new_player: NewPlayer) -> None:
    ann = await new_player()
    game = transcript("juvenile_one-deck.jsonl", "stuck")
    async with peer(server.url, "Host") as host:
        joined = await host.ask(
            "create", game="juvenile", seed=game["seed"], seats=2, countdown_ms=0
        )
        await ann.join(joined["code"], "Ann")
        await host.ask("start", race=joined["race"])
        await ann.spot("t0").wait_for()
        one, other = game["turns"][0]["move"].split("+")
        label = await ann.spot(one).get_attribute("aria-label")
        assert label is not None and f"top of pile {int(one[1:]) + 1}, 7 cards" in label
        await ann.spot(one).click()
        await ann.spot(other).click()
        await ann.page.locator("#live", has_text="Took").wait_for()
