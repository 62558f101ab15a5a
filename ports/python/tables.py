"""The tables of docs/formats/tables, and a check of those that these ports make by rule. (porting §4)

    python3 ports/python/tables.py
"""

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs/formats/tables"


def rows(name):
    """The rows of a table: lists of texts."""
    lines = (FOLDER / (name + ".tsv")).read_text("utf-8").split("\n")
    return [line.split("\t") for line in lines if line and line[0] != "#"]


def square(number):
    return "abcdefgh"[number % 8] + str(number // 8 + 1)


def words():
    """cbh2 §4.3"""
    import cbh2_moves

    word = 1
    for first, piece, origin, moves in rows("cbh2-words"):
        assert word == int(first, 16), first
        taken = [""] if piece in "Pp" else ["", "xQ", "xN", "xB", "xR", "xP"]
        for move in [move + capture for move in moves.split(" ") for capture in taken]:
            there, start, target, captured, promotion = cbh2_moves.TABLE[word]
            found = square(target) + ("x" + captured if captured else "") + ("=" + promotion.upper() if promotion else "")
            assert (there, square(start), found) == (piece, origin, move), first
            word += 1
    assert word == len(cbh2_moves.TABLE)


def steps():
    """scid §4.5, chessassistant §8.1, movecode §4"""
    import ca_record
    import movecode
    import scid

    for piece, code, kind, number in rows("scid-codes"):
        if kind == "step" and piece in "KN":
            assert {"K": scid.KING, "N": scid.KNIGHT}[piece][int(code) - 1] == int(number), (piece, code)
    for code, number, white, black in rows("chessassistant-codes"):
        code, found = int(code), (int(number), int(white, 16), int(black, 16))
        wanted = (code >> 2, ca_record.PAWN[True][code & 3], ca_record.PAWN[False][code & 3])
        if code >= 32:
            wanted = ca_record.PLAIN[code - 32] + ca_record.PLAIN[code - 32][1:]
        assert found == wanted, code
    assert len(rows("chessassistant-codes")) == 32 + len(ca_record.PLAIN)
    for code, piece, slot, what in rows("movecode-codes"):
        code, (word, *numbers) = int(code, 16), what.split(" ")
        if word == "step":
            steps = {"P": movecode.PAWN, "N": movecode.KNIGHT, "K": movecode.KING}[piece]
            assert steps[code & (3 if piece == "P" else 7)] == tuple(map(int, numbers)), code


def main():
    for check in words, steps:
        check()
        print("%s: as the tables have them" % check.__name__)


if __name__ == "__main__":
    sys.exit(main())
