"""Bases for single clauses of rules, which no other base shows. (lab/rules/rules_broken.py)"""

import struct

import cbf_bases
import cbh2_bases
import cbh_bases
import chessassistant_bases
import dcg_bases
import movecode_bases
import scid_bases
from board import Board
from cbf_writer import Place
from cbh_rules import KNIGHTS
from dcg_bases import START, comment, fen, move, moves


# Start positions that only the model tells how to read (model §3 rules 2 to 7): what it is, and the text.
FENS = [
    ("the side to move as a capital", "4k3/8/8/8/8/8/8/4K3 W - - 0 1"),
    ("no side to move", "4k3/8/8/8/8/8/8/4K3"),
    ("several kings", "4k3/8/8/8/8/8/8/2k1K3 w - - 0 1"),
    ("words for counters", "4k3/8/8/8/8/8/8/4K3 w - - x y"),
    ("an en passant square on the wrong rank", "4k3/8/8/8/8/8/8/4K3 w - e3 0 1"),
    ("pieces in hand", "4k3/8/8/8/8/8/8/4K3[Qp] w - - 0 1"),
    ("a ninth rank of pieces in hand", "4k3/8/8/8/8/8/8/4K3/Qp w - - 0 1"),
    ("the mark of a promoted piece", "q~3k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("counts of checks", "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1"),
    ("a ninth rank that is one", "4k3/8/8/8/8/8/8/4K3/8 w - - 0 1"),
]


def cases():
    made = [*dcg(), *scid(), *movecode(), *cbh(), *cbh2(), *cbf(), *chessassistant()]
    for case in made:
        case.script = "clauses"
    return made


def dcg():
    return [*dcg_files(), *dcg_layouts(), *dcg_defaults(), *dcg_votes(), dcg_names(), dcg_records()]


def dcg_files():
    def one():
        return dcg_bases.Base().game("", "the only game", START + moves("e2e4"))

    index = one().case("bad_no_dci", expect="There is no .dci: it does not open.", covers="1.1", games=0, dci=None)
    index.open = "base.dcg"
    wrong = one()
    wrong.name("dcs", "a site")
    names = {file: b"SimpleCDbx" + wrong.names[file][10:] for file in ("dcs", "dce")}
    two = one().game("2.2.6", "version 2 and half an entry", START + moves("d2d4"))
    # Bytes 11 to 45 make sense as an entry of the old layout, whose offset is the OpenDefault.
    highest = dcg_bases.Base().game("2.2.2 6.5.1", "an offset whose highest bit is set", START, offset=1 << 63)
    return [
        one().case("bad_index_piece", expect="The .dci ends within its magic: it does not open.", covers="1.2 1.4", games=0, dci=b"Simple"),
        highest.case("bad_layout_offset_top", default=10, expect="There is no .dcg: the offset makes sense, and the layout is the current one.", dcg=None),
        index,
        wrong.case("bad_magic_names", expect="The first bytes of .dcs and .dce are others: warnings.", covers="1.3", **names),
        one().case("bad_header_cut", expect="The .dci ends within its header: no games.", covers="1.4", games=0, dci=b"SimpleCDbi\0\0\0\0"),
        one().case("bad_no_entries", expect="The .dci has no entry, the .dcg a record: no games.", covers="1.4", games=0, dci=b"SimpleCDbi" + bytes(9)),
        two.case("bad_version_two", expect="Another version than 1 is read, also with half an entry at the end.", dci=b"SimpleCDbi\2" + bytes(8) + two.entries + bytes(20)),
    ]


def dcg_layouts():
    """dcg §2.2, with an entry of the old layout and no whole one of the current."""
    def lone(**fields):
        return dcg_bases.Base(old=True).game("2.2.1", "the only game", START + moves("e2e4"), **fields)

    deleted, kept, odd, eleven = lone(status=255), lone(), lone(status=7), lone(offset=11)
    rest = dict(dci=b"SimpleCDbi" + deleted.entries + b"x", dce=b"SimpleCDbe")
    two = lone(status=1).game("2.2.6", "the second", START + moves("d2d4"))
    lengths = dcg_bases.Base(old=True)
    e4 = START + moves("e2e4")
    lengths.game("2.1.1", "fe 00 82 is no reversed length", b"\0" + b"\x82" + e4[:1] + e4[1:], head=b"\xfe")
    lengths.game("2.1.1", "05 00 82 is none either", b"\0\x82" + e4, head=b"\5")
    lengths.game("2.1.3", "a comment whose length and first bytes are 7f 81 01", e4 + b"\x86\x7f\x81\1" + b"n" * 125)
    lengths.game("2.1.2", "82 81 02 is a length of three bytes", e4, head=b"\x82\x81\2")
    return [
        deleted.case("bad_layout_rest", covers="2.2.1 2.2.2 2.2.3", expect="The entry of the old layout makes sense; the rest of one byte and a .dce do not count.", **rest),
        kept.case("bad_layout_no_dcg", covers="2.2.2", expect="There is no .dcg: any offset from 10 on makes sense.", dcg=None, **rest),
        odd.case("bad_layout_odd", covers="2.2.1 2.2.3", games=0, expect="An entry that makes no sense is less than none: the current layout, without games."),
        eleven.case("bad_layout_eleven", covers="2.2.2", games=0, expect="The offset 11 makes no sense beside a .dcg of 10 bytes: no games.", dcg=b"SimpleCDbg"),
        two.case("bad_layout_status_one", covers="2.2.6", expect="In the old layout byte 10 is a status, and no version.", dci=b"SimpleCDbi" + two.entries + b"x"),
        lengths.case("bad_old_length_edges"),
    ]


def dcg_defaults():
    """dcg §3 rule 5: codes 4 alone are queens as described, and rooks if the index says so."""
    def rooks(base, **fields):
        return base.game("3.5 6.3.1.12", "a8 is a rook or a queen", fen("8/P7/8/8/8/8/7k/4K3 w - - 0 1") + move("a7a8", 4), **fields)

    old = dcg_bases.Base(old=True)
    rooks(old, offset=1 << 63)
    rooks(old)
    told = dcg_bases.Base().game("6.3.1.5", "a8 is a knight as described", fen("8/P7/8/8/8/8/7k/4K3 w - - 0 1") + move("a7a8", 1))
    return [
        rooks(told).case("bad_default_vote", default=(1 << 64) - 1, expect="The OpenDefault says that the numbering is the program's, and a game speaks for the description: it is taken."),
        rooks(dcg_bases.Base()).case("bad_default_lowest", default=1 << 63, expect="The OpenDefault is the lowest complement: the program's rook."),
        rooks(dcg_bases.Base()).case("bad_default_highest", default=(1 << 63) - 1, expect="The OpenDefault is the highest that is no complement: a queen as described."),
        old.case("bad_old_default", expect="In the old layout byte 11 belongs to an offset, and says nothing of promotions: a queen as described."),
    ]


def dcg_votes():
    """dcg §6.3.1. Where nothing else decides, the first game has a queen as described."""
    promotes, two = "8/P7/8/8/8/8/7k/4K3 w - - 0 1", "8/P3P3/8/8/8/8/7k/4K3 w - - 0 1"

    def tells():
        return dcg_bases.Base().game("6.3.1.12", "a8 is a rook or a queen", fen(promotes) + move("a7a8", 4))

    made, speak = [], tells()
    games = [
        ("6.3.1.1", "the record is cut", dict(head=b"\x40"), fen(promotes) + move("a7a8", 5)),
        ("6.3.1.3", "a stray 85", {}, fen(promotes) + b"\x85" + move("a7a8", 5)),
        ("6.3.1.3", "a byte that starts nothing, behind the promotion", {}, fen(promotes) + move("a7a8", 5) + b"\x80"),
        ("6.3.1.3", "null moves", {}, fen(promotes) + b"\x88" + moves("h2h3") + move("a7a8", 5)),
        ("6.3.1.3", "White takes en passant", {}, fen("8/P2p4/8/2P5/8/8/7k/4K3 b - - 0 1") + moves("d7d5 c5d6 h2h3") + move("a7a8", 5)),
        ("6.3.1.3", "Black takes en passant", {}, fen("8/P7/8/8/2p5/8/3P3k/4K3 w - - 0 1") + moves("d2d4 c4d3") + move("a7a8", 5)),
        ("6.3.1.3", "a pawn taken en passant stands in the way no more", {}, fen("8/P2p4/8/R1P5/8/8/7k/4K3 b - - 0 1") + moves("d7d5 c5d6 h2h3 a5e5 h3h2") + move("a7a8", 5)),
        ("6.3.1.3 6.3.2.1", "castling puts the rook on f1", {}, fen("4k3/P7/8/8/8/8/8/4K2R w K - 0 1") + moves("e1g1 e8d7 f1f2 d7e7") + move("a7a8", 5)),
        ("6.3.1.3", "Black has no king", {}, fen("8/P7/8/8/8/8/7n/4K3 w - - 0 1") + moves("e1e2 h2f1") + move("a7a8", 5)),
        ("6.3.1.3", "88 in check", {}, fen("4r3/P7/8/8/8/8/7k/4K3 w - - 0 1") + b"\x88" + moves("h2h3 e1d1 h3h2") + move("a7a8", 5)),
        ("6.3.1.3", "84 before the first move", {}, START + b"\x84" + moves("e2e4") + b"\x85" + moves("h2h4 g7g5 h4g5 h7h6 g5h6 a7a6 h6h7 a6a5") + move("h7g8", 5)),
        ("6.3.1.3", "two kings, one of them attacked", {}, fen("8/P3r3/8/8/8/8/7k/K3K3 w - - 0 1") + move("a7a8", 5)),
    ]
    speak.game("6.3.1.1", "no record", b"", head=b"", offset=1 << 40)
    for rule, what, fields, record in games[1:]:
        speak.game(rule, what, record, **fields)
    for number in range(len(games) - 1):
        speak.game("6.3.1.5", "speaks for the description", fen(promotes) + move("a7a8", 1))
    speak.game(*games[0][:2], games[0][3], **games[0][2])
    made.append(speak.case("bad_vote_each", expect="One game more speaks for the program: if one of them did not, the description would be taken."))

    silent = tells()
    castled = "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1"
    for what, record in [
        ("a rook that has moved loses its right", fen(castled) + moves("h1h2 e8d7 h2h1 d7e7 e1g1 e7e6") + move("a7a8", 5)),
        ("a rook that is taken loses its right", fen("4k3/P5b1/8/8/8/8/R7/R3K3 b Q - 0 1") + moves("g7a1 a2a1 e8d7 e1c1 d7e7") + move("a7a8", 5)),
        ("a king that has moved loses its rights", fen(castled) + moves("e1e2 e8e7 e2e1 e7e6 e1g1 e6e5") + move("a7a8", 5)),
        ("a rook moves for the other side", fen("7r/P7/8/8/8/8/k7/4K3 w - - 0 1") + moves("h8h7 a2b2") + move("a7a8", 5)),
        ("a pinned rook moves", fen("4r3/P7/8/8/8/8/4R2k/4K3 w - - 0 1") + moves("e2d2 h2h3") + move("a7a8", 5)),
        ("en passant behind two null moves", fen("8/P7/8/8/3p4/8/4P2k/4K3 w - - 0 1") + moves("e2e4") + b"\x88\x88" + moves("d4e3") + move("a7a8", 5)),
        ("00 00 is an illegal move", fen(promotes) + moves("a1a1 h2h3") + move("a7a8", 5)),
        ("en passant one move late", fen("8/P2p4/8/2P5/8/8/7k/4K3 b - - 0 1") + moves("d7d5 e1e2 h2h3 c5d6 h3h4") + move("a7a8", 5)),
    ]:
        silent.game("6.3.1.3 6.3.1.4", what, record)
    made.append(silent.case("vote_silent", notes="in each game an illegal move stands before the promotion: none speaks"))

    fewer = tells()
    knight, bishop = "h2h3 a8b6", "h2h3 a8d5"
    for what, start, record in [
        ("code 6 passes the turn, no more", promotes, move("a7a8", 6) + moves("h2h3") + move("a7a8", 2) + moves("h3h2 a8b6")),
        ("an illegal move is played", "8/8/8/P7/8/8/7k/4K3 w - - 0 1", moves("a5a7 h2h3") + move("a7a8", 2) + moves("h3h2 a8b6")),
        ("two moves of a knight", promotes, move("a7a8", 2) + moves("h2h3 a8b6 h3h2 b6a8")),
    ]:
        fewer.game("6.3.1.3 6.3.1.6", what, fen(start) + record)
    for number in range(3):
        fewer.game("6.3.1.6", "a move of a bishop", fen(promotes) + move("a7a8", 2) + moves(bishop))
    made.append(fewer.case("bad_vote_sums", expect="Four moves of knights are illegal as described, three of bishops as the program has it."))

    once = tells()
    for number in 1, 2:
        once.game("6.3.1.4", "legal as described alone, then code 5", fen(two) + move("a7a8", 2) + moves("h2h3 a8d5 h3h2") + move("e7e8", 5))
    once.game("6.3.1.4", "speaks for the description, legal in both", fen(promotes) + move("a7a8", 1))
    made.append(once.case("vote_once", notes="two games speak for the program, each by one numbering; one for the description, by both: once"))

    both = dcg_bases.Base().game("6.3.1.4", "speaks for both", fen(two) + move("a7a8", 1) + moves("h2h3") + move("e7e8", 5))
    for code, what in (1, "speaks for the description"), (2, "a knight, or a bishop as described"), (3, "a bishop, or a rook as described"):
        both.game("6.3.1.4", what, fen(promotes) + move("a7a8", code))
    made.append(both.case("vote_both_and_one", notes="two games speak for the description, one of them for the program too"))

    before = dcg_bases.Base().game("6.3.1.12", "an illegal move before a rook, or a queen as described", fen(promotes) + moves("e1e3 h2h3") + move("a7a8", 4))
    made.append(before.case("vote_illegal_before", notes="a queen behind an illegal move does not count: the program's rook"))

    start = tells().game("6.3.1.1", "a start that cannot be read", b"\2" + moves("h2h4 g7g5 h4g5 h7h6 g5h6 a7a6 h6h7 a6a5") + move("h7g8", 5))
    start.game("6.3.1.3 6.3.1.4", "code 6 before code 5", fen(promotes) + move("a7a8", 6) + moves("h2h3") + move("a7a8", 5))
    made.append(start.case("bad_vote_start", expect="The game whose start cannot be read has no say, and the game with code 6 does not speak: a queen as described."))

    bishops = dcg_bases.Base()
    for code in 3, 3, 2:
        bishops.game("6.3.1.12", "code %d" % code, fen(promotes) + move("a7a8", code))
    made.append(bishops.case("pieces_of_most", notes="two bishops of the program and one as described: as described"))
    return made


def dcg_names():
    base = dcg_bases.Base()
    record = START + moves("d2d4")
    for rule, what, name in [
        ("5.3.1", "a tab at the end", b"Tab\t"),
        ("5.3.2", "a zero byte inside", b"A\0b"),
        ("5.3.2", "blanks before the zero bytes that fill the name", b"Blanks  ".ljust(36, b"\0")),
        ("5.3.4", "a cut character, then a zero byte", b"x" * 34 + b"\xc3\0"),
        ("5.3.4", "two bytes of a character of three", b"x" * 34 + b"\xe2\x82"),
        ("5.3.5", "36 bytes with ff among them", b"a" * 10 + b"\xff" + b"b" * 25),
        ("5.3.5", "a letter in UTF-8 and one in Windows-1252", b"\xc3\xa9 and \xe9"),
    ]:
        base.game(rule, what, record, white=base.name("dcn", name))
    last = base.name("dcn", "x" * 35)
    base.game("5.1.4 5.3.4", "a name that is cut within a character", record, white=last)
    base.names["dcn"] = base.names["dcn"][:last + 5] + b"\xc3"
    return base.case("bad_names_bytes")


def dcg_records():
    base = dcg_bases.Base()
    e4 = START + moves("e2e4")
    base.game("6.5.6", "a record of 600 bytes ends at its own end", e4 + comment("c" * 592))
    base.game("6.2.2", "a FEN with a letter in UTF-8 behind it", fen(dcg_bases.KINGS + " \u00e9") + moves("e1e2"))
    base.game("6.2.4", "a FEN one byte longer than its record", b"\1" + bytes([len(dcg_bases.KINGS) + 1]) + dcg_bases.KINGS.encode())
    base.game("6.4.4", "NAGs 3 and 1", e4 + b"\x87\2\3\1")
    base.game("6.1.2 6.1.4", "a length of five bytes", e4, head=b"\x84\0\0\0" + bytes([len(e4)]))
    for number in range(16):
        base.game("6.5.6", "one of many", e4)
    for what, text in FENS:
        base.game("6.2.4", what, fen(text) + moves("e1e2"))
    castles = fen("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1")
    base.game("15.1", "deleted, with an ECO code", e4, status=255, eco=b"B90")
    base.game("15.3", "the FEN of the usual position", fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))
    base.game("6.4.1 6.4.5", "a variation to a null move", START + b"\x88\x84" + moves("e2e4") + b"\x85")
    base.game("6.4.7", "two lists of NAGs", e4 + b"\x87\1\1\x87\1\2")
    base.game("6.3.1.10", "a pawn on its last rank, without a code", fen("8/4P2k/8/8/8/8/8/4K3 w - - 0 1") + moves("e7e8"))
    base.game("6.3.1.10", "code 5 on castling that is illegal", START + move("e1g1", 5))
    base.game("6.3.3.1", "a move to its own square leaves the right", castles + moves("h1h1 e8e7") + move("e1g1", 5))
    base.game("6.3.3.1", "a move from an empty square leaves the rook", START + moves("e3h1 e7e5 e1g1"))
    base.game("6.3.3.1", "a move to its own square passes the turn", START + moves("a2a2") + move("e7e5", 5))
    return base.case("bad_clauses")


