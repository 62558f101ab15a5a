"""Writes a base of ChessBase from canonical lines. (docs/formats/cbh.md)

What the format cannot hold is left out as §11 says, without a report.
"""

import re
import struct

import cbh
from board import NULL, Board, counters
from cbh_commands import Classic, items, number_of, text_data
from cbh2_moves import numbered
from game import Line, decode, of, parts_of, tree
from texts import is_chess960

# §4.4: of two codes of one step the first is that of (i,i).
CODES = {(kind, number, (files % 8, ranks % 8)): code for code, (kind, number, (files, ranks)) in reversed(list(cbh.STEPS.items()))}
HIDDEN = {mode: [cbh.MODES[mode].index(code) for code in range(256)] for mode in (0, cbh.CHESS960)}
STARTS = ["".join(numbered(number).squares[:8]) for number in range(960)]
LAYOUT = Classic()


def tags_of(game):
    """The first value of each tag."""
    return dict(reversed(game["tags"]))


# Moves and annotations: §4, §5


class Node:
    """A move, the items before and after it, and what follows it: the line, then alternatives to that."""

    def __init__(self, board, move):
        self.board, self.move, self.before, self.items, self.slots, self.next = board, move, [], [], [0, 0, 0], []

    def glyph(self, nag, layout):
        # §5.2, §11.6
        slot = 0 if nag < 10 or nag in (22, 23) else 2 if 140 <= nag <= 145 else 1
        # cbh2 §5.4.7
        if layout.many_glyphs and 0 < nag < 256 and (any(self.slots[slot:]) or self.items and self.items[-1][1] is not self.slots):
            self.slots = [0, 0, 0]
        if 0 < nag < 256 and not self.slots[slot]:
            # §5.3.26
            if not any(self.slots):
                self.items.append((3, self.slots))
            self.slots[slot] = nag

    def all(self, layout):
        """The items in their order."""
        others = [(kind, layout.glyphs(data) if isinstance(data, list) else data) for kind, data in self.items]
        # §5.3.27
        usual, out, done = int(bool(others) and others[0][0] == 3), [], 0
        for place, text in self.before:
            place = usual if place is None else place
            out += others[done:place] + [(0x82, text_data(text, layout))]
            done = max(done, min(place, len(others)))
        return out + others[done:]


BEFORE = re.compile(r"\[%cbh before(?: ([0-9]+))?\] (.*)", re.S)


def stored(line, layout):
    """The line, without its first illegal move and what follows it."""
    for place, ply in enumerate(line.plies):
        # §4.10.1, §11.10
        if not layout.has_move(ply.board, ply.move):
            del line.plies[place:]
            return line
    return line


def placed(text):
    """How many items come before a text, None as usual, and the text. (§5.3.27)"""
    found = BEFORE.fullmatch(text)
    return (found.group(1) and int(found.group(1)), found.group(2)) if found else (None, text)


def nodes(line, into, layout):
    """Appends the moves of a line, and the lines in place of its moves. Gives the texts that have no move."""
    early, node = of(str, line.before), None
    for ply, following in zip(line.plies, line.plies[1:] + [None]):
        node = Node(ply.board, ply.move)
        into.append(node)
        node.before, early = list(map(placed, early)), []
        last = max([0] + [place for place, each in enumerate(ply.after, 1) if not isinstance(each, str)])
        behind = False
        for place, each in enumerate(ply.after):
            if isinstance(each, Line):
                # §11.7, §11.8
                each = nodes(stored(each, layout), into, layout)
                behind = True
            elif isinstance(each, int):
                # §11.6
                if not behind:
                    node.glyph(each, layout)
                continue
            elif following and place >= last and (behind or BEFORE.match(each)):
                # §5.3.24
                early.append(each)
                continue
            node.items += [found for text in (each if isinstance(each, list) else [each]) for found in items(text, 0, layout)]
        into = node.next
    return [] if node else early


