import pytest

from samedeal.errors import BadMessage
from samedeal.requests import Desk, Request
from samedeal_protocol.codec import JSON, MSGPACK, Codec
from samedeal_protocol.commands import Command, Create, Lobby, Quick


def asked(desk: Desk, command: Command) -> Request:
    return desk.request(command, lambda answer: None, lambda error: None)


@pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=["json", "msgpack"])
def test_a_frame_is_the_command_with_its_id(codec: Codec) -> None:
    request = asked(Desk(codec), Quick(game="juvenile"))
    sent = codec.decode_command(request.frame)
    assert sent == request.command == Quick(id=request.id, game="juvenile")


def test_ids_differ() -> None:
    desk = Desk(JSON)
    assert asked(desk, Lobby()).id != asked(desk, Lobby()).id


def test_ids_of_creates_differ_between_clients_of_one_player() -> None:
    command = Create(game="juvenile")
    ids = {asked(Desk(JSON), command).id for _ in range(100)}
    assert len(ids) == 100


def test_a_command_has_so_many_bytes_at_most() -> None:
    desk = Desk(JSON)
    desk.largest = 100
    asked(desk, Quick(game="x" * 50))
    with pytest.raises(BadMessage, match="the server takes 100"):
        asked(desk, Quick(game="x" * 100))
    desk.largest = 0
    asked(desk, Quick(game="x" * 10000))