def scid():
    e4 = scid_bases.record([scid_bases.E4])

    def record(stream, fen, **more):
        return scid_bases.record(stream, fen=fen, **more)

    base = scid_bases.Base()
    base.game("4.2.6", "the event date of Scid 2, in December", scid_bases.record([scid_bases.E4], tags=b"\xff" + (1999 << 9 | 12 << 5 | 31).to_bytes(3, "big")))
    base.game("4.3.4", "a FEN with a letter in UTF-8 behind it", record([0x07], scid_bases.KINGS + " \u00e9"))
    base.game("4.5.11", "White has one piece, and Black three", record([0x21], "4k3/8/8/8/8/8/6pp/4K3 w - - 0 1"))
    base.game("4.5.12", "code 11 of a king that is not number 0", record([0x1b], "4k3/8/8/8/8/8/8/3KK2R w - - 0 1"))
    base.game("4.5.20", "a pawn takes beside it on the third rank", record([0x10, 0x11], "4k3/8/8/8/8/3pP3/8/4K3 w - - 0 1"))
    base.game("4.5.22", "the outer of two rooks castles", record([0x09], "4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1"))
    base.game("4.5.20", "a pawn of the h-file takes over the edge", record([0x12, 0x11], "4k3/8/p7/7P/8/8/8/4K3 w - - 0 1"))
    base.game("4.5.12", "code 9 of a second king", record([0x29], "4k3/8/8/8/8/8/8/R3K2K w - - 0 1"))
    base.game("4.5.18 4.6.4", "a piece takes one of its own side, which renumbers", scid_bases.record([0x19, 0x8f, 0x8f]))
    base.game("4.2.6", "the event date of Scid 2 without a year", scid_bases.record([scid_bases.E4], tags=b"\xff" + (5 << 5 | 3).to_bytes(3, "big")))
    base.game("4.2.6", "the event date of Scid 2 is zero", scid_bases.record([scid_bases.E4], tags=b"\xff\0\0\0"))
    base.game("4.4.15", "two NAGs before the first move", scid_bases.record([scid_bases.NAG, 5, scid_bases.NAG, 6, scid_bases.E4]))
    base.game("6.2.3", "a tag called event", scid_bases.record([scid_bases.E4], tags=scid_bases.tag("event", "x")))
    base.game("6.2.3", "White's name is lost, and a tag", scid_bases.record([scid_bases.E4], tags=scid_bases.tag("White", "x")), white=99)
    base.game("3.1.12", "the last name of the file adds no bytes", e4, round=1)
    base.game("4.1.4", "all but a byte that says nothing", e4, length=len(e4) + 1)
    names = base.names()
    # Round 1 is used once, has no bytes and shares none.
    names = names[:21] + (2).to_bytes(3, "big") + names[24:] + bytes([0, 1, 1, 0, 0])
    made = [base.case("bad_clauses", sn=names)]

    fens = scid_bases.Base()
    for what, fen in FENS:
        fens.game("4.3.2", what, record([0x07], fen))
    made.append(fens.case("bad_fens"))

    one = scid_bases.Base().game("3.1.2", "the names have a time stamp", e4)
    names = one.names()
    made.append(one.case("names_stamp", sn=names[:8] + b"\1\2\3\4" + names[12:]))
    cut = scid_bases.Base().game("3.1.12", "the last name is cut", e4)
    made.append(cut.case("bad_names_last", expect="The last round name lacks its only byte.", sn=cut.names()[:-1]))
    ten = scid_bases.Base(5).game("5.3.5", "the first name has a number of ten bytes", e4)
    made.append(ten.case("bad_si5_number_ten", expect="A number of ten bytes is read.", sn=b"\x88" + b"\x80" * 8 + b"\0A" + ten.names()[1 + len("Ash, Kim"):]))
    wide = scid_bases.Base(5).game("5.3.5", "the first name has a number beyond 64 bits", e4)
    made.append(wide.case("bad_si5_number_wide", expect="A number of ten bytes has bit 64 set: it and all behind it are lost.", sn=b"\x88" + b"\x80" * 8 + b"\2A" + wide.names()[1 + len("Ash, Kim"):]))
    lone = scid_bases.Base().game("1.3", "the only game", e4).case("bad_no_index", expect="There is no index: it does not open.", games=0, si=None)
    lone.open = "base.sg4"
    made.append(lone)
    return made


