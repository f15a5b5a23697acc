from samedeal_server.store.slots import SlotMap


A, B, C = ("10.0.0.1", 6379), ("10.0.0.2", 6379), ("10.0.0.3", 6380)


def _server(address: tuple[str, int]) -> list[object]:
    return [address[0].encode(), address[1], b"id", []]


def test_a_map_knows_the_master_of_each_key() -> None:
    map = SlotMap.parse(
        [[0, 8191, _server(A), _server(C)], [8192, 16383, _server(B)]], asked=A
    )
    assert map.masters() == [A, B]
    assert map.members == [A, C, B]
    # CLUSTER KEYSLOT says 12182 for foo and 5061 for bar.
    assert map.of_key("foo") == B
    assert map.of_key("bar") == A
    assert map.of_key("samedeal:{foo}:log") == B
    map.move(12182, C)
    assert map.of_key("foo") == C


def test_a_server_that_does_not_know_its_name_is_where_it_was_asked() -> None:
    map = SlotMap.parse([[0, 16383, [b"", 7000, b"id", []]]], asked=A)
    assert map.masters() == [("10.0.0.1", 7000)]


def test_a_slot_of_nobody_is_asked_of_somebody() -> None:
    map = SlotMap.parse([[0, 100, _server(B)]], asked=A)
    assert map.of_key("foo") == A
