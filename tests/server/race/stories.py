"""Races as chance would have them: a strategy over legal histories."""

from random import Random

from hypothesis import strategies as st
from tests.helpers.positions import VARIANTS
from tests.server.race import table as t
from tests.server.race.table import PLAYERS, Line, Table

from samedeal_games import Variant, legal_moves
from samedeal_protocol import commands
from samedeal_protocol.settings import RaceSettings
from samedeal_server.race import lobby, schedule
from samedeal_server.race.decide import RaceCommand, decide
from samedeal_server.race.decision import Decision
from samedeal_server.race.model import Race
from samedeal_server.race.reducer import evolve
from samedeal_server.race.refusal import Refusal
from samedeal_server.race.seat import Seat


# How far a node's clock may be behind and, after a set-back, ahead of the log's.
LAGS = (0, 0, 0, 1, 2, 30, 400, -1, -40)
PAUSES = (0, 0, 1, 5, 40, 300, 900, 2500)
LONG_PAUSES = (9_000, 10_000, 61_000, 1_800_000)
BAD_TEXTS = ("", "t0", "t1+t0", "t0+t00", "t0>fc", "undo", "t0+t99", "t0>t0")


class Story:
    """Drives one race by chance; see `stories`."""

    def __init__(self, made: Table, line: Line, people: int, chance: Random) -> None:
        self.table = made
        self._line = line
        self._players = PLAYERS[:people]
        self._away: dict[str, int] = {}
        self._chance = chance

    def go_on(self, steps: int) -> None:
        """So many things are asked, or become due."""
        for _ in range(steps):
            if self.table.race.ended and self._one_in(3):
                return
            self._wait()
            if self._one_in(5):
                self._come_and_go()
            if self._one_in(8):
                self._together()
            else:
                self._ask(self.table.race, self.table.now)
            if not self._one_in(4):
                self._due()

    def finish(self) -> None:
        """Everyone plays on or gives up, until the race has ended."""
        made = self.table
        if made.race.in_lobby:
            made.append(lobby.start(made.race, made.seat(made.race.host)))
        made.now = max(made.now, made.race.start_ms or 0)
        for _ in range(400):
            playing = [s for s in made.race.taken if not s.is_done()]
            if not playing or made.race.ended:
                break
            made.now += self._chance.choice((0, 1, 30, 700))
            seat = self._chance.choice(playing)
            command: RaceCommand = self._move(seat)
            if seat.turn > len(self._line.moves) + 5 or self._one_in(150):
                command = t.resign()
            self._try(seat.player, command)
            self._due()
        made.now = max(made.now, made.race.limit_ms or 0) + 1
        while not made.race.ended:
            self._due()
            made.now += 1

    # Private methods.

    def _one_in(self, n: int) -> bool:
        return self._chance.randrange(n) == 0

    def _wait(self) -> None:
        pauses = LONG_PAUSES if self._one_in(40) else PAUSES
        self.table.now = max(self.table.now, self.table.race.at_ms)
        self.table.now += self._chance.choice(pauses)

    def _stamp(self) -> int:
        """What the log's own clock says."""
        return self.table.now + self._chance.choice(LAGS)

    def _come_and_go(self) -> None:
        player = self._chance.choice(self._players)
        if self._away.pop(player, None) is None:
            self._away[player] = self.table.now

    def _due(self) -> None:
        made = self.table
        decision = schedule.due(made.race, made.now, self._away)
        if decision is not None:
            made.append(decision, self._stamp())

    def _ask(self, race: Race, now: int) -> None:
        player, command = self._command(race)
        decision = self._decide(race, player, command, now)
        if decision is not None:
            self.table.append(decision, self._stamp())

    def _try(self, player: str, command: RaceCommand) -> None:
        decision = self._decide(self.table.race, player, command, self.table.now)
        if decision is not None:
            self.table.append(decision, self._stamp())

    def _together(self) -> None:
        """Several commands, decided one on top of the other, go in one append."""
        race, decisions = self.table.race, list[Decision]()
        for _ in range(self._chance.randrange(2, 5)):
            player, command = self._command(race)
            decision = self._decide(race, player, command, self.table.now)
            if decision is not None:
                decisions.append(decision)
                for event in decision.events:
                    race = evolve(race, event, self.table.now)
        first = [d.not_before for d in decisions if d.not_before is not None]
        last = [d.not_after for d in decisions if d.not_after is not None]
        events = tuple(event for d in decisions for event in d.events)
        joint = Decision(events, max(first, default=None), min(last, default=None))
        self.table.append(joint, self._stamp())

    def _decide(
        self, race: Race, player: str, command: RaceCommand | None, now: int
    ) -> Decision | None:
        """What comes of a command, or of asking for a seat (None)."""
        try:
            if command is not None:
                return decide(race, player, command, now)
            name = self._chance.choice(("Player", "PLAYER", "Zoë", "x" * 24))
            return lobby.join(race, player, name, self._one_in(4), now)
        except Refusal as refusal:
            self.table.refused.append(refusal)
            return None

    def _command(self, race: Race) -> tuple[str, RaceCommand | None]:
        seat = self._chance.choice([*race.taken] or [None])
        if seat is None or self._one_in(4 if race.in_lobby else 40):
            return self._chance.choice(self._players), None
        return seat.player, self._command_of(race, seat)

    def _command_of(self, race: Race, seat: Seat) -> RaceCommand:
        in_lobby: list[RaceCommand] = [
            t.ready(),
            t.ready(),
            t.ready(self._one_in(2)),
            t.leave(),
            t.start(),
            t.start(),
            t.kick(self._chance.randrange(5)),
        ]
        if race.in_lobby and not self._one_in(10):
            return self._chance.choice(in_lobby)
        draw = self._chance.randrange(100)
        if draw < (60 if race.settings.undo else 76):
            return self._move(seat)
        if draw < 82:
            return t.undo(seat.turn)
        if draw < 88:
            return self._resend(seat)
        if draw < 95:
            return t.move(
                max(0, seat.turn + self._chance.randrange(-1, 2)),
                self._chance.choice(BAD_TEXTS),
            )
        if draw < 96:
            return self._chance.choice((t.resign(), t.move(seat.turn, "t0+t1")))
        return self._chance.choice(in_lobby)

    def _move(self, seat: Seat) -> commands.Move:
        """Mostly the next move of the line, so that some races are won."""
        played = [text for turn in seat.turns if turn != "undo" for text in turn]
        rest = self._line.moves[len(played) :]
        if rest and tuple(played) == self._line.moves[: len(played)]:
            longer = not seat.board.variant.hidden and self._one_in(3)
            if not self._one_in(12):
                return t.move(seat.turn, *rest[: 3 if longer else 1])
        moves = legal_moves(seat.board)
        text = str(self._chance.choice(moves)) if moves else "t0+t1"
        return t.move(seat.turn, text)

    def _resend(self, seat: Seat) -> RaceCommand:
        if not seat.turns:
            return t.undo(0)
        turn = self._chance.randrange(seat.turn)
        played = seat.turns[turn]
        return t.undo(turn) if played == "undo" else t.move(turn, *played)


