"""Bases of Scid that show what no file of a Scid does. (docs/formats/scid.md)"""

import re
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "ports" / "python"))
from make import Case
import scid_writer

NAG, COMMENT, OPEN, CLOSE, END = 11, 12, 13, 14, 15
ESCAPES = "quote \" backslash \\ slash / \b \f \n \r \t \x01 \x1f \x7f \u2028 \U0001f600"
KINGS = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


def tag(name, value):
    name, value = as_bytes(name), as_bytes(value)
    return bytes([len(name)]) + name + bytes([len(value)]) + value


def common(code, value):
    value = as_bytes(value)
    return bytes([code, len(value)]) + value


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode()


def record(stream, *comments, tags=b"", fen=None, flags=None, end=bytes([END])):
    """scid §4"""
    start = b"" if fen is None else as_bytes(fen) + b"\0"
    flags = (fen is not None) if flags is None else flags
    texts = b"".join(as_bytes(comment) + b"\0" for comment in comments)
    return tags + b"\0" + bytes([flags]) + start + bytes(stream) + end + texts


# The usual position: 1. e4 e5 2. Nf3 is pawn 12 two squares, the same, knight 6 to f3.
E4, E5, NF3, D4, D5, C4 = 0xcf, 0xcf, 0x67, 0xbf, 0xbf, 0xaf


class Base:
    """Games are appended to it; the event of each says what it shows."""

    def __init__(self, version=400):
        self.version, self.covers = version, []
        self.entries, self.games = [], b""
        self.events = []

    def game(self, rules, what, data=None, **fields):
        self.covers += rules.split()
        data = record([E4, E5]) if data is None else data
        values = dict(offset=len(self.games), length=len(data), flags=0, white=0, black=1, event=len(self.events),
                      site=0, round=0, result=0, counts=0, eco=0, date=0, event_date=0, code=0, rating_1=0, rating_2=0, chess960=0)
        self.events.append(what)
        values.update(fields)
        self.entries.append(values)
        self.games += data
        return self

    def index(self, count=None, kind=0, first=1, texts=b""):
        if self.version == 5:
            return b"".join(entry_5(values) for values in self.entries)
        count = len(self.entries) if count is None else count
        header = struct.pack(">8sHI3s3s", b"Scid.si\0", self.version, kind, count.to_bytes(3, "big"), first.to_bytes(3, "big")) + texts
        size = 182 if self.version == 400 else 128
        entries = b"".join(entry_4(values, self.version == 400) for values in self.entries)
        return header.ljust(size, b"\0") + entries

    def name_lists(self):
        return [["Ash, Kim", "Elm, Lee"], self.events, ["?"], ["?"]]

    def names(self):
        if self.version == 5:
            return b"".join(scid_writer.record_5(kind, as_bytes(name)) for kind, list_ in enumerate(self.name_lists()) for name in list_)
        return names_4([{as_bytes(name): number for number, name in enumerate(list_)} for list_ in self.name_lists()])

    def case(self, name, expect=None, games=None, covers="", notes=None, files_of=None, count=None, **files):
        digit = files_of or {400: "4", 5: "5"}.get(self.version, "3")
        found = {"si" + digit: self.index(count), "sn" + digit: self.names(), "sg" + digit: self.games}
        found.update({extension + digit: data for extension, data in files.items()})
        expect = expect or "The event of each game says what it shows."
        covers = self.covers + covers.split()
        return Case("scid", name, found, covers, len(self.entries) if games is None else games, expect, notes)


def names_4(lists, most=1):
    """scid §3.1, every name used as often as given."""
    out = b"Scid.sn\0" + bytes(4)
    for ids in lists:
        out += len(ids).to_bytes(3, "big")
    out += most.to_bytes(3, "big") * 4
    width = 3 if most >= 65536 else 2 if most >= 256 else 1
    for ids in lists:
        before = None
        for name in sorted(ids, key=scid_writer.order):
            shared = 0
            while before and shared < min(len(before), len(name)) and before[shared] == name[shared]:
                shared += 1
            out += ids[name].to_bytes(2, "big") + most.to_bytes(width, "big") + bytes([len(name)])
            out += b"" if before is None else bytes([shared])
            out += name[shared:]
            before = name
    return out


def entry_4(v, long):
    flags, length = v["flags"], v["length"]
    third = bytes([length >> 16 << 7 | v.get("bit 6", 0) << 6 | flags >> 16 & 63]) if long else b""
    front = struct.pack(">IH", v["offset"], length & 0xffff)
    rest = struct.pack(
        ">HBHHBHHHHHIHHB3s2s8s", flags & 0xffff, v["white"] >> 16 << 4 | v["black"] >> 16, v["white"] & 0xffff,
        v["black"] & 0xffff, v["event"] >> 16 << 5 | v["site"] >> 16 << 2 | v["round"] >> 16, v["event"] & 0xffff,
        v["site"] & 0xffff, v["round"] & 0xffff, v["result"] << 12 | v["counts"], v["eco"],
        v["code"] << 20 | v["date"], v["rating_1"], v["rating_2"], 0, b"\0\0\0", b"\0\0", bytes(8))
    return front + third + rest


def entry_5(v):
    words = [v["white"], v["black"], v["event"], v["site"], v["chess960"] << 31 | v["round"],
             (v["rating_1"] & 0xfff) << 20 | v["date"], (v["rating_2"] & 0xfff) << 20 | v["event_date"], v["flags"],
             v["length"] << 15 | v["offset"] >> 32, v["offset"] & 0xffffffff, 0,
             v["rating_1"] >> 12 << 21 | v["rating_2"] >> 12 << 18 | v["result"] << 16 | v["eco"]]
    return struct.pack("<12I8s", *words, bytes(8))


