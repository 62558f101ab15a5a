"""Writes the five files of a Simple Chess Database from canonical lines. (docs/formats/dcg.md)

What the format cannot hold is left out as §9 says, without a report.
"""

import struct

from board import NULL, Board, counters, fen
from dcg import CASTLING, DESCRIBED, MAGICS, NAME_SIZE, PROGRAM, Base, chess_move
from game import RESULTS, Line, of, parts_of, tree

# The king's square and its rook's: the king's step.
STEPS = {(step[0], rook): step for step, rook in CASTLING.items()}


def length(count):
    """§6.1"""
    if count < 127:
        return bytes([count])
    # All bits set stand for none of these sizes.
    size = ((count + 1).bit_length() + 7) // 8
    return bytes([0x80 + size]) + count.to_bytes(size, "big")


def counted(data):
    return length(len(data)) + data


def words(found):
    """§9.1: the texts of a move, and those that begin its variations."""
    for each in found:
        if isinstance(each, Line):
            yield from of(str, each.before)
        elif isinstance(each, str):
            yield each


def comment(found):
    # §9.3.11, §9.3.13
    text = " ".join(filter(None, words(found)))
    return b"\x86" + counted(text.encode()) if text else b""


def written(line, numbering):
    """§6.3, §6.4"""
    out, promotions = b"", {"": 0, **{piece: code for code, piece in numbering.items()}}
    for ply in line.plies:
        start, target, promotion = ply.move
        if ply.move == NULL:
            out += b"\x88"
        else:
            if ply.board.is_castling(ply.move):
                start, target = STEPS.get((start, target), (None, None))
            # §9.3.18
            if start is None or promotion not in promotions or chess_move((start, target, promotions[promotion]), ply.board, numbering) != ply.move:
                break
            out += struct.pack(">H", promotions[promotion] << 12 | start << 6 | target)
        # §9.3.9
        nags = bytes(nag for nag in of(int, ply.after) if nag < 256)
        out += b"\x87" + counted(nags) if nags else b""
        out += comment(ply.after)
        for variation in of(Line, ply.after):
            inner = written(variation, numbering)
            # §9.3.14
            out += b"\x84" + inner + b"\x85" if inner else b""
    return out


def record(game, numbering):
    head, board = b"\0", Board()
    if game["fen"] is not None:
        board = Board(game["fen"])
        board.rooks = board.corner_rooks()
        # §9.3.16
        text = fen(board, *counters(game["fen"]))
        # §9.3.15
        head = head if text == fen(Board()) else b"\1" + counted(text.encode())
    line = tree(game["line"], board)
    return counted(head + comment(line.before) + written(line, numbering))


def as_name(text):
    """§9.3.2, §9.3.3"""
    return text.encode()[:NAME_SIZE].decode("utf-8", "ignore").rstrip(" ")


def names(magic, texts):
    """§5.2: the file, and the place of each name."""
    order = sorted(set(texts), key=lambda text: text.encode("utf-16-be"))
    data = magic + b"".join(text.encode().ljust(NAME_SIZE) for text in order)
    return data, {text: len(magic) + NAME_SIZE * place for place, text in enumerate(order)}


def whole(text, most):
    """§9.3.4, §9.3.5"""
    return int(text) if text.isascii() and text.isdigit() and int(text) <= most else 0


def entry(tags, place, refer):
    """§4, §8"""
    get = tags.get
    date = map(int, get("DCGDate").split(".")) if "DCGDate" in tags else parts_of(get("Date"))
    eco = get("ECO", "").encode("ascii", "ignore")[:3]
    return struct.pack(
        ">BQIIHIIHHB3sHBB", 255 if get("Deleted") == "1" else int(get("DCGStatus", 0)), place,
        *[refer(tag, get(tag)) for tag in ("White", "Black")], whole(get("Round"), 65535),
        *[refer(tag, get(tag)) for tag in ("Site", "Event")], *[whole(get(side + "Elo", ""), 65535) for side in ("White", "Black")],
        int(get("DCGResult", RESULTS.index(get("Result")))), bytes.fromhex(get("DCGEco", "")) or (eco if len(eco) == 3 else b"\0\0\0"),
        *date)


def write(games, numbering="program"):
    """The five files by extension, of games as canonical lines have them; `numbering` is "described" or "program"."""
    promotions = {"described": DESCRIBED, "program": PROGRAM}[numbering]
    tags = [dict(game["tags"]) for game in games]
    kinds = {"White": "dcn", "Black": "dcn", "Site": "dcs", "Event": "dce"}
    files, places = {}, {}
    for extension, magic in zip(("dcn", "dcs", "dce"), MAGICS[1:4]):
        texts = [as_name(each[tag]) for each in tags for tag, kind in kinds.items() if kind == extension]
        files[extension], places[extension] = names(magic, texts)
    index, records = b"", bytearray(MAGICS[4])
    for game, each in zip(games, tags):
        index += entry(each, len(records), lambda tag, text: places[kinds[tag]][as_name(text)])
        records += record(game, promotions)
    files["dcg"] = bytes(records)
    files["dci"] = MAGICS[0] + bytes(9) + index
    if numbering == "program" and Base(*[files[each] for each in ("dci", "dcn", "dcs", "dce", "dcg")]).promotions is not PROGRAM:
        # §3.5
        files["dci"] = MAGICS[0] + b"\0" + b"\xff" * 8 + index
    return files
