"""Compares every database of the fixtures with its canonical JSON."""

import copy
import pickle

import duckdb
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import scoresheet


def games_of(case):
    return list(scoresheet.open(case.path, encoding=case.encoding))


def test_pickle_games_and_databases_round_trip(case):
    base = pickle.loads(pickle.dumps(scoresheet.open(case.path, encoding=case.encoding)))
    for game, again in zip(games_of(case), base, strict=True):
        for copied in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
            assert copied == game == again
            assert (copied.number, copied.source) == (game.number, game.source)
            assert str(copied.damage) == str(game.damage)
            if game.damage:
                assert vars(copied.damage) == vars(game.damage)


def game_in(line):
    """Returns the game of a JSON line; a damaged game is stored beside its error."""
    return line.get("game", line)


def first_tags(line):
    tags = {}
    for name, value in game_in(line)["tags"]:
        tags.setdefault(name, value)
    return tags


def moves_in(line):
    """Yields each move of all lines with its depth, its NAGs and its comments."""
    moves, depth, current, outer = [], 0, None, []
    for token in game_in(line)["line"]:
        if isinstance(token, dict):
            if current is not None and "comment" in token:
                current["comments"].append(token["comment"])
        elif token == "(":
            outer.append(current)
            depth, current = depth + 1, None
        elif token == ")":
            depth, current = depth - 1, outer.pop()
        elif token.startswith("$"):
            if current is not None:
                current["nags"].append(int(token[1:]))
        else:
            current = {"move": token, "depth": depth, "nags": [], "comments": []}
            moves.append(current)
    return moves


