"""`python -m bench.opponents`: how strong the built-in players are.

All levels play the same deals, and each is compared with the one below it deal by deal. What one choice takes is CPU time.
"""

import enum
import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from random import Random
from typing import Annotated

import typer
from rich.console import Console

from bench import tables
from bench.paired import paired
from bench.solvers import seed
from samedeal_games import (
    GAMES,
    LEVELS,
    Variant,
    apply_move,
    deal,
    from_view,
    left,
    opponent,
    outcome,
    view,
)
from samedeal_games.solver import Verdict, solve


# With which other each is compared.
_BELOW = {
    "random": "",
    "greedy": "random",
    "easy": "random",
    "medium": "easy",
    "hard": "medium",
    "expert": "hard",
}
_MAX_MOVES = 428  # In ten minutes, a race's limit, at 1.4 s each, a bot's pace.
_PROOF = 30_000  # Nodes, as where races get their deals.


class Deals(enum.StrEnum):
    """Which deals are played."""

    winnable = "winnable"
    any = "any"


@dataclass(frozen=True, slots=True)
class Played:
    """One game of one player."""

    left: int
    choices: int
    seconds: float
    slowest_s: float


def play(variant: Variant, level: str, seed: bytes) -> Played:
    """Play one deal to the end, or until the player resigns."""
    choose = opponent(level, variant, Random(seed).randrange)
    state = deal(variant, seed)
    times: list[float] = []
    while outcome(state) is None and len(times) < _MAX_MOVES:
        shown = from_view(variant, view(state))
        before = time.thread_time()
        move = choose(shown)
        times.append(time.thread_time() - before)
        if move is None:
            break
        state = apply_move(state, move)
    return Played(left(state), len(times), sum(times), max(times, default=0.0))


def seeds(variant: Variant, which: Deals, name: str) -> Iterator[bytes]:
    """Yield seeds for ever, without those of deals that are over at once."""
    for number in count():
        state = deal(variant, seed(name, number))
        if outcome(state) is not None:
            continue
        if which is Deals.any or solve(state, _PROOF).verdict is Verdict.WON:
            yield seed(name, number)


def main(
    deals: Annotated[int, typer.Option(help="Deals of each variant.")] = 200,
    game: Annotated[str, typer.Option(help="Only variants with this in them.")] = "",
    which: Annotated[Deals, typer.Option(help="Which deals.")] = Deals.winnable,
    name: Annotated[str, typer.Option(help="Other deals for another name.")] = (
        "opponents"
    ),
    processes: Annotated[
        int | None, typer.Option(help="At a time; as many as there are CPUs if unset.")
    ] = None,
) -> None:
    """Let every level play the deals, and print one table for each variant."""
    console = Console(width=150, highlight=False)
    console.print(
        f"Seeds: the first 16 bytes of SHA-256 of '{name} N' for N = 0, 1 ..., without "
        "deals that are stuck at once"
        + (" or not proved winnable." if which is Deals.winnable else ".")
    )
    console.print(
        "Against another level: on how many deals it alone cleared everything, and "
        "that other alone; on how many it left fewer cards, and more; p is how "
        "probable as great a difference is between equals (sign test, two-sided)."
    )
    with multiprocessing.Pool(processes) as pool:
        for variant in [each for game in GAMES.values() for each in game.variants]:
            title = f"{variant.game} {variant.name}"
            if game not in title:
                continue
            chosen = [*islice(seeds(variant, which, name), deals)]
            games = {
                level: pool.map(partial(play, variant, level), chosen)
                for level in LEVELS
            }
            rows = [_row(level, games) for level in LEVELS]
            tables.show(f"{title}, {deals} {which} deals", rows, console)


def _row(level: str, games: dict[str, list[Played]]) -> tables.Row:
    played, below = games[level], _BELOW[level]
    lefts = [game.left for game in played]
    cleared, fewer = "", ""
    if below:
        others = [game.left for game in games[below]]
        cleared = str(paired([*map(bool, lefts)], [*map(bool, others)]))
        fewer = str(paired(lefts, others))
    return {
        "level": level,
        "clears": lefts.count(0),
        "cards left": sum(lefts) / len(lefts),
        "against": below,
        "only it cleared : only that": cleared,
        "fewer left : more": fewer,
        "ms a choice": 1000
        * sum(game.seconds for game in played)
        / sum(game.choices for game in played),
        "slowest ms": 1000 * max(game.slowest_s for game in played),
    }


if __name__ == "__main__":
    typer.run(main)
