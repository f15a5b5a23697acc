"""What a verifier finds: nothing in a good log, and every change in another."""

import hashlib
import json
from typing import Any

import pytest
from tests.clients.cli.made_logs import RACE_ID, ended, started, whole

from samedeal_cli.verification import ASPECTS, Fault, Report, Unchecked, verify
from samedeal_games import GAMES, Variant, solve
from samedeal_server.race import play


VARIANTS = [variant for game in GAMES.values() for variant in game.variants]
GOOD = whole("juvenile").file()


def resealed(lines: list[bytes]) -> bytes:
    """The file of these lines with a digest that is right."""
    body = b"".join(line + b"\n" for line in lines)
    return body + b'{"digest":"%s"}\n' % hashlib.sha256(body).hexdigest().encode()


def edited(data: bytes, line: int, change: tuple[bytes, bytes]) -> bytes:
    """The file with one text of a line replaced, and a digest that is right."""
    lines = data.splitlines()[:-1]
    assert lines[line - 1].count(change[0]) == 1
    lines[line - 1] = lines[line - 1].replace(*change)
    return resealed(lines)


def line_of(data: bytes, word: str, nth: int = 0) -> int:
    """The number of the nth line with that word."""
    lines = data.decode().splitlines()
    return [number for number, line in enumerate(lines, 1) if word in line][nth]


def only_fault(report: Report) -> tuple[str, Fault]:
    """The one fault of a report, and what it is a fault of."""
    (found,) = [
        (aspect, finding)
        for aspect, finding in report.findings.items()
        if isinstance(finding, Fault)
    ]
    return found


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: f"{v.game} {v.name}")
def test_a_whole_race_is_good(variant: Variant) -> None:
    log = whole(variant.game, variant.name, seats=3, turns=60)
    report = verify(log.file())
    assert report.faults == []
    assert tuple(report.findings) == ASPECTS
    assert report.race == log.race


def test_it_says_what_it_checked() -> None:
    log = started("private-lane", undo=True)
    log.move(0, 1_000_100, "t0>c0")
    seat = log.seat(0)
    log.add(play.undo(log.race, seat, seat.turn, 1_000_200).events, 1_000_200)
    for number in (0, 1):
        seat = log.seat(number)
        log.add(play.resign(log.race, seat, 1_000_300).events, 1_000_300)
    report = verify(ended(log, 1_000_400).file())
    assert report.faults == []
    assert report.findings["play"] == (
        "2 seats, 1 move in 1 turn, 1 undo: each in turn, in time and legal."
    )


def test_every_flipped_bit_is_found() -> None:
    at_line = 1
    for place, byte in enumerate(GOOD):
        for bit in range(8):
            data = bytearray(GOOD)
            data[place] = byte ^ 1 << bit
            (fault, *_) = verify(bytes(data)).faults
            assert fault.line >= at_line, place
        at_line += byte == ord("\n")


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: f"{v.game} {v.name}")
def test_flipped_bits_in_other_logs(variant: Variant) -> None:
    good = whole(variant.game, variant.name, turns=30).file()
    for place in range(0, len(good), 97):
        data = bytearray(good)
        data[place] ^= 1 << place % 8
        assert verify(bytes(data)).faults, place


def test_cut_off_anywhere() -> None:
    for length in range(0, len(GOOD), 13):
        assert verify(GOOD[:length]).faults, length
    assert verify(GOOD + b"\n").faults
    assert verify(GOOD + GOOD).faults


def moved(data: bytes, nth: int) -> tuple[int, dict[str, Any]]:
    line = line_of(data, '"moved"', nth)
    return line, json.loads(data.splitlines()[line - 1])["event"]


def test_an_illegal_move_is_named_by_its_line() -> None:
    line, event = moved(GOOD, 2)
    text = event["moves"][0].encode()
    aspect, fault = only_fault(verify(edited(GOOD, line, (text, b"t0+t9"))))
    assert (aspect, fault.line) == ("play", line)
    assert fault.message.startswith("t0+t9: ")


def test_a_wrong_turn_is_named_by_its_line() -> None:
    line, event = moved(GOOD, 3)
    change = b'"turn":%d' % event["turn"], b'"turn":%d' % (event["turn"] + 1)
    aspect, fault = only_fault(verify(edited(GOOD, line, change)))
    assert (aspect, fault.line) == ("play", line)


def test_a_move_too_early_or_too_late() -> None:
    line = line_of(GOOD, '"moved"')
    for at_ms in (999_999, 1_000_000 + 600_001):
        change = b'"at_ms":1000137', b'"at_ms":%d' % at_ms
        fault = verify(edited(GOOD, line, change)).faults[0]
        assert fault.line == line


def test_another_seed_was_not_committed_to() -> None:
    change = b'"seed":"00', b'"seed":"01'
    aspect, fault = only_fault(verify(edited(GOOD, 1, change)))
    assert (aspect, fault.line) == ("deal", 1)
    assert "commitment" in fault.message


