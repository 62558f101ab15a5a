"""The annotations of ChessBase 17. (docs/formats/cbh2.md §5)"""

import re
import struct
import unicodedata

import cbh
from board import name
from tables import rows

END = 0x7fffffff
# §5.2: types with data of a fixed size
FIXED = {0x03: 3, 0x07: 4, 0x08: 4, 0x14: 1, 0x16: 4, 0x17: 4, 0x18: 1, 0x21: 6, 0x22: 4, 0x23: 4, 0x24: 38, 0x25: 4, 0x27: 2}
# §5.3
LANGUAGES = {int(number): code for code, _, number in rows("cbh-languages")}
ANY = 7
TEXTS = 0x02, 0x82
# Not a type of the file: the rest of a record. (§5.4.5)
REST = -1


class Cut(Exception):
    """The record ends inside data."""


class Unknown(Exception):
    """A type, or a layout of data, that has no known size."""


class Bytes:
    """Reads fields of a record."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, size):
        # §5.1.2
        if not 0 <= size <= len(self.data) - self.at:
            raise Cut
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, code):
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def string(self):
        return self.take(self.number("i"))


def skip(kind, data):
    """Moves behind the data of an annotation. (§5.2)"""
    if kind in FIXED:
        data.take(FIXED[kind])
    elif kind in TEXTS:
        data.take(4)
        data.string()
    elif kind in (0x04, 0x05, 0x15):
        data.string()
    elif kind == 0x09:
        training(data)
    elif kind == 0x13:
        quotation(data)
    elif kind == 0x1c:
        fixed(data, b"\1")
        data.string()
        data.string()
    elif kind == 0x20:
        fixed(data, b"\1\0")
        data.take(2)
        data.string()
    elif kind == 0x26:
        fixed(data, b"\1")
        data.string()
    else:
        # §5.1.1
        raise Unknown


def fits(kind, data):
    """Whether data has the layout of its type, and nothing behind it."""
    found = Bytes(data)
    try:
        skip(kind, found)
    except (Cut, Unknown):
        return False
    return found.at == len(data)


def training(data):
    """§5.5"""
    lists = lambda: [(data.number("h"), data.string()) for _ in range(data.number("h"))]
    fixed(data, b"\1\1")
    variant = fixed(data, b"\1", b"\2")
    fixed(data, bytes(3))
    data.take(4 + 2)
    for _ in range(4):
        lists()
    for _ in range(data.number("B")):
        if variant == b"\1":
            data.take(4)
            lists()
        else:
            data.take(1)
            lists()
            lists()


def fixed(data, *choices):
    """Bytes that the data has; with others its size is not known."""
    # §5.1.8
    found = data.take(len(choices[0]))
    if found not in choices:
        raise Cut
    return found


def quotation(data):
    """§5.6"""
    fixed(data, b"\1")
    fixed(data, b"\1\0", b"\2\0")
    data.take(2)
    fixed(data, b"\1\0\0\0\0")
    for _ in range(6):
        data.take(data.number("B"))
    data.take(35 + 44)
    for _ in range(2):
        fixed(data, b"\1\0\1\0\0")
        data.string()
    if data.take(27)[-1] == 0:
        data.take(64 + 11)
    data.take(2)
    for _ in range(data.number("i")):
        data.take(5)
    fixed(data, bytes(4))


def blocks(content):
    """(position, type, data) of a record's annotations, and whether the record is cut. (§5.1)"""
    data, found = Bytes(content), []
    try:
        while True:
            position = data.number("i")
            if position == END:
                return found, False
            # A number below 0 is 0.
            for left in range(data.number("i"), 0, -1):
                begin = data.at
                kind = data.number("h")
                try:
                    skip(kind, data)
                except Unknown:
                    # §5.1.1, §5.4.5
                    found.append((position, REST, (left, content[begin:])))
                    return found, False
                found.append((position, kind, content[begin + 2:data.at]))
    except Cut:
        return found, True


def has_odd_squares(kind, data):
    """§5.1.6"""
    if kind not in (0x04, 0x05):
        return False
    size, entries = kind - 2, data[4:]
    return len(entries) % size != 0 or any(not 1 <= to <= 64 for at in range(0, len(entries), size) for to in entries[at + 1:at + size])


