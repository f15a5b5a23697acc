"""The data directory of the embedded store: one server at a time, and its socket."""

import asyncio
import contextlib
import fcntl
import hashlib
import os
import stat
import tempfile
from pathlib import Path

from .errors import DataError, DataInUse


# Paths of Unix sockets are limited to 104 bytes on macOS, 108 on Linux.
_LONGEST_SOCKET = 100


class DataDir:
    """A data directory, locked.

    The lock is an open file (`fd`) that the store's process inherits: the directory
    is free when both the server and the store are gone, whichever dies first.
    """

    def __init__(self, path: Path, fd: int) -> None:
        self.path = path
        self.fd = fd
        self.socket = socket_path(path)

    @classmethod
    async def lock(cls, path: Path, patience_s: float) -> "DataDir":
        """Makes the directory where it is missing, and locks it.

        Raises `DataInUse` when another server has it for longer than `patience_s`,
        and `DataError` when it cannot be used.
        """
        path, fd = _open(path)
        deadline = asyncio.get_running_loop().time() + patience_s
        try:
            while True:
                try:
                    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    # Another process has it.
                    if asyncio.get_running_loop().time() >= deadline:
                        raise DataInUse(_in_use(path, fd)) from None
                    await asyncio.sleep(0.02)
                except OSError as error:
                    raise DataError(
                        f"The data directory {path} cannot be locked "
                        f"({error.strerror}): choose one on a local disk."
                    ) from error
            data = cls(path, fd)
        except BaseException:
            os.close(fd)
            raise
        data.note()
        return data

    def note(self, store: int | None = None) -> None:
        """Writes down whose the directory is: this process's id and the store's.

        Only people read it, so that a full disk keeps nobody from going on.
        """
        text = f"{os.getpid()}\n" + (f"{store}\n" if store else "")
        with contextlib.suppress(OSError):
            os.ftruncate(self.fd, 0)
            os.pwrite(self.fd, text.encode(), 0)

    def unlock(self) -> None:
        """Frees the directory, once the store's process has gone too."""
        if self.fd < 0:
            return
        with contextlib.suppress(FileNotFoundError):
            self.socket.unlink()
        os.close(self.fd)
        self.fd = -1


def socket_path(data: Path) -> Path:
    """The socket for a data directory: always the same, so that nothing piles up,
    in a directory of this user's alone, and short."""
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:16] + ".sock"
    # Not XDG_RUNTIME_DIR: it goes when its user logs out, and a server may stay.
    for base in (tempfile.gettempdir(), "/tmp"):
        folder = Path(base) / f"samedeal-{os.getuid()}"
        if len(os.fsencode(folder / name)) <= _LONGEST_SOCKET:
            _make_private(folder)
            return folder / name
    raise DataError("No directory for the store's socket: set TMPDIR to a short path.")


# Private functions.


def _open(path: Path) -> tuple[Path, int]:
    """The directory's real path, and its lock file, open."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = path.resolve()
        fd = os.open(path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise DataError(
            f"The data directory {path} cannot be used ({error.strerror}): choose "
            f"another one."
        ) from error
    return path, fd


def _in_use(path: Path, fd: int) -> str:
    pids = os.pread(fd, 64, 0).decode(errors="replace").split()
    alive = [pid for pid in pids if pid.isdigit() and _is_alive(int(pid))]
    who = f"process {alive[0]}" if alive else "another process"
    return (
        f"The data directory {path} is in use by {who}: stop it, or choose another "
        f"directory."
    )


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _make_private(folder: Path) -> None:
    try:
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
    except OSError as error:
        raise DataError(
            f"The directory {folder} cannot be made: {error.strerror}."
        ) from error
    mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    if not mine or found.st_mode & 0o077:
        raise DataError(
            f"{folder} must be a directory of yours that nobody else can enter: "
            f"remove it, or set TMPDIR."
        )
