"""Simple Chess Database: .dci .dcn .dcs .dce .dcg. (docs/formats/dcg.md)

Every comment that begins with a section sign names the rule that the line below it follows.
"""

import struct

from board import NULL, Board
from game import RESULTS, Bounds, Damage, Game, date, decode

MAGICS = [b"SimpleCDbi", b"SimpleCDbn", b"SimpleCDbs", b"SimpleCDbe", b"SimpleCDbg"]
NAME_SIZE = 36
OPEN, CLOSE, COMMENT, NAGS, NULL_MOVE = range(0x84, 0x89)
PROGRAM = {2: "n", 3: "b", 4: "r", 5: "q"}
DESCRIBED = {1: "n", 2: "b", 3: "r", 4: "q"}
CASTLING = {(4, 6): 7, (4, 2): 0, (60, 62): 63, (60, 58): 56}  # §6.3.2.1


class Base:
    """A base of five files, given as bytes, or None where one is missing."""

    def __init__(self, index, players, sites, events, games, promotions="auto"):
        # §1.1
        if index is None or games is None and players is None:
            raise Damage("the index is missing, or games and players are")
        # §1.2
        if index and index[:10] != MAGICS[0]:
            raise Damage("no index")
        self.index, self.games = index, games
        self.old = is_old(index, events is not None, None if games is None else len(games))
        self.header, self.size = (10, 35) if self.old else (19, 39)
        # §3.5
        self.complement = not self.old and len(index) >= 19 and index[11] >= 0x80
        # §1.4, §3.1, §3.2
        self.length, rest = divmod(max(len(index) - self.header, 0), self.size)
        # §2.2.6
        if not self.old and index[10:11] == b"\1" and rest and len(index) >= self.header:
            raise Damage("version 1")
        self.bounds = Bounds(self.entry(n)["offset"] for n in range(self.length))
        self.names = {"White": players, "Black": players, "Site": sites, "Event": events}
        # §6.3.1
        self.promotions = {"program": PROGRAM, "described": DESCRIBED}.get(promotions) or numbering(self)

    def entry(self, number):
        return entry(self.index[self.header + number * self.size:][:self.size], self.old)

    def game(self, number):
        """A game, and what is wrong with it, if anything is."""
        game = Game()
        fields = self.entry(number)
        roster(fields, self.names, game)
        try:
            record, cut = self.record(fields["offset"])
        except Damage as damage:
            return game, str(damage)
        error = None
        try:
            read(record, game, self.promotions)
        except Damage as damage:
            error = str(damage)
        # §6.5.3, §6.5.6
        return game, "the record is not all there" if cut else error or game.lost

    def record(self, offset):
        """The bytes of a record, and whether these are not all."""
        # §1.1
        if self.games is None:
            raise Damage("the games are missing")
        # §6.5.1
        if not 10 <= offset < len(self.games):
            raise Damage("the offset is outside of the games")
        head = self.games[offset:offset + 5]
        length, size = reversed_length(head) if self.old else read_length(head)
        allowed = self.bounds.allowed(offset, size + length)
        record = self.games[offset:offset + allowed][size:]
        return record, len(record) < length


# The index: §2, §3, §4


def is_old(index, has_events, games_size):
    """§2.2"""
    def marks(old):
        header, size = (10, 35) if old else (19, 39)
        whole = max(len(index) - header, 0) // size
        entries = [entry(index[header + n * size:][:size], old) for n in range(min(whole, 16))]
        sound = all(makes_sense(fields, games_size) for fields in entries)
        # §2.2.3
        if not old and index[10:11] not in (b"", b"\0"):
            sound = False
        fits = len(index) >= header and (len(index) - header) % size == 0
        # §2.2.1, §2.2.4, §2.2.5
        return (2 if sound else 0) if entries else 1, fits, has_events != old

    return marks(True) > marks(False)


def makes_sense(fields, games_size):
    """§2.2.2"""
    return (fields["status"] in (0, 255) and fields["offset"] >= 10
            and (games_size is None or fields["offset"] < max(games_size, 11))
            and fields["result"] <= 3 and fields["month"] <= 12 and fields["day"] <= 31)


ENTRY = ["status", "offset", "White", "Black", "round", "Site", "Event",
         "white elo", "black elo", "result", "eco", "year", "month", "day"]


def entry(data, old):
    """§4"""
    if old:
        values = list(struct.unpack(">BQIIHIHHB3sHBB", data))
        values.insert(6, 0)
    else:
        values = struct.unpack(">BQIIHIIHHB3sHBB", data)
    return dict(zip(ENTRY, values))


