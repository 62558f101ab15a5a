"""Bases of fixtures/cbh2 for what a second reader, written from the page, had to guess."""

import struct

from cbh2_bases import (
    BRANCH, E4, END, EVENT, PLAYER, Base, blocks, case, comment, day, deleted, event, line, m, player, quotation, rating, setup, string, words)


def quotations():
    """Quotations with another byte in each place that the page states."""
    whole = quotation()
    lists = [whole.index(b"\1\0\1\0\0"), whole.rindex(b"\1\0\1\0\0")]
    change = lambda at, value: whole[:at] + bytes([value]) + whole[at + 1:]
    text = b"\6Alder\0"
    event_at = whole.index(struct.pack("<hh", 2400, 2350))
    start = bytearray(quotation(pieces=bytes(64)))
    start[-4 - 4 - 2 - 11] = 5  # the first of the 11 unknown bytes
    sound = [
        whole.replace(text, b"\6Aldery"), whole[:event_at] + b"\xff\xff" + whole[event_at + 2:], bytes(start), quotation(unknown=-1),
    ]
    broken = [change(0, 2), change(1, 0), change(1, 3), change(2, 1), change(5, 2), change(8, 1), change(9, 1), *(change(at, 0) for at in lists), change(lists[1] + 4, 1), change(len(whole) - 1, 1)]
    base = Base()
    base.game(E4, blocks((0, *((0x13, one) for one in sound))), flags=1 << 19)
    for one in broken:
        base.game(E4, blocks((0, comment("kept"), (0x13, one), comment("lost"))), flags=1 << 2)
    return case("bad_quotations", base, ["5.1.8 first bytes", "5.1.8 form", "5.1.8 i32 1", "5.1.8 u8 0", "5.1.8 rating lists", "5.1.8 last i32", "5.4.11 text without its zero", "5.4.11 unknown bytes", "5.4.11 Elo above 32767"], 1 + len(broken), "A quotation with another byte where the page states one ends the annotations of its game.")


def clocks():
    """Clocks of every size, in games and in an analysis."""
    base = Base()
    for clock in (0, 100, 6000, 360000, 8640000, 11000000, 0x7fffffff, 0x80000000, 0xffffffff):
        base.game(E4, blocks((-1, (0x16, struct.pack("<I", clock)), (0x17, struct.pack("<I", clock + 1 & 0xffffffff)))), flags=3 << 22)
    base.analysis(E4, 0, blocks((-1, (0x16, struct.pack("<I", 100)))))
    base.analysis(words(0xFFFB, 7) + line("--"), 0)
    return case("clocks", base, ["10.2 clocks", "10.2 Variant", "9.1 hours above 23"], 11)


def values():
    """Values of headers and names that a reader may take otherwise."""
    base = Base()
    events = [base.entity(EVENT, one) for one in (
        event("Infinite", at=(float("inf"), float("-inf"))), event("None", at=(float("nan"), 1e-7)), event("Large", at=(-1e20, 0.1)),
        event("Fast", kind=0x64), event("All", kind=0xe3), event("Month", date=day(2020, 13, 5)), event("Bits", date=day(2020, 1, 5) | 1 << 21 | -1 << 31),
        event("End", last=day(2020, 14, 5)))]
    for tournament in events:
        base.game(tournament=tournament)
    base.game(elo=(rating(2400, 2, 100, 53, b"DWZ  "), rating(2400, 1, 1, 0, b"FIDE    ")))
    base.game(elo=(rating(2400, 1, 1, 0, b"FIDE\0xyz"), rating(2400, 1, 1, 0, b"        ")))
    base.game(date=day(2021, 2, 3) | 1 << 21 | 1 << 30)
    return case("values", base, ["2.2 bits above 20", "2.2 month 13", "9.1 order of (blitz) (rapid) (corr)", "9.5 blanks at the end", "9.5 first zero", "9.7 inf and NaN", "9.7 without an exponent"], len(events) + 3)


def bad_values():
    base = Base()
    base.game(round_of=(3, -2, -1))
    base.game(round_of=(-3, 2, 1))
    base.game(elo=(struct.pack("<h14x", 100), struct.pack("<h14x", -1)))
    base.game(eco=1 << 7 | 99)
    base.game(eco=1 << 7 | 100)
    base.game(eco=500 << 7)
    base.game(eco=501 << 7)
    return case("bad_values_more", base, ["3.3.2 rating", "3.3.2 round", "3.3.2 subround", "3.3.2 board", "3.3.3 sub-code 100", "3.3.3 code 500"], 7, "Each odd value alone, beside one that counts.")


