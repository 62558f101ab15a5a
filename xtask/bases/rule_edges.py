"""Bases for changes of a rule that the bases of rule_gaps.py do not show. (lab/rules/rules_broken.py)

Most are damaged in one place while everything around it fits: a row whose parts have the right size, a name that is there twice.
"""

import struct

import cbf_bases
import cbh_bases
import chessassistant_bases
import movecode_bases
from cbf_bases import numbers
from cbf_writer import Place
from chessassistant_bases import E4, after
from board import Board
from make import Case


def cases():
    made = [*cbf(), *cbh(), *chessassistant(), *volumes(), *movecode(), *definitions()]
    for case in made:
        case.script = "rule_edges"
    return made


# Old ChessBase


def cbf():
    return [decoy(), within(), behind(), nothing(), no_games(), texts(), windows(), *numberings()]


def walked(name, data, rules, games, expect, **files):
    return Case("cbf", name, {"cbf": data, **files}, rules.split(), games, expect)


def decoy():
    """A sound record between bytes that are none is not certain."""
    one, other, junk = cbf_bases.record(source="one"), cbf_bases.record(source="other", year=90), bytes(range(1, 40))
    lone = cbf_bases.record(source="not certain", year=91)
    return walked("bad_walk_decoy", one + junk + lone + junk + one + other, "1.2.8 1.2.11", 3,
                  "A record with a known checksum stands alone between bytes that are none: it is passed over.")


def within():
    """A record whose last byte of the header begins another one."""
    hidden = cbf_bases.record(source="inside the first header", year=92)
    for elo in range(256):
        first = cbf_bases.record(source="s" * 40, elo=(0, elo))
        if first[13] == hidden[0]:
            break
    else:
        raise AssertionError("no rating gives this checksum")
    last = cbf_bases.record(source="the last", year=93)
    data = first[:14] + hidden[1:] + last
    return walked("bad_walk_within", data, "1.2.11", 2, "The first record ends where none begins. The next is looked for behind its header, in which another one begins.")


def behind():
    """A record that begins where the header of another one ends."""
    hidden = cbf_bases.record(source="behind the first header", year=92)
    first = cbf_bases.record(source="s" * 40)
    last = cbf_bases.record(source="the last", year=93)
    return walked("bad_walk_behind", first[:14] + hidden + last, "1.2.11", 3, "The next record begins where the header of the first one ends.")


def nothing():
    return walked("bad_no_bytes", b"", "1.2.1 1.2.9 1.3.1", 0, "A .cbf without a byte and without a .cbi: it opens and has no games.")


def no_games():
    one, other = cbf_bases.record(source="one"), cbf_bases.record(source="other", year=90)
    return walked("bad_index_none_gap", one + bytes(range(1, 40)) + one + other, "1.2.2 1.2.5", 3,
                  "The .cbi announces no game, and the .cbf has three with a gap between them: walked.", cbi=struct.pack(">II", 1, 2))


def texts():
    base = cbf_bases.Base()
    kings = cbf_bases.setup({"e1": "K", "e8": "k", "a2": "P"})
    base.game("3.5.8", "the mark of the version, with a set-up", moves=numbers("a2a4", start=Place(Board("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"))),
              setup=kings, flags_2=0x40, count=1)
    base.game("4.2.4 4.2.6", "two commas on both sides", players="A,B-C,D-E,F,G")
    base.game("4.2.4 4.2.9", "several hyphens and a blank", players="A,B -C,D-E")
    return base.case("bad_hyphens")


def windows():
    base = cbf_bases.Base()
    base.game("4.2.10", "in Windows-1252 these bytes are letters", players=b"\xa2\xa3-\xa7")
    base.game("4.2.10", "all six", players=b"Lasker,E-\xa2\xa3\xa4\xa5\xa6\xa7")
    case = base.case("player_signs_windows", expect="Read as Windows-1252, in which no byte of a name is a sign of a piece.")
    case.encoding = "windows-1252"
    return case


