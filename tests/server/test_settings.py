"""A setting that cannot be is refused at the start, and not met in a race."""

import pytest

from samedeal_server.settings import (
    BadSetting,
    Limits,
    Settings,
    from_environment,
    parse_limits,
)


NUMBERS = [
    name
    for name in Settings.__struct_fields__
    if isinstance(getattr(Settings(), name), (int, float))
]


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("text", ["-1", "9" * 30, "nan", "inf", "-inf", "1e300", ""])
def test_no_number_is_without_bounds(name: str, text: str) -> None:
    with pytest.raises(BadSetting, match=f"(?i){name}"):
        from_environment({f"SAMEDEAL_{name.upper()}": text})


@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_the_default_can_be_said(name: str) -> None:
    text = str(getattr(Settings(), name))
    assert from_environment({f"SAMEDEAL_{name.upper()}": text}) == Settings()


@pytest.mark.parametrize("text", ["5,1", "-1,5", f"1,{'9' * 30}", "1", ""])
def test_a_pace_that_cannot_be(text: str) -> None:
    with pytest.raises(BadSetting):
        from_environment({"SAMEDEAL_BOT_PACE_MS": text})


@pytest.mark.parametrize("host", ["", "  "])
def test_no_address_is_none(host: str) -> None:
    with pytest.raises(BadSetting, match="address to listen on is empty"):
        from_environment({"SAMEDEAL_HOST": host})


@pytest.mark.parametrize("name", Limits.__struct_fields__)
def test_no_limit_is_without_bounds(name: str) -> None:
    with pytest.raises(BadSetting, match=name):
        from_environment({}, limits=parse_limits(f"{name}={'9' * 30}"))
