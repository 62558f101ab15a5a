"""Scid bases of versions 3, 4 and 5. (docs/formats/scid.md)

Every comment that begins with a section sign names the rule that the line below it follows.
"""

import struct

from board import NULL, Board, step
from game import RESULTS, Bounds, Damage, Game, date, decode

INDEX_MAGIC, NAMES_MAGIC = b"Scid.si\0", b"Scid.sn\0"
LISTED = 1000
FLAGS = "WBMENPTKQ!?U123456"
RATINGS = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF"]
COMMON_TAGS = ["WhiteCountry", "BlackCountry", "Annotator", "PlyCount", "EventDate",
               "Opening", "Variation", "Setup", "Source", "SetUp"]
OF_THE_INDEX = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "Deleted", "FEN"]
NAG, COMMENT, OPEN, CLOSE, END = 11, 12, 13, 14, 15
KING = [-9, -8, -7, -1, 1, 7, 8, 9]
KNIGHT = [-17, -15, -10, -6, 6, 10, 15, 17]


def number(data, at, size):
    """§1.1"""
    return int.from_bytes(data[at:at + size], "big")


class Base:
    """A base of three files, given as bytes."""

    def __init__(self, index, names, games, version5):
        self.index, self.games, self.version5 = index, games, version5
        if version5:
            self.header, self.size, declared = 0, 56, 0
            self.names = names_5(names)
        else:
            self.header, self.size, declared = header(index)
            self.names = names_4(names)
        # §2.1.11, §5.2
        self.entries = (len(index) - self.header) // self.size
        # §2.1.12, §2.1.14
        self.length = self.entries + min(max(declared - self.entries, 0), LISTED)
        self.bounds = Bounds(self.entry(n)["offset"] for n in range(self.entries))

    def entry(self, n):
        entry = self.index[self.header + n * self.size:][:self.size]
        return entry_5(entry) if self.version5 else entry_4(entry)

    def game(self, n):
        """A game, and what is wrong with it, if anything is."""
        game = Game()
        if n >= self.entries:
            return game, "the index has no such entry"
        fields = self.entry(n)
        roster(fields, self.names, game)
        start, length = fields["offset"], fields["length"]
        allowed = self.bounds.allowed(start, length)
        record = self.games[start:start + allowed]
        error = None
        try:
            # §4.1.3
            if length == 0:
                raise Damage("the record has no bytes")
            Record(record, game).read()
        except Damage as damage:
            error = str(damage)
        # §4.1.7
        if allowed < length:
            error = "the record takes in those of many games"
        # §4.1.4
        error = "the record ends beyond the file" if len(record) < allowed else error
        return game, error or game.lost


def header(index):
    """Bytes of the header and of an entry, and how many games it counts."""
    # §2.1.8
    if index[:8] != INDEX_MAGIC:
        raise Damage("no index of Scid")
    if len(index) < 128:
        # §2.1.10
        raise Damage("the index ends within its header")
    version = number(index, 8, 2)
    # §2.1.9
    if 300 <= version < 400:
        layout = 128, 46
    elif version == 400:
        layout = 182, 47
    else:
        raise Damage("version %d" % version)
    if len(index) < layout[0]:
        raise Damage("the index ends within its header")
    return layout + (number(index, 14, 3),)


# Entries of the index: §2.2, §5.2


def entry_4(entry):
    flags, length = 0, number(entry, 4, 2)
    if len(entry) == 47:
        # §2.2.3
        length |= (entry[6] >> 7) << 16
        flags = (entry[6] & 63) << 16
        entry = entry[:6] + entry[7:]
    rest = struct.unpack_from(">HBHHBHHHHHIHH", entry, 6)
    low, players, white, black, high, event, site, round_, counts, eco, dates, elo_1, elo_2 = rest
    day = dates & 0xfffff
    return {
        "offset": number(entry, 0, 4),
        "length": length,
        "flags": flags | low,
        "White": (players >> 4) << 16 | white,
        "Black": (players & 15) << 16 | black,
        "Event": (high >> 5) << 16 | event,
        "Site": (high >> 2 & 7) << 16 | site,
        "Round": (high & 3) << 16 | round_,
        "result": counts >> 12,
        "eco": eco,
        "date": day,
        "event date": event_date(dates >> 20, day >> 9),
        "ratings": [(elo_1 >> 12, elo_1 & 0xfff), (elo_2 >> 12, elo_2 & 0xfff)],
    }


def event_date(code, year):
    """§2.2.26"""
    if code >> 9 == 0:
        return 0
    return (max(year + (code >> 9) - 4, 0) & 0x7ff) << 9 | code & 0x1ff