def date(year, month=0, day=0):
    return year << 9 | month << 5 | day


def cases():
    return [entries(), header_fields(), queen_squares(), ratings(), version_399(), *counts(), *damaged_names(), tags(), starts(), streams(),
            comments(), comments_unmarked(), count_codes(), moves(), castling(), records(), shared(), si5_rich(), si5_fields(), *si5_names()]


def fields(base):
    """What versions 4 and 5 have alike in their entries."""
    for bit, letter in enumerate("WBMENPTKQ!?U123456", 4):
        base.game("2.3.2", "flag " + letter, flags=1 << bit)
    base.game("2.3.2", "all flags", flags=0x3fffff)
    base.game("2.3.1", "deleted", flags=8)
    base.game("2.3.3", "flags 0 to 2, which say nothing", flags=7)
    for result in range(4):
        base.game("2.2.12", "result %d" % result, result=result)
    base.game("2.2.14 2.2.23", "a date", date=date(2047, 12, 31))
    base.game("2.2.23", "month and day alone", date=date(0, 5, 1))
    base.game("2.2.23", "a year alone", date=date(1))
    for month in 13, 15:
        base.game("2.2.28", "month %d" % month, date=date(1999, month, 5))
    base.game("2.2.28", "month 14, no year, no day", date=date(0, 14))
    for eco, what in [(1, "A00"), (131, "A00z4"), (132, "A01"), (2, "A00a1 is one more: A00a"), (3, "A00a1"), (7, "A00b"),
                      (13101, "B00"), (65500, "E99z4"), (65501, "F00"), (65535, "the highest")]:
        base.game("2.2.24 2.2.25" if eco > 65500 else "2.2.24", "ECO %d: %s" % (eco, what), eco=eco)
    return base


def entries():
    base = fields(Base())
    for result in 4, 15:
        base.game("2.2.22 6.1.4", "result %d" % result, result=result)
    base.game("2.2.3", "bit 6 of byte 6", **{"bit 6": 1})
    for name, bits in [("white", 4), ("black", 4), ("event", 3), ("site", 3), ("round", 2)]:
        for bit in range(16, 16 + bits):
            rule = {"white": "2.2.5", "black": "2.2.5"}.get(name, "2.2.8")
            base.game(rule + " 3.3.1", "bit %d of the id: %s" % (bit, name), **{name: 1 << bit | (len(base.events) if name == "event" else 0)})
    for name, low, rule in [("white", 0x100, "2.2.6"), ("black", 0x200, "2.2.7"), ("event", 0x8000, "2.2.9"), ("site", 0x100, "2.2.10"), ("round", 1, "2.2.11")]:
        base.game(rule + " 3.3.1", "an id that is none: " + name, **{name: low})
    base.game("2.2.6 2.2.7", "White and Black the other way", white=1, black=0)
    base.game("2.2.26", "event date, k = 1", date=date(1999), code=1 << 9 | 5 << 5 | 6)
    base.game("2.2.26", "event date, k = 7", date=date(1999, 1, 1), code=7 << 9 | 12 << 5 | 31)
    base.game("2.2.26", "event date, k = 0", date=date(1999, 1, 1), code=5 << 5 | 6)
    base.game("2.2.26", "k = 1 of the year 2: no less than 0", date=date(2), code=1 << 9 | 5 << 5 | 6)
    base.game("2.2.26 2.2.30", "k = 6 of the year 2047", date=date(2047), code=6 << 9 | 1 << 5 | 1)
    base.game("2.2.26 2.2.30", "k = 5 of the year 2047: the year 0", date=date(2047), code=5 << 9 | 1 << 5 | 1)
    base.game("2.2.27 2.2.30", "k = 5 of the year 2047, no month and no day", date=date(2047), code=5 << 9)
    base.game("2.2.26", "k = 4 of the year 2047", date=date(2047), code=4 << 9 | 1 << 5 | 1)
    base.game("2.2.27", "80 00 00 00", code=4 << 9)
    base.game("2.2.26", "k = 4 of no year, but a day", code=4 << 9 | 3)
    base.game("2.2.28", "month 13 of the event", date=date(2000), code=4 << 9 | 13 << 5 | 7)
    return base.case("bad_entries", covers="12.1 12.3 12.4")


def header_fields():
    """A header whose fields all have a value of their own."""
    base = Base().game("2.1.1 2.1.2 2.1.4", "the first").game("", "the second", record([D4]))
    description = b"A description.".ljust(107, b".") + b"\0"
    labels = b"".join((b"label %d" % number).ljust(9, b"\0") for number in range(1, 7))
    index = base.index(kind=17, first=0x010203, texts=description + labels)
    return base.case("header_fields", si=index, expect=None,
                     notes="the type 17, the game to load 66051, a description of 107 bytes, six labels")


def queen_squares():
    """A queen goes aslant to each of the 64 squares: one game each, in the order of the squares."""
    base = Base()
    for target in range(64):
        file, rank = target % 8, target // 8
        queen = (file + (1 if file < 4 else -1), rank + (1 if rank < 4 else -1))
        # Both kings stand in corners that the queen neither attacks nor goes to.
        corners = [(f, r) for f in (0, 7) for r in (0, 7)]
        free = [c for c in corners if c not in (queen, (file, rank)) and c[0] != queen[0] and c[1] != queen[1]
                and abs(c[0] - queen[0]) != abs(c[1] - queen[1])]
        black = free[0]
        white = next(c for c in corners if c not in (black, queen, (file, rank)))
        men = {queen: "Q", white: "K", black: "k"}
        ranks = ["".join(men.get((f, r), "1") for f in range(8)) for r in range(7, -1, -1)]
        fen = "/".join(re.sub("1+", lambda ones: str(len(ones[0])), row) for row in ranks) + " w - - 0 1"
        base.game("4.5.5", "queen to %s%d" % ("abcdefgh"[file], rank + 1), record([0x10 | queen[0], 64 + target], fen=fen), flags=1)
    return base.case("queen_squares", expect=None, notes="one game for each square that a queen goes to aslant")


