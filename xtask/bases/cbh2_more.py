"""More bases of fixtures/cbh2: rules that a port once guessed wrong, and both sides of limits."""

import struct

from cbh2_bases import (
    BRANCH, E4, END, EVENT, MOVES, PLAYER, SETUP, SOURCE, TEAM, TITLE, WORDS, Base, blocks, case, comment, day, deleted, event, frame, line, m, player,
    rating, setup, source, square, string, team, title, words)

KINGS = ["Ke1", "ke8"]
ROOKS = ["Ra1", "Rh1", "ra8", "rh8"]


def games(contents):
    """A base of one game for each content. The header says whether it has a start position of its own."""
    base = Base()
    for content in contents:
        base.game(content, flags=int(content.startswith(words(SETUP))))
    return base


def setups_more():
    en_passant = WORDS["wP", square("e5"), square("d6"), "e", ""]
    base = games([
        setup(1, 0, 0, 4, *KINGS, "Ph2", "pd5") + line(),
        setup(1, 0, 0, 5, *KINGS, "Pe5", "pd5") + line(),
        setup(1, 1, 0, 4, *KINGS, "Pd4", "pe4") + line("bPe4e3"),
        setup(1, 0, 0, 9, *KINGS, "Pe5", "pd5") + line(),
        setup(0, 0, 0, 0, *KINGS) + line(),
        setup(65535, 255, 255, 0, *KINGS, *ROOKS) + line(),
        setup(1000, 0, 15, 4, *KINGS, *ROOKS, "Pe5", "pd5") + line(en_passant),
        setup(1000, 0, 15, 0, *KINGS, *ROOKS, first=(1000,)) + line("wO-O"),
        setup(3, 0, 15, 9, *KINGS, "Rb1", "Rc1", "Rg1", "rb8", "rg8", first=(1000,)) + line(),
        words(SETUP, 0) + line("wNd1c3"),
        words(SETUP, 959) + line(),
        words(SETUP, 1000, 0, 0) + line(),
        setup(1, 0, 0, 0, "Ke1", "re2", "ke8") + line("--"),
    ])
    base.game(words(SETUP, 518) + line("wPe2e4"), tag="0200", eco=64576 + 518, flags=1)
    base.game(words(SETUP, 5) + line(), tag="0100", eco=0x8500, flags=1)
    return case("bad_setups_odd", base, ["4.2.4", "4.3.2", "4.5.1", "4.5.6", "4.5.7", "4.5.8", "4.5.9", "4.5.10", "10.3"], 15,
                "Every set-up is read. The derived fields are wrong.")


def bad_setups_passed():
    white, black = WORDS["wP", square("e5"), square("d6"), "e", ""], WORDS["bP", square("d4"), square("e3"), "e", ""]
    pawns = *KINGS, "Pe5", "pd5"
    base = games([
        setup(1, 0, 0, 0, *pawns) + line(white, "bKe8d7"),
        setup(1, 1, 0, 0, *KINGS, "Pe4", "pd4") + line(black),
        setup(1, 0, 0, 0, *pawns) + line("wPe5e6", BRANCH, "bPd5d4", END, white),
        setup(1, 0, 0, 9, *pawns) + line(white),
        setup(1, 0, 0, 0, *KINGS, "Pe5") + line(white),
        setup(1, 0, 0, 0, *KINGS, "Pe5", "Pd5") + line(white),
        setup(1, 0, 0, 6, *pawns, "pf5") + line(white),
        setup(1, 1, 0, 0, *pawns) + line("bKe8e7", white),
        setup(1, 1, 0, 0, *pawns) + line("--", white),
        setup(1, 0, 0, 0, "Ke1", "Pe5", "re7", "kh8", "pd5") + line(white),
        setup(1, 0, 0, 0, *pawns, "nd6") + line(white),
    ])
    return case("bad_setups_passed", base, ["4.3.2", "4.5.11"], 11,
                "En passant as the first move, or an alternative of it, gives the square: games 1 to 4. In the others the pawn does not stand for it, the position has another square, it is a later move, or the move is illegal.")


