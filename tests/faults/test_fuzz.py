"""Whatever bytes a client sends, it gets one of the listed errors or close codes."""

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.helpers import raw
from tests.helpers.raw import Raw
from websockets.exceptions import ConnectionClosed

from samedeal_protocol.codec import CODECS, BadMessage
from samedeal_protocol.commands import Command
from samedeal_protocol.names import ErrorCode
from samedeal_server.app import App, running
from samedeal_server.settings import Limits, Settings


CASES = 60
LISTED = set(get_args(ErrorCode)) - {"internal", "unavailable"}
CLOSES = {1002, 1003, 1007, 1008, 1009}
TYPES = sorted(str(one.__struct_config__.tag) for one in get_args(Command))
FIELDS = sorted({f for one in get_args(Command) for f in one.__struct_encode_fields__})

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(),
    st.text(max_size=30),
    st.sampled_from(["juvenile", "one-deck", "random", "t0+t1", "00" * 16, "ABCDEF"]),
    st.sampled_from([0, 1, 2, 16, 17, 10_000, 2**53 - 1, 2**53, -1]),
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
commands = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES) | st.text(max_size=10)},
    optional=dict.fromkeys(FIELDS, values) | {"id": values, "extra": values},
)
"""Mostly commands, with anything in their fields."""


class Server:
    """A server in a loop of its own, so that many cases meet the same one."""

    def __init__(self, valkey: str) -> None:
        self.runner = asyncio.Runner()
        chosen = Settings(port=0, redis=valkey, limits=Limits.off(), bot_pace_ms=(0, 0))
        self._running = running(chosen)
        self.app: App = self.runner.run(self._running.__aenter__())
        self.client: Raw | None = None

    def close(self) -> None:
        if self.client is not None:
            self.runner.run(self.client.close())
        self.runner.run(self._running.__aexit__(None, None, None))
        self.runner.close()

    async def send(self, frame: str | bytes, subprotocol: str) -> None:
        """One case: the frame, and then whether the connection is as it should be."""
        client = self.client
        if client is None or client.socket.subprotocol != subprotocol:
            if client is not None:
                await client.close()
            client = self.client = await raw.connect(self.app.url, subprotocol)
            await client.hello(name="Fuzz")
        before = len(client.received)
        try:
            await client.socket.send(frame)
            await client.ask("ping")
        except (AssertionError, ConnectionClosed):
            assert await client.closed() in CLOSES
            self.client = None
        for message in client.received[before:]:
            if message["type"] == "error":
                assert message["code"] in LISTED, (frame, message)
        client.frames.clear()
        client.received.clear()


@pytest.fixture
def server(valkey: str) -> Iterator[Server]:
    server = Server(valkey)
    yield server
    server.close()


@pytest.mark.parametrize("subprotocol", [raw.JSON, raw.MSGPACK])
def test_any_frame(
    server: Server, subprotocol: str, caplog: pytest.LogCaptureFixture
) -> None:
    def encode(command: dict[str, Any]) -> str | bytes:
        if subprotocol == raw.JSON:
            return json.dumps(command)
        return msgspec.msgpack.encode(command)

    frames = st.one_of(
        st.binary(max_size=200),
        st.text(max_size=200),
        commands.map(encode),
        st.integers(1, 9000).map(lambda depth: "[" * depth),
    )

    @given(frame=frames)
    @settings(
        max_examples=CASES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    def one(frame: str | bytes) -> None:
        server.runner.run(server.send(frame, subprotocol))

    one()
    assert [r for r in caplog.records if r.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS.keys())
@given(frame=st.binary(max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_bytes_decode_or_are_refused(codec: Any, frame: bytes) -> None:
    try:
        codec.decode_command(frame)
    except BadMessage as error:
        assert str(error)
