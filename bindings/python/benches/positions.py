"""Checks the table of positions against SQL: python positions.py GAMES [COPIES]

DuckDB groups the half-moves of GAMES by position; every row of scan(GAMES, "positions") must be equal to its
row. Then counts the positions of GAMES, and of COPIES times GAMES (by default four), each in a process of
its own, and prints how much memory they took at most (on Linux). Fails if a row differs, or if the copies took more than
a quarter more memory.
"""

import subprocess
import sys
import time

import chess
import chess.polyglot
import duckdb
import pyarrow as pa

import scoresheet

SELECT = """
    with reached as (
        select distinct game, hash, result, white_elo, black_elo, year from plies where depth = 0
        union
        select * from starts
    )
    select hash, count(*) as games, count(*) filter (result = '1-0') as white_wins,
        count(*) filter (result = '1/2-1/2') as draws, count(*) filter (result = '0-1') as black_wins,
        (sum(coalesce(white_elo, 0)) + sum(coalesce(black_elo, 0))) / nullif(count(white_elo) + count(black_elo), 0)
            as mean_rating,
        min(year) as first_year, max(year) as last_year
    from reached group by hash
"""


def start_rows(path):
    """Returns the position before the first move of each game. The half-moves do not have it."""
    games = pa.table(scoresheet.scan(path, columns=["game", "FEN", "Result", "WhiteElo", "BlackElo", "Year"]))
    hashes = {None: chess.polyglot.zobrist_hash(chess.Board())}
    for fen in set(games["FEN"].to_pylist()) - {None}:
        hashes[fen] = chess.polyglot.zobrist_hash(chess.Board(fen, chess960=True))
    hashes = pa.array([hashes[fen] for fen in games["FEN"].to_pylist()], pa.uint64())
    names = ["game", "hash", "result", "white_elo", "black_elo", "year"]
    return games.set_column(1, "hash", hashes).rename_columns(names)


def compare(path):
    """Compares all rows. Returns the number of half-moves and of positions."""
    base = duckdb.connect()
    base.register("starts", start_rows(path))
    columns = ["game", "hash", "depth", "result", "white_elo", "black_elo", "year"]
    plies = pa.RecordBatchReader.from_stream(scoresheet.scan(path, "plies", columns))
    base.execute("create table plies as select * from plies")
    base.execute(f"create table theirs as {SELECT}")
    positions = pa.RecordBatchReader.from_stream(scoresheet.scan(path, "positions"))
    base.execute("create table mine as select * exclude fen from positions")
    for one, other in [("mine", "theirs"), ("theirs", "mine")]:
        only = base.sql(f"select * from {one} except select * from {other} limit 5").fetchall()
        assert not only, f"only in {one}: {only}"
    [[half_moves]] = base.sql("select count(*) from plies").fetchall()
    [[rows]] = base.sql("select count(*) from mine").fetchall()
    return half_moves, rows


def memory(path, copies):
    """Counts the positions in another process. Returns its peak memory in MB, and their number."""
    # What getrusage() returns counts the memory of the process that started this one, too.
    code = (
        "import re, sys, scoresheet; path, copies = sys.argv[1:];"
        "count = scoresheet.scan([path] * int(copies), 'positions').count();"
        "print(count, re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())[1])"
    )
    run = subprocess.run([sys.executable, "-c", code, path, str(copies)], capture_output=True, text=True, check=True)
    count, kilobytes = map(int, run.stdout.split())
    return kilobytes / 1024, count


def main():
    path = sys.argv[1]
    copies = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    begin = time.process_time()
    half_moves, rows = compare(path)
    print(f"{half_moves} half-moves, {rows} positions: equal to SQL ({time.process_time() - begin:.0f} s)")
    once, count = memory(path, 1)
    several, again = memory(path, copies)
    print(f"peak memory: {once:.0f} MB; {copies} times the games: {several:.0f} MB")
    assert count == again == rows, (count, again, rows)
    assert several < once * 1.25, "the memory grows with the games"


if __name__ == "__main__":
    main()