def bad_setups_more():
    base = games([
        setup(3, 0, 0, 0, "Ke1", "ke8", "Rh1") + line("wKe1e2", "bKe8e7", "wKe2e1", "bKe7e8", "wO-O"),
        setup(3, 0, 0, 0, *KINGS, *ROOKS) + line("wO-O", BRANCH, "bO-O-O", END, "wO-O-O"),
        setup(3, 0, 2, 0, *KINGS, "Rh1") + line("wKe1e2", "bKe8e7", "wKe2e1", "bKe7e8", "wO-O"),
        setup(3, 0, 0, 0, *KINGS, "Rh1", "rf8") + line("wO-O"),
        setup(3, 0, 3, 0, "Ke1", "Kd4", "ke8", "Ra1", "Rh1") + line("wO-O"),
        setup(3, 0, 0, 0, *KINGS, "Rh1", first=(1000,)) + line("wO-O"),
        setup(3, 0, 1, 0, *KINGS, "Rh1", first=(1000,)) + line("wO-O-O"),
        setup(3, 0, 0, 0, "Kd1", "ke8", "Rh1") + line("wKd1e1", "bKe8e7", "wO-O"),
        setup(3, 0, 2, 0, *KINGS, "Rh1", "bb7") + line("wKe1e2", "bBb7xRh1", "wKe2e1", "bKe8e7", "wO-O"),
        setup(3, 0, 2, 0, *KINGS, "Rh1", "bb7") + line("--", "bBb7xRh1", "wO-O"),
        words(SETUP, 1, 0) + line(),
        words(SETUP, 960) + line(),
        words(SETUP, 1000, 1, 0, 0xC30D) + line(),
        words(SETUP, 1, 0, 0, square("e1") + 0xC02D),
        setup(3, 0, 0, 0, *KINGS, "Rh1") + line("wKe1e2", "--", "wO-O"),
        setup(3, 1, 2, 0, *KINGS, "Rh1", "Rh2", "bb7") + line("bBb7xRh1", "wRh2xBh1", "--", "wO-O"),
        setup(3, 0, 15, 0, *KINGS, *ROOKS) + line("bO-O"),
    ])
    return case("bad_setups_more", base, ["4.2.3", "4.2.5", "4.4.1", "4.4.2", "4.5.2", "4.5.3", "4.5.6", "4.5.9"], 17,
                "Rights are given late, also in Chess960, but not to a side that had them, that was not at home, or whose rook is gone.")


def bad_words_more():
    taken = lambda *pieces: setup(1, 0, 0, 0, *KINGS, *pieces)
    base = games([
        line(BRANCH, "wPe2e4"),
        words(MOVES, m("wPe2e4"), BRANCH, BRANCH, m("bPe7e5"), END, m("wPd2d4"), END, m("wPc2c4"), END),
        words(MOVES, m("wPe2e4"), BRANCH, m("bPe7e5"), END, BRANCH, m("wPd2d4"), END),
        words(MOVES, m("wPe2e4"), BRANCH, m("bPe7e5"), END, m("wPd2d4"), BRANCH, END, m("wPc2c4"), END),
        words(MOVES, m("wPe2e4"), BRANCH, END),
        b"",
        b"\xfc",
        words(MOVES),
        line("wNe2g1"),
        line("bPe7e5"),
        line("wO-O"),
        line("bO-O"),
        taken("Be2", "re7") + line("wBe2d3"),
        taken("Ra1", "pa5") + line("wRa1a5"),
        taken("Ra1", "pa5") + line("wRa1xQa5"),
        taken("Ra1", "Pa5") + line("wRa1xPa5"),
        taken("Ra1", "pa5", "pa3") + line("wRa1xPa5"),
        setup(1, 0, 0, 4, *KINGS, "Pe5", "pd5") + line("wPe5xPd6"),
        setup(1, 0, 2, 0, "Kg1", "ke8", "Rh1") + line("wKg1h1"),
        taken("Pe5", "pd6") + line(WORDS["wP", square("e5"), square("d6"), "e", ""]),
        taken("rf2") + line("wKe1f1"),
        taken("rf2") + line("wKe1xRf2"),
        words(MOVES, m("wPe2e4")) + b"\xff",
        taken("Qe2") + line("wBe2f3"),
    ])
    for word in (0, 0xC02D, 0xB12D + 4 * 960, 0xFFF9, SETUP, MOVES):
        base.game(line("wPe2e4", word, "bPe7e5"))
    return case("bad_words_more", base, ["4.2.3", "4.2.5", "4.3.1", "4.3.2", "4.6.2"], 30,
                "A word has to fit what stands on its squares, and the rules of chess.")


