"""Writes old ChessBase bases, .cbf and .cbi, from canonical lines. (docs/formats/cbf.md)

What the format cannot hold is left out as §10 says, without a report. Whatever the list of §6 names can be stored in a dialect
that is asked for, legal or not.
"""

import re
import struct

from board import Board, counters, name, step
from game import Line, of, parts_of, tree
from tables import rows
from texts import plain

KING = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
KNIGHT = [(-2, -1), (-2, 1), (2, -1), (2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2)]
ROOK = [(-1, 0), (0, -1), (1, 0), (0, 1)]
BISHOP = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
# An entry of the list; one that only the a-file has; one that castling left; one of the a-file that is there if castling left none.
PLAIN, EDGE, STALE, FREED = range(4)

# Which kinds of entries a program counts. (§6.3) "text" is the 1993 text to the letter: en passant
# after castling has a number only if it can be played.
DIALECTS = {
    "usual": {EDGE, STALE}, "no-stale-file": {EDGE, FREED}, "no-edge-pawn": {STALE}, "plain": set(), "next-after-phantom": {EDGE, STALE},
    "text": set(),
}


class Place:
    """A position and the one thing more that numbers depend on: the file of the double step, 1 to 8, or 0."""

    def __init__(self, board, file=0, stale=False):
        self.board, self.file, self.stale = board, file, stale

    def copy(self):
        return Place(self.board.copy(), self.file, self.stale)

    def play(self, move):
        """§6.2: a double step sets the file, castling leaves it, any other move takes it away."""
        jumps = self.board.squares[move[0]] in "Pp" and abs(move[0] - move[1]) == 16
        castles = self.board.is_castling(move)
        self.board.play(move)
        self.file = move[0] % 8 + 1 if jumps else self.file if castles else 0
        self.stale = castles and self.file != 0

    def after(self, move):
        place = self.copy()
        place.play(move)
        return place

    def entries(self):
        """§6.1: (move, kind) in order; the move is None where a number stands for none."""
        squares = self.board.squares
        for file in range(8):
            for rank in range(8):
                square = rank * 8 + file
                if self.board.is_own(square):
                    yield from self.of_piece(square, squares[square].lower())

    def of_piece(self, square, kind):
        if kind == "p":
            yield from self.of_pawn(square)
        elif kind == "n":
            yield from self.reach(square, KNIGHT, 1)
        elif kind == "k":
            yield from self.reach(square, KING, 1)
            yield from self.castlings(square)
        if kind in "bq":
            yield from self.reach(square, BISHOP, 7)
        if kind in "rq":
            yield from self.reach(square, ROOK, 7)

    def reach(self, square, ways, far):
        for file, rank in ways:
            target = square
            for _ in range(far):
                target = step(target, file, rank)
                if target is None or self.board.is_own(target) or self.board.squares[target] in "Kk":
                    break
                yield (square, target, ""), PLAIN
                if self.board.squares[target] != ".":
                    break

    def castlings(self, square):
        home = 4 if self.board.white else 60
        for corner, between in [(home + 3, (1, 2)), (home - 4, (-1, -2, -3))]:
            free = square == home and all(self.board.squares[home + away] == "." for away in between)
            if free and self.board.squares[corner] == self.board.own("r"):
                yield (square, corner, ""), PLAIN

    def of_pawn(self, square):
        board, ahead = self.board, 1 if self.board.white else -1
        one, two = step(square, 0, ahead), step(square, 0, 2 * ahead)
        free = one is not None and board.squares[one] == "."
        if free and square // 8 == (1 if board.white else 6) and board.squares[two] == ".":
            yield (square, two, ""), PLAIN
        targets = [one] if free else []
        for side in -1, 1:
            target = step(square, side, ahead)
            if target is not None and board.squares[target] not in ".Kk" and not board.is_own(target):
                targets.append(target)
        for target in targets:
            for promotion in "qrbn" if target // 8 in (0, 7) else [""]:
                yield (square, target, promotion), PLAIN
        if square // 8 == (4 if board.white else 3):
            for side in -1, 1:
                if square % 8 + 1 + side == self.file:
                    yield self.passing(square, side, ahead)
                elif self.stale and square % 8 + 1 + side == 0:
                    yield None, FREED

    def passing(self, square, side, ahead):
        """§6.2: an entry there is whenever the file fits; a move only where a pawn can be taken."""
        target = step(square, side, ahead)
        if self.file == 0:
            return None, EDGE
        if target is None:
            # The header of a set-up may name a file 9.
            return None, PLAIN
        prey = target - 8 * ahead
        takes = self.board.squares[target] == "." and self.board.squares[prey] == self.board.enemy("p")
        return (square, target, "") if takes else None, STALE if self.stale else PLAIN

