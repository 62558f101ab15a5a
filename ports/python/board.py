"""The board: FEN in, any move played, legal moves told apart. (model §2 and §3)

Squares are numbers, a1 = 0, b1 = 1, ... h8 = 63. Pieces are the letters of a FEN, "." is an
empty square. A move is (start, target, promotion), promotion a lower-case letter or "".
"""

import re

NULL = (0, 0, "")
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LINES = {"r": STRAIGHT, "b": DIAGONAL, "q": STRAIGHT + DIAGONAL}
STEPS = {"n": KNIGHT, "k": STRAIGHT + DIAGONAL}


def name(square):
    return "abcdefgh"[square % 8] + "12345678"[square // 8]


def text(move):
    return "0000" if move == NULL else name(move[0]) + name(move[1]) + move[2]


def parse(text):
    """A move of a canonical line. (model §5)"""
    return NULL if text == "0000" else (square(text[:2]), square(text[2:4]), text[4:])


def square(name):
    return "abcdefgh".index(name[0]) + 8 * "12345678".index(name[1])


def is_white(piece):
    return piece.isupper()


class Board:
    def __init__(self, fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"):
        """Raises ValueError where the text is no position."""
        # model §3 rule 7: fields of other variants
        fields = [field for field in fen.split() if not re.fullmatch(r"\+?\d+\+\d+", field)]
        self.squares = squares_of(without_hands(fields[0]) if fields else "")
        turn = fields[1].lower() if len(fields) > 1 else "w"
        if turn not in ("w", "b"):
            raise ValueError("the side to move is w or b")
        self.white = turn == "w"
        self.rooks = set()  # those that may castle
        for letter in fields[2] if len(fields) > 2 else "":
            self.allow(letter)
        self.passing = None
        passed = fields[3] if len(fields) > 3 else "-"
        if len(passed) == 2 and passed[0] in "abcdefgh" and passed[1] == "36"[self.white]:
            self.passing = "abcdefgh".index(passed[0]) + 8 * (int(passed[1]) - 1)

    def copy(self):
        other = object.__new__(Board)
        other.squares, other.rooks = self.squares[:], set(self.rooks)
        other.white, other.passing = self.white, self.passing
        return other

    def own(self, letter):
        """The piece of this kind of the side to move."""
        return letter.upper() if self.white else letter

    def enemy(self, letter):
        return letter.lower() if self.white else letter.upper()

    def is_own(self, square):
        piece = self.squares[square]
        return piece != "." and is_white(piece) == self.white

    def king(self, white):
        """The square of a side's king, if it has exactly one."""
        king = "K" if white else "k"
        return self.squares.index(king) if self.squares.count(king) == 1 else None

    def allow(self, letter):
        """A letter of the castling field. (model §3, 4)"""
        white = letter.isupper()
        rank = 0 if white else 56
        king = self.king(white)
        if king is None or king // 8 != rank // 8:
            return
        rooks = [rank + file for file in range(8) if self.squares[rank + file] == ("R" if white else "r")]
        if letter in "Kk":
            rooks = [rook for rook in rooks[-1:] if rook > king]
        elif letter in "Qq":
            rooks = [rook for rook in rooks[:1] if rook < king]
        else:
            rooks = [rook for rook in rooks if name(rook)[0] == letter.lower()]
        self.rooks.update(rooks)

    def corner_rooks(self):
        """The rooks that may castle without Chess960. (model §3.1)"""
        return {rook for rook in self.rooks if rook in (0, 7, 56, 63) and self.king(rook < 8) == rook // 8 * 8 + 4}

    def castling_rook(self, white, long):
        """The rook a side may castle with on one side of its king."""
        king = self.king(white)
        for rook in sorted(self.rooks):
            own = self.squares[rook] == ("R" if white else "r")
            if king is not None and own and rook // 8 == king // 8 and (rook < king) == long:
                return rook
        return None

    def is_castling(self, move):
        return self.squares[move[0]] == self.own("k") and self.squares[move[1]] == self.own("r")

    def play(self, move):
        """Plays a move, legal or not. (model §2.1)"""
        start, target, promotion = move
        squares, passing = self.squares, None
        piece = squares[start]
        if move == NULL or piece == "." or start == target:
            pass
        elif squares[target] == ("R" if is_white(piece) else "r") and piece in "Kk":
            squares[start] = squares[target] = "."
            rank = start // 8 * 8
            short = target > start
            squares[rank + (6 if short else 2)] = piece
            squares[rank + (5 if short else 3)] = "R" if is_white(piece) else "r"
            self.lose_rights(is_white(piece))
        else:
            if piece in "Pp" and (target - start) % 8 and squares[target] == ".":
                beside = start // 8 * 8 + target % 8
                if squares[beside] == ("p" if piece == "P" else "P"):
                    squares[beside] = "."
            if piece == "P" and start // 8 == 1 and target - start == 16 and self.beside(target, "p"):
                passing = start + 8
            if piece == "p" and start // 8 == 6 and start - target == 16 and self.beside(target, "P"):
                passing = start - 8
            squares[start] = "."
            squares[target] = piece
            if promotion:
                squares[target] = promotion.upper() if is_white(piece) else promotion
            self.rooks -= {start, target}
            if piece in "Kk":
                self.lose_rights(is_white(piece))
        self.white = not self.white
        self.passing = passing

    def beside(self, at, pawn):
        """Whether a pawn stands beside a square on its rank."""
        return any(at // 8 == other // 8 and self.squares[other] == pawn for other in (at - 1, at + 1) if 0 <= other < 64)

    def lose_rights(self, white):
        self.rooks = {rook for rook in self.rooks if is_white(self.squares[rook]) != white}

    def attacked(self, square, white):
        """Whether a side attacks a square."""
        pawn = "P" if white else "p"
        for file, rank in [(-1, -1), (1, -1)] if white else [(-1, 1), (1, 1)]:
            origin = step(square, file, rank)
            if origin is not None and self.squares[origin] == pawn:
                return True
        for kind, steps in list(STEPS.items()) + list(LINES.items()):
            piece = kind.upper() if white else kind
            for origin in self.reached(square, steps, kind in LINES):
                if self.squares[origin] == piece:
                    return True
        return False

    def reached(self, square, steps, far):
        """The squares a piece goes to, the first piece on each way included."""
        for file, rank in steps:
            target = step(square, file, rank)
            while target is not None:
                yield target
                if not far or self.squares[target] != ".":
                    break
                target = step(target, file, rank)

    def legal(self, move):
        """Whether the rules allow a move. (model §2.2)"""
        start, target, promotion = move
        if move == NULL:
            return not self.in_check(self.white)
        if not self.is_own(start):
            return False
        if self.is_castling(move):
            return not promotion and self.may_castle(start, target)
        if self.is_own(target) or not self.goes(start, target):
            return False
        last = self.squares[start] in "Pp" and target // 8 == (7 if self.white else 0)
        if promotion not in (("n", "b", "r", "q") if last else ("",)):
            return False
        after = self.copy()
        after.play(move)
        return not after.in_check(self.white)

    def in_check(self, white):
        king = self.king(white)
        return king is not None and self.attacked(king, not white)

    def goes(self, start, target):
        """Whether a piece goes there as its kind does, checks apart."""
        kind = self.squares[start].lower()
        if kind != "p":
            steps = LINES.get(kind) or STEPS[kind]
            return target in self.reached(start, steps, kind in LINES)
        ahead = 8 if self.white else -8
        if target - start == ahead:
            return self.squares[target] == "."
        if target - start == 2 * ahead:
            home = start // 8 == (1 if self.white else 6)
            return home and self.squares[start + ahead] == self.squares[target] == "."
        aslant = target in (step(start, file, ahead // 8) for file in (-1, 1))
        return aslant and (self.squares[target] != "." or target == self.passing)

    def may_castle(self, king, rook):
        rights = self.king(self.white) == king and rook in self.rooks and king // 8 == rook // 8
        if not rights:
            return False
        rank = king // 8 * 8
        king_to, rook_to = (rank + 6, rank + 5) if rook > king else (rank + 2, rank + 3)
        path = set(range(min(king, king_to), max(king, king_to) + 1))
        crossed = path | set(range(min(rook, rook_to), max(rook, rook_to) + 1))
        if any(self.squares[square] != "." for square in crossed - {king, rook}):
            return False
        without = self.copy()
        without.squares[king] = "."
        if any(without.attacked(square, not self.white) for square in path):
            return False
        after = self.copy()
        after.play((king, rook, ""))
        return not after.in_check(self.white)

    def moves(self):
        """Every legal move."""
        for start in range(64):
            for target in range(64):
                for promotion in ("", "n", "b", "r", "q"):
                    if start != target and self.legal((start, target, promotion)):
                        yield start, target, promotion


def fen(board, halfmoves=0, number=1):
    """The FEN of a position, with rights as KQkq where that is unambiguous. (model §3)"""
    ranks = []
    for rank in range(7, -1, -1):
        row = "".join(board.squares[8 * rank:8 * rank + 8])
        for count in range(8, 0, -1):
            row = row.replace("." * count, str(count))
        ranks.append(row)
    rights = ""
    for white in True, False:
        for long in False, True:
            rook = board.castling_rook(white, long)
            if rook is None:
                continue
            outer = [one for one in range(rook // 8 * 8, rook // 8 * 8 + 8) if board.squares[one] == board.squares[rook]]
            letter = "kq"[long] if rook == outer[0 if long else -1] else name(rook)[0]
            rights += letter.upper() if white else letter
    passing = "-" if board.passing is None else name(board.passing)
    return "%s %s %s %s %d %d" % ("/".join(ranks), "w" if board.white else "b", rights or "-", passing, halfmoves, number)


def counters(fen):
    """Half-moves and move number of a FEN. (model §3 rule 6)"""
    numbers = [int(field) if field.isdigit() and int(field) < 65536 else None for field in (fen.split() + [""] * 6)[4:6]]
    return numbers[0] or 0, numbers[1] or 1


def step(square, file, rank):
    file, rank = square % 8 + file, square // 8 + rank
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else None


def without_hands(board):
    """model §3 rule 7: pieces in hand, in brackets or as a ninth rank, and the marks of promoted pieces."""
    board = re.sub(r"\[.*\]\Z", "", board).replace("~", "")
    return re.sub(r"/[PNBRQKpnbrqk]+\Z", "", board) if board.count("/") == 8 else board


def squares_of(board):
    ranks = board.split("/")
    if len(ranks) != 8:
        raise ValueError("a board has eight ranks")
    squares = []
    for rank in reversed(ranks):
        row = ""
        for letter in rank:
            if letter in "PNBRQKpnbrqk":
                row += letter
            elif letter in "12345678":
                row += "." * int(letter)
            else:
                raise ValueError("%r is no piece" % letter)
        if len(row) != 8:
            raise ValueError("a rank has eight squares")
        squares += row
    return squares
