"""Writes the files of a base of Chess Assistant, from its description. (docs/formats/chessassistant.md)"""

import struct

from ca_record import PAWN, PLAIN, Place, usual

NAGS = [1, 2, 3, 4, 5, 6, 13, 16, 17]
KINDS = {"p": 1, "n": 2, "b": 3, "r": 4, "q": 5, "k": 6}
SLOTS = {"p": range(8), "n": (8, 9), "b": (10, 11), "r": (12, 13), "q": (14,), "k": (15,)}
OUTCOMES = {"1/2-1/2": 1, "1-0": 2, "0-1": 3, "*": 4}
TABLES = ["Players", "Events", "Places", "Sources"]
FILES = ["cdp", "iii", "axx", "dxx", "d00", "a01", "d01"]
SIGNATURE = b"Chess Assistant 3.0 database."


def sets_up(board):
    """§7.4: the place of a start position, or None where its pieces have no numbers."""
    numbers = {}
    for square, piece in enumerate(board.squares):
        if piece == ".":
            continue
        white, kind = piece.isupper(), piece.lower()
        free = [slot for slot in SLOTS[kind] if (white, slot) not in numbers]
        if not free and kind not in "pk":
            free = [slot for slot in (16, 17) if (white, slot) not in numbers]
        if not free:
            return None
        numbers[white, free[0]] = square
    return Place(board, numbers)


def setup(place):
    """§7.4"""
    out, board = b"\xe6", place.board
    for white in True, False:
        for number in range(18):
            square = place.numbers.get((white, number))
            out += b"\x08\0" if square is None else bytes([square // 8 << 4 | square % 8, KINDS[board.squares[square].lower()]])
    rights = sum(bit for bit, rook in ((1, 7), (2, 0), (4, 63), (8, 56)) if rook in board.rooks)
    passing = 0 if board.passing is None else board.passing // 8 << 4 | board.passing % 8
    return out + struct.pack("<HBB", 0 if board.white else 1, rights, passing)


class Writer:
    """`reading` tells which way files are counted: "right", or "literal", left but for code 212 and those after it."""

    def __init__(self, reading):
        self.reading = reading

    def line(self, line, place):
        out = self.comment(line.comment, 5)
        for ply in line.plies:
            for variation in ply.variations:
                out += b"\xe7" + self.line(variation, place) + b"\xe8"
            place = place.copy()
            out += self.move(ply, place)
            for nag in ply.nags:
                out += bytes([234, 2, nag])
            out += self.comment(ply.comment, 4)
        return out

    def comment(self, text, kind):
        if text is None:
            return b""
        data = bytes([kind]) + text.encode("ascii")
        return bytes([235, len(data)]) + data if len(data) < 200 else bytes([236]) + struct.pack("<I", len(data)) + data

    def step(self, start, target, mirrored):
        files = target % 8 - start % 8
        return (target // 8 - start // 8) % 8 << 4 | (-files if mirrored else files) % 8

    def move(self, ply, place):
        """The code of a move, which is played."""
        board, (start, target, promotion) = place.board, ply.move
        white = board.white
        if board.is_castling(ply.move):
            place.play(ply.move)
            return bytes([208 if target > start else 207])
        number = next(key[1] for key, square in place.numbers.items() if key[0] == white and square == start)
        is_pawn = board.squares[start] in "Pp"
        step = self.step(start, target, self.reading != "right")
        passing = b"\xd2" if is_pawn and target == board.passing and start % 8 != target % 8 else b""
        place.play(ply.move)
        if promotion:
            del place.numbers[white, number]
            free = [slot for slot in [*SLOTS[promotion], 16, 17] if (white, slot) not in place.numbers]
            becomes = free[0] if free else number
            place.numbers[white, becomes] = target
            return bytes([209, number << 2 | PAWN[white].index(step), KINDS[promotion] << 5 | becomes])
        if is_pawn:
            return passing + bytes([number << 2 | PAWN[white].index(step)])
        if number < 8:
            return bytes([212 + number, self.step(start, target, False)])
        return bytes([32 + PLAIN.index((number, step))])


class Table:
    """§4: names, by id."""

    def __init__(self, titled):
        self.titled, self.ids, self.addresses, self.data = titled, {}, [], bytearray(b"\0\0\0\0")

    def id(self, name):
        if name not in self.ids:
            self.ids[name] = len(self.addresses)
            self.addresses.append(len(self.data))
            text = name.encode("ascii")
            self.data += bytes([len(text)]) + (b"\0" if self.titled else b"") + text
        return self.ids[name].to_bytes(3, "little")

    def files(self):
        count = len(self.addresses)
        order = sorted(range(count), key=lambda key: list(self.ids)[key])
        found = {
            "iii": struct.pack("<%di" % count, *order), "axx": bytes((count + 7) // 8), "dxx": bytes((count + 7) // 8),
            "a01": struct.pack("<%di" % count, *self.addresses), "d01": bytes(self.data),
        }
        if self.titled:
            found["d00"] = bytes(10 * count)
        return found


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
    year, month, day = (int(part) if part.isdigit() else 0 for part in text.split("."))
    return ((year * 13 + month) * 32 + day).to_bytes(3, "little")


def write(games, reading):
    """The files by extension. A game is (tags, start or None, line)."""
    players, events, places, sources = tables = [Table(titled) for titled in (True, False, False, False)]
    headers, addresses, records = bytearray(), [], bytearray(b"\0\0\0\0")
    writer = Writer(reading)
    for number, (tags, start, line) in enumerate(games):
        place = usual() if start is None else sets_up(start)
        record = (b"" if start is None else setup(place)) + writer.line(line, place)
        addresses.append(len(records))
        # §7.1
        size = bytes([len(record)]) if len(record) < 128 else bytes([128 | len(record) & 127, len(record) >> 7])
        records += size + record
        eco = tags.get("ECO")
        played = int(tags["Round"]) if tags["Round"].isdigit() else 0
        headers += struct.pack(
            "<3s3sHHB3s3s3sIIBBH3s3s", players.id(tags["White"]), players.id(tags["Black"]),
            int(tags.get("WhiteElo", 0)), int(tags.get("BlackElo", 0)), OUTCOMES[tags["Result"]], stored_date(tags["Date"]),
            events.id(tags["Event"]), places.id(tags["Site"]), 0, number, 0, played * 2,
            500 if eco is None else "ABCDE".index(eco[0]) * 100 + int(eco[1:]), players.id(tags.get("Annotator", "?")), sources.id("?"))
    cdp = SIGNATURE.ljust(50, b"\0") + b"\nChess Data Pro format. Version 1.3".ljust(54, b"\0") + struct.pack("<II", len(addresses), 0)
    return {"cdp": cdp, "emb": volume(tables), "d00": bytes(headers), "a02": struct.pack("<%di" % len(addresses), *addresses), "d02": bytes(records)}
