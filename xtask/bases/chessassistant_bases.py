"""Bases of Chess Assistant that show what the encoder's do not. (docs/formats/chessassistant.md)"""

import struct

from make import Case

SIGNATURE, VERSION = b"Chess Assistant 3.0 database.", b"\nData Pro Volume format. Version 1.1"
CDP_VERSION = b"\nChess Data Pro format. Version 1.3"
TABLES = ["Players", "Events", "Places", "Sources"]
# White's and Black's e-pawn two squares; d-pawn; Nf3 and Nc6; the f1 bishop's b5.
E4, D4, C4, NF3 = 4 * 4 + 3, 3 * 4 + 3, 2 * 4 + 3, 40 + 3
BEGIN, END, TEXT = 231, 232, 235


def comment(kind, content=b""):
    content = content if isinstance(content, bytes) else content.encode("cp1252")
    return bytes([TEXT, len(content) + 1, kind]) + content


def after(text):
    return comment(4, text)


def before(text):
    return comment(5, text)


def symbol(kind, byte):
    return bytes([234, kind, byte])


def branch(*codes):
    return bytes([BEGIN]) + join(codes) + bytes([END])


def join(codes):
    return b"".join(bytes([code]) if isinstance(code, int) else code for code in codes)


def setup(white, black, half_moves=0, castling=0, en_passant=0):
    """chessassistant §7.4: pieces as number: (square, type)."""
    data = b""
    for side in white, black:
        for number in range(18):
            square, kind = side.get(number, (None, 0))
            data += bytes([8, 0] if square is None else [coordinate(square), kind])
    return bytes([230]) + data + struct.pack("<HBB", half_moves, castling, en_passant)


def coordinate(square):
    return square if isinstance(square, int) else (int(square[1]) - 1) << 4 | "abcdefgh".index(square[0])


def date(year, month=0, day=0):
    return ((year * 13 + month) * 32 + day).to_bytes(3, "little")


class Base:
    """Games are appended to it; the event of each says what it shows."""

    def __init__(self):
        self.covers, self.rows, self.records, self.addresses = [], b"", bytes(4), []
        self.names = {"Players": [(b"", b""), (b"Ash, Kim", b""), (b"Elm, Lee", b"GM")], "Events": [(b"", b"")], "Places": [(b"", b"")],
                      "Sources": [(b"", b""), (b"A book", b"")]}
        self.redirects = {}  # (table, id): the id to look at instead
        self.more = []  # names and contents of further files of the volume
        self.info = {2: struct.pack("<HI", 2500, 4711) + date(1970, 5, 6) + b"\1"}

    def game(self, rules, what, codes=bytes([E4]), length=None, **fields):
        self.covers += rules.split()
        values = dict(white=1, black=2, elo_1=0, elo_2=0, outcome=4, date=b"\0\0\0", event=len(self.names["Events"]), place=0, type=0,
                      id=len(self.addresses), unknown=0, round=0, eco=500, annotator=0, source=0)
        self.names["Events"].append((what.encode("cp1252"), b""))
        values.update(fields)
        three = lambda number: number.to_bytes(3, "little")
        v = values
        self.rows += (three(v["white"]) + three(v["black"]) + struct.pack("<HHB", v["elo_1"], v["elo_2"], v["outcome"]) + v["date"]
                      + three(v["event"]) + three(v["place"]) + struct.pack("<IIBBH", v["type"], v["id"], v["unknown"], v["round"], v["eco"])
                      + three(v["annotator"]) + three(v["source"]))
        self.addresses.append(len(self.records))
        codes = codes if isinstance(codes, bytes) else join(codes)
        size = len(codes) if length is None else length
        self.records += size if isinstance(size, bytes) else bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])
        self.records += codes
        return self

    def volume(self):
        files, out = [], bytearray(144)
        for table in TABLES:
            records, addresses = b"", b""
            for number, (name, title) in enumerate(self.names[table]):
                address = len(records) if (table, number) not in self.redirects else -self.redirects[table, number]
                addresses += struct.pack("<i", address)
                records += bytes([len(name)]) + (bytes([len(title)]) if table == "Players" else b"") + name + (title if table == "Players" else b"")
            info = b"".join(self.info.get(number, bytes(10)) for number in range(len(self.names[table]))) if table == "Players" else b""
            for extension, data in [("a01", addresses), ("d01", records), ("d00", info)]:
                files.append((table + "." + extension, data))
        files += self.more
        folder = b""
        for name, data in files:
            at = len(out)
            out += data
            table = len(out)
            out += struct.pack("<II", len(data), at) if data else b""
            folder += struct.pack("<IIII", 0, 2, len(data), table) + bytes(12) + name.encode().ljust(228, b"\0")
        at = len(out)
        out += folder
        table = len(out)
        out += struct.pack("<II", len(folder), at)
        out[:144] = SIGNATURE.ljust(64, b"\0") + VERSION.ljust(64, b"\0") + bytes(8) + struct.pack("<II", len(folder), table)
        return bytes(out)

    def case(self, name, expect="The event of each game says what it shows.", covers="", **files):
        count = len(self.addresses)
        found = {"cdp": SIGNATURE.ljust(50, b"\0") + CDP_VERSION.ljust(50, b"\0") + struct.pack("<III", 0, count, 0), "emb": self.volume(),
                 "d00": self.rows, "a02": b"".join(struct.pack("<i", address) for address in self.addresses), "d02": self.records}
        found.update(files)
        notes = None if name.startswith("bad_") else expect
        return Case("chessassistant", name, found, self.covers + covers.split(), count, None if notes else expect, notes)