def spelt(code):
    """Returns a 16-bit move in the JSON notation: in castling, the target is the rook's square."""
    if code == 0:
        return "0000"
    square = lambda number: "abcdefgh"[number % 8] + str(number // 8 + 1)
    return square(code & 63) + square(code >> 6 & 63) + " nbrqk"[code >> 12].strip()


def tag_in(row, name):
    """Returns the value of a tag in a row of the table of games."""
    spelling = dict(row["tags"]).get(name)
    if spelling is not None or name not in row:
        return spelling
    value = row[name]
    if value is None:
        return {"Date": "????.??.??"}.get(name, "?")
    if isinstance(value, int):
        return f"{value:+}" if name.endswith("Diff") else str(value)
    if hasattr(value, "hour"):
        return f"{value:%H:%M:%S}"
    return f"{value:%Y.%m.%d}" if hasattr(value, "year") else value


def test_open_fixture_matches_json(case):
    games = games_of(case)
    assert len(games) == len(case.expected)
    for game, line in zip(games, case.expected):
        assert (game.damage is None) == ("error" not in line)
        tags = first_tags(line)
        headers = game.headers
        assert {name: headers.get(name) for name in tags} == tags
        assert game.ply_count == sum(move["depth"] == 0 for move in moves_in(line))


def test_scan_games_match_json(case):
    rows = pa.table(scoresheet.scan(case.path, encoding=case.encoding)).to_pylist()
    assert len(rows) == len(case.expected)
    for number, (row, line) in enumerate(zip(rows, case.expected), 1):
        tags = first_tags(line)
        assert {name: tag_in(row, name) for name in tags} == tags
        main = [move["move"] for move in moves_in(line) if move["depth"] == 0]
        assert [spelt(code) for code in row["move_codes"]] == main
        assert row["plies"] == len(row["moves"]) == len(main)
        assert row["FEN"] == game_in(line)["fen"]
        assert row["game"] == number
        assert (row["damage"] is None) == ("error" not in line)


def test_scan_plies_match_json(case):
    plies = pa.table(scoresheet.scan(case.path, "plies", encoding=case.encoding)).to_pylist()
    expected = [move for line in case.expected for move in moves_in(line)]
    assert len(plies) == len(expected)
    for row, move in zip(plies, expected):
        assert (spelt(row["move_code"]), row["depth"]) == (move["move"], move["depth"])
        assert row["nags"] == move["nags"]
        assert row["comment"] == (" ".join(filter(None, move["comments"])) or None)


def test_scan_matches_games(case):
    games = games_of(case)
    rows = pa.table(scoresheet.scan(case.path, encoding=case.encoding)).to_pylist()
    for game, row in zip(games, rows, strict=True):
        assert row["moves"] == game.moves
        assert row["final_hash"] == game.hashes()[-1]
    plies = pa.table(scoresheet.scan(case.path, "plies", encoding=case.encoding))
    main = plies.filter(pc.equal(plies["depth"], 0))
    assert main["move"].to_pylist() == [move for game in games for move in game.moves]
    assert main["san"].to_pylist() == [san for game in games for san in game.san]
    assert main["hash"].to_pylist() == [hash for game in games for hash in game.hashes()[1:]]


def test_scan_every_library_counts_the_same(case):
    columns = ["Result", "plies"]
    games = scoresheet.scan(case.path, columns=columns, encoding=case.encoding)
    mine = sum(game.ply_count for game in games_of(case))
    assert sum(pa.table(games)["plies"].to_pylist()) == mine
    assert polars.DataFrame(games)["plies"].sum() == mine
    assert duckdb.sql("select coalesce(sum(plies), 0) from games").fetchall() == [(mine,)]


@pytest.mark.parametrize(
    "rows, columns", [("games", ["moves", "move_codes", "plies"]), ("plies", ["nags", "move", "ply"])]
)
def test_parquet_every_library_reads_it(case, rows, columns, tmp_path):
    path = tmp_path / "table.parquet"
    options = {"rows": rows, "columns": columns, "row_group": 3}
    scoresheet.convert(case.path, path, encoding=case.encoding, to_options=options)
    mine = pa.table(scoresheet.scan(case.path, rows, columns, encoding=case.encoding))
    assert pq.read_table(path).equals(mine)
    assert polars.read_parquet(path).equals(polars.DataFrame(mine))
    theirs = duckdb.sql(f"select * from '{path}'").fetchall()
    assert theirs == [tuple(row.values()) for row in mine.to_pylist()]


def test_open_table_of_every_library_is_read(case, tmp_path):
    mine, theirs = tmp_path / "mine.parquet", tmp_path / "theirs"
    scoresheet.convert(case.path, mine, encoding=case.encoding)
    expected = [game.pgn() for game in scoresheet.open(mine)]
    table, frame = pq.read_table(mine), polars.read_parquet(mine)
    writers = {
        "pyarrow.parquet": lambda path: pq.write_table(table, path, compression="gzip"),
        "pyarrow.arrow": lambda path: feather.write_feather(table, str(path), compression="lz4"),
        "polars.parquet": lambda path: frame.write_parquet(path, compression="snappy"),
        "polars.arrow": lambda path: frame.write_ipc(path, compression="zstd"),
        "stream.arrow": lambda path: frame.write_ipc_stream(path),
        "duckdb.parquet": lambda path: duckdb.sql(f"copy (from '{mine}') to '{path}'"),
    }
    theirs.mkdir()
    for name, write in writers.items():
        write(theirs / name)
        games = list(scoresheet.open(theirs / name))
        assert [game.pgn() for game in games] == expected, name


def test_open_unsupported_compression_is_named(tmp_path):
    path = tmp_path / "games.parquet"
    table = pa.table({"White": ["x"], "movetext": ["1. e4 *"], "score": [[1.5]]})
    pq.write_table(table, path, compression="brotli")
    with pytest.raises(scoresheet.Error, match="White is compressed with brotli"):
        scoresheet.open(path)
    # Unused columns may have any compression.
    pq.write_table(table, path, compression={"White": "none", "movetext": "zstd", "score": "brotli"})
    assert [game.white for game in scoresheet.open(path)] == ["x"]
