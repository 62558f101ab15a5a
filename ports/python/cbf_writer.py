"""Writes old ChessBase bases, .cbf and .cbi. (docs/formats/cbf.md §1 to §8)

A game is a `Line`: moves, each with what else it has. Nothing is judged: whatever the list of §6
names can be stored, legal or not.
"""

import struct

from board import name, step

KING = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
KNIGHT = [(-2, -1), (-2, 1), (2, -1), (2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2)]
ROOK = [(-1, 0), (0, -1), (1, 0), (0, 1)]
BISHOP = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
# An entry of the list; one that only the a-file has; one that castling left; one of the a-file that is there if castling left none.
PLAIN, EDGE, STALE, FREED = range(4)

# Which kinds of entries a program counts. (§6.3) "text" is the 1993 text to the letter: en passant
# after castling has a number only if it can be played.
DIALECTS = {
    "usual": {EDGE, STALE}, "no-stale-file": {EDGE, FREED}, "no-edge-pawn": {STALE}, "plain": set(), "next-after-phantom": {EDGE, STALE},
    "text": set(),
}


class Place:
    """A position and the one thing more that numbers depend on: the file of the double step, 1 to 8, or 0."""

    def __init__(self, board, file=0, stale=False):
        self.board, self.file, self.stale = board, file, stale

    def after(self, move):
        """§6.2: a double step sets the file, castling leaves it, any other move takes it away."""
        board = self.board.copy()
        jumps = board.squares[move[0]] in "Pp" and abs(move[0] - move[1]) == 16
        castles = board.is_castling(move)
        board.play(move)
        file = move[0] % 8 + 1 if jumps else self.file if castles else 0
        return Place(board, file, castles and file != 0)

    def entries(self):
        """§6.1: (move, kind) in order; the move is None where a number stands for none."""
        squares = self.board.squares
        for file in range(8):
            for rank in range(8):
                square = rank * 8 + file
                if self.board.is_own(square):
                    yield from self.of_piece(square, squares[square].lower())

    def of_piece(self, square, kind):
        if kind == "p":
            yield from self.of_pawn(square)
        elif kind == "n":
            yield from self.reach(square, KNIGHT, 1)
        elif kind == "k":
            yield from self.reach(square, KING, 1)
            yield from self.castlings(square)
        if kind in "bq":
            yield from self.reach(square, BISHOP, 7)
        if kind in "rq":
            yield from self.reach(square, ROOK, 7)

    def reach(self, square, ways, far):
        for file, rank in ways:
            target = square
            for _ in range(far):
                target = step(target, file, rank)
                if target is None or self.board.is_own(target) or self.board.squares[target] in "Kk":
                    break
                yield (square, target, ""), PLAIN
                if self.board.squares[target] != ".":
                    break

    def castlings(self, square):
        home = 4 if self.board.white else 60
        for corner, between in [(home + 3, (1, 2)), (home - 4, (-1, -2, -3))]:
            free = square == home and all(self.board.squares[home + away] == "." for away in between)
            if free and self.board.squares[corner] == self.board.own("r"):
                yield (square, corner, ""), PLAIN

    def of_pawn(self, square):
        board, ahead = self.board, 1 if self.board.white else -1
        one, two = step(square, 0, ahead), step(square, 0, 2 * ahead)
        free = one is not None and board.squares[one] == "."
        if free and square // 8 == (1 if board.white else 6) and board.squares[two] == ".":
            yield (square, two, ""), PLAIN
        targets = [one] if free else []
        for side in -1, 1:
            target = step(square, side, ahead)
            if target is not None and board.squares[target] not in ".Kk" and not board.is_own(target):
                targets.append(target)
        for target in targets:
            for promotion in "qrbn" if target // 8 in (0, 7) else [""]:
                yield (square, target, promotion), PLAIN
        if square // 8 == (4 if board.white else 3):
            for side in -1, 1:
                if square % 8 + 1 + side == self.file:
                    yield self.passing(square, side, ahead)
                elif self.stale and square % 8 + 1 + side == 0:
                    yield None, FREED

    def passing(self, square, side, ahead):
        """§6.2: an entry there is whenever the file fits; a move only where a pawn can be taken."""
        target = step(square, side, ahead)
        if self.file == 0:
            return None, EDGE
        if target is None:
            # The header of a set-up may name a file 9.
            return None, PLAIN
        prey = target - 8 * ahead
        takes = self.board.squares[target] == "." and self.board.squares[prey] == self.enemy_pawn()
        return (square, target, "") if takes else None, STALE if self.stale else PLAIN

    def enemy_pawn(self):
        return "p" if self.board.white else "P"


