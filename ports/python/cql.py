#!/usr/bin/env python3
"""The query language of docs/query.md a second time, written from that page alone.

    cql.py            the cases of crates/cql/tests/data: cases.txt and second.txt
    cql.py --write    writes the plies that match into second.txt

It reads the main line only. Numbers in comments are rules of the page.
"""

import re
import sys
from pathlib import Path

from board import Board, LINES, STEPS, step

ROOT = Path(__file__).parents[2]
DATA = ROOT / "crates/cql/tests/data"
MEN = "KQRBNPkqrbnp"
KINDS = {**{letter: letter for letter in MEN}, "A": MEN[:6], "a": MEN[6:], "_": "."}
POWER = {"q": 9, "r": 5, "b": 3, "n": 3, "p": 1, "k": 0, ".": 0}
ALL = frozenset(range(64))
LIGHT = frozenset(square for square in ALL if (square % 8 + square // 8) % 2)
BASIC = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0), "northeast": (1, 1),
         "northwest": (-1, 1), "southeast": (1, -1), "southwest": (-1, -1)}
DIRECTIONS = {**{word: (way,) for word, way in BASIC.items()},
              "vertical": ((0, 1), (0, -1)), "horizontal": ((-1, 0), (1, 0)),
              "orthogonal": ((0, 1), (0, -1), (-1, 0), (1, 0)),
              "diagonal": ((1, 1), (-1, 1), (1, -1), (-1, -1)), "anydirection": tuple(BASIC.values())}
TRANSFORMS = ("flip", "flipcolor", "fliphorizontal", "flipvertical", "reversecolor", "rotate90",
              "shift", "shifthorizontal", "shiftvertical")
TESTS = ("check", "mate", "stalemate", "wtm", "btm", "initial", "terminal", "mainline", "variation",
         "primary", "secondary", "true", "false")
NUMBERS = ("ply", "movenumber", "depth", "positionid", "year")
PAWNS = ("passedpawns", "doubledpawns", "isolatedpawns", "connectedpawns")
POSITIONS = ("currentposition", "parent", "child")
FIELDS = {"event": "Event", "site": "Site", "date": "Date", "eco": "ECO", "eventdate": "EventDate"}
SQUARE = r"[a-h](?:-[a-h])?[1-8](?:-[1-8])?"
SQUARES = r"(?:%s|\[%s(?:,%s)*\])" % (SQUARE, SQUARE, SQUARE)
PIECES = r"(?:[KQRBNPAkqrbnpa_]|\[[KQRBNPAkqrbnpa_]+\])"
DESIGNATOR = re.compile(r"(?:(%s)(%s)|(%s)|(%s))(?![\w$])" % (PIECES, SQUARES, SQUARES, PIECES))
SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.S)
REPETITION = re.compile(r"[*+?]|\{\s*(\d+)\s*(,?)\s*(\d*)\s*\}")
SIGNS = dict(zip("△▲◭□▦→←∪∩×≤≥≠♔♕♖♗♘♙♚♛♜♝♞♟―",
                 ["A", "a", "[Aa]", "_", ".", "->", "<-", "|", "&", "[x]", "<=", ">=", "!=", *MEN, "-"]))


class Wrong(Exception):
    pass


# Parsing (section 1). A filter is a tuple: its kind, then its parts.

