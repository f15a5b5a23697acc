"""The commitment to a deal: public before the start, checkable after the end."""

import hashlib


def commit(salt: bytes, seed: bytes, game: str, variant: str) -> str:
    """SHA-256, in hex, of salt ‖ seed ‖ `GAME/VARIANT` in ASCII.

    Args:
        salt: 16 random bytes; without them a guessed seed could be checked.
        seed: the 16 bytes that the cards are dealt from.
    """
    return hashlib.sha256(salt + seed + f"{game}/{variant}".encode()).hexdigest()
