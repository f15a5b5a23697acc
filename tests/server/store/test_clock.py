"""The law of the clock: never ahead, and not far behind."""

from hypothesis import given, strategies as st

from samedeal_server.store.clock import LogClock


class World:
    """A store's clock and this machine's, with what lies between asking and hearing."""

    def __init__(self, store_ms: float) -> None:
        self.monotonic_s = 1000.0
        self.store_ms = store_ms

    def pass_ms(self, ms: float) -> None:
        self.monotonic_s += ms / 1000
        self.store_ms += ms

    def sample(
        self, clock: LogClock, node: str, there_ms: float, back_ms: float
    ) -> None:
        asked_s = self.monotonic_s
        self.pass_ms(there_ms)
        said_ms = int(self.store_ms)
        self.pass_ms(back_ms)
        clock.saw(node, said_ms, asked_s)


# So many milliseconds since 1970 are exact to a quarter of a microsecond.
ROUNDING_MS = 0.001

delays = st.floats(0, 500)


@given(
    st.integers(10**12, 2 * 10**12),
    st.lists(st.tuples(delays, delays, st.floats(0, 10_000)), min_size=1),
)
def test_the_clock_is_never_ahead(
    start_ms: int, samples: list[tuple[float, float, float]]
) -> None:
    world = World(start_ms)
    clock = LogClock(lambda: world.monotonic_s)
    last = 0
    for there_ms, back_ms, rest_ms in samples:
        world.sample(clock, "node", there_ms, back_ms)
        assert clock.now_ms() <= world.store_ms + ROUNDING_MS
        assert clock.now_ms() >= world.store_ms - back_ms - 2
        assert clock.now_ms() >= last
        world.pass_ms(rest_ms)
        assert clock.now_ms() <= world.store_ms + ROUNDING_MS
        last = clock.now_ms()


@given(delays, delays, st.floats(1100, 10**9))
def test_a_clock_that_was_set_back_is_followed(
    there_ms: float, back_ms: float, step_ms: float
) -> None:
    world = World(10**12)
    clock = LogClock(lambda: world.monotonic_s)
    world.sample(clock, "node", 1, 1)
    world.store_ms -= step_ms
    world.sample(clock, "node", there_ms, back_ms)
    assert clock.now_ms() <= world.store_ms + ROUNDING_MS


def test_of_several_clocks_the_slowest_counts() -> None:
    clock = LogClock(lambda: 0.0)
    assert clock.now_ms() == 0
    clock.saw("fast", 5000, 0)
    clock.saw("slow", 3000, 0)
    assert clock.now_ms() == 3000
    clock.forget("slow")
    assert clock.now_ms() == 5000
