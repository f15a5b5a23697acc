"""Opens the store at a URL, and says in one sentence why it cannot."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

from redis.asyncio.connection import (
    AbstractConnection,
    Connection,
    UnixDomainSocketConnection,
    parse_url,
)
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from .bells import Bells
from .errors import StoreUnavailable, StoreUnreachable
from .log import Log
from .nodes import MakeConnection, Nodes
from .registry import Registry
from .settings import StoreSettings
from .slots import Address


Promise: TypeAlias = Literal["always", "everysec", "none", "unknown"]
"""What an acknowledged append survives: see `Store.promise`."""

_SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")


@dataclass(frozen=True, kw_only=True)
class Store:
    """Everything a node keeps outside of itself."""

    nodes: Nodes
    log: Log
    registry: Registry
    bells: Bells
    version: str
    """Name and version of the server, such as `Valkey 9.1.2`."""

    async def promise(self) -> Promise:
        """How durable an acknowledged append is, on the weakest of the processes.

        `always`: synced to disk. `everysec`: the last second may be lost when the
        machine crashes. `none`: whatever was not saved otherwise. `unknown`: the
        server does not let us look.
        """
        try:
            answers = await self.nodes.ask_all(
                "CONFIG", "GET", "appendonly", "appendfsync"
            )
        except StoreUnavailable:
            return "unknown"
        return max((_promise(answer) for answer in answers.values()), key=_weakness)

    async def aclose(self) -> None:
        """Ends appends under way as `Doubtful` and closes all connections."""
        await self.bells.aclose()
        await self.log.aclose()
        await self.nodes.aclose()


async def open_store(url: str, settings: StoreSettings | None = None) -> Store:
    """The store at `redis://`, `rediss://`, `unix://` or `redis+cluster://`.

    Needs Redis 7 or Valkey 8 at least. Raises `StoreUnreachable`, whose message is
    one sentence that says what to do, and never shows the password.
    """
    settings = settings or StoreSettings()
    cluster, seed, make = _parse(url, settings)
    nodes = Nodes(seed, make, settings, cluster=cluster)
    try:
        version = await _check(nodes, seed)
        log = Log(nodes)
        await log.refresh_clock()
    except StoreUnavailable as error:
        await nodes.aclose()
        raise StoreUnreachable(
            f"{str(error).rstrip('.')}. Is the store running, and its address right?"
        ) from error
    except BaseException:
        await nodes.aclose()
        raise
    return Store(
        nodes=nodes,
        log=log,
        registry=Registry(nodes),
        bells=Bells(nodes),
        version=version,
    )


# Private functions.


def _parse(url: str, settings: StoreSettings) -> tuple[bool, Address, MakeConnection]:
    """Whether it is a cluster, the address to begin with, and how to connect."""
    scheme = urlsplit(url).scheme
    if scheme not in _SCHEMES:
        raise StoreUnreachable(
            f"The store's URL must begin with {', '.join(f'{s}://' for s in _SCHEMES)}."
        )
    cluster = scheme.endswith("+cluster")
    try:
        options: dict[str, Any] = dict(parse_url(url.replace("+cluster", "", 1)))
    except ValueError as error:
        raise StoreUnreachable(f"The store's URL is not valid: {error}.") from error
    kind: type[AbstractConnection] = options.pop("connection_class", Connection)
    if cluster and options.get("db"):
        raise StoreUnreachable("A Redis Cluster has no database but 0.")
    if kind is UnixDomainSocketConnection:
        seed = (options.pop("path", ""), 0)
    else:
        seed = (options.pop("host", "localhost"), options.pop("port", 6379))
    options |= {
        "protocol": 2,
        "driver_info": None,
        "socket_timeout": None,
        "socket_connect_timeout": settings.connect_timeout_s,
        # A link has deadlines of its own, and never repeats what was sent.
        "retry": Retry(NoBackoff(), 0),
    }

    def make(address: Address) -> AbstractConnection:
        host, port = address
        where: dict[str, Any] = {"host": host, "port": port} if port else {"path": host}
        return kind(**where, **options)

    try:
        make(seed)
    except TypeError as error:
        raise StoreUnreachable(
            f"The store's URL has an option that is not known: {error}."
        ) from error
    return cluster, seed, make


async def _check(nodes: Nodes, seed: Address) -> str:
    """Name and version of a server that will do."""
    info = _info(await nodes.ask(seed, "INFO"))
    name, version, least = "Redis", info.get("redis_version", "0"), 7
    if "valkey_version" in info:
        name, version, least = "Valkey", info["valkey_version"], 8
    if int(version.partition(".")[0]) < least:
        raise StoreUnreachable(
            f"{name} {version} is too old: Redis 7 or Valkey 8 at least is needed."
        )
    is_cluster = info.get("cluster_enabled") == "1"
    if is_cluster and not nodes.cluster:
        raise StoreUnreachable(
            "This is a node of a Redis Cluster: give its address as redis+cluster://."
        )
    if nodes.cluster and not is_cluster:
        raise StoreUnreachable(
            "This is not a node of a Redis Cluster: give its address as redis://."
        )
    if info.get("role") == "slave" and not nodes.cluster:
        raise StoreUnreachable(
            "This is a replica, which cannot be written to: give its master's address."
        )
    if nodes.cluster:
        await nodes.refresh()
    return f"{name} {version}"


def _info(answer: bytes) -> Mapping[str, str]:
    lines = answer.decode().splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


def _promise(answer: list[bytes]) -> Promise:
    values = dict(zip(answer[::2], answer[1::2], strict=True))
    if values.get(b"appendonly") != b"yes":
        return "none"
    match values.get(b"appendfsync"):
        case b"always":
            return "always"
        case b"everysec":
            return "everysec"
        case _:
            return "none"


def _weakness(promise: Promise) -> int:
    return ("always", "everysec", "none", "unknown").index(promise)
