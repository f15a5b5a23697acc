"""A connection that comes back: connect, greet, read and write, and again."""

import asyncio
import itertools
import logging
from collections.abc import Sequence
from typing import Protocol

from samedeal.errors import CannotConnect, Replaced, SamedealError, from_update
from samedeal.outbox import Outbox
from samedeal.pacing import Backoff, Pace
from samedeal.wire import Cut, Wire
from samedeal_protocol.codec import Codec
from samedeal_protocol.commands import Hello
from samedeal_protocol.names import CloseCode
from samedeal_protocol.updates import Closing, Error, Update, Welcome


logger = logging.getLogger(__name__)

_PASSING = frozenset({"unavailable", "rate_limited", "internal"})
"""Answers to a greeting after which it is worth trying again."""

_FAULTS = frozenset(
    {
        CloseCode.PROTOCOL_ERROR,
        CloseCode.WRONG_FRAME,
        CloseCode.NOT_UTF8,
        CloseCode.FLOOD,
        CloseCode.TOO_BIG,
        CloseCode.INTERNAL,
    }
)
"""Ends that a quick return would only meet again."""

_LONGEST_HEARTBEAT = 10.0
_LONGEST_RETRY = 60.0


class Listener(Protocol):
    """Whom a link tells what happens; none of these blocks."""

    def hello(self) -> Hello:
        """The greeting for the next connection."""
        ...

    def welcomed(self, welcome: Welcome) -> None:
        """A connection is up; what the outbox holds goes out next."""
        ...

    def received(self, update: Update) -> None:
        """An update came."""
        ...

    def disconnected(self) -> None:
        """The connection is gone; another will be tried."""
        ...

    def ended(self, error: SamedealError) -> None:
        """There is no connection, and none will come."""
        ...


