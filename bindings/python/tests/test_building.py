"""Games made and changed in Python, and data frames written as databases."""

import pickle

import duckdb
import pandas
import polars
import pyarrow as pa
import pytest

import scoresheet
from scoresheet import Game, GameBuilder, Node

OTHER = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def test_from_moves_uci_and_san_are_equal():
    games = [
        Game.from_moves("e2e4 e7e5 g1f3"),
        Game.from_moves(["e4", "e5", "Nf3"]),
        Game.from_moves(move for move in ["e2e4", "e5", "Nf3"]),
        Game.from_moves([Node("e2e4"), Node(san="e5"), Node("g1f3", "ignored")]),
    ]
    assert len(set(games)) == 1 and games[0].san == ["e4", "e5", "Nf3"]
    assert games[0].number is None and games[0].source is None and games[0].damage is None


def test_from_moves_headers_and_start_are_set():
    game = Game.from_moves("O-O O-O-O", {"White": "Ann", "Round": 3}, fen=OTHER, Black="Bob", UTCDate="2020.01.02")
    assert game.headers["UTCDate"] == "2020.01.02" and game.headers["Round"] == "3"
    assert (game.white, game.black, game.fen, game.moves) == ("Ann", "Bob", OTHER, ["e1g1", "e8c8"])
    # The tags of another game include its start position.
    assert Game.from_moves(game.moves, game.headers) == game
    assert Game.from_pgn(game.pgn()).pgn() == game.pgn()


@pytest.mark.parametrize(
    "build, match",
    [
        (lambda: Game.from_moves("e5"), '"e5" is not a legal move in rnbqkbnr'),
        (lambda: Game.from_moves("e4", fen="x"), "is not a FEN"),
        (lambda: Game.from_moves("e4", {"a b": "c"}), "is not the name of a tag"),
        (lambda: GameBuilder(Game.from_moves("e4"), fen=OTHER), "stays"),
    ],
)
def test_build_wrong_argument_is_value_error(build, match):
    with pytest.raises(ValueError, match=match):
        build()


def test_from_moves_wrong_type_is_type_error():
    with pytest.raises(TypeError, match="a move is a str or a scoresheet.Node, not int"):
        Game.from_moves([1])


def test_with_headers_changes_and_removes_tags(pgn):
    game = scoresheet.open(pgn)[0]
    changed = game.with_headers({"WhiteElo": 2800}, ECO=None, Annotator="Bob")
    assert (changed.white_elo, changed.eco, changed.headers["Annotator"]) == (2800, None, "Bob")
    assert changed.tokens() == game.tokens() and (changed.index, changed.source) == (0, pgn)
    assert (game.white_elo, game.eco) == (2700, "B90")
    for other in scoresheet.open(pgn):
        assert other.with_headers(other.headers) == other


def test_with_moves_of_tree_is_equal(case):
    base = scoresheet.open(case.path, encoding=case.encoding)
    for game in base:
        tree = game.tree()
        again = game.with_moves(tree)
        assert again.tree() == tree and again.fen == game.fen and again.headers == game.headers


def test_with_moves_of_tokens_is_equal(case):
    base = scoresheet.open(case.path, encoding=case.encoding)
    for game in base:
        assert game.with_moves(game.tokens()) == game


def test_tree_of_deep_variations_is_shown_and_compared():
    depth = 5000
    text = "1. e4 " + "".join("(1. d4 " if n % 2 else "(1. e4 " for n in range(depth)) + ")" * depth + " *"
    game = Game.from_pgn(text)
    tree = game.tree()
    assert repr(tree) == "[<Node e4, ply 1, 1 variations>]"
    assert tree == game.tree()
    assert game.with_moves(tree) == game
    deepest = tree
    while deepest[0].variations:
        deepest = deepest[0].variations[0]
    other = game.tree()
    deepest[0].nags.append(1)
    assert other != tree and game.with_moves(tree) != game


