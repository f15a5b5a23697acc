"""Straight Fifteens: how the courts must go is known by arithmetic; the rest is search.

A court (10, J, Q, K, each worth 10) goes in a court set, worth 40, or in a fifteen
with ace to 5 that add to 5, so two courts are never in one fifteen. If all cards
left go in sets, the number n of court sets follows modulo 3 from what they are
worth, and so does how many courts go in fifteens and how much of ace to 5 these
need. A *plan* is one such way to share out the courts. With a full deck there are
only n = 4, all courts in court sets, and n = 1, all of ace to 5 with courts; then
6 to 9 can only go as 6+9 and 7+8. Four of a kind and one each exclude each other,
for either needs cards of the other.

Within a plan, a set whose cards can go in no other way is taken at once. That never
hurts: with more cards gone, more are drawn, and all others in sight stay there.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from ..cards import RANK
from ..model import State
from ..moves import Move
from .set_search import Ranks, Sets, SetSearch
from .solution import Solution, Verdict


_TEN, _KING = 10, 13
_COURTS = range(_TEN, _KING + 1)
_STRAIGHT = tuple(_COURTS)
_PATIENCE = 100  # Nodes before a plan is put off for the first time.
_AFTERWARDS = 2000  # Nodes for fewer cards left once a position is known to be lost.


def _adding_to(total: int, highest: int) -> list[Ranks]:
    """List the sets of ranks up to ``highest``, no more than 4 of each, by sum."""
    if total == 0:
        return [()]
    return [
        (rank, *others)
        for rank in range(min(total, highest), 0, -1)
        for others in _adding_to(total - rank, rank)
        if others[:4] != (rank,) * 4
    ]


_FIVES = _adding_to(5, 5)
_FIFTEENS = _adding_to(15, 9)


def solve_fifteens(
    state: State, straight: bool, kind: bool, courts_count: bool, max_nodes: int
) -> Solution:
    """Solve a variant; the flags are those of its rules.

    Plan after plan gets a share of the nodes, and a larger one in every round, with
    the choices in another order, until one clears the deal or all are refuted.
    """
    sight = [RANK[pile[-1]] for pile in state.piles if pile]
    stock = [RANK[card] for card in state.stock]
    best, line = len(sight) + len(stock), tuple[Move, ...]()
    plans = [
        SetSearch(sight, stock, sets)
        for sets in _plans(sight + stock, straight, kind, courts_count)
    ]
    nodes, limit, order = 0, _PATIENCE, 0
    while plans and best and nodes < max_nodes:
        for plan in tuple(plans):
            left, path, done, used = plan.run(order, min(limit, max_nodes - nodes))
            nodes += used
            if left < best:
                best, line = left, plan.line(state, path)
            if done:
                plans.remove(plan)
            if not best or nodes >= max_nodes:
                break
        limit, order = 4 * limit, order + 1
    if not best:
        return Solution(Verdict.WON, line, 0, True, nodes)
    anyhow = SetSearch(sight, stock, _all_sets(straight, kind, courts_count))
    allowed = min(_AFTERWARDS, max_nodes - nodes)
    left, path, done, used = anyhow.run(0, allowed)
    if left < best:
        best, line = left, anyhow.line(state, path)
    verdict = Verdict.UNKNOWN if plans and not done else Verdict.LOST
    return Solution(verdict, line, best, done, nodes + used)


def _plans(
    ranks: Sequence[int], straight: bool, kind: bool, courts_count: bool
) -> Iterator[Sets]:
    """Yield the sets of every plan that arithmetic leaves for these cards."""
    courts = [ranks.count(rank) for rank in _COURTS]
    worth = sum([min(rank, _TEN) for rank in ranks])
    low = sum([rank for rank in ranks if rank <= 5])
    for court_sets in range(sum(courts) // 4, -1, -1):
        in_fifteens = sum(courts) - 4 * court_sets
        low_left = low - 5 * in_fifteens
        if (worth - 40 * court_sets) % 15 or low_left < 0:
            continue
        if in_fifteens and not courts_count:
            continue
        if not court_sets or (straight and min(courts) >= court_sets):
            yield _sets(court_sets, (), in_fifteens, low_left)
        if kind and court_sets:
            whole = [rank for rank in _COURTS if ranks.count(rank) == 4]
            for kept in combinations(whole, court_sets):
                yield _sets(0, kept, in_fifteens, low_left)


def _sets(
    straights: int, kept: tuple[int, ...], in_fifteens: int, low_left: int
) -> Sets:
    """Return the sets of the plan with so many straights and these ranks kept whole."""
    choices: list[Ranks] = []
    safe: list[Ranks] = [(rank,) * 4 for rank in kept]
    alike: Ranks = ()
    if in_fifteens:
        courts = tuple([rank for rank in _COURTS if rank not in kept])
        if not straights:
            alike, courts = courts, courts[:1]
        choices += [(court, *five) for court, five in product(courts, _FIVES)]
    if straights:
        (choices if in_fifteens else safe).append(_STRAIGHT)
    if low_left:
        choices += _FIFTEENS
    else:
        safe += [(9, 6), (8, 7)]
    return Sets(choices, safe, alike)


def _all_sets(straight: bool, kind: bool, courts_count: bool) -> Sets:
    """Return every set there is, for positions that are not cleared by any plan."""
    choices = list(_FIFTEENS)
    if courts_count:
        choices += [(court, *five) for court, five in product(_COURTS, _FIVES)]
    if straight:
        choices.append(_STRAIGHT)
    if kind:
        choices += [(rank,) * 4 for rank in _COURTS]
    return Sets(choices, [], ())
