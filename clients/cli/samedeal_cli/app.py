"""The `samedeal` command put together: its commands, and what they do bare."""

from typing import Annotated

import typer

from samedeal_cli.commands import archive, bots, logs, rules, serve, solving


app = typer.Typer(
    name="samedeal",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
)

app.command()(serve.serve)
app.command()(rules.games)
app.command()(rules.deal)
app.command()(rules.simulate)
app.command()(solving.solve)
app.command()(bots.race)
app.command()(bots.bot)
app.command()(logs.export)
app.command()(archive.archive)
app.command()(logs.replay)
app.command()(logs.verify)
app.command()(solving.analyse)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        from samedeal_games import play

        compiled = "" if str(play.__file__).endswith(".py") else " (compiled)"
        typer.echo(f"samedeal {version('samedeal')}{compiled}")
        raise typer.Exit()


@app.callback(invoke_without_command=True)
def samedeal(
    context: typer.Context,
    _: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Race friends through the same solitaire deal.

    Without a command: start a server here and say how to race on it.

    \b
    samedeal                 a server at http://127.0.0.1:8765
    samedeal race doublets   watch bots race, no server needed
    samedeal games           what can be played
    """
    if context.invoked_subcommand is None:
        serve.serve_bare()
