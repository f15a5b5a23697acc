"""Arguments of `connect`, and who one is afterwards; against a real server."""

import pytest

import samedeal
from samedeal_server.app import App


async def test_a_player_comes_back_by_token(server: App) -> None:
    async with samedeal.connect(server.url, name="  Ada ") as ada:
        assert (ada.name, ada.connected) == ("Ada", True)
    async with samedeal.connect(server.url, token=ada.token) as again:
        assert (again.player, again.name) == (ada.player, "Ada")
        assert again.token == ada.token
    async with samedeal.connect(server.url, token=ada.token, name="Ida") as renamed:
        assert (renamed.player, renamed.name) == (ada.player, "Ida")


async def test_awaiting_gives_the_client_too(server: App) -> None:
    client = await samedeal.connect(f"{server.url.replace('http', 'ws')}/ws")
    assert repr(client) == f"<Client Player ({client.player}), connected>"
    await client.close()
    assert repr(client).endswith("not connected>")


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"token": "nonsense"}, samedeal.BadToken),
        ({"name": "a\tb"}, samedeal.BadName),
        ({"name": "x" * 25}, samedeal.BadName),
    ],
)
async def test_what_the_server_does_not_take_is_raised(
    server: App, given: dict[str, str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        await samedeal.connect(
            server.url, name=given.get("name"), token=given.get("token")
        )


async def test_an_address_without_a_server_is_raised(server: App) -> None:
    with pytest.raises(samedeal.CannotConnect, match="HTTP 404"):
        await samedeal.connect(f"{server.url}/nowhere")


def test_arguments_without_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="not a server's address"):
        samedeal.connect("127.0.0.1")
    with pytest.raises(ValueError, match="at least one"):
        samedeal.connect([])
    with pytest.raises(ValueError, match="no codec 'xml'"):
        samedeal.connect("http://127.0.0.1", codec="xml")  # type: ignore[arg-type]


async def test_a_second_connection_replaces_the_first(server: App) -> None:
    async with samedeal.connect(server.url) as first:
        race = await first.create("juvenile")
        async with samedeal.connect(server.url, token=first.token) as second:
            with pytest.raises(samedeal.Replaced):
                await race.ended()
            assert await second.ping() >= 0
            assert second.races == (race.id,)
