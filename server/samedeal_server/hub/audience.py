"""Who on this node hears of a race."""

from collections.abc import Iterator
from typing import Protocol

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from samedeal_protocol.codec import Codec
from samedeal_protocol.names import CorrelationId
from samedeal_protocol.updates import Progress, Update


Re = CorrelationId | UnsetType


class Shared:
    """One update for many receivers, encoded once for each codec."""

    __slots__ = ("_frames", "update")

    def __init__(self, update: Update) -> None:
        self.update = update
        self._frames: dict[str, bytes] = {}

    def frame(self, codec: Codec) -> bytes:
        """The update's bytes in `codec`."""
        frame = self._frames.get(codec.subprotocol)
        if frame is None:
            frame = self._frames[codec.subprotocol] = codec.encode(self.update)
        return frame


class Listener(Protocol):
    """A connection, or a built-in bot. `player` is who it speaks for."""

    @property
    def player(self) -> str: ...

    def tell(self, update: Update | Shared) -> None:
        """Send an update; never dropped."""

    def tell_progress(self, progress: Progress) -> None:
        """Send another seat's progress; a newer one may take its place."""

    def put_out(self, race: str) -> None:
        """The listener no longer hears of this race."""


class Audience:
    """The listeners of one race. A player has one listener at most."""

    def __init__(self) -> None:
        self._by_player: dict[str, Listener] = {}

    def __len__(self) -> int:
        return len(self._by_player)

    def __iter__(self) -> Iterator[Listener]:
        return iter(list(self._by_player.values()))

    def __contains__(self, listener: Listener) -> bool:
        return self._by_player.get(listener.player) is listener

    def add(self, listener: Listener) -> None:
        self._by_player[listener.player] = listener

    def discard(self, listener: Listener) -> bool:
        """Whether it was here."""
        if listener not in self:
            return False
        del self._by_player[listener.player]
        return True

    def of(self, player: str) -> Listener | None:
        """The listener that speaks for `player`, if one does."""
        return self._by_player.get(player)

    def tell_all(
        self, update: Update, asker: Listener | None = None, re: Re = UNSET
    ) -> None:
        """Tell everyone, and `asker` even when it does not listen, with its `re`."""
        shared = Shared(update)
        if asker is not None:
            answer(asker, update, re)
        for listener in list(self._by_player.values()):
            if listener is not asker:
                listener.tell(shared)

    def has_others(self, player: str) -> bool:
        """Whether anybody besides `player` listens."""
        return len(self._by_player) > (player in self._by_player)

    def tell_progress(self, progress: Progress, besides: str) -> None:
        """Tell everyone but the player `besides` how far a seat has come."""
        for player, listener in self._by_player.items():
            if player != besides:
                listener.tell_progress(progress)


def answer(asker: Listener, update: Update, re: Re) -> None:
    """Tell `asker`, marking the update as the answer to what it asked."""
    asker.tell(update if re is UNSET else replace(update, re=re))
