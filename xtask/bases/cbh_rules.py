"""Bases of ChessBase for rules whose break no other case noticed. (docs/formats/cbh.md; lab/rules/rules_broken.py)"""

import struct

from cbh_bases import (
    COMEBACK, E4, E5, END, NF3, ZERO, Base, Case, archive, block, date, fixed, grouped, item, items, record, setup, source, team, text, tournament, word)

LONE = "4k3/8/8/8/8/8/8/4K3"
KNIGHTS = [105, 108, 109, 104]


def step(move, bits=0):
    return 235, word(move, bits)


def cases():
    made = [*legal(), rights(), pieces(), odd_words(), odd_setups(), *shared(), notes(), orders(), *encoded(), *names(), *ends(), *archives()]
    for case in made:
        case.script = "cbh_rules"
    return made


def legal():
    """cbh §4.10.1, model §2: what only the rules of chess tell."""
    base = Base()
    bad, sound = base, Base()
    bad.game("4.10.1 4.10.2", "a pinned bishop, and a king's step behind it", record(step("e2d3"), 0, END, setup=setup("4k3/4r3/8/8/8/8/4B3/4K3")))
    bad.game("4.10.1", "a king into check", record(step("e1f1"), 0, END, setup=setup("4k3/8/8/8/8/5r2/8/4K3")))
    bad.game("4.10.1", "check that is not met", record(step("a2a3"), 0, END, setup=setup("4k3/8/8/8/8/4r3/P7/4K3")))
    bad.game("4.10.1", "en passant opens the rank", record(step("e5d6"), 0, END, setup=setup("8/8/8/r2pP2K/8/8/8/7k", side=4)))
    bad.game("4.10.1", "castling through check", record(9, 0, END, setup=setup("4kr2/8/8/8/8/8/8/4K2R", castling=2)))
    bad.game("4.10.1", "castling out of check", record(9, 0, END, setup=setup("4k3/8/8/8/8/4r3/8/4K2R", castling=2)))
    lost = setup("4k3/1b6/8/8/8/8/7R/4K2R", side=16, castling=2)
    bad.game("4.10.1", "the rook was taken, another came", record(step("b7h1"), step("h2h1"), 0, 9, END, setup=lost))
    bad.game("4.10.1", "the rook has moved and come back",
             record(step("h1g1"), 0, step("g1h1"), 0, 9, END, setup=setup("4k3/8/8/8/8/8/8/4K2R", castling=2)))
    sound.game("4.10.1", "a king is taken", record(step("e2e8"), END, setup=setup("4k3/8/8/8/8/8/4R3/4K3")))
    sound.game("4.10.1", "one of two kings is taken", record(step("e2e8"), step("a8a7"), END, setup=setup("k3k3/8/8/8/8/8/4R3/4K3")))
    sound.game("4.10.1", "two kings are in no check", record(step("h2h3"), 0, END, setup=setup("4k3/8/8/8/8/r7/7P/K3K3")))
    sound.game("4.2.6", "en passant that nobody can take", record(step("h2h3"), END, setup=setup("4k3/8/8/3p4/8/8/7P/4K3", side=4)))
    sound.game("4.2.6", "en passant, pinned", record(step("e1d1"), END, setup=setup("4k3/4r3/8/3pP3/8/8/8/4K3", side=4)))
    return [bad.case("bad_legality", "Each game is an error at the move that the rules do not allow."), sound.case("legality")]


def rights():
    """cbh §4.2.8"""
    base = Base()
    home = "4k3/8/8/8/8/8/8/4K2R"
    around = [step("e1e2"), 0, step("e2e1"), 0]
    base.game("4.2.8", "moved and come back", record(*around, 9, END, setup=setup(home)))
    base.game("4.2.8", "the start had the right", record(*around, 9, END, setup=setup(home, castling=2)))
    base.game("4.2.8", "the king is away", record(step("e1e2"), 0, 9, END, setup=setup(home)))
    base.game("4.2.8", "the king was away", record(step("d1e1"), 0, 9, END, setup=setup("4k3/8/8/8/8/8/8/3K3R")))
    base.game("4.2.8", "two rights, one of them late", record(9, 10, END, setup=setup("r3k2r/8/8/8/8/8/8/R3K2R")))
    base.game("4.2.8", "in a variation", record(COMEBACK, 9, END, 10, END, setup=setup("4k3/8/8/8/8/8/8/R3K2R")))
    base.game("4.2.8 4.2.4", "two kings", record(9, END, setup=setup("4k3/8/8/8/3K4/8/8/R3K2R", castling=3)))
    chess960 = lambda rights: setup(home, castling=rights, more=bytes([32, 39, 56, 0, 0, 0, 0, 0]))
    base.game("4.2.8", "not in Chess960", record(step("g1g1"), END, mode=10, setup=chess960(0)))
    base.game("4.6.3", "a king's step of two in Chess960", record(step("e1g1"), END, mode=10, setup=chess960(2)))
    base.game("4.6.6", "a1a1 in Chess960", record(step("a1a1"), END, mode=10, setup=setup("4k3/8/8/8/8/8/8/R3K2R", castling=3, more=bytes([32, 39, 56, 0, 0, 0, 0, 0]))))
    base.game("4.6.4", "castling named on another rank", record(step("g4g4"), END, mode=10, setup=chess960(2)))
    return base.case("bad_rights", "A right is given late, but not to a side that had it, that is not at home, or in Chess960.")


