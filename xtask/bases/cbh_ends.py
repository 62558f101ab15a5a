"""Bases of ChessBase about where things end: fields that are full, counts beyond a byte, records
without anything behind their last field. (docs/formats/cbh.md)
"""

import struct

from cbh_bases import (
    COMEBACK, D4, E4, E5, END, ZERO, Base, Case, archive, block, bits_to_bytes, date, fixed, grouped, item, items, record, setup,
    source, team, text, tournament, word,
)


def cases():
    made = [names(), cut_names(), long_game(), moves(), odd_moves(), setups(), annotations(), extended(), *archives()]
    for case in made:
        case.script = "cbh_ends"
    return made


def names():
    """cbh §6.2: the last letter of a field that is full."""
    base = Base()
    fill = lambda size: "a" * (size - 1) + "z"
    base.game("6.2 10.2", "", event=tournament(fill(40), fill(30)))
    base.game("6.2 10.1", "players", white=base.player(fill(30), fill(20)))
    base.game("6.2 10.8", "an annotator", annotator=base.name("cbc", fixed((fill(45), 45))))
    base.game("6.2 10.9", "a source", source=base.name("cbs", source(fill(25), fill(16), date(2001), date(2002))))
    base.game("6.2 10.12", "a team", teams=(base.name("cbe", team(fill(45))), -1))
    base.game("6.2 10.14", "a title", title=base.name("cbl", fixed((fill(200), 200), ("Second title", 1400))))
    return base.case("names_full")


def cut_names():
    """cbh §6.2.1: which letter stands before the byte that is left."""
    base = Base()
    for end in (b"zz\xc5", b"aa\xc5", b"a{\xc5", b"a`\xc5", b"aa\xe0"):
        name = b"Miller ".ljust(30 - len(end), b"a") + end
        base.game("6.2.1", "%s" % end[:2].decode(), white=base.player(name))
    return base.case("bad_names_last_letter", "The games read; of games 1 and 2 the last byte of the name is left out, with a warning.")


def long_game():
    """cbh §4.3: more half-moves than a byte counts."""
    base = Base()
    for mode in (0, 4):
        base.game("4.3.2 4.3.3", "260 half-moves, mode %d" % mode, record(*[105, 108, 109, 104] * 65, E4, END, mode=mode))
    return base.case("long_games")


def moves():
    """cbh §4.4 to §4.6"""
    base = Base()
    rooks = setup("4k3/8/8/8/8/8/8/R3K2R", castling=3)
    base.game("4.5.4", "a king that has castled short steps aside", record(9, 0, 3, END, setup=rooks))
    base.game("4.5.4", "a king that has castled long steps aside", record(10, 0, 7, END, setup=rooks))
    base.game("4.8.2 4.6", "words: a2a1, which is number 1", record(word("a2a1", 0x4000), mode=5, setup=setup("4k3/8/8/8/8/8/R7/4K3")))
    return base.case("moves_after_castling")


def odd_moves():
    """cbh §4.4.1, §4.6.3: pieces that are not there any more."""
    base = Base()
    base.game("4.5.2 4.10.1", "a pawn taken in passing, and a rook stands there",
              record(112, 113, 47, 0, 111, END, setup=setup("4k3/1p6/8/P6r/8/8/8/4K3", side=16)))
    base.game("4.5.3 4.10.1", "a pawn that has become a queen",
              record((235, word("a7a8")), 0, 111, END, setup=setup("8/P6k/8/8/8/8/8/4K3")))
    base.game("4.4.1 4.10.1", "a third pawn of two", record(119, END, setup=setup("4k3/8/8/8/8/8/PP6/4K3")))
    base.game("4.6.3 4.10.1", "a word of the other side's castling",
              record((235, word("e8g8")), END, setup=setup("r3k2r/8/8/8/8/8/8/R3K2R", castling=15)))
    return base.case("bad_moves_gone", "All four games are errors, and keep what stands before.")


def setups():
    """cbh §4.2"""
    base = Base()
    base.game("4.2.2", "28 bytes and no moves", record(setup=setup("4k3/8/8/8/8/8/8/4K3")))
    base.game("4.2.6", "en passant on the h-file", record(END, setup=setup("4k3/8/8/6Pp/8/8/8/4K3", side=8)))
    base.game("4.2.6", "en passant on the h-file, black", record(END, setup=setup("4k3/8/8/8/6pP/8/8/4K3", side=24)))
    base.game("4.2.4", "rooks beside those of the corners", record(END, setup=setup("r3k2r/1r6/8/8/8/8/R7/R3K2R", castling=15)))
    for byte in (0xb6, 0xff):
        base.game("4.2.3", "bits %02x behind the board" % byte, record(1, END, setup=setup("4k3/8/8/8/8/8/8/4K3")[:13] + bytes([byte]) * 15))
    base.game("4.2.3 4.2.5", "Chess960: more pieces than bits",
              record(END, mode=10, setup=setup("/".join(["nnnnnnnn"] * 8), more=b"\xdd" * 8)))
    return base.case("bad_setups_ends", "All games read, some with warnings.")


