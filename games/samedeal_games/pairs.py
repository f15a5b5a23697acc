"""Games in which two tops are taken whose ranks suit each other.

One such game differs from another only in the rank that a rank goes with.
"""

from collections.abc import Callable
from typing import Final

from .cards import RANK, card_name
from .model import Rules, State
from .moves import Move, Take
from .taking import cannot_take, take


_PAIRS: Final = tuple(
    tuple(Take((low, high)) for high in range(17)) for low in range(17)
)  # One object for each pair, by the two piles' numbers.


def pair_rules(
    partner: Callable[[int], int], mismatch: Callable[[int, int], str]
) -> Rules:
    """Return the rules by which a card is taken with one of its partner's rank.

    ``partner`` maps a rank to the rank that goes with it, and back. ``mismatch``
    says of two ranks why they do not go together: "add to 13, not 14".
    """
    wanted = (*(partner(rank) for rank in RANK[:-1]), -1)
    rank_bit = (*(1 << rank for rank in RANK[:-1]), 0)
    wanted_bit = (*(1 << rank for rank in wanted[:-1]), 0)

    def legal_moves(state: State) -> list[Move]:
        moves: list[Move] = []
        tops = [(number, pile[-1]) for number, pile in enumerate(state.piles) if pile]
        for position, (low, card) in enumerate(tops, 1):
            rank = wanted[card]
            for high, other in tops[position:]:
                if RANK[other] == rank:
                    moves.append(_PAIRS[low][high])
        return moves

    def has_move(state: State) -> bool:
        showing = 0
        for pile in state.piles:
            if pile:
                card = pile[-1]
                if showing & wanted_bit[card]:
                    return True
                showing |= rank_bit[card]
        return False

    def count_moves(state: State) -> int:
        showing = [0] * 15  # By rank; the last is the one a hidden card asks for.
        moves = 0
        for pile in state.piles:
            if pile:
                card = pile[-1]
                moves += showing[wanted[card]]
                showing[RANK[card]] += 1
        return moves

    def allows(state: State, move: Move) -> bool:
        if not isinstance(move, Take) or len(move.piles) != 2:
            return False
        low, high = move.piles
        piles = state.piles
        if not 0 <= low < high < len(piles):
            return False
        one, other = piles[low], piles[high]
        return bool(one and other) and RANK[other[-1]] == wanted[one[-1]]

    def why_not(state: State, move: Move) -> str:
        if fault := cannot_take(state, move):
            return fault
        assert isinstance(move, Take)
        if len(move.piles) != 2:
            return f"{move}: cards are taken two at a time."
        one, other = (state.piles[number][-1] for number in move.piles)
        names = f"{card_name(one)} and {card_name(other)}"
        if not (RANK[one] and RANK[other]):
            return f"{move}: a face-down card cannot be taken."
        return f"{move}: {names} {mismatch(RANK[one], RANK[other])}."

    return Rules(legal_moves, has_move, count_moves, allows, why_not, take)


def equal_rank_rules() -> Rules:
    """Return the rules by which two cards of the same rank are taken."""
    return pair_rules(
        partner=lambda rank: rank,
        mismatch=lambda one, other: "are not of the same rank",
    )
