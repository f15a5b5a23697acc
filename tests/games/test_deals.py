from collections import Counter
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from tests.helpers.positions import VARIANTS, dealt, rows, seeds

from samedeal_games import (
    InvalidSeedError,
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
from samedeal_games.cards import RANK


DEALS = list(rows("deals.jsonl"))


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
    numbers = deals._numbers(bytes(16), variant)  # pyright: ignore[reportPrivateUsage]
    first = list(islice(numbers, 3))
    assert first == [1584864981, 808797163, 182234104]
    assert [number % n for number, n in zip(first, (52, 51, 50), strict=True)] == [
        37,
        46,
        4,
    ]


def test_no_two_variants_share_a_deal() -> None:
    decks = [
        [card for pile in deal(each, bytes(16)).piles for card in pile][:16]
        for each in VARIANTS
    ]
    assert len({tuple(deck) for deck in decks}) == len(VARIANTS)


@given(seeds)
def test_the_sealed_cards_can_be_paired(seed: bytes) -> None:
    state = deal(find_variant("doublets", "sealed"), seed)
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
