from collections.abc import Callable

import pytest
from hypothesis import given
from msgspec import UNSET
from tests.helpers.positions import VARIANTS, variant_id
from tests.server.race import table as t
from tests.server.race.stories import stories
from tests.server.race.table import PLAYERS, Table

from samedeal_games import Variant, find_variant, view
from samedeal_protocol import events, patches
from samedeal_protocol.settings import RaceSettings
from samedeal_protocol.updates import Patch, Progress, RaceInfo, View
from samedeal_server.race import told
from samedeal_server.race.model import Race


JUVENILE = find_variant("juvenile")
DIGEST = "0f" * 32


def everyone(_: str) -> bool:
    return True


def info(
    made: Table,
    *,
    is_connected: Callable[[str], bool] = everyone,
    rematch: str | None = None,
    digest: str | None = None,
) -> RaceInfo:
    return told.race_info(
        made.race,
        made.now,
        is_connected=is_connected,
        watchers=3,
        rematch=rematch,
        digest=digest,
    )


def boards(made: Table, number: int) -> list[dict[str, list[str]]]:
    """What a seat saw at each of its turns, as it happened."""
    seen = [view(made.race.deal)]
    for event, state in zip(made.events, made.states, strict=True):
        if isinstance(event, events.Moved | events.Undone) and event.seat == number:
            seat = state.seat(number)
            assert seat is not None
            seen.append(view(seat.board))
    return seen


# Patches.


@given(stories())
def test_a_patch_from_any_turn_leads_to_now(made: Table) -> None:
    now = max(made.now, made.race.at_ms)
    if not made.race.has_started(now):
        return
    for seat in made.race.taken:
        seen = boards(made, seat.number)
        assert len(seen) == seat.turn + 1
        for turn, piles in enumerate(seen):
            patch = told.patch_from(made.race, seat, turn, now)
            assert patch == Patch(
                race=t.RACE,
                seat=seat.number,
                from_=turn,
                turn=seat.turn,
                turns=seat.turns[turn:],
                piles=patches.diff(piles, seen[-1]),
                left=seat.left,
                status=made.race.status(seat, now),
                elapsed_ms=seat.elapsed_ms,
            )
            assert patches.apply(piles, patch.piles) == view(seat.board)


@given(stories())
def test_the_board_at_a_turn_is_what_it_was(made: Table) -> None:
    for seat in made.race.taken:
        for turn, piles in enumerate(boards(made, seat.number)):
            assert view(told.board_at(made.race, seat, turn)) == piles


@given(stories())
def test_patches_step_by_step_keep_a_board_current(made: Table) -> None:
    shown: dict[int, dict[str, list[str]]] = {}
    for entry, before, after in zip(
        made.entries[1:], made.states, made.states[1:], strict=False
    ):
        if not isinstance(entry.event, events.Moved | events.Undone | events.Resigned):
            continue
        number = entry.event.seat
        old, seat = before.seat(number), after.seat(number)
        assert old is not None and seat is not None
        patch = told.step_patch(after, old, seat, entry.at_ms)
        assert (patch.from_, patch.turn) == (old.turn, seat.turn)
        assert list(patch.turns) == list(seat.turns[old.turn :])
        assert len(patch.turns) == (not isinstance(entry.event, events.Resigned))
        if not patch.turns:
            assert patch.piles == {}
        known = shown.get(number, view(made.race.deal))
        shown[number] = patches.apply(known, patch.piles)
        assert shown[number] == view(seat.board)
        assert patch.piles == patches.diff(view(old.board), view(seat.board))


def test_a_patch_to_the_same_turn_is_empty() -> None:
    made = t.racing(JUVENILE, t.line(JUVENILE).seed)
    made.play(0, t.line(JUVENILE).moves[0], after_ms=70)
    assert told.patch_from(made.race, made.seat(0), 1, made.now) == Patch(
        race=t.RACE,
        seat=0,
        from_=1,
        turn=1,
        turns=(),
        piles={},
        left=50,
        status="playing",
        elapsed_ms=70,
    )


def test_before_any_view_a_patch_has_no_piles() -> None:
    made = t.table("juvenile", players=2)
    made.ask(0, t.start())
    before = made.seat(1)
    made.ask(1, t.resign())
    for patch in (
        told.step_patch(made.race, before, made.seat(1), made.now),
        told.patch_from(made.race, made.seat(1), 0, made.now),
    ):
        assert patch.piles == {}
        assert (patch.from_, patch.turn, patch.status) == (0, 0, "resigned")


def test_an_undo_is_in_the_turns_of_a_patch() -> None:
    first, second = t.line(JUVENILE).moves[:2]
    made = t.racing(JUVENILE, t.line(JUVENILE).seed, undo=True)
    made.play(0, first)
    made.play(0, second)
    made.undo(0)
    patch = told.patch_from(made.race, made.seat(0), 0, made.now)
    assert patch.turns == ((first,), (second,), "undo")
    back = told.patch_from(made.race, made.seat(0), 1, made.now)
    assert back.turns == ((second,), "undo")
    assert back.piles == {}


