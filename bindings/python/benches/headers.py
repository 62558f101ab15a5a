"""Compares headers of PGN as a table with DuckDB over the text: python headers.py GAMES.pgn [PASSES]

Both make the same Arrow table on one thread, in turn. Prints the best processor time of PASSES passes (by default
five), and the number of rows that differ: SQL joins a game without `Event` to the game before. DuckDB reads UTF-8 only.
"""

import collections
import sys
import time
from pathlib import Path

import duckdb
import pyarrow as pa

import scoresheet

COLUMNS = ["White", "Black", "Result", "WhiteElo", "BlackElo", "ECO", "Date", "Event", "Site"]


def column(name):
    text = f"max(CASE WHEN line LIKE '[{name} %' THEN regexp_extract(line, '\"(.*)\"', 1) END)"
    if name.endswith("Elo"):
        return f'try_cast({text} AS smallint) AS "{name}"'
    # Unknown, as `scan` makes it null.
    unknown = "????.??.??" if name == "Date" else "?"
    return f"nullif({text}, '{unknown}') AS \"{name}\""


SQL = f"""
WITH lines AS (
    SELECT row_number() OVER () AS n, line
    FROM read_csv(?, columns = {{'line': 'VARCHAR'}}, delim = '\\x01', quote = '', escape = '', header = false,
                  auto_detect = false, max_line_size = 16777216, strict_mode = false)),
tags AS (
    SELECT line, sum(CASE WHEN line LIKE '[Event %' THEN 1 ELSE 0 END)
        OVER (ORDER BY n ROWS UNBOUNDED PRECEDING) AS game
    FROM lines WHERE line LIKE '[%')
SELECT {", ".join(map(column, COLUMNS))} FROM tags GROUP BY game ORDER BY game
"""


def by_scan(pgn):
    return scoresheet.scan(pgn, columns=COLUMNS, threads=1).to_arrow()


def by_sql(pgn):
    return pa.RecordBatchReader.from_stream(connection.sql(SQL, params=[pgn])).read_all()


def rows(table):
    return collections.Counter(zip(*(table[name].to_pylist() for name in COLUMNS), strict=True))


pgn = str(Path(sys.argv[1]))
passes = int(sys.argv[2]) if len(sys.argv) > 2 else 5
pa.set_cpu_count(1)
connection = duckdb.connect(config={"threads": 1})
best = {}
for _ in range(passes):
    for run in (by_scan, by_sql):
        start = time.process_time()
        table = run(pgn)
        seconds = time.process_time() - start
        best[run] = min(best.get(run, (seconds, table)), (seconds, table), key=lambda pair: pair[0])
(ours, scanned), (theirs, queried) = best[by_scan], best[by_sql]
differing = (rows(scanned) - rows(queried)).total()
print(f"scan {ours:.4f} s, DuckDB {duckdb.__version__} {theirs:.4f} s, ratio {theirs / ours:.2f}, {differing} of {len(scanned)} rows differ")
