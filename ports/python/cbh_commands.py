"""Comments of canonical lines as items of ChessBase: what cbh §5.3 and §5.4 read, the other way.

The drawings of Scid (§5.3.23) are left as texts.
"""

import re
import struct

import cbh
import cbh2_notes
from board import NULL, square
from game import decode

# A command, or the two of one item. (§5.3.21)
COMMAND = re.compile(r"\[%evp [^]]*\] \[%cbh depths [^]]*\]|\[%[^]]*\]")
COLOURS = {letter: number for number, letter in cbh.COLOURS.items()}
LANGUAGES = {code: number for number, code in cbh.LANGUAGES.items()}
TRAINING = {code: number for number, code in enumerate(cbh.TRAINING_LANGUAGES)}
BYTES = {figurine: bytes([byte]).decode("windows-1252") for byte, figurine in cbh.FIGURINES.items()}
PRIVATE = str.maketrans("♔♕♖♗♘", "\ue024\ue025\ue026\ue027\ue028")


class Classic:
    """The layout of data in a .cba. (§5.2)"""

    most, others = 65527, (0x09, 0x13, 0x15, 0x1c, 0x20, 0x24, 0x26)
    command, bytes_of = staticmethod(cbh.command), staticmethod(lambda text: text_bytes(text))

    # The bytes before a text.
    head, many_glyphs = 2, False

    def has_move(self, board, move):
        return move == NULL or board.legal(move)

    def named(self, kind, data):
        """The data of a named command, given as it stands in a .cba."""
        return data

    def may_have(self, kind, data):
        # §5.3.29
        return not (kind in self.others and cbh2_notes.fits(kind, data))

    def is_text(self, data):
        return data[:1] == b"\0" and len(data) > 1

    def are_glyphs(self, data):
        return cbh.is_glyphs(3, data, 0)

    def glyphs(self, slots):
        return bytes(slots).rstrip(b"\0")

    def language(self, name):
        """The number of a language, or None."""
        number = LANGUAGES.get(name) or int(name if name.isdigit() else 0)
        # §5.4.1
        return number if 0 < number < 256 and str(cbh.LANGUAGES.get(number, number)) == name else None

    def text(self, language, data):
        return bytes([0, language or 0]) + data

    def medals(self, data):
        return int.from_bytes(data, "big") & 0xffff


class Plain:
    """What a reader of texts asks of its base."""

    exact, text = False, staticmethod(decode)


READER = cbh.Notes(Plain, {}, None)


def number_of(at):
    """The square that the format counts from a1 along the files. (§2)"""
    return at % 8 * 8 + at // 8


def marks(size, found):
    return b"".join(bytes([COLOURS[one[0]]] + [number_of(square(one[at:at + 2])) + 1 for at in range(1, size, 2)]) for one in found.split(","))


def centipawns(found):
    # §5.3.19
    whole = re.fullmatch("(-?[0-9]+),([0-9]+)", found)
    if whole:
        value, depth = map(int, whole.groups())
        return mate((32767 - abs(value)) * (1 if value > 0 else -1), depth) if abs(value) > 32000 else struct.pack("<hhh", value, 0, depth)
    pawns, cents, depth = re.fullmatch(r"(-?[0-9]+)\.([0-9]{2})(?:,(-?[0-9]+))?", found).groups()
    return struct.pack("<hhh", int(pawns + cents), 0, int(depth or 0))


def mate(plies, depth):
    return struct.pack("<hhh", int(plies), 1, int(depth or 0))


def evaluation(found):
    return mate(*re.fullmatch("#(-?[0-9]+)(?:,(-?[0-9]+))?", found).groups()) if found[:1] == "#" else centipawns(found)


def evaluations(values, depths):
    """§5.3.20, §5.3.21"""
    first, last, *values = map(int, values.split(","))
    runs = [[int(number) for number in run.split("*")] for run in depths.split(",")] if depths else [[0, len(values)]]
    depths = [depth for depth, *times in runs for _ in range(times[0] if times else 1)]
    if len(values) != len(depths) or last != first + len(values) - 1:
        return None
    out = struct.pack(">H", first + len(values)) + b"\xff\0\0\0" * first
    for value, depth in zip(values, depths):
        none, mates = value == 32767, abs(value) >= 29000
        out += struct.pack(">BBh", 255 if none else mates, depth, 0 if none else (30000 if value > 0 else -30000) - value if mates else value)
    return out


def link(address, caption):
    address, caption = address.encode("ascii"), (caption or "").encode("ascii")
    return struct.pack("<HB", 4 + len(address + caption), len(address)) + address + bytes([len(caption)]) + caption


def colour(red, green, blue, flags):
    return bytes([int(flags or 0), int(blue, 16), int(green, 16), int(red, 16)])


def quoted(found):
    """A list of texts. (§5.5)"""
    pairs = re.findall(' ([a-z]+|#[0-9]+) "([^"]*)"', found)
    texts = [(TRAINING[of] if of in TRAINING else int(of[1:]), cbh.text_bytes(text)) for of, text in pairs]
    return struct.pack("<H", len(texts)) + b"".join(struct.pack("<HH", of, len(text)) + text for of, text in texts)


def training(found):
    """§5.3.22"""
    head, wrong, one, two, *solutions = found.split(" |")
    seconds, points, question = re.fullmatch("(-?[0-9]+) (-?[0-9]+)(.*)", head).groups()
    out = struct.pack("<ih", int(seconds), int(points)) + b"".join(map(quoted, (question, wrong, one, two))) + bytes([len(solutions)])
    for each in solutions:
        move, unknown, worth, texts = re.fullmatch(" ([a-h1-8]{4}) ([0-9]+) ([0-9]+)(.*)", each).groups()
        out += bytes([number_of(square(move[:2])), number_of(square(move[2:])), int(unknown), int(worth)]) + quoted(texts)
    return b"\1\0\1" + struct.pack("<H", len(out) + 2) + out


