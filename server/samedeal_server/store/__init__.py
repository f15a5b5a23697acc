"""The store: logs on Redis Streams, the keys beside them, the doorbells, and the
embedded Valkey that makes all of it work from pip alone."""

from .connect import Promise, Store, open_store
from .embedded import EmbeddedStore, embedded_url, start_embedded
from .endings import Ending
from .errors import (
    DataError,
    DataInUse,
    LogUnavailable,
    StoreError,
    StoreUnavailable,
    StoreUnreachable,
)
from .log import Log
from .records import CannotFold
from .registry import Presence, Registry
from .settings import StoreSettings
from .values import (
    FOREVER,
    START,
    Append,
    Appended,
    AppendResult,
    Conflict,
    Doubtful,
    Entry,
    Position,
    Tail,
    TooEarly,
    TooLate,
)


__all__ = [
    "FOREVER",
    "START",
    "Append",
    "AppendResult",
    "Appended",
    "CannotFold",
    "Conflict",
    "DataError",
    "DataInUse",
    "Doubtful",
    "EmbeddedStore",
    "Ending",
    "Entry",
    "Log",
    "LogUnavailable",
    "Position",
    "Presence",
    "Promise",
    "Registry",
    "Store",
    "StoreError",
    "StoreSettings",
    "StoreUnavailable",
    "StoreUnreachable",
    "Tail",
    "TooEarly",
    "TooLate",
    "embedded_url",
    "open_store",
    "start_embedded",
]
