"""Writes the files of a base of Chess Assistant from canonical lines. (docs/formats/chessassistant.md)

What the format cannot hold is left out as §15 says, without a report.
"""

import re
import struct

from board import NULL, Board, counters
from ca_record import DIAGRAM, PAWN, PLAIN, Place, usual
from chessassistant import ASSESSMENTS, OUTCOMES, Base
from game import Line, of, parts_of, tree

KINDS = {"p": 1, "n": 2, "b": 3, "r": 4, "q": 5, "k": 6}
SLOTS = {"p": range(8), "n": (8, 9), "b": (10, 11), "r": (12, 13), "q": (14,), "k": (15,)}
RESULTS = {result: outcome for outcome, result in OUTCOMES.items()}
TABLES = ["Players", "Events", "Places", "Sources"]
FILES = ["cdp", "iii", "axx", "dxx", "d00", "a01", "d01"]
SIGNATURE = b"Chess Assistant 3.0 database."


class Numbered(Place):
    """§8.3: a piece that a pawn becomes has a vacant number."""

    def copy(self):
        return Numbered(self.board.copy(), dict(self.numbers))

    def play(self, move):
        white, target, promotion = self.board.white, *move[1:]
        super().play(move)
        if promotion:
            number = next(key[1] for key, square in self.numbers.items() if square == target and key[0] == white)
            del self.numbers[white, number]
            free = [slot for slot in [*SLOTS[promotion], 16, 17] if (white, slot) not in self.numbers]
            self.numbers[white, free[0] if free else number] = target


def sets_up(board):
    """§7.4: the place of a start position, or None where its pieces have no numbers."""
    numbers = {}
    for square, piece in enumerate(board.squares):
        if piece == ".":
            continue
        white, kind = piece.isupper(), piece.lower()
        free = [slot for slot in [*SLOTS[kind], *([16, 17] if kind not in "pk" else []), *range(8)] if (white, slot) not in numbers]
        if not free:
            return None
        numbers[white, free[0]] = square
    return Numbered(board, numbers)


