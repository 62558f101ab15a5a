"""Writes PGN from canonical lines. (docs/formats/pgn.md §2)"""

import re

from board import NULL, Board, counters, name
from cbh_writer import needs_chess960, tags_of
from game import of, tree
from texts import is_chess960

WIDTH = 79


def value(text):
    """§3.2"""
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return text.replace("\n", "\\x0a").replace("\r", "\\x0d")


def tag(label, text):
    odd = lambda found: "".join("\\x%02x" % byte for byte in found[0].encode())
    return '[%s "%s"]\n' % (re.sub(r'[\0-\x20"\[\]{}%\\\x7f]', odd, label) or "\\x", value(text))


def reaching(board, move):
    """The squares of pieces of the same kind that may go to the target."""
    start, target, _ = move
    return [other for other in range(64) if board.squares[other] == board.squares[start] and other != start and board.legal((other, target, ""))]


def san(board, move):
    """§2.3"""
    start, target, promotion = move
    if move == NULL:
        return "--"
    piece, taken = board.squares[start], board.squares[target]
    after = board.copy()
    after.play(move)
    check = after.in_check(after.white)
    mark = "" if not check else "#" if not any(after.moves()) else "+"
    legal = board.legal(move)
    if board.is_castling(move) and (legal or castles(board, start, target)):
        return ("O-O" if target > start else "O-O-O") + mark
    letter = "" if piece in "Pp." else piece.upper()
    sign = "x" if taken != "." else ""
    if piece in "Pp":
        aside, last = start % 8 != target % 8, target // 8 in (0, 7)
        sign = "x" if (aside or sign if last else sign if promotion else aside) else ""
    becomes = "=" + promotion.upper() if promotion else ""
    if not legal:
        return against_rules(board, move, letter, sign, becomes) + mark
    if piece in "Pp":
        return (name(start)[0] if sign else "") + sign + name(target) + becomes + mark
    others = reaching(board, move)
    where = ""
    if others:
        alone = [all(part(other) != part(start) for other in others) for part in (lambda at: at % 8, lambda at: at // 8)]
        where = name(start)[0] if alone[0] else name(start)[1] if alone[1] else name(start)
    return letter + where + sign + name(target) + mark


def castles(board, king, rook):
    """Whether O-O means this rook: the one with the right, else the outermost."""
    rank, found = king // 8 * 8, board.castling_rook(board.white, rook < king)
    if king // 8 != (0 if board.white else 7) or rook // 8 != king // 8 or board.king(board.white) != king:
        return False
    rooks = [at for at in range(rank, rank + 8) if board.squares[at] == board.own("r") and (at < king) == (rook < king)]
    return rook == (found if found is not None else rooks[0 if rook < king else -1])


def against_rules(board, move, letter, sign, becomes):
    start, target, promotion = move
    piece, own = board.squares[start], board.is_own(start)
    last = piece in "Pp" and target // 8 in (0, 7)
    sign = "-" if start == target else sign
    steps = own and not board.is_own(target) and board.goes(start, target)
    if piece in "Kk" and start // 8 == target // 8 and not steps and not becomes:
        return letter + name(start) + sign + name(target) + "=K"
    if last and not promotion and own:
        becomes = "=P"
    if steps and last == (promotion in ("q", "r", "b", "n", "k")) and becomes != "=P":
        others = [other for other in range(64) if other != start and board.squares[other] == piece and board.goes(other, target)]
        if not others or piece in "Pp":
            return (name(start)[0] if piece in "Pp" and sign else letter) + sign + name(target) + becomes
    return letter + name(start) + (sign or "" if own else sign or "-") + name(target) + becomes


def comment(text):
    """§3.4"""
    text = re.sub(r"\\(?=x(7d|0d|5c|5b|25))", r"\\x5c", text).replace("}", "\\x7d").replace("\r", "\\x0d")
    text = re.sub(r"\n(\n*)\[(?=[A-Za-z])", r"\n\1\\x5b", text)
    text = re.sub(r"\n%", r"\n\\x25", text)
    return "{" + re.sub(r"\n+", lambda found: found[0] + "\n", text) + "}"


def words(line, number):
    """The words of a line and its variations."""
    todo = [steps(line, number)]
    while todo:
        each = next(todo[-1], None)
        if each is None:
            todo.pop()
            yield from [")"] * bool(todo)
        elif isinstance(each, str):
            yield each
        else:
            yield "("
            todo.append(steps(*each))


def steps(line, number):
    """The words of a line, and a line and its first number for each variation."""
    first = True
    for each in line.before:
        yield from [comment(each)] if isinstance(each, str) else ["$%d" % each]
    for ply in line.plies:
        if ply.board.white:
            yield "%d." % number
        elif first:
            yield "%d..." % number
        yield san(ply.board, ply.move)
        first = False
        for each in ply.after:
            first = True
            if isinstance(each, int):
                yield "$%d" % each
            elif isinstance(each, str):
                yield comment(each)
            elif each.plies:
                yield each, number
            else:
                yield from map(comment, of(str, each.before))
        number += not ply.board.white


def wrapped(parts):
    """§2.1: a line may end within a parenthesis, where no blank stands."""
    lines, line, opened = [], "", False
    for part in parts:
        # A text breaks at single blanks between two other characters.
        pieces = re.split(r"(?<!\s)(?<!^\{) (?![\s%}])", part) if part.startswith("{") else [part]
        for piece in pieces:
            blank = " " * (line != "" and not opened and part != ")")
            opened = part == "("
            if line and len(line + blank + piece.split("\n")[0]) > WIDTH:
                lines.append(line)
                line = piece
            else:
                line += blank + piece
            *whole, line = line.split("\n")
            lines += whole
    return "\n".join(lines + [line])


def text(game):
    tags = game["tags"]
    out = "".join(tag(label, words) for label, words in tags)
    board = Board()
    if game["fen"] is not None:
        board = Board(game["fen"])
        out += tag("FEN", game["fen"])
        given = tags_of(game)
        if "SetUp" not in given:
            out += tag("SetUp", "1")
        chess960 = is_chess960(given.get("Variant", "")) or needs_chess960(game, board)
        if "Variant" not in given and chess960:
            out += tag("Variant", "Chess960")
        if not chess960:
            board.rooks = board.corner_rooks()
    number = counters(game["fen"])[1] if game["fen"] is not None else 1
    return out + "\n" + wrapped(list(words(tree(game["line"], board), number)) + [dict(tags)["Result"]]) + "\n\n"


def write(games):
    return {"pgn": "".join(map(text, games)).encode()}
