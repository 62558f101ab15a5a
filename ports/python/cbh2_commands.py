"""Comments of canonical lines as annotations of ChessBase 17: cbh_commands.py with the layout of a .2cba. (docs/formats/cbh2.md §5)"""

import re
import struct

import cbh
import cbh2_notes
from board import square
from cbh_commands import TRAINING, Classic, number_of
from game import parts_of


def string(data):
    return struct.pack("<i", len(data)) + data


class Modern(Classic):
    """The layout of data in a .2cba. (§5.2)"""

    # §5.3.3
    most, command, bytes_of = 1 << 26, staticmethod(cbh2_notes.command), staticmethod(lambda text: with_figurines(text))
    head, many_glyphs = 8, True

    def named(self, kind, data):
        if kind in (0x04, 0x05):
            return string(data)
        if kind == 0x07:
            return data[::-1]
        if kind == 0x09:
            return training(data)
        if kind == 0x1c:
            return b"\1" + string(data[3:3 + data[2]]) + string(data[4 + data[2]:])
        if kind == 0x22:
            return data[::-1]
        if kind == 0x26:
            entries = b"".join(struct.pack("<hBB", value, depth, flag) for flag, depth, value in struct.iter_unpack(">BBh", data[2:]))
            return b"\1" + string(struct.pack("<h", len(entries) // 4) + entries)
        return data

    def may_have(self, kind, data):
        # §5.4.6
        return cbh2_notes.fits(kind, data)

    def is_text(self, data):
        # §5.3.4
        return data[:2] == b"\0\0"

    def are_glyphs(self, data):
        # §5.4.9
        return any(data)

    def glyphs(self, slots):
        return bytes(slots)

    def language(self, name):
        # §5.3.1
        number = next((number for number, code in cbh2_notes.LANGUAGES.items() if code == name), None)
        if number is None and re.fullmatch("#(0|[1-9][0-9]{0,4})", name) and int(name[1:]) < 65536:
            number = int(name[1:])
        named = cbh2_notes.LANGUAGES.get(number, "#%s" % number)
        return number if named == name and number != cbh2_notes.ANY else None

    def text(self, language, data):
        return struct.pack("<HH", 0, cbh2_notes.ANY if language is None else language) + string(data)

    def medals(self, data):
        return int.from_bytes(data, "little") & 0xffff

    def own(self, words):
        """§5.7: the commands that a .cba does not have."""
        for kind, pattern, data_of in ((0x09, r"\[%cbh training (.+)\]", without_moves), (0x13, r"\[%cbh quotation (.+)\]", quotation)):
            found = re.fullmatch(pattern, words)
            try:
                data = data_of(found.group(1)) if found else None
                if data and cbh2_notes.command(kind, data) == words:
                    return kind, data
            except (ValueError, KeyError, IndexError, AttributeError, TypeError, struct.error):
                continue
        return None


def with_figurines(text):
    """cbh §5.4.6"""
    private = text.translate(str.maketrans("♔♕♖♗♘", "\ue024\ue025\ue026\ue027\ue028"))
    return private.encode()


def quoted(found):
    pairs = re.findall(' ([a-z]+|#[0-9]+) "([^"]*)"', found)
    if "".join(' %s "%s"' % pair for pair in pairs) != found:
        raise ValueError
    return struct.pack("<h", len(pairs)) + b"".join(struct.pack("<H", TRAINING[of] if of in TRAINING else int(of[1:])) + string(text.encode()) for of, text in pairs)


def training(data):
    """§5.5: from the layout of a .cba."""
    out, at = b"\1\1\1\0\0\0" + data[5:11], 11

    def texts(at):
        found, end = cbh.training_list(data, at)
        return struct.pack("<h", len(found)) + b"".join(struct.pack("<H", of) + string(text.encode()) for of, text in found), end

    for _ in range(4):
        found, at = texts(at)
        out += found
    out, count, at = out + data[at:at + 1], data[at], at + 1
    for _ in range(count):
        found, end = texts(at + 4)
        out, at = out + data[at:at + 4] + found, end
    return out


def without_moves(found):
    """§5.4.10"""
    head, wrong, one, two, *solutions = found.split(" |")
    seconds, points, question = re.fullmatch("(-?[0-9]+) (-?[0-9]+)(.*)", head).groups()
    out = b"\1\1\2\0\0\0" + struct.pack("<ih", int(seconds), int(points)) + b"".join(map(quoted, (question, wrong, one, two))) + bytes([len(solutions) // 2])
    for first, second in zip(solutions[::2], solutions[1::2]):
        worth, texts = re.fullmatch(" ([0-9]+)(.*)", first).groups()
        out += bytes([int(worth)]) + quoted(texts) + quoted(second)
    return out


QUOTATION = re.compile(r'((?:"[^"]*" ){6})(\S+)(?: elo (\d+) (\d+))?(?: eco (\S+))?(?: date (\S+))?(?: type (\d+))?(?: nation (\d+))?(?: rounds (\d+))?'
                       r'(?: round (\d+) (\d+))?(?: lists "([^"]*)" "([^"]*)")?(?: start (\S+))?(?: unknown ([0-9a-f]+))?(?: (moves)((?: [a-h1-8]{4}[qnbr]?)*))?')


def quotation(words):
    """§5.6, §5.4.11"""
    names, result, *ratings, eco, day, kind, nation, rounds, major, minor, one, two, start, unknown, moves, line = QUOTATION.fullmatch(words).groups()
    # The fields of unknown meaning, one after the other: 2, 35, 44, 26, 11 and 2 bytes.
    sizes = [2, 35, 44, 26] + [11] * (start is not None) + [2]
    rest, parts = bytes.fromhex(unknown or "").ljust(sum(sizes), b"\0"), []
    for size in sizes:
        parts.append(bytearray(rest[:size]))
        rest = rest[size:]
    event, game = parts[1:3]
    number = cbh2_notes.RESULTS.index(result) if result in cbh2_notes.RESULTS else int(result)
    year, month, date = parts_of(day or "")
    letter, code, sub = re.fullmatch("([A-E])([0-9]{2})(?:/([0-9]{2}))?", eco).groups() if eco else ("A", 0, 0)
    opening = 128 * ("ABCDE".index(letter) * 100 + int(code) + 1) + int(sub or 0) if eco else 0
    event[:4] = struct.pack("<i", year << 9 | month << 5 | date)
    event[4], event[6], event[10] = int(kind or 0), int(nation or 0), int(rounds or 0)
    event[28:35] = struct.pack("<HHHB", *(int(each or 0) for each in ratings), opening, number)
    game[8:10] = bytes([int(major or 0), int(minor or 0)])
    out = b"\1" + struct.pack("<h", 1 + (moves is not None)) + parts[0] + b"\1\0\0\0\0"
    for text in re.findall('"([^"]*)"', names):
        out += bytes([len(text.encode()) + 1]) + text.encode() + b"\0"
    out += event + game + b"".join(b"\1\0\1\0\0" + string((text or "").encode()) for text in (one, two)) + parts[3]
    out += b"\1" if start is None else b"\0" + squares(start) + parts[4]
    plies = [ply(move) for move in (line or "").split()]
    return bytes(out + parts[-1] + struct.pack("<i", len(plies)) + b"".join(plies) + bytes(4))


def squares(start):
    out = bytearray(64)
    for rank, row in zip(range(7, -1, -1), start.split("/")):
        row = re.sub("[1-8]", lambda run: " " * int(run[0]), row)
        for file, piece in enumerate(row):
            out[8 * file + rank] = 0 if piece == " " else cbh2_notes.PIECES.index(piece)
    return bytes(out)


def ply(move):
    piece = "qnbr".index(move[4]) << 6 if move[4:] else 0
    return bytes([number_of(square(move[:2])) | 64 * bool(move[4:]), number_of(square(move[2:4])) | piece, 0, 0, 0])