# Found by trying random games: legal by the numbering "plain", and by no other of the four.
PLAIN = "a2a4 b8a6 e2e4 g8f6 f1e2 e7e6 a4a5 f8e7 b2b4 e8h8 d2d4 d7d5 g2g3"
# With the number of O-O-O the usual list has O-O, which leads through an attack.
CASTLES = "4k3/8/b7/P7/8/8/8/R3K2R w KQ - 0 1"


def numberings():
    plain = cbf_bases.Base()
    for number in range(1, 4):
        plain.game("6.3.7", "tells: plain, %d" % number, moves=numbers(PLAIN, "plain"))
    plain.game("6.3.1", "1. a4 h6 2. a5 h5 3. f4 by plain, and damage", moves=numbers(cbf_bases.EITHER, "plain") + b"\xff\xff\x0b\x80\x80", count=3)
    usual = cbf_bases.Base()
    for number in range(1, 4):
        usual.game("6.3.7", "tells: usual, %d" % number, moves=numbers(cbf_bases.telling("usual")))
    board = Board(CASTLES)
    pieces = {"a1": "R", "e1": "K", "h1": "R", "a5": "P", "a6": "b", "e8": "k"}
    usual.game("5.2.4 6.3.2", "O-O-O without the edge pawn, a forbidden O-O with it", moves=numbers("e1a1", "no-edge-pawn", Place(board)),
               setup=cbf_bases.setup(pieces), flags=4 | 8, count=1)
    return [plain.case("bad_numbering_damaged", expect="Damage that is no wrong number leaves the numbering of the base: 3. f4."),
            usual.case("numbering_castles", expect="The event of each game says what it shows.")]


# ChessBase


def cbh():
    """Archives in which the only fault leaves as many bytes as the directory says."""
    base = cbh_bases.Base()
    base.game("9.2.2", "a game of an archive", cbh_bases.record(cbh_bases.E4, cbh_bases.E5, cbh_bases.END))
    files = base.files()
    stored = lambda data: cbh_bases.block(b"\0" + data)
    moves = files["cbg"]

    def case(name, rules, packed, size=len(moves)):
        members = [("base." + extension, stored(data), len(data)) for extension, data in files.items() if extension != "cbg"]
        data = cbh_bases.archive(members + [("base.cbg", packed, size)])
        one = Case("cbh", name, {"cbv": data}, rules.split(), 0, "The base does not open.")
        one.format = "cbv"
        return one

    dates = cbh_bases.Base()
    month = cbh_bases.date(0, 13)
    dates.game("2.4 10.3 10.10 10.11", "", cbh_bases.record(cbh_bases.E4, cbh_bases.END), date=month, event=cbh_bases.tournament("a month of 13 without a year", "Home", month),
               source=dates.name("cbs", cbh_bases.source("Title", "Publisher", month, month, 1, 2)))
    members = [("base." + extension, stored(data), len(data)) for extension, data in files.items()]
    packed = bytearray(cbh_bases.archive(members))
    place = 8 + 173 * [name for name, *_ in members].index("base.cbg") + 157
    packed[place:place + 8] = (len(stored(moves)) - 3).to_bytes(8, "little")
    over = Case("cbh", "bad_archive_packed", {"cbv": bytes(packed)}, ["9.2.1"], 1, "The block of the .cbg goes three bytes beyond the packed size, but not beyond the archive: it is read whole.")
    over.format = "cbv"
    payload = b"\0" + moves
    # The sum and the size are those of the bytes that are there.
    cut = struct.pack("<HH", len(payload) + 4, cbh_bases.words_of(payload)) + payload
    short = b"\2" + cbh_bases.coded(moves, len(moves) + 99)
    # The bits that fill the last byte are codes of zeros.
    spare = -(64 * 16 + 16 + 1 + 254 * 9 + (9 if 255 in moves else 0) + sum(9 if byte else 1 for byte in moves)) % 8
    copied = b"\1" + cbh_bases.grouped([*moves, bytes([0x3f, 0xff])])
    return [
        dates.case("bad_dates_month", "A month of 13 and nothing else: the dates are unknown, and the tags are there."),
        over,
        case("bad_archive_beyond", "9.2.2", cut),
        case("bad_archive_few_bits", "9.3.1", cbh_bases.block(short), len(moves) + spare),
        case("bad_archive_copy_last", "9.4.7", cbh_bases.block(copied)),
    ]


