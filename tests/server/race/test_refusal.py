from samedeal_server.race.refusal import Refusal


def test_a_refusal_has_a_code_words_and_maybe_a_turn() -> None:
    refusal = Refusal("stale_turn", "This seat is at turn 3.", 3)
    assert (refusal.code, refusal.message, refusal.turn) == (
        "stale_turn",
        "This seat is at turn 3.",
        3,
    )
    assert str(refusal) == refusal.message
    assert Refusal("finished", "Over.").turn is None


def test_a_message_is_at_most_four_hundred_characters() -> None:
    assert Refusal("internal", "x" * 400).message == "x" * 400
    assert Refusal("internal", "x" * 401).message == "x" * 399 + "…"
