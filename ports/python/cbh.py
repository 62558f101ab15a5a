"""ChessBase: .cbh and what goes with it, and the archive .cbv of all of it. (docs/formats/cbh.md)

Every comment that begins with a section sign names the rule that the line below it follows.
"""

import codecs
import re
import struct

from board import NULL, Board, fen, name
from game import Bounds, Damage, Game, date, decode
from tables import rows

MODES = {int(mode): [None if code == "?" else int(code) for code in codes.split()] for mode, codes in rows("cbh-modes")}
BEFORE, WORDS, CHESS960 = (0, 1), (1, 5), 10
MAX_BRANCHES = 4096
# §6.2
SIZES = {"cbp": 58, "cbt": 90, "cbc": 53, "cbs": 59, "cbe": 63, "cbl": 1608}
# §6.4
NATIONS = {int(number): name for number, name in rows("cbh-nations")}
# §3.2.4 to §3.2.6
RESULTS = [(result, words) for _, result, words in rows("cbh-results")]
# §10.4
EVENTS = [""] + [word for _, mask, word in rows("cbh-event-types") if mask == "31"]
SPEEDS = [(int(mark), word) for mark, mask, word in rows("cbh-event-types") if mask != "31"]
# §5.4
LANGUAGES = {int(number): code for code, number, _ in rows("cbh-languages")}
FIGURINES = dict(zip(b"\xa2\xa3\xa6\xa5\xa4", "♔♕♖♗♘"))


