"""Redis servers and a Redis Cluster as people run them, for tests that need one."""

import asyncio
import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import Any, cast

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from samedeal_server.processes.leash import leash_of_platform


SERVER = shutil.which("redis-server")
_PATIENCE_S = 20.0
_SLOTS = 16384


class RedisServer:
    """A `redis-server` process on a port of 127.0.0.1, without persistence."""

    def __init__(self, folder: Path, *options: str) -> None:
        assert SERVER is not None, "redis-server is not on PATH"
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._options = folder, options
        for _ in range(3):
            # Somebody else may take a port between its choice and its use.
            self.port, self.bus_port = free_port(), free_port()
            with contextlib.suppress(ChildProcessError):
                self.start()
                break
        self.url = f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts it, again where it was stopped; returns when it answers."""
        folder = self._folder
        command = [
            *(str(SERVER), "--port", str(self.port), "--bind", "127.0.0.1"),
            *("--save", "", "--appendonly", "no", "--loglevel", "warning"),
            *("--dir", str(folder), "--logfile", str(folder / "redis.log")),
            *("--cluster-port", str(self.bus_port)),
            *("--repl-diskless-sync-delay", "0"),
            *self._options,
        ]
        # Started before any thread, and not to be left behind by a killed test run.
        self.process = subprocess.Popen(
            command,
            preexec_fn=leash_of_platform().before_exec,  # noqa: PLW1509
        )
        wait_until(self._answers, "redis-server to answer")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

    def call(self, *command: str | int) -> object:
        """The answer to one command, as the server gives it."""
        with redis.Redis(
            port=self.port,
            decode_responses=True,
            protocol=2,
            retry=Retry(NoBackoff(), 0),
        ) as client:
            client.response_callbacks.clear()
            answer: object = cast("Any", client).execute_command(*command)
            return answer

    def _answers(self) -> bool:
        if self.process.poll() is not None:
            raise ChildProcessError(f"redis-server ended ({self.process.returncode})")
        try:
            return bool(self.call("PING"))
        except redis.AuthenticationError:
            return True
        except redis.RedisError:
            return False


class RedisCluster:
    """Three masters, and a replica of the first."""

    def __init__(self, folder: Path) -> None:
        self.servers = [
            RedisServer(
                folder / str(index),
                *("--cluster-enabled", "yes", "--cluster-node-timeout", "2000"),
                *("--cluster-require-full-coverage", "no"),
            )
            for index in range(4)
        ]
        self.url = f"redis+cluster://127.0.0.1:{self.servers[0].port}"
        self.masters, self.replica = self.servers[:3], self.servers[3]
        self._join()

    def stop(self) -> None:
        for server in self.servers:
            server.stop()

    def id(self, server: RedisServer) -> str:
        return str(server.call("CLUSTER", "MYID"))

    async def fail_over(self, to: RedisServer) -> None:
        """Makes a replica the master, in the orderly way, and waits until it is."""

        def is_master() -> bool:
            if "role:master" in str(to.call("INFO", "replication")):
                return True
            # Asked again, as a request comes to nothing while the two still meet.
            with contextlib.suppress(redis.ResponseError):
                to.call("CLUSTER", "FAILOVER")
            return False

        await eventually(is_master, "the replica to take over", pause_s=0.2)

    def _join(self) -> None:
        first, *others = self.servers
        for epoch, server in enumerate(self.servers, 1):
            server.call("CLUSTER", "SET-CONFIG-EPOCH", epoch)
        for server in others:
            first.call("CLUSTER", "MEET", "127.0.0.1", server.port, server.bus_port)
        share = -(-_SLOTS // 3)
        for index, server in enumerate(self.masters):
            last = min((index + 1) * share, _SLOTS) - 1
            server.call("CLUSTER", "ADDSLOTSRANGE", index * share, last)
        known = self.replica.call
        wait_until(
            lambda: self.id(first) in str(known("CLUSTER", "NODES")), "nodes to meet"
        )
        known("CLUSTER", "REPLICATE", self.id(first))
        for server in self.servers:
            wait_until(partial(self._is_whole, server), "the cluster to form")
        wait_until(
            lambda: "master_link_status:up" in str(known("INFO", "replication")),
            "the replica to follow",
        )

    def _is_whole(self, server: RedisServer) -> bool:
        nodes = str(server.call("CLUSTER", "NODES"))
        slots = str(server.call("CLUSTER", "SLOTS"))
        return (
            # Bells go only where there is a link.
            nodes.count(" connected") == len(self.servers)
            and all(self.id(master) in slots for master in self.masters)
            and "cluster_state:ok" in str(server.call("CLUSTER", "INFO"))
        )


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Returns once `condition()` holds; fails when it does not come to hold."""
    deadline = time.monotonic() + _PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited in vain for {what}")
        time.sleep(0.01)


async def eventually(
    condition: Callable[[], bool], what: str, pause_s: float = 0.01
) -> None:
    """As `wait_until`, while the event loop goes on."""
    deadline = time.monotonic() + _PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited in vain for {what}")
        await asyncio.sleep(pause_s)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(server: RedisServer | RedisCluster) -> Generator[str]:
    try:
        yield server.url
    finally:
        server.stop()