def ratings():
    base = Base()
    for kind in range(16):
        rule = "2.4.%d" % (kind + 1) if kind < 7 else "2.4.9"
        base.game(rule, "kind %d" % kind, rating_1=kind << 12 | 2000 + kind, rating_2=kind << 12 | 1000 + kind)
        base.game("2.4.8", "kind %d without a value" % kind, rating_1=kind << 12)
    base.game("2.4.10", "4000 and 4001", rating_1=4000, rating_2=4001)
    base.game("2.4.10", "4095 of kind 2", rating_1=2 << 12 | 4095)
    base.game("6.1.1 6.1.2 12.2", "rating tags, flags, tags of the record", record([E4], tags=tag("Zeta", "z") + tag("WhiteICCF", "7")),
              rating_1=2 << 12 | 1500, rating_2=7 << 12 | 1600, flags=1 << 15)
    base.game("2.2.15 2.2.16", "White's and Black's", rating_1=2700, rating_2=2600)
    return base.case("bad_ratings")


def version_399():
    base = Base(399)
    base.game("2.1.9 5.1.1 5.1.2", "version 399", record([E4, E5, NF3]), flags=1 << 4, result=1)
    base.game("5.1.1", "the second", record([D4], tags=tag("A", "b")))
    return base.case("version_399", files_of="4", expect=None, notes="the layout of version 300 under the names of version 4")


def counts():
    def two():
        return Base().game("", "first").game("", "second", record([D4]))

    one, other, last = two(), two(), two()
    index = one.index()
    return [
        Base(299).game("", "first").case("bad_si_v299", expect="Version 299 is refused.", games=0, covers="2.1.9", files_of="4"),
        one.case("bad_si_header", expect="The index ends within its header: it does not open.", games=0, covers="2.1.10", si=index[:181]),
        two().case("bad_no_games", expect="There is no .sg4: a warning on opening, and errors that keep the tags.", covers="1.3", sg=None),
        two().case("bad_no_names", expect="There is no .sn4: a warning on opening, and no names.", covers="1.3 3.3.1", sn=None),
        other.case("bad_si_uncounted", expect="A warning on opening; both games are read.", covers="2.1.13 2.1.4", count=0),
        last.case("bad_si_rest", expect="A warning on opening for the piece of an entry; both games are read.", covers="2.1.11",
                  si=last.index() + index[-47:-1]),
    ]


def damaged_names():
    def three():
        base = Base()
        return base.game("", "event A").game("", "event B").game("", "event C")

    def case(name, rules, expect, change, base=None):
        base = base or three()
        return base.case(name, expect=expect, covers=rules, sn=change(bytearray(base.names())))

    def players(records, count, most=1, kinds=(3, 1, 1)):
        """A names file with these players, and the events, site and round of the base."""
        lists = [{}] + [{as_bytes(name): number for number, name in enumerate(list_)} for list_ in three().name_lists()[1:]]
        data = bytearray(names_4(lists, most))
        data[12:15] = count.to_bytes(3, "big")
        return bytes(data[:36]) + records + bytes(data[36:])

    ash, elm = b"\0\0\1\x08Ash, Kim", b"\0\1\1\x08\0Elm, Lee"
    return [
        case("bad_names_short", "3.1.11 3.3.1", "The names file has 35 bytes: a warning, and all names are unknown.", lambda data: data[:35]),
        case("bad_names_id", "3.1.13 3.3.1", "Of five players two have the ids 5 and 9: these names are dropped, though the next shares bytes with one; in their place games have no name.",
             lambda _: players(ash + elm + b"\0\5\1\6\4ly" + b"\0\2\1\7\6n" + b"\0\x09\1\3\0Zed", 5),
             Base().game("", "event A", black=2).game("", "event B", white=5).game("", "event C", black=9)),
        case("bad_names_twice", "3.1.14", "Two players have the id 0: the later counts.", lambda _: players(ash + b"\0\0\1\3\0Zed", 2)),
        case("bad_names_trailing", "3.1.15", "Bytes follow the last name: a warning.", lambda data: data + b"more"),
        case("bad_names_shared", "3.1.12", "The second player shares 9 bytes with a name of 8: it and all names after it are lost.",
             lambda _: players(ash + b"\0\1\1\x0c\x09xyz", 2)),
        case("bad_names_shared_length", "3.1.12", "The second player shares more bytes than its own length: it and all names after it are lost.",
             lambda _: players(ash + b"\0\1\1\2\3", 2)),
        case("bad_names_wide", "3.1.5 3.1.12", "A list that counts 65536 players has ids of three bytes; it ends after two of them, which stay.",
             lambda _: players(b"\0" + ash + b"\0" + elm, 65536)),
        case("bad_names_frequency_256", "3.1.6", "The highest frequency is 256, so they take two bytes; all is read.", lambda _: names_4([{as_bytes(name): number for number, name in enumerate(list_)} for list_ in three().name_lists()], 256)),
        case("bad_names_frequency_65536", "3.1.6", "The highest frequency is 65536, so they take three bytes; all is read.", lambda _: names_4([{as_bytes(name): number for number, name in enumerate(list_)} for list_ in three().name_lists()], 65536)),
        case("bad_names_empty", "3.3.2 3.1.7 3.1.8 3.1.9", "An empty name is the empty text; a name of 255 bytes; both are read.",
             lambda _: players(b"\0\0\1\0" + b"\0\1\1\xff\0" + b"n" * 255, 2)),
    ]


