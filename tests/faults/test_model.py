"""The stateful test in its short form."""

from tests.faults.model import compare


def test_the_server_does_what_the_model_does(valkey: str) -> None:
    assert compare(valkey, examples=5, steps=15) > 0
