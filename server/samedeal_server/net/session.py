"""One client's conversation: which command may come when, and who answers it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from msgspec import UNSET

from samedeal_protocol import commands
from samedeal_protocol.codec import BadMessage, Frame
from samedeal_protocol.commands import Command
from samedeal_protocol.names import CloseCode, is_race_id
from samedeal_protocol.updates import Error, Pong, Progress, Update
from samedeal_server.hub.audience import Re, Shared
from samedeal_server.hub.live import LiveRace
from samedeal_server.hub.request import unavailable
from samedeal_server.net.answering import answer, find_and_submit
from samedeal_server.net.limits import TokenBucket, Window
from samedeal_server.net.outbox import Outbox
from samedeal_server.net.services import Services
from samedeal_server.race.decide import RACE_COMMANDS
from samedeal_server.race.refusal import Refusal
from samedeal_server.service.identity import Player
from samedeal_server.service.matching import Guest


Close = Callable[[int, str], None]

# Ended races that a connection still hears of, for a rematch; without a bound one
# that lives long would keep every race it was ever in from being forgotten.
_KEPT_ENDED: Final = 16


class Session:
    """A connection's state. Speaks for nobody until `hello`, then for a player.

    Args:
        outbox: where updates go.
        address: where the client connects from.
        close: closes the connection with a code and a reason; returns at once.

    Attributes:
        player: id of whom it speaks for.
        subscribed: races whose audience this session is in, by id.
        generation: set when the player has arrived; see `People`.
    """

    def __init__(
        self, services: Services, outbox: Outbox, address: str, close: Close
    ) -> None:
        limits = services.settings.limits
        self.services = services
        self._playing = services.playing
        self.outbox = outbox
        self.guest: Guest | None = None
        self.player = ""
        self.subscribed: dict[str, LiveRace] = {}
        self.generation = 0
        self.address = address
        self._close = close
        self._bucket = TokenBucket(limits.messages_per_s, limits.messages_burst)
        self._refusals = Window(limits.refusals, 10.0)
        self._decode = outbox.codec.decode_command
        self._now_s = asyncio.get_running_loop().time
        self._beside: set[asyncio.Task[None]] = set()

    # A listener of races.

    def tell(self, update: Update | Shared) -> None:
        if not self.outbox.send(update):
            self._close(CloseCode.TOO_SLOW, "too slow to take its own patches")

    def tell_progress(self, progress: Progress) -> None:
        self.outbox.send_progress(progress)

    def put_out(self, race: str) -> None:
        self.subscribed.pop(race, None)

    def replace(self) -> None:
        self.forget_races()
        self._close(CloseCode.REPLACED, "replaced by a newer connection")

    # Frames in.

    def receive(self, frame: Frame) -> Awaitable[None] | None:
        """Take one frame. What is returned, if anything, must be awaited before
        the next frame is given."""
        if self.outbox.closed:
            return None
        try:
            command = self._decode(frame)
        except BadMessage as error:
            self._refuse_frame(error)
            return None
        if self.guest is None and not isinstance(command, commands.Hello):
            self.refuse_command(command, Refusal("hello_first", "Say hello first."))
            self.count_frame()
            return None
        now_s = self._now_s()
        if not self._bucket.take(now_s):
            self.refuse_command(
                command, Refusal("rate_limited", "Too fast; slow down.")
            )
            self._count_refusal()
            return None
        if self.services.closing:
            self.refuse_command(command, unavailable())
            return None
        return self._dispatch(command, now_s)

    def count_frame(self) -> None:
        """One that does nothing for its sender; too many of them are a flood, too."""
        if not self._bucket.take(self._now_s()):
            self._count_refusal()

    def end(self) -> None:
        """The connection is gone."""
        self.forget_races()
        self.outbox.close()
        for task in self._beside:
            task.cancel()
        if self.guest is not None and self.generation:
            self.services.people.leave(self)

    # What commands use.

    def arrived(self, player: Player, is_bot: bool) -> None:
        self.guest = Guest(player, is_bot, self.address)
        self.player = player.id

    def subscribe(self, live: LiveRace) -> None:
        live.told.audience.add(self)
        live.told.away.pop(self.player, None)
        self.subscribed.pop(live.id, None)  # The newest comes last.
        self.subscribed[live.id] = live
        ended = [one for one in self.subscribed.values() if one.state.ended]
        for old in ended[:-_KEPT_ENDED]:
            self.unsubscribe(old)

    def unsubscribe(self, live: LiveRace) -> bool:
        """Whether it was subscribed."""
        self.subscribed.pop(live.id, None)
        return live.told.audience.discard(self)

    def forget_races(self) -> None:
        for live in self.subscribed.values():
            live.told.audience.discard(self)
        self.subscribed.clear()

    def refuse(self, refusal: Refusal, re: Re, race: str | None = None) -> None:
        """Answer with an error."""
        self.tell(
            Error(
                re=re,
                code=refusal.code,
                message=refusal.message,
                race=race if race is not None and is_race_id(race) else UNSET,
                turn=UNSET if refusal.turn is None else refusal.turn,
            )
        )

    def refuse_command(self, command: Command, refusal: Refusal) -> None:
        """Answer a command with an error."""
        race = refusal.race or getattr(command, "race", None)
        self.refuse(refusal, command.id, race if isinstance(race, str) else None)

    # Private methods.

    def _dispatch(self, command: Command, asked_s: float) -> Awaitable[None] | None:
        if isinstance(command, RACE_COMMANDS):
            # What is listened to is there as a rule, and found sooner.
            live = self.subscribed.get(command.race)
            if live is None or live.race is None or not live.usable:
                live = self.services.hub.at_hand(command.race)
            if live is None:
                return answer(self, command, find_and_submit(self, command))
            self._playing.submit(self, live, command, asked_s)
            return None
        if isinstance(command, commands.Ping):
            now = self.services.now_ms()
            self.outbox.send(Pong(re=command.id, t=command.t, now_ms=now))
            return None
        work = answer(self, command, self.services.entry.answer(self, command))
        if isinstance(command, commands.Hint | commands.Analyse):
            # It may take a while, and the next move is not to wait for it.
            task = asyncio.create_task(work)
            self._beside.add(task)
            task.add_done_callback(self._beside.discard)
            return None
        return work

    def _refuse_frame(self, error: BadMessage) -> None:
        re = UNSET if error.re is None else error.re
        refusal = Refusal("bad_message", str(error))
        if self.guest is None and error.unknown:
            refusal = Refusal("hello_first", "Say hello first.")
        self.refuse(refusal, re)
        self.count_frame()

    def _count_refusal(self) -> None:
        if not self._refusals.add(self._now_s()):
            self._close(CloseCode.FLOOD, "too many messages")