@st.composite
def stories(
    draw: st.DrawFn,
    *,
    variants: tuple[Variant, ...] = VARIANTS,
    ended: bool | None = None,
    undo: bool | None = None,
) -> Table:
    """Draw a race somewhere on its way: its log, and every state it was in.

    Args:
        ended: whether it is played to its end; None leaves that to chance.
        undo: whether lists can be taken back; likewise.
    """
    variant = draw(st.sampled_from(variants))
    chance = Random(draw(st.integers(0, 2**32)))
    line = draw(st.sampled_from(t.lines(variant)))
    people = draw(st.integers(1, 4))
    bots = draw(st.lists(st.sampled_from(["random", "greedy"]), max_size=2))
    quick = not undo and draw(st.integers(0, 3)) == 0
    settings = (
        RaceSettings()
        if quick
        else RaceSettings(
            seats=draw(st.integers(len(bots) + 1, 8)),
            bots=tuple(bots),
            countdown_ms=draw(st.sampled_from([0, 1, 3000])),
            time_limit_ms=draw(st.sampled_from([10_000, 600_000])),
            undo=draw(st.booleans()) if undo is None else undo,
            open=draw(st.booleans()),
        )
    )
    made = Table(variant, seed=line.seed, quick=quick, settings=settings)
    story = Story(made, line, people, chance)
    story.go_on(draw(st.integers(0, 150)))
    if ended or (ended is None and draw(st.booleans())):
        story.finish()
    return made