def roster(fields, names, game):
    """The tags of an entry. (§4.1, §15)"""
    typed = game.typed
    for tag in ("White", "Black", "Site", "Event"):
        typed[tag] = name(names[tag], fields[tag])
        if is_lost(names[tag], fields[tag]):
            game.lost = "a name is not there, or not all of it"
    # §4.1.5
    if fields["round"]:
        typed["Round"] = str(fields["round"])
    for side in "White", "Black":
        if fields[side.lower() + " elo"]:
            typed[side + "Elo"] = str(fields[side.lower() + " elo"])
    status, result, eco = fields["status"], fields["result"], fields["eco"]
    # §4.1.2, §4.1.3
    if status == 255:
        typed["Deleted"] = "1"
    elif status:
        game.tags.append(("DCGStatus", str(status)))
    # §4.1.7
    if result <= 3:
        typed["Result"] = RESULTS[result]
    else:
        game.tags.append(("DCGResult", str(result)))
    # §4.1.8, §4.1.9, §4.1.10
    if all(0x20 <= byte <= 0x7e for byte in eco):
        typed["ECO"] = eco.decode("ascii")
    elif eco != b"\0\0\0":
        game.tags.append(("DCGEco", eco.hex()))
    year, month, day = fields["year"], fields["month"], fields["day"]
    # §4.1.12
    if year > 9999 or month > 12 or day > 31:
        game.tags.append(("DCGDate", "%d.%d.%d" % (year, month, day)))
    typed["Date"] = date(year if year <= 9999 else 0, month if month <= 12 else 0, day if day <= 31 else 0)


# Names: §5


def is_lost(names, reference):
    # §5.1.1
    if reference == 0:
        return False
    # §5.1.2 to §5.1.4
    whole = names is not None and reference >= 10 and reference + NAME_SIZE <= len(names)
    return not whole or (reference - 10) % NAME_SIZE != 0


def name(names, reference):
    # §5.1.1, §5.1.2
    if reference < 10 or names is None or reference >= len(names):
        return "?"
    # §5.1.3, §5.1.4
    record = names[reference:reference + NAME_SIZE]
    # §5.3.1
    spaced = record.rstrip(b" ")
    # §5.3.2
    text = spaced.rstrip(b"\0")
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        # §5.3.4
        if error.reason == "unexpected end of data" and len(spaced) == NAME_SIZE:
            return text[:error.start].decode("utf-8")
        return decode(text)


# Records: §6


def read_length(data):
    """A length and the bytes it takes. (§6.1)"""
    if not data:
        raise Damage("the record ends within a length")
    first = data[0]
    if first < 0x80:
        return first, 1
    # §6.1.5
    if not 0x81 <= first <= 0x84:
        raise Damage("no length")
    size = first - 0x80
    if len(data) <= size:
        raise Damage("the record ends within a length")
    return int.from_bytes(data[1:1 + size], "big"), 1 + size


def reversed_length(data):
    """§2.1"""
    if len(data) >= 3:
        b0, b1, b2 = data[:3]
        # §2.1.1
        if b2 == 0x82 and (b1 != 0 or b0 == 0xff):
            return b0 | b1 << 8, 3
        # §2.1.2
        if b1 == 0x81 and b0 >= 0x7f and b2 <= 1:
            return b0, 2
    return read_length(data)


def start(record):
    """The FEN of a record, if it has one, and where its moves begin. (§6.2)"""
    if not record:
        raise Damage("the record is empty")
    if record[0] == 0:
        return None, 1
    # §6.2.3
    if record[0] != 1:
        raise Damage("the start is neither usual nor a FEN")
    fen, at = counted(record, 1)
    return fen, at


def counted(record, at):
    """The bytes that a length counts, and where they end."""
    length, size = read_length(record[at:at + 5])
    end = at + size + length
    if end > len(record):
        raise Damage("the record ends within a text")
    return record[at + size:end], end


def steps(record, at):
    """Moves as pairs (start and target, code), everything else as (byte, data)."""
    while at < len(record):
        first = record[at]
        if first < 0x80:
            if at + 2 > len(record):
                raise Damage("the record ends within a move")
            word = first << 8 | record[at + 1]
            at += 2
            yield 0, (word >> 6 & 63, word & 63, word >> 12)
        elif first in (COMMENT, NAGS):
            data, at = counted(record, at + 1)
            yield first, data
        elif first in (OPEN, CLOSE, NULL_MOVE):
            at += 1
            yield first, None
        else:
            # §6.4.6
            raise Damage("a byte that starts nothing")


