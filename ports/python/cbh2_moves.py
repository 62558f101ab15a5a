"""The moves of ChessBase 17: words, start positions, lines. (docs/formats/cbh2.md §4)"""

import struct

from board import NULL, Board
from cbh import at_home, home_right
from game import Damage

# §4.2
MOVE_NULL, SETUP, MOVES, BRANCH, END = 0xfffa, 0xfffb, 0xfffc, 0xfffd, 0xffff
CASTLING, CASTLING960, LAST = 0xb129, 0xb12d, 0xc02c
# §4.5: the words of pieces
PIECES = range(0xc02d, 0xc30d)
MAX_STORED = 4096
DIAGONAL = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
STRAIGHT = [(-1, 0), (0, -1), (1, 0), (0, 1)]
STEPS = {
    "K": [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)],
    "Q": DIAGONAL + STRAIGHT,
    "N": [(-2, -1), (-2, 1), (2, -1), (2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2)],
    "B": DIAGONAL,
    "R": STRAIGHT,
}


def square(file, rank):
    """Of the board of these ports."""
    return 8 * rank + file


def inside(file, rank):
    return 0 <= file < 8 and 0 <= rank < 8


def reached(kind, file, rank):
    """The squares that a piece reaches on an empty board, direction by direction and outward."""
    for files, ranks in STEPS[kind]:
        to = file + files, rank + ranks
        while inside(*to):
            yield to
            if kind in "KN":
                break
            to = to[0] + files, to[1] + ranks


def pawn_moves(file, rank, white):
    """(target file, target rank, captured piece, promotion) of a pawn."""
    ahead = 1 if white else -1
    to = rank + ahead
    promotions = "QNBR" if to in (0, 7) else [""]
    # §4.3: from the start rank the double step, then the single one
    if rank == (1 if white else 6):
        yield file, rank + 2 * ahead, "", ""
    for promotion in promotions:
        yield file, to, "", promotion
    for aside in (file - 1, file + 1):
        if not inside(aside, to):
            continue
        # No pawn stands where another promotes.
        for taken in "QNBR" if to in (0, 7) else "QNBRP":
            for promotion in promotions:
                yield aside, to, taken, promotion
        # En passant.
        if to == (5 if white else 2):
            yield aside, to, "e", ""


def table():
    """§4.3: for each word the piece, its start and target, what it takes and what it becomes."""
    moves = [None]
    for white in True, False:
        for kind in "KQNBR":
            for file in range(8):
                for rank in range(8):
                    for to in reached(kind, file, rank):
                        for taken in ["", "Q", "N", "B", "R", "P"]:
                            moves.append((kind if white else kind.lower(), square(file, rank), square(*to), taken, ""))
    for white in True, False:
        for file in range(8):
            for rank in range(1, 7):
                for to_file, to_rank, taken, promotion in pawn_moves(file, rank, white):
                    moves.append(("P" if white else "p", square(file, rank), square(to_file, to_rank), taken, promotion.lower()))
    return moves


TABLE = table()


