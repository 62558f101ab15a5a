"""Old ChessBase: .cbf .cbi. (docs/formats/cbf.md §1 to §4, §8, §9)

Moves and comments are read by cbf_moves.py, books by fbk.py. Every comment that begins with a
section sign names the rule that the line below it follows.
"""

import re
import struct
from bisect import bisect_left

import cbf_moves
from board import Board, name, text
from cbf_writer import LINES, PAGES, PIECES, Place, joined, mask, split
from game import Damage, Game

HEADER = 14
SETUP = 33
# Headers: cbf §3


class Header:
    def __init__(self, data):
        h = bytearray(data)
        mask(h, 101, 3, range(13, -1, -1))
        h[11] ^= 14 + (h[4] & 63) + (h[5] & 63) & 255
        self.bytes = h
        self.players, self.source = h[4] & 63, h[5] & 63
        m, self.comments = h[2] << 8 | h[3], h[6] << 8 | h[7]
        # cbf §3.5.3
        self.moves = max(m, 1) - 1
        self.setup = bool(h[10] & 1)
        self.size = HEADER + self.players + self.source + self.moves + self.comments + SETUP * self.setup
        # cbf §3.3
        if h[13] == h[0] * 0x25 + h[5] + h[9] & 255:
            self.checksum = "public"
        elif h[13] == h[3] * 0xc1 * (h[8] + 1) * h[0] & 255:
            self.checksum = "second"
        else:
            self.checksum = "foreign"
        self.plausible = m != 0 and h[1] & 0xc0 == 0
        self.sound = self.plausible and self.checksum != "foreign"


# Finding the records: cbf §1


class Walk:
    """cbf §1.2: records without an index."""

    def __init__(self, data):
        self.data, self.size = data, len(data)

    def header(self, at):
        """The header of a record that fits at a place, or None."""
        if not 0 <= at <= self.size - HEADER:
            return None
        header = Header(self.data[at:at + HEADER])
        return header if at + header.size <= self.size else None

    def likely(self, at):
        # cbf §1.2.7
        header = self.header(at)
        if header is None or not header.plausible:
            return False
        end = at + header.size
        return header.sound or end == self.size or self.header(end) is not None

    def certain(self, start):
        """cbf §1.2.8: the first certain place from one on, or None."""
        for at in range(start, self.size - HEADER + 1):
            header = self.header(at)
            if header is not None and header.sound:
                end = at + header.size
                after = None if end == self.size else self.header(end)
                if end == self.size or after is not None and after.sound:
                    return at
        return None

    def places(self):
        """Where records are, and whether something was passed over."""
        if self.size == 0:
            return [], False
        # cbf §1.2.9
        at, gap = 0, False
        if not self.likely(0):
            at = self.certain(1) or 0
            gap = at > 0
        found = [at]
        while True:
            header = self.header(at)
            end = None if header is None else at + header.size
            # cbf §1.2.10
            if end == self.size:
                break
            if end is not None and self.likely(end):
                at = end
            else:
                # cbf §1.2.11
                at, gap = self.certain(at + HEADER), True
                if at is None:
                    break
            found.append(at)
        return found, gap


