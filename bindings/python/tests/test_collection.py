"""Keeping a collection: update, undo, append, compare, dedupe, rename, fill."""

import io
from pathlib import Path

import pytest

import scoresheet

MOVES = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7"


def game(white, result, moves=MOVES, more=""):
    tags = f'[Event "Club"]\n[Site "Town"]\n[Date "2021.06.01"]\n[Round "5"]\n[White "{white}"]\n'
    return f'{tags}[Black "Birch, Tom"]\n[Result "{result}"]\n{more}\n{moves} {result}\n\n'


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("base.pgn").write_text(game("Alder, Nora", "1-0") + game("Dogwood, Max", "1/2-1/2", "1. d4 d5 2. c4 e6"))
    Path("week.pgn").write_text(game("Alder, N", "0-1") + game("Elm, Ida", "0-1", "1. c4 c5 2. Nc3 Nc6"))
    scoresheet.convert("base.pgn", "base.si4")


@pytest.mark.parametrize("base", ["base.si4", "base.pgn"])
def test_update_corrects_and_adds_and_undo_restores(base):
    before = Path(base).read_bytes()
    done = scoresheet.update(base, ["week.pgn"], dry_run=True)
    assert Path(base).read_bytes() == before
    assert done == scoresheet.update(base, "week.pgn")
    assert (done["read"], done["added"], done["changed"]) == (2, 1, 1)
    change = {"index": 0, "white": "Alder, Nora", "black": "Birch, Tom", "taken": ["Result 1-0 → 0-1"]}
    assert done["changes"] == [change]
    assert [game.result for game in scoresheet.open(base)] == ["0-1", "1/2-1/2", "0-1"]
    assert scoresheet.undo(base) == "week.pgn"
    assert Path(base).read_bytes() == before
    with pytest.raises(scoresheet.Error, match="no update to undo"):
        scoresheet.undo(base)


def test_append_unique_leaves_games_as_they_are():
    done = scoresheet.append("base.si4", "week.pgn", unique=True)
    assert (done["read"], done["added"], done["changed"]) == (2, 1, 0)
    assert [game.result for game in scoresheet.open("base.si4")] == ["1-0", "1/2-1/2", "0-1"]
    assert not Path("base.si4.undo").exists()
    with pytest.raises(scoresheet.Error, match="cannot be changed in place"):
        scoresheet.append("base.pgn", "week.pgn")


def test_dedupe_merge_takes_what_a_copy_knows():
    cut = MOVES.rsplit(" ", 2)[0]
    Path("rated.pgn").write_text(game("Alder, Nora", "1-0", cut, '[WhiteElo "2100"]\n'))
    summary, repeats = scoresheet.dedupe(["base.pgn", "rated.pgn"], "all.pgn", merge=True)
    assert (summary.written, len(repeats)) == (2, 1)
    kept = scoresheet.open("all.pgn")[0]
    assert (kept.white_elo, kept.ply_count) == (2100, 20)
    with pytest.raises(FileExistsError):
        scoresheet.dedupe("base.pgn", "all.pgn")


def test_compare_names_what_differs():
    found = scoresheet.compare("base.pgn", "week.pgn")
    assert (found["games"], found["only_a"], found["only_b"]) == ((2, 2), [1], [1])
    assert found["both"] == [(0, 0)]
    assert found["differing"] == [{"a": 0, "b": 0, "differs": ["tags"]}]


def test_rename_changes_the_tags_that_are_named():
    assert scoresheet.rename("base.si4", "Birch, Tom", "B", dry_run=True) == {"Black": 2}
    assert scoresheet.rename("base.si4", "Birch, Tom", "B", tags=["White"]) == {}
    assert scoresheet.rename("base.si4", "Birch, Tom", "B") == {"Black": 2}
    assert {game.black for game in scoresheet.open("base.si4")} == {"B"}


def test_fill_writes_what_is_missing():
    Path("list.ssp").write_text("@PLAYER\nAlder, Nora #wim\n  %Bio FIDEID 123456\nBirch, Tom\n  %Bio FIDEID 654321\n")
    assert scoresheet.fill("base.si4", "list.ssp", dry_run=True)["BlackFideId"] == 2
    assert "BlackFideId" not in scoresheet.open("base.si4")[0].headers
    filled = scoresheet.fill("base.si4", "list.ssp")
    assert filled["BlackFideId"] == 2
    assert scoresheet.open("base.si4")[0].headers["BlackFideId"] == "654321"
    assert scoresheet.fill("base.si4", "list.ssp") == {}
    with pytest.raises(ValueError, match="base.pgn"):
        scoresheet.fill("base.si4", "base.pgn")


def test_file_objects_are_refused_because_they_are_read_twice():
    with pytest.raises(ValueError, match="read twice"):
        scoresheet.update("base.si4", io.BytesIO(b""))
