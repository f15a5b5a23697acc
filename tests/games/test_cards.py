import pytest

from samedeal_games import HIDDEN, GameError, card_name, card_text, parse_card
from samedeal_games.cards import RANK, SUIT, ordered_deck


def test_cards_count_through_the_suits_from_ace_to_king() -> None:
    texts = [card_text(card) for card in range(52)]
    assert " ".join(texts[:14]) == "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ad"
    assert texts[-1] == "Ks"
    assert len(set(texts)) == 52


def test_texts_and_cards_are_inverse() -> None:
    for card in (*range(52), HIDDEN):
        assert parse_card(card_text(card)) == card


def test_a_hidden_card_has_no_rank_and_no_suit() -> None:
    assert card_text(HIDDEN) == "??"
    assert RANK[HIDDEN] not in range(1, 14)
    assert SUIT[HIDDEN] not in range(4)


@pytest.mark.parametrize("text", ["", "T", "10d", "td", "TD", "Tdx", " Td", "?", "1d"])
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(GameError, match="is not a card"):
        parse_card(text)


def test_cards_in_words() -> None:
    words = [card_name(parse_card(text)) for text in ("Ah", "9c", "Td", "Qs")]
    assert words == [
        "the ace of hearts",
        "the 9 of clubs",
        "the 10 of diamonds",
        "the queen of spades",
    ]
    assert card_name(HIDDEN) == "a face-down card"


def test_a_second_deck_follows_the_first() -> None:
    assert ordered_deck(2) == [*range(52), *range(52)]
