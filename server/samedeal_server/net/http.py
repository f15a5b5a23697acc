"""What is served over plain HTTP on the same port, and who may open a socket."""

import dataclasses
import http
import re
from urllib.parse import urlsplit

from websockets.http11 import Request, Response

import samedeal_web
from samedeal_protocol import logfile
from samedeal_protocol.codec import JSON, decode_event
from samedeal_protocol.names import is_race_id
from samedeal_server.net.replay import replay_json
from samedeal_server.net.responses import respond, respond_text
from samedeal_server.net.services import Services
from samedeal_server.net.static import Static
from samedeal_server.race.refusal import Refusal
from samedeal_server.store import START, StoreUnavailable


_RACE_PATH = re.compile(r"/races/([^/]*)/(log\.jsonl|replay\.json|analysis\.json)")
_STATUS = {
    "unknown_race": http.HTTPStatus.NOT_FOUND,
    "not_started": http.HTTPStatus.CONFLICT,
    "race_started": http.HTTPStatus.CONFLICT,
    "rate_limited": http.HTTPStatus.TOO_MANY_REQUESTS,
    "unavailable": http.HTTPStatus.SERVICE_UNAVAILABLE,
}
_FOR_NOW = (http.HTTPStatus.TOO_MANY_REQUESTS, http.HTTPStatus.SERVICE_UNAVAILABLE)
_METHODS = ("GET", "HEAD")
_PORTS = {"http": "80", "https": "443"}


class Pages:
    """Answers HTTP requests; lets WebSocket handshakes through that may pass."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._static = Static(samedeal_web.files(), services.settings.public_url)

    async def answer(self, request: Request, address: str) -> Response | None:
        """The response to a request from `address`, or None to go on with the
        handshake."""
        if request.method not in _METHODS:
            return respond_text(
                http.HTTPStatus.METHOD_NOT_ALLOWED,
                "Everything here is read: ask with GET.",
                {"Allow": ", ".join(_METHODS)},
            )
        response = await self._answer(request, address)
        if response is not None and request.method == "HEAD":
            return dataclasses.replace(response, body=b"")
        return response

    def too_many(self) -> Response:
        """For an address that has all the connections it may have."""
        return respond_text(
            http.HTTPStatus.TOO_MANY_REQUESTS,
            "Too many connections from your address; close some first.",
        )

    # Private methods.

    async def _answer(self, request: Request, address: str) -> Response | None:
        path = urlsplit(request.path).path
        if path == "/ws":
            return self._gate(request)
        if path == "/healthz":
            return await self._health()
        if (match := _RACE_PATH.fullmatch(path)) is not None:
            return await self._race(match[1], match[2], address)
        if (page := self._static.answer(path, request.headers)) is not None:
            return page
        return respond_text(
            http.HTTPStatus.NOT_FOUND,
            "There is nothing here. The page is at /, races over WebSocket at /ws.",
        )

    def _gate(self, request: Request) -> Response | None:
        if "Upgrade" not in request.headers:
            return respond_text(
                http.HTTPStatus.UPGRADE_REQUIRED,
                "This address speaks WebSocket; connect with a WebSocket client.",
                {"Upgrade": "websocket"},
            )
        origins = request.headers.get_all("Origin")
        hosts = request.headers.get_all("Host")
        if any(not self._may_connect(o, hosts[0] if hosts else "") for o in origins):
            return respond_text(
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
            return respond_text(http.HTTPStatus.SERVICE_UNAVAILABLE, str(error))
        if self._services.closing:
            return respond_text(http.HTTPStatus.SERVICE_UNAVAILABLE, "Going away.")
        return respond_text(http.HTTPStatus.OK, "ok")

    async def _race(self, race_id: str, what: str, address: str) -> Response:
        if not is_race_id(race_id):
            return respond_text(http.HTTPStatus.NOT_FOUND, "That is no race's id.")
        try:
            if what == "analysis.json":
                found = await self._services.hindsight.ask(race_id, address)
                body = JSON.encode(found)
                return respond(http.HTTPStatus.OK, body, "application/json", None)
            # What is in memory may be behind another node, or ahead of a log that
            # went back: neither may decide that a log is served.
            live = await self._services.hub.get(race_id, fresh=True)
            if not live.state.ended:
                return respond_text(
                    http.HTTPStatus.CONFLICT,
                    "This race is not over; its log is served once it has ended.",
                )
            tail = await self._services.store.log.read(race_id, START)
        except Refusal as refusal:
            status = _STATUS.get(refusal.code, http.HTTPStatus.INTERNAL_SERVER_ERROR)
            again = {"Retry-After": "1"} if status in _FOR_NOW else None
            return respond_text(status, refusal.message, again)
        except StoreUnavailable as error:
            return respond_text(http.HTTPStatus.SERVICE_UNAVAILABLE, str(error))
        if what == "replay.json":
            events = ((decode_event(e.event), e.at_ms) for e in tail.entries)
            body = replay_json(events)
            return respond(http.HTTPStatus.OK, body, "application/json", None)
        body = logfile.write((entry.at_ms, entry.event) for entry in tail.entries)
        return respond(http.HTTPStatus.OK, body, "application/x-ndjson", None)


def _with_port(netloc: str, default: str) -> str:
    """Host and port in one form; IPv6 addresses keep their brackets."""
    name = netloc.rpartition("@")[2].lower()
    has_port = re.fullmatch(r"(\[.*\]|[^:]*):[0-9]+", name)
    return name if has_port else f"{name}:{default}"
