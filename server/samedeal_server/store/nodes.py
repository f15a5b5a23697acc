"""Which store process holds which key: one server, or a Redis Cluster's masters.

A refusal that says "elsewhere" or "not yet" (MOVED, ASK, TRYAGAIN, CLUSTERDOWN)
means that nothing was executed, so those calls are made again until their time
is up. A call whose answer was lost is never repeated.
"""

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, TypeAlias

from redis.asyncio.connection import AbstractConnection
from redis.crc import key_slot
from redis.exceptions import (
    AskError,
    ClusterDownError,
    MovedError,
    NoScriptError,
    ReadOnlyError,
    ResponseError,
    TryAgainError,
)

from .clock import LogClock
from .errors import StoreUnavailable
from .link import Argument, Command, Link, NotSent
from .scripts import Script
from .settings import StoreSettings


Address: TypeAlias = tuple[str, int]
"""Host and port; for a Unix socket its path and 0."""

MakeConnection: TypeAlias = Callable[[Address], AbstractConnection]

_PAUSE_S = 0.05


class Work(Enum):
    """Kinds of work that must not wait behind each other, a link each."""

    APPENDS = "appends"
    CALLS = "calls"
    BARRIERS = "barriers"


class Node:
    """One store process."""

    __slots__ = ("address", "links")

    def __init__(self, address: Address, links: Mapping[Work, Link]) -> None:
        self.address = address
        self.links = links

    @property
    def name(self) -> str:
        host, port = self.address
        return f"{host}:{port}" if port else host


