"""Writes the five files of a Simple Chess Database, from its description. (docs/formats/dcg.md)"""

import struct

from dcg import DESCRIBED, MAGICS, NAME_SIZE, PROGRAM
from random_games import start_fen

NAGS = [1, 2, 3, 4, 5, 6, 7, 10, 13, 16, 17, 18, 19, 22, 23, 40, 41, 132, 133]


def length(count):
    """§6.1"""
    if count < 128:
        return bytes([count])
    size = (count.bit_length() + 7) // 8
    return bytes([0x80 + size]) + count.to_bytes(size, "big")


def counted(data):
    return length(len(data)) + data


def written_move(ply, promotions):
    """§6.3"""
    start, target, promotion = ply.move
    if ply.board.is_castling(ply.move):
        target = start + 2 if target > start else start - 2
    return struct.pack(">H", promotions[promotion] << 12 | start << 6 | target)


def written_line(line, promotions):
    out = written_comment(line.comment)
    for ply in line.plies:
        out += written_move(ply, promotions)
        if ply.nags:
            out += b"\x87" + counted(bytes(ply.nags))
        out += written_comment(ply.comment)
        for variation in ply.variations:
            out += b"\x84" + written_line(variation, promotions) + b"\x85"
    return out


def written_comment(text):
    return b"" if text is None else b"\x86" + counted(text.encode())


class Names:
    """§5"""

    def __init__(self, magic):
        self.data, self.places = bytearray(magic), {}

    def place(self, name):
        if name not in self.places:
            self.places[name] = len(self.data)
            self.data += name.encode().ljust(NAME_SIZE)
        return self.places[name]


def write(games, numbering):
    """The five files by extension. A game is (tags, start or None, line); `numbering` is "described" or "program"."""
    results = {"*": 0, "1-0": 1, "0-1": 2, "1/2-1/2": 3}
    codes = {"described": DESCRIBED, "program": PROGRAM}[numbering]
    promotions = {"": 0, **{piece: code for code, piece in codes.items()}}
    players, sites, events = (Names(magic) for magic in MAGICS[1:4])
    # §3: the game to open is the first.
    index, records = bytearray(MAGICS[0] + b"\0" + struct.pack(">Q", 19)), bytearray(MAGICS[4])
    for tags, start, line in games:
        head = b"\0" if start is None else b"\1" + counted(start_fen(start).encode())
        place = len(records)
        records += counted(head + written_line(line, promotions))
        year, month, day = (int(part) if part.isdigit() else 0 for part in tags["Date"].split("."))
        number = tags["Round"]
        index += struct.pack(
            ">BQIIHIIHHB3sHBB", 0, place, players.place(tags["White"]), players.place(tags["Black"]),
            int(number) if number.isdigit() else 0, sites.place(tags["Site"]), events.place(tags["Event"]),
            int(tags.get("WhiteElo", 0)), int(tags.get("BlackElo", 0)), results[tags["Result"]],
            tags.get("ECO", "\0\0\0").encode(), year, month, day)
    return {"dci": bytes(index), "dcn": bytes(players.data), "dcs": bytes(sites.data), "dce": bytes(events.data), "dcg": bytes(records)}
