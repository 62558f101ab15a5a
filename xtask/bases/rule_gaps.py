"""Bases of four formats for rules whose break no other case noticed. (lab/rules/rules_broken.py)

Those of ChessBase are in cbh_rules.py and cbh2_more.py.
"""

import struct

import cbf_bases
import chessassistant_bases
import dcg_bases
import movecode_bases
import scid_bases

# Places within a long record at which sixteen other records begin, far behind its 512 bytes and near its beginning.
PLACES = [("bounds", [600 + 40 * place for place in range(16)]), ("least", [40 + 10 * place for place in range(16)])]
ENDS = {"bounds": "The first record ends at the second bound, the ninth place.", "least": "The first record has 512 bytes."}


def cases():
    made = [*scid(), *dcg(), *cbf(), *chessassistant(), *movecode()]
    for case in made:
        case.script = "rule_gaps"
    return made


def scid():
    made = []
    for name, places in PLACES:
        base = scid_bases.Base()
        base.game("4.1.7", "the long one", scid_bases.record([0x67, 0x61, 0x62, 0x68] * 300))
        for place in reversed(places):
            base.game("4.1.7", "inside it", b"", offset=place, length=100)
        made.append(base.case("bad_shared_" + name, ENDS[name]))
    base = scid_bases.Base()
    e4 = scid_bases.record([scid_bases.E4, scid_bases.E5])
    base.game("4.1.1", "the first record", e4)
    base.game("4.1.1", "the first record again", b"", offset=0, length=len(e4))
    base.game("4.3.4", "a FEN with more blanks than it needs", scid_bases.record([0x07], fen="4k3/8/8/8/8/8/8/4K3  w -  - 0 1"))
    base.game("2.3.3", "flags in which all but bit 0 are set", scid_bases.record([scid_bases.E4], flags=0xfe))
    base.game("3.1.9", "blanks behind a name  ", e4)
    base.game("4.5.21", "a pawn that stays one", scid_bases.record([0x11], fen="8/P6k/8/8/8/8/8/K7 w - - 0 1"))
    base.game("4.5.23", "the rook is on the other side of the king", scid_bases.record(
        [0x07, 0x02, 0x05, 0x07, 0x05, 0x02, 0x02, 0x07, 0x0a], fen="7k/8/8/8/8/8/8/4KR2 w F - 0 1"))
    files = base.case("bad_rules")
    files.expect = "The last game is an error; a pawn that stays one and flags are not."
    made.append(files)
    one = scid_bases.Base()
    one.game("2.1.8", "a game", e4)
    index = one.index()
    made.append(one.case("bad_magic_end", "The last of the eight bytes is 1: no index.", games=0, si=index[:7] + b"\1" + index[8:]))
    short = struct.pack(">8sI", b"Scid.sn\0", 0) + b"".join(number.to_bytes(3, "big") for number in (0, 1, 1, 0, 1, 256, 1, 1)) + b"\0\0\1\0"
    two = scid_bases.Base()
    two.game("3.1.12", "a game", e4)
    made.append(two.case("bad_names_rest", "Of the events four bytes are there, which would be a site.", sn=short))
    return made


def dcg():
    made, line = [], "g1f3 g8f6 f3g1 f6g8 "
    for name, places in PLACES:
        base = dcg_bases.Base()
        start = len(base.games)
        base.game("6.5.6", "the long one", dcg_bases.START + dcg_bases.moves(line * 200))
        for place in reversed(places):
            base.game("6.5.6", "inside it", b"", head=b"", offset=start + place)
        made.append(base.case("bad_shared_" + name, expect=ENDS[name]))
    base = dcg_bases.Base()
    base.game("6.2.3", "a start of 3", b"\3" + dcg_bases.fen(dcg_bases.KINGS)[1:] + dcg_bases.moves("e1e2"))
    base.game("6.3.2.1", "White castles on Black's move", dcg_bases.fen("4k3/8/8/8/8/8/8/4K2R b K - 0 1") + dcg_bases.moves("e1g1"))
    base.game("6.3.2.2", "a queen goes from e1 to g1 beside a rook", dcg_bases.fen("4k3/8/8/8/8/8/K7/4Q2r w - - 0 1") + dcg_bases.moves("e1g1"))
    base.game("6.4.1", "a variation before a move", dcg_bases.START + b"\x84" + dcg_bases.moves("e2e4") + b"\x85")
    made.append(base.case("bad_rules"))
    old = dcg_bases.Base(old=True)
    old.game("2.1.3", "82 81 05 is a length of two bytes", dcg_bases.START + dcg_bases.moves("e2e4 e7e5"), head=b"\x82\x81\x05")
    made.append(old.case("bad_old_length_usual", expect="The record of 33,029 bytes is cut."))
    lone = dcg_bases.Base(old=True)
    lone.game("2.2.1 2.2.2", "", dcg_bases.START + dcg_bases.moves("e2e4"))
    made.append(lone.case("bad_old_nothing", expect="One entry of 35 bytes, whose record would begin where the .dcg ends.", dcg=b"SimpleCDbg"))
    return made


def cbf():
    made = []
    small = cbf_bases.record(source="inside it")
    long = cbf_bases.record(source="the long one", comments=small * 20)
    for name, order in ("bounds", 1), ("order", -1):
        base = cbf_bases.Base()
        base.game("1.1.1", "the first")
        first = len(base.records[0])
        data = base.records[0] + long + cbf_bases.record(source="the last")
        inside = [first + len(long) - len(small) * place for place in range(20, 0, -1)][::order]
        places = [0, first] + inside + [first + len(long)]
        index = struct.pack(">%dI" % (len(places) + 2), len(places) + 1, *(place + number + 1 for number, place in enumerate(places, 1)), len(data) + len(places) + 2)
        made.append(base.case("bad_shared_" + name, "Records of the index begin inside the second, which ends at the second bound.", games=len(places), cbf=data, cbi=index))
    return made


def chessassistant():
    made = []
    for name, places in PLACES:
        base = chessassistant_bases.Base()
        base.game("7.1.5", "the long one", bytes([211] * 1200))
        start = base.addresses[-1]
        for place in reversed(places):
            base.game("7.1.5", "inside it", b"", length=b"")
            base.addresses[-1] = start + place
        made.append(base.case("bad_shared_" + name, ENDS[name]))
    return made


def movecode():
    base = movecode_bases.Base()
    base.game("9.4.1", "Info: a name with an underscore", Info="One=1;T_wo=2")
    base.game("9.4.3", "Info: a result in another spelling", Info="Result=1 - 0")
    base.game("9.3.4 12.4", "a rating below 0", WhiteELO=-2, Idx=-1)
    base.game("19.3", "a FEN with more blanks than it needs", "96 d3 ff", FEN="4k3/8/8/8/8/8/8/4K3  w -  - 0 1")
    base.game("4.1", "a pawn that is a queen now, whose step the queen could go", "a0 23 95 a8 24 91 00 ff", FEN="8/P6k/8/8/8/8/8/7K w - - 0 1")
    one = movecode_bases.Base().game("10.1", "the only game")
    return [
        base.case("bad_rules"),
        one.case("bad_definition_mark", expect="The definition of the games does not begin with fe 01: it does not open.", games=0,
                 definition=movecode_bases.definition(at=[(0, 0xfd)])),
    ]
