"""Bases of fixtures/cbh2 for what a reader's quick ways can get wrong: boards, fields that end early, records that end early."""

import struct

from cbh2_bases import (
    BRANCH, E4, END, EVENT, MOVES, PLAYER, SETUP, SOURCE, TEAM, TITLE, WORDS, Base, blocks, case, comment, day, event, frame, line, m, player, rating, setup,
    source, square, string, team, title, words)

KINGS = ["Ke1", "ke8"]
PASSED = WORDS["wP", square("e5"), square("d6"), "e", ""]


def games(contents):
    base = Base()
    for content in contents:
        base.game(content, flags=int(content.startswith(words(SETUP))))
    return base


def fields():
    """Fields of entities and headers on both sides of what is a tag."""
    base = Base()
    full = bytearray(event("Cup", "Riga", day(2020, 1, 2), 0, 53, 7, 3, (0, 1.5)))
    at = len(string("Riga") + string("Cup"))
    full[at + 5], full[at + 8], full[at + 9] = 1, 17, 3  # team, category, flags
    events = [base.entity(EVENT, one) for one in (
        bytes(full), event("Kind", "", kind=1), event("Now", nation=1, now=2), event("", "Place alone", nation=1, now=0), event(title="West", at=(1.0, 0)))]
    players = [base.entity(PLAYER, one) for one in (
        player("", "First"), player("Id", "", 1, 1), player("None", "", 0, 0), string("Odd") + string("") + struct.pack("<iiiiq", 0, 0, -1, 9, -1))]
    books = [base.entity(SOURCE, one) for one in (
        source("", "", day(2001), day(2001)), source("", "", day(2001), day(2002)), source("", "Pub", day(2001), day(2001)), source("T", "", 0, 0, 1, 1), source("", "", 1))]
    teams = [base.entity(TEAM, one) for one in (team("A", nation=53), team("B", 1), team("C", 0, 1), team("D", 0, 0, 1))]
    titles = [base.entity(TITLE, one) for one in (
        title((42, "E"), (43, "S"), (49, "F"), (53, "D"), (70, "I"), (103, "N"), (117, "P"), (9, "9")), title((42, "")))]
    for number in range(5):
        base.game(white=players[number % 4], black=players[(number + 1) % 4], tournament=events[number], book=books[number], teams=(teams[number % 4], teams[(number + 1) % 4]),
                  named=titles[number % 2], annotator=players[1], elo=(rating(1, 0, 0, 0, b""), rating(3000, 9, 2, 3, b"LONGNAME")), date=day(1999, number))
    return case("fields", base, ["9.1", "9.2", "9.3", "9.4", "9.5", "9.6", "9.7"], 5)


def bad_fields():
    """Fields that end early, one entity a game."""
    base = Base()
    tied = event("Tied", "P", tiebreaks=(3, -1))
    count = len(tied) - 44 - 4 - 4 - 2
    tied = tied[:count] + struct.pack("<h", 5) + tied[count + 2:-48]
    events = [event("Short", "P", last=day(2020, 1, 2))[:-1], string("P") + string("Date") + b"\x21\x43", tied]
    for fields in events:
        base.game(tournament=base.entity(EVENT, fields))
    numbers = struct.pack("<iiiiq", 0, 0, 5, 8, 9)
    for fields in (string("Last") + struct.pack("<i", -3) + numbers, string("Three") + string("F") + numbers[:11]):
        base.game(white=base.entity(PLAYER, fields))
    base.game(book=base.entity(SOURCE, source("S", "P", day(2001), day(2002), 3, 4)[:-1]))
    base.game(teams=(base.entity(TEAM, team("T", 1, 2, 3, 4)[:-2]), -1))
    two = title((42, "ab"), (53, "cd"))
    for fields in (two[:-6] + struct.pack("<i", 9) + b"cd", struct.pack("<i", 1000) + two[4:], struct.pack("<iii", 2, 42, -1) + struct.pack("<i", 53) + string("D")):
        base.game(named=base.entity(TITLE, fields))
    base.game(white=base.entity(PLAYER, player("Size", "")))
    files = base.files()
    size = files["2lid"].index(string("Size")) - 4
    files["2lid"] = files["2lid"][:size] + struct.pack("<i", -5) + files["2lid"][size + 4:]
    return case("bad_fields", files, ["6.2.1", "6.2.2"], 11, "What each name has before its end is kept; a name of a negative size is not there.")


