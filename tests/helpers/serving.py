"""Which process serves a connection, as the kernel knows it (Linux)."""

import contextlib
import os
from pathlib import Path


def children(pid: int) -> set[int]:
    """The processes that this one has started and that are there."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return {int(child) for child in text.split()}


def server_of(client_port: int, pids: set[int]) -> int:
    """Which of these processes has the other end of a connection on this machine.

    Args:
        client_port: of the connection's near end.

    Raises:
        ProcessLookupError: none of them has it; it may have just ended.
    """
    ours = f":{client_port:04X}"
    rows = [r.split() for r in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    sockets = {f"socket:[{row[9]}]" for row in rows if row[2].endswith(ours)}
    for pid in pids:
        if sockets & _open_files(pid):
            return pid
    raise ProcessLookupError(f"Nobody has the other end of port {client_port}.")


def _open_files(pid: int) -> set[str]:
    """The files that a process has open; none of a process that has ended."""
    files = set[str]()
    with contextlib.suppress(FileNotFoundError):
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # Closed since it was listed.
                files.add(os.readlink(link))
    return files