def annotations():
    """cbh §5.1, §5.3, §5.4"""
    base = Base()
    line = record(COMEBACK, E4, E5, END, D4, END)

    def shown(rules, what, *parts):
        base.game(rules, what, line, lambda n: items(n, *parts))

    shown("5.1.4", "a text of 300 letters", item(0, 2, text("x" * 300)), item(1, 2, text("e5")))
    shown("5.4.2", "figurines at the end", item(0, 2, text(b"\xe4\xa4")), item(1, 2, text(b"\xe4 \xa4f")))
    link = bytes([200]) + b"a" * 200 + bytes([100]) + b"c" * 100
    shown("5.3.8", "a link of 304 bytes", item(0, 0x1c, struct.pack("<H", len(link) + 2) + link))
    shown("5.3.8 5.3.12", "a link with a control character", item(0, 0x1c, "060002611f00"))
    shown("5.1.4", "an item of 5 bytes", item(0, 2, text("hello")), item(1, 3, "", -1), item(1, 2, text("e5")))
    return base.case("bad_annotations_ends", "All games read; of game 5 only the first annotation, with a warning.")


def extended():
    """cbh §7.4"""
    base = Base()
    hello = lambda n: items(n, item(0, 2, text("hello")))
    base.game("7.4", "annotations beyond 4 GiB, which are not there", record(E4, END), hello,
              offsets=(len(base.moves), 2**32 + len(base.annotations)))
    base.game("7.4", "an offset with all high bits", record(D4, END), offsets=(2**64 - 2**32 + len(base.moves), 0))
    return base.case("bad_extended_offsets", "Game 1 lacks its annotations, game 2 is an error.")


def long_codes(data):
    """cbh §9.3: every byte in fifteen bits."""
    codes = {byte: "1%s" % format(byte, "014b") for byte in range(256)}
    head = "".join("1111" + codes[byte] for byte in range(256))
    return bits_to_bytes(format(len(data), "016b") + head + "".join(codes[byte] for byte in data))


def archives():
    """cbh §9"""
    base = Base()
    base.game("9.1.1", "the game of an archive", record(E4, E5, END), lambda n: items(n, item(0, 2, text("hello"))))
    files = base.files()
    stored = lambda data: block(b"\0" + data)

    def whole(data):
        """A block that ends with all sixteen tokens of a control, one without a code and one of long codes."""
        return block(b"\1" + grouped(list(data[:16]))) + block(b"\2" + bytes(130)) + block(b"\2" + long_codes(data[16:]))

    def members(pack, stem="base."):
        return [(stem + extension, pack(data), len(data)) for extension, data in files.items()]

    closed = "The base does not open."

    def case(name, rules, data, expect=None):
        games = 0 if expect == closed else 1
        one = Case("cbh", name, {"cbv": data}, rules.split(), games, expect, None if expect else ZERO)
        one.format = "cbv"
        return one

    moves = files["cbg"]
    others = [one for one in members(stored) if one[0] != "base.cbg"]
    ending = lambda packed: archive(others + [("base.cbg", packed, len(moves))])
    count = len(files)
    return [
        case("archive_ends", "9.2.1 9.3.1 9.4.6", archive(members(whole))),
        case("archive_long_name", "9.1.3 9.1.4", archive(members(stored, "n" * 124 + "."))),
        case("bad_archive_directory_end", "9.1.2", archive(members(stored))[:8 + 173 * count - 1], closed),
        case("bad_archive_block_head", "9.2.2", ending(stored(moves))[:-len(moves) - 2], closed),
        case("bad_archive_table", "9.3.1", ending(block(b"\2" + long_codes(moves)[:20])), closed),
        case("bad_archive_table_end", "9.3.1", ending(block(b"\2" + bytes(129) + b"\1") + stored(moves)), closed),
        case("bad_archive_no_table", "9.3.1", ending(block(b"\2") + stored(moves)), closed),
        case("bad_archive_notes", "9.2.3", archive([one for one in members(stored) if one[0] != "base.cba"] + [("base.cba", stored(files["cba"]), len(files["cba"]))])[:-1],
             "The game reads, without its annotations, with a warning."),
    ]