def test_builder_continues_a_game(pgn):
    game = scoresheet.open(pgn)[0]
    builder = GameBuilder(game, {"Event": "C"})
    builder.moves("Bb5 a6").comment("Morphy").nag(1)
    with builder.variation():
        builder.move("Nf6", before="or", comment="Berlin")
    longer = builder.game(Result="1/2-1/2")
    assert longer.san == [*game.san, "Bb5", "a6"] and longer.headers["Event"] == "C"
    assert longer.tree()[-1].variations[0][0].comments_before == ["or"]
    assert longer.pgn().strip().endswith("3. Bb5 a6 {Morphy} $1 ({or} 3... Nf6 {Berlin}) 1/2-1/2")


@pytest.mark.parametrize("name", ["out.pgn", "out.si4", "out.cbh", "out.parquet", "out.jsonl", "out.dcg"])
def test_write_built_games_read_back(name, tmp_path):
    builder = GameBuilder(White="Ann", Black="Bob", Result="1-0", Date="2020.01.02")
    builder.move("e4", nags=[1], comment="best").move("e5")
    with builder.variation():
        builder.moves("c5 Nf3")
    game = builder.game()
    path = tmp_path / name
    scoresheet.write([game, Game.from_moves("d4 d5")], path)
    again = scoresheet.open(path)
    assert [other.moves for other in again] == [["e2e4", "e7e5"], ["d2d4", "d7d5"]]
    assert again[0].tree() == game.tree() and again[0].white == "Ann"


def frames(pgn):
    rows = pa.table(scoresheet.scan(pgn))
    yield rows
    yield scoresheet.scan(pgn)
    yield polars.DataFrame(rows)
    yield rows.to_pandas(types_mapper=pandas.ArrowDtype)
    yield duckdb.sql("select * from rows")
    yield rows.to_pandas()
    yield rows.select(["White", "Black", "Result", "FEN", "movetext"]).to_pandas()


def test_write_table_of_other_libraries_writes_games(pgn, tmp_path):
    games = list(scoresheet.open(pgn))
    for number, frame in enumerate(frames(pgn)):
        path = tmp_path / f"{number}.si4"
        assert scoresheet.write_table(frame, path).written == 2
        assert [game.tree() for game in scoresheet.open(path)] == [game.tree() for game in games]
        assert [game.white for game in scoresheet.open(path)] == [game.white for game in games]
        with pytest.raises(FileExistsError):
            scoresheet.write_table(frame, path)


def test_write_table_moves_and_tags_of_a_frame_are_kept(tmp_path):
    frame = polars.DataFrame(
        {
            "White": ["A", "B"],
            "WhiteElo": [2500, None],
            "Club": ["X", None],
            "moves": [["e2e4", "e7e5"], ["d2d4"]],
            "kind": polars.Series(["x", "y"], dtype=polars.Categorical),
        }
    )
    scoresheet.write_table(frame, tmp_path / "out.pgn", white="A")
    [game] = scoresheet.open(tmp_path / "out.pgn")
    assert game.san == ["e4", "e5"] and game.headers["Club"] == "X" and game.white_elo == 2500
    with pytest.raises(TypeError, match="not list"):
        scoresheet.write_table([1], tmp_path / "none.pgn")
    with pytest.raises(scoresheet.Error, match="movetext"):
        scoresheet.write_table(frame.select("White"), tmp_path / "none.pgn")
    assert not (tmp_path / "none.pgn").exists()


def test_notebook_display_has_board_moves_and_rows(pgn):
    base = scoresheet.open(pgn)
    game = base[0].with_headers(White="<b>Ann</b>")
    page = game._repr_html_()
    assert page.count("<svg") == 1 and "1. e4" in page and "&lt;b&gt;Ann" in page and "<b>Ann" not in page
    import xml.etree.ElementTree as xml

    for flipped in (False, True):
        board = xml.fromstring(base[1].svg(flipped=flipped))
        assert sum(part.tag.endswith("rect") for part in board) == 64
        assert sum(part.tag.endswith("text") for part in board) == 6
    assert base[0].svg(0) != base[0].svg(1) != base[0].svg(-1)
    with pytest.raises(ValueError, match="4 half-moves"):
        base[0].svg(5)
    assert "Polgar, Judit" in base._repr_html_()
    table = scoresheet.scan(pgn, columns=["White", "movetext"])
    assert "Polgar, Judit" in table._repr_html_() and "<table>" in table._repr_html_()