def tags():
    base = Base()
    base.game("4.2.1", "a name of 240 bytes", record([E4], tags=tag("n" * 240, "v" * 255)))
    base.game("4.2.1", "an empty value, a name of one byte", record([E4], tags=tag("A", "")))
    base.game("4.2.2", "all common names", record([E4], tags=b"".join(common(code, "v%d" % code) for code in range(241, 251))))
    base.game("4.2.3 6.2.2", "unassigned names", record([E4], tags=b"".join(common(code, "v%d" % code) for code in range(251, 255))))
    base.game("4.2.4 4.2.6", "an event date of Scid 2", record([E4], tags=b"\xff" + date(1999, 5, 6).to_bytes(3, "big") + tag("A", "b")))
    base.game("4.2.6", "the same, but the index has one", record([E4], tags=b"\xff" + date(1999, 5, 6).to_bytes(3, "big")), date=date(1999), code=4 << 9 | 33)
    base.game("4.2.6", "the same with month 13", record([E4], tags=b"\xff" + date(1999, 13, 6).to_bytes(3, "big")))
    base.game("4.2.6", "four bits more", record([E4], tags=b"\xff" + (0xf00000 | date(1999, 5, 6)).to_bytes(3, "big")))
    base.game("6.2.1", "the same tag twice, and SetUp", record([E4], tags=tag("A", "1") + tag("B", "2") + tag("A", "3") + common(250, "1")))
    roster = "".join("%s " % name for name in ("Event", "Site", "Date", "Round", "White", "Black", "Result", "Deleted", "FEN")).split()
    for name in roster:
        base.game("6.2.3", "a tag of the index: " + name, record([E4], tags=tag(name, "1") + tag("Other", "x")))
    base.game("6.2.4", "ratings, ECO, event date that the index lacks",
              record([E4], tags=tag("WhiteElo", "2500") + tag("BlackElo", "n/a") + tag("ECO", "c42") + tag("EventDate", "1999.1.2")))
    base.game("6.2.4", "the same text as in the index", record([E4], tags=tag("WhiteElo", "2500") + tag("ECO", "A00")), rating_1=2500, eco=1)
    base.game("6.2.4", "another text than in the index", record([E4], tags=tag("WhiteElo", "2501") + tag("BlackElo", "02500") + tag("ECO", "A01") + tag("EventDate", "?")),
              rating_1=2500, rating_2=2500, eco=1, date=date(1999), code=4 << 9 | 33)
    base.game("1.4", "UTF-8 and Windows-1252", record([E4, COMMENT], b"\x80\x81\xe9", tags=tag(b"N\xe9", b"\x8d\x8f\x90\x9d") + tag("N\u00e9", "\u20ac")))
    base.game("4.4.6", "what JSON escapes", record([E4, COMMENT], ESCAPES, tags=tag("A", ESCAPES)))
    base.game("6.2.1", "tags of empty fields behind another", record([E4], tags=tag("Foo", "1") + tag("WhiteElo", "2500") + tag("BlackElo", "abc") + tag("EventDate", "2000.01.02")))
    return base.case("bad_tags")


def starts():
    base = Base()
    ke2 = 0x07  # king to e2: number 0, code 7 is +8
    base.game("4.3.1", "a FEN, though the index has no flag", record([ke2], fen=KINGS))
    base.game("4.3.1", "no FEN, though the index has the flag", flags=1)
    base.game("4.3.4", "a FEN of four fields", record([ke2], fen="4k3/8/8/8/8/8/8/4K2R w K -"))
    base.game("4.3.4", "impossible rights", record([ke2], fen="4k3/8/8/8/8/8/8/4K2R w KQkqAHah e4 x y"))
    base.game("4.6.2", "no kings", record([0x1f, 0x01, 0x01], fen="8/p7/8/8/8/8/7P/RN6 w - - 0 1"))
    base.game("4.6.2 4.6.3", "the usual position as FEN",
              record([0x4f, 0xcf, 0xd7], fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))
    base.game("4.6.3", "two kings a side", record([0x07, 0x02, 0x17, 0x12], fen="k3k3/8/8/8/8/8/8/K2K3R w - - 0 1"))
    base.game("4.6.3", "three kings, a rook first", record([0x08, 0x02, 0x38], fen="4k3/8/R2K4/8/3K4/8/3K4/8 w - - 0 1"))
    base.game("4.3.3", "17 white pieces", record([E4], fen="4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1"))
    base.game("4.3.3", "17 black pieces", record([E4], fen="rnbqkbnr/pppppppp/n7/8/8/8/8/4K3 w - - 0 1"))
    base.game("4.3.2", "a FEN of nine ranks", record([E4], fen="8/8/8/8/8/8/8/8/8 w - - 0 1"))
    base.game("4.3.2", "no zero byte behind the FEN", b"\0\1" + KINGS.encode())
    base.game("4.2.5", "no flags", b"\0")
    base.game("4.2.5", "a tag cut", tag("A", "b") + b"\5ab")
    base.game("4.2.5", "a value cut", tag("A", "b") + b"\1C\5ab")
    return base.case("bad_starts", covers="12.5 12.7 4.6.1")


