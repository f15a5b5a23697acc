"""Appends on their way to the store: how a call of many goes over the wire."""

from hiredis import pack_command
from hypothesis import given, strategies as st

from samedeal_server.store.items import Item, argument, packed
from samedeal_server.store.scripts import APPEND
from samedeal_server.store.values import START, Append, AppendResult, Position


def _nothing(result: AppendResult) -> None:
    """Whom the outcome is told."""


_APPENDS = st.builds(
    Append,
    st.text(max_size=20),
    st.sampled_from([START, Position(7, "1764518400000-3")]),
    st.lists(st.text(max_size=200).map(str.encode), min_size=1, max_size=3),
    st.just(_nothing),
)


@given(st.lists(_APPENDS, min_size=1, max_size=12))
def test_a_call_is_packed_as_hiredis_would(appends: list[Append]) -> None:
    items = [Item(append, 0.0) for append in appends]
    names = [item.key for item in items]
    command = APPEND.short(names, [argument(items)])
    assert packed(APPEND.sha, items) == pack_command(command)  # type: ignore[arg-type]
