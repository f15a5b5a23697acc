"""The page's files as the server hands them out."""

import asyncio
import re
import urllib.error
import urllib.request
from email.message import Message

import pytest
from tests.conftest import Serve
from websockets.datastructures import Headers

import samedeal_web
from samedeal_games import GAMES
from samedeal_server.app import App
from samedeal_server.net.static import Static


async def _get(url: str, **headers: str) -> tuple[int, Message, bytes]:
    request = urllib.request.Request(
        url, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )

    def get() -> tuple[int, Message, bytes]:
        try:
            with urllib.request.urlopen(request) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    return await asyncio.to_thread(get)


@pytest.mark.parametrize("path", ["/", "/r/ABCDEF", "/replay/abcdefghijklmnop"])
async def test_the_page_is_at_every_address_that_people_share(
    server: App, path: str
) -> None:
    status, headers, body = await _get(server.url + path)
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Cache-Control"] == "no-cache"
    assert b"samedeal" in body


async def test_the_policy_lets_nothing_in_but_the_page_itself(server: App) -> None:
    _, headers, body = await _get(server.url + "/")
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy and "style-src 'self';" in policy
    assert "unsafe" not in policy
    page = body.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=", page)


async def test_files_are_kept_for_ever_under_their_hash(server: App) -> None:
    _, _, body = await _get(server.url + "/")
    paths = re.findall(r'"(/page/[^"]+)"', body.decode())
    kinds = {
        "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml",
    }
    for path in paths:
        status, headers, file = await _get(server.url + path)
        assert status == 200, path
        assert "immutable" in headers["Cache-Control"]
        assert headers["Content-Type"] == kinds[path.rpartition(".")[2]]
        assert headers["X-Content-Type-Options"] == "nosniff"
        name = path.split("/", 3)[3]
        assert file == samedeal_web.files().joinpath(name).read_bytes()


async def test_an_unhashed_file_is_asked_for_again_each_time(server: App) -> None:
    url = server.url + "/page/js/main.js"
    _, headers, _ = await _get(url)
    assert headers["Cache-Control"] == "no-cache"
    status, _, body = await _get(url, If_None_Match=headers["ETag"])
    assert (status, body) == (304, b"")
    status, _, _ = await _get(url, If_None_Match='"another"')
    assert status == 200
    status, headers, _ = await _get(server.url + "/page/0000000000000000/js/main.js")
    assert (status, headers["Cache-Control"]) == (200, "no-cache")


@pytest.mark.parametrize(
    "path", ["/page/../pyproject.toml", "/page/js/none.js", "/page/", "/js/main.js"]
)
async def test_nothing_else_is_served(server: App, path: str) -> None:
    assert (await _get(server.url + path))[0] == 404


async def test_links_to_share_begin_with_the_public_address(serve: Serve) -> None:
    app = await serve(public_url='https://play.example.org/"/')
    _, _, body = await _get(app.url + "/")
    assert b'content="https://play.example.org/&quot;"' in body
    app = await serve()
    _, _, body = await _get(app.url + "/")
    assert b'name="public-url" content=""' in body


def test_packed_files_unpack_to_the_same() -> None:
    import gzip

    static = Static(samedeal_web.files())
    asked = Headers({"Accept-Encoding": "gzip, br"})
    packed = static.answer("/page/js/spec.js", asked)
    plain = static.answer("/page/js/spec.js", Headers())
    assert packed is not None and plain is not None
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body


def test_the_page_tells_of_games_in_the_catalogues_words() -> None:
    text = samedeal_web.files().joinpath("js/catalogue.js").read_text("utf-8")
    for game in GAMES.values():
        for words in (game.name, game.title, game.about):
            assert f'"{words}"' in text
        for variant in game.variants:
            assert f'"{variant.title}"' in text and f'"{variant.about}"' in text
        first = re.search(
            rf'name: "{game.name}".*?variants: \[\s*{{\s*name: "([^"]+)"',
            text,
            re.DOTALL,
        )
        assert first is not None and first[1] == game.default
