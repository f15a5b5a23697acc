from hypothesis import given, strategies as st

from samedeal.pacing import Backoff, Pace


def test_waits_grow_to_their_bound_and_begin_anew() -> None:
    backoff = Backoff(first=0.1, most=10.0)
    for bound in (0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10.0, 10.0):
        assert 0 <= backoff.next() <= bound
    backoff.reset()
    assert backoff.next() <= 0.1


def test_waits_differ() -> None:
    assert len({Backoff().next() for _ in range(20)}) > 1


def test_without_a_limit_nothing_waits() -> None:
    pace = Pace(0, 0.0)
    assert [pace.wait(0.0) for _ in range(1000)] == [0.0] * 1000


def test_a_rate_allows_a_burst_of_itself_and_then_itself() -> None:
    pace = Pace(40, 0.0)
    assert [pace.wait(0.0) for _ in range(40)] == [0.0] * 40
    assert pace.wait(0.0) == 1 / 40
    assert pace.wait(1.0) == 0.0


@given(
    st.integers(1, 50),
    st.lists(st.floats(0, 0.5, allow_subnormal=False), min_size=1, max_size=300),
)
def test_no_server_with_twice_the_burst_refuses_what_is_paced(
    rate: int, gaps: list[float]
) -> None:
    """The server's bucket refills at `rate` and holds twice as many."""
    pace, now = Pace(rate, 0.0), 0.0
    tokens, then = 2.0 * rate, 0.0
    for gap in gaps:
        now += gap
        now += pace.wait(now)
        tokens = min(2.0 * rate, tokens + (now - then) * rate) - 1
        then = now
        assert tokens >= 0