# Chess Assistant


def chessassistant():
    made = []
    base = chessassistant_bases.Base()
    base.names["Players"][1] = ("Карпов".encode("cp1251"), b"")
    without = base.game("2.2 10.1", "without a .cdp the names tell the encoding").case("bad_no_cdp", cdp=None)
    without.open = "base.d00"
    made.append(without)

    base = chessassistant_bases.Base()
    base.names["Players"][1] = (b"M\xfc\xe4 \xd6\xdf", b"")
    made.append(base.game("10.3 10.4", "two runs of two letters").case("encoding_pairs", "Runs of two bytes do not count: windows-1252."))

    kings = ({15: ("e1", 6)}, {15: ("e8", 6)})

    def board(white, black, *codes, **more):
        return chessassistant_bases.join([chessassistant_bases.setup({**kings[0], **white}, {**kings[1], **black}, **more), *codes])

    base = chessassistant_bases.Base()
    base.game("7.2.1", "code 237 between moves", [E4, 237, E4, E4])
    base.game("7.4.5", "a second king beside the one at home", board({3: ("c3", 6), 13: ("h1", 4)}, {}, castling=1))
    base.game("8.1.5", "aslant without a double step: the pawn beside is gone", board({4: ("e5", 1)}, {3: ("d5", 1)}, 4 * 4 + 1, 3 * 4))
    base.game("8.2.1", "two kings, the one of number 15 castles", board({3: ("c1", 6), 13: ("h1", 4), 12: ("a1", 4)}, {}, 208))
    base.game("8.4.1", "bit 3 of a step, beside a file that goes round", board({7: ("h3", 4)}, {}, bytes([219, 0x0f])))
    base.game("8.4.1", "bit 7 of a step", board({7: ("h3", 4)}, {}, bytes([219, 0x90])))
    made.append(base.case("bad_rules"))

    base = chessassistant_bases.Base()
    check = chessassistant_bases.setup({**kings[0], 11: ("f1", 3)}, {15: ("a8", 6), 12: ("e8", 4)})
    for number in range(3):
        base.game("11.2", "a null move in check, and a bishop's move as literal has it: %d" % (number + 1), [check, 211, 74, 63])
    made.append(base.case("counted_null", "Null moves do not vote, not even in check: literal."))
    return made


