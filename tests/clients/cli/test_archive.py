"""`samedeal archive`: what ended is in files, whole, once."""

import asyncio
import fcntl
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
import zstandard
from tests.clients.cli.conftest import Samedeal
from tests.clients.cli.made_logs import Ids, MadeLog, started, whole
from tests.helpers.logs import note_ended, replace

from samedeal_games import GAMES
from samedeal_server.store import START, Store, keys, open_store, start_embedded


async def put(store: Store, *, folded: bool) -> Mapping[str, bytes]:
    """A race of each game, ended, in the store; their files by their ids."""
    files: dict[str, bytes] = {}
    for letter, game in zip("abcde" if folded else "vwxyz", GAMES, strict=True):
        log = whole(game, turns=20, ids=Ids(letter * 16))
        await keep(store, log)
        race = log.race.id
        await note_ended(store, race)
        if folded:
            assert await store.log.fold(race, await store.log.read(race, START))
            await store.registry.ended_remove(race)
        files[race] = log.file()
    return files


async def keep(store: Store, log: MadeLog) -> None:
    """Write a log into the store, with the ids that the store would give."""
    entries, last, number = list[tuple[str, bytes]](), -1, 0
    for at_ms, event in log.entries:
        number = number + 1 if at_ms == last else 0
        last = at_ms
        entries.append((f"{at_ms}-{number}", event))
    await replace(store, log.race.id, entries)


def unpacked(directory: Path) -> dict[str, bytes]:
    return {
        path.name.removesuffix(".jsonl.zst"): zstandard.decompress(path.read_bytes())
        for path in directory.iterdir()
    }


async def test_all_that_ended_is_archived_once(
    samedeal: Samedeal,
    valkey: str,
    store: Store,
    tmp_path: Path,
) -> None:
    files = {
        **await put(store, folded=True),
        **await put(store, folded=False),
    }
    await keep(store, started("doublets", ids=Ids("q" * 16)))
    await note_ended(store, "q" * 16)  # It went back, and goes on.
    await note_ended(store, "r" * 16)  # It is gone.
    directory = tmp_path / "new" / "races"

    def run() -> str:
        status, out, err = samedeal("archive", str(directory), "--redis", valkey)
        assert (status, err) == (0, "")
        return out

    out = await asyncio.to_thread(run)
    assert out == f"Wrote 10 races to {directory}; 0 were there already.\n"
    assert unpacked(directory) == files
    # Again: what is there is left alone, whatever it is, and a part is no file.
    one, another = (directory / f"{letter * 16}.jsonl.zst" for letter in "av")
    one.write_bytes(b"")  # As good as not there.
    another.write_bytes(b"mine")
    part = directory / f"{'n' * 16}.jsonl.zst.part"
    part.write_bytes(b"half")
    out = await asyncio.to_thread(run)
    assert out == f"Wrote 1 race to {directory}; 9 were there already.\n"
    assert another.read_bytes() == b"mine"
    another.unlink()
    await asyncio.to_thread(run)
    assert unpacked(directory) == files
    # In the store everything is as it was.
    assert len([race async for race in store.log.folded()]) == 5
    assert await store.log.exists("v" * 16)


@pytest.mark.parametrize("command", ["verify", "replay", "analyse"])
def test_a_compressed_log_is_read_as_it_is(
    samedeal: Samedeal, tmp_path: Path, command: str
) -> None:
    file = whole("doublets", turns=5).file()
    plain, path = tmp_path / "race.jsonl", tmp_path / "race.jsonl.zst"
    plain.write_bytes(file)
    path.write_bytes(zstandard.compress(file))
    expected = samedeal(command, str(plain))
    assert expected.status == 0
    assert samedeal(command, str(path)) == expected
    assert samedeal(command, "-", stdin=path.read_bytes()) == expected
    path.write_bytes(path.read_bytes()[:-1])
    status, out, err = samedeal(command, str(path))
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "is no log: This cannot be decompressed" in err


