"""Opening books: .bin, .ctg, .abk and .obk. (docs/formats/books.md)

    python3 ports/python/books.py            reads every case of crates/books/fixtures
    python3 ports/python/books.py BOOK       prints the moves of a book

A reader holds a book in memory and returns lines as `expected.txt` of a case has them, in any order.
Damage is passed over without a word.
"""

import re
import struct
import sys
from pathlib import Path

from board import Board, name, text

ROOT = Path(__file__).parents[2]


def table(path, pattern):
    """The numbers or codes of a table in the sources of the project."""
    return re.findall(pattern, (ROOT / path).read_text().split("= [", 1)[-1])


KEYS = [int(number.replace("_", ""), 16) for number in table(
    "crates/chess-core/src/polyglot_keys.rs", r"0x([0-9a-f_]{16,})")]
LAYOUT = "crates/books/src/ctg/layout.rs"
CODES = {int(code, 16): (kind, int(number), int(right), int(forward))
         for code, kind, number, right, forward in table(LAYOUT, r"\((0x..), (\w+), (\d), (-?\d), (-?\d)\)")}
HASH = [int(number, 16) for number in re.findall(r"0x([0-9a-f]{8}),", (ROOT / LAYOUT).read_text())]
LETTERS = {"Pawn": "p", "Knight": "n", "Bishop": "b", "Rook": "r", "Queen": "q", "King": "k"}


def passing(board):
    """The en passant square, if a capture is legal."""
    for start in range(64):
        move = (start, board.passing, "")
        if board.passing is not None and board.squares[start] == board.own("p") and board.legal(move):
            return board.passing
    return None


def fen(board):
    ranks = []
    for rank in range(7, -1, -1):
        row = "".join(board.squares[rank * 8:rank * 8 + 8])
        ranks.append(re.sub(r"\.+", lambda empty: str(len(empty[0])), row))
    sides = [("K", True, False), ("Q", True, True), ("k", False, False), ("q", False, True)]
    rights = "".join(letter for letter, white, long in sides if board.castling_rook(white, long) is not None)
    square = passing(board)
    return " ".join(["/".join(ranks), "w" if board.white else "b", rights or "-", "-" if square is None else name(square)])


def key(board):
    """(books §2.2)"""
    value = KEYS[780] if board.white else 0
    for square, piece in enumerate(board.squares):
        if piece != ".":
            value ^= KEYS[64 * (2 * "pnbrqk".index(piece.lower()) + piece.isupper()) + square]
    for number, (white, long) in enumerate([(True, False), (True, True), (False, False), (False, True)]):
        if board.castling_rook(white, long) is not None:
            value ^= KEYS[768 + number]
    square = board.passing
    if square is not None:
        pawn = square - 8 if board.white else square + 8
        beside = [pawn + file for file in (-1, 1) if 0 <= pawn % 8 + file < 8]
        if any(board.squares[other] == board.own("p") for other in beside):
            value ^= KEYS[772 + square % 8]
    return value


def castling(board, start, target):
    """Two steps of the king as its move to the rook. (books §2.3.4, §4.2.3, §5.2.2)"""
    home = 4 if board.white else 60
    if board.king(board.white) == start == home and abs(start - target) == 2:
        rook = board.castling_rook(board.white, target < start)
        return start, target if rook is None else rook, ""
    return start, target, ""


