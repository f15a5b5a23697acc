from bench.paired import Paired, paired


def test_each_deal_counts_for_one_of_the_two_or_for_neither() -> None:
    assert paired([0, 3, 5, 2], [1, 3, 4, 8]) == Paired(less=2, more=1)


def test_the_chance_is_that_of_as_many_heads_or_tails() -> None:
    assert Paired(0, 0).chance == 1
    assert Paired(3, 3).chance == 1
    assert Paired(5, 0).chance == Paired(0, 5).chance == 2 / 32
    assert Paired(2, 8).chance == 2 * (1 + 10 + 45) / 1024
