"""A server in this process; needs the packages of `samedeal[server]`."""

import asyncio
import logging
import os
from collections.abc import Callable
from typing import Any

import typer
import uvloop
from msgspec.structs import replace

from samedeal_cli.errors import Failure
from samedeal_cli.network import own_address
from samedeal_server.app import CannotServe, run
from samedeal_server.settings import (
    BadSetting,
    Settings,
    from_environment,
    parse_limits,
)
from samedeal_server.store import StoreError
from samedeal_server.workers import run_workers


def settings_of(given: dict[str, Any], limits: str | None) -> Settings:
    """Return the settings given on the command line, the rest by the environment."""
    try:
        if limits is not None:
            given = {**given, "limits": parse_limits(limits)}
        return from_environment(os.environ, **given)
    except BadSetting as error:
        raise typer.BadParameter(str(error)) from None


def shared_on_lan(settings: Settings) -> Settings:
    """Return settings by which links name the address that others can reach."""
    if settings.public_url or not settings.port:
        return settings
    return replace(settings, public_url=f"http://{own_address()}:{settings.port}")


def serve(settings: Settings, on_ready: Callable[[str], None], verbose: bool) -> None:
    """Serve until SIGTERM or SIGINT; `on_ready` is told the URL.

    Raises:
        Failure: the server cannot start, and what to do.
    """
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    if settings.workers > 1:
        serving = run_workers(settings, on_ready)
    else:
        serving = run(settings, lambda app: on_ready(app.url))
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serving)
    except (CannotServe, StoreError) as error:
        raise Failure(str(error)) from None
