"""Overwriting of outputs; truncated inputs; inputs with games of other variants."""

import bz2
import gzip
import lzma
import shutil
import subprocess

import pytest

import scoresheet

# Tests of missing features are marked; remove the mark once such a test passes.


@pytest.mark.parametrize("name", ["there.pgn", "there.jsonl", "there.parquet"])
def test_convert_existing_output_is_refused(pgn, tmp_path, name):
    there = tmp_path / name
    there.write_bytes(b"precious")
    with pytest.raises(FileExistsError, match="overwrite=True") as caught:
        scoresheet.convert(pgn, there)
    assert str(caught.value.filename) == str(there)
    assert there.read_bytes() == b"precious"
    assert scoresheet.convert(pgn, there, overwrite=True).written == 2
    assert len(scoresheet.open(there)) == 2


def test_write_existing_output_is_refused(pgn, tmp_path):
    games = list(scoresheet.open(pgn))
    there = tmp_path / "there.pgn"
    there.write_bytes(b"precious")
    for write in [
        lambda: scoresheet.write(games, there),
        lambda: scoresheet.write([], there),
        lambda: scoresheet.Writer(there),
        lambda: scoresheet.Writer(str(there)),
    ]:
        with pytest.raises(FileExistsError) as caught:
            write()
        assert str(caught.value.filename) == str(there)
        assert there.read_bytes() == b"precious"
    assert scoresheet.write(games, there, overwrite=True) == {}
    assert list(scoresheet.open(there)) == games
    with scoresheet.Writer(there, overwrite=True) as writer:
        writer.write(games[0])
    assert len(scoresheet.open(there)) == 1


def test_convert_companion_of_output_exists_is_refused(pgn, tmp_path):
    """A database of several files exists if one of them exists, in any spelling of its name."""
    names = tmp_path / "there.SN4"
    names.write_bytes(b"precious")
    with pytest.raises(FileExistsError) as caught:
        scoresheet.convert(pgn, tmp_path / "there.si4")
    assert str(caught.value.filename) == str(names)
    assert names.read_bytes() == b"precious"


def test_convert_link_to_nothing_is_refused(pgn, tmp_path):
    link = tmp_path / "link.pgn"
    link.symlink_to(tmp_path / "nothing.pgn")
    with pytest.raises(FileExistsError):
        scoresheet.convert(pgn, link)


def test_convert_existing_partitions_are_refused(pgn, tmp_path):
    folder = tmp_path / "years.parquet"
    scoresheet.convert(pgn, folder, partition_by="year")
    with pytest.raises(FileExistsError):
        scoresheet.convert(pgn, folder, partition_by="year")


def test_convert_overwrite_replaces_partitions_and_nothing_else(pgn, tmp_path):
    folder = tmp_path / "games.parquet"
    scoresheet.convert(pgn, folder, partition_by="year")
    scoresheet.convert(pgn, folder, partition_by="year", overwrite=True, white="karpov")
    assert [entry.name for entry in folder.iterdir()] == ["by_year=1999"]
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith("games.parquet")] == ["games.parquet"]
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "notes.txt").write_text("x")
    with pytest.raises(FileExistsError):
        scoresheet.convert(pgn, mine, format="parquet", partition_by="year", overwrite=True)
    assert (mine / "notes.txt").read_text() == "x"


def test_convert_append_adds_partitions_and_replaces_none(pgn, tmp_path):
    folder = tmp_path / "games.parquet"
    by = {"partition_by": "year", "append": True}
    scoresheet.convert(pgn, folder, white="karpov", **by)
    first = (folder / "by_year=1999" / "games.parquet").read_bytes()
    with pytest.raises(FileExistsError, match="by_year=1999 exists"):
        scoresheet.convert(pgn, folder, **by)
    assert [entry.name for entry in folder.iterdir()] == ["by_year=1999"]
    scoresheet.convert(pgn, folder, overwrite=True, **by)
    assert scoresheet.scan(folder).count() == len(scoresheet.open(pgn))
    assert (folder / "by_year=1999" / "games.parquet").read_bytes() == first
    (folder / "by_year=1999" / "mine.parquet").write_bytes(first)
    with pytest.raises(FileExistsError, match="has other files"):
        scoresheet.convert(pgn, folder, overwrite=True, **by)
    (folder / "mine.txt").touch()
    with pytest.raises(FileExistsError, match="the folder has other files: mine.txt"):
        scoresheet.convert(pgn, folder, partition_by="year", overwrite=True)
    with pytest.raises(ValueError, match="append=True is for partition_by"):
        scoresheet.convert(pgn, tmp_path / "x.parquet", append=True)


