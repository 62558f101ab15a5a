"""Random annotated games as trees, for the writers of bases.

A line is a comment before its first move, or None, and a list of plies. A ply has the board before the move, the move, its NAGs,
its comment, or None, and the lines that replace the move.
"""

from dataclasses import dataclass, field

from board import Board, text
from cbf_random import Maker, fen

TEXTS = ["a", "better was this", "time trouble", "(so)", "x" * 130, "two\nlines", "100% $1 {no move} e4"]
NAMES = ["Adams, M", "Brown", "Carlsson, Eva", "Duda", "El Khalil, Omar", "F.", "van der Gee, H", "Hidalgo, J. R."]
RESULTS = ["1-0", "0-1", "1/2-1/2", "*"]


@dataclass
class Ply:
    board: Board
    move: tuple
    nags: list = field(default_factory=list)
    comment: str = None
    variations: list = field(default_factory=list)


@dataclass
class Line:
    comment: str = None
    plies: list = field(default_factory=list)


def random_move(board, chance):
    """A legal move, or None."""
    own = [square for square in range(64) if board.is_own(square)]
    chance.shuffle(own)
    for start in own:
        targets = list(range(64))
        chance.shuffle(targets)
        last = 7 if board.white else 0
        for target in targets:
            is_promotion = board.squares[start] in "Pp" and target // 8 == last
            # Castling is rare among random moves.
            if not is_promotion and not board.goes(start, target) and not board.is_castling((start, target, "")):
                continue
            move = start, target, chance.choice("nbrq") if is_promotion else ""
            if start != target and board.legal(move):
                return move
    return None


def eager_move(board, chance):
    """A legal move; castling, promotions and moves of pawns come up more often than by chance."""
    found = None
    for _ in range(3):
        move = random_move(board, chance)
        if move is None or board.is_castling(move) or move[2] or board.squares[move[0]] in "Pp":
            return move
        found = move
    return found


class Games:
    """`nags` are the NAGs that a format has, `texts` what a comment can say."""

    def __init__(self, chance, nags, texts=TEXTS, setups=True, before=True):
        self.chance, self.nags, self.texts = chance, nags, texts
        self.setups, self.before = setups, before

    def game(self):
        """(start position or None, line)"""
        start = Maker(self.chance).setup().board if self.setups and self.chance.random() < 0.15 else None
        return start, self.line(start or Board(), self.chance.randint(5, 80))

    def line(self, board, length, depth=0):
        line = Line(self.some_text(0.05) if self.before else None)
        for _ in range(length):
            move = eager_move(board, self.chance)
            if move is None:
                break
            ply = Ply(board, move)
            if self.chance.random() < 0.1:
                ply.nags = self.chance.sample(self.nags, min(self.chance.randint(1, 3), len(self.nags)))
            ply.comment = self.some_text(0.08)
            while depth < 3 and self.chance.random() < 0.05:
                inner = self.line(board, self.chance.randint(1, 6), depth + 1)
                if inner.plies:
                    ply.variations.append(inner)
            line.plies.append(ply)
            board = board.copy()
            board.play(move)
        return line

    def some_text(self, share):
        return self.chance.choice(self.texts) if self.chance.random() < share else None


def tokens(line):
    """Model §5: the canonical tokens of a line."""
    found = [] if line.comment is None else [{"comment": line.comment}]
    for ply in line.plies:
        found.append(text(ply.move))
        found += ["$%d" % nag for nag in ply.nags]
        if ply.comment is not None:
            found.append({"comment": ply.comment})
        for variation in ply.variations:
            found += ["("] + tokens(variation) + [")"]
    return found


def start_fen(board):
    return None if board is None else fen(board)


def roster(chance, names=NAMES):
    """Tags in the order of the model, some of them unknown."""
    tags = {
        "Event": "Open %d" % chance.randrange(40), "Site": chance.choice(["Riga", "Oslo", "?"]),
        "Date": chance.choice(["????.??.??", "1998.??.??", "2011.07.??", "%d.%02d.%02d" % (chance.randint(1600, 2040), chance.randint(1, 12), chance.randint(1, 28))]),
        "Round": chance.choice(["?", "1", "7", "120"]), "White": chance.choice(names), "Black": chance.choice(names),
        "Result": chance.choice(RESULTS),
    }
    for side in "White", "Black":
        if chance.random() < 0.5:
            tags[side + "Elo"] = str(chance.randint(1, 3000))
    if chance.random() < 0.5:
        # A00 is the number 0 in a format that has no other way to say "none". (chessassistant §5.1.14)
        tags["ECO"] = chance.choice("ABCDE") + "%02d" % chance.randint(1, 99)
    return tags