def number_of(place, move, dialect, entries):
    """The number of a move, or None if this program has none for it."""
    counted = DIALECTS[dialect]
    number, phantom = 0, False
    for entry, kind in entries:
        playable = dialect == "text" and kind == STALE and entry is not None
        if kind != PLAIN and kind not in counted and not playable:
            continue
        number += 1
        if entry == move:
            if dialect == "next-after-phantom":
                # Its reader takes the next entry for a number without a move.
                return None if kind == STALE else number - phantom
            return number
        phantom = entry is None or dialect == "next-after-phantom" and kind == STALE
    return None


# Moves and comments: §5, §7


class Section:
    """The bytes of the moves, and the records of their comments. Where a move has no number, `whole` becomes false and its line ends."""

    def __init__(self, dialect, page):
        self.dialect, self.page, self.whole, self.records = dialect, page, True, []

    def line(self, line):
        moves, early, plies = bytearray(), of(str, line.before), 0
        for ply in line.plies:
            if not hasattr(ply, "entries"):
                ply.entries = list(ply.board.entries())
            number = number_of(ply.board, ply.move, self.dialect, ply.entries)
            if number is None or number > 127:
                self.whole = False
                break
            at, place = len(self.records), len(moves)
            moves.append(number)
            inner = b""
            after = list(ply.after)
            for variation in of(Line, ply.after):
                found = self.line(variation)
                if found:
                    inner += b"\xff" + found + b"\x80"
                else:
                    # §10: its texts go to the move that it was to replace
                    after[after.index(variation):after.index(variation) + 1] = of(str, variation.before)
            record = self.record(ply, early, after)
            if record is not None and number < 127:
                moves[place] |= 0x80
                self.records.insert(at, record)
            self.whole &= record is None or number < 127
            moves += inner
            early = []
            plies += 1
        self.plies = plies  # of the line that ended last
        return bytes(moves)

    def record(self, ply, early, after):
        """§7.1: the record of a move, or None."""
        white, texts = ply.board.board.white, early + of(str, after)
        codes, found = [0, 0, 0], None
        first = next((place for place, each in enumerate(after) if isinstance(each, str)), None)
        if first is not None and not early:
            found = re.fullmatch(r"\[%cbf ([0-9]{1,3}),([0-9]{1,3}),([0-9]{1,3})\](?: (.*))?", after[first], re.S)
        told = [int(code) for code in found.group(1, 2, 3)] if found else None
        if told and max(told) < 256 and list(nags(told, white)) == of(int, after[:first]):
            codes, texts[0] = told, found.group(4) or ""
        else:
            for nag in of(int, after):
                slot, code = CODES[white].get(nag, (0, 0))
                codes[slot] = codes[slot] or code
        if not texts and not any(codes):
            return None
        # §10.4
        text = encoded(" ".join(filter(None, texts)), self.page)
        return bytes(codes) + b"\0" + text if text else bytes(codes).rstrip(b"\0")


# §7.2: NAGs of the codes; (White's move, Black's move) where they differ. In OTHERS another code owns the NAG.
NAGS = [{int(code): (int(white), int(black)) for letter, code, white, black, _ in rows("cbf-nags") if letter == one} for one in "abc"]
OTHERS = [{int(code) for letter, code, *_, owns in rows("cbf-nags") if letter == one and owns == "no"} for one in "abc"]
NEAR = {7: 15, 11: 4, 12: 4, 20: 1, 21: 8, 136: 14, 137: 14, 130: 11, 131: 11, 134: 11}


def nags(codes, white):
    """§7.1.4"""
    for table, code in zip(NAGS, codes):
        if code in table:
            yield table[code][not white]


def codes_of(white):
    """§10.3: the place and the code of each NAG of a move."""
    found = {nag: (1, code) for nag, code in NEAR.items()}
    for own in False, True:
        for place, table in enumerate(NAGS):
            found.update({both[white != own]: (place, code) for code, both in table.items() if code not in OTHERS[place]})
    return found


CODES = {white: codes_of(white) for white in (True, False)}

# Texts: §4, §7.3

PIECES = "♔♕♘♗♖♙"
PAGES = {name: [chr(int(letter, 16)) for letter in letters.split()] for name, _, letters in rows("code-pages")}


