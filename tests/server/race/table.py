"""A race by the core alone: decided and appended by a clock that the test sets."""

import functools
from typing import NamedTuple

from tests.helpers.positions import rows

from samedeal_games import Variant, find_variant, left
from samedeal_protocol import commands, events
from samedeal_protocol.codec import encode_event
from samedeal_protocol.commitment import commit
from samedeal_protocol.events import Event
from samedeal_protocol.settings import RaceSettings
from samedeal_server.race import lobby, schedule
from samedeal_server.race.decide import RaceCommand, decide
from samedeal_server.race.decision import Decision
from samedeal_server.race.reducer import begin, evolve
from samedeal_server.race.refusal import Refusal
from samedeal_server.race.seat import Seat


T0 = 1_764_451_200_000
RACE = "k3v7q2mzt5ad6xwp"
SALT = bytes(range(16))
PLAYERS = tuple("p" * 15 + letter for letter in "abcdefghijklmnopqrst")


class Entry(NamedTuple):
    """An entry of the log: `event` as it was decided, `data` as it is stored."""

    at_ms: int
    event: Event
    data: bytes


class Line(NamedTuple):
    """A deal, moves to play on it, and the status that they lead to."""

    seed: bytes
    moves: tuple[str, ...]
    status: str


@functools.cache
def lines(variant: Variant) -> tuple[Line, ...]:
    """Played-out games of the vectors, the longest first."""
    file = f"transcripts/{variant.game}_{variant.name}.jsonl"
    found = [
        Line(
            bytes.fromhex(row["seed"]),
            tuple(turn["move"] for turn in row["turns"]),
            row["turns"][-1]["status"] if row["turns"] else row["start"]["status"],
        )
        for row in rows(file)
    ]
    return tuple(sorted(found, key=lambda line: -len(line.moves)))


def line(variant: Variant, status: str = "won") -> Line:
    """The longest such game that ends so."""
    return next(line for line in lines(variant) if line.status == status)


def dead_deal(variant: Variant) -> bytes:
    """The seed of a deal that is stuck before the first move."""
    return next(line.seed for line in lines(variant) if not line.moves)