class Link:
    """Keeps one connection up for as long as `run` runs.

    Args:
        urls: WebSocket addresses; every attempt takes the next.
        codec: how messages are written.
        outbox: what to send.
        listener: whom to tell.
        reconnect: whether to connect again after a cut.
        timeout: seconds that the first connection may take in all.
        ping_timeout: seconds that a server may be silent when asked to speak.
        give_up: seconds without a connection after which there will be none.
    """

    def __init__(
        self,
        urls: Sequence[str],
        codec: Codec,
        outbox: Outbox,
        listener: Listener,
        *,
        reconnect: bool,
        timeout: float,
        ping_timeout: float,
        give_up: float,
    ) -> None:
        self._urls = itertools.cycle(urls)
        self._url_count = len(urls)
        self._codec = codec
        self._outbox = outbox
        self._listener = listener
        self._reconnect = reconnect
        self._timeout = timeout
        self._ping_timeout = ping_timeout
        self._give_up = give_up
        self._backoff = Backoff()
        self._work = asyncio.Event()
        self._paused_until = 0.0
        self._welcomed = False
        self._closing: Closing | None = None

    def wake(self) -> None:
        """The outbox may have something to send."""
        self._work.set()

    def pause(self, seconds: float) -> None:
        """Send nothing for so long."""
        self._paused_until = asyncio.get_running_loop().time() + seconds

    async def run(self) -> None:
        """Connect and stay connected; ends by telling `ended`, or cancelled."""
        try:
            await self._stay_connected()
        except SamedealError as error:
            self._listener.ended(error)
        except Exception as error:
            logger.exception("A fault in the client ends its connection")
            self._listener.ended(CannotConnect(f"The client has a fault: {error!r}."))

    async def _stay_connected(self) -> None:
        loop = asyncio.get_running_loop()
        since, patience = loop.time(), self._timeout
        ever_welcomed = False
        for attempt in itertools.count(1):
            cut = await self._connect_once()
            if self._welcomed:
                ever_welcomed = True
                since, patience = loop.time(), self._give_up
                self._listener.disconnected()
            if cut.code == CloseCode.REPLACED:
                raise Replaced("The same player has connected from elsewhere.")
            hopeless = (
                not self._reconnect
                if ever_welcomed
                else cut.hopeless and attempt >= self._url_count
            )
            delay = self._delay(cut)
            if hopeless or loop.time() + delay - since > patience:
                verb = "is gone" if ever_welcomed else "cannot be made"
                raise CannotConnect(f"The connection {verb}: {cut}.")
            logger.info("Connecting again in %.2f s: %s", delay, cut)
            await asyncio.sleep(delay)

    def _delay(self, cut: Cut) -> float:
        """How many seconds to wait before the next attempt."""
        if self._welcomed and cut.code not in _FAULTS:
            self._backoff.reset()
        if self._closing is not None:
            return min(self._closing.retry_after_ms / 1000, _LONGEST_RETRY)
        return self._backoff.next()

    async def _connect_once(self) -> Cut:
        """One connection from its opening to its end; gives how it ended."""
        self._closing = None
        self._welcomed = False
        try:
            wire = await Wire.open(
                next(self._urls), self._codec, timeout=self._ping_timeout
            )
        except Cut as cut:
            return cut
        try:
            welcome = await self._greet(wire)
            self._welcomed = True
            self._listener.welcomed(welcome)
            return await self._talk(wire, welcome)
        except Cut as cut:
            return cut
        finally:
            await wire.close()

    async def _greet(self, wire: Wire) -> Welcome:
        """Introduce this client.

        Raises:
            Cut: the connection ended first, or the server is not able to now.
            SamedealError: the server does not want it.
        """
        try:
            async with asyncio.timeout(self._ping_timeout):
                await wire.send(wire.encode(self._listener.hello()))
                while True:
                    match await wire.receive(self._ping_timeout):
                        case Welcome() as welcome:
                            return welcome
                        case Error(code=code, message=message) if code in _PASSING:
                            raise Cut(f"{code}: {message}")
                        case Error() as error:
                            raise from_update(error)
                        case Closing() as closing:
                            self._closing = closing
                        case _:
                            pass
        except TimeoutError:
            raise Cut("the server did not answer the greeting") from None

    async def _talk(self, wire: Wire, welcome: Welcome) -> Cut:
        """Read and write until the connection ends; gives how it did."""
        heartbeat = welcome.heartbeat_ms / 1000
        if not 0 < heartbeat < _LONGEST_HEARTBEAT:
            heartbeat = _LONGEST_HEARTBEAT
        now = asyncio.get_running_loop().time()
        pace = Pace(welcome.limits.messages_per_s, now)
        pace.wait(now)  # The greeting counts.
        # No task group: in Python 3.11 one that fails while it is left keeps its
        # parent marked as cancelled for good.
        writer = asyncio.create_task(self._write(wire, pace))
        try:
            return await self._read(wire, heartbeat)
        finally:
            writer.cancel()
            await asyncio.wait([writer])
            if not writer.cancelled():
                writer.result()

    async def _read(self, wire: Wire, heartbeat: float) -> Cut:
        try:
            while True:
                update = await wire.receive(heartbeat)
                if isinstance(update, Closing):
                    self._closing = update
                self._listener.received(update)
        except Cut as cut:
            return cut

    async def _write(self, wire: Wire, pace: Pace) -> None:
        """Send what the outbox has, until the server says that it is closing."""
        try:
            while self._closing is None:
                self._work.clear()
                if self._outbox.has_work:
                    await self._write_next(wire, pace)
                else:
                    await self._work.wait()
        except Cut:
            pass  # Whoever reads meets the same end, and says so.
        except Exception:
            wire.abort()
            raise

    async def _write_next(self, wire: Wire, pace: Pace) -> None:
        clock = asyncio.get_running_loop().time
        pause = max(pace.wait(clock()), self._paused_until - clock())
        if pause > 0:
            await asyncio.sleep(pause)
        if self._closing is None and (request := self._outbox.take()):
            await wire.send(request.frame)
