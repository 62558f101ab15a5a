"""Writes an archive of jose from canonical lines. (docs/formats/movecode.md)

The definitions of the tables are those of an archive that jose wrote. What the format cannot hold is left out as §16 says,
without a report.
"""

import io
import re
import struct
import zipfile
from pathlib import Path

import jose
from board import NULL, Board, name, step
from game import TYPED, Damage, Line, parts_of, tree
from movecode import CODE_RESULTS, COLUMN_RESULTS, KING, KNIGHT, NAMED, PAWN, PROMOTED, PUBLISHED_KING, PUBLISHED_KNIGHT, WORDS, Slots, castling, pieces
from texts import is_chess960

FIRST = {"p": 0x00, "n": 0x20, "b": 0x30, "r": 0x50, "q": 0x70, "k": 0x90}
RESULT_CODES = {result: code for code, result in CODE_RESULTS.items()}
RESULT_NUMBERS = {result: number for number, result in COLUMN_RESULTS.items()}
WIDTH = {"p": 4, "n": 8, "b": 16, "r": 16, "q": 32, "k": 8}
MODEL = Path(__file__).parents[2] / "fixtures/movecode/basic/base.jose"


def has_slots(board):
    """§5.4.1: whether each piece of a start position has a slot."""
    return len(Slots(board).pieces) == sum(piece != "." for piece in board.squares)


def cesu(text):
    """§7"""
    units = text.encode("utf-16-be")
    return "".join(chr(unit) for unit, in struct.iter_unpack(">H", units)).encode("utf-8", "surrogatepass")


class Codes:
    """The codes of a game, and its texts. `published` is the numbering of the description."""

    def __init__(self, published):
        self.published, self.texts, self.others = published, [], set()
        self.knight, self.king = (PUBLISHED_KNIGHT, PUBLISHED_KING) if published else (KNIGHT, KING)

    def line(self, line):
        out, plies = b"".join(map(self.other, line.before)), 0
        for ply in line.plies:
            move = self.move(ply.move, ply.board)
            # §16.6
            if move is None:
                break
            out += move + b"".join(map(self.other, ply.after))
            plies += 1
        self.plies = plies  # of the line that ended last
        return out

    def other(self, found):
        """A NAG, a text or a variation."""
        if isinstance(found, Line):
            return b"\xf0" + self.line(found) + b"\xf1"
        if isinstance(found, int):
            self.others.add(0xb0)
            # §3.3, §16.4
            return bytes([0xb0 + found]) if 1 <= found <= 31 else bytes([0xb0, found]) if found < 256 else b""
        code = next((code for code, words in WORDS.items() if found.startswith(words)), 0xe0)
        text = cesu(found.replace("\0", "")[len(WORDS.get(code, "")):]) + b"\0"
        self.others.add(code)
        if self.published:
            return bytes([code]) + text
        self.texts.append(text)
        return bytes([code])

    def move(self, move, now):
        board, (start, target, promotion) = now.board, move
        if move == NULL:
            return b"\x9a"
        if board.is_castling(move):
            try:
                return bytes([0x98 + (target < start)]) if castling(board, target < start) == move else None
            except Damage:
                return None
        white, kind, slot = next((key for key, square in now.pieces.items() if square == start), (None, None, None))
        # §4.3
        if white != board.white or board.is_own(target) or not board.goes(start, target) or promotion and target // 8 != (7 if white else 0):
            return None
        standing = board.squares[start].lower()
        offset = self.offset(start, target, standing, board.white)
        if promotion:
            # The second byte is never zero.
            return bytes([0xa0 + slot, 0x20 | offset << 2 | PROMOTED.index(promotion)])
        if standing != kind:
            return bytes([0xa8 + slot, 0x20 | offset])
        return bytes([FIRST[kind] + slot * WIDTH[kind] + offset])

    def offset(self, start, target, kind, white):
        if kind in "pnk":
            steps = {"p": [(file, rank) if white else (-file, -rank) for file, rank in PAWN], "n": self.knight, "k": self.king}[kind]
            return next(number for number, way in enumerate(steps) if step(start, *way) == target)
        file, rank = target % 8 - start % 8, target // 8 - start // 8
        if file and rank:
            return target // 8 if file == rank else 8 + target // 8
        line = target // 8 if not file else 8 + target % 8
        return line + 16 if kind == "q" else line


