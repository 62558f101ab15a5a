"""Compares PGN to Parquet with other PGN readers: python beside_others.py GAMES.pgn [PASSES]

Measures processor time on one thread, with the programs in turn. Prints the best of PASSES passes (by
default three), and the median in brackets. The others do the same task (peers.py); their time for reading
alone is printed beside it. chess (python-chess) reads the first 300 games.
"""

import gc
import resource
import statistics
import sys
import tempfile
from pathlib import Path

import peers
import pyarrow as pa

import scoresheet

#: The columns that rust_pgn_reader_python_binding also provides: no movetext.
MOVES = [*peers.TAGS, "plies", "moves", "move_codes"]
#: The columns of the readers that provide the text of the games.
TEXT = [*MOVES, "movetext"]
CHESS_GAMES = 300

#: Our task, the task it is compared with, and the target ratio, if any.
PAIRS = [
    ("PGN -> Parquet, all columns", "rust_pgn_reader_python_binding -> Parquet", 3),
    ("PGN -> Parquet, all columns", "rust_pgn_reader_python_binding -> Parquet, with text", 3),
    ("PGN -> Parquet, headers and moves", "rust_pgn_reader_python_binding -> Parquet", 3),
    ("PGN -> Parquet, headers, moves, text", "rust_pgn_reader_python_binding -> Parquet, with text", 3),
    ("PGN -> Parquet, all columns", "rust_pgn_reader_python_binding, reading", None),
    ("PGN -> Parquet, all columns", "chess -> Parquet, all columns", 300),
    ("PGN -> Parquet, all columns", "chess, reading", None),
]


def processor_time(run):
    """Returns the processor seconds of this process with its threads, and the result of the call."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    result = run()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, result


def to_table(pgn, to, **options):
    options = {"threads": 1, **options}
    return scoresheet.convert(pgn, to, threads=1, to_options=options, overwrite=True).written


def peers_runs(pgn, folder):
    """Returns the installed readers."""
    runs = {}
    try:
        rust = peers.RustPgnReader()
        name = "rust_pgn_reader_python_binding"
        runs[f"{name}, reading"] = lambda: rust.read(pgn)
        runs[f"{name} -> Parquet"] = lambda: rust.convert(pgn, folder / "rust.parquet")
        runs[f"{name} -> Parquet, with text"] = lambda: rust.convert(pgn, folder / "rust_text.parquet", movetext=True)
    except ImportError as error:
        print(f"not compared: {error}")
    try:
        chess = peers.PythonChess(CHESS_GAMES)
        runs["chess, reading"] = lambda: chess.read(pgn)
        runs["chess -> Parquet, all columns"] = lambda: chess.convert(pgn, folder / "chess.parquet")
    except ImportError as error:
        print(f"not compared: {error}")
    return runs


def main():
    pgn = Path(sys.argv[1])
    passes = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    pa.set_cpu_count(1)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        si4 = folder / "games.si4"
        lichess = [c["name"] for c in scoresheet.columns("games")][:18]
        runs = {
            "PGN -> Parquet, all columns": lambda: to_table(pgn, folder / "games.parquet"),
            "PGN -> Parquet, Lichess' columns": lambda: to_table(pgn, folder / "lichess.parquet", columns=lichess),
            "PGN -> Parquet, headers and moves": lambda: to_table(pgn, folder / "moves.parquet", columns=MOVES),
            "PGN -> Parquet, headers, moves, text": lambda: to_table(pgn, folder / "text.parquet", columns=TEXT),
            "PGN -> Parquet, half-moves": lambda: to_table(pgn, folder / "p.parquet", rows="plies"),
            "PGN -> si4": lambda: scoresheet.convert(pgn, si4, threads=1, overwrite=True).written,
            "si4 -> PGN": lambda: scoresheet.convert(si4, folder / "o.pgn", threads=1, overwrite=True).written,
            "si4 -> Parquet, all columns": lambda: to_table(si4, folder / "s.parquet"),
            **peers_runs(pgn, folder),
        }
        rates = {name: [] for name in runs}
        for _ in range(passes):
            for name, run in runs.items():
                # Garbage collection of one reader must not count for another.
                gc.collect()
                gc.disable()
                seconds, games = processor_time(run)
                gc.enable()
                rates[name].append(games / seconds)
        for name, of_passes in rates.items():
            print(f"{name:54} {max(of_passes):10.0f} ({statistics.median(of_passes):.0f}) games a second")
        for ours, other, aim in [*PAIRS, ("si4 -> PGN", "si4 -> Parquet, all columns", None)]:
            if other in rates:
                best = max(rates[ours]) / max(rates[other])
                turns = statistics.median(a / b for a, b in zip(rates[ours], rates[other]))
                aimed = f", aim {aim}" if aim else ""
                print(f"{ours} / {other}: {best:.2f} ({turns:.2f}){aimed}")
        for file in sorted(folder.glob("*.parquet")):
            print(f"{file.name:42} {file.stat().st_size:10} bytes")


main()