def cases():
    return [
        headers(), moves(), castled(), branches(), comments(), records(), shared(), *encodings(), *self_checks(), *volumes(),
        all_codes(), redirects_everywhere(),
    ]


def redirects_everywhere():
    """chessassistant §4.1: a redirect in each of the four tables of names, and one more file in the volume."""
    base = Base()
    base.names["Players"] += [(b"Old, Ash", b""), (b"Older, Ash", b"")]
    base.redirects.update({("Players", 3): 1, ("Players", 4): 3})
    base.names["Places"] += [(b"Town", b""), (b"Village", b"")]
    base.redirects["Places", 2] = 1
    base.names["Sources"].append((b"A manuscript", b""))
    base.redirects["Sources", 2] = 1
    base.more.append(("Further.x00", b"what another program keeps here"))
    base.game("4.1", "the event that another one leads to", white=3, black=2, place=2, annotator=4, source=2)
    base.game("4.1", "an event that is not shown", white=1, black=4, place=1, annotator=1, source=1, event=2)
    base.redirects["Events", 2] = 1
    base.info.update({number: base.info[2] for number in (3, 4)})
    return base.case("redirects_everywhere", covers="3.2.2", expect="Both games have the same event, place, annotator and source; a 13th file in the volume")


BISHOP = "11 22 33 44 55 66 77 17 26 35 53 62 71".split()
ROOK = "07 06 05 04 03 02 01 70 60 50 40 30 20 10".split()
KNIGHT = "67 76 16 27 21 12 72 61".split()


def all_codes():
    """Each code of a move, of White and of Black."""
    base = Base()
    rows = [(pawn, 1, "10 17 11 20".split()) for pawn in range(8)] + [(8, 2, KNIGHT), (9, 2, KNIGHT), (10, 3, BISHOP), (11, 3, BISHOP)]
    rows += [(12, 4, ROOK), (13, 4, ROOK), (14, 5, BISHOP + ROOK), (15, 6, "11 77 17 71 07 01 70 10".split())]
    rows += [(number, 5, BISHOP + ROOK) if part == 0 else (number, 2, KNIGHT) for number in (16, 17) for part in (0, 1)]
    code = 0
    for number, kind, steps in rows:
        for step in steps:
            for white in True, False:
                one_code(base, code, number, kind, step, white)
            code += 1
    assert code == 207
    corners = {12: ("a", 4), 13: ("h", 4), 15: ("e", 6)}
    home = lambda rank: {number: (file + rank, kind) for number, (file, kind) in corners.items()}
    for code in 207, 208:
        base.game("8.2", "code %d, both sides" % code, [setup(home("1"), home("8"), castling=15), code, code])
    for pawn in range(8):
        file = "abcdefgh"[pawn]
        own, enemy = {15: ("e1", 6), pawn: (file + "7", 1)}, {15: ("h5", 6)}
        base.game("8.3 8.4", "code %d: the queen that pawn %d became" % (212 + pawn, pawn),
                  [setup(own, enemy), bytes([209, pawn << 2, 5 << 5 | pawn]), 136, bytes([212 + pawn, 0x70])])
    for symbol_ in 0x21, 0x3f:
        base.game("9.5.4", "symbol %02x" % symbol_, [E4, symbol(2, symbol_), symbol(3, symbol_), E4])
    for kind in range(1, 31):
        base.game("5.1.11", "game type %d" % kind, type=kind)
    return base.case("all_codes", covers="8.1", expect="each code of a move; game types; symbols that are characters")


def one_code(base, code, number, kind, step, white):
    if kind == 1:
        away = int(step, 16) if white else {"10": 0x70, "17": 0x77, "11": 0x71, "20": 0x60}[step]
        start = coordinate(("d2" if white else "d7") if step == "20" else "d4")
        enemy = {8: (start + away & 0x77, 2)} if step in ("17", "11") else {}
    else:
        start, enemy = coordinate("d4"), {}
    own = {15: ("a2", 6), number: (start, kind)}
    enemy[15] = ("h7", 6)
    sides = (own, enemy) if white else (enemy, own)
    base.game("8.1", "code %d of %s" % (code, "White" if white else "Black"), [setup(*sides, half_moves=0 if white else 1), code])


