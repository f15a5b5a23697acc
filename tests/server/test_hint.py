"""Advice, in races that were set up with it."""

from tests.server.conftest import Arrive
from tests.server.scenes import COVERED, WINNING, started

from samedeal_games import find_variant, from_view, legal_moves


async def test_advice_is_a_legal_move_and_a_reason(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada, hints=True, **COVERED.create)
    told = await ada.ask("hint", race=race)
    assert told["type"] == "hint"
    assert (told["race"], told["seat"], told["turn"]) == (race, 0, 0)
    view = await ada.ask("sync", race=race)
    assert view["settings"]["hints"] is True
    board = from_view(
        find_variant(COVERED.game, COVERED.variant), COVERED.start["piles"]
    )
    assert told["move"] in [str(move) for move in legal_moves(board)]
    assert 10 < len(told["why"]) < 200
    assert (await ada.ask("hint", race=race))["move"] == told["move"]


async def test_advice_is_for_races_with_hints_alone(arrive: Arrive) -> None:
    ada = await arrive("Ada")
    race = await started(ada, **WINNING.create)
    told = await ada.ask("hint", race=race)
    assert (told["type"], told["code"]) == ("error", "bad_settings")
    info = await ada.ask("sync", race=race)
    assert "hints" not in info["settings"]


async def test_advice_is_for_who_plays(arrive: Arrive) -> None:
    ada, ben = await arrive("Ada"), await arrive("Ben")
    joined = await ada.ask("create", hints=True, **WINNING.create)
    race = joined["race"]
    assert (await ada.ask("hint", race=race))["code"] == "not_started"
    assert (await ben.ask("hint", race=race))["code"] == "not_in_race"
    race = await started(ada, hints=True, **WINNING.create)
    await ada.ask("resign", race=race)
    assert (await ada.ask("hint", race=race))["code"] == "finished"
