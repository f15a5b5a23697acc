"""A newcomer's first race against bots, on a server that has not proved a deal yet."""

import pytest
from tests.conftest import Serve
from tests.helpers import raw
from tests.helpers.positions import VARIANTS, variant_id

from samedeal_games import LEVELS, Variant, deal, parse_seed, view
from samedeal_server.deals.pool import Pool
from samedeal_server.deals.shipped import SHIPPED


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
async def test_it_starts_at_once_on_a_deal_that_can_be_won(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, variant: Variant
) -> None:
    # Whoever waited for the pool would wait for longer than any test.
    monkeypatch.setattr("samedeal_server.deals.drawing.PATIENCE_S", 3600.0)
    monkeypatch.setattr(Pool, "start", lambda self: None)
    app = await serve(pool=1, bot_pace_ms=(60_000, 60_000))
    ada, bob = [await raw.connect(app.url, raw.JSON) for _ in range(2)]
    try:
        await ada.hello()
        await bob.hello()
        bots = [*LEVELS]
        game = {"game": variant.game, "variant": variant.name}
        joined = await ada.ask(
            "create", **game, bots=bots, seats=1 + len(bots), countdown_ms=0
        )
        assert joined["type"] == "joined", joined
        assert await bob.refused("join", race=joined["race"]) == "race_full"
        await ada.send("ready", race=joined["race"])
        shown = await ada.until("view", race=joined["race"])
        info = await ada.until("race", race=joined["race"], phase="racing")
        assert info["settings"]["deals"] == "winnable"
        shipped = map(parse_seed, SHIPPED[variant.game, variant.name])
        assert shown["piles"] in [view(deal(variant, seed)) for seed in shipped]
    finally:
        await ada.close()
        await bob.close()
