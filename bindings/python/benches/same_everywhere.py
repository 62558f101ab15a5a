"""Compares all libraries on one database: python same_everywhere.py GAMES.pgn

Makes an si4 database and a Parquet file of the games. DuckDB, Polars, pyarrow and, if PySpark and Java
are installed, Spark on two cores answer the same questions for all three files. Then python-chess
replays each game to the same last position. Fails at the first answer that differs.
"""

import importlib.util
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import chess
import duckdb
import polars as pl
import pyarrow as pa

import scoresheet

COLUMNS = ["Result", "WhiteElo", "plies"]


def by_duckdb(games):
    return duckdb.sql(
        "select Result, count(*), sum(plies)::bigint, coalesce(sum(WhiteElo), 0)::bigint "
        "from games group by Result"
    ).fetchall()


def by_polars(games):
    frame = pl.DataFrame(games)
    asked = frame.group_by("Result").agg(
        pl.len(), pl.col("plies").cast(pl.Int64).sum(), pl.col("WhiteElo").cast(pl.Int64).sum()
    )
    return asked.rows()


def by_pyarrow(games):
    asked = pa.table(games).group_by("Result").aggregate(
        [("Result", "count"), ("plies", "sum"), ("WhiteElo", "sum")]
    )
    return [
        (row["Result"], row["Result_count"], row["plies_sum"], row["WhiteElo_sum"] or 0)
        for row in asked.to_pylist()
    ]


def by_spark(spark, path):
    from pyspark.sql import functions as f

    frame = spark.read.format("scoresheet").option("columns", ",".join(COLUMNS)).load(str(path))
    print(f"  Spark: {frame.rdd.getNumPartitions()} partitions of {path.name}")
    asked = frame.groupBy("Result").agg(
        f.count("*"), f.sum("plies"), f.coalesce(f.sum("WhiteElo"), f.lit(0))
    )
    return [tuple(row) for row in asked.collect()]


def spark_session():
    if importlib.util.find_spec("pyspark") is None or shutil.which("java") is None:
        print("not asked: Spark, which needs PySpark and Java")
        return None
    from pyspark.sql import SparkSession

    import scoresheet.spark

    # Otherwise Spark uses the first python3 in the path.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = session.getOrCreate()
    scoresheet.spark.register(session)
    return session


def replay(path):
    """Replays the moves of the table with python-chess, and compares the last position of each game."""
    games = iter(scoresheet.open(path))
    count = 0
    table = scoresheet.scan(path, columns=["moves", "FEN"])
    for batch in pa.RecordBatchReader.from_stream(table):
        for row in batch.to_pylist():
            game = next(games)
            chess960 = game.chess960
            board = chess.Board(row["FEN"] or chess.STARTING_FEN, chess960=chess960)
            for move in row["moves"]:
                board.push(chess.Move.from_uci(move))
            # In a FEN, it writes the en passant square only if a pawn can capture there.
            mine = chess.Board(game.final_fen, chess960=chess960)
            assert board.fen() == mine.fen(), (game, board.fen(), mine.fen())
            count += 1
    assert next(games, None) is None
    return count


def main():
    pgn = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        paths = [pgn, Path(folder) / "games.si4", Path(folder) / "games.parquet"]
        for path in paths[1:]:
            print(f"{path.name}: {scoresheet.convert(pgn, path)}")
        spark = spark_session()
        expected = None
        for path in paths:
            games = scoresheet.scan(path, columns=COLUMNS)
            asked = [(by, lambda by=by: by(games)) for by in (by_duckdb, by_polars, by_pyarrow)]
            if spark:
                asked.append((by_spark, lambda path=path: by_spark(spark, path)))
            for by, ask in asked:
                begin = time.perf_counter()
                answer = sorted(tuple(row) for row in ask())
                expected = expected or answer
                print(f"{path.name} {by.__name__}: {time.perf_counter() - begin:.2f} s")
                assert answer == expected, (path, by.__name__, answer, expected)
        for row in expected:
            print(*row)
        count = replay(paths[1])
        print(f"python-chess replayed {count} games to the same last position")


main()
