"""A player's command on a race, decided: the way in to this package."""

from typing import Final

from samedeal_protocol import commands
from samedeal_server.race import lobby, play
from samedeal_server.race.decision import Decision
from samedeal_server.race.model import Race
from samedeal_server.race.refusal import Refusal
from samedeal_server.race.seat import Seat


RaceCommand = (
    commands.Ready
    | commands.Start
    | commands.Leave
    | commands.Move
    | commands.Undo
    | commands.Resign
    | commands.Kick
)
"""Commands that can change a race they name; the others only read or seat."""

RACE_COMMANDS: Final = (
    commands.Move,
    commands.Undo,
    commands.Resign,
    commands.Ready,
    commands.Start,
    commands.Leave,
    commands.Kick,
)
"""The same for `isinstance`, the most frequent first."""

_MOVE: Final = commands.Move


def decide(race: Race, player: str, command: RaceCommand, now: int) -> Decision:
    """What `command` by `player` comes to at log time `now`.

    The caller must append the events of the decision before anything else is
    decided for this race, or decide on the state with them reduced.

    Raises:
        Refusal: the player has no seat, or the command cannot be done.
    """
    seat = race.seat_of(player)
    if seat is None:
        raise Refusal("not_in_race", "You have no seat in this race; join it first.")
    if isinstance(command, _MOVE):  # Nearly all of them, so without a match.
        return play.move(race, seat, command.turn, command.moves, now)
    match command:
        case commands.Undo():
            return play.undo(race, seat, command.turn, now)
        case commands.Resign():
            return play.resign(race, seat, now)
        case commands.Ready():
            return lobby.ready(race, seat, command.ready, now)
        case commands.Start():
            return lobby.start(race, seat)
        case commands.Leave():
            return _leave(race, seat, now)
        case commands.Kick():
            return lobby.kick(race, seat, command.seat, now)


def _leave(race: Race, seat: Seat, now: int) -> Decision:
    if race.in_lobby:
        return lobby.leave(race, seat, now)
    return play.give_up(race, seat, now)
