"""What is served over plain HTTP on the same port, and who may open a socket."""

import http
import re
from urllib.parse import urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from samedeal_protocol import logfile
from samedeal_protocol.names import is_race_id
from samedeal_server.net.services import Services
from samedeal_server.race.refusal import Refusal
from samedeal_server.store import START, StoreUnavailable


_LOG_PATH = re.compile(r"/races/([^/]*)/log\.jsonl")
_PORTS = {"http": "80", "https": "443"}


class Pages:
    """Answers HTTP requests; lets WebSocket handshakes through that may pass."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def answer(self, request: Request) -> Response | None:
        """The response to a request, or None to go on with the handshake."""
        path = urlsplit(request.path).path
        if path == "/ws":
            return self._gate(request)
        if path == "/healthz":
            return await self._health()
        if (match := _LOG_PATH.fullmatch(path)) is not None:
            return await self._log(match[1])
        return _text(
            http.HTTPStatus.NOT_FOUND,
            "There is nothing here. Race over WebSocket at /ws; see the README.",
        )

    def too_many(self) -> Response:
        """For an address that has all the connections it may have."""
        return _text(
            http.HTTPStatus.TOO_MANY_REQUESTS,
            "Too many connections from your address; close some first.",
        )

    # Private methods.

    def _gate(self, request: Request) -> Response | None:
        if "Upgrade" not in request.headers:
            return _text(
                http.HTTPStatus.UPGRADE_REQUIRED,
                "This address speaks WebSocket; connect with a WebSocket client.",
                Upgrade="websocket",
            )
        origins = request.headers.get_all("Origin")
        hosts = request.headers.get_all("Host")
        if any(not self._may_connect(o, hosts[0] if hosts else "") for o in origins):
            return _text(
                http.HTTPStatus.FORBIDDEN,
                "Pages of that origin may not connect; "
                "allow it with SAMEDEAL_ALLOW_ORIGINS.",
            )
        return None

    def _may_connect(self, origin: str, host: str) -> bool:
        if origin in self._services.settings.allow_origins:
            return True
        parts = urlsplit(origin)
        port = _PORTS.get(parts.scheme)
        if port is None or not parts.netloc:
            return False
        return _with_port(parts.netloc, port) == _with_port(host, port)

    async def _health(self) -> Response:
        try:
            await self._services.store.registry.ping()
        except StoreUnavailable as error:
            return _text(http.HTTPStatus.SERVICE_UNAVAILABLE, str(error))
        if self._services.closing:
            return _text(http.HTTPStatus.SERVICE_UNAVAILABLE, "Going away.")
        return _text(http.HTTPStatus.OK, "ok")

    async def _log(self, race_id: str) -> Response:
        if not is_race_id(race_id):
            return _text(http.HTTPStatus.NOT_FOUND, "That is no race's id.")
        try:
            live = await self._services.hub.get(race_id)
            if not live.state.ended:
                return _text(
                    http.HTTPStatus.CONFLICT,
                    "This race is not over; its log is served once it has ended.",
                )
            tail = await self._services.store.log.read(race_id, START)
        except Refusal as refusal:
            status = http.HTTPStatus.INTERNAL_SERVER_ERROR
            if refusal.code == "unknown_race":
                status = http.HTTPStatus.NOT_FOUND
            elif refusal.code == "unavailable":
                status = http.HTTPStatus.SERVICE_UNAVAILABLE
            return _text(status, refusal.message)
        except StoreUnavailable as error:
            return _text(http.HTTPStatus.SERVICE_UNAVAILABLE, str(error))
        body = logfile.write((entry.at_ms, entry.event) for entry in tail.entries)
        return _response(http.HTTPStatus.OK, body, "application/x-ndjson")


def _with_port(netloc: str, default: str) -> str:
    """Host and port in one form; IPv6 addresses keep their brackets."""
    name = netloc.rpartition("@")[2].lower()
    has_port = re.fullmatch(r"(\[.*\]|[^:]*):[0-9]+", name)
    return name if has_port else f"{name}:{default}"


def _text(status: http.HTTPStatus, text: str, **headers: str) -> Response:
    body = f"{text}\n".encode()
    return _response(status, body, "text/plain; charset=utf-8", **headers)


def _response(
    status: http.HTTPStatus, body: bytes, kind: str, **headers: str
) -> Response:
    fields = Headers(
        {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
            **headers,
        }
    )
    return Response(status.value, status.phrase, fields, body)