class Moves:
    """The moves of a game in the order stored. (§4.3 to §4.7)"""

    def __init__(self, mode, board, first):
        self.mode, self.count, self.out, self.nodes = mode, 0, bytearray(), []
        todo = [(cbh.Numbers(board), first, 0)]
        while todo:
            numbers, found, place = todo.pop()
            if place == len(found):
                self.put(255)
                continue
            # §4.7
            if place < len(found) - 1:
                self.put(254)
                todo.append((numbers.copy(), found, place + 1))
            node = found[place]
            self.move(node, numbers)
            self.nodes.append(node)
            numbers.follow(node.board, node.move)
            todo.append((numbers, node.next, 0))

    def put(self, *codes):
        # §4.3.1, §4.3.2
        before, table = self.mode in cbh.BEFORE, HIDDEN[self.mode]
        self.out += bytes((table[code] + self.count) % 256 if before else table[(code + self.count) % 256] for code in codes)

    def move(self, node, numbers):
        board, (start, target, promotion) = node.board, node.move
        piece, castles = board.squares[start], node.move != NULL and board.is_castling(node.move)
        if node.move == NULL:
            self.put(0)
        elif castles and self.mode != cbh.CHESS960:
            self.put(10 if target < start else 9)
        elif castles or promotion or start not in numbers.of[piece]:
            if castles:
                start = target = start // 8 * 8 + (6 if target > start else 2)
            # §4.6
            word = number_of(start) | number_of(target) << 6 | "qrbn".index(promotion or "q") << 12
            self.put(235, word >> 8, word & 255)
        else:
            sign = -1 if piece == "p" else 1
            step = sign * (target % 8 - start % 8) % 8, sign * (target // 8 - start // 8) % 8
            self.put(CODES[piece.lower(), numbers.of[piece].index(start), step])
        self.count = (self.count + 1) % 256


def needs_chess960(game, board):
    """Model §3.1"""
    others = board.rooks - board.corner_rooks()

    def castles(line):
        return any(ply.move[1] in others and ply.board.is_castling(ply.move) and ply.board.legal(ply.move) or any(map(castles, of(Line, ply.after)))
                   for ply in line.plies)

    named = others and re.search("[A-Ha-h]", game["fen"].split(" ")[2])
    return bool(others) and (bool(named) or castles(tree(game["line"], board)))


def setup(board, number, chess960):
    """§4.2"""
    passing, bits = board.passing, ""
    # §4.2.12
    if passing is not None and board.squares[passing + (-8 if board.white else 8)] != board.enemy("p"):
        passing = None
    side = (0 if passing is None else passing % 8 + 1) | 16 * (not board.white)
    rooks = [board.castling_rook(letter.isupper(), letter in "Qq") for letter in "QKqk"]
    for at in range(64):
        piece = board.squares[cbh.square(at)]
        bits += "0" if piece == "." else "1%d" % piece.islower() + format(" KQNBRP".index(piece.upper()), "03b")
    out = bytes([1, side, sum(1 << bit for bit, rook in enumerate(rooks) if rook is not None), number if number < 256 else 0])
    out += int(bits.ljust(192, "0"), 2).to_bytes(24, "big")
    if chess960:
        # §4.2.13
        squares = [board.king(True), board.king(False)] + [outermost(board, letter) if rook is None else rook for letter, rook in zip("KQkq", (rooks[1], rooks[0], rooks[3], rooks[2]))]
        out += bytes(0 if at is None else number_of(at) for at in squares) + struct.pack(">H", start_number(board))
    return out


def outermost(board, letter):
    """The rook that a letter of a FEN would name."""
    other = board.copy()
    other.rooks = set()
    other.allow(letter)
    return next(iter(other.rooks), None)


def pieces(board):
    return sum(piece != "." for piece in board.squares)


def start_number(board):
    """§4.2.11"""
    first = "".join(board.squares[:8])
    return STARTS.index(first) if first in STARTS else 0


def sized(data, flags):
    return bytes([flags]) + (len(data) + 4).to_bytes(3, "big") + data


class Record:
    """What a game has in the .cbg and the .cba, and what follows from that for its header."""

    def __init__(self, game):
        tags, board, half, number = tags_of(game), Board(), 0, 1
        if game["fen"] is not None:
            board, (half, number) = Board(game["fen"]), counters(game["fen"])
        # §4.3.6
        self.chess960 = is_chess960(tags.get("Variant", "")) or needs_chess960(game, board)
        mode = cbh.CHESS960 if self.chess960 else 0
        if not self.chess960:
            board.rooks = board.corner_rooks()
        line, usual, self.first = tree(game["line"], board), setup(Board(), 1, False), []
        start = setup(board, number, self.chess960)
        # §4.2.10
        self.start = start if self.chess960 or start != usual or half else b""
        self.number = start_number(board)
        # §5.3.24
        stored(line, LAYOUT)
        texts = of(str, line.before)
        line.before = [text for text in texts if BEFORE.match(text) and line.plies]
        others = [text for text in texts if text not in line.before] + nodes(line, self.first, LAYOUT)
        moves = Moves(mode, board, self.first)
        self.moves = sized(self.start + moves.out, mode | 0x40 * bool(self.start))
        clocks = [(kind, clock(tags.get(name, ""))) for kind, name in ((0x16, "WhiteClock"), (0x17, "BlackClock"))]
        # §5.1.8
        self.items = [(-1, *one) for one in clocks if one[1]] + [(-1, *one) for text in others for one in items(text, -1, LAYOUT)]
        self.items += [(place, *one) for place, node in enumerate(moves.nodes) for one in node.all(LAYOUT)]
        self.black_first, self.count = not board.white, len(moves.nodes)

    def notes(self, number):
        """§5.1"""
        data = b"".join(place.to_bytes(3, "big", signed=True) + struct.pack(">BH", kind, 6 + len(data)) + data for place, kind, data in self.items)
        head = number.to_bytes(3, "big") + b"\1\0\x0e\x0e" + (len(self.items) + 1).to_bytes(3, "big") + struct.pack(">I", 14 + len(data))
        return head + data if self.items else b""

    def derived(self):
        """Medals, flags, magnitudes, length. (§3.4)"""
        *fields, plies = derived(self.items, self.first, self.count, bool(self.start), self.chess960, LAYOUT)
        return struct.pack(">HIHB", *fields, min((plies + self.black_first + 1) // 2, 255))


def derived(items, first, count, is_setup, chess960, layout):
    """Medals, flags, magnitudes, plies of the main line. (§3.4)"""
    kinds, plies, node = [kind for _, kind, _ in items], 0, first
    while node:
        node, plies = node[0].next, plies + 1
    flags = is_setup | 2 * (count > plies) | chess960 << 27
    for kind in kinds:
        flags |= 1 << BITS[kind] if kind in BITS else 0
    medals, letters = 0, 0
    for _, kind, data in items:
        medals |= layout.medals(data) if kind == 0x22 else 0
        letters += len(data) - layout.head if kind in (0x02, 0x82) else 0
    magnitudes = sum(count - plies > most for most in (50, 300, 1000)) | 4 * (letters > 200)
    for bit, kind, least in (3, 0x03, 10), (4, 0x04, 10), (5, 0x05, 6), (7, 0x07, 10), (9, 0x09, 6):
        magnitudes |= (kinds.count(kind) >= least) << bit
    return medals, flags, magnitudes, plies


# §3.4: the bit of each type of items
BITS = {0x02: 2, 0x82: 2, 0x03: 3, 0x04: 4, 0x05: 5, 0x07: 7, 0x08: 8, 0x09: 9, 0x10: 16, 0x11: 17, 0x20: 18, 0x13: 19, 0x14: 20, 0x15: 21,
        0x16: 22, 0x17: 23, 0x18: 24, 0x19: 25, 0x1a: 26, 0x1c: 28}


def clock(text):
    found = re.fullmatch(r"([0-9]+):([0-9]{2}):([0-9]{2})(?:\.([0-9]{2}))?", text)
    hours, minutes, seconds, hundredths = (int(part or 0) for part in found.groups()) if found else (0, 0, 0, 0)
    number = ((hours * 60 + minutes) * 60 + seconds) * 100 + hundredths
    # §10.20
    return struct.pack(">I", number) if cbh.clock(number) == text and number < 1 << 32 else b""


# Names: §6, §10


class Texts:
    """What a field asks of its base. (§6.2.1)"""

    encoding, text = None, staticmethod(decode)


def field(text, size):
    """§2.7"""
    text = text.split("\0")[0]
    data = cbh.text_bytes(text)
    while len(data) > size or len(data) == size and cbh.Base.field(Texts, data, 0, size) != text:
        text = text[:-1]
        data = cbh.text_bytes(text)
    return data.ljust(size, b"\0")


def known(text):
    return "" if text == "?" else text


def date(text):
    year, month, day = parts_of(text)
    return year << 9 | month << 5 | day if year < 4096 else 0


def small(tags, name, most=255):
    """§10.20: a number as the reader writes it, or 0."""
    text = tags.get(name, "")
    return int(text) if re.fullmatch("[1-9][0-9]{0,8}", text) and int(text) <= most else 0


# §10.20: nations and types of tournaments by the words that the reader gives them.
NATIONS = {cbh.nation(number): number for number in range(1, 256)}
EVENTS = {cbh.event_type(kind, team): (kind, team) for kind in range(256) for team in range(256)}


def player(text):
    """§10.18"""
    last, found, first = text.partition(", ")
    if not (last and first):
        last, first = text, ""
    return field(last, 30) + field(first, 20)


def tournament(tags):
    return field(known(tags["Event"]), 40) + field(known(tags["Site"]), 30) + event(tags, 0, 0)


def event(tags, one, other):
    return struct.pack(
        "<I8B", date(tags.get("EventDate", "")), *EVENTS.get(tags.get("EventType", ""), (0, 0)), NATIONS.get(tags.get("EventCountry"), 0), one,
        small(tags, "EventCategory"), small(tags, "CbhEventFlags"), small(tags, "EventRounds"), other)


def source(tags):
    return field(tags.get("SourceTitle", ""), 25) + field(tags.get("Source", ""), 16) + struct.pack(
        "<IIBB", *source_dates(tags), small(tags, "SourceVersion"), small(tags, "SourceQuality"))


def source_dates(tags):
    day = date(tags.get("SourceVersionDate", ""))
    # §10.19
    return date(tags["SourceDate"]) if "SourceDate" in tags else 0 if tags.get("SourceTitle") or tags.get("Source") else day, day


def team(tags, side):
    """None where no tag names a team. (§10.21)"""
    if not tags.get(side + "Team"):
        return None
    found = re.fullmatch("(0|[1-9][0-9]*) (0|[1-9][0-9]*) (0|[1-9][0-9]*)", tags.get("Cbh" + side + "Team", ""))
    numbers = [int(number) for number in found.groups()] if found else [1 << 32]
    if numbers[0] >> 32 or numbers[1] > 255 or numbers[2] >> 32:
        numbers = 0, 0, date(tags["Date"]) >> 9
    return field(tags[side + "Team"], 45) + struct.pack("<IBIB", *numbers, NATIONS.get(tags.get(side + "TeamCountry"), 0))


class Names:
    """A file of names: their data in the order of their numbers, references and the first game of each."""

    def __init__(self, kind):
        self.kind, self.found, self.counts, self.firsts = kind, {}, [], []

    def number(self, data, game):
        if data is None:
            return -1
        if data not in self.found:
            self.found[data] = len(self.found)
            self.counts.append(0)
            self.firsts.append(game)
        number = self.found[data]
        self.counts[number] += 1
        return number

    def key(self, data):
        """§6.3"""
        text = lambda at, size: data[at:at + size].split(b"\0")[0]
        signed = lambda words: [byte - 256 if byte > 127 else byte for byte in words]
        number = lambda at, size: int.from_bytes(data[at:at + size], "little")
        if self.kind == "cbp":
            return text(0, 30), text(30, 20)
        if self.kind == "cbt":
            day = number(70, 4)
            return -(day >> 9), signed(text(0, 40)), signed(text(40, 30)), day >> 5 & 15, -(day & 31)
        if self.kind == "cbc":
            return signed(text(0, 45))
        if self.kind == "cbs":
            return signed(text(0, 25))
        if self.kind == "cbe":
            return text(0, 45), number(45, 4), number(49, 1), number(50, 4), number(54, 1)
        return [text(at, 200) for at in range(0, 1600, 200)]

    def file(self):
        """§6.1"""
        links, root = Avl([self.key(data) for data in self.found]).links()
        out = struct.pack("<7iI", len(self.found), root, 1234567890, cbh.SIZES[self.kind], -1, len(self.found), 4, 0)
        for (left, right, balance), data, count, first in zip(links, self.found, self.counts, self.firsts):
            out += struct.pack("<iib", left, right, balance) + data + struct.pack("<ii", count, first)
        return out


class Avl:
    """§6.1.8: names go into the tree in the order of their numbers."""

    def __init__(self, keys):
        self.keys, self.sides, self.root = keys, [[None, None] for _ in keys], None
        for number in range(len(keys)):
            self.root = self.insert(self.root, number)

    def insert(self, at, number):
        if at is None:
            return number
        way = self.keys[number] >= self.keys[at]
        self.sides[at][way] = self.insert(self.sides[at][way], number)
        balance = self.balance(at)
        if abs(balance) < 2:
            return at
        way = balance > 0
        child = self.sides[at][way]
        if self.balance(child) == (-1 if way else 1):
            self.sides[at][way] = self.rotate(child, not way)
        return self.rotate(at, way)

    def rotate(self, at, way):
        """The child on one side comes up."""
        child = self.sides[at][way]
        self.sides[at][way], self.sides[child][not way] = self.sides[child][not way], at
        return child

    def height(self, at):
        return 0 if at is None else 1 + max(map(self.height, self.sides[at]))

    def balance(self, at):
        left, right = map(self.height, self.sides[at])
        return right - left

    def links(self):
        link = lambda at: -1 if at is None else at
        return [(link(left), link(right), self.balance(at)) for at, (left, right) in enumerate(self.sides)], self.root or 0


# Headers: §3, §7


ECO = re.compile("([A-E])([0-9][0-9])(?:/([0-9][0-9])|[a-z][1-4]?)?", re.I)
RESULTS = {found: number for number, found in reversed(list(enumerate(cbh.RESULTS)))}


def opening(tags, start960):
    # §3.2, §10.24
    if start960 is not None:
        return 64576 + start960
    found = ECO.fullmatch(tags.get("ECO", ""))
    return 0 if not found else 128 * ("ABCDE".index(found.group(1).upper()) * 100 + int(found.group(2)) + 1) + int(found.group(3) or 0)


def round_of(text, most):
    found = re.fullmatch(r"([1-9][0-9]*)|(0|[1-9][0-9]*)\.([1-9][0-9]*)", text)
    alone, major, minor = [int(number or 0) for number in found.groups()] if found else (0, 0, 0)
    return (alone or major, minor) if max(alone, major, minor) <= most else (0, 0)


def ratings(tags, most):
    found = [tags.get(side, "") for side in ("WhiteElo", "BlackElo")]
    return [int(text) if re.fullmatch("[0-9]{1,9}", text) and int(text) <= most else 0 for text in found]


def result(tags):
    return RESULTS.get((tags["Result"], told(tags)), RESULTS[tags["Result"], ""])


def told(tags):
    """§10.22: what a result says more."""
    spelt = {"0-0": "both lost", "0:0": "both lost", "-/-": "both lost", "+/-": "1-0 by forfeit", "-/+": "0-1 by forfeit"}
    return tags.get("CbhResult") or spelt.get(tags.get("ResultSpelling"), "")


def head(used, last):
    return struct.pack(">BHHBI", 0, used, 46, 1, last) + bytes(30) + struct.pack(">I", last) + bytes(2)


def rated():
    return b"\0\1\0\1\0FIDE".ljust(16, b"\0")


def write(games):
    """The files by their extensions. A game that the format cannot hold is left out."""
    # §4.2
    games = [game for game in games if game["fen"] is None or pieces(Board(game["fen"])) <= 32]
    names = {kind: Names(kind) for kind in cbh.SIZES}
    headers, extended, moves, notes = head(44, len(games) + 1), b"", bytearray(), bytearray()
    for number, game in enumerate(games, 1):
        tags, record = tags_of(game), Record(game)
        at = 26 + len(moves), 26 + len(notes) if record.items else 0
        refer = lambda kind, data: names[kind].number(data, number)
        players = [refer("cbp", player(known(tags[side]))) for side in ("White", "Black")]
        others = refer("cbt", tournament(tags)), refer("cbc", field(tags.get("Annotator", ""), 45)), refer("cbs", source(tags))
        teams = [refer("cbe", team(tags, side)) for side in ("White", "Black")]
        title = refer("cbl", field(tags["CbhTitle"], 200).ljust(1600, b"\0") if tags.get("CbhTitle") else None)
        headers += struct.pack(">BII", 0x81 if tags.get("Deleted") == "1" else 1, *at)
        headers += b"".join(one.to_bytes(3, "big") for one in (*players, *others, date(tags["Date"])))
        headers += bytes([result(tags), small(tags, "CbhEvaluation"), *round_of(tags["Round"], 255)])
        headers += struct.pack(">HHH", *ratings(tags, 65535), opening(tags, record.number if record.chess960 else None)) + record.derived()
        # §7.5
        extended += struct.pack(">iiIQ", *teams, 0, at[1]) + bytes(10) + struct.pack(">Q", at[0]) + 2 * rated() + bytes(46) + struct.pack(">i", title)
        moves += record.moves
        notes += record.notes(number)
    files = {kind: found.file() for kind, found in names.items()}
    for kind, data in ("cbg", moves), ("cba", notes):
        # §4.1.6
        files[kind] = struct.pack(">HIIQQ", 26, 26 + len(data), 0, 26 + len(data), 0) + data
    files["cbh"] = headers
    files["cbj"] = struct.pack("<III", 11, 120, len(games)) + bytes(20) + extended
    # §8
    files["cbtt"], files["cbm"] = struct.pack("<II", 2, 61).ljust(32, b"\0"), struct.pack("<IIIi", 1, 1024, 0, -1).ljust(32, b"\0")
    return files