# Views and progress.


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_a_view_is_what_the_seat_may_see(variant: Variant) -> None:
    made = t.racing(variant, t.line(variant).seed)
    made.play(0, t.line(variant).moves[0], after_ms=30)
    seat = made.seat(0)
    assert told.seat_view(made.race, seat, made.now) == View(
        race=t.RACE,
        seat=0,
        turn=1,
        piles=view(seat.board),
        left=seat.left,
        status="playing",
        elapsed_ms=30,
    )


def test_progress_has_no_card() -> None:
    made = t.racing(JUVENILE, t.line(JUVENILE).seed, players=2)
    made.play(1, *t.line(JUVENILE).moves[:2], after_ms=30)
    assert told.progress(made.race, made.seat(1), made.now) == Progress(
        race=t.RACE, seat=1, turn=1, left=48, status="playing", elapsed_ms=30
    )


# The race.


def test_a_race_tells_of_its_settings_and_seats() -> None:
    made = Table(
        find_variant("doublets", "sealed"),
        chosen=True,
        settings=RaceSettings(seats=4, bots=("greedy",), undo=True),
    )
    made.join(2, "Ada", is_bot=True)
    made.ask(2, t.ready())
    shown = info(made, is_connected=lambda player: player != PLAYERS[0])
    assert (shown.race, shown.code) == (t.RACE, "QWXYZA")
    assert (shown.game, shown.variant) == ("doublets", "sealed")
    assert shown.settings == made.settings
    assert shown.commitment == made.race.commitment
    assert (shown.chosen, shown.host, shown.watchers) == (True, 0, 3)
    assert [(s.seat, s.player, s.name, s.bot) for s in shown.seats] == [
        (0, PLAYERS[0], "Player 0", UNSET),
        (1, PLAYERS[-1], "Bot 1", "greedy"),
        (2, PLAYERS[2], "Ada", "external"),
    ]
    assert [s.ready for s in shown.seats] == [False, True, True]
    assert [s.connected for s in shown.seats] == [False, True, True]
    assert {s.status for s in shown.seats} == {"waiting"}
    assert {(s.left, s.turn, s.elapsed_ms) for s in shown.seats} == {(48, 0, 0)}


def test_built_in_bots_are_always_connected() -> None:
    made = Table(settings=RaceSettings(bots=("random",)))
    shown = info(made, is_connected=lambda _: False)
    assert [s.connected for s in shown.seats] == [False, True]


def test_what_is_told_in_each_phase() -> None:
    made = t.table("juvenile", players=2)
    shown = info(made, digest=DIGEST)
    assert (shown.phase, shown.starts_in_ms) == ("lobby", UNSET)
    made.ask(0, t.start())
    made.now += 1000
    shown = info(made, digest=DIGEST)
    assert (shown.phase, shown.starts_in_ms) == ("countdown", 2000)
    made.now += 2000
    shown = info(made, digest=DIGEST)
    assert (shown.phase, shown.starts_in_ms) == ("racing", 0)
    assert [s.status for s in shown.seats] == ["playing"] * 2
    made.now += 500
    shown = info(made, digest=DIGEST, rematch="b4n6c2y7u3jhg5fe")
    assert (shown.phase, shown.starts_in_ms) == ("racing", -500)
    assert shown.rematch == "b4n6c2y7u3jhg5fe"
    assert [s.place for s in shown.seats] == [UNSET] * 2
    made.ask(0, t.resign())
    made.ask(1, t.resign())
    made.finish()
    shown = info(made, digest=DIGEST)
    assert (shown.phase, shown.starts_in_ms) == ("ended", UNSET)
    assert (shown.seed, shown.salt) == (made.race.seed, made.race.salt)
    assert shown.digest == DIGEST
    assert [s.place for s in shown.seats] == [1, 1]
    assert info(made).digest is UNSET


def test_a_lobby_that_has_ended_tells_so() -> None:
    made = t.table("juvenile")
    made.ask(0, t.leave())
    shown = info(made, digest=DIGEST)
    assert (shown.phase, shown.host, list(shown.seats)) == ("ended", 0, [])
    assert (shown.starts_in_ms, shown.digest) == (UNSET, DIGEST)


@given(stories())
def test_seed_and_salt_are_told_once_it_has_ended(made: Table) -> None:
    for race in made.states:
        secrets = told_of(race)
        if race.ended:
            assert secrets == (race.seed, race.salt, DIGEST)
        else:
            assert secrets == (UNSET, UNSET, UNSET)


def told_of(race: Race) -> tuple[object, object, object]:
    shown = told.race_info(race, race.at_ms, is_connected=everyone, digest=DIGEST)
    return shown.seed, shown.salt, shown.digest