@pytest.mark.parametrize("is_running", [True, False])
async def test_the_embedded_store(
    samedeal: Samedeal,
    tmp_path: Path,
    is_running: bool,
) -> None:
    data, directory = tmp_path / "data", tmp_path / "races"
    embedded = await start_embedded(data)
    store = await open_store(embedded.url)
    files = await put(store, folded=True)
    await store.aclose()
    if not is_running:
        await embedded.stop()
    status, _, err = await asyncio.to_thread(
        samedeal, "archive", str(directory), "--data", str(data)
    )
    assert (status, err) == (0, "")
    assert unpacked(directory) == files
    if is_running:
        # Whoever had it has it still.
        store = await open_store(embedded.url)
        await store.registry.ping()
        await store.aclose()
        await embedded.stop()
    else:
        # And it is left as it was found.
        await (await start_embedded(data, patience_s=0)).stop()


async def test_a_damaged_log_is_left_out_and_named(
    samedeal: Samedeal,
    valkey: str,
    store: Store,
    tmp_path: Path,
) -> None:
    files = await put(store, folded=True)
    key = keys.log("c" * 16)
    await store.nodes.call(key, "SET", key, b"junk")
    status, out, err = await asyncio.to_thread(
        samedeal, "archive", str(tmp_path), "--redis", valkey
    )
    assert status == 1
    assert out == f"Wrote 4 races to {tmp_path}; 0 were there already.\n"
    assert err == f"samedeal: Damaged and left out: {'c' * 16}.\n"
    assert unpacked(tmp_path) == {r: f for r, f in files.items() if r != "c" * 16}


async def test_a_full_disk_leaves_no_half_file(
    samedeal: Samedeal,
    valkey: str,
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = await put(store, folded=True)

    def full(_: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    status, out, err = await asyncio.to_thread(
        samedeal, "archive", str(tmp_path), "--redis", valkey
    )
    assert (status, out) == (1, "")
    assert err == f"samedeal: Cannot archive to {tmp_path}: No space left on device.\n"
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".zst")]
    monkeypatch.undo()
    await asyncio.to_thread(samedeal, "archive", str(tmp_path), "--redis", valkey)
    assert unpacked(tmp_path) == files


def test_where_there_is_nothing(samedeal: Samedeal, tmp_path: Path) -> None:
    races = str(tmp_path / "races")
    for data in (tmp_path / "nowhere", tmp_path):
        status, out, err = samedeal("archive", races, "--data", str(data))
        assert (status, out) == (1, "")
        assert err.startswith(f"samedeal: {data} is no data directory of a server: ")
    url = "redis://127.0.0.1:1"
    status, out, err = samedeal("archive", races, "--redis", url)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "127.0.0.1:1" in err
    status, _, err = samedeal("archive", races, "--data", "x", "--redis", url)
    assert (status, err.count("\n")) == (2, 1)


async def test_one_at_a_time(
    samedeal: Samedeal, valkey: str, store: Store, tmp_path: Path
) -> None:
    fd = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    status, out, err = await asyncio.to_thread(
        samedeal, "archive", str(tmp_path), "--redis", valkey
    )
    os.close(fd)
    assert (status, out) == (1, "")
    assert "Another `samedeal archive` is writing to" in err


@pytest.mark.parametrize("directory", ["", " "])
def test_an_empty_name_is_not_the_working_directory(
    samedeal: Samedeal, tmp_path: Path, directory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = samedeal("archive", directory, "--data", str(tmp_path))
    assert (status, out) == (2, "")
    assert err == (
        "samedeal: Invalid value for 'DIR': it is empty; is a variable not set?; "
        "see samedeal archive --help\n"
    )
    for option in ("--data", "--redis"):
        status, _, err = samedeal("archive", "races", option, directory)
        assert status == 2
        assert f"for '{option}': it is empty" in err
    assert list(tmp_path.iterdir()) == []


async def test_a_file_that_cannot_be_is_named(
    samedeal: Samedeal, valkey: str, store: Store, tmp_path: Path
) -> None:
    await put(store, folded=True)
    taken = tmp_path / f"{'c' * 16}.jsonl.zst"
    taken.mkdir()
    status, out, err = await asyncio.to_thread(
        samedeal, "archive", str(tmp_path), "--redis", valkey
    )
    assert (status, out) == (1, "")
    assert err == f"samedeal: Cannot archive to {taken}: Is a directory.\n"
