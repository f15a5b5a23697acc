"""`samedeal games`, `deal` and `simulate` as they are typed."""

import json
from pathlib import Path

import pytest
from tests.clients.cli.conftest import Samedeal

from samedeal_games import GAMES, Variant


VECTORS = Path(__file__).parents[2] / "vectors"
ZEROS = "00" * 16
VARIANTS = [variant for game in GAMES.values() for variant in game.variants]


def test_games_lists_every_variant(samedeal: Samedeal) -> None:
    status, out, err = samedeal("games")
    assert (status, err) == (0, "")
    for variant in VARIANTS:
        assert f"  {variant.name} " in out
    assert out.count("(default)") == sum(len(g.variants) > 1 for g in GAMES.values())
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("game", GAMES)
def test_games_shows_the_rules_of_one(samedeal: Samedeal, game: str) -> None:
    status, out, _ = samedeal("games", game)
    assert status == 0
    assert " ".join(GAMES[game].rules.split()) in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: f"{v.game} {v.name}")
def test_deal_as_json_agrees_with_the_vectors(
    samedeal: Samedeal, variant: Variant
) -> None:
    with (VECTORS / "deals.jsonl").open(encoding="utf-8") as lines:
        deals = [json.loads(line) for line in lines]
    mine = [
        item
        for item in deals
        if (item["game"], item["variant"]) == (variant.game, variant.name)
    ]
    assert mine
    for item in mine[:3]:
        arguments = ("--variant", variant.name, "--seed", item["seed"], "--json")
        status, out, _ = samedeal("deal", variant.game, *arguments)
        assert status == 0
        described = json.loads(out)
        head = {name: described.pop(name) for name in ("game", "variant", "seed")}
        assert head == {name: item[name] for name in head}
        assert described == item["start"]


def test_deal_draws(samedeal: Samedeal) -> None:
    status, out, _ = samedeal("deal", "straight-fifteens", "--seed", ZEROS)
    assert status == 0
    assert out.splitlines()[0] == f"Straight Fifteens, either, seed {ZEROS}"
    assert "stock" in out
    assert "\x1b" not in out  # No colour where it is not a terminal.


def test_deal_without_a_seed_says_which(samedeal: Samedeal) -> None:
    _, first, _ = samedeal("deal", "juvenile", "--json")
    _, other, _ = samedeal("deal", "juvenile", "--json")
    seed = json.loads(first)["seed"]
    assert seed != json.loads(other)["seed"]
    assert samedeal("deal", "juvenile", "--seed", seed, "--json").out == first


def test_simulate(samedeal: Samedeal) -> None:
    status, out, err = samedeal(
        "simulate", "juvenile", "--seed", ZEROS, stdin=b"t0+t6\nt6+t0\n"
    )
    assert (status, err) == (0, "")
    start, played, refused = out.splitlines()
    assert start.startswith('{"turn":0,"piles":{"t0":["Ad","2s",')
    assert start.endswith('"left":52,"status":"playing","legal":3}')
    assert played == (
        '{"turn":1,"patch":{"t0":[6,[]],"t6":[5,[]]},'
        '"left":50,"status":"playing","legal":4}'
    )
    assert refused.startswith('{"turn":1,"error":"bad_move","message":"')


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["games", "chess"], "choose from juvenile"),
        (["deal", "chess"], "choose from juvenile"),
        (["deal", "juvenile", "--variant", "x"], "choose from one-deck"),
        (["deal", "juvenile", "--seed", "ABC"], "32 lower-case hex digits"),
        (["deal", "juvenile", "--seed", ZEROS.replace("0", "A")], "lower-case"),
        (["simulate", "juvenile"], "--seed"),
        (["simulate", "juvenile", "--seed", "0"], "32 lower-case hex digits"),
    ],
)
def test_bad_use(samedeal: Samedeal, arguments: list[str], words: str) -> None:
    status, out, err = samedeal(*arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert err.startswith("samedeal: ")
    assert err.endswith(f"; see samedeal {arguments[0]} --help\n")