def test_pickle_built_game_is_equal():
    game = Game.from_moves("e4", fen=None, White="A")
    assert pickle.loads(pickle.dumps(game)) == game


def test_write_table_of_the_popular_file_of_kaggle_has_its_tags(tmp_path):
    frame = pandas.DataFrame(
        {
            "id": ["TZJHLljE", "l1NXvwaE", "mIICvQHh"],
            "rated": [False, True, True],
            "created_at": [1.50421e12] * 3,
            "turns": [3, 2, 1],
            "victory_status": ["outoftime", "resign", "draw"],
            "winner": ["white", "black", "draw"],
            "increment_code": ["15+2", "5+10", "0.5+0"],
            "white_id": ["bourgris", "a-00", "ischia"],
            "white_rating": [1500, 1322, 1496],
            "black_id": ["a-00", "skinnerua", "a-00"],
            "black_rating": [1191, 1261, 1500],
            "moves": ["d4 d5 c4", "d4 Nc6", "e4"],
            "opening_eco": ["D10", "B00", "C20"],
            "opening_name": ["Slav Defense", "Nimzowitsch Defense", "King's Pawn Game"],
            "opening_ply": [5, 4, 3],
        }
    )
    summary = scoresheet.write_table(frame, tmp_path / "kaggle.pgn")
    assert summary.losses == {} and summary.written == 3
    games = list(scoresheet.open(tmp_path / "kaggle.pgn"))
    assert [game.result for game in games] == ["1-0", "0-1", "1/2-1/2"]
    assert [(game.white, game.white_elo, game.eco) for game in games] == [
        ("bourgris", 1500, "D10"),
        ("a-00", 1322, "B00"),
        ("ischia", 1496, "C20"),
    ]
    assert [game.san for game in games] == [["d4", "d5", "c4"], ["d4", "Nc6"], ["e4"]]
    assert [game.headers["TimeControl"] for game in games] == ["900+2", "300+10", "30+0"]
    expected = {"Opening": "Slav Defense", "Termination": "outoftime", "turns": "3", "rated": "false", "id": "TZJHLljE"}
    assert expected.items() <= games[0].headers.items()
    assert not {"white_id", "winner", "increment_code", "opening_eco"} & games[0].headers.keys()


def test_write_table_names_of_the_tags_come_first(tmp_path):
    frame = polars.DataFrame({"White": ["A"], "white_id": ["a"], "white": ["b"], "result": ["draw"], "moves": ["e4"]})
    scoresheet.write_table(frame, tmp_path / "own.pgn")
    game = scoresheet.open(tmp_path / "own.pgn")[0]
    assert (game.white, game.headers["white_id"], game.headers["white"], game.result) == ("A", "a", "b", "1/2-1/2")


def test_write_table_reports_columns_that_are_no_tags(tmp_path):
    table = pa.table(
        {
            "White": ["A"],
            "moves": ["d4 d5"],
            "accuracy": [97.5],
            "rated": [True],
            "evals": [[1, 2]],
            "at": pa.array([0], pa.timestamp("s")),
            "plies": [2],
            "empty": pa.nulls(1),
        }
    )
    summary = scoresheet.write_table(table, tmp_path / "a.pgn")
    assert summary.losses == {"column": 2}
    assert str(summary) == "1 game read, 1 written, without the columns evals, at"
    headers = scoresheet.open(tmp_path / "a.pgn")[0].headers
    assert (headers["accuracy"], headers["rated"], "plies" in headers) == ("97.5", "true", False)
