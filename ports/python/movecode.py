"""jose's byte code of games: .jose. (docs/formats/movecode.md)

The archive and its tables are read by jose.py. Every comment that begins with a section sign names
the rule that the line below it follows.
"""

import re

import jose
from board import NULL, Board, step
from game import OPTIONAL, RESULTS, TYPED, Damage, Game, date
from texts import decode_as

# movecode §4: files to the right, ranks up
PAWN = [(0, 1), (1, 1), (-1, 1), (0, 2)]
KNIGHT = [(2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2), (1, 2)]
KING = [(1, 1), (1, -1), (-1, -1), (-1, 1), (1, 0), (-1, 0), (0, 1), (0, -1)]
# movecode §14 "The published description"
PUBLISHED_KNIGHT = KNIGHT[::-1]
PUBLISHED_KING = [(1, 1), (-1, 1), (-1, -1), (1, -1), (0, 1), (0, -1), (-1, 0), (1, 0)]

SLOTS = {"p": 8, "n": 2, "b": 2, "r": 2, "q": 1, "k": 1}
PROMOTED = "nbrq"
WORDS = {0xe1: "unreadable move: ", 0xe2: "illegal move: ", 0xe3: "ambiguous move: ", 0xe4: "unrecognised text: ", 0xe5: "empty: "}
CODE_RESULTS = {0xd0: "0-1", 0xd1: "1/2-1/2", 0xd2: "1-0", 0xd3: "*"}
COLUMN_RESULTS = {2: "1-0", 1: "1/2-1/2", 0: "0-1", -1: "*"}
DEEPEST = 4096
NAMED = {"White": "player", "Black": "player", "Event": "event", "Site": "site"}


class Base:
    """The tables of an archive, or of an unpacked folder: a dictionary from names in small letters to bytes."""

    def __init__(self, files, encoding=None, dialect="auto"):
        self.encoding, self.published = encoding or "windows-1252", dialect == "published"
        # movecode §10.1, movecode §10.3
        if "io_game.frm" not in files or "io_game.myd" not in files:
            raise Damage("there is no table IO_Game")
        self.columns = jose.definition(files["io_game.frm"])
        if "bin" not in [column.name for column in self.columns]:
            raise Damage("IO_Game has no column Bin")
        self.names = {kind: self.table(files, kind) for kind in ("collection", "player", "event", "site", "opening")}
        self.rows = list(jose.rows(files["io_game.myd"]))
        self.length = len(self.rows)
        if dialect not in ("jose", "published"):
            # movecode §14.1.1
            fits = [(self.fits(row, False), self.fits(row, True)) for row in self.rows[:64]]
            # movecode §14.1.2
            self.published = fits.count((False, True)) > fits.count((True, False))

    def fits(self, row, published):
        """Whether the codes of a row are whole and legal in a dialect."""
        self.published = published
        try:
            stream = Stream(self, jose.values(row, self.columns), Game())
            stream.read()
        except (Damage, TypeError):
            return False
        return stream.legal

    def table(self, files, kind):
        """A table of names: texts by their numbers. (movecode §9)"""
        frm, data = files.get("io_%s.frm" % kind), files.get("io_%s.myd" % kind)
        if frm is None or data is None:
            return {}
        columns, found = jose.definition(frm), {}
        for row in jose.rows(data):
            try:
                values = None if row is None else jose.values(row, columns)
            except Damage:
                values = None
            # movecode §12.5
            if values is not None and values.get("id") is not None:
                found[values["id"]] = self.text(values.get("name") or b"")
        return found

    def text(self, data):
        """movecode §7.2"""
        return decode_as(data, self.encoding, cesu=True)

    def game(self, number):
        """A game, and what is wrong with it, if anything is."""
        game, row = Game(), self.rows[number]
        # movecode §11.11, movecode §11.12
        if row is None:
            return game, "the row cannot be read"
        try:
            values = jose.values(row, self.columns)
        except Damage as damage:
            return game, str(damage)
        roster(self, values, game)
        stream, error = Stream(self, values, game), None
        try:
            stream.read()
        except Damage as damage:
            error = str(damage)
        result(stream, game, error is None)
        return game, error or game.lost


