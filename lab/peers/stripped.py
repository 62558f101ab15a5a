"""Compares what the program and pgn-extract write: games without comments, variations and glyphs, and with PlyCount.

    python3 stripped.py PROGRAM GAMES.pgn

Both outputs are normalised: tags by name, moves without numbers and signs of check. Prints the numbers of equal games.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

program, games = sys.argv[1:]
TAG = re.compile(r'^\[(\w+) "(.*)"\]$')


def decode(line):
    """pgn-extract copies the bytes of its input, and the program writes UTF-8."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")


def normal(path):
    """Yields the tags and the moves of each game."""
    tags, words = {}, []
    with open(path, "rb") as lines:
        for line in map(decode, lines):
            tag = TAG.match(line.rstrip())
            if tag and words:
                yield frozenset(tags.items()), tuple(words)
                tags, words = {}, []
            if tag:
                tags[tag[1]] = tag[2].strip()
            else:
                words += [w.rstrip("+#") for w in line.split() if not re.fullmatch(r"\d+\.+", w)]
    if tags or words:
        yield frozenset(tags.items()), tuple(words)


def write(folder, name, command):
    path = pathlib.Path(folder) / name
    command = [word.replace("OUT", str(path)) if word.endswith("OUT") else word for word in command]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return collections.Counter(normal(path))


QUESTIONS = [
    ("strip", ["--strip", "comments,variations,glyphs"], ["-C", "-V", "-N"]),
    ("PlyCount", ["--strip", "comments,variations,glyphs", "--add", "plycount"], ["-C", "-V", "-N", "--plycount"]),
]
print("question", "games", "equal", "only ours", "only pgn-extract's", sep="\t")
with tempfile.TemporaryDirectory() as folder:
    for name, options, words in QUESTIONS:
        ours = write(folder, "ours.pgn", [program, "--quiet", "convert", games, "OUT", *options])
        theirs = write(folder, "theirs.pgn", ["pgn-extract", *words, "-s", "-oOUT", games])
        equal = (ours & theirs).total()
        print(name, ours.total(), equal, (ours - theirs).total(), (theirs - ours).total(), sep="\t")
        for sign, some in [("-", ours - theirs), ("+", theirs - ours)]:
            for tags, moves in list(some)[:3]:
                print(sign, sorted(tags)[:2], " ".join(moves)[:60])
        for file in pathlib.Path(folder).iterdir():
            file.unlink()
