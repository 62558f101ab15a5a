"""Writes games as Scid does: the mirror image of scid.py. (docs/formats/scid.md)

Games are those of expected.jsonl: {"tags": [...], "fen": ..., "line": [...]}. What the format
cannot hold is not reported, as a real writer should; see scid §7.
"""

import pathlib
import struct

from board import Board, parse
from game import OPTIONAL, RESULTS, TYPED, Damage
from scid import (CLOSE, COMMENT, COMMON_TAGS, END, FLAGS, INDEX_MAGIC, NAG, NAMES_MAGIC, OPEN,
                  RATINGS, Numbered)

BLOCK = 131072
TABLE = pathlib.Path(__file__).parents[2] / "docs/formats/tables/scid-opening-lines.tsv"
KINDS = {"Event": 1, "Site": 2, "Round": 3, "White": 0, "Black": 0}


def opening_lines():
    """The codes of the opening lines, by their moves. (§2.5)"""
    rows = [row.split("\t") for row in TABLE.read_text("utf-8").splitlines() if row[0] != "#"]
    return {tuple(moves.split()): int(code) for code, moves in rows}


OPENING_LINES = opening_lines()
LONGEST_LINE = max(map(len, OPENING_LINES))


def write(games, version5=False):
    """Index, names and games of a base."""
    index, records = bytearray(), bytearray()
    names = [{}, {}, {}, {}]  # by text: id and number of uses
    appended = bytearray()  # the names file of version 5
    for game in games:
        fields, tags = place_tags(dict(game["tags"]), game["tags"], version5)
        record, derived = write_record(game, tags)
        # §4.1.5
        left = BLOCK - len(records) % BLOCK
        if len(record) > left:
            records += record[:left]
        fields.update(derived, flags=fields["flags"] | derived["flags"], offset=len(records), length=len(record))
        records += record
        # §3.3.3
        for tag, kind in KINDS.items():
            name = dict(game["tags"])[tag].encode()
            if name not in names[kind]:
                names[kind][name] = [len(names[kind]), 0]
                # §5.3.6
                appended += record_5(kind, name)
            names[kind][name][1] += 1
            fields[tag] = names[kind][name][0]
        index += (entry_5 if version5 else entry_4)(fields)
    if version5:
        return bytes(index), bytes(appended), bytes(records)
    # §2.1
    header = struct.pack(">8sHI3s3s", INDEX_MAGIC, 400, 0, len(games).to_bytes(3, "big"), b"\0\0\1")
    return header.ljust(182, b"\0") + bytes(index), names_4(names), bytes(records)


# Tags, to index and record: §6


def place_tags(tags, pairs, version5):
    """The fields of the index, and the tags that are left for the record."""
    day = stored_date(tags["Date"])
    event = stored_date(tags.get("EventDate", "????.??.??"))
    # §2.2.29
    if not version5 and abs((event >> 9) - (day >> 9)) > 3:
        event = 0
    fields = {
        "result": RESULTS.index(tags["Result"]),
        "eco": stored_eco(tags.get("ECO")),
        "date": day,
        "event date": event,
        "flags": 8 if tags.get("Deleted") == "1" else 0,
        "ratings": [(0, 0), (0, 0)],
    }
    taken = set(TYPED + OPTIONAL)
    for place, side in enumerate(("White", "Black")):
        # §6.1.3
        for kind, name in enumerate(RATINGS):
            value = tags.get(side + name, "")
            if value.isdigit() and 1 <= int(value) <= 4000:
                others = [tag for tag, _ in pairs if tag[:5] == side and tag[5:] in RATINGS[1:]]
                if kind == 0 or others[0] == side + name:
                    fields["ratings"][place] = kind, int(value)
                    taken.add(side + name)
                    break
    for letter in tags.get("ScidFlags", ""):
        fields["flags"] |= 1 << (4 + FLAGS.index(letter))
    taken.add("ScidFlags")
    return fields, [(tag, value) for tag, value in pairs if tag not in taken]


def stored_date(text):
    year, month, day = (int(part) if part.isdigit() else 0 for part in text.split("."))
    return year << 9 | month << 5 | day if year < 2048 else 0


