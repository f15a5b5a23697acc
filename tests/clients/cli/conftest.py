"""The command, run in this process."""

import io
import os
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from samedeal_cli.__main__ import run


class Result(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


Samedeal = Callable[..., Result]


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the settings of whoever runs the tests out of them."""
    for name in list(os.environ):
        if name.startswith("SAMEDEAL_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def samedeal(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Samedeal:
    """Run `samedeal ARGUMENT…` with these bytes as standard input."""

    def call(*arguments: str, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = run(arguments)
        out, err = capsysbinary.readouterr()
        return Result(status, out.decode(), err.decode())

    return call
