"""The logs of races that have ended, as files of a directory."""

import contextlib
import fcntl
import os
from collections.abc import AsyncIterator, Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path

from samedeal_cli.errors import Failure
from samedeal_protocol import logfile, packed
from samedeal_protocol.codec import BadEvent
from samedeal_server.app import default_data
from samedeal_server.hub.folding import has_ended
from samedeal_server.settings import Settings
from samedeal_server.store import (
    START,
    DataInUse,
    Store,
    Tail,
    embedded_url,
    open_store,
    start_embedded,
)


SUFFIX = ".jsonl.zst"
_PART = ".part"


@dataclass
class Archived:
    """What came of an archiving: how many files were written, how many were there
    already, and the races whose log is damaged."""

    written: int = 0
    there: int = 0
    damaged: list[str] = field(default_factory=list)


@contextlib.asynccontextmanager
async def opened(
    settings: Settings, say: Callable[[str], None]
) -> AsyncIterator[Store]:
    """The store of a server that may be running, or not.

    Raises:
        Failure, StoreError: it cannot be had; the message says what to do.
    """
    async with contextlib.AsyncExitStack() as stack:
        url = settings.redis
        if not url:
            data = Path(settings.data) if settings.data else default_data()
            if not (data / "lock").is_file():
                raise Failure(
                    f"{data} is no data directory of a server: say where the store is, "
                    "with --data or --redis."
                )
            try:
                embedded = await start_embedded(data, say=say, patience_s=0)
            except DataInUse:
                url = embedded_url(data)
            else:
                stack.push_async_callback(embedded.stop)
                url = embedded.url
        store = await open_store(url)
        stack.push_async_callback(store.aclose)
        yield store


async def archive(store: Store, directory: Path) -> Archived:
    """Write the log of every race that has ended into a file of its own, unless the
    directory has it already.

    A file is there whole, synced to disk, or not at all.

    Raises:
        Failure: the directory cannot be written, or another archiving is at it.
        StoreUnavailable: the store went away; what was written stays.
    """
    done = Archived()
    with _only_one(directory), _plainly(directory):
        there = _files(directory)
        # Those that have just ended are folded meanwhile, or were before.
        noted = await store.registry.ended_list()
        folded = [race async for race in store.log.folded()]
        for race in dict.fromkeys([*folded, *noted]):
            path = directory / f"{race}{SUFFIX}"
            if path.name in there:
                done.there += 1
                continue
            log = await store.log.read(race, START)
            try:
                if log.entries and has_ended(log):
                    _write(path, _file(log))
                    done.written += 1
            except (BadEvent, ValueError):
                done.damaged.append(race)
        _sync(directory)
    return done


# Private functions.


def _files(directory: Path) -> set[str]:
    """The names of what is there; an empty file is not, nor what one that was killed
    left behind."""
    there: set[str] = set()
    for path in directory.iterdir():
        if path.name.endswith(SUFFIX + _PART):
            path.unlink()
        elif path.is_file() and path.stat().st_size > 0:
            there.add(path.name)
    return there


def _file(log: Tail) -> bytes:
    file = logfile.write((entry.at_ms, entry.event) for entry in log.entries)
    logfile.read(file)  # Which refuses what nobody could read again.
    return packed.pack(file)


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(path.name + _PART)
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)


def _sync(directory: Path) -> None:
    fd = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


@contextlib.contextmanager
def _only_one(directory: Path) -> Generator[None]:
    """Keep others from archiving into the directory, which is made if need be."""
    with _plainly(directory):
        directory.mkdir(parents=True, exist_ok=True)
        fd = os.open(directory, os.O_RDONLY)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(
                f"Another `samedeal archive` is writing to {directory}: wait for it."
            ) from None
        yield
    finally:
        os.close(fd)


@contextlib.contextmanager
def _plainly(directory: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        where = error.filename2 or error.filename or directory
        raise Failure(
            f"Cannot archive to {where}: {error.strerror or error}."
        ) from None
