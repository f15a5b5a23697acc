"""`python -m bench.opponents`: how strong the built-in players are.

All levels play the same deals. The time is what one choice takes of the CPU.
"""

import multiprocessing
import time
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Annotated

import typer
from rich.console import Console

from bench import tables
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


_MAX_MOVES = 1000


@dataclass(frozen=True, slots=True)
class Played:
    """One game of one player."""

    left: int
    choices: int
    seconds: float
    slowest_s: float


def play(variant: Variant, level: str, number: int) -> Played:
    """Play one deal to the end, or until the player resigns."""
    chance = Random(f"{level} {number}")
    choose = opponent(level, variant, chance.randrange)
    state = deal(variant, seed("opponents", number))
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


def main(
    deals: Annotated[int, typer.Option(help="Deals of each variant.")] = 200,
    game: Annotated[str, typer.Option(help="Only variants with this in them.")] = "",
) -> None:
    """Let every level play the deals, and print one table for each variant."""
    console = Console(width=150)
    with multiprocessing.Pool() as pool:
        for variant in [each for game in GAMES.values() for each in game.variants]:
            title = f"{variant.game} {variant.name}"
            if game not in title or variant.game == "simple-pairs":
                continue  # In Simple Pairs all players come equally far.
            rows = [
                _row(level, pool.map(partial(play, variant, level), range(deals)))
                for level in LEVELS
            ]
            tables.show(f"{title}, {deals} deals", rows, console)


def _row(level: str, games: list[Played]) -> tables.Row:
    lefts = [game.left for game in games]
    return {
        "level": level,
        "clears": lefts.count(0),
        "cards left": sum(lefts) / len(lefts),
        "ms a choice": 1000
        * sum(game.seconds for game in games)
        / sum(game.choices for game in games),
        "slowest ms": 1000 * max(game.slowest_s for game in games),
    }


if __name__ == "__main__":
    typer.run(main)
