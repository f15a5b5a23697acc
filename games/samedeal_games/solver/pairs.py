"""Games in which two tops are taken: depth first, with a memo of positions."""

from ..cards import RANK
from ..model import State
from ..moves import Move, Take
from ..play import apply_move
from .pair_table import Choice, PairTable
from .solution import Solution, Verdict


_PATIENCE = 500  # Nodes before the first new beginning.


def solve_pairs(state: State, add_to: int | None, max_nodes: int) -> Solution:
    """Solve a game in which ranks adding to ``add_to`` go together (None: equal).

    The search begins anew with another order of choices when it takes long: most
    often a choice near the start was wrong, which depth first comes back to last.
    What was searched to the end stays known.
    """
    nodes, limit, order = 0, _PATIENCE, 0
    best, best_path = sum(map(len, state.piles)) + len(state.stock), list[Choice]()
    lost: set[int] = set()
    while True:
        allowed = min(limit, max_nodes - nodes)
        table = PairTable(state, add_to, order)
        cards_left, path, done, used = _search(table, lost, allowed)
        nodes += used
        if cards_left < best:
            best, best_path = cards_left, path
        if done or nodes >= max_nodes:
            break
        limit, order = 2 * limit, order + 1
    verdict = Verdict.LOST if done else Verdict.UNKNOWN
    if not best:
        verdict = Verdict.WON
    return Solution(verdict, _line(state, best_path), best, done, nodes)


def _search(
    table: PairTable, lost: set[int], max_nodes: int
) -> tuple[int, list[Choice], bool, int]:
    """Return the fewest cards left, the way there, whether proven, and the nodes.

    Passes over the positions in ``lost``, and adds those searched to the end.
    """
    best = table.cards
    best_path: list[Choice] = []
    path: list[Choice] = []
    untried: list[list[Choice]] = [[(table.start, 0, 0)]]
    met: set[int] = set()
    while untried and best and len(met) < max_nodes:
        if not untried[-1]:
            untried.pop()
            if path:
                lost.add(path.pop()[0])
            continue
        choice = untried[-1].pop()
        key = choice[0]
        if key in met or key in lost:
            continue
        met.add(key)
        path.append(choice)
        choices = table.choices(key)
        untried.append(choices)
        if not choices:
            rest = table.lone_pairs(key)
            cards_left = table.cards - 2 * (len(path) - 1 + len(rest))
            if cards_left < best:
                best, best_path = cards_left, path[1:] + rest
    return best, best_path, not best or not any(untried), len(met)


def _line(state: State, path: list[Choice]) -> tuple[Move, ...]:
    """Put the choices into moves, by playing them."""
    line: list[Move] = []
    for _, *taken in path:
        numbers: list[int] = []
        for number in taken:
            if number < 0:
                number = next(
                    other
                    for other, pile in enumerate(state.piles)
                    if len(pile) == 1
                    and RANK[pile[0]] == -number
                    and other not in numbers
                )
            numbers.append(number)
        move = Take(tuple(sorted(numbers)))
        line.append(move)
        state = apply_move(state, move)
    return tuple(line)
