"""Writes an archive of jose from its description of the codes. (docs/formats/movecode.md)

The definitions of the tables are those of an archive that jose wrote.
"""

import io
import struct
import zipfile

import jose
from board import Board, step
from movecode import COLUMN_RESULTS, KING, KNIGHT, PAWN, PROMOTED, PUBLISHED_KING, PUBLISHED_KNIGHT, Slots
from random_games import start_fen

NAGS = [1, 2, 3, 4, 5, 6, 7, 10, 13, 31, 32, 44, 139, 255]
FIRST = {"p": 0x00, "n": 0x20, "b": 0x30, "r": 0x50, "q": 0x70, "k": 0x90}
RESULT_CODES = {"0-1": 0xd0, "1/2-1/2": 0xd1, "1-0": 0xd2, "*": 0xd3}
RESULT_NUMBERS = {result: number for number, result in COLUMN_RESULTS.items()}
WIDTH = {"p": 4, "n": 8, "b": 16, "r": 16, "q": 32, "k": 8}


def has_slots(board):
    """§5.4.1: whether each piece of a start position has a slot."""
    return len(Slots(board).pieces) == sum(piece != "." for piece in board.squares)


class Codes:
    """The codes of a game, and its texts. `published` is the numbering of the description."""

    def __init__(self, published):
        self.published, self.texts = published, []
        self.knight, self.king = (PUBLISHED_KNIGHT, PUBLISHED_KING) if published else (KNIGHT, KING)

    def game(self, tags, start, line):
        return self.line(line, Slots(start or Board())) + bytes([RESULT_CODES[tags["Result"]], 0xff])

    def line(self, line, now):
        out = self.comment(line.comment)
        for ply in line.plies:
            before, now = now, now.copy()
            out += self.move(ply.move, before)
            now.play(ply.move)
            for nag in ply.nags:
                out += bytes([0xb0 + nag]) if 1 <= nag <= 31 else bytes([0xb0, nag])
            out += self.comment(ply.comment)
            for variation in ply.variations:
                out += b"\xf0" + self.line(variation, before) + b"\xf1"
        return out

    def comment(self, text):
        if text is None:
            return b""
        if self.published:
            return b"\xe0" + text.encode() + b"\0"
        self.texts.append(text.encode() + b"\0")
        return b"\xe0"

    def move(self, move, now):
        board, (start, target, promotion) = now.board, move
        if board.is_castling(move):
            return b"\x98" if target > start else b"\x99"
        _, kind, slot = next(key for key, square in now.pieces.items() if square == start)
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
    return bits(packed) + bits(null) + out


def bits(flags):
    number = sum(flag << place for place, flag in enumerate(flags))
    size = (len(flags) + 7) // 8
    spare = (1 << 8 * size) - (1 << len(flags))
    return (number | spare).to_bytes(size, "little")


def block(data):
    """§11.2, §11.3: a row in one block of twenty bytes or more, which ends on a multiple of four."""
    for kind, sizes in (1, 2), (3, 2), (2, 3), (4, 3):
        head = 1 + sizes + (kind > 2)
        unused = max(20, (head + len(data) + 3) // 4 * 4) - head - len(data)
        if len(data) < 1 << 8 * sizes and (unused == 0) == (kind < 3):
            return bytes([kind]) + len(data).to_bytes(sizes, "big") + (bytes([unused]) if kind > 2 else b"") + data + bytes(unused)
    raise ValueError("no block holds the row")


class Names:
    def __init__(self):
        self.ids = {}

    def id(self, name):
        return 0 if name == "?" else self.ids.setdefault(name, len(self.ids) + 1)


def write(games, published, model):
    """A .jose archive. `model` is the archive that the definitions are taken from."""
    files = jose.unpack(model)
    columns = {kind: jose.definition(files["io_%s.frm" % kind]) for kind in ("game", "player", "event", "site")}
    names = {"player": Names(), "event": Names(), "site": Names()}
    data = b""
    for number, (tags, start, line) in enumerate(games):
        codes = Codes(published)
        stream = codes.game(tags, start, line)
        year, month, day = (int(part) if part.isdigit() else 0 for part in tags["Date"].split("."))
        values = {
            "idx": number, "plycount": len(line.plies), "result": RESULT_NUMBERS[tags["Result"]],
            "whiteid": names["player"].id(tags["White"]), "blackid": names["player"].id(tags["Black"]),
            "eventid": names["event"].id(tags["Event"]), "siteid": names["site"].id(tags["Site"]),
            "whiteelo": int(tags.get("WhiteElo", 0)) or None, "blackelo": int(tags.get("BlackElo", 0)) or None,
            # §9.5
            "gamedate": (year << 9 | (month or 1) << 5 | (day or 1)) if year else None,
            "dateflags": 0 if not year or day else 0x10 if month else 0x30,
            "eco": tags["ECO"].encode() if "ECO" in tags else None,
            "round": None if tags["Round"] == "?" else tags["Round"].encode(),
            "fen": None if start is None else start_fen(start).encode(), "bin": stream, "comments": b"".join(codes.texts) or None,
        }
        data += block(row(columns["game"], values))
    files["io_game.myd"] = data
    for kind, table in names.items():
        files["io_%s.myd" % kind] = b"".join(block(row(columns[kind], {"id": key, "name": name.encode()})) for name, key in table.ids.items())
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()
