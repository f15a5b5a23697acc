"""Which store process holds which key: one server, or a Redis Cluster's masters.

A refusal that says "elsewhere" or "not yet" (MOVED, ASK, TRYAGAIN, CLUSTERDOWN,
LOADING) means that nothing was executed, so such calls are made again until their
time is up. A call whose answer was lost is not repeated, unless it only reads.
"""

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, TypeAlias, cast

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import (
    AskError,
    BusyLoadingError,
    ClusterDownError,
    MovedError,
    NoScriptError,
    ReadOnlyError,
    TryAgainError,
)

from .clock import LogClock
from .contact import Contact
from .errors import NotSent, StoreUnavailable, Unanswered
from .link import Link
from .pipe import Refusal
from .scripts import Script
from .settings import StoreSettings
from .slots import Address, SlotMap
from .talk import Argument, Command


MakeConnection: TypeAlias = Callable[[Address], AbstractConnection]

# How long to wait before asking again what was refused for now.
_PAUSE_S = 0.05
_REFRESH_S = 0.1


class Work(Enum):
    """Kinds of work that must not wait behind each other, a link each."""

    APPENDS = "appends"
    CALLS = "calls"
    BARRIERS = "barriers"


class Node:
    """One store process."""

    __slots__ = ("address", "links", "name")

    def __init__(self, address: Address, name: str, links: Mapping[Work, Link]) -> None:
        self.address = address
        self.name = name
        self.links = links


