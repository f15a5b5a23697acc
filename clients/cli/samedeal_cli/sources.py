"""Where a race's log comes from: a file, standard input, or a server."""

import sys
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from samedeal_cli.asking import asking
from samedeal_cli.errors import Failure
from samedeal_cli.extras import server_extra
from samedeal_protocol import logfile
from samedeal_protocol.names import is_race_id


_MOST_BYTES = 256 * 1024 * 1024
"""Of the largest file that is read: a log is a thousandth of it, as a rule."""
_PIECE = 1024 * 1024

LogSource = Annotated[
    str,
    typer.Argument(
        metavar="RACE|FILE",
        help="The id of a race that has ended, or the file of its log (-: standard "
        "input).",
        show_default=False,
    ),
]


def read_log(source: str, server: str) -> tuple[bytes, str | None]:
    """Return the bytes of a log, and the race's id where it was asked for by that.

    A file may be compressed, as `samedeal archive` does it. A file of that name goes
    before a race of that id.

    Raises:
        Failure: there is no such file or race, or it cannot be had.
    """
    if source == "-":
        data = _read("standard input", sys.stdin.buffer)
        return _unpacked("standard input", data), None
    path = Path(source)
    try:
        if path.is_file() or not is_race_id(source):
            with path.open("rb") as file:
                data = _read(repr(source), file)
            return _unpacked(repr(source), data), None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Failure(
            f"{source!r} is no race id, and no file that can be read: {reason}."
        ) from None
    return fetch(source, server), source


def _read(name: str, file: BinaryIO) -> bytes:
    # Not asked for at once: that much memory would be taken for any file.
    parts: list[bytes] = []
    left = _MOST_BYTES
    while part := file.read(_PIECE):
        parts.append(part)
        left -= len(part)
        if left < 0:
            raise Failure(f"{name} is no log: it has more than {_MOST_BYTES} bytes.")
    return b"".join(parts)


def _unpacked(name: str, data: bytes) -> bytes:
    if not data.startswith(logfile.PACKED):
        return data
    with server_extra("a compressed log"):
        from samedeal_protocol import packed

    try:
        return packed.unpack(data)
    except packed.PackError as error:
        raise Failure(f"{name} is no log: {error}") from None


def fetch(race: str, server: str) -> bytes:
    """Return the log of a race that has ended, asked of a server by HTTP.

    Raises:
        Failure: the server has no such log, or cannot be reached.
    """
    import asyncio

    import samedeal

    with asking(server):
        return asyncio.run(samedeal.fetch_log(server, race))
