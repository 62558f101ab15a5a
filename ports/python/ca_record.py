"""The records of Chess Assistant's games: .d02. (docs/formats/chessassistant.md §7 to §9)

A record is cut into codes, these are made a tree of lines, and the tree is played:

    e4 [231 c4 232] c5   ->   [e4, [c4], c5]   ->   e2e4 c7c5 ( c7c4 ) ...

A branch stands before the move it replaces, and in the model behind it.
"""

import struct
from collections import namedtuple

from board import NULL, Board, name
from game import Damage

DEEPEST = 4096
Code = namedtuple("Code", "code data")

BISHOP = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x17, 0x26, 0x35, 0x53, 0x62, 0x71]
ROOK = [0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0x70, 0x60, 0x50, 0x40, 0x30, 0x20, 0x10]
KNIGHT = [0x67, 0x76, 0x16, 0x27, 0x21, 0x12, 0x72, 0x61]
KING = [0x11, 0x77, 0x17, 0x71, 0x07, 0x01, 0x70, 0x10]
PAWN = {True: [0x10, 0x17, 0x11, 0x20], False: [0x70, 0x77, 0x71, 0x60]}

# chessassistant §8.1: (number of the piece, step) of the codes from 32 on
PLAIN = [(number, step) for number, steps in [
    (8, KNIGHT), (9, KNIGHT), (10, BISHOP), (11, BISHOP), (12, ROOK), (13, ROOK), (14, BISHOP + ROOK), (15, KING),
    (16, BISHOP + ROOK + KNIGHT), (17, BISHOP + ROOK + KNIGHT)] for step in steps]

# chessassistant §7.2: bytes that follow
FOLLOWING = {209: 2, 230: 76, 233: 1, 234: 2, **{code: 1 for code in range(212, 220)}}
LONG, SHORT, PROMOTION, PASSING, NULL_MOVE, SETUP, BRANCH, BRANCH_END, RAW = 207, 208, 209, 210, 211, 230, 231, 232, 233
COMMENTS = {234, 235, 236}
DIAGRAM = 220


# Codes: chessassistant §7.2


def codes(record):
    """The codes of a record; Damage at one that is not described or not all there. (chessassistant §7.2.1)"""
    at = 0
    while at < len(record):
        code = record[at]
        at += 1
        size = FOLLOWING.get(code, 0)
        if code in (235, 236):
            width = 1 if code == 235 else 4
            size = int.from_bytes(record[at:at + width], "little")
            if at + width > len(record):
                raise Damage("the record ends within a length")
            at += width
        elif 220 <= code <= 229 or code >= 237:
            raise Damage("code %d is not described" % code)
        if at + size > len(record):
            raise Damage("the record ends within a code")
        yield Code(code, record[at:at + size])
        at += size


def texts(record):
    """chessassistant §10.1: the texts of a record, to the first code that cannot be read."""
    try:
        for code, data in codes(record):
            if code in (235, 236) and data[:1] in (b"\4", b"\5"):
                yield data[1:]
    except Damage:
        pass


def tree(record):
    """A line of codes, in which branches are such lines; and what is wrong, if anything is. (chessassistant §7.2.3)"""
    line, around, error = [], [], None
    try:
        for code in codes(record):
            if code.code == BRANCH:
                if len(around) == DEEPEST:
                    raise Damage("too many branches in one another")
                branch = []
                line.append(branch)
                around.append(line)
                line = branch
            elif code.code != BRANCH_END:
                line.append(code)
            elif around:
                # chessassistant §7.3.6: one that ends no branch is passed over.
                line = around.pop()
    except Damage as damage:
        error = str(damage)
    return around[0] if around else line, error


# Pieces by number: chessassistant §8


