"""Prints the opening of each game of a PGN file, found by python-chess: code, tab, name.

    python3 openings.py TABLES GAMES.pgn

TABLES is the folder of the tables of lichess-org/chess-openings. A game has the opening of the last position of
its main line that the tables name: same pieces, side to move, castling rights and legal en passant capture.
"""

import csv
import io
import logging
import pathlib
import sys

import chess
import chess.pgn

logging.disable(logging.CRITICAL)
tables, games = sys.argv[1:]


def pieces(board):
    """The pieces, which decide about most positions."""
    white = board.occupied_co[chess.WHITE]
    roles = board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings
    return (white, *roles)


def rest(board):
    passing = board.ep_square if board.has_legal_en_passant() else None
    return board.turn, board.clean_castling_rights(), passing


openings = {}
fewest = 32
for path in sorted(pathlib.Path(tables).glob("[a-e].tsv")):
    for row in csv.DictReader(path.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE):
        board = chess.pgn.read_game(io.StringIO(row["pgn"])).end().board()
        fewest = min(fewest, chess.popcount(board.occupied))
        found = openings.setdefault(pieces(board), {})
        found[rest(board)] = row["eco"] + "\t" + row["name"]


class LastNamed(chess.pgn.BaseVisitor):
    def begin_game(self):
        self.name = ""
        self.goes_on = True

    def begin_variation(self):
        return chess.pgn.SKIP

    def parse_san(self, board, san):
        # No capture is taken back, so positions with fewer pieces than the tables have need not be known.
        self.goes_on = self.goes_on and chess.popcount(board.occupied) >= fewest
        return board.parse_san(san) if self.goes_on else chess.Move.null()

    def visit_board(self, board):
        found = openings.get(pieces(board)) if self.goes_on else None
        if found:
            self.name = found.get(rest(board), self.name)

    def handle_error(self, error):
        # The moves before the error count.
        pass

    def result(self):
        return self.name


stream = open(games, encoding="utf-8-sig", errors="replace")
while (name := chess.pgn.read_game(stream, Visitor=LastNamed)) is not None:
    print(name)
