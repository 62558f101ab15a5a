"""Bases of ChessBase that show what none written by this project does. (docs/formats/cbh.md)

Fields that follow from others (cbh §3.4, and the trees of names) are left zero everywhere: no reader needs them. Only
lengths are 255, for any: a search goes by them (cbh §3.2.17).
"""

import struct
from pathlib import Path

from make import Case

# cbh §4.3
MODES = Path(__file__).resolve().parents[2] / "docs/formats/tables/cbh-modes.tsv"
TABLES = {
    int(row.split("\t")[0]): [None if code == "?" else int(code) for code in row.split("\t")[1].split()]
    for row in MODES.read_text().splitlines() if not row.startswith("#")
}
BEFORE, WORDS = (0, 1), (1, 5)
# cbh §6.2: fields of the data of names, without the counts
SIZES = {"cbp": 50, "cbt": 82, "cbc": 45, "cbs": 51, "cbe": 55, "cbl": 1600}
COMEBACK, END = 254, 255
E4, E5, D4, D5, NF3 = 128, 128, 124, 124, 105


def square(name):
    return 8 * "abcdefgh".index(name[0]) + int(name[1]) - 1


def word(text, bits=0):
    """cbh §4.6"""
    return bits | square(text[2:4]) << 6 | square(text[:2])


def hidden(codes, mode):
    """Codes of one byte, or pairs (235, word); in modes of words, words."""
    bytes_of = {code: byte for byte, code in enumerate(TABLES[mode]) if code is not None}
    count, out = 0, b""
    for code in codes:
        if mode in WORDS:
            values = divmod(code, 256)
        else:
            values = (code,) if isinstance(code, int) else (code[0], code[1] >> 8, code[1] & 255)
        for value in values:
            place = bytes_of[value] + count if mode in BEFORE else bytes_of[(value + count) % 256]
            out += bytes([place % 256])
        count += values[0] < 236 or mode in WORDS
    return out


def record(*codes, mode=0, setup=b"", flags=0, more=b"", size=0):
    """cbh §4.1; `more` stands behind the codes, `size` is added to the true one."""
    body = setup + hidden(codes, mode) + more
    return bytes([flags | mode | (64 if setup else 0)]) + (len(body) + 4 + size).to_bytes(3, "big") + body


