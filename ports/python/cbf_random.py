"""Random games as programs of each dialect would have stored them, to see what a reader makes of them. (cbf §6.3)

    python3 ports/python/cbf_random.py FOLDER [GAMES [SEED]]
    python3 ports/python/cbf_random.py FOLDER FILE.jsonl [GAMES]

The second form takes real games: the first of a file of canonical lines (model §5), as `scoresheet convert games.pgn games.jsonl`
writes it, without their comments and NAGs. For each dialect FOLDER gets DIALECT.cbf, DIALECT.cbi, and DIALECT.jsonl: a line a game, its kind and its canonical line.
The kinds: "legal"; "late", en passant after castling; "check", a move that leaves the king in check; "castling", through an attack or
without the right; "none" of these came up; "real".
"""

import json
import os
import random
import sys

from board import DIAGONAL, STEPS, STRAIGHT, Board, fen, step, text
from cbf_writer import DIALECTS, STALE, index, line_of, place_of, record
from game import ROSTER

KINDS = ["legal", "late", "check", "castling"]


class Moves:
    """The moves of a list; which of them the rules allow is asked only where it matters."""

    def __init__(self, board, entries, chance):
        self.board, self.chance = board, chance
        self.late = [move for move, kind in entries if move is not None and kind == STALE]
        self.all = [move for move, kind in entries if move is not None and kind != STALE]
        chance.shuffle(self.all)

    def __contains__(self, move):
        return move in self.all and is_fine(self.board, move)

    def legal(self, suits=lambda move: True):
        """Some legal move that suits, or None."""
        return next((move for move in self.all if suits(move) and is_fine(self.board, move)), None)

    def forbidden(self, castling):
        wanted = (move for move in self.all if self.board.is_castling(move) == castling)
        return next((move for move in wanted if not is_fine(self.board, move)), None)


def ray(square, way):
    found = []
    while (square := step(square, *way)) is not None:
        found.append(square)
    return found


LEAPS = [(kind, [[to for way in ways if (to := step(square, *way)) is not None] for square in range(64)]) for kind, ways in STEPS.items()]
RAYS = [(kind, [[ray(square, way) for way in ways] for square in range(64)]) for kind, ways in (("r", STRAIGHT), ("b", DIAGONAL))]


