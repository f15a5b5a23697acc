"""A new race, set up: settings checked, cards chosen, the first events."""

import secrets
from collections.abc import Sequence

from msgspec import UNSET

from samedeal_games import (
    LEVELS,
    InvalidSeedError,
    UnknownGameError,
    UnknownVariantError,
    Variant,
    deal,
    find_variant,
    outcome,
    parse_seed,
)
from samedeal_protocol import commands, events
from samedeal_protocol.commitment import commit
from samedeal_protocol.events import Event
from samedeal_protocol.names import MAX_SEATS, RULES_VERSION, Deals, distinct_name
from samedeal_protocol.settings import RaceSettings
from samedeal_server.race.refusal import Refusal
from samedeal_server.service.identity import Player, new_id


_DEFAULTS = RaceSettings()


def find(game: str, variant: str | None) -> Variant:
    """The variant meant.

    Raises:
        Refusal: `unknown_game` or `unknown_variant`.
    """
    try:
        return find_variant(game, variant)
    except UnknownGameError as error:
        raise Refusal("unknown_game", str(error)) from None
    except UnknownVariantError as error:
        raise Refusal("unknown_variant", str(error)) from None


def resolve(command: commands.Create, *, winnable: bool) -> RaceSettings:
    """The settings that a `create` comes to.

    Args:
        winnable: this server can offer deals that were proved winnable; they are
            its choice, then, unless the seed is chosen.

    Raises:
        Refusal: `unknown_level` or `bad_settings`.
    """
    bots = () if command.bots is UNSET else tuple(command.bots)
    for level in bots:
        if level not in LEVELS:
            raise Refusal(
                "unknown_level",
                f"There is no level {level[:24]!r}; choose from {', '.join(LEVELS)}.",
            )
    seats = _number(command.seats, "seats", _DEFAULTS.seats, 1, MAX_SEATS)
    if len(bots) + 1 > seats:
        raise Refusal(
            "bad_settings",
            f"{len(bots)} bots and you need {len(bots) + 1} seats, not {seats}.",
        )
    return RaceSettings(
        seats=seats,
        bots=bots,
        countdown_ms=_number(
            command.countdown_ms, "countdown_ms", _DEFAULTS.countdown_ms, 0, 60_000
        ),
        time_limit_ms=_number(
            command.time_limit_ms,
            "time_limit_ms",
            _DEFAULTS.time_limit_ms,
            10_000,
            3_600_000,
        ),
        undo=_DEFAULTS.undo if command.undo is UNSET else command.undo,
        open=_DEFAULTS.open if command.open is UNSET else command.open,
        deals=_deals(command, winnable),
        hints=True if command.hints is True else UNSET,
    )


def chosen_seed(command: commands.Create) -> bytes | None:
    """The seed that a `create` asks for, if it does.

    Raises:
        Refusal: `bad_settings` for anything but 32 lower-case hex digits.
    """
    if command.seed is UNSET:
        return None
    try:
        return parse_seed(command.seed)
    except InvalidSeedError as error:
        raise Refusal("bad_settings", str(error)) from None


def draw_seed(variant: Variant) -> bytes:
    """A random seed whose deal is not stuck before the first move."""
    while True:
        seed = secrets.token_bytes(16)
        if outcome(deal(variant, seed)) is None:
            return seed


def first_events(
    *,
    race: str,
    code: str,
    variant: Variant,
    settings: RaceSettings,
    host: Player,
    is_bot: bool,
    seed: bytes | None = None,
    chosen: bool = False,
    quick: bool = False,
) -> Sequence[Event]:
    """The entries that a race's log begins with: made, its host and bots seated.

    Args:
        seed: what the cards are dealt from; None draws one.
        chosen: a player chose it.
        is_bot: the host is somebody's program.
    """
    cards = draw_seed(variant) if seed is None else seed
    salt = secrets.token_bytes(16)
    created = events.Created(
        race=race,
        code=code,
        game=variant.game,
        variant=variant.name,
        rules=RULES_VERSION,
        settings=settings,
        chosen=chosen,
        quick=quick,
        host=host.id,
        seed=cards.hex(),
        salt=salt.hex(),
        commitment=commit(salt, cards, variant.game, variant.name),
    )
    joined = [
        events.Joined(
            seat=0,
            player=host.id,
            name=host.name,
            bot="external" if is_bot else UNSET,
        )
    ]
    for number, level in enumerate(settings.bots, 1):
        taken = frozenset(other.name for other in joined)
        name = distinct_name(f"{level.capitalize()} bot", taken)
        bot = events.Joined(seat=number, player=new_id(), name=name, bot=level)
        joined.append(bot)
    return [created, *joined]


def _deals(command: commands.Create, winnable: bool) -> Deals:
    chosen = command.seed is not UNSET
    if command.deals is UNSET:
        return "winnable" if winnable and not chosen else "any"
    if command.deals == "any":
        return "any"
    if command.deals != "winnable" or not winnable:
        offered = "'any' or 'winnable'" if winnable else "'any' only"
        raise Refusal("bad_settings", f"This server offers deals {offered}.")
    if chosen:
        raise Refusal(
            "bad_settings", "A chosen seed and 'winnable' exclude each other."
        )
    return "winnable"


def _number(
    given: int | object, name: str, default: int, lowest: int, highest: int
) -> int:
    if not isinstance(given, int):
        return default
    if not lowest <= given <= highest:
        raise Refusal("bad_settings", f"{name} is from {lowest} to {highest}.")
    return given
