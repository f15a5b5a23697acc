"""Private Lane by way of fc-solve, Freecell Solver's command, where it is installed."""

import re
import shutil
import subprocess
from collections.abc import Iterator

from samedeal_games import Move, Shift, State, apply_move, card_text
from samedeal_games.cards import RANK


INSTALLED = shutil.which("fc-solve") is not None

_BUILT_BY = {"by-suit": "suit", "any-suit": "rank"}
_TESTS = {"by-suit": ["-to", "01ABCDE"], "any-suit": ["-l", "as"]}
"""By suit all it knows, so that it can prove; else what finds a way soonest."""


def ask(state: State, states: int = 300_000) -> str:
    """Return what fc-solve prints about the deal when it looks at so many states."""
    name = state.variant.name
    options = ["--freecells-num", "2", "--sequences-are-built-by", _BUILT_BY[name]]
    options += [*_TESTS[name], "-mi", str(states), "-m", "-snx", "-"]
    board = "".join(
        " ".join([card_text(card).upper() for card in pile]) + "\n"
        for pile in state.piles[:8]
    )
    done = subprocess.run(
        ["fc-solve", *options], input=board, capture_output=True, text=True, check=False
    )
    return done.stdout


def can_be_won(state: State, answer: str) -> bool | None:
    """Read what fc-solve says; None where that it found no way proves nothing."""
    if "This game is solveable." in answer:
        return True
    proves = state.variant.name == "by-suit"  # Else it tries only some of all moves.
    return False if proves and "I could not solve this game." in answer else None


def line(state: State, answer: str) -> Iterator[Move]:
    """Yield fc-solve's solution in single moves, to be played from this deal.

    A whole pile moved to an empty one, which changes nothing, is left out; from there
    on the two piles go by each other's names.
    """
    names = {str(number + 1): f"t{number}" for number in range(8)}
    names |= {"a": "c0", "b": "c1", "h": "f"}
    listed = answer.partition("-=-\n")[2].partition("This game")[0]
    for one, other, count in re.findall(
        r"\b([1-8ab])([1-8abh])(?:v([0-9a-f]))?\b", listed
    ):
        source, target = names[one], names[other]
        piles = dict(zip(state.variant.piles, state.piles, strict=True))
        cards = int(count, 16) if count else 1
        if source[0] == target[0] == "t":
            if not piles[target] and cards == len(piles[source]):
                names[one], names[other] = target, source
                continue
            if piles[target]:
                cards = RANK[piles[target][-1]] - RANK[piles[source][-1]]
        cells = [name for name in ("c0", "c1") if not piles[name]]
        empty = [name for name in piles if name[0] == "t" and not piles[name]]
        others = [name for name in empty if name != target]
        for move in _sequence(cards, source, target, cells, others):
            yield move
            state = apply_move(state, move)


def _sequence(
    cards: int, source: str, target: str, cells: list[str], empty: list[str]
) -> list[Move]:
    if cards <= len(cells) + 1:
        used = cells[: cards - 1]
        return [
            *[Shift(source, cell) for cell in used],
            Shift(source, target),
            *[Shift(cell, target) for cell in reversed(used)],
        ]
    # More than the cells hold: part of it waits in an empty pile.
    wait, *others = empty
    part = min(cards - 1, (len(cells) + 1) << len(others))
    return [
        *_sequence(part, source, wait, cells, others),
        *_sequence(cards - part, source, target, cells, others),
        *_sequence(part, wait, target, cells, others),
    ]