def pieces():
    """cbh §4.5"""
    base = Base()
    board = "2r5/7P/8/8/8/5k2/QQQ5/7K"
    base.game("4.5.3", "a fourth queen stays without a number when a third goes", record(step("h7h8"), step("c8c2"), 184, END, setup=setup(board)))
    base.game("4.5.1", "a fourth rook stays without a number", record(step("c8c2"), 199 + 13, END, setup=setup("2r4k/8/8/8/8/8/RRRR4/7K", side=16)))
    base.game("4.5.3", "a pawn keeps its number when one before it promotes", record(step("a7a8"), 0, 115, END, setup=setup("8/P7/8/8/1P6/7k/8/7K")))
    return base.case("bad_fourth_pieces", "Games 1 and 2 are errors: no piece has the number.")


def odd_words():
    base = Base()
    base.game("4.6.2", "bits of promotion on a rook's move", record(step("a1a8", 0x1000), 0, END, setup=setup("8/8/8/8/8/7k/8/R3K3")))
    base.game("4.8.1", "marks and goes back in one word", record(word("e2e4", 0xc000), word("d2d4"), word("d7d5", 0x4000), mode=5))
    base.game("4.8.2", "a null move with bits of promotion", record(0x3000, word("e8e7", 0x4000), mode=5, setup=setup(LONE)))
    base.game("4.6.6", "a1a1 in check", record(step("a1a1"), END, setup=setup("4k3/8/8/8/8/4r3/8/R3K3")))
    base.game("4.3.4", "a mode that is none, with a start position", record(E4, END, setup=setup(LONE), flags=2))
    base.game("4.10.2", "a move after one that is not legal", record(E4, E4, E5, END, setup=setup("4k3/4p3/8/8/8/8/8/4K3")))
    base.game("4.3.5", "bytes that nobody knows", b"\1" + (8).to_bytes(3, "big") + bytes(unknown() for _ in range(4)))
    base.game("4.9.1", "a text with bytes behind it", text_record(3, 200) + b"more", flags=0)
    return base.case("bad_words_odd", "Games 4 to 8 are errors.")


def unknown():
    """A byte whose entry in mode 1 is not known."""
    from cbh_bases import TABLES
    return TABLES[1].index(None)


def text_record(version, number):
    body = struct.pack("<HHHH", version, 1, 0, 7) + b"Preface" + struct.pack("<BHHI", number, 1, 0, 2) + b"Hi" + bytes(4)
    # Read as moves it would be a game of Chess960.
    return b"\x8a" + (len(body) + 4 + 4).to_bytes(3, "big") + body


def odd_setups():
    base = Base()
    base.game("4.2.3", "a board whose bits end within a piece", record(END, setup=setup("PPPP4/PPPP4/PPPP4/PPPPP3/PPPPP3/PPPPP3/PPPPP3/PPPPPP2")))
    base.game("4.2.6", "en passant beyond the h-file", record(END, setup=setup("4k3/8/8/7p/8/8/8/4K3", side=9)))
    base.game("4.2.5", "Chess960: a rook that is named off the king's rank",
              record(END, mode=10, setup=setup("4k3/8/8/8/6R1/8/8/4K2R", castling=2, more=bytes([32, 39, 51, 0, 0, 0, 0, 0]))))
    return base.case("setups_bits")


def shared():
    """cbh §4.1.7, §5.1.9: where the bounds are."""
    made = []
    for name, places, what in (
        ("bad_shared_bounds", [600 + 40 * place for place in range(16)], "The first record ends at the second bound, the ninth place from it."),
        ("bad_shared_least", [40 + 10 * place for place in range(16)], "The first record has 512 bytes."),
    ):
        base = Base()
        base.text("4.1.7")
        start, notes = len(base.moves), len(base.annotations)
        long = record(*KNIGHTS * 300, END)
        comments = lambda n: items(n, *[item(place, 2, text("note %d" % place)) for place in range(90)])
        base.game("4.1.7 5.1.9", "the long one", long, comments)
        for place in reversed(places):
            base.game("4.1.7", "inside it", b"", moves=start + place, annotations=notes + place)
        base.game("4.1.7", "no place at all", b"", moves=0)
        made.append(base.case(name, what))
    return made


