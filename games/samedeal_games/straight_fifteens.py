"""Straight Fifteens: take cards that add to fifteen, and courts in sets."""

from typing import Final

from .cards import RANK, Card, card_name
from .model import Game, Rules, State, Variant
from .moves import Move, Take
from .taking import around_then_stock, cannot_take, tableau, take


_TEN, _KING = 10, 13
_COURTS: Final = range(_TEN, _KING + 1)
_FIELD: Final = 20  # Bits for one counter; there are at most 2**16 sets.
_SUMS: Final = (1 << 16 * _FIELD) - 1  # Counters for the sums 0 to 15.


def _fifteen_rules(straight: bool, kind: bool, courts_count: bool) -> Rules:
    """Return the rules of one variant.

    ``straight``: 10, J, Q, K, one each, are a court set; ``kind``: four of one of
    these ranks are; ``courts_count``: they are worth 10 inside fifteens.
    """
    worth = tuple(
        [rank if rank < _TEN else 10 if courts_count else 0 for rank in RANK]
    )  # Card to value; 0 is for cards that are in no fifteen.

    def is_court_set(ranks: list[int]) -> bool:
        if len(ranks) != 4 or min(ranks) < _TEN:
            return False
        different = len(set(ranks))
        return (straight and different == 4) or (kind and different == 1)

    def court_sets(cells: list[list[int]]) -> list[tuple[int, ...]]:
        """List the court sets from the cells that hold a 10, a J, a Q and a K."""
        sets: list[tuple[int, ...]] = []
        tens, jacks, queens, kings = cells
        if straight:
            sets += [
                tuple(sorted((ten, jack, queen, king)))
                for ten in tens
                for jack in jacks
                for queen in queens
                for king in kings
            ]
        if kind:
            sets += [tuple(same) for same in cells if len(same) == 4]
        return sets

    def legal_moves(state: State) -> list[Move]:
        courts: list[list[int]] = [[] for _ in _COURTS]
        cells: list[tuple[int, int]] = []
        for number, pile in enumerate(state.piles):
            if pile:
                card = pile[-1]
                if worth[card]:
                    cells.append((number, worth[card]))
                if RANK[card] >= _TEN:
                    courts[RANK[card] - _TEN].append(number)
        return [Take(piles) for piles in fifteens(cells) + court_sets(courts)]

    def has_move(state: State) -> bool:
        sums = 1  # Bit s: some set of the cards so far adds to s.
        counts = [0, 0, 0, 0]
        for pile in state.piles:
            if pile:
                card = pile[-1]
                sums |= sums << worth[card]
                if sums & 1 << 15:
                    return True
                rank = RANK[card]
                if rank >= _TEN:
                    counts[rank - _TEN] += 1
        return (straight and all(counts)) or (kind and 4 in counts)

    def count_moves(state: State) -> int:
        ways = 1  # Field s: how many sets of the cards so far add to s.
        counts = [0, 0, 0, 0]
        for pile in state.piles:
            if pile:
                card = pile[-1]
                value = worth[card]
                if value:
                    ways += ways << value * _FIELD & _SUMS
                rank = RANK[card]
                if rank >= _TEN:
                    counts[rank - _TEN] += 1
        moves = ways >> 15 * _FIELD
        if straight:
            tens, jacks, queens, kings = counts
            moves += tens * jacks * queens * kings
        if kind:
            moves += counts.count(4)
        return moves

    def allows(state: State, move: Move) -> bool:
        if not isinstance(move, Take):
            return False
        piles = state.piles
        end = len(piles)
        total = 0
        ranks: list[int] = []
        last = -1
        for number in move.piles:
            if not last < number < end or not (pile := piles[number]):
                return False
            last = number
            card = pile[-1]
            total += worth[card]
            ranks.append(RANK[card])
        if total == 15 and (courts_count or max(ranks) < _TEN):
            return 0 not in ranks
        return is_court_set(ranks)

    def why_not(state: State, move: Move) -> str:
        if fault := cannot_take(state, move):
            return fault
        assert isinstance(move, Take)
        cards = [state.piles[number][-1] for number in move.piles]
        if not all(RANK[card] for card in cards):
            return f"{move}: a face-down card cannot be taken."
        if len(cards) < 2:
            return f"{move}: cards are taken in sets of two or more."
        what = _named(cards)
        if not courts_count and any(RANK[card] >= _TEN for card in cards):
            return (
                f"{move}: {what} are no court set, and a 10, jack, queen or king "
                "counts in nothing else."
            )
        total = sum(worth[card] for card in cards)
        return f"{move}: {what} add to {total}, not 15, and are no court set."

    return Rules(legal_moves, has_move, count_moves, allows, why_not, take)


