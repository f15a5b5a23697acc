"""What many tests of the server begin with: a lobby, a race, a known deal."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.helpers.positions import rows
from tests.helpers.raw import Message, Raw


NOWHERE = "aaaaaaaaaaaaaaaa"
"""The id of a race that there is not, though there could be."""

DEFAULTS: Message = {
    "seats": 8,
    "bots": [],
    "countdown_ms": 3000,
    "time_limit_ms": 600_000,
    "undo": False,
    "open": False,
    "deals": "any",
}
"""The settings of a race for which nobody has chosen any."""


@dataclass(frozen=True, eq=False)
class Line:
    """A game of the vectors: its deal, and single moves from the start to its end."""

    game: str
    variant: str
    seed: str
    start: Message
    turns: list[Message]

    @property
    def moves(self) -> list[str]:
        return [turn["move"] for turn in self.turns]

    @property
    def end(self) -> str:
        """The status after the last turn."""
        last = self.turns[-1] if self.turns else self.start
        return str(last["status"])

    @property
    def create(self) -> Message:
        """The fields of `create` that give this deal."""
        return {"game": self.game, "variant": self.variant, "seed": self.seed}


def find(game: str, variant: str, fits: Callable[[Line], bool]) -> Line:
    """The shortest game of the vectors that fits."""
    lines = [
        Line(game, variant, row["seed"], row["start"], row["turns"])
        for row in rows(f"transcripts/{game}_{variant}.jsonl")
    ]
    return min(filter(fits, lines), key=lambda line: len(line.turns))


def line(game: str, variant: str, status: str, turns: int = 0) -> Line:
    """The shortest game of the vectors, of `turns` or more, that ends in `status`."""
    return find(
        game, variant, lambda line: line.end == status and len(line.turns) >= turns
    )


# Nothing is hidden in these two, so a turn may be a list of moves.
WINNING = line("juvenile", "one-deck", "won")
STUCK = line("juvenile", "one-deck", "stuck", turns=2)
SLIDING = line("private-lane", "any-suit", "stuck")
# In these cards lie face down: under the tops, and in the stock.
COVERED = line("doublets", "sealed", "won")
STOCKED = line("straight-fifteens", "straight", "won")
DEAD = line("simple-pairs", "standard", "stuck")
"""Stuck before the first move."""


async def opened(host: Raw, *guests: Raw, **settings: Any) -> str:
    """A lobby with the host in seat 0 and the guests in the next; its id."""
    settings.setdefault("game", "juvenile")
    joined = await host.ask("create", **settings)
    assert joined["type"] == "joined", joined
    race: str = joined["race"]
    for guest in guests:
        joined = await guest.ask("join", race=race)
        assert joined["type"] == "joined", joined
    for player in (host, *guests):
        await player.rest()
    return race


async def started(host: Raw, *guests: Raw, **settings: Any) -> str:
    """A race that has just begun; everyone has taken the view. Its id."""
    settings = {
        "countdown_ms": 0,
        "seats": 1 + len(guests),
        **WINNING.create,
    } | settings
    race = await opened(host, *guests, **settings)
    for player in (host, *guests):
        await player.send("ready", race=race)
    for player in (host, *guests):
        await player.until("view", race=race)
        await player.rest()
    return race


async def play(player: Raw, race: str, moves: list[str], turn: int = 0) -> Message:
    """Play single moves, a turn each; the last patch."""
    patch: Message = {}
    for move in moves:
        patch = await player.ask("move", race=race, turn=turn, moves=[move])
        assert patch["type"] == "patch", patch
        turn = patch["turn"]
    return patch


async def server_ms(player: Raw) -> int:
    """The log's clock, as a `ping` tells it."""
    now: int = (await player.ask("ping"))["now_ms"]
    return now


async def let_pass(player: Raw, ms: int) -> None:
    """Ping until so much time has gone by on the log's clock."""
    end = await server_ms(player) + ms
    while await server_ms(player) < end:
        pass


def seat_of(info: Message, number: int) -> Message:
    """A seat as a `race` shows it."""
    found: Message = next(seat for seat in info["seats"] if seat["seat"] == number)
    return found