def letters(text, page):
    """§4.4: the bytes of characters; of one without a byte those of what stands for it. (model §4.3)"""
    known = PAGES[page]
    return bytes(code for each in text for code in (
        [ord(each)] if "\0" < each < "\x80" else [128 + known.index(each)] if each in known else plain(each).encode()))


def encoded(text, page):
    """§7.3"""
    out = bytearray()
    for each in text:
        if each in PIECES + "\n":
            out.append(0xfe if each == "\n" else 0xb1 + PIECES.index(each))
            continue
        found = letters(each, page)
        # §10: bytes that mean something else
        out += plain(each).encode() if found[:1] in TAKEN else found
    return bytes(out)


TAKEN = [bytes([byte]) for byte in (0xfe, 0xff, *range(0xb1, 0xb7))]


def player_bytes(text, page):
    """§4.2.10"""
    def word(found):
        if found and all(each in PIECES for each in found):
            return bytes(0xa2 + PIECES.index(each) for each in found)
        return letters(found, page)

    return b"".join(map(word, re.split("([ ,-])", text)))


def players(tags):
    """§4.2.8, §10.1"""
    white, black = [("" if tags[side] == "?" else tags[side].strip(" ")) for side in ("White", "Black")]
    kept = tags.get("CbfPlayers", "")
    if kept and list(split(kept)[:2]) == [white, black]:
        return kept
    if len(joined(white, black)) > 63:
        white = white[:max(30, 60 - len(black))].rstrip(" ")
        black = black[:60 - len(white)].rstrip(" ")
    return joined(white, black)


def source(tags):
    """§10.2"""
    event, site, round_, annotator = [tags.get(each, "?").strip(" ") for each in ("Event", "Site", "Round", "Annotator")]
    event, site, annotator = ["" if each == "?" else each for each in (event, site, annotator)]
    event, site = event or site, site if event not in ("", site) else ""
    end = " (%s)" % round_ if re.fullmatch("-|[0-9][0-9./]*", round_) else ""
    for parts in (event, ", " + site if site else "", end, " [%s]" % annotator if annotator else ""), (event, "", end, " [%s]" % annotator if annotator else ""), (event, "", end, ""):
        text = "".join(parts).strip(" ")
        if len(text) <= 63:
            return text
    return event[:63 - len(end)].rstrip(" ") + end


def split(players):
    """§4.2: White, Black, and whether the text is ambiguous."""
    hyphens = [at for at, letter in enumerate(players) if letter == "-"]
    spaced = [at for at in hyphens if players[at - 1:at + 2] == " - "]
    commas = [at for at in hyphens if players[:at].count(",") == players[at:].count(",") == 1]
    ambiguous = False
    # cbf §4.2.1
    if not hyphens:
        return players.strip(" "), "", False
    # cbf §4.2.2
    if spaced:
        at, ambiguous = spaced[0], len(spaced) > 1
    # cbf §4.2.3
    elif len(hyphens) == 1:
        at = hyphens[0]
    # cbf §4.2.4, cbf §4.2.5
    elif commas:
        at, ambiguous = commas[0], len(commas) > 1
    # cbf §4.2.6
    else:
        comma = players.find(",")
        behind = [at for at in hyphens if 0 <= comma < at]
        at, ambiguous = (behind or hyphens)[0], True
    # cbf §4.2.7
    return players[:at].strip(" "), players[at + 1:].strip(" "), ambiguous


def joined(white, black):
    """§4.2.8"""
    for players in white, white + "-" + black, white + " - " + black:
        *names, ambiguous = split(players)
        if names == [white, black] and (not ambiguous or players == white + " - " + black):
            return players
    return white + "-" + black


# Records: §2, §3


def mask(data, key, factor, places):
    for place in places:
        data[place] ^= key & 255
        key = key * factor & 255


def setup_block(board, number):
    """§8"""
    nibbles = [".KQNBRP..kqnbrp".rindex(piece) if piece != "." else 0 for piece in board.squares]
    return bytes(high << 4 | low for high, low in zip(nibbles[::2], nibbles[1::2])) + bytes([min(number, 256) - 1])


LINES = ["", "+-", "+/-", "+/=", "=", "unclear", "=/+", "-/+", "-+", "white compensation", "black compensation",
         "counterplay", "initiative", "attack", "time trouble", "only move"]
RESULTS = ["0-1", "1/2-1/2", "1-0", "*"]
ECO = re.compile("([A-F])([0-9][0-9])(?:/([0-9][0-9]))?.*")


