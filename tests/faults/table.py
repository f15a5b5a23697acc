"""Rows as a table that a person reads, one line as soon as it is there."""

from tests.faults.crowd import Row


_COLUMNS = (
    ("scenario", 28),
    ("faults", 7),
    ("races", 6),
    ("moves ack.", 11),
    ("missing", 8),
    ("twice", 6),
    ("ended once", 11),
    ("worst stall", 12),
)

HEADER = "".join(
    name.ljust(width) if index == 0 else name.rjust(width)
    for index, (name, width) in enumerate(_COLUMNS)
)


def line(row: Row) -> str:
    """One row, what else it has to say behind it."""
    verdict = row.verdict
    values = (
        row.scenario,
        row.faults,
        verdict.races,
        verdict.acknowledged,
        verdict.missing,
        verdict.twice,
        f"{verdict.ended_once}/{verdict.races}",
        f"{row.stall_s:.1f} s",
    )
    cells = "".join(
        str(value).ljust(width) if index == 0 else str(value).rjust(width)
        for index, (value, (_, width)) in enumerate(zip(values, _COLUMNS, strict=True))
    )
    notes = ", ".join([*row.notes, f"{row.seconds:.0f} s"])
    return f"{cells}  {'' if row.good else 'BAD: '}{notes}"


def details(row: Row, most: int = 10) -> list[str]:
    """What did not agree, the first of it."""
    faults = row.verdict.faults
    more = [f"… and {len(faults) - most} more"] if len(faults) > most else []
    return [fault[-2000:] for fault in faults[:most]] + more
