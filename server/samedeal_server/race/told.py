"""What clients are told of a race: updates computed from its state.

The only place where boards become messages; `samedeal_games.view` is the one
function that hides what a player may not see.
"""

from collections.abc import Callable

from msgspec import UNSET, UnsetType

from samedeal_games import State, replay_moves, view, view_patch
from samedeal_protocol.names import CorrelationId
from samedeal_protocol.updates import Patch, Progress, RaceInfo, SeatInfo, View
from samedeal_server.race.model import Race
from samedeal_server.race.seat import Seat


def race_info(
    race: Race,
    now: int,
    *,
    is_connected: Callable[[str], bool],
    watchers: int = 0,
    rematch: str | None = None,
    digest: str | None = None,
) -> RaceInfo:
    """The `race` update: all that everyone may know.

    Args:
        now: log time in ms.
        is_connected: whether a player is; built-in bots always are.
        digest: of the whole log; told once the race has ended.
    """
    ended = race.ended
    places = {s.seat: s.place for s in race.standings or ()}
    return RaceInfo(
        race=race.id,
        code=race.code,
        game=race.variant.game,
        variant=race.variant.name,
        settings=race.settings,
        chosen=race.chosen,
        commitment=race.commitment,
        phase=race.phase(now),
        starts_in_ms=(UNSET if race.start_ms is None or ended else race.start_ms - now),
        host=race.host,
        seats=[
            SeatInfo(
                seat=seat.number,
                player=seat.player,
                name=seat.name,
                bot=UNSET if seat.bot is None else seat.bot,
                ready=seat.ready,
                connected=seat.built_in or is_connected(seat.player),
                left=seat.left,
                turn=seat.turn,
                status=race.status(seat, now),
                elapsed_ms=seat.elapsed_ms,
                place=places.get(seat.number, UNSET),
            )
            for seat in race.taken
        ],
        watchers=watchers,
        rematch=UNSET if rematch is None else rematch,
        seed=race.seed if ended else UNSET,
        salt=race.salt if ended else UNSET,
        digest=digest if ended and digest is not None else UNSET,
    )


def seat_view(race: Race, seat: Seat, now: int) -> View:
    """A seat's whole board, as it may be seen; only once the race has started."""
    return View(
        race=race.id,
        seat=seat.number,
        turn=seat.turn,
        piles=view(seat.board),
        left=seat.left,
        status=race.status(seat, now),
        elapsed_ms=seat.elapsed_ms,
    )


def step_patch(
    race: Race,
    before: Seat,
    seat: Seat,
    now: int,
    re: CorrelationId | UnsetType = UNSET,
) -> Patch:
    """The patch for what just happened to a seat of `race`, its state after; `re`
    where it answers somebody.

    Before the start it has no piles, whatever happened: nobody has a view.
    """
    board = seat.board
    shown = before.board is not board and race.has_started(now)
    piles = view_patch(before.board, board) if shown else {}
    return _patch(race, seat, len(before.turns), piles, now, re)


def patch_from(race: Race, seat: Seat, turn: int, now: int) -> Patch:
    """The patch from an earlier turn of the seat to now; empty when equal."""
    if turn == seat.turn or not race.has_started(now):
        return _patch(race, seat, seat.turn, {}, now)
    earlier = board_at(race, seat, turn)
    return _patch(race, seat, turn, view_patch(earlier, seat.board), now)


def board_at(race: Race, seat: Seat, turn: int) -> State:
    """The seat's board as it was at `turn`, played again from the deal."""
    boards = [race.deal]
    for played in seat.turns[:turn]:
        if played == "undo":
            boards.pop()
            continue
        boards.append(replay_moves(boards[-1], played))
    return boards[-1]


def progress(race: Race, seat: Seat, now: int) -> Progress:
    """Another seat's advance: how far, never a card."""
    return Progress(
        race=race.id,
        seat=seat.number,
        turn=seat.turn,
        left=seat.left,
        status=race.status(seat, now),
        elapsed_ms=seat.elapsed_ms,
    )


def _patch(
    race: Race,
    seat: Seat,
    from_turn: int,
    piles: dict[str, tuple[int, list[str]]],
    now: int,
    re: CorrelationId | UnsetType = UNSET,
) -> Patch:
    turns = seat.turns
    is_playing = seat.closed is None and seat.outcome is None
    is_playing = is_playing and race.has_started(now)
    return Patch(
        re=re,
        race=race.id,
        seat=seat.number,
        from_=from_turn,
        turn=len(turns),
        turns=turns[from_turn:],
        piles=piles,
        left=seat.lefts[-1][0],
        status="playing" if is_playing else race.status(seat, now),
        elapsed_ms=seat.elapsed_ms,
    )