class Parser:
    def __init__(self, text):
        self.text = "".join(SIGNS.get(letter, letter) for letter in text)
        self.at, self.ended, self.plain, self.names = 0, 0, False, {}
        self.parameters = {}

    def query(self):
        if self.take("cql"):
            self.need("(")
            while not self.take(")"):
                word = self.word() or self.fail()
                if word == "matchcount":
                    self.parameters[word] = self.range()
                elif word == "result":
                    self.parameters[word] = self.result()
                elif word not in ("quiet", "silent"):
                    self.fail()
        filters = self.filters("")
        return ("block", *filters)

    def fail(self):
        raise Wrong("at %r" % self.text[self.at:self.at + 20])

    def space(self):
        self.at = SPACE.match(self.text, self.at).end()

    def sees(self, sign):
        self.space()
        if not self.text.startswith(sign, self.at):
            return False
        after = self.text[self.at + len(sign):][:1]
        return not (sign[0].isalpha() and (after.isalnum() or after in ("_", "$")) and after)

    def take(self, *signs):
        for sign in signs:
            if self.sees(sign):
                self.at += len(sign)
                self.ended = self.at
                return sign
        return None

    def need(self, sign):
        return self.take(sign) or self.fail()

    def found(self, pattern):
        self.space()
        match = re.compile(pattern).match(self.text, self.at)
        if match:
            self.at = self.ended = match.end()
        return match

    def word(self):
        match = self.found(r"[A-Za-z_$][\w$]*(?:-o){0,2}|[\w$]+")
        return match and match[0]

    def number(self):
        match = self.found(r"-?\d+")
        return int(match[0]) if match else None

    def range(self):
        """One number means exactly that. (1.6)"""
        low = self.number()
        high = self.number() if low is not None else None
        return (low, low if high is None else high) if low is not None else None

    def result(self):
        match = self.found(r'"?(1-0|0-1|1/2-1/2|\*)"?')
        return match[1] if match else self.fail()

    def string(self):
        match = self.found(r'"((?:[^"\\]|\\.)*)"')
        return match and match[1]

    def filters(self, end):
        """Filters side by side, up to a closing sign."""
        plain, self.plain, list_ = self.plain, False, []
        while True:
            self.space()
            if end and self.text.startswith(end, self.at):
                self.at += len(end)
                self.ended = self.at
                break
            if self.at == len(self.text):
                if end:
                    self.fail()
                break
            list_.append(self.filter())
        self.plain = plain
        return list_ or self.fail()

    def chain(self, word, part, kind):
        list_ = [part()]
        while self.take(word):
            list_.append(part())
        return (kind, *list_) if len(list_) > 1 else list_[0]

    def filter(self):
        return self.chain("or", lambda: self.chain("and", self.negation, "and"), "or")

    def negation(self):
        if self.take("not"):
            return ("not", self.negation())
        left = self.relation()
        return ("in", left, self.relation()) if self.take("in") else left

    def relation(self):
        members, signs = [self.sum()], []
        while not self.sees("<--") and not self.sees("->") and not self.sees("<-"):
            sign = self.take("==", "!=", "<=", ">=", "<", ">")
            if not sign:
                break
            signs.append(sign)
            members.append(self.sum())
        left = ("compare", tuple(members), tuple(signs)) if signs else members[0]
        if self.take("~~"):
            return ("matches", left, self.string())
        return left

    def sum(self):
        return self.arithmetic("+-", lambda: self.arithmetic("*/%", self.unary))

    def arithmetic(self, signs, part):
        left = part()
        while not self.plain and not any(self.sees(sign) for sign in ("--", "->", "-->", "+=", "-=")):
            self.space()
            sign = self.text[self.at:self.at + 1]
            if sign == "" or sign not in signs:
                break
            self.at += 1
            left = ("calculate", sign, left, part())
        return left

    def unary(self):
        self.space()
        if re.compile(r"-(?!-)").match(self.text, self.at):
            self.at += 1
            return ("negate", self.unary())
        return self.count()

    def count(self):
        word = self.take("#", "power", "rank", "file")
        if word:
            return ({"#": "count"}.get(word, word), self.count())
        return self.join("|", lambda: self.join("&", self.complement, "inter"), "union")

    def join(self, sign, part, kind):
        left = part()
        while self.take(sign):
            left = (kind, left, part())
        return left

    def complement(self):
        if not self.sees("~~") and self.take("~"):
            return ("complement", self.complement())
        left = self.direct()
        sign = None if self.sees("<--") or self.sees("-->") else self.take("attackedby", "attacks", "->", "<-")
        if sign:
            kind = "attacks" if sign in ("attacks", "->") else "attackedby"
            return (kind, left, self.direct())
        return left

    def directions(self):
        ways = []
        while True:
            word = next((word for word in DIRECTIONS if self.sees(word)), None)
            if not word:
                return tuple(dict.fromkeys(ways))
            self.take(word)
            ways += DIRECTIONS[word]

    def direct(self):
        word = next((word for word in DIRECTIONS if self.sees(word)), None)
        if word:
            self.take(word)
            low, high = self.range() or (1, 7)
            return ("toward", DIRECTIONS[word], low, high, self.direct())
        word = self.take("light", "dark")
        if word:
            return ("shade", word == "light", self.direct())
        return self.dashed()

    def dash(self):
        match = re.compile(r"--(?!>)|\[x\]").match(self.text, self.at)
        if match:
            self.at = self.ended = match.end()
        return match and match[0]

    def dashed(self):
        self.space()
        sign, left = self.dash(), None
        if not sign:
            left = self.place()
            if self.at != self.ended:
                return left
            sign = self.dash()
            if not sign:
                return left
        right, promote, after = None, None, ()
        rest = self.text[self.at:]
        if re.match(r"[\w\[~.$]", rest) or rest[:1] == "{" and not REPETITION.match(rest):
            right = self.place()
        if self.at == self.ended and re.match(r"=(?!=)", self.text[self.at:]):
            self.at += 1
            promote = self.pieces()
        if self.at == self.ended and self.text[self.at:self.at + 1] == "(":
            self.at += 1
            after = tuple(self.filters(")"))
        move = {"value": "test", "from": left, "after": after, "promote": promote}
        move["to" if sign == "--" else "capture"] = right
        if sign == "[x]" and right is None:
            move["capture"] = ("men", frozenset(MEN), ALL)
        return self.move(move)

    def pieces(self):
        match = self.found(PIECES) or self.fail()
        return frozenset("".join(KINDS[letter] for letter in match[0].strip("[]")).lower())

    @staticmethod
    def move(parts):
        names = ("value", "from", "to", "capture", "square", "promote", "passing", "castle", "null",
                 "source", "after", "primary")
        return ("move", tuple(parts.get(name) for name in names))

    def place(self):
        left = self.primary()
        if self.sees(":"):
            self.take(":")
            return ("at", left, ("count", self.place()) if self.take("#") else self.place())
        return left

    def braced(self, end):
        list_ = self.filters(end)
        return list_[0] if len(list_) == 1 else ("block", *list_)

    def primary(self):
        self.space()
        match = DESIGNATOR.match(self.text, self.at)
        if match:
            self.at = self.ended = match.end()
            pieces, squares = match[1] or match[4], match[2] or match[3]
            kinds = "".join(KINDS[letter] for letter in pieces.strip("[]")) if pieces else MEN + "."
            return ("men", frozenset(kinds), squares_of(squares) if squares else ALL)
        if self.take("."):
            return ("men", frozenset(MEN + "."), ALL)
        if self.take("{"):
            return self.braced("}")
        if self.take("("):
            return self.braced(")")
        number = self.found(r"\d+(?![\w$])")
        if number:
            return ("number", int(number[0]))
        text = self.string()
        if text is not None:
            return ("text", text)
        start, word = self.at, self.word()
        if not word:
            self.fail()
        known = self.phrase(word)
        if known:
            return known
        sign = self.found(r"([-+*/%]?)=(?!=)")
        if sign:
            value = self.sum()
            self.names.setdefault(word, kind_of(value))
            return ("assign", word, sign[1], value)
        if word in self.names:
            return ("variable", word, self.names[word])
        self.at = start
        return self.fail()

    def phrase(self, word):
        """A filter that begins with a word of the language."""
        if word in TESTS + NUMBERS + PAWNS + POSITIONS:
            return ("word", word)
        if word in TRANSFORMS:
            return ("transform", word, bool(self.take("count")), self.filter())
        if word == "notransform":
            return ("keep", self.filter())
        if word in ("player", "white", "black", "elo"):
            side = word if word in ("white", "black") else self.take("white", "black")
            if word == "elo" or word in ("white", "black") and self.take("elo"):
                return ("elo", side or (None if word == "elo" else self.take("white", "black")))
            return self.contains(("player", side))
        if word in FIELDS:
            return self.contains(("field", FIELDS[word]))
        if word == "tag":
            return self.contains(("field", self.string()))
        if word in ("originalcomment", "hascomment"):
            return self.contains(("comments",))
        if word == "result":
            return ("result", self.result())
        if word in ("ray", "xray"):
            ways = self.directions() or DIRECTIONS["anydirection"]
            self.need("(")
            return ("ray", word == "xray", ways, tuple(self.filters(")")))
        if word == "between":
            self.need("(")
            return ("between", *self.filters(")"))
        if word == "pin":
            parts, first = {}, None
            while True:
                part = self.take("from", "through", "to")
                if not part:
                    return ("pin", parts.get("from"), parts.get("through"), parts.get("to"), first or "through")
                first, parts[part] = first or part, self.direct()
        if word in ("move", "o-o", "o-o-o", "castle"):
            return self.moves(word)
        if word == "find":
            back, every = False, False
            while True:
                option = self.take("<--", "all", "quiet")
                back, every = back or option == "<--", every or option == "all"
                if not option:
                    break
            return ("find", back, every, self.range(), self.filter())
        if word in ("line", "path"):
            return self.sequence(word)
        if word == "if":
            test = self.filter()
            self.take("then")
            then = self.filter()
            return ("if", test, then, self.filter() if self.take("else") else None)
        if word in ("piece", "square"):
            every, name = bool(self.take("all")), self.word()
            self.names[name] = "set"
            self.need("in")
            return ("each", word == "piece", every, name, self.count(), self.filter())
        if word == "sort":
            self.take("min", "max")
            self.string()
            return ("sort", self.filter())
        if word in ("comment", "message"):
            if self.take("("):
                self.filters(")")
            else:
                self.sum()
            return ("word", "true")
        if word == "persistent":
            self.take("quiet")
            return self.primary()
        if word in ("max", "min"):
            self.need("(")
            return ("extreme", word, tuple(self.filters(")")))
        if word == "abs":
            return ("abs", self.sum())
        return None

    def contains(self, of):
        text = self.string()
        return of if text is None else ("in", ("text", text), of)

    def moves(self, word):
        move = {"value": "from"}
        if word != "move":
            move = {"value": "test", "castle": word}
        while word == "move":
            option = self.take("from", "to", "capture", "enpassantsquare", "enpassant", "promote",
                               "castle", "o-o-o", "o-o", "null", "primary", "secondary", "previous",
                               "legal", "pseudolegal", "count")
            if not option:
                break
            if option in ("from", "to", "capture"):
                if not any(move.get(part) for part in ("from", "to", "capture")):
                    move["value"] = option
                move[option] = self.direct()
            elif option == "enpassantsquare":
                move["square"] = self.direct()
            elif option == "promote":
                move["promote"] = self.pieces()
            elif option in ("castle", "o-o", "o-o-o"):
                move["castle"] = option
            elif option in ("previous", "legal", "pseudolegal"):
                move["source"] = option
            elif option == "count":
                move["value"] = "count"
            elif option == "null":
                move["null"], move["value"] = True, "test"
            else:
                move["passing" if option == "enpassant" else "primary"] = True
        return self.move(move)

    def sequence(self, word):
        options, back = [], False
        while True:
            option = self.take("nestban", "lastposition", "singlecolor", "primary", "quiet")
            if not option:
                break
            options.append(option)
        span = self.range() if re.match(r"\s*\d", self.text[self.at:]) and word == "line" else None
        items = []
        if word == "line":
            back = self.sees("<--")
            arrow = "<--" if back else "-->"
            while self.take(arrow):
                items.append(self.item(arrow))
        else:
            while self.item_follows():
                items.append(self.item(None))
        return (word, tuple(options), back, span, tuple(items or self.fail()))

    def item_follows(self):
        self.space()
        rest = self.text[self.at:]
        return bool(rest) and rest[0] not in ")}" and not re.match(r"(or|and|then|else)\b", rest)

    def item(self, arrow):
        self.space()
        if self.text[self.at:self.at + 1] == "(":
            self.take("(")
            list_ = []
            while not self.take(")"):
                if arrow:
                    self.take(arrow)
                list_.append(self.item(arrow))
            item = ("group", tuple(list_))
        else:
            plain, self.plain = self.plain, True
            item = ("item", self.filter())
            self.plain = plain
        while True:
            repeat = self.found(REPETITION.pattern)
            if not repeat:
                return item
            low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(repeat[0], (None, None))
            if low is None:
                low = int(repeat[1])
                high = int(repeat[3]) if repeat[3] else None if repeat[2] else low
            item = ("repeat", low, high, item)


