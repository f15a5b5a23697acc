"""What is kept beside the logs of races, put away when these have ended."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from . import keys
from .nodes import Nodes
from .talk import Command


class Ending(NamedTuple):
    """A race that has ended.

    `quick` is the queue it was offered in, game and variant, if it was in one;
    `fold_ms` says when its log is to be folded, by the log's clock.
    """

    race: str
    code: str
    players: tuple[str, ...]
    quick: tuple[str, str] | None
    fold_ms: int


@dataclass
class Endings:
    nodes: Nodes

    async def put_away(self, endings: Iterable[Ending], keep_s: int) -> None:
        """Takes the races off all lists of unfinished ones, has their logs folded,
        and lets all that is theirs go `keep_s` seconds from now.

        They leave the list of what is due last, so that where this fails it is
        found again and done again; it can be done any number of times.
        """
        beside: list[tuple[str, Command]] = []
        due: list[tuple[str, Command]] = []
        for ending in endings:
            beside += _beside(ending, keep_s)
            due.append((keys.DUE, ("ZREM", keys.DUE, ending.race)))
        if not due:
            return
        if not self.nodes.cluster:
            # One process does them in the order in which they come.
            commands = [command for _, command in beside + due]
            await self.nodes.exchange(keys.DUE, commands)
            return
        for part in (beside, due):
            calls = (self.nodes.call(key, *command) for key, command in part)
            await asyncio.gather(*calls)


def _beside(ending: Ending, keep_s: int) -> list[tuple[str, Command]]:
    race = ending.race
    commands: list[Command] = [
        ("ZREM", keys.LOBBY, race),
        ("ZADD", keys.ENDED, ending.fold_ms, race),
    ]
    if ending.quick is not None:
        commands.append(("ZREM", keys.quick(*ending.quick), race))
    commands += [("SREM", keys.races(player), race) for player in ending.players]
    commands += [
        ("EXPIRE", key, keep_s)
        for key in (keys.log(race), keys.rematch(race), keys.code(ending.code))
    ]
    return [(str(command[1]), command) for command in commands]