def indexed(data, index, walk):
    """cbf §1.2: where records are, and whether the index says so."""
    # cbf §1.2.1
    if index is None:
        return walk.places()[0], False
    longs = [number for number, in struct.iter_unpack(">I", index[:len(index) // 4 * 4])]
    # cbf §1.2.2
    announced, there = max(longs[0] - 1, 0) if longs else 0, max(len(longs) - 1, 0)
    short = not longs or announced > there or announced == 0 and len(data) > 0
    places = [longs[k] - (k + 1) for k in range(1, min(announced, there) + 1)]
    # cbf §1.2.3, cbf §1.2.4
    if not short and all(walk.header(at) is not None for at in places):
        return places, True
    # cbf §1.2.5
    walked, gap = walk.places()
    return (places, True) if gap and places else (walked, False)


class Record:
    """cbf §2: the parts of a record, as far as they are there."""

    def __init__(self, data):
        # cbf §3.5.1
        if len(data) < HEADER:
            raise Damage("the header is cut")
        self.header = header = Header(data[:HEADER])
        self.cut = len(data) < header.size
        at = HEADER

        def part(size):
            nonlocal at
            at += size
            return bytearray(data[at - size:at])

        # cbf §4.1
        length = header.players + header.source
        names = unmasked(part(length), length, 3 * length, 3, 0)
        self.players, self.source = names[:header.players], names[header.players:]
        # cbf §5.1
        self.moves = unmasked(part(header.moves), header.moves, 49 * (header.moves + 1), 7, 1)
        self.comments = cbf_moves.records(bytes(part(header.comments)))
        self.block = part(SETUP) if header.setup else None
        # cbf §8.6
        self.setup_cut = header.setup and len(self.block) < SETUP
        self.spare = bytearray(4)
        self.start, self.fen = Place(Board()), None
        if header.setup and not self.setup_cut:
            self.start, self.fen = setup(header.bytes, self.block, self.spare)

    def game(self):
        return bytes(self.moves), self.comments, self.start


def unmasked(part, size, key, factor, last):
    """Takes a mask off that begins at the end of a section, of which not all may be there."""
    whole = part + bytes(size - len(part))
    mask(whole, key, factor, range(size - 1, last - 1, -1))
    return bytes(whole[:len(part)])


def setup(h, block, spare):
    """cbf §8: the start, and its FEN. What of the header has no effect is added to the spare bits."""
    # cbf §8.1
    squares = [".KQNBRP..kqnbrp."[nibble] for byte in block[:32] for nibble in (byte >> 4, byte & 15)]
    white = not h[10] & 2
    # cbf §8.2
    rights = ""
    for bit, letter, king, rook in (8, "K", 4, 7), (4, "Q", 4, 0), (32, "k", 60, 63), (16, "q", 60, 56):
        if h[10] & bit:
            own = "KR" if letter in "KQ" else "kr"
            if squares.count(own[0]) == 1 and squares[king] == own[0] and squares[rook] == own[1]:
                rights += letter
            else:
                spare[2] |= bit
    # cbf §8.3
    file, passed, effect = h[11] & 15, "-", False
    if 1 <= file <= 8:
        pawn, ahead = (31 + file, 8) if white else (23 + file, -8)
        effect = squares[pawn] == "pP"[not white] and squares[pawn + ahead] == squares[pawn + 2 * ahead] == "."
        if effect:
            passed = name(pawn + ahead)
    if not effect:
        spare[3] |= file
    # cbf §8.4
    board = "/".join("".join(squares[rank * 8:rank * 8 + 8]) for rank in range(7, -1, -1))
    for count in range(8, 0, -1):
        board = board.replace("." * count, str(count))
    fen = "%s %s %s %s 0 %d" % (board, "w" if white else "b", rights or "-", passed, block[32] + 1)
    return Place(Board(fen), file, not effect and file != 0), fen


# Bases


class Base:
    def __init__(self, data, index, encoding=None, dialect="auto", walked=False):
        # cbf §1.3
        if data is None:
            raise Damage("there is no .cbf")
        self.data, walk = data, Walk(data)
        self.places, self.by_index = (walk.places()[0], False) if walked else indexed(data, index, walk)
        self.encoding, self.only = "atarist" if encoding == "atari-st" else encoding, dialect not in (None, "auto")
        self.prepare(dialect)
        if not self.opens():
            # cbf §1.2.6
            if not self.by_index:
                raise Damage("nothing looks like a game")
            self.places, self.by_index = walk.places()[0], False
            self.prepare(dialect)
            if not self.opens():
                raise Damage("nothing looks like a game")

    def prepare(self, dialect):
        self.length = len(self.places)
        # cbf §1.1.1
        self.bounds = sorted(self.places)[::8] if self.by_index else []
        self.page = self.encoding or usual_page(self)
        self.numbering = cbf_moves.DIALECTS[dialect] if self.only else cbf_moves.of_base(self.first())

    def record(self, at):
        """The record at a place; Damage if nothing of it is there."""
        if not 0 <= at < len(self.data):
            raise Damage("a record outside of the file")
        second = bisect_left(self.bounds, at) + 1
        end = self.bounds[second] if second < len(self.bounds) else len(self.data)
        return Record(self.data[at:min(end, at + 131242)])

    def first(self):
        """cbf §6.3.7: the first games, 1 MiB of records at most."""
        left = 1 << 20
        for at in self.places[:1024]:
            try:
                record = self.record(at)
            except Damage:
                continue
            left -= record.header.size
            if left < 0:
                break
            if not record.setup_cut:
                yield record.game()

    def opens(self):
        # cbf §1.3.1
        if not self.places:
            return True
        # cbf §1.3.2
        try:
            if self.record(self.places[0]).header.sound:
                return True
        except Damage:
            pass
        # cbf §1.3.3
        for number in range(min(self.length, 256)):
            game, error = self.game(number)
            if error is None or game.plies >= 8:
                return True
        return False

    def text(self, data):
        """cbf §7.3"""
        return "".join("\n" if byte == 0xfe else " " if byte == 0 else self.letter(byte) if not 0xb1 <= byte <= 0xb6
                       else PIECES[byte - 0xb1] for byte in data)

    def letter(self, byte):
        """cbf §4.4"""
        if self.page == "atarist":
            return PAGES["atarist"][byte - 128] if byte > 127 else chr(byte)
        return bytes([byte]).decode(self.page, "ignore") or chr(byte)

    def name(self, data):
        return "".join(map(self.letter, data))

    def players(self, data):
        """cbf §4.2.10"""
        def word(found):
            return "".join(PIECES[byte - 0xa2] for byte in found) if signs.fullmatch(found) else self.name(found)

        signs = re.compile(b"[\xa2-\xa7]+" if self.page in ("cp850", "cp437", "atarist") else b"(?!)")
        return "".join(map(word, re.split(b"([ ,-])", data)))

    def game(self, number):
        """A game, and what is wrong with it, if anything is."""
        game = Game()
        game.plies = 0
        try:
            record = self.record(self.places[number])
        except Damage as damage:
            return game, str(damage)
        roster(self, record, game)
        if record.setup_cut:
            return game, "the set-up is cut"
        game.fen = record.fen
        reading = cbf_moves.chosen(*record.game(), self.numbering, self.only)
        game.plies = reading.plies
        for token in reading.line:
            if isinstance(token, str):
                game.line.append(token)
            elif isinstance(token[0], bytes):
                # cbf §7.1.8
                game.comment(cbf_moves.words(*token, self.text))
            else:
                game.line.append(text(token))
        # cbf §5.2.9
        return game, reading.error or ("the record is cut" if record.cut else None)


def usual_page(base):
    """cbf §4.4: CP850, unless the names are in Cyrillic letters."""
    names = []
    for at in base.places[:256]:
        try:
            record = base.record(at)
        except Damage:
            continue
        names += [record.players, record.source]
    return cyrillic_page([name for name in names if not is_utf8(name)]) or "cp850"


def is_utf8(name):
    """Whether a name is UTF-8, be it cut within its last letter."""
    try:
        name.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data" and not name[:error.start].isascii()
    return True


def cyrillic_page(names):
    """cbf §4.4: the Cyrillic page of names that are not UTF-8, or None."""
    dos = sum(map(len, re.findall(b"[\x80-\xaf\xe0-\xef]{3,}", b"\n".join(names))))
    windows = sum(map(len, re.findall(b"[\xc0-\xff]{3,}", b"\n".join(names))))
    high = [byte for name in names for byte in name if byte > 127]
    words = max(dos, windows)
    if words < 24 or len(set(high)) < 8 or 2 * words <= len(high):
        return None
    if dos > windows:
        return "cp866" if any(byte < 0xa0 for byte in high) else None
    turns = sum(len(re.findall(b"[\xe0-\xff](?=[\xc0-\xdf])", name)) for name in names)
    return "windows-1251" if any(0xc0 <= byte < 0xe0 for byte in high) and 20 * turns < windows else None


# Tags: cbf §3.5, cbf §4, cbf §9


def roster(base, record, game):
    h, typed, tags = record.header.bytes, game.typed, game.tags
    # cbf §3.5.2
    if h[0] != 127:
        typed["Date"] = "%04d.??.??" % (1900 + h[0] - (256 if h[0] > 127 else 0))
    # cbf §3.5.4
    typed["Result"] = ["0-1", "1/2-1/2", "1-0", "*"][h[1] & 3]
    # cbf §3.5.6
    for side, rating in ("White", h[8]), ("Black", h[9]):
        if rating:
            typed[side + "Elo"] = str(1600 + 5 * rating)
    if h[10] & 0x80:
        typed["Deleted"] = "1"
    if not record.header.setup:
        eco(h, typed, record.spare)
    else:
        # cbf §3.5.8
        for place, at, bits in (0, 4, 0xc0), (1, 5, 0xc0), (3, 11, 0xb0):
            record.spare[place] |= h[at] & bits
    players = base.players(record.players)
    white, black, ambiguous = split(players)
    typed["White"], typed["Black"] = white or "?", black or "?"
    annotator = source(base.name(record.source), typed)
    if annotator:
        tags.append(("Annotator", annotator))
    # cbf §4.2.9
    several = players.count("-") > 1 or players.rstrip(" ").endswith("-")
    if ambiguous or several and joined(white, black).replace(" ", "") != players.replace(" ", ""):
        tags.append(("CbfPlayers", players))
    # cbf §3.5.4
    line, odd = h[1] >> 2 & 15, h[1] & 0xc0
    if h[1] & 3 == 3 and line:
        tags.append(("CbfLine", LINES[line]))
    if h[10] & 0x40:
        tags.append(("CbfMarked", "1"))
    if h[11] & 0x40:
        tags.append(("CbfVersion", "1"))
    # cbf §3.5.7
    if record.header.checksum != "public":
        tags.append(("CbfChecksum", record.header.checksum))
    # cbf §3.5.5
    if odd or h[1] & 3 != 3 and line:
        tags.append(("CbfResult", "%02x" % h[1]))
    # cbf §3.5.8
    if any(record.spare):
        tags.append(("CbfSpare", record.spare.hex()))


def eco(h, typed, spare):
    """cbf §3.4"""
    code = h[10] >> 1 & 31 | h[4] >> 6 << 5 | h[5] >> 6 << 7
    sub = h[11] & 63 | h[11] >> 7 << 6
    if code:
        typed["ECO"] = "%s%02d" % ("ABCDEF"[(code - 1) // 100], (code - 1) % 100)
        # cbf §3.5.10
        if 0 < sub <= 99:
            typed["ECO"] += "/%02d" % sub
    # cbf §3.5.8
    if sub > 99 or not code:
        spare[3] |= h[11] & 0xbf


def source(text, typed):
    """cbf §4.3: fills event and round, and returns the annotator."""
    annotator, text = "", text.strip(" ")
    # cbf §4.3.1
    found = re.fullmatch(r"(.*)\[([^\[]*)\]", text, re.S)
    if found and found.group(2).strip(" "):
        text, annotator = found.group(1).strip(" "), found.group(2).strip(" ")
    # cbf §4.3.2
    found = re.fullmatch(r"(.*)\((-|[0-9][0-9./]*)\)", text, re.S)
    if found:
        text, typed["Round"] = found.groups()
    # cbf §4.3.3
    typed["Event"] = text.strip(" ") or "?"
    return annotator