def squares_of(text):
    found = set()
    for part in text.strip("[]").split(","):
        files, ranks = re.match(r"([a-h](?:-[a-h])?)([1-8](?:-[1-8])?)", part).groups()
        for file in range("abcdefgh".index(files[0]), "abcdefgh".index(files[-1]) + 1):
            found.update(file + 8 * rank for rank in range(int(ranks[0]) - 1, int(ranks[-1])))
    return frozenset(found)


def kind_of(node):
    """The type of a filter. (2.1)"""
    kind = node[0]
    if kind in ("men", "union", "inter", "complement", "attacks", "attackedby", "toward", "shade", "ray",
                "between", "pin"):
        return "set"
    if kind in ("number", "count", "power", "rank", "file", "calculate", "negate", "abs", "extreme", "elo"):
        return "number"
    if kind in ("text", "player", "field", "comments"):
        return "text"
    if kind == "word":
        word = node[1]
        return ("number" if word in NUMBERS else "set" if word in PAWNS
                else "position" if word in POSITIONS else "test")
    if kind == "variable":
        return node[2]
    if kind == "block":
        return kind_of(node[-1])
    if kind == "at":
        return kind_of(node[2])
    if kind == "keep":
        return kind_of(node[1])
    if kind == "variants":
        return "number" if node[1] else kind_of(node[2]) if len(node) > 2 else "test"
    if kind == "transform":
        return "number" if node[2] else kind_of(node[3])
    if kind == "if":
        same = node[3] and kind_of(node[2]) == kind_of(node[3])
        return kind_of(node[2]) if same else "test"
    if kind == "move":
        return {"test": "test", "count": "number"}.get(node[1][0], "set")
    if kind == "find":
        return "number" if node[2] or node[3] else "position"
    if kind in ("line", "path"):
        return "position" if "lastposition" in node[1] else "number"
    if kind == "each":
        return "test" if node[2] else "set"
    return "test"


