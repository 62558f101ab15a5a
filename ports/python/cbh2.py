"""ChessBase 17: .2cbh and what goes with it. (docs/formats/cbh2.md)

Written from that page, and the sections of cbh.md that it names. Every comment that begins with a
section sign names the rule that the line below it follows.
"""

import math
import struct
from decimal import Decimal

import cbh2_notes
from cbh import EVENTS, LANGUAGES, NATIONS, RESULTS, SPEEDS, Tree, counted, date_of
from board import fen
from cbh2_moves import content_words, decode, start_of
from cbh2_notes import Bytes, Cut, Notes, as_classic
from game import Bounds, Damage, Game, decode as text_of

RECORD = 192
MARK = bytes.fromhex("8877665544332211")
DELETED = bytes.fromhex("2233445566778899")
GAME, CHESS960, TEXT, ANNOTATIONS = b"\1\0", b"\2\0", b"\0\x10", b"\0\x20"
CHECKSUM = "the checksum is another"
PLAYER, TOURNAMENT, SOURCE, TEAM, TITLE = 0, 1, 2, 4, 5
# §6.4.1: the languages of titles
TITLES = 42, 43, 49, 53, 70, 103, 117
FIDE = struct.pack("<hhh8s", 1, 1, 0, b"FIDE")
# §6.4: what a tournament usually has among its unknown bytes: three of 7
USUAL = bytes(2) + bytes(7 if place in (13, 24, 35) else 0 for place in range(37))


