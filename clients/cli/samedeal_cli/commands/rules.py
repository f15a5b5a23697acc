"""`samedeal games`, `samedeal deal`, `samedeal simulate`: the rules at hand."""

import sys
from typing import Annotated, Any

import typer

from samedeal_cli.choosing import (
    GameName,
    VariantName,
    chosen_deal,
    chosen_variant,
    random_seed,
)
from samedeal_games import (
    GAMES,
    Game,
    State,
    count_moves,
    left,
    status,
    view,
)


def games(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="Show the rules of this game.",
            autocompletion=lambda: list(GAMES),
            show_default=False,
        ),
    ] = None,
) -> None:
    """List the games and their variants, or show the rules of one.

    \b
    samedeal games
    samedeal games doublets
    """
    if game is None:
        typer.echo("\n\n".join(_summary(entry) for entry in GAMES.values()))
        typer.echo("\nThe rules of one: samedeal games GAME")
        return
    chosen_variant(game, None)
    typer.echo(_rules(GAMES[game]))


def deal(
    game: GameName,
    variant: VariantName = None,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="HEX",
            help="Deal from this seed, 32 lower-case hex digits; without it, from a "
            "random one, which is shown.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON instead.")
    ] = False,
) -> None:
    """Draw a deal as a seat would see it before the first move.

    A seed gives the same cards to everyone, in any language.

    \b
    samedeal deal juvenile
    samedeal deal private-lane --variant any-suit
    samedeal deal doublets --seed 00000000000000000000000000000000 --json
    """
    choice = chosen_variant(game, variant)
    text = random_seed(choice) if seed is None else seed
    state = chosen_deal(choice, text)
    if as_json:
        import msgspec

        typer.echo(msgspec.json.encode(_described(state, text)))
    else:
        _draw(state, text)


def simulate(
    game: GameName,
    seed: Annotated[
        str,
        typer.Option(metavar="HEX", help="The deal's seed, 32 lower-case hex digits."),
    ],
    variant: VariantName = None,
) -> None:
    """Play a deal by lines of text, to check other programs' rules.

    Reads a turn from each line of standard input: one move or several, with one
    space between two of them, made all or none. Answers each with one line of JSON:
    what changed, or "error" (bad_move, illegal_move or finished) with nothing
    changed. The first line of all is the start. "legal" counts the legal moves.

    \b
    echo t0+t6 | samedeal simulate doublets --seed 00000000000000000000000000000000
    """
    state = chosen_deal(chosen_variant(game, variant), seed)

    from samedeal_cli.simulation import read_lines, simulate as played

    write, flush = sys.stdout.buffer.write, sys.stdout.buffer.flush
    for line in played(state, read_lines(sys.stdin.buffer)):
        write(line)
        flush()


def _summary(game: Game) -> str:
    from samedeal_cli.output import wrapped

    about = f"{game.about[0].lower()}{game.about[1:]}"
    return f"{wrapped(f'{game.name}: {about}')}\n{_variants(game)}"


def _rules(game: Game) -> str:
    from samedeal_cli.output import wrapped

    return f"{game.title}\n\n{wrapped(game.rules)}\n\nVariants\n{_variants(game)}"


def _variants(game: Game) -> str:
    from samedeal_cli.output import columns

    default = " (default)" if len(game.variants) > 1 else ""
    return columns(
        [
            (variant.name, variant.about + default * (variant.name == game.default))
            for variant in game.variants
        ],
        "  ",
    )


def _described(state: State, seed: str) -> dict[str, Any]:
    return {
        "game": state.variant.game,
        "variant": state.variant.name,
        "seed": seed,
        "piles": view(state),
        "left": left(state),
        "status": status(state),
        "legal": count_moves(state),
    }


def _draw(state: State, seed: str) -> None:
    from samedeal_cli.output import stdout_console, stdout_glyphs
    from samedeal_terminal.boards import draw_board

    variant = state.variant
    legal = count_moves(state)
    console = stdout_console()
    console.print(f"{GAMES[variant.game].title}, {variant.name}, seed {seed}\n")
    console.print(draw_board(variant, view(state), glyphs=stdout_glyphs()))
    stands = "stuck" if not legal else f"{legal} legal move{'s'[: legal != 1]}"
    console.print(f"\n{left(state)} cards left, {stands}.")