def uci(board, move):
    """A move with castling as two steps of the king."""
    if board.is_castling(move):
        move = (move[0], move[0] // 8 * 8 + (6 if move[1] > move[0] else 2), "")
    return text(move)


def after(board, move):
    board = board.copy()
    board.play(move)
    return board


def legal_moves(board):
    """Every legal move, without asking about all pairs of squares and promotions."""
    for start in range(64):
        if board.is_own(start):
            for target in range(64):
                last = board.squares[start] in "Pp" and target // 8 in (0, 7)
                for promotion in "qrbn" if last else [""]:
                    if start != target and board.legal((start, target, promotion)):
                        yield start, target, promotion


def walk(moves_of, has_gaps):
    """The positions of a book, from the start position. (books §1.2)"""
    layer, known = [Board()], set()
    while layer:
        following = []
        for board in layer:
            moves = moves_of(board)
            if moves is not None:
                yield board
            elif has_gaps:
                moves = [move for move in legal_moves(board) if moves_of(after(board, move)) is not None]
            for move in moves or []:
                board_after = after(board, move)
                if key(board_after) not in known:
                    known.add(key(board_after))
                    following.append(board_after)
        layer = following


def read_bin(path):
    """(books §2)"""
    data, entries = path.read_bytes(), {}
    for at in range(0, len(data) - 15, 16):
        of, code, weight, learn = struct.unpack_from(">QHHI", data, at)
        entries.setdefault(of, []).append((code, weight, learn))

    def decode(board, code):
        # books §2.3
        promotion = code >> 12 & 7
        if promotion > 4:
            return None
        move = castling(board, code >> 6 & 63, code & 63)
        return move if not promotion else move[:2] + (" nbrq"[promotion],)

    def moves_of(board):
        found = entries.get(key(board))
        moves = [decode(board, code) for code, _, _ in found or []]
        return None if found is None else [move for move in moves if move and move[0] != move[1] and board.legal(move)]

    boards = list(walk(moves_of, True))
    fens = path.with_suffix(".fens")
    boards += [Board(line) for line in fens.read_text().splitlines()] if fens.exists() else []
    for board in boards:
        for code, weight, learn in entries.get(key(board), []):
            move = decode(board, code)
            shown = uci(board, move) if move else name(code >> 6 & 63) + name(code & 63) + "?"
            sound = move and move[0] != move[1] and board.legal(move)
            yield f"{fen(board)}\t{key(board):016x}\t{shown}\t{weight}\t{learn}" + ("" if sound else "\tILLEGAL")


def form(board):
    """How a position is turned before it is stored. (books §3.3.2)"""
    swap = 0 if board.white else 56
    rights = any(board.castling_rook(white, long) is not None for white in (True, False) for long in (True, False))
    return swap, 7 if not rights and board.king(board.white) % 8 < 4 else 0


def stored(board, square):
    """The bytes of a position with an en passant square. (books §3.3)"""
    turn = sum(form(board))
    codes = {".": "0", "p": "11", "r": "1011", "b": "1010", "n": "1001", "q": "10001", "k": "10000"}
    bits = ""
    for at in (rank * 8 + file for file in range(8) for rank in range(8)):
        piece = board.squares[at ^ turn]
        bits += codes[piece.lower()] + ("" if piece == "." else str(int(piece.isupper() != board.white)))
    end = "" if square is None else f"{(square ^ turn) % 8:03b}"
    sides = [(not board.white, False), (not board.white, True), (board.white, False), (board.white, True)]
    rights = "".join(str(int(board.castling_rook(white, long) is not None)) for white, long in sides)
    end += rights if "1" in rights else ""
    while (len(bits) + max(len(end), 1)) % 8 and end or not end and len(bits) % 8 or not end and bits[-1:] != "0":
        bits += "0"
    bits += end
    data = bytes(int(bits[at:at + 8], 2) for at in range(0, len(bits), 8))
    return bytes([len(data) + 1 | (0 if square is None else 32) | (64 if "1" in rights else 0)]) + data


def ctg_move(board, code):
    """(books §3.5)"""
    if code not in CODES:
        return None
    kind, number, right, forward = CODES[code]
    letter, turn = LETTERS[kind], sum(form(board))
    order = (rank * 8 + file for file in range(8) for rank in range(8))
    pieces = [at for at in order if board.squares[at ^ turn] == board.own(letter)]
    if len(pieces) < number:
        return None
    at = pieces[number - 1]
    if letter == "k" and abs(right) == 2:
        rook = board.castling_rook(board.white, right < 0)
        return None if rook is None else (at ^ turn, rook, "")
    file, rank = (at % 8 + right) % 8, (at // 8 + forward) % 8
    move = (at ^ turn, (rank * 8 + file) ^ turn, "q" if letter == "p" and rank == 7 else "")
    return move if board.legal(move) else None


def read_ctg(path):
    """(books §3)"""
    data, records = path.read_bytes(), {}
    for page in range(4096, len(data) - 4095, 4096):
        count, at = struct.unpack_from(">H", data, page)[0], page + 4
        for _ in range(count):
            length = data[at] & 31
            if length < 3 or at + length >= page + 4096:
                break
            end = at + length + data[at + length]
            number = (page // 4096 - 1, data[at:at + length])
            records[number] = (data[at + length + 1:end], data[end:end + 33])
            at = end + 33
    files = [path.with_suffix(suffix) for suffix in (".cto", ".ctb")]
    index = [file.read_bytes() for file in files] if all(file.exists() for file in files) else None

    def page_of(position):
        # books §3.4
        place = total = mask = 0
        for byte in position:
            for half in (byte & 15, byte >> 4):
                place = (place + 4 * (15 - half) + 1) % 64
                total = (total + HASH[place]) % 2**32
        low, high = struct.unpack_from(">II", index[1], 4)
        while True:
            number = (total & mask) + mask
            if number >= low:
                if len(index[0]) < 20 + 4 * number:
                    return None
                page = struct.unpack_from(">i", index[0], 16 + 4 * number)[0]
                if page >= 0:
                    return page
            if number >= high:
                return None
            mask = 2 * mask + 1

    def record(board):
        # books §3.3.5
        for square in (passing(board), board.passing, None):
            position = stored(board, square)
            pages = [page_of(position)] if index else range(len(data) // 4096)
            for page in pages:
                if (page, position) in records:
                    return records[page, position]
        return None

    def moves_of(board):
        found = record(board)
        moves = [ctg_move(board, code) for code in found[0][::2]] if found else []
        return [move for move in moves if move] if found else None

    def number(data, at, size):
        return int.from_bytes(data[at:at + size], "big")

    for board in walk(moves_of, False):
        moves, numbers = record(board)
        swapped, mirrored = form(board)
        counts = "\t".join(str(number(numbers, at, 3)) for at in (0, 3, 6, 9))
        ratings = "\t".join(f"{number(numbers, at, 3)}/{number(numbers, at + 3, 4)}" for at in (16, 23))
        turned = ("swapped" if swapped else "-") + ("+mirrored" if mirrored else "")
        yield (f"P\t{fen(board)}\t{counts}\t{ratings}\t0x{numbers[30]:02x}\t0x{numbers[32]:02x}"
               f"\t{number(numbers, 12, 4)}\t0x{numbers[31]:02x}\t{turned}")
        for code, annotation in zip(moves[::2], moves[1::2]):
            move = ctg_move(board, code)
            if move is None:
                yield f"M\t{fen(board)}\t?\t0x{code:02x}\t0x{annotation:02x}"
                continue
            # books §3.6.3
            reached = (record(after(board, move)) or (None, bytes(33)))[1]
            counts = "\t".join(str(number(reached, at, 3)) for at in (0, 6, 3, 9))
            yield f"M\t{fen(board)}\t{uci(board, move)}\t0x{code:02x}\t0x{annotation:02x}\t{counts}\t0x{reached[30]:02x}"


def read_abk(path):
    """(books §4)"""
    data, reached = path.read_bytes(), set()
    if len(data) < 25200 or data[:4] not in (b"\x03ABK", b"\x03AB2"):
        return
    levels = [("", Board(), 900)]
    while levels:
        line, board, at = levels.pop()
        while 900 <= at < len(data) // 28 and at not in reached:
            reached.add(at)
            start, target, promotion, priority, games, white, black, flags, following, other = struct.unpack_from(
                "<BBbBIIIIii", data, 28 * at)
            at = other
            if start == target == 255:
                continue
            move = castling(board, start, target)[:2] + (" rnbq"[abs(promotion)].strip(),)
            sound = board.legal(move)
            shown = uci(board, move) if sound else f"{start}-{target} ILLEGAL"
            yield f"{line or '-'}\t{fen(board)}\t{shown}\t{priority}\t{games}\t{white}\t{black}\t0x{flags:08x}"
            if sound:
                levels.append(((line + " " + shown).strip(), after(board, move), following))


def read_obk(path):
    """(books §5)"""
    data = path.read_bytes()
    if data[:4] not in (b"BOO!", b"UGWS"):
        return
    first, count = (12 if data[:4] == b"BOO!" else 8), struct.unpack_from("<I", data, 4)[0]
    board, waiting, number, at = Board(), [], 0, first
    while number < count and at + 1 < len(data):
        one, two = data[at:at + 2]
        move = castling(board, one & 63, two & 63)
        if board.squares[move[0]] in "Pp" and move[1] // 8 in (0, 7):
            move = move[:2] + ("q",)
        if not one & 64:
            waiting.append(board)
        ends = "leaf" if one & 128 else "-"
        yield f"{number}\t{fen(board)}\t{uci(board, move)}\t{two >> 6}\t{ends}\t{'last' if one & 64 else '-'}"
        number, at = number + 1, at + 2
        if not one & 128:
            board = after(board, move)
        elif waiting:
            board = waiting.pop()
        else:
            break
    while first == 12 and at + 6 <= len(data):
        index, length, kind = struct.unpack_from("<IBB", data, at)
        yield f"# note\t{index}\t{kind}\t{data[at + 6:at + 6 + length].decode()}"
        at += 6 + length


READERS = {".bin": read_bin, ".ctg": read_ctg, ".abk": read_abk, ".obk": read_obk}


def main(arguments):
    if arguments:
        path = Path(arguments[0])
        print("\n".join(READERS[path.suffix](path)))
        return 0
    failed = cases = 0
    for folder in sorted((ROOT / "crates/books/fixtures").glob("*/*/")):
        expected = folder / "expected.txt"
        book = next((path for path in folder.glob("base.*") if path.suffix in READERS), None)
        if book is None or not expected.exists():
            continue
        wanted = [line for line in expected.read_text().splitlines() if not line.startswith("# ") or line.startswith("# note")]
        cases += 1
        if sorted(READERS[book.suffix](book)) != sorted(wanted):
            print(f"{folder}: differs")
            failed += 1
    print(f"{cases} books, {failed} differ")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
