"""Chess Assistant: .cdp .emb .d00 .a02 .d02. (docs/formats/chessassistant.md)

The volume of names is read by ca_volume.py, a record by ca_record.py. Every comment that begins
with a section sign names the rule that the line below it follows.
"""

import re
import struct
from itertools import islice

from ca_record import Reader, codes, texts
from ca_volume import Table, Volume, addresses, follow
from game import Bounds, Damage, Game, date
from texts import decode_as

HEADER = struct.Struct("<3s3sHHB3s3s3sIIBBH3s3s")
FIELDS = ["White", "Black", "white elo", "black elo", "outcome", "date", "Event", "Site", "type", "id",
          "unknown", "round", "eco", "Annotator", "Source"]
TABLES = {"White": "players", "Black": "players", "Annotator": "players", "Event": "events", "Site": "places", "Source": "sources"}
OUTCOMES = {1: "1/2-1/2", 2: "1-0", 3: "0-1", 4: "*"}
ASSESSMENTS = ["+/-", "-/+", "+/=", "=/+", "+-", "-+", "=", "Inf", "=/Inf", "->", "^", "->/<-"]
READINGS = ["right", "literal", "left"]


class Base:
    """A base of five files, given as bytes, or None where one is missing."""

    def __init__(self, cdp, emb, d00, a02, d02, encoding=None, reading=None):
        # chessassistant §1
        if d00 is None or emb is None and (a02 is None or d02 is None):
            raise Damage("files are missing")
        volume = Volume(emb)
        self.tables = {name: Table(volume, name) for name in ("players", "events", "places", "sources")}
        # chessassistant §2.1
        self.length = len(d00) // HEADER.size
        self.headers = [dict(zip(FIELDS, header)) for header in HEADER.iter_unpack(d00[:self.length * HEADER.size])]
        self.addresses = None if a02 is None or d02 is None else addresses(a02)
        self.d02 = d02
        self.bounds = Bounds(self.places())
        self.encoding = encoding or usual_encoding(self, cdp or b"")
        self.reading = reading or usual_reading(self)

    def place(self, header):
        """chessassistant §6: where the record of a game begins."""
        if self.addresses is None:
            raise Damage("there are no records")
        # chessassistant §6.1
        _, at = follow(self.addresses, header["id"])
        # chessassistant §6.2
        if at >= len(self.d02):
            raise Damage("a record beyond the file")
        return at

    def places(self, among=None):
        for header in self.headers[:among]:
            try:
                yield self.place(header)
            except Damage:
                pass

    def records(self, among=None):
        """Place and bytes of each game that has a record."""
        for at in self.places(among):
            try:
                yield at, self.record(at)[0]
            except Damage:
                pass

    def record(self, at, long=False):
        """chessassistant §7.1: the bytes of a record, and whether they are not all."""
        head = self.d02[at:at + 3]
        # chessassistant §7.1.1
        size = 3 if long else 2 if head[0] > 127 else 1
        # chessassistant §7.1.2
        if len(head) < size:
            raise Damage("the record ends within its length")
        length = head[0] & 127
        if size == 2:
            length += head[1] << 7
        elif size == 3:
            # chessassistant §7.1.4
            length += (head[1] & 127) << 7 | head[2] << 14
        # chessassistant §7.1.5
        end = at + min(self.bounds.allowed(at, 3 + length), size + length)
        record = self.d02[at:end][size:]
        return record, len(record) < length

    def read(self, at, game, reading, legal=None):
        """Reads the record at a place into a game, and returns what is wrong."""
        record, cut = self.record(at)
        error = Reader(game, self.decode, reading, legal).read(record)
        # chessassistant §7.1.3
        return error or ("the record is not all there" if cut else None)

    def decode(self, data):
        return decode_as(data, self.encoding, self.encoding == "utf-8")

    def game(self, number):
        """A game, and what is wrong with it, if anything is."""
        game, header = self.whole(number)
        error = game.error
        roster(self, header, game)
        return game, error or game.lost

    def whole(self, number):
        header, game = self.headers[number], Game()
        game.error = None
        try:
            at = self.place(header)
            game.error = self.read(at, game, self.reading)
        except Damage as damage:
            game.error = str(damage)
            return game, header
        # chessassistant §7.1.4
        head = self.d02[at:at + 3]
        if game.error and len(head) == 3 and head[0] > 127 and head[1] > 127 and head[2] < 128:
            record, cut = self.record(at, long=True)
            other = Game()
            other.error = None
            if not cut and Reader(other, self.decode, self.reading).read(record) is None:
                return other, header
        return game, header


# Headers: chessassistant §5