def test_other_standings() -> None:
    line = line_of(GOOD, '"ended"')
    change = b'"seat":0,"place":2', b'"seat":0,"place":1'
    if change[0] not in GOOD:
        change = change[1], change[0]
    aspect, fault = only_fault(verify(edited(GOOD, line, change)))
    assert (aspect, fault.line) == ("standings", line)


def test_a_log_without_its_end_is_not_whole() -> None:
    lines = GOOD.splitlines()[:-2]
    aspect, fault = only_fault(verify(resealed(lines)))
    assert (aspect, fault.line) == ("standings", len(lines))


def test_nothing_follows_the_end() -> None:
    lines = GOOD.splitlines()[:-1]
    again = lines[-1].replace(
        b'"index":%d,' % (len(lines) - 1), b'"index":%d,' % len(lines)
    )
    aspect, fault = only_fault(verify(resealed([*lines, again])))
    assert fault.line == len(lines) + 1
    assert aspect == "standings"


@pytest.mark.parametrize(
    "change",
    [
        (b'"ready":true', b'"ready": true'),
        (b'"type":"ready","seat":0', b'"seat":0,"type":"ready"'),
        (b'"seat":0', b'"seat":1,"seat":0'),
        (b'"type":"ready"', b'"type":"re\\u0061dy"'),
    ],
    ids=["space", "order", "twice", "escape"],
)
def test_one_way_to_write_an_event(change: tuple[bytes, bytes]) -> None:
    event = b'{"type":"ready","seat":0,"ready":true}'
    line = b'{"index":3,"at_ms":990025,"event":%s}'
    lines = GOOD.splitlines()[:-1]
    for index in range(3, len(lines)):
        lines[index] = lines[index].replace(
            b'"index":%d,' % index, b'"index":%d,' % (index + 1)
        )
    lines.insert(3, line % event)
    assert verify(resealed(lines)).faults == []
    lines[3] = line % event.replace(*change)
    aspect, fault = only_fault(verify(resealed(lines)))
    assert (aspect, fault.line) == ("form", 4)


def test_an_event_of_a_later_version_is_not_guessed_at() -> None:
    change = b'"type":"countdown"', b'"type":"teleported"'
    line = line_of(GOOD, '"countdown"')
    aspect, fault = only_fault(verify(edited(GOOD, line, change)))
    assert (aspect, fault.line) == ("play", line)


def test_what_was_kept_from_elsewhere() -> None:
    report = verify(GOOD)
    assert report.race is not None
    digest = json.loads(GOOD.splitlines()[-1])["digest"]
    commitment = report.race.commitment
    assert not verify(
        GOOD, race_id=RACE_ID, digest=digest, commitment=commitment
    ).faults
    last = GOOD.count(b"\n")
    other = "0" * 64
    wrong: list[tuple[dict[str, Any], tuple[str, int]]] = [
        ({"race_id": "z" * 16}, ("deal", 1)),
        ({"commitment": other}, ("deal", 1)),
        ({"digest": other}, ("digest", last)),
    ]
    for given, expected in wrong:
        aspect, fault = only_fault(verify(GOOD, **given))
        assert (aspect, fault.line) == expected


@pytest.mark.parametrize("data", [b"", b"\n", b"{}\n", b"\xff" * 99, b'{"digest":"'])
def test_no_log_at_all(data: bytes) -> None:
    report = verify(data)
    assert report.race is None
    assert list(report.findings) == ["form"]
    assert report.faults[0].line >= 1


def test_nothing_is_claimed_of_any_deal() -> None:
    assert verify(GOOD).findings["claim"] == "Nothing is claimed of the deal."


def test_a_claim_that_is_true() -> None:
    log = whole("doublets", deals="winnable", turns=3)
    report = verify(log.file())
    assert report.faults == []
    assert report.findings["claim"] == (
        "The deal is winnable, as claimed: 26 moves clear it."
    )


def test_a_claim_that_is_false_is_a_fault_of_the_first_line() -> None:
    log = whole("juvenile", deals="winnable")
    aspect, fault = only_fault(verify(log.file()))
    assert (aspect, fault.line) == ("claim", 1)


def test_a_claim_beyond_the_search_is_not_checked_and_no_fault() -> None:
    report = verify(whole("doublets", deals="winnable", turns=3).file(), max_nodes=1)
    assert report.faults == []
    assert isinstance(report.findings["claim"], Unchecked)


def test_a_claim_is_proven_by_who_cleared_the_deal() -> None:
    log = started("doublets", seats=1, deals="winnable")
    for at, move in enumerate(solve(log.race.deal).line):
        log.move(0, 1_000_100 + at, str(move))
    report = verify(ended(log, 1_000_200).file(), max_nodes=1)
    assert report.faults == []
    assert report.findings["claim"] == (
        "The deal is winnable, as claimed: it was cleared."
    )
