"""PGN to Parquet beside other readers of PGN: python beside_others.py GAMES.pgn

One thread each, processor time. The others only read: rust_pgn_reader_python_binding from texts
already split into games, chess (python-chess) the first 300 games.
"""

import io
import itertools
import resource
import sys
import tempfile
import time
from pathlib import Path

import scoresheet


def processor_time(run):
    """Seconds of this process and its threads, and what was returned."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    result = run()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, result


def to_table(pgn, to, **options):
    options = {"threads": 1, **options}
    return scoresheet.convert(pgn, to, threads=1, to_options=options).written


def by_rust_pgn_reader(text):
    import rust_pgn_reader_python_binding as other

    texts = ["[Event " + part for part in text.split("[Event ")[1:]]
    return processor_time(lambda: len(list(other.parse_games_from_strings(texts, num_threads=1))))


def by_python_chess(text, games):
    import chess.pgn

    stream = io.StringIO(text)
    read = iter(lambda: chess.pgn.read_game(stream), None)
    return processor_time(lambda: sum(1 for _ in itertools.islice(read, games)))


def main():
    pgn = Path(sys.argv[1])
    text = pgn.read_text(encoding="utf-8", errors="replace")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        si4 = folder / "games.si4"
        runs = {
            "PGN -> Parquet, games": lambda: to_table(pgn, folder / "games.parquet"),
            "PGN -> Parquet, Lichess' columns": lambda: to_table(
                pgn, folder / "lichess.parquet", columns=[c["name"] for c in scoresheet.columns("games")][:18]
            ),
            "PGN -> Parquet, half-moves": lambda: to_table(pgn, folder / "p.parquet", rows="plies"),
            "PGN -> si4": lambda: scoresheet.convert(pgn, si4, threads=1).written,
            "si4 -> PGN": lambda: scoresheet.convert(si4, folder / "o.pgn", threads=1).written,
            "si4 -> Parquet, games": lambda: to_table(si4, folder / "s.parquet"),
        }
        rates = {}
        for name, run in runs.items():
            seconds, games = processor_time(run)
            rates[name] = games / seconds
        for name, run in [
            ("rust_pgn_reader_python_binding, reading", lambda: by_rust_pgn_reader(text)),
            ("chess.pgn, reading", lambda: by_python_chess(text, 300)),
        ]:
            try:
                seconds, games = run()
                rates[name] = games / seconds
            except ImportError as error:
                print(f"not compared: {error}")
        for name, rate in rates.items():
            print(f"{name:42} {rate:10.0f} games a second of processor time")
        for file in ("games.parquet", "lichess.parquet", "p.parquet"):
            print(f"{file:42} {(folder / file).stat().st_size:10} bytes")


main()
