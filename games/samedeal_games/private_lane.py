"""Private Lane: build the suits up on foundations, with two free cells to help."""

from collections.abc import Callable, Sequence
from typing import Final

from .cards import RANK, SUIT, SUITS, Card, card_name, rank_name, suit_name
from .model import Game, Layout, Rules, State, Variant
from .moves import Move, Shift, Take, quoted
from .taking import deal_around, tableau


_PILES: Final = 8  # Piles 0 to 7 of a state are the tableau,
# 8 and 9 the cells, 10 to 13 the foundations in the order of SUITS.
_PLACES: Final = 10
_NAMES: Final = (*tableau(_PILES), "c0", "c1", *("f" + suit for suit in SUITS))
_FOUNDATION: Final = _PLACES  # Where "f" stands as a target; the suit says which.
_PLACE: Final = {name: place for place, name in enumerate((*_NAMES[:_PLACES], "f"))}
_SHIFTS: Final = tuple(
    tuple(Shift(source, target) for target in _PLACE) for source in _NAMES[:_PLACES]
)  # One object for each shift, by its two places.


def _lay_out(deck: Sequence[Card]) -> Layout:
    return deal_around(deck, _PILES) + ((),) * 6, ()


def _lane_rules(fits: Callable[[Card, Card], bool], base: str) -> Rules:
    """Return the rules of one variant.

    ``fits(card, other)`` says whether the card may be put on the other in the
    tableau; ``base`` says in words what it may be put on.
    """
    bases = tuple(
        [
            sum(1 << other for other in range(52) if fits(card, other))
            for card in range(52)
        ]
    )  # Card to the cards it may be put on, one bit each.

    def legal_moves(state: State) -> list[Move]:
        piles = state.piles
        moves: list[Move] = []
        for source, pile in enumerate(piles[:_PLACES]):
            if not pile:
                continue
            card = pile[-1]
            base = bases[card]
            shifts = _SHIFTS[source]
            # To its foundation.
            if len(piles[_FOUNDATION + SUIT[card]]) == RANK[card] - 1:
                moves.append(shifts[_FOUNDATION])
            # Onto another pile's top, or to an empty pile unless that changes nothing.
            alone = source < _PILES and len(pile) == 1
            for target, other in enumerate(piles[:_PILES]):
                if base >> other[-1] & 1 if other else not alone:
                    moves.append(shifts[target])
            # To an empty cell; nothing goes from cell to cell.
            if source < _PILES:
                moves += [
                    shifts[cell] for cell in range(_PILES, _PLACES) if not piles[cell]
                ]
        return moves

    def count_moves(state: State) -> int:
        piles = state.piles
        tops = [pile[-1] for pile in piles[:_PILES] if pile]
        held = [pile[-1] for pile in piles[_PILES:_PLACES] if pile]
        empty = _PILES - len(tops)
        showing = 0
        for card in tops:
            showing |= 1 << card
        moves = len(tops) * (2 - len(held)) + len(held) * empty
        if empty:
            moves += empty * sum(len(pile) > 1 for pile in piles[:_PILES])
        for card in tops + held:
            moves += (bases[card] & showing).bit_count()
            moves += len(piles[_FOUNDATION + SUIT[card]]) == RANK[card] - 1
        return moves

    def has_move(state: State) -> bool:
        piles = state.piles
        tops = [pile[-1] for pile in piles[:_PLACES] if pile]
        if len(tops) < _PLACES:  # With room somewhere, any card left can use it.
            return bool(tops)
        showing = 0
        for card in tops[:_PILES]:
            showing |= 1 << card
        for card in tops:
            if bases[card] & showing:
                return True
            if len(piles[_FOUNDATION + SUIT[card]]) == RANK[card] - 1:
                return True
        return False

    def allows(state: State, move: Move) -> bool:
        if not isinstance(move, Shift):
            return False
        source, target = _PLACE.get(move.source), _PLACE.get(move.target)
        if source is None or target is None or source == _FOUNDATION:
            return False
        piles = state.piles
        pile = piles[source]
        if not pile:
            return False
        card = pile[-1]
        if target == _FOUNDATION:
            return len(piles[_FOUNDATION + SUIT[card]]) == RANK[card] - 1
        other = piles[target]
        if target >= _PILES:
            return source < _PILES and not other
        if other:
            return bool(bases[card] >> other[-1] & 1)
        return source >= _PILES or len(pile) > 1

    def why_not(state: State, move: Move) -> str:
        return f"{quoted(move)}: {_why_not(state, move, base)}."

    return Rules(legal_moves, has_move, count_moves, allows, why_not, _shift)


