"""Bases of DCG that show what no file of pgn2dcg does. (docs/formats/dcg.md)"""

import struct

from make import Case

START = b"\0"
KINGS = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


def move(text, promotion=0):
    """dcg §6.3"""
    def square(name):
        return "abcdefgh".index(name[0]) + 8 * "12345678".index(name[1])
    return struct.pack(">H", promotion << 12 | square(text[:2]) << 6 | square(text[2:]))


def moves(text):
    return b"".join(move(one) for one in text.split())


def length(number):
    """dcg §6.1, as the author's program writes it."""
    for size, limit in enumerate((127, 255, 65535, 16777215)):
        if number < limit:
            return bytes([0x80 + size] * (size > 0)) + number.to_bytes(max(size, 1), "big")
    raise ValueError(number)


def fen(text):
    text = text if isinstance(text, bytes) else text.encode()
    return b"\1" + length(len(text)) + text


def comment(text):
    text = text if isinstance(text, bytes) else text.encode()
    return b"\x86" + length(len(text)) + text


class Base:
    """Games are appended to it; the event of each says what it shows."""

    def __init__(self, old=False):
        self.old, self.covers, self.count = old, [], 0
        self.entries, self.games = b"", b"SimpleCDbg"
        self.names = {"dcn": b"SimpleCDbn", "dcs": b"SimpleCDbs", "dce": b"SimpleCDbe"}

    def name(self, file, text):
        """The reference of a name, which is added."""
        text = text if isinstance(text, bytes) else text.encode()
        at = len(self.names[file])
        self.names[file] += text[:36].ljust(36)
        return at

    def game(self, rules, what, record, head=None, **fields):
        """A game: its rules, what its event says, its record; `head` in the place of its length."""
        self.covers += rules.split()
        self.count += 1
        values = dict(status=0, offset=len(self.games), white=0, black=0, round=0, site=0,
                      event=0, elo_1=0, elo_2=0, result=0, eco=b"\0\0\0", year=0, month=0, day=0)
        if not self.old:
            values["event"] = self.name("dce", what)
        else:
            values["white"] = self.name("dcn", what)
        values.update(fields)
        self.entries += self.entry(**values)
        self.games += (length(len(record)) if head is None else head) + record
        return self

    def entry(self, **v):
        front = struct.pack(">BQIIHI", v["status"], v["offset"], v["white"], v["black"], v["round"], v["site"])
        event = b"" if self.old else struct.pack(">I", v["event"])
        back = struct.pack(">HHB3sHBB", v["elo_1"], v["elo_2"], v["result"], v["eco"], v["year"], v["month"], v["day"])
        return front + event + back

    def case(self, name, expect=None, version=0, notes=None, covers="", games=None, default=0, **files):
        index = b"SimpleCDbi" + (b"" if self.old else struct.pack(">BQ", version, default)) + self.entries
        found = {"dci": index, "dcg": self.games, **self.names}
        if self.old:
            del found["dce"]
        found.update(files)
        count = self.count if games is None else games
        if expect is None and name.startswith("bad_"):
            expect = "The event of each game says what it shows."
        return Case("dcg", name, found, self.covers + covers.split(), count, expect, notes)


def cases():
    return [values(), names(), texts(), board(), records(), shared(), old_lengths(), *layouts(), *votes(), version_one(), *files(), promotions(), *defaults(), nags_of_both(), squares()]


def nags_of_both():
    """dcg §6.4: the NAGs of both sides that the description lists."""
    base = Base()
    for pair in (16, 17), (18, 19), (22, 23), (40, 41), (132, 133):
        base.game("6.4.4", "NAGs %d and %d" % pair, START + move("e2e4") + b"\x87\x01" + bytes([pair[0]]) + move("e7e5") + b"\x87\x01" + bytes([pair[1]]))
    return base.case("nags_of_both")


def squares():
    """dcg §6.3: a king goes over all 64 squares, a1 to h1, h2 to a2 and so on."""
    base = Base()
    path = ["abcdefgh"[file if rank % 2 == 0 else 7 - file] + str(rank + 1) for rank in range(8) for file in range(8)]
    # The other king keeps two files away.
    for part, other, there in (path[:29], "a8", "a7"), (path[28:], "h1", "h2"):
        kings = {part[0]: "K", other: "k"}
        rows = []
        for rank in range(7, -1, -1):
            row = "".join(kings.get("abcdefgh"[file] + str(rank + 1), ".") for file in range(8))
            for length_ in range(8, 0, -1):
                row = row.replace("." * length_, str(length_))
            rows.append(row)
        steps, black = b"", (other, there)
        for number, (start, target) in enumerate(zip(part, part[1:])):
            steps += move(start + target) + move(black[number % 2] + black[1 - number % 2])
        base.game("", "a king from %s to %s" % (part[0], part[-1]), fen("/".join(rows) + " w - - 0 1") + steps)
    return base.case("squares", covers="6.3")