def movecode():
    base = movecode_bases.Base()
    for rule, what, code, start in [
        ("2.1", "a FEN with a letter in UTF-8 behind it", "96 d3 ff", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 \u00e9"),
        ("4.3", "a rook jumps", "53 d3 ff", "4k3/8/8/8/8/P7/8/R3K3 w - - 0 1"),
        ("4.3", "a double step from the third rank", "03 d3 ff", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1"),
        ("4.3", "a double step onto a piece", "03 d3 ff", "4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1"),
        ("4.5", "a king steps onto its rook, and there is another king", "94 d3 ff", "4k3/8/8/8/8/8/8/2KRK3 w - - 0 1"),
        ("4.5", "White's king steps onto its rook on the eighth rank", "94 d3 ff", "4KR2/8/8/8/8/8/8/k7 w - - 0 1"),
        ("4.6", "the rook of the long castling stands on b1", "99 d3 ff", "4k3/8/8/8/8/8/8/1R2K3 w - - 0 1"),
        ("4.7 5.4.2", "the rook of slot 0 stands where the one of slot 1 lands", "98 97 52 d3 ff", "4k3/8/8/8/8/8/8/4KR1R w - - 0 1"),
        ("4.6", "the king on d1, without a right", "98 d3 ff", "4k3/8/8/8/8/8/8/3K3R w - - 0 1"),
        ("4.6", "a rook on the other side alone", "98 d3 ff", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
        ("4.6", "a rook of the enemy", "98 d3 ff", "4k3/8/8/8/8/8/8/4K2r w - - 0 1"),
        ("4.2", "a bishop over the edge, beside which its other diagonal has a square", "36 d3 ff", "4k3/8/8/8/8/5B2/8/4K3 w - - 0 1"),
        *[("2.1", what, "96 d3 ff", text) for what, text in FENS],
    ]:
        base.game(rule, what, code, FEN=start, CId=0)
    for what, info, values in [
        ("Chess960, and the tag variant", "variant=x", dict(Attributes=8)), ("blanks around a value", "A= x ", {}), ("a result in another spelling behind a tag", "A=b;Result=1 - 0", {}),
        ("a field twice", "White=A;White=B", {}), ("a spelling of no result", "Result=x", dict(Result=1)), ("a FEN", "FEN=x", {}),
        ("an empty result", "Result=", dict(Result=1)), ("fields of other values", "Deleted=0;ECO=x;WhiteElo=0;Date=x;Round=;Deleted=1", {}),
    ]:
        base.game("9.4.2 9.4.3" if values.get("Attributes") is None else "9.3.8", what, Info=info, CId=0, **values)
    base.game("9.5.1", "day 1, and no month", GameDate=movecode_bases.date(1999, 5, 1), DateFlags=0x20, CId=0)
    base.game("9.5.2 12.4", "a date whose highest bit is set", GameDate=0xff0021, CId=0)
    base.game("9.3.8", "Attributes 9", Attributes=9, CId=0)
    base.game("9.4.1", "a name with a digit", Info="X=a;A1=b", CId=0)
    base.game("9.4.1", "no name before the second =", Info="A=1;=2", CId=0)
    base.game("9.4.1", "a letter beyond ASCII before the second =", Info="A=1;\u00e9=2", CId=0)
    base.game("3.5.2", "a result, then an error", "13 d2 f1 ff", CId=0)
    base.game("3.5.3", "another result than the column has, then an error", "13 d2 f1 ff", Result=0, CId=0)
    base.raw("12.5", movecode_bases.block(base.row("a row that ends one byte late", CId=0) + b"x"))
    return [base.case("bad_clauses"), *movecode_dialects(), *movecode_blocks()]


def movecode_dialects():
    """movecode §14.1: 21 is Ng1-f3 as published, and leads off the board in jose's codes."""
    def one(name, expect, *games):
        base = movecode_bases.Base()
        for what, code, start in games:
            base.game("14.1.1", what, code + " d3 ff", FEN=start, CId=0)
        return base.case(name, expect)

    usual, published, jose = ("both", "13 13", None), ("published alone", "21", "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1"), ("jose alone", "26", "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1")
    return [
        one("bad_dialect_null", "A null move in check fits no dialect: jose's codes, and an error.", ("a null move in check", "9a 5f 21", "4k3/8/8/8/4r3/8/8/4K1N1 w - - 0 1")),
        one("bad_dialect_variation", "A move against the rules in a variation fits no dialect: jose's codes, and an error.", ("a pinned bishop moves", "21 f0 32 f1", "4r1k1/8/8/8/8/8/4B3/4K1N1 w - - 0 1")),
        one("bad_dialect_more", "Three rows fit the published description alone, two jose alone: as published.", *[published] * 3, *[jose] * 2),
        one("bad_dialect_64", "The 64th row tells, the 65th is not looked at: as published.", *[usual] * 63, published, jose),
    ]


def movecode_blocks():
    """movecode §11: what follows damage, and a row in parts that claims all there is room for."""
    mb = movecode_bases
    base = mb.Base()

    def data(what, more=0):
        return base.row(what, mb.E4E5 + " d3 ff", CId=0, comments=b"n" * (40 + more))

    base.raw("11.11", b"\x63" * 4)
    odd = data("the first of four")
    odd = mb.block(data("the first of five", -(len(odd) + 3) % 4 + 1))
    base.events.pop(-2)
    odd = b"\1" + odd[1:3] + odd[len(odd) - int.from_bytes(odd[1:3], "big"):] if odd[0] == 1 else b"\1" + odd[1:3] + odd[4:4 + int.from_bytes(odd[1:3], "big")]
    assert len(odd) % 4, "the block ends at a multiple of four"
    for part in odd, *[mb.block(data("behind one that ends at none")) for number in range(3)]:
        base.raw("11.11", part, 0)
    base.raw("11.11", b"\x63" * (-len(base.rows) % 4), 0)
    for number in range(4):
        base.raw("11.11", mb.block(data("one of four that end at multiples of four")))
    base.raw("11.11", b"\x63" * 4)
    for number in range(3):
        base.raw("11.11", mb.block(data("one of three before other bytes")), 0)
    base.raw("11.11", b"\x63" * 4, 0)
    for number in range(4):
        base.raw("11.11", mb.block(data("one of four behind them")))

    claims = mb.Base()
    row = claims.row("as many bytes as the file", mb.E4 + " e0 d3 ff", CId=0, comments=b"n" * 60)
    # A start has 13 bytes before its own, a middle 11: the last 24 bytes of the row are there once and count twice.
    first = len(row) - 48
    claims.raw("11.12 11.13", b"\5" + len(row).to_bytes(2, "big") + first.to_bytes(2, "big") + (13 + first).to_bytes(8, "big") + row[:first]
               + b"\x0b" + (24).to_bytes(2, "big") + (13 + first).to_bytes(8, "big") + row[-24:])
    assert len(claims.rows) == len(row)
    return [base.case("bad_blocks_found", "Behind damage four blocks are needed that end at multiples of four; neither three do, nor four of which one ends elsewhere."),
            claims.case("bad_row_whole_file", "A row in parts has as many bytes as the file, and its second part names itself as the next.")]


def cbh():
    base, date = cbh_bases.Base(), cbh_bases.date
    e4, notes = cbh_bases.record(cbh_bases.E4, cbh_bases.END), lambda *parts: lambda number: cbh_bases.items(number, *parts)
    item = cbh_bases.item
    base.game("4.1.7 5.1.9", "records of more than 512 bytes end at their own end", cbh_bases.record(*KNIGHTS * 140, cbh_bases.END),
              notes(item(0, 2, b"\0\0" + b"c" * 600)))
    base.game("10.5", "", event=cbh_bases.tournament("event type 17", kind=17))
    base.game("10.10", "a publisher, and one date", source=base.name("cbs", cbh_bases.source("", "Publisher", date(2001), date(2001))))
    base.game("10.13", "a team of the year, and bits above the date", teams=(base.name("cbe", cbh_bases.team("Solingen", 0, 0, 2001)), -1), date=0xe00000 | date(2001))
    base.game("5.3.6", "a clock of five bytes", e4, notes(item(-1, 0x16, "0000000001")))
    base.game("5.3.15", "a text that begins like squares", e4, notes(item(0, 2, b"\0\0[%csl Gd4]"), item(0, 4, "021c")))
    base.game("5.3.20", "a mate in no plies", e4, notes(item(0, 0x26, "0001010a0000")))
    base.game("5.3.20 5.3.21", "a depth without a value, which is the first", e4, notes(item(0, 0x26, "0002ff030000000a0010")))
    base.game("5.3.20", "values joined with a text", e4, notes(item(0, 2, cbh_bases.text("a text")), item(0, 0x26, "000200001234ff000000"),
              item(0, 0x26, "0001010003e8"), item(0, 0x26, "00010100fc18")))
    base.game("5.3.12 5.3.20", "data without a value", e4, notes(item(0, 0x26, "0000"), item(0, 0x26, "00010000000500000006"), item(0, 0x26, "000100008eb7"),
              item(0, 0x26, "00020000000107000000")))
    base.game("4.2.5", "Chess960: a rook of the other side is named", cbh_bases.record(cbh_bases.END, mode=10, setup=cbh_bases.setup(
        "4k3/8/8/8/8/8/8/4KR1r", castling=2, more=bytes([32, 39, 56, 0, 0, 0, 0, 0]))))
    for number in range(16):
        base.game("4.1.7 5.1.9", "one of many", e4, notes(item(0, 3, "01")))
    bad = cbh_bases.Base()
    for rule, what, move, fields in [
        ("4.6.3", "a king goes two files and one rank", "e1g2", dict(board="4k3/8/8/8/8/8/8/4K2R", castling=2)),
        ("4.10.1", "the king of the side that is not to move", "e8e7", dict(board="4k3/8/8/8/8/8/8/4K3")),
        ("4.10.1", "a double step over a piece", "e2e4", dict(board="4k3/8/8/8/8/4n3/4P3/4K3")),
    ]:
        bad.game(rule, what, cbh_bases.record((235, cbh_bases.word(move)), cbh_bases.END, setup=cbh_bases.setup(**fields)))
    bad.game("4.10.1", "Chess960: the rook that castles leaves its king in check", cbh_bases.record(10, cbh_bases.END, mode=10, setup=cbh_bases.setup(
        "4k3/8/8/8/8/8/8/qRK5", castling=1, more=bytes([16, 39, 0, 8, 0, 0, 0, 0]))))
    bad.game("7.4", "an offset of the .cbj whose bits 16 to 31 are others", e4, offsets=(len(bad.moves) | 1 << 20, 0))
    bad.game("3.3.1", "type 02 is a text", e4, kind=2)
    bad.game("4.2.6", "bit 5 of the side: White is to move", cbh_bases.record(cbh_bases.END, setup=cbh_bases.setup("4k3/8/8/3pP3/8/8/8/4K3", side=0x24)))
    bad.game("4.2.6", "a king stands on the square of en passant", cbh_bases.record(cbh_bases.END, setup=cbh_bases.setup("8/8/3k4/3p4/8/8/8/4K3", side=4)))
    # A rook's step up from a8 comes to a1.
    bad.game("4.5.1 4.5.2", "the first king is taken: the second has no number", cbh_bases.record(39, 1, cbh_bases.END, setup=cbh_bases.setup("r6k/8/8/8/8/8/8/K6K", side=16)))
    bad.game("5.1.2", "01 01 behind the number", e4, lambda number: cbh_bases.items(number, item(0, 2, cbh_bases.text("lost")), mark="01010e0e"))
    bad.game("5.4.2 5.4.3", "no UTF-8, and no figurine but U+E024", e4, notes(item(0, 2, cbh_bases.text(b"\xe9 \xee\x80\xa4 "))))
    bad.game("5.3.22", "60 seconds for a training question", e4, notes(item(0, 9, training(60))))
    bad.game("5.3.22 5.5", "a solution from square 64", e4, notes(item(0, 9, training(0, 64))))
    bad.game("5.3.22", "a training question of ChessBase's own form", e4, notes(item(0, 9, training(0))))
    bad.game("3.3.1", "a deleted text", e4, kind=0x83)
    bad.game("4.2.4", "a right of White with a rook of Black", cbh_bases.record(cbh_bases.END, setup=cbh_bases.setup("4k3/8/8/8/8/8/8/4K2r", castling=2)))
    bad.game("5.1.2 5.1.3", "annotations of game 0", e4, cbh_bases.items(0, item(0, 2, cbh_bases.text("kept"))))
    # The last record of the file.
    bad.game("4.1.4 16.3", "a start position, and the file ends in the record", cbh_bases.record(1, size=1, setup=cbh_bases.setup("4k3/8/8/8/8/8/8/4K3")))
    extra = cbh_bases.Base()
    extra.game("6.1.2", "eight bytes before the players", e4, white=extra.player("Ash", "Kim"))
    stored = [("base." + extension, cbh_bases.block((b"\x08" if extension == "cbg" else b"\0") + data), len(data)) for extension, data in extra.files().items()]
    eight = cbh_bases.Case("cbh", "bad_archive_mode_8", {"cbv": cbh_bases.archive(stored)}, ["9.2.2"], 0, "The base does not open: mode 08 of a block is damage.")
    eight.format = "cbv"
    return [base.case("clauses"), bad.case("bad_clauses"), eight, *cbh_claims(),
            extra.case("bad_names_more_extra", "The names are read behind eight bytes more.", cbp=lambda data: data[:24] + struct.pack("<i", 8) + bytes(8) + data[32:])]


def cbh_claims():
    """cbh §9.1.5: archives whose files say 1,024 times their bytes, and a byte more by two files."""
    base = cbh_bases.Base()
    base.game("9.1.5", "the only game", cbh_bases.record(cbh_bases.E4, cbh_bases.END), white=base.player("Ash", "Kim"))
    stored = [("base." + extension, cbh_bases.block(b"\0" + data), len(data)) for extension, data in base.files().items()]
    made = []
    for name, expect, more in [
        ("bad_archive_claims_all", "The files say 1,024 times the archive's bytes: the base opens.", 0),
        ("bad_archive_claims_two", "Two files that say half of it each are a byte too much together: it does not open.", 1),
    ]:
        empty = [("large", b"", 0), ("larger", b"", 0)]
        left = 1024 * len(cbh_bases.archive(stored + empty)) - sum(size for _, _, size in stored)
        large = [("large", b"", left // 2), ("larger", b"", left - left // 2 + more)]
        one = cbh_bases.Case("cbh", name, {"cbv": cbh_bases.archive(stored + large)}, ["9.1.5"], 1 - more, expect)
        one.format = "cbv"
        made.append(one)
    return made


def training(seconds, origin=12):
    """cbh §5.5"""
    def texts(*parts):
        return struct.pack("<H", len(parts)) + b"".join(struct.pack("<HH", 0, len(part)) + part for part in parts)

    body = struct.pack("<ih", seconds, 5) + texts(b"Why?") + texts() * 3 + bytes([1, origin, 28, 0, 5]) + texts()
    return bytes([1, 0, 1]) + struct.pack("<H", len(body) + 2) + body


def cbh2():
    base = cbh2_bases.Base()
    base.game(tournament=base.entity(1, cbh2_bases.event("an event of month 13 in no year", "", cbh2_bases.day(0, 13, 0))))
    short = cbh2_bases.Base()
    short.game()
    headers = short.files()["2cbh"]
    return [cbh2_bases.case("clauses", base, ["9.1"], 1), cbh2_games(), *cbh2_names(),
            cbh2_bases.case("bad_header_100", short, ["3.1.1"], 0, "The file of headers has 100 bytes of its own: it does not open.", **{"2cbh": headers[:100]})]


def cbh2_games():
    cb = cbh2_bases
    base, rules = cb.Base(), []
    kings = ["Ke1", "ke8"]

    def game(rule, what, content=cb.E4, **fields):
        rules.extend(rule.split())
        base.game(content, tournament=base.entity(1, cb.event(what)), **fields)

    game("4.2.1", "another first word, moves behind it", cb.words(0x1234, 0x0206, cb.MOVES, cb.END))
    game("4.5.6", "the word 1000, and the word c30c of a piece", cb.words(cb.SETUP, 1000, 0, 0, 0xc30c, 0xc031, 0xc175, cb.MOVES, cb.END), flags=1)
    game("4.5.7", "a low byte of 2: Black is to move", cb.setup(1, 2, 0, 0, *kings) + cb.words(cb.MOVES, cb.END), flags=1)
    game("4.5.8", "a king stands on the square of en passant", cb.setup(1, 0, 0, 4, "Ke1", "kd6", "pd5") + cb.words(cb.MOVES, cb.END), flags=1)
    rules.append("9.1")
    second = bytearray(cb.event("a team byte of 2"))
    at = len(cb.string("") + cb.string("a team byte of 2")) + 5
    second[at] = 2
    base.game(tournament=base.entity(1, bytes(second)))
    quoted = cb.quotation().replace(bytes(8) + b"\3\2", bytes(8) + b"\0\2")
    assert quoted != cb.quotation()
    game("5.4.11", "a quotation of round 0 and subround 2", notes=cb.blocks((0, (0x13, quoted))))
    for file in 0x105, 0x15:
        game("4.5.8", "file %x of en passant" % file, cb.setup(1, 0, 0, file, *kings, "pe5") + cb.words(cb.MOVES, cb.END), flags=1)
    game("2.1", b"UTF-8 and Windows-1252: \xc3\xa9\xe9")
    game("2.1", b"a byte without a letter: \x81")

    def player(what, one, other, third, fide):
        who = cb.string("Ash") + cb.string("Kim") + struct.pack("<iiiiq", one, other, -1, third, fide)
        game("9.2 9.6", what, white=base.entity(0, who))

    player("a player with the numbers 0 0 0", 0, 0, 0, 0)
    player("a player with the numbers 1 0 8", 1, 0, 8, 0)
    player("a player with the numbers 0 1 8", 0, 1, 8, 0)
    player("a player with the numbers -1 0 8", -1, 0, 8, 0)
    player("a FIDE number of 33 bits", 0, 0, 8, 0x100000001)
    base.analysis(cb.E4, base.entity(cb.TITLE, cb.title((42, "an analysis with a date"))))
    base.records[-1] = base.records[-1][:0xbc] + struct.pack("<i", cb.day(2001, 5, 6))
    rules.append("10.2")
    game("9.5", "a rating type that begins with a blank", elo=(cb.rating(1800, -1, 2, 0, b" DWZ"), bytes(16)))
    game("5.1.8", "a training question that begins with 02", notes=cb.blocks((0, (9, b"\2" + cb.training()[1:])), (1, cb.comment("lost"))))
    clear = "wPa2a3 bPe7e5 wPb2b3 bQf8d6 wPc2c3 bPf7f5 wPd2d3 bBg8e6 wPe2e3 bNd8f7 wPf2f3 bNe8f6 wPg2g3".split()
    game("4.2.3 4.4.1", "the last word of castling", cb.words(cb.SETUP, 959) + cb.line(*clear, 0xc02c), tag="0200", flags=1 | 1 << 27)
    game("4.2.3", "the word behind those of moves", cb.setup(1, 0, 1, 0, *kings, "Ra1") + cb.line(0xc02d), flags=1)
    return cb.case("bad_clauses", base, sorted(set(rules)), len(base.records), "The event of each game says what it shows.")


def cbh2_names():
    """cbh2 §6: one game, of whose names something is odd."""
    cb = cbh2_bases

    def one(**fields):
        base = cb.Base()
        base.game(tournament=base.entity(1, cb.event("the only game")), white=base.entity(0, cb.player("Ash", "Kim")), **fields)
        return base

    titled = cb.Base()
    titled.entities[cb.TITLE] = [cb.title((42, "the text of title 0"))]
    titled.game(tournament=titled.entity(1, cb.event("title 0")))
    files = one().files()
    cut, size = files["2lid"], sum(cb.SIZES)
    assert len(cut) == 184 + 2 * size
    start = 184 + size + cb.SIZES[0]
    cuts = [cb.case("bad_names_%d_behind" % more, dict(files, **{"2lid": cut[:start + 4 + more]}), ["6.1.5", "6.2.2"], 1,
                    "The names end %d bytes behind the size of the tournament: it is there without a text, and a warning." % more) for more in (1, 3)]
    # Block 0 begins at 100, and its first 28 bytes are the pairs.
    stated = struct.pack(">i", 100) + cut[4:128] + cut[184 + 28:]
    return [
        cb.case("bad_title_0", titled, ["3.3.5"], 1, "A title of number 0 is one."),
        cb.case("bad_names_header_100", dict(files, **{"2lid": stated}), ["6.1.1", "6.1.4"], 1, "The header of the names says that it has 100 bytes: no other header, block 0 begins there."),
        *cuts,
    ]


def cbf():
    base = cbf_bases.Base()
    base.game("3.5.8", "bit 7 of byte 4 and bit 6 of byte 5, with a set-up", setup=cbf_bases.setup({"e1": "K", "e8": "k"}), bits=(2, 1), moves=b"")
    base.game("16.1", "a deleted game with an ECO code", eco=1, flags=0x80)
    has = cbf_bases.HAS
    base.game("7.1.1 7.1.5", "two empty records at the end", moves=[cbf_bases.E4 | has, cbf_bases.E5 | has], comments=cbf_bases.notes(b"", b""))
    base.game("4.2.1", "blanks around a name alone", players=" Ash ")
    base.game("4.2.2", "a blank behind the second hyphen alone", players="A-B- C")
    base.game("4.2.2", "a blank before the second hyphen alone", players="A-B -C")
    base.game("4.3.1", "Event [Ann] x]")
    # In CP850 ff is the no-break space, and fd a small 2.
    for players in b"Ash\xff-\xffElm", b"Ash,\xff-Elm,", b"A-B,C\xff-\xffD":
        base.game("4.2.2 4.2.7", "no-break spaces are no blanks", players=players)
    for rule, source in [
        ("4.3.1", b"Event\xff [Ann\xff]"), ("4.3.1", b"Event [Ann]\xff"), ("4.3.1", b"Event [\xff]"), ("4.3.1", b"Event [Ann]\t"), ("4.3.1", b"The\nevent (7) [A\nnn]"), ("4.3.1", b"Event [ Ann ] "),
        ("4.3.2", b"The\nevent (7)"), ("4.3.2", b"Event (7,5)"), ("4.3.2", b"Event ( 7)"), ("4.3.2", b"Event (7 )"), ("4.3.2", b"Event (3-4)"), ("4.3.2", b"Event (7\xfd)"), ("4.3.2", b"Event (\xfd)"),
        ("4.3.2", b"Event (-1)"), ("4.3.2", b"Event (/7)"), ("4.3.2", b"Event ()"), ("4.3.2", b"Event (--)"), ("4.3.2", b"Event (7)\xff"), ("4.3.2", b"Event (7) (8/) [Ann]"),
    ]:
        base.game(rule, source)
    base.game("5.2.2", "two variations, the first without moves", moves=[cbf_bases.E4, 0xff, cbf_bases.CLOSE, 0xff, cbf_bases.E4, cbf_bases.CLOSE, cbf_bases.E4])
    base.game("5.2.2", "a variation without moves in a variation", moves=[cbf_bases.E4, 0xff, cbf_bases.E4, 0xff, cbf_bases.CLOSE, cbf_bases.E4, cbf_bases.CLOSE, cbf_bases.E4])
    knight = cbf_bases.setup({"e1": "K", "g1": "N", "e5": "P", "e8": "k"})
    start = Place(Board("4k3/8/8/4P3/8/8/8/4K1N1 w - - 0 1"), 4, True)
    base.game("8.3", "a file of en passant without a pawn counts among the numbers", setup=knight, flags_2=4, moves=cbf_bases.numbers("g1f3", start=start))
    block = Place(Board("4k3/8/8/8/8/6N1/8/4K2r w - - 0 1"))
    base.game("5.2.4", "a rook of the enemy in the corner is none to castle with", setup=cbf_bases.setup({"e1": "K", "g3": "N", "h1": "r", "e8": "k"}),
              moves=cbf_bases.numbers("g3f1", start=block))
    usual, other = (cbf_bases.numbers(cbf_bases.telling(dialect), dialect) for dialect in ("usual", "no-edge-pawn"))
    base.game("3.5.1", None, players="", moves=b"", count=0)
    kings = {"e1": "K", "e8": "k"}
    for file, pawn in (1, "a5"), (8, "h5"):
        base.game("8.3", "file %d" % file, setup=cbf_bases.setup({**kings, pawn: "p"}), flags_2=file, moves=b"")
    base.game("8.3", "no file, and a pawn on h4", setup=cbf_bases.setup({**kings, "h4": "p"}), moves=b"")
    base.game("8.3", "file 9, and a pawn on a6", setup=cbf_bases.setup({**kings, "a6": "p"}), flags_2=9, moves=b"")
    cut = cbf_bases.Base().game("6.3.7", "tells: no-edge-pawn", moves=other)
    cut.game("6.3.1", "1. a4 h6 2. a5 h5 3. f4 without an edge pawn", moves=cbf_bases.numbers(cbf_bases.EITHER, "no-edge-pawn"))
    cut.game("3.5.8 6.3.7 8.6", "tells: usual, its set-up lacks a byte, and bit 7 of byte 4", moves=usual, setup=knight, bits=(2, 0))
    bad = cbf_bases.Base().game("1.2.2", "the first longword of the .cbi is 0").game("1.2.2", "the second game")
    bare = cbf_bases.Base().game("1.2.2", "the only game")
    return [base.case("clauses"), cut.case("bad_numbering_cut", cbf=cut.files()["cbf"][:-1]), bad.case("bad_index_zero", "The index announces no game: the .cbf is walked.", cbi=bytes(4) + bad.files()["cbi"][4:]),
            bare.case("bad_index_bare", "The .cbi announces a game and has no entry: walked; warnings.", cbi=struct.pack(">I", 2)),
            bare.case("bad_cbf_empty", "The .cbi has an entry, and the .cbf is empty: there is no game.", cbf=b"", games=0),
            *cbf_walks(), *cbf_letters(), cbf_numbers()]


def cbf_walks():
    """cbf §1: what is a game of a base, and what is a base."""
    one, other = cbf_bases.record(source="one"), cbf_bases.record(source="other", year=90)
    foreign, m0 = cbf_bases.record(source="foreign", checksum="foreign"), cbf_bases.record(source="M is 0", moves=b"", size=0)
    lone = one + bytes(range(1, 40)) + other + cbf_bases.record(source="bits 6 and 7", result=0xc2) + b"xy" + other + foreign + b"xy"
    inner = b"".join(cbf_bases.record(players="", source="in it, %d" % number, moves=b"") for number in range(10))
    nested = cbf_bases.record(source="ten records in its comments", comments=b"\xff" + inner) + b"xy"
    at = nested.index(inner)
    places = [0, *[at + number * (len(inner) // 10) for number in range(10)], 5000]
    in_it = struct.pack(">13I", 13, *[place + number for number, place in enumerate(places, 2)])
    in_it = cbf_bases.Case("cbf", "bad_index_nested", {"cbf": nested, "cbi": in_it}, ["1.1.1", "1.2.5"], 12,
                           "One entry leads beyond the .cbf, and a walk finds a gap: the entries are used, and their bounds. With records=walk there are none.")
    in_it.options = ["records=walk"]
    beyond = one + bytes(range(1, 40)) + other
    entries = struct.pack(">4I", 3, len(beyond) + 2, len(one) + 39 + 3, len(beyond) + 4)
    checksum = cbf_bases.Base().game("1.3.2", "the second checksum, and no move can be read", moves=[127, 127], checksum="second", year=91)
    many = cbf_bases.Base().game("1.2.2", "the first of two").game("1.2.2", "the second")
    second = cbf_bases.Base().game("1.3.2 1.3.3", "the first", moves=[127], checksum="foreign").game("1.3.2", "the second", moves=[127])
    E4, E5, NF3, F4, EXF4, NC6 = cbf_bases.LINE[0], cbf_bases.LINE[1], cbf_bases.NF3, cbf_bases.F4, cbf_bases.EXF4, cbf_bases.NC6
    plies = cbf_bases.Base().game("1.3.3", "four half-moves, and four in variations", checksum="foreign", moves=[
        E4, E5, NF3, cbf_bases.OPEN, F4, EXF4, cbf_bases.CLOSE, cbf_bases.OPEN, F4, EXF4, cbf_bases.CLOSE, NC6, 127])
    return [
        cbf_bases.Case("cbf", "bad_walk_foreign_m0", {"cbf": foreign + m0 + one}, ["1.2.7", "1.2.11"], 2,
                       "A record with M = 0 fits behind one with an unknown checksum, whose place is likely; it is no game itself."),
        cbf_bases.Case("cbf", "bad_walk_other_kind", {"cbf": lone}, ["1.2.8"], 1,
                       "Behind a gap a record stands before one that has bits 6 and 7 of its result set, and one before one of an unknown checksum: none of these places is certain."),
        cbf_bases.Case("cbf", "bad_walk_setup", {"cbf": cbf_bases.record(source="with a set-up", setup=cbf_bases.setup({"e1": "K", "e8": "k"}), moves=b"") + one + b"xy"
                       + cbf_bases.record(players="", moves=b"")}, ["1.2.8", "1.2.10", "2"], 3,
                       "There is no .cbi: behind a set-up the next record begins. Behind a gap the file ends with a record that is a header alone."),
        cbf_bases.Case("cbf", "bad_walk_lone_m0", {"cbf": m0, "cbi": struct.pack(">4I", 3, 2, 1000, 1001)}, ["1.2.5", "1.2.9", "1.2.10"], 1,
                       "A record with M = 0 is all of the .cbf, and the second entry leads beyond it: a walk finds no gap, and is used."),
        cbf_bases.Case("cbf", "bad_walk_nested", {"cbf": nested}, ["1.1.1", "1.2.1", "1.2.11"], 11,
                       "Without a .cbi there are no bounds: the first record has all its bytes, though ten others begin in its comments."),
        cbf_bases.Case("cbf", "bad_walk_nested_short", {"cbf": nested, "cbi": b"\0\0"}, ["1.1.1", "1.2.2", "1.2.11"], 11, "The same with a .cbi of two bytes."),
        in_it,
        cbf_bases.Case("cbf", "bad_index_first_beyond", {"cbf": beyond, "cbi": entries}, ["1.2.5", "1.3.2", "1.3.3"], 2,
                       "The first entry leads beyond the .cbf, and a walk finds a gap: it opens by the second entry."),
        checksum.case("bad_checksum_second", expect="The header of the only game has the second checksum: it opens."),
        second.case("bad_second_sound", expect="The header of the first game is foreign, and neither game can be read: it does not open.", games=0),
        many.case("bad_index_one_many", expect="The .cbi announces two games and has an entry for one: walked; warnings.", cbi=many.files()["cbi"][:8]),
        plies.case("bad_plies_variations", expect="The half-moves of variations do not count: it does not open.", games=0),
    ]


def cbf_letters():
    """cbf §4.4: what proves a Cyrillic page, and what does not; each is a matter of the whole base."""
    run = lambda first, last: bytes(range(first, last + 1))
    mixed = b"\xc0" + 2 * run(0xe0, 0xe7) + b"\xe0\xe1\xc0"
    spaces = "".join(map(chr, range(0x2000, 0x2010))).encode()
    made = []
    for name, rules, expect, *names in [
        ("bad_charset_24", "4.4.1 4.4.2 4.4.3", "24 bytes of CP866, eight values: they are enough, also beside 30 letters of ASCII.", run(0x80, 0x87) * 3 + b" " + b"x" * 30),
        ("bad_charset_23", "4.4.3 4.4.6", "23 bytes of CP866: not enough, CP850 and a warning.", (run(0x80, 0x87) * 3)[:-1]),
        ("bad_charset_tie", "4.4.2", "As many bytes of CP866 as of Windows-1251: Windows-1251.", run(0xe0, 0xe7) * 3 + b" \x80\xc0"),
        ("bad_charset_half", "4.4.3", "24 bytes of CP866 in runs and 24 apart are not more than half.", run(0x80, 0x87) * 3, b"\xb0 " * 24),
        ("bad_charset_turns", "4.4.5", "A small letter stands before a capital twice in 40 bytes: CP850.", mixed, mixed),
        ("bad_charset_turns_41", "4.4.5", "A small letter stands before a capital twice in 41 bytes: Windows-1251.", mixed, mixed + b"\xe0"),
        ("bad_charset_capital", "4.4.4", "9F is a capital letter of CP866.", (b"\x9f" + run(0xa1, 0xa7)) * 3),
        ("bad_charset_capital_windows", "4.4.4", "DF is a capital letter of Windows-1251.", b"\xdf" + run(0xe0, 0xe7) * 3),
        ("bad_charset_small", "4.4.4", "No capital letter of Windows-1251: CP850.", run(0xe0, 0xe7) * 3 + b" \x80\xbf"),
        ("bad_charset_small_dos", "4.4.4", "A capital letter of Windows-1251 and none of CP866, which has more bytes in runs: CP850.", run(0xe0, 0xe7) * 3 + b"\xa0\xa1\xa2 \xc0"),
        ("bad_charset_seven", "4.4.4", "Seven different values, and letters of ASCII: CP850.", run(0x80, 0x86) * 4 + b" abc\x7f"),
        ("bad_charset_last_letter", "4.4.1", "The only capital letter ends a name whose other letters are ASCII: it counts, and is no cut UTF-8.", run(0xe0, 0xe7) * 3, b"Ivanov\xcf"),
        ("bad_charset_utf8", "4.4.1", "Names in UTF-8, the second of them cut within its last letter: they prove nothing.", spaces, spaces[:-1]),
    ]:
        base = cbf_bases.Base()
        for number, players in enumerate(names):
            base.game(rules, "name %d" % (number + 1), players=players)
        made.append(base.case(name, expect=expect))
    signs = cbf_bases.Base().game("4.2.10", "signs of pieces also in code page 437", players=b"\xa2\xa7 v \xa2-x").case("bad_player_signs_437")
    signs.encoding = "cp437"
    twice = cbf_bases.book("bad_book_twice_weak", cbf_bases.move("e2e4", more=True, end=True, weak=True) + cbf_bases.move("e2e4", end=True), "12.6", "The same move twice, once weak: a weak move.")
    holes = cbf_bases.Base().game("4.4", "bytes without a letter", players=b"\x81\x8d-\x9d\x7f").case("bad_charset_holes", expect="In Windows-1252 these bytes are control characters.")
    holes.encoding = "windows-1252"
    atari = cbf_bases.Base().game("4.2.10 4.4", "the last byte of ASCII, a sign, and the first beyond ASCII", players=b"\x7f \xa2-\x80").case("bad_charset_atari_ends")
    atari.encoding = "atari-st"
    return [*made, signs, twice, holes, atari]


def cbf_numbers():
    base = cbf_bases.Base()
    base.game("6.2 8.3", "an en passant file without effect is a number without a move", setup=cbf_bases.setup({"e1": "K", "e8": "k", "d7": "p", "d5": "p", "e5": "P"}),
              flags_2=4, moves=[7], count=1)
    base.game("6.2 8.3", "the same with file 1", setup=cbf_bases.setup({"e1": "K", "e8": "k", "a7": "p", "a5": "p", "b5": "P"}), flags_2=1, moves=[2], count=1)
    base.game("5.2.1 5.2.3", "a variation before a move ends at 00, and all with it", moves=[cbf_bases.OPEN, 1, cbf_bases.STOP, 1], count=0)
    base.game("6.1", "a pawn does not take a king", setup=cbf_bases.setup({"e1": "K", "d5": "k", "e4": "P"}), moves=[7], count=1)
    base.game("6.2 8.3", "file 9: the pawn on h5 takes two numbers", setup=cbf_bases.setup({"e1": "K", "e8": "k", "h5": "P", "h6": "N"}), flags_2=9, moves=[7], count=1)
    base.game("6.3.4", "one forbidden move in several numberings", setup=cbf_bases.setup({"e1": "K", "e8": "k", "a5": "P", "h1": "r"}), moves=[2, 8, 5, 4, 5, 7], count=3)
    base.game("3.5.5", "bits 2-5 beside the result 0-1", result=4)
    base.game("6.3.5", "the king stays in check, and then a number beyond the list", moves=cbf_bases.numbers("e2e4 f7f6 d1h5 a7a6 h5h4") + bytes([127]))
    passing = Place(Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), 4)
    base.game("8.3", "en passant at once", setup=cbf_bases.setup({"e1": "K", "e8": "k", "e5": "P", "d5": "p"}), flags_2=4, moves=cbf_bases.numbers("e5d6", start=passing))
    case = base.case("bad_clauses")
    case.options = ["dialect=usual", "dialect=plain", "dialect=late-en-passant"]
    return case


def chessassistant():
    ca = chessassistant_bases
    base, bad = ca.Base(), ca.Base()
    base.info[1] = struct.pack("<HI", 1, 0) + ca.date(0) + b"\3"
    base.game("7.1.5", "a record of more than 512 bytes ends at its own end", ca.join([ca.E4, *[ca.after("c" * 200)] * 3]))
    base.game("7.3.2", "a raw tag stands before the branch", [ca.branch(ca.D4), ca.E4, ca.comment(3, b"\x10\x11"), ca.E4])
    base.game("7.3.2", "210 ends what belongs to a move", [ca.branch(ca.D4), ca.E4, bytes([210]), ca.after("behind")])
    base.game("7.4.5", "a rook of the enemy in the corner", ca.setup({15: ("e1", 6)}, {15: ("e8", 6), 12: ("h1", 4)}, castling=1))
    base.game("5.1.9", "White has the rating 1 and the gender 3")
    for number in range(16):
        base.game("7.1.5", "one of many")
    kings = ({15: ("e1", 6)}, {15: ("e8", 6)})
    order = [(12, 4), (8, 2), (10, 3), (14, 5), (15, 6), (11, 3), (9, 2), (13, 4)]
    home = [{**{file: ("abcdefgh"[file] + pawns, 1) for file in range(8)}, **{number: ("abcdefgh"[file] + pieces, kind) for file, (number, kind) in enumerate(order)}}
            for pawns, pieces in ("21", "78")]
    base.game("18.3", "the usual position as a start position", [ca.setup(*home, castling=15), ca.E4])
    promotes = ca.setup({15: ("e1", 6), 0: ("a7", 1)}, kings[1])
    base.game("7.3.3 8.3.3", "a branch repeats a promotion, and the new piece moves", [promotes, bytes([209, 0, 5 << 5 | 16]), ca.branch(129, 137)])
    base.names["Players"] += [(b"Nu\0l", b""), (b"Blank ", b"")]
    base.game("4.2.2", "a NUL inside of a name, and a blank at its end", white=3, black=4)
    base.game("9.4.2", "a symbol before the next move parts a raw tag from a text", [ca.E4, ca.comment(7, b"\1"), ca.symbol(3, 1), ca.after("behind"), ca.E4])
    base.game("10.4", "bytes without a letter in Windows-1252", [ca.E4, ca.comment(4, b"\x81 \x8d \x8f \x90 \x9d")])
    chain = [(b"", b"")] * 256 + [(b"The end of a chain", b"")]
    base.names["Sources"] += chain
    base.redirects.update({("Sources", number): number + 1 for number in range(2, 1 + len(chain))})
    base.game("4.1.2", "256 entries are looked at", source=3)
    base.game("9.2", "symbol 2b", [ca.E4, ca.symbol(2, 0x2b)])
    base.game("9.4.1", "type 29, and cap in small letters", [ca.E4, ca.comment(29, b"\x22\0\xff\0cap")])
    bad.names["Sources"] += chain
    bad.redirects.update(base.redirects)
    bad.game("4.1.2", "257 entries are too many", source=2)
    bad.game("8.1.3", "a king takes its rook by an extended move", [ca.setup({0: ("b1", 6), 12: ("a1", 4)}, kings[1]), bytes([212, 7])])
    bad.game("8.2.1", "two kings, the one of number 15 castles before one of number 16", [ca.setup({15: ("e1", 6), 16: ("g1", 6), 13: ("h1", 4)}, kings[1]), 208])
    bad.game("4.1.2", "the id of White is the number of the names", white=len(bad.names["Players"]))
    for number in 1 << 24, 1 << 31:
        bad.game("6.1", "game id %x" % number, id=number)
    bad.game("7.2.1", "code 236, and the highest bit of its length", [ca.E4, bytes([236, 1, 0, 0, 0x80, 4])])
    bad.game("8.1.5", "aslant onto an empty square beside a pawn of its own side", ca.join([ca.setup({15: ("e1", 6), 4: ("e5", 1), 3: ("d5", 1)}, kings[1]), 4 * 4 + 1, 129, 3 * 4]))
    bad.game("8.1.5", "two files aslant, beside a pawn of the enemy", ca.join([ca.setup({15: ("e1", 6), 4: ("e5", 1)}, {15: ("e8", 6), 6: ("g5", 1)}), bytes([216, 0x12]), 6 * 4]))
    bad.game("8.1.5", "on another rank than those of en passant", ca.join([ca.setup({15: ("e1", 6), 4: ("e3", 1)}, {15: ("e8", 6), 3: ("d3", 1)}), 4 * 4 + 1, 3 * 4]))
    bad.game("7.1.4", "a length of three bytes, of whose record two bytes lack", [ca.E4, ca.E4, ca.NF3], length=b"\x85\x80\0")
    return [base.case("clauses"), bad.case("bad_clauses"), chessassistant_lengths(), *chessassistant_budgets(), *chessassistant_files(), *chessassistant_encodings(), *chessassistant_readings()]


def chessassistant_lengths():
    """chessassistant §7.1.4"""
    ca = chessassistant_bases
    base = ca.Base()
    long = bytes([0, 0, 236]) + struct.pack("<I", 16377) + b"\4long" + bytes(16372)
    base.game("7.1.4", "no error by two bytes, nor by three", long)
    base.game("7.1.4", "the second byte is below 128", bytes([0, 233, 7]), length=b"\x82\0")
    base.game("7.1.4", "the first byte is below 128", bytes([128, 0, 233, 7, ca.E4]), length=b"\3")
    base.game("7.1.4", "an error by three bytes too", bytes([ca.E4, 255]), length=b"\x82\x80\0")
    base.game("6.1", "the number of whole addresses", id=5)
    base.addresses.pop()
    base.game("7.1.4", "by two bytes the file is too short, by three all is well", [ca.E4, ca.E4, ca.NF3], length=b"\x83\x80\0", id=4)
    addresses = b"".join(struct.pack("<i", address) for address in base.addresses)
    counted = ca.SIGNATURE.ljust(50, b"\0") + ca.CDP_VERSION.ljust(50, b"\0") + struct.pack("<III", 0, 1, 0)
    case = base.case("bad_lengths_three", covers="2.1", a02=addresses + b"\4\0", d00=base.rows, cdp=counted)
    case.games = 6
    case.options = ["reading=literal"]
    return case


def chessassistant_budgets():
    """chessassistant §3.1: the source is read from bytes that belong to the events too."""
    ca = chessassistant_bases
    base = ca.Base()
    base.names["Players"][1] = (b"A" * 200, b"")
    base.game("3.1.6", "the only game", source=1)
    usual = bytearray(base.volume())
    length, table = struct.unpack_from("<II", usual, 136)
    entry = lambda name: next(at for at in range(table - length, table, 256) if usual[at + 28:].startswith(name + b"\0"))
    names = [name for table_ in (b"Players", b"Events", b"Places", b"Sources") for name in (table_ + b".a01", table_ + b".d01")] + [b"Players.d00"]
    others = sum(struct.unpack_from("<I", usual, entry(name) + 8)[0] for name in names if name != b"Sources.d01")
    addresses = struct.unpack_from("<I", usual, struct.unpack_from("<I", usual, entry(b"Sources.a01") + 12)[0] + 4)[0]
    struct.pack_into("<i", usual, addresses + 4, usual.index(b"\x0dthe only game") - 144)
    made = []
    for name, more, expect in [("bad_names_shared", 0, "The tables of names share bytes and have as many as the volume: all are read; warnings."),
                               ("bad_names_too_many", 1, "The tables of names share bytes and have one more than the volume: there are no sources.")]:
        out = usual + bytes(8)
        size = len(out) - others + more
        struct.pack_into("<II", out, entry(b"Sources.d01") + 8, size, len(usual))
        struct.pack_into("<II", out, len(usual), size, 144)
        assert 144 + size <= len(usual)
        made.append(base.case(name, expect, emb=bytes(out)))
    return made


def chessassistant_files():
    """chessassistant §1, §3, §4.3: files that are missing, and a volume with one fault."""
    ca = chessassistant_bases

    def one(rules, what, **fields):
        return ca.Base().game(rules, what, **fields)

    lone = one("1", "the only game").case("bad_only_headers", "Headers and addresses alone: it does not open.", cdp=None, emb=None, d02=None)
    lone.open, lone.covers[:], lone.games = "base.d00", ["1"], 0
    cut = one("4.3", "the last entry of Players.d00 has seven bytes of ten")
    cut.info[2] = cut.info[2][:7]
    piece = one("3.2.3", "the last entry of the folder has a name, and is cut", source=1)
    usual = piece.volume()
    length, table = struct.unpack_from("<II", usual, 136)
    entries = usual[table - length:table]
    entries = entries[:-2 * 256] + entries[-2 * 256:][:60]
    out = bytearray(usual[:table - length] + entries)
    assert entries[-60 + 28:].startswith(b"Sources.d01\0")
    out += struct.pack("<II", len(entries), table - length)
    struct.pack_into("<II", out, 136, len(entries), len(out) - 8)

    header = one("3.1.6", "a source in two fragments, the first of which is a byte of the header", source=1)
    within = bytearray(header.volume())
    length, table = struct.unpack_from("<II", within, 136)
    entry = next(at for at in range(table - length, table, 256) if within[at + 28:].startswith(b"Sources.d01\0"))
    place = within.index(b"\6A book")
    struct.pack_into("<II", within, entry + 8, 8, len(within))
    within += struct.pack("<IIII", 1, 138, 7, place)
    return [
        lone, cut.case("bad_players_cut", "The file Players.d00 ends within an entry, which says nothing."),
        piece.case("bad_folder_piece", "The folder's last entry, Sources.d01, is cut behind its name: it is passed over.", emb=bytes(out)),
        header.case("bad_file_in_header", "The records of the sources begin with byte 138 of the header: they cannot be read.", emb=bytes(within)),
    ]


def chessassistant_encodings():
    """chessassistant §10"""
    ca = chessassistant_bases
    russian = "\u041a\u043e\u043c".encode("cp1251")

    def named(name, rules, expect, player=(b"Ash, Kim", b""), codes=bytes([ca.E4])):
        base = ca.Base()
        base.names["Players"][1] = player
        return base.game(rules, "the only game", codes).case(name, expect)

    return [
        named("encoding_letter_before", "10.3", "A Latin letter stands before the run, and none behind it: windows-1252.", (b"J\xf5\xe4\xe4", b"")),
        named("encoding_letter_behind", "10.3", "A Latin letter stands behind the run, and none before it: windows-1252.", (b"\xc4\xe4\xe4n", b"")),
        named("encoding_title", "10.1", "Titles are not looked at: windows-1252.", (b"Ash.", russian)),
        named("encoding_raw", "10.1 10.4", "A comment of another type does not count: windows-1252.", (b"J\xf6rg", b""), [ca.E4, ca.comment(7, russian * 3)]),
        named("encoding_before", "10.1 10.3", "A text before a move counts: windows-1251.", codes=[ca.E4, ca.before(russian), ca.E4]),
    ]


def chessassistant_readings():
    """chessassistant §11"""
    ca = chessassistant_bases

    def counted(name, expect, *games, options=()):
        base = ca.Base()
        for number, codes in enumerate(games):
            base.game("11.1 11.3", "game %d" % (number + 1), codes)
        case = base.case(name, expect)
        case.options = list(options)
        return case

    def counted_cut():
        return ca.Base().game("11.2", "the record lacks a byte", ca.MIRRORED, length=4).case("bad_counted_cut", "A record that is not all there is not legal under any reading: right.")

    beside = [ca.setup({15: ("e1", 6), 13: ("f1", 4)}, {15: ("e8", 6)}), 134]
    further = [ca.BISHOPS, bytes([212, 0x33]), bytes([212, 0x10])]
    promotes = [ca.setup({15: ("e1", 6), 2: ("c7", 1)}, {15: ("e8", 6), 8: ("b8", 2), 9: ("d8", 2)}), bytes([209, 2 << 2 | 1, 5 << 5 | 16])]
    return [
        counted("counted_one_reading", "A move under literal and left, and an error under right: the game is counted, literal.", beside),
        counted("counted_64", "Of the first 64 games 42 are legal as literal has it and 21 as right has it: literal. The 65th has no extended move and is not looked at.",
                *[ca.MIRRORED] * 41, *[ca.RIGHT] * 21, ca.NEVER, ca.MIRRORED, ca.RIGHT),
        counted("counted_null_alone", "A game of null moves alone is not counted: literal.", ca.MIRRORED, bytes([211]), bytes([211])),
        counted("bad_counted_first_move", "A game whose first move is illegal under each reading is counted, and half of the games is not more than half: right.", ca.MIRRORED, bytes([208])),
        counted_cut(),
        counted("bad_counted_games", "Left has more legal moves than literal and as many legal games: literal.", *[ca.MIRRORED] * 3, further),
        counted("bad_counted_moves_equal", "More games are legal as literal has it, and as many moves as right has it: right.", ca.MIRRORED, ca.MIRRORED, ca.RIGHT + [ca.D4, 137]),
        counted("bad_reading_promotion", "The pawn that promotes takes towards a under right, towards h under literal.", promotes, options=["reading=literal"]),
    ]