def chess_move(move, board, promotions):
    """The move of the model, or None for a code of neither numbering."""
    source, target, code = move
    if code:
        # §6.3.1.8
        other = DESCRIBED if promotions is PROGRAM else PROGRAM
        piece = promotions.get(code) or other.get(code)
        if piece is None:
            return None
        # §6.3.1.10: a pawn that goes to its last rank and stays one is not legal.
        if not board.legal(plain_move(source, target, board)):
            return source, target, piece
    return plain_move(source, target, board)


def plain_move(source, target, board):
    rook = CASTLING.get((source, target))
    king = board.squares[source]
    # §6.3.2.1
    if rook is not None and king in "Kk" and board.squares[rook] == ("R" if king == "K" else "r"):
        target = rook
    return source, target, ""


def read(record, game, promotions):
    """The start position and the line of a record. (§6.2 to §6.4)"""
    fen, at = start(record)
    board = Board()
    if fen is not None:
        try:
            board = Board(decode(fen))
        except ValueError as error:
            # §6.2.4
            raise Damage(str(error))
        game.fen = decode(fen)
    before, levels, moved = board, [], False
    for kind, data in steps(record, at):
        if kind in (0, NULL_MOVE):
            move = chess_move(data, board, promotions) if kind == 0 else NULL
            # §6.3.1.9
            if move is None:
                raise Damage("no promotion has this code")
            before, board, moved = board, board.copy(), True
            board.play(move)
            game.move(move)
        elif kind == OPEN:
            # §6.4.1
            if not moved:
                raise Damage("a variation without a move to replace")
            levels.append((board, before))
            board, moved = before, False
            game.open()
        elif kind == CLOSE:
            # §6.4.2
            if not levels:
                raise Damage("the end of no variation")
            (board, before), moved = levels.pop(), True
            game.close()
        elif kind == COMMENT:
            game.comment(decode(data))
        else:
            # §6.4.4
            for nag in data:
                game.nag(nag)


# What promotion codes mean: §6.3.1


def numbering(base):
    left, speaking, illegal, queens, bishops = 1 << 20, [0, 0], [0, 0], [0, 0], [0, 0]
    # §6.3.1.1
    for number in range(min(base.length, 1024)):
        try:
            record, _ = base.record(base.entry(number)["offset"])
        except Damage:
            continue
        if len(record) > left:
            break
        left -= len(record)
        votes = survey(record)
        for side in 0, 1:
            speaking[side] += any(vote.codes[side] for vote in votes)
            illegal[side] += votes[side].illegal
            queens[side] += "q" in votes[side].pieces
            bishops[side] += "b" in votes[side].pieces
    # §6.3.1.5, §6.3.1.6, §6.3.1.7
    program, described = ((speaking[side], -illegal[side]) for side in (0, 1))
    # §6.3.1.11, §6.3.1.12
    program += (base.complement, queens[0], -bishops[0])
    described += (0, queens[1], -bishops[1])
    return DESCRIBED if described > program else PROGRAM


class Vote:
    """What a main line says under a numbering: legal codes 5 and 1, illegal moves, legal promotions."""

    def __init__(self):
        self.codes, self.illegal, self.pieces = [False, False], 0, set()


def survey(record):
    """§6.3.1.3, §6.3.1.4"""
    votes = Vote(), Vote()
    for vote, promotions in zip(votes, (PROGRAM, DESCRIBED)):
        try:
            fen, at = start(record)
            board = Board() if fen is None else Board(fen.decode("utf-8"))
        except (Damage, ValueError):
            break
        try:
            depth = 0
            for kind, data in steps(record, at):
                depth += (kind == OPEN) - (kind == CLOSE and depth > 0)
                if depth == 0 and kind in (0, NULL_MOVE):
                    play(kind, data, board, promotions, vote)
        except Damage:
            pass
    return votes


def play(kind, data, board, promotions, vote):
    move = chess_move(data, board, promotions) if kind == 0 else NULL
    if kind == 0:
        if move in (None, NULL) or not board.legal(move):
            vote.illegal += 1
        for side, code in enumerate((5, 1)):
            vote.codes[side] |= data[2] == code and vote.illegal == 0 and move[2] != ""
        if vote.illegal == 0:
            vote.pieces.add(move[2])
    board.play(move or NULL)