def files():
    """Bases of which a file is missing, or is not what it should be."""
    def one():
        return Base().game("", "the only game", START + move("e2e4"))

    headers = one().game("", "another game", START + move("d2d4"))
    magic = Base().game("", "the only game", START + move("e2e4"), offset=11)
    magic.game("6.5.1", "offset 9, where a record seems to be", b"", head=b"", offset=9)
    return [
        one().case("bad_names_of_a_byte", expect="The .dcn is one byte, which is no magic: a warning, and no names.", covers="5.1.1", dcn=b"S"),
        headers.case("bad_no_dcg", expect="There is no .dcg: errors that keep the tags.", covers="1.1 2.2.2", dcg=None),
        one().case("bad_no_dcg_dcn", expect="There is neither .dcg nor .dcn: it does not open.", covers="1.1", dcg=None, dcn=None, games=0),
        magic.case("bad_magic_record", expect="The magic of the .dcg ends in 01, and 00 follows: a record at 9, which is an error all the same.", covers="1.3 6.5.1",
                   dcg=b"SimpleCDb\x01" + b"\0" + length(3) + START + move("e2e4")),
    ]


def values():
    base = Base()
    record = START + moves("e2e4 e7e5")
    base.game("4.1.1 4.1.8 4.1.11", "all zero", record)
    base.game("4.1.2", "deleted", record, status=255)
    base.game("4.1.3", "status 254", record, status=254)
    base.game("4.1.4", "round 0", record, round=0)
    base.game("4.1.5", "round 1, Elo 1 and 65535", record, round=1, elo_1=1, elo_2=65535)
    base.game("4.1.6", "no Elo of Black's", record, elo_1=2500)
    for result, what in enumerate(["unknown", "White won", "Black won", "draw"]):
        base.game("4.1.7", "result %d: %s" % (result, what), record, result=result)
    base.game("4.1.7", "result 4", record, result=4)
    base.game("4.1.9", "ECO E99", record, eco=b"E99")
    base.game("4.1.9", "ECO of blanks", record, eco=b"   ")
    base.game("4.1.9", "ECO of tildes", record, eco=b"~~~")
    base.game("4.1.10", "ECO with byte 1f", record, eco=b"A\x1f0")
    base.game("4.1.10", "ECO with byte 7f", record, eco=b"A0\x7f")
    base.game("4.1.11", "the last day", record, year=9999, month=12, day=31)
    base.game("4.1.11", "no year", record, month=1, day=1)
    base.game("4.1.12", "year 10000", record, year=10000, month=12, day=31)
    base.game("4.1.12", "month 13", record, year=1999, month=13, day=31)
    base.game("4.1.12", "day 32", record, year=1999, month=12, day=32)
    base.game("4.1.12", "year 9999, month 13", record, year=9999, month=13, day=31)
    return base.case("values", covers="15.1 15.2 15.3 15.4 3.1")


def names():
    base = Base()
    record = START + moves("d2d4")
    plain = base.name("dcn", "Plain, Name")
    base.game("5.1.1", "no White", record, black=plain)
    base.game("5.1.2", "White at 9", record, white=9, black=plain)
    base.game("5.1.2", "White's high bytes", record, white=plain | 1 << 24, black=plain | 1 << 16)
    base.game("5.1.3", "White in the middle of a name", record, white=plain + 3, black=plain)
    base.game("5.3.1", "blanks around", record, white=base.name("dcn", "  two blanks before"))
    base.game("5.3.2", "zero bytes at the end", record, white=base.name("dcn", b"Abc \0\0"))
    base.game("5.3.3", "all blank", record, white=base.name("dcn", ""), black=base.name("dcn", "\u0416\u0443\u043a"))
    base.game("5.3.3", "36 bytes", record, white=base.name("dcn", "x" * 36))
    base.game("5.3.4", "a character cut", record, white=base.name("dcn", "x" + "\u00c9" * 18))
    base.game("5.3.5", "cut, but a blank behind", record, white=base.name("dcn", b"x\xc3"))
    base.game("5.3.5", "Windows-1252", record, white=base.name("dcn", b"\x80 \x81 \x8a \x8f \x9d \x9f M\xfcller"))
    last = base.name("dcn", "the last name, of which a part is there")
    base.game("5.1.4", "a name that is cut", record, white=last)
    base.names["dcn"] = base.names["dcn"][:last + 9]
    base.game("5.1.2", "White at the end of the file", record, white=len(base.names["dcn"]), black=last + 8)
    return base.case("bad_names")