# Tables: movecode §9


def roster(base, values, game):
    typed = game.typed
    get = values.get

    def named(kind, number):
        found = base.names[kind].get(number)
        # movecode §9.3.1
        if found is None and number:
            game.lost = "a number without a name"
        return found

    def tag(name, value):
        # movecode §9.3.6
        if value not in (None, "", "-"):
            game.tags.append((name, value))

    def text(column):
        return None if get(column) is None else base.text(get(column))

    # movecode §9.3.1
    for name, kind in NAMED.items():
        found = named(kind, get(name.lower() + "id") or 0)
        typed[name] = "?" if found is None else found
    # movecode §9.3.2
    typed["Round"] = "?" if get("round") is None else text("round")
    # movecode §9.3.3
    typed["Result"] = COLUMN_RESULTS.get(get("result"), "*")
    for side in "White", "Black":
        rating = get(side.lower() + "elo") or 0
        # movecode §9.3.4
        if 0 < rating <= 65535:
            typed[side + "Elo"] = str(rating)
    # movecode §9.3.5
    if get("eco"):
        typed["ECO"] = text("eco")
    flags = get("dateflags") or 0
    typed["Date"] = day(get("gamedate"), flags) or "????.??.??"
    # movecode §9.5.3
    event_date = day(get("eventdate"), flags >> 8)
    if event_date:
        typed["EventDate"] = event_date
    tag("Collection", named("collection", get("cid") or 0))
    tag("Annotator", named("player", get("annotatorid") or 0))
    tag("Opening", named("opening", get("openingid") or 0))
    # movecode §9.3.7
    for name in "WhiteTitle", "BlackTitle", "Board":
        if get(name.lower()) is not None:
            game.tags.append((name, text(name.lower())))
    more = list(pieces(text("info") or ""))
    for name, value in more:
        # movecode §9.4.3
        if name == "Result" and value not in RESULTS:
            # Another spelling, of which these ports know blanks. (pgn §3.7)
            plain = value.replace(" ", "")
            typed["Result"] = plain if plain in RESULTS else "*"
            if value:
                game.tags.append(("ResultSpelling", value))
        elif name in TYPED + OPTIONAL:
            typed[name] = value
        else:
            game.tags.append((name, value))
    # movecode §9.3.8
    if (get("attributes") or 0) & 8 and "Variant" not in [name for name, _ in more]:
        game.tags.append(("Variant", "Chess960"))


def pieces(info):
    """movecode §9.4: the tags of the column Info."""
    # movecode §9.4.1
    for piece in re.split(r";(?=[A-Za-z0-9_]+=|\Z)", info):
        name, equals, value = piece.partition("=")
        # movecode §9.4.2
        if equals and name:
            yield name, value


def day(bits, flags):
    """movecode §9.5: None where there is no date."""
    if bits is None:
        return None
    year, month, day = bits >> 9, bits >> 5 & 15, bits & 31
    # movecode §9.5.1
    year, month, day = 0 if flags & 0x40 else year, 0 if flags & 0x20 else month, 0 if flags & 0x10 else day
    # movecode §9.5.2
    return None if month > 12 or year > 9999 else date(year, month, day)


def result(stream, game, whole):
    """movecode §3.5"""
    said, typed = stream.result, game.typed
    if said is None:
        # movecode §3.5.4
        if whole:
            game.tags.append(("JoseResult", "none"))
    elif typed["Result"] == "*":
        # movecode §3.5.2
        typed["Result"] = said
    elif said != typed["Result"]:
        # movecode §3.5.3
        game.tags.append(("JoseResult", said))


# Slots: movecode §5


