"""The moves of old ChessBase: bytes, numbers of moves, comments. (docs/formats/cbf.md §5 to §7)

A move is its place in a list of all moves of the position. `cbf_writer.Place` makes that list;
here is what programs made of it (cbf §6.3), and the reading of a game.
"""

from collections import namedtuple

from cbf_writer import EDGE, FREED, NAGS, OTHERS, STALE, Place, nags

# edge: a pawn on the a-file takes a number more; stale: castling leaves the file of a double step;
# late: en passant after castling is a move; phantom: a number without a move is the next entry's. (cbf §6.3)
Numbering = namedtuple("Numbering", "edge stale late phantom")
DIALECTS = {
    "usual": Numbering(True, True, False, False),
    "late-en-passant": Numbering(True, True, True, False),
    "no-stale-file": Numbering(True, False, False, False),
    "no-edge-pawn": Numbering(False, True, False, False),
    "plain": Numbering(False, False, False, False),
    "next-after-phantom": Numbering(True, True, False, True),
}
OF_BASES = ["usual", "no-stale-file", "no-edge-pawn", "plain"]


class WrongNumber(Exception):
    """cbf §5.2.4"""


# Numbers: cbf §6


def listed(place, numbering):
    """The moves of a position in the order of their numbers; None for a number without a move."""
    moves = []
    for move, kind in place.entries():
        if kind == EDGE and not numbering.edge or kind == FREED:
            continue
        # cbf §6.2 "En passant"
        moves.append(move if kind != STALE or numbering.late else None)
    return moves


def after(place, move, numbering):
    following = place.after(move)
    if following.stale and not numbering.stale:
        # Castling makes e = 0.
        following = Place(following.board)
    return following


def forbidden(place, move, following):
    """Whether a move of the list leaves the king in check, or castles against the rules. (cbf §5.2.4, cbf §6.3.4)"""
    if place.board.is_castling(move) and not place.board.legal(move):
        return True
    return following.board.in_check(place.board.white)


# Reading: cbf §5.2


class Reading:
    """A game as one numbering has it."""

    def __init__(self, moves, comments, start, numbering, lenient=False):
        self.moves, self.comments, self.numbering, self.lenient = moves, comments, numbering, lenient
        self.line, self.error = [], None
        self.wrong = False  # a number is an error by §5.2.4
        self.forbidden = self.plies = self.records = 0
        self.read(start)

    def fail(self, words):
        # cbf §5.2.7
        self.error = self.error or words

    def read(self, place):
        before, levels, at = None, [], 0
        moves = self.moves
        while at < len(moves):
            byte = moves[at]
            at += 1
            # cbf §5.2.1
            if byte == 0 or byte == 0x80 and not levels:
                break
            if byte == 0x80:
                place, before = self.close(levels)
            elif byte == 0xff:
                if moves[at:at + 1] == b"\x80":
                    # cbf §5.2.2
                    at += 1
                elif before is None:
                    # cbf §5.2.3
                    self.fail("a variation before a move")
                    at = self.skip(at)
                    at += moves[at:at + 1] == b"\x80"
                else:
                    levels.append((place, before))
                    place, before = before, None
                    self.line.append("(")
            else:
                try:
                    move, following = self.move(place, byte & 127)
                except WrongNumber as error:
                    self.wrong = True
                    self.fail(str(error))
                    # cbf §5.2.5
                    at = self.skip(at - 1)
                    if not levels:
                        break
                    continue
                before, place = place, following
                self.plies += not levels
                self.line.append(move)
                if byte > 0x80:
                    self.comment(before.board.white)
        # cbf §5.2.8
        while levels:
            self.close(levels)
        # cbf §7.1.7
        for record in self.comments[self.records:]:
            words = parts(record)[1]
            if words:
                self.line.append((words, None))

    def close(self, levels):
        # cbf §5.2.6
        if self.line[-1] == "(":
            self.line.pop()
        else:
            self.line.append(")")
        return levels.pop()

    def skip(self, at):
        """cbf §5.2.5: passes over the rest of a level; returns where its end is."""
        depth = 0
        while at < len(self.moves):
            byte = self.moves[at]
            if byte == 0 or byte == 0x80 and depth == 0:
                break
            depth += (byte == 0xff) - (byte == 0x80)
            # cbf §7.1.2
            self.records += 0x80 < byte < 0xff
            at += 1
        return at

    def move(self, place, number):
        moves = listed(place, self.numbering)
        if number > len(moves):
            raise WrongNumber("no move has this number")
        move = moves[number - 1]
        if move is None and self.numbering.phantom:
            move = next((move for move in moves[number:] if move is not None), None)
        if move is None:
            raise WrongNumber("the number stands for no move")
        following = after(place, move, self.numbering)
        if forbidden(place, move, following):
            self.forbidden += 1
            if not self.lenient:
                raise WrongNumber("the move is against the rules")
        return move, following

    def comment(self, white):
        # cbf §7.1.6
        if self.records < len(self.comments):
            codes, words = parts(self.comments[self.records])
            self.line += ["$%d" % nag for nag in nags(codes, white)]
            # cbf §7.1.4, cbf §7.1.5
            if words or not any(codes) or untold(codes):
                self.line.append((words, codes))
        self.records += 1


def chosen(moves, comments, start, base, only):
    """cbf §6.3: a game in the numbering that it makes sense in. `only` is whether a user asked for that one."""
    first = Reading(moves, comments, start, base)
    # cbf §6.3.1
    if not first.wrong:
        return first
    numberings = [base]
    if not only:
        # cbf §6.3.2
        if base.stale:
            numberings.append(base._replace(late=True))
        numberings += [numbering for name, numbering in DIALECTS.items() if name != "late-en-passant" and numbering != base]
    for numbering in numberings[1:]:
        reading = Reading(moves, comments, start, numbering)
        if not reading.wrong:
            return reading
    # cbf §6.3.4
    lenient = [Reading(moves, comments, start, numbering, True) for numbering in numberings]
    # cbf §6.3.5
    return min([reading for reading in lenient if not reading.wrong], key=lambda reading: reading.forbidden, default=first)


def of_base(games):
    """cbf §6.3.7: the numbering of a base, by its first games (moves, comments, start)."""
    against = dict.fromkeys(OF_BASES, 0)
    for game in games:
        sound = {}
        for name in OF_BASES:
            numbering = DIALECTS[name]
            sound[name] = not Reading(*game, numbering._replace(late=numbering.stale)).wrong
        if any(sound.values()):
            for name in OF_BASES:
                against[name] += not sound[name]
    return DIALECTS[min(OF_BASES, key=against.get)]


# Comments: cbf §7


def records(section):
    """cbf §7.1.1"""
    if section[:1] == b"\xff":
        section = section[1:]
    found = section.split(b"\xff")
    return found[:-1] if found[-1] == b"" else found


def parts(record):
    """cbf §7.1.3: the three codes, and the text."""
    codes = (record[:3] + bytes(3))[:3]
    return codes, record[3:].lstrip(b"\0")


def untold(codes):
    """cbf §7.2: whether the NAGs do not tell the codes."""
    return any(code and (code not in table or code in others) for table, others, code in zip(NAGS, OTHERS, codes))


def words(text, codes, decode):
    """The text of a comment, with a command where one is needed. (cbf §7.2)"""
    text = decode(text)
    if codes is not None and (untold(codes) or text.startswith("[%cbf ")):
        command = "[%%cbf %d,%d,%d]" % tuple(codes)
        return command + " " + text if text else command
    return text
