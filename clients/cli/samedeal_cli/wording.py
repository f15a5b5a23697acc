"""Words that fit their numbers."""


def counted(number: int, noun: str) -> str:
    """Return the number and the noun, in the plural unless it is one."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
