"""The bases of fixtures/cbh2 that no program wrote: an encoder of its own, from docs/formats/cbh2.md."""

import struct
import sys
from pathlib import Path

from make import Case

MARK = bytes.fromhex("8877665544332211")
SIZES = [1024, 1120, 220, 1024, 314, 532]
PLAYER, EVENT, SOURCE, TEAM, TITLE = 0, 1, 2, 4, 5
NULL, SETUP, MOVES, BRANCH, END = 0xFFFA, 0xFFFB, 0xFFFC, 0xFFFD, 0xFFFF
STEPS = {
    "K": [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)],
    "N": [(-2, -1), (-2, 1), (2, -1), (2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2)],
    "B": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
    "R": [(-1, 0), (0, -1), (1, 0), (0, 1)],
}
STEPS["Q"] = STEPS["B"] + STEPS["R"]


def table():
    """§4.3: the words by piece, origin, target, captured piece and promotion."""
    words = {}

    def add(*move):
        words[move] = len(words) + 1

    on_board = lambda file, rank: 0 <= file < 8 and 0 <= rank < 8
    for color in "wb":
        for piece in "KQNBR":
            for origin in range(64):
                for files, ranks in STEPS[piece]:
                    file, rank = origin // 8 + files, origin % 8 + ranks
                    while on_board(file, rank):
                        for taken in ["", "Q", "N", "B", "R", "P"]:
                            add(color + piece, origin, 8 * file + rank, taken, "")
                        if piece in "KN":
                            break
                        file, rank = file + files, rank + ranks
    for color, forward, start, last in (("w", 1, 1, 7), ("b", -1, 6, 0)):
        for file in range(8):
            for rank in range(1, 7):
                origin, ahead = 8 * file + rank, rank + forward
                if rank == start:
                    add(color + "P", origin, 8 * file + ahead + forward, "", "")
                for promoted in "QNBR" if ahead == last else [""]:
                    add(color + "P", origin, 8 * file + ahead, "", promoted)
                for to in (file - 1, file + 1):
                    if not 0 <= to < 8:
                        continue
                    for taken in "QNBR" if ahead == last else "QNBRP":
                        for promoted in "QNBR" if ahead == last else [""]:
                            add(color + "P", origin, 8 * to + ahead, taken, promoted)
                    if rank == start + 3 * forward:
                        add(color + "P", origin, 8 * to + ahead, "e", "")
    assert len(words) == 0xB128
    return words


WORDS = table()


def square(name):
    return 8 * (ord(name[0]) - 97) + int(name[1]) - 1


def m(text):
    """The word of a move such as wPe2e4, wNf3xPe5, bPa2xQb1=N; castling by name."""
    castling = {"wO-O-O": 0, "wO-O": 1, "bO-O-O": 2, "bO-O": 3}
    if text in castling:
        return 0xB129 + castling[text]
    if text == "--":
        return NULL
    text, _, promoted = text.partition("=")
    body, taken = text, ""
    if "x" in text:
        start, rest = text.split("x")
        body, taken = start + rest[1:], rest[0]
    return WORDS[body[:2], square(body[2:4]), square(body[4:6]), taken, promoted]


def words(*items):
    return struct.pack("<%dH" % len(items), *items)


def line(*moves):
    return words(MOVES, *[m(one) if isinstance(one, str) else one for one in moves], END)


E4 = line("wPe2e4", "bPe7e5")