def _shift(state: State, move: Move) -> State:
    assert isinstance(move, Shift)
    piles = list(state.piles)
    source, target = _PLACE[move.source], _PLACE[move.target]
    *_, card = pile = piles[source]
    if target == _FOUNDATION:
        target += SUIT[card]
    piles[source] = pile[:-1]
    piles[target] = (*piles[target], card)
    return State(state.variant, tuple(piles))


def _why_not(state: State, move: Move, base: str) -> str:
    """Say what is wrong with a move that is not allowed."""
    if isinstance(move, Take):
        return "this game shifts single cards, as in t3>c0, and takes none together"
    source, target = _PLACE.get(move.source), _PLACE.get(move.target)
    if source is None or target is None or source == _FOUNDATION:
        return "the piles of this game are t0 to t7, its cells c0 and c1"
    if source == target:
        return "a card cannot be moved to where it lies"
    pile, other = state.piles[source], state.piles[target]
    if not pile:
        return f"{move.source} is empty"
    card = pile[-1]
    if target == _FOUNDATION:
        up = len(state.piles[_FOUNDATION + SUIT[card]])
        suit = suit_name(SUIT[card])
        return f"{card_name(card)} must wait; {suit} go on with the {rank_name(up + 1)}"
    if target >= _PILES:
        if source >= _PILES:
            return "a card does not go from cell to cell"
        return f"{move.target} already holds {card_name(other[-1])}"
    if other:
        return f"{card_name(card)} does not go on {card_name(other[-1])}; it goes on {base}"
    return "moving a pile's only card to an empty pile changes nothing"


def _next_of_suit(card: Card, other: Card) -> bool:
    return SUIT[other] == SUIT[card] and RANK[other] == RANK[card] + 1


def _next_in_rank(card: Card, other: Card) -> bool:
    return RANK[other] == RANK[card] + 1


def _variant(name: str, title: str, about: str, rules: Rules) -> Variant:
    return Variant(
        game="private-lane",
        name=name,
        title=title,
        about=about,
        piles=_NAMES,
        total=52,
        rules=rules,
        lay_out=_lay_out,
        foundations=4,
    )


GAME: Final = Game(
    name="private-lane",
    title="Private Lane",
    about="Build all four suits up from the ace; every card is in sight.",
    rules="""\
All 52 cards lie face up in eight piles. Build the four foundations up in suit, each
from ace to king. All 52 cards on the foundations win. A card never comes back from a
foundation.

You move one card at a time: the top of a pile, or the card in one of the two free
cells. It may go to its foundation when it is the next of its suit; onto the top of
another pile, if that is the next higher card (of the same suit, or of any suit, as the
variant has it); to an empty pile, whatever it is; and from a pile to an empty cell. A
cell holds one card, and cards do not go from cell to cell.

You are stuck when nothing can move. Long before that a position may be lost: cards can
go round in circles for ever, so resign when nothing better is left. Cells and empty
piles are all the room there is; fill them last and free them first.""",
    default="by-suit",
    variants=(
        _variant(
            "by-suit",
            "By suit",
            "Piles build down in suit; most deals cannot be won.",
            _lane_rules(_next_of_suit, "the next higher card of its suit"),
        ),
        _variant(
            "any-suit",
            "Any suit",
            "Piles build down regardless of suit; nearly every deal can be won.",
            _lane_rules(_next_in_rank, "a card one rank higher"),
        ),
    ),
)
