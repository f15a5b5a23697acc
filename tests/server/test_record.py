"""What small immutable classes have in common, seen in two of them."""

import pytest

from samedeal_server.store import Appended, Position


def test_records_are_equal_where_class_and_fields_are() -> None:
    assert Position(1, "2-0") == Position(1, "2-0")
    assert Position(1, "2-0") != Position(1, "3-0")
    assert Position(1, "2-0") != Position(3, "2-0")
    assert Appended(Position(1, "2-0"), 2) == Appended(Position(1, "2-0"), 2)
    assert Appended(Position(1, "2-0"), 2) != Position(1, "2-0")
    assert Position(1, "2-0") != (1, "2-0")


def test_a_record_is_shown_as_it_is_made() -> None:
    appended = Appended(Position(1, "2-0"), 2)
    assert (
        repr(appended) == "Appended(position=Position(length=1, last='2-0'), at_ms=2)"
    )
    assert eval(repr(appended)) == appended


def test_a_changed_record_is_another() -> None:
    position = Position(1, "2-0")
    assert position.changed(length=3) == Position(3, "2-0")
    assert position == Position(1, "2-0")


def test_a_record_is_no_key() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Position(1, "2-0"))
