"""Bases of old ChessBase that show what the encoder's do not. (docs/formats/cbf.md)"""

import struct
import sys
from pathlib import Path

from make import Case

sys.path.append(str(Path(__file__).resolve().parents[2] / "ports/python"))
from board import Board
from cbf_writer import Place, number_of

# Numbers of the first moves: 1. e4 e5 2. Nf3 (2. f4 exf4) (2. Bc4) Nc6 3. Bb5.
E4, E5, NF3, F4, EXF4, BC4, NC6, BB5 = 11, 11, 0x18, 0x15, 0x0f, 0x12, 6, 0x10
OPEN, CLOSE, STOP, HAS = 0xff, 0x80, 0, 0x80
LINE = bytes([E4, E5, NF3, NC6, BB5])


def mask(data, key, factor, places):
    for place in places:
        data[place] ^= key & 255
        key = key * factor & 255


def record(moves=LINE, players="A,A-B,B", source="", comments=b"", setup=None, year=127, result=3, eco=0, sub=0,
           elo=(0, 0), flags=0, flags_2=0, count=None, checksum="public", size=None, bits=(0, 0)):
    """cbf §2, §3: a record, masked."""
    players, source = (text if isinstance(text, bytes) else text.encode("cp850") for text in (players, source))
    moves, setup = bytearray(moves), b"" if setup is None else setup
    h = bytearray(struct.pack(
        ">bBHBBHBBBBBB", year, result, len(moves) + 1 if size is None else size, len(players) | (eco >> 5 & 3 | bits[0]) << 6,
        len(source) | (eco >> 7 & 3 | bits[1]) << 6, len(comments), *elo, flags | (eco & 31) << 1 | (setup != b""),
        flags_2 | sub & 63 | (sub & 64) << 1, 0 if count is None else count, 0))
    if count is None:
        h[12] = (sum(1 for byte in moves if 0 < byte < 255 and byte != CLOSE) + 1) // 2
    public = h[0] * 0x25 + h[5] + h[9] & 255
    h[13] = {"public": public, "second": h[3] * 0xc1 * (h[8] + 1) * h[0] & 255, "foreign": public ^ 0x55}[checksum]
    h[11] ^= 14 + (h[4] & 63) + (h[5] & 63) & 255
    mask(h, 101, 3, range(13, -1, -1))
    texts = bytearray(players + source)
    mask(texts, 3 * len(texts), 3, range(len(texts) - 1, -1, -1))
    mask(moves, 49 * (len(moves) + 1), 7, range(len(moves) - 1, 0, -1))
    return bytes(h + texts + moves + comments + setup)


