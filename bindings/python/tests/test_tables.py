"""Columns on demand, tables of positions, samples, and arrays for training."""

import io
import pickle
import subprocess
import sys
from pathlib import Path

import chess
import chess.polyglot
import duckdb
import numpy as np
import polars
import pyarrow as pa
import pytest

import scoresheet
import scoresheet.training

BENCHES = Path(__file__).parents[1] / "benches"
ROOT = Path(__file__).parents[3]

GAME = """[Event "Rated Blitz game"]
[White "A"]
[Black "B"]
[Result "1-0"]
[WhiteElo "2000"]
[BlackElo "1900"]
[Date "2020.05.01"]
[TimeControl "180+2"]
[WhiteFideId "123"]
[Club "X"]

1. e4 {[%clk 0:03:00]} c5 {[%clk 0:02:58]} 2. e5 {[%clk 0:02:30]} (2. Nf3 {[%clk 0:01:00]}) d5 {[%clk 0:02:59]}
3. exd6 {[%emt 0:00:04]} Nf6 {[%clk 0:03:30]} 4. Nf3 1-0

"""
OTHER = '[White "C"]\n[Black "D"]\n[Result "0-1"]\n[Date "1999.??.??"]\n\n1. d4 d5 2. Nf3 Nf6 3. Ng1 Ng8 0-1\n\n'