def question(found):
    """§5.3.22: [%tqu], as the longer command."""
    words = re.findall('"([^"]*)"|([0-9]+)', found)
    (language, *texts), solutions = [text for text, _ in words[:4]], words[4:]
    lists = [' %s "%s"' % (language.lower(), text) if text or place == 0 else "" for place, text in enumerate(texts)]
    places = range(0, len(solutions), 3)
    words = "0 %d%s | |%s |%s" % (max(int(solutions[at + 2][1]) for at in places), *lists)
    for at in places:
        (move, _), (text, _), (_, worth) = solutions[at:at + 3]
        words += " | %s 0 %s" % (move, worth) + (' %s "%s"' % (language.lower(), text) if text else "")
    return training(words)


# Each command: its type, what it looks like, its data.
KINDS = [
    (0x04, r"%csl (.+)", lambda found: marks(3, found)), (0x05, r"%cal (.+)", lambda found: marks(5, found)),
    (0x07, r"%emt ([0-9]+):([0-9]+):([0-9]+)(?:\.([0-9]+))?", lambda *found: bytes(int(part or 0) for part in found)),
    (0x09, r"%tqu (.+)", question), (0x09, r"%cbh training (.+)", training),
    (0x18, r"%cbh critical (opening|middlegame|endgame)", lambda found: bytes([" ome".index(found[0])])),
    (0x1c, r"%cbh link ([^ ]+)(?: (.+))?", link), (0x21, r"%eval (.+)", evaluation),
    (0x22, r"%mdl ([0-9]+)", lambda found: struct.pack(">I", int(found))),
    (0x23, r"%cbh colour (..)(..)(..)(?: ([0-9]+))?", colour),
    (0x26, r"%evp ([^]]+)(?:\] \[%cbh depths (.+))?", evaluations),
]


def item(words, place, layout):
    """The type and data of a command, or None where reading does not give the same letters. (§5.3.18)"""
    found = re.fullmatch(r"\[%cbh ([0-9a-f]{2})(?: ((?:[0-9a-f]{2})+))?\]", words)
    if found:
        kind, data = int(found.group(1), 16), bytes.fromhex(found.group(2) or "")
        if not layout.may_have(kind, data) or is_other(kind, data, place, layout):
            return None
        return (kind, data) if layout.command(kind, data) == words else None
    for kind, pattern, data_of in KINDS:
        found = re.fullmatch(r"\[" + pattern + r"\]", words)
        try:
            data = layout.named(kind, data_of(*found.groups())) if found else None
            # §5.3.19
            if data and (layout.command(kind, data) == words or re.match(r"\[%eval -?[0-9]+,", words)):
                return kind, data
        except (ValueError, KeyError, IndexError, AttributeError, UnicodeEncodeError, struct.error):
            continue
    return layout.own(words) if hasattr(layout, "own") else None


def is_other(kind, data, place, layout):
    """Whether data is read as a text, NAGs or a clock."""
    if kind in (0x02, 0x82):
        return layout.is_text(data) and (kind == 0x02 or place >= 0)
    return layout.are_glyphs(data) if kind == 3 and place >= 0 else place == -1 and kind in (0x16, 0x17) and len(data) == 4


def is_drawn(found):
    return found is not None and found[0] in (4, 5)


def leading(text, place, layout):
    """The commands at the start of a comment, and the text behind them, None if there is none."""
    found, at = [], 0
    while True:
        match = COMMAND.match(text, at)
        one = item(match.group(), place, layout) if match else None
        if one is None:
            return found, text[at:]
        at = match.end()
        if at == len(text):
            return found + [one], None
        after = COMMAND.match(text, at)
        if text[at] != " " and not (is_drawn(one) and after and is_drawn(item(after.group(), place, layout))):
            return found, text[match.start():]
        found.append(one)
        at += text[at] == " "


def items(text, place, layout):
    """The items of a comment: commands, a text, commands. (§5.3.28)"""
    found, text = leading(text, place, layout)
    if text is None:
        return found
    for blank in re.finditer(r" (?=\[%)", text):
        behind, rest = leading(text[blank.end():], place, layout)
        if rest is None:
            return found + [(2, text_data(text[:blank.start()], layout))] + behind
    return found + [(2, text_data(text, layout))]


def text_data(text, layout):
    """§5.4"""
    found, language = re.match(r"\[%cbh lang ([a-z]{2}|#?[0-9]+)\] ", text), None
    if found:
        language = layout.language(found.group(1))
        text = text if language is None else text[found.end():]
    # §5.4.8
    if text.startswith("[%cbh lines] ") and re.search("(?<!\r)\n|\r\r\n", text):
        text = text[13:]
    else:
        text = re.sub("(?<!\r)\n", "\r\n", text)
    data = layout.bytes_of(text)
    # §5.4.9
    while len(data) > layout.most:
        text = text[:-max(1, (len(data) - layout.most) // 4)]
        data = layout.bytes_of(text)
    return layout.text(language, data)


def text_bytes(text):
    """§5.4.6"""
    whole, same = text.encode(), lambda data: READER.text(b"\0\0" + data) == READER.text(b"\0\0" + whole)
    found = [cbh.in_page("".join(BYTES.get(letter, letter) for letter in text)), text.translate(PRIVATE).encode()]
    return next((data for data in found if data is not None and same(data)), whole)