def setup(board, number=0):
    """cbf §8: 64 nibbles of a board's pieces, a1 first, and the move number less 1."""
    data = bytearray(33)
    for square, piece in board.items():
        place = "abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)
        nibble = piece if isinstance(piece, int) else "KQNBRP".index(piece.upper()) + 1 | (8 if piece.islower() else 0)
        data[place // 2] |= nibble << (0 if place % 2 else 4)
    data[32] = number
    return bytes(data)


def notes(*records):
    """cbf §7.1: a comment section of these records."""
    return b"\xff" + b"".join(record + b"\xff" for record in records)


class Base:
    def __init__(self):
        self.records, self.covers = [], []

    def game(self, rules, what=None, **fields):
        """A game; its event says what it shows, unless its source does something else."""
        self.covers += rules.split()
        if what is not None:
            fields["source"] = what
        self.records.append(record(**fields))
        return self

    def files(self):
        cbf, index = b"", struct.pack(">I", len(self.records) + 1)
        for number, data in enumerate(self.records, 1):
            index += struct.pack(">I", len(cbf) + number + 1)
            cbf += data
        return {"cbf": cbf, "cbi": index + struct.pack(">I", len(cbf) + len(self.records) + 2)}

    def case(self, name, expect=None, games=None, covers="", notes=None, **files):
        found = {**self.files(), **files}
        expect = expect or "The event of each game says what it shows."
        games = len(self.records) if games is None else games
        return Case("cbf", name, found, self.covers + covers.split(), games, expect, notes)


def cases():
    return [
        names(), more_names(), cp437(), headers(), more_headers(), marks(), passed_over(), comments(), more_comments(), setups(), crowd(), number_order(), shared(),
        late_en_passant(), taken_target(), forbidden_moves(), fewest_forbidden(), *numberings(), limits(), player_signs(), *walks(), *more_walks(), *damaged_indexes(), *books(), *more_books(),
    ]


def numbers(moves, dialect="usual", start=None):
    """Bytes of moves as a program of that dialect numbers them: `e2e4`, castling as `e1h1`, ( and ) around a variation."""
    square = lambda name: "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)
    place = before = Place(Board()) if start is None else start
    found, pile = bytearray(), []
    for word in moves.split():
        if word == "(":
            pile.append((place, before))
            place = before
            found.append(OPEN)
        elif word == ")":
            place, before = pile.pop()
            found.append(CLOSE)
        else:
            move = square(word[:2]), square(word[2:4]), word[4:]
            found.append(number_of(place, move, dialect, list(place.entries())))
            place, before = place.after(move), place
    return bytes(found)


# White's d-pawn jumps over d3, Black castles: e5xd6 takes a pawn that has stood on d5 for four moves.
LATE = "e2e4 d7d6 e4e5 d6d5 g1f3 g7g6 f1e2 f8g7 b1c3 g8h6 d2d4 e8h8 "


def late_en_passant():
    base = Base()
    base.game("6.2 6.3.2", "White takes, and the game goes on", moves=numbers(LATE + "e5d6 c7d6 h2h3 b8c6 e1h1 h6f5 c1g5 f5d4"))
    base.game("6.3.2 6.3.3", "White takes, and that is the last move", moves=numbers(LATE + "e5d6"))
    black = "g1f3 d7d5 g2g3 d5d4 f1g2 h7h6 e2e3 h6h5 e3e4 h5h4 a2a3 e7e5 e1h1"
    base.game("6.3.2", "Black takes", moves=numbers(black + " d4e3 d2e3 h4g3 h2g3 d8d1 f1d1"))
    base.game("6.3.2", "in a variation", moves=numbers(LATE + "e1h1 ( e5d6 e7d6 ( c7d6 ) ) c8g4"), count=7)
    base.game("6.2 6.3.2", "both castle, then the other side takes", moves=numbers(
        "g1f3 e7e5 g2g3 e5e4 f1g2 f8d6 a2a3 g8f6 d2d4 e8h8 e1h1 e4d3 c2d3 d6g3"))
    base.game("6.3.1", "en passant in time", moves=numbers("e2e4 a7a6 e4e5 d7d5 e5d6 e7d6"))
    case = base.case("late_en_passant", expect="Warnings, no errors: the event of each game says what it shows.")
    case.options = ["dialect=late-en-passant", "dialect=no-stale-file", "dialect=auto"]
    return case


def taken_target():
    line = "e2e4 d7d6 e4e5 d6d5 g1f3 g7g6 f1e2 f8g7 b1c3 g8h6 h2h3 d8d6 d2d4 e8h8"
    place = Place(Board())
    for move in line.split():
        place = place.after(("abcdefgh".index(move[0]) + 8 * int(move[1]) - 8, "abcdefgh".index(move[2]) + 8 * int(move[3]) - 8, ""))
    entries = [entry for entry, _ in place.entries()]
    takes = entries.index((36, 43, ""))
    assert entries[takes + 1] is None, "the number of en passant stands behind that of the capture"
    base = Base()
    base.game("6.2 6.3.2", "the queen stands on the square behind the pawn", moves=numbers(line) + bytes([takes + 2]), count=7)
    case = base.case("bad_taken_target")
    case.options = ["dialect=late-en-passant"]
    return case


# Found by trying random games: 25 moves in which both sides castle behind a pawn that has jumped, and one is against the rules.
FEWEST = [
    1, 15, 1, 16, 12, 3, 8, 8, 7, 11, 28, 21, 12, 22, 37, 3, 21, 11, 21, 23, 30, 1, 19, 27, 8, 24, 4, 14, 18, 2, 17, 12, 30, 2, 22, 22, 3, 2, 16, 25,
    18, 6, 42, 30, 18, 25, 32, 3, 14, 15,
]


def fewest_forbidden():
    """Numbered without the file that castling leaves, with one move against the rules: the usual numbering makes more of them."""
    base = Base()
    base.game("6.3.4", "one forbidden move without the file, more with it", moves=bytes(FEWEST))
    return base.case("fewest_forbidden")


def forbidden_moves():
    base = Base()
    opening = "e2e4 e7e5 g1f3 b8c6 f1c4 "
    base.game("6.3.4", "Black's king stays in check", moves=numbers("e2e4 f7f6 d1h5 a7a6 h5h4 a6a5 e4e5"))
    base.game("6.3.4", "White castles through an attack", moves=numbers(opening + "b7b6 a2a3 c8a6 d2d3 a6c4 h2h3 c4d3 e1h1 d3e4"))
    base.game("6.3.4", "White castles when the king has moved", moves=numbers(opening + "a7a6 e1e2 a6a5 e2e1 a5a4 e1h1 a4a3"))
    base.game("6.3.4", "in a variation", moves=numbers("e2e4 f7f6 d1h5 g7g6 ( a7a6 e4e5 ) h5g6 h7g6"), count=3)
    case = base.case("forbidden_moves", expect="Warnings, no errors: the event of each game says what it shows.")
    case.options = ["dialect=usual"]
    case.covers.append("6.3.6")
    return case


def player_signs():
    base = Base()
    for players, what in [
        (b"White \xa2\xa3", "king and queen, in a title"), (b"\xa2\xa6\xa7-\xa2\xa6", "between hyphens"), (b"\xa2\xa3\xa4\xa5\xa6\xa7", "all six"),
        (b"Mu\xa4oz,A-\xa5u\xa4ez,B", "letters of names"), (b"\xa4,\xa5-x\xa2", "next to commas; a letter with it"), (b"\xa1\xa2 \xa8", "A1 and A8 are letters"),
    ]:
        base.game("4.2.10", what, players=players)
    return base.case("player_signs", expect="The event of each game says where in its player text bytes A2 to A7 are.")


def limits():
    base = Base()
    base.game("3.5.2", None, year=-29, players="W" * 31 + "-" + "B" * 31, source="s" * 63)
    base.game("3.5.2", "1772", year=-128)
    base.game("3.5.2", "2026", year=126)
    return base.case("limits", expect="Texts of 63 bytes and the year 1871; the first and the last year.")


# 1. a4 h6 2. a5 h5 3. f4: legal in both numberings, with e3 for f4 in the other one.
EITHER = "a2a4 h7h6 a4a5 h6h5 f2f4"


def numberings():
    """cbf §6.3 rules 7 and 8: the numbering of a base."""
    found = []
    for dialect in "usual", "no-edge-pawn":
        base = Base()
        for number in range(1, 7):
            base.game("6.3.7", "tells: %s, %d" % (dialect, number), moves=numbers(telling(dialect), dialect))
        base.game("6.3.1 6.3.7", "1. a4 h6 2. a5 h5 3. f4 by %s" % dialect, moves=numbers(EITHER, dialect))
        other = {"usual": "no-edge-pawn", "no-edge-pawn": "usual"}[dialect]
        base.game("6.3.2", "tells: " + other, moves=numbers(telling(other), other))
        found.append(base.case("numbering_" + dialect.replace("-", "_")))
    base = Base().game("6.3.8", "1. a4 h6 2. a5 h5 3. f4 by the 1993 text", moves=numbers(EITHER, "no-edge-pawn"))
    found.append(base.case("bad_numbering_untold", expect="Read as 3. e3: one game that fits two numberings, and a warning that says so."))
    base = Base()
    for dialect in "usual", "no-edge-pawn", "usual", "no-edge-pawn", "no-edge-pawn":
        base.game("6.3.7 6.3.8", "tells: " + dialect, moves=numbers(telling(dialect), dialect))
    found.append(base.case("bad_numbering_mixed", expect="Two games of one numbering and three of another: each by its own, and a warning about the base."))
    return found


def telling(dialect):
    """Moves that only this dialect of the two can have."""
    other = {"usual": "no-edge-pawn", "no-edge-pawn": "usual"}[dialect]
    start = "a2a4 h7h6 a4a5 h6h5"
    place = Place(Board())
    for word in start.split():
        place = place.after(words_move(word))
    for move, _ in place.entries():
        if move is None:
            continue
        number = number_of(place, move, dialect, list(place.entries()))
        if number_of_list(place, other, number) is None:
            return start + " " + "".join("abcdefgh"[square % 8] + str(square // 8 + 1) for square in move[:2])
    raise AssertionError(dialect)


def words_move(word):
    square = lambda name: "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)
    return square(word[:2]), square(word[2:4]), word[4:]


def number_of_list(place, dialect, number):
    """The move of a number in a dialect, or None if there is none."""
    entries = [move for move, kind in place.entries() if kind == 0 or dialect == "usual"]
    return entries[number - 1] if number <= len(entries) else None


def names():
    base = Base()
    for rules, players in [
        ("4.2.1", "Endgame study"), ("4.2.7", ""), ("4.2.3", "A,A-B,B"), ("4.2.3 4.2.7", " A,A -B,B "), ("4.2.3 4.2.9", "White alone-"),
        ("4.2.3", "-Black alone"), ("4.2.2", "Karpov - Kasparov"), ("4.2.2", "Ilyin-Genevsky - Saint-Amant"), ("4.2.2 4.2.9", "A - B - C"),
        ("4.2.2 4.2.9", "A-B - C,C-D"), ("4.2.4", "Saint-Amant,P-Staunton,H"), ("4.2.5", "Staunton,H-Saint-Amant,P"),
        ("4.2.5 4.2.9", "A,B-C-D,E"), ("4.2.6 4.2.9", "A-B-C"), ("4.2.6 4.2.9", "A-B,C-D,E-F,G"), ("4.2.6 4.2.9", "A-B-C,D"),
        ("4.2.6", "A,B-C-D"), ("4.2.7", " - "), ("4.2.3", "A -B"), ("4.2.9", "A--"),
    ]:
        base.game(rules, players=players, source="names")
    for rules, source in [
        ("4.3.3", ""), ("4.3.3", "  Linares "), ("4.3.2", "Linares (7)"), ("4.3.2", "Wch (12/24)"), ("4.3.2", "Wch (3.1)"), ("4.3.2", "Wch (-)"),
        ("4.3.2", "Wch (x)"), ("4.3.2", "Wch (.1)"), ("4.3.2", "Wch ( 1)"), ("4.3.2", "(7)"), ("4.3.1", "Wch [Tal]"), ("4.3.1", "Wch [Tal] "),
        ("4.3.1 4.3.2", "Wch (12/24) [Tal]"), ("4.3.1", "Wch [ ]"), ("4.3.1", "A [B] [C]"), ("4.3.1", "Wch [Tal] (3)"), ("4.3.1", "Wch  (3)x [Tal]"),
        ("4.3.1", "Wch(3)[Tal]"), ("4.3.1", "Wch (3) [ Tal ]"), ("4.3.2", "A (1) (2)"),
    ]:
        base.game(rules, source=source)
    base.game("4.2.1", players=bytes([0x81, 0x9a, 0x9e, 0xb1, 0xe1, 0xff, 0x1f, 0x7f]), source="bytes of CP850")
    return base.case("bad_names")


def more_names():
    base = Base()
    for rules, players in [("4.2.6 4.2.9", "A-B,C-D"), ("4.2.5 4.2.9", "A,-B-C,D"), ("4.2.4", "A,B-,C-D")]:
        base.game(rules, players=players, source="names")
    base.game("4.3.2", source="Wch (3x)")
    return base.case("bad_more_names")


def cp437():
    """Letters that code page 437 has otherwise than 850."""
    base = Base()
    base.game("4.4", players=bytes([0x9a, 0x9b, 0x9d, 0x9e, 0x9f]) + b"-" + bytes([0xa9, 0xb5, 0xe1, 0xe3, 0xfb]), source="bytes of CP437")
    case = base.case("charset_cp437")
    case.encoding = "cp437"
    return case


def headers():
    base = Base()
    for year in -128, -1, 0, 126, 127:
        base.game("3.5.2", "year %d" % year, year=year)
    for result in range(4):
        base.game("3.5.4", "result %d" % result, result=result)
    for code in range(16):
        base.game("3.5.4", "a line, evaluation %d" % code, result=3 | code << 2)
    for result in 0x40, 0x80, 0x43, 4, 5, 6, 0x3c:
        base.game("3.5.5", "result byte %02x" % result, result=result)
    base.game("3.5.6", "ratings 1 and 255", elo=(1, 255))
    base.game("3.5.6", "Black's alone", elo=(0, 100))
    base.game("3.5.7", "a checksum of somebody", checksum="foreign")
    base.game("3.5.7", "the second checksum", checksum="second", year=99, elo=(50, 60), result=2)
    for eco, sub in [(1, 0), (1, 1), (100, 64), (101, 99), (511, 99)]:
        base.game("3.5.10" if sub == 0 else "3.5.8", "ECO %d, sub-code %d" % (eco, sub), eco=eco, sub=sub)
    for eco, sub in [(0, 5), (0, 64)]:
        base.game("3.5.8", "no ECO: %d, sub-code %d" % (eco, sub), eco=eco, sub=sub)
    for eco, sub in [(1, 100), (300, 127), (511, 101)]:
        base.game("3.5.8", "ECO %d, and a sub-code that is none: %d" % (eco, sub), eco=eco, sub=sub)
    base.game("3.5.8", "with a set-up: bits of ECO and more", setup=setup({"e1": "K", "e8": "k"}), moves=b"", bits=(1, 2), flags_2=0xb0)
    base.game("3.5.9", "another number of moves", count=9)
    base.game("3.5.3", "M is 0", moves=b"", size=0)
    base.game("3.5.4", "marked, deleted, version", flags=0xc0, flags_2=0x40)
    return base.case("bad_headers", covers="16.1 16.2")


def marks():
    base = Base()
    e4 = [E4, E5]
    base.game("5.2.1", "80 on the main line, and more behind", moves=e4 + [CLOSE, NF3])
    base.game("5.2.1", "00, and more behind", moves=e4 + [STOP, NF3])
    base.game("5.2.1", "00 in a variation", moves=e4 + [NF3, OPEN, F4, STOP, CLOSE, NC6])
    base.game("5.2.2", "variations without moves", moves=[OPEN, CLOSE] + e4 + [NF3, OPEN, CLOSE, OPEN, F4, OPEN, CLOSE, CLOSE, NC6])
    base.game("5.2.3", "a variation first", moves=[OPEN, E4, OPEN, E5, CLOSE, CLOSE, E4, E5])
    base.game("5.2.3", "a variation first in a variation", moves=e4 + [NF3, OPEN, OPEN, F4, CLOSE, BC4, CLOSE, NC6])
    base.game("5.2.4 5.2.7 6.3.5", "a number beyond the list", moves=e4 + [127, NC6])
    base.game("5.2.4 5.2.5 5.2.6", "beyond the list in a variation, then the game goes on", moves=e4 + [NF3, OPEN, F4, 126, OPEN, 1, CLOSE, 2, CLOSE, NC6, BB5])
    base.game("5.2.6", "beyond the list at once in a variation", moves=e4 + [NF3, OPEN, 126, 3, CLOSE, OPEN, BC4, CLOSE, NC6])
    base.game("5.2.5 7.1.2", "comments of what is passed over", moves=e4 + [NF3 | HAS, OPEN, F4 | HAS, 126 | HAS, OPEN, 1 | HAS, CLOSE, 2 | HAS, CLOSE, NC6 | HAS],
              comments=notes(*(b"\0\0\0\0" + text for text in (b"on Nf3", b"on f4", b"on 126", b"in", b"after", b"on Nc6"))))
    base.game("5.2.7", "two errors", moves=e4 + [NF3, OPEN, 126, CLOSE, OPEN, 125, CLOSE, NC6])
    base.game("5.2.8", "two variations open at the end", moves=e4 + [NF3, OPEN, F4, OPEN, F4])
    king = {"e1": "K", "a8": "k", "e8": "r", "d3": "N"}
    base.game("5.2.4 6.3.4", "the king stays in check", setup=setup({"e1": "K", "a8": "k", "e8": "r", "a1": "N"}), moves=[1])
    base.game("6.3.4", "castling in check", setup=setup({"e1": "K", "h1": "R", "a8": "k", "e8": "r"}), flags=0x08, moves=[6])
    base.game("6.3.4", "castling without the right", setup=setup({"e1": "K", "h1": "R", "a8": "k"}), moves=[6])
    base.game("6.3.1", "castling", setup=setup({"e1": "K", "h1": "R", "a8": "k"}), flags=0x08, moves=[6])
    base.game("6.3.1", "with a piece on f1 castling has no number", setup=setup({"e1": "K", "f1": "B", "h1": "R", "a8": "k"}), flags=0x08, moves=[5, 1, 7])
    del king
    return base.case("bad_marks", covers="16.5")


def more_headers():
    base = Base()
    base.game("3.5.10", "ECO 100, sub-code 2", eco=100, sub=2)
    return base.case("eco_sub_codes")


def passed_over():
    base = Base()
    begin = [E4, E5, NF3, OPEN, 126]
    base.game("5.2.1 5.2.5", "00 in what is passed over", moves=begin + [1, STOP, CLOSE, NC6])
    base.game("5.2.5 7.1.2", "moves without a comment are passed over", moves=begin + [1, 2, CLOSE, NC6 | HAS], comments=notes(b"\0\0\0\0on Nc6"))
    base.game("5.2.5", "variations in variations are passed over", moves=begin + [OPEN, 1, OPEN, 2, CLOSE, CLOSE, 3, CLOSE, NC6])
    base.game("5.2.6", "an inner variation without a move, and the outer goes on", moves=[E4, E5, NF3, OPEN, F4, OPEN, 126, CLOSE, EXF4, CLOSE, NC6])
    return base.case("bad_passed_over")


def comments():
    base = Base()
    text = b"\0\0\0\0"

    def one(rules, what, record, move=E4):
        base.game(rules, what, moves=[move | HAS], comments=notes(record))

    one("7.1.3", "a text", text + b"text")
    one("7.1.3", "three more zeros before it", text + b"\0\0\0text")
    one("7.1.3", "zeros in it and behind", text + b"a\0\0b\0")
    one("7.1.4", "codes and text", b"\1\4\2\0text")
    one("7.1.4", "codes alone", b"\1\4\2")
    one("7.1.4", "the second code alone", b"\0\5")
    one("7.1.5", "nothing", b"")
    one("7.1.5", "zeros alone", b"\0\0\0\0\0")
    for slot, codes in enumerate((range(1, 12), range(1, 18), range(1, 10))):
        for code in codes:
            one("7.1.4", "table %s, code %d" % ("abc"[slot], code), bytes(slot) + bytes([code]))
    for code in range(11, 15):
        base.game("7.1.4", "table b, code %d of Black's" % code, moves=[E4, E5 | HAS], comments=notes(bytes([0, code])))
    one("7.1.4", "a text that looks like a command", text + b"[%cbf 1,0,0] x")
    one("7.1.4", "a code no NAG tells, and a text", b"\7\0\0\0text")
    one("7.1.4", "pieces, a line break, bytes of CP850", text + bytes(range(0xb0, 0xb8)) + b"\xfe\x81\x9a\x9e\xe1\xfd\x01\x1f\x7f\"\\")
    base.game("7.1.1", "no first FF", moves=[E4 | HAS, E5 | HAS], comments=text + b"one\xff" + text + b"two\xff")
    base.game("7.1.1", "no last FF", moves=[E4 | HAS, E5 | HAS], comments=b"\xff" + text + b"one\xff" + text + b"two")
    base.game("7.1.6", "no section", moves=[E4 | HAS, E5])
    base.game("7.1.6", "a record too few", moves=[E4 | HAS, E5 | HAS], comments=notes(text + b"one"))
    base.game("7.1.7", "records too many: codes, nothing, texts", moves=[E4], comments=notes(b"\1", b"", text + b"one", b"\1\1\1\0two"))
    base.game("7.1.2", "in the order of the bytes", moves=[E4 | HAS, OPEN, 1 | HAS, CLOSE, E5 | HAS], comments=notes(text + b"a", text + b"b", text + b"c"))
    base.game("7.1.8", "line ends", moves=[E4 | HAS], comments=notes(text + b"a\r\nb\rc\nd\r\r\ne"))
    return base.case("bad_comment_records")


def more_comments():
    base = Base()
    text = b"\0\0\0\0"
    base.game("7.1.3", "a text right behind three codes", moves=[E4 | HAS], comments=notes(b"\1\4\2text"))
    base.game("7.1.1 7.1.7", "no first FF, and a record too many", moves=[E4 | HAS], comments=text + b"one\xff" + text + b"two\xff")
    return base.case("bad_more_comments")


def crowd():
    """269 moves, more than a byte can count; a number has seven bits all the same."""
    board = {"a1": "K", "h8": "k"}
    board.update({square: "Q" for square in "b1 d1 f1 g1 h1 a2 e2 h2 a3 c3 h3 a4 h4 a5 h5 a6 h6 a7 h7 a8 b8 c8 d8 e8 f8 g8".split()})
    base = Base()
    for number in 1, 60, 100, 126:
        base.game("6.1", "number %d of a crowd" % number, setup=setup(board), moves=[number], count=1)
    return base.case("crowd", covers="8.1")


def number_order():
    """Each number of a queen, rook, bishop and knight on d4: one game each, in the order of the numbers."""
    base = Base()
    for piece, name, count in [("Q", "queen", 27), ("R", "rook", 14), ("B", "bishop", 13), ("N", "knight", 8)]:
        for number in range(1, count + 1):
            base.game("6.1", "%s, number %d" % (name, number), setup=setup({"d4": piece, "h1": "K", "g8": "k"}), moves=[number])
    return base.case("number_order", notes="a piece on d4 that is the first of its side; one game for each of its moves")


def shared():
    """cbf §1.1"""
    base = Base()
    for number in range(20):
        base.game("1.1.1", "one of twenty")
    files = base.files()
    last = len(files["cbf"])
    files["cbf"] += record(source="which twenty share", comments=notes(b"\1\0" + b"c" * 200))
    places = [place - number - 1 for number, place in enumerate(struct.unpack(">20I", files["cbi"][4:84]), 1)] + [last] * 20 + [len(files["cbf"])]
    files["cbi"] = struct.pack(">42I", 41, *(place + number + 1 for number, place in enumerate(places, 1)))
    return Case("cbf", "bad_shared", files, base.covers, 40, "The last twenty games are one record: nothing of it is read.")


def setups():
    base = Base()
    kings = {"e1": "K", "e8": "k"}
    rooks = {**kings, "a1": "R", "h1": "R", "a8": "r", "h8": "r"}
    for nibble in 7, 8, 15:
        base.game("8.1", "nibble %d" % nibble, setup=setup({**kings, "d4": nibble}), moves=b"")
    for bit, what in [(4, "White long"), (8, "White short"), (16, "Black long"), (32, "Black short")]:
        base.game("8.2", what, setup=setup(rooks), flags=bit, moves=b"")
        base.game("8.2 8.5", what + ", no rook", setup=setup(kings), flags=bit, moves=b"")
    base.game("8.2", "kings on d1 and d8", setup=setup({"d1": "K", "a1": "R", "h1": "R", "d8": "k", "h8": "r"}), flags=0x3c, moves=b"")
    base.game("8.2", "two kings", setup=setup({**rooks, "a5": "K"}), flags=0x3c, moves=b"")
    pawns = {**kings, "d5": "p", "e5": "P", "c4": "P", "b4": "p"}
    base.game("8.3", "en passant on the d-file, White to move", setup=setup(pawns), flags_2=4, moves=b"")
    base.game("8.3", "en passant on the c-file, Black to move", setup=setup(pawns), flags=2, flags_2=3, moves=b"")
    base.game("8.3 8.5", "no pawn there", setup=setup(pawns), flags_2=5, moves=b"")
    base.game("8.3", "the square behind it is taken", setup=setup({**pawns, "d6": "n"}), flags_2=4, moves=b"")
    base.game("8.3", "the square it came from is taken", setup=setup({**pawns, "d7": "n"}), flags_2=4, moves=b"")
    for file in 8, 9, 15:
        base.game("8.3 8.5", "file %d" % file, setup=setup({**kings, "h5": "p"}), flags_2=file, moves=b"")
    for number in 0, 1, 255:
        base.game("8.4", "byte 32 is %d" % number, setup=setup(kings, number), moves=b"")
    base.game("8.4", "Black to move", setup=setup(kings, 54), flags=2, moves=b"")
    return base.case("bad_setups", covers="16.3")


def walks():
    def three(**fields):
        base = Base()
        for what in "first", "second", "third":
            base.game("", what, **fields)
        return base

    def walked(name, cbf, rules, games, expect, **files):
        return Case("cbf", name, {"cbf": cbf, **files}, rules.split(), games, expect)

    one, other = record(source="one"), record(source="other", year=90)
    foreign = record(source="foreign", checksum="foreign")
    junk = bytes(range(1, 40))
    found = [
        walked("bad_walk_foreign", foreign * 3, "1.2.1 1.2.7 1.2.10", 3, "Without an index three games with unknown checksums are walked: each fits behind the other."),
        walked("bad_walk_gap", one + junk + one + other, "1.2.11 1.2.12", 3, "39 bytes that are no record: the walk goes on where two known checksums follow each other; a warning at that game."),
        walked("bad_walk_start", junk + one + other, "1.2.9 1.2.12", 2, "The file begins with 39 other bytes: the first game is behind them; a warning."),
        walked("bad_walk_last", one + junk + other, "1.2.8 1.2.11", 2, "The last record ends with the file, which makes its place certain."),
        walked("bad_walk_foreign_gap", one + junk + foreign + one, "1.2.8 1.2.11", 2, "Behind a gap a record with an unknown checksum is not taken: the next certain place counts."),
        walked("bad_walk_rest", one + other + junk, "1.2.10 1.2.11", 2, "39 bytes behind the last record: two games, no more."),
        walked("bad_walk_cut", one + other[:-3], "1.2.10 1.2.11 5.2.9", 1, "The last record is cut and there is no index: one game."),
        walked("bad_walk_bits", one + record(source="bit 6", result=0x42) + one + other + record(source="bit 7", result=0x82) + one + other, "1.2.7 1.2.8", 5,
               "Records with bit 6 or 7 of their result set are passed over in the walk."),
        walked("bad_walk_m0", one + record(source="M is 0", moves=b"", size=0) + one + other, "1.2.7 1.2.8", 3, "A record with M = 0 is passed over in the walk."),
        walked("bad_header_alone", foreign[:10], "1.3.3", 0, "Ten bytes are no record: it does not open."),
    ]
    base, files = three(), three().files()
    index = files["cbi"]
    gap = three()
    gap.records[1:1] = [junk]
    gapped = b"".join(gap.records)
    found += [
        base.case("bad_index_empty", expect="A .cbi without a byte: the records are walked; warnings.", covers="1.2.2 1.2.5", cbi=b""),
        base.case("bad_index_none", expect="The .cbi announces no game, and the .cbf has some: walked; warnings.", covers="1.2.2 1.2.5", cbi=struct.pack(">II", 1, 2)),
        base.case("bad_index_many", expect="The .cbi announces ten games and has entries for three: walked; warnings.", covers="1.2.2 1.2.5", cbi=struct.pack(">I", 11) + index[4:]),
        base.case("bad_games_lost", expect="The .cbf ends behind the second of three records, to which the .cbi leads: walked; warnings.", covers="1.2.5", games=2,
                  cbf=b"".join(base.records[:2])),
        base.case("bad_index_negative", expect="The second entry is negative, the records follow each other: walked; warnings.", covers="1.2.3 1.2.5",
                  cbi=index[:8] + struct.pack(">I", 2) + index[12:]),
        base.case("bad_index_rest", expect="The .cbi has two bytes more, and its last entry is wrong: a warning.", covers="1.2.2 1.2.4", cbi=index[:-1] + b"\x77\0\0"),
        base.case("bad_index_gap", expect="The .cbi announces ten games and the .cbf has a gap: its three entries are used.", covers="1.2.5", games=3, cbf=gapped,
                  cbi=struct.pack(">IIII", 11, 2, len(gap.records[0]) + 39 + 3, len(gap.records[0]) + 39 + len(gap.records[2]) + 4)),
        base.case("bad_index_nowhere", expect="All entries lead into the middle of records; none can be read: the index is set aside.", covers="1.2.6 1.3.2",
                  cbi=struct.pack(">IIII", 4, 2 + 20, 3 + 20, 4 + 20)),
        Base().case("bad_index_of_nothing", expect="An empty .cbf, and a .cbi of no games: it opens.", covers="1.2.9 1.3.1", cbf=b"", cbi=struct.pack(">II", 1, 2)),
    ]
    return found


def more_walks():
    one, other = record(source="one"), record(source="other", year=90)
    foreign = record(source="foreign", checksum="foreign")
    junk = bytes(range(1, 40))
    far = (junk * 120)[:4090 - len(one)]

    def walked(name, cbf, rules, games, expect):
        return Case("cbf", name, {"cbf": cbf}, rules.split(), games, expect)

    return [
        walked("bad_walk_one_byte", b"\x80" + one + other, "1.2.9 1.2.12", 2, "One byte stands before the first record; a warning."),
        walked("bad_walk_no_moves", one + record(source="no moves", moves=b"") + one + other, "1.2.7", 4, "A record without moves, M = 1, is one."),
        walked("bad_walk_far", one + far + one + other, "1.2.11", 3, "Four kilobytes that are no record before the next."),
        walked("bad_walk_short_rest", one + other + junk[:10], "1.2.10 1.2.11", 2, "Ten bytes behind the last record: two games, no more."),
        walked("bad_walk_foreign_alone", one + foreign + b"\x80" * 39 + one + other, "1.2.7 1.2.11", 3,
               "A record with an unknown checksum that nothing fits behind is none."),
    ]


def damaged_indexes():
    one, two = record(source="one"), record(source="two", year=90)
    junk = bytes(range(1, 40))
    # Each lies within the last part of the one before, and the file ends within all three.
    third = record(players="Cut,Off-In,His Name", source="none", moves=b"")[:14 + 5]
    second = record(players="B,B-C,C", source=" " * 60, moves=b"")[:14 + 7 + 11] + third
    first = record(source="cut in its comment", moves=[E4 | HAS], comments=notes(b"\0\0\0\0" + second + b"more"))
    first = first[:first.index(second) + len(second)]
    places = 0, first.index(second), first.index(second) + second.index(third)
    entries = b"".join(struct.pack(">I", len(one) + place + number) for number, place in enumerate(places, 3))
    cut = Case("cbf", "bad_cut_parts", {"cbf": one + first, "cbi": struct.pack(">II", 5, 2) + entries}, "1.2.5 2 5.2.9".split(), 4,
               "Records cut in the comments, in the source and in the names are errors; what is there is read.")
    # A record that fits but is none, in the comment of each of two games.
    decoy = record(source="x", moves=[127], checksum="foreign")
    with_decoy = [record(source=what, moves=[E4 | HAS, E5], comments=notes(b"\0\0\0\0" + decoy)) for what in ("one", "two")]
    places = with_decoy[0].index(decoy), len(with_decoy[0]) + with_decoy[1].index(decoy)
    decoys = Case("cbf", "bad_index_decoys", {"cbf": b"".join(with_decoy) + one, "cbi": struct.pack(">III", 3, places[0] + 2, places[1] + 3)}, ["1.2.6"], 3,
                  "Both entries lead to what fits but is no record: the index is set aside, and a walk finds three games.")
    # Eight half-moves of the second game make the base one; seven would not.
    eight = numbers("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6")
    bad = dict(checksum="foreign", source="damaged")

    def tried(name, moves, games, expect):
        base = Base()
        base.records = [record(moves=[127], **bad), record(moves=moves + bytes([127]), **bad), record(moves=[127], **bad)]
        return base.case(name, expect=expect, games=games, covers="1.3.3" + (" 1.2.6" if games == 0 else ""))

    def first(name, before, expect, games, behind=0):
        """The one game that can be read stands among those that cannot."""
        base = Base()
        for number in range(before + 1 + behind):
            checksum = "foreign" if number == 0 else "public"
            tells = before == 255 and number == before
            base.records.append(record(moves=eight if number == before else [127], players=bytes(range(0x80, 0x88)) * 3 if tells else "", checksum=checksum))
        covers = "1.2.6 1.3.3"
        if before == 255:
            # The names of the first 256 games tell the page.
            base.records.append(record(players=bytes(range(0xc0, 0xc8)) * 4))
            games, covers = games + 1, covers + " 4.4.1"
        return base.case(name, expect=expect, games=games, covers=covers)

    start = Base()
    start.records = [b"\1", one, two]
    index = struct.pack(">III", 11, len(one) + 3, 4)
    beyond = Base()
    beyond.records = [one, two]
    size = len(one) + len(two)
    name = Case("cbf", "bad_name", {"txt": one}, ["1.3"], 0, "A file of another name does not open.")
    name.open = "base.txt"
    return [
        cut, decoys, name,
        tried("bad_eight_plies", eight, 3, "Of three games one can be read for eight half-moves: it opens, and all are errors."),
        tried("bad_seven_plies", eight[:-1], 0, "No game can be read for eight half-moves: it does not open."),
        first("bad_first_256", 255, "The 256th game can be read: it opens, and all before it are errors. Its names prove CP866, and those of the 257th do not prove Windows-1251.", 256),
        first("bad_first_257", 256, "Only the 257th game can be read: it does not open.", 0),
        first("bad_first_game", 0, "Only the first of three games can be read: it opens.", 3, behind=2),
        start.case("bad_index_start", expect="The .cbi announces ten games, and the .cbf begins with other bytes: its two entries are used, the second record first.", covers="1.2.5",
                   games=2, cbi=index),
        beyond.case("bad_index_beyond", expect="The second entry leads to the end of the file, the records follow each other: walked; warnings.", covers="1.2.3 1.2.5",
                    cbi=struct.pack(">IIII", 3, 2, size + 3, size + 4)),
    ]


def move(text, more=False, end=False, weak=False, spare=False):
    """cbf §12: a move of a book."""
    square = lambda name: "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)
    return bytes([square(text[:2]) | (0 if more else 0x40) | 0x80 * end, square(text[2:]) | 0x40 * spare | 0x80 * weak])


def book(name, data, rules, expect):
    case = Case("cbf", name, {"fbk": data}, rules.split(), 1, expect)
    case.format = "fbk"
    return case


def more_books():
    return [
        book("book_king_steps", b"".join(map(move, ["e2e4", "e7e5", "e1e2"])) + move("e8e7", end=True), "12.4", "A king's step of one square is no castling; no error."),
        book("bad_book_unreached", move("e2e4", more=True, end=True), "12.7", "The line ends, and the alternative never comes: a warning."),
    ]


def books():
    long = [move(text) for text in "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1".split()]
    promotes = [move(text) for text in "a2a4 b7b5 a4b5 a7a6 b5a6 h7h6 a6a7 h6h5 a7b8".split()]
    return [
        book("bad_book_long", b"".join(long) + move("e8c8", end=True), "12.1 12.4", "Both sides castle long; no error."),
        book("bad_book_promotes", b"".join(promotes) + move("a8b8", end=True), "12.4", "A pawn becomes a queen; no error."),
        book("bad_book_twice", move("e2e4", more=True) + move("e7e5", end=True) + move("e2e4") + move("c7c5", end=True), "12.2 12.3 12.6 12.10",
             "The same move twice is one; no error."),
        book("bad_book_half", move("e2e4") + b"\x4c", "12.5", "A single byte at the end is an error; 1. e4 stays."),
        book("bad_book_empty", b"", "12.8", "An empty book has no moves; no error."),
        book("bad_book_alternatives", move("e2e4", more=True, weak=True) + move("e7e5", more=True, end=True) + move("c7c5", end=True, weak=True)
             + move("d2d4", more=True, end=True) + move("c2c4", end=True), "12.2 12.3 12.8 12.10", "Alternatives at two places, weak moves; no error."),
        book("bad_book_spare", move("e2e4", spare=True, more=True), "12.7", "Bit 6 of byte 1, an open end, and an alternative that never comes: warnings."),
        book("bad_book_deep", b"".join(move(("g1f3", "g8f6", "f3g1", "f6g8")[number % 4], more=True) for number in range(4097)), "12.9",
             "4,097 places on the pile: an error at the last move."),
        book("bad_book_same", move("e2e2", end=True), "12.5", "A move to its own square is an error."),
    ]