def streams():
    base = Base()
    base.game("4.4.1 4.4.14", "NAG 0 and 255", record([E4, NAG, 0, NAG, 255, E5]))
    base.game("4.4.14", "nine NAGs", record([E4] + [NAG, 1, NAG, 2, NAG, 15] * 3 + [E5]))
    seven = [NAG, 1] * 7
    base.game("4.4.14", "seven NAGs behind each move are not too many", record([E4] + seven + [E5] + seven + [OPEN, D5] + [NAG, 1] * 5 + [CLOSE] + seven + [NF3] + seven))
    base.game("4.4.14", "nor behind castling and null moves", record([0x0a] + seven + [0x00] + seven + [0x00] + seven, fen=KINGS))
    base.game("4.4.14", "nor behind castling that has no right", record([0x0a] + seven + [0x00] + seven, fen="4k3/8/8/8/8/8/8/4K2R w - - 0 1"))
    base.game("4.4.15", "a NAG before the game", record([NAG, 5, E4]))
    base.game("4.4.15", "a NAG before a variation's first move", record([E4, OPEN, NAG, 5, D4, CLOSE, E5]))
    base.game("4.4.3 4.4.4 4.4.7", "variations", record([E4, E5, OPEN, 0xaf, OPEN, 0xdf, CLOSE, NF3, CLOSE, OPEN, D5, CLOSE, NF3]))
    base.game("4.4.7 4.6.6", "numbers before the move that is replaced",
              record([E4, D5, 0xc0, OPEN, 0xc1, 0xbe - 14 + 1, CLOSE, 0x4b]))
    base.game("4.4.8", "variations without moves", record([E4, OPEN, CLOSE, E5, OPEN, COMMENT, CLOSE], "in it"))
    base.game("4.4.9 12.7", "a variation before the game", record([OPEN, E4, CLOSE]))
    base.game("4.4.9", "a variation before a variation's first move", record([E4, OPEN, OPEN, D4, CLOSE, CLOSE]))
    base.game("4.4.9", "a stray end of a variation", record([E4, CLOSE, E5]))
    base.game("4.4.9", "an end within a variation", record([E4, OPEN, D4], end=bytes([END])))
    base.game("4.4.9", "no end", record([E4, E5], end=b""))
    base.game("4.4.9", "a NAG at the end", record([E4, NAG], end=b""))
    base.game("4.4.10", "damage in a variation; comments before it",
              record([E4, COMMENT, OPEN, D4, COMMENT, 0x60, E5, COMMENT], "one", "two", "three"))
    base.game("4.4.10", "no end marker: no comments", record([E4, COMMENT, E5], end=b""))
    base.game("4.4.5 4.4.6", "a NAG 15 is no end", record([E4, NAG, 15, COMMENT, E5], "behind"))
    return base.case("bad_streams")


def comments():
    base = Base()
    base.game("4.4.2 4.4.11", "before the game, and first in a variation",
              record([COMMENT, E4, COMMENT, OPEN, COMMENT, D4, COMMENT, CLOSE, COMMENT, E5], "a", "b", "c", "d", "e"))
    base.game("4.4.13", "empty comments", record([COMMENT, E4, COMMENT, COMMENT], "", "", "x"))
    base.game("4.4.12", "two of three texts", record([E4, COMMENT, E5, COMMENT, NF3, COMMENT], "one", "two"))
    base.game("4.4.12", "the last text has no zero byte", record([E4, COMMENT, E5, COMMENT], "one") + b"two")
    base.game("4.4.16 4.4.19", "a text too many", record([E4, COMMENT, E5], "one", "two", "three"))
    base.game("4.4.19", "three texts too many, one empty", record([E4, COMMENT], "one", "two", "", "four"))
    base.game("4.4.19", "a text for the end of a variation",
              record([E4, OPEN, D4, COMMENT, CLOSE, E5, NF3], "one", "the variation's end", "three"))
    base.game("4.4.19", "a node with a text already", record([E4, OPEN, D4, COMMENT, CLOSE, COMMENT, E5], "one", "two", "three", "four"))
    base.game("4.4.19", "no move", record([], "one", "two"))
    base.game("4.4.20", "one without its zero byte", record([E4], "one") + b"two")
    base.game("4.4.20", "empty texts at the end", record([E4, E5], "one", "", "", ""))
    base.game("4.4.20", "nothing but empty texts", record([E4, E5], "", ""))
    base.game("4.4.6 4.4.18", "line ends and braces", record([E4, COMMENT], "a}\r\n{b\r\r\nc\rd"))
    return base.case("bad_comments")


def count_codes():
    """scid §2.2: the index's codes of the numbers of variations, comments and NAGs."""
    base = Base()
    for count in 0, 9, 10, 12, 13, 17, 18, 24, 25, 34, 35, 44, 45:
        stream, code = [E4], scid_writer.count_code(count)
        stream += [NAG, 1] * min(count, 7)
        for number in range(7, count):
            # Another move for each further NAG: the knight goes out and back.
            stream += [(0x67, 0x67, 0x62, 0x62)[number % 4]] + [NAG, 1]
        base.game("2.2.12", "%d NAGs: code %d" % (count, code), record(stream), counts=code << 8)
        base.game("2.2.12", "%d variations: code %d" % (count, code), record([E4] + [OPEN, D4, CLOSE] * count), counts=code)
        comments = ["x"] * count
        base.game("2.2.12", "%d comments: code %d" % (count, code),
                  record([E4] + [OPEN, D4, COMMENT, CLOSE] * count, *comments), counts=code << 4 | code)
    return base.case("count_codes", expect="The codes of the index are bytes 21 and 22 of each entry.")