def bad_frames():
    content, base = line("wPe2e4", "bPe7e5"), Base()
    for tag in ("0000", "0010", "0020", "ffff"):
        base.game(content, moves=frame(tag, content))
    whole = frame("0100", content)
    for place, value in ((8, -1), (8, 0), (8, 4), (12, -1), (12, 1 << 30)):
        base.game(content, moves=whole[:place] + struct.pack("<i", value) + whole[place + 4:])
    notes = blocks((0, comment("x")), (1, comment("y")))
    base.game(content)
    base.notes[-1] = frame("0100", notes)
    base.game(content, notes + b"behind the end")
    files = base.files()
    last = struct.unpack_from("<q", files["2cbh"], 192 * 11 + 16)[0] + 26 + len(notes)
    cut = lambda end: {"2cba": files["2cba"][:end]}
    return [
        case("bad_frames", files, ["4.1.3", "4.1.7", "4.1.8", "5.1.7"], 11, "Only the mark, a text and negative sizes are errors, and annotations with the tag of a game."),
        case("bad_frame_end_gone", dict(files), ["5.1.2"], 11, "The last record of annotations has lost its end.", **cut(last - 3)),
        case("bad_frame_cut_behind", dict(files), ["5.1.2"], 11, "The last record of annotations is cut behind its end, which is no damage.", **cut(last + 5)),
    ]


def bad_shared():
    base = Base()
    base.text([(42, "first")])
    long = line(*["wNg1f3", "bNg8f6", "wNf3g1", "bNf6g8"] * 600)
    notes = blocks(*[(place, comment("note %d" % place)) for place in range(180)])
    for number in range(40):
        base.game(long if number == 0 else E4, notes if number == 0 else blocks())
    files = base.files()

    def moved(numbers, start, step):
        headers = bytearray(files["2cbh"])
        moves, notes = struct.unpack_from("<qq", headers, 192 * 2 + 8)
        for number in numbers:
            struct.pack_into("<qq", headers, 192 * number + 8, moves + start + step * number, notes + start + step * number)
        # Counted from the end of the files its records would be the last ones.
        struct.pack_into("<qq", headers, 192 * 2 + 8 + 192 * 30, -len(base.moves[-1]), -len(base.notes[-1]))
        return {"2cbh": bytes(headers)}

    return [
        case("bad_shared", dict(files), ["4.1.1", "4.1.5", "5.1.7"], 40, "Records of many games begin inside the first one: it ends at the second bound. A negative place is none.", **moved(range(3, 31), 100, 160)),
        case("bad_shared_least", dict(files), ["4.1.5", "5.1.7"], 40, "The second bound is near: the first record has 2,048 bytes.", **moved(range(3, 31), 100, 40)),
        case("bad_shared_few", dict(files), ["4.1.5"], 40, "Seven places make one bound: the first record is whole.", **moved(range(35, 42), 100, 4)),
    ]