class Table:
    """A race, and the log that got it to where it stands.

    Attributes:
        race: after all entries.
        now: what a node takes for the log's clock, in ms.
        entries: the log.
        states: the race after each of them.
        whole: the lengths that the log has had between appends.
        refused: what was refused on the way, where a story drives the race.
    """

    def __init__(
        self,
        variant: Variant | None = None,
        *,
        seed: bytes = bytes(16),
        quick: bool = False,
        chosen: bool = False,
        host_bot: str | None = None,
        settings: RaceSettings | None = None,
    ) -> None:
        self.variant = variant or find_variant("juvenile")
        self.now = T0
        self.settings = settings or RaceSettings()
        created = events.Created(
            race=RACE,
            code="QWXYZA",
            game=self.variant.game,
            variant=self.variant.name,
            rules=1,
            settings=self.settings,
            chosen=chosen,
            quick=quick,
            host=PLAYERS[0],
            seed=seed.hex(),
            salt=SALT.hex(),
            commitment=commit(SALT, seed, self.variant.game, self.variant.name),
        )
        self.race = begin(created, T0)
        self.entries = [Entry(T0, created, encode_event(created))]
        self.states = [self.race]
        self.whole: list[int] = []
        self.refused: list[Refusal] = []
        joined = events.Joined(seat=0, player=PLAYERS[0], name="Player 0")
        if host_bot is not None:
            joined = events.Joined(
                seat=0, player=PLAYERS[0], name="Player 0", bot=host_bot
            )
        bots = [
            events.Joined(seat=n, player=PLAYERS[-n], name=f"Bot {n}", bot=level)
            for n, level in enumerate(self.settings.bots, 1)
        ]
        self.append(Decision((joined, *bots)))

    def __repr__(self) -> str:
        lines = [f"{at_ms - T0:+} {data.decode()}" for at_ms, _, data in self.entries]
        return "\n".join(["a race, by its log:", *lines])

    # What stands.

    def seat(self, number: int) -> Seat:
        seat = self.race.seat(number)
        assert seat is not None
        return seat

    def of(self, who: int) -> Seat:
        """The seat of player number `who`."""
        seat = self.race.seat_of(PLAYERS[who])
        assert seat is not None
        return seat

    @property
    def start_ms(self) -> int:
        assert self.race.start_ms is not None
        return self.race.start_ms

    @property
    def limit_ms(self) -> int:
        assert self.race.limit_ms is not None
        return self.race.limit_ms

    @property
    def events(self) -> list[Event]:
        return [entry.event for entry in self.entries]

    # What happens.

    def append(self, decision: Decision, at_ms: int | None = None) -> bool:
        """Append as the log would, at `at_ms` or now; False where it refuses."""
        stamp = max(self.race.at_ms, self.now if at_ms is None else at_ms)
        first, last = decision.not_before, decision.not_after
        if (first is not None and stamp < first) or (last is not None and stamp > last):
            return False
        for event in decision.events:
            self.race = evolve(self.race, event, stamp)
            self.entries.append(Entry(stamp, event, encode_event(event)))
            self.states.append(self.race)
        if decision.events:
            self.whole.append(len(self.entries))
        return True

    def decided(self, player: str, command: RaceCommand) -> Decision:
        """What a command comes to now; nothing is appended."""
        return decide(self.race, player, command, self.now)

    def ask(self, who: int, command: RaceCommand) -> Decision:
        """Player number `who` asks; what is decided is appended."""
        decision = self.decided(PLAYERS[who], command)
        assert self.append(decision)
        return decision

    def join(self, who: int, name: str | None = None, *, is_bot: bool = False) -> int:
        """Player number `who` takes a seat, whose number is returned."""
        decision = lobby.join(
            self.race, PLAYERS[who], name or f"Player {who}", is_bot, self.now
        )
        assert self.append(decision)
        return self.of(who).number

    def begin(self) -> "Table":
        """The host starts, and the countdown passes."""
        self.ask(0, start())
        self.now = self.start_ms
        return self

    def play(self, who: int, *moves: str, after_ms: int = 0) -> Decision:
        """A list of moves in turn, so many ms later."""
        self.now += after_ms
        return self.ask(who, move(self.of(who).turn, *moves))

    def undo(self, who: int, *, after_ms: int = 0) -> Decision:
        self.now += after_ms
        return self.ask(who, undo(self.of(who).turn))

    def due(self, away: schedule.Away | None = None) -> Decision | None:
        """What is due now; it is appended."""
        decision = schedule.due(self.race, self.now, away or {})
        if decision is not None:
            assert self.append(decision)
        return decision

    def finish(self) -> "Table":
        """All that is due now, and the end comes of it."""
        while self.due() is not None:
            pass
        assert self.race.ended
        return self


def table(game: str, variant: str | None = None, *, players: int = 1) -> Table:
    """A lobby of so many people, all seats as by default."""
    made = Table(find_variant(game, variant))
    for who in range(1, players):
        made.join(who)
    return made


def racing(
    variant: Variant, seed: bytes = bytes(16), *, players: int = 1, undo: bool = False
) -> Table:
    """A race of so many people at the instant of its start."""
    made = Table(variant, seed=seed, settings=RaceSettings(undo=undo))
    for who in range(1, players):
        made.join(who)
    return made.begin()


def total(made: Table) -> int:
    """How many cards were dealt."""
    return left(made.race.deal)


# Commands on the race.


def move(turn: int, *moves: str) -> commands.Move:
    return commands.Move(race=RACE, turn=turn, moves=[*moves])


def undo(turn: int) -> commands.Undo:
    return commands.Undo(race=RACE, turn=turn)


def resign() -> commands.Resign:
    return commands.Resign(race=RACE)


def ready(is_ready: bool = True) -> commands.Ready:
    return commands.Ready(race=RACE, ready=is_ready)


def start() -> commands.Start:
    return commands.Start(race=RACE)


def leave() -> commands.Leave:
    return commands.Leave(race=RACE)


def kick(seat: int) -> commands.Kick:
    return commands.Kick(race=RACE, seat=seat)