class Nodes:
    """All store processes, found by key; made once for each `Store`."""

    def __init__(
        self,
        seeds: Sequence[Address],
        make: MakeConnection,
        settings: StoreSettings,
        *,
        cluster: bool,
    ) -> None:
        self.settings = settings
        self.cluster = cluster
        self.clock = LogClock()
        self.epoch = 0
        """Goes up whenever a connection to the store was lost."""
        self._make = make
        self._seeds = list(seeds)
        self._known: list[Address] = []
        self._nodes: dict[Address, Node] = {}
        self._slots: list[Node] = []
        self._refreshing = asyncio.Lock()
        self._refreshed_at = -1.0
        self._retired: set[asyncio.Task[None]] = set()
        if not cluster:
            self._only = self._node(self._seeds[0])

    # Finding.

    def of_key(self, key: str) -> Node:
        """The process that holds `key`, as far as is known."""
        if not self.cluster:
            return self._only
        if not self._slots:
            raise NotSent("The cluster's slots are not known yet.")
        return self._slots[key_slot(key.encode())]

    def masters(self) -> list[Node]:
        """Every process that holds keys."""
        return list(dict.fromkeys(self._slots)) if self.cluster else [self._only]

    def addresses(self) -> list[Address]:
        """Every address that may be asked or listened to, in random order."""
        addresses = self._known or self._seeds
        return random.sample(addresses, len(addresses))

    def connection(self, address: Address) -> AbstractConnection:
        """A connection of the caller's own, not yet connected."""
        return self._make(address)

    def lost(self) -> None:
        """Notes that a connection was lost: what is cached must be verified."""
        self.epoch += 1

    # Calling.

    async def call(self, key: str, *command: Argument) -> Any:
        """The answer to one command on `key`.

        Raises `StoreUnavailable` when there is none in time or it is a refusal.
        """
        [answer] = await self.exchange(key, [command])
        return answer

    async def run(
        self, script: Script, keys: Sequence[str], *arguments: Argument
    ) -> Any:
        """What `script` returns; all `keys` lie in one slot."""
        try:
            return await self.call(keys[0], *script.short(keys, arguments))
        except StoreUnavailable as error:
            if not isinstance(error.__cause__, NoScriptError):
                raise
        return await self.call(keys[0], *script.full(keys, arguments))

    async def exchange(
        self, key: str, commands: Sequence[Command], work: Work = Work.CALLS
    ) -> list[Any]:
        """The answers to several commands on one key, sent together."""
        deadline = asyncio.get_running_loop().time() + self.settings.read_timeout_s
        asking: Node | None = None
        while True:
            try:
                node = asking or self.of_key(key)
                sent = [("ASKING",), *commands] if asking else commands
                answers = await node.links[work].call(sent, deadline)
                refusal = next(
                    (a for a in answers if isinstance(a, ResponseError)), None
                )
                if refusal is None:
                    return answers[1:] if asking else answers
                asking = await self.redirect(node, refusal, deadline)
            except NotSent as error:
                asking = None
                await self.settle(error, deadline)

    async def ask_all(self, *command: Argument) -> dict[Node, Any]:
        """What every process that holds keys answers to a command without a key."""
        deadline = asyncio.get_running_loop().time() + self.settings.read_timeout_s
        nodes = self.masters()
        answers = await asyncio.gather(
            *(self.ask_node(n.address, *command, deadline=deadline) for n in nodes)
        )
        return dict(zip(nodes, answers, strict=True))

    async def ask_node(
        self, address: Address, *command: Argument, deadline: float
    ) -> Any:
        """What the process at `address` answers to one command."""
        node = self._node(address)
        [answer] = await node.links[Work.CALLS].call([command], deadline)
        if isinstance(answer, ResponseError):
            raise StoreUnavailable(f"{node.name} refused: {answer}") from answer
        return answer

    async def tell_any(self, *command: Argument) -> None:
        """Sends a command without a key to whichever process answers first."""
        deadline = asyncio.get_running_loop().time() + self.settings.read_timeout_s
        for node in self.masters():
            try:
                await self.ask_node(node.address, *command, deadline=deadline)
                return
            except NotSent as error:
                reason = error
        raise reason

    async def redirect(
        self, node: Node, refusal: ResponseError, deadline: float
    ) -> Node | None:
        """Where to ask instead of `node`: a node for this once, or None: look again.

        Raises `StoreUnavailable` for a refusal that is final.
        """
        if isinstance(refusal, MovedError):
            self._moved(node, refusal)
            return None
        if isinstance(refusal, AskError):
            return self._node((refusal.host or node.address[0], refusal.port))
        if isinstance(refusal, (TryAgainError, ClusterDownError)):
            await self.settle(NotSent(f"{node.name} said: {refusal}"), deadline)
            return None
        if isinstance(refusal, ReadOnlyError):
            # Behind one name another server may be the master by now.
            node.links[Work.CALLS].drop("it is read-only")
        raise StoreUnavailable(f"{node.name} refused: {refusal}") from refusal

    async def settle(self, error: NotSent, deadline: float) -> None:
        """Waits a little before another try; raises `error` when time is up."""
        if asyncio.get_running_loop().time() + _PAUSE_S >= deadline:
            raise error
        await asyncio.sleep(_PAUSE_S)
        if self.cluster:
            await self.refresh(deadline)

    # The cluster's map.

    async def refresh(self, deadline: float) -> None:
        """Asks any node for the map of slots; keeps the old one when none answers."""
        loop = asyncio.get_running_loop()
        async with self._refreshing:
            if loop.time() - self._refreshed_at < 2 * _PAUSE_S:
                return
            for address in self.addresses() + self._seeds:
                until = min(deadline, loop.time() + 1)
                link = self._node(address).links[Work.CALLS]
                try:
                    [answer] = await link.call([("CLUSTER", "SLOTS")], until)
                except StoreUnavailable:
                    continue
                if isinstance(answer, list) and answer:
                    self._adopt(answer, address)
                    break
            self._refreshed_at = loop.time()

    async def aclose(self) -> None:
        """Closes every connection; calls in flight are `Unanswered`."""
        links = [link for node in self._nodes.values() for link in node.links.values()]
        await asyncio.gather(*(link.aclose() for link in links), *self._retired)

    # Private methods.

    def _node(self, address: Address) -> Node:
        node = self._nodes.get(address)
        if node is None:
            host, port = address
            name = f"{host}:{port}" if port else host
            timeout_s = self.settings.connect_timeout_s
            node = Node(
                address,
                {
                    work: Link(name, lambda: self._make(address), timeout_s, self.lost)
                    for work in Work
                },
            )
            self._nodes[address] = node
        return node

    def _moved(self, node: Node, refusal: MovedError) -> None:
        self._slots[refusal.slot_id] = self._node(
            (refusal.host or node.address[0], refusal.port)
        )
        self._refreshed_at = -1.0

    def _adopt(self, answer: list[Any], asked: Address) -> None:
        slots: list[Node | None] = [None] * 16384
        known: dict[Address, None] = {}
        for first, last, *members in answer:
            addresses = [
                (host.decode() if host else asked[0], int(port))
                for host, port, *_ in members
            ]
            known.update(dict.fromkeys(addresses))
            master = self._node(addresses[0])
            slots[first : last + 1] = [master] * (last + 1 - first)
        # A slot that nobody serves is asked of anybody, who will say so.
        anybody = next(node for node in slots if node is not None)
        self._slots = [node or anybody for node in slots]
        self._known = list(known)
        for address in self._nodes.keys() - known.keys() - set(self._seeds):
            node = self._nodes.pop(address)
            self.clock.forget(node.name)
            for link in node.links.values():
                task = asyncio.create_task(link.aclose())
                self._retired.add(task)
                task.add_done_callback(self._retired.discard)
