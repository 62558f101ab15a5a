"""Random annotated games in bases that were written from the descriptions alone, for `cargo lab readback`.

    python3 ports/python/random_bases.py FOLDER [GAMES [SEED]]

FOLDER gets the files of each base and, under the same name, .jsonl with the canonical lines that a reader must find (model §5).
Old ChessBase has a program of its own: cbf_random.py.
"""

import os
import pathlib
import random
import sys

import ca_writer
import dcg_writer
import movecode_writer
import scid_writer
from game import OPTIONAL, TYPED, canonical
from random_games import NAMES, TEXTS, Games, roster, start_fen, tokens

WIDE = ["Ångström, Å", "Жуков, А", "Čech, Ž"]
MODEL = pathlib.Path(__file__).parents[2] / "fixtures/movecode/basic/base.jose"


def made(seed, count, nags, texts=TEXTS, names=NAMES, fits=lambda start: True, before=True):
    """Games as (tags, start or None, line)."""
    chance = random.Random(seed)
    source, games = Games(chance, nags, texts, before=before), []
    while len(games) < count:
        start, line = source.game()
        if start is None or fits(start):
            games.append((roster(chance, names), start, line))
    return games


def expected(game):
    tags, start, line = game
    pairs = [[name, tags[name]] for name in TYPED + OPTIONAL if name in tags]
    return {"tags": pairs, "fen": start_fen(start), "line": tokens(line)}


def bases(count, seed):
    """(name, files by extension, games)"""
    wide = TEXTS + ["é, ß, ж"]
    for numbering in "described", "program":
        games = made(seed, count, dcg_writer.NAGS, wide, NAMES + WIDE)
        yield "dcg-" + numbering, dcg_writer.write(games, numbering), games
    for reading in "right", "literal":
        games = made(seed + 1, count, ca_writer.NAGS, fits=lambda start: ca_writer.sets_up(start) is not None)
        yield "chessassistant-" + reading, ca_writer.write(games, reading), games
    for version5 in False, True:
        games = made(seed + 2, count, [1, 2, 3, 16, 139, 255], wide, NAMES + WIDE)
        index, names, records = scid_writer.write([expected(game) for game in games], version5)
        digit = "45"[version5]
        yield "scid-si" + digit, {"si" + digit: index, "sn" + digit: names, "sg" + digit: records}, games
    for dialect in "jose", "published":
        games = made(seed + 3, count, movecode_writer.NAGS, fits=movecode_writer.has_slots)
        yield "movecode-" + dialect, {"jose": movecode_writer.write(games, dialect == "published", MODEL.read_bytes())}, games


def main(folder, count=200, seed=1):
    os.makedirs(folder, exist_ok=True)
    for name, files, games in bases(int(count), int(seed)):
        lines = "".join(canonical(expected(game)) + "\n" for game in games).encode()
        for extension, data in {**files, "jsonl": lines}.items():
            with open(os.path.join(folder, name + "." + extension), "wb") as file:
                file.write(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