def head(tags, start):
    """§3, §9: the header without sizes, number of moves, checksum and masks."""
    h = bytearray(14)
    year = parts_of(tags["Date"])[0]
    h[0] = year - 1900 & 255 if 1772 <= year <= 2026 else 127
    h[1] = RESULTS.index(tags["Result"])
    if h[1] == 3:
        h[1] |= LINES.index(tags.get("CbfLine", "")) << 2
    h[1] = int(tags.get("CbfResult", "%02x" % h[1]), 16)
    for at, side in (8, "White"), (9, "Black"):
        rating = tags.get(side + "Elo", "")
        step = (int(rating) - 1598) // 5 if rating.isdigit() else 0
        h[at] = step if 1 <= step <= 255 else 0
    h[10] = 0x80 * (tags.get("Deleted") == "1") | 0x40 * (tags.get("CbfMarked") == "1")
    h[11] = 0x40 * (tags.get("CbfVersion") == "1")
    eco = ECO.fullmatch(tags.get("ECO", ""))
    if start is not None:
        h[10] |= 1 | 2 * (not start.board.white)
        # §8.2
        for bit, rook in (2, 0), (3, 7), (4, 56), (5, 63):
            h[10] |= (rook in start.board.corner_rooks()) << bit
        h[11] |= start.file
    elif eco:
        code, sub = "ABCDEF".index(eco.group(1)) * 100 + int(eco.group(2)) + 1, int(eco.group(3) or 0)
        code = code if code < 512 else 0
        h[4], h[5] = (code >> 5 & 3) << 6, (code >> 7) << 6
        h[10] |= (code & 31) << 1
        h[11] |= sub & 63 | (sub >> 6) << 7
    for at, bits in zip((4, 5, 10, 11), bytes.fromhex(tags.get("CbfSpare", ""))):
        h[at] |= bits
    return h


def place_of(board):
    """The place of a set-up, with the file that has an effect. (§8.3)"""
    passing, ahead = board.passing, 8 if board.white else -8
    if passing is None or board.squares[passing - ahead] != board.enemy("p") or board.squares[passing] + board.squares[passing + ahead] != "..":
        return Place(board)
    return Place(board, passing % 8 + 1)


def line_of(game):
    if game["fen"] is None:
        return tree(game["line"], Place(Board()))
    start = place_of(Board(game["fen"]))
    # A file without effect is among the spare bits, and counts among the numbers. (§3.5.8, §6.2)
    spare = bytes.fromhex(dict(game["tags"]).get("CbfSpare", ""))[3:4]
    if not start.file and spare and 1 <= spare[0] & 15 <= 8:
        start = Place(start.board, spare[0] & 15)
    return tree(game["line"], start)


def record(game, line, dialect="usual", page="cp850"):
    """A record, and whether all of its moves are stored. `line` is the tree of its moves."""
    tags, start = dict(game["tags"]), None if game["fen"] is None else line.board
    section = Section(dialect, page)
    moves = bytearray(section.line(line))
    comments = b"\xff" + b"".join(text + b"\xff" for text in section.records) if section.records else b""
    texts = player_bytes(players(tags), page)[:63], letters(source(tags), page)[:63]
    header = head(tags, start)
    header[2:4] = struct.pack(">H", len(moves) + 1)
    header[4] |= len(texts[0])
    header[5] |= len(texts[1])
    header[6:8] = struct.pack(">H", len(comments))
    black_first = start is not None and not start.board.white
    header[12] = (section.plies + black_first + 1) // 2 & 255 if section.plies else 0
    header[13] = header[0] * 0x25 + header[5] + header[9] & 255
    header[11] ^= 14 + len(texts[0]) + len(texts[1]) & 255
    mask(header, 101, 3, range(13, -1, -1))
    names = bytearray(b"".join(texts))
    mask(names, 3 * len(names), 3, range(len(names) - 1, -1, -1))
    mask(moves, 49 * (len(moves) + 1), 7, range(len(moves) - 1, 0, -1))
    block = b"" if start is None else setup_block(start.board, counters(game["fen"])[1])
    return bytes(header + names + moves) + comments + block, section.whole


def write(games, dialect="usual"):
    records = [record(game, line_of(game), dialect)[0] for game in games]
    return {"cbf": b"".join(records), "cbi": index(records)}


def index(records):
    """§1.1: the .cbi of these records."""
    entries, offset = [len(records) + 1], 0
    for number, data in enumerate(records, 1):
        entries.append(offset + number + 1)
        offset += len(data)
    entries.append(offset + len(records) + 2)
    return struct.pack(">%dI" % len(entries), *entries)