def entry_5(entry):
    w = struct.unpack("<12I", entry[:48])
    return {
        "White": w[0] & 0xfffffff,
        "Black": w[1] & 0xfffffff,
        "Event": w[2] & 0xfffffff,
        "Site": w[3],
        "Round": w[4] & 0x7fffffff,
        "date": w[5] & 0xfffff,
        "event date": w[6] & 0xfffff,
        "flags": w[7] & 0x3fffff,
        "length": w[8] >> 15,
        "offset": (w[8] & 0x7fff) << 32 | w[9],
        "ratings": [(w[11] >> 21 & 7, w[5] >> 20), (w[11] >> 18 & 7, w[6] >> 20)],
        "result": w[11] >> 16 & 3,
        "eco": w[11] & 0xffff,
    }


def roster(fields, names, game):
    """The tags that index and names give. (§12)"""
    typed = game.typed
    for tag, kind in ("Event", 1), ("Site", 2), ("Round", 3), ("White", 0), ("Black", 0):
        # §3.3.1
        typed[tag] = names[kind].get(fields[tag], "?")
        if fields[tag] not in names[kind]:
            game.lost = "a name is not there"
    # §2.2.22
    typed["Result"] = RESULTS[fields["result"]] if fields["result"] < 4 else "*"
    if fields["result"] > 3:
        game.tags.append(("ScidResult", str(fields["result"])))
    typed["Date"] = date_of(fields["date"])
    # §2.2.27
    if fields["event date"]:
        typed["EventDate"] = date_of(fields["event date"])
    if fields["eco"]:
        typed["ECO"] = eco_of(fields["eco"])
    # §2.3.1
    if fields["flags"] & 8:
        typed["Deleted"] = "1"
    for side, (kind, value) in zip(("White", "Black"), fields["ratings"]):
        # §2.4.8
        if value and kind == 0:
            typed[side + "Elo"] = str(value)
        elif value:
            # §2.4.9
            kind = RATINGS[kind] if kind < 7 else "RatingType%d" % kind
            game.tags.append((side + kind, str(value)))
    # §2.3.2
    letters = [letter for bit, letter in enumerate(FLAGS, 4) if fields["flags"] >> bit & 1]
    if letters:
        game.tags.append(("ScidFlags", "".join(letters)))


def date_of(stored):
    year, month, day = stored >> 9, stored >> 5 & 15, stored & 31
    # §2.2.28
    return "%04d.%02d.%02d" % (year, month, day) if month > 12 else date(year, month, day)


