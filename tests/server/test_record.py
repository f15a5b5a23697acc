"""What small immutable classes have in common."""

from typing import ClassVar, Final

import pytest

from samedeal_server.record import Record


class Point(Record):
    FIELDS: ClassVar = ("x", "y")
    __slots__ = FIELDS

    def __init__(self, x: int, y: int) -> None:
        self.x: Final = x
        self.y: Final = y


class Pair(Point):
    """Another class with the same fields."""


def test_records_are_equal_where_class_and_fields_are() -> None:
    assert Point(1, 2) == Point(1, 2)
    assert Point(1, 2) != Point(1, 3)
    assert Point(1, 2) != Point(3, 2)
    assert Point(1, 2) != Pair(1, 2)
    assert Point(1, 2) != (1, 2)


def test_a_record_is_shown_as_it_is_made() -> None:
    assert repr(Point(1, 2)) == "Point(x=1, y=2)"
    assert eval(repr(Point(1, 2))) == Point(1, 2)


def test_a_record_is_no_key() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Point(1, 2))
