"""Players, and the tokens that bring them back."""

import base64
import hashlib
import secrets
from dataclasses import dataclass
from typing import Final

from samedeal_protocol.names import (
    DEFAULT_NAME,
    BadName,
    clean_name,
)
from samedeal_server.race.refusal import Refusal
from samedeal_server.store import Store


_TOKEN_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Player:
    """Who a connection speaks for; `token` is the secret that proves it."""

    id: str
    name: str
    token: str


def new_id() -> str:
    """16 random characters of `a-z2-7`: 80 bits, for races and players."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()


async def identify(store: Store, name: str | None, token: str | None) -> Player:
    """The player that a token belongs to, or a new one where there is none.

    Args:
        name: what to be called from now on.
        token: what an earlier welcome gave.

    Raises:
        Refusal: `bad_name` or `bad_token`.
        StoreUnavailable: nobody can be looked up.
    """
    cleaned = None if name is None else _cleaned(name)
    if token is None:
        raw = secrets.token_bytes(_TOKEN_BYTES)
        token = base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
        player = Player(new_id(), cleaned or DEFAULT_NAME, token)
        await store.registry.token_store(_hash(token), player.id, player.name)
        return player
    found = await store.registry.token_load(_hash(token))
    if found is None:
        raise Refusal(
            "bad_token",
            "This token is not known here; say hello without it to be a new player.",
        )
    player_id, known_name = found
    if cleaned is not None and cleaned != known_name:
        await store.registry.token_store(_hash(token), player_id, cleaned)
    return Player(player_id, cleaned or known_name, token)


def _cleaned(name: str) -> str:
    try:
        return clean_name(name)
    except BadName as error:
        raise Refusal("bad_name", str(error)) from None


def _hash(token: str) -> str:
    # The store never sees a token. A token is random, so no salt is needed.
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
