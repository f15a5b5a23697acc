"""Where a race was lost, on its replay; hints, and what the start page offers."""

import json
from typing import Any

import pytest
from tests.clients.cli.made_logs import MadeLog, whole
from tests.clients.web.conftest import NewPlayer
from tests.helpers.pages import AXE, Player, card_name, check_axe, eventually, peer

from samedeal_games import State, apply_move, card_text, parse_move
from samedeal_server.app import App
from samedeal_server.race.analysis import analyse


# Each seat plays on after it has lost this deal; of the other nobody could win.
LOSING = whole("juvenile", "seventeen-piles")
HOPELESS = whole("juvenile")

FOR_AXE = {"bypass_csp": True, "reduced_motion": "reduce"}


@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_the_losing_move_is_marked_and_gone_to(
    server: App, new_player: NewPlayer, theme: str
) -> None:
    race = await _played(server, LOSING)
    chance = analyse(LOSING.race, [0]).chances[0]
    assert chance.turn is not None and chance.lost_by is not None
    eve = await new_player(context={**FOR_AXE, "color_scheme": theme})
    await eve.open(f"/replay/{race}")
    await eve.page.get_by_role("button", name="Where was it lost?").click()
    mark = eve.page.locator(".mark")
    await mark.wait_for()
    text = await mark.get_attribute("aria-label")
    assert text == (
        f"Host could clear it until turn {chance.turn}, and then lost it: took "
        f"{_cards(LOSING, chance.turn, str(chance.lost_by))}."
    )
    panel = eve.page.get_by_role("region", name="Hindsight")
    assert "This deal could be cleared." in await panel.inner_text()
    assert text in await panel.inner_text()
    if AXE.exists():
        await check_axe(eve, "hindsight")

    # The mark stands where the thumb stands at that moment, and leads there.
    await mark.click()
    assert f"turn {chance.turn + 1} " in await _caption(eve)
    await eve.page.get_by_role("button", name="One turn back").click()
    assert f"turn {chance.turn} " in await _caption(eve)
    await panel.get_by_role("button", name="Show the move").press("Enter")
    assert f"turn {chance.turn + 1} " in await _caption(eve)
    assert await _distance(eve) < 3
    # What would have cleared it, in the notation of the rules.
    await panel.get_by_text("What would have cleared it").click()
    assert " ".join(map(str, chance.line)) in await panel.inner_text()


async def test_a_deal_that_nobody_could_clear_has_no_mark(
    server: App, new_player: NewPlayer
) -> None:
    race = await _played(server, HOPELESS)
    best = analyse(HOPELESS.race, [0]).deal.left
    eve = await new_player()
    await eve.open(f"/replay/{race}")
    await eve.page.get_by_role("button", name="Where was it lost?").click()
    words = f"Nobody could clear this deal: {best} cards left at best."
    await eve.page.locator(".lookback", has_text=words).wait_for()
    assert await eve.page.locator(".mark").count() == 0


async def test_the_page_asks_again_and_says_what_went_wrong(
    server: App, new_player: NewPlayer
) -> None:
    race = await _played(server, LOSING)
    eve = await new_player()
    answers = [503, 500]

    async def answer(route: Any) -> None:
        if not answers:
            await route.continue_()
            return
        status = answers.pop(0)
        await route.fulfill(status=status, body="It went wrong here.\n")

    await eve.page.route("**/analysis.json", answer)
    await eve.open(f"/replay/{race}")
    button = eve.page.get_by_role("button", name="Where was it lost?")
    # The console of a browser tells of such answers by itself.
    await button.click()
    await eve.page.locator(".lookback", has_text="It went wrong here.").wait_for()
    await button.click()
    await eve.page.locator(".mark").wait_for()