def boards():
    """Moves after which a board that is kept from move to move must be right."""
    base = games([
        line("wPe2e4", "bPe7e5", "wNg1f3", "bNb8c6", "wBf1c4", "bBf8c5", "wO-O", BRANCH, "bNg8f6", "wRf1e1", END, "wPd2d3", "bNg8f6"),
        line("--", "bPe7e5", "wNb1c3", "bPd7d6", "wRa1b1"),
        setup(1, 1, 0, 0, *KINGS, "Pe5", "pd7") + line("bPd7d5", BRANCH, PASSED, END, "bKe8e7"),
        setup(1, 0, 0, 0, "Ke1", "kh8", "Pa7", "nb8", "pb7") + line("wPa7xNb8=N", "bPb7b5"),
        setup(1, 0, 2, 0, "Ke1", "kb6", "Rh1", "Pg7") + line("wPg7g8=N", "bKb6b5", "wO-O"),
        setup(1, 0, 2, 0, "Ke1", "kh8", "Rh1", "Ph4", "pg5", "pa7") + line("wO-O", "bPa7a6", "wPh4xPg5", "bPa6a5"),
        setup(1, 0, 2, 0, "Kg1", "ke8", "Rh1", first=(1000,)) + line("wO-O", "bKe8e7", "wRf1e1"),
    ])
    return case("boards", base, ["4.2.3", "4.3.2", "4.4.1"], 7, "Castling, promotions, en passant and null moves, and moves that depend on them. The derived fields are wrong.")


def bad_boards():
    base = games([
        line("wPe2e4", "bPe7e5", "wNg1f3", "bNb8c6", "wBf1c4", "wO-O"),
        setup(1, 1, 0, 0, *KINGS, "Pe5", "rd7") + line("bRd7d5", PASSED),
        setup(1, 0, 2, 0, "Ke1", "kb1", "Rh1", "pa7") + line("wO-O", "bPa7a6"),
        setup(1, 0, 1, 0, *KINGS, "Ra1", "rd8") + line("wO-O-O"),
        setup(1, 0, 1, 0, *KINGS, "Ra1", "rc8") + line("wO-O-O"),
        setup(1, 0, 8, 0, *KINGS, "Pg7", "rh8", "rh7") + line("wPg7xRh8=N", "bRh7xNh8", "wKe1e2", "bO-O"),
        setup(1, 0, 3, 0, "Ke1", "kb8", "Ra1", "Rh1") + line("wO-O", "bKb8b7", "wRf1f6", "bKb7b8", "wO-O-O"),
        setup(1, 0, 2, 0, "Ke1", "kf8", "Rh1", "pa7") + line("wO-O", "bPa7a6"),
        setup(1, 0, 2, 0, "Kg1", "ke8", "Rh1", "ra7", first=(1000,)) + line("wO-O", "bRa7g7", "wRf1f2"),
        setup(1, 1, 0, 0, *KINGS, "Pe5", "pd7") + line("bPd7d5", "--", "--", PASSED),
        setup(1, 0, 0, 4, *KINGS, "Pe5", "pd5") + line("--", "--", PASSED),
        setup(1, 0, 0, 0, *KINGS, "Pe5", "pd5") + line(PASSED),
        setup(1, 0, 0, 0, *KINGS, "rh8", "Pa7") + line("wPa7a8=N", "bO-O"),
        setup(1, 0, 1, 0, *KINGS, "Rb1", "Ra2", "Qd1", first=(1000,)) + line("wRa2a1", "bKe8e7", "wO-O-O"),
        setup(1, 0, 8, 0, *KINGS, "Pg7", "rh8") + line("wPg7xRh8=N", "bO-O"),
        setup(1, 0, 2, 0, *KINGS, "Rh1", "Pg2", "rg8", "ph3") + line("wO-O", "bKe8e7", "wPg2xPh3"),
        setup(1, 0, 2, 0, "Kg1", "ke8", "Rh1", "Pg2", "rg8", "ph3", first=(1000,)) + line("wO-O", "bKe8e7", "wPg2xPh3"),
    ])
    return case("bad_boards", base, ["4.2.3", "4.3.2", "4.4.1", "4.4.2"], 17, "Moves that a board would allow that misses what the moves before them changed.")


