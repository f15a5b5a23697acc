"""Private Lane, building regardless of suit: what can be tried in a position.

Beside single steps there are two kinds of moves of several: a run goes to another
pile by way of the cells, and a card goes to where it fits once the few above it are
out of its way. Every single step is there as well, all empty cells being alike and all
empty piles. One rule spares choices: a card goes up at once when no card of the next
lower rank needs it as a place, since all of these are up already or can go up as soon
as they are tops.
"""

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import NamedTuple, TypeAlias

from ..cards import RANK, SUIT, Card, Pile
from .lane_moves import CELL, EMPTY, FOUNDATION, Step


PILES = 8
CELLS = 2


class Position(NamedTuple):
    piles: tuple[Pile, ...]
    cells: Pile
    up: tuple[int, ...]
    """How high each suit's foundation is."""


LaneMove: TypeAlias = tuple[Position, tuple[Step, ...]]


def moves_from(position: Position) -> list[LaneMove]:
    """Return the moves from here; one that is safe alone."""
    piles, cells, up = position
    moves: list[LaneMove] = []
    safe = min(up) + 2
    for card in chain(cells, [pile[-1] for pile in piles if pile]):
        suit, rank = SUIT[card], RANK[card]
        if rank == up[suit] + 1:
            higher = (*up[:suit], rank, *up[suit + 1 :])
            if card in cells:
                after = Position(piles, _without(cells, card), higher)
            else:
                lower = [p[:-1] if p and p[-1] == card else p for p in piles]
                after = Position(tuple(lower), cells, higher)
            move = after, ((card, FOUNDATION),)
            if rank <= safe:
                return [move]
            moves.append(move)
    empty = [number for number, pile in enumerate(piles) if not pile]
    tops: list[list[int]] = [[] for _ in range(15)]  # By rank, the piles.
    for number, pile in enumerate(piles):
        if pile:
            tops[RANK[pile[-1]]].append(number)
    for card in cells:
        rest = _without(cells, card)
        for target in tops[RANK[card] + 1] + empty[:1]:
            place = piles[target][-1] if piles[target] else EMPTY
            moves.append((_put(position, rest, target, (card,)), ((card, place),)))
    for source, pile in enumerate(piles):
        if pile:
            moves += _from_pile(position, source, tops, empty)
    return moves


def _from_pile(
    position: Position, source: int, tops: list[list[int]], empty: list[int]
) -> Iterator[LaneMove]:
    """Yield the moves of the pile's top, of runs, and of what lies under a few."""
    piles, cells, up = position
    pile = piles[source]
    room = CELLS - len(cells)
    top = pile[-1]
    if room:
        rest = _lowered(position, (*cells, top), source, 1)
        yield rest, ((top, CELL),)
    # A run, by way of the cells; into an empty pile only all of it, or one card.
    longest = 1
    while longest < len(pile) and RANK[pile[-longest - 1]] == RANK[pile[-longest]] + 1:
        longest += 1
    for length in range(1, min(longest, room + 1) + 1):
        run = pile[-length:]
        targets = [target for target in tops[RANK[run[0]] + 1] if target != source]
        if length in (1, longest) and length < len(pile):
            targets += empty[:1]
        for target in targets:
            rest = _lowered(position, cells, source, length)
            yield _put(rest, cells, target, run), _run_steps(run, piles[target])
    # A card under a few others that find room: up, or where it fits.
    for above in range(1, min(room + len(empty), len(pile) - 1) + 1):
        card = pile[-1 - above]
        suit, rank = SUIT[card], RANK[card]
        goes_up = rank == up[suit] + 1
        targets = [target for target in tops[rank + 1] if target != source]
        if not (goes_up or targets):
            continue
        away = pile[-above:][::-1]
        steps: list[Step] = [(other, CELL) for other in away[:room]]
        rest = _lowered(position, (*cells, *away[:room]), source, above + 1)
        for other, number in zip(away[room:], empty, strict=False):
            steps.append((other, EMPTY))
            rest = _put(rest, rest.cells, number, (other,))
        if goes_up:
            higher = (*up[:suit], rank, *up[suit + 1 :])
            yield rest._replace(up=higher), (*steps, (card, FOUNDATION))
        for target in targets:
            step = card, piles[target][-1]
            yield _put(rest, rest.cells, target, (card,)), (*steps, step)


def _lowered(position: Position, cells: Pile, source: int, length: int) -> Position:
    """Return the position with these cells, and without the pile's top cards."""
    piles = [*position.piles]
    piles[source] = piles[source][:-length]
    return Position(tuple(piles), cells, position.up)


def _put(position: Position, cells: Pile, target: int, cards: Pile) -> Position:
    """Return the position with these cells, and these cards on the pile."""
    piles = [*position.piles]
    piles[target] += cards
    return Position(tuple(piles), cells, position.up)


def _run_steps(run: Pile, target: Pile) -> tuple[Step, ...]:
    """Return the steps that move a run, its lower cards by way of the cells."""
    first, *others = run
    place = target[-1] if target else EMPTY
    away = [(card, CELL) for card in reversed(others)]
    back = [(card, under) for under, card in pairwise(run)]
    return (*away, (first, place), *back)


def _without(cells: Pile, card: Card) -> Pile:
    return tuple([held for held in cells if held != card])