def notes():
    """cbh §5"""
    base = Base()
    line = record(COMEBACK, E4, END, 124, END)
    before = lambda place, words: item(place, 0x82, text(words))
    base.game("5.3.2", "two texts before a variation", line, lambda n: items(n, before(1, "one"), before(1, "two")))
    base.game("5.3.4", "colour 5", record(E4, END), lambda n: items(n, item(0, 4, "05010302"), item(0, 5, "05010302"), item(0, 4, "0801")))
    link = b"x" * 3
    tail = struct.pack("<HB", 6 + len(link), len(link)) + link + b"\1yz"
    base.game("5.3.8", "bytes behind a caption", record(E4, END), lambda n: items(n, item(0, 0x1c, tail)))
    base.game("5.3.17", "the first other item is of type 03 without a sign",
              record(E4, END), lambda n: items(n, item(0, 3, "0100"), before(0, "behind it"), item(0, 3, "01")))
    base.game("5.3.17", "a text before all others", record(E4, END), lambda n: items(n, before(0, "first"), item(0, 3, "01"), item(0, 2, text("after"))))
    base.game("5.4.7", "CR LF, LF and CR", record(E4, END), lambda n: items(n, item(0, 2, text("a\r\nb\nc\rd")), item(0, 2, text("e\r\nf")), item(0, 2, text("g\r\r\nh"))))
    base.game("5.1.2", "a record of 14 bytes at the end", record(E4, END), lambda n: items(n))
    made = base.case("annotation_rules")
    made.options = ["annotations=plain", "annotations=exact"]
    return made


def orders():
    """cbh §3.1.3, §3.3.2, §10.13"""
    base = Base()
    woods = base.name("cbe", team("Woods", 0, 0, 0))
    forest = base.name("cbe", team("Forest", -1, 0, -5))
    base.text("3.3.2")
    base.game("3.3.2 7.1 10.13", "a team of no year, behind a text", teams=(woods, forest), date=date(2001))
    base.game("3.3.2", "no teams")
    base.game("3.1.3", "the third game")
    return base.case("bad_headers_next", "The header counts two records of four; the size decides.", cbh=lambda data: data[:6] + struct.pack(">I", 3) + data[10:])


def encoded():
    """cbh §2.5, §5.4.2, §6.2.1 where the user names an encoding"""
    base = Base()
    base.game("2.5", "what could be UTF-8", record(E4, END), lambda n: items(n, item(0, 2, text(b"M\xc3\xbcller"))), white=base.player(b"M\xc3\xbcller"))
    base.game("5.4.2", "a figurine", record(E4, END), lambda n: items(n, item(0, 2, text(b"\xa2e4 \xe9"))))
    base.game("6.2.1", "a last letter", white=base.player(b"Miller ".ljust(28, b"a") + b"z\xc5"))
    made = base.case("encoded_texts")
    made.encoding = "windows-1252"
    return [made]


def names():
    base = Base()
    base.game("6.2.1", "a letter beyond ASCII before", white=base.player("Ä".encode() + b"Miller".ljust(26, b"a") + b"Z\xc5"), annotator=base.name("cbc", fixed(("Somebody", 45))))
    base.game("6.1.6", "the third player", white=base.player("Third"))
    live = lambda data: data[:20] + struct.pack("<i", 1) + data[24:]
    smaller = lambda data: data[:12] + struct.pack("<i", 45 + 7) + data[16:]
    return [
        base.case("bad_names_live", "The number of live names is wrong, which nobody asks; one last letter is cut.", cbp=live),
        base.case("bad_names_less", "Annotators of one byte less than §6.2: none is read.", cbc=smaller),
    ]


def ends():
    base = Base()
    base.game("4.1.2", "a record of three bytes", b"")
    base.game("4.1.4", "a record without its last byte", record(E4, END))
    base.headers.reverse()
    place = len(base.moves)
    # Its three bytes stand behind the record that lacks one.
    base.headers[1] = base.headers[1][:1] + struct.pack(">I", place) + base.headers[1][5:]
    base.headers[0] = base.headers[0][:1] + struct.pack(">I", 26) + base.headers[0][5:]
    made = base.case("bad_record_ends", "Game 2 has no record.", cbg=lambda data: data + b"\x0a\0\5")
    cut = Base()
    cut.game("4.1.4", "a record without its last byte", record(E4, END))
    return [made, cut.case("bad_record_last", "The record lacks its last byte.", cbg=lambda data: data[:-1])]


def archives():
    base = Base()
    base.game("9.1.4", "a game", record(E4, E5, NF3, END))
    files = base.files()
    stored = lambda data: block(b"\0" + data)
    members = [("base." + extension, stored(data), len(data)) for extension, data in files.items()]
    others = [("other." + extension, stored(b"x"), 1) for extension in ("cbg", "cbp")]
    moves = files["cbg"] + bytes((1 - len(files["cbg"])) % 16)
    single = [one for one in members if one[0] != "base.cbg"] + [("base.cbg", block(b"\1" + grouped(list(moves[:-1])) + moves[-1:]), len(moves))]

    def case(name, rules, data, expect=None):
        one = Case("cbh", name, {"cbv": data}, rules.split(), 0 if expect else 1, expect, None if expect else ZERO)
        one.format = "cbv"
        return one

    # §9.1.4: the base is that of the first .cbh; files of other names may stand before its own.
    mixed = archive(members[:1] + others + members[1:])
    return [
        case("archive_others", "9.1.4", mixed),
        case("archive_last_byte", "9.4.6", archive(single)),
        case("bad_archive_entries", "9.1.1", archive(members, 150), "Entries of 150 bytes: no archive."),
    ]