class Slots:
    """A position whose pieces have slots."""

    def __init__(self, board):
        self.board = board
        self.pieces = {}  # (white, kind, slot) -> square
        for rank in range(7, -1, -1):
            for square in range(rank * 8, rank * 8 + 8):
                self.add(square, board.squares[square])

    def add(self, square, piece):
        kind, white = piece.lower(), piece.isupper()
        slot = sum(key[:2] == (white, kind) for key in self.pieces)
        # movecode §5.4.1
        if kind in SLOTS and slot < SLOTS[kind]:
            self.pieces[white, kind, slot] = square

    def copy(self):
        other = object.__new__(Slots)
        other.board, other.pieces = self.board.copy(), dict(self.pieces)
        return other

    def square(self, kind, slot):
        # movecode §4.1
        if (self.board.white, kind, slot) not in self.pieces:
            raise Damage("there is no such piece")
        return self.pieces[self.board.white, kind, slot]

    def play(self, move):
        """movecode §5.4.2: plays a move; a piece that is gone leaves its slot empty."""
        if move == NULL:
            self.board.play(move)
            return
        board, (start, target, _) = self.board, move
        moved = next((key for key, square in self.pieces.items() if square == start), None)
        landed = {moved: target}
        if board.is_castling(move):
            rank, short = start // 8 * 8, target > start
            rook = next((key for key, square in self.pieces.items() if square == target), None)
            landed = {moved: rank + (6 if short else 2), rook: rank + (5 if short else 3)}
        board.play(move)
        taken = set(landed.values())
        self.pieces = {key: square for key, square in self.pieces.items()
                       if key in landed or square not in taken and board.squares[square] != "."}
        self.pieces.update({key: square for key, square in landed.items() if key is not None})


# Codes: movecode §3


class Stream:
    def __init__(self, base, values, game):
        self.base, self.game = base, game
        self.codes = values["bin"] or b""
        self.at = 0
        texts = (values.get("comments") or b"").split(b"\0")
        # movecode §7.4
        self.texts = iter(texts[:-1] if texts[-1] == b"" else texts)
        self.fen = values.get("fen")
        self.evals = values.get("eval") or b""
        self.result, self.legal = None, True

    def read(self):
        board = Board()
        # movecode §2.1
        if self.fen:
            text = self.base.text(self.fen)
            try:
                board = Board(text)
            except ValueError as error:
                raise Damage(str(error))
            self.game.fen = text
        now, before, levels = Slots(board), None, []
        # movecode §2.2
        while self.at < len(self.codes) and self.codes[self.at] != 0xff:
            code = self.byte()
            if code <= 0xaf:
                move = self.move(code, now)
                self.legal &= now.board.legal(move)
                before, now = now, now.copy()
                # movecode §3.1, movecode §6.1
                now.play(move)
                self.game.move(move)
                self.evaluation()
            elif code <= 0xcf:
                # movecode §3.3
                self.game.nag(self.byte() if code == 0xb0 else code - 0xb0)
            elif code in CODE_RESULTS:
                # movecode §3.5.1
                self.result = CODE_RESULTS[code]
            elif code <= 0xef:
                self.comment(code)
            elif code == 0xf0:
                # movecode §6.1
                if before is None:
                    raise Damage("a variation without a move to replace")
                # movecode §6.4
                if len(levels) == DEEPEST:
                    raise Damage("too many variations in one another")
                levels.append((now, before))
                now, before = before, None
                self.game.open()
            elif code == 0xf1:
                # movecode §6.2
                if not levels:
                    raise Damage("the end of no variation")
                now, before = levels.pop()
                self.game.close()

    def byte(self):
        # movecode §2.3
        if self.at >= len(self.codes):
            raise Damage("the codes end within a code")
        self.at += 1
        return self.codes[self.at - 1]

    def evaluation(self):
        """movecode §9.6"""
        numbers, self.evals = self.evals[:4], self.evals[4:]
        if len(numbers) < 4:
            return
        words = [int.from_bytes(numbers[at:at + 2], "big", signed=True) for at in (0, 2)]
        # movecode §9.6.2
        if words != [-0x8000, -0x8000]:
            self.game.comment("[%%wd %s,%s]" % tuple("-" if word == -0x8000 else word for word in words))

    def comment(self, code):
        if self.base.published:
            # movecode §14
            end = self.codes.find(b"\0", self.at)
            end = len(self.codes) if end < 0 else end
            text, self.at = self.codes[self.at:end], end + 1
        else:
            text = next(self.texts, None)
        if text is None:
            # movecode §7.3
            self.game.lost = "a text is missing"
        else:
            # movecode §7.1
            # movecode §7.6
            self.game.comment(WORDS.get(code, "") + self.base.text(text))

    def move(self, code, now):
        """The move of a code. (movecode §3, movecode §4)"""
        knight, king = (PUBLISHED_KNIGHT, PUBLISHED_KING) if self.base.published else (KNIGHT, KING)
        if code == 0x9a:
            return NULL
        if code in (0x98, 0x99):
            return castling(now.board, code == 0x99)
        if code <= 0x1f:
            return judged(now, pawn(now, code >> 2), pawn_step(now.board, code & 3), "")
        if code <= 0x2f:
            return judged(now, now.square("n", code >> 3 & 1), knight[code & 7], "")
        if code <= 0x4f:
            return judged(now, now.square("b", code - 0x30 >> 4), code & 15, "", "b")
        if code <= 0x6f:
            return judged(now, now.square("r", code - 0x50 >> 4), code & 15, "", "r")
        if code <= 0x8f:
            return judged(now, now.square("q", 0), code - 0x70, "", "q")
        if code <= 0x9f:
            # movecode §3.4
            return judged(now, now.square("k", 0), king[code & 7 if code <= 0x97 else code - 0x98], "")
        slot, second = code & 7, self.byte()
        if code <= 0xa7:
            # movecode §3.2
            return judged(now, pawn(now, slot), pawn_step(now.board, second >> 2 & 3), PROMOTED[second & 3])
        start = now.square("p", slot)
        kind = now.board.squares[start].lower()
        # movecode §4.1
        if kind == "p":
            raise Damage("the pawn has not been promoted")
        value = second & {"n": 7, "b": 15, "r": 15, "q": 31}[kind]
        return judged(now, start, knight[value], "") if kind == "n" else judged(now, start, value, "", kind)