def bad_ends():
    """Records, blocks and files that end at each byte that matters."""
    base = Base()
    base.game(notes=blocks((0, comment("kept")), end=False) + struct.pack("<i", 1))
    base.game(notes=struct.pack("<ii", 0, 2) + blocks((0, comment("kept")), end=False)[8:])
    base.game(notes=blocks((-1, (0x26, b"\1" + struct.pack("<ihhBB", 6, 1, 1, 9, 1)))))
    base.game()
    base.notes[-1] = frame("0020", blocks((0, comment("another sum"))), check=1)
    base.game(E4)
    files = base.files()
    headers, moves = bytearray(files["2cbh"]), files["2cbg"]
    struct.pack_into("<q", headers, 192 * 4 + 8, len(moves))
    files["2cbh"] = bytes(headers)
    cut = lambda size: {"2cbg": moves[:-size]}
    return [
        case("bad_ends", dict(files), ["4.1.1", "4.1.2", "5.1.2"], 5, "Annotations end early or have another checksum; a record of moves would begin at the end of the file."),
        case("bad_end_of_record", dict(files), ["4.1.3"], 5, "The file ends inside the size at the end of the last record: a warning.", **cut(3)),
        case("bad_end_of_content", dict(files), ["4.1.4"], 5, "The last byte of the last record's content is missing.", **cut(9)),
        case("bad_moves_empty", dict(files), ["4.1.1"], 5, "A .2cbg of no bytes has no record.", **{"2cbg": b""}),
        case("bad_header_mark", dict(files), ["3.1.1"], 0, "A file that does not begin with 38 is refused.", **{"2cbh": files["2cbh"][:8] + b"\x27" + files["2cbh"][9:]}),
        case("bad_no_moves_no_names", dict(files), ["1.1"], 0, "Headers alone are no base.", **{"2cbg": None, "2lid": None}),
    ]


def bad_name_ends():
    base = Base()
    white = base.entity(PLAYER, player("White", "W"))
    base.game(white=white)
    lid = base.files()["2lid"]
    last = 184 + 4234 * white
    cut = lambda size: {"2lid": lid[:size]}
    return [
        case("bad_names_header_alone", base, ["6.1.4"], 1, "A file of 128 bytes is a header without names.", **cut(128)),
        case("bad_names_size_cut", base, ["6.1.2"], 1, "The file ends inside the size of the last name, so that it does not hold the name.", **cut(last + 3)),
        case("bad_names_size_alone", base, ["6.1.5", "6.2.2"], 1, "The file ends behind the size of the last name, which is cut.", **cut(last + 4)),
    ]


def assessment():
    """A question whose solutions are texts, with all else that ChessBase's own command could hold."""
    base = Base()
    texts = lambda text: struct.pack("<hh", 1, 0) + string(text)
    question = bytes([1, 1, 2, 0, 0, 0]) + struct.pack("<ih", 0, 5) + texts("Who is better?") + bytes(6) + bytes([1, 5]) + texts("White") + bytes(2)
    base.game(line("wPe2e4"), blocks((0, (9, question))), flags=1 << 9)
    return case("assessment", base, ["5.4.10"], 1)


def bad_text_bounds():
    """The numbers of the tournaments of twenty texts are places inside the record of annotations of the game."""
    base = Base()
    base.game(notes=blocks((0, comment("x" * 3000)), (1, comment("kept"))))
    for _ in range(20):
        base.text([(42, "text")])
    files = base.files()
    headers = bytearray(files["2cbh"])
    for number in range(20):
        struct.pack_into("<q", headers, 192 * (2 + number) + 16, 40 + number)
    return case("bad_text_bounds", files, ["4.1.5"], 1, "The tournament of a text is no place of annotations: nothing is cut.", **{"2cbh": bytes(headers)})


def cases():
    return [fields(), bad_fields(), boards(), bad_boards(), *bad_ends(), *bad_name_ends(), assessment(), bad_text_bounds()]
