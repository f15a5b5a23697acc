from typing import get_args

import pytest

from samedeal import SamedealError
from samedeal.errors import from_update
from samedeal_protocol.names import ErrorCode
from samedeal_protocol.updates import Error


@pytest.mark.parametrize("code", get_args(ErrorCode))
def test_every_code_of_the_protocol_has_a_class(code: ErrorCode) -> None:
    error = from_update(Error(code=code, message="No.", race="a" * 16, turn=7))
    assert type(error) is not SamedealError
    assert isinstance(error, SamedealError)
    assert type(error).__name__ == "".join(map(str.title, code.split("_")))
    assert (error.code, error.message, error.race, error.turn) == (
        code,
        "No.",
        "a" * 16,
        7,
    )
    assert str(error) == "No."


def test_what_an_error_does_not_say_is_none() -> None:
    error = from_update(Error(code="bad_name", message="No."))
    assert error.race is None
    assert error.turn is None


def test_codes_are_distinct() -> None:
    codes = [kind.code for kind in SamedealError.__subclasses__()]
    assert len(set(codes)) == len(codes)
