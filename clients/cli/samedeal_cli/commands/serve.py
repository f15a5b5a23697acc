"""`samedeal serve`: a server in the foreground, until it is told to stop."""

from collections.abc import Callable, Mapping
from typing import Annotated

import typer

from samedeal_cli.asking import DEFAULT_SERVER
from samedeal_cli.commands.options import Data, filled
from samedeal_cli.extras import server_extra


def serve(
    host: Annotated[
        str | None,
        typer.Option(
            metavar="HOST",
            help="Address to listen on (127.0.0.1).",
            show_default=False,
            callback=filled,
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            metavar="PORT",
            help="Port to listen on (8765); 0 takes a free one.",
            show_default=False,
        ),
    ] = None,
    data: Data = None,
    redis: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Use this Redis 7+, Valkey 8+ or Redis Cluster (redis+cluster://) "
            "instead of the embedded store.",
            show_default=False,
            callback=filled,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Serve with so many processes on the one port (1), for as many "
            "processors, the store needing one as well. Each counts an address's "
            "connections and joins for itself, so up to N times as many pass.",
            show_default=False,
        ),
    ] = None,
    lan: Annotated[
        bool,
        typer.Option(
            "--lan", help="Listen on all addresses, and say which one to share."
        ),
    ] = False,
    public_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Where others reach this server, for links to share (the address "
            "that the page was opened on).",
            show_default=False,
        ),
    ] = None,
    keep_days: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="DAYS",
            help="How long races are kept once they have ended (30).",
            show_default=False,
        ),
    ] = None,
    limits: Annotated[
        str | None,
        typer.Option(
            metavar="off|NAME=N,...",
            help="Turn what limits a client off, for benches, or change some of it.",
            show_default=False,
        ),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log every connection, too.")
    ] = False,
) -> None:
    """Run a server until Ctrl-C or SIGTERM.

    Prints one line when it is ready. Settings can also come from the environment, as
    SAMEDEAL_PORT for --port, and some only from there, as
    SAMEDEAL_BOT_PACE_MS=800,2000; an option goes before its variable.

    \b
    samedeal serve
    samedeal serve --lan
    samedeal serve --host 0.0.0.0 --port 80 --data /var/lib/samedeal
    samedeal serve --redis redis://localhost:6379
    samedeal serve --workers 4
    """
    if data is not None and redis is not None:
        raise typer.BadParameter(
            "it says where the embedded store is; with --redis there is none.",
            param_hint="--data",
        )
    if lan and host is not None:
        raise typer.BadParameter(
            "it is all addresses; leave --host out.", param_hint="--lan"
        )
    given = {
        "host": "0.0.0.0" if lan else host,
        "port": port,
        "data": data,
        "redis": redis,
        "workers": workers,
        "public_url": public_url,
        "keep_days": keep_days,
    }
    if data is not None:
        given["redis"] = ""  # What is asked for here goes before the environment.
    _serve(_say_what_to_share if lan else _say_ready, given, limits, verbose, lan)


def serve_bare() -> None:
    """Serve as the environment says, and say how to race."""
    _serve(_say_how_to_race, {}, None, False)


def _serve(
    on_ready: Callable[[str], None],
    given: Mapping[str, str | int | None],
    limits: str | None,
    verbose: bool,
    lan: bool = False,
) -> None:
    with server_extra("samedeal serve"):
        from samedeal_cli.serving import serve, settings_of, shared_on_lan

    chosen = {name: value for name, value in given.items() if value is not None}
    settings = settings_of(chosen, limits)
    serve(shared_on_lan(settings) if lan else settings, on_ready, verbose)


def _say_ready(url: str) -> None:
    typer.echo(f"samedeal ready on {url}")


def _say_what_to_share(url: str) -> None:
    from samedeal_cli.network import own_address

    _say_ready(url)
    port = url.rpartition(":")[2]
    typer.echo(f"Others on your network race at http://{own_address()}:{port}")


def _say_how_to_race(url: str) -> None:
    where = "" if url == DEFAULT_SERVER else f" --server {url}"
    _say_ready(url)
    typer.echo(
        f"""
Open it in a browser to race, and give the race's code to whoever shall join.
Send a bot into the race:           samedeal bot CODE{where}
Watch bots race, on a server apart: samedeal race doublets
Ctrl-C ends this server. More:      samedeal --help"""
    )
