import hashlib

import pytest

from samedeal_protocol.commitment import commit


SALT = bytes(range(16))
SEED = bytes(range(240, 256))


def test_it_is_sha_256_over_salt_seed_and_what_is_dealt() -> None:
    assert commit(SALT, SEED, "juvenile", "two-decks") == EXPECTED
    text = SALT + SEED + b"juvenile/two-decks"
    assert hashlib.sha256(text).hexdigest() == EXPECTED


@pytest.mark.parametrize(
    ("salt", "seed", "game", "variant"),
    [
        (SEED, SALT, "juvenile", "two-decks"),
        (SALT, SALT, "juvenile", "two-decks"),
        (SALT, SEED, "doublets", "two-decks"),
        (SALT, SEED, "juvenile", "one-deck"),
    ],
)
def test_everything_counts(salt: bytes, seed: bytes, game: str, variant: str) -> None:
    assert commit(salt, seed, game, variant) != EXPECTED


# By sha256sum, of what printf wrote.
EXPECTED = "143875bdea77133f098183389f9348bd466997d787c7c262ccfc525d981a9ea2"