def stored_eco(text):
    """The inverse of §2.2.24."""
    if not text or not "A" <= text[0] <= "E" or "/" in text:
        return 0
    code = "ABCDE".index(text[0]) * 100 + int(text[1:3])
    refinement = 0
    if len(text) > 3:
        refinement = 1 + 5 * (ord(text[3]) - ord("a")) + int(text[4:] or 0)
    return 1 + 131 * code + refinement


# Records: §4


def write_record(game, tags):
    """A record, and the fields of the index that follow from it."""
    out = bytearray()
    for name, value in tags:
        name, value = name.encode(), value.encode()[:255]
        if name.decode() in COMMON_TAGS:
            out.append(241 + COMMON_TAGS.index(name.decode()))
        else:
            out += bytes([len(name)]) + name
        out += bytes([len(value)]) + value
    stream = Stream(game["fen"])
    for token in game["line"]:
        stream.token(token)
    fen = b"" if game["fen"] is None else game["fen"].encode() + b"\0"
    derived = stream.derived()
    out += bytes([0, derived["flags"]]) + fen
    out += stream.out + bytes([END]) + stream.comments
    return bytes(out), derived


class Stream:
    """The stream of a game, its comments, and what the index says of its moves."""

    def __init__(self, fen):
        board = Board() if fen is None else Board(fen)
        self.board = self.before = Numbered(board, fen is not None)
        self.levels = []
        self.out, self.comments = bytearray(), bytearray()
        self.flags = 0 if fen is None else 1
        self.chess960 = is_chess960(board)
        self.plies = self.variations = self.texts = self.nags = 0
        self.home = {} if fen is not None else home_pawns()
        self.left = []  # the home pawns that left, in order
        # §2.5.7
        self.opening = None if fen is not None else []

    def token(self, token):
        if isinstance(token, dict):
            self.out.append(COMMENT)
            self.comments += token["comment"].encode() + b"\0"
            self.texts += token["comment"] != ""
        elif token == "(":
            self.out.append(OPEN)
            self.levels.append((self.board, self.before))
            self.board = self.before
            self.variations += 1
        elif token == ")":
            self.out.append(CLOSE)
            self.board, self.before = self.levels.pop()
        elif token[0] == "$":
            self.out += bytes([NAG, int(token[1:])])
            self.nags += 1
        else:
            self.move(token)

    def move(self, text):
        self.before, self.board = self.board, self.board.copy()
        start, target, _ = parse(text)
        self.out += code_of(self.board, text)
        if self.levels:
            return
        self.plies += 1
        if self.opening is not None and len(self.opening) < LONGEST_LINE:
            self.opening.append(text)
        # §2.3
        if len(text) > 4:
            self.flags |= 2 if text[4] == "q" else 6
        # §2.5: the pawn that moves leaves before the one that is taken
        passed = start // 8 * 8 + target % 8
        for place in () if text == "0000" else (start, target, passed):
            if place in self.home and self.board.squares[place] != self.home[place][0]:
                self.left.append(self.home.pop(place)[1])

    def opening_line(self):
        """§2.5.6"""
        for length in range(len(self.opening or []), 0, -1):
            code = OPENING_LINES.get(tuple(self.opening[:length]))
            if code:
                return code
        return 0

    def derived(self):
        nibbles = (self.left + [0] * 16)[:16]
        return {
            "flags": self.flags,
            "chess960": self.chess960,
            "counts": [count_code(count) for count in (self.nags, self.texts, self.variations)],
            "opening line": self.opening_line(),
            "material": material(self.board.squares),
            "plies": self.plies & 0x3ff,
            "home count": len(self.left),
            "home": bytes(16 * high + low for high, low in zip(nibbles[::2], nibbles[1::2])),
        }


class Bytes:
    """Stands in for a record when a queen's second byte is asked for."""

    def __init__(self, byte):
        self.byte = byte

    def take(self):
        return [self.byte]


def code_of(board, text):
    """The byte or bytes of a move, which is played on the board. (§4.5)"""
    if text == "0000":
        codes, start, target = [0], board.lists[board.white][0], 0
    else:
        start, target, _ = parse(text)
        # §4.5.26
        codes = sorted(range(16), key=lambda code: code == start % 8)
    number = board.lists[board.white].index(start)
    for code in codes:
        trial = board.copy()
        try:
            move = trial.play(number << 4 | code, Bytes(64 | target))
        except Damage:
            continue
        if text == "0000" or move == (start, target, text[4:]):
            second = board.squares[start] in "Qq" and code == start % 8
            board.__dict__.update(trial.__dict__)
            return bytes([number << 4 | code] + [64 | target] * second)
    raise Damage("no code for " + text)


