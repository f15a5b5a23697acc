import gc
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings, strategies as st
from tests.helpers.positions import VARIANTS, games, positions, steps, variant_id

from samedeal_games import (
    IllegalMoveError,
    Move,
    Outcome,
    Shift,
    State,
    Take,
    Variant,
    apply_move,
    check_move,
    count_moves,
    deal,
    find_variant,
    from_view,
    has_move,
    is_legal,
    left,
    legal_moves,
    outcome,
    status,
)


def conceivable(state: State) -> Iterator[Move]:
    """Yield all moves near the legal ones: wrong piles, numbers, orders and kinds."""
    piles = range(-1, len(state.variant.piles) + 1)
    yield from map(
        Take, chain.from_iterable(product(piles, repeat=n) for n in (0, 1, 2))
    )
    yield from map(Take, combinations(piles, 3))
    yield Take(tuple(range(len(state.piles))))
    places = [f"{kind}{number}" for kind in "tc" for number in (*range(10), "00")]
    places += ["f", "fc", "fh", "stock", "", "x"]
    yield from (Shift(*ends) for ends in product(places, repeat=2))


def refusal(state: State, move: Move) -> str | None:
    try:
        check_move(state, move)
    except IllegalMoveError as error:
        return str(error)
    return None


@settings(max_examples=60, deadline=None)
@given(positions())
def test_a_move_passes_exactly_if_it_is_listed(state: State) -> None:
    listed = set(legal_moves(state))
    for move in chain(listed, conceivable(state)):
        assert is_legal(state, move) == (move in listed)
        fault = refusal(state, move)
        assert (fault is None) == (move in listed)
        if fault is not None:
            assert fault.startswith(str(move)[:60])
            assert fault.endswith(".")
            assert len(fault) < 400


@given(positions())
def test_moves_are_listed_once_and_counted_without_the_list(state: State) -> None:
    moves = legal_moves(state)
    assert len(set(moves)) == len(moves) == count_moves(state)
    assert has_move(state) == bool(moves)


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_nothing_is_left_to_the_search_for_garbage(variant: Variant) -> None:
    """A server plays thousands of moves a second and seldom searches."""
    state = deal(variant, bytes(16))
    gc.collect()
    gc.disable()
    try:
        for move in legal_moves(state):
            assert is_legal(state, move) and has_move(state) and count_moves(state)
            apply_move(state, move)
        refusal(state, Take((0, 99)))
        assert gc.collect() == 0
    finally:
        gc.enable()


@given(steps())
def test_cards_are_conserved(step: tuple[State, Move, State]) -> None:
    before, move, after = step
    taken: list[int] = []
    if isinstance(move, Take):
        taken = [before.piles[number][-1] for number in move.piles]
    assert cards(before) == cards(after) + Counter(taken)
    cleared = len(taken) if isinstance(move, Take) else move.target == "f"
    assert left(after) == left(before) - cleared
    assert after != before


@given(steps(tuple(variant for variant in VARIANTS if variant.has_stock)))
def test_emptied_piles_are_refilled_lowest_first(
    step: tuple[State, Move, State],
) -> None:
    before, move, after = step
    assert isinstance(move, Take)
    emptied = [number for number in move.piles if len(before.piles[number]) == 1]
    stock = list(before.stock)
    for number in emptied:
        assert after.piles[number] == ((stock.pop(0),) if stock else ())
    assert list(after.stock) == stock
    for number, pile in enumerate(before.piles):
        if number not in emptied:
            assert after.piles[number] == (pile[:-1] if number in move.piles else pile)


@given(games())
def test_a_game_ends_when_nothing_is_left_or_nothing_can_be_done(
    game: list[tuple[State, Move | None]],
) -> None:
    for state, move in game:
        end = outcome(state)
        if legal_moves(state):
            assert end is None
        else:
            assert end is (Outcome.STUCK if left(state) else Outcome.WON)
            assert move is None
        assert status(state) == ("playing" if end is None else end.value)


@given(games((find_variant("simple-pairs"),)), st.data())
def test_simple_pairs_end_the_same_in_whatever_order(
    game: list[tuple[State, Move | None]], data: st.DataObject
) -> None:
    start, straight = game[0][0], game[-1][0]
    assert final_left(straight) == final_left(start, data)


def final_left(state: State, data: st.DataObject | None = None) -> int:
    while moves := legal_moves(state):
        move = data.draw(st.sampled_from(moves)) if data else moves[0]
        state = apply_move(state, move)
    return left(state)


@given(positions())
def test_positions_are_values(state: State) -> None:
    twin = State(state.variant, tuple(map(tuple, state.piles)), tuple(state.stock))
    assert twin == state
    assert hash(twin) == hash(state)