class Nodes:
    """All store processes, found by key; made once for each `Store`."""

    def __init__(
        self,
        seed: Address,
        make: MakeConnection,
        settings: StoreSettings,
        *,
        cluster: bool,
    ) -> None:
        self.settings = settings
        self.cluster = cluster
        self.clock = LogClock()
        self.contact = Contact()
        self.only: Node | None = None
        """The process that holds every key, once it was asked for; not in a cluster."""
        self._seed = seed
        self._make = make
        self._map: SlotMap | None = None
        self._nodes: dict[Address, Node] = {}
        self._refreshing = asyncio.Lock()
        self._refreshed_at = float("-inf")
        self._moved_at: dict[int, float] = {}
        self._closed = False
        self._retiring: set[asyncio.Task[None]] = set()

    # Finding.

    def of_key(self, key: str) -> Node:
        """The process that holds `key`, as far as is known."""
        if not self.cluster:
            self.only = self._node(self._seed)
            return self.only
        if self._map is None:
            raise NotSent("Where the cluster keeps what is not known yet.")
        return self._node(self._map.of_key(key))

    def masters(self) -> list[Node]:
        """Every process that holds keys."""
        addresses = [self._seed] if self._map is None else self._map.masters()
        return [self._node(address) for address in addresses]

    def addresses(self) -> list[Address]:
        """Every address that may be asked or listened to, in random order."""
        members = [self._seed] if self._map is None else self._map.members
        return random.sample(members, len(members))

    def connection(self, address: Address) -> AbstractConnection:
        """A connection of the caller's own, not yet connected."""
        return self._make(address)

    def lost(self) -> None:
        """A connection was lost: what is cached must be verified."""
        self.contact.epoch += 1

    # Calling by key.

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
        self,
        key: str,
        commands: Sequence[Command],
        work: Work = Work.CALLS,
        *,
        only_reads: bool = False,
    ) -> list[Any]:
        """The answers to several commands on one key, sent together to one process.

        Where more than one has a key they must be a transaction, so that a refusal
        of one means that nothing happened. What `only_reads` is asked again even if
        the answer was lost.
        """
        deadline = self._deadline()
        asking: Node | None = None
        while True:
            try:
                node = asking or self.of_key(key)
                sent = [("ASKING",), *commands] if asking else commands
                answers = await node.links[work].call(sent, deadline)
                refusal = _first_refusal(answers)
                if refusal is None:
                    return answers[1:] if asking else answers
                asking = await self.redirect(node, refusal, deadline)
            except NotSent as error:
                asking = None
                await self.settle(error, deadline)
            except Unanswered as error:
                if not only_reads:
                    raise
                asking = None
                await self.settle(error, deadline)

    # Calling without a key.

    async def ask(self, address: Address, *command: Argument) -> Any:
        """What the process at `address` answers to one command."""
        node = self._node(address)
        [answer] = await node.links[Work.CALLS].call([command], self._deadline())
        if isinstance(answer, Refusal):
            raise StoreUnavailable(f"{node.name} refused: {answer}") from answer
        return answer

    async def ask_all(self, *command: Argument) -> dict[Node, Any]:
        """What every process that holds keys answers to one command."""
        nodes = self.masters()
        answers = await asyncio.gather(*(self.ask(n.address, *command) for n in nodes))
        return dict(zip(nodes, answers, strict=True))

    async def tell_any(self, *command: Argument) -> None:
        """Sends one command to whichever process takes it first."""
        nodes = [self._node(address) for address in self.addresses()]
        nodes.sort(key=lambda node: not node.links[Work.CALLS].is_connected)
        for node in nodes[:-1]:
            try:
                await self.ask(node.address, *command)
                return
            except NotSent:
                continue
        await self.ask(nodes[-1].address, *command)

    # What to do about refusals.

    async def redirect(
        self, node: Node, refusal: Exception, deadline: float
    ) -> Node | None:
        """Where to ask instead of `node`: a node for this once, or None: look again.

        Raises `StoreUnavailable` for a refusal that is final.
        """
        if isinstance(refusal, MovedError):
            await self._moved(node, refusal, deadline)
            return None
        if isinstance(refusal, AskError):
            return self._node(self._address(node, refusal))
        if isinstance(refusal, (TryAgainError, ClusterDownError, BusyLoadingError)):
            await self.settle(NotSent(f"{node.name} said: {refusal}"), deadline)
            return None
        if isinstance(refusal, ReadOnlyError):
            # Behind one name another server may be the master by now.
            for link in node.links.values():
                link.drop("it is read-only")
        raise StoreUnavailable(f"{node.name} refused: {refusal}") from refusal

    async def settle(self, error: StoreUnavailable, deadline: float) -> None:
        """Waits a little before another try; raises `error` when time is up."""
        if self._closed or asyncio.get_running_loop().time() + _PAUSE_S >= deadline:
            raise error
        await asyncio.sleep(_PAUSE_S)
        if self.cluster:
            await self.refresh()

    async def refresh(self) -> None:
        """Asks any member for the map of slots; keeps the old one if none answers."""
        loop = asyncio.get_running_loop()
        async with self._refreshing:
            if loop.time() - self._refreshed_at < _REFRESH_S:
                return
            for address in dict.fromkeys([*self.addresses(), self._seed]):
                try:
                    answer = await self.ask(address, "CLUSTER", "SLOTS")
                except StoreUnavailable:
                    continue
                if answer:
                    self._adopt(SlotMap.parse(answer, address))
                    break
            self._refreshed_at = loop.time()

    async def aclose(self) -> None:
        """Closes every connection; calls in flight are `Unanswered`."""
        self._closed = True
        links = [link for node in self._nodes.values() for link in node.links.values()]
        await asyncio.gather(*(link.aclose() for link in links), *self._retiring)

    # Private methods.

    def _deadline(self) -> float:
        return asyncio.get_running_loop().time() + self.settings.read_timeout_s

    def _node(self, address: Address) -> Node:
        node = self._nodes.get(address)
        if node is None:
            host, port = address
            name = f"{host}:{port}" if port else host
            timeout_s = self.settings.connect_timeout_s
            links = {
                work: Link(name, lambda: self._make(address), timeout_s, self.lost)
                for work in Work
            }
            node = self._nodes[address] = Node(address, name, links)
        return node

    async def _moved(self, node: Node, refusal: MovedError, deadline: float) -> None:
        slot: int = refusal.slot_id
        if self._map is not None:
            self._map.move(slot, self._address(node, refusal))
        # Another process holds the race now, perhaps with an older log.
        self.lost()
        now = asyncio.get_running_loop().time()
        if now - self._moved_at.get(slot, float("-inf")) < _PAUSE_S:
            # Two that each name the other are not to be asked in a circle.
            await self.settle(NotSent(f"{node.name} said: {refusal}"), deadline)
        self._moved_at[slot] = now

    def _address(self, node: Node, refusal: AskError) -> Address:
        # A member that does not know its own name says nothing.
        where = cast("Any", refusal)
        return (where.host or node.address[0], where.port)

    def _adopt(self, map: SlotMap) -> None:
        """Takes a new map, and closes what is not on it any more."""
        if self._map is not None and self._map.masters() != map.masters():
            self.lost()
        self._map = map
        masters = set(map.masters())
        for address in list(self._nodes):
            name = self._nodes[address].name
            if address not in masters:
                self.clock.forget(name)
            if address not in map.members and address != self._seed:
                node = self._nodes.pop(address)
                for link in node.links.values():
                    task = asyncio.create_task(link.aclose())
                    self._retiring.add(task)
                    task.add_done_callback(self._retiring.discard)


def _first_refusal(answers: Sequence[Any]) -> Exception | None:
    """The first refusal among answers, or inside of a transaction's."""
    looked_at: list[Any] = list(answers)
    for answer in answers:
        if isinstance(answer, list):
            looked_at += answer[:2]
    return next((answer for answer in looked_at if isinstance(answer, Refusal)), None)
