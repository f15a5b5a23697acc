"""Fetching the log of a race that is over."""

import asyncio
import http.client
import urllib.error
import urllib.request

from samedeal.addresses import log_url
from samedeal.errors import CannotConnect, NotEnded, SamedealError, UnknownRace
from samedeal_protocol.names import is_race_id


MAX_LOG_BYTES = 64 * 1024 * 1024


async def fetch_log(url: str, race: str, *, timeout: float = 30.0) -> bytes:
    """The log of a race in file form, as `samedeal verify` and `replay` read it.

    Its last line has its digest, which `Race.digest` told when the race ended.

    Args:
        url: the server's address, as for `connect`.
        race: the race's id.
        timeout: seconds for each step of the transfer.

    Raises:
        ValueError: `url` is not a server's address.
        UnknownRace: the server has no such race.
        NotEnded: the race is not over yet.
        CannotConnect: the server cannot be reached, or cannot serve the log.
    """
    address = log_url(url, race)
    if not is_race_id(race):
        raise _unknown(race)
    return await asyncio.to_thread(_fetch, address, race, timeout)


# A server is reached as the WebSocket reaches it: by no proxy.
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def _fetch(address: str, race: str, timeout: float) -> bytes:
    try:
        with _DIRECT.open(address, timeout=timeout) as response:
            data: bytes = response.read(MAX_LOG_BYTES + 1)
    except urllib.error.HTTPError as error:
        with error:
            raise _refused(error.code, race) from None
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise CannotConnect(f"The log cannot be fetched: {reason}.") from None
    if len(data) > MAX_LOG_BYTES:
        raise CannotConnect(f"The log has more than {MAX_LOG_BYTES} bytes.", race=race)
    return data


def _refused(status: int, race: str) -> SamedealError:
    match status:
        case 404:
            return _unknown(race)
        case 409:
            return NotEnded(
                "The race is not over; its log is served when it is.", race=race
            )
        case _:
            return CannotConnect(f"The server answered HTTP {status}.", race=race)


def _unknown(race: str) -> UnknownRace:
    return UnknownRace(f"The server has no race {race[:24]!a}.", race=race)
