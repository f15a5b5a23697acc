"""How an HTTP response is put together."""

import http

from websockets.datastructures import Headers
from websockets.http11 import Response


def respond(
    status: http.HTTPStatus, body: bytes, kind: str, headers: dict[str, str] | None
) -> Response:
    """A response of content type `kind`; `headers` go before the usual ones."""
    fields = {
        "Content-Type": kind,
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Connection": "close",
        **(headers or {}),
    }
    return Response(status.value, status.phrase, Headers(fields), body)


def respond_text(
    status: http.HTTPStatus, text: str, headers: dict[str, str] | None = None
) -> Response:
    """One sentence for a person."""
    body = f"{text}\n".encode()
    return respond(status, body, "text/plain; charset=utf-8", headers)