def headers():
    base = Base()
    base.game("5.1.1 5.1.8 5.1.9", "players with all there is of them", white=2, black=2)
    base.game("5.1.1 4.2.2", "nobody", white=0, black=0)
    base.names["Players"] += [(b"Nul\0\0", b"T\0"), (b"\0\0", b""), (b"?", b"")]
    base.game("4.2.2", "NUL bytes behind a name, and in a title", white=3, black=4)
    base.game("5.1.10", "annotator and source", annotator=1, source=1)
    base.game("5.1.10", "an annotator ?", annotator=5)
    base.game("5.1.2", "Elo 0, 1, 65535", elo_1=1, elo_2=65535)
    for eco in 0, 1, 499, 500, 501, 65535:
        base.game("5.1.2 5.1.14", "ECO %d" % eco, eco=eco)
    base.game("5.1.14", "ECO 0 of a set-up", [setup({15: ("e1", 6)}, {15: ("e8", 6)})], eco=0)
    base.game("5.1.14", "ECO 1 of a set-up", [setup({15: ("e1", 6)}, {15: ("e8", 6)})], eco=1)
    for outcome in list(range(18)) + [255]:
        rule = "5.1.5" if 1 <= outcome <= 4 else "5.1.6" if 5 <= outcome <= 16 else "5.1.7"
        base.game(rule, "outcome %d" % outcome, outcome=outcome)
    for round_ in 0, 1, 2, 3, 254, 255:
        base.game("5.1.3 5.1.12", "round byte %d" % round_, round=round_)
    for kind in 0, 1, 30, 31, 1 << 31:
        base.game("5.1.11", "game type %d" % kind, type=kind)
    base.game("5.1.13 18.2", "byte 28, and all other tags", white=2, black=2, annotator=1, source=1, outcome=9, eco=501, type=5, round=3, unknown=200)
    base.game("5.2.1", "a date", date=date(1858, 11, 2))
    base.game("5.2.1", "a day without a month", date=date(1858, 0, 2))
    base.game("5.2.1", "a month without a year", date=date(0, 7, 0))
    base.game("5.1.4 5.2.2", "the year 9999", date=date(9999, 12, 31))
    base.game("5.1.4 5.2.2", "the year 10000", date=date(10000, 1, 1))
    return base.case("bad_headers", covers="2.1 18.1")