def texts():
    base = Base()
    e4 = START + move("e2e4")
    escapes = "quote \" backslash \\ slash / \b \f \n \r \t \x01 \x1f \x7f \u2028 \U0001f600"
    base.game("6.4.3", "what JSON escapes", e4 + comment(escapes))
    base.game("6.4.10", "Windows-1252", e4 + comment(b"\x80\x81\x8d\x8f\x90\x9d\x9f \xe9"))
    base.game("6.4.10", "bytes of two UTF-8 letters, one broken", e4 + comment(b"\xc3\xa9 \xc3("))
    base.game("6.4.11", "an empty comment", e4 + comment(""))
    base.game("6.1.1", "a comment of 126 bytes", e4 + comment("a" * 126))
    base.game("6.1.2", "of 127, 255", e4 + comment("b" * 127) + comment("c" * 255))
    base.game("6.1.3", "a length 7f alone", e4 + b"\x86\x7f" + b"d" * 127)
    base.game("6.1.4", "longer forms", e4 + b"\x86\x81\1x\x86\x82\0\1y\x86\x83\0\0\1z\x86\x84\0\0\0\1!")
    base.game("6.1.5", "a length 80", e4 + b"\x86\x80" + move("e7e5"))
    base.game("6.1.5", "a length 85", e4 + b"\x86\x85\0\0\0\0\1x" + move("e7e5"))
    base.game("6.1.5", "a length ff", e4 + b"\x86\xff" + move("e7e5"))
    base.game("6.4.4", "128 NAGs", e4 + b"\x87" + length(128) + bytes(range(128)))
    base.game("6.4.12", "no NAGs", e4 + b"\x87\0" + move("e7e5"))
    base.game("6.4.12", "NAGs before a move", START + b"\x87\2\1\xff" + move("e2e4"))
    base.game("6.4.7", "NAGs behind a comment, twice", e4 + comment("a") + b"\x87\1\1" + comment("b") + b"\x87\1\2")
    base.game("6.4.12", "NAGs behind an empty variation", e4 + b"\x84\x85\x87\1\1" + move("e7e5"))
    base.game("6.1.4 6.2.2", "a FEN with a longer form of its length", b"\1\x81" + bytes([len(KINGS)]) + KINGS.encode() + move("e1e2"))
    base.game("6.4.9", "a comment first in a variation", e4 + b"\x84" + comment("c") + move("d2d4") + b"\x85")
    base.game("6.4.3", "a comment before the game", START + comment("first") + move("e2e4"))
    base.game("6.2.2", "a FEN of 130 bytes", fen(KINGS + " " * (130 - len(KINGS))) + move("e1e2"))
    base.game("6.2.2", "a FEN in Windows-1252", fen(KINGS.encode() + b" \xe9") + move("e1e2"))
    base.game("6.2.2", "a board alone", fen("4k3/8/8/8/8/8/8/4K2R") + move("e1e2"))
    base.game("6.4.14", "line ends", e4 + comment("a\r\nb\rc\nd\r\r\ne"))
    return base.case("bad_texts", covers="6.2.1")


