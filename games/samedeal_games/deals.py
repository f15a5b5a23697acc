"""Deals that any language can repeat: from a seed to the cards, all by SHA-256."""

import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from itertools import count, islice
from operator import mod
from struct import Struct
from typing import TypeAlias

from .cards import Card, ordered_deck
from .errors import InvalidSeedError
from .model import State, Variant


SEED_BYTES = 16

_SEED = re.compile("[0-9a-f]{32}")
_COUNTER = Struct(">I")
_BLOCK_BYTES = sha256().digest_size

_HIGH = b"\xff\xff"
"""How every number begins that is too high for its place, and hardly another."""

_Unpack: TypeAlias = Callable[[bytes], tuple[int, ...]]


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
    read = _Stream(seed, variant).read
    deck = ordered_deck(variant.decks)
    numbers = _numbers(len(deck), read)
    if variant.accepts is not None:
        # What decides lies at the top, where the first few swaps settle it.
        top = variant.total
        while not variant.accepts(_shuffled(deck, numbers, top)[top:]):
            numbers = _numbers(len(deck), read)
    piles, stock = variant.lay_out(_shuffled(deck, numbers))
    return State(variant, piles, stock)


class _Stream:
    """The bytes of a seed without end: SHA-256 blocks, one after the other.

    Game and variant go into the hash, so that one seed gives unrelated deals.
    """

    def __init__(self, seed: bytes, variant: Variant) -> None:
        name = f"samedeal/deal/1/{variant.game}/{variant.name}/"
        self._start = sha256(seed + name.encode("ascii"))
        self._counters = map(_COUNTER.pack, count())
        self._ahead = b""  # The rest of the last block.

    def read(self, size: int) -> bytes:
        """Return the next ``size`` bytes."""
        parts = [self._ahead]
        blocks = -((len(self._ahead) - size) // _BLOCK_BYTES)  # Rounded up.
        for counter in islice(self._counters, max(0, blocks)):
            block = self._start.copy()
            block.update(counter)
            parts.append(block.digest())
        data = b"".join(parts)
        self._ahead = data[size:]
        return data[:size]


def _shuffled(deck: list[Card], numbers: bytes, lowest: int = 1) -> list[Card]:
    """Return the deck shuffled by Fisher-Yates, from the top index down.

    Stops after index ``lowest``: what lies there and above stays there.
    """
    unpack, indices, choices = _steps(len(deck), lowest)
    shuffled = deck.copy()
    others = map(mod, unpack(numbers), choices)
    for last, other in zip(indices, others, strict=True):
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled


@cache
def _steps(size: int, lowest: int) -> tuple[_Unpack, tuple[int, ...], tuple[int, ...]]:
    """Return what reads the numbers, the indices they are for, and their choices."""
    indices = tuple(range(size - 1, lowest - 1, -1))
    choices = tuple([last + 1 for last in indices])
    return Struct(f">{len(indices)}I").unpack_from, indices, choices


def _numbers(size: int, read: Callable[[int], bytes]) -> bytes:
    """Return the 32-bit numbers that shuffle ``size`` cards, four bytes each.

    Those too high for their place are left out: they favour low choices.
    """
    data = read(4 * (size - 1))
    if _HIGH not in data:
        return data
    at = 0
    for choices in range(size, 1, -1):
        limit = 2**32 - 2**32 % choices
        while int.from_bytes(data[at : at + 4], "big") >= limit:
            data = data[:at] + data[at + 4 :] + read(4)
        at += 4
    return data
