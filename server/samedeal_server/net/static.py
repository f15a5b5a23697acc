"""The web page's files over HTTP.

All are read once. Every file has an address with the hash of all of them in it,
which may be cached for ever, and the page names only such addresses: a browser
asks again for nothing but the page itself, and never mixes two releases.
"""

import gzip
import hashlib
import html
import http
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from websockets.datastructures import Headers
from websockets.http11 import Response

from samedeal_server.net.responses import respond


_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_ROUTES = re.compile(r"/|/r/[^/]+|/replay/[^/]+")
_FILE = re.compile(r"/page/(?:(?P<hash>[0-9a-f]{16})/)?(?P<name>.+)")
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    )
)


@dataclass(frozen=True, slots=True)
class _Asset:
    body: bytes
    packed: bytes
    etag: str
    kind: str


class Static:
    """Answers requests for the page.

    Args:
        folder: what `samedeal_web.files()` returns.
        public_url: where people reach this server, where that is not the address
            that they opened the page on; the page puts it into links to share.
    """

    def __init__(self, folder: Traversable, public_url: str = "") -> None:
        contents = dict(_walk(folder))
        tree = hashlib.sha256()
        for name, body in sorted(contents.items()):
            tree.update(f"{name}\0{len(body)}\0".encode() + body)
        self._hash = tree.hexdigest()[:16]
        page = contents.pop("index.html").decode()
        page = page.replace('"/page/', f'"/page/{self._hash}/')
        page = page.replace("{{public_url}}", html.escape(public_url.rstrip("/")))
        self._page = _asset("index.html", page.encode())
        self._assets = {name: _asset(name, body) for name, body in contents.items()}

    def answer(self, path: str, headers: Headers) -> Response | None:
        """The response to a GET of `path`; None where the page has no part in it."""
        if _ROUTES.fullmatch(path):
            return _answer(self._page, headers, "no-cache")
        match = _FILE.fullmatch(path)
        asset = self._assets.get(match["name"]) if match else None
        if match is None or asset is None:
            return None
        for_ever = match["hash"] == self._hash
        caching = "public, max-age=31536000, immutable" if for_ever else "no-cache"
        return _answer(asset, headers, caching)


def _walk(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.rpartition(".")[2] in _TYPES:
            yield prefix + entry.name, entry.read_bytes()


def _asset(name: str, body: bytes) -> _Asset:
    etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    kind = _TYPES[name.rpartition(".")[2]]
    return _Asset(body, gzip.compress(body, mtime=0), etag, kind)


def _answer(asset: _Asset, headers: Headers, caching: str) -> Response:
    fields = {
        "Cache-Control": caching,
        "ETag": asset.etag,
        "Vary": "Accept-Encoding",
        "Content-Security-Policy": _POLICY,
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
    }
    if asset.etag in ", ".join(headers.get_all("If-None-Match")):
        return respond(http.HTTPStatus.NOT_MODIFIED, b"", asset.kind, fields)
    body = asset.body
    if "gzip" in ", ".join(headers.get_all("Accept-Encoding")):
        body = asset.packed
        fields["Content-Encoding"] = "gzip"
    return respond(http.HTTPStatus.OK, body, asset.kind, fields)