class Base:
    """A base of files given as bytes, by their extensions."""

    def __init__(self, files, exact=False):
        headers, moves, names = (files.get(extension) for extension in ("2cbh", "2cbg", "2lid"))
        # §1.1
        if headers is None or moves is None and names is None:
            raise Damage("the headers are missing, or moves and names are")
        # §3.1.1
        if len(headers) < RECORD or struct.unpack("<hh", headers[8:12]) != (38, RECORD):
            raise Damage("no headers")
        self.headers, self.moves, self.notes, self.exact = headers, moves or b"", files.get("2cba"), exact
        self.names = Names(names or b"")
        # §3.1.2, §3.2.1
        self.games = [n for n in range(1, len(headers) // RECORD) if not is_text(headers[RECORD * n:])]
        self.length = len(self.games)
        # §4.1.5, §5.1.7
        places = list(zip(*map(self.places, range(1, len(headers) // RECORD)))) or [(), ()]
        self.move_bounds, self.note_bounds = (Bounds((place for place in kind if place >= 0), 2048) for kind in places)

    def places(self, record):
        """Where the records of moves and annotations are. A text has no annotations."""
        header = self.headers[RECORD * record:]
        moves, notes = struct.unpack("<qq", header[8:24])
        # §4.1.5
        return moves, 0 if is_text(header) else notes

    def game(self, number):
        """A game, and what is wrong with it, if anything is."""
        game, record = Game(), self.games[number]
        header = self.headers[RECORD * record:][:RECORD]
        moves, notes = self.places(record)
        tags = Roster(self, header, game)
        tree, error = Tree(), None
        try:
            self.read_moves(moves, tree, game)
        except Damage as damage:
            error = str(damage)
        tree, places = in_pgn_order(tree)
        items = self.items(notes, len(places), tree, game)
        Notes(self, items, game).put(tree)
        return game, error or tags.lost or game.lost

    def frame(self, data, offset, bounds):
        """A record: its tag, its content, and what is wrong with it. (§4.1)"""
        head = data[offset:offset + 26] if offset >= 0 else b""
        # §4.1.1
        if len(head) < 26 or head[:8] != MARK:
            raise Damage("no record")
        size, spare = struct.unpack("<ii", head[8:16])
        # §4.1.1
        if size < 0 or spare < 0:
            raise Damage("a size below 0")
        allowed = bounds.allowed(offset, 26 + size)
        content, lost = data[offset + 26:offset + allowed], None
        # §4.1.4, §4.1.5
        if len(content) < size:
            lost = "the record is not all there"
        # §4.1.2
        elif checksum(content) != int.from_bytes(head[16:24], "big"):
            lost = CHECKSUM
        # §4.1.3: the size at the end is not needed
        return head[24:26], content, lost

    def read_moves(self, offset, tree, game):
        tag, content, lost = self.frame(self.moves, offset, self.move_bounds)
        if tag == TEXT:
            raise Damage("the record is a text")
        start, words = start_of(content_words(content))
        # §9.1, cbh §10.16
        if start.chess960:
            game.tags.append(("Variant", "Chess960"))
        try:
            ended = decode(words, start, tree)
        finally:
            if not start.is_usual:
                game.fen = fen(start.board, number=start.number)
        # §4.2.2
        if lost or not ended:
            raise Damage(lost or "the last line has no end")

    def items(self, offset, count, tree, game):
        """The annotations of a game by their positions. (§5.1)"""
        # §1.2
        if self.notes is None:
            return {}
        try:
            tag, content, lost = self.frame(self.notes, offset, self.note_bounds)
            if tag != ANNOTATIONS:
                raise Damage("another record")
        except Damage:
            # §5.1.7
            game.lost = "the annotations are not there"
            return {}
        found, cut = cbh2_notes.blocks(content)
        # §5.1.2: a record that the file cuts behind its end is whole
        if cut or lost == CHECKSUM:
            game.lost = "the annotations are cut"
        items = {}
        for position, kind, data in found:
            # §5.1.5
            if not -1 <= position < count:
                position = tree.main_end() - 1
            # §5.1.6
            if cbh2_notes.has_odd_squares(kind, data):
                game.lost = "odd squares or arrows"
            # §5.1.4
            items.setdefault(position, []).append(as_classic(position, kind, data))
        return items

    def text(self, data):
        # §2.1
        return text_of(data)


def is_text(header):
    # §3.2.1
    return header[2] == 1 and header[0] & 2 != 0


def checksum(content):
    """§4.1"""
    part = len(content) // 8
    if part == 0:
        return int.from_bytes(content, "little")
    return sum((sum(content[number * part:(number + 1) * part]) & 0xff) << 8 * number for number in range(8))


def in_pgn_order(tree):
    """The same moves numbered as PGN has them, and the list of them. (§5.1)"""
    other, order, renumbered = Tree(), [], {0: 0}
    todo = [(0, first) for first in tree.after[0][:1]]
    while todo:
        parent, node = todo.pop()
        renumbered[node] = other.add(renumbered[parent], tree.moves[node])
        order.append(node)
        todo += [(node, first) for first in tree.after[node][:1]]
        if node == tree.after[parent][0]:
            todo += [(parent, alternative) for alternative in reversed(tree.after[parent][1:])]
    return other, order


# Names: §6


class Names:
    """The entities of a base. (§6.1)"""

    def __init__(self, data):
        self.data, self.types, self.size = data, [], 0
        if len(data) < 8:
            return
        # §6.1.1
        size, types = struct.unpack(">ii", data[:8])
        # §6.1.2
        if types != 6 or size < 0 or len(data) < 128:
            return
        at, fields = 0, [struct.unpack(">iqq", data[8 + 20 * kind:28 + 20 * kind]) for kind in range(6)]
        # §6.1.4
        if any(not 4 <= container <= 2048 for container, _, _ in fields):
            return
        for container, count, _ in fields:
            self.types.append((size + at, container, count))
            at += container
        self.size = at

    def entity(self, kind, number):
        """The fields of an entity, or nothing: no such one, or a deleted one."""
        if kind >= len(self.types):
            return None
        start, container, count = self.types[kind]
        at = start + number * self.size
        # §6.2.1
        if not 0 <= number < count or at + 4 > len(self.data):
            return None
        size = int.from_bytes(self.data[at:at + 4], "little", signed=True)
        # §6.2.2
        fields = self.data[at + 4:at + 4 + min(size, container - 4)] if size > 0 else b""
        # §6.2.1, §6.3.1
        return None if size <= 0 or size == 16 and fields[:8] == DELETED else fields


class Fields:
    """The fields of an entity; those that the record does not hold are empty. (§6.2.2)"""

    def __init__(self, roster, found):
        self.roster, self.bytes, self.ended = roster, Bytes(found), False

    def number(self, code, usual=0):
        try:
            return self.bytes.number(code)
        except Cut:
            self.end()
            return usual

    def many(self, count, read):
        """As many values as the fields hold. (§6.2.2)"""
        for _ in range(max(count, 0)):
            value = read()
            # §6.2.2: a list ends with the fields
            if self.ended:
                return
            yield value

    def raw(self, size):
        try:
            return self.bytes.take(size)
        except Cut:
            self.end()
            return bytes(size)

    def string(self):
        size = self.number("i")
        data = self.bytes.data[self.bytes.at:]
        # §6.2.2: what there is of a text is kept
        if size < 0:
            self.roster.lose("a name is cut")
            return ""
        if size > len(data):
            self.end()
            return text_of(data)
        self.bytes.at += size
        return text_of(data[:size])

    def end(self):
        self.bytes.at, self.ended = len(self.bytes.data), True
        self.roster.lose("a name is cut")


class Roster:
    """The tags of a header. (§3.3, §9)"""

    def __init__(self, base, header, game):
        self.base, self.game, self.header, self.lost, self.tags = base, game, header, None, []
        # §3.2.2
        self.is_analysis = header[2] == 2
        if header[0] & 0x80:
            game.typed["Deleted"] = "1"
        if self.is_analysis:
            self.analysis(*struct.unpack("<3q", header[0x18:0x30]))
        else:
            self.all(*struct.unpack("<5q2qq", header[0x18:0x58]))
        game.tags += [tag for tag in self.tags if tag[1]]

    def lose(self, words):
        self.lost = self.lost or words

    def entity(self, kind, number):
        found = self.base.names.entity(kind, number)
        if found is None:
            # §6.1.2, §1.2: without names the base as a whole is damaged
            if self.base.names.types:
                self.lose("a name is not there")
            return None
        return Fields(self, found)

    def add(self, *tags):
        self.tags += tags

    def all(self, white, black, tournament, annotator, source, white_team, black_team, title):
        header, typed = self.header, self.game.typed
        day = int.from_bytes(header[0xbc:0xc0], "little")
        # §2.2
        typed["Date"] = date_of(day)
        for side, number in ("White", white), ("Black", black):
            self.player(side, number)
        result, evaluation, major, minor, board = struct.unpack("<BBhhh", header[0x58:0x60])
        # §3.3.1
        typed["Result"], words = RESULTS[result] if result < len(RESULTS) else ("*", "")
        self.add(("CbhResult", words), ("CbhEvaluation", counted(evaluation)))
        # §3.3.2
        major, minor = max(major, 0), max(minor, 0)
        if major or minor:
            typed["Round"] = "%d.%d" % (major, minor) if minor else str(major)
        # §9.2
        self.add(("Board", counted(board)))
        ratings = [header[0x60:0x70], header[0x70:0x80]]
        for side, data in zip(("White", "Black"), ratings):
            elo = int.from_bytes(data[:2], "little", signed=True)
            if elo > 0:
                typed[side + "Elo"] = str(elo)
        eco = int.from_bytes(header[0x80:0x82], "little")
        code, sub = (eco >> 7) - 1, eco & 127
        # §3.3.3
        if 0 <= code <= 499 and sub <= 99:
            typed["ECO"] = "ABCDE"[code // 100] + "%02d" % (code % 100) + ("/%02d" % sub if sub else "")
        self.event(tournament)
        self.annotator(annotator)
        self.source(source)
        for side, number in ("White", white_team), ("Black", black_team):
            self.team(side, number, day >> 9 & 0xfff)
        self.title(title)
        for side, data in zip(("White", "Black"), ratings):
            self.rating(side, data)

    def analysis(self, title, source, annotator):
        """§3.3"""
        self.annotator(annotator)
        self.source(source)
        self.title(title)
        # §3.2.2
        self.add(("CbhAnalysis", "1"))

    def name(self, fields):
        # §9.1, cbh §10.1
        last, first = fields.string(), fields.string()
        return last + ", " + first if first else last

    def player(self, side, number):
        fields = self.entity(PLAYER, number)
        if fields is None:
            return
        self.game.typed[side] = self.name(fields) or "?"
        one, other, chessbase, third, fide = (fields.number(code, usual) for code, usual in zip("iiiiq", (0, 0, 0, 8, 0)))
        # §9.2
        if fide > 0:
            self.add((side + "FideId", str(fide)))
        # §9.6
        if chessbase > 0 or (one, other, third) != (0, 0, 8):
            self.add(("Cbh%sPlayer" % side, "%d %d %d %d" % (chessbase, one, other, third)))

    def annotator(self, number):
        fields = self.entity(PLAYER, number)
        if fields is not None:
            # cbh §10.8
            self.add(("Annotator", self.name(fields)))

    def event(self, number):
        fields = self.entity(TOURNAMENT, number)
        if fields is None:
            return
        place, title, day = fields.string(), fields.string(), fields.number("i") & 0xffffffff
        kind, team, nation, one, category, flags, rounds, other = (fields.number("B") for _ in range(8))
        latitude, longitude, now = fields.number("f"), fields.number("f"), fields.number("B")
        unknown = bytes([one, other]) + fields.raw(37)
        tiebreaks = list(fields.many(fields.number("h"), lambda: fields.number("h")))
        last = fields.number("i") & 0xffffffff
        fields.raw(44)
        typed = self.game.typed
        # §9.1, cbh §10.2 to cbh §10.7
        typed["Event"], typed["Site"] = title or "?", place or "?"
        if day:
            typed["EventDate"] = date_of(day)
        words = "#%d #%d" % (kind, team)
        if kind & 31 < len(EVENTS) and team < 2:
            speeds = [speed for bit, speed in SPEEDS if kind & bit]
            words = " ".join([word for word in ["team-" * team + EVENTS[kind & 31]] if word] + speeds)
        self.add(("EventType", words), ("EventRounds", counted(rounds)), ("EventCountry", nation_of(nation)),
                 ("EventCategory", counted(category)), ("CbhEventFlags", counted(flags)))
        # §9.7
        if now != nation:
            self.add(("CbhEventCountryNow", nation_of(now) or "none"))
        if latitude or longitude:
            self.add(("CbhEventCoordinates", "%s %s" % (decimal(latitude), decimal(longitude))))
        self.add(("CbhEventTiebreaks", " ".join(map(str, tiebreaks))))
        if unknown != USUAL:
            self.add(("CbhEventUnknown", unknown.hex()))
        if last:
            self.add(("CbhEventEndDate", date_of(last)))

    def source(self, number):
        fields = self.entity(SOURCE, number)
        if fields is None:
            return
        title, publisher = fields.string(), fields.string()
        publication, day = fields.number("i") & 0xffffffff, fields.number("i") & 0xffffffff
        version, quality = fields.number("h"), fields.number("h")
        # cbh §10.9 to cbh §10.11
        told = publication and (title or publisher or publication != day)
        self.add(("SourceTitle", title), ("Source", publisher), ("SourceDate", date_of(publication) if told else ""),
                 ("SourceVersion", counted(version)), ("SourceVersionDate", date_of(day) if day else ""), ("SourceQuality", counted(quality)))

    def team(self, side, number, year):
        # §3.3
        if number < 0:
            return
        fields = self.entity(TEAM, number)
        if fields is None:
            return
        title, of_year, nation = fields.string(), (fields.number("B"), fields.number("B"), fields.number("h")), fields.number("B")
        self.add((side + "Team", title), (side + "TeamCountry", nation_of(nation)))
        # §9.3
        if of_year != (0, 0, 0):
            self.add(("Cbh%sTeam" % side, "%d %d %d" % of_year))

    def title(self, number):
        fields = self.entity(TITLE, number) if number >= 0 else None
        if fields is None:
            return
        for language in fields.many(fields.number("i"), lambda: fields.number("i")):
            words = fields.string()
            # §9.4
            name = LANGUAGES[language] if language in TITLES else str(language)
            self.add(("CbhTitle" if name == "en" else "CbhTitle_" + name, words))

    def rating(self, side, data):
        elo, kind, ranking, nation = struct.unpack("<hhhh", data[:8])
        name = data[8:].split(b"\0")[0]
        # §9.5, §3.4.1
        if data[2:] != (FIDE if elo > 0 else bytes(14)):
            self.add(("Cbh%sRating" % side, ("%d %d %d %s" % (kind, ranking, nation, text_of(name))).rstrip()))


def nation_of(number):
    # cbh §6.4
    return NATIONS.get(number, "#%d" % number) if number else ""


def decimal(value):
    """The shortest digits that give the same f32. (§9.7)"""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    for digits in range(1, 17):
        words = "%.*g" % (digits, value)
        if struct.pack("<f", float(words)) == struct.pack("<f", value):
            break
    # Without an exponent.
    return format(Decimal(words), "f")
