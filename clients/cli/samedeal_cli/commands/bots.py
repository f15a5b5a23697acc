"""`samedeal race` and `samedeal bot`: races of programs."""

from typing import Annotated

import typer

from samedeal_cli.asking import DEFAULT_SERVER, ServerUrl, asking
from samedeal_cli.choosing import GameName, VariantName, chosen_variant
from samedeal_cli.extras import server_extra
from samedeal_games import LEVELS
from samedeal_protocol.names import (
    MAX_SEATS,
    BadName,
    clean_name,
    is_race_id,
    parse_code,
)


_PACE = "How long a bot thinks about a move, on the average."

Level = Annotated[
    str,
    typer.Option(
        "--level",
        metavar="L",
        help=f"How well to play: {', '.join(LEVELS)}.",
        autocompletion=lambda: list(LEVELS),
    ),
]


def race(
    game: GameName,
    variant: VariantName = None,
    players: Annotated[
        int,
        typer.Option(
            min=1,
            max=MAX_SEATS,
            metavar="N",
            help="How many bots connect as anybody's program does.",
        ),
    ] = 2,
    level: Level = "greedy",
    bots: Annotated[
        str,
        typer.Option(
            metavar="LEVEL,...",
            help="The levels of bots that the server seats besides; '' for none.",
        ),
    ] = "greedy,random",
    pace: Annotated[
        float, typer.Option(min=0, max=60, metavar="SECONDS", help=_PACE)
    ] = 0.25,
) -> None:
    """Watch bots race each other, with nothing to set up.

    Starts a server of its own on a temporary store, races on it over real sockets,
    shows how far everyone is, prints the standings, and leaves the race's log in
    the current folder as RACE.jsonl, for `samedeal replay` and `samedeal verify`.

    \b
    samedeal race doublets
    samedeal race juvenile --variant two-decks --players 8 --bots greedy
    samedeal race private-lane --players 1 --level expert --bots medium,easy
    """
    chosen = chosen_variant(game, variant)
    levels = [_level(name, "--bots") for name in bots.split(",") if name]
    if players + len(levels) > MAX_SEATS:
        raise typer.BadParameter(
            f"{players} players and {len(levels)} bots are more than the {MAX_SEATS} "
            "seats of a race.",
            param_hint="--players",
        )
    with server_extra("samedeal race"):
        from samedeal_cli.racing import Plan
    from samedeal_cli.playing import Pace
    from samedeal_cli.watching import watch

    watch(Plan(chosen, [_level(level, "--level")] * players, levels, Pace(pace)))


def bot(
    code: Annotated[
        str,
        typer.Argument(
            metavar="CODE",
            help="The race's six letters, or its id.",
            show_default=False,
        ),
    ],
    server: ServerUrl = DEFAULT_SERVER,
    level: Level = "greedy",
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What it is called; without it, as its level.",
            show_default=False,
        ),
    ] = None,
    pace: Annotated[
        float, typer.Option(min=0, max=60, metavar="SECONDS", help=_PACE)
    ] = 1.4,
) -> None:
    """Join a race as a bot, by its code.

    It says at once that it is ready, plays at a person's pace, and stays to the end
    of the race. Ctrl-C makes it leave.

    \b
    samedeal bot ABCDEF
    samedeal bot ABCDEF --level expert --name Deep --server https://samedeal.example
    """
    if not (parse_code(code) or is_race_id(code)):
        raise typer.BadParameter(
            f"{code!r} is no race's code, which is six letters.", param_hint="CODE"
        )
    level = _level(level, "--level")
    try:
        name = clean_name(level.capitalize() if name is None else name)
    except BadName as error:
        raise typer.BadParameter(str(error), param_hint="--name") from None

    import asyncio

    from samedeal_cli.playing import Pace, visit

    with asking(server):
        asyncio.run(visit(server, code, level, name, Pace(pace)))


def _level(name: str, option: str) -> str:
    if name not in LEVELS:
        raise typer.BadParameter(
            f"there is no level {name!r}; choose from {', '.join(LEVELS)}.",
            param_hint=option,
        )
    return name
