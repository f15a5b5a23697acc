"""What is counted by address is forgotten in time, without looking through all."""

import sys

from hypothesis import given, strategies as st

from samedeal_server.net.limits import Addresses


def test_joins_are_counted_for_each_address_and_minute() -> None:
    addresses = Addresses(0, 2)
    assert [addresses.may_join("a", second) for second in (0, 1, 2, 59)] == [
        *(True, True),
        *(False, False),
    ]
    assert addresses.may_join("b", 2)
    assert addresses.may_join("a", 60.5)
    assert not addresses.may_join("a", 60.6)


def test_without_a_limit_nothing_is_kept() -> None:
    addresses = Addresses(0, 0)
    before = sys.getallocatedblocks()
    assert all(addresses.may_join(str(number), 0) for number in range(10_000))
    assert sys.getallocatedblocks() - before < 1000


@given(
    st.lists(st.tuples(st.sampled_from("abcdefgh"), st.floats(0, 50)), max_size=60),
    st.integers(1, 3),
)
def test_forgetting_changes_no_answer(
    tries: list[tuple[str, float]], most: int
) -> None:
    """Each answer is that of an address that is looked at alone."""
    addresses, now = Addresses(0, most), 0.0
    taken: dict[str, list[float]] = {}
    for address, pause in tries:
        now += pause
        recent = [at for at in taken.get(address, []) if at > now - 60]
        allowed = len(recent) < most
        assert addresses.may_join(address, now) is allowed
        taken[address] = [*recent, now] if allowed else recent


def test_addresses_that_do_not_come_back_are_forgotten() -> None:
    addresses = Addresses(0, 5)
    before = sys.getallocatedblocks()
    # Each second another, for hours.
    assert all(addresses.may_join(str(second), second) for second in range(20_000))
    assert sys.getallocatedblocks() - before < 5000
