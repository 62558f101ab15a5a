"""Converts PGN to Parquet with other PGN readers, each used as its experts would use it.

Headers become columns, and moves become lists in UCI notation and of 16-bit codes. pyarrow writes
them with Zstandard at its lowest level, as our writer does. To be fair to the readers, numpy and
pyarrow do the work that would be slow in Python, where possible.
"""

import itertools

import pyarrow as pa
import pyarrow.parquet as pq

TAGS = ["Event", "Site", "White", "Black", "Result", "WhiteElo", "BlackElo", "Date", "Round", "ECO", "FEN"]
RATINGS = ["WhiteElo", "BlackElo"]


def games_of(pgn):
    """Yields the text of each game."""
    text = pgn.read_text(encoding="utf-8", errors="replace")
    return ["[Event " + part for part in text.split("[Event ")[1:]]


def columns_of(headers):
    """Returns one column for each tag, from one dictionary for each game."""
    columns = {name: [header.get(name) for header in headers] for name in TAGS}
    for name in RATINGS:
        columns[name] = pa.array([int(n) if n and n.isdigit() else None for n in columns[name]], pa.int16())
    return columns


def write(columns, to):
    """Writes unique values without a dictionary."""
    table = pa.table(columns)
    flat = {"movetext", "final_hash"}
    dictionaries = [name for name in table.schema.names if name not in flat]
    dictionaries += [f"{name}.list.element" for name in ("moves", "move_codes")]
    pq.write_table(table, to, compression="zstd", compression_level=1, use_dictionary=dictionaries)
    return table.num_rows


class RustPgnReader:
    """rust_pgn_reader_python_binding: moves as flat arrays of numpy, headers as dictionaries."""

    def __init__(self):
        import numpy as np
        import rust_pgn_reader_python_binding as other

        self.np, self.other = np, other
        squares = [file + rank for rank in "12345678" for file in "abcdefgh"]
        names = [
            start + end + promotion for promotion in ["", "n", "b", "r", "q"] for end in squares for start in squares
        ]
        self.names = pa.array(names)

    def parse(self, pgn):
        """Reads from Arrow texts without a copy."""
        texts = pa.chunked_array([pa.array(games_of(pgn), pa.string())])
        return texts, self.other.parse_games(texts, num_threads=1)

    def read(self, pgn):
        return len(self.parse(pgn)[1])

    def convert(self, pgn, to, movetext=False):
        texts, games = self.parse(pgn)
        np, (chunk,) = self.np, games.chunks
        columns = columns_of(chunk.headers)
        promotions = np.maximum(chunk.promotions.astype(np.int32) - 1, 0)
        codes = chunk.from_squares.astype(np.int32) | chunk.to_squares.astype(np.int32) << 6 | promotions << 12
        offsets = pa.array(chunk.move_offsets.astype(np.int32))
        # Moves are dictionary codes, so their texts are not formatted one by one.
        moves = pa.DictionaryArray.from_arrays(pa.array(codes), self.names)
        columns["moves"] = pa.ListArray.from_arrays(offsets, moves)
        columns["move_codes"] = pa.ListArray.from_arrays(offsets, pa.array(codes.astype(np.uint16)))
        columns["plies"] = pa.array(np.diff(chunk.move_offsets).astype(np.int32))
        if movetext:
            columns["movetext"] = self.movetext(texts)
        return write(columns, to)

    @staticmethod
    def movetext(texts):
        """Cuts the movetext out of the source, because the reader does not return it."""
        return [text.partition("\n\n")[2].replace("\n", " ").strip() for text in texts.to_pylist()]


class PythonChess:
    """chess (python-chess), with all the data of our columns."""

    def __init__(self, games):
        import chess
        import chess.pgn
        import chess.polyglot

        self.chess, self.games = chess, games

    def parse(self, pgn):
        """Reads the text of a limited number of games."""
        with pgn.open(encoding="utf-8", errors="replace") as stream:
            read = iter(lambda: self.chess.pgn.read_game(stream), None)
            yield from itertools.islice(read, self.games)

    def read(self, pgn):
        return sum(1 for _ in self.parse(pgn))

    def convert(self, pgn, to):
        headers = []
        columns = {name: [] for name in ("moves", "move_codes", "plies", "final_hash", "movetext")}
        for game in self.parse(pgn):
            headers.append(game.headers)
            board = game.board()
            moves, codes = [], []
            for move in game.mainline_moves():
                moves.append(move.uci())
                codes.append(move.from_square | move.to_square << 6 | max((move.promotion or 1) - 1, 0) << 12)
                board.push(move)
            exporter = self.chess.pgn.StringExporter(columns=None, headers=False)
            columns["moves"].append(moves)
            columns["move_codes"].append(codes)
            columns["plies"].append(len(codes))
            columns["final_hash"].append(self.chess.polyglot.zobrist_hash(board))
            columns["movetext"].append(game.accept(exporter))
        types = {"move_codes": pa.list_(pa.uint16()), "plies": pa.int32(), "final_hash": pa.uint64()}
        columns = {name: pa.array(values, types.get(name)) for name, values in columns.items()}
        return write({**columns_of(headers), **columns}, to)
