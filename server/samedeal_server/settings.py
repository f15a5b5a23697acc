"""Every setting of the server, in one place, with its default and its unit.

Each can be given on the command line or as `SAMEDEAL_<NAME>` in the
environment (`keep_days` is `SAMEDEAL_KEEP_DAYS`).
"""

import types
import typing
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import asdict


_HOUR_S = 3600
_MOST = 1_000_000_000
# From least to most. More than that is a slip, and would fail later: a store keeps
# nothing for ever, a clock cannot be set so far ahead, a machine has no such memory.
_RANGES: dict[str, tuple[float, float]] = {
    "port": (0, 65535),
    "workers": (1, 256),
    "keep_days": (1, 36_500),
    "fold_after_s": (0, 366 * 24 * _HOUR_S),
    "wait_replicas": (0, 100),
    "pool": (0, 10_000),
    "message_bytes": (256, 1024 * 1024),
    "send_queue_bytes": (4096, 1024 * 1024 * 1024),
    "send_queue_s": (0.1, _HOUR_S),
    "dead_peer_s": (0.1, _HOUR_S),
    "unavailable_s": (0.1, _HOUR_S),
    "shutdown_s": (0.1, _HOUR_S),
}


class BadSetting(ValueError):
    """A setting has a value that it cannot have; the message says what to do."""


class Limits(Struct, frozen=True, kw_only=True):
    """What one client may do; 0 turns a limit off.

    Connections and joins are counted by each of several workers for itself.

    Attributes:
        messages_per_s: messages a second from one connection …
        messages_burst: … with bursts of this many.
        refusals: refusals for being too fast, within ten seconds, that close a
            connection.
        connections_per_address: at the same time.
        joins_per_minute: joins by code from one address.
        races_per_player: unfinished ones.
        quick_seats_per_address: seats of one address in one quick race.
        analyses_per_address: ended races being looked back on for one address.
    """

    messages_per_s: int = 40
    messages_burst: int = 80
    refusals: int = 200
    connections_per_address: int = 200
    joins_per_minute: int = 60
    races_per_player: int = 16
    quick_seats_per_address: int = 0
    analyses_per_address: int = 4

    @classmethod
    def off(cls) -> "Limits":
        """None at all, for benches on a machine of one's own."""
        return cls(**dict.fromkeys(cls.__struct_fields__, 0))


class Settings(Struct, frozen=True, kw_only=True):
    """How one server runs.

    Attributes:
        host: address to listen on.
        port: port to listen on; 0 takes a free one.
        data: directory of the embedded store; empty for the platform's own.
        redis: URL of an outside store instead of the embedded one.
        workers: processes that serve; with more than one, one more looks after them.
        public_url: where people reach this server, for links that the page shares;
            empty for the address that the page was opened on.
        allow_origins: origins, besides this server's own, whose pages may connect.
        limits: see `Limits`; `SAMEDEAL_LIMITS=off` turns all of them off.
        keep_days: how long ended races are kept.
        fold_after_s: the log of a race is compressed so long after its end.
        wait_replicas: acknowledge a move only once so many replicas have it.
        pool: deals proved winnable to keep ready for each variant; 0 for none, and
            then races are on any deal.
        bot_pace_ms: shortest and longest time a built-in bot thinks.
        message_bytes: largest message from a client.
        send_queue_bytes: a reader with more than this waiting …
        send_queue_s: … or waiting for longer than this is closed, to resume.
        dead_peer_s: a connection silent for this long, pings included, is closed.
        unavailable_s: a command waits this long for the log at most.
        shutdown_s: an orderly close takes this long at most.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    data: str = ""
    redis: str = ""
    workers: int = 1
    public_url: str = ""
    allow_origins: tuple[str, ...] = ()
    limits: Limits = Limits()
    keep_days: int = 30
    fold_after_s: float = 60.0
    wait_replicas: int = 0
    pool: int = 16
    bot_pace_ms: tuple[int, int] = (800, 2000)
    message_bytes: int = 8192
    send_queue_bytes: int = 1024 * 1024
    send_queue_s: float = 10.0
    dead_peer_s: float = 20.0
    unavailable_s: float = 4.0
    shutdown_s: float = 5.0


def from_environment(environment: Mapping[str, str], **given: Any) -> Settings:
    """Settings from `SAMEDEAL_*` variables, overridden by those `given`.

    Raises:
        BadSetting: a variable cannot be read as its setting.
    """
    values: dict[str, Any] = {}
    hints = typing.get_type_hints(Settings)
    for name in Settings.__struct_fields__:
        text = environment.get(f"SAMEDEAL_{name.upper()}")
        if text is not None and name not in given:
            values[name] = _parse(f"SAMEDEAL_{name.upper()}", text, hints[name])
    settings = Settings(**{**values, **given})
    return _checked(settings)


def parse_limits(text: str) -> Limits:
    """Limits from `off`, `on`, or `NAME=N,NAME=N` for some of them.

    Raises:
        BadSetting: it is none of these.
    """
    if text in ("", "on"):
        return Limits()
    if text == "off":
        return Limits.off()
    chosen: dict[str, int] = {}
    for part in text.split(","):
        name, _, number = part.partition("=")
        if name not in Limits.__struct_fields__ or not number.isdecimal():
            names = ", ".join(Limits.__struct_fields__)
            raise BadSetting(
                f"Limits are 'off', or NAME=NUMBER,… with names of {names}; "
                f"not {part!r}."
            )
        chosen[name] = int(number)
    return Limits(**chosen)


def _parse(variable: str, text: str, kind: Any) -> Any:
    if kind is Limits:
        return parse_limits(text)
    items: Any = text
    if isinstance(kind, types.GenericAlias):
        items = [item for item in text.split(",") if item]
    try:
        return msgspec.convert(items, kind, strict=False)
    except msgspec.ValidationError as error:
        example = _DEFAULTS[variable]
        raise BadSetting(
            f"{variable}={text!r} cannot be used ({error}); it is like {example!r}."
        ) from None


def _checked(settings: Settings) -> Settings:
    for name, (least, most) in _RANGES.items():
        value = getattr(settings, name)
        if not least <= value <= most:  # Which holds of no NaN.
            raise BadSetting(f"{name} is {least} to {most}, not {value}.")
    for name, value in asdict(settings.limits).items():
        if value > _MOST:
            raise BadSetting(f"The limit {name} is 0 to {_MOST}, not {value}.")
    low, high = settings.bot_pace_ms
    if not 0 <= low <= high <= _HOUR_S * 1000:
        raise BadSetting(
            "The bots' pace is a shortest and a longest time in ms, "
            f"0 to {_HOUR_S * 1000}."
        )
    if not settings.host.strip():
        raise BadSetting("The address to listen on is empty; 0.0.0.0 is all of them.")
    url = urlsplit(settings.public_url)
    if settings.public_url and (url.scheme not in ("http", "https") or not url.netloc):
        raise BadSetting(
            f"{settings.public_url!r} is no address to share; "
            "it is like 'https://samedeal.example.org'."
        )
    return settings


def _written(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


_DEFAULTS = {
    f"SAMEDEAL_{name.upper()}": _written(getattr(Settings(), name))
    for name in Settings.__struct_fields__
}
