"""Writes a base of ChessBase 17 from canonical lines: here the moves, .2cbg, and annotations, .2cba. (docs/formats/cbh2.md §4, §5)

The lists of games (§7) and the sort orders (§8), which follow from the rest, are not written.
"""

import struct

import cbh2_names_writer as names
import cbh_writer
from board import NULL, Board, counters
from cbh2_commands import Modern
from cbh2_names_writer import Entities, endgames, material
from cbh2_moves import BRANCH, CASTLING, CASTLING960, END, MOVE_NULL, MOVES, SETUP, TABLE, numbered
from cbh2_notes import END as END_OF_NOTES
from cbh_commands import items
from cbh_writer import BEFORE, clock, nodes, stored, tags_of
from game import of, tree
from texts import is_chess960

# §4.3: the word of a move
WORDS = {move: word for word, move in enumerate(TABLE) if word}
STARTS = [numbered(number) for number in range(960)]


def word(board, move, start960):
    """The word of a move, or None. `start960` is the number of a start position of Chess960, or None."""
    start, target, promotion = move
    if move == NULL:
        return MOVE_NULL
    if not board.legal(move):
        return None
    if board.is_castling(move):
        way = 2 * (not board.white) + (target > start)
        return CASTLING + way if start960 is None else CASTLING960 + 4 * start960 + way
    piece, taken = board.squares[start], board.squares[target].upper()
    if taken == ".":
        taken = "e" if piece in "Pp" and start % 8 != target % 8 else ""
    return WORDS[piece, start, target, taken, promotion]


class Layout(Modern):
    """What one game can store."""

    def __init__(self, start960):
        self.start960 = start960

    def has_move(self, board, move):
        return word(board, move, self.start960) is not None


def line(found, start960):
    """§4.6: the words of a line, and then of all alternatives, from the last position that has some."""
    words, stored = [], []
    while found:
        first, *others = found
        words += [word(first.board, first.move, start960)] + [BRANCH] * bool(others)
        stored += [others] * bool(others)
        found = first.next
    words.append(END)
    while stored:
        words += line(stored.pop(), start960)
    return words


def in_order(found):
    """The moves as PGN has them: alternatives right after the move that they replace. (§5.1)"""
    while found:
        first, *others = found
        yield first
        for other in others:
            yield other
            yield from in_order(other.next)
        found = first.next


def placed(square, piece):
    """§4.5: the word of a piece."""
    file, rank = square % 8, square // 8
    if piece in "Pp":
        return (0xc2ad if piece == "P" else 0xc2dd) + 6 * file + rank - 1
    return (0xc02d if piece.isupper() else 0xc16d) + 64 * "KQNBR".index(piece.upper()) + 8 * file + rank


def content(game):
    """The words of a game, its annotations, the number of its start position in Chess960, and what its header derives. (§4.2, §4.5)"""
    board, words, start960 = Board(), [], None
    if game["fen"] is not None:
        board = Board(game["fen"])
        chess960 = is_chess960(tags_of(game).get("Variant", ""))
        number = counters(game["fen"])[1]
        if not chess960:
            board.rooks = board.corner_rooks()
        # cbh §4.2.6
        passing = board.passing
        if passing is not None and board.squares[passing + (-8 if board.white else 8)] != board.enemy("p"):
            board.passing = passing = None
        same = lambda other: (other.squares, other.rooks, other.white) == (board.squares, board.rooks, board.white)
        if chess960:
            # §4.4.3
            start960 = next((place for place, other in enumerate(STARTS) if same(other)), None)
            if start960 is None:
                start960 = next((place for place, other in enumerate(STARTS) if fits(other, board)), 0)
        if chess960 and same(STARTS[start960]) and number == 1:
            words = [SETUP, start960]
        elif not same(Board()) or number != 1 or passing is not None:
            rights = sum(bit for bit, white, long in ((1, True, True), (2, True, False), (4, False, True), (8, False, False)) if board.castling_rook(white, long) is not None)
            words = [SETUP] + [1000] * chess960 + [number, rights << 8 | (not board.white), 0 if passing is None else passing % 8 + 1]
            words += [placed(square, board.squares[square]) for square in sorted(range(64), key=lambda square: (square % 8, square // 8)) if board.squares[square] != "."]
    layout, found = Layout(start960), []
    whole = stored(tree(game["line"], board), layout)
    # cbh §5.3.24
    texts = of(str, whole.before)
    whole.before = [text for text in texts if BEFORE.match(text) and whole.plies]
    texts = [text for text in texts if text not in whole.before] + nodes(whole, found, layout)
    first = [one for text in texts for one in items(text, -1, layout)]
    whole = items_of(game, first, list(in_order(found)), layout)
    return words + [MOVES] + line(found, start960), whole, start960, derived(board, found, whole, len(words) > 0, start960, layout)


def items_of(game, first, found, layout):
    """The annotations of the game, and of each move."""
    tags = tags_of(game)
    clocks = [(kind, clock(tags.get(name, ""))[::-1]) for kind, name in ((0x16, "WhiteClock"), (0x17, "BlackClock"))]
    return [[one for one in clocks if one[1]] + first] + [node.all(layout) for node in found]


def annotations(whole):
    """§5.1"""
    out = b""
    for place, items in enumerate(whole, -1):
        if items:
            out += struct.pack("<ii", place, len(items)) + b"".join(struct.pack("<h", kind) + data for kind, data in items)
    return out + struct.pack("<i", END_OF_NOTES)


def derived(board, found, whole, is_setup, start960, layout):
    """§3.5"""
    items = [(place, kind, data) for place, items in enumerate(whole, -1) for kind, data in items]
    *fields, plies = cbh_writer.derived(items, found, len(whole) - 1, is_setup, start960 is not None, layout)
    boards, last = [], board.copy()
    while found:
        last = found[0].board.copy()
        last.play(found[0].move)
        boards.append(last)
        found = found[0].next
    moves = (plies + (not board.white) + 1) // 2 if plies else 0
    return (*fields, moves, material(last), endgames(boards))


def fits(other, board):
    """§4.4.3: whether kings and rooks that may castle stand on the same files."""
    for rook in board.rooks:
        king, other_king = board.king(rook < 8), other.king(rook < 8)
        if king != other_king or rook not in other.rooks:
            return False
    return True


def checksum(data):
    """§4.1"""
    if len(data) < 8:
        return int.from_bytes(data, "little")
    size = len(data) // 8
    return int.from_bytes(bytes(sum(data[part * size:(part + 1) * size]) & 255 for part in range(8)), "little")


def record(data, tag):
    """§4.1"""
    out = bytes.fromhex("8877665544332211") + struct.pack("<ii", len(data), 0) + checksum(data).to_bytes(8, "big") + tag + data
    return out + struct.pack("<q", len(out) + 8)


def header(records, games, spare):
    return struct.pack("<qhBB", 12 + len(records), 12, *((0, 5) if games else (spare, 0)))


def write(games):
    """The files by their extensions."""
    moves, notes, headers, entities = b"", b"", [], Entities()
    for game in games:
        words, items, start960, fields = content(game)
        headers.append(names.header(tags_of(game), (12 + len(moves), 12 + len(notes)), entities, fields, start960 if words[1] == start960 else None))
        moves += record(struct.pack("<%dH" % len(words), *words), b"\1\0" if start960 is None else b"\2\0")
        notes += record(annotations(items), b"\0\x20")
    return {"2cbh": names.file(headers), "2cbg": header(moves, games, 1) + moves, "2cba": header(notes, games, 0) + notes, "2lid": entities.file()}
