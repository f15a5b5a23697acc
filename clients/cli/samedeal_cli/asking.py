"""Asking a server for something, and how that fails."""

import contextlib
from collections.abc import Generator
from typing import Annotated

import typer

from samedeal_cli.errors import Failure


DEFAULT_SERVER = "http://127.0.0.1:8765"

ServerUrl = Annotated[
    str,
    typer.Option(
        "--server",
        metavar="URL",
        envvar="SAMEDEAL_SERVER",
        help="The server to ask.",
        show_envvar=True,
    ),
]


@contextlib.contextmanager
def asking(server: str) -> Generator[None]:
    """Ask things of that server in here with the SDK.

    Raises:
        typer.BadParameter: that is no server's address.
        Failure: it cannot be reached, or refuses, and what to do.
    """
    import samedeal
    from samedeal.addresses import websocket_url

    try:
        websocket_url(server)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--server") from None
    try:
        yield
    except samedeal.CannotConnect as error:
        raise Failure(
            f"{server}: {error} Is it the right --server, and is `samedeal serve` "
            "running there?"
        ) from None
    except samedeal.SamedealError as error:
        raise Failure(str(error)) from None
