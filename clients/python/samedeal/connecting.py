"""The way in: `connect`."""

from collections.abc import Callable, Coroutine, Generator, Sequence
from types import TracebackType
from typing import Any, Literal

from msgspec import UNSET

from samedeal.addresses import websocket_url
from samedeal.client import Client
from samedeal.errors import Closed
from samedeal.link import Link
from samedeal.outbox import Outbox
from samedeal.session import Session
from samedeal_protocol.codec import JSON, MSGPACK
from samedeal_protocol.commands import Hello


_CODECS = {"json": JSON, "msgpack": MSGPACK}


class Connecting:
    """A client to be: `await` it, or enter it as a context."""

    def __init__(self, start: Callable[[], Coroutine[Any, Any, Client]]) -> None:
        self._start = start
        self._client: Client | None = None

    def __await__(self) -> Generator[Any, None, Client]:
        return self._start().__await__()

    async def __aenter__(self) -> Client:
        self._client = await self._start()
        return self._client

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._client is not None:
            await self._client.close()


def connect(
    url: str | Sequence[str],
    *,
    name: str | None = None,
    token: str | None = None,
    bot: bool = False,
    codec: Literal["json", "msgpack"] = "json",
    reconnect: bool = True,
    timeout: float = 30.0,
    ping_timeout: float = 10.0,
    give_up: float = 300.0,
    unanswered: int = 256,
) -> Connecting:
    """Connect to a server as a player.

    ```python
    async with samedeal.connect("http://127.0.0.1:8765", name="Ada") as client:
        race = await client.create("juvenile", bots=["greedy"])
    ```

    `client = await connect(…)` works as well; close it in the end.

    A lost connection comes back by itself: races are brought up to date,
    commands without an answer are sent again, and whoever awaits them notices
    nothing but the time it took. Commands are spaced so as to keep to the
    server's limit of messages a second.

    Args:
        url: the server's address, `http(s)://` or `ws(s)://`; `/ws` is added
            where no path is given. Of several addresses of one service, each
            attempt to connect takes the next.
        name: how others see you, 1 to 24 characters.
        token: from an earlier `Client.token`: be the same player again.
        bot: say that a program is playing.
        codec: how messages are written; `msgpack` is the more compact.
        reconnect: whether a lost connection comes back.
        timeout: seconds within which to connect, and for a command to be
            answered, cuts and repetitions included.
        ping_timeout: seconds that a server may be silent when asked to speak.
        give_up: seconds after which a lost connection is given up.
        unanswered: how many commands may wait for an answer at a time.

    Raises:
        ValueError: an argument makes no sense.
        CannotConnect: no server answers there.
        BadToken, BadName: the server does not take them.
    """
    if codec not in _CODECS:
        raise ValueError(f"There is no codec {codec!r}; use json or msgpack.")
    urls = [websocket_url(one) for one in ([url] if isinstance(url, str) else url)]
    if not urls:
        raise ValueError("Give at least one address.")
    hello = Hello(
        name=UNSET if name is None else name,
        token=UNSET if token is None else token,
        bot=bot,
    )

    def make_link(session: Session, outbox: Outbox) -> Link:
        return Link(
            urls,
            _CODECS[codec],
            outbox,
            session,
            reconnect=reconnect,
            timeout=timeout,
            ping_timeout=ping_timeout,
            give_up=give_up,
        )

    async def start() -> Client:
        session = Session(
            make_link, _CODECS[codec], hello, timeout=timeout, unanswered=unanswered
        )
        try:
            await session.ready
        except BaseException:
            await session.close(Closed("The client was closed."))
            raise
        return Client(session)

    return Connecting(start)
