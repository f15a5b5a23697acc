"""Raw clients that race: boards kept from patches, moves chosen as bots choose."""

import random
from typing import Any

from tests.helpers.raw import Message, Raw

from samedeal_games import State, Variant, choose, from_view


Piles = dict[str, list[str]]


def applied(piles: Piles, patch: Message) -> Piles:
    """The piles after a patch, as the page says to apply one."""
    after = dict(piles)
    for pile, (keep, cards) in patch["piles"].items():
        assert keep <= len(piles[pile])
        after[pile] = [*piles[pile][:keep], *cards]
    return after


# So long a game says all that there is to say.
_MOST_TURNS = 60


class Racer:
    """One player in one race.

    Attributes:
        piles: the board, from the view at the start and the patches since.
        last: the last view or patch.
    """

    def __init__(self, client: Raw, variant: Variant, race: str) -> None:
        self.client = client
        self.race = race
        self.piles: Piles = {}
        self.last: Message = {}
        self._variant = variant
        self._seen: set[State] = set()
        self._random = random.Random(race)

    async def begin(self) -> None:
        """Wait for the start."""
        self.last = await self.client.until("view", race=self.race)
        self.piles = self.last["piles"]

    async def play(self) -> None:
        """Play greedy moves to the end; give up where none leads on, or after many."""
        await self.begin()
        while self.last["status"] == "playing":
            board = from_view(self._variant, self.piles)
            self._seen.add(board)
            move = choose("greedy", board, self._random.randrange, seen=self._seen)
            if move is None or self.last["turn"] == _MOST_TURNS:
                await self.step("resign")
            else:
                await self.step("move", turn=self.last["turn"], moves=[str(move)])

    async def step(self, command: str, **fields: Any) -> None:
        """Do one thing, and take in the patch that it is answered with."""
        patch = await self.client.ask(command, race=self.race, **fields)
        assert patch["type"] == "patch", patch
        assert patch["from"] == self.last["turn"]
        self.piles = applied(self.piles, patch)
        self.last = patch