def roster(base, header, game):
    typed, tags = game.typed, game.tags

    def named(tag):
        try:
            return base.tables[TABLES[tag]].record(int.from_bytes(header[tag], "little"))
        except Damage as damage:
            # chessassistant §4.1.3
            game.lost = str(damage)
            return b"", b"", b""

    # chessassistant §5.1.1
    for tag in "Event", "Site":
        typed[tag] = base.decode(named(tag)[0]) or "?"
    for tag in "White", "Black":
        name, title, more = named(tag)
        typed[tag] = base.decode(name) or "?"
        # chessassistant §5.1.2
        if header[tag.lower() + " elo"]:
            typed[tag + "Elo"] = str(header[tag.lower() + " elo"])
        player(base, tag, title, more, tags)
    # chessassistant §5.1.10
    for tag in "Annotator", "Source":
        name = base.decode(named(tag)[0])
        if name not in ("", "?"):
            tags.append((tag, name))
    # chessassistant §5.1.3
    if header["round"] >> 1:
        typed["Round"] = str(header["round"] >> 1)
    typed["Date"] = day(header["date"])
    # chessassistant §5.1.5, chessassistant §5.1.6, chessassistant §5.1.7
    outcome = header["outcome"]
    typed["Result"] = OUTCOMES.get(outcome, "*")
    if outcome not in OUTCOMES:
        tags.append(("CAResult", ASSESSMENTS[outcome - 5] if 5 <= outcome <= 16 else str(outcome)))
    # chessassistant §5.1.2, chessassistant §5.1.14
    eco = header["eco"]
    if eco < 500 and (eco or game.fen is None):
        typed["ECO"] = "%s%02d" % ("ABCDE"[eco // 100], eco % 100)
    elif eco > 500:
        tags.append(("CAEco", str(eco)))
    # chessassistant §5.1.11, chessassistant §5.1.12, chessassistant §5.1.13
    for tag, number in ("CAGameType", header["type"]), ("CARoundBit", header["round"] & 1), ("CAUnknown1C", header["unknown"]):
        if number:
            tags.append((tag, str(number)))


def player(base, side, title, more, tags):
    """chessassistant §5.1.8, chessassistant §5.1.9"""
    if title:
        tags.append((side + "Title", base.decode(title)))
    # chessassistant §4.3
    if len(more) < 10:
        return
    rating, fide, born, gender = struct.unpack("<HI3sB", more)
    if fide:
        tags.append((side + "FideId", str(fide)))
    if rating:
        tags.append(("CA%sRating" % side, str(rating)))
    if day(born) != "????.??.??":
        tags.append(("CA%sBorn" % side, day(born)))
    if gender:
        tags.append(("CA%sGender" % side, str(gender)))


def day(data):
    """chessassistant §5.2"""
    number = int.from_bytes(data, "little")
    year, month, day = number // 32 // 13, number // 32 % 13, number % 32
    # chessassistant §5.2.1, chessassistant §5.2.2
    return "????.??.??" if year > 9999 else date(year, month, day)


# Encoding: chessassistant §10


def usual_encoding(base, cdp):
    found = [text for text in seen_texts(base, cdp) if any(byte > 127 for byte in text)]
    # chessassistant §10.2
    try:
        if sum(ord(letter) > 127 for text in found for letter in text.decode("utf-8")) >= 4:
            return "utf-8"
    except UnicodeDecodeError:
        pass
    # chessassistant §10.3, chessassistant §10.4
    in_runs = sum(len(run) for text in found for run in re.findall(b"(?<![A-Za-z\xc0-\xff])[\xc0-\xff]{3,}(?![A-Za-z\xc0-\xff])", text))
    high = sum(byte > 127 for text in found for byte in text)
    return "windows-1251" if in_runs * 2 > high else "windows-1252"


def seen_texts(base, cdp):
    """chessassistant §10.1"""
    for table in base.tables.values():
        for key in range(min(len(table.ids), 20000)):
            try:
                yield table.record(key)[0]
            except Damage:
                pass
    if len(cdp) >= 112:
        yield cdp[112:112 + int.from_bytes(cdp[108:112], "little")]
    for _, record in islice(base.records(4096), 64):
        yield from texts(record)


# Self-check: chessassistant §11


def usual_reading(base):
    games, moves, counted = dict.fromkeys(READINGS, 0), dict.fromkeys(READINGS, 0), 0
    # chessassistant §11.1
    for number, (at, record) in enumerate(base.records(4096)):
        if number >= 64 and not games["literal"] == games["left"] > games["right"]:
            break
        if number >= 64 and not has_extended_move(record):
            continue
        votes = {reading: vote(base, at, reading) for reading in READINGS}
        if not any(played for played, _, _ in votes.values()):
            continue
        counted += 1
        for reading, (_, sound, legal) in votes.items():
            games[reading] += sound
            moves[reading] += legal
    # chessassistant §11.3
    best = "right"
    for reading in READINGS[1:]:
        if games[reading] > games[best] and moves[reading] > moves[best]:
            best = reading
    # chessassistant §11.4
    return best if games[best] * 2 > counted and games[best] >= 2 * games["right"] else "right"


def has_extended_move(record):
    try:
        return any(212 <= found.code <= 219 for found in codes(record))
    except Damage:
        return False


def vote(base, at, reading):
    """chessassistant §11.2: whether a game has moves, whether it is legal, and how many moves are before the first that is not."""
    legal, game = [], Game()
    error = base.read(at, game, reading, legal)
    played = bool(legal)
    return played, error is None and all(legal), (legal + [False]).index(False)