def comments_unmarked():
    base = Base()
    line = [E4, OPEN, D4, D5, CLOSE, E5, NAG, 1, OPEN, D5, CLOSE, OPEN, CLOSE, NF3]
    nodes = ["game", "e4", "variation", "d4", "d5", "", "e5", "variation", "d5", "", "variation", "", "Nf3"]

    def mark(node):
        """The line with a marker at a node; the place before the game is node 0."""
        places = [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14]
        return line[:places[node]] + [COMMENT] + line[places[node]:]

    base.game("4.4.16", "as Scid's example", record([D4, COMMENT, D5, C4, COMMENT, 0xa1, 0x28, 0x61], "first", "2nd", "3rd", "4th"))
    base.game("4.4.16", "no marker", record(line, *nodes))
    for node in 0, 1, 2, 4, 7:
        base.game("4.4.16", "a marker at node %d" % node, record(mark(node), *nodes[node:]))
    base.game("4.4.16", "two markers", record([E4, COMMENT] + line[1:8] + [COMMENT] + line[8:], "e4", *nodes[6:]))
    base.game("4.4.16", "some texts are empty", record(line, "", "e4", "", "", "d5"))
    base.game("4.4.16", "fewer texts than nodes", record([E4, E5, NF3], "game", "e4"))
    base.game("4.4.16", "NAGs stand before the text", record([E4, NAG, 1, NAG, 14, E5], "", "e4"))
    base.game("4.4.16 4.4.18", "a start position, line ends", record([0x0a], "before", "castles\r\nshort", fen=KINGS))
    return base.case("comments_unmarked", expect="Texts without a marker belong to the nodes behind the last marked one. No warning.")


def moves():
    base = Base()

    def board(fen, *stream):
        return record(stream, fen=fen)

    for name, piece, codes, rule in [("king", "K", range(1, 9), "4.5.2"), ("rook", "R", range(16), "4.5.4"), ("bishop", "B", range(16), "4.5.6"),
                                     ("knight", "N", range(1, 9), "4.5.7")]:
        # The piece stands on d4; number 1, behind the king on h1.
        for code in codes:
            fen = "7k/8/8/8/3%s4/8/8/7%s w - - 0 1" % ((piece, "K") if piece != "K" else ("K", "R"))
            base.game(rule, "%s, code %d" % (name, code), board(fen, (0x00 if piece == "K" else 0x10) | code))
    queen = "7k/8/8/8/3Q4/8/8/7K w - - 0 1"
    for code in range(16):
        base.game("4.5.5", "queen, code %d" % code, board(queen, 0x10 | code))
    for second in 63, 64, 64 + 7, 64 + 17, 64 + 27, 127, 128, END:
        base.game("4.5.5 4.5.15", "queen, second byte %d" % second, board(queen, 0x13, second))
    base.game("4.5.15", "queen, no second byte", record([0x13], fen=queen, end=b""))
    # White's king takes number 0 from the a-pawn, which becomes the last.
    for side, fen, numbers in [("White", "7k/8/8/8/8/8/P2P3P/7K w - - 0 1", (0x30, 0x10, 0x20)),
                               ("Black", "7k/p2p3p/8/8/8/8/8/7K b - - 0 1", (0x10, 0x20, 0x30))]:
        rule = "4.5.8 4.5.9" if side == "White" else "4.5.10"
        a, d, h = numbers
        for code in range(16):
            base.game(rule, "%s's d-pawn, code %d" % (side, code), board(fen, d | code))
        for code in 0, 2:
            base.game("4.5.19", "%s's a-pawn and h-pawn, code %d" % (side, code), board(fen, a | code, 0x04, h | code))
    base.game("4.5.1", "null moves", board(KINGS, 0x00, 0x00, 0x00))
    base.game("4.5.11", "no such piece", board(KINGS, 0x10, 0x10))
    for number, codes in [("N", (0, 9, 15)), ("K", (11, 15))]:
        for code in codes:
            fen = "7k/8/8/8/8/8/8/K6%s w - - 0 1" % number
            base.game("4.5.12", "%s, number 1, code %d" % (number, code), board("7k/8/8/8/8/8/8/%s6K w - - 0 1" % number if number == "N" else fen, 0x10 | code))
    base.game("4.5.13", "a knight off the board", board("7k/8/8/8/8/8/8/N6K w - - 0 1", 0x11))
    base.game("4.5.13", "a knight above the board", board("N6k/8/8/8/8/8/8/7K w - - 0 1", 0x18))
    base.game("4.5.13", "a bishop off the board", board("7k/8/8/8/8/8/8/B6K w - - 0 1", 0x19))
    base.game("4.5.13", "a pawn off the board", board("P6k/8/8/8/8/8/8/7K w - - 0 1", 0x11))
    base.game("4.5.14", "a rook to its square", board("7k/8/8/8/8/8/8/R6K w - - 0 1", 0x10))
    base.game("4.5.14", "a queen to its square", board("7k/8/8/8/8/8/8/Q6K w - - 0 1", 0x10, 64))
    base.game("4.5.16", "the enemy's king taken", board("k7/8/8/8/8/8/8/R6K w - - 0 1", 0x1f))
    base.game("4.5.16", "the own king taken", board("k7/8/8/8/8/8/8/R6K w - - 0 1", 0x17))
    base.game("4.5.17", "the king takes its rook", board("k7/8/8/8/8/8/8/6RK w - - 0 1", 0x04))
    base.game("4.5.18 4.6.4", "the king takes its knight; the last piece takes its number", board("k7/8/8/8/8/B7/8/6NK w - - 0 1", 0x04, 0x05, 0x1a))
    base.game("4.5.19", "a knight over the edge", board("7k/8/8/8/8/8/8/N6K w - - 0 1", 0x15))
    base.game("4.5.19", "a king over the edge", board("7k/8/8/8/8/8/K7/8 w - - 0 1", 0x04))
    base.game("4.5.20", "en passant off the usual rank", board("7k/8/8/8/8/Pp6/8/7K w - - 0 1", 0x12, 0x02))
    base.game("4.5.20 4.6.4", "en passant: the last black piece takes the number", board("7k/8/8/1Pp5/8/n7/8/7K w - - 0 1", 0x12, 0x18))
    base.game("4.5.20", "aslant, nobody beside", board("7k/8/8/1P6/8/8/8/7K w - - 0 1", 0x12))
    base.game("4.5.20", "aslant, a knight beside", board("7k/8/8/1Pn5/8/8/8/7K w - - 0 1", 0x12, 0x18))
    base.game("4.5.20", "straight onto a piece", board("7k/8/1n6/1P6/8/8/8/7K w - - 0 1", 0x11, 0x02))
    base.game("4.5.20", "an own pawn beside", board("7k/8/8/1PP5/8/8/8/7K w - - 0 1", 0x12, 0x02, 0x21))
    base.game("4.5.21", "a pawn stays one on the last rank, and promotes in the middle", board("7k/P7/8/8/3P4/8/8/7K w - - 0 1", 0x11, 0x02, 0x24, 0x07, 0x28))
    base.game("4.6.4", "the taken piece was the last", board("k7/8/8/8/8/1r6/1R6/7K w - - 0 1", 0x1a, 0x05, 0x18))
    base.game("4.6.4", "the taken piece was not", board("k7/8/8/8/8/1r4n1/1R4b1/7K w - - 0 1", 0x1a, 0x17, 0x07, 0x21))
    base.game("4.6.5", "a promoted piece keeps its number", board("7k/P7/8/8/8/8/8/7K w - - 0 1", 0x14, 0x02, 0x10, 64 + 9, 0x07, 0x17))
    base.game("4.5.21", "a piece jumps", board("7k/8/8/8/8/P7/P7/R6K w - - 0 1", 0x3f))
    return base.case("bad_moves", covers="12.6")