def volumes():
    """Players whose file is cut into fragments, each table with one fault; and a name that is there twice."""
    def one(rules):
        return chessassistant_bases.Base().game(rules, "the only game", [E4, after("a text")])

    names = b"".join(bytes([len(name), 0]) + name for name in (b"", b"Ash, Kim", b"Elm, Lee"))

    def volume(base, fragments, length=len(names)):
        """The records of the players behind the rest, in fragments: (bytes, size in the table)."""
        out = bytearray(base.volume())
        length_of_folder, table = struct.unpack_from("<II", out, 136)
        folder = table - length_of_folder
        entry = next(at for at in range(folder, table, 256) if out[at + 28:at + 40].lower() == b"players.d01\0")
        rows = b""
        place = len(out) + 8 * len(fragments)
        data = b""
        for piece, size in fragments:
            rows += struct.pack("<II", size, place + len(data))
            data += piece
        struct.pack_into("<II", out, entry + 8, length, len(out))
        return bytes(out) + rows + data

    whole = one("3.1")
    twice = one("3.2.2")
    other = b"".join(bytes([len(name), 0]) + name for name in (b"", b"Another", b"Nobody"))
    twice.more.append(("PLAYERS.D01", other))
    half = len(names) // 2
    expect = "The records of the players cannot be read: %s. Their names are unknown."
    empty, long, beyond = one("3.1.2"), one("3.1.3"), one("3.1.4")
    # As many bytes before its end as the first names need; the volume ends within the second fragment.
    return [
        whole.case("volume_fragments", "The records of the players are in two fragments.", emb=volume(whole, [(names[:half], half), (names[half:], len(names) - half)])),
        empty.case("bad_volume_empty_fragment", expect % "the second of three fragments is empty",
                   emb=volume(empty, [(names[:half], half), (b"", 0), (names[half:], len(names) - half)])),
        long.case("bad_volume_long_fragment", expect % "the last fragment has four bytes more than the file",
                  emb=volume(long, [(names[:half], half), (names[half:] + bytes(4), len(names) - half + 4)])),
        beyond.case("bad_volume_cut_fragment", expect % "four bytes of the last fragment, which no name needs, lie behind the end of the volume",
                    emb=volume(beyond, [(names[:half], half), (names[half:], len(names) - half + 4)], len(names) + 4)),
        twice.case("volume_name_twice", "The volume has two files of the players' records, the second in capitals: the first counts."),
    ]


# jose


def part(kind, piece, size=None, following=None, unused=0):
    """movecode §11: a block of a row in parts, with lengths of two bytes."""
    head = bytes([kind]) + (b"" if size is None else size.to_bytes(2, "big")) + len(piece).to_bytes(2, "big")
    head += bytes([unused]) if kind == 9 else b"" if following is None else following.to_bytes(8, "big")
    return head + piece + bytes(unused)


def movecode():
    base = movecode_bases.Base()
    block = movecode_bases.block

    def data(what, letters=40):
        return base.row(what, movecode_bases.E4E5 + " d3 ff", comments=b"n" * letters)

    def split(what, build):
        """Blocks of a row, made by `build` from its bytes and the place where they begin."""
        base.raw("11.12", build(data(what), len(base.rows)))

    base.game("4.1", "a pawn that is a rook now, whose step the rook could go", "a0 22 95 a8 04 95 00 ff", FEN="8/P6k/8/8/8/8/8/7K w - - 0 1")
    base.game("4.1", "a knight that is not there, and one that is", "29 ff", FEN="3N3k/8/8/8/8/8/8/4K3 w - - 0 1")
    base.game("4.1 5.4.2", "the code of a promoted pawn for one taken in passing", "13 00 10 0f 12 ab 24 ff")
    # A start has 13 bytes before its own, a middle 11, an end 4.
    split("an empty part that goes on", lambda row, at: part(5, b"", len(row), at + 13) + part(9, row, unused=-len(row) % 4))
    split("an end before all bytes of the row", lambda row, at: part(5, row[:20], len(row) + 4, at + 33) + part(9, row[20:], unused=-len(row) % 4))
    split("a middle part with the last bytes", lambda row, at: part(5, row[:20], len(row), at + 33) + part(11, row[20:], following=1 << 40))
    split("a whole block as the second part", lambda row, at: part(5, row[:20], len(row), at + 33))
    row = data("a whole block as the second part")
    base.raw("11.12", part(1, row[20:]))
    # The block before ends at no multiple of four, and behind the damage the blocks begin at one.
    row = data("a block that ends at no multiple of four", 40 + -(len(base.rows) + len(row) + 2) % 4)
    base.raw("11.2", part(1, row))
    assert len(base.rows) % 4, "the block ends at no multiple of four"
    base.raw("11.11", b"\x63" * 3)
    for number in range(4):
        base.raw("11.11", block(data("behind damage that begins at no multiple of four: %d" % (number + 1))))
    decoy = data("a block with none behind it")
    base.raw("11.11", b"\x63" * 4 + block(decoy) + b"\x63" * 4)
    for number in range(4):
        base.raw("11.11", block(data("behind it: %d" % (number + 1))))
    names = movecode_bases.NAMES
    rows = [block(movecode_bases.row(names, dict(zip(("Id", "Name"), values)))) for values in base.players]
    rows[1:1] = [block(movecode_bases.row(names, {"Id": 999, "Name": "a row that ends late"}) + b"more")]
    claims = movecode_bases.Base()
    row = claims.row("the whole row, which others claim too", movecode_bases.E4E5 + " d3 ff", comments=b"n" * 150)
    claim = 33 * 8
    for length in len(row), 0xffff, *[len(row)] * 6:
        claims.raw("11.13", part(5, row[:20], length, claim))
    claims.raw("11.13", part(9, row[20:], unused=-len(row) % 4 + 1), 0)
    return [claims.case("bad_row_claims", expect="Eight rows claim the same parts; the second claims 65,535 bytes. Only the first and the third have room in the file."),
            base.case("bad_row_parts", covers="12.5", **{"IO_Player.MYD": b"".join(rows)})]


