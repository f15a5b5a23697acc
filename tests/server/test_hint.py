"""Advice, in races that were set up with it."""

import threading
from collections.abc import Iterator

import pytest
from tests.server.conftest import Arrive
from tests.server.scenes import COVERED, WINNING, started

from samedeal_games import Adviser, Hint, State, find_variant, from_view, legal_moves
from samedeal_server.service import advice


class Thinking:
    """Stands in for thinking: takes until it may go on, and counts."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.count = 0

    def find(self, _: Adviser, state: State, __: object) -> Hint:
        self.count += 1
        assert self.go_on.wait(20)
        return Hint(legal_moves(state)[0], "It was thought out at length.")


@pytest.fixture
def thinking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Thinking]:
    stand_in = Thinking()
    monkeypatch.setattr(Adviser, "_find", lambda *arguments: stand_in.find(*arguments))
    yield stand_in
    stand_in.go_on.set()


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


async def test_nothing_else_waits_for_advice(
    arrive: Arrive, thinking: Thinking
) -> None:
    """Neither a ping nor a move of the same connection; a second hint is refused."""
    ada = await arrive("Ada")
    race = await started(ada, hints=True, **WINNING.create)
    await ada.send("hint", race=race, id="first")
    refused = await ada.ask("hint", race=race)
    assert (refused["type"], refused["code"]) == ("error", "rate_limited")
    assert (await ada.ask("ping"))["type"] == "pong"
    moved = await ada.ask("move", race=race, turn=0, moves=[WINNING.moves[0]])
    assert moved["type"] == "patch"
    thinking.go_on.set()
    assert (await ada.answer("first"))["turn"] == 0
    assert (await ada.ask("hint", race=race))["turn"] == 1


async def test_advice_is_thought_out_once(arrive: Arrive, thinking: Thinking) -> None:
    thinking.go_on.set()
    ada = await arrive("Ada")
    race = await started(ada, hints=True, **WINNING.create)
    first = await ada.ask("hint", race=race)
    again = await ada.ask("hint", race=race)
    assert {**again, "re": first["re"]} == first
    assert thinking.count == 1


async def test_only_so_many_wait_for_advice(
    arrive: Arrive, thinking: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is thought out, one waits; the third is to ask again."""
    monkeypatch.setattr(advice, "_MOST_WAITING", 1)
    players = [await arrive(name) for name in ("Ada", "Ben", "Cleo")]
    races = [await started(one, hints=True, **WINNING.create) for one in players]
    for player, race in zip(players[:2], races, strict=False):
        await player.send("hint", race=race, id="waiting")
        await player.ask("ping")
    assert await players[2].refused("hint", race=races[2]) == "rate_limited"
    assert thinking.count == 1
    thinking.go_on.set()
    for player in players[:2]:
        assert (await player.answer("waiting"))["type"] == "hint"
    assert (await players[2].ask("hint", race=races[2]))["type"] == "hint"


async def test_coming_back_does_not_free_who_has_a_hint_under_way(
    arrive: Arrive, thinking: Thinking
) -> None:
    ada = await arrive("Ada")
    race = await started(ada, hints=True, **WINNING.create)
    await ada.send("hint", race=race)
    await ada.ask("ping")
    await ada.vanish()
    ada = await arrive("Ada", token=ada.token)
    assert await ada.refused("hint", race=race) == "rate_limited"
    thinking.go_on.set()
    while (told := await ada.ask("hint", race=race))["type"] == "error":
        assert told["code"] == "rate_limited"
    assert told["why"] == "It was thought out at length."
