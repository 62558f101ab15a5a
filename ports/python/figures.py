"""Makes the pictures of docs/formats: records as rulers, one record byte by byte, the numbers of pieces.

    python3 ports/python/figures.py [--check]

Rulers come from the descriptions for Kaitai Struct, bytes from records of fixtures, and numbers from the readers in this folder.
To say which bytes are a move, a record is read again and again, each time with one byte more.
"""

import sys
from pathlib import Path

import ca_record
import cbf_moves
import cbh
import dcg
import fields
import lines
import movecode
import scid
from board import Board, text
from game import Damage, Game

IMAGES = Path(__file__).resolve().parents[2] / "docs/images"
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
FILL, LINE, SHADE = "#f4f1ea", "#2f6f4f", "#dfeae2"
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="monospace" font-size="9">\n<!-- made by ports/python/figures.py -->\n'


def box(x, y, wide, high, words, title=None, fill=FILL):
    shown = words if len(words) * 5.4 < wide - 4 else words[:max(int((wide - 4) / 5.4), 1)]
    note = "<title>%s</title>" % (title or words)
    return ('<rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="%s"/>\n<text x="%d" y="%d">%s%s</text>'
            % (x, y, wide, high, fill, LINE, x + 3, y + high // 2 + 4, note, shown))


def picture(wide, high, parts):
    return HEAD % (wide, high) + "\n".join(parts).replace("&", "&amp;") + "\n</svg>\n"


# Bits


# scid §2.2: words that hold several fields: offset, bytes, fields with their numbers of bits from the highest.
SCID_BITS = [
    (6, 1, [("length 16", 1), ("", 1), ("flags 16-21", 6)]),
    (9, 1, [("white id 16-19", 4), ("black id 16-19", 4)]),
    (14, 1, [("event 16-18", 3), ("site 16-18", 3), ("round 16-17", 2)]),
    (21, 2, [("result", 4), ("NAGs", 4), ("comments", 4), ("variations", 4)]),
    (25, 4, [("event year", 3), ("month", 4), ("event day", 5), ("year", 11), ("month", 4), ("day", 5)]),
    (29, 2, [("kind", 4), ("White's rating", 12)]),
    (31, 2, [("kind", 4), ("Black's rating", 12)]),
    (38, 1, [("half-moves 8-9", 2), ("home pawn count", 6)]),
]
# cbf §3: the same for the 14 bytes of a header without its mask.
CBF_BITS = [
    (1, 1, [("", 2), ("evaluation", 4), ("result", 2)]),
    (4, 1, [("ECO 5-6", 2), ("player bytes", 6)]),
    (5, 1, [("ECO 7-8", 2), ("source bytes", 6)]),
    (10, 1, [("deleted", 1), ("marked", 1), ("ECO bits 0-4", 5), ("set-up", 1)]),
    (11, 1, [("sub 6", 1), ("version", 1), ("sub-code bits 0-5", 6)]),
]


def bits(words):
    """Words as rows of bits, the highest on the left."""
    parts, y = [], 24
    for number in range(16):
        parts.append('<text x="%d" y="14">%d</text>' % (60 + number * 43, 15 - number))
    for at, size, found in words:
        assert sum(count for _, count in found) == 8 * size
        left, row = 0, 0
        for words_, count in found:
            begin = left
            while begin < left + count:
                stop = min(left + count, begin // 16 * 16 + 16)
                # A word of one byte stands under bits 7 to 0.
                column = begin % 16 + (8 if size == 1 else 0)
                parts.append(box(44 + column * 43, y + begin // 16 * 34, (stop - begin) * 43, 28, words_ if begin == left else "", words_ or "unused"))
                begin = stop
            left += count
        parts.append('<text x="6" y="%d">%02x</text>' % (y + 18, at))
        y += 34 * (1 if size <= 2 else size // 2)
    return picture(44 + 16 * 43 + 8, y + 4, parts)


# Rulers

# Description for Kaitai Struct and its record, for formats without a table of fields.
RULERS = {"ruler-scid": ("scid_index_4", "entry", 16), "ruler-dcg": ("dcg_index", "entry", 16), "ruler-chessassistant": ("chessassistant_headers", "header", 16)}


def ruler(description, record, width):
    """A record as rows of `width` bytes, its fields as boxes."""
    parts, end = [], 0
    for _, at, size, _, name in fields.rows(description, record, ""):
        at, begin = int(at, 16), int(at, 16)
        while begin < at + size:
            stop = min(at + size, begin // width * width + width)
            words = name.replace("_", " ") if begin == at else ""
            parts.append(box(44 + begin % width * 44, 8 + begin // width * 34, (stop - begin) * 44, 28, words, "%02x %s" % (at, name)))
            begin = stop
        end = at + size
    marks = ['<text x="6" y="%d">%02x</text>' % (26 + row * 34, row * width) for row in range(-(-end // width))]
    return picture(52 + width * 44, 12 + len(marks) * 34, marks + parts)


# Records


def plain(token):
    return token["comment"] if isinstance(token, dict) else token


def steps(record, head, read):
    """(bytes, words) of a record: first those of `head`, then those behind which `read` gives a token more."""
    found, at = [], 0
    for count, words in head:
        found.append((record[at:at + count], words))
        at += count
    line, begin = [], at
    for end in range(at + 1, len(record) + 1):
        now = read(record[:end])
        if len(now) > len(line):
            found.append((record[begin:end], " ".join(map(plain, now[len(line):]))))
            begin, line = end, now
    if begin < len(record):
        found.append((record[begin:], "end"))
    return found


def first(format_, case, number=0):
    base = lines.open_base(next(path for path in sorted((FIXTURES / format_ / case).iterdir()) if path.suffix in (".si4", ".cbh", ".dci", ".d00", ".cbf", ".jose")))
    return base, number


def read_of(reading):
    """The line that a reader has when it meets the end of what is there."""
    game = Game()
    try:
        reading(game)
    except Damage:
        pass
    return game.line


def scid_record():
    base, number = first("scid", "plain")
    entry = base.entry(number)
    record = base.games[entry["offset"]:entry["offset"] + entry["length"]]
    return steps(record, [(1, "no tags"), (1, "flags")], lambda data: read_of(lambda game: scid.Record(data, game).read()))


def cbh_record():
    base, number = first("cbh", "plain")
    offset = base.places(base.games[number])[0]
    record = base.moves[offset:offset + int.from_bytes(base.moves[offset + 1:offset + 4], "big")]

    def read(data):
        tree = cbh.Tree()
        try:
            cbh.decode_moves(data[4:], data[0] & 63, Board(), tree)
        except Damage:
            pass
        return [text(move) for move in tree.moves[1:]]

    return steps(record, [(1, "flags, mode"), (3, "size")], read)


def dcg_record():
    base, number = first("dcg", "basic")
    record = base.record(base.entry(number)["offset"])[0]
    return steps(record, [(1, "start")], lambda data: read_of(lambda game: dcg.read(data, game, base.promotions)))


def chessassistant_record():
    base, number = first("chessassistant", "plain")
    at = base.place(base.headers[number])
    record = base.record(at)[0]
    length = base.d02[at:at + 1 + (base.d02[at] > 127)]

    def read(data):
        game = Game()
        ca_record.Reader(game, base.decode, base.reading).read(data[len(length):])
        return game.line

    return steps(length + record, [(len(length), "length")], read)


def movecode_record():
    base, number = first("movecode", "basic")
    codes = movecode.jose.values(base.rows[number], base.columns)["bin"]
    return steps(codes, [], lambda data: read_of(lambda game: movecode.Stream(base, {"bin": data}, game).read()))


def cbf_record():
    base, number = first("cbf", "tiny")
    record = base.record(base.places[number])
    read = lambda data: [text(token) if not isinstance(token, str) else token for token in cbf_moves.chosen(data, [], record.start, base.numbering, True).line]
    return steps(bytes(record.moves), [], read)


def record(found, most=24):
    """Boxes of bytes with what they say; of a long record the beginning and the end."""
    if len(found) > most:
        found = found[:most - 1] + [(b"", "...")] + found[-1:]
    parts, x, y = [], 8, 8
    for data, words in found:
        wide = max(len(data) * 22, int(len(words) * 5.6) + 8, 26)
        if x + wide > 748:
            x, y = 8, y + 46
        parts.append(box(x, y, wide, 20, " ".join("%02x" % byte for byte in data[:30]), words, SHADE))
        parts.append('<text x="%d" y="%d">%s</text>' % (x + 3, y + 31, words))
        x += wide + 4
    return picture(756, y + 40, parts)


# Numbers of pieces


def numbers(of):
    """The first and last two ranks of the usual position with the number of each piece: square -> (letter, number)."""
    parts = []
    for row, rank in enumerate((7, 6, 1, 0)):
        y = 8 + row * 40 + (14 if row > 1 else 0)
        parts.append('<text x="8" y="%d">%d</text>' % (y + 22, rank + 1))
        for file in range(8):
            letter, number = of[rank * 8 + file]
            fill = SHADE if (rank + file) % 2 else FILL
            parts.append(box(24 + file * 60, y, 60, 36, "%s %s" % (letter, number), fill=fill))
    parts += ['<text x="%d" y="186">%s</text>' % (50 + file * 60, "abcdefgh"[file]) for file in range(8)]
    return picture(512, 192, parts)


def scid_numbers():
    board = Board()
    lists = scid.Numbered(board, False).lists
    return {square: (board.squares[square], number) for side in lists.values() for number, square in enumerate(side)}


def cbh_numbers():
    of = cbh.Numbers(Board()).of
    return {square: (piece, number + 1) for piece, squares in of.items() for number, square in enumerate(squares)}


def chessassistant_numbers():
    place = ca_record.usual()
    return {square: (place.board.squares[square], number) for (_, number), square in place.numbers.items()}


def movecode_numbers():
    slots = movecode.Slots(Board())
    return {square: (slots.board.squares[square], slot) for (_, _, slot), square in slots.pieces.items()}


def pictures():
    made = {name: ruler(*what) for name, what in RULERS.items()}
    made.update({"bits-scid": bits(SCID_BITS), "bits-cbf": bits(CBF_BITS)})
    for name, found in ("scid", scid_record), ("cbh", cbh_record), ("dcg", dcg_record), ("chessassistant", chessassistant_record), ("movecode", movecode_record), ("cbf", cbf_record):
        made["bytes-" + name] = record(found())
    for name, found in ("scid", scid_numbers), ("cbh", cbh_numbers), ("chessassistant", chessassistant_numbers), ("movecode", movecode_numbers):
        made["pieces-" + name] = numbers(found())
    return made


def main(check):
    differ = 0
    for name, text in pictures().items():
        path = IMAGES / (name + ".svg")
        if not check:
            path.write_text(text, "utf-8")
        elif not path.is_file() or path.read_text("utf-8") != text:
            differ += 1
            print("%s is out of date; run python3 ports/python/figures.py" % path.name)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] == ["--check"]))
