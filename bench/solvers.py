"""`python -m bench.solvers`: how many deals are solved in a second, in every variant.

Every line is replayed by the rules, and every verdict on Private Lane held to that of
fc-solve where that is installed. Rates are by CPU time, fc-solve's start included.
"""

import hashlib
import resource
import statistics
import time
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.console import Console
from tests.helpers import fc_solve

from bench import tables
from samedeal_games import (
    GAMES,
    State,
    Variant,
    apply_move,
    check_move,
    deal,
    left,
)
from samedeal_games.solver import Solution, Verdict, solve


def seed(name: str, number: int) -> bytes:
    """Return the seed of one of the deals measured, the same in every run."""
    return hashlib.sha256(f"{name} {number}".encode()).digest()[:16]


def main(
    deals: Annotated[int, typer.Option(help="Deals of each variant.")] = 200,
    nodes: Annotated[int, typer.Option(help="Positions looked at, at most.")] = 100_000,
    name: Annotated[str, typer.Option(help="Other deals for another name.")] = "bench",
) -> None:
    """Solve the deals and print one table."""
    variants = [variant for game in GAMES.values() for variant in game.variants]
    console = Console(width=150)
    rows = [_row(_measure(variant, deals, nodes, name)) for variant in variants]
    console.print(f"Seeds: the first 16 bytes of SHA-256 of '{name} N', N from 0.")
    tables.show("solvers", rows, console)


@dataclass(frozen=True, slots=True)
class Measured:
    """One variant's deals."""

    variant: Variant
    solutions: list[Solution]
    seconds: float
    fc_seconds: float | None
    contradictions: int


def _measure(variant: Variant, deals: int, nodes: int, name: str) -> Measured:
    states = [deal(variant, seed(name, number)) for number in range(deals)]
    before = time.process_time()
    solutions = [solve(state, nodes) for state in states]
    seconds = time.process_time() - before
    for state, solution in zip(states, solutions, strict=True):
        _replay(state, solution)
    fc_seconds, contradictions = None, 0
    if variant.foundations and fc_solve.INSTALLED:
        before = _children_s()
        answers = [fc_solve.ask(state) for state in states]
        fc_seconds = _children_s() - before
        for state, answer, solution in zip(states, answers, solutions, strict=True):
            winnable = fc_solve.can_be_won(state, answer)
            if winnable is not None and solution.verdict is not Verdict.UNKNOWN:
                contradictions += winnable != (solution.verdict is Verdict.WON)
    return Measured(variant, solutions, seconds, fc_seconds, contradictions)


def _replay(state: State, solution: Solution) -> None:
    for move in solution.line:
        check_move(state, move)
        state = apply_move(state, move)
    if left(state) != solution.left:
        raise SystemExit(f"A line of {state.variant.name} does not end as it says.")


def _children_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _row(measured: Measured) -> tables.Row:
    solutions = measured.solutions
    verdicts = [solution.verdict for solution in solutions]
    nodes = [solution.nodes for solution in solutions]
    deals, fc_seconds = len(solutions), measured.fc_seconds
    return {
        "variant": f"{measured.variant.game} {measured.variant.name}",
        "deals": deals,
        "won %": 100 * verdicts.count(Verdict.WON) / deals,
        "unknown": verdicts.count(Verdict.UNKNOWN),
        "nodes, median": int(statistics.median(nodes)),
        "worst": max(nodes),
        "deals/s": deals / measured.seconds,
        "fc-solve/s": deals / fc_seconds if fc_seconds else "",
        "contradictions": measured.contradictions if fc_seconds else "",
    }


if __name__ == "__main__":
    typer.run(main)
