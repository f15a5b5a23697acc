"""Hands on the board, and what the page does besides playing."""

from typing import Any

from tests.clients.web.conftest import NewPlayer
from tests.helpers.pages import Player, eventually, peer

from samedeal_games import deal, find_variant, view
from samedeal_server.app import App


async def test_one_click_takes_a_pair_where_one_partner_shows(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player(oneTap=True)
    await ann.race_a_bot("juvenile")
    before, tops = await ann.left(), await ann.tops()
    ranks = ["A23456789TJQK".index(card[0]) + 1 for card in tops.values()]
    for pile, rank in zip(tops, ranks, strict=True):
        mates = ranks.count(14 - rank) - (rank == 7)
        if mates == 1:
            await ann.spot(pile).click()
            break
        if mates == 0:
            await ann.spot(pile).click()
            await ann.page.get_by_text("is showing.").wait_for()
    else:
        return  # A deal in which every card has two partners: nothing to see here.
    await eventually(lambda: _has_left(ann, before - 2), "the pair to go")


async def test_fifteens_show_the_sum_and_go_by_enter_where_that_is_wanted(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player(autoTake=False)
    await ann.race_a_bot("straight-fifteens")
    before = await ann.left()
    worth = {
        pile: min(10, "A23456789TJQK".index(card[0]) + 1)
        for pile, card in (await ann.tops()).items()
    }
    chosen = _fifteen(worth)
    total = 0
    for pile in chosen:
        total += worth[pile]
        await ann.spot(pile).click()
        if total < 15:
            await ann.page.locator(".line", has_text=f"{total} of 15").wait_for()
    assert await ann.left() == before
    await ann.page.keyboard.press("Enter")
    await eventually(lambda: _has_left(ann, before - len(chosen)), "the set to go")
    await ann.spot("t0").click()
    await ann.page.keyboard.press("Escape")
    assert await ann.page.locator(".card.picked:not(.gone)").count() == 0


async def test_a_whole_sequence_in_one_drag_is_one_turn(
    server: App, new_player: NewPlayer
) -> None:
    seed, source, target = _deal_with_a_sequence()
    ann = await new_player()
    async with peer(server.url, "Host") as host:
        joined = await host.ask(
            "create",
            game="private-lane",
            variant="any-suit",
            seed=seed.hex(),
            countdown_ms=0,
        )
        await ann.join(joined["code"], "Ann")
        await host.ask("start", race=joined["race"])
        await ann.spot("t0").wait_for()
        moved = await ann.tops()
        await _drag_two(ann, source, target)
        await eventually(lambda: _has_top(ann, target, moved[source]), "the sequence")
        told = await host.until("progress", seat=1)
    assert told["turn"] == 1


async def test_a_drop_in_the_wrong_place_says_why_and_goes_back(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player()
    await ann.race_a_bot("private-lane")
    await ann.drag("t0", "c0")
    await ann.drag("t1", "c0")
    await ann.page.locator(".line", has_text="That cell holds").wait_for()
    assert "c1" not in await ann.tops()


async def test_copying_works_without_the_clipboard_interface(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player()
    await ann.page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
    )
    await ann.open()
    await ann.page.get_by_role("button", name="Invite friends").click()
    link = await ann.page.get_by_label("Link to this race").input_value()
    await ann.page.get_by_role("button", name="Copy").click()
    await ann.page.get_by_role("button", name="Copied").wait_for()
    await ann.page.get_by_role("link", name="samedeal, home").click()
    await ann.page.get_by_label("Your name").focus()
    await ann.page.keyboard.press("Control+V")
    name = await ann.page.get_by_label("Your name").input_value()
    assert name == link[:24]


async def test_settings_hold_over_a_reload(server: App, new_player: NewPlayer) -> None:
    ann = await new_player()
    await ann.open()
    await ann.page.get_by_role("button", name="Settings").click()
    await ann.page.get_by_role("switch", name="Four colours").check()
    await ann.page.get_by_text("Dark", exact=True).click()
    await ann.page.reload()
    await ann.page.get_by_label("Your name").wait_for()
    root = ann.page.locator("html")
    assert await root.get_attribute("data-theme") == "dark"
    assert "four-colours" in (await root.get_attribute("class") or "")


async def test_a_listed_race_is_joined_from_the_start_page(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player()
    async with peer(server.url, "Grace") as host:
        await host.ask("create", game="doublets", open=True)
        await ann.open()
        await ann.page.locator(".open", has_text="Grace").wait_for()
        await ann.page.locator(".open").get_by_role("button", name="Join").click()
        await ann.page.get_by_role("button", name="I am ready").wait_for()


async def test_quick_match_brings_two_strangers_together(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player()
    await ann.open()
    await ann.page.get_by_role("button", name="Quick match").click()
    await ann.page.get_by_text("Looking for somebody").wait_for()
    async with peer(server.url, "Stranger") as stranger:
        await stranger.ask("quick", game="doublets")
        await ann.page.locator(".seats", has_text="Stranger").wait_for()
        await ann.page.get_by_text("within ten seconds").wait_for()


# Steps.


def _fifteen(worth: dict[str, int]) -> list[str]:
    """Piles whose cards add to fifteen."""
    sums: dict[int, list[str]] = {0: []}
    for pile, value in worth.items():
        for total, piles in list(sums.items()):
            if total + value <= 15:
                sums.setdefault(total + value, [*piles, pile])
    return sums[15]


def _deal_with_a_sequence() -> tuple[bytes, str, str]:
    """A seed, a pile whose top two are in sequence, and a pile that takes them."""
    variant = find_variant("private-lane", "any-suit")
    for number in range(10_000):
        seed = number.to_bytes(16, "big")
        piles = view(deal(variant, seed))
        rank = {
            p: ["A23456789TJQK".index(c[0]) for c in cards[-2:]]
            for p, cards in piles.items()
        }
        for source, tops in rank.items():
            if len(tops) < 2 or tops[0] != tops[1] + 1:
                continue
            for target, other in rank.items():
                if target != source and other and other[-1] == tops[0] + 1:
                    return seed, source, target
    raise AssertionError("one deal in thirty or so has one")


async def _drag_two(ann: Player, source: str, target: str) -> None:
    """The top two cards, held by the lower of them."""
    start: Any = await ann.spot(source).bounding_box()
    end: Any = await ann.spot(target).bounding_box()
    mouse = ann.page.mouse
    await mouse.move(start["x"] + start["width"] / 2, start["y"] - 6)
    await mouse.down()
    await mouse.move(end["x"] + end["width"] / 2, end["y"] + 12, steps=4)
    await mouse.up()


async def _has_left(ann: Player, count: int) -> bool:
    return await ann.left() == count


async def _has_top(ann: Player, pile: str, card: str) -> bool:
    return (await ann.tops()).get(pile) == card
