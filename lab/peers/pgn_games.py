"""Prints the games of a PGN file as python-chess reads them, a line of JSON each."""

import json
import logging
import sys

import chess
import chess.pgn

logging.disable(logging.CRITICAL)
# Each text by itself, as UTF-8 or Windows-1252.
raw = open(sys.argv[1], "rb").read()
try:
    text = raw.decode("utf-8-sig")
except UnicodeDecodeError:
    text = raw.decode("cp1252", "replace")
import io

stream = io.StringIO(text)
while True:
    try:
        game = chess.pgn.read_game(stream)
    except Exception as error:  # A peer that fails is a difference, too.
        print(json.dumps({"failed": repr(error)}))
        break
    if game is None:
        break
    board = game.board()
    moves = []
    for move in game.mainline_moves():
        moves.append(board.uci(move, chess960=False))
        board.push(move)
    headers = {name: game.headers.get(name, "?") for name in ("Event", "White", "Black", "Result")}
    print(json.dumps({"headers": headers, "moves": moves}))