@pytest.fixture
def base(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text((GAME + OTHER) * 20)
    return path


def test_plies_columns_on_demand_are_right(tmp_path):
    path = tmp_path / "one.pgn"
    path.write_text(GAME)
    names = ["turn", "castling", "ep", "result", "white_elo", "black_elo", "seconds_spent", "base_seconds"]
    names += ["increment", "time_class", "opening", "year", "WhiteFideId", "tag:Club", "tag:None"]
    table = pa.table(scoresheet.scan(path, "plies", names))
    assert table.column_names == [*names[:-2], "Club", "None"]
    rows = table.to_pydict()
    assert rows["turn"] == list("wbwwbwbw")
    assert rows["ep"] == [None, None, None, None, None, "d6", None, None]
    assert set(rows["castling"]) == {"KQkq"}
    assert rows["seconds_spent"] == [2.0, 4.0, 32.0, None, 1.0, 4.0, None, None]
    for name, value in [
        ("result", "1-0"),
        ("white_elo", 2000),
        ("black_elo", 1900),
        ("base_seconds", 180.0),
        ("increment", 2.0),
        ("time_class", "blitz"),
        ("year", 2020),
        ("WhiteFideId", "123"),
        ("Club", "X"),
        ("None", None),
    ]:
        assert rows[name] == [value] * 8, name
    assert len(set(rows["opening"])) == 1 and rows["opening"][0].startswith("Sicilian Defense")


def test_games_columns_on_demand_survive_parquet(base, tmp_path):
    names = ["White", "movetext", "base_seconds", "increment", "time_class", "opening_name", "tag:Club"]
    scoresheet.convert(base, tmp_path / "out.parquet", to_options={"columns": names})
    first = pa.table(scoresheet.scan(base, columns=names)).slice(0, 2).to_pylist()
    assert [row["time_class"] for row in first] == ["blitz", "unknown"] and first[0]["Club"] == "X"
    game = scoresheet.open(tmp_path / "out.parquet")[0]
    assert game.headers["Club"] == "X" and "time_class" not in game.headers


def test_unknown_column_names_the_way_to_tags(base):
    with pytest.raises(ValueError, match='no column "Club".*"tag:NAME"'):
        scoresheet.scan(base, columns=["Club"])
    with pytest.raises(ValueError, match="no column"):
        scoresheet.scan(base, columns=["tag:a b"])


def test_positions_equal_sql_over_plies(base):
    positions = scoresheet.scan(base, "positions")
    assert positions.rows == "positions" and positions.columns == [c["name"] for c in scoresheet.columns("positions")]
    mine = pa.table(positions)
    hashes = mine["hash"].to_pylist()
    assert hashes == sorted(set(hashes))
    plies = scoresheet.scan(base, "plies", ["game", "hash", "depth", "result", "white_elo", "black_elo", "year"])
    theirs = duckdb.sql("""
        with seen as (select distinct game, hash, result, white_elo, black_elo, year from plies where depth = 0)
        select hash, count(*), count(*) filter (result = '1-0'), count(*) filter (result = '1/2-1/2'),
            count(*) filter (result = '0-1'), avg((white_elo + black_elo) / 2.0), min(year), max(year)
        from seen group by hash order by hash
    """).fetchall()
    start = chess.polyglot.zobrist_hash(chess.Board())
    names = ["hash", "games", "white_wins", "draws", "black_wins", "mean_rating", "first_year", "last_year"]
    rows = [tuple(row[name] for name in names) for row in mine.to_pylist()]
    assert {row[0]: row for row in rows if row[0] != start} == {row[0]: row for row in theirs if row[0] != start}
    assert next(row for row in rows if row[0] == start)[1] == 40
    for row in mine.to_pylist():
        board = chess.Board(row["fen"] + " 0 1")
        assert chess.polyglot.zobrist_hash(board) == row["hash"]


def test_positions_arguments_and_other_uses(base):
    assert len(scoresheet.scan(base, "positions", max_ply=1)) == 3
    assert scoresheet.scan(base, "positions", white="A", max_ply=0).to_polars()["games"].to_list() == [20]
    chosen = scoresheet.scan(base, "positions", ["games", "fen"], batch_rows=2)
    assert pa.schema(chosen).names == ["games", "fen"]
    assert duckdb.sql("select max(games) from chosen").fetchall() == [(40,)]
    assert scoresheet.scan(io.BytesIO(base.read_bytes()), "positions").count() == chosen.count()
    for wrong in (
        lambda: scoresheet.scan(base, "positions", ["move"]),
        lambda: scoresheet.scan(base, "positions", sample=3),
        lambda: scoresheet.scan(base, "games", max_ply=3),
        lambda: scoresheet.scan(base, "positions", min_ply=3),
        lambda: scoresheet.scan(base, "moves"),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_plies_of_a_range_equal_a_filter(base):
    columns = ["game", "ply", "depth", "fen", "clock", "seconds_spent", "comment"]
    compared = 0
    for name in (base, *(ROOT / "fixtures" / "pgn").glob("*/base.pgn")):
        try:
            whole = scoresheet.scan(name, "plies", columns).to_polars()
        except scoresheet.Error:
            continue  # A text that no reader accepts.
        compared += 1
        for first, last in ((2, 2), (2, 3), (0, 1), (3, None), (None, 2), (5000, None), (3, 2)):
            few = scoresheet.scan(name, "plies", columns, min_ply=first, max_ply=last).to_polars()
            wanted = whole.filter(polars.col("ply").is_between(first or 0, 1 << 30 if last is None else last))
            assert few.equals(wanted), (name, first, last)
    assert compared > 100


def test_sample_is_drawn_by_seed(base):
    def drawn(**arguments):
        return scoresheet.scan([base, base], columns=["source", "game"], **arguments).to_polars().rows()

    assert len(drawn(sample=7)) == 7 and drawn(sample=7, seed=3) == drawn(sample=7, seed=3, threads=1)
    assert drawn(sample=7, seed=3) != drawn(sample=7, seed=4)
    assert len(drawn(sample=100)) == 80 and len(drawn(sample=9, white="A")) == 9
    assert all(game % 2 == 1 for _, game in drawn(sample=9, white="A"))


def test_vocabulary_has_every_legal_move():
    moves = scoresheet.training.vocabulary()
    assert len(moves) == len(set(moves)) == scoresheet.training.MOVES
    chance = np.random.default_rng(1)
    known = set(moves)
    for _ in range(20):
        board = chess.Board()
        for _ in range(100):
            legal = list(board.legal_moves)
            if not legal:
                break
            assert all(move.uci() in known for move in legal)
            board.push(legal[chance.integers(len(legal))])


@pytest.fixture(params=["arrow", "polars", "pandas"])
def plies(base, request):
    columns = ["board_before", "turn", "castling", "ep", "move_code", "move"]
    table = scoresheet.scan(base, "plies", columns, games=(1, 2))
    return {"arrow": table.to_arrow, "polars": table.to_polars, "pandas": table.to_pandas}[request.param]()


def test_move_index_names_the_move(plies):
    names = scoresheet.training.vocabulary()
    index = scoresheet.training.move_index(plies["move_code"])
    assert [names[i] for i in index] == list(plies["move"].to_pylist() if hasattr(plies["move"], "to_pylist") else plies["move"])
    assert scoresheet.training.move_index([0]).tolist() == [-1]


@pytest.mark.parametrize("from_mover", [True, False])
def test_planes_equal_python_chess(plies, from_mover, base):
    planes = scoresheet.training.planes(plies, from_mover=from_mover)
    row = 0
    for game in scoresheet.open(base)[:2]:
        expected = [chess.Board(fen) for fen in game.boards()[:-1]]
        if game.index == 0:
            # The variation has a row after the move that it replaces.
            expected.insert(3, expected[2])
        for board in expected:
            view = board.mirror() if from_mover and board.turn == chess.BLACK else board
            for plane, (color, piece) in enumerate((c, p) for c in (True, False) for p in range(1, 7)):
                squares = np.zeros(64, np.uint8)
                squares[list(view.pieces(piece, color))] = 1
                assert (planes[row, plane] == squares.reshape(8, 8)).all(), (row, plane)
            assert planes[row, 12].all() == (board.turn == chess.BLACK)
            rights = [
                view.has_kingside_castling_rights(True),
                view.has_queenside_castling_rights(True),
                view.has_kingside_castling_rights(False),
                view.has_queenside_castling_rights(False),
            ]
            assert planes[row, 13:17].all(axis=(1, 2)).tolist() == rights
            legal = view.ep_square if view.has_legal_en_passant() else None
            assert np.flatnonzero(planes[row, 17]).tolist() == ([] if legal is None else [legal])
            row += 1
    assert row == len(planes)


def test_offset_is_where_a_game_begins(base):
    text = base.read_bytes()
    offsets = pa.table(scoresheet.scan(base, columns=["offset"]))["offset"].to_pylist()
    assert len(offsets) == 40 and offsets[0] == 0
    for offset, game in zip(offsets, scoresheet.open(base), strict=True):
        assert scoresheet.Game.from_pgn(text[offset:].split(b"\n\n[")[0].decode()) == game


def test_variant_is_named(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text('[Variant "Atomic"]\n\n1. e4 *\n\n1. d4 d5 *\n\n[Variant "chess 960"]\n\n1. c4 *\n')
    assert pa.table(scoresheet.scan(path, columns=["variant"]))["variant"].to_pylist() == [
        "Atomic",
        "standard",
        "chess960",
    ]
    assert scoresheet.scan(path, "plies", ["variant"]).to_arrow()["variant"].to_pylist()[1:3] == ["standard"] * 2


def test_time_unit_changes_the_type(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text('[UTCTime "22:00:22"]\n\n1. e4 *\n')
    for unit, kind in [("ms", pa.time32("ms")), ("us", pa.time64("us"))]:
        table = pickle.loads(pickle.dumps(scoresheet.scan(path, columns=["UTCTime"], time_unit=unit)))
        assert pa.schema(table).field(0).type == kind
        assert str(pa.table(table)["UTCTime"][0]) == "22:00:22"
    with pytest.raises(ValueError, match="time_unit"):
        scoresheet.scan(path, time_unit="ns")


@pytest.mark.parametrize("case", ["variations", "many_games", "random_games"])
def test_positions_script_finds_no_difference(case):
    path = BENCHES.parents[2] / "fixtures" / "pgn" / case / "base.pgn"
    done = subprocess.run([sys.executable, BENCHES / "positions.py", path, "3"], capture_output=True, text=True)
    assert done.returncode == 0 and "equal to SQL" in done.stdout, done.stdout + done.stderr


def test_time_controls_are_filtered_by_text_and_by_value(tmp_path):
    path = tmp_path / "games.pgn"
    controls = ["180+2", "180", "300+2", "3 min + 2 sec", "?"]
    path.write_text("".join(f'[TimeControl "{control}"]\n\n1. e4 *\n\n' for control in controls))

    def found(**filters):
        table = scoresheet.scan(path, columns=["tag:TimeControl"], **filters)
        return table.to_arrow()["TimeControl"].to_pylist()

    assert found(where="TimeControl==180+2") == ["180+2"]
    assert found(where="TimeControl!==180+2") == controls[1:]
    assert found(base_seconds=180) == ["180+2", "180", "3 min + 2 sec"]
    assert found(base_seconds=180, increment=2) == ["180+2", "3 min + 2 sec"]
    assert found(increment=(1, None)) == ["180+2", "300+2", "3 min + 2 sec"]
    assert found(base_seconds=180.5) == [] and found(base_seconds=["200..400", 1]) == ["300+2"]
    with pytest.warns(UserWarning, match="where: TimeControl=180.2 is a regular expression.*TimeControl==180.2"):
        assert found(where="TimeControl=180+2") == []


def test_deviations_and_damage_are_named(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 e5 2. O-O Nf6 *\n\n1. e4 e5 *\n\n1. e4 e5 2. Qa9 1-0\n\n1. e4 e5 2. O-O O-O 3. d4 d5\n")
    columns = ["plies", "damage", "deviations"]
    expected = [(4, None, "pgn-illegal-move"), (2, None, None)]
    for threads in (1, 3):
        rows = scoresheet.scan(path, columns=columns, threads=threads).to_polars().rows()
        assert rows[:2] == expected
        assert rows[2][0] == 2 and rows[2][1].startswith(f"{path}: line 5"), rows[2]
        assert rows[3][1] is None and rows[3][2].split(",")[0] == "pgn-illegal-move"
    games = scoresheet.scan(path, columns=columns).to_arrow()
    assert duckdb.sql("select count(*) from games where deviations is null or deviations not like '%pgn-illegal-move%'").fetchall() == [(2,)]
    copy = tmp_path / "copy.parquet"
    scoresheet.convert(path, copy, to_options={"columns": "movetext,deviations"})
    assert scoresheet.open(copy)[0].headers.get("deviations") is None


def test_signed_numbers_keep_their_bits_or_values(base, tmp_path):
    for rows in ("games", "plies", "positions"):
        plain = scoresheet.scan(base, rows).to_arrow()
        extra = {} if rows == "positions" else {"time_unit": "us"}
        for table in (scoresheet.scan(base, rows, signed=True), scoresheet.scan(base, rows, **extra) if extra else None):
            if table is None:
                continue
            signed = table.to_arrow()
            assert not [field for field in signed.schema if "uint" in str(field.type)], signed.schema
            for name in plain.column_names:
                before, after = plain[name].to_pylist(), signed[name].to_pylist()
                if "hash" in name:
                    after = [number % 2**64 for number in after]
                assert before == after, name
    assert any(number > 2**63 for number in scoresheet.scan(base, "plies", ["hash"]).to_polars()["hash"])
    unsigned = scoresheet.scan(base, time_unit="us", signed=False).to_arrow().schema
    assert unsigned.field("final_hash").type == pa.uint64() and unsigned.field("UTCTime").type == pa.time64("us")
    import sqlite3

    frame = scoresheet.scan(base, "plies", ["game", "ply", "hash"], signed=True).to_pandas()
    with sqlite3.connect(tmp_path / "plies.db") as connection:
        frame.to_sql("plies", connection)
        assert connection.execute("select count(distinct hash) from plies").fetchone()[0] > 5


def test_pandas_types_do_not_depend_on_the_values(base, tmp_path):
    unrated = tmp_path / "unrated.pgn"
    unrated.write_text(OTHER)
    rated = tmp_path / "rated.pgn"
    rated.write_text(GAME)
    columns = [column["name"] for column in scoresheet.columns("games") if not column["type"].startswith(("list", "map"))]
    rated, unrated = (scoresheet.scan(path, columns=columns).to_pandas() for path in (rated, unrated))
    numbers = rated.select_dtypes("number").dtypes
    assert numbers.equals(unrated.select_dtypes("number").dtypes) and len(numbers) > 9
    assert str(numbers["WhiteElo"]) == "Int32" and unrated.WhiteElo.isna().all()
    assert int((rated.WhiteElo - rated.BlackElo + 900).pow(2)[0]) == 1_000_000


def test_sample_of_a_share_says_what_a_sample_is(base):
    with pytest.raises(TypeError, match="sample is a number of games"):
        scoresheet.scan(base, sample=0.1)


def test_convert_columns_are_those_of_the_table(base, tmp_path):
    for columns in (["White", "plies"], "White,plies"):
        scoresheet.convert(base, tmp_path / "two.parquet", columns=columns, overwrite=True)
        names = duckdb.sql(f"select * from '{tmp_path / 'two.parquet'}'").columns
        assert names == ["White", "plies"]


def test_hidden_files_of_a_folder_are_passed_over(base):
    (base.parent / ".hidden.pgn").write_text(GAME)
    (base.parent / ".folder").mkdir()
    (base.parent / ".folder" / "more.pgn").write_text(GAME)
    assert scoresheet.scan(base.parent).paths == [base]