# Moves: movecode §4


def pawn(now, slot):
    start = now.square("p", slot)
    # movecode §4.1
    if now.board.squares[start].lower() != "p":
        raise Damage("the pawn has been promoted")
    return start


def pawn_step(board, direction):
    file, rank = PAWN[direction]
    return (file, rank) if board.white else (-file, -rank)


def judged(now, start, where, promotion, kind=None):
    """A move by a step, or by the rank or file where it lands; Damage if the piece does not go there."""
    board = now.board
    target = step(start, *where) if kind is None else landing(start, where, kind)
    # movecode §4.2
    if target is None or target == start:
        raise Damage("the move leads off the board, or nowhere")
    # movecode §4.5
    if board.is_castling((start, target, "")) and start // 8 == target // 8 == (0 if board.white else 7):
        if board.king(board.white) is None:
            raise Damage("castling without the only king")
        return start, target, ""
    # movecode §4.3
    if board.is_own(target) or not board.goes(start, target):
        raise Damage("the piece cannot go there")
    if promotion and target // 8 != (7 if board.white else 0):
        raise Damage("a promotion before the last rank")
    return start, target, promotion


def landing(start, value, kind):
    """movecode §4: bishops, rooks and queens name the rank or file they land on."""
    if kind == "q":
        kind, value = ("b", value) if value < 16 else ("r", value - 16)
    file, rank, line = start % 8, start // 8, value & 7
    if kind == "r":
        return line * 8 + file if value < 8 else rank * 8 + line
    file += line - rank if value < 8 else rank - line
    return line * 8 + file if 0 <= file < 8 else None


def castling(board, long):
    """movecode §4.6"""
    king = board.king(board.white)
    rook = board.castling_rook(board.white, long)
    if king is not None and rook is None and king // 8 == (0 if board.white else 7):
        rank = king // 8 * 8
        files = range(rank, king) if long else range(rank + 7, king, -1)
        rook = next((square for square in files if board.squares[square] == board.own("r")), None)
    if king is None or rook is None:
        raise Damage("castling without king or rook")
    return king, rook, ""