def setup(board, side=0, castling=0, number=1, first=1, more=b""):
    """cbh §4.2: a board as in a FEN; `X` and `x` are codes without a piece."""
    squares = {}
    for rank, row in zip(range(7, -1, -1), board.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                squares[8 * file + rank] = letter
                file += 1
    bits = ""
    for place in range(64):
        letter = squares.get(place)
        code = letter and {"K": 1, "Q": 2, "N": 3, "B": 4, "R": 5, "P": 6, "X": 7, "Y": 0}[letter.upper()]
        bits += "0" if letter is None else "1%d%s" % (letter.islower(), format(code, "03b"))
    return bytes([first, side, castling, number]) + int(bits.ljust(192, "0")[:192], 2).to_bytes(24, "big") + more


def item(position, kind, data, size=0):
    """cbh §5.1"""
    data = bytes.fromhex(data) if isinstance(data, str) else data
    return (position % 2**24).to_bytes(3, "big") + struct.pack(">BH", kind, len(data) + 6 + size) + data


def items(number, *parts, count=0, size=0, mark="01000e0e"):
    body = b"".join(parts)
    head = number.to_bytes(3, "big") + bytes.fromhex(mark) + (len(parts) + 1 + count).to_bytes(3, "big")
    return head + struct.pack(">I", len(body) + 14 + size) + body


def date(year, month=0, day=0):
    return year << 9 | month << 5 | day


def fixed(*pairs):
    """Texts and the bytes of their fields."""
    out = b""
    for text, size in pairs:
        data = text if isinstance(text, bytes) else text.encode()
        assert len(data) <= size, text
        out += data.ljust(size, b"\0")
    return out


def tournament(title, place="", day=0, kind=0, team=0, nation=0, category=0, flags=0, rounds=0):
    return fixed((title, 40), (place, 30)) + struct.pack("<I8B", day, kind, team, nation, 0, category, flags, rounds, 0)


def source(title="", publisher="", publication=0, day=0, version=0, quality=0):
    return fixed((title, 25), (publisher, 16)) + struct.pack("<IIBB", publication, day, version, quality)


def team(title, number=0, season=0, year=0, nation=0):
    return fixed((title, 45)) + struct.pack("<iBiB", number, season, year, nation)


ZERO = "not canonical: fields that follow from others are zero, lengths 255, and the names are in no tree."


class Base:
    """Games are appended to it; the event of each says what it shows."""

    def __init__(self):
        self.covers, self.headers, self.extended = [], [], []
        self.moves = b"\0\x1a" + bytes(24)
        self.annotations = b"\0\x1a" + bytes(24)
        # Number 0 of each is the empty name.
        self.names = {kind: [bytes(SIZES[kind])] for kind in ("cbp", "cbt", "cbc", "cbs")}
        self.names.update(cbe=[], cbl=[])
        self.cbj_size, self.cbj_version = 120, 11

    def name(self, kind, data):
        """The number of a name, which is added."""
        self.names[kind].append(data)
        return len(self.names[kind]) - 1

    def player(self, last, first=""):
        return self.name("cbp", fixed((last, 30), (first, 20)))

    def game(self, rules, what, stored=None, notes=None, event=None, teams=(-1, -1), title=-1, offsets=None, **fields):
        """A game: its rules, what its event says, its record, its items as a function of its number."""
        self.covers += rules.split()
        stored = record(END) if stored is None else stored
        values = dict(kind=1, moves=len(self.moves), annotations=0, white=0, black=0, annotator=0, source=0, date=0,
                      result=3, evaluation=0, round=0, subround=0, elo_1=0, elo_2=0, eco=0, flags=0)
        values["tournament"] = self.name("cbt", tournament(what[:40], what[40:]) if event is None else event)
        if notes is not None:
            values["annotations"] = len(self.annotations)
            self.annotations += notes(len(self.headers) + 1) if callable(notes) else notes
        values.update(fields)
        v = values
        header = struct.pack(">BII", v["kind"], v["moves"], v["annotations"])
        for field in ("white", "black", "tournament", "annotator", "source", "date"):
            header += v[field].to_bytes(3, "big")
        header += bytes([v["result"], v["evaluation"], v["round"], v["subround"]])
        header += struct.pack(">HHHHIHB", v["elo_1"], v["elo_2"], v["eco"], 0, v["flags"], 0, 255)
        self.headers.append(header)
        places = offsets or (v["moves"], v["annotations"])
        more = struct.pack(">iiiQIIHQ", *teams, 0, places[1], 0, 0, 0, places[0]).ljust(116, b"\0")
        self.extended.append((more + struct.pack(">i", title))[:self.cbj_size])
        self.moves += stored

    def text(self, rules):
        """A guiding text between the games."""
        self.covers += rules.split()
        body = struct.pack("<HHHH", 3, 1, 0, 7) + b"Preface" + struct.pack("<BHHI", 1, 1, 0, 2) + b"Hi" + bytes(4)
        self.headers.append((b"\3" + struct.pack(">I", len(self.moves))).ljust(46, b"\0"))
        self.extended.append(bytes(self.cbj_size))
        self.moves += b"\x80" + (len(body) + 4).to_bytes(3, "big") + body

    def files(self):
        count = len(self.headers) + 1
        head = struct.pack(">BHHBI", 0, 44, 46, 1, count).ljust(40, b"\0") + struct.pack(">I", count) + bytes(2)
        files = {"cbh": head + b"".join(self.headers), "cbg": self.moves, "cba": self.annotations}
        for kind, names in self.names.items():
            links = struct.pack("<iib", -1, -1, 0)
            head = struct.pack("<7i", len(names), 0, 1234567890, SIZES[kind] + 8, -1, len(names), 4) + bytes(4)
            files[kind] = head + b"".join(links + data + bytes(8) for data in names)
        head = struct.pack("<3I", self.cbj_version, self.cbj_size, len(self.headers)).ljust(32, b"\0")
        files["cbj"] = head + b"".join(self.extended)
        return files

    def case(self, name, expect=None, games=None, **changed):
        """The case, its files changed as said: a function of the bytes, or None."""
        files = self.files()
        for extension, change in changed.items():
            files[extension] = change and change(files[extension])
        games = sum(1 for header in self.headers if not header[0] & 2) if games is None else games
        notes = None if name.startswith("bad_") else ZERO
        return Case("cbh", name, files, self.covers, games, expect, notes)


def cases():
    return [
        values(), odd_values(), names(), codes(), numbers(), lines(), words(), setups(), records(), shared(), texts(), annotated(), shapes(),
        ordered(), extended(), small_extended(), odd_extended(7), odd_extended(118), between(), encoded(), *closed(), *archives(),
    ]


def values():
    """cbh §3.2, §2"""
    base = Base()
    base.game("3.2.1", "type 0", kind=0)
    base.game("3.2.1 3.2.2", "type fd", kind=0xfd)
    for code in range(8):
        base.game("3.2.4 3.2.5 3.2.6", "result %d" % code, result=code)
    base.game("3.2.8", "an evaluation of a game won", result=2, evaluation=18)
    for place in ((0, 0), (7, 0), (3, 12), (0, 3), (10, 100), (255, 255)):
        base.game("3.2.9 3.2.10 3.2.11", "round %d %d" % place, round=place[0], subround=place[1])
    base.game("3.2.12", "ratings", elo_1=65535)
    for number in (0, 128, 128 + 1, 128 + 99, 64000, 64099, 64576, 65535):
        base.game("3.2.13 3.2.14", "opening %d" % number, eco=number)
    base.game("3.2.16", "flags that nothing bears out", record(E4, END), flags=0x1fffffff)
    for parts in ((1999, 0, 0), (0, 12, 0), (0, 0, 31), (4095, 2, 30)):
        base.game("3.2.3 2.3", "date %d %d %d" % parts, date=date(*parts))
    base.game("2.3", "bits above the date", date=0xe00000 | date(2001, 2, 3))
    base.game("2.3 10.3", "", event=tournament("an event with bits above its date", "Home", 0xffe00000 | date(2001, 2, 3)))
    # No names and no extra bytes: a header is all there is.
    return base.case("values", cbl=lambda data: data[:24] + bytes(4))


def odd_values():
    base = Base()
    for number in (1, 127, 128 + 100, 64100, 64128, 64575):
        base.game("3.2.15", "opening %d" % number, eco=number)
    for code in (8, 255):
        base.game("3.2.7", "result %d" % code, result=code)
    base.game("2.4", "month 13", date=date(2001, 13, 5))
    base.game("2.4 10.3", "", event=tournament("an event of month 15", "", date(2001, 15)))
    base.game("2.4 10.10", "a source of month 13", source=base.name("cbs", source("A source", "", date(2002, 13, 1))))
    base.game("6.1.4 6.1.7", "names that are not there", white=9, black=0xffffff, annotator=9, source=9)
    base.game("6.1.4 6.1.7 1.3", "a team that is not there", teams=(3, 0))
    return base.case("bad_values_odd", "The games read, with warnings.", cbe=None)


def names():
    """cbh §10"""
    base = Base()
    for last, first in (("Last", "First"), ("Last", ""), ("", "First"), ("", "")):
        base.game("10.1", "player %s, %s" % (last, first), white=base.player(last, first))
    base.game("2.1", "code page and UTF-8", white=base.player("M\xfcller \x81".encode("latin1")), black=base.player("Müller"))
    base.game("2.2", "rubbish behind the zero", white=base.player(b"Last\0rubbish", b"First\0more"))
    base.game("2.2", "fields that are full", white=base.player("L" * 30, "F" * 20))
    base.game("10.2", "", event=tournament("", ""))
    base.game("10.2", "", event=tournament("an event", "its place"))
    for kind, number in ((1, 0), (2, 1), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (0x24, 1), (0xe0, 0), (0xe3, 0), (0, 1)):
        base.game("10.4", "", event=tournament("event type %d %d" % (kind, number), kind=kind, team=number))
    for kind, number in ((9, 0), (36, 2), (0, 255)):
        base.game("10.5", "", event=tournament("event type %d %d" % (kind, number), kind=kind, team=number))
    base.game("10.6", "", event=tournament("numbers", category=21, flags=15, rounds=255))
    for nation in range(256):
        base.game("10.7 6.4.1 6.4.2", "", event=tournament("nation %d" % nation, nation=nation))
    base.game("10.8", "an annotator", annotator=base.name("cbc", fixed(("Somebody", 45))))
    for what, data in (
        ("a source", source("Title", "Publisher", date(2001, 2, 3), date(2002), 1, 2)),
        ("a source of one date, named", source("Title", "", date(2001), date(2001))),
        ("a source of one date, without a name", source("", "", date(2001), date(2001))),
        ("a source of two dates, without a name", source("", "", date(2001), date(2002))),
    ):
        base.game("10.9 10.10 10.11", what, source=base.name("cbs", data))
    plain = base.name("cbe", team("Solingen", 0, 0, 2001))
    other = base.name("cbe", team("Porz", 2, 1, 1988, 53))
    empty = base.name("cbe", team("", 0, 0, 0))
    base.game("10.12 10.13 7.3", "a team of the year", teams=(plain, -1), date=date(2001))
    base.game("10.12 10.13", "teams of other years", teams=(plain, other))
    base.game("10.12 10.13", "a team without anything", teams=(empty, -2))
    title = base.name("cbl", fixed(("First title", 200), ("Second title", 1400)))
    base.game("10.14", "a title", title=title)
    base.game("10.14", "a title in the second language", title=base.name("cbl", fixed(("", 200), ("Only this", 1400))))
    base.game("7.3", "no title", title=-1)
    base.game("6.1.2 6.1.6 10.15 16.2", "all of a game", result=4, evaluation=5, round=1, white=base.player("White"),
              black=base.player("Black"), annotator=1, source=1, teams=(other, other), title=title, kind=0x81,
              event=tournament("all of a game", "Home", date(2000), 0x43, 1, 42, 1, 1, 1))
    return base.case("names")


def each(*codes):
    """Each code an alternative to the first."""
    out = []
    for code in codes[:-1]:
        out += [COMEBACK, code, END]
    return out + [codes[-1], END]


def codes():
    """cbh §4.4: every code of a piece, from a place where all of them are moves."""
    base = Base()
    rules = "4.4.1 4.5.1 4.7.1 4.7.2 4.7.3 4.3.3"
    base.game(rules, "king", record(*each(*range(1, 9)), setup=setup("4k3/8/8/8/3K4/8/8/8")))
    base.game(rules, "king, black", record(*each(*range(1, 9)), setup=setup("8/8/8/3k4/8/8/8/4K3", side=16)))
    for letter, name, firsts, count in (
        ("Q", "queen", (11, 143, 171), 28), ("R", "rook", (39, 53, 199), 14),
        ("B", "bishop", (67, 81, 213), 14), ("N", "knight", (95, 103, 227), 8),
    ):
        for number, first in enumerate(firsts):
            second = letter if number > 0 else "1"
            third = letter if number > 1 else "1"
            board = "4k3/8/8/8/3%s4/8/%s7/1%s5K" % (letter, second, third)
            base.game(rules, "%s %d" % (name, number + 1), record(*each(*range(first, first + count)), setup=setup(board)))
    base.game(rules, "queen 1, black", record(*each(*range(11, 39)), setup=setup("4K3/8/8/8/3q4/8/8/7k", side=16)))
    for parity in (0, 1):
        row = "".join("n" if file % 2 == parity else "1" for file in range(8))
        pawns = [111 + 4 * file + move for file in range(8) for move in (0, 1, 2, 3)
                 if file % 2 != parity and not (file, move) in ((0, 3), (7, 2))]
        base.game(rules, "pawns %d" % parity, record(*each(*pawns), setup=setup("K6k/8/8/8/8/%s/PPPPPPPP/8" % row)))
        pawns = [111 + 4 * file + move for file in range(8) for move in (0, 1, 2, 3)
                 if file % 2 != parity and not (file, move) in ((0, 2), (7, 3))]
        board = "8/pppppppp/%s/8/8/8/8/K6k" % row.upper()
        base.game(rules, "pawns %d, black" % parity, record(*each(*pawns), setup=setup(board, side=16)))
    base.game("4.4.1", "en passant", record(112, 113, END, setup=setup("4k3/1p6/8/P7/8/8/8/4K3", side=16)))
    return base.case("codes")


def numbers():
    """cbh §4.5"""
    base = Base()
    base.game("4.5.1 4.4.1", "a fourth knight has no number",
              record((235, word("d1e3")), 0, 95, END, setup=setup("4k3/8/8/8/8/8/8/NNNNK3")))
    base.game("4.5.2", "the first knight is taken: the second becomes it",
              record(11, 95, END, setup=setup("q3k3/8/8/8/8/8/7K/N1N5", side=16)))
    base.game("4.5.2", "the first pawn is taken: the second keeps its number",
              record(17, 115, END, setup=setup("4k3/8/8/8/q7/P7/1P6/4K3", side=16)))
    base.game("4.5.3", "a third knight and a fourth, from pawns",
              record((235, word("a7a8", 3 << 12)), 0, 115, 0, (235, word("b7b8", 3 << 12)), 0, (235, word("b8d7")), 0, 234, END,
                     setup=setup("7k/P7/1P6/8/8/8/8/N1N1K3")))
    base.game("4.5.4", "rooks keep their numbers when castling",
              record(9, 0, 53 + 6, END, setup=setup("4k3/8/8/8/8/8/8/R3K2R", castling=3)))
    base.game("4.5.5 4.7.2", "a line that takes the first knight, and one that does not",
              record(COMEBACK, 11, 96, END, 0, 104, END, setup=setup("q3k3/8/8/8/8/8/7K/N1N5", side=16)))
    return base.case("numbers")


def lines():
    """cbh §4.7, §4.10, §4.4"""
    base = Base()
    base.game("4.7.3 4.7.1", "e4 (d4 d5) e5 Nf3", record(COMEBACK, E4, E5, NF3, END, D4, D5, END))
    base.game("4.7.4", "a variation without moves", record(E4, COMEBACK, E5, END, END))
    base.game("4.7.4", "a line without moves before its variation", record(E4, COMEBACK, END, E5, END))
    base.game("4.10.2 4.10.1", "an error in the first of two variations",
              record(COMEBACK, COMEBACK, E4, E5, NF3, END, D4, D5, 143, END, NF3, END))
    base.game("4.10.2 4.10.1", "an error in the line, before its variations", record(COMEBACK, E4, E5, 143, END, D4, END))
    base.game("4.10.1", "a piece that is not there", record(E4, 143, END))
    base.game("4.10.1", "a pawn steps onto the last rank", record(111, END, setup=setup("7k/P7/8/8/8/8/8/4K3")))
    base.game("4.10.1", "a king steps onto its rook", record(3, END, setup=setup("7k/8/8/8/8/8/8/4KR2", castling=3)))
    base.game("4.10.1 4.4.3", "castling through check", record(9, END, setup=setup("4kr2/8/8/8/8/8/8/4K2R", castling=2)))
    base.game("4.5.1 4.10.1", "a fourth knight gets no number later",
              record(11, 227, END, setup=setup("q3k3/8/8/8/8/8/7K/NNNN4", side=16)))
    base.game("4.5.2 4.10.1", "a pawn is taken, and a rook stands there",
              record(42, 41, 0, 111, END, setup=setup("r3k3/8/8/8/P7/8/8/R3K3", side=16)))
    base.game("4.10.1", "Chess960: a king steps onto its rook",
              record(3, END, mode=10, setup=setup("4k3/8/8/8/8/8/8/6KR", castling=2, more=bytes([48, 39, 56, 0, 0, 0, 0, 0]))))
    base.game("4.10.3", "the end is missing within a variation", record(COMEBACK, E4, END, D4))
    base.game("4.10.4", "bytes behind the end", record(E4, END, more=b"\1\2\3"))
    base.game("4.4.2", "a null move in check", record(0, 5, 0, END, setup=setup("4k3/8/8/8/8/8/8/4q1K1")))
    base.game("4.4.4 4.3.3", "all codes that are nothing, between moves", record(E4, *range(236, 254), E5, END))
    return base.case("bad_lines", "Errors keep what stands before them; the rest reads, with warnings.")


def words():
    """cbh §4.6, §4.8"""
    base = Base()
    start = setup("r3k2r/8/8/8/8/8/8/R3K2R", castling=15)
    base.game("4.6.3 4.3.2", "castling by words, and a code after", record((235, word("e1g1")), (235, word("e8c8")), 39 + 2, END, setup=start))
    base.game("4.6.3", "a king two files to the f-file", record((235, word("d1f1")), END, setup=setup("4k3/8/8/8/8/8/8/3K3R")))
    base.game("4.6.2", "bits of a castling", record((235, word("e1g1", 1 << 12)), END, setup=start))
    base.game("4.6.2", "bits of a rook's move", record((235, word("a1a2", 3 << 12)), END, setup=start))
    for bits in range(4):
        base.game("4.6.1", "promotion %d" % bits, record((235, word("a7a8", bits << 12)), END, setup=setup("7k/P7/8/8/8/8/8/4K3")))
    base.game("4.6.5", "a word that is cut", record(E4, more=bytes([(TABLES[0].index(235) + 1) % 256, 7])))
    base.game("4.6.6", "a1a1, where a piece stands", record((235, 0), END))
    base.game("4.6.6", "a1a1, where none stands", record((235, 0), END, setup=setup("4k3/8/8/8/8/8/8/4K3")))
    base.game("4.6.6", "e1e1", record((235, word("e1e1")), END))
    base.game("4.10.1", "a word from an empty square", record((235, word("e4e5")), END))
    base.game("4.2.8", "castling by a word without the right", record((235, word("e1g1")), END, setup=setup("4k3/8/8/8/8/8/8/4K2R")))
    base.game("4.2.8", "castling without the right, the rook late",
              record(39 + 7, 0, 9, END, setup=setup("4k3/8/8/8/8/8/8/4K1R1")))
    chess960 = lambda rights: setup("4k3/8/8/8/8/8/8/1R2K1R1", castling=rights, more=bytes([32, 39, 48, 8, 0, 0, 0, 0]))
    for target in ("g1g1", "c1c1", "g8g8", "d1d1"):
        base.game("4.6.4", "Chess960: " + target, record((235, word(target)), END, mode=10, setup=chess960(3)))
    base.game("4.2.8 4.6.4", "Chess960 without the right", record((235, word("g1g1")), END, mode=10, setup=chess960(0)))
    base.game("4.4.3", "Chess960 by code 9", record(9, END, mode=10, setup=chess960(3)))
    base.game("4.8.1 4.7.3", "words: e4 (d4 d5) (c4) e5",
              record(word("e2e4", 0x8000), word("e7e5", 0x4000), word("d2d4", 0x8000), word("d7d5", 0x4000), word("c2c4", 0x4000), mode=5))
    base.game("4.8.2", "words: null moves, one in check",
              record(0, word("e8e7"), 0x4000, mode=5, setup=setup("4k3/8/8/8/8/8/8/4q1K1")))
    base.game("4.8.3 4.6.1", "words: a knight, bits that mean nothing",
              record(word("a7a8", 3 << 12), word("h8h7", 1 << 12 | 0x4000), mode=5, setup=setup("7k/P7/8/8/8/8/8/4K3")))
    base.game("4.8.4", "words without an end", record(word("e2e4", 0x8000), word("e7e5"), mode=5))
    base.game("4.8.4", "words and one byte", record(word("e2e4"), more=b"\1", mode=5))
    base.game("4.10.4 4.8.1", "words behind the end", record(word("e2e4", 0x4000), word("e7e5"), mode=5))
    base.game("4.3.1 4.3.5", "mode 1: e4 and a byte not known", record(mode=1, more=b"\0\0"))
    base.game("4.3.1", "mode 1: no moves", record(mode=1))
    base.game("4.3.1", "mode 1: d4 h6", record(word("d2d4"), word("h7h6", 0x4000), mode=1))
    base.game("4.3.1", "mode 4: e4 (d4) e5", record(COMEBACK, E4, E5, END, D4, END, mode=4))
    for mode in (2, 3, 6, 7, 8, 9, 11, 12, 19, 63):
        base.game("4.3.4", "mode %d" % mode, bytes([mode, 0, 0, 5, 0]))
    return base.case("bad_words_more", "What cannot be read is an error; the rest reads, some of it with warnings.")


def setups():
    """cbh §4.2"""
    base = Base()
    usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    base.game("4.2.1", "the usual position", record(E4, END, setup=setup(usual, castling=15)))
    base.game("4.2.1", "Chess960 without a position", record(E4, END, mode=10))
    base.game("4.2.2", "27 bytes", record(setup=setup("4k3/8/8/8/8/8/8/4K3")[:27]))
    base.game("4.2.2 10.16", "35 bytes in Chess960", record(mode=10, setup=setup("4k3/8/8/8/8/8/8/4K3", more=bytes(7))))
    base.game("4.2.2", "first byte 0", record(E4, END, setup=setup(usual, castling=15, first=0)))
    base.game("4.2.3", "codes 7 and 0 for pieces", record(1, END, setup=setup("4k3/8/8/3X4/4y3/8/8/4K3")))
    base.game("4.2.3", "more pieces than bits", record(END, setup=setup("/".join(["nnnnnnnn"] * 8))))
    base.game("4.2.4", "rights without king and rook", record(1, END, setup=setup("4k2r/8/8/8/8/8/8/R2K4", castling=15)))
    base.game("4.2.9 4.2.3", "a piece that is none, and rights", record(1, END, setup=setup("4k3/8/8/3X4/8/8/8/4K3", castling=15)))
    ranks = "4k3/8/8/pP1Pp3/Pp1pP3/8/8/4K3"
    for side in (1, 5, 2, 9, 15, 17, 21, 20):
        base.game("4.2.6", "en passant, side byte %02x" % side, record(END, setup=setup(ranks, side=side)))
    base.game("4.2.6", "en passant on a ninth file", record(END, setup=setup("4k3/8/p7/8/8/8/8/4K3", side=9)))
    for number in (0, 1, 255):
        base.game("4.2.7", "move %d" % number, record(END, setup=setup("4k3/8/8/8/8/8/8/4K3", number=number)))
    board = "1r2k1r1/8/8/8/8/8/8/RR2K1RR"
    squares = bytes([32, 39, 48, 8, 55, 15, 0, 0])
    base.game("4.2.5 10.16", "Chess960: the rooks named, not the outermost", record(END, mode=10, setup=setup(board, castling=15, more=squares)))
    base.game("4.2.5", "Chess960: rubbish for the rooks", record(END, mode=10, setup=setup(board, castling=15, more=b"\xff" * 8)))
    wrong = bytes([0, 0, 8, 48, 48, 8, 0, 0])
    base.game("4.2.5", "Chess960: rooks of the other side", record(END, mode=10, setup=setup(board, castling=15, more=wrong)))
    base.game("4.2.5", "Chess960: rights without rooks", record(END, mode=10, setup=setup("4k3/8/8/8/8/8/8/4K3", castling=15, more=squares)))
    for bit in (1, 2, 4, 8):
        base.game("4.2.4", "the right of bit %d" % bit, record(END, setup=setup("r3k2r/8/8/8/8/8/8/R3K2R", castling=bit)))
        base.game("4.2.5", "Chess960: the right of bit %d" % bit, record(END, mode=10, setup=setup(
            "rr2k1rr/8/8/8/8/8/8/RR2K1RR", castling=bit, more=bytes([32, 39, 48, 8, 55, 15, 0, 0]))))
    return base.case("bad_setups_more", "What is no start position is an error; the rest reads, some of it with warnings.")


def records():
    """cbh §4.1, §4.9"""
    base = Base()
    first = len(base.moves)
    second = first + len(record(D4, END))
    base.moves += record(D4, END) + record(E4, END)
    base.game("4.1.1", "its record stands second", b"", moves=second)
    base.game("4.1.1", "its record stands first", b"", moves=first)
    base.game("4.1.1", "the same record", b"", moves=first)
    for size in (0, 3):
        base.game("4.1.3", "%d bytes" % size, bytes([0, 0, 0, size]))
    base.game("4.1.3", "4 bytes: the end is missing", bytes([0, 0, 0, 4]))
    base.game("4.1.4", "longer than the file", record(E4, END, size=100000))
    base.game("4.1.5", "bit 7, and moves", record(E4, END, flags=0x80))
    text = struct.pack("<HHBHHH", 1, 0, 0, 1, 7, 2) + b"Hi" + struct.pack("<H", 1) + b"x"
    for what, more in (("a text of version 1", b""), ("a text and more", b"more")):
        base.game("4.1.5 4.9.1", what, b"\x80" + (len(text + more) + 4).to_bytes(3, "big") + text + more)
    base.game("4.1.2", "the file ends with 3 bytes of it", b"", moves=len(base.moves))
    base.moves += bytes(3)
    base.game("4.1.2", "at the end of the file", b"", moves=len(base.moves))
    return base.case("bad_records", "Games without a record are errors; the others read, and the header of the file is rubbish.",
                     cbg=lambda data: b"\xff" * 26 + data[26:])


def shared():
    """cbh §4.1, §5.1"""
    base = Base()
    for number in range(20):
        base.game("4.1.7", "one of twenty", record(D4, END, more=b"x" * 94))
    start, notes = len(base.moves), len(base.annotations)
    more = lambda number: items(number, *(item(0, 2, text("c" * 90)) for _ in range(6)))
    base.game("4.1.7 5.1.9", "512 bytes are read of 600 that 20 share", record(E4, END, more=b"x" * 594), notes=more)
    for number in range(19):
        base.game("4.1.7 5.1.9", "the same bytes", b"", moves=start, annotations=notes)
    return base.case("bad_shared", "The last twenty games are errors, with five annotations each.")


def texts():
    """cbh §4.9.1: what is a text but for its last bytes is a game. The bytes are both: one begins with the end of a
    game, the other with a start position."""
    base = Base()
    end = hidden([END], 0)
    text = struct.pack("<BBH", end[0], 0, 2) + struct.pack("<HH", 0, 3) + b"abc" + struct.pack("<HH", 1, 2) + b"de" + struct.pack("<BH", 1, 2)
    text += struct.pack("<HI", 0, 4) + b"text" + struct.pack("<I", 2) + b"xx" + struct.pack("<HI", 1, 3) + b"two" + struct.pack("<I", 1) + b"x"
    for size in range(1, len(text) + 1):
        base.game("4.9.1 4.1.5", "%d bytes of a text of %d" % (size, len(text)), b"\x80" + (size + 4).to_bytes(3, "big") + text[:size])
    for more in (6, 7):
        board = struct.pack("<BHHH", 0, 1, 0, 10) + bytes(10) + struct.pack("<H", more) + bytes(5)
        base.game("4.9.1 4.1.5", "a text of version 1, or a start position", bytes([0xc0, 0, 0, 33, 1, 0, 0, 0]) + board + end)
    return base.case("bad_texts_cut", "Two are texts, and errors; all others are games without moves, with warnings.")


def text(letters, language=0):
    return bytes([0, language]) + (letters if isinstance(letters, bytes) else letters.encode())


def annotated():
    """cbh §5.1"""
    base = Base()
    hello = item(0, 2, text("hello"))
    line = record(COMEBACK, E4, E5, END, D4, D5, END)
    base.game("5.1.1", "none", line)
    base.game("5.1.1", "a text of the second variation's second move", line, lambda n: items(n, item(3, 2, text("d5"))))
    base.game("5.1.2", "another mark", line, lambda n: items(n, hello, mark="02000e0e"))
    base.game("5.1.2", "another end of the mark", line, lambda n: items(n, hello, mark="0100ffff"))
    base.game("5.1.2", "in the header of the file", line, annotations=1)
    base.game("5.1.3", "another game", line, lambda n: items(n + 1, hello))
    for size in (-6, -7, -1, 10000):
        base.game("5.1.4", "the size of an item and %d" % size, line, lambda n: items(n, hello, item(1, 2, text("e5"), size)))
    for size in (-1, -12, -37):
        base.game("5.1.4", "the size of the record and %d" % size, line,
                  lambda n: items(n, hello, item(1, 2, text("e5")), size=size))
    for place in (-2, 4, 2**22):
        base.game("5.1.5", "a move that is not there: %d" % place, line, lambda n: items(n, item(place, 2, text("where?"))))
    base.game("5.1.5", "a move of a game without moves", record(END), lambda n: items(n, hello))
    base.game("5.1.5 4.10.5", "moves after damage", record(E4, E5, 143, END), lambda n: items(n, hello, item(2, 2, text("lost"))))
    base.game("4.10.5", "without a record", b"", lambda n: items(n, hello), moves=2**24)
    base.game("5.1.6", "not sorted", line, lambda n: items(n, item(1, 2, text("e5")), hello, item(1, 2, text("again"))))
    for count in (-1, 1):
        base.game("5.1.7", "the number of items and %d" % count, line, lambda n: items(n, hello, count=count))
    base.game("5.1.2", "the file ends with 13 bytes of it", line, lambda n: items(n)[:13])
    return base.case("bad_annotations_more", "All games read but two, as many annotations as there are, with warnings.")


def shapes():
    """cbh §5.3, §5.4"""
    base = Base()

    def shown(rules, what, *parts, stored=None):
        stored = record(E4, E5, END) if stored is None else stored
        base.game(rules, what, stored, lambda n: items(n, *parts))

    for kind in (2, 0x82):
        for place in (-1, 0, 1):
            shown("5.3.1 5.3.2 5.3.12 5.3.13", "text %02x at %d" % (kind, place), item(place, kind, text("hello")))
        shown("5.3.12", "text %02x of other shapes" % kind, item(0, kind, "0061"), item(0, kind, "00"), item(0, kind, ""), item(0, kind, "0100"))
    shown("5.3.2 5.3.13", "texts before moves behind a variation's start and end", item(1, 0x82, text("e5")), item(2, 0x82, text("d4")),
          item(3, 0x82, text("d5")), stored=record(COMEBACK, E4, E5, END, D4, D5, END))
    for data in ("01", "0110", "01108e", "0010", "00008e", "ff"):
        shown("5.3.3 5.3.14", "glyphs " + data, item(0, 3, data))
    for data in ("", "00", "0100", "01020304"):
        shown("5.3.12 5.3.3", "no glyphs: " + data, item(0, 3, data))
    shown("5.3.12 5.3.3", "glyphs of the game", item(-1, 3, "01"))
    for data in ("0201", "0340", "044002010340", "0101", "0541", "0200", "0241", "02", ""):
        shown("5.3.4 5.3.12", "squares " + data, item(0, 4, data))
    for data in ("021c24", "0340010440ff", "02011c0301", "021c"):
        shown("5.3.4 5.3.12", "arrows " + data, item(0, 5, data))
    for data in ("00010500", "00010525", "ff3b3b63", "003c0000", "00003c00", "00000064", "000000", "0000000000"):
        shown("5.3.5 5.3.12", "time spent " + data, item(0, 7, data))
    shown("5.3.6 5.3.16 16.2", "clocks", item(-1, 0x17, "00000000"), item(-1, 0x16, "0003a6c4"), item(-1, 2, text("hello")))
    shown("5.3.6 5.3.12", "clocks of other shapes, of a move", item(-1, 0x16, "0003a6"), item(0, 0x17, "00000064"))
    shown("5.3.6", "a clock of many hours", item(-1, 0x16, "ffffffff"))
    for data in ("01", "02", "03", "00", "04", "0101", ""):
        shown("5.3.7 5.3.12", "critical " + data, item(0, 0x18, data))

    def link(address, caption, size=0):
        data = bytes([len(address)]) + address + bytes([len(caption)]) + caption
        return item(0, 0x1c, struct.pack("<H", len(data) + 2 + size) + data)

    for address, caption in ((b"a.b", b""), (b"a.b", b"c d"), (b"", b"c"), (b"a b", b""), (b"a]", b""), (b"a", b"{"), (b"a", b"}"),
                             (b"a", b" c"), (b"a\x7f", b""), (b"a", b"\xe4"), (b"a", b"c\n"), (b"~", b"~ ")):
        shown("5.3.8 5.3.12", "link", link(address, caption))
    shown("5.3.8 5.3.12", "link of another size", link(b"a", b"", 1))
    shown("5.3.8 5.3.12", "links that are cut", item(0, 0x1c, "0200"), item(0, 0x1c, "04000161"), item(0, 0x1c, "0500016102"))
    for data in ("190000001400", "e7ff00000000", "ffff0000ffff", "0300010009000000", "030001000900", "fdff01000000", "000002000000", "00800000ff7f"):
        shown("5.3.9 5.3.12", "evaluation " + data, item(0, 0x21, data))
    for data in ("00008000", "ffffffff", "8000", "0000008000"):
        shown("5.3.10 5.3.12", "medals " + data, item(0, 0x22, data))
    for data in ("00ff0001", "02ff0001", "ffffffff", "ff00", ""):
        shown("5.3.11 5.3.12", "colour " + data, item(0, 0x23, data))
    shown("5.3.12", "other types", item(0, 8, "01ab"), item(0, 0x44, ""), item(0, 0xff, "00"))
    shown("5.3.15 5.3.14", "items, texts and glyphs among one another", item(0, 4, "0201"), item(0, 2, text("one")), item(0, 3, "01"),
          item(0, 5, "021c24"), item(0, 2, text("two")), item(0, 3, "10"), item(0, 2, text("three")), item(0, 0x22, "00000001"))
    for language in (42, 43, 49, 53, 55, 70, 103, 116, 117, 1, 255):
        shown("5.4.1", "language %d" % language, item(0, 2, text("hello", language)))
    shown("5.4.1 5.3.2", "a language before a move", item(1, 0x82, text("hello", 53)))
    shown("5.4.2", "figurines in a code page", item(0, 2, text(b"\xa2a1 \xa3h8 \xa6x \xa5b \xa4" + b"7 \xa3i \xa49 \xa3 \xa7e4 \x9e")))
    shown("5.4.3", "figurines in UTF-8", item(0, 2, text("\ue024\ue025\ue026\ue027\ue028\ue029\ue023 £a1")))
    shown("5.4.4", "a diagram, a pawn", item(0, 2, text("\4 \ue029")))
    shown("5.4.5", "zero bytes, and no bytes", item(0, 2, text(b"a\0b\0")), item(0, 2, text("")))
    return base.case("shapes")


def ordered():
    """cbh §5.3"""
    base = Base()
    before = item(1, 0x82, text("before"))
    for what, parts in (
        ("glyphs, a text before", (item(1, 3, "01"), before)),
        ("a text before, glyphs", (before, item(1, 3, "01"))),
        ("a text, a text before", (item(1, 2, text("after")), before)),
        ("two texts before, with others between", (before, item(1, 4, "0201"), item(1, 3, "01"), before, item(1, 2, text("after")))),
        ("glyphs between texts", (item(1, 2, text("one")), item(1, 3, "01"), item(1, 2, text("two")), item(1, 3, "10"))),
        ("glyphs between commands", (item(1, 4, "0201"), item(1, 3, "01"), item(1, 4, "0302"))),
    ):
        base.game("5.3.17 5.3.14 5.3.13", what, record(E4, E5, END), lambda n: items(n, *parts))
    case = base.case("order")
    case.options = ["annotations=exact"]
    return case


def extended():
    """cbh §7"""
    base = Base()
    one = base.name("cbe", team("One"))
    two = base.name("cbe", team("Two"))
    base.game("7.1", "teams", record(E4, END), teams=(one, two))
    at = len(base.moves)
    base.game("7.4", "the lower half of the offset is another", record(D4, END), teams=(one, -1), offsets=(at + 1, 0))
    at = len(base.moves)
    base.game("7.4", "an offset beyond 4 GiB, which is not there", record(E4, END), offsets=(2**32 + at, 0))
    base.game("7.4", "annotations beyond 4 GiB, which are not there", record(E4, END), offsets=(len(base.moves), 2**32))
    base.game("7.3", "title 0 of none", title=0)
    base.game("7.3", "negative teams", teams=(-2, -2**31))
    base.game("7.2", "a record of the .cbj that ends within the offsets", record(E4, END), teams=(one, two))
    base.game("7.2", "no record of the .cbj", record(D4, END))
    return base.case("bad_extended", "Game 3 is an error, game 4 lacks its annotations; the others read.",
                     cbj=lambda data: b"\xff\xff\xff\xff" + data[4:8] + b"\xff" * 4 + data[12:32 + 6 * 120 + 33])


def small_extended():
    base = Base()
    base.cbj_version, base.cbj_size = 1, 8
    one = base.name("cbe", team("One"))
    base.game("7.1 7.2", "one team", record(E4, END), teams=(one, -1))
    base.game("7.1 7.2", "the other", record(D4, END), teams=(-1, one))
    return base.case("extended_small")


def odd_extended(size):
    """Records that end within the team of Black, or within the title."""
    base = Base()
    base.cbj_size = size
    one, title = base.name("cbe", team("One")), base.name("cbl", fixed(("A title", 1600)))
    base.game("7.1 7.2", "no name", record(E4, END), teams=(one, one), title=title)
    base.game("7.1 7.2", "nor here", record(D4, END), teams=(one, one), title=title)
    return base.case("extended_%d" % size)


def between():
    """cbh §3.3"""
    base = Base()
    hello = lambda n: items(n, item(0, 2, text("hello")))
    one = base.name("cbe", team("One"))
    base.text("3.3.1")
    base.game("3.3.1 3.3.2", "record 2, game 1", record(E4, END), hello, teams=(one, -1))
    base.text("3.3.1")
    base.text("3.3.1")
    base.game("3.3.1 3.3.2", "record 5, game 2", record(D4, END), hello, teams=(-1, one))
    base.text("3.3.1 3.3.3")
    case = base.case("texts_between")
    case.options = ["texts=ignore"]
    return case


def encoded():
    """cbh §2: all texts in the encoding a user names, also those that are valid UTF-8."""
    base = Base()
    base.game("2.5", "Cyrillic, and what could be UTF-8", record(E4, END),
              lambda n: items(n, item(0, 2, text("Партия \u2116 1".encode("cp1251")))),
              white=base.player("Алехин".encode("cp1251")), black=base.player(b"\xd0\x96"))
    case = base.case("encoded")
    case.encoding = "windows-1251"
    return case


def cut_names():
    """cbh §6.2: names that filled their fields and lost bytes of their last character."""
    base = Base()
    utf8, ascii, capitals = b"M\xc3\xbcller", b"Miller", b"MILLER"
    for what, start, piece in (
        ("UTF-8 before", utf8, b"\xc3"), ("UTF-8 before, two bytes of four", utf8, b"\xf0\x9f"),
        ("two bytes of three", ascii, b"\xe2\x82"), ("three bytes of four", capitals, b"\xf0\x9f\x8f"),
        ("no capital of the page", ascii, b"\xc5"), ("the last of them", ascii, b"\xdf"),
        ("a capital of the page", capitals, b"\xc9"), ("a small letter of the page", ascii, b"\xe9"),
        ("no beginning of a character", utf8, b"\x80"), ("none either", utf8, b"\xc1"),
        ("the page before", b"M\xfcller", b"\xc3"), ("whole", utf8, b"\xc3\xa9"),
    ):
        name = start + b" " + b"a" * (29 - len(start) - len(piece)) + piece
        if start == capitals:
            name = name.upper()
        base.game("6.2.1", what, white=base.player(name), black=base.player("", name[-20:]))
    base.game("6.2.1 2.1", "a byte short of its field", white=base.player(utf8 + b"a" * 21 + b"\xc3"))
    cut = lambda size: b"\xc3\xa9" + b"a" * (size - 3) + b"\xc3"
    base.game("6.2.1", "", event=tournament(cut(40), cut(30)))
    base.game("6.2.1", "annotator", annotator=base.name("cbc", fixed((cut(45), 45))))
    base.game("6.2.1", "source", source=base.name("cbs", source(cut(25), cut(16), date(2001, 2, 3), date(2002), 1, 2)))
    base.game("6.2.1", "teams", teams=(base.name("cbe", team(cut(45), 0, 0, 0)), -1))
    base.game("6.2.1", "title", title=base.name("cbl", fixed((cut(200), 200), ("Second title", 1400))))
    return base.case("bad_names_pieces", "The games read, with warnings where a piece of a character is left out.")


def closed():
    """Bases that do not open, and some whose files of names are damaged."""
    def base(rules):
        base = Base()
        base.game(rules, "a game", record(E4, END))
        return base

    many = Base()
    for rules, what in ("6.1.2", "names that are there"), ("6.1.3 6.1.7", "an event cut"), ("6.1.3 6.1.4 6.1.7", "an event and a player not there"):
        many.game(rules, what, record(E4, END), white=many.player("Somebody"))
    expect = "The base does not open."
    nameless = "The game reads without names of one kind, with warnings."
    return [
        # One player too few is counted, five events too many, and the last of those there is cut.
        many.case("bad_names_records", "The games read, names beyond what is there unknown, with warnings.",
                  cbp=lambda data: struct.pack("<i", 3) + data[4:], cbt=lambda data: struct.pack("<i", 9) + data[4:-100]),
        base("1.1").case("bad_no_moves", expect, 0, cbg=None, cbp=None),
        base("3.1.1").case("bad_header_cut", expect, 0, cbh=lambda data: data[:45]),
        cut_names(),
        base("6.1.1 6.1.7").case("bad_names_cut", nameless, 1, cbt=lambda data: data[:27]),
        base("6.1.1 6.1.7").case("bad_names_size", nameless, 1, cbc=lambda data: data[:12] + struct.pack("<i", 54) + data[16:]),
        base("6.1.1 6.1.7").case("bad_names_extra", nameless, 1, cbs=lambda data: data[:24] + struct.pack("<i", -1) + data[28:]),
        base("6.1.3 6.1.7").case("bad_names_negative", "The game reads without names, with warnings.", 1,
                                 cbt=lambda data: struct.pack("<i", -1) + data[4:]),
        base("7.1").case("bad_extended_cut", "The game reads.", 1, cbj=lambda data: data[:11]),
        base("3.1.4").case("bad_header_rubbish", "The game reads without a word.", 1,
                           cbh=lambda data: b"\xff\xff\xff\0\x2e\xff" + data[6:10] + b"\xff" * 36 + data[46:]),
    ]


def words_of(data):
    """cbh §9.2: the sum of a payload."""
    return sum(struct.unpack("<%dH" % (len(data) // 2), data[:len(data) // 2 * 2])) & 0xffff


def block(payload, wrong=0):
    return struct.pack("<HH", len(payload), words_of(payload) + wrong & 0xffff) + payload


def bits_to_bytes(bits):
    return bytes(int(bits[at:at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8))


def coded(data, length=None):
    """cbh §9.3: zero in one bit, every other byte in nine; 255 has no code if it is not needed."""
    used = range(256 if 255 in data else 255)
    codes = {byte: "0" if byte == 0 else "1" + format(byte, "08b") for byte in used}
    bits = format(len(data) if length is None else length, "016b")
    for byte in range(256):
        code = codes.get(byte, "")
        bits += format(len(code), "04b") + code
    return bits_to_bytes(bits + "".join(codes[byte] for byte in data))


def grouped(tokens):
    """cbh §9.4: single bytes (a number) and the bytes of other tokens."""
    out = b""
    for at in range(0, len(tokens), 16):
        group = tokens[at:at + 16]
        control = sum(1 << 15 - place for place, token in enumerate(group) if not isinstance(token, int))
        out += struct.pack("<H", control) + b"".join(bytes([token]) if isinstance(token, int) else token for token in group)
    return out


def copied(data, before=b""):
    """Tokens for some bytes: every kind of them, as they fit."""
    whole, at, tokens = before + data, len(before), []
    while at < len(whole):
        run = 1
        while at + run < len(whole) and whole[at + run] == whole[at] and run < 273:
            run += 1
        best, distance = 0, 0
        for back in range(3, min(at, 4098) + 1):
            size = 0
            while at + size < len(whole) and whole[at + size] == whole[at + size - back] and size < 271:
                size += 1
            if size > best:
                best, distance = size, back
        away = distance - 3
        if run >= 19:
            tokens.append(bytes([0x10 | run - 19 & 15, run - 19 >> 4, whole[at]]))
        elif best >= 16:
            tokens.append(bytes([0x20 | away & 15, away >> 4, best - 16]))
            run = best
        elif run >= 3 and run >= best:
            tokens.append(bytes([run - 3, whole[at]]))
        elif best >= 3:
            tokens.append(bytes([best << 4 | away & 15, away >> 4]))
            run = best
        else:
            tokens.append(whole[at])
            run = 1
        at += run
    return grouped(tokens)


def archive(members, entry=173, skip=None):
    """cbh §9.1: names, the bytes of their blocks and how many they are unpacked."""
    at = 8 + entry * len(members)
    out = struct.pack("<HHB", 8, len(members), entry) + b"\0\3\0"
    for name, packed, size in members:
        place = (at, len(packed), size)
        # With numbers of 64 bits those of 32 are not looked at.
        low = place if entry < 173 else (0xffffffff,) * 3
        out += name.encode().ljust(128, b"\0") + struct.pack("<3IBII", *low, 1, 20200102, 3040506)
        out += struct.pack("<3Q", *place) if entry == 173 else bytes(entry - 149)
        at += len(packed)
    return out + b"".join(packed for _, packed, _ in members)


def archives():
    """cbh §9"""
    base = Base()
    for number in range(8):
        base.game("9.1.1", "game %d of an archive" % number, record(COMEBACK, E4, E5, NF3, END, D4, D5, END),
                  lambda n: items(n, item(0, 2, text("hello")), item(1, 2, text("x" * 40))))
    files = base.files()

    def stored(data):
        return block(b"\0" + data)

    def both(data):
        return block(b"\3" + coded(copied(data)))

    def members(pack, names="base."):
        return [(names + extension, pack(data), len(data)) for extension, data in files.items()]

    def case(name, rules, data, expect=None):
        games = 0 if expect else 8
        one = Case("cbh", name, {"cbv": data}, rules.split(), games, expect, None if expect else ZERO)
        one.format = "cbv"
        return one

    def halves(data):
        """Two blocks, the second of which copies from the first."""
        middle = len(data) // 2
        return block(b"\1" + copied(data[:middle])) + block(b"\1" + copied(data[middle:], data[:middle]))

    other = [("letter.txt", stored(b"hello"), 5), ("more\\MIXED.CBG", stored(b""), 0)]
    mixed = [("more\\Mixed." + extension.upper(), pack(data), len(data)) for (extension, data), pack in zip(
        files.items(), [halves, both, lambda data: block(b"\2" + coded(data)), halves, both, stored] * 3)]
    # A byte where a control should be, in a file that nobody reads.
    mixed.append(("more\\Mixed.cbm", block(b"\1" + grouped([0] * 16) + b"\7"), 17))
    # Another base, and another file of the same name.
    mixed += [("zzz.cbg", stored(b"x"), 1), ("more\\mixed.cbg", stored(b"x"), 1)]
    encoded = bytearray(archive(members(stored)))
    closed = "The base does not open."
    wrong = members(stored)
    broken = lambda packed, size=None: [(name, packed if name == "base.cbg" else data, size if size and name == "base.cbg" else length)
                                        for name, data, length in wrong]
    moves = files["cbg"]
    return [
        case("archive", "9.1.1 9.1.3 9.1.4 9.2.1 9.3.1 9.4.1 9.4.2 9.4.3 9.4.4 9.4.5 9.4.6", archive(other[:1] + mixed)),
        case("archive_old", "9.1.1 9.1.3 9.2.1", archive(members(stored), 149)),
        case("bad_archive_head", "9.1.1", b"\7" + bytes(encoded[1:]) + bytes(-len(encoded) % 8 + 1), closed),
        case("bad_archive_encrypted", "9.5.1", bytes(byte ^ 0x55 for byte in encoded) + bytes(-len(encoded) % 8), closed),
        case("bad_archive_directory", "9.1.2", bytes(encoded[:8 + 173 * 9]), closed),
        case("bad_archive_no_base", "9.1.4", archive(other), closed),
        case("bad_archive_no_moves", "9.1.4", archive([one for one in wrong if one[0] != "base.cbg"]), closed),
        case("bad_archive_claims", "9.1.5", archive(wrong + [("large", b"", 2**32)]), closed),
        case("bad_archive_sum", "9.2.2", archive(broken(block(b"\0" + moves, 1))), closed),
        case("bad_archive_mode", "9.2.2", archive(broken(block(b"\4" + moves))), closed),
        case("bad_archive_empty", "9.2.2", archive(broken(block(b"") + stored(moves))), closed),
        case("bad_archive_longer", "9.2.2", archive(broken(stored(moves), len(moves) - 1)), closed),
        case("bad_archive_shorter", "9.2.1 9.2.2", archive(broken(stored(moves), len(moves) + 1)), closed),
        case("bad_archive_cut", "9.2.2", archive([one for one in wrong if one[0] != "base.cbg"] + [("base.cbg", stored(moves), len(moves))])[:-1], closed),
        case("bad_archive_codes", "9.3.1", archive(broken(block(b"\2" + coded(moves, len(moves) + 99)), len(moves) + 99)), closed),
        case("bad_archive_code", "9.3.1", archive(broken(block(b"\2" + coded(bytes(4), 40) + b"\xff\xff"), 40)), closed),
        case("bad_archive_copy", "9.4.7", archive(broken(block(b"\1" + grouped([moves[0], bytes([0x30, 0])])), 4)), closed),
        case("bad_archive_token", "9.4.7", archive(broken(block(b"\1" + grouped([0, bytes([0x00])])), 1)), closed),
    ]
