"""Random annotated games, as canonical lines have them, for the writers of bases."""

from board import Board, fen, text
from cbf_random import Maker
from game import OPTIONAL, TYPED

TEXTS = ["a", "better was this", "time trouble", "(so)", "x" * 130, "two\nlines", "100% $1 {no move} e4"]
NAMES = ["Adams, M", "Brown", "Carlsson, Eva", "Duda", "El Khalil, Omar", "F.", "van der Gee, H", "Hidalgo, J. R."]
RESULTS = ["1-0", "0-1", "1/2-1/2", "*"]


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
        """(start position or None, tokens)"""
        start = Maker(self.chance).setup() if self.setups and self.chance.random() < 0.15 else None
        return start, self.line(start or Board(), self.chance.randint(5, 80))

    def line(self, board, length, depth=0):
        found = self.some_text(0.05) if self.before else []
        for _ in range(length):
            move = eager_move(board, self.chance)
            if move is None:
                break
            found.append(text(move))
            if self.chance.random() < 0.1:
                found += ["$%d" % nag for nag in self.chance.sample(self.nags, min(self.chance.randint(1, 3), len(self.nags)))]
            found += self.some_text(0.08)
            while depth < 3 and self.chance.random() < 0.05:
                inner = self.line(board, self.chance.randint(1, 6), depth + 1)
                if any(isinstance(token, str) for token in inner):
                    found += ["(", *inner, ")"]
            board = board.copy()
            board.play(move)
        return found

    def some_text(self, share):
        return [{"comment": self.chance.choice(self.texts)}] if self.chance.random() < share else []


def random_game(tags, start, line):
    return {"tags": [[name, tags[name]] for name in TYPED + OPTIONAL if name in tags], "fen": None if start is None else fen(start), "line": line}


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