def put(piece, where):
    """§4.5: the word of a piece in a start position."""
    black = piece.islower()
    if piece in "Pp":
        return (0xC2DD if black else 0xC2AD) + 6 * (square(where) // 8) + square(where) % 8 - 1
    return (0xC16D if black else 0xC02D) + 64 * "KQNBR".index(piece.upper()) + square(where)


def setup(number, side, rights, file, *pieces, first=()):
    board = sorted(pieces, key=lambda one: square(one[1:]))
    return words(SETUP, *first, number, side | rights << 8, file, *[put(one[0], one[1:]) for one in board])


def checksum(content):
    part = len(content) // 8
    if part == 0:
        return int.from_bytes(content, "little")
    return sum((sum(content[i * part:(i + 1) * part]) & 255) << 8 * i for i in range(8))


def frame(tag, content, spare=0, total=None, check=None):
    head = MARK + struct.pack("<ii", len(content), spare) + (checksum(content) if check is None else check).to_bytes(8, "big")
    size = len(content) + spare + 34 if total is None else total
    return head + bytes.fromhex(tag) + content + bytes(spare) + struct.pack("<q", size)


def string(text):
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<i", len(data)) + data


def player(last="", first="", chessbase=-1, fide=-1):
    return string(last) + string(first) + struct.pack("<iiiiq", 0, 0, chessbase, 8, fide)


def day(year, month=0, date=0):
    return year << 9 | month << 5 | date


def event(title="", place="", date=0, kind=0, nation=0, now=None, rounds=0, at=(0, 0), tiebreaks=(), last=0, unknown=None):
    usual = bytes(13) + b"\7" + bytes(10) + b"\7" + bytes(10) + b"\7" + bytes(1)
    return (string(place) + string(title) + struct.pack("<i8B", date, kind, 0, nation, 0, 0, 0, rounds, 0) + struct.pack("<ff", *at)
            + bytes([nation if now is None else now]) + (unknown or usual)
            + struct.pack("<h%dhi" % len(tiebreaks), len(tiebreaks), *tiebreaks, last) + bytes(44))


def source(title="", publisher="", publication=0, date=0, version=0, quality=0):
    return string(title) + string(publisher) + struct.pack("<iihh", publication, date, version, quality)


def team(title="", number=0, season=0, year=0, nation=0):
    return string(title) + struct.pack("<BBhB", number, season, year, nation)


def title(*titles):
    return struct.pack("<i", len(titles)) + b"".join(struct.pack("<i", language) + string(text) for language, text in titles)


def deleted(following):
    return bytes.fromhex("2233445566778899") + struct.pack("<q", following)


def rating(elo, kind=1, ranking=1, nation=0, name=b"FIDE"):
    return struct.pack("<hhhh8s", elo, kind, ranking, nation, name) if elo else bytes(16)


def blocks(*parts, end=True):
    """§5.1: (position, annotation, ...); an annotation is its type and data."""
    out = b""
    for position, *notes in parts:
        out += struct.pack("<ii", position, len(notes)) + b"".join(struct.pack("<h", kind) + data for kind, data in notes)
    return out + (bytes.fromhex("ffffff7f") if end else b"")


def comment(text, language=7, kind=2):
    return kind, struct.pack("<hh", 0, language) + string(text)


class Base:
    """The files of a base. Entity 0 of each type is the blank one."""

    def __init__(self):
        self.entities = {PLAYER: [player()], EVENT: [event()], SOURCE: [source()], TEAM: [], TITLE: [title()]}
        self.records, self.moves, self.notes = [], [], []
        self.first_deleted = {}
        self.header_size, self.containers = 184, list(SIZES)

    def entity(self, kind, fields):
        self.entities[kind].append(fields)
        return len(self.entities[kind]) - 1

    def append(self, moves, notes):
        at = [12 + sum(map(len, self.moves)), 12 + sum(map(len, self.notes))]
        self.moves.append(moves)
        self.notes.append(notes)
        return at

    def game(self, content=E4, notes=blocks(), tag="0100", moves=None, white=0, black=0, tournament=0, annotator=0, book=0, teams=(-1, -1),
             named=0, result=3, evaluation=0, round_of=(0, 0, 0), elo=(bytes(16), bytes(16)), eco=0, flags=0, length=1, date=0, gone=False, kind=1,
             spare=0, medals=0, material=(0x8292, 0x8292)):
        at = self.append(frame(tag, content, spare) if moves is None else moves, frame("0020", notes, spare))
        first = 0x81 if gone else 1
        record = struct.pack("<4B4x2q5q2qq2B3h", first, 0, kind, 1, *at, white, black, tournament, annotator, book, *teams, named, result, evaluation,
                             *round_of)
        record += elo[0] + elo[1] + struct.pack("<HHIHhII4xqq16xii", eco, medals, flags, 0, length, *material, 0, 0, 1, date)
        self.records.append(record)

    def text(self, contents, named=0, gone=False):
        body = struct.pack("<i", len(contents)) + b"".join(struct.pack("<i", language) + string(html) for language, html in contents)
        at = self.append(frame("0010", b"\5\0" + struct.pack("<i", len(body)) + body), b"")
        self.records.append(struct.pack("<4B4xqqqqq", 0x83 if gone else 3, 0, 1, 3, at[0], 0, 0, 0, named).ljust(192, b"\0"))

    def analysis(self, content, named, notes=blocks()):
        at = self.append(frame("0100", content), frame("0020", notes))
        self.records.append(struct.pack("<4B4xqqqqqqq", 1, 0, 2, 1, *at, named, 0, 0, 0, 776).ljust(192, b"\0"))

    def files(self):
        header = struct.pack("<8xhhxBxxi", 38, 192, 5, len(self.records) + 1).ljust(192, b"\0")
        assert all(len(record) == 192 for record in self.records)
        out = {"2cbh": header + b"".join(self.records)}
        for extension, frames, flag in (("2cbg", self.moves, not self.records), ("2cba", self.notes, False)):
            data = b"".join(frames)
            out[extension] = struct.pack("<qhBB", 12 + len(data), 12, flag, 5 if self.records else 0) + data
        lid = struct.pack(">ii", self.header_size, 6)
        for kind in range(6):
            lid += struct.pack(">iqq", self.containers[kind], len(self.entities.get(kind, [])), self.first_deleted.get(kind, -1))
        lid += b"".join(struct.pack(">ii", one, 1) for one in range(-1, 6))
        lid = bytearray(lid.ljust(self.header_size, b"\0"))
        for number in range(max(map(len, self.entities.values()))):
            for kind in range(6):
                all_of = self.entities.get(kind, [])
                fields = all_of[number] if number < len(all_of) else b""
                lid += (struct.pack("<i", len(fields)) + fields).ljust(self.containers[kind], b"\0")
        out["2lid"] = bytes(lid)
        return out


def case(name, base, covers, games, expect=None, notes=None, **changes):
    files = base.files() if isinstance(base, Base) else base
    files.update(changes)
    made = Case("cbh2", name, files, covers, games, expect, notes)
    made.format = "2cbh"
    return made


def names():
    base = Base()
    white = base.entity(PLAYER, player("Müller", "Jörg", 0, 700000))
    black = base.entity(PLAYER, player("Birch", "", 77))
    tournament = base.entity(EVENT, event("Open", "Łódź", day(2023, 5, 5), 0x24, 116, 121, 9, (51.75, 19.5), (3, -1), day(2023, 5, 9), bytes(37)))
    book = base.entity(SOURCE, source("CD", "House", day(2023, 6), day(2024), 300, 2))
    teams = base.entity(TEAM, team("Woods", 2, 1, 1988, 53)), base.entity(TEAM, team("Forest"))
    named = base.entity(TITLE, title((12, "x"), (42, "A story"), (53, "Eine Geschichte"), (70, "")))
    base.game(white=white, black=black, tournament=tournament, annotator=white, book=book, teams=teams, named=named, result=6, round_of=(300, 2, 4),
              elo=(rating(2400), rating(1800, 2, 100, 53, b"DWZ")), eco=0x8500, date=day(2023, 5, 6))
    base.game(result=7, evaluation=0)
    return case("names", base, ["2.1", "9.1", "9.2", "9.3", "9.4", "9.5", "9.6", "9.7"], 2)


def other_sizes():
    base = Base()
    base.header_size, base.containers = 236, [1000, 1100, 220, 4, 300, 500]
    white = base.entity(PLAYER, player("White", "W"))
    tournament = base.entity(EVENT, event("Event", "Place"))
    base.game(white=white, tournament=tournament, spare=9)
    return case("other_sizes", base, ["6.1.1", "1.3"], 1)


def positions():
    base = Base()
    kings = ["Ke1", "ke8"]
    base.game(setup(30, 0, 0, 4, *kings, "Pe5", "pd5") + line(WORDS["wP", square("e5"), square("d6"), "e", ""]), flags=1, material=(0x1000, 0))
    base.game(setup(1000, 1, 15, 0, *kings, "Ra1", "Rh1", "ra8", "rh8") + line("bO-O", "wO-O-O"), flags=1, length=2, material=(2, 2))
    base.game(words(SETUP, 0) + line("wPa2a4", "bPa7a5"), tag="0200", eco=64576, flags=1 | 1 << 27)
    base.game(words(SETUP, 518) + line("wPe2e4", "bPe7e5", "wNg1f3", "bNg8f6", "wBf1c4", "bBf8c5", 0xB12D + 4 * 7 + 1), tag="0200", eco=64576 + 518, length=4)
    base.game(setup(11, 0, 15, 0, *kings, "Rb1", "Rg1", "rb8", "rg8", "Pg2", "pg7", first=(1000,)) + line(0xB12D + 4 * 100 + 1, 0xC02B),
              tag="0200", flags=1 | 1 << 27, material=(0x1002, 0x1002))
    return case("positions", base, ["4.4.1", "4.5.1"], 5)


def training():
    """A question with one solution: e2e4."""
    texts = lambda *found: struct.pack("<h", len(found)) + b"".join(struct.pack("<h", language) + string(text) for language, text in found)
    lists = texts((0, "Which move?"), (1, "Größe")) + texts() + texts((7, "Hint")) + texts()
    return bytes([1, 1, 1, 0, 0, 0]) + struct.pack("<ih", 60, 5) + lists + bytes([1, 33, 35, 0, 5]) + texts((0, "Right"))


def assessment(solutions=2):
    """A question with solutions that are texts."""
    texts = lambda *found: struct.pack("<h", len(found)) + b"".join(struct.pack("<h", language) + string(text) for language, text in found)
    lists = texts((0, "Who is better?")) + texts() + texts() + texts()
    last = (bytes([5]) + texts((0, "White"), (1, "Weiß")) + texts((0, "Black has a bad bishop")), bytes([0]) + texts() + texts())
    return bytes([1, 1, 2, 0, 0, 0]) + struct.pack("<ih", 60, 5) + lists + bytes([solutions]) + b"".join(last[:solutions])


def quotation(form=2, unknown=0, pieces=None, moves=(), texts=("Alder", "Ann", "Birch", "Bob", "Old Open", "Zürich"), lists="FIDE", result=2, day=(1950, 5, 6), eco=0x7a80, usual=None, gap=0):
    """Another game: names, event, Elo 2400 and 2350, round 3.2."""
    zero = lambda text: bytes([len(text.encode()) + 1]) + text.encode() + b"\0"
    event = struct.pack("<iBBBBBBB", day[0] << 9 | day[1] << 5 | day[2], 4, 0, 53, 0, 0, 0, 9) + bytes(17) + struct.pack("<hhhB", 2400, 2350, eco, result)
    game = bytes(8) + bytes([3, 2]) + bytes(33) + bytes([gap])
    start = b"\1" if pieces is None else b"\0" + pieces + bytes(11)
    start = start if usual is None else bytes([usual])
    return (b"\1" + struct.pack("<hh", form, unknown) + b"\1\0\0\0\0" + b"".join(map(zero, texts)) + event + game + (b"\1\0\1\0\0" + string(lists)) * 2
            + bytes(26) + start + bytes(2) + struct.pack("<i", len(moves)) + b"".join(bytes(m) + bytes(3) for m in moves) + bytes(4))


def walks():
    """Random walks, where castling, promotions, en passant, captures and checks are taken first; with variations."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "ports/python"))
    from board import Board

    import random

    chance = random.Random(17)
    base = Base()
    starts = [
        (None, None, 12), ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", 15, 6), ("4k3/P1P3P1/8/8/8/8/p1p3p1/4K3 w - - 0 1", 0, 6),
        ("4k3/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1", 0, 6), ("r1bqk2r/8/2n2n2/2b5/2B5/2N2N2/8/R1BQK2R b KQkq - 0 1", 15, 6),
    ]
    for fen, rights, count in starts:
        for number in range(count):
            length = 200 if number == 0 else 70
            board = Board(fen) if fen else Board()
            opening = b"" if fen is None else start_of(board, rights)
            content = walk(board, length, chance, depth=0 if number % 2 else 2)
            base.game((opening or b"") + words(MOVES) + content, flags=0 if fen is None else 1, length=length)
    return case("walks", base, ["4.4.1"], sum(count for _, _, count in starts), "Games of any moves. The derived fields are wrong.")


def start_of(board, rights):
    found = [letter + "abcdefgh"[at % 8] + str(at // 8 + 1) for at, letter in enumerate(board.squares) if letter != "."]
    return setup(1, 0 if board.white else 1, rights, 0, *found)


def walk(board, length, chance, depth):
    """The words of a line with variations, its end included."""
    out, ends = b"", []
    for _ in range(length):
        moves = list(likely(board))
        if not moves:
            break
        here = board
        move = chosen(here, moves, chance)
        branch = depth and len(moves) > 1 and chance.random() < 0.08
        out += words(word_of(here, move), *([BRANCH] if branch else []))
        if branch:
            # The alternatives stand behind the end of this line, the last branch first.
            other = chance.choice([one for one in moves if one != move])
            after = here.copy()
            after.play(other)
            ends.append(words(word_of(here, other)) + walk(after, chance.randint(0, 8), chance, depth - 1))
        board = board.copy()
        board.play(move)
    return out + words(END) + b"".join(reversed(ends))


def likely(board):
    """Legal moves, with a promotion to each piece."""
    for start in range(64):
        if not board.is_own(start):
            continue
        for target in range(64):
            if start == target:
                continue
            last = board.squares[start] in "Pp" and target // 8 in (0, 7)
            for promotion in "qrbn" if last else ("",):
                if board.legal((start, target, promotion)):
                    yield start, target, promotion


def chosen(board, moves, chance):
    def weight(move):
        after = board.copy()
        after.play(move)
        special = board.is_castling(move) or move[2] or board.squares[move[0]] in "Pp" and move[1] == board.passing
        return 30 if special else 6 if after.in_check(after.white) else 4 if board.squares[move[1]] != "." else 2 if board.squares[move[0]] in "PpKk" else 1

    return chance.choices(moves, [weight(move) for move in moves])[0]


def word_of(board, move):
    start, target, promotion = move
    color = "w" if board.white else "b"
    if board.is_castling(move):
        return 0xB129 + 2 * (color == "b") + (target > start)
    piece = board.squares[start].upper()
    taken = board.squares[target].upper().replace(".", "")
    if piece == "P" and start % 8 != target % 8 and not taken:
        taken = "e"
    by_file = lambda at: 8 * (at % 8) + at // 8
    return WORDS[color + piece, by_file(start), by_file(target), taken, promotion.upper()]


def questions():
    """Training questions at the edges of ChessBase's command."""
    base = Base()
    texts = lambda *found: struct.pack("<h", len(found)) + b"".join(struct.pack("<h", language) + string(text) for language, text in found)
    right = (33, 35, 0, 5, [(0, "Right")])

    def question(asked=((0, "Best move?"),), wrong=(), hints=((), ()), seconds=0, points=5, solutions=(right,)):
        body = struct.pack("<ih", seconds, points) + texts(*asked) + texts(*wrong) + texts(*hints[0]) + texts(*hints[1])
        body += bytes([len(solutions)]) + b"".join(bytes(one[:4]) + texts(*one[4]) for one in solutions)
        return bytes([1, 1, 1, 0, 0, 0]) + body

    shapes = [
        question(), question(solutions=(right, (0, 63, 0, 9, [])), points=9), question(hints=([(0, "Look")], [(0, "again")])), question(asked=((6, "Qual?"),), solutions=((33, 35, 0, 5, []),)),
        question(seconds=1), question(points=4), question(wrong=((0, "No"),)), question(hints=([(1, "De")], ())), question(hints=((), [(0, "a"), (0, "b")])),
        question(hints=([(0, "")], ())), question(solutions=()), question(solutions=((33, 35, 1, 5, []),)), question(solutions=(right, (0, 63, 1, 2, []))),
        question(asked=((7, "any"),), solutions=((33, 35, 0, 5, []),)), question(asked=()), question(asked=((0, "a"), (1, "b"))), question(solutions=((33, 35, 0, 5, [(1, "De")]),)),
        question(solutions=((63, 63, 0, 5, []),)), question(solutions=((64, 0, 0, 5, []),)), question(solutions=((0, 64, 0, 5, []),)), question(asked=((0, 'a"'),)), question(asked=((0, "a\t"),)),
        question(points=0, solutions=()), question(asked=((0, "x"),), solutions=((33, 35, 0, 5, [(0, "")]),)), question(solutions=(right, (0, 63, 0, 2, [(1, "De")]))),
    ]
    for shape in shapes:
        base.game(line("wPe2e4"), blocks((0, (9, shape))), flags=1 << 9)
    return case("questions", base, ["5.4.3"], len(shapes))


def quotations():
    """Quotations and questions whose solutions are texts, as commands or, where a command would lose something, as data."""
    base = Base()
    board = bytearray(64)
    board[32], board[39], board[6] = 1, 9, 6
    opening = (33, 35), (38, 36), (48, 42)
    promotion = ((64 | 6, 7), (39, 38), (64 | 14, 3 << 6 | 7))
    notes = blocks(
        (0, (0x13, quotation(moves=opening)), (0x13, quotation(form=1))),
        (1, (0x13, quotation(pieces=bytes(board), moves=promotion)), (0x13, quotation(unknown=7, gap=9, result=5, day=(0, 0, 0), eco=0, lists=""))),
        (2, (9, assessment()), (9, assessment(0))),
        (3, *((0x13, found) for found in (
            quotation(form=1, moves=opening), quotation(texts=("a]",) * 6), quotation(moves=((33, 64 | 35),)), quotation(moves=((128 | 33, 35),)),
            quotation(usual=2), quotation(pieces=bytes([7] * 64)), quotation(eco=1), quotation(day=(1950, 13, 6)), quotation(lists='"')))),
    )
    base.game(line("wPe2e4", "bPe7e5", "wNg1f3", "bNb8c6"), notes, flags=1 << 9 | 1 << 19, length=2)
    return case("quotations", base, ["5.4.10", "5.4.11"], 1)


def types():
    base = Base()
    long_line = line("wPe2e4", BRANCH, "bPe7e5", "wNg1f3", BRANCH, END, m("wPd2d4"), END, m("wPc2c4"), m("bPe7e6"))
    notes = blocks(
        (-1, (0x26, b"\1" + struct.pack("<ih", 14, 3) + struct.pack("<hBBhBBhBB", 0, 0, 255, 20, 12, 0, -3, 12, 1)), comment("The game")),
        (0, comment("before", kind=0x82), (3, b"\1\x0e\0"), (3, b"\0\x92\0"), comment("e4", 0), comment("odd", 9), (7, bytes([37, 5, 1, 0]))),
        (1, comment("in the variation"), (4, struct.pack("<i", 4) + bytes([2, 28, 7, 1])), (5, struct.pack("<i", 3) + bytes([3, 34, 36]))),
        (3, (0x21, struct.pack("<hhh", -125, 0, 20)), (0x22, struct.pack("<i", 0x8001)), (0x18, b"\2"), (0x23, bytes([1, 128, 0, 255]))),
        (4, (0x1C, b"\1" + string("https://example.org") + string("a page")), (0x15, string(b"\3\x10")), (0x14, b"\3"), (0x27, b"\1\0"), (8, b"abcd")),
        (5, (9, training()), (0x1C, b"\1" + string("x") + string("ö")), (0x20, b"\1\0\0\0" + string("v")), (0x24, bytes(38)), (0x25, bytes(4)), (0x16, bytes(4))),
    )
    flags = sum(1 << bit for bit in (1, 2, 3, 4, 5, 7, 8, 9, 18, 20, 21, 22, 24, 28))
    base.game(long_line, notes, flags=flags, medals=0x8001, length=2)
    base.game(line("wPe2e4"), blocks((-1, (0x16, struct.pack("<i", 215700)), (0x17, struct.pack("<i", 379450))), (0, comment("1252 \xe9".encode("latin-1")))),
              flags=1 << 2 | 3 << 22)
    return case("types", base, ["5.3.1", "5.3.2", "5.4.1", "5.4.2", "5.4.3", "5.4.4"], 2)


def bad_kinds():
    base = Base()
    named = base.entity(TITLE, title((42, "Preface"), (53, "Vorwort")))
    base.game()
    base.text([(42, "<p>Hello</p>"), (53, "")], named)
    base.analysis(line("wPd2d4"), named)
    base.text([], gone=True)
    base.game(line("wPc2c4"), gone=True)
    base.game(line("wPg2g4"), kind=7)
    made = case("bad_kinds", base, ["3.2.1", "3.2.2", "3.2.3"], 4, "Texts are no games, an analysis is one; a record of an unknown kind is read as a game, with a warning.")
    made.options = ["texts=tell", "texts=ignore"]
    return made


def bad_values():
    base = Base()
    base.game(result=9)
    base.game(round_of=(-1, 2, 0), elo=(struct.pack("<h14x", -5), bytes(16)))
    base.game(eco=64200)
    base.game(date=day(2024, 13, 1))
    return case("bad_values", base, ["2.2", "3.3.1", "3.3.2", "3.3.3"], 4, "Odd values are unknown, with warnings.")


def bad_header():
    base = Base()
    base.game()
    base.game()
    files = base.files()
    few, many = bytearray(files["2cbh"]), bytearray(files["2cbh"])
    few[16], many[16] = 2, 9
    return [
        case("bad_header_less", base, ["3.1.2"], 2, "The header counts fewer records: a warning.", **{"2cbh": bytes(few)}),
        case("bad_header_more", base, ["3.1.2"], 2, "The header counts more records: damage.", **{"2cbh": bytes(many)}),
        case("bad_header_cut", base, ["3.1.3"], 1, "The file ends inside the second record.", **{"2cbh": files["2cbh"][:-1]}),
        case("bad_header_size", base, ["3.1.1"], 0, "Records of another size are refused.", **{"2cbh": files["2cbh"][:10] + b"\xb8" + files["2cbh"][11:]}),
    ]


def bad_files():
    base = Base()
    white = base.entity(PLAYER, player("White", "W"))
    base.game(white=white, notes=blocks((0, comment("text"))))
    return [
        case("bad_no_moves", base, ["1.1"], 1, "Without .2cbg the header is read, and the game is an error.", **{"2cbg": None}),
        case("bad_no_annotations", base, ["1.2"], 1, "Without .2cba the moves are read, with a warning.", **{"2cba": None}),
        case("bad_no_names", base, ["1.2"], 1, "Without .2lid all names are unknown, with a warning.", **{"2lid": None}),
    ]


def bad_records():
    base = Base()
    content = line("wPe2e4", "bPe7e5", "wNg1f3")
    base.game(content, moves=frame("0100", content, check=1))
    base.game(content, moves=frame("0100", content, total=5))
    base.game(content, moves=frame("0300", content))
    base.game(content, moves=b"\0" + frame("0100", content)[1:])
    base.game(content, moves=frame("0010", content))
    files = base.files()
    base.game(content)
    cut = base.files()
    return [
        case("bad_records", files, ["4.1.1", "4.1.2", "4.1.3"], 5, "A wrong checksum, a wrong size and an unknown tag are warnings; a record without its mark and a text are errors."),
        case("bad_record_cut", cut, ["4.1.4"], 6, "The last record is cut: its moves before the end are kept.", **{"2cbg": cut["2cbg"][:-12]}),
    ]


def bad_words():
    base = Base()
    base.game(words(m("wPe2e4"), END))
    base.game(words(MOVES, m("wPe2e4"), m("bPe7e5")))
    base.game(line("wPe2e4") + b"\1\2\3")
    base.game(line("wPe2e4", "wPd2d4"))
    base.game(line("wPe2e4", "bPe7e5", 0xC02D, "wNg1f3"))
    base.game(line("wPe2e4", "bPd7d5", "wPe4xQd5"))
    base.game(line("wPe2e4", 0xFFFE))
    base.game(words(SETUP, 5))
    base.game(words(MOVES) + b"\0")
    return case("bad_words", base, ["4.2.1", "4.2.2", "4.2.3"], 9, "The moves before each odd word are kept.")


def bad_setups():
    base = Base()
    kings = ["Ke1", "ke8"]
    base.game(setup(1, 0, 0, 0, *kings, "Rh1") + line("wO-O"), flags=1)
    base.game(setup(1, 0, 3, 0, *kings, "Rh1") + line("wO-O"), flags=1)
    base.game(setup(1, 0, 0, 0, *kings, "Qd1", "Rd1") + line("wRd1d2"), flags=1)
    base.game(words(SETUP, 1, 0, 0, 7) + line("wKe1e2"), flags=1)
    base.game(words(SETUP) + line("wKe1e2"), flags=1)
    base.game(setup(1, 0, 0, 0, "Kf1", "ke8", "Rh1") + line("wO-O"), flags=1)
    return case("bad_setups", base, ["4.4.2", "4.5.2", "4.5.3"], 6, "A missing right is added, a right without a rook dropped; other words are errors.")


def bad_annotations():
    base = Base()
    content = line("wPe2e4", "bPe7e5")
    base.game(content, blocks((1, comment("e5"), (0x44, b"\1\2"), (3, b"\1\0\0"))))
    base.game(content, blocks((0, comment("e4")), (1, comment("cut")))[:-6])
    base.game(content, blocks((0, comment("e4"))) + b"\1")
    base.game(content, blocks((1, comment("e5")), (0, comment("e4")), (1, comment("again"))))
    base.game(content, blocks((9, comment("past")), (-2, comment("below"))))
    base.game(content, blocks((0, (4, struct.pack("<i", 3) + bytes([2, 1, 2])), (5, struct.pack("<i", 3) + bytes([2, 1, 65])))))
    base.game(content, blocks((0, comment("no end")), end=False))
    files = base.files()
    headers = bytearray(files["2cbh"])
    headers[192 + 16] = 0xFF
    made = case("bad_annotations", files, ["5.1.1", "5.1.2", "5.1.3", "5.1.4", "5.1.5", "5.1.6", "5.1.7", "5.4.5"], 7, "What can be read of each record is kept, with warnings.")
    gone = case("bad_annotations_gone", dict(files), ["5.1.7"], 7, "The place of the first annotations has no record.", **{"2cbh": bytes(headers)})
    made.options = ["annotations=plain", "annotations=exact"]
    return [made, gone]


def bad_names():
    base = Base()
    base.entities[PLAYER] += [b"", deleted(-1), player("Cut", "Name")[:12], player(b"M\xfcller")]
    base.first_deleted[PLAYER] = 2
    for white in (1, 2, 3, 4, 99):
        base.game(white=white)
    files = base.files()
    count = bytearray(files["2lid"])
    count[8 + 11] = 200
    odd = bytearray(files["2lid"])
    odd[7] = 5
    return [
        case("bad_names", files, ["2.1", "6.2.1", "6.2.2", "6.3.1"], 5, "Missing, deleted and cut names are unknown, with warnings; a name in Windows-1252 is read."),
        case("bad_names_count", dict(files), ["6.1.2"], 5, "The header counts more players than the file holds.", **{"2lid": bytes(count)}),
        case("bad_names_header", dict(files), ["6.1.2"], 5, "Another header: all names are unknown.", **{"2lid": bytes(odd)}),
    ]


def cases():
    return [names(), other_sizes(), positions(), types(), quotations(), questions(), walks(), bad_kinds(), bad_values(), *bad_header(), *bad_files(), *bad_records(), bad_words(), bad_setups(),
            *bad_annotations(), *bad_names()]