def moves():
    base = Base()
    kings = ({15: ("e1", 6)}, {15: ("e8", 6)})

    def board(white, black, *codes, **more):
        return join([setup({**kings[0], **white}, {**kings[1], **black}, **more), *codes])

    for number in range(8):
        for kind in range(4):
            base.game("8.1.8", "pawn %d, step %d" % (number, kind), [number * 4 + kind, number * 4 + kind])
    for number, kind, first, count in [(8, 2, 32, 8), (10, 3, 48, 13), (12, 4, 74, 14), (14, 5, 102, 27), (16, 5, 137, 35)]:
        for code in range(first, first + count):
            base.game("8.1.4", "piece %d, code %d" % (number, code), board({number: ("c3", kind)}, {}, code))
    for code in range(129, 137):
        base.game("8.1.4", "king, code %d" % code, board({15: ("c3", 6)}, {}, code))
    base.game("8.1.1", "no such piece", [E4, 137])
    base.game("8.1.1", "a pawn that was taken", [E4, D4, 4 * 4 + 1, 3 * 4])
    base.game("8.1.1", "a pawn that was taken in passing", [E4, 0, 4 * 4, D4, 210, 4 * 4 + 1, 3 * 4])
    base.game("8.1.2", "a rook eight squares on", board({4: ("c3", 4)}, {}, bytes([216, 0])))
    base.game("8.1.3", "the king takes its rook", board({13: ("f1", 4)}, {}, 134))
    base.game("8.1.4", "a piece of the own side", board({8: ("d1", 2)}, {}, 133))
    base.game("8.1.4", "the king taken", board({12: ("e4", 4)}, {}, 84))
    base.game("8.1.5 8.1.6", "en passant with and without 210", [E4, 0, 4 * 4, D4, 210, 4 * 4 + 1])
    base.game("8.1.5 8.1.6", "en passant without 210", [E4, 0, 4 * 4, D4, 4 * 4 + 1, 4])
    base.game("8.1.6", "210 before another move, and at the end", [210, E4, E4, 210])
    base.game("8.1.6", "210 before an error", [E4, 210, 137])
    base.game("8.1.5", "aslant, nobody beside", [4 * 4 + 1, E4])
    base.game("8.1.5", "aslant, a knight beside", board({4: ("e5", 1)}, {8: ("d5", 2)}, 4 * 4 + 1, 32))
    base.game("8.1.7 8.3.3", "a pawn's code for the queen it became", board({4: ("e7", 1)}, {15: ("a8", 6)}, bytes([209, 4 << 2, 5 << 5]), 129, 17))
    base.game("8.1.8", "a pawn stays one on the last rank", board({0: ("a7", 1)}, {}, 0))
    base.game("8.2.1 8.2.3", "castling long and short", board({12: ("a1", 4)}, {13: ("h8", 4)}, 207, 208, castling=6))
    base.game("8.2.2", "a rook of another number, no rights", board({16: ("h1", 4)}, {3: ("a8", 4)}, 208, 207))
    base.game("8.2.2", "a queen in the corner", board({14: ("h1", 5)}, {}, 208))
    base.game("8.2.2", "a rook of the enemy", board({}, {13: ("h1", 4)}, 208))
    base.game("8.2.1", "the king of the lowest number", board({15: ("e1", 5), 3: ("c1", 6), 12: ("a1", 4)}, {}, 207))
    base.game("8.2.1", "the king of number 0", board({15: ("e1", 5), 0: ("c1", 6), 12: ("a1", 4)}, {}, 207))
    base.game("8.2.2", "no king", join([setup({12: ("a1", 4)}, {}), 207]))
    base.game("8.2.3", "through pieces, onto a knight, which is gone", board({12: ("a1", 4), 8: ("c1", 2), 9: ("d1", 2)}, {}, 207, 129, 32))
    base.game("8.2.4", "a king on another rank and file", board({15: ("b4", 6), 13: ("h4", 4)}, {}, 208))
    for kind in range(8):
        base.game("8.3.2", "a pawn becomes type %d" % kind, board({0: ("a7", 1)}, {}, bytes([209, 0, kind << 5 | 16])))
    for number in range(0, 32, 1):
        base.game("8.3.3", "a queen of number %d, which moves on" % number,
                  board({0: ("a7", 1), 9: ("h1", 2)}, {15: ("h8", 6)}, bytes([209, 0, 5 << 5 | number]), 133, bytes([212, 0x70]), 135))
    base.game("8.3.3", "a number that is taken", board({0: ("a7", 1), 14: ("h1", 5)}, {}, bytes([209, 0, 5 << 5 | 14]), 130, 122))
    base.game("8.3.3", "where its old piece stood is empty", board({0: ("a7", 1), 14: ("h1", 5), 13: ("g1", 4)}, {}, bytes([209, 0, 5 << 5 | 14]), 130, 94))
    base.game("8.3.1", "all four steps", board({1: ("b6", 1)}, {}, bytes([209, 1 << 2 | 1, 2 << 5 | 8])))
    base.game("8.3.1", "a knight promotes", board({8: ("b6", 2)}, {}, bytes([209, 8 << 2 | 2, 5 << 5 | 16])))
    base.game("8.3.4", "a promotion in the middle", [bytes([209, 4 << 2 | 3, 4 << 5 | 16])])
    base.game("8.4.1", "digits above 7 in a step", board({2: ("c3", 2)}, {}, bytes([214, 0x9a])))
    base.game("8.4.2", "a pawn moves by an extended code", [bytes([216, 0x20])])
    for en_passant in 0x53, 0x23, 0x58, 0x50:
        base.game("7.4.4", "en passant %02x" % en_passant, board({}, {}, en_passant=en_passant))
    base.game("7.4.4 7.4.6", "en passant 23, Black to move, half-moves 1", board({}, {}, half_moves=1, en_passant=0x23))
    for rights in 1, 2, 4, 8, 15, 16, 255:
        base.game("7.4.5", "rights %d" % rights, board({12: ("a1", 4), 13: ("h1", 4)}, {12: ("a8", 4), 13: ("h8", 4)}, castling=rights))
        base.game("7.4.5", "rights %d, nobody at home" % rights, board({15: ("d1", 6), 12: ("a1", 4)}, {12: ("b8", 4)}, castling=rights))
    base.game("7.4.3", "a queen numbered as a pawn", board({0: ("d4", 5)}, {}, 0))
    base.game("7.4.3", "pieces that are not there", join([setup({15: ("e1", 6), 0: (0x18, 1), 1: (0x81, 1), 2: ("c3", 0)}, kings[1])]))
    base.game("7.4.6", "half-moves 65535", board({}, {}, half_moves=65535))
    return base.case("bad_steps", covers="18.3 18.4")


def castled():
    """Where castling leaves king and rook, the next moves show."""
    base = Base()
    home = join([setup({13: ("h1", 4), 15: ("e1", 6)}, {13: ("h8", 4), 15: ("e8", 6)}, castling=10)])
    for code in *range(129, 137), *range(88, 102):
        base.game("8.2 8.1.4", "both castle short, then code %d" % code, join([home, 208, 208, code, code]))
    return base.case("bad_castled")


def branches():
    base = Base()
    nothing = bytes([BEGIN, END])
    base.game("7.3.1 7.3.2", "two branches before a move", [branch(D4, D4), branch(C4), E4, E4])
    base.game("7.3.2", "the order with a comment and a symbol behind the move", [branch(D4), E4, after("on e4"), symbol(2, 1), E4])
    base.game("7.3.2", "with a text before the next move", [branch(D4), E4, after("on e4"), before("before e5"), after("late"), E4])
    base.game("7.3.2", "with a symbol before the next move", [branch(D4), E4, symbol(3, 1), after("late"), E4])
    base.game("7.3.2", "with 210 next", [branch(D4), E4, 210, E4])
    base.game("7.3.2", "with a branch next", [branch(D4), E4, after("on e4"), branch(C4), E4])
    base.game("7.3.2", "the end of the line", [branch(D4), E4])
    base.game("7.3.2", "in a branch", [branch(D4, branch(C4), D4), E4])
    base.game("7.3.3", "no move follows", [E4, branch(E4), branch(D4, D4)])
    base.game("7.3.3", "no move follows in a branch", [branch(D4, branch(D4)), E4])
    base.game("7.3.4", "branches alone", [branch(E4, E4), branch(D4), branch(C4)])
    base.game("7.3.4", "the first without a move", [nothing, branch(D4), branch(C4)])
    base.game("7.3.4", "a branch of a branch alone", [branch(branch(E4), branch(D4)), C4])
    base.game("7.3.3 9.5.6", "a symbol at the start of a branch that repeats the move", [E4, branch(symbol(2, 1), E4)])
    base.game("7.3.4", "one branch alone, and a diagram behind a text for the next move", [branch(E4, before("x"), comment(9), E4)])
    base.game("9.4.2", "not joined over a branch", [E4, comment(7), branch(D4), comment(7), E4])
    base.game("7.3.5", "empty branches", [nothing, E4, nothing])
    base.game("7.3.6", "232 without a 231", [END, E4, END, E4])
    base.game("7.3.6", "no 232", [bytes([BEGIN]), D4, bytes([BEGIN]), C4])
    base.game("7.2.2", "an error in a branch", [branch(D4, 220 - 83, D4), branch(C4), E4, E4])
    base.game("7.2.2", "an error in the main line", [branch(D4), E4, 137, E4])
    base.game("7.2.3 7.2.1", "a code that is not described, behind a branch", [branch(D4), E4, 225, E4])
    base.game("7.2.3", "a code that is not described, in a branch of a branch", [branch(D4, branch(225), D4), E4])
    base.game("7.2.1", "a comment cut in a branch", [E4, bytes([BEGIN]), D4, bytes([TEXT, 9, 4]) + b"abc"])
    base.game("7.4.1", "a start behind a branch", [branch(D4), setup({15: ("e1", 6)}, {15: ("e8", 6)})])
    base.game("7.4.1", "a start in a branch", [bytes([BEGIN]), setup({15: ("e1", 6)}, {15: ("e8", 6)}), END, E4])
    base.game("7.4.1", "a start twice", [setup({15: ("e1", 6)}, {15: ("e8", 6)})] * 2)
    base.game("7.4.1", "a start behind comments", [after("first"), setup({15: ("e1", 6)}, {15: ("e8", 6)}), 134])
    base.game("7.4.2", "two pieces on a square", [setup({15: ("e1", 6), 8: ("e1", 2)}, {})])
    base.game("7.4.2", "type 7", [setup({15: ("e1", 7)}, {})])
    base.game("7.4.2", "a start cut", [setup({15: ("e1", 6)}, {})[:50]])
    return base.case("bad_branches", covers="18.5")


def comments():
    base = Base()
    escapes = "quote \" backslash \\ slash / \b \f \n \r \t \x01 \x1f \x7f"
    base.game("9.5.1", "what JSON escapes", [E4, after(escapes)])
    base.game("9.5.11", "NUL bytes at the end", [E4, after(b"text\0\0"), after(b"a\0b")])
    base.game("9.5.3", "texts at the start of lines", [after("a"), before("b"), branch(before("c"), after("d"), D4), E4])
    base.game("9.5.4", "symbols behind a move", [E4, symbol(2, 1), symbol(2, 255), symbol(2, 0)])
    base.game("9.5.5", "symbols before a move, and none", [symbol(3, 1), E4, symbol(3, 2), E4, symbol(3, 3)])
    base.game("9.5.6", "at the start of a branch", [branch(symbol(2, 1), comment(8), D4), branch(symbol(2, 1), comment(8)), E4])
    base.game("9.5.7", "at the start of the game", [symbol(2, 1), comment(8), comment(9), E4])
    base.game("9.5.8", "diagrams", [E4, comment(8), comment(9), E4])
    base.game("9.5.8", "a diagram before a move, variations waiting", [branch(D4), E4, comment(9), E4])
    base.game("9.5.8", "variations read, and a move after them", [branch(D4), E4, before("x"), E4, comment(9), E4])
    base.game("9.5.8", "no variations", [E4, before("x"), comment(9), E4])
    base.game("9.5.8", "variations read", [branch(D4), E4, before("x"), comment(9), E4])
    base.game("9.5.9", "evaluations and raw types with waiting branches", [branch(D4), E4, comment(29, b"\x22\0\xff\0"), comment(6, "x"), E4])
    base.game("9.5.9", "behind a branch, before its move", [branch(D4), comment(29, b"\x22\0\xff\0"), E4])
    base.game("9.5.10", "glyphs that wait, and glyphs behind", [symbol(3, 1), symbol(3, 2), E4, symbol(2, 3)])
    for kind in 0, 1, 6, 7, 10, 21, 255:
        base.game("9.4.1", "type %d" % kind, [E4, comment(kind, b"\x00\xff"), E4])
        base.game("9.4.1", "type %d without content" % kind, [E4, comment(kind), E4])
    base.game("9.4.1", "code 233", [E4, bytes([233, 7]), bytes([233, 255]), E4])
    for content in b"", b"\xdc", b"\1\2":
        base.game("9.4.1", "a symbol of %d bytes" % len(content), [E4, comment(2, content), E4, comment(3, content), E4])
    base.game("9.4.1", "diagrams with content", [E4, comment(8, b"\1"), comment(9, b"\1")])
    for content in [b"\x22\0\xff\0", b"\xe2\xff\xff\0", b"\0\0\xff\0", b"\5\0\xff\0CAP", b"\x22\0\xff\1", b"\x22\0\xff", b"\x22\0\xff\0CAX", b"\x22\0\xff\0CAPS", b"\0\x80\xff\0"]:
        base.game("9.4.1", "type 29, %s" % content.hex(), [E4, comment(29, content)])
    base.game("9.4.2", "joined to a text", [E4, comment(29, b"\x22\0\xff\0"), comment(21, b"\0\xff"), after("fine"), comment(7), after("more")])
    base.game("9.4.2", "ended by a glyph, a move, a branch", [E4, comment(7), symbol(2, 1), comment(7), E4, comment(7), branch(D4), NF3])
    base.game("9.4.2", "not joined to what stands behind a text", [E4, after("a"), comment(7), comment(21)])
    base.game("9.1", "code 234 for a text, 236 for a short one", [E4, bytes([234, 4, 0x41]), bytes([236, 3, 0, 0, 0, 4]) + b"BC"])
    base.game("9.4.1", "comments of length 0", [E4, bytes([235, 0]), bytes([236, 0, 0, 0, 0]), E4])
    base.game("9.5.2", "texts before a move", [E4, before("a"), before("b"), E4])
    base.game("9.5.13", "line ends", [E4, after("a\r\nb\rc\nd\r\r\ne")])
    return base.case("bad_comment_types")


def records():
    base = Base()
    base.game("7.1.1", "a length of 127", [E4, after("x" * 123)])
    base.game("7.1.1", "a length of 128", [E4, after("x" * 124)])
    base.game("7.1.1", "a length of two bytes, the second 0", [E4, E4], length=b"\x82\0")
    base.game("7.1.4", "a length of three bytes", [E4, after("x" * 126), E4], length=b"\x83\x81\0")
    base.game("7.1.4", "a length of three bytes, the second 80", [E4, E4, E4], length=b"\x83\x80\0")
    base.game("7.1.4", "a length of three bytes that makes no sense either", [225, E4], length=b"\x83\x81\0")
    base.game("7.1.3 7.2.1", "a length that is too long by one", [E4, E4, E4], length=4)
    base.game("6.1", "a game id that is none", id=99)
    base.game("6.1", "an address of another game", id=0)
    base.game("6.2", "an address beyond the D02")
    base.addresses[-1] = 1 << 20
    base.game("6.1", "a redirect")
    base.addresses[-1] = -1
    base.game("6.1", "a redirect to itself")
    base.addresses[-1] = 1 - len(base.addresses)
    base.game("6.1", "a redirect that leads out")
    base.addresses[-1] = -500
    base.game("6.2 6.1", "the address 0, which is an empty record")
    base.addresses[-1] = 0
    base.game("7.1.3", "cut by the end of the file", [E4, E4], length=9)
    base.game("7.1.2", "the last byte begins a length of two", b"", length=b"\x85")
    return base.case("bad_places")


def shared():
    base = Base()
    for number in range(20):
        base.game("7.1.5", "one of twenty", [E4, after("x" * 90)])
    base.game("7.1.5", "more than 512 bytes that twenty share", [E4, after("x" * 250), E4, after("x" * 250), E4, after("x" * 250)])
    for number in range(19):
        base.game("7.1.5", "the same bytes", b"", length=b"")
        base.addresses[-1] = base.addresses[20]
    return base.case("bad_shared")


def encodings():
    comment_cut = Base().game("2.1", "the only game", [E4])
    comment_cut = comment_cut.case("description_cut", expect="The CDP counts 20 bytes of comment, of which 5 are there.",
                                   cdp=SIGNATURE.ljust(50, b"\0") + CDP_VERSION.ljust(50, b"\0") + struct.pack("<III", 0, 1, 20) + b"Hello")

    def one(name, rules, expect, *texts, names=()):
        base = Base()
        base.names["Players"][1] = (names[0] if names else b"Ash, Kim", b"")
        for number, text in enumerate(texts):
            base.game(rules, "game %d" % (number + 1), [E4, after(text)])
        return base.case(name, expect=expect)

    first_name = Base()
    first_name.names["Players"][0] = ("Карпов".encode("cp1251"), b"")
    first_name.game("10.1 10.3", "the only game", [E4], white=0)
    described = Base().game("10.1 10.3", "a word in Windows-1252: \u00e4", [E4])
    described = described.case("encoding_description", expect="The comment on the base counts too: windows-1251.",
                               cdp=SIGNATURE.ljust(50, b"\0") + CDP_VERSION.ljust(50, b"\0") + struct.pack("<III", 0, 1, 6) + "Карпов".encode("cp1251"))
    russian, umlauts = "Карпов".encode("cp1251"), "äöüß".encode("cp1252")
    return [
        comment_cut,
        described,
        first_name.case("encoding_first_name", expect="The name of id 0 counts too: windows-1251."),
        one("encoding_four", "10.1 10.2", "Four characters of UTF-8 in all: UTF-8.", "äö".encode(), "ü".encode(), "ß".encode()),
        one("encoding_three", "10.2 10.4", "Three characters of UTF-8 are too few: windows-1252.", "äö".encode(), "ü".encode()),
        one("encoding_mixed", "10.2 10.4", "One text of three is no UTF-8: windows-1252 for all.", "äöüß".encode(), "äö".encode(), umlauts),
        one("encoding_russian", "10.3", "Most bytes stand in runs of three: windows-1251.", russian, b"\xab\xbb"),
        one("encoding_half", "10.3 10.4", "Half of the bytes stand in runs: windows-1252. A pair is no run, nor are letters beside Latin ones.",
            b"\xc0\xc1\xc0\xc1\xc0\xc1", b"\xc0\xc1 J\xc0\xc1\xc0r \x80"),
        one("encoding_run", "10.3", "Three of four bytes stand in a run of three, the first of them C0: windows-1251.", b"\xc0\xc1\xc2", b"\xab"),
        one("encoding_names", "10.1 10.3", "A name counts too: windows-1251.", b"\xe4", names=(russian,)),
    ]


# 1.e4 e5 and the move of a bishop from f1: legal only where it comes to c4.
RIGHT = [E4, E4, 70]
MIRRORED = [E4, E4, 63]  # as literal and left have it
BISHOPS = setup({11: ("f1", 3), 0: ("f2", 3), 15: ("e1", 6)}, {0: ("f8", 3), 15: ("e8", 6)})
LITERAL = [BISHOPS, 63, bytes([212, 0x55])]  # Black's bishop goes f8-c5 if extended moves count to the right
LEFT = [BISHOPS, bytes([212, 0x33])]  # f2-c5, or a5
NEVER = [E4, E4, E4]


def self_checks():
    """Under which reading the games of a base are legal."""
    def base(name, expect, *games):
        made = Base()
        for number, codes in enumerate(games):
            made.game("11.1 11.2 11.3 11.4", "game %d" % (number + 1), codes)
        return made.case(name, expect=expect)

    illegal_late = RIGHT + [D4, 3, 3, 31, 31, 7, 7, 137]
    return [
        base("counted_first_games", "Of the first 64 games 33 are legal as literal has it, of all most as right has it: literal.", *[MIRRORED] * 33, *[NEVER] * 31, *[RIGHT] * 35),
        base("counted_half", "Half of the games counted is not more than half: right.", MIRRORED, MIRRORED, NEVER, NEVER),
        base("counted_empty", "Games without a move are not counted, so two of three are legal as literal has it: literal.", MIRRORED, [], [after("no move")], [], MIRRORED, NEVER),
        base("counted_twice", "Two games against one are twice as many: literal.", MIRRORED, RIGHT, MIRRORED),
        base("counted_less_than_twice", "Three games against two are not twice as many: right.", MIRRORED, RIGHT, MIRRORED, RIGHT, MIRRORED),
        base("bad_counted_moves", "More games are legal as literal has it, but more moves as right has it: right.", MIRRORED, illegal_late, MIRRORED),
        base("counted_literal", "Literal alone reads plain moves to the left and extended ones to the right.", LITERAL, LITERAL),
        base("counted_late", "Nothing tells literal from left before the games 65 and 66: left.", *[MIRRORED] * 64, LEFT, LEFT, MIRRORED),
        base("counted_tie", "Left is no better than literal: literal.", MIRRORED, LITERAL, LEFT, MIRRORED),
        base("bad_counted_variations", "Variations count, null moves do not, and an error is not legal: literal.",
             [E4, E4, branch(63), 3], [E4, 211, 63], MIRRORED, RIGHT + [137], RIGHT),
    ]


def volumes():
    """The volume of a base put together otherwise."""
    base = Base().game("3.1 3.2", "the only game", [E4])
    usual = base.volume()
    folder_length, table = struct.unpack_from("<II", usual, 136)
    start, folder = table - folder_length, usual[table - folder_length:table]

    def with_folder(pieces, at, entries=folder):
        """The folder in pieces, four bytes between them; the last one ends the volume if the table comes first (`at`)."""
        out, fragments, rest = bytearray(usual[:start]), b"", entries
        if at == "first":
            out += bytes(8 * len(pieces))
        for size in pieces:
            fragments += struct.pack("<II", size, len(out))
            out += rest[:size] + (bytes(4) if at != "first" else b"")
            rest = rest[size:]
        place = start if at == "first" else len(out)
        out[place:place + (len(fragments) if at == "first" else 0)] = fragments
        struct.pack_into("<II", out, 136, len(entries), place)
        return bytes(out)

    def changed(place, data):
        return usual[:place] + data + usual[place + len(data):]

    odd = bytearray(folder)
    odd[256] = 1
    empty = struct.pack("<IIII", 0, 2, 0, 150) + bytes(12) + b"Players.iii".ljust(228, b"\0")
    size = struct.pack("<I", len(usual))

    def overlapping(data, fragments, place=None):
        """The folder in fragments, of which one lies where it must not. Bytes 16 to 27 of an entry say nothing, so that only the overlap is wrong."""
        entries = b"".join(struct.pack("<II", *fragment) for fragment in fragments)
        out = bytearray(usual[:start] + data + (entries if place is None else b""))
        place = len(out) - len(entries) if place is None else place
        out[place:place + len(entries)] = entries
        struct.pack_into("<II", out, 136, len(folder), place)
        return bytes(out)

    rest = len(folder)
    return [
        base.case("volume_folder_last", expect="The last byte of the volume is that of its folder.", emb=with_folder([len(folder)], "first")),
        base.case("volume_empty_file", expect="An empty file has no table of fragments, wherever it is said to stand.", emb=with_folder([len(folder) + 256], "last", folder + empty)),
        base.case("bad_volume_second_entry", expect="The second entry begins with 1, and a fragment of the folder with it: a warning of this place.",
                  emb=with_folder([256, len(folder) - 256], "last", bytes(odd))),
        base.case("bad_volume_other", expect="The version is not that of a volume: no names.", emb=changed(64, b"Another")),
        base.case("bad_volume_size", expect="A folder as long as the volume, of which the table is cut: no names.", emb=changed(136, size)),
        base.case("bad_volume_beyond", expect="The folder begins within the volume and ends outside: no names.",
                  emb=changed(table + 4, struct.pack("<I", start + 50))),
        base.case("bad_folder_in_header", expect="The folder's first fragment is four zeros of the header: no names.", covers="3.1.6",
                  emb=overlapping(folder[4:], [(4, 128), (rest - 4, start)])),
        base.case("bad_folder_in_itself", expect="The folder's second fragment begins four bytes before the first ends: no names.", covers="3.1.6",
                  emb=overlapping(folder[:20] + folder[24:], [(20, start), (rest - 20, start + 16)])),
        base.case("bad_folder_in_table", expect="The folder's second fragment is eight bytes of the table of its fragments: no names.", covers="3.1.6",
                  emb=overlapping(folder[:16] + bytes(24) + folder[24:], [(16, start), (8, start + 16), (rest - 24, start + 40)], start + 16)),
    ]
