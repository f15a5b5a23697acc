"""`samedeal solve` and `samedeal analyse` as they are typed."""

import json
from itertools import count
from pathlib import Path

import pytest
from tests.clients.cli.conftest import Samedeal
from tests.clients.cli.made_logs import RACE_ID, created, ended, started, whole

from samedeal_games import (
    GAMES,
    Variant,
    Verdict,
    apply_move,
    deal,
    find_variant,
    left,
    parse_move,
    solve,
)
from samedeal_server.race import lobby


ZEROS = "00" * 16
ONES = "01" * 16
VARIANTS = [variant for game in GAMES.values() for variant in game.variants]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: f"{v.game} {v.name}")
def test_its_line_clears_the_deal_in_simulate(
    samedeal: Samedeal, variant: Variant
) -> None:
    seeds = (number.to_bytes(16) for number in count())
    seed = next(
        seed for seed in seeds if solve(deal(variant, seed)).verdict is Verdict.WON
    )
    options = ("--variant", variant.name, "--seed", seed.hex())
    status, out, err = samedeal("solve", variant.game, *options)
    assert (status, err) == (0, "")
    played = samedeal("simulate", variant.game, *options, stdin=out.encode()).out
    last = json.loads(played.splitlines()[-1])
    assert (last["turn"], last["status"]) == (out.count("\n"), "won")


@pytest.mark.parametrize(
    ("options", "status", "verdict"),
    [
        (["doublets", "--seed", ZEROS], 0, "won"),
        (["juvenile", "--seed", ZEROS], 1, "lost"),
        (["doublets", "--seed", ZEROS, "--nodes", "1"], 3, "unknown"),
    ],
)
def test_verdicts(
    samedeal: Samedeal, options: list[str], status: int, verdict: str
) -> None:
    found = samedeal("solve", *options)
    assert (found.status, found.err) == (status, "")
    if status:
        assert found.out == f"{verdict}\n"
    found = samedeal("solve", *options, "--json")
    assert (found.status, found.err, found.out.count("\n")) == (status, "", 1)
    told = json.loads(found.out)
    assert (told["verdict"], told["seed"]) == (verdict, ZEROS)
    board = deal(find_variant(told["game"], told["variant"]), bytes(16))
    for text in told["line"]:
        board = apply_move(board, parse_move(text))
    assert left(board) == told["left"]
    assert told["exact"] or status == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "chess", "--seed", ZEROS],
        ["solve", "doublets"],
        ["solve", "doublets", "--seed", "0"],
        ["solve", "doublets", "--seed", ZEROS, "--nodes", "0"],
        ["analyse"],
        ["analyse", "-", "--seat", "-1"],
        ["analyse", "-", "--nodes", "x"],
    ],
)
def test_bad_use(samedeal: Samedeal, arguments: list[str]) -> None:
    status, out, err = samedeal(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "race.jsonl"
    path.write_bytes(whole("juvenile", "seventeen-piles", seed=ONES).file())
    return path


def test_analyse_names_the_move_that_lost_the_deal(
    samedeal: Samedeal, log: Path
) -> None:
    status, out, err = samedeal("analyse", str(log))
    assert (status, err) == (0, "")
    assert out.startswith(
        f"Race {RACE_ID}: juvenile, seventeen-piles.\nThis deal can be cleared.\n"
    )
    told = json.loads(samedeal("analyse", str(log), "--json").out)
    assert (told["race"], told["seed"], told["verdict"]) == (RACE_ID, ONES, "won")
    assert [seat["name"] for seat in told["seats"]] == ["Ada", "Bén"]
    for seat in told["seats"]:
        assert seat["certain"]
        assert (
            f"Seat {seat['seat']}, {seat['name']}: could clear it until turn "
            f"{seat['turn']}, and lost it there by {seat['lost_by']}.\n  From there: "
            f"{seat['line'][0]}"
        ) in out


def test_replay_marks_that_move(samedeal: Samedeal, log: Path) -> None:
    (seat,) = json.loads(samedeal("analyse", str(log), "--seat", "1", "--json").out)[
        "seats"
    ]
    turn, move = seat["turn"], seat["lost_by"]
    mark = f"{move}  <- the deal was lost by {move}"
    status, out, err = samedeal("replay", str(log), "--seat", "1", "--analyse")
    assert (status, err) == (0, "")
    assert "This deal can be cleared." in out
    (marked,) = [line for line in out.splitlines() if "<-" in line]
    assert f"Bén, turn {turn + 1}  " in marked
    assert marked.endswith(mark)
    before, after = out.split(mark)
    assert "lost at turn" not in before
    assert f"(lost at turn {turn})" in after
    options = ("--seat", "1", "--at", str(turn), "--analyse")
    assert "lost" not in samedeal("replay", str(log), *options).out
    assert "lost" not in samedeal("replay", str(log)).out


def test_analyse_a_deal_that_nobody_could_clear(samedeal: Samedeal) -> None:
    data = whole("juvenile").file()
    status, out, _ = samedeal("analyse", "-", stdin=data)
    assert status == 0
    told = json.loads(samedeal("analyse", "-", "--json", stdin=data).out)
    assert (told["verdict"], told["exact"]) == ("lost", True)
    assert f"clear this deal: {told['left']} cards left at best." in out
    assert f"The best line: {told['line'][0]} " in out
    for seat in told["seats"]:
        assert f"{seat['name']}: left {seat['left']} cards." in out
        assert seat["left"] >= told["left"]
        assert "turn" not in seat


def test_analyse_says_what_is_unknown(samedeal: Samedeal) -> None:
    data = whole("doublets", turns=3).file()
    status, out, _ = samedeal("analyse", "-", "--nodes", "1", stdin=data)
    assert status == 0
    assert out.count("nknown whether") == 3
    told = json.loads(
        samedeal("analyse", "-", "--nodes", "1", "--json", stdin=data).out
    )
    assert told["verdict"] == "unknown"
    assert [seat["certain"] for seat in told["seats"]] == [False, False]


def test_analyse_a_seat_that_cleared_it(samedeal: Samedeal) -> None:
    log = started("doublets", seats=1)
    for at, move in enumerate(solve(log.race.deal).line):
        log.move(0, 1_000_100 + at, str(move))
    data = ended(log, 1_000_200).file()
    out = samedeal("analyse", "-", stdin=data).out
    assert out.endswith("This deal can be cleared.\n\nSeat 0, Ada: cleared it.\n")
    told = json.loads(
        samedeal("analyse", "-", "--nodes", "1", "--json", stdin=data).out
    )
    assert (told["verdict"], told["left"], told["exact"]) == ("won", 0, True)


def test_analyse_what_is_not_there(samedeal: Samedeal, log: Path) -> None:
    status, out, err = samedeal("analyse", str(log), "--seat", "2")
    assert (status, out) == (1, "")
    assert err == "samedeal: Nobody raced in seat 2; there were 0, 1.\n"
    for data in (b"", b"\xff\n", b"{}\n"):
        status, out, err = samedeal("analyse", "-", stdin=data)
        assert (status, out, err.count("\n")) == (1, "", 1)
    empty = created("juvenile")
    empty.join("adaaaaaaaaaaaaaa", "Ada")
    empty.add(lobby.leave(empty.race, empty.seat(0), 990_020).events, 990_020)
    status, _, err = samedeal("analyse", "-", stdin=empty.file())
    assert (status, "nobody played" in err) == (1, True)