def eco_of(stored):
    """§2.2.24, §2.2.25"""
    code, refinement = divmod(stored - 1, 131)
    text = "%s%02d" % ("ABCDEF"[code // 100], code % 100)
    if refinement:
        letter, digit = divmod(refinement - 1, 5)
        text += chr(ord("a") + letter) + (str(digit) if digit else "")
    return text


# Names: §3, §5.3. Four dictionaries: players, events, sites, rounds by id.


def names_4(data):
    names = {}, {}, {}, {}
    # §3.1.11
    if len(data) < 36:
        return names
    at = 36
    for kind, ids in enumerate(names):
        count, most = number(data, 12 + 3 * kind, 3), number(data, 24 + 3 * kind, 3)
        id_size = 3 if count >= 65536 else 2
        frequency_size = 3 if most >= 65536 else 2 if most >= 256 else 1
        before = b""
        for place in range(count):
            first = place == 0
            end = at + id_size + frequency_size + (1 if first else 2)
            # §3.1.12
            if end > len(data):
                return names
            length = data[at + id_size + frequency_size]
            shared = 0 if first else data[end - 1]
            name = before[:shared] + data[end:end + length - shared]
            if shared > min(length, len(before)) or len(name) < length:
                return names
            # §3.1.13, §3.1.14
            if number(data, at, id_size) < count:
                ids[number(data, at, id_size)] = decode(name)
            at, before = end + length - shared, name
    return names


def names_5(data):
    names = {}, {}, {}, {}
    at = 0
    while at < len(data):
        # §5.3.1
        value, shift = 0, 0
        while True:
            # §5.3.5
            if at == len(data) or shift == 70:
                return names
            byte = data[at]
            value |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                break
        length, kind = value >> 3, value & 7
        if at + length > len(data):
            return names
        # §5.3.2, §5.3.3, §5.3.4
        if kind < 4:
            names[kind][len(names[kind])] = decode(data[at:at + length])
        at += length
    return names


class Record:
    """A game's record. (§4)"""

    def __init__(self, data, game):
        self.data, self.at, self.game = data, 0, game

    def take(self, count=1):
        if self.at + count > len(self.data):
            raise Damage("the record ends within something")
        self.at += count
        return self.data[self.at - count:self.at]

    def text(self):
        """What stands before the next zero byte."""
        end = self.data.find(b"\0", self.at)
        if end < 0:
            raise Damage("a text has no end")
        found = self.data[self.at:end]
        self.at = end + 1
        return found

    def read(self):
        self.tags()
        # §4.3.1
        fen = self.text() if self.take()[0] & 1 else None
        board = Numbered(self.start(fen) if fen is not None else Board(), fen is not None)
        self.stream(board)

    def start(self, fen):
        fen = decode(fen)
        try:
            board = Board(fen)
        except ValueError as error:
            # §4.3.2
            raise Damage(str(error))
        self.game.fen = fen
        return board

    def tags(self):
        while True:
            code = self.take()[0]
            if code == 0:
                return
            if code == 255:
                self.old_event_date(int.from_bytes(self.take(3), "big") & 0xfffff)
                continue
            name = decode(self.take(code)) if code <= 240 else None
            value = decode(self.take(self.take()[0]))
            if code <= 250:
                self.tag(name or COMMON_TAGS[code - 241], value)
            else:
                # §6.2.2
                self.game.tags.append(("ScidTag%d" % code, value))

    def old_event_date(self, stored):
        """§4.2.6"""
        if stored and "EventDate" not in self.game.typed and stored >> 5 & 15 <= 12:
            self.game.typed["EventDate"] = date_of(stored)

    def tag(self, name, value):
        # §6.2.3
        if name in OF_THE_INDEX:
            return
        if name in ("WhiteElo", "BlackElo", "ECO", "EventDate"):
            # §6.2.4
            self.game.typed.setdefault(name, value)
        else:
            self.game.tags.append((name, value))

    def stream(self, board):
        game, comments, missing = self.game, self.comments(), False
        before, levels, moved = board, [], False
        while True:
            byte = self.take()[0]
            if byte == NAG:
                game.nag(self.take()[0])
            elif byte == COMMENT:
                comment = next(comments, None)
                # §4.4.12
                if comment is None:
                    missing = True
                else:
                    game.comment(decode(comment))
            elif byte == OPEN:
                # §4.4.9
                if not moved:
                    raise Damage("a variation without a move to replace")
                levels.append((board, before))
                # §4.4.7
                board, moved = before, False
                game.open()
            elif byte == CLOSE:
                if not levels:
                    raise Damage("the end of no variation")
                board, before = levels.pop()
                moved = True
                game.close()
            elif byte == END:
                if levels:
                    raise Damage("the game ends within a variation")
                break
            else:
                before, board, moved = board, board.copy(), True
                game.move(board.play(byte, self))
        if missing:
            raise Damage("too few comments")
        self.unmarked(comments)

    def comments(self):
        """Finds the texts behind the end marker. (§4.4.6)"""
        at = self.at
        while at < len(self.data) and self.data[at] != END:
            at += 2 if self.data[at] == NAG else 1
        # What follows the last zero byte is no text.
        return iter(self.data[at + 1:].split(b"\0")[:-1])

    def unmarked(self, texts):
        """§4.4.16"""
        texts = list(texts)
        # §4.4.20
        while texts and not texts[-1]:
            texts.pop()
        if not texts:
            return
        texts = iter(texts)
        old, game = self.game.line, self.game
        game.line = []
        first, awaits = self.last_marked(old)
        for place, token in enumerate(old):
            node = not isinstance(token, dict) and token[0] != "$"
            if node and awaits:
                self.give(texts)
                awaits = False
            if node and place >= first:
                awaits = token != ")"
                # §4.4.19
                if token == ")":
                    self.give(texts)
            game.line.append(token)
        # What is left stands at the end of the game. (§4.4.19)
        while self.give(texts):
            pass

    def give(self, texts):
        text = next(texts, None)
        if text:
            self.game.comment(decode(text))
        return text is not None

    @staticmethod
    def last_marked(line):
        """The place of the first node behind the last that has a comment, and whether the place
        before the first move takes a text too."""
        found, node, outer = None, -1, []
        for place, token in enumerate(line):
            if isinstance(token, dict):
                found = node
            elif token == "(":
                outer.append(node)
                node = place
            elif token == ")":
                node = outer.pop()
            elif token[0] != "$":
                node = place
        return (0, True) if found is None else (found + 1, False)


class Numbered:
    """A board whose pieces have numbers, each side its own. (§4.6)"""

    def __init__(self, board, from_fen):
        self.squares, self.white = board.squares[:], board.white
        # §4.5.22
        self.corners = {}
        for white, rank in (True, 0), (False, 56):
            for long, file in (True, 0), (False, 7):
                rook = board.castling_rook(white, long)
                self.corners[white, long] = rank + file if rook is None else rook
        self.lists = {True: [], False: []}  # the squares of White's and Black's pieces by number
        if from_fen:
            self.number()
        else:
            # §4.6.1
            for white, back, pawns in (True, 0, 8), (False, 56, 48):
                officers = [back + file for file in (4, 0, 1, 2, 3, 5, 6, 7)]
                self.lists[white] = officers + [pawns + file for file in range(8)]

    def number(self):
        for rank in range(7, -1, -1):
            for square in range(8 * rank, 8 * rank + 8):
                piece = self.squares[square]
                if piece == ".":
                    continue
                squares = self.lists[piece.isupper()]
                # §4.6.2
                squares.append(square)
                # §4.6.3
                if piece in "Kk":
                    squares[0], squares[-1] = squares[-1], squares[0]
                # §4.3.3
                if len(squares) > 16:
                    raise Damage("more than 16 pieces a side")

    def copy(self):
        other = object.__new__(Numbered)
        other.squares, other.white, other.corners = self.squares[:], self.white, self.corners
        other.lists = {side: squares[:] for side, squares in self.lists.items()}
        return other

    def play(self, byte, record):
        """Plays a byte of the stream; a queen's second byte is taken from the record."""
        piece, code = byte >> 4, byte & 15
        squares = self.lists[self.white]
        # §4.5.11
        if piece >= len(squares):
            raise Damage("no piece has this number")
        start = squares[piece]
        kind = self.squares[start].lower()
        if kind == "k" and code in (0, 9, 10):
            move = self.castle(start, code == 9) if code else NULL
        else:
            target, promotion = self.target(kind, start, code, record)
            move = self.move(start, target, promotion)
        self.white = not self.white
        return move

    def target(self, kind, start, code, record):
        """Where a code leads, and what the piece becomes."""
        file, rank = start % 8, start // 8
        promotion = ""
        if kind == "q" and code == file:
            # §4.5.15
            target = record.take()[0] - 64
            if not 0 <= target < 64:
                raise Damage("the second byte is no square")
        elif kind in "rq":
            target = rank * 8 + code if code < 8 else (code - 8) * 8 + file
        elif kind == "b":
            files = (code & 7) - file
            target = step(start, files, files if code < 8 else -files)
        elif kind == "p":
            forward = 1 if self.white else -1
            target = start + forward * (16 if code == 15 else 7 + code % 3)
            promotion = ("", "q", "r", "b", "n", "")[code // 3]
        else:
            # §4.5.12
            steps = KING if kind == "k" else KNIGHT
            if not 1 <= code <= 8:
                raise Damage("no such code")
            target = start + steps[code - 1]
        # §4.5.13, §4.5.14
        if target is None or not 0 <= target < 64 or target == start:
            raise Damage("it leads nowhere")
        return target, promotion

    def move(self, start, target, promotion):
        piece, taken = self.squares[start], self.squares[target]
        # §4.5.16
        if taken in "Kk":
            raise Damage("it takes a king")
        # §4.5.17
        if piece in "Kk" and taken == ("R" if self.white else "r"):
            raise Damage("the king takes its own rook")
        if taken != ".":
            self.take(target)
        elif piece in "Pp" and start % 8 != target % 8:
            # §4.5.20
            beside = start // 8 * 8 + target % 8
            if self.squares[beside] == ("p" if self.white else "P"):
                self.take(beside)
        squares = self.lists[self.white]
        squares[squares.index(start)] = target
        self.squares[start] = "."
        self.squares[target] = (promotion.upper() if self.white else promotion) or piece
        return start, target, promotion

    def take(self, square):
        """§4.6.4"""
        squares = self.lists[self.squares[square].isupper()]
        last = squares.pop()
        if last != square:
            squares[squares.index(square)] = last
        self.squares[square] = "."

    def castle(self, king, long):
        rook, rank = self.corners[self.white, long], king // 8 * 8
        # §4.5.23
        own = self.squares[rook] == ("R" if self.white else "r")
        if not own or rook // 8 != king // 8 or rook == king or (rook < king) != long:
            raise Damage("no rook to castle with")
        king_to, rook_to = (rank + 2, rank + 3) if long else (rank + 6, rank + 5)
        # §4.5.24
        for square in king_to, rook_to:
            if square not in (king, rook) and self.squares[square] != ".":
                raise Damage("castling onto a piece")
        pieces = self.squares[king], self.squares[rook]
        squares = self.lists[self.white]
        places = squares.index(king), squares.index(rook)
        self.squares[king] = self.squares[rook] = "."
        self.squares[king_to], self.squares[rook_to] = pieces
        squares[places[0]], squares[places[1]] = king_to, rook_to
        return king, rook, ""
