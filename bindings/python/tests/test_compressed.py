"""Damaged compressed files: the games come first, then the error, every time."""

import gzip

import pytest

import scoresheet

GAMES = "".join(
    f'[White "W{n * 7919 % 3001}"]\n[Result "1-0"]\n\n1. e4 {{{n}}} e5 1-0\n\n' for n in range(3000)
)


@pytest.fixture(params=["truncated", "checksum"])
def broken(request, tmp_path):
    packed = bytearray(gzip.compress(GAMES.encode()))
    if request.param == "truncated":
        del packed[len(packed) // 2 :]
    else:
        packed[-8] ^= 1
    path = tmp_path / "broken.pgn.gz"
    path.write_bytes(packed)
    return path


def test_iteration_damaged_gzip_yields_its_games_then_raises(broken):
    games = iter(scoresheet.open(broken))
    read = []
    with pytest.raises(scoresheet.Error, match="gzip data"):
        for game in games:
            read.append(game)
    assert len(read) > 1000
    assert all(game.damage is None for game in read[:-1])


@pytest.mark.parametrize("attempt", range(5))
def test_count_and_scan_damaged_gzip_raise(broken, tmp_path, attempt):
    with pytest.raises(scoresheet.Error):
        len(scoresheet.open(broken))
    with pytest.raises(scoresheet.Error):
        scoresheet.scan(broken).count()
    with pytest.raises(scoresheet.Error):
        scoresheet.convert(broken, tmp_path / "out.pgn")
    assert not (tmp_path / "out.pgn").exists()


def test_open_text_followed_by_zeros_is_complete(tmp_path):
    path = tmp_path / "padded.pgn.gz"
    path.write_bytes(gzip.compress(GAMES.encode()) + bytes(512))
    assert len(scoresheet.open(path)) == 3000