def board():
    base = Base()
    base.game("6.3.2.1", "castling", fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1") + moves("e1g1 e8c8"))
    base.game("6.3.2.1", "castling to the other side", fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1") + moves("e1c1 e8g8"))
    base.game("6.3.2.1", "without rights, through pieces", fen("r1b1k1nr/8/8/8/8/8/8/RN2KB1R w - - 0 1") + moves("e1g1 e8c8"))
    base.game("6.3.2.1", "a white king on e8, a black on e1", fen("4K2R/8/8/8/8/8/8/r3k3 w - - 0 1") + moves("e8g8 e1c1"))
    base.game("6.3.2.2", "no rook", fen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1") + moves("e1g1 e8c8"))
    base.game("6.3.2.2", "a rook of the enemy", fen("4k2R/8/8/8/8/8/8/4K2r w - - 0 1") + moves("e1g1 e8g8"))
    base.game("6.3.2.2", "a king on e2 and on d1", fen("4k3/8/8/8/8/8/4K3/R6R w - - 0 1") + moves("e2g2 e8e7 g2e2 e7e8 e2d1 e8e7 d1f1"))
    base.game("6.3.2.2", "a queen", fen("4k3/8/8/8/8/8/8/R3Q2R w - - 0 1") + moves("e1g1"))
    base.game("6.3.2.3", "the king takes its rook; then it stands on g1", fen(KINGS) + moves("e1h1 e8d8 g1e1 d8e8 e1g1"))
    base.game("6.3.3.1", "a move to its own square", START + moves("b1b1 e7e5 a2a5"))
    base.game("6.3.3.2", "a1 to a1", START + moves("a1a1 e7e5"))
    line = moves("h1h2 e8e7") + b"\x85"
    base.game("6.4.1 6.4.2", "the position of a variation",
              fen(KINGS) + moves("h1h2") + b"\x84" + moves("e1g1 e8e7") + b"\x85" + moves("e8d8 e1g1"))
    base.game("6.4.1 6.4.2", "variations in variations",
              fen(KINGS) + moves("e1g1") + b"\x84" + moves("h1h2 e8e7") + b"\x84" + moves("e8d8 e1g1") + b"\x85"
              + moves("e1g1") + b"\x84" + moves("h2h1 e7e8 e1g1") + b"\x85\x85" + moves("e8e7 f1e1"))
    base.game("6.4.1", "two variations to one move",
              fen(KINGS) + moves("h1h8") + b"\x84" + line + b"\x84" + moves("e1g1") + b"\x85")
    base.game("6.4.5", "null moves", START + b"\x88" + move("e7e5") + b"\x84\x88" + move("d2d4") + b"\x85\x88")
    base.game("6.3.1.10", "a knight becomes a queen on f3", START + move("g1f3", 5))
    base.game("6.3.1.8", "code 1 is the other numbering's", fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1") + move("a7a8", 1))
    base.game("6.4.13", "a variation not closed", START + move("e2e4") + b"\x84" + move("d2d4"))
    return base.case("board", notes="the event of each game says what it shows")


def records():
    base = Base()
    e4 = START + move("e2e4")
    base.game("6.5.1", "the offset 9", e4, offset=9)
    base.game("6.5.1", "a high byte of the offset", e4, offset=10 | 1 << 56)
    base.game("6.5.2", "a record of length 0", b"")
    base.game("6.2.3", "the FenMarker 2", b"\2" + fen(KINGS)[1:] + move("e1e2"))
    base.game("6.2.4", "a FEN of seven ranks", fen("8/8/8/8/8/8/8 w - - 0 1") + move("e2e4"))
    base.game("6.2.4", "a rank of nine", fen("9/8/8/8/8/8/8/8 w - - 0 1") + move("e2e4"))
    base.game("6.2.4", "the turn of nobody", fen("8/8/8/8/8/8/8/8 x - - 0 1") + move("e2e4"))
    base.game("6.2.4", "a FEN longer than its record", b"\1\x40" + b"8/8")
    base.game("6.5.4", "half a move", e4 + b"\3")
    base.game("6.5.4", "half a length", e4 + b"\x86\x82\0")
    base.game("6.5.4", "no length", e4 + b"\x86")
    base.game("6.1.3", "7f 81 00, which the old layout would read otherwise", b"\x81" + START + moves("e2e4 e7e5") + comment("n" * 119)[:121], head=b"\x7f")
    base.game("6.4.8", "a comment cut", e4 + b"\x86\5abc")
    base.game("6.4.8", "NAGs cut", e4 + b"\x87\3\1\2")
    base.game("6.4.6", "byte 80", e4 + b"\x80" + move("e7e5"))
    base.game("6.4.6", "byte 83", e4 + b"\x83" + move("e7e5"))
    base.game("6.4.6", "byte 89", e4 + b"\x89" + move("e7e5"))
    base.game("6.4.6", "byte ff", e4 + b"\xff" + move("e7e5"))
    base.game("6.4.1", "a variation first", START + b"\x84" + move("e2e4"))
    base.game("6.4.1", "a variation first in a variation", e4 + b"\x84\x84" + move("d2d4"))
    base.game("6.4.2", "the end of none", e4 + b"\x85" + move("e7e5"))
    base.game("6.4.8", "damage in a variation", e4 + b"\x84" + moves("d2d4 d7d5") + b"\xff" + move("c2c4") + b"\x85" + move("e7e5"))
    base.game("6.3.1.9", "promotion 6", e4 + move("a7a8", 6))
    base.game("6.3.1.9", "promotion 7", e4 + move("a7a8", 7))
    base.game("6.5.5", "tags of a game that is none", b"\2", round=3, result=1, year=1999, eco=b"B01")
    base.game("6.5.3", "cut by the end of the file", e4 + moves("e7e5 g1f3"), head=b"\x20")
    end = len(base.games)
    base.game("6.5.1", "the end of the file", b"", head=b"", offset=end)
    base.game("6.5.2", "the last byte, which begins a length of two", b"", head=b"\x81", offset=end)
    base.game("6.5.3", "the last byte a length", b"", head=b"", offset=end - 1)
    return base.case("bad_records", covers="15.5")


def shared():
    base = Base()
    base.game("6.5.6", "a length of 1500, of which 797 are read", START + move("e2e4") + comment("c" * 1493))
    base.games = base.games[:10 + 100]
    for number in range(20):
        base.game("6.5.6", "one of twenty", START + move("d2d4") + comment("c" * 94))
    start = len(base.games)
    base.game("6.5.6", "600 bytes that twelve share, of which 512 are read", START + move("e2e4") + comment("c" * 590))
    for number in range(11):
        base.game("6.5.6", "the same 600 bytes", b"", head=b"", offset=start)
    return base.case("bad_shared")


def old_lengths():
    base = Base(old=True)
    e4 = moves("e2e4 e7e5")

    def padded(size, front=START):
        rest = size - len(front) - len(e4) - 1
        return front + e4 + b"\x86" + b"%c" % (rest - 1) + b"n" * (rest - 1) if rest < 127 else front + e4 + comment("n" * (rest - 2))[:size - len(front) - len(e4)]

    base.game("2.1.2", "7f 81", padded(127), head=b"\x7f\x81")
    base.game("2.1.2", "fe 81", padded(254), head=b"\xfe\x81")
    base.game("2.1.2", "80 81 and a FEN", fen(KINGS + " " * 70) + moves("e1e2") + comment("n" * 20), head=b"\x80\x81")
    base.game("2.1.3", "7e 81 00 is a length of 126", b"\x81" + padded(125), head=b"\x7e")
    base.game("2.1.3", "80 81 02 is none", b"\2" + e4, head=b"\x80\x81")
    base.game("2.1.1", "2c 01 82", START + e4 + comment("n" * (300 - 8)), head=b"\x2c\x01\x82")
    base.game("2.1.1", "ff 00 82", START + e4 + comment("n" * (255 - 7)), head=b"\xff\x00\x82")
    base.game("2.1.3", "c8 00 82 is a length of 200", b"\0\x82" + e4 + b"\0" * 194, head=b"\xc8")
    base.game("2.1.3", "the usual form", START + e4)
    base.game("2.1.3", "the usual form of 200", padded(200), head=b"\x81\xc8")
    base.game("2.1.3", "two bytes at the end of the file", b"\0", head=b"\1")
    return base.case("bad_old_lengths", covers="2.1.4 5.1.1")


def layouts():
    """Indexes of 80 bytes, which are two entries of the old layout, or one of the current and a rest."""
    games = b"SimpleCDbg" + length(5) + START + moves("e2e4 e7e5") + b"\1\0"
    last = len(games) - 2

    def index(**odd):
        old = dict(status=0xff, offset=last, white=0, black=0, round=0, site=0, event=0, elo_1=0,
                   elo_2=0, result=3, eco=b"\0\0\0", year=0, month=12, day=31)
        old.update(odd)
        data = bytearray(b"SimpleCDbi" + bytes(70))
        data[10:45] = Base(old=True).entry(status=0, offset=10, white=0, black=0, round=0, site=0, event=0,
                                           elo_1=0, elo_2=0, result=0, eco=b"\0\0\0", year=0, month=0, day=0)
        data[45:80] = Base(old=True).entry(**old)
        # The offset of the current layout's entry.
        data[27] = 10
        return bytes(data)

    def case(name, data, rules, games_read, notes):
        return Case("dcg", name, {"dci": data, "dcg": games}, rules.split(), games_read, notes, notes)

    found = [case("bad_layout_old", index(), "2.2.1 2.2.2 2.2.4", 2,
                  "Both layouts make sense of the first entries; the size, and that there is no .dce, say old: two games.")]
    for name, odd in [("status", dict(status=1)), ("offset_low", dict(offset=9)),
                      ("offset_high", dict(offset=len(games))), ("result", dict(result=4)),
                      ("month", dict(month=13)), ("day", dict(day=32))]:
        found.append(case("bad_layout_" + name, index(**odd), "2.2.1 2.2.2 3.2", 1,
                          "The old layout makes no sense of its second entry (%s): one game of the current." % name.replace("_", " ")))
    version = bytearray(index(status=1))
    version[10] = 255
    found.append(case("bad_layout_version", bytes(version), "2.2.3", 2,
                      "Neither makes sense, the current layout because of its version byte 255: the size says old."))

    def sized(count, odd_entry, name, covers, expect, with_events, games_read):
        base = Base(old=True)
        for number in range(count):
            status = 7 if number == odd_entry or odd_entry == "all" else 0
            base.game("", "%d" % (number + 1), START + moves("e2e4"), status=status)
        files = {"dce": b"SimpleCDbe"} if with_events else {}
        made = base.case(name, expect=expect, covers=covers, **files)
        made.games = games_read
        return made

    # 955 bytes are 27 entries of the old layout, and 24 of the current.
    found += [
        sized(3, "all", "bad_layout_size", "2.2.4", "Neither layout makes sense; the size says old, though there is a .dce.", True, 3),
        sized(27, "all", "bad_layout_no_events", "2.2.5", "Neither layout makes sense, both sizes fit; there is no .dce: old.", False, 27),
        sized(27, "all", "bad_layout_events", "2.2.5", "Neither layout makes sense, both sizes fit; there is a .dce: current, and no game of it.", True, 24),
        sized(27, 16, "bad_layout_seventeenth", "2.2.1", "The first 16 entries make sense of the old layout, though there is a .dce.", True, 27),
        sized(27, 15, "bad_layout_sixteenth", "2.2.1", "The 16th entry makes no sense of the old layout; there is a .dce: current, and no game of it.", True, 24),
    ]
    return found


def version_one():
    base = Base()
    base.game("2.2.6", "version 1 of 39-byte entries", START + moves("e2e4"))
    base.game("2.2.6", "the second", START + moves("d2d4"))
    return base.case("bad_version_one", expect="A warning on opening; both games are read.", version=1)


def promotions():
    """Codes where nothing promotes."""
    base = Base()
    pawns = fen("4k3/P7/8/8/8/8/p7/4K3 w - - 0 1")
    for code in range(1, 6):
        base.game("6.3.1.10", "code %d on e2e4" % code, START + move("e2e4", code) + moves("e7e5"))
    base.game("6.3.1.10", "on a knight, a capture, castling, a rook", START + move("g1f3", 4) + moves("e7e5") + move("f3e5", 4)
              + moves("g8f6 e2e3 f8d6 f1d3") + move("e8g8", 5) + moves("h2h4 f8e8 h1h2") + move("e8e7", 5))
    base.game("6.3.1.10", "White's pawn on its last rank, Black's on its own", pawns + move("a7a8", 5) + move("a2a1", 2))
    base.game("6.3.1.10", "White's pawn in the middle, Black's one step early", fen("4k3/8/8/8/P7/p7/8/4K3 w - - 0 1") + move("a4a5", 5) + move("a3a2", 5))
    base.game("6.3.1.10", "no piece there: kept", START + move("e4e8", 5))
    base.game("6.3.1.9", "code 6, which stands for nothing at all", START + move("e2e4", 6))
    return base.case("bad_idle_promotions", expect="A code on a move that does not promote has no effect, with a warning; 6 is an error. The event of each game says what it shows.")


def defaults():
    """dcg §3: which game is shown first."""
    def three():
        base = Base()
        for what in "first", "second", "third":
            base.game("", what, START + move("e2e4"))
        return base

    rooks = Base()
    for what in "a rook, or a queen as described", "and another":
        rooks.game("", what, fen("8/P7/8/8/8/8/7k/4K3 w - - 0 1") + move("a7a8", 4) + moves("h2h3 a8f8"))
    found = [
        three().case("default_offset", covers="3.3", default=19 + 39 * 2, notes="OpenDefault is the offset of the third entry"),
        three().case("bad_default_behind", covers="3.4", default=3, expect="OpenDefault is the number behind that of the last game: the first game, and a warning."),
        three().case("bad_default_end", covers="3.4", default=19 + 39 * 3, expect="OpenDefault is the end of the index, where no entry stands: the first game, and a warning."),
        three().case("bad_default_missing", covers="3.4", default=20, expect="OpenDefault is neither a number of a game nor the offset of an entry: the first game, and a warning."),
        rooks.case("rooks_indexed", covers="3.5 6.3.1.11", default=2**64 - 2, notes="all promotions have code 4, and the index says rooks; the second game is shown first"),
        rooks.case("only_rooks", covers="6.3.1.12 6.3.1.13", notes="all promotions have code 4: queens as described, with a warning that they could be rooks"),
    ]
    found[-1].options = ["promotions=described", "promotions=program"]
    return found


def votes():
    """Bases in which one thing decides what 2, 3 and 4 mean: the first game, which tells."""
    promotes = "8/P7/8/8/8/8/7k/4K3 w - - 0 1"

    def tells(base):
        return base.game("", "a8 is n, b, r by the program; b, r, q as described",
                         fen("8/PPP5/8/8/8/8/7k/4K3 w - - 0 1") + move("a7a8", 2) + move("h2h3") + move("b7b8", 3)
                         + move("h3h2") + move("c7c8", 4))

    def vote(base, rule, what, code, line="", before=b"", start=promotes):
        return base.game(rule, what, fen(start) + before + move("a7a8", code) + moves(line))

    five, one = "speaks for the program", "speaks for the description"
    # Bishop d3, not knight: legal only as described, where 2 is a bishop.
    bishop = "h2h3 a8d5"
    found = []

    base = tells(Base())
    vote(base, "6.3.1.4 6.3.1.5", one, 1)
    vote(base, "6.3.1.5", one, 1)
    vote(base, "6.3.1.5", five, 5)
    found.append(base.case("vote_described", notes="two games speak for the description, one for the program"))

    base = tells(Base())
    vote(base, "6.3.1.5", one, 1)
    vote(base, "6.3.1.5", five, 5)
    vote(base, "6.3.1.5", five, 5)
    vote(base, "6.3.1.6", "a bishop as described", 2, bishop)
    vote(base, "6.3.1.6", "a bishop as described", 2, bishop)
    found.append(base.case("bad_vote_program", expect="Two games speak for the program, one for the description; legality, which says the contrary, is not asked."))

    base = tells(Base())
    vote(base, "6.3.1.5", one, 1)
    vote(base, "6.3.1.5", five, 5)
    vote(base, "6.3.1.6", "a bishop as described", 2, bishop)
    found.append(base.case("vote_legality", notes="one for each; fewer moves are illegal as described"))

    base = tells(Base())
    vote(base, "6.3.1.5", one, 1)
    vote(base, "6.3.1.5", five, 5)
    found.append(base.case("vote_tie", covers="6.3.1.7 6.3.1.12", notes="nothing speaks for one more than for the other: the one with more queens"))

    base = tells(Base())
    base.game("6.3.1.4", "both in one game, twice each",
              fen("8/PPPP4/8/8/8/8/7k/4K3 w - - 0 1") + move("a7a8", 1) + move("h2h3") + move("b7b8", 1)
              + move("h3h2") + move("c7c8", 5))
    vote(base, "6.3.1.5", one, 1)
    found.append(base.case("vote_both", notes="a game speaks for each once; a second for the description"))

    base = tells(Base())
    base.game("6.3.1.3", "a code 1 in a variation alone", fen(promotes) + move("a7a8", 3) + b"\x84" + move("a7a8", 1) + b"\x85")
    base.game("6.3.1.2", "a code in a variation, and an illegal main line", START + moves("a1a8") + b"\x84" + move("a2a3", 1) + b"\x85")
    base.game("6.3.1.4", "a code 1 that is not legal", fen(promotes) + move("a7b8", 1))
    base.game("6.3.1.4", "a code 1 behind an illegal move", fen(promotes) + moves("e1e5 h2h3") + move("a7a8", 1))
    base.game("6.3.1.4", "a code 1 of a knight", START + move("g1f3", 1))
    base.game("6.3.1.1", "an unreadable start", fen("9/8/8/8/8/8/8/8 w - - 0 1") + move("a7a8", 1))
    base.game("6.3.1.1", "a start that is not UTF-8", fen(promotes.encode() + b" \xff") + move("a7a8", 1))
    base.game("6.3.1.1", "no record", b"", offset=1 << 40)
    found.append(base.case("bad_vote_nobody", default=2**64 - 1, covers="6.3.1.11", expect="No game has a say; the index has: the program's numbering. Two games are errors: an unreadable start, and no record."))

    base = tells(Base())
    base.game("6.3.1.3", "null moves and castling are legal",
              fen("r3k3/7P/8/8/8/8/8/R3K2R w KQq - 0 1") + moves("e1g1 e8c8") + b"\x88\x88" + move("h7h8", 1))
    base.game("6.3.1.3", "a variation before it is passed over",
              fen(promotes) + moves("e1e2") + b"\x84" + moves("e1e8") + b"\x84" + moves("e1e7") + b"\x85" + b"\x85" + moves("h2h3") + move("a7a8", 1))
    vote(base, "6.3.1.5", five, 5)
    found.append(base.case("vote_lines", notes="two games speak for the description: null moves, castling, variations before the code"))

    base = tells(Base())
    vote(base, "6.3.1.6", "legal as the program's knight", 2, "h2h3 a8b6")
    vote(base, "6.3.1.6", "and again", 2, "h2h3 a8b6")
    vote(base, "6.3.1.6", "a bishop, whose moves are many", 2, "h2h3 a8d5")
    found.append(base.case("bad_vote_fewer", expect="Two moves are illegal as described, one as the program has it."))

    two_pawns = "8/P3P3/8/8/8/8/7k/4K3 w - - 0 1"
    base = tells(Base())
    base.game("6.3.1.4", "legal as described alone, then code 5", fen(two_pawns) + move("a7a8", 2) + moves("h2h3 a8d5 h3h2") + move("e7e8", 5))
    found.append(base.case("vote_five_of_described", notes="the code 5 is legal under one numbering only, the other; it speaks for the program all the same"))

    base = tells(Base())
    base.game("6.3.1.4", "legal as the program has it alone, then code 1", fen(two_pawns) + move("a7a8", 2) + moves("h2h3 a8b6 h3h2") + move("e7e8", 1))
    found.append(base.case("vote_one_of_program", notes="the code 1 is legal under one numbering only, the other; it speaks for the description all the same"))

    base = tells(Base())
    base.game("6.3.1.3", "one null move", fen(promotes) + b"\x88" + moves("h2h3") + move("a7a8", 1))
    base.game("6.3.1.3", "a null move in a variation", fen(promotes) + moves("e1e2") + b"\x84\x88\x85" + moves("h2h3") + move("a7a8", 1))
    base.game("6.3.1.3", "moves of a variation behind one in it",
              fen(promotes) + moves("e1e2") + b"\x84" + moves("e1d1") + b"\x84" + moves("e1d2") + b"\x85" + moves("h2h1 d1h8") + b"\x85" + moves("h2h3") + move("a7a8", 1))
    vote(base, "6.3.1.5", five, 5)
    vote(base, "6.3.1.5", five, 5)
    found.append(base.case("vote_depths", notes="three games speak for the description, two for the program"))

    base = Base()
    vote(base, "6.3.1.12 6.3.1.13", "a rook, or a queen as described", 4, "h2h3 a8f8")
    found.append(base.case("one_rook", notes="one game with code 4: a queen as described, with a warning"))

    base = Base()
    for code in 4, 4, 3:
        vote(base, "6.3.1.12", "code %d" % code, code)
    found.append(base.case("rooks_and_more", notes="two games of code 4, queens as described, decide"))

    for codes, name, notes in [
        ((3,), "pieces_of_three", "a rook as described, not a bishop of the program"),
        ((2,), "pieces_of_two", "a knight of the program, not a bishop as described"),
        ((2, 3), "pieces_of_both", "a bishop in both: the program's"),
    ]:
        base = Base()
        for code in codes:
            vote(base, "6.3.1.12 6.3.1.13", "code %d" % code, code)
        found.append(base.case(name, notes=notes))

    base = Base()
    for number in 1, 2:
        base.game("6.3.1.6", "a queen would give check", fen("8/P7/8/8/8/8/8/4K2k w - - 0 1") + move("a7a8", 4) + moves("h1g2"))
    found.append(base.case("rooks_by_legality", notes="only rooks, but queens would give check: legality decides, and there is no warning"))

    base = tells(Base())
    base.game("6.3.1.3", "code 6 counts as an illegal move", fen(promotes) + move("a7a8", 6) + move("h2h3"))
    base.game("6.3.1.1", "a cut record counts as far as it is there", fen(promotes) + move("a7a8", 1) + b"\3", head=b"\x40")
    base.game("6.3.1.3", "a stray 85 changes nothing here", fen(promotes) + b"\x85" + move("a7a8", 1))
    vote(base, "6.3.1.5", five, 5)
    found.append(base.case("bad_vote_cut", expect="Game 2 ends at code 6; game 3 is cut behind its promotion, game 4 has a stray 85: both speak for the description."))
    return found