def castling():
    base = Base()

    def board(fen, *stream):
        return record(stream, fen=fen)

    long, short = 0x09, 0x0a
    base.game("4.5.3 4.5.22", "both sides", board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", long, short))
    base.game("4.5.3 4.5.22", "both sides the other way, without rights", board("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", short, long))
    base.game("4.5.24", "with b1 and b8 occupied", board("rn2k3/8/8/8/8/8/8/RN2K3 w - - 0 1", long, long))
    base.game("4.5.24", "c1 occupied", board("4k3/8/8/8/8/8/8/R1B1K3 w Q - 0 1", long))
    base.game("4.5.24", "d8 occupied", board("r2qk3/8/8/8/8/8/8/4K3 b - - 0 1", long))
    base.game("4.5.24", "g1 occupied", board("4k3/8/8/8/8/8/8/4K1NR w - - 0 1", short))
    base.game("4.5.24", "f8 occupied", board("4kb1r/8/8/8/8/8/8/4K3 b - - 0 1", short))
    base.game("4.5.23", "no rook", board("4k3/8/8/8/8/8/8/4K2N w - - 0 1", short))
    base.game("4.5.23", "a rook of the enemy", board("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", long))
    base.game("4.5.23", "the king on another rank", board("4k3/8/8/8/8/8/4K3/R7 w - - 0 1", long))
    base.game("4.5.23", "the rook on the other side", board("4k3/8/8/8/8/8/8/5R1K w - - 0 1", short))
    base.game("4.5.22", "the king on d1 and b8", board("1k5r/8/8/8/8/8/8/R2K4 w - - 0 1", long, short))
    base.game("4.5.22", "rights of Chess960, in version 4 too", board("1rk3r1/8/8/8/8/8/8/1RK3R1 w BGbg - 0 1", short, long))
    base.game("4.5.22", "K is the rook nearest to the edge", board("4k3/8/8/8/8/8/8/R3KR1R w KQ - 0 1", short))
    base.game("4.5.22", "F is another", board("4k3/8/8/8/8/8/8/R3KR1R w FQ - 0 1", short))
    base.game("4.5.24", "the king stays on c1, the rook comes from b1", board("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", long))
    base.game("4.6.5", "numbers stay", board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", long, 0x02, 0x1b))
    return base.case("bad_castling")


def records():
    base = Base()
    base.games += b"what no entry names"
    base.game("4.1.1", "behind other bytes")
    base.game("4.1.1", "the same record again", offset=19, length=5)
    base.game("4.1.3", "length 0", length=0)
    base.game("4.1.2", "beyond a block, and beyond the file", offset=131070)
    base.game("2.2.1", "a high byte of the offset", offset=1 << 24)
    base.game("4.1.4", "past the end: moves before are kept", record([E4, E5, NF3], tags=tag("A", "b")), length=200)
    base.game("2.2.2 2.2.3", "length bit 16", record([D4, D5]), length=65536 + 5)
    base.games += bytes(16)
    return base.case("bad_sg_places")


def shared():
    base = Base()
    base.game("4.1.7", "a length of 1500, of which 786 are read: the records of eight games are within", record([E4, E5]).ljust(100, b"x"), length=1500)
    for number in range(20):
        base.game("4.1.7", "number %d of twenty" % (number + 1), record([D4], "c" * 93))
    start = len(base.games)
    base.game("4.1.7", "600 bytes that twelve share, of which 512 are read", record([E4, E5], "c" * 593))
    for number in range(11):
        base.game("4.1.7", "the same 600 bytes, number %d" % (number + 2), b"", offset=start, length=600)
    return base.case("bad_shared")


def game(tags_, *line, fen=None):
    unknown = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
    unknown.update(tags_)
    return {"tags": list(unknown.items()), "fen": fen, "line": list(line)}


def si5_rich():
    games = [
        game({"Event": "Event of sixteen.", "Site": "Riverside", "Date": "1999.12.31", "Round": "1", "White": "Alder, Nora", "Black": "Birch, Tom",
              "Result": "1-0", "WhiteElo": "2851", "BlackElo": "2710", "ECO": "C92", "EventDate": "1990.01.02"},
             "e2e4", "e7e5", "g1f3", "$1", {"comment": "a knight"}, "(", "d2d4", ")", "b8c6"),
        game({"Event": "A name of more than a hundred and twenty-seven bytes needs no third byte, but one of more than two thousand and forty-seven would: " + "x" * 120,
              "Site": "Hill", "Date": "????.05.??", "Round": "2.1", "White": "Birch, Tom", "Black": "Cedar, Ida", "Result": "0-1",
              "WhiteUSCF": "1999", "BlackECF": "200", "ECO": "E99z4", "ScidFlags": "WBMENPTKQ!?U123456"}, "d2d4", "g8f6"),
        game({"Event": "Event of sixteen.", "Site": "Hill", "Date": "2047.12.31", "Round": "1", "White": "Cedar, Ida", "Black": "Alder, Nora", "Result": "1/2-1/2",
              "WhiteElo": "1", "BlackRating": "4000", "ECO": "A00a", "EventDate": "0005.??.31", "Deleted": "1", "ScidFlags": "U6", "Annotator": "Ann", "Zeta": "z"},
             "a2a4", "h7h5", "a4a5", "b7b5", "a5b6", "h5h4", "g2g4", "h4g3", "b6c7", "g3h2", "c7b8q", "h2g1n"),
        game({"Site": "", "White": "", "WhiteRapid": "2100", "BlackICCF": "2200"}, "0000", "0000", "e1e2", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        game({"Event": "Chess960", "Site": "Riverside", "WhiteDWZ": "1234", "SetUp": "1"}, "c1g1", "c8b8", "f2f4", fen="1rk3r1/8/8/8/8/8/5P2/1RK3R1 w BGbg - 0 1"),
    ]
    index, names, records_ = scid_writer.write(games, True)
    covers = ["5.2.%d" % number for number in (2, 4, 6, 7, 9, 10, 11, 12, 13, 15, 16, 18, 22, 23, 24, 25, 27)] + ["5.3.1", "5.3.2", "1.2", "12.2"]
    return Case("scid", "si5_rich", {"si5": index, "sn5": names, "sg5": records_}, covers, len(games),
                notes="made by ports/python/scid_writer.py from games written for this project")


def si5_fields():
    base = fields(Base(5))
    for kind in range(8):
        base.game("5.2.22 5.2.23", "kinds %d and %d" % (kind, 7 - kind), rating_1=kind << 12 | 4095, rating_2=(7 - kind) << 12 | 1)
    base.game("5.2.13", "an event date of its own", event_date=date(1, 2, 3))
    base.game("5.2.13", "month 13", event_date=date(2000, 13))
    base.game("5.2.27 5.2.8", "the Chess960 bit", chess960=1)
    for name, high, rule in [("white", 1 << 27, "5.2.2"), ("black", 1 << 27, "5.2.4"), ("event", 1 << 27, "5.2.6"), ("site", 1 << 31, "5.2.7"), ("round", 1 << 30, "5.2.9")]:
        base.game(rule, "a high bit of the id: " + name, **{name: high})
    base.game("5.2.2 5.2.4", "the other way, with all count codes", white=15 << 28 | 1, black=15 << 28)
    base.game("5.2.17", "a high bit of the offset", offset=1 << 46)
    base.game("5.2.17", "bit 32 of the offset", offset=1 << 32)
    base.game("5.2.16", "bit 16 of the length", length=65536 + 5)
    base.game("4.1.3", "length 0", length=0)
    return base.case("bad_si5_entries")


def si5_names():
    base = Base(5)
    base.game("5.3.2", "first").game("5.3.2", "second", white=1, black=0).game("5.3.5", "third", white=2, black=3)
    names = b"".join(scid_writer.record_5(kind, as_bytes(text)) for kind, text in [
        (4, "description" "not this"), (0, "Ash, Kim"), (4, "type" "7"), (1, "first"), (5, "of a kind without a meaning"), (2, "Town"), (6, ""), (0, "Elm, Lee"),
        (4, "autoload" "2"), (7, "x" * 200), (1, "second"), (3, "9"), (4, "flag1" "Checked"), (4, "flag6" "Last"), (4, "description" "this"), (0, "Unused, Name"), (1, "third")])
    cut = scid_writer.record_5(0, b"a player that is cut")[:-3]
    two = [Base(5).game("5.3.5", "first") for _ in range(2)]
    sound = two[0].names()
    found = [two[0].case("bad_si5_number_cut", expect="The names end within the number of a record: a warning.", sn=sound + b"\x85"),
             two[1].case("bad_si5_number_long", expect="A number of eleven bytes: it and all behind it are lost; a warning.",
                         sn=b"\x80" * 10 + b"\0" + sound)]
    found.append(base.case("bad_si5_names", covers="5.3.3 5.3.4", expect="Records of kinds 4 to 7 take no id; a warning for 5 to 7. The last record is cut: the third game has White, and no Black.", sn=names + cut))
    return found
