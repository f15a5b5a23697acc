import unicodedata

import pytest
from hypothesis import example, given, strategies as st

from samedeal_protocol.names import (
    CODE_LETTERS,
    DEFAULT_NAME,
    ID_LETTERS,
    MAX_NAME_LENGTH,
    BadName,
    clean_name,
    distinct_name,
    is_race_id,
    parse_code,
)


# Race ids and codes.


@pytest.mark.parametrize("text", ["a" * 16, "z7y6x5w4v3u2abcd", ID_LETTERS[-16:]])
def test_a_race_id_is_sixteen_of_its_letters(text: str) -> None:
    assert is_race_id(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a" * 15,
        "a" * 17,
        "A" * 16,
        "a" * 15 + "1",
        "a" * 15 + "8",
        "a" * 15 + "é",
        "a" * 15 + "٣",
        "a" * 16 + "\n",
        " " + "a" * 15,
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert not is_race_id(text)


@given(st.text(CODE_LETTERS, min_size=6, max_size=6))
def test_a_code_is_read_in_any_case(code: str) -> None:
    assert parse_code(code) == parse_code(code.lower()) == parse_code(code.title())
    assert parse_code(code) == code


def test_codes_have_no_letters_that_look_like_digits() -> None:
    assert len(CODE_LETTERS) == 24
    assert not set("IO") & set(CODE_LETTERS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ABCDE",
        "ABCDEFG",
        "ABCDEI",
        "ABCDEO",
        "abcdeo",
        "ABCDE1",
        "ABCDE\n",
        " ABCDE",
        "ABCDEF ",
        "ABCDEÉ",
        "ABCDß",  # In capitals it has six letters.
        "ABCDEſ",  # In capitals it is an S.
        "ＡＢＣＤＥＦ",
    ],
)
def test_anything_else_is_no_code(text: str) -> None:
    assert parse_code(text) is None


# Names.


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ada", "Ada"),
        (DEFAULT_NAME, "Player"),
        ("  Ada Lovelace ", "Ada Lovelace"),
        ("Ada  Lovelace", "Ada  Lovelace"),
        ("Zoe\u0308", "Zoë"),
        ("\u1112\u1161\u11ab", "한"),
        ("\u212b", "\u00c5"),  # The Ångström sign is the letter.
        ("x" * 24, "x" * 24),
        ("e\u0301" * 24, "é" * 24),
        ("  " + "x" * 24 + "  ", "x" * 24),
        ("😀" * 24, "😀" * 24),
        ("O'Neil-7 (the 2nd)!", "O'Neil-7 (the 2nd)!"),
        ("名前", "名前"),
    ],
)
def test_a_name_is_nfc_and_trimmed(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "   ",
        "x" * 25,
        "é" * 25,
        "\u0958" * 24,  # A composed letter that NFC takes apart.
        "a\tb",
        "a\nb",
        "Ada\n",
        "\tAda",
        "a\x00b",
        "a\x7fb",
        "a\u00adb",  # Cf: soft hyphen
        "a\u200bb",  # Cf: zero width space
        "a\u200db",  # Cf: zero width joiner
        "a\u202eb",  # Cf: right-to-left override
        "a\ufeffb",  # Cf: byte-order mark
        "a\ue000b",  # Co: private use
        "a\ud800b",  # Cs: surrogate
        "a\u0378b",  # Cn: unassigned
        "a\U000e0041b",  # Cf: tag
        "a\u2028b",  # Zl
        "a\u2029b",  # Zp
        "a\u00a0b",  # Zs: no-break space
        "\u00a0Ada",
        "a\u2003b",  # Zs: em space
        "a\u3000b",  # Zs: ideographic space
        "a\u115fb",  # Hangul fillers
        "a\u1160b",
        "a\u3164b",
        "a\uffa0b",
    ],
)
def test_what_cannot_be_a_name_is_refused(text: str) -> None:
    with pytest.raises(BadName):
        clean_name(text)


def test_a_refusal_says_which_character() -> None:
    with pytest.raises(BadName, match=r"U\+200B"):
        clean_name("a\u200bb")


anything = st.text(max_size=30) | st.text(
    st.sampled_from(" Aaeé\u0301\u0308ßİﬁ\u1100\u1161😀\u00a0\u3164\u200d"),
    max_size=30,
)


@given(anything)
@example("\u2126")
def test_a_name_comes_to_itself_or_to_nothing(text: str) -> None:
    try:
        name = clean_name(text)
    except BadName as error:
        assert str(error).endswith(".")
        return
    assert clean_name(name) == name
    assert name == unicodedata.normalize("NFC", name) == name.strip(" ")
    assert 1 <= len(name) <= MAX_NAME_LENGTH
    assert name.strip(" ") == unicodedata.normalize("NFC", text).strip(" ")
    for character in name:
        category = unicodedata.category(character)
        assert category[0] != "C"
        assert category[0] != "Z" or character == " "


# Made unique.


def names() -> st.SearchStrategy[str]:
    return st.text(
        st.sampled_from("aAbB ßsSé2Σσς"), min_size=1, max_size=MAX_NAME_LENGTH
    ).filter(lambda text: text == text.strip(" "))


@pytest.mark.parametrize(
    ("name", "taken", "distinct"),
    [
        ("Ada", [], "Ada"),
        ("Ada", ["Bob"], "Ada"),
        ("Ada", ["Ada"], "Ada 2"),
        ("Ada", ["ADA"], "Ada 2"),
        ("Ada", ["Ada", "Ada 2"], "Ada 3"),
        ("Ada", ["Ada", "aDA 2", "ada 3"], "Ada 4"),
        ("Ada", ["Ada", "Ada 3"], "Ada 2"),
        ("Ada 2", ["Ada", "Ada 2"], "Ada 2 2"),
        ("Strasse", ["Straße"], "Strasse 2"),
        ("ΟΔΟΣ", ["οδος"], "ΟΔΟΣ 2"),
        ("x" * 24, ["x" * 24], "x" * 22 + " 2"),
        ("x" * 23, ["x" * 23], "x" * 22 + " 2"),
        ("x" * 22, ["x" * 22], "x" * 22 + " 2"),
        ("x" * 24, ["x" * 24, "x" * 22 + " 2"], "x" * 22 + " 3"),
        ("x" * 21 + " yz", ["x" * 21 + " yz"], "x" * 21 + " 2"),
    ],
)
def test_a_name_that_is_taken_gets_the_first_free_number(
    name: str, taken: list[str], distinct: str
) -> None:
    assert distinct_name(name, frozenset(taken)) == distinct


def test_numbers_grow_past_one_digit() -> None:
    taken: list[str] = []
    for _ in range(12):
        taken.append(distinct_name("x" * 24, frozenset(taken)))
    assert taken[-1] == "x" * 21 + " 12"
    assert len({name.casefold() for name in taken}) == 12


@given(names(), st.lists(names(), max_size=15))
def test_sixteen_names_are_all_different(name: str, others: list[str]) -> None:
    taken: list[str] = []
    for other in [*others, name]:
        distinct = distinct_name(other, frozenset(taken))
        assert distinct.casefold() not in {one.casefold() for one in taken}
        assert clean_name(distinct) == distinct
        if other.casefold() not in {one.casefold() for one in taken}:
            assert distinct == other
        taken.append(distinct)