def number_of(place, move, dialect, entries):
    """The number of a move, or None if this program has none for it."""
    counted = DIALECTS[dialect]
    number, phantom = 0, False
    for entry, kind in entries:
        playable = dialect == "text" and kind == STALE and entry is not None
        if kind != PLAIN and kind not in counted and not playable:
            continue
        number += 1
        if entry == move:
            if dialect == "next-after-phantom":
                # Its reader takes the next entry for a number without a move.
                return None if kind == STALE else number - phantom
            return number
        phantom = entry is None or dialect == "next-after-phantom" and kind == STALE
    return None


class Line:
    def __init__(self):
        self.moves = []  # (place before, entries there, move, text or None, [Line, ...])


def section(line, dialect):
    """§5: bytes of the moves, and the records of their comments; None if a move has no number."""
    moves, records = bytearray(), []
    for place, entries, move, text, variations in line.moves:
        number = number_of(place, move, dialect, entries)
        if number is None or number > 127 or number == 127 and text is not None:
            return None
        moves.append(number | (0 if text is None else 0x80))
        if text is not None:
            records.append(b"\0\0\0\0" + text.encode("ascii"))
        for variation in variations:
            inner = section(variation, dialect)
            if inner is None:
                return None
            moves += b"\xff" + inner[0] + b"\x80"
            records += inner[1]
    return bytes(moves), records


def canonical_line(line):
    """Model §5: the tokens of a line."""
    tokens = []
    for _, _, move, text, variations in line.moves:
        tokens.append(name(move[0]) + name(move[1]) + move[2])
        if text is not None:
            tokens.append({"comment": text})
        for variation in variations:
            tokens += ["("] + canonical_line(variation) + [")"]
    return tokens


def mask(data, key, factor, places):
    for place in places:
        data[place] ^= key & 255
        key = key * factor & 255


def setup_block(board):
    """§8, with the move number 1."""
    nibbles = [".KQNBRP..kqnbrp".rindex(piece) if piece != "." else 0 for piece in board.squares]
    return bytes(high << 4 | low for high, low in zip(nibbles[::2], nibbles[1::2])) + b"\0"


def record(line, dialect, players, source, start=None):
    """§2, §3: a record, or None if a move has no number. `start` is the place of a set-up."""
    found = section(line, dialect)
    if found is None or len(found[0]) > 65534:
        return None
    moves, records = bytearray(found[0]), found[1]
    comments = b"\xff" + b"".join(text + b"\xff" for text in records) if records else b""
    black_first = start is not None and not start.board.white
    header = bytearray(14)
    header[0], header[1] = 127, 3
    header[2:4] = struct.pack(">H", len(moves) + 1)
    header[4], header[5] = len(players), len(source)
    header[6:8] = struct.pack(">H", len(comments))
    if start is not None:
        header[10] = 1 | black_first << 1
        for bit, rook in (2, 0), (3, 7), (4, 56), (5, 63):
            header[10] |= (rook in start.board.rooks) << bit
        header[11] = start.file
    header[12] = (len(line.moves) + black_first + 1) // 2 & 255
    header[13] = header[0] * 0x25 + header[5] + header[9] & 255
    header[11] ^= 14 + len(players) + len(source) & 255
    mask(header, 101, 3, range(13, -1, -1))
    names = bytearray(players + source)
    mask(names, 3 * len(names), 3, range(len(names) - 1, -1, -1))
    mask(moves, 49 * (len(moves) + 1), 7, range(len(moves) - 1, 0, -1))
    return bytes(header + names + moves) + comments + (b"" if start is None else setup_block(start.board))


def index(records):
    """§1.1: the .cbi of these records."""
    entries, offset = [len(records) + 1], 0
    for number, data in enumerate(records, 1):
        entries.append(offset + number + 1)
        offset += len(data)
    entries.append(offset + len(records) + 2)
    return struct.pack(">%dI" % len(entries), *entries)
