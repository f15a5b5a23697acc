"""`samedeal solve` and `samedeal analyse`: what can become of a deal, or could have."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from samedeal_cli.asking import DEFAULT_SERVER, ServerUrl
from samedeal_cli.choosing import (
    GameName,
    Nodes,
    VariantName,
    chosen_deal,
    chosen_variant,
)
from samedeal_cli.errors import Failure
from samedeal_cli.sources import LogSource, read_log
from samedeal_games import MAX_NODES, Solution, Verdict, solve as solved


if TYPE_CHECKING:
    from samedeal_server.race.analysis import Analysis
    from samedeal_server.race.model import Race
    from samedeal_server.race.seat import Seat


_STATUS = {Verdict.WON: 0, Verdict.LOST: 1, Verdict.UNKNOWN: 3}


def solve(
    game: GameName,
    seed: Annotated[
        str,
        typer.Option(metavar="HEX", help="The deal's seed, 32 lower-case hex digits."),
    ],
    variant: VariantName = None,
    nodes: Nodes = MAX_NODES,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON instead.")
    ] = False,
) -> None:
    """Find the moves that clear a deal, all its cards known.

    Prints them one a line, as `samedeal simulate` reads them, and leaves with status
    0; prints "lost" with status 1 where it is proven that none do, and "unknown" with
    status 3 where the search ended before it could tell. With --json there is also
    the best line of a deal that is not won, and the cards that it leaves; "exact"
    says that no line leaves fewer.

    \b
    samedeal solve doublets --seed 00000000000000000000000000000000
    samedeal solve juvenile --variant two-decks --json --seed $SEED
    samedeal solve doublets --seed $SEED | samedeal simulate doublets --seed $SEED
    """
    choice = chosen_variant(game, variant)
    solution = solved(chosen_deal(choice, seed), nodes)
    if as_json:
        head = {"game": choice.game, "variant": choice.name, "seed": seed}
        _print_json({**head, **_described(solution), "nodes": solution.nodes})
    elif solution.verdict is Verdict.WON:
        typer.echo("\n".join(map(str, solution.line)))
    else:
        typer.echo(solution.verdict.value)
    raise typer.Exit(_STATUS[solution.verdict])


def analyse(
    source: LogSource,
    seat: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Look at this seat only.", show_default=False
        ),
    ] = None,
    nodes: Nodes = MAX_NODES,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON instead.")
    ] = False,
    server: ServerUrl = DEFAULT_SERVER,
) -> None:
    """Say what could have become of a race's deal.

    For each seat: the last turn at which its board could still be cleared, the move
    that lost it, and a line that would have cleared that board. For a deal that
    nobody could clear: the fewest cards that could have been left. What a search
    cannot tell within its nodes is said to be unknown.

    \b
    samedeal analyse race.jsonl
    samedeal analyse abcdefgh234567xy --seat 0 --server https://samedeal.example
    """
    data, _ = read_log(source, server)

    from samedeal_cli.playback import chosen_seats, film, seats_of
    from samedeal_server.race.analysis import analyse as analysed

    frames = film(data)
    if not frames:
        raise Failure("This race ended in its lobby: nobody played.")
    race = frames[-1].race
    analysis = analysed(race, chosen_seats(seats_of(frames), seat), nodes)
    seats = [s for s in race.taken if seat in (None, s.number)]
    if as_json:
        _print_json(_all_of(race, seats, analysis))
    else:
        typer.echo(_told(race, seats, analysis, nodes))


def _told(
    race: "Race", seats: "list[Seat]", analysis: "Analysis", max_nodes: int
) -> str:
    from samedeal_cli.hindsight import about_deal, about_seat
    from samedeal_cli.output import wrapped

    variant = race.variant
    told = [
        f"Race {race.id}: {variant.game}, {variant.name}.",
        wrapped(about_deal(analysis, max_nodes)),
    ]
    if analysis.deal.verdict is not Verdict.WON:
        told.append(_line("The best line:", analysis.deal.line))
    for seat in seats:
        chance = analysis.chances.get(seat.number)
        told.append(f"\nSeat {seat.number}, {seat.name}: {about_seat(seat, chance)}")
        if chance is not None and chance.line and seat.left:
            told.append(_line("From there:", chance.line))
    return "\n".join(told)


def _line(head: str, moves: tuple[object, ...]) -> str:
    from samedeal_cli.output import wrapped

    return wrapped(f"{head} {' '.join(map(str, moves)) or 'no move.'}", "  ")


def _all_of(race: "Race", seats: "list[Seat]", analysis: "Analysis") -> dict[str, Any]:
    import msgspec

    from samedeal_server.race.analysis import told_of_seat

    return {
        "race": race.id,
        "game": race.variant.game,
        "variant": race.variant.name,
        "seed": race.seed,
        **_described(analysis.deal),
        "seats": [
            {
                "seat": seat.number,
                "name": seat.name,
                **msgspec.to_builtins(
                    told_of_seat(seat, analysis.chances.get(seat.number))
                ),
            }
            for seat in seats
        ],
    }


def _described(solution: Solution) -> dict[str, Any]:
    return {
        "verdict": solution.verdict.value,
        "left": solution.left,
        "exact": solution.exact,
        "line": [*map(str, solution.line)],
    }


def _print_json(message: dict[str, Any]) -> None:
    import msgspec

    typer.echo(msgspec.json.encode(message))