# Transforms (section 7).

class Turn:
    """A mapping of the board, perhaps with the colours reversed."""

    def __init__(self, square, way, colours=False):
        self.square, self.way, self.colours = square, way, colours
        self.shades = square(0) is not None and (square(0) in LIGHT) != (0 in LIGHT)

    def filter(self, node):
        kind = node[0]
        if kind == "keep":
            return node
        if kind == "men":
            squares = self.squares(node[2])
            if squares is None:
                raise Dropped
            kinds = frozenset(k.swapcase() if k != "." else k for k in node[1]) if self.colours else node[1]
            return ("men", kinds, squares)
        if kind == "shade" and self.shades:
            return ("shade", not node[1], self.filter(node[2]))
        if kind in ("toward", "ray"):
            ways = tuple(sorted(self.way(*way) for way in node[1 if kind == "toward" else 2]))
            if kind == "toward":
                return ("toward", ways, *node[2:4], self.filter(node[4]))
            return ("ray", node[1], ways, tuple(self.filter(part) for part in node[3]))
        if self.colours:
            swap = {"wtm": "btm", "btm": "wtm", "white": "black", "black": "white", "1-0": "0-1", "0-1": "1-0"}
            if kind in ("player", "elo", "result") or kind == "word" and node[1] in ("wtm", "btm"):
                return (kind, swap.get(node[1], node[1]))
        return tuple(self.part(part) for part in node)

    def part(self, part):
        if isinstance(part, tuple) and part:
            if isinstance(part[0], str) and part[0] in KIND_NAMES:
                return self.filter(part)
            return tuple(self.part(inner) for inner in part)
        return part

    def squares(self, squares):
        return frozenset(self.square(square) for square in squares)