def is_fine(board, move):
    """Whether the rules allow a move of the list."""
    if board.is_castling(move):
        return board.may_castle(*move[:2])
    start, target, _ = move
    squares, white = board.squares[:], board.white
    if squares[start] in "Pp" and (target - start) % 8 and squares[target] == ".":
        squares[start // 8 * 8 + target % 8] = "."
    squares[start], squares[target] = ".", squares[start]
    king = squares.index("K" if white else "k")
    case = str.lower if white else str.upper  # the enemy's
    if any(squares[square] == case(kind) for kind, leaps in LEAPS for square in leaps[king]):
        return False
    for kind, rays in RAYS:
        men = case(kind) + case("q")
        for way in rays[king]:
            there = next((squares[square] for square in way if squares[square] != "."), ".")
            if there in men:
                return False
    pawns = (step(king, file, 1 if white else -1) for file in (-1, 1))
    return not any(square is not None and squares[square] == case("p") for square in pawns)


class Maker:
    def __init__(self, chance):
        self.chance = chance

    def game(self, kind):
        """(tokens, start or None, kind): the kind is "none" if it did not come up."""
        start = self.setup() if self.chance.random() < 0.15 and kind != "late" else None
        first = place_of(start or Board())
        script = self.script() if kind == "late" else {}
        length = self.chance.randint(24 if kind == "late" else 5, 90)
        line, done = self.line(first, length, kind, script)
        return line, start, kind if kind == "legal" or done else "none"

    def line(self, place, length, kind, script, depth=0):
        line, done = [], 0
        for ply in range(length):
            entries = list(place.entries())
            moves = Moves(place.board, entries, self.chance)
            move = self.choose(place.board, moves, kind, script, done)
            if move is None:
                break
            done += move in moves.late or move not in moves
            line.append(text(move))
            if self.chance.random() < 0.05:
                line.append({"comment": self.chance.choice(["", "a", "better was this"])})
            if depth < 2 and self.chance.random() < 0.04:
                inner, _ = self.line(place, self.chance.randint(1, 6), kind if depth == 0 else "legal", {}, depth + 1)
                if inner:
                    line += ["(", *inner, ")"]
            place = place.after(move)
        return line, done

    def choose(self, board, moves, kind, script, done):
        if kind == "late" and moves.late:
            script.clear()
            return self.chance.choice(moves.late)
        odd = None
        if kind == "castling" and done < 2 and self.chance.random() < 0.6:
            odd = moves.forbidden(True)
        if kind == "check" and done < 2 and self.chance.random() < 0.15:
            odd = moves.forbidden(False)
        wanted = odd or self.scripted(board, moves, script)
        if wanted:
            return wanted
        if not script and self.chance.random() < 0.3:
            castles = moves.legal(board.is_castling)
            if castles:
                return castles
        # For castling against the rules, kings wait.
        waits = kind == "castling" and done == 0
        calm = moves.legal(lambda move: keeps(board, move, script) and not (waits and board.squares[move[0]] in "Kk"))
        return calm or moves.legal()

    def script(self):
        """A way to en passant after castling: who takes, on which files."""
        white = self.chance.random() < 0.5
        file = self.chance.randrange(8)
        beside = self.chance.choice([other for other in (file - 1, file + 1) if 0 <= other < 8])
        own, enemy = (0, 1) if white else (7, -1)
        at = lambda file, rank: (own + enemy * rank) * 8 + file
        rank = 56 if white else 0
        castler = [rank + square for square in (5, 6)]
        taker = [(at(beside, 1), at(beside, 3), ""), (at(beside, 3), at(beside, 4), "")]
        prey = [(at(file, 6), at(file, 5), ""), (at(file, 5), at(file, 4), "")]
        return {"white": white, "taker": taker, "prey": prey, "jump": (at(file, 1), at(file, 3), ""), "castler": castler}

    def scripted(self, board, moves, script):
        if not script:
            return None
        ready = not script["taker"] and not script["prey"]
        if board.white == script["white"]:
            if ready and all(board.squares[square] == "." for square in script["castler"]) and script["jump"] in moves:
                return script["jump"]
            return take(script["taker"], moves, self.chance)
        if ready and board.squares[script["jump"][1]] == ("P" if script["white"] else "p"):
            castles = moves.legal(lambda move: board.is_castling(move) and move[1] > move[0])
            if castles:
                return castles
        if self.chance.random() < 0.6:
            away = moves.legal(lambda move: move[0] in script["castler"])
            if away:
                return away
        if self.chance.random() < 0.3:
            opens = moves.legal(lambda move: move[0] % 8 in (4, 6) and board.squares[move[0]] in "Pp")
            if opens:
                return opens
        return take(script["prey"], moves, self.chance)

    def setup(self):
        """A board of a dozen men or so, often with rooks and kings at home, perhaps a double step just made."""
        while True:
            board = Board("8/8/8/8/8/8/8/8 w - - 0 1")
            home = self.chance.random() < 0.6
            kings = (4, 60) if home else self.chance.sample(range(64), 2)
            board.squares[kings[0]], board.squares[kings[1]] = "K", "k"
            for corner, rook in (0, "R"), (7, "R"), (56, "r"), (63, "r"):
                if home and self.chance.random() < 0.8 and board.squares[corner] == ".":
                    board.squares[corner] = rook
            for piece in self.chance.choices("PPPPpppp" + "NnBbQqRr", k=self.chance.randint(4, 16)):
                square = self.chance.randrange(8, 56)
                if board.squares[square] == ".":
                    board.squares[square] = piece
            board.white = self.chance.random() < 0.5
            apart = max(abs(kings[0] % 8 - kings[1] % 8), abs(kings[0] // 8 - kings[1] // 8)) > 1
            if apart and not board.in_check(True) and not board.in_check(False):
                for letter in "KQkq" if home else "":
                    if self.chance.random() < 0.8:
                        board.allow(letter)
                return self.passing(board)

    def passing(self, board):
        four, back = (4, 1) if board.white else (3, -1)
        files = [
            file for file in range(8)
            if board.squares[four * 8 + file] == ("p" if board.white else "P")
            and board.squares[(four + back) * 8 + file] == board.squares[(four + 2 * back) * 8 + file] == "."
        ]
        if not files or self.chance.random() < 0.5:
            return board
        file = self.chance.choice(files)
        board.passing = (four + back) * 8 + file
        return board


def take(steps, moves, chance):
    if steps and steps[0] in moves and chance.random() < 0.6:
        return steps.pop(0)
    return None


def keeps(board, move, script):
    """Whether a move leaves the script possible."""
    if not script:
        return True
    start, target, _ = move
    files = {script["jump"][0] % 8, script["jump"][1] % 8}
    involved = {square for step in script["taker"] + script["prey"] for square in step[:2]} | set(script["jump"][:2])
    pawn = board.squares[start] in "Pp" and (start in involved or start % 8 in files)
    king = board.squares[start] in "Kk" or start in (0, 7, 56, 63)
    return not pawn and not king and target not in involved and target not in script["castler"]


def real_games(path, games):
    made = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            game = json.loads(line)
            tokens = [token for token in game["line"] if isinstance(token, str) and token[0] != "$"]
            # A set-up would need the file of its en passant square.
            if game["fen"] is None and tokens and "0000" not in tokens:
                made.append((tokens, None, "real"))
            if len(made) == games:
                break
    return made


def main(folder, games=1000, seed=1):
    if str(games).endswith(".jsonl"):
        made = real_games(games, 2500 if seed == 1 else int(seed))
    else:
        maker = Maker(random.Random(int(seed)))
        made = [maker.game(KINDS[number % len(KINDS)]) for number in range(int(games))]
    games = []
    for number, (line, start, kind) in enumerate(made):
        tags = {**ROSTER, "Event": "game %d" % number, "White": "White,W", "Black": "Black,B"}
        game = {"tags": list(tags.items()), "fen": None if start is None else fen(start), "line": line}
        games.append((kind, game, line_of(game)))
    os.makedirs(folder, exist_ok=True)
    for dialect in DIALECTS:
        records, lines = [], []
        for kind, game, line in games:
            data, whole = record(game, line, dialect)
            if whole:
                records.append(data)
                lines.append(json.dumps({"kind": kind, "game": {"fen": game["fen"], "line": game["line"]}}) + "\n")
        path = os.path.join(folder, dialect)
        for suffix, data in (".cbf", b"".join(records)), (".cbi", index(records)), (".jsonl", "".join(lines).encode()):
            with open(path + suffix, "wb") as file:
                file.write(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