def annotation_shapes():
    base = Base()
    evaluations = lambda *entries: (0x26, b"\1" + struct.pack("<ih", 2 + 4 * len(entries), len(entries)) + b"".join(struct.pack("<hBB", *one) for one in entries))
    none, content = (0, 0, 255), line("wPe2e4", "bPe7e5")
    entry = struct.pack("<hBB", 20, 12, 0)
    parts = [
        [(-1, comment("a"), evaluations((20, 12, 0)), comment("b"), (0x22, b"\1\0\0\0"))],
        [(-1, (0x26, b"\1" + struct.pack("<ih", 6, 2) + entry), comment("b"))],
        [(-1, evaluations(none, none))],
        [(-1, evaluations((5, 3, 0), none, (7, 3, 0), none))],
        [(-1, evaluations(none, (0, 4, 255), (7, 3, 0)))],
        [(-1, evaluations((5, 3, 0), (9, 4, 255)))],
        [(0, comment("a"), evaluations((1, 1, 0), (1, 1, 0), (1, 2, 0), (1, 0, 0)), comment("b"))],
    ]
    parts += [[(-1, evaluations(one))] for one in ((28999, 0, 0), (29000, 0, 0), (-28999, 0, 0), (-29000, 0, 0), (1000, 0, 1), (1001, 0, 1), (-1, 0, 1), (0, 0, 1), (3, 0, 7))]
    parts += [
        [(0, (3, bytes(3)), (3, b"\0\5\0"), (3, b"\1\2\3"))],
        [(-1, (3, b"\1\0\0"), comment("at the game", kind=0x82))],
        [(0, (2, struct.pack("<hh", 1, 7) + string("x")), (2, struct.pack("<hh", 256, 7) + string("y")), comment("z", -3))],
        [(0, (0x82, struct.pack("<hh", 1, 7) + string("x")), comment(b"\xa2a1 \xa4x \xa3 \xe9"), comment("\ue024e2 \ue029 a\r\nb\nc\rd"))],
        [(0, (7, bytes([100, 0, 0, 0])), (7, bytes([0, 60, 0, 0])), (7, bytes([0, 0, 60, 0])), (7, bytes([99, 59, 59, 255])))],
        [(0, (0x16, b"\1\0\0\0"), (0x18, b"\0"), (0x18, b"\3"), (0x18, b"\4"))],
        [(0, (0x21, struct.pack("<hhh", -5, 1, 0)), (0x21, struct.pack("<hhh", -5, 2, 0)), (0x21, struct.pack("<hhh", -5, 0, -3)))],
        [(0, (4, struct.pack("<i", 2) + bytes([2, 5])), (4, struct.pack("<i", 2) + bytes([7, 64])), comment("t"), (5, struct.pack("<i", 3) + bytes([4, 5, 6])))],
        [(0, (4, struct.pack("<i", 0)), (4, struct.pack("<i", 2) + bytes([5, 5])), (5, struct.pack("<i", 3) + bytes([1, 5, 6])))],
        [(0, (0x1C, b"\1" + string("") + string("y")), (0x1C, b"\1" + string("a b") + string("")), (0x1C, b"\1" + string("a") + string(" y")), (0x1C, b"\1" + string("a") + string("")))],
        [(0, comment("c", kind=0x82)), (1, comment("v", kind=0x82), (3, b"\1\0\0"), comment("x"), comment("w", kind=0x82))],
    ]
    for part in parts:
        base.game(content, blocks(*part))
    base.game(content, struct.pack("<ii", 0, -1) + blocks((1, (8, b"abcd"))))
    base.game(line(), blocks((5, comment("no move"))))
    base.game(line("wPe2e4", "bPe7e5", BRANCH, END, "bPc7c5"), blocks((99, comment("past the end"))))
    training = bytes.fromhex("010101000000") + struct.pack("<ih", 60, 5) + (struct.pack("<hh", 1, 0) + string("Why?")) + bytes(6) + b"\1\x0c\x1c\0\5" + bytes(2)
    other = bytes.fromhex("010102000000") + struct.pack("<ih", 60, 5) + bytes(8) + b"\1\x05" + bytes(4)
    base.game(content, blocks((0, (9, training), comment("t")), (1, (9, other), comment("u"))))
    heads = b"".join(bytes([len(one) + 1]) + one + b"\0" for one in (b"Alder", b"Ann", b"Birch", b"", b"Open", b"Place"))
    quoted = b"\1\2\0\0\0\1\0\0\0\0" + heads + bytes(79) + 2 * (bytes.fromhex("0100010000") + string("FIDE"))
    base.game(content, blocks((0, (0x13, quoted + bytes(26) + b"\1" + bytes(2) + struct.pack("<i", 1) + b"abcde" + bytes(4)), comment("q")),
                              (1, (0x13, quoted + bytes(27) + bytes(75) + bytes(2) + bytes(4) + bytes(4)), comment("r"))))
    made = case("bad_annotation_shapes", base, ["5.1.9", "5.3.2", "5.3.4", "5.4.2", "5.4.3", "5.4.4", "5.4.8", "5.4.9"], len(base.records),
                "Data of every shape is kept, as a command or as data without one. The derived fields are wrong.")
    made.options = ["annotations=plain", "annotations=exact"]
    return made


def bad_annotation_bytes():
    base, content = Base(), line("wPe2e4", "bPe7e5")
    link = string("a") + string("b")
    for data in ((0x1C, b"\2" + link), (0x20, b"\2\0\0\0" + string("x")), (0x20, b"\1\1\0\0" + string("x")), (0x26, b"\2" + struct.pack("<ih", 2, 0)), (9, b"\1\2" + bytes(30)),
                 (9, b"\1\1\3" + bytes(30)), (9, b"\1\1\1\1" + bytes(30)), (0x13, b"\2" + bytes(300)), (0x13, b"\1\3" + bytes(300)), (0x13, b"\1\1\0\0\0\2" + bytes(300)),
                 (4, struct.pack("<i", 3) + bytes([2, 5, 2])), (4, struct.pack("<i", 2) + bytes([2, 65])), (5, struct.pack("<i", 3) + bytes([2, 0, 5])),
                 (0x15, struct.pack("<i", -1)), (2, struct.pack("<hhi", 0, 7, -1))):
        base.game(content, blocks((0, comment("before")), (1, data, comment("behind"))))
    return case("bad_annotation_bytes", base, ["5.1.2", "5.1.6", "5.1.8"], 15, "Data whose size is not known ends its record; odd squares do not.")


