from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import count, islice, repeat
from struct import iter_unpack
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.helpers.compiled import interpreted_only
from tests.helpers.positions import VARIANTS, dealt, rows, seeds

from samedeal_games import (
    InvalidSeedError,
    State,
    Variant,
    card_text,
    count_moves,
    deal,
    deals,
    find_variant,
    left,
    legal_moves,
    parse_seed,
    status,
    view,
)
from samedeal_games.cards import RANK, ordered_deck


DEALS = list(rows("deals.jsonl"))
SEALED = find_variant("doublets", "sealed")


# The rules page word for word: one number at a time, every shuffle to its end.


def plain_numbers(seed: bytes, variant: Variant) -> Iterator[int]:
    key = seed + f"samedeal/deal/1/{variant.game}/{variant.name}/".encode()
    for counter in count():
        block = sha256(key + counter.to_bytes(4, "big")).digest()
        for (number,) in iter_unpack(">I", block):
            yield number


def plain_shuffle(decks: int, numbers: Iterator[int]) -> list[int]:
    deck = ordered_deck(decks)
    for last in range(len(deck) - 1, 0, -1):
        choices = last + 1
        number = next(numbers)
        while number >= 2**32 - 2**32 % choices:
            number = next(numbers)
        other = number % choices
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def plain_deal(variant: Variant, numbers: Iterator[int]) -> State:
    deck = plain_shuffle(variant.decks, numbers)
    while variant is SEALED and any(
        n % 2 for n in Counter([RANK[card] for card in deck[48:]]).values()
    ):
        deck = plain_shuffle(variant.decks, numbers)
    return State(variant, *variant.lay_out(deck))


def reader(numbers: Iterable[int]) -> Callable[[int], bytes]:
    """What reads the bytes of these numbers."""
    words = (number.to_bytes(4, "big") for number in numbers)
    return lambda size: b"".join(islice(words, size // 4))


def mixed_in(numbers: Iterator[int], high: Mapping[int, int]) -> Iterator[int]:
    """The numbers, and before the one of each index that has one, a high number."""
    for index, number in enumerate(numbers):
        if index in high:
            yield high[index]
        yield number


def high_numbers(before: int) -> st.SearchStrategy[dict[int, int]]:
    high = st.integers(2**32 - 110, 2**32 - 1)
    return st.dictionaries(st.integers(0, before - 1), high, max_size=20)


def test_the_vectors_cover_every_variant() -> None:
    assert len(DEALS) == 203
    assert {(row["game"], row["variant"]) for row in DEALS} == {
        (variant.game, variant.name) for variant in VARIANTS
    }
    assert sum(row["hidden"]["rejected"] > 0 for row in DEALS) > 12


@pytest.mark.parametrize("row", DEALS, ids=lambda row: f"{row['game']}-{row['seed']}")
def test_a_deal_of_the_vectors(row: dict[str, Any]) -> None:
    state = dealt(row)
    assert {
        "piles": view(state),
        "left": left(state),
        "status": status(state),
        "legal": len(legal_moves(state)),
    } == row["start"]
    assert count_moves(state) == row["start"]["legal"]
    # What the view hides agrees too.
    sealed = row["hidden"]["deck"][state.variant.total :]
    cards = [card for pile in (*state.piles, state.stock) for card in pile]
    assert Counter(map(card_text, cards)) + Counter(sealed) == Counter(
        row["hidden"]["deck"]
    )
    assert [card_text(card) for card in state.stock] == (
        row["hidden"]["deck"][-len(state.stock) :] if state.stock else []
    )


def test_the_numbers_that_the_rules_page_gives() -> None:
    variant = find_variant("juvenile", "one-deck")
    stream = deals._Stream(bytes(16), variant)  # pyright: ignore[reportPrivateUsage]
    first = [int.from_bytes(stream.read(4), "big") for _ in range(3)]
    assert first == [1584864981, 808797163, 182234104]
    assert [number % n for number, n in zip(first, (52, 51, 50), strict=True)] == [
        37,
        46,
        4,
    ]


@given(st.just(SEALED) | st.sampled_from(VARIANTS), seeds)
def test_a_deal_is_what_the_rules_page_says(variant: Variant, seed: bytes) -> None:
    assert deal(variant, seed) == plain_deal(variant, plain_numbers(seed, variant))


@given(seeds, st.lists(st.integers(0, 300)))
def test_the_stream_is_the_same_in_any_portions(seed: bytes, sizes: list[int]) -> None:
    stream = deals._Stream(seed, SEALED)  # pyright: ignore[reportPrivateUsage]
    read = b"".join(map(stream.read, sizes))
    whole = reader(plain_numbers(seed, SEALED))(sum(sizes) + 3)
    assert read == whole[: sum(sizes)]


@interpreted_only
@given(st.just(SEALED) | st.sampled_from(VARIANTS), seeds, st.data())
def test_numbers_that_are_too_high_are_passed_over(
    variant: Variant, seed: bytes, data: st.DataObject
) -> None:
    # Among those of shuffles that are refused, too: the next begins that much later.
    high = data.draw(high_numbers(1000 if variant is SEALED else 52 * variant.decks))
    read = reader(mixed_in(plain_numbers(seed, variant), high))

    def stream(_seed: bytes, _variant: Variant) -> SimpleNamespace:
        return SimpleNamespace(read=read)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deals, "_Stream", stream)
        found = deal(variant, seed)
    numbers = mixed_in(plain_numbers(seed, variant), high)
    assert found == plain_deal(variant, numbers)
    assert read(4) == next(numbers).to_bytes(4, "big")


@pytest.mark.parametrize("decks", [1, 2])
def test_the_limit_of_every_place(decks: int) -> None:
    size = 52 * decks
    for choices in range(size, 1, -1):
        limit = 2**32 - 2**32 % choices
        for number in {limit - 1, min(limit, 2**32 - 1), 2**32 - 1}:
            # Twice, so that two in a row are passed over.
            numbers = [*repeat(0, size - choices), number, number, *range(size)]
            read = reader(numbers)
            shuffled = deals._shuffled(  # pyright: ignore[reportPrivateUsage]
                ordered_deck(decks),
                deals._numbers(size, read),  # pyright: ignore[reportPrivateUsage]
            )
            left_over = iter(numbers)
            assert shuffled == plain_shuffle(decks, left_over)
            assert read(4 * size) == reader(left_over)(4 * size)


def test_no_two_variants_share_a_deal() -> None:
    decks = [
        [card for pile in deal(each, bytes(16)).piles for card in pile][:16]
        for each in VARIANTS
    ]
    assert len({tuple(deck) for deck in decks}) == len(VARIANTS)


@given(seeds)
def test_the_sealed_cards_can_be_paired(seed: bytes) -> None:
    state = deal(SEALED, seed)
    ranks = Counter(RANK[card] for pile in state.piles for card in pile)
    assert sum(ranks.values()) == 48
    assert all(count % 2 == 0 for count in ranks.values())


@given(seeds)
def test_a_seed_is_written_in_hex(seed: bytes) -> None:
    assert parse_seed(seed.hex()) == seed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0" * 31,
        "0" * 33,
        "0" * 31 + "g",
        "A" * 32,
        "0" * 32 + "\n",
        "٠" * 32,
        " " * 32,
    ],
)
def test_any_other_seed_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidSeedError, match="32 lower-case hex digits"):
        parse_seed(text)


@pytest.mark.parametrize("length", [0, 15, 17, 32])
def test_a_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(InvalidSeedError, match=f"16 bytes, not {length}"):
        deal(VARIANTS[0], bytes(length))
