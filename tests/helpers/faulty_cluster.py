"""A Redis Cluster with a replica for each master, to be robbed of a master."""

import asyncio
import shutil
import subprocess
from pathlib import Path
from typing import Self

from tests.helpers.redis_servers import RedisServer, eventually


class FaultyCluster:
    """Three masters and a replica of each, which take over by themselves."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.servers: list[RedisServer] = []

    @property
    def url(self) -> str:
        """Of any; which of them is alive does not matter later."""
        return f"redis+cluster://127.0.0.1:{self.servers[0].port}"

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._start)
        return self

    async def __aexit__(self, *_: object) -> None:
        for server in self.servers:
            server.stop()

    def masters(self) -> list[RedisServer]:
        """Those that hold slots at this moment."""
        return [
            server
            for server in self.servers
            if server.process.poll() is None
            and "role:master" in str(server.call("INFO", "replication"))
            and "cluster_state:ok" in str(server.call("CLUSTER", "INFO"))
        ]

    async def recovered(self) -> None:
        """Wait until three masters serve, each with a replica that follows."""

        def are_whole() -> bool:
            masters = self.masters()
            infos = [str(one.call("INFO", "replication")) for one in masters]
            return len(masters) == 3 and all("state=online" in one for one in infos)

        await eventually(are_whole, "the cluster to be whole", pause_s=0.1)

    # Private methods.

    def _start(self) -> None:
        self.servers = [
            RedisServer(
                self._folder / str(index),
                *("--cluster-enabled", "yes", "--cluster-node-timeout", "1000"),
                *("--appendonly", "yes", "--appendfsync", "always"),
            )
            for index in range(6)
        ]
        client = shutil.which("redis-cli")
        assert client is not None, "redis-cli is not on PATH"
        addresses = [f"127.0.0.1:{server.port}" for server in self.servers]
        made = subprocess.run(
            [
                *(client, "--cluster", "create", *addresses),
                *("--cluster-replicas", "1", "--cluster-yes"),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert made.returncode == 0, made.stdout