def test_convert_overwrite_of_an_input_is_refused(pgn):
    before = pgn.read_bytes()
    with pytest.raises(ValueError, match="is an input too"):
        scoresheet.convert(pgn, pgn, overwrite=True)
    assert pgn.read_bytes() == before


GAMES = 16000
TEXT = "".join(
    f'[Event "E{number}"]\n[White "W{number * 7919 % 16001}"]\n[Black "B{number * 104729 % 16001}"]\n[Result "1-0"]\n\n'
    f"1. e4 e5 2. Nf3 Nc6 3. Bb5 {{{number * 2654435761 % 2**32:x}}} 1-0\n\n"
    for number in range(GAMES)
).encode()


def packed(kind):
    if kind == "zst":
        if not shutil.which("zstd"):
            pytest.skip("there is no zstd here")
        return subprocess.run(["zstd", "-q", "-c"], input=TEXT, stdout=subprocess.PIPE, check=True).stdout
    if kind == "bz2":
        # A block of bzip2 is unpacked whole or not at all: small blocks, so that some come before a break.
        return bz2.compress(TEXT, 1)
    return {"gz": gzip.compress, "xz": lzma.compress}[kind](TEXT)


def broken(kind, how, path):
    """Returns the compressed text, truncated in the middle or with other bytes there."""
    whole = packed(kind)
    half = len(whole) // 2
    path.write_bytes(whole[:half] if how == "cut" else whole[:-3] + bytes(byte ^ 0x55 for byte in whole[-3:]))
    return path


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zst"])
def test_iterate_cut_stream_yields_games_then_raises(kind, tmp_path):
    path = broken(kind, "cut", tmp_path / f"games.pgn.{kind}")
    seen = []
    with pytest.raises(scoresheet.Error) as caught:
        for game in scoresheet.open(path):
            seen.append(game.headers["Event"])
    assert caught.value.file == path
    assert len(seen) > 500
    assert seen == [f"E{number}" for number in range(len(seen))]


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zst"])
@pytest.mark.parametrize("how", ["cut", "changed"])
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_convert_broken_stream_is_reported(kind, how, threads, tmp_path):
    path = broken(kind, how, tmp_path / f"games.pgn.{kind}")
    for _ in range(2):
        for read in [
            lambda: scoresheet.convert(path, tmp_path / "out.pgn", threads=threads, overwrite=True),
            lambda: scoresheet.scan(path, threads=threads).count(),
            lambda: len(scoresheet.open(path)),
            lambda: sum(1 for _ in scoresheet.open(path)),
        ]:
            with pytest.raises(scoresheet.Error):
                read()


@pytest.mark.parametrize("variant", ["Atomic", "Crazyhouse", "Antichess", "Horde", "Racing Kings"])
def test_open_other_variant_is_damage(variant, tmp_path):
    path = tmp_path / "variant.pgn"
    path.write_text(f'[White "A"]\n[Variant "{variant}"]\n\n1. e4 d5 2. exd5 *\n')
    (game,) = scoresheet.open(path)
    assert isinstance(game.damage, scoresheet.GameError)
    assert variant in str(game.damage)
    assert game.san[:2] == ["e4", "d5"]


@pytest.mark.parametrize("variant", ["Chess960", "Standard", "From Position", "chess", ""])
def test_open_variant_of_chess_is_sound(variant, tmp_path):
    path = tmp_path / "variant.pgn"
    path.write_text(f'[White "A"]\n[Variant "{variant}"]\n\n1. e4 d5 2. exd5 *\n')
    (game,) = scoresheet.open(path)
    assert game.damage is None


def test_scan_negative_clock_keeps_its_sign(tmp_path):
    pa = pytest.importorskip("pyarrow")
    path = tmp_path / "clock.pgn"
    path.write_text('[White "A"]\n\n1. e4 {[%clk 0:00:01]} e5 {[%clk -0:00:01]} 2. d4 {[%clk -0:01:00.5]} *\n')
    plies = pa.table(scoresheet.scan(path, "plies", columns=["clock"]))
    assert plies["clock"].to_pylist() == [1.0, -1.0, -60.5]