class Shift(Turn):
    def __init__(self, files, ranks):
        super().__init__(lambda square: square, lambda file, rank: (file, rank))
        self.by, self.shades = (files, ranks), False

    def squares(self, squares):
        """Whole files do not move along, whole ranks not sideways. (7.4)"""
        files, ranks = {s % 8 for s in squares}, {s // 8 for s in squares}
        by = (0 if len(files) == 8 else self.by[0], 0 if len(ranks) == 8 else self.by[1])
        moved = frozenset(step(square, *by) for square in squares) - {None}
        return moved if moved or not squares else None


class Dropped(Exception):
    pass


KIND_NAMES = set("""block and or not in compare matches calculate negate count power rank file union inter
complement attacks attackedby toward shade move at men number text assign variable word transform keep elo
player field comments result ray between pin find line path if each sort extreme abs variants item group
repeat""".split())


def turns(word):
    files, ranks = (lambda s: s ^ 7), (lambda s: s ^ 56)
    same = Turn(lambda s: s, lambda f, r: (f, r))
    spin = [same]
    for _ in range(3):
        last = spin[-1]
        spin.append(Turn(lambda s, last=last: quarter(last.square(s)),
                         lambda f, r, last=last: quarter_way(*last.way(f, r))))
    mirror = Turn(files, lambda f, r: (-f, r))
    reverse = Turn(ranks, lambda f, r: (f, -r), True)
    if word.startswith("shift"):
        across = range(-7, 8) if word != "shiftvertical" else (0,)
        along = range(-7, 8) if word != "shifthorizontal" else (0,)
        return [Shift(f, r) for f in across for r in along]
    both = [Turn(lambda s, t=t: t.square(s ^ 7), lambda f, r, t=t: t.way(-f, r)) for t in spin]
    return {"flip": spin + both, "flipvertical": [same, mirror], "rotate90": spin,
            "fliphorizontal": [same, Turn(ranks, lambda f, r: (f, -r))],
            "flipcolor": [same, reverse], "reversecolor": [reverse]}[word]


def quarter(square):
    return square // 8 + 8 * (7 - square % 8)


def quarter_way(file, rank):
    return rank, -file


def expand(node):
    """Replaces transforms by their variants, the inner ones first. (7.1)"""
    if not isinstance(node, tuple):
        return node
    if node and node[0] == "transform":
        body, variants = expand(node[3]), []
        for turn in turns(node[1]):
            try:
                variants.append(turn.filter(body))
            except Dropped:
                pass
        return ("variants", node[2], *dict.fromkeys(variants))
    return tuple(expand(part) for part in node)


# Evaluation (sections 2 to 6).

class Game:
    def __init__(self, fen, moves, header, comment=None):
        board = Board(fen) if fen else Board()
        fields = (fen or "").split()
        number = int(fields[5]) if len(fields) > 5 else 1
        self.header, self.boards, self.moves, self.numbers = header, [board], [], [number]
        self.comment, self.men = comment, [{s: s for s in ALL if board.squares[s] != "."}]
        for move in moves:
            start, target = square(move[:2]), square(move[2:4])
            before, board = self.boards[-1], self.boards[-1].copy()
            played = Played(before, (start, target, move[4:]))
            number += not before.white
            board.play((start, target, move[4:]))
            men = dict(self.men[-1])
            for taken in played.captured:
                men.pop(taken, None)
            man = men.pop(start, None)
            if played.castle:
                rook = men.pop(target)
                men[start // 8 * 8 + (5 if played.castle == "o-o" else 3)] = rook
            men[next(iter(played.to))] = man
            self.moves.append(played)
            self.boards.append(board)
            self.numbers.append(number)
            self.men.append(men)


class Played:
    def __init__(self, board, move):
        start, target, promotion = move
        piece = board.squares[start]
        self.start, self.to, self.promotion = frozenset([start]), frozenset([target]), promotion
        self.castle, self.captured, self.passing = None, frozenset(), False
        if board.is_castling(move):
            self.castle = "o-o" if target > start else "o-o-o"
            self.to = frozenset([start // 8 * 8 + (6 if target > start else 2)])
        elif board.squares[target] != ".":
            self.captured = self.to
        elif piece in "Pp" and start % 8 != target % 8:
            self.captured, self.passing = frozenset([start // 8 * 8 + target % 8]), True


def square(text):
    return "abcdefgh".index(text[0]) + 8 * (int(text[1]) - 1)


class Search:
    def __init__(self, game, filter):
        self.game, self.filter, self.variables, self.known = game, filter, {}, {}

    def matching(self, parameters):
        if parameters.get("result", self.game.header.get("Result", "*")) != self.game.header.get("Result", "*"):
            return []
        plies = [ply for ply in range(len(self.game.boards)) if self.test(self.filter, ply)]
        low, high = parameters.get("matchcount", (1, len(plies)))
        return plies if low <= len(plies) <= high else []

    def test(self, node, at):
        value = self.value(node, at)
        return value if kind_of(node) == "test" else bool(value) if kind_of(node) == "set" else value is not None

    def value(self, node, at):
        """The value of a filter at a position: None if it has none."""
        return getattr(self, "do_" + node[0])(node, at)

    def number(self, node, at):
        value = self.value(node, at)
        return len(value) if isinstance(value, frozenset) else value

    def do_men(self, node, at):
        squares = self.game.boards[at].squares
        return frozenset(s for s in node[2] if squares[s] in node[1])

    def do_number(self, node, at):
        return node[1]

    do_text = do_number

    def do_block(self, node, at):
        for part in node[1:-1]:
            if not self.test(part, at):
                return False if kind_of(node) == "test" else None
        return self.value(node[-1], at) if kind_of(node) != "test" else self.test(node[-1], at)

    def do_and(self, node, at):
        return all(self.test(part, at) for part in node[1:])

    def do_or(self, node, at):
        return any(self.test(part, at) for part in node[1:])

    def do_not(self, node, at):
        return not self.test(node[1], at)

    def do_keep(self, node, at):
        return self.value(node[1], at)

    def do_variants(self, node, at):
        count, list_ = node[1], node[2:]
        if count:
            return sum(self.test(part, at) for part in list_)
        kind = kind_of(node)
        if kind == "test":
            return any(self.test(part, at) for part in list_)
        values = [value for value in (self.value(part, at) for part in list_) if value is not None]
        if kind == "set":
            return frozenset().union(*values)
        return (max(values) if kind == "number" else values[0]) if values else None

    def do_in(self, node, at):
        part, whole = node[1:]
        if kind_of(part) == "text":
            return any(a in b for a in self.texts(part, at) for b in self.texts(whole, at))
        part, whole = self.value(part, at), self.value(whole, at)
        return part is not None and whole is not None and part <= whole

    def do_matches(self, node, at):
        return any(re.search(node[2], text) for text in self.texts(node[1], at))

    def texts(self, node, at):
        header, kind = self.game.header, node[0]
        if kind == "player":
            sides = ["White", "Black"] if node[1] is None else [node[1].capitalize()]
            return [header.get(side, "?") for side in sides]
        if kind == "field":
            return [header[node[1]]] if node[1] in header else []
        if kind == "comments":
            is_there = self.game.comment is not None and at == len(self.game.boards) - 1
            return [self.game.comment] if is_there else []
        value = self.value(node, at)
        return [] if value is None else [value]

    def do_player(self, node, at):
        return next(iter(self.texts(node, at)), None)

    do_field = do_comments = do_player

    def do_elo(self, node, at):
        sides = ["White", "Black"] if node[1] is None else [node[1].capitalize()]
        values = [int(self.game.header[s + "Elo"]) for s in sides if s + "Elo" in self.game.header]
        return max(values) if values else None

    def do_result(self, node, at):
        return self.game.header.get("Result", "*") == node[1]

    def do_compare(self, node, at):
        """A chain compares neighbours; beside a number a set counts. (2.2)"""
        members, signs = node[1:]
        counted = any(kind_of(member) == "number" for member in members)
        values = [self.number(m, at) if counted else self.value(m, at) for m in members]
        for left, sign, right in zip(values, signs, values[1:]):
            if left is None or right is None:
                if sign != "!=":
                    return False
                continue
            if isinstance(left, frozenset) and sign not in ("==", "!="):
                left, right = len(left), len(right)
            if not {"==": left == right, "!=": left != right, "<": not isinstance(left, frozenset) and left < right,
                    "<=": not isinstance(left, frozenset) and left <= right,
                    ">": not isinstance(left, frozenset) and left > right,
                    ">=": not isinstance(left, frozenset) and left >= right}[sign]:
                return False
        return True

    def do_calculate(self, node, at):
        sign, left, right = node[1], self.number(node[2], at), self.number(node[3], at)
        if left is None or right is None or sign in "/%" and right == 0:
            return None
        if sign == "/":
            return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        if sign == "%":
            return abs(left) % abs(right) * (-1 if left < 0 else 1)
        return left + right if sign == "+" else left - right if sign == "-" else left * right

    def do_negate(self, node, at):
        value = self.number(node[1], at)
        return None if value is None else -value

    def do_abs(self, node, at):
        value = self.number(node[1], at)
        return None if value is None else abs(value)

    def do_extreme(self, node, at):
        values = [self.number(part, at) for part in node[2]]
        return None if None in values else {"max": max, "min": min}[node[1]](values)

    def do_count(self, node, at):
        return self.number(node[1], at)

    def do_power(self, node, at):
        value, squares = self.value(node[1], at), self.game.boards[at].squares
        return None if value is None else sum(POWER[squares[s].lower()] for s in value)

    def do_rank(self, node, at):
        value = self.value(node[1], at)
        if value is None or len(value) != 1:
            return None
        return (next(iter(value)) // 8 if node[0] == "rank" else next(iter(value)) % 8) + 1

    do_file = do_rank

    def sets(self, at, *nodes):
        values = [self.value(node, at) for node in nodes]
        return None if None in values else values

    def do_union(self, node, at):
        sets = self.sets(at, *node[1:])
        return sets and sets[0] | sets[1]

    def do_inter(self, node, at):
        sets = self.sets(at, *node[1:])
        return sets and sets[0] & sets[1]

    def do_complement(self, node, at):
        value = self.value(node[1], at)
        return None if value is None else ALL - value

    def attacked(self, at, start):
        """The squares that the man on a square attacks. (3.3)"""
        key = (at, start)
        if key not in self.known:
            board = self.game.boards[at]
            kind, found = board.squares[start].lower(), set()
            if kind == "p":
                rank = 1 if board.squares[start] == "P" else -1
                found = {step(start, -1, rank), step(start, 1, rank)} - {None}
            elif kind != ".":
                found = set(board.reached(start, LINES.get(kind) or STEPS[kind], kind in LINES))
            self.known[key] = frozenset(found)
        return self.known[key]

    def do_attacks(self, node, at):
        sets = self.sets(at, *node[1:])
        return sets and frozenset(s for s in sets[0] if self.attacked(at, s) & sets[1])

    def do_attackedby(self, node, at):
        sets = self.sets(at, *node[1:])
        return sets and sets[0] & frozenset().union(*(self.attacked(at, s) for s in sets[1]))

    def do_toward(self, node, at):
        value = self.value(node[4], at)
        if value is None:
            return None
        steps = [(f * n, r * n) for f, r in node[1] for n in range(max(node[2], -7), min(node[3], 7) + 1)]
        return frozenset(step(s, *by) for s in value for by in steps) - {None}

    def do_shade(self, node, at):
        value = self.value(node[2], at)
        return None if value is None else value & LIGHT if node[1] else value - LIGHT

    def do_between(self, node, at):
        sets = self.sets(at, *node[1:])
        if sets is None:
            return None
        found = set()
        for start in sets[0]:
            for way in DIRECTIONS["anydirection"]:
                passed, here = [], step(start, *way)
                while here is not None:
                    if here in sets[1]:
                        found.update(passed)
                    passed.append(here)
                    here = step(here, *way)
        return frozenset(found)

    def do_ray(self, node, at):
        sets, board = self.sets(at, *node[3]), self.game.boards[at]
        if sets is None:
            return None
        found = set()
        for way in node[2]:
            front = sets[0]
            if node[1]:
                front = {s for s in front if way in LINES.get(board.squares[s].lower(), ())}
            for set_ in sets[1:]:
                seen = set()
                for start in front:
                    here = step(start, *way)
                    while here is not None:
                        seen.add(here)
                        if board.squares[here] != ".":
                            break
                        here = step(here, *way)
                front = seen & set_
            found |= front
        return frozenset(found)

    def do_pin(self, node, at):
        board = self.game.boards[at]
        kings = frozenset(s for s in ALL if board.squares[s] in "Kk")
        start, through, to = (self.value(part, at) if part else default
                              for part, default in zip(node[1:4], (ALL, ALL, kings)))
        found = {"from": set(), "through": set(), "to": set()}
        for pinning in start:
            kind = board.squares[pinning]
            for way in LINES.get(kind.lower(), ()):
                ray, here, man = [], step(pinning, *way), None
                while here is not None:
                    piece = board.squares[here]
                    if man is None and piece != ".":
                        if piece.isupper() == kind.isupper() or here not in through:
                            break
                        man = here
                    elif man is not None:
                        own = piece == "." or piece.isupper() == board.squares[man].isupper()
                        if here in to and own:
                            found["from"].add(pinning)
                            found["through"].add(man)
                            found["to"].add(here)
                        if piece != ".":
                            break
                    here = step(here, *way)
        return frozenset(found[node[4]])

    def do_word(self, node, at):
        word, game = node[1], self.game
        board, last = game.boards[at], len(game.boards) - 1
        if word in PAWNS:
            return pawns(word, board.squares)
        if word in ("check", "mate", "stalemate"):
            check = board.in_check(board.white)
            if word == "check" or check != (word == "mate"):
                return check if word == "check" else False
            key = (word, at)
            if key not in self.known:
                self.known[key] = not candidates(board, "legal")
            return self.known[key]
        if word == "year":
            year = game.header.get("Date", "????")[:4]
            return int(year) if year.isdigit() and int(year) else None
        return {"wtm": board.white, "btm": not board.white, "initial": at == 0, "terminal": at == last,
                "mainline": True, "variation": False, "primary": at > 0, "secondary": False, "true": True,
                "false": False, "ply": at, "movenumber": game.numbers[at], "depth": 0, "positionid": at,
                "currentposition": at, "parent": at - 1 if at else None,
                "child": at + 1 if at < last else None}[word]

    def do_at(self, node, at):
        there = self.value(node[1], at)
        if there is None:
            return False if kind_of(node) == "test" else None
        return self.value(node[2], there)

    def do_if(self, node, at):
        if self.test(node[1], at):
            part = node[2]
        elif node[3] is None:
            return True
        else:
            part = node[3]
        return self.test(part, at) if kind_of(node) == "test" else self.value(part, at)

    def do_assign(self, node, at):
        name, sign, value = node[1], node[2], self.value(node[3], at)
        if sign and value is not None:
            old = self.variables.get(name, 0)
            value = self.do_calculate(("calculate", sign, ("number", old), ("number", value)), at)
        if value is None:
            return False
        self.variables[name] = value
        return True

    def do_variable(self, node, at):
        value = self.variables.get(node[1])
        if isinstance(value, Man):
            return frozenset(s for s, man in self.game.men[at].items() if man == value.number)
        return value

    def do_sort(self, node, at):
        return self.value(node[1], at) is not None

    def do_each(self, node, at):
        _, piece, every, name, of, body = node
        squares, found = self.value(of, at) or frozenset(), set()
        outer = self.variables.get(name)
        for s in squares:
            if piece and s not in self.game.men[at]:
                continue
            self.variables[name] = Man(self.game.men[at][s]) if piece else frozenset([s])
            if self.test(body, at):
                found.add(s)
        self.variables[name] = outer
        return frozenset(found) == squares if every else frozenset(found)

    def do_move(self, node, at):
        names = ("value", "from", "to", "capture", "square", "promote", "passing", "castle", "null",
                 "source", "after", "primary")
        parts = dict(zip(names, node[1]))
        board = self.game.boards[at]
        if parts["source"] == "previous":
            if at == 0:
                return None if parts["value"] != "count" else 0
            return self.moved(parts, at - 1, [self.game.moves[at - 1]], at)
        if parts["source"]:
            return self.moved(parts, at, [Played(board, move) for move in candidates(board, parts["source"])], None)
        return self.moved(parts, at, self.game.moves[at:at + 1], at + 1)

    def moved(self, parts, at, moves, after):
        sets = {name: self.value(parts[name], at) if parts[name] else None
                for name in ("from", "to", "capture", "square")}
        found, count = set(), 0
        for move in moves:
            squares = {"from": move.start, "to": move.to, "capture": move.captured}
            if (parts["null"]
                    or any(parts[name] and not (sets[name] or frozenset()) & squares[name] for name in squares)
                    or parts["square"] and not (move.passing and sets["square"] & move.to)
                    or parts["passing"] and not move.passing
                    or parts["promote"] and move.promotion not in (parts["promote"] if move.promotion else ())
                    or parts["castle"] and move.castle != parts["castle"]
                    and not (parts["castle"] == "castle" and move.castle)
                    or parts["after"] and not all(self.test(part, after) for part in parts["after"])):
                continue
            count += 1
            found |= squares.get(parts["value"], move.start)
        if parts["value"] == "test":
            return count > 0
        return count if parts["value"] == "count" else frozenset(found) if count else None

    def do_find(self, node, at):
        _, back, every, span, what = node
        plies = range(at, -1, -1) if back else range(at, len(self.game.boards))
        if not every and not span:
            return next((ply for ply in plies if self.test(what, ply)), None)
        count = sum(self.test(what, ply) for ply in plies)
        low, high = span or (1, count)
        return count if low <= count <= high else None

    def do_line(self, node, at):
        _, options, back, span, items = node
        by = (2 if "singlecolor" in options else 1) * (-1 if back else 1)
        ends = self.run(("group", items), {at}, by)
        return self.longest(options, span, {(end - at) // by: end - by for end in ends})

    def do_path(self, node, at):
        _, options, _, span, items = node
        ends = self.run(("group", items), {at}, None)
        return self.longest(options, span, {end - at: end for end in ends})

    @staticmethod
    def longest(options, span, lengths):
        if not lengths:
            return None
        most = max(lengths)
        if span and not span[0] <= most <= span[1]:
            return None
        return lengths[most] if "lastposition" in options else most

    def run(self, item, states, by):
        """The states after an item. Of a line, a state is the position that comes next; of a path, the one
        that is reached."""
        kind, last = item[0], len(self.game.boards) - 1
        if kind == "group":
            for part in item[1]:
                states = self.run(part, states, by)
            return states
        if kind == "repeat":
            low, high, part = item[1:]
            found, seen = set(states) if low == 0 else set(), []
            for number in range(1, (high if high is not None else low + 2 * last + 4) + 1):
                states = self.run(part, states, by)
                if number >= low:
                    found |= states
                if not states or number > low and states in seen:
                    break
                seen.append(states)
            return found
        if by is None and item[1][0] == "move" and item[1][1][9] is None:
            return {at + 1 for at in states if at < last and self.test(item[1], at)}
        inside = {at for at in states if 0 <= at <= last}
        return {at + (by or 0) for at in inside if self.test(item[1], at)}


class Man:
    def __init__(self, number):
        self.number = number


def candidates(board, source):
    """The moves of each man as its kind goes; legal ones, or whatever check they leave. (5.3)"""
    found = []
    for start in range(64):
        for target in range(64):
            if start == target or not board.is_own(start):
                continue
            if board.is_castling((start, target, "")):
                if board.legal((start, target, "")):
                    found.append((start, target, ""))
            elif not board.is_own(target) and board.goes(start, target):
                last = board.squares[start] in "Pp" and target // 8 in (0, 7)
                found += [(start, target, promotion) for promotion in ("nbrq" if last else ("",))]
    return found if source == "pseudolegal" else [move for move in found if board.legal(move)]


def pawns(word, squares):
    """Passed, doubled, isolated and connected pawns of both colours. (3.7)"""
    found = set()
    for pawn, enemy, ahead in (("P", "p", 1), ("p", "P", -1)):
        own = [s for s in ALL if squares[s] == pawn]
        for s in own:
            beside = [o for o in own if abs(o % 8 - s % 8) == 1]
            blocked = any(squares[o] == enemy and abs(o % 8 - s % 8) <= 1 and (o // 8 - s // 8) * ahead > 0
                          for o in ALL)
            doubled = any(o != s and o % 8 == s % 8 for o in own)
            if {"passedpawns": not blocked, "doubledpawns": doubled, "isolatedpawns": not beside,
                    "connectedpawns": bool(beside)}[word]:
                found.add(s)
    return frozenset(found)


def plies(query, game):
    parser = Parser(query)
    filter = expand(parser.query())
    return Search(game, filter).matching(parser.parameters)


# The cases.

def game_of(fen, moves, header):
    tags = dict(part.split("=", 1) for part in header.split(";") if "=" in part)
    return Game("" if fen == "-" else fen, moves.split(), tags, tags.pop("comment", None))


def cases():
    """Lines of cases.txt without variations: name, query, game, plies."""
    rows = re.findall(r"^\| (\d+) \| .*? \| `(.*)` \|$", (ROOT / "docs/query.md").read_text("utf-8"), re.M)
    questions = {"q" + number: query for number, query in rows}
    for line in (DATA / "cases.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split(" |", 5)] + [""] * 6
        query = questions.get(parts[0], parts[5])
        if re.search(r"variations|nestban|null|persistent \w+\+=1 \w+==", query) or "(" in parts[3]:
            continue
        expected = [] if parts[1] == "none" else [int(ply) for ply in parts[1].split()]
        yield parts[0], query, game_of(*parts[2:5]), expected


def shown(found):
    """The plies of each game as ranges: 1:4,7-9 3:0."""
    words = []
    for number, list_ in enumerate(found, 1):
        ranges = []
        for ply in list_:
            if ranges and ranges[-1][1] == ply - 1:
                ranges[-1][1] = ply
            else:
                ranges.append([ply, ply])
        if ranges:
            words.append("%d:" % number + ",".join("%d" % a if a == b else "%d-%d" % (a, b) for a, b in ranges))
    return " ".join(words) or "none"


def main():
    wrong = checked = 0
    for name, query, game, expected in cases():
        checked += 1
        try:
            found = plies(query, game)
        except Wrong as error:
            found = error
        if found != expected:
            wrong += 1
            print("%s: %s: %s, not %s" % (name, query, found, expected))
    path, games, lines = DATA / "second.txt", [], []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("game |"):
            games.append(game_of(*(part.strip() for part in line.split(" |")[1:4])))
        elif not line.startswith("#") and " | " in line:
            expected, query = line.split(" | ", 1)
            try:
                found = shown([plies(query, game) for game in games])
            except Wrong as error:
                found = str(error)
            checked += 1
            if found != expected and "--write" not in sys.argv:
                wrong += 1
                print("%s: %s, not %s" % (query, found, expected))
            line = "%s | %s" % (found, query)
        lines.append(line)
    if "--write" in sys.argv:
        path.write_text("\n".join(lines) + "\n", "utf-8")
    print("cql.py: %d queries agree, %d do not" % (checked - wrong, wrong))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