def names_more():
    base = Base()
    far = player("Far", "F", 5, 9)
    one = base.entity(PLAYER, far + b"behind")
    two = base.entity(PLAYER, struct.pack("<i", 900) + bytes(4))
    book = base.entity(SOURCE, source("", "", day(2024), day(2024)))
    other = base.entity(SOURCE, source("", "", day(2024), day(2023)))
    lone = base.entity(TEAM, team("", 0, 0, -5, 7))
    tournament = base.entity(EVENT, event("T", "P", day(2024, 13), 0x28, 10, 250, 0, (0.1, -3e-5)))
    types = [base.entity(EVENT, event("T", "P", 0, kind, 53)) for kind in (1, 0xE9, 9)]
    named = base.entity(TITLE, title((9, "nine"), (116, "Polish"), (42, ""), (117, "pt"), (42, "twice")))
    base.game(white=one, black=one, annotator=one, book=book, teams=(lone, -7), named=-9, date=day(2024), tournament=tournament, elo=(rating(0), struct.pack("<hhhh8s", 0, 1, 1, 0, b"FIDE")))
    base.game(white=one, black=one, book=other, named=named, tournament=types[0], elo=(struct.pack("<h14x", 2000), struct.pack("<hhhh8s", -3, 1, 1, 0, b"FI")), eco=0x8181, round_of=(0, 2, -3))
    for kind in types[1:]:
        base.game(tournament=kind, result=4, evaluation=16, eco=0x80)
    base.game(white=two)
    files = base.files()
    cut = files["2lid"][:184 + 4234 + 4 + 8]
    large = bytearray(files["2lid"])
    struct.pack_into("<ii", large, 184 + 4234, 3000, 1500)
    return [
        case("bad_names_more", files, ["3.3.2", "3.3.5", "6.2.2", "6.2.3", "9.1", "9.3", "9.4", "9.5", "9.6", "9.7", "10.1"], 5, "One name has a string longer than its fields."),
        case("bad_names_file_cut", dict(files), ["6.1.5"], 5, "The file ends inside the second container of players.", **{"2lid": cut}),
        case("bad_names_large", dict(files), ["6.2.3"], 5, "A name says that it is larger than its container.", **{"2lid": bytes(large)}),
    ]


def names_headers():
    base = Base()
    white = base.entity(PLAYER, player("White", "W"))
    base.game(white=white)
    lid = base.files()["2lid"]
    changed = lambda at, value: {"2lid": lid[:at] + struct.pack(">i", value) + lid[at + 4:]}
    large, most = Base(), Base()
    large.containers, most.containers = [2049, 1120, 220, 1024, 314, 532], [2048, 1120, 220, 1024, 314, 532]
    for one in (large, most):
        one.game(white=one.entity(PLAYER, player("White", "W")))
    return [
        case("bad_names_container", large, ["6.1.4"], 1, "A container of 2,049 bytes: no names."),
        case("names_container", most, ["6.1.4"], 1),
        case("bad_names_no_container", base, ["6.1.4"], 1, "A container of no bytes: no names.", **changed(108, 0)),
        case("bad_names_header_size", base, ["6.1.4"], 1, "A header of a negative size: no names.", **changed(0, -5)),
        case("bad_names_header_far", base, ["6.1.4", "6.2.1"], 1, "A header larger than the file: no name is there.", **changed(0, 1 << 20)),
        case("bad_names_fewer", base, ["6.2.1"], 1, "The header counts one player of two.", **{"2lid": lid[:12] + struct.pack(">q", 1) + lid[20:]}),
        case("bad_names_short", base, ["6.1.4"], 1, "A file of 127 bytes: no names.", **{"2lid": lid[:127]}),
    ]


def analysis():
    base = Base()
    named = base.entity(TITLE, title((42, "T"), (53, "D")))
    writer, book = base.entity(PLAYER, player("Ann", "O")), base.entity(SOURCE, source("S", "P", 5 << 9, 6 << 9))
    base.analysis(line("wPd2d4"), named)
    record = bytearray(base.records[0])
    record[0] |= 0x80 | 2
    struct.pack_into("<qqq", record, 0x18, named, book, writer)
    base.records[0] = bytes(record)
    base.entities[PLAYER].append(deleted(-1))
    base.first_deleted[PLAYER] = writer + 1
    return case("bad_analysis", base, ["3.2.2", "10.2"], 1, "A deleted analysis with the bit of a text is read as a game.")


def cases():
    return [setups_more(), bad_setups_passed(), bad_setups_more(), bad_words_more(), *bad_frames(), *bad_shared(), annotation_shapes(), bad_annotation_bytes(), *names_more(), *names_headers(), analysis()]