class Place:
    """A position whose pieces have numbers."""

    def __init__(self, board, numbers):
        self.board, self.numbers = board, numbers  # (white, number) -> square

    def copy(self):
        return Place(self.board.copy(), dict(self.numbers))

    def play(self, move):
        board, (start, target, _) = self.board, move
        landed = {start: target}
        if board.is_castling(move):
            rank, short = start // 8 * 8, target > start
            landed = {start: rank + (6 if short else 2), target: rank + (5 if short else 3)}
        if move == NULL:
            landed = {}
        board.play(move)
        left = {}
        for key, square in self.numbers.items():
            if square in landed:
                left[key] = landed[square]
            elif square not in landed.values() and board.squares[square] != ".":
                left[key] = square
        self.numbers = left


def usual():
    numbers = {}
    for white, pawns, pieces in (True, 8, 0), (False, 48, 56):
        for file in range(8):
            numbers[white, file] = pawns + file
            numbers[white, [12, 8, 10, 14, 15, 11, 9, 13][file]] = pieces + file
    return Place(Board(), numbers)


def start(block):
    """chessassistant §7.4: a position and its FEN."""
    squares, numbers = ["."] * 64, {}
    for index in range(36):
        coordinate, kind = block[2 * index:2 * index + 2]
        if coordinate & 0x88 or kind == 0:
            continue
        square = (coordinate >> 4) * 8 + (coordinate & 7)
        # chessassistant §7.4.2
        if kind > 6 or squares[square] != ".":
            raise Damage("a start position that is none")
        # chessassistant §7.4.3
        squares[square] = "PNBRQK"[kind - 1] if index < 18 else "pnbrqk"[kind - 1]
        numbers[index < 18, index % 18] = square
    half_moves, rights, passing = struct.unpack("<HBB", block[72:])
    white = half_moves % 2 == 0
    # chessassistant §7.4.4
    passed = "-"
    if passing >> 4 == (5 if white else 2) and passing & 15 < 8:
        passed = name((passing >> 4) * 8 + (passing & 7))
    # chessassistant §7.4.5
    castling = ""
    for bit, letter, king, rook in (1, "K", 4, 7), (2, "Q", 4, 0), (4, "k", 60, 63), (8, "q", 60, 56):
        own = "K" if letter in "KQ" else "k"
        if rights & bit and squares.count(own) == 1 and squares[king] == own and squares[rook] == ("R" if own == "K" else "r"):
            castling += letter
    # chessassistant §7.4.6
    ranks = ["".join(squares[rank * 8:rank * 8 + 8]) for rank in range(7, -1, -1)]
    board = "/".join(ranks)
    for count in range(8, 0, -1):
        board = board.replace("." * count, str(count))
    fen = "%s %s %s %s 0 %d" % (board, "w" if white else "b", castling or "-", passed, half_moves // 2 + 1)
    return Place(Board(fen), numbers), fen


# Moves: chessassistant §8


def chess_move(code, data, place, reading):
    """The move of a code, and the number that its piece has from then on, or None for the same."""
    board = place.board
    if code == NULL_MOVE:
        return NULL, None
    if code in (LONG, SHORT):
        return castling(place, code == LONG), None
    promotion, becomes = "", None
    if code < 32:
        number, step = code >> 2, PAWN[board.white][code & 3]
    elif code < LONG:
        number, step = PLAIN[code - 32]
    elif code == PROMOTION:
        # chessassistant §8.3.1
        number, step = data[0] >> 2, PAWN[board.white][data[0] & 3]
        # chessassistant §8.3.2
        if not 2 <= data[1] >> 5 <= 6:
            raise Damage("a promotion to nothing")
        promotion = "nbrqk"[(data[1] >> 5) - 2]
        # chessassistant §8.3.3
        becomes = data[1] & 31 if 8 <= data[1] & 31 <= 17 else None
    else:
        # chessassistant §8.4.1
        number, step = code - 212, data[0] & 0x77
    # chessassistant §8.1.1
    if (board.white, number) not in place.numbers:
        raise Damage("there is no such piece")
    # chessassistant §11
    if reading == "left" or reading == "literal" and code <= PROMOTION:
        step = step & 0x70 | -step & 7
    origin = place.numbers[board.white, number]
    coordinate = (origin // 8 * 16 + origin % 8 + step) & 0x77
    target = (coordinate >> 4) * 8 + (coordinate & 7)
    # chessassistant §8.1.2
    if target == origin:
        raise Damage("a step to where the piece stands")
    # chessassistant §8.1.3
    if board.is_castling((origin, target, "")):
        raise Damage("a king that takes its own rook")
    return (origin, target, promotion), becomes


def castling(place, long):
    board = place.board
    # chessassistant §8.2.1
    kings = [place.numbers[key] for key in sorted(place.numbers, key=lambda key: (key[1] != 15, key[1]))
             if key[0] == board.white and board.squares[place.numbers[key]] == board.own("k")]
    if not kings:
        raise Damage("castling without a king")
    # chessassistant §8.2.2
    rook = kings[0] // 8 * 8 + (0 if long else 7)
    if board.squares[rook] != board.own("r"):
        raise Damage("castling without a rook")
    return kings[0], rook, ""


# Lines: chessassistant §7.3


class Reader:
    """Reads a record into a game. `legal` is a list that takes whether each move is legal, or None."""

    def __init__(self, game, decode, reading="right", legal=None):
        self.game, self.decode, self.reading, self.legal = game, decode, reading, legal
        self.error = None

    def read(self, record):
        codes, error = tree(record)
        # Lines ask for the branches in them to be read: this is their stack, as branches are deep.
        lines = [Line(self, usual(), True).read(codes)]
        while lines:
            inner = next(lines[-1], None)
            if inner is None:
                lines.pop()
            else:
                lines.append(inner)
        return self.error or error


class Line:
    def __init__(self, reader, place, main=False, repeated=None):
        self.reader, self.game, self.main = reader, reader.game, main
        self.place, self.before, self.last = place, None, None
        self.waiting = []  # branches before the next move
        self.ready = []  # branches of the last move, to be read when what belongs to it has been
        self.read_of_last = False  # whether branches of the last move have been read
        self.tags = []  # evaluations and raw tags that make one comment (chessassistant §9.4.2)
        self.glyphs = []  # (type, glyph) for the next move
        self.repeated = repeated

    def read(self, codes):
        """Yields the reading of each branch, where it stands."""
        reader, game = self.reader, self.game
        if self.repeated is not None:
            game.open()
            self.move(*self.repeated)
        elif not self.main:
            game.open()
        codes = codes[::-1]
        while codes or self.waiting and self.last is None:
            if not codes:
                # chessassistant §7.3.4
                codes = self.waiting.pop(0)[::-1]
                continue
            code = codes.pop()
            if self.ends_last(code):
                yield from self.read_ready()
            try:
                self.take(code)
            except Damage as damage:
                # chessassistant §7.2.2
                reader.error, codes = reader.error or str(damage), []
        yield from self.end()
        if not self.main:
            game.close()

    def take(self, code):
        if isinstance(code, list):
            # chessassistant §7.3.1
            self.end_tags()
            self.waiting.append(code)
        elif code.code in COMMENTS:
            self.comment(code.data)
        elif code.code == RAW:
            self.raw(RAW, code.data)
        elif code.code == SETUP:
            self.setup(code.data)
        elif code.code != PASSING:
            self.end_tags()
            self.move(*chess_move(code.code, code.data, self.place, self.reader.reading))

    def ends_last(self, code):
        """chessassistant §7.3.2: whether the branches of the last move are read before this."""
        if isinstance(code, list) or code.code <= 219:
            return True
        return code.code in COMMENTS and code.data[:1] in (b"\3", b"\5") and not self.is_raw(code.data)

    def read_ready(self):
        ready, self.ready = self.ready, []
        if ready:
            self.end_tags()
        for branch in ready:
            self.read_of_last = True
            yield Line(self.reader, self.before.copy()).read(branch)

    def end(self):
        self.end_tags()
        yield from self.read_ready()
        # chessassistant §9.5.5, chessassistant §9.5.6
        for kind, glyph in self.glyphs:
            self.raw(kind, b"" if kind in (8, 9) else glyph)
        self.end_tags()
        if self.last is not None:
            # chessassistant §7.3.3
            for branch in self.waiting:
                yield Line(self.reader, self.before.copy(), repeated=self.last).read(branch)

    def setup(self, block):
        # chessassistant §7.4.1
        if not self.main or self.last is not None or self.waiting or self.game.fen is not None:
            raise Damage("a start position that comes late")
        self.place, self.game.fen = start(block)

    def move(self, move, becomes):
        place = self.place
        if self.reader.legal is not None and move != NULL:
            self.reader.legal.append(place.board.legal(move))
        self.before, self.place = place, place.copy()
        self.last = move, becomes
        self.place.play(move)
        if becomes is not None:
            # chessassistant §8.3.3
            mine = next(key for key, square in self.place.numbers.items() if square == move[1])
            del self.place.numbers[mine]
            self.place.numbers[mine[0], becomes] = move[1]
        self.game.move(move)
        # chessassistant §9.5.10
        for kind, glyph in self.glyphs:
            self.game.nag(glyph_of(kind, glyph))
        self.glyphs = []
        self.ready, self.waiting, self.read_of_last = self.waiting, [], False

    # Comments: chessassistant §9

    def is_raw(self, data):
        """chessassistant §9.4.1: of symbols and diagrams."""
        kind, content = data[0], data[1:]
        if kind in (2, 3):
            return len(content) != 1 or content[0] == DIAGRAM
        return kind in (8, 9) and content != b""

    def comment(self, data):
        if not data:
            return
        kind, content = data[0], data[1:]
        if kind in (4, 5):
            self.text(content)
        elif kind == 29 and evaluation(content):
            self.tags += evaluation(content)
        elif kind not in (2, 3, 8, 9) or self.is_raw(data):
            self.raw(kind, content)
        elif kind == 3 or kind in (2, 8) and self.last is None and not self.main:
            # chessassistant §9.5.5, chessassistant §9.5.6
            self.end_tags()
            self.glyphs.append((kind, content))
        elif self.last is None or kind == 9 and self.read_of_last:
            # chessassistant §9.5.7, chessassistant §9.5.8
            self.raw(kind, content)
        else:
            # chessassistant §9.5.4
            self.end_tags()
            self.game.nag(glyph_of(kind, content))

    def text(self, content):
        # chessassistant §9.5.11
        words = self.reader.decode(content.rstrip(b"\0"))
        # chessassistant §9.4.2, chessassistant §9.5.13
        self.game.comment(" ".join(self.tags + [words]))
        self.tags = []

    def raw(self, kind, content):
        """chessassistant §9.4"""
        self.tags.append("[%%caraw %d%s]" % (kind, " " + content.hex() if content else ""))

    def end_tags(self):
        if self.tags:
            self.game.line.append({"comment": " ".join(self.tags)})
            self.tags = []


def glyph_of(kind, content):
    """chessassistant §9.2"""
    if kind in (8, 9):
        return DIAGRAM
    return {0x21: 1, 0x3f: 2}.get(content[0], content[0])


def evaluation(content):
    """chessassistant §9.3: the tags of an evaluation, or none if it has another form."""
    if len(content) not in (4, 7) or content[2:4] != b"\xff\0" or content[4:] not in (b"", b"CAP"):
        return []
    value, = struct.unpack("<h", content[:2])
    sign = "-" if value < 0 else ""
    return ["[%%eval %s%d.%02d]" % (sign, abs(value) // 100, abs(value) % 100)] + ["[%cap]"] * (len(content) == 7)