async def test_hints_where_the_race_was_set_up_with_them(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player(context=FOR_AXE, oneTap=False)
    sent: list[dict[str, Any]] = []
    ann.page.on("websocket", lambda s: s.on("framesent", lambda f: _keep(sent, f)))
    await ann.open()
    await ann.page.get_by_text("Options", exact=True).click()
    await ann.page.get_by_label("Any deal, even one that nobody can clear").check()
    await ann.page.get_by_label("Allow hints").check()
    await ann.page.locator('input[value="doublets"]').check(force=True)
    if AXE.exists():
        await check_axe(ann, "options")
    await ann.page.get_by_role("button", name="Race a bot").click()
    await ann.spot("t0").wait_for()
    (create,) = [message for message in sent if message["type"] == "create"]
    assert (create["deals"], create["hints"]) == ("any", True)

    tops = await ann.tops()
    await ann.page.get_by_role("button", name="Hint").click()
    await ann.page.locator(".spot.aid").first.wait_for()
    line = ann.page.locator(".line", has_text=" of ")
    marked = await ann.page.eval_on_selector_all(
        ".spot.aid", "spots => spots.map((spot) => spot.dataset.pile)"
    )
    assert len(marked) == 2
    for pile in marked:
        assert card_name(tops[pile]) in await line.inner_text()
    if AXE.exists():
        await check_axe(ann, "hint")
    # It is worth what it says: played, and the marks are gone.
    before = await ann.left()
    for pile in marked:
        await ann.spot(pile).click()

    async def fewer() -> bool:
        return await ann.left() == before - 2

    async def none_marked() -> bool:
        return not await ann.page.locator(".spot.aid").count()

    await eventually(fewer, "the move that was advised")
    await eventually(none_marked, "marks to go")
    # And by a key; which is in the help.
    await ann.page.keyboard.press("h")
    await line.wait_for()
    await ann.page.keyboard.press("?")
    await ann.page.get_by_text("A hint, where the race allows it").wait_for()


async def test_no_hints_where_nobody_has_asked_for_them(
    server: App, new_player: NewPlayer
) -> None:
    ann = await new_player()
    sent: list[dict[str, Any]] = []
    ann.page.on("websocket", lambda s: s.on("framesent", lambda f: _keep(sent, f)))
    await ann.race_a_bot("doublets")
    assert not await ann.page.get_by_role("button", name="Hint").is_visible()
    await ann.page.keyboard.press("h")
    (create,) = [message for message in sent if message["type"] == "create"]
    assert "deals" not in create and "hints" not in create
    assert not any(message["type"] == "hint" for message in sent)


async def test_a_hint_and_its_button_fit_on_a_small_phone(
    server: App, new_player: NewPlayer
) -> None:
    """With every button that there can be."""
    ann = await new_player(context={"viewport": {"width": 360, "height": 740}})
    await ann.open()
    await ann.page.get_by_text("Options", exact=True).click()
    await ann.page.get_by_label("Allow hints").check()
    await ann.page.locator('input[value="private-lane"]').check(force=True)
    await ann.page.get_by_role("button", name="Race a bot").click()
    await ann.spot("t0").wait_for()
    await ann.page.get_by_role("button", name="Hint").click()
    await ann.page.locator('.line[data-kind="advice"]').wait_for()
    fits = await ann.page.evaluate(
        """() => {
          const [page, line] = [document.documentElement, document.querySelector(".line")];
          return page.scrollWidth <= page.clientWidth &&
            line.scrollWidth <= line.clientWidth;
        }"""
    )
    assert fits


# Steps.


async def _played(server: App, log: MadeLog) -> str:
    """A race of one seat that is over: what the log's first seat played."""
    async with peer(server.url, "Host") as host:
        joined = await host.ask(
            "create",
            game=log.race.variant.game,
            variant=log.race.variant.name,
            seed=log.race.seed,
            seats=1,
            countdown_ms=0,
        )
        race: str = joined["race"]
        await host.ask("start", race=race)
        await host.until("view")
        for turn, moves in enumerate(log.seat(0).turns):
            # No two turns at the same moment: one steps from one to the other.
            before = (await host.ask("ping"))["now_ms"]
            while (await host.ask("ping"))["now_ms"] <= before:
                pass
            await host.ask("move", race=race, turn=turn, moves=moves)
        await host.until("race", phase="ended")
    return race


def _cards(log: MadeLog, turn: int, move: str) -> str:
    """What a move of the first seat took, at that turn."""
    board: State = log.race.deal
    for played in log.seat(0).turns[:turn]:
        for text in played:
            board = apply_move(board, parse_move(text))
    piles = [board.piles[int(pile[1:])] for pile in move.split("+")]
    return " and ".join(card_name(card_text(pile[-1])) for pile in piles)


def _keep(sent: list[dict[str, Any]], frame: str | bytes) -> None:
    sent.append(json.loads(frame))


async def _caption(eve: Player) -> str:
    return str(await eve.page.locator("figcaption").inner_text())


async def _distance(eve: Player) -> float:
    """From the mark's middle to where the thumb of the scrubber is, in px."""
    distance: float = await eve.page.evaluate(
        """() => {
          const scrubber = document.querySelector(".scrubber");
          const { left, width } = scrubber.getBoundingClientRect();
          const mark = document.querySelector(".mark").getBoundingClientRect();
          const thumb = left + 8 + (width - 16) * (scrubber.value / scrubber.max);
          return Math.abs(mark.left + mark.width / 2 - thumb);
        }"""
    )
    return distance