def setup(place, number):
    """§7.4"""
    out, board = b"\xe6", place.board
    for white in True, False:
        for slot in range(18):
            square = place.numbers.get((white, slot))
            out += b"\x08\0" if square is None else bytes([square // 8 << 4 | square % 8, KINDS[board.squares[square].lower()]])
    rights = sum(bit for bit, rook in ((1, 7), (2, 0), (4, 63), (8, 56)) if rook in board.rooks)
    passing = 0 if board.passing is None else board.passing // 8 << 4 | board.passing % 8
    return out + struct.pack("<HBB", 2 * (min(number, 32768) - 1) + (not board.white), rights, passing)


class Writer:
    """`reading` tells which way files are counted: "right", or "literal", left but for code 212 and those after it."""

    def __init__(self, reading, encode):
        self.reading, self.encode = reading, encode

    def line(self, line):
        # §9.5.3
        out = b"".join(self.comment(text, 5 if line.plies else 4) for text in of(str, line.before))
        for ply in line.plies:
            move = self.move(ply.move, ply.board)
            # §15.10
            if move is None:
                break
            lines = of(Line, ply.after)
            out += b"".join(b"\xe7" + self.line(variation) + b"\xe8" for variation in lines) + move
            out += b"".join(self.glyph(nag) for nag in of(int, ply.after))
            behind = False
            for each in ply.after:
                behind |= isinstance(each, Line)
                # §9.5.12
                out += self.comment(each, 5 if behind else 4) if isinstance(each, str) else b""
        return out

    def glyph(self, nag):
        """§9.2, §15.11"""
        if nag == DIAGRAM:
            return bytes([235, 1, 8])
        return b"" if nag in (0x21, 0x3f) or nag > 255 else bytes([234, 2, nag])

    def comment(self, text, kind):
        data = bytes([kind]) + self.encode(text)
        return bytes([235, len(data)]) + data if len(data) < 256 else bytes([236]) + struct.pack("<I", len(data)) + data

    def step(self, start, target, mirrored):
        files = target % 8 - start % 8
        return (target // 8 - start // 8) % 8 << 4 | (-files if mirrored else files) % 8

    def move(self, move, place):
        """The code of a move, or None."""
        board, (start, target, promotion) = place.board, move
        white = board.white
        if move == NULL:
            return b"\xd3"
        if board.is_castling(move):
            return bytes([208 if target > start else 207])
        number = next((key[1] for key, square in place.numbers.items() if key[0] == white and square == start), None)
        is_pawn = board.squares[start] in "Pp"
        step = self.step(start, target, self.reading != "right")
        if promotion and step in PAWN[white]:
            after = place.copy()
            after.play(move)
            becomes = next(key[1] for key, square in after.numbers.items() if key[0] == white and square == target)
            return bytes([209, number << 2 | PAWN[white].index(step), KINDS[promotion] << 5 | becomes])
        if is_pawn and number < 8 and step in PAWN[white]:
            passing = is_pawn and start % 8 != target % 8 and board.squares[target] == "." and board.squares[start // 8 * 8 + target % 8] == "pP"[not white]
            return b"\xd2" * passing + bytes([number << 2 | PAWN[white].index(step)])
        if number is not None and number < 8:
            return bytes([212 + number, self.step(start, target, False)])
        return bytes([32 + PLAIN.index((number, step))]) if (number, step) in PLAIN else None


class Table:
    """§4: names, by id; id 0 is the empty name. A player is a name with a title and ten bytes more."""

    def __init__(self, encode, titled):
        self.encode, self.titled, self.ids, self.addresses, self.data, self.more = encode, titled, {}, [], bytearray(b"\0\0\0\0"), bytearray()
        self.id("?")

    def id(self, name, title="", more=bytes(10)):
        key = name, title, more
        if key not in self.ids:
            self.ids[key] = len(self.addresses)
            self.addresses.append(len(self.data))
            texts = [self.encode(text)[:255] for text in ("" if name == "?" else name, title)][:1 + self.titled]
            self.data += bytes(map(len, texts)) + b"".join(texts)
            self.more += more
        return self.ids[key].to_bytes(3, "little")

    def files(self):
        count = len(self.addresses)
        order = sorted(range(count), key=lambda key: list(self.ids)[key])
        return {
            "iii": struct.pack("<%di" % count, *order), "axx": bytes((count + 7) // 8), "dxx": bytes((count + 7) // 8),
            "a01": struct.pack("<%di" % count, *self.addresses), "d01": bytes(self.data), "d00": bytes(self.more) if self.titled else b"",
        }


def volume(tables):
    """§3: files in fragments of at most 700 bytes, and a directory that is such a file too."""
    out = bytearray(SIGNATURE.ljust(64, b"\0") + b"\nData Pro Volume format. Version 1.1".ljust(64, b"\0") + bytes(16))

    def put(data):
        pieces = [(at, data[at:at + 700]) for at in range(0, len(data), 700)]
        begin = len(out) + 8 * len(pieces)
        rows = b"".join(struct.pack("<II", len(piece), begin + at) for at, piece in pieces)
        place = len(out)
        out.extend(rows + data)
        return place

    folder = bytearray()
    for name, table in zip(TABLES, tables):
        files = table.files()
        for extension in FILES:
            data = files.get(extension, b"")
            entry = struct.pack("<IIII", 0, 2, len(data), put(data)) + bytes(12) + ("%s.%s" % (name, extension)).encode()
            folder += entry.ljust(256, b"\0")
    struct.pack_into("<II", out, 136, len(folder), put(bytes(folder)))
    return bytes(out)


def stored_date(text):
    """§5.2"""
    year, month, day = parts_of(text)
    return ((year * 13 + month) * 32 + day).to_bytes(3, "little")


def player(tags, side, table):
    """§4.3, §5.1.8, §5.1.9"""
    def number(tag):
        return int(tags.get(tag, 0))

    more = struct.pack("<HI3sB", number("CA%sRating" % side), number(side + "FideId"), stored_date(tags.get("CA%sBorn" % side, "?.?.?")), number("CA%sGender" % side))
    return table.id(tags[side], tags.get(side + "Title", ""), more)


def annotator(name, table):
    """§15: the first player of the name."""
    return next((key.to_bytes(3, "little") for (known, _, _), key in table.ids.items() if known == name), None) or table.id(name)


def header(tags, number, start, tables):
    """§5"""
    players, events, places, sources = tables
    get, assessment = tags.get, tags.get("CAResult")
    outcome = RESULTS[tags["Result"]] if assessment is None else int(assessment) if assessment.isdigit() else 5 + ASSESSMENTS.index(assessment)
    eco = re.fullmatch("([A-E])([0-9][0-9]).*", get("ECO", ""))
    code = int(get("CAEco", "ABCDE".index(eco.group(1)) * 100 + int(eco.group(2)) if eco else 500))
    played = re.fullmatch("([0-9]+)([.].*)?", tags["Round"])
    played = int(played.group(1)) if played else 0
    return struct.pack(
        "<3s3sHHB3s3s3sIIBBH3s3s", player(tags, "White", players), player(tags, "Black", players),
        *[int(get(side + "Elo", "")) if get(side + "Elo", "").isdigit() else 0 for side in ("White", "Black")], outcome, stored_date(tags["Date"]),
        events.id(tags["Event"]), places.id(tags["Site"]), int(get("CAGameType", 0)), number, int(get("CAUnknown1C", 0)),
        (played if played < 128 else 0) * 2 + int(get("CARoundBit", 0)), 500 if code == 0 and start else code,
        annotator(get("Annotator", "?"), players), sources.id(get("Source", "?")))


def made(games, reading, encode):
    """The files by extension."""
    tables = [Table(encode, titled) for titled in (True, False, False, False)]
    headers, addresses, records = bytearray(), [], bytearray(b"\0\0\0\0")
    writer = Writer(reading, encode)
    for number, game in enumerate(games):
        begin = usual()
        place = Numbered(begin.board, begin.numbers) if game["fen"] is None else sets_up(Board(game["fen"]))
        record = (b"" if game["fen"] is None else setup(place, counters(game["fen"])[1])) + writer.line(tree(game["line"], place))
        addresses.append(len(records))
        # §7.1
        size = bytes([len(record)]) if len(record) < 128 else bytes([128 | len(record) & 127, len(record) >> 7])
        records += size + record
        headers += header(dict(game["tags"]), number, game["fen"], tables)
    cdp = SIGNATURE.ljust(50, b"\0") + b"\nChess Data Pro format. Version 1.3".ljust(54, b"\0") + struct.pack("<II", len(addresses), 0)
    return {"cdp": cdp, "emb": volume(tables), "d00": bytes(headers), "a02": struct.pack("<%di" % len(addresses), *addresses), "d02": bytes(records)}


def write(games, reading="right"):
    """The files by extension, in the first encoding that has all letters and that a reader finds. (§10)"""
    for encoding in "windows-1252", "windows-1251", "utf-8":
        try:
            files = made(games, reading, lambda text: text.encode(encoding, "windows-1252-byte"))
        except UnicodeEncodeError:
            continue
        if Base(*files.values()).encoding == encoding:
            break
    return files
