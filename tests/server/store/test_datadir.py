"""One server at a time has a data directory, and it is found or refused clearly."""

import asyncio
import os
import resource
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from samedeal_server.store import DataError, DataInUse
from samedeal_server.store.datadir import DataDir


async def test_it_is_made_private_where_it_is_missing(tmp_path: Path) -> None:
    data = await DataDir.lock(tmp_path / "a" / "b", 0)
    assert data.path == tmp_path / "a" / "b"
    assert stat.S_IMODE(data.path.stat().st_mode) == 0o700
    assert (data.path / "lock").read_text() == f"{os.getpid()}\n"
    data.unlock()


async def test_only_one_has_it_at_a_time(tmp_path: Path) -> None:
    first = await DataDir.lock(tmp_path, 0)
    began = time.monotonic()
    with pytest.raises(DataInUse, match=f"in use by process {os.getpid()}: stop it"):
        await DataDir.lock(tmp_path, 0.1)
    assert 0.1 <= time.monotonic() - began < 1
    first.unlock()
    second = await DataDir.lock(tmp_path, 0)
    second.unlock()


async def test_another_name_for_it_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    first = await DataDir.lock(tmp_path / "real", 0)
    with pytest.raises(DataInUse):
        await DataDir.lock(tmp_path / "link", 0)
    first.unlock()
    again = await DataDir.lock(tmp_path / "link", 0)
    assert again.socket == first.socket
    again.unlock()


async def test_what_holds_it_is_named_even_when_its_parent_is_gone(
    tmp_path: Path,
) -> None:
    data = await DataDir.lock(tmp_path, 0)
    # A child holds the lock on; its parent's id is that of a process long gone.
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "input()"),
        stdin=subprocess.PIPE,
        pass_fds=[data.fd],
    )
    data.note(child.pid)
    (tmp_path / "lock").write_text(f"{_nobody()}\n{child.pid}\n")
    data.unlock()
    with pytest.raises(DataInUse, match=f"in use by process {child.pid}"):
        await DataDir.lock(tmp_path, 0)
    await child.communicate(b"\n")
    (await DataDir.lock(tmp_path, 0)).unlock()


async def test_a_file_is_no_directory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(DataError, match="cannot be used.*: choose another one"):
            await DataDir.lock(path, 0)


async def test_a_directory_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be used"):
        await DataDir.lock(Path("/proc/self/samedeal"), 0)


async def test_no_room_to_write_down_whose_it_is(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        data = await DataDir.lock(tmp_path, 0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with pytest.raises(DataInUse, match="in use by another process"):
        await DataDir.lock(tmp_path, 0)
    data.note()
    with pytest.raises(DataInUse, match=f"in use by process {os.getpid()}"):
        await DataDir.lock(tmp_path, 0)
    data.unlock()


# The socket.


async def test_the_socket_is_short_private_and_always_the_same(tmp_path: Path) -> None:
    long = tmp_path / ("a long name " * 15)
    data = await DataDir.lock(long, 0)
    assert len(os.fsencode(data.socket)) <= 100
    assert stat.S_IMODE(data.socket.parent.stat().st_mode) == 0o700
    data.unlock()
    again = await DataDir.lock(long, 0)
    assert again.socket == data.socket
    other = await DataDir.lock(tmp_path / "other", 0)
    assert other.socket != data.socket
    again.unlock()
    other.unlock()


async def test_a_long_tmpdir_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / ("x" * 90)))
    data = await DataDir.lock(tmp_path, 0)
    assert data.socket.parent.parent == Path("/tmp")
    data.unlock()


@pytest.mark.parametrize("kind", ["open to others", "a file", "a link"])
async def test_a_directory_that_others_may_have_made_is_refused(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = Path(tempfile.mkdtemp())
    folder = base / f"samedeal-{os.getuid()}"
    match kind:
        case "open to others":
            folder.mkdir()
            folder.chmod(0o777)
        case "a file":
            folder.touch()
        case _:
            folder.symlink_to(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(base))
    with pytest.raises(DataError, match="must be a directory of yours"):
        await DataDir.lock(tmp_path, 0)
    # What could not be had is not held on to.
    monkeypatch.undo()
    (await DataDir.lock(tmp_path, 0)).unlock()


def _nobody() -> int:
    """The id of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid
