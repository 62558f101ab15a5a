"""Archives of jose that show what no other does: plain tar, with the definitions of fixtures/movecode/folder.
(docs/formats/movecode.md)"""

import gzip

from make import Case, FIXTURES

FOLDER = FIXTURES / "movecode" / "folder"
# Name, kind and size, may be null. (movecode §9.3)
LAYERS = 3  # more than are unpacked
GAME = [
    ("CId", "int", 4, 0), ("Idx", "int", 4, 0), ("Attributes", "int", 1, 0), ("PlyCount", "int", 4, 0), ("Result", "int", 1, 0),
    ("WhiteId", "int", 4, 0), ("BlackId", "int", 4, 0), ("WhiteELO", "int", 4, 1), ("BlackELO", "int", 4, 1), ("EventId", "int", 4, 0),
    ("SiteId", "int", 4, 0), ("GameDate", "date", 3, 1), ("EventDate", "date", 3, 1), ("DateFlags", "int", 2, 0), ("OpeningId", "int", 4, 0),
    ("ECO", "char", 9, 1), ("AnnotatorId", "int", 4, 1), ("WhiteTitle", "varchar", 96, 1), ("BlackTitle", "varchar", 96, 1),
    ("Round", "varchar", 96, 1), ("Board", "varchar", 96, 1), ("FEN", "varchar", 384, 1), ("Info", "varchar", 765, 1), ("Bin", "blob", 3, 1),
    ("Comments", "blob", 3, 1), ("PosMain", "blob", 3, 1), ("PosVar", "blob", 3, 1),
]
NAMES = [("Id", "int", 4, 0), ("Name", "varchar", 765, 0)]
OPENING = [("Id", "int", 4, 0), ("HashKey", "int", 8, 0), ("Ply", "int", 4, 1), ("ECO", "char", 9, 0), ("Name", "varchar", 765, 0)]
E4 = "13"
E4E5 = "13 13"
NF3 = "2e"


def text(value):
    return value if isinstance(value, bytes) else value.encode()


def row(columns, values):
    """movecode §12"""
    packing, nulls, data = [], [], b""
    for name, kind, size, nullable in columns:
        value = values.get(name)
        if nullable:
            nulls.append(value is None or name in values.get("null", ()))
        if kind in ("int", "date"):
            number = value or 0
            packing.append(number == 0)
            data += b"" if number == 0 else (number & (1 << 8 * size) - 1).to_bytes(size, "little")
        elif kind == "blob":
            value = text(value or b"")
            packing.append(not value)
            data += len(value).to_bytes(size, "little") + value if value else b""
        elif kind == "char":
            value = text(value or "")
            whole = name in values.get("whole", ())
            packing.append(not whole)
            data += value.ljust(size) if whole else bytes([len(value)]) + value
        else:
            value = text(value or "")
            long = len(value) > 254 or name in values.get("long", ())
            data += (b"\xff" + len(value).to_bytes(2, "big") if long else bytes([len(value)])) + value
    return bits(packing, 0) + bits(nulls, 1) + data


def bits(flags, spare):
    flags = flags + [spare] * (-len(flags) % 8)
    return bytes(sum(bool(flag) << bit for bit, flag in enumerate(flags[at:at + 8])) for at in range(0, len(flags), 8))


def block(data, kind=None):
    """movecode §11: a whole row."""
    size = max(20, (len(data) + 3 + 3) // 4 * 4)
    if kind in (2, 4) or len(data) > 65000:
        size = max(20, (len(data) + 5 + 3) // 4 * 4)
        unused = size - len(data) - 5
        return b"\4" + len(data).to_bytes(3, "big") + bytes([unused]) + data + bytes(unused)
    if size == len(data) + 3:
        return b"\1" + len(data).to_bytes(2, "big") + data
    unused = size - len(data) - 4
    return b"\3" + len(data).to_bytes(2, "big") + bytes([unused]) + data + bytes(unused)


def tar(files):
    """Names with a slash are long ones: of a .MYD as GNU has them, of a .frm as POSIX."""
    return b"".join(member(name, data) for name, data in files.items()) + bytes(1024)


def member(name, data, kind=b"0"):
    if "/" in name and name.endswith("MYD"):
        return member("././@LongLink", name.encode() + b"\0", b"L") + member("cut.MYD", data)
    if "/" in name and name.endswith("frm"):
        record = " path=%s\n" % name
        return member("pax", ("%d%s" % (len(record) + 3, record)).encode(), b"x") + member("cut.frm", data)
    return header_of(name, data, kind) + data + bytes(-len(data) % 512)


def header_of(name, data, kind):
    header = bytearray(512)
    header[:len(name)] = name.encode()
    for at, size, value in [(100, 8, "0000644"), (108, 8, "0000000"), (116, 8, "0000000"), (124, 12, "%011o" % len(data)), (136, 12, "0" * 11)]:
        header[at:at + size] = value.encode().ljust(size, b"\0")
    header[148:156] = b" " * 8
    header[156:157] = kind
    header[257:265] = b"ustar\00000"
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


class Base:
    """Games are appended to it; the event of each says what it shows."""

    def __init__(self):
        self.covers, self.rows, self.events, self.count = [], b"", [(0, "-")], 0
        self.players = [(0, "-"), (1001, "Ash, Kim"), (1002, "Elm, Lee"), (1003, ""), (1004, "Z\u00fcrn, \u017b"), (1005, b"M\xfcller")]
        self.columns, self.hash = GAME, 0
        self.openings = [(0, "-"), (1, "Sicilian"), (2, "")]

    def row(self, what, code=E4E5 + " d3 ff", comments=None, **values):
        number = 1001 + len(self.events)
        self.events.append((number, what))
        code = None if code is None else bytes.fromhex(code)
        defaults = dict(CId=1001, Idx=len(self.events), WhiteId=1001, BlackId=1002, EventId=number, SiteId=0, Result=-1, Bin=code, Comments=comments)
        return row(self.columns, {**defaults, **values})

    def game(self, rules, what, *args, **values):
        self.covers += rules.split()
        self.count += 1
        self.rows += block(self.row(what, *args, **values))
        return self

    def raw(self, rules, data, games=1):
        """Blocks as they are."""
        self.covers += rules.split()
        self.count += games
        self.rows += data
        return self

    def case(self, name, expect="The event of each game says what it shows.", games=None, covers="", folder="", wrap=bytes, definition=None, **files):
        def table(columns, rows):
            return b"".join(block(row(columns, dict(zip([column[0] for column in columns], values)))) for values in rows)

        found = {"IO_Game.MYD": self.rows, "IO_Player.MYD": table(NAMES, self.players), "IO_Event.MYD": table(NAMES, self.events),
                 "IO_Site.MYD": table(NAMES, [(0, "-")]), "IO_Opening.MYD": table(OPENING, [(number, self.hash, 0, "-", text_) for number, text_ in self.openings])}
        found.update(files)
        packed = {}
        for file, data in found.items():
            packed[file.replace("MYD", "frm")] = (FOLDER / file.replace("MYD", "frm")).read_bytes()
            packed[file] = data
        if definition:
            packed["IO_Game.frm"] = definition
        packed = {folder + name_: data for name_, data in packed.items()}
        case = Case("movecode", name, {"jose": wrap(tar(packed))}, self.covers + covers.split(), self.count if games is None else games, expect)
        case.format = "jose"
        return case


def cases():
    return [codes(), crowds(), texts(), rows(), blocks(), published(), *wrappings(), russian(), *definitions(), evals()]


def wrappings():
    """movecode §10: what an archive may be wrapped in."""
    def one():
        return Base().game("10.1", "the only game")

    def layers(count):
        def wrap(data):
            for _ in range(count):
                data = gzip.compress(data, mtime=0)
            return data
        return wrap

    twice = one()
    return [
        one().case("bad_tar_long_names", expect="Every name is longer than a header holds, as GNU or as POSIX has it; there is no table of collections.", folder="folder/" * 20),
        one().case("bad_wrap_layers", expect="Gzip in gzip; there is no table of collections.", wrap=layers(LAYERS - 1)),
        one().case("bad_layers", expect="Wrapped too often: it does not open.", games=0, wrap=layers(LAYERS)),
        one().case("bad_seven_zip", expect="A 7-Zip archive: it does not open, and the message says what opens it.", games=0, wrap=lambda data: b"7z\xbc\xaf\x27\x1c" + bytes(600)),
        twice.case("bad_table_twice", expect="The table of players is there twice, the second time empty: the first counts, with a warning.",
                   wrap=lambda data: data[:-1024] + member("IO_Player.MYD", b"") + bytes(1024)),
    ]


def russian():
    base = Base()
    base.players[1] = (1001, "Ким".encode("cp1251"))
    base.game("7.2", "a name and a comment in Russian", E4 + " e0 d3 ff", comments="Хорошо".encode("cp1251") + b"\0")
    case = base.case("bad_russian", expect="Read as Windows-1251, which a user must say; there is no table of collections.")
    case.encoding = "windows-1251"
    return case


def published():
    """movecode §14: numbers of knight and king, and places of texts, as the published description has them."""
    base = Base()
    knight = " ".join("2%x 95 2%x 94" % (way, (way + 4) % 8) for way in range(8))
    king = " ".join("9%x 97 9%x 96" % pair for pair in [(0, 2), (1, 3), (2, 0), (3, 1), (4, 5), (5, 4), (6, 7), (7, 6)])
    base.game("14", "a knight, all ways and back", knight + " d3 ff", FEN="4k3/8/8/8/3N4/8/8/4K3 w - - 0 1")
    base.game("14", "a king, all ways and back", king + " d3 ff", FEN="k7/8/8/8/3K4/8/8/8 w - - 0 1")
    base.game("14", "Black's knight and king, counted as White's", "9%x 23 97 24 96 95 ff" % 7, FEN="4k3/8/8/3n4/8/8/8/4K3 w - - 0 1")
    base.game("14", "pawns, turned round for Black", "13 0f 12 13 ff")
    base.game("14", "texts behind their codes", "13 e0 68 69 00 13 e1 3f 21 00 f0 0f e4 00 f1 d3 ff")
    base.game("14", "bishop and queen by the rank they land on", "13 13 4b 7b ff")
    case = base.case("bad_published", covers="14.1.1 14.1.2", expect="All games fit the published description, and few fit jose: read as published, with a warning. With dialect=jose, knights and kings go elsewhere.")
    case.options = ["dialect=auto", "dialect=jose", "dialect=published"]
    return case


def codes():
    base = Base()
    board = "4k3/8/8/8/8/8/%s/4K3 w - - 0 1"
    base.game("2.1", "no FEN", E4 + " d3 ff")
    base.game("2.1", "an empty FEN", E4 + " d3 ff", FEN="")
    base.game("2.1 19.3", "a FEN", "96 d3 ff", FEN=board % "8")
    base.game("2.1 19.5", "no FEN at all", E4 + " d3 ff", FEN="no FEN at all")
    base.game("2.2 3.5.4", "no end", E4E5)
    base.game("2.2", "codes behind the end", E4 + " d3 ff 13")
    base.game("2.2", "no codes", None)
    base.game("2.3 3.5.4", "half a promotion", E4E5 + " a0")
    base.game("2.3", "half a NAG", E4E5 + " b0")
    base.game("2.4", "damage in a variation", E4E5 + " f0 0f 9f f1 2e d3 ff")
    for code, column in [("d0", -1), ("d1", -1), ("d2", -1), ("d3", -1), ("d0", 0), ("d2", 0), ("d3", 2), ("", 1), ("d0 d2", -1)]:
        base.game("3.5.1 3.5.2 3.5.3 3.5.4", "result %s, column %d" % (code or "none", column), E4 + " " + code + " ff", Result=column)
    base.game("3.5.1", "codes behind a result", E4 + " d2 13 b1 ff")
    for slot in range(8):
        base.game("4", "White's pawn %d, all directions that there are" % slot, "%02x 13 %02x 0c ff" % (slot << 2, slot << 2))
    base.game("4.1", "a taken pawn", "13 0f 12 0f ff")
    base.game("4.1 5.4.2", "a pawn taken in passing", "13 00 10 0f 12 0c ff")
    base.game("4.1", "a pawn that is a queen now, by a pawn's code", "a0 23 95 00 ff", FEN="8/P6k/8/8/8/8/8/7K w - - 0 1")
    base.game("4.1", "a piece that is a pawn yet", "a8 20 ff", FEN="8/P6k/8/8/8/8/8/7K w - - 0 1")
    base.game("4.1 4.3", "promoting twice", "a0 23 95 a0 23 ff", FEN="8/P6k/8/8/8/8/8/7K w - - 0 1")
    base.game("4.2", "off the board", "20 ff", FEN=board % "7N")
    base.game("4.2", "a rook to its own square", "51 ff", FEN=board % "R7")
    base.game("4.3", "onto an own piece", "50 ff")
    base.game("4.3", "a rook jumps", "52 ff")
    for slot, code in ("queen's", "5f"), ("king's", "6f"):
        base.game("4", "the %s rook to the h-file, %s" % (slot, code), code + " ff", FEN="4k3/8/8/8/R7/R7/8/4K3 w - - 0 1")
    base.game("4.3", "a bishop jumps", "32 ff")
    base.game("4.3", "a pawn straight onto a piece", "00 ff", FEN="4k3/8/8/8/8/n7/P7/4K3 w - - 0 1")
    base.game("4.3", "two squares over a piece", "03 ff", FEN="4k3/8/8/8/8/n7/P7/4K3 w - - 0 1")
    base.game("4.3", "aslant onto nothing", "01 ff", FEN=board % "P7")
    base.game("4.3", "aslant onto nothing, beside a pawn", "01 ff", FEN="4k3/8/8/Pp6/8/8/8/4K3 w - - 0 1")
    base.game("4.3", "en passant by the FEN", "01 d3 ff", FEN="4k3/8/8/Pp6/8/8/8/4K3 w - b6 0 1")
    base.game("4.3", "a promotion in the middle", "a0 20 ff", FEN=board % "P7")
    base.game("4.4", "the king stays in check", "00 d3 ff", FEN="4k3/8/8/8/4r3/8/P7/4K3 w - - 0 1")
    base.game("4.4", "a pawn stays one on the last rank", "00 95 d3 ff", FEN="8/P6k/8/8/8/8/8/7K w - - 0 1")
    base.game("4.5 4.7", "the king steps onto its rook", "94 97 51 d3 ff", FEN="4k3/8/8/8/8/8/8/4KR2 w - - 0 1")
    base.game("4.3", "the king steps onto its rook on the second rank", "94 d3 ff", FEN="4k3/8/8/8/8/8/4KR2/8 w - - 0 1")
    base.game("4.6 4.7", "castling without rights", "98 99 d3 ff", FEN="r3k3/8/8/8/8/8/8/4K2R w - - 0 1")
    base.game("4.6", "the rook nearest to the edge", "98 d3 ff", FEN="4k3/8/8/8/8/8/8/4KRR1 w - - 0 1")
    base.game("4.6", "the rook of the right", "98 d3 ff", FEN="4k3/8/8/8/8/8/8/4KRR1 w F - 0 1")
    base.game("4.6", "no rook", "98 ff", FEN=board % "8")
    base.game("4.6", "the king on the second rank", "98 ff", FEN="4k3/8/8/8/8/8/4K2R/8 w - - 0 1")
    base.game("4.6", "two kings", "98 ff", FEN="4k3/8/8/8/8/8/8/K3K2R w - - 0 1")
    base.game("4.7", "castling onto a knight, which is gone", "98 97 21 ff", FEN="4k3/8/8/8/8/8/8/4K1NR w - - 0 1")
    base.game("4.8", "null moves, in check", "9a 9a 94 d3 ff", FEN="4k3/8/8/8/4r3/8/8/4K3 w - - 0 1")
    base.game("5.4.1", "three knights and nine pawns", "20 94 28 94 1c d3 ff", FEN="4k3/8/8/N7/N7/NP6/PPPPPPPP/4K3 w - - 0 1")
    base.game("6.1", "a variation first", "f0 13 f1 ff")
    base.game("6.1", "a variation first in a variation", E4E5 + " f0 f0 0b f1 f1 ff")
    base.game("6.1 6.2", "slots come back", "13 0f 12 f0 10 00 f1 84 f0 00 f1 f0 04 f0 08 f1 f1 2e d3 ff")
    base.game("6.2", "a stray end of a variation", E4E5 + " f1 2e ff")
    base.game("6.3", "two variations open", E4E5 + " f0 0b f0 0f d3 ff")
    for code in "9b 9c 9d 9e 9f".split():
        base.game("4", "reserved code %s" % code, code + " d3 ff", FEN="4k3/8/8/8/3K4/8/8/8 w - - 0 1")
    for code in ["a0 03", "a0 c3", "a0 63"]:
        base.game("4", "a second byte: %s" % code, code + " d3 ff", FEN="8/P6k/8/8/8/8/8/7K w - - 0 1")
    for second in "2c 0c cc ec".split():
        base.game("4", "a promoted queen, second byte %s" % second, "a0 23 95 a8 %s d3 ff" % second, FEN="8/P6k/8/8/8/8/8/7K w - - 0 1")
    for piece, second in [("0", "22"), ("0", "3a"), ("1", "2c"), ("1", "3c"), ("2", "2b"), ("2", "3b")]:
        base.game("4", "promoted to %s, second byte %s" % (piece, second), "a0 2%s 95 a8 %s d3 ff" % (piece, second), FEN="8/P6k/8/8/8/8/8/7K w - - 0 1")
    for nag in ["b0 00", "b0 05", "b0 20", "b0 ff"] + ["%02x" % code for code in range(0xb1, 0xd0)]:
        base.game("4", "NAG %s" % nag, E4 + " " + nag + " d3 ff")
    for code in ("%02x" % code for code in range(0xf2, 0xff)):
        base.game("4", "reserved code %s" % code, E4 + " " + code + " 13 d3 ff")
    return base.case("bad_codes", covers="19.4")


def crowds():
    base = Base()
    for kind, ranks in [("bishops", "3B4/B1B5/8"), ("rooks", "3R4/R1R5/8"), ("queens", "3Q4/Q7/8"), ("pawns", "3P4/P1P1PPPP/1P1P4")]:
        base.game("5.4.1", "more %s than slots" % kind, "96 d3 ff", FEN="4k3/8/8/8/%s/4K3 w - - 0 1" % ranks)
    base.game("3.3", "NAGs 1 and 31 in two bytes", E4 + " b0 01 b0 1f 13 d3 ff")
    return base.case("bad_crowds")


def texts():
    base = Base()

    def one(rules, what, comments, code="e0"):
        base.game(rules, what, E4 + " " + code + " d3 ff", comments=comments)

    for code in range(0xe0, 0xf0):
        one("7.1", "code %02x" % code, b"words\0", "%02x" % code)
    for code in range(0xd4, 0xe0):
        one("7.1", "code %02x" % code, b"words\0", "%02x" % code)
    escapes = "quote \" backslash \\ slash / \b \f \n \r \t \x01 \x1f \x7f \u2028"
    one("7.2", "what JSON escapes", text(escapes) + b"\0")
    one("7.2", "four bytes of UTF-8", "\U0001f600".encode() + b"\0")
    one("7.2", "CESU-8 and UTF-8", b"\xed\xa0\xbd\xed\xb8\x80 \xc3\xa9 \xed\xaf\xbf\xed\xbf\xbf\0")
    one("7.2", "one surrogate", b"\xed\xa0\xbd x \x80\x81\x9f\0")
    one("7.2", "two high surrogates", b"\xed\xa0\xbd\xed\xa0\xbd\0")
    one("7.2", "Windows-1252", b"\x80\x81\x8d\x8f\x90\x9d\x9f \xe9\0")
    one("7.3", "no text", None)
    one("7.3", "one of two", b"one\0", "e0 13 e0")
    one("7.4", "no end", b"no end")
    one("7.5", "texts that no code takes", b"one\0two\0\0")
    one("7.1", "an empty text", b"\0")
    one("7.6", "line ends", b"a\r\nb\rc\nd\r\r\ne\0")
    return base.case("bad_text_forms")


def date(year, month, day):
    return year << 9 | month << 5 | day


def rows():
    base = Base()
    base.game("9.3.1", "no White, an empty Black", WhiteId=0, BlackId=1003)
    base.game("9.3.1", "a number without a name", WhiteId=7777, SiteId=5, OpeningId=99, AnnotatorId=-1)
    base.game("9.3.1", "number 1, which no name has", SiteId=1)
    base.game("9.3.1", "names of other letters", WhiteId=1004, BlackId=1005)
    base.game("9.3.2", "round: null")
    base.game("9.3.2", "round: empty", Round="")
    base.game("9.3.2", "round 3.1", Round="3.1")
    for result in 0, 1, 2, -1, 3, -2, 127:
        base.game("9.3.3 12.4", "column Result %d" % result, E4 + " ff", Result=result)
    for elo in 0, 1, 65535, 65536, -1:
        base.game("9.3.4 12.4", "rating %d" % elo, WhiteELO=elo, BlackELO=2500)
    for eco in "B90", "c42", "B9", "", "F10":
        base.game("9.3.5", "ECO %r" % eco, ECO=eco)
    base.game("9.3.5 12.1", "an ECO that is padded", ECO="B90", whole=("ECO",))
    base.game("9.3.6", "opening and annotator", OpeningId=1, AnnotatorId=1001)
    base.game("9.3.6", "empty ones", OpeningId=2, AnnotatorId=1003)
    base.game("9.3.6", "none", OpeningId=0, AnnotatorId=0)
    base.game("9.3.7", "titles and board", WhiteTitle="GM", BlackTitle="IM", Board="1")
    base.game("9.3.7", "empty titles and board", WhiteTitle="", BlackTitle="", Board="")
    base.game("9.3.8 19.2", "Chess960, with all other tags", Attributes=8, OpeningId=1, AnnotatorId=1002, WhiteTitle="GM", BlackTitle="IM", Board="3", Info="Zeta=z;Alpha=a",
              Result=2)
    base.game("9.3.8", "Chess960 by Info", Attributes=15, Info="Variant=Fischer")
    base.game("9.3.9", "PlyCount 99", PlyCount=99)
    base.game("9.4.1 9.4.2", "Info: two tags", Info="One=1;Two=2;")
    base.game("9.4.1", "Info: semicolons in a value", Info="One=1;2;3;Two=a; b=c")
    base.game("9.4.2", "Info: no tag first", Info="words;One=1")
    base.game("9.4.2", "Info: words", Info="only words")
    base.game("9.4.2", "Info: no name", Info="=1;One=")
    base.game("9.4.2", "Info: empty", Info="")
    base.game("9.4.3", "Info: tags of the model", Info="WhiteElo=2222;ECO=A00;White=Other;Deleted=1;Date=1999.1.2;EventDate=?;Result=1-0", WhiteELO=2500)
    for flags in 0, 0x10, 0x20, 0x40, 0x70, 0x1000, 0x2000, 0x4000, 0x7070:
        base.game("9.5.1 19.1", "DateFlags %04x" % flags, GameDate=date(1999, 5, 6), EventDate=date(2000, 7, 8), DateFlags=flags)
    base.game("9.5.1", "parts of zero", GameDate=date(1999, 0, 6), EventDate=date(0, 7, 0))
    base.game("9.5.2", "month 13", GameDate=date(1999, 13, 6), EventDate=date(1999, 15, 6))
    base.game("9.5.2", "year 9999 and 10000", GameDate=date(9999, 12, 31), EventDate=date(10000, 1, 1))
    base.game("9.5.2", "a month of 13 that is unknown", GameDate=date(1999, 13, 6), DateFlags=0x20)
    base.game("9.5.3", "null and zero", EventDate=0)
    base.game("12.2", "nulls that hold something", null=("Board", "WhiteELO", "ECO", "GameDate"), Board="3", WhiteELO=2500, ECO="B90", GameDate=date(1999, 5, 6))
    base.game("12.3", "texts of 254, 255 and 300 bytes", Info="A=" + "x" * 252, FEN=None, Round="y" * 96)
    base.game("12.3", "a text of 300 bytes", Info="A=" + "x" * 298)
    base.game("12.3", "a short text behind ff", Info="A=b", long=("Info",))
    return base.case("bad_columns")


def blocks():
    base = Base()

    def data(what, code=E4E5 + " d3 ff"):
        return base.row(what, code, comments=b"n" * 40)

    base.raw("11.9 11.11", b"\0" + (16).to_bytes(3, "big") + bytes(12))
    base.raw("11.3 11.9", block(data("type 3")))
    base.raw("11.3", block(data("type 4"), 4))
    whole = data("type 2")
    while (len(whole) + 4) % 4:
        whole = base.row("type 2" + "." * (-(len(whole) + 4) % 4), E4E5 + " d3 ff", comments=b"n" * (40 + -(len(whole) + 4) % 4))
    base.raw("11.2", b"\2" + len(whole).to_bytes(3, "big") + whole)
    whole = data("type 1")
    while (len(whole) + 3) % 4:
        whole = base.row("type 1", E4E5 + " d3 ff", comments=b"n" * (40 + -(len(whole) + 3) % 4))
    base.raw("11.2", b"\1" + len(whole).to_bytes(2, "big") + whole)
    base.raw("11.1 11.10", b"\0" + (24).to_bytes(3, "big") + bytes(20), 0)
    base.raw("11.3 11.10", block(data("behind a free block")))
    least = row(GAME, {})
    assert len(least) == 12, "a block of 16 bytes"
    base.raw("11.9", b"\3" + len(least).to_bytes(2, "big") + b"\0" + least)
    for kinds in [(5, 11, 9), (6, 12, 10), (13, 11, 9), (5, 9), (5, 11, 7), (6, 8)]:
        base.raw("11.4 11.5 11.6 11.7 11.8 11.12", aligned(base, kinds))
    base.raw("11.12", broken(base, (5, 9), "a part that goes beyond its row"))
    base.raw("11.12", block(data("behind it")))
    base.raw("12.5", block(data("a row that ends late") + b"more"))
    base.raw("12.5", block(data("a row that ends early")[:-3]))
    base.raw("11.11", b"\x63" * 24)
    for number in range(5):
        base.raw("11.11", block(data("behind bytes that are no block: %d" % (number + 1))))
    base.raw("11.11", b"\x0e" + bytes(23))
    for number in range(3):
        base.raw("11.11", block(data("fewer than four, to the end of the file: %d" % (number + 1))))
    return base.case("bad_blocks", covers="12.1 12.2")


def aligned(base, kinds, more=0):
    """A row in parts; each part has as many bytes as make its block a multiple of four."""
    whole = base.row("parts of types %s" % ", ".join(map(str, kinds)), E4E5 + " d3 ff", comments=b"n" * (60 + more))
    out, at, start = b"", 0, len(base.rows)
    for place, kind in enumerate(kinds):
        size = 3 if kind in (6, 8, 10, 12, 13) else 2
        last = place == len(kinds) - 1
        full = kind in (7, 8)
        header = 1 + size + ({5: size, 6: size, 13: 4}.get(kind, 0)) + (0 if full else 8 if kind in (5, 6, 11, 12, 13) else 1)
        count = len(whole) - at if last else 24 + -(header + 24) % 4
        piece = whole[at:at + count]
        at += count
        head = bytes([kind])
        if kind in (5, 6, 13):
            head += len(whole).to_bytes(4 if kind == 13 else size, "big")
        head += count.to_bytes(size, "big")
        unused = -(header + count) % 4
        if full and unused:
            # Nothing may be unused here: a longer comment fills it.
            base.events.pop()
            return aligned(base, kinds, more + unused)
        if full:
            out += head + piece
        elif last:
            out += head + bytes([unused]) + piece + bytes(unused)
        else:
            out += head + (start + len(out) + header + count).to_bytes(8, "big") + piece
    return out


def broken(base, kinds, what):
    out = bytearray(aligned(base, kinds))
    # The length of the row is less than its parts have.
    out[1:3] = (30).to_bytes(2, "big")
    return bytes(out)


def evals():
    """movecode §9.6: the column that is PosMain elsewhere is Eval here."""
    base = Base()
    none, one, two = b"\x80\0\x80\0", b"\x4e\x20\x1f\x40", b"\0\0\x7f\xff"
    base.game("9.6.1 9.6.2", "e4 and e5", PosMain=one + two)
    base.game("9.6.2", "the second move only, with a text of its own", E4E5 + " e0 d3 ff", b"good\0", PosMain=none + one)
    base.game("9.6.1", "in the order of the codes: e4 (c4) e5", E4 + " f0 0b f1 13 d3 ff", PosMain=one + two + b"\0\1\0\2")
    base.game("9.6.2", "one of two numbers", PosMain=b"\x80\0\0\5" + b"\0\7\x80\0")
    base.game("9.6.2", "negative numbers", PosMain=b"\xff\xff\x80\1" + none)
    base.game("9.6.3", "one evaluation for two moves", PosMain=one)
    base.game("9.6.3", "three for two moves", PosMain=one + two + one)
    base.game("9.6.3", "six bytes", PosMain=one + two[:2])
    base.game("9.6.3", "damaged codes", E4 + " 60 ff", PosMain=one + two)
    base.game("9.6.4", "no evaluation", PosMain=none + none)
    base.game("9.6.4", "an empty column", PosMain=b"")
    base.game("9.6.1", "a null move has its evaluation", "9a 13 d3 ff", PosMain=b"\0\1\0\2" + b"\0\3\0\4")
    return base.case("bad_evals", definition=definition(names=[("PosMain", "Eval")]))


def definition(names=(), kinds=(), at=(), swapped=False, null=()):
    """movecode §10: the definition of games with other names and types of columns, or other bytes."""
    frm = (FOLDER / "IO_Game.frm").read_bytes()
    for old, new in names:
        frm = frm.replace(b"\xff%s\xff" % old.encode(), b"\xff%s\xff" % new.encode())
    frm = bytearray(frm)
    form = int.from_bytes(frm[67:71], "little")
    size = int.from_bytes(frm[form + 268:form + 270], "little") + sum(len(new) - len(old) for old, new in names)
    frm[form + 268:form + 270] = size.to_bytes(2, "little")
    entries = frm.index(b"\xffCId\xffIdx\xff") - 17 * len(GAME)
    for column, kind in kinds:
        frm[entries + 17 * [name for name, *_ in GAME].index(column) + 13] = kind
    for column in null:
        frm[entries + 17 * [name for name, *_ in GAME].index(column) + 9] |= 0x80
    if swapped:
        first, second = frm[entries:entries + 17], frm[entries + 17:entries + 34]
        frm[entries:entries + 34] = second + first
        frm = frm.replace(b"\xffCId\xffIdx\xff", b"\xffIdx\xffCId\xff")
    for place, byte in at:
        frm[place] = byte
    return bytes(frm)


def definitions():
    other = Base()
    other.game("9.3.10", "nothing in columns of other names")
    other.game("9.3.10", "a text in one", Board="3")
    other.game("9.3.10", "a number in one", Attributes=8)
    other.game("9.3.10", "a date whose flags are in one", GameDate=date(1999, 5, 6), DateFlags=0x10)
    other.game("9.3.10 7.3", "comments in one", E4 + " e0 d3 ff", comments=b"words\0")
    other.game("9.3.9 9.3.10", "the number of half-moves in one", PlyCount=99)
    names = [("Board", "Bo4rd"), ("DateFlags", "DateFlag5"), ("Attributes", "Attribute5"), ("PlyCount", "PlyC0unt"), ("Comments", "C0mments")]

    typed = Base()
    sizes = {"Idx": 3, "WhiteELO": 2, "BlackELO": 1, "PosMain": 1, "PosVar": 2, "Comments": 4}
    typed.columns = [(name, kind, sizes.get(name, size), nullable or name == "Result") for name, kind, size, nullable in GAME]
    typed.hash = 1 << 60 | 3
    typed.game("12.1 12.4", "columns of three bytes, and texts counted by one, two and four", E4 + " e0 d3 ff", comments=b"words\0", PosMain=b"\1\2\3", PosVar=b"\4",
               OpeningId=1)
    typed.game("9.3.4 12.4", "ratings of two bytes and of one, -1", WhiteELO=-1, BlackELO=-1)
    typed.game("9.3.3", "no result in the column", Result=None)
    kinds = [("Idx", 9), ("WhiteELO", 2), ("BlackELO", 1), ("PosMain", 249), ("PosVar", 252), ("Comments", 251)]

    def one():
        return Base().game("10.1", "the only game")

    return [
        other.case("bad_other_columns", definition=definition(names)),
        typed.case("bad_column_types", definition=definition(kinds=kinds, swapped=True, null=["Result"])),
        one().case("bad_no_codes_column", expect="There is no column of codes: it does not open.", games=0, definition=definition([("Bin", "Bon")])),
        one().case("bad_engine", expect="A table of another engine: it does not open.", games=0, definition=definition(at=[(3, 0)])),
        one().case("bad_fixed_rows", expect="A table of rows that are not packed: it does not open.", games=0, definition=definition(at=[(30, 0)])),
    ]
