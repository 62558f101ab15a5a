"""Random annotated games in bases that were written from the descriptions alone, for `cargo lab readback`.

    python3 ports/python/random_bases.py FOLDER [GAMES [SEED]]

FOLDER gets the files of each base and, under the same name, .jsonl with the canonical lines that a reader must find (model §5).
Old ChessBase has a program of its own: cbf_random.py.
"""

import os
import random
import sys

import ca_writer
import dcg_writer
import movecode_writer
import write
from game import canonical
from random_games import NAMES, TEXTS, Games, random_game, roster

# The NAGs that each format has.
NAGS = {
    "dcg": [1, 2, 3, 4, 5, 6, 7, 10, 13, 16, 17, 18, 19, 22, 23, 40, 41, 132, 133],
    "chessassistant": [1, 2, 3, 4, 5, 6, 13, 16, 17],
    "scid": [1, 2, 3, 16, 139, 255],
    "movecode": [1, 2, 3, 4, 5, 6, 7, 10, 13, 31, 32, 44, 139, 255],
}
WIDE = ["Ångström, Å", "Жуков, А", "Čech, Ž"]


def made(seed, count, nags, texts=TEXTS, names=NAMES, fits=lambda start: True, before=True):
    chance = random.Random(seed)
    source, games = Games(chance, nags, texts, before=before), []
    while len(games) < count:
        start, line = source.game()
        if start is None or fits(start):
            games.append(random_game(roster(chance, names), start, line))
    return games


def bases(count, seed):
    """(name, files by extension, games)"""
    wide = TEXTS + ["é, ß, ж"]
    for numbering in "described", "program":
        # Texts before a variation would move. (dcg §9.1)
        games = made(seed, count, NAGS["dcg"], wide, NAMES + WIDE, before=False)
        yield "dcg-" + numbering, dcg_writer.write(games, numbering), games
    for reading in "right", "literal":
        games = made(seed + 1, count, NAGS["chessassistant"], fits=lambda start: ca_writer.sets_up(start) is not None)
        yield "chessassistant-" + reading, ca_writer.write(games, reading), games
    for version5 in False, True:
        games = made(seed + 2, count, NAGS["scid"], wide, NAMES + WIDE)
        digit = "45"[version5]
        yield "scid-si" + digit, write.files(games, ".si" + digit), games
    for dialect in "jose", "published":
        games = made(seed + 3, count, NAGS["movecode"], fits=movecode_writer.has_slots)
        for game in games:
            game["tags"].append(["Collection", "base"])
        yield "movecode-" + dialect, movecode_writer.write(games, dialect == "published"), games


def main(folder, count=200, seed=1):
    os.makedirs(folder, exist_ok=True)
    for name, files, games in bases(int(count), int(seed)):
        lines = "".join(canonical(game) + "\n" for game in games).encode()
        for extension, data in {**files, "jsonl": lines}.items():
            with open(os.path.join(folder, name + "." + extension), "wb") as file:
                file.write(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
