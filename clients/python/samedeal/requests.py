"""Commands made ready to be sent, and what becomes of them."""

import itertools
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec import structs

from samedeal.errors import BadMessage, SamedealError, Unavailable
from samedeal.tracker import Tracker
from samedeal_protocol.codec import Codec
from samedeal_protocol.commands import Command, Create
from samedeal_protocol.names import CorrelationId, ErrorCode
from samedeal_protocol.updates import Update


class Answer(NamedTuple):
    """What a command came to.

    `update` is the first that answers it, None where it was found to have been
    done already; `tracker` is the race that the update is about, if any.
    """

    update: Update | None
    tracker: Tracker | None


@dataclass(eq=False, slots=True)
class Request:
    """A command and what its answer is for.

    Attributes:
        id: the command's own.
        frame: the command as it is sent.
        settle: called with the answer.
        fail: called with the error instead.
        again: whether it is sent again after a cut: done twice, it must come to
            the same as done once.
        retry: whether it is sent again when the server could not confirm it.
        done_if: codes that mean, once it was sent twice, that the first did it.
        sent: how many times it was.
    """

    id: CorrelationId
    command: Command
    frame: bytes
    settle: Callable[[Answer], None]
    fail: Callable[[SamedealError], None]
    again: bool = True
    retry: bool = True
    done_if: frozenset[ErrorCode] = frozenset()
    sent: int = 0
    place: int = field(default=0, init=False)
    refused: Unavailable | None = field(default=None, init=False)


class Desk:
    """Gives commands their ids and their bytes.

    Args:
        codec: how they are written.
    """

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self._ids = itertools.count(1)
        self.largest = 0
        """Bytes that a command may have; 0 for no limit."""

    def request(
        self,
        command: Command,
        settle: Callable[[Answer], None],
        fail: Callable[[SamedealError], None],
    ) -> Request:
        """A request for `command`, which has no id yet.

        Raises:
            BadMessage: the server would not read so much.
        """
        # The same id of the same player gets the same race: never use one twice.
        unique = isinstance(command, Create)
        id: CorrelationId = secrets.token_hex(8) if unique else next(self._ids)
        command = structs.replace(command, id=id)
        frame = self._codec.encode_command(command)
        if 0 < self.largest < len(frame):
            raise BadMessage(
                f"The command has {len(frame)} bytes; the server takes {self.largest}."
            )
        return Request(id, command, frame, settle, fail)
