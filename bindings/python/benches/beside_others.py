"""PGN to Parquet beside other readers of PGN: python beside_others.py GAMES.pgn [PASSES]

One thread each, processor time, all by turns; of some passes, three unless told, the best. The others
only read: rust_pgn_reader_python_binding from texts already split into games, chess (python-chess)
the first 300 games.
"""

import io
import itertools
import resource
import sys
import tempfile
from pathlib import Path

import scoresheet

#: What rust_pgn_reader_python_binding gives, too: no movetext.
MOVES = ["Event", "Site", "White", "Black", "Result", "WhiteElo", "BlackElo", "Date", "ECO", "moves", "move_codes"]


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
    passes = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    text = pgn.read_text(encoding="utf-8", errors="replace")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        si4 = folder / "games.si4"
        runs = {
            "PGN -> Parquet, games": lambda: to_table(pgn, folder / "games.parquet"),
            "PGN -> Parquet, Lichess' columns": lambda: to_table(
                pgn, folder / "lichess.parquet", columns=[c["name"] for c in scoresheet.columns("games")][:18]
            ),
            "PGN -> Parquet, headers and moves": lambda: to_table(
                pgn, folder / "moves.parquet", columns=MOVES
            ),
            "PGN -> Parquet, half-moves": lambda: to_table(pgn, folder / "p.parquet", rows="plies"),
            "PGN -> si4": lambda: scoresheet.convert(pgn, si4, threads=1).written,
            "si4 -> PGN": lambda: scoresheet.convert(si4, folder / "o.pgn", threads=1).written,
            "si4 -> Parquet, games": lambda: to_table(si4, folder / "s.parquet"),
        }
        runs = {name: lambda run=run: processor_time(run) for name, run in runs.items()}
        runs["rust_pgn_reader_python_binding, reading"] = lambda: by_rust_pgn_reader(text)
        runs["chess.pgn, reading"] = lambda: by_python_chess(text, 300)
        rates = {}
        for _ in range(passes):
            for name, run in list(runs.items()):
                try:
                    seconds, games = run()
                except ImportError as error:
                    print(f"not compared: {error}")
                    del runs[name]
                    continue
                rates[name] = max(rates.get(name, 0), games / seconds)
        for name, rate in rates.items():
            print(f"{name:42} {rate:10.0f} games a second of processor time")
        for file in ("games.parquet", "lichess.parquet", "moves.parquet", "p.parquet"):
            print(f"{file:42} {(folder / file).stat().st_size:10} bytes")


main()