def row(columns, values):
    """§12: a row; columns without a value are null, zero or empty."""
    packed, null, out = [], [], b""
    for column in columns:
        value = values.get(column.name)
        if column.null:
            null.append(value is None)
        if column.type == 15:
            text = value or b""
            out += (bytes([len(text)]) if len(text) < 255 else b"\xff" + struct.pack(">H", len(text))) + text
            continue
        is_packed = not value
        if column.packed:
            packed.append(is_packed or column.type == 254)
        if column.type in jose.NUMBERS or column.type == 14:
            size = 3 if column.type == 14 else jose.NUMBERS[column.type]
            out += b"" if is_packed else (value & (1 << 8 * size) - 1).to_bytes(size, "little")
        elif column.type in jose.BLOBS:
            out += b"" if is_packed else len(value).to_bytes(jose.BLOBS[column.type], "little") + value
        elif column.packed:
            out += bytes([len(value or b"")]) + (value or b"")
        else:
            out += (value or b"").ljust(column.length)
    # §12: spare bits of the null bits are set.
    return bits(packed) + bits(null + [True] * (-len(null) % 8)) + out


def bits(flags):
    return sum(flag << place for place, flag in enumerate(flags)).to_bytes((len(flags) + 7) // 8, "little")


def block(data):
    """§11: a row in one block."""
    long = len(data) > 65516
    size = max(20, (len(data) + 3 + long + 3) // 4 * 4)
    head = bytes([1 + long]) + len(data).to_bytes(2 + long, "big")
    unused = size - len(data) - len(head)
    if unused:
        head, unused = bytes([3 + long]) + head[1:] + bytes([unused - 1]), unused - 1
    return head + data + bytes(unused)


def state(model, rows, data):
    """§13, of a table with the columns of another: the fields that depend on its rows; process, number, version and times are 0."""
    out = bytearray(model)
    for at, number in (28, rows), (44, rows), (68, len(data)):
        struct.pack_into(">Q", out, at, number)
    for at, size in (108, 8), (132, 4), (144, 8):
        out[at:at + size] = bytes(size)
    return bytes(out)


class Names:
    """§9: numbers begin at 1001; number 0 is no name."""

    def __init__(self):
        self.ids = {"-": 0}

    def id(self, name):
        return self.ids.setdefault(name, 1000 + len(self.ids))


def date(text):
    """§9.5: the date and its flags."""
    parts = parts_of(text)
    year, month, day = [part or 1 for part in parts]
    flags = sum(flag for flag, part in zip((0x40, 0x20, 0x10), parts) if not part)
    return (year << 9 | month << 5 | day, flags) if any(parts) else (None, 0)


def values_of(game, number, names, published):
    """§9.3: the columns of a game."""
    # Of two tags of one name the first has the column.
    tags = dict(game["tags"][::-1])
    start = Board() if game["fen"] is None else Board(game["fen"])
    codes = Codes(published)
    stream = codes.line(tree(game["line"], Slots(start)))
    said = tags.get("JoseResult", tags["Result"])
    stream += bytes([RESULT_CODES[said]] if said in RESULT_CODES else []) + b"\xff"
    day, flags = date(tags["Date"])
    event_day, event_flags = date(tags.get("EventDate", "????.??.??"))
    # Model §3.1
    odd = start.rooks - start.corner_rooks()
    castles = {name(start.king(rook < 8)) + name(rook) for rook in odd}
    chess960 = bool(odd) and (is_chess960(tags.get("Variant", "")) or not castles.isdisjoint(map(str, game["line"])) or re.search("[A-Ha-h]", game["fen"].split(" ")[2]) is not None)
    info = ""
    # §9.4.4
    for tag, value in sorted(game["tags"], key=first):
        piece = tag + "=" + value
        named = re.fullmatch("[A-Za-z0-9_]+", tag) and list(pieces(piece)) == [(tag, value)]
        stored = is_column(tag, value) and tags[tag] == value and (tag != "Variant" or chess960)
        if not stored and named and len(info) + bool(info) + len(piece) < 256:
            info += ";" * bool(info) + piece
    eco, rated = ECO.fullmatch(tags.get("ECO", "")), {side: tags.get(side + "Elo", "") for side in ("White", "Black")}
    return {
        "cid": names["collection"].id(tags.get("Collection", "base")), "idx": number, "plycount": codes.plies, "result": RESULT_NUMBERS[tags["Result"]],
        "attributes": ("(" in game["line"]) | 2 * any(code <= 0xe0 for code in codes.others) | 4 * any(code > 0xe0 for code in codes.others) | 8 * chess960,
        **{tag.lower() + "id": names[kind].id(tags[tag]) for tag, kind in NAMED.items()},
        **{side.lower() + "elo": int(rated[side]) if is_column(side + "Elo", rated[side]) else None for side in rated},
        "gamedate": day, "eventdate": event_day, "dateflags": flags | event_flags << 8,
        "openingid": names["opening"].id(tags.get("Opening", "-")), "annotatorid": names["player"].id(tags["Annotator"]) if "Annotator" in tags else None,
        "eco": eco.group(1).encode() if eco else None, "round": None if tags["Round"] == "?" else cesu(tags["Round"][:32]),
        **{tag.lower(): cesu(tags[tag]) for tag in ("WhiteTitle", "BlackTitle", "Board") if tag in tags},
        "fen": None if game["fen"] is None else cesu(game["fen"]),
        "info": cesu(info) if info else None,
        "bin": stream, "comments": b"".join(codes.texts) or None,
    }


ECO = re.compile(r"([A-F][0-9][0-9])([a-z][1-4]?|/[0-9][0-9])?")


def first(tag):
    """§9.4.4: the order of Info."""
    name, value = tag
    return 0 if name == "ECO" and ECO.fullmatch(value) else 1 if name == "Round" else 2 if tag == ["Deleted", "1"] else 3


def is_column(name, value):
    """Whether a tag has a column of its own; all others are in Info. (§9.3, §9.4)"""
    if name in ("WhiteElo", "BlackElo"):
        return re.fullmatch("[1-9][0-9]{0,4}", value) is not None and int(value) < 65536
    if name in ("Date", "EventDate"):
        return re.fullmatch(r"([0-9]{4}|\?{4})(\.([0-9]{2}|\?\?)){2}", value) is not None and (0 in parts_of(value)) == ("?" in value)
    if name == "ECO":
        return re.fullmatch(ECO, value) is not None and len(value) == 3
    if name == "Round":
        return len(value) < 33
    if name == "Variant":
        return value == "Chess960"
    return name in TYPED + ["Collection", "Annotator", "Opening", "WhiteTitle", "BlackTitle", "Board", "JoseResult"]


def tables(games, published=False):
    """The files of the tables, by name."""
    files = jose.unpack(MODEL.read_bytes())
    names = {kind: Names() for kind in ("player", "event", "site", "opening", "collection")}
    rows = {"game": [values_of(game, number, names, published) for number, game in enumerate(games, 1)]}
    for kind, table in names.items():
        rows[kind] = [{"id": key, "name": cesu(name)} for name, key in table.ids.items()]
    # §9
    rows["opening"] = [{**each, "eco": b"-", "ply": 0} for each in rows["opening"]]
    rows["collection"] = [{**each, "attributes": 8, "gamecount": sum(values["cid"] == each["id"] for values in rows["game"])} for each in rows["collection"][1:]]
    for kind, found in rows.items():
        table = "io_" + kind
        columns = jose.definition(files[table + ".frm"])
        files[table + ".myd"] = b"".join(block(row(columns, values)) for values in found)
        files[table + ".myi"] = state(files[table + ".myi"], len(found), files[table + ".myd"])
    return files


def write(games, published=False):
    """An archive of the tables."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in tables(games, published).items():
            archive.writestr(name, content)
    return {"jose": out.getvalue()}