class Base:
    """A base of files given as bytes, by their extensions."""

    def __init__(self, files, encoding=None, exact=False):
        # §1.1
        if files.get("cbh") is None or files.get("cbg") is None and files.get("cbp") is None:
            raise Damage("the headers are missing, or moves and players are")
        self.headers, self.moves, self.annotations = files["cbh"], files.get("cbg") or b"", files.get("cba")
        self.encoding, self.exact = encoding, exact
        # §3.1.1
        if len(self.headers) < 46 or self.headers[3:5] != b"\0\x2e":
            raise Damage("no headers")
        # §3.1.2, §3.3.1
        self.games = [n for n in range(1, len(self.headers) // 46) if not self.headers[46 * n] & 2]
        self.length = len(self.games)
        self.names = {kind: names(files.get(kind), size) for kind, size in SIZES.items()}
        extended = files.get("cbj") or b""
        # §7.1
        self.extended, self.extended_size = extended, int.from_bytes(extended[4:8], "little")
        # §4.1.7, §5.1.9
        places = list(zip(*map(self.places, self.games))) or [(), ()]
        self.move_bounds, self.note_bounds = (Bounds(filter(None, kind)) for kind in places)

    def places(self, record):
        """Where the records of moves and annotations are."""
        more = Extended(self, record)
        moves, notes = struct.unpack(">II", self.headers[46 * record:][1:9])
        return more.whole(30, moves), more.whole(12, notes)

    def game(self, number):
        """A game, and what is wrong with it, if anything is."""
        game = Game()
        # §3.3.2
        record = self.games[number]
        header, more = self.headers[46 * record:][:46], Extended(self, record)
        moves, notes = self.places(record)
        roster(self, header, more, game)
        tree, error = Tree(), None
        try:
            self.read_moves(moves, tree, game)
        except Damage as damage:
            error = str(damage)
        # §4.10.5
        items = self.items(notes, tree, game)
        Notes(self, items, game).put(tree)
        return game, error or game.lost

    def read_moves(self, offset, tree, game):
        """§4.1, §4.2"""
        # §4.1.2
        if offset + 4 > len(self.moves):
            raise Damage("no record")
        flags, size = self.moves[offset], int.from_bytes(self.moves[offset + 1:offset + 4], "big")
        # §4.1.3
        if size < 4:
            raise Damage("a size below 4")
        record = self.moves[offset:offset + self.move_bounds.allowed(offset, size)]
        # §4.1.5
        if flags & 0x80 and is_text(record):
            raise Damage("the record is a text")
        mode, at, board, number = flags & 0x3f, 4, Board(), 1
        # §4.3.4
        if mode not in MODES:
            raise Damage("unknown mode")
        # §4.2.1
        if flags & 0x40:
            at += 36 if mode == CHESS960 else 28
            # §4.2.2
            if len(record) < at or record[4] != 1:
                raise Damage("no start position")
            board, number = start(record[4:at], mode == CHESS960)
        # §10.16
        if mode == CHESS960:
            game.tags.append(("Variant", "Chess960"))
        try:
            decode_moves(record[at:], mode, board, tree)
        finally:
            if flags & 0x40:
                game.fen = fen(board, number=number)
            # §4.1.4, §4.1.7
            if len(record) < size:
                raise Damage("the record is not all there")

    def items(self, offset, tree, game):
        """The items of a game by their positions. (§5.1)"""
        data = self.annotations
        # §5.1.1
        if offset == 0:
            return {}
        # §5.1.2
        if data is None or len(data) < offset + 14 or data[offset + 3:offset + 5] != b"\1\0":
            game.lost = "the annotations are not there"
            return {}
        # §5.1.4
        size = max(int.from_bytes(data[offset + 10:offset + 14], "big"), 14)
        allowed = self.note_bounds.allowed(offset, size)
        data = data[offset:offset + allowed][14:]
        # §5.1.9
        if allowed < size:
            game.lost = "the annotations take in those of many games"
        items = {}
        while len(data) >= 6:
            place, kind, size = int.from_bytes(data[:3], "big", signed=True), data[3], int.from_bytes(data[4:6], "big")
            if not 6 <= size <= len(data):
                break
            # §5.1.5
            if not -1 <= place < len(tree.moves) - 1:
                place = tree.main_end() - 1
            # §5.1.6
            items.setdefault(place, []).append((kind, data[6:size]))
            data = data[size:]
        # §5.1.4
        if data:
            game.lost = "the annotations end inside one"
        return items

    def text(self, data):
        # §2.5
        if self.encoding:
            return data.decode(self.encoding)
        # §2.1
        return decode(data)

    def field(self, data, at, size):
        # §2.2
        data = data[at:at + size].split(b"\0")[0]
        # §6.2.1
        if len(data) == size and not self.encoding:
            whole = codecs.getincrementaldecoder("utf-8")()
            try:
                start = whole.decode(data)
            except UnicodeDecodeError:
                return self.text(data)
            piece = whole.getstate()[0]
            odd = len(piece) == 1 and piece[0] <= 0xdf and "a" <= start[-1:] <= "z"
            if piece and (not start.isascii() or len(piece) > 1 or odd):
                return start
        return self.text(data)


# Headers and names: §3.2, §6, §7, §10


class Extended:
    """A record of the .cbj, of which there may be too little. (§7)"""

    def __init__(self, base, record):
        at = 32 + (record - 1) * base.extended_size
        self.data = base.extended[at:at + base.extended_size]

    def number(self, at, size):
        field = self.data[at:at + size]
        # §7.2
        return int.from_bytes(field, "big", signed=True) if len(field) == size else None

    def name(self, at):
        # §7.2; teams come both or not
        return self.number(at, 4) if at == 116 or len(self.data) >= 8 else None

    def whole(self, at, low):
        number = self.number(at, 8)
        # §7.4
        return low if number is None or number & 0xffffffff != low else number & (1 << 64) - 1


def names(data, size):
    """The data of a file of names. (§6.1)"""
    # §6.1.1
    if data is None or len(data) < 28:
        return []
    count, _, magic, stored, _, _, extra = struct.unpack("<7i", data[:28])
    if magic != 1234567890 or stored != size or extra < 0:
        return []
    # §6.1.2, §6.1.3
    count = min(count, (len(data) - 28 - extra) // (9 + size))
    return [data[28 + extra + n * (9 + size):][9:9 + size] for n in range(count)]


def name_of(names, number):
    # §6.1.4, §6.1.7
    return names[number] if number is not None and 0 <= number < len(names) else None


def date_of(bits):
    year, month, day = bits >> 9 & 0xfff, bits >> 5 & 15, bits & 31
    # §2.4
    return date(year, 0, 0) if month > 12 else date(year, month, day)


def roster(base, header, more, game):
    """The tags of a header. (§3.2, §10, §16.2)"""
    typed, tags = game.typed, []
    white, black, tournament, annotator, source, day = [int.from_bytes(header[at:at + 3], "big") for at in range(9, 27, 3)]
    asked = [("cbp", white), ("cbp", black), ("cbt", tournament), ("cbc", annotator), ("cbs", source), ("cbe", more.name(0)), ("cbe", more.name(4))]
    # §7.3
    asked += [("cbl", more.name(116))] if base.names["cbl"] or more.name(116) else []
    # §6.1.7
    if any(name_of(base.names[kind], number) is None for kind, number in asked if number is not None and number >= 0):
        game.lost = "a name is not there"
    # §3.2.2
    if header[0] & 0x80:
        typed["Deleted"] = "1"
    typed["Date"] = date_of(day)
    for side, number in ("White", white), ("Black", black):
        data = name_of(base.names["cbp"], number) or b""
        last, first = base.field(data, 0, 30), base.field(data, 30, 20)
        # §10.1
        if last or first:
            typed[side] = last + ", " + first if first else last
    result, evaluation, major, minor = header[27:31]
    # §3.2.7
    typed["Result"], words = RESULTS[result] if result < 8 else ("*", "")
    tags.append(("CbhResult", words))
    # §3.2.8
    tags.append(("CbhEvaluation", counted(evaluation)))
    # §3.2.9 to §3.2.11
    if major or minor:
        typed["Round"] = "%d.%d" % (major, minor) if minor else str(major)
    elos, eco = struct.unpack(">HH", header[31:35]), int.from_bytes(header[35:37], "big")
    for side, elo in zip(("White", "Black"), elos):
        # §3.2.12
        if elo:
            typed[side + "Elo"] = str(elo)
    if opening(eco):
        typed["ECO"] = opening(eco)
    event_tags(base, name_of(base.names["cbt"], tournament), typed, tags)
    # §10.8
    tags.append(("Annotator", base.field(name_of(base.names["cbc"], annotator) or b"", 0, 45)))
    source_tags(base, name_of(base.names["cbs"], source), tags)
    for side, at in ("White", 0), ("Black", 4):
        # §7.3
        team_tags(base, name_of(base.names["cbe"], more.name(at)), side, day >> 9 & 0xfff, tags)
    # §10.14, §7.3
    tags.append(("CbhTitle", base.field(name_of(base.names["cbl"], more.name(116)) or b"", 0, 200)))
    game.tags += [tag for tag in tags if tag[1]]


def opening(eco):
    # §3.2.13 to §3.2.15
    code, sub = (eco >> 7) - 1, eco & 127
    if not 0 <= code <= 499 or sub > 99:
        return None
    return "ABCDE"[code // 100] + "%02d" % (code % 100) + ("/%02d" % sub if sub else "")


def counted(number):
    return str(number) if number else ""


def nation(number):
    # §6.4.1, §6.4.2
    return NATIONS.get(number, "#%d" % number) if number else ""


def event_tags(base, data, typed, tags):
    if data is None:
        return
    # §10.2
    typed["Event"] = base.field(data, 0, 40) or "?"
    typed["Site"] = base.field(data, 40, 30) or "?"
    day, kind, team, country, _, category, flags, rounds = struct.unpack("<I7B", data[70:81])
    # §10.3
    if day:
        typed["EventDate"] = date_of(day)
    tags.append(("EventType", event_type(kind, team)))
    # §10.6, §10.7
    tags.extend([("EventRounds", counted(rounds)), ("EventCountry", nation(country)), ("EventCategory", counted(category)),
                 ("CbhEventFlags", counted(flags))])


def event_type(kind, team):
    # §10.5
    words = "#%d #%d" % (kind, team)
    # §10.4
    if kind & 31 < len(EVENTS) and team < 2:
        speeds = [speed for bit, speed in SPEEDS if kind & bit]
        words = " ".join([word for word in ["team-" * team + EVENTS[kind & 31]] if word] + speeds)
    return words


def source_tags(base, data, tags):
    if data is None:
        return
    title, publisher = base.field(data, 0, 25), base.field(data, 25, 16)
    publication, day, version, quality = struct.unpack("<IIBB", data[41:51])
    # §10.10
    told = publication and (title or publisher or publication != day)
    # §10.9, §10.11
    tags.extend([("SourceTitle", title), ("Source", publisher), ("SourceDate", date_of(publication) if told else ""),
                 ("SourceVersion", counted(version)), ("SourceVersionDate", date_of(day) if day else ""),
                 ("SourceQuality", counted(quality))])


def team_tags(base, data, side, year, tags):
    if data is None:
        return
    number, season, of_year, country = struct.unpack("<IBIB", data[45:55])
    # §10.12, §10.13
    tags.extend([(side + "Team", base.field(data, 0, 45)), (side + "TeamCountry", nation(country))])
    if (number, season, of_year) != (0, 0, year):
        tags.append(("Cbh" + side + "Team", "%d %d %d" % (number, season, of_year)))


# Moves: §4


def square(number):
    """Of this module's board the square that the format counts along the files. (§2)"""
    return number % 8 * 8 + number // 8


def start(data, chess960):
    """The position and the number of the move. (§4.2)"""
    board = Board("8/8/8/8/8/8/8/8 w - - 0 1")
    bits = iter("".join(format(byte, "08b") for byte in data[4:28]))
    take = lambda: int(next(bits, "0"))
    for number in range(64):
        if take():
            black, code = take(), take() * 4 + take() * 2 + take()
            # §4.2.3
            letter = ".KQNBRP."[code]
            board.squares[square(number)] = letter.lower() if black else letter
    board.white = not data[1] & 16
    for letter, bit, place in ("K", 2, 30), ("Q", 1, 31), ("k", 8, 32), ("q", 4, 33):
        if not data[2] & bit:
            continue
        if not chess960:
            # §4.2.4
            home_right(board, letter)
        else:
            # §4.2.5
            allow_named(board, letter, square(data[place] & 63))
    file = (data[1] & 15) - 1
    rank = 5 if board.white else 2
    # §4.2.6
    if 0 <= file < 8 and board.squares[file + 8 * (rank - 1 if board.white else rank + 1)] == ("p" if board.white else "P"):
        board.passing = file + 8 * rank
    # §4.2.7
    return board, data[3] or 1


def at_home(board, letter):
    """Whether king and rook stand where castling begins."""
    white, rank = letter.isupper(), 0 if letter.isupper() else 56
    corner = rank + (7 if letter in "Kk" else 0)
    return board.king(white) == rank + 4 and board.squares[corner] == ("R" if white else "r")


def home_right(board, letter):
    if at_home(board, letter):
        board.rooks.add((0 if letter.isupper() else 56) + (7 if letter in "Kk" else 0))


def allow_named(board, letter, rook):
    white = letter.isupper()
    king, rank = board.king(white), 0 if white else 7
    named = board.squares[rook] == ("R" if white else "r") and rook // 8 == rank
    if king is not None and king // 8 == rank and named and (rook > king) == (letter in "Kk"):
        board.rooks.add(rook)
    else:
        board.allow(letter)


# What codes of one byte move: kind, number, step. (§4.4)
STEPS = {int(code): (piece.lower(), int(number), (int(files), int(ranks))) for code, piece, number, files, ranks in rows("cbh-codes")}


class Tree:
    """Moves in stored order; number 0 is no move but the start."""

    def __init__(self):
        self.moves, self.after = [NULL], [[]]

    def add(self, parent, move):
        self.moves.append(move)
        self.after.append([])
        self.after[parent].append(len(self.moves) - 1)
        return len(self.moves) - 1

    def main_end(self):
        at = 0
        while self.after[at]:
            at = self.after[at][0]
        return at


class Numbers:
    """The squares of the numbered pieces of both sides, by their kinds. (§4.5)"""

    def __init__(self, board):
        self.of = {letter: [] for letter in "KQRBNPkqrbnp"}
        for number in range(64):
            piece = board.squares[square(number)]
            # §4.5.1
            if piece != ".":
                self.add(piece, square(number))

    def copy(self):
        other = object.__new__(Numbers)
        other.of = {letter: squares[:] for letter, squares in self.of.items()}
        return other

    def add(self, piece, at):
        if len(self.of[piece]) < {"k": 1, "p": 8}.get(piece.lower(), 3):
            self.of[piece].append(at)

    def replace(self, piece, at, other):
        self.of[piece] = [other if one == at else one for one in self.of[piece]]

    def remove(self, piece, at):
        # §4.5.2
        if piece in "Pp":
            self.replace(piece, at, None)
        elif at in self.of[piece]:
            self.of[piece].remove(at)

    def follow(self, board, move):
        """What a move that is about to be played does to them."""
        begin, end, promotion = move
        piece, taken = board.squares[begin], board.squares[end]
        # §4.5.4
        if move != NULL and board.is_castling(move):
            rank = begin // 8 * 8
            self.replace(piece, begin, rank + (6 if end > begin else 2))
            self.replace(taken, end, rank + (5 if end > begin else 3))
        elif move != NULL:
            if taken != ".":
                self.remove(taken, end)
            elif piece in "Pp" and (end - begin) % 8:
                beside = begin // 8 * 8 + end % 8
                self.remove(board.squares[beside], beside)
            self.replace(piece, begin, None if promotion else end)
            # §4.5.3
            if promotion:
                self.add(board.own(promotion), end)


class Right(Exception):
    """A side castles without the right. (§4.2.8)"""


def decode_moves(data, mode, board, tree):
    """Moves into a tree; `board` gets a right that they need."""
    while True:
        tree.__init__()
        decoding = Decoding(data, mode, board, tree)
        try:
            return decoding.words() if mode in WORDS else decoding.codes()
        except Right as right:
            home_right(board, right.args[0])


class Decoding:
    def __init__(self, data, mode, board, tree):
        self.data, self.mode, self.start, self.tree = data, mode, board, tree
        self.board, self.numbers, self.node = board.copy(), Numbers(board), 0
        self.at, self.count, self.marked = 0, 0, []

    def byte(self):
        table, byte = MODES[self.mode], self.data[self.at]
        self.at += 1
        # §4.3.1
        code = table[(byte - self.count) % 256 if self.mode in BEFORE else byte]
        # §4.3.5
        if code is None:
            raise Damage("a byte that nobody knows")
        return code if self.mode in BEFORE else (code - self.count) % 256

    def word(self):
        # §4.6.5
        if self.at + 2 > len(self.data):
            raise Damage("the record ends within a word")
        return self.byte() << 8 | self.byte()

    def codes(self):
        # §4.10.3
        while self.at < len(self.data):
            code = self.byte()
            if code in STEPS:
                self.step(*STEPS[code])
            elif code == 0:
                self.push(NULL)
            elif code in (9, 10):
                self.castle(code == 10)
            elif code == 235:
                self.play_word(self.word())
            elif code == 254:
                self.mark()
            elif code == 255 and not self.back():
                return

    def words(self):
        # §4.8.4
        while self.at < len(self.data):
            word = self.word()
            # §4.8.1
            if word & 0x8000:
                self.mark()
            # §4.8.2
            if word & 0xfff == 0:
                self.push(NULL)
            else:
                self.play_word(word)
            if word & 0x4000 and not self.back():
                return

    def mark(self):
        # §4.7.5
        if len(self.marked) == MAX_BRANCHES:
            raise Damage("too many positions to come back to")
        # §4.7.1, §4.5.5
        self.marked.append((self.board.copy(), self.numbers.copy(), self.node))

    def back(self):
        """§4.7.2"""
        if not self.marked:
            return False
        self.board, self.numbers, self.node = self.marked.pop()
        return True

    def push(self, move):
        self.numbers.follow(self.board, move)
        self.board.play(move)
        # §4.7.3
        self.node = self.tree.add(self.node, move)
        # §4.3.2, §4.3.3
        self.count = (self.count + 1) % 256

    def play(self, move):
        # §4.10.1
        if not self.board.legal(move):
            raise Damage("an illegal move")
        self.push(move)

    def step(self, kind, number, step):
        """§4.4.1"""
        squares = self.numbers.of[self.board.own(kind)]
        if number >= len(squares) or squares[number] is None:
            raise Damage("a piece that is not there")
        begin, sign = squares[number], 1 if kind != "p" or self.board.white else -1
        end = (begin % 8 + sign * step[0]) % 8 + (begin // 8 + sign * step[1]) % 8 * 8
        # A step is no castling.
        if self.board.is_castling((begin, end, "")):
            raise Damage("an illegal move")
        self.play((begin, end, ""))

    def castle(self, long):
        """§4.4.3"""
        white = self.board.white
        king, rook = self.board.king(white), self.board.castling_rook(white, long)
        letter = self.board.own("q" if long else "k")
        if rook is not None:
            return self.play((king, rook, ""))
        # §4.2.8
        if self.mode != CHESS960 and at_home(self.start, letter) and at_home(self.board, letter) \
                and self.start.castling_rook(white, long) is None:
            raise Right(letter)
        raise Damage("castling without the right")

    def play_word(self, word):
        """§4.6"""
        begin, end, board = square(word & 63), square(word >> 6 & 63), self.board
        file = {2: True, 6: False}.get(end % 8)
        # §4.6.4
        if begin == end and self.mode == CHESS960:
            if file is None:
                raise Damage("castling to nowhere")
            return self.castle(file)
        piece = board.squares[begin]
        # §4.6.6
        if piece == ".":
            raise Damage("nobody stands there")
        # §4.6.3
        if piece in "Kk" and abs(begin % 8 - end % 8) == 2 and begin // 8 == end // 8 and self.mode != CHESS960:
            if file is None or not board.is_own(begin):
                raise Damage("castling to nowhere")
            return self.castle(file)
        # §4.6.1, §4.6.2
        promotion = "qrbn"[word >> 12 & 3] if piece in "Pp" and end // 8 in (0, 7) else ""
        self.play((begin, end, promotion))


def is_text(record):
    """§4.9.1"""
    at = [4]

    def number(size):
        field = record[at[0]:at[0] + size]
        at[0] += size
        if len(field) < size:
            raise Damage("")
        return int.from_bytes(field, "little")

    def skip(size):
        at[0] += size
        if at[0] > len(record):
            raise Damage("")

    try:
        version = number(2)
        for _ in range(number(2)):
            number(2)
            skip(number(2))
        number(1)
        for _ in range(number(2)):
            number(2)
            for _ in range(2):
                skip(number(2 if version == 1 else 4))
    except Damage:
        return False
    return True


# Annotations: §5


class Notes:
    """Puts moves and items into a game. (§5.3)"""

    def __init__(self, base, items, game):
        self.base, self.items, self.game = base, items, game

    def put(self, tree):
        for kind, data in self.items.get(-1, []):
            # §5.3.6, §5.3.16
            if kind in (0x16, 0x17) and len(data) == 4:
                self.game.tags.append((("WhiteClock", "BlackClock")[kind - 0x16], clock(int.from_bytes(data, "big"))))
        self.after(-1)
        # Whether a variation started or ended right before.
        plain, todo = False, [(None, 0, first) for first in tree.after[0][:1]]
        while todo:
            bracket, parent, node = todo.pop()
            if bracket:
                plain = True
                self.game.open() if bracket == "(" else self.game.close()
                continue
            self.before(node - 1, plain)
            self.game.move(tree.moves[node])
            self.after(node - 1)
            plain = False
            todo += [(None, node, first) for first in tree.after[node][:1]]
            # §4.7.3
            if node == tree.after[parent][0]:
                for other in reversed(tree.after[parent][1:]):
                    todo += [(")", 0, 0), (None, parent, other), ("(", 0, 0)]

    def before(self, place, plain):
        items = self.items.get(place, [])
        others = [kind for kind, data in items if not is_before(kind, data, place)]
        usual, count = int(others[:1] == [3]), 0
        for kind, data in items:
            if not is_before(kind, data, place):
                count += 1
                continue
            words = "" if plain else "[%cbh before] "
            # §5.3.17
            if self.base.exact and count != usual:
                words = "[%%cbh before %d] " % count
            # §5.3.2, §5.3.13
            self.comment(words + self.text(data))

    def after(self, place):
        items = [(kind, data) for kind, data in self.items.get(place, []) if not is_before(kind, data, place)
                 and not (place == -1 and kind in (0x16, 0x17) and len(data) == 4)]
        # §5.3.14
        if not self.base.exact:
            for kind, data in items:
                if is_glyphs(kind, data, place):
                    self.glyphs(data)
        words, texts, drawn = [], 0, False
        for kind, data in items:
            is_text = kind == 2 and data[:1] == b"\0" and len(data) > 1
            if is_glyphs(kind, data, place):
                if self.base.exact:
                    self.flush(words)
                    words, texts = [], 0
                    self.glyphs(data)
                continue
            # §5.3.15, §5.3.20
            if is_text and texts or self.stands_alone(kind, place, data):
                self.flush(words)
                words, drawn = [], False
            texts = texts or is_text
            word = self.text(data) if is_text else self.command(kind, data)
            draws = not is_text and word.startswith(("[%csl ", "[%cal "))
            words += [" ", word] if words and not (drawn and draws) else [word]
            drawn = draws
            if self.stands_alone(kind, place, data):
                self.flush(words)
                words, texts, drawn = [], False, False
        self.flush(words)

    def flush(self, words):
        if words:
            self.comment("".join(words))

    def comment(self, words):
        # Line ends are those of §5.4.7.
        self.game.line.append({"comment": words})

    def glyphs(self, data):
        """§5.3.3"""
        for nag in data:
            if nag:
                self.game.nag(nag)

    def command(self, kind, data):
        return command(kind, data)

    def stands_alone(self, kind, place, data):
        """Whether an item is a comment of its own. (§5.3.20, cbh2 §5.4.2)"""
        return kind == 0x26 and place == -1 and bool(evaluations(data))

    def language(self, data):
        """The words for the language of a text, and the text."""
        language = data[1]
        # §5.4.1
        return "[%%cbh lang %s] " % LANGUAGES.get(language, language) if language else "", data[2:]

    def text(self, data):
        """§5.4"""
        words, data = self.language(data)
        # §5.4.7
        if self.base.exact and re.search(rb"(?<!\r)\n|\r\r\n", data):
            words += "[%cbh lines] "
        else:
            data = re.sub(rb"\r+\n", b"\n", data)
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            # §5.4.2
            out, begin = "", 0
            for at in range(len(data) - 1):
                if data[at] in FIGURINES and data[at + 1] in b"abcdefgh12345678x":
                    out += self.base.text(data[begin:at]) + FIGURINES[data[at]]
                    begin = at + 1
            if any(byte in FIGURINES for byte in data):
                return words + out + self.base.text(data[begin:])
        # §5.4.3
        return words + self.base.text(data).translate(dict(zip(range(0xe024, 0xe029), "♔♕♖♗♘")))


def is_before(kind, data, place):
    return kind == 0x82 and place >= 0 and data[:1] == b"\0" and len(data) > 1


def is_glyphs(kind, data, place):
    return kind == 3 and place >= 0 and 1 <= len(data) <= 3 and data[-1] != 0


def clock(hundredths):
    seconds, rest = divmod(hundredths, 100)
    return "%d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60) + (".%02d" % rest if rest else "")


def command(kind, data):
    known = {4: lambda: marks("csl", 2, data), 5: lambda: marks("cal", 3, data), 7: lambda: time_spent(data), 0x21: lambda: evaluation(data),
             9: lambda: training(data), 0x26: lambda: evaluations(data), 0x18: lambda: critical(data), 0x1c: lambda: link(data), 0x22: lambda: medals(data), 0x23: lambda: colour(data)}
    words = known[kind]() if kind in known else None
    # §5.3.12
    return words or "[%%cbh %02x%s]" % (kind, " " + data.hex() if data else "")


COLOURS = {2: "G", 3: "Y", 4: "R", 7: "B"}


def marks(word, size, data):
    """§5.3.4"""
    entries = [data[at:at + size] for at in range(0, len(data), size)]
    if not data or any(len(one) < size or one[0] not in COLOURS or not all(1 <= to <= 64 for to in one[1:]) for one in entries):
        return None
    return "[%%%s %s]" % (word, ",".join(COLOURS[one[0]] + "".join(name(square(to - 1)) for to in one[1:]) for one in entries))


def time_spent(data):
    """§5.3.5"""
    if len(data) != 4 or data[1] > 59 or data[2] > 59 or data[3] > 99:
        return None
    return "[%%emt %s]" % clock(((data[0] * 60 + data[1]) * 60 + data[2]) * 100 + data[3])


def critical(data):
    """§5.3.7"""
    if len(data) != 1 or not 1 <= data[0] <= 3:
        return None
    return "[%%cbh critical %s]" % ("opening", "middlegame", "endgame")[data[0] - 1]


def link(data):
    """§5.3.8"""
    if len(data) < 4 or int.from_bytes(data[:2], "little") != len(data) or len(data) < 4 + data[2]:
        return None
    address, caption = data[3:3 + data[2]], data[4 + data[2]:]
    plain = all(0x20 <= byte <= 0x7e and byte not in b"]{}" for byte in address + caption)
    if data[3 + data[2]] != len(caption) or not plain or not address or b" " in address or caption[:1] == b" ":
        return None
    return "[%%cbh link %s]" % " ".join(part.decode("ascii") for part in (address, caption) if part)


def evaluation(data):
    """§5.3.9"""
    if len(data) != 6:
        return None
    value, kind, depth = struct.unpack("<hhh", data)
    if kind not in (0, 1):
        return None
    words = "#%d" % value if kind else "%s%d.%02d" % ("-" * (value < 0), abs(value) // 100, abs(value) % 100)
    return "[%%eval %s%s]" % (words, ",%d" % depth if depth else "")


def medals(data):
    """§5.3.10"""
    return "[%%mdl %d]" % int.from_bytes(data, "big") if len(data) == 4 else None


def colour(data):
    """§5.3.11"""
    if len(data) != 4:
        return None
    flags, blue, green, red = data
    return "[%%cbh colour %02x%02x%02x%s]" % (red, green, blue, " %d" % flags if flags else "")


def evaluations(data):
    """§5.3.20, §5.3.21"""
    if len(data) < 2 or len(data) != 2 + 4 * int.from_bytes(data[:2], "big"):
        return None
    entries = list(struct.iter_unpack(">BBh", data[2:]))
    first = 0
    while first < len(entries) and entries[first] == (255, 0, 0):
        first += 1
    if first == len(entries):
        return None
    words = [str(first), str(len(entries) - 1)]
    for kind, depth, value in entries[first:]:
        if kind == 0 and abs(value) < 29000:
            words.append(str(value))
        elif kind == 1 and 1 <= abs(value) <= 1000:
            words.append(str(30000 - value if value > 0 else -30000 - value))
        elif kind == 255 and value == 0:
            words.append("32767")
        else:
            return None
    runs = []
    for kind, depth, value in entries[first:]:
        if runs and runs[-1][0] == depth:
            runs[-1][1] += 1
        else:
            runs.append([depth, 1])
    depths = ",".join("%d*%d" % (depth, times) if times > 1 else str(depth) for depth, times in runs)
    return "[%%evp %s]" % ",".join(words) + ("" if all(depth == 0 for depth, times in runs) else " [%%cbh depths %s]" % depths)


TRAINING_LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pt", "any"]


def training(data, variant=1):
    """§5.3.22, §5.5; cbh2 §5.4.10"""
    try:
        if data[:3] != bytes([1, 0, variant]) or int.from_bytes(data[3:5], "little") != len(data) - 3:
            return None
        seconds, points = struct.unpack("<ih", data[5:11])
        at, lists, solutions = 11, [], []
        for number in range(4):
            found, at = training_list(data, at)
            lists.append(found)
        count, at = data[at], at + 1
        for number in range(count):
            if variant == 2:
                worth = data[at]
                found, at = training_list(data, at + 1)
                more, at = training_list(data, at)
                solutions.append((more, None, worth, found))
                continue
            begin, end, unknown, worth = data[at:at + 4]
            found, at = training_list(data, at + 4)
            solutions.append((name(square(begin)) + name(square(end)), unknown, worth, found))
            if begin > 63 or end > 63:
                return None
    except (IndexError, ValueError, struct.error):
        return None
    if at != len(data):
        return None
    question, wrong, one, two = lists
    language = question[0][0] if len(question) == 1 else 7
    fits = all(len(found) < 2 and all(text and of == language for of, text in found) for found in [one, two] + [last for *_, last in solutions])
    if seconds == 0 and not wrong and solutions and language < 7 and fits and points == max(worth for _, _, worth, _ in solutions) \
            and all(unknown == 0 for _, unknown, _, _ in solutions):
        words = [TRAINING_LANGUAGES[language].capitalize(), question[0][1]] + [found[0][1] if found else "" for found in (one, two)]
        words = ",".join('"%s"' % word for word in words)
        for to, unknown, worth, found in solutions:
            words += ',"%s","%s",%d' % (to, found[0][1] if found else "", worth)
        return "[%%tqu %s]" % words
    words = "%d %d%s" % (seconds, points, training_words(question))
    words += "".join(" |" + training_words(found) for found in (wrong, one, two))
    for to, unknown, worth, found in solutions:
        if unknown is None:
            words += " | %d%s |%s" % (worth, training_words(found), training_words(to))
            continue
        words += " | %s %d %d%s" % (to, unknown, worth, training_words(found))
    return None if variant == 2 and not solutions else "[%%cbh training %s]" % words


def training_words(found):
    named = [(TRAINING_LANGUAGES[of] if of < 8 else "#%d" % of, text) for of, text in found]
    return "".join(' %s "%s"' % one for one in named)


def training_list(data, at):
    """A list from `at`, and where it ends."""
    count, at, found = struct.unpack("<H", data[at:at + 2])[0], at + 2, []
    for number in range(count):
        language, length = struct.unpack("<HH", data[at:at + 4])
        raw = data[at + 4:at + 4 + length]
        if len(raw) != length:
            raise ValueError
        at += 4 + length
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            text = raw.decode("windows-1252")
        else:
            if raw != text_bytes(text):
                raise ValueError
        if any(ord(letter) < 32 or 127 <= ord(letter) < 160 or letter in '"]{}' for letter in text):
            raise ValueError
        found.append((language, text))
    return found, at


def in_page(text):
    """Windows-1252, or None where a letter is not in it or three bytes in a row are beyond ASCII. (§2.6)"""
    try:
        page = text.encode("windows-1252", "windows-1252-byte")
    except UnicodeEncodeError:
        return None
    return None if re.search(rb"[\x80-\xff]{3}", page) else page


def text_bytes(text):
    """§2.6"""
    page = in_page(text)
    return page if page is not None and decode(page) == text else text.encode()


# Archives: §9


def unpack(archive):
    """The files of the base in an archive, by their extensions."""
    # §9.1.1, §9.5.1
    if len(archive) < 8 or archive[:2] != b"\x08\0" or archive[4] not in (149, 173):
        raise Damage("no archive, or an encrypted one")
    size, count = archive[4], int.from_bytes(archive[2:4], "little")
    # §9.1.2
    if len(archive) < 8 + size * count:
        raise Damage("the archive ends within its directory")
    members = []
    for entry in (archive[8 + size * n:][:size] for n in range(count)):
        # §9.1.3
        place = struct.unpack("<3Q", entry[149:173]) if size == 173 else struct.unpack("<3I", entry[128:140])
        members.append((decode(entry[:128].split(b"\0")[0]).lower(), place))
    # §9.1.5
    if sum(place[2] for _, place in members) > 1024 * len(archive):
        raise Damage("more than an archive of this size can hold")
    # §9.1.4
    stems = [member[:-4] for member, _ in members if member.endswith(".cbh")]
    files = {}
    for member, (offset, packed, length) in members:
        stem, _, extension = member.rpartition(".")
        if stems and stem == stems[0] and extension not in files:
            try:
                files[extension] = blocks(archive, offset, packed, length)
            except Damage:
                # §9.2.2, §9.2.3: it counts as missing, and so does another of the same name.
                files[extension] = None
    return {extension: data for extension, data in files.items() if data is not None}


def blocks(archive, at, packed, size):
    """§9.2"""
    out, end = bytearray(), at + packed
    # §9.2.1
    while at < end:
        length, total = struct.unpack("<HH", archive[at:at + 4]) if at + 4 <= len(archive) else (0, 0)
        payload = archive[at + 4:at + 4 + length]
        words = struct.unpack("<%dH" % (len(payload) // 2), payload[:len(payload) // 2 * 2])
        # §9.2.2
        if not payload or len(payload) < length or sum(words) & 0xffff != total or payload[0] > 3:
            raise Damage("a block that is damaged")
        data = huffman(payload[1:]) if payload[0] & 2 else payload[1:]
        if payload[0] & 1:
            copies(data, out)
        else:
            out += data
        at += 4 + length
    if len(out) != size:
        raise Damage("another size than the directory says")
    return bytes(out)


def huffman(data):
    """§9.3"""
    bits, at = "".join(format(byte, "08b") for byte in data), 16
    length, codes = int(bits[:16] or "0", 2), {}
    for byte in range(256):
        size = int(bits[at:at + 4] or "0", 2)
        # §9.3.1
        if at + 4 + size > len(bits):
            raise Damage("too few bits")
        codes[bits[at + 4:at + 4 + size]] = byte
        at += 4 + size
    out = bytearray()
    while len(out) < length:
        size = next((size for size in range(1, 16) if bits[at:at + size] in codes and at + size <= len(bits)), None)
        # §9.3.1
        if size is None:
            raise Damage("bits that are no code")
        out.append(codes[bits[at:at + size]])
        at += size
    return bytes(out)


def copies(data, out):
    """Appends to what came before. (§9.4)"""
    at = 0
    try:
        while at < len(data):
            # §9.4.6
            if at + 1 == len(data):
                out.append(data[at])
                return
            control = data[at] | data[at + 1] << 8
            at += 2
            for bit in range(15, -1, -1):
                if at == len(data):
                    return
                if not control >> bit & 1:
                    out.append(data[at])
                    at += 1
                    continue
                high, low, x = data[at] >> 4, data[at] & 15, data[at + 1]
                away = 16 * x + low + 3
                # §9.4.1 to §9.4.4
                if high == 0:
                    out += bytes([x]) * (low + 3)
                elif high == 1:
                    out += bytes([data[at + 2]]) * (away + 16)
                else:
                    # §9.4.7
                    if away > len(out):
                        raise Damage("a copy of nothing")
                    for _ in range(data[at + 2] + 16 if high == 2 else high):
                        # §9.4.5
                        out.append(out[-away])
                at += 3 if high in (1, 2) else 2
    except IndexError:
        raise Damage("a token that is cut")