def bad_name_fields():
    """Names that end after each of their fields."""
    base = Base()
    full = string("P") + string("T") + event("", "", day(2020, 1, 2), 1, 53, 53, 5, (1.5, 2.5), (7,), day(2020, 1, 9))[8:]
    begin = len(string("P") + string("T"))
    ends = [0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 20, 21, 58, 60, 62, 66]
    for end in ends:
        base.game(tournament=base.entity(EVENT, full[:begin + end]))
    one = player("Last", "First", 5, 9)
    for size in (0, 4, 8, 12, 16, 23):
        base.game(white=base.entity(PLAYER, one[:len(string("Last") + string("First")) + size]))
    return case("bad_name_fields", base, ["6.2.2 each field of a tournament", "6.2.2 each number of a player"], len(ends) + 6, "Each field that is missing has its value of §6.4.")


def bad_names_marks():
    """Names that look deleted."""
    base = Base()
    mark = deleted(-1)
    for fields in (mark, mark + b"\0", mark[:15], mark[:1] + b"\0" + mark[2:], string("Sixteen!") + string("")):
        base.game(white=base.entity(PLAYER, fields))
    return case("bad_names_marks", base, ["6.3.1 mark alone", "6.3.1 size 16 alone"], 5, "Only 16 bytes that begin with the mark are a deleted name.")


def bad_container():
    base = Base()
    base.containers[3] = 3
    base.game(white=base.entity(PLAYER, player("White", "")))
    files = base.files()
    return case("bad_names_container_least", files, ["6.1.4 container of 3 bytes"], 1, "A container has room for its size: below 4 bytes the header is another one.")


def bad_moves():
    """What the rules of moves ask for, each by itself."""
    base = Base()
    kings = ["Ke1", "ke8"]
    contents = [
        (line("bPe7e5"), 0), (line("wPe2e4", "wNg1f3"), 0), (line("wPe2e4", "--", "bPe7e5"), 0),
        (setup(1, 0, 2, 0, *kings, "Rh1", "pa7") + line("wRh1h2", "bPa7a6", "wRh2h1", "bPa6a5", "wO-O"), 1),
        (setup(1, 0, 2, 0, *kings, "Rh1", "pa7") + line("wKe1e2", "bPa7a6", "wKe2e1", "bPa6a5", "wO-O"), 1),
        (setup(1, 0, 0, 0, "Kf1", "ke8", "Rh1", "pa7") + line("wKf1e1", "bPa7a6", "wO-O"), 1),
        (setup(1, 0, 0, 0, "Ke1", "ke8", "Rh2", "pa7") + line("wRh2h1", "bPa7a6", "wO-O"), 1),
        (setup(1, 0, 15, 0, *kings, "Rf1", "Rh1", "Ra1", "Rc1", "rg8", "rf8", "rb8", "rd8", first=(1000,)) + line("--"), 1),
        (line("wPe2e4", "bPe7e5", BRANCH, "wNg1f3", END, END), 0),
        (line("wPe2e4", BRANCH, END, "wPd2d4"), 0),
    ]
    for content, flags in contents:
        base.game(content, flags=flags)
    return case("bad_moves", base, ["4.2.3 side to move", "4.4.2 moved king", "4.4.2 moved rook", "4.4.2 home at the start", "4.5.9 outermost rook", "4.6.2"], len(contents), "Moves of the wrong side, rights that were lost or never there, rooks beside rooks, a mark without an alternative.")


def bad_deep():
    shuffle = ["wNg1f3", "bNg8f6", "wNf3g1", "bNf6g8"]
    base = Base()
    base.game(words(0xFFFC, *[word for index in range(4097) for word in (m(shuffle[index % 4]), BRANCH)], m("bNg8f6"), END))
    return case("bad_deep", base, ["4.6.1 the move is kept"], 1, "The move before the 4,097th mark is kept, the move behind it is not.")


def bad_languages():
    """Questions in languages without a name."""
    base = Base()
    texts = lambda *found: struct.pack("<h", len(found)) + b"".join(struct.pack("<h", language) + string(text) for language, text in found)
    for language in (8, 9, 255, 256, -1):
        question = bytes([1, 1, 1, 0, 0, 0]) + struct.pack("<ih", 0, 5) + texts((language, "Best?")) + bytes(6) + bytes([1, 33, 35, 0, 5]) + texts((language, "Right"))
        base.game(line("wPe2e4"), blocks((0, (9, question), comment("text", language))), flags=1 << 9 | 1 << 2)
    return case("languages", base, ["5.3.1 no name", "5.4.3 language above 7"], 5)


def cases():
    return [quotations(), clocks(), values(), bad_values(), bad_name_fields(), bad_names_marks(), bad_container(), bad_moves(), bad_deep(), bad_languages()]
