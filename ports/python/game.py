"""A game and its canonical line. (model §4 and §5)"""

import codecs
import json
import re
from bisect import bisect_left

from board import parse, text

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


class Line:
    """A line as a tree, for writers: its plies, and the NAGs, texts and lines before the first of them."""

    def __init__(self, board):
        self.board, self.before, self.plies = board, [], []


class Ply:
    """A move, the position before it, and what stands after it in its order: NAGs, texts, the lines that replace it."""

    def __init__(self, board, move):
        self.board, self.move, self.after = board, move, []


def tree(tokens, board):
    """The line of canonical tokens. `board` has copy() and play(), and belongs to the format that is written."""
    line, outer = Line(board), []
    for token in tokens:
        last = line.plies[-1] if line.plies else None
        into = last.after if last else line.before
        if token == "(":
            into.append(Line(last.board))
            outer.append((line, board))
            line, board = into[-1], last.board
        elif token == ")":
            line, board = outer.pop()
        elif isinstance(token, dict):
            into.append(token["comment"])
        elif token[0] == "$":
            into.append(int(token[1:]))
        else:
            line.plies.append(Ply(board, parse(token)))
            board = board.copy()
            board.play(line.plies[-1].move)
    return line


def of(kind, found):
    """The NAGs (int), texts (str) or lines (Line) among what stands after a move."""
    return [each for each in found if isinstance(each, kind)]


def canonical(value):
    """JSON without blanks, only `"`, `\\` and control characters escaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def date(year, month, day):
    return ".".join(["%04d" % year if year else "????", "%02d" % month if month else "??", "%02d" % day if day else "??"])


def parts_of(text):
    """Year, month and day of a date as the model writes it, or with hyphens; 0 for what is unknown or none. (model §4.2)"""
    found = re.fullmatch(r"([0-9]+|\?+)([.-])([0-9]+|\?+)\2([0-9]+|\?+)", text)
    numbers = [int(part) if part.isdigit() else 0 for part in found.group(1, 3, 4)] if found else [0, 0, 0]
    return [number if number <= most else 0 for number, most in zip(numbers, (9999, 12, 31))]


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


def single_letters(error):
    holes = error.object[error.start:error.end]
    if all("\x80" <= letter < "\xa0" for letter in holes):
        return holes.encode("latin-1"), error.end
    raise error


codecs.register_error("windows-1252", single_bytes)
# The other way: the holes of a code page are the control characters of their numbers.
codecs.register_error("windows-1252-byte", single_letters)


def decode(data):
    """UTF-8; other bytes in Windows-1252 with its five holes filled. (scid §1.4, dcg §6.4.10)"""
    return data.decode("utf-8", "windows-1252")
