"""What the small immutable classes of the server have in common."""

from typing import Any, ClassVar, Self


class Record:
    """Equal where all fields are, and shown with them; not for dicts and sets.

    No dataclass, tuple or struct: a move makes several and reads dozens of attributes,
    and compiled, an ordinary class whose attributes are `Final` is the cheapest at both.

    Attributes:
        FIELDS: the names of all attributes; compiled, a class has no `__slots__` to
            ask for them.
    """

    __slots__ = ()

    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(
            getattr(self, name) == getattr(other, name) for name in self.FIELDS
        )

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in self.FIELDS)
        return f"{type(self).__name__}({', '.join(shown)})"

    def changed(self, **changes: Any) -> Self:
        """A copy with these fields; it looks at every name, so it is for what is rare."""
        fields = {name: getattr(self, name) for name in self.FIELDS}
        return type(self)(**(fields | changes))