def definitions():
    """Columns that jose's own tables do not have."""
    def changed(lengths=(), swapped=()):
        """The definition of the games with other lengths of columns, or places of two columns changed for one another."""
        frm = bytearray(movecode_bases.definition())
        entries = frm.index(b"\xffCId\xffIdx\xff") - 17 * len(movecode_bases.GAME)
        place = lambda name: entries + 17 * [column for column, *_ in movecode_bases.GAME].index(name)
        for name, length in lengths:
            frm[place(name) + 3:place(name) + 5] = length.to_bytes(2, "little")
        for first, second in swapped:
            one, two = (slice(place(name) + 5, place(name) + 8) for name in (first, second))
            frm[one], frm[two] = frm[two], frm[one]
        return bytes(frm)

    def columns(**sizes):
        return [(name, kind, sizes.get(name, size), nullable) for name, kind, size, nullable in movecode_bases.GAME]

    made = []
    order = movecode_bases.Base()
    names = [name for name, *_ in order.columns]
    white, black = names.index("WhiteELO"), names.index("BlackELO")
    order.columns = list(order.columns)
    order.columns[white], order.columns[black] = order.columns[black], order.columns[white]
    order.game("10.2", "the columns of the ratings stand in the other order", WhiteELO=2500, BlackELO=2400)
    made.append(order.case("bad_column_order", definition=changed(swapped=[("WhiteELO", "BlackELO")])))

    four = movecode_bases.Base()
    four.columns = columns(ECO=4)
    four.game("12.1", "a char of four bytes that is packed", ECO="B90")
    four.game("12.1", "one that is not", ECO="B90", whole=("ECO",))
    made.append(four.case("bad_char_four", definition=changed([("ECO", 4)])))

    edge = movecode_bases.Base()
    edge.columns = columns(ECO=255)
    edge.game("12.1", "a char of 255 bytes that is packed", ECO="B90", CId=0)
    made.append(edge.case("bad_char_255", definition=changed([("ECO", 255)])))

    # Packed with a length of two bytes.
    large = movecode_bases.Base()
    large.columns = columns(ECO=300)
    large.game("12.1", "a char of 300 bytes that is packed", ECO="B90")
    # One of the bytes behind the row makes room for the second byte of the length.
    head = large.rows.index(b"\3B90")
    large.rows = large.rows[:head] + b"\3\0" + large.rows[head + 1:-1]
    large.rows = large.rows[:1] + (int.from_bytes(large.rows[1:3], "big") + 1).to_bytes(2, "big") + bytes([large.rows[3] - 1]) + large.rows[4:]
    made.append(large.case("bad_char_large", definition=changed([("ECO", 300)])))
    return made
