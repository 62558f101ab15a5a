"""A game and its canonical line. (model §4 and §5)"""

import codecs
import json
import re
from bisect import bisect_left

from board import text

TYPED = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
OPTIONAL = ["WhiteElo", "BlackElo", "ECO", "EventDate", "Deleted"]
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
RESULTS = ["*", "1-0", "0-1", "1/2-1/2"]


class Damage(Exception):
    """A game, or a base, does not read to its end."""


class Game:
    def __init__(self):
        self.typed = dict(ROSTER)
        self.tags = []  # all others, in order
        self.fen = None
        self.line = []
        self.depth = 0
        # What of it is lost though all else was read: damage of the game.
        self.lost = None

    def move(self, move):
        self.line.append(text(move))

    def nag(self, number):
        self.line.append("$%d" % number)

    def comment(self, words):
        # CRs before a LF belong to its line end. (scid §4.4.18, cbh §5.4.7, dcg §6.4.14)
        words = re.sub("\r+\n", "\n", words)
        self.line.append({"comment": words})

    def open(self):
        self.depth += 1
        self.line.append("(")

    def close(self):
        self.depth -= 1
        self.line.append(")")

    def json(self):
        while self.depth:
            self.close()
        tags = [[name, self.typed[name]] for name in TYPED + OPTIONAL if name in self.typed]
        return {"tags": tags + [list(tag) for tag in self.tags], "fen": self.fen, "line": self.line}


def canonical(value):
    """JSON without blanks, only `"`, `\\` and control characters escaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def date(year, month, day):
    return ".".join(["%04d" % year if year else "????", "%02d" % month if month else "??", "%02d" % day if day else "??"])


class Bounds:
    """How far records may reach. (scid §4.1.7, dcg §6.5.6, cbh §4.1.7)"""

    def __init__(self, starts, least=512):
        self.places, self.least = sorted(starts)[::8], least

    def allowed(self, start, length):
        second = bisect_left(self.places, start) + 1
        if length <= self.least or second >= len(self.places):
            return length
        return min(length, max(self.places[second] - start, self.least))


def single_bytes(error):
    text = "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in error.object[error.start:error.end])
    return text, error.end


codecs.register_error("windows-1252", single_bytes)


def decode(data):
    """UTF-8; other bytes in Windows-1252 with its five holes filled. (scid §1.4, dcg §6.4.10)"""
    return data.decode("utf-8", "windows-1252")
