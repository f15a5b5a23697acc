import re
import secrets

import pytest
from tests.helpers.logs import appended, race

from samedeal_server.store import START, Ending, Store, keys


async def test_a_code_leads_to_its_race_whatever_the_case(any_store: Store) -> None:
    registry = any_store.registry
    codes = [await registry.reserve_code(race(number)) for number in range(20)]
    assert len(set(codes)) == 20
    for number, code in enumerate(codes):
        assert re.fullmatch("[A-HJ-NP-Z]{6}", code)
        assert await registry.race_by_code(code) == race(number)
        assert await registry.race_by_code(code.lower()) == race(number)
    assert await registry.race_by_code("OOOOOO") is None


async def test_a_code_that_is_taken_is_not_given_again(
    any_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters = iter("AAAAAAAAAAAABBBBBB")

    def choose(among: str) -> str:
        return next(letters)

    monkeypatch.setattr(secrets, "choice", choose)
    registry = any_store.registry
    assert await registry.reserve_code(race(1)) == "AAAAAA"
    assert await registry.reserve_code(race(2)) == "BBBBBB"
    assert await registry.race_by_code("AAAAAA") == race(1)


async def test_codes_last_a_day_longer_than_races(any_store: Store) -> None:
    key = keys.code(await any_store.registry.reserve_code(race(0)))
    assert 30 * 86_400 < await any_store.nodes.call(key, "TTL", key) <= 31 * 86_400


async def test_what_belongs_to_an_ended_race_goes_in_time(any_store: Store) -> None:
    registry, name = any_store.registry, race(0)
    await appended(any_store, name, START, b"a")
    code = await registry.reserve_code(name)
    await registry.rematch_reserve(name, race(1))
    await registry.put_away([Ending(name, code, (), None, 0)], 100)
    for key in (keys.log(name), keys.code(code), keys.rematch(name)):
        assert 98 <= await any_store.nodes.call(key, "TTL", key) <= 100