class Notes(cbh.Notes):
    """Puts moves and annotations into a game: cbh §5.3 with the data of §5.2. (§5.4.1)"""

    def language(self, data):
        language = int.from_bytes(data[2:4], "little")
        # §5.3.1
        words = "" if language == ANY else "[%%cbh lang %s] " % LANGUAGES.get(language, "#%d" % language)
        return words, data[8:]

    def command(self, kind, data):
        return command(kind, data)

    def stands_alone(self, kind, place, data):
        # §5.4.2
        return kind == 0x26 and place == -1


def as_classic(position, kind, data):
    """Data in the shape by which cbh §5.3 tells what an annotation is."""
    if kind == 0x03 and position >= 0 and any(data):
        # Zeros at the end are cut there.
        return kind, data.rstrip(b"\0")
    if kind in TEXTS and data[:2] != b"\0\0":
        # Not the shape of a text.
        return kind, b"\1" + data
    if kind in (0x16, 0x17) and position == -1:
        return kind, data[::-1]
    return kind, data


def command(kind, data):
    known = {0x04: lambda: cbh.marks("csl", 2, data[4:]), 0x05: lambda: cbh.marks("cal", 3, data[4:]), 0x07: lambda: cbh.time_spent(data[::-1]),
             0x18: lambda: cbh.critical(data), 0x1c: lambda: link(data), 0x21: lambda: cbh.evaluation(data), 0x22: lambda: medals(data),
             0x09: lambda: question(data), 0x13: lambda: quotation_words(data), 0x23: lambda: cbh.colour(data), 0x26: lambda: evaluations(data)}
    if kind == REST:
        # §5.4.5
        return "[%%cbh rest %d %s]" % (data[0], data[1].hex())
    if kind in TEXTS and data[:1] == b"\1":
        data = data[1:]
    words = known[kind]() if kind in known else None
    # §5.4.4
    return words or "[%%cbh %02x%s]" % (kind, " " + data.hex() if data else "")


def medals(data):
    return "[%%mdl %d]" % int.from_bytes(data, "little")


def link(data):
    parts = Bytes(data)
    first, address, caption = parts.take(1), parts.string(), parts.string()
    plain = all(0x20 <= byte <= 0x7e and byte not in b"]{}" for byte in address + caption)
    if first != b"\1" or not plain or not address or b" " in address or caption[:1] == b" ":
        return None
    return "[%%cbh link %s]" % " ".join(part.decode("ascii") for part in (address, caption) if part)


def question(data):
    """§5.4.3, §5.4.10"""
    found = Bytes(data)
    try:
        variant = found.take(6)[2]
        body = found.take(6)
        for _ in range(4):
            body += classic_list(found)
        count = found.take(1)
        body += count
        for _ in range(count[0]):
            body += found.take(4 if variant == 1 else 1)
            for _ in range(variant):
                body += classic_list(found)
    except (Cut, UnicodeDecodeError, struct.error):
        return None
    return cbh.training(bytes([1, 0, variant]) + struct.pack("<H", len(body) + 2) + body, variant) if found.at == len(data) else None


RESULTS = "0-1", "1/2-1/2", "1-0"
PIECES = " KQNBRP  kqnbrp"


