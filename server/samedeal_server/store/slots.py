"""Which process of a Redis Cluster serves which hash slot."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from redis.crc import key_slot


Address: TypeAlias = tuple[str, int]
"""Host and port; for a Unix socket its path and 0."""

_SLOTS = 16384


class SlotMap:
    """A cluster as one of its members last described it."""

    def __init__(self, masters: Sequence[Address], members: Sequence[Address]) -> None:
        self._masters = list(masters)
        """For each slot its master."""
        self.members = list(members)
        """Masters and replicas."""

    @classmethod
    def parse(cls, answer: Sequence[Any], asked: Address) -> "SlotMap":
        """From the answer to `CLUSTER SLOTS` of the member at `asked`."""
        slots: list[Address | None] = [None] * _SLOTS
        members: dict[Address, None] = {}
        for first, last, *servers in answer:
            addresses = [
                # A member that does not know its own name says nothing.
                (host.decode() if host else asked[0], int(port))
                for host, port, *_ in servers
            ]
            members.update(dict.fromkeys(addresses))
            slots[first : last + 1] = [addresses[0]] * (last + 1 - first)
        # A slot that nobody serves is asked of somebody, who will say so.
        return cls([master or asked for master in slots], list(members))

    def of_key(self, key: str) -> Address:
        """The master that serves `key`."""
        return self._masters[key_slot(key.encode())]

    def move(self, slot: int, address: Address) -> None:
        """A member said that `slot` is served elsewhere."""
        self._masters[slot] = address
        if address not in self.members:
            self.members.append(address)

    def masters(self) -> list[Address]:
        """Every master, once."""
        return list(dict.fromkeys(self._masters))
