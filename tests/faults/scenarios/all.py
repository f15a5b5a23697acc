"""Every scenario by name, as often as the short and the long form want it."""

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tests.faults.crowd import Row
from tests.faults.scenarios.contending import writers, writers_gone_back
from tests.faults.scenarios.failing_over import master_killed
from tests.faults.scenarios.going_back import log_set_back, store_set_back
from tests.faults.scenarios.killing import nodes_killed, server_killed, valkey_killed
from tests.faults.scenarios.leaving import (
    bots_taken_over,
    deployed,
    deployed_alone,
    ended_without_store,
    nobody_answers,
)
from tests.faults.scenarios.modelling import compared
from tests.faults.scenarios.network import connections_cut
from tests.faults.scenarios.repeating import moves_repeated
from tests.faults.scenarios.stalling import (
    redis_paused,
    redis_refuses,
    redis_restarted,
)


Scenario = Callable[[Path], Coroutine[Any, Any, Row]]

SHORT: Mapping[str, Scenario] = {
    "server": partial(server_killed, kills=2),
    "valkey": partial(valkey_killed, kills=2),
    "two-nodes": partial(nodes_killed, count=2, kills=2, bots=0),
    "restart": partial(redis_restarted, times=2),
    "pause": partial(redis_paused, times=1, seconds=5.0),
    "refused": partial(redis_refuses, times=2),
    "cuts": partial(connections_cut, cuts=40),
    "repeats": partial(moves_repeated, races=8),
    "writers": partial(writers, lengths=30),
    "writers-back": partial(writers_gone_back, lengths=30),
    "log-back": partial(log_set_back, times=4),
    "store-back": partial(store_set_back, times=1),
    "cluster": partial(master_killed, kills=1, wait_replicas=1),
    "deployed": partial(deployed, times=2),
    "deployed-alone": partial(deployed_alone, times=1),
    "ended-without-store": ended_without_store,
    "nobody": nobody_answers,
    "bots": bots_taken_over,
}
"""Few faults each, for every change."""

TOGETHER: Mapping[str, tuple[str, ...]] = {
    "processes end": ("server", "valkey", "two-nodes", "deployed", "deployed-alone"),
    "stores are away": (
        "restart",
        "pause",
        "refused",
        "cluster",
        "ended-without-store",
    ),
    "the unexpected": ("cuts", "repeats", "writers", "writers-back"),
    "logs go back, nobody is there": ("log-back", "store-back", "nobody", "bots"),
}
"""The short ones in groups: they mostly wait, and can do so at the same time."""

LONG: Mapping[str, Scenario] = {
    "server": partial(server_killed, kills=200),
    "valkey": partial(valkey_killed, kills=50),
    "two-nodes": partial(nodes_killed, count=2, kills=60),
    "three-nodes": partial(nodes_killed, count=3, kills=60),
    "restart": partial(redis_restarted, times=30),
    "pause": partial(redis_paused, times=8, seconds=5.0),
    "refused": partial(redis_refuses, times=20),
    "cuts": partial(connections_cut, cuts=1000),
    "repeats": partial(moves_repeated, races=400),
    "writers": partial(writers, lengths=500),
    "writers-back": partial(writers_gone_back, lengths=500),
    "log-back": partial(log_set_back, times=100),
    "store-back": partial(store_set_back, times=10),
    "cluster": partial(master_killed, kills=10),
    "cluster-wait": partial(master_killed, kills=10, wait_replicas=1),
    "deployed": partial(deployed, times=20),
    "deployed-alone": partial(deployed_alone, times=20),
    "ended-without-store": ended_without_store,
    "nobody": nobody_answers,
    "bots": bots_taken_over,
    "model": partial(compared, stories=200),
}
"""Enough to believe it: about half an hour."""
