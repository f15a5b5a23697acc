"""Deals that any language can repeat: from a seed to the cards, all by SHA-256."""

import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from struct import iter_unpack

from .cards import Card, ordered_deck
from .errors import InvalidSeedError
from .model import State, Variant


SEED_BYTES = 16

_SEED = re.compile("[0-9a-f]{32}")


def parse_seed(text: str) -> bytes:
    """Return the seed written as 32 lower-case hex digits; else InvalidSeedError."""
    if not _SEED.fullmatch(text):
        raise InvalidSeedError("A seed is written as 32 lower-case hex digits.")
    return bytes.fromhex(text)


def deal(variant: Variant, seed: bytes) -> State:
    """Return the one layout that the seed (16 bytes) gives in this variant.

    Raises InvalidSeedError where the seed is of another length.
    """
    if len(seed) != SEED_BYTES:
        raise InvalidSeedError(f"A seed is {SEED_BYTES} bytes, not {len(seed)}.")
    numbers = _numbers(seed, variant)
    deck = _shuffled(variant.decks, numbers)
    while variant.accepts is not None and not variant.accepts(deck):
        deck = _shuffled(variant.decks, numbers)
    piles, stock = variant.lay_out(deck)
    return State(variant, piles, stock)


def _numbers(seed: bytes, variant: Variant) -> Iterator[int]:
    """Yield 32-bit numbers without end.

    Game and variant go into the hash, so that one seed gives unrelated deals.
    """
    key = seed + f"samedeal/deal/1/{variant.game}/{variant.name}/".encode("ascii")
    for counter in count():
        block = sha256(key + counter.to_bytes(4, "big")).digest()
        for (number,) in iter_unpack(">I", block):
            yield number


def _shuffled(decks: int, numbers: Iterator[int]) -> list[Card]:
    """Return the ordered deck shuffled by Fisher-Yates, from the top index down."""
    deck = ordered_deck(decks)
    for last in range(len(deck) - 1, 0, -1):
        choices = last + 1
        number = next(numbers)
        while number >= 2**32 - 2**32 % choices:  # Else low choices come too often.
            number = next(numbers)
        other = number % choices
        deck[last], deck[other] = deck[other], deck[last]
    return deck