def fifteens(cells: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    """List the sets of cells (number, value) that add to 15.

    Depth first over the cells, entering only what can still be completed: bit s of
    ``within[i]`` says that some of the cells from i on add to s.
    """
    within = [1]
    for _, value in reversed(cells):
        within.append((within[-1] | within[-1] << value) & 0xFFFF)
    within.reverse()
    found: list[tuple[int, ...]] = []
    _extend(cells, within, (), 0, 15, found)
    return found


def _extend(
    cells: list[tuple[int, int]],
    within: list[int],
    chosen: tuple[int, ...],
    start: int,
    missing: int,
    found: list[tuple[int, ...]],
) -> None:
    # No function inside of the other: one that calls itself there is a cycle, left to
    # the search for garbage with all that was found.
    for index in range(start, len(cells)):
        if not within[index] >> missing & 1:
            return
        number, value = cells[index]
        if value == missing:
            found.append((*chosen, number))
        elif value < missing and within[index + 1] >> missing - value & 1:
            longer, rest = (*chosen, number), missing - value
            _extend(cells, within, longer, index + 1, rest, found)


def _named(cards: list[Card]) -> str:
    if len(cards) > 4:
        return f"these {len(cards)} cards"
    *names, last = map(card_name, cards)
    return f"{', '.join(names)} and {last}"


def _variant(
    name: str,
    title: str,
    about: str,
    *,
    straight: bool = True,
    kind: bool = False,
    courts_count: bool = True,
) -> Variant:
    return Variant(
        game="straight-fifteens",
        name=name,
        title=title,
        about=about,
        piles=tableau(16),
        total=52,
        rules=_fifteen_rules(straight, kind, courts_count),
        lay_out=around_then_stock(piles=16, dealt=16),
        has_stock=True,
    )


GAME: Final = Game(
    name="straight-fifteens",
    title="Straight Fifteens",
    about="Add up cards to fifteen, and save the courts for sets of four.",
    rules="""\
Sixteen cards lie face up in four rows of four; the other 36 are the stock. An ace
counts 1, a 2 to 10 its number, a jack, queen or king 10. Take two or more cards that
add to exactly 15, wherever they lie: 10 and 5, or 7, 4, 3 and ace. Each empty place is
filled from the stock at once, in reading order. Clear every card to win.

Tens, jacks, queens and kings also go in court sets of four, which need not add to
anything. What makes a court set is what the variants differ in: one each of 10, jack,
queen and king, or four of one of these ranks, or both; and whether these cards may be
part of a fifteen at all.

You are stuck when no cards add to 15 and there is no court set. Small cards are easy to
place and big ones hard, so spend few small cards at a time. The whole deck is worth 340
and a court set 40: where courts count inside fifteens, a full clear takes exactly one
court set or exactly four.""",
    default="either",
    variants=(
        _variant(
            "either",
            "Either set",
            "Court sets: four of a kind or one each of 10, J, Q, K; courts count 10.",
            kind=True,
        ),
        _variant(
            "straight",
            "Straight",
            "Court sets: one each of 10, J, Q, K only; courts count 10 in fifteens.",
        ),
        _variant(
            "four-of-a-kind",
            "Four of a kind",
            "Court sets: four of a kind only; courts count 10 in fifteens.",
            straight=False,
            kind=True,
        ),
        _variant(
            "courts-apart",
            "Courts apart",
            "Court sets: one each of 10, J, Q, K; courts are never part of a fifteen.",
            courts_count=False,
        ),
    ),
)
