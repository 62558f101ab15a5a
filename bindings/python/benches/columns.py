"""Compares columns of PGN with rust_pgn_reader_python_binding: python columns.py GAMES.pgn COMMENTED.pgn [PASSES]

COMMENTED.pgn has a clock and an evaluation after each move. Measures processor time on one thread, from the
file to the columns, with the readers in turn. The other reader needs the text of each game, so its time has
two parts: reading and cutting the file in Python, and its own, which is also compared alone. Prints the best
of PASSES passes (by default five), and the median in brackets.
"""

import gc
import resource
import statistics
import sys
from pathlib import Path

import pyarrow as pa
import rust_pgn_reader_python_binding as other
from peers import TAGS, columns_of, games_of

import scoresheet

#: The tasks with their columns, the kind of rows and the target ratio.
TASKS = {
    "headers": ("games", TAGS, 5),
    "headers and UCI": ("games", [*TAGS, "moves"], 5),
    "headers and codes": ("games", [*TAGS, "move_codes"], None),
    "move, clock, evaluation": ("plies", ["move", "clock", "eval"], 3),
    "code, clock, evaluation": ("plies", ["move_code", "clock", "eval"], 3),
    "clock, evaluation": ("plies", ["clock", "eval"], 3),
}


def processor_time(run):
    """Returns the processor seconds of this process with its threads, and the result of the call."""
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF)
    result = run()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, result


def ours(path, rows, columns):
    return pa.table(scoresheet.scan(path, rows=rows, columns=columns, threads=1)).num_rows


def cut(path):
    """Returns the texts of the games."""
    return pa.chunked_array([pa.array(games_of(path), pa.string())])


def theirs(texts, rows):
    """Reads the arrays; headers become columns. All its arrays are made whatever is asked for."""
    games = other.parse_games(texts, num_threads=1)
    if rows == "games":
        return pa.table(columns_of(games.chunks[0].headers)).num_rows
    return sum(chunk.num_moves for chunk in games.chunks)


def main():
    paths = {"games": Path(sys.argv[1]), "plies": Path(sys.argv[2])}
    passes = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    pa.set_cpu_count(1)
    seconds = {}
    games = {}
    for _ in range(passes):
        for rows, path in paths.items():
            cutting, texts = processor_time(lambda path=path: cut(path))
            spent, count = processor_time(lambda texts=texts, rows=rows: theirs(texts, rows))
            games[rows] = len(texts)
            seconds.setdefault(("alone", rows), []).append(spent)
            seconds.setdefault(("from the file", rows), []).append(spent + cutting)
            for task, (of, columns, _) in TASKS.items():
                if of == rows:
                    spent, mine = processor_time(lambda of=of, columns=columns: ours(paths[of], of, columns))
                    assert mine == count, (task, mine, count)
                    seconds.setdefault(task, []).append(spent)
    for task, (rows, _, target) in TASKS.items():
        mine = seconds[task]
        print(f"{task}: {games[rows] / min(mine):.0f} games a second" + (f"; target {target} times" if target else ""))
        for other_task in ("from the file", "alone"):
            their = seconds[other_task, rows]
            best, median = min(their) / min(mine), statistics.median(b / a for a, b in zip(mine, their))
            rate = games[rows] / min(their)
            print(f"    rust_pgn_reader {other_task}: {rate:.0f} games a second; {best:.2f} times ({median:.2f})")


main()