def home_pawns():
    """§2.5: each pawn at home, and its number."""
    white = {8 + file: ("P", 15 - file) for file in range(8)}
    black = {48 + file: ("p", 7 - file) for file in range(8)}
    return {**white, **black}


def is_chess960(board):
    return any(rook % 8 not in (0, 7) or board.king(board.squares[rook] == "R") % 8 != 4 for rook in board.rooks)


def count_code(count):
    """§2.2"""
    for code, most in enumerate([12, 17, 24, 34, 44], 10):
        if count <= most:
            return min(count, code)
    return 15


def material(squares):
    """§2.5"""
    value = 0
    for pieces in "QRBNP", "qrbnp":
        for piece in pieces:
            bits = 4 if piece in "Pp" else 2
            value = value << bits | min(squares.count(piece), (1 << bits) - 1)
    return value


# The index: §2.2, §5.2


def entry_4(f):
    ids = [f[tag] for tag in KINDS]
    event, site, round_, white, black = ids
    nags, comments, variations = f["counts"]
    year = f["date"] >> 9
    # §2.2.26, §2.2.29
    dates = f["date"]
    if abs((f["event date"] >> 9) - year) <= 3:
        dates |= ((f["event date"] >> 9) + 4 - year & 7) << 29 | (f["event date"] & 0x1ff) << 20
    ratings = [kind << 12 | value for kind, value in f["ratings"]]
    flags = f["flags"]
    return struct.pack(
        ">IHBHBHHBHHHHHIHHB3sBB8s", f["offset"], f["length"] & 0xffff,
        f["length"] >> 16 << 7 | flags >> 16, flags & 0xffff,
        white >> 16 << 4 | black >> 16, white & 0xffff, black & 0xffff,
        event >> 16 << 5 | site >> 16 << 2 | round_ >> 16,
        event & 0xffff, site & 0xffff, round_ & 0xffff,
        f["result"] << 12 | nags << 8 | comments << 4 | variations, f["eco"], dates, *ratings,
        f["opening line"], f["material"].to_bytes(3, "big"), f["plies"] & 0xff,
        f["plies"] >> 8 << 6 | f["home count"], f["home"])


def entry_5(f):
    nags, comments, variations = f["counts"]
    (kind_1, rating_1), (kind_2, rating_2) = f["ratings"]
    words = [
        comments << 28 | f["White"], variations << 28 | f["Black"], nags << 28 | f["Event"],
        f["Site"], f["chess960"] << 31 | f["Round"],
        rating_1 << 20 | f["date"], rating_2 << 20 | f["event date"],
        f["plies"] << 22 | f["flags"], f["length"] << 15 | f["offset"] >> 32,
        f["offset"] & 0xffffffff, f["opening line"] << 24 | f["material"],
        f["home count"] << 24 | kind_1 << 21 | kind_2 << 18 | f["result"] << 16 | f["eco"],
    ]
    return struct.pack("<12I8s", *words, f["home"])


# Names: §3.1, §3.2, §5.3


def names_4(names):
    most = [max([uses for _, uses in ids.values()], default=0) for ids in names]
    out = bytearray(NAMES_MAGIC + bytes(4))
    for number in [len(ids) for ids in names] + most:
        out += number.to_bytes(3, "big")
    for ids, frequency in zip(names, most):
        id_size = 3 if len(ids) >= 65536 else 2
        frequency_size = 3 if frequency >= 65536 else 2 if frequency >= 256 else 1
        before = None
        for name in sorted(ids, key=order):
            out += ids[name][0].to_bytes(id_size, "big") + ids[name][1].to_bytes(frequency_size, "big")
            out.append(len(name))
            shared = 0
            if before is not None:
                while shared < min(len(before), len(name)) and before[shared] == name[shared]:
                    shared += 1
                out.append(shared)
            out += name[shared:]
            before = name
    return bytes(out)


def order(name):
    """§3.2.1"""
    signed = [byte - 256 if byte > 127 else byte for byte in name[1:]]
    return list(name[:1]) + signed + [0]


def record_5(kind, text):
    """§5.3.1"""
    number, out = len(text) << 3 | kind, bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number])) + text