def quotation_words(data):
    """§5.4.11, §5.6"""
    found = Bytes(data)
    try:
        form, unknown = found.take(3)[1], [found.take(2)]
        found.take(5)
        texts = [found.take(found.number("B")) for _ in range(6)]
        event, game = bytearray(found.take(35)), bytearray(found.take(44))
        lists = []
        for _ in range(2):
            found.take(5)
            lists.append(found.string().decode("utf-8"))
        before, usual = found.take(26), found.take(1)[0]
        pieces, behind = (found.take(64), found.take(11)) if usual == 0 else (None, b"")
        last, moves = found.take(2), [found.take(5) for _ in range(found.number("i"))]
        if any(text[-1:] != b"\0" for text in texts) or usual > 1 or form == 1 and moves:
            return None
        texts = [text[:-1].decode("utf-8") for text in texts]
        if not all(is_plain(text) for text in texts + lists):
            return None
        ratings, eco, date = struct.unpack("<HH", event[28:32]), int.from_bytes(event[32:34], "little"), int.from_bytes(event[:4], "little")
        words = ['"%s"' % text for text in texts] + [RESULTS[event[34]] if event[34] < 3 else str(event[34])]
        if any(ratings):
            words.append("elo %d %d" % ratings)
        if eco:
            opening = cbh.opening(eco)
            if opening is None:
                return None
            words.append("eco " + opening)
        if date:
            day = cbh.date_of(date)
            year, month, number = [int(part) if part.isdigit() else 0 for part in day.split(".")]
            # What would not come back the same stays data.
            if year << 9 | month << 5 | number != date:
                return None
            words.append("date " + day)
        words += ["%s %d" % (word, event[at]) for word, at in (("type", 4), ("nation", 6), ("rounds", 10)) if event[at]]
        if any(game[8:10]):
            words.append("round %d %d" % tuple(game[8:10]))
        if any(lists):
            words.append('lists "%s" "%s"' % tuple(lists))
        if pieces is not None:
            words.append("start " + board_words(pieces))
        event[:5], event[6], event[10], event[28:35], game[8:10] = bytes(5), 0, 0, bytes(7), bytes(2)
        unknown = b"".join(unknown + [bytes(event), bytes(game), before, behind, last]).rstrip(b"\0")
        if unknown:
            words.append("unknown " + unknown.hex())
        if form == 2:
            words += ["moves"] + [quoted_move(*m) for m in moves]
    except (Cut, UnicodeDecodeError, ValueError, IndexError, struct.error):
        return None
    return "[%%cbh quotation %s]" % " ".join(words)


def is_plain(text):
    """Whether a command can hold a text. (cbh §5.3.22)"""
    return not any(unicodedata.category(letter) == "Cc" or letter in '"]{}' for letter in text)


def quoted_move(begin, end, *rest):
    promotes, piece = begin >> 6, end >> 6
    if any(rest) or promotes > 1 or piece and not promotes:
        raise ValueError
    return name(cbh.square(begin & 63)) + name(cbh.square(end & 63)) + ("qnbr"[piece] if promotes else "")


def board_words(pieces):
    rows = []
    for rank in range(7, -1, -1):
        letters = "".join("1" if number == 0 else PIECES[number] for number in pieces[rank::8])
        if " " in letters:
            raise ValueError
        rows.append(re.sub("1+", lambda run: str(len(run[0])), letters))
    return "/".join(rows)


def classic_list(found):
    """A list of texts as a .cba has it."""
    count = found.take(2)
    words = count
    for _ in range(int.from_bytes(count, "little")):
        language, text = found.take(2), cbh.text_bytes(found.string().decode("utf-8"))
        words += language + struct.pack("<H", len(text)) + text
    return words


def evaluations(data):
    """§5.4.2, §5.4.3"""
    size, number = struct.unpack("<ih", data[1:7]) if len(data) >= 7 else (0, -1)
    entries = data[7:]
    if data[:1] != b"\1" or len(entries) != 4 * number:
        return None
    values, depths = [], []
    for at in range(0, len(entries), 4):
        value, depth, flag = struct.unpack("<hBB", entries[at:at + 4])
        # What would not come back the same stays data.
        if flag == 0 and abs(value) < 29000:
            values.append(value)
        elif flag == 1 and 1 <= abs(value) <= 1000:
            values.append(30000 - value if value > 0 else -30000 - value)
        elif flag == 0xff and value == 0:
            values.append(32767)
        else:
            return None
        depths.append(depth)
    first = next((place for place, value in enumerate(values) if value != 32767 or depths[place]), None)
    if first is None:
        return None
    values, depths = values[first:], depths[first:]
    words = "[%%evp %d,%d,%s]" % (first, first + len(values) - 1, ",".join(map(str, values)))
    # §5.4.3
    if any(depths):
        words += " [%%cbh depths %s]" % ",".join(runs(depths))
    return words


def runs(numbers):
    at = 0
    while at < len(numbers):
        end = at
        while end < len(numbers) and numbers[end] == numbers[at]:
            end += 1
        yield "%d*%d" % (numbers[at], end - at) if end - at > 1 else str(numbers[at])
        at = end
