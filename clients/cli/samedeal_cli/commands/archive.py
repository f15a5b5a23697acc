"""`samedeal archive`: the logs of finished races, kept for good."""

from pathlib import Path
from typing import Annotated

import typer

from samedeal_cli.commands.options import Data, filled
from samedeal_cli.errors import Failure
from samedeal_cli.extras import server_extra
from samedeal_cli.wording import counted


def archive(
    directory: Annotated[
        str,
        typer.Argument(
            metavar="DIR",
            help="Where the files go; made if need be.",
            show_default=False,
            callback=filled,
        ),
    ],
    data: Data = None,
    redis: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="The Redis, Valkey or Redis Cluster that the servers share.",
            show_default=False,
            callback=filled,
        ),
    ] = None,
) -> None:
    """Copy the logs of races that have ended into files.

    Each race becomes RACE.jsonl.zst, its log compressed by zstd, which `replay`,
    `verify` and `analyse` read as it is. What the directory has already is left
    alone, so this can be run again and again, before --keep-days lets a race go.
    Nothing is removed from the store. Servers may be running, or not.

    \b
    samedeal archive /var/backups/races
    samedeal archive races --data /var/lib/samedeal
    samedeal archive races --redis redis://localhost:6379
    """
    if data is not None and redis is not None:
        raise typer.BadParameter(
            "it says where the embedded store is; with --redis there is none.",
            param_hint="--data",
        )
    with server_extra("samedeal archive"):
        import asyncio

        from samedeal_cli.archiving import Archived, archive as archived, opened
        from samedeal_cli.serving import settings_of
        from samedeal_server.store import StoreError

    given = {"redis": redis} if redis is not None else {}
    if data is not None:
        given = {"data": data, "redis": ""}
    settings = settings_of(given, None)

    async def work() -> Archived:
        async with opened(settings, lambda text: typer.echo(text, err=True)) as store:
            return await archived(store, Path(directory))

    try:
        done = asyncio.run(work())
    except StoreError as error:
        raise Failure(str(error)) from None
    typer.echo(
        f"Wrote {counted(done.written, 'race')} to {directory}; {done.there} were "
        "there already."
    )
    if done.damaged:
        names = ", ".join(done.damaged[:5])
        more = f" and {len(done.damaged) - 5} more" if len(done.damaged) > 5 else ""
        raise Failure(f"Damaged and left out: {names}{more}.")
