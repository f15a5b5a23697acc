"""`samedeal export`, `samedeal replay`, `samedeal verify`: a race afterwards."""

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from samedeal_cli.asking import DEFAULT_SERVER, ServerUrl
from samedeal_cli.choosing import Nodes
from samedeal_cli.errors import Failure
from samedeal_cli.sources import LogSource, fetch, read_log
from samedeal_games import MAX_NODES
from samedeal_protocol.names import is_race_id


def export(
    race: Annotated[
        str,
        typer.Argument(
            metavar="RACE",
            help="The id of a race that has ended.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to this file instead of standard output.",
            show_default=False,
        ),
    ] = None,
    server: ServerUrl = DEFAULT_SERVER,
) -> None:
    """Fetch the log of a race that has ended, as JSON Lines.

    \b
    samedeal export abcdefgh234567xy -o race.jsonl
    samedeal export abcdefgh234567xy | samedeal verify -
    """
    if not is_race_id(race):
        raise typer.BadParameter(
            f"{race!r} is no race id, which is 16 characters of a-z and 2-7.",
            param_hint="RACE",
        )
    data = fetch(race, server)
    if output is None:
        sys.stdout.buffer.write(data)
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        raise Failure(f"Cannot write {output}: {error.strerror}.") from None
    lines = data.count(b"\n")
    typer.echo(f"Wrote {lines} lines to {output}.", err=True)


def replay(
    source: LogSource,
    seat: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Show this seat only.", show_default=False
        ),
    ] = None,
    speed: Annotated[
        float,
        typer.Option(
            min=0.01,
            max=1000,
            metavar="X",
            help="Times as fast as it was played; piped, there is no waiting.",
        ),
    ] = 1.0,
    at: Annotated[
        int | None,
        typer.Option(
            "--at",
            min=0,
            metavar="TURN",
            help="Show the boards as they were at this turn, and no film.",
            show_default=False,
        ),
    ] = None,
    analysed: Annotated[
        bool,
        typer.Option(
            "--analyse",
            help="Mark the move by which a seat lost the deal; finding it takes a "
            "while.",
        ),
    ] = False,
    server: ServerUrl = DEFAULT_SERVER,
) -> None:
    """Show a race again, its boards drawn move by move.

    \b
    samedeal replay race.jsonl --speed 4
    samedeal replay race.jsonl --seat 0 --at 12
    samedeal replay race.jsonl --analyse
    """
    data, _ = read_log(source, server)

    from samedeal_cli.playback import film
    from samedeal_cli.screening import Screening

    frames = film(data)
    if not frames:
        raise Failure("This race ended in its lobby: nobody played.")
    screening = Screening(frames, seat, analysed=analysed)
    if at is None:
        screening.play(speed)
    else:
        screening.still(at)


def verify(
    source: LogSource,
    digest: Annotated[
        str | None,
        typer.Option(
            metavar="HEX",
            help="The digest that a client was told at the end.",
            show_default=False,
        ),
    ] = None,
    commitment: Annotated[
        str | None,
        typer.Option(
            metavar="HEX",
            help="The commitment that a client was told before the start.",
            show_default=False,
        ),
    ] = None,
    nodes: Nodes = MAX_NODES,
    server: ServerUrl = DEFAULT_SERVER,
) -> None:
    """Check that a race's log is whole and can be what happened.

    Looks at its form, the deal (by its commitment), the claim that it is winnable
    (by solving it), every turn (in order, in time and legal), the standings and the
    digest, says what it found, and leaves with status 1 and the line at fault where
    something is wrong. A claim that a search cannot decide is not checked, and no
    fault.

    A digest or commitment kept from elsewhere shows that it is also the log of the
    race that was seen, and not of one made up afterwards.

    \b
    samedeal verify race.jsonl
    samedeal verify abcdefgh234567xy --server https://samedeal.example
    """
    _check_hex(digest, "--digest")
    _check_hex(commitment, "--commitment")
    data, race_id = read_log(source, server)

    from samedeal_cli.verification import ASPECTS, Fault, Unchecked, verify as verified

    report = verified(
        data, race_id=race_id, digest=digest, commitment=commitment, max_nodes=nodes
    )
    if report.race is not None:
        race = report.race
        typer.echo(f"Race {race.id}: {race.variant.game}, {race.variant.name}.")
    for aspect in ASPECTS:
        finding = report.findings.get(aspect, "not looked at, for the fault before.")
        if isinstance(finding, Fault):
            finding = f"FAULT in line {finding.line}: {finding.message}"
        elif isinstance(finding, Unchecked):
            finding = f"NOT CHECKED: {finding.message}"
        typer.echo(f"{aspect:<10} {finding}")
    if report.faults:
        fault = report.faults[0]
        name = "standard input" if source == "-" else source
        raise Failure(f"{name}, line {fault.line}: {fault.message}")


def _check_hex(value: str | None, option: str) -> None:
    if value is not None and not re.fullmatch("[0-9a-f]{64}", value):
        raise typer.BadParameter(
            "it is written as 64 lower-case hex digits.", param_hint=option
        )