def test_applying_an_illegal_move_is_a_bug() -> None:
    start = State(find_variant("simple-pairs"), ((0,), (1,)) + ((),) * 7)
    with pytest.raises(AssertionError):
        apply_move(start, Take((0, 1)))


def cards(state: State) -> Counter[int]:
    return Counter([card for pile in (*state.piles, state.stock) for card in pile])


def position(game: str, variant: str, **piles: str) -> State:
    """Make a position of the named piles, the others empty."""
    found = find_variant(game, variant)
    shown = {name: piles.get(name, "").split() for name in found.piles}
    if found.has_stock:
        shown["stock"] = piles.get("stock", "").split()
    return from_view(found, shown)


@pytest.mark.parametrize(
    ("state", "move", "message"),
    [
        (
            position("juvenile", "one-deck", t3="9c", t7="4h"),
            Take((3, 7)),
            "t3+t7: the 9 of clubs and the 4 of hearts add to 13, not 14.",
        ),
        (
            position("juvenile", "one-deck", t3="9c", t7="5h"),
            Take((3, 8)),
            "t3+t8: the piles of this game are t0 to t7.",
        ),
        (
            position("juvenile", "one-deck", t3="9c", t7="5h"),
            Take((3, 4)),
            "t3+t4: t4 is empty.",
        ),
        (
            position("doublets", "reserve", t3="9c", t7="4h", t8="2c"),
            Take((3, 7, 8)),
            "t3+t7+t8: cards are taken two at a time.",
        ),
        (
            position("doublets", "reserve", t3="?? 9c", t7="?? 4h"),
            Take((3, 7)),
            "t3+t7: the 9 of clubs and the 4 of hearts are not of the same rank.",
        ),
        (
            position("doublets", "reserve", t3="?? 9c", t7="?? 4h"),
            Shift("t3", "f"),
            "t3>f: in this game cards are taken out of play, never moved.",
        ),
        (
            position("straight-fifteens", "either", t0="9c", t1="Kh"),
            Take((0, 1)),
            (
                "t0+t1: the 9 of clubs and the king of hearts add to 19, not 15, "
                "and are no court set."
            ),
        ),
        (
            position("straight-fifteens", "courts-apart", t0="5c", t1="Kh"),
            Take((0, 1)),
            (
                "t0+t1: the 5 of clubs and the king of hearts are no court set, "
                "and a 10, jack, queen or king counts in nothing else."
            ),
        ),
        (
            position("private-lane", "by-suit", t0="5c"),
            Take((0, 1)),
            (
                "t0+t1: this game shifts single cards, as in t3>c0, "
                "and takes none together."
            ),
        ),
        (
            position("private-lane", "by-suit", t0="5c", fc="Ac 2c"),
            Shift("t0", "f"),
            "t0>f: the 5 of clubs must wait; clubs go on with the 3.",
        ),
        (
            position("private-lane", "by-suit", t0="5c", t1="6d"),
            Shift("t0", "t1"),
            (
                "t0>t1: the 5 of clubs does not go on the 6 of diamonds; "
                "it goes on the next higher card of its suit."
            ),
        ),
        (
            position("private-lane", "any-suit", t0="5c", t1="7d"),
            Shift("t0", "t1"),
            (
                "t0>t1: the 5 of clubs does not go on the 7 of diamonds; "
                "it goes on a card one rank higher."
            ),
        ),
        (
            position("private-lane", "by-suit", t0="5c"),
            Shift("t0", "t1"),
            "t0>t1: moving a pile's only card to an empty pile changes nothing.",
        ),
        (
            position("private-lane", "by-suit", t0="5c", c1="6d"),
            Shift("t0", "c1"),
            "t0>c1: c1 already holds the 6 of diamonds.",
        ),
        (
            position("private-lane", "by-suit", t0="5c", c1="6d"),
            Shift("c1", "c0"),
            "c1>c0: a card does not go from cell to cell.",
        ),
        (
            position("private-lane", "by-suit", t0="5c"),
            Shift("t0", "t0"),
            "t0>t0: a card cannot be moved to where it lies.",
        ),
        (
            position("private-lane", "by-suit", t0="5c"),
            Shift("t1", "t0"),
            "t1>t0: t1 is empty.",
        ),
        (
            position("private-lane", "by-suit", t0="5c"),
            Shift("t8", "c2"),
            "t8>c2: the piles of this game are t0 to t7, its cells c0 and c1.",
        ),
    ],
)
def test_a_refusal_says_what_is_wrong(state: State, move: Move, message: str) -> None:
    assert refusal(state, move) == message