def content_words(content):
    """The words of a record; a single byte at the end is none."""
    return list(struct.unpack("<%dH" % (len(content) // 2), content[:len(content) // 2 * 2]))


class Start:
    """A start position. (§4.5)"""

    def __init__(self, board=None, number=1, chess960=False):
        self.is_usual = board is None
        self.board, self.number, self.chess960 = board or Board(), number, chess960


def start_of(words):
    """The start position before `fffc`, and what follows that word."""
    # §4.2.1
    if words[:1] == [MOVES]:
        return Start(), words[1:]
    if words[:1] != [SETUP] and words:
        raise Damage("another first word")
    # §4.2.2
    if not words:
        raise Damage("a record without words")
    if MOVES not in words:
        raise Damage("the record ends inside the start position")
    end = words.index(MOVES)
    return position(words[1:end]), words[end + 1:]


def position(words):
    if len(words) == 1 and words[0] < 960:
        # §4.5.1
        return Start() if words[0] == 518 else Start(numbered(words[0]), 1, True)
    # §4.5.6
    chess960 = words[:1] == [1000] and len(words) > 3 and words[3] not in PIECES
    if chess960:
        words = words[1:]
    # §4.5.3
    if len(words) < 3:
        raise Damage("words that are no set-up")
    number, side, file = words[:3]
    board = Board("8/8/8/8/8/8/8/8 w - - 0 1")
    for word in words[3:]:
        # §4.5.2: the last of two counts
        where, piece = placed(word)
        board.squares[where] = piece
    # §4.5.7
    board.white = side & 0xff == 0
    for bit, letter in ((1, "Q"), (2, "K"), (4, "q"), (8, "k")):
        if side >> 8 & bit:
            # §4.5.2
            if chess960:
                board.allow(letter)
            else:
                home_right(board, letter)
    # §4.5.8, cbh §4.2.6
    rank = 5 if board.white else 2
    if 1 <= file <= 8 and board.squares[square(file - 1, 4 if board.white else 3)] == ("p" if board.white else "P"):
        board.passing = square(file - 1, rank)
    # cbh §4.2.7
    return Start(board, number or 1, chess960)


def placed(word):
    """A piece of a set-up. (§4.5)"""
    for first, pieces in ((0xc02d, "KQNBR"), (0xc16d, "kqnbr")):
        if first <= word < first + 320:
            kind, at = divmod(word - first, 64)
            return square(*divmod(at, 8)), pieces[kind]
    for first, pawn in ((0xc2ad, "P"), (0xc2dd, "p")):
        if first <= word < first + 48:
            file, rank = divmod(word - first, 6)
            return square(file, rank + 1), pawn
    # §4.5.3
    raise Damage("a word that is no piece")


def numbered(number):
    """A start position of Chess960. (cbh §4.2)"""
    light, rest = number % 4, number // 4
    dark, rest = rest % 4, rest // 4
    queen, knights = rest % 6, rest // 6
    row = [""] * 8
    row[2 * light + 1] = row[2 * dark] = "B"
    free = [file for file in range(8) if not row[file]]
    row[free.pop(queen)] = "Q"
    pairs = [(one, other) for one in range(5) for other in range(one + 1, 5)]
    for place in pairs[knights]:
        row[free[place]] = "N"
    for file, piece in zip([file for file in range(8) if not row[file]], "RKR"):
        row[file] = piece
    row = "".join(row)
    return Board("%s/pppppppp/8/8/8/8/PPPPPPPP/%s w KQkq - 0 1" % (row.lower(), row))


class Right(Exception):
    """A side castles without the right. (§4.4.2)"""


class Passed(Exception):
    """The first move takes en passant without the square. (§4.5.11)"""


def decode(words, start, tree):
    """Moves into a tree; the start position gets a right that they need."""
    while True:
        tree.__init__()
        try:
            return Decoding(start, tree).read(words)
        except Right as right:
            home_right(start.board, right.args[0])
        except Passed as passed:
            start.board.passing = passed.args[0]


class Decoding:
    def __init__(self, start, tree):
        self.start, self.tree = start, tree
        self.board, self.node = start.board.copy(), 0
        # What `fffd` stores: the position before the last move, and the move before that.
        self.before, self.stored = None, []

    def read(self, words):
        """§4.2, §4.6; whether the last line has its end."""
        for word in words:
            if word == END:
                if not self.stored:
                    # §4.2.2: what follows is not read
                    return True
                self.board, self.node = self.stored.pop()
                self.before = None
            elif word == BRANCH:
                # §4.6.2
                if self.before is None:
                    raise Damage("no move before this word")
                # §4.6.1
                if len(self.stored) == MAX_STORED:
                    raise Damage("too many stored positions")
                self.stored.append(self.before)
                self.before = None
            else:
                self.play(self.move(word))
        return False

    def play(self, move):
        # §4.2.3; a null move is never refused
        if move != NULL and not self.board.legal(move):
            raise Damage("an illegal move")
        self.before = self.board.copy(), self.node
        self.board.play(move)
        self.node = self.tree.add(self.node, move)

    def move(self, word):
        if word == MOVE_NULL:
            return NULL
        # §4.3
        if 1 <= word < CASTLING:
            return self.named(*TABLE[word])
        if CASTLING <= word <= LAST:
            # §4.4.1
            way = (word - CASTLING if word < CASTLING960 else word - CASTLING960) % 4
            return self.castling(white=way < 2, long=way % 2 == 0)
        # §4.2.3
        raise Damage("a word that is no move")

    def named(self, piece, start, target, taken, promotion):
        there, board = self.board.squares[target], self.board
        # §4.5.11
        if taken == "e" and there == "." and self.node == 0 and board.passing is None and board.squares[start] == piece:
            after = board.copy()
            after.passing = target
            if board.squares[target + (-8 if piece == "P" else 8)] == ("p" if piece == "P" else "P") and after.legal((start, target, "")):
                raise Passed(target)
        # §4.3.1
        victim = "." if taken in ("", "e") else taken.lower() if piece.isupper() else taken
        if board.squares[start] != piece or there != victim or taken == "e" and target != board.passing:
            raise Damage("a move that the position does not allow")
        if piece in "Pp" and taken == "" and start % 8 != target % 8:
            raise Damage("a move that the position does not allow")
        return start, target, promotion

    def castling(self, white, long):
        board, letter = self.board, ("Q" if long else "K") if white else ("q" if long else "k")
        if board.white != white:
            raise Damage("the other side castles")
        king, rook = board.king(white), board.castling_rook(white, long)
        if rook is not None:
            return king, rook, ""
        # §4.4.2
        lacks = self.start.board.castling_rook(white, long) is None
        if at_home(self.start.board, letter) and at_home(board, letter) and lacks:
            raise Right(letter)
        raise Damage("castling without the right")
