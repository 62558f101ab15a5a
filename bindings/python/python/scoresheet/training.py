"""Positions and moves as NumPy arrays, for training. Needs the package numpy.

>>> import scoresheet.training
>>> columns = ["board_before", "turn", "castling", "ep", "move_code", "result"]
>>> plies = scoresheet.scan("games.pgn", "plies", columns).to_arrow()
>>> planes = scoresheet.training.planes(plies)
>>> planes.shape, planes.dtype.name
((9, 18, 8, 8), 'uint8')
>>> scoresheet.training.move_index(plies["move_code"])[:2].tolist()
[321, 264]
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: The number of moves in the vocabulary.
MOVES = 1968
#: What each plane means. The planes of pieces are those of the side to move first.
PLANES = (
    *(f"{side} {piece}" for side in ("own", "other") for piece in ("pawn", "knight", "bishop", "rook", "queen", "king")),
    "black to move",
    "own castling short",
    "own castling long",
    "other castling short",
    "other castling long",
    "en passant",
)


@cache
def _codes() -> list[int]:
    """Returns the moves of the vocabulary as in the column move_code."""
    codes = []
    for start in range(64):
        for end in range(64):
            files, ranks = abs(start % 8 - end % 8), abs(start // 8 - end // 8)
            queen = start != end and (files == 0 or ranks == 0 or files == ranks)
            if queen or {files, ranks} == {1, 2}:
                codes.append(start | end << 6)
            if files <= 1 and (start // 8, end // 8) in ((6, 7), (1, 0)):
                codes.extend(start | end << 6 | piece << 12 for piece in (1, 2, 3, 4))
    return codes


def vocabulary() -> list[str]:
    """Returns the moves in UCI notation, in the order of their index: every move of a queen and of a knight on
    an empty board, and every promotion. Castling is the king to the square of its rook. The order never changes.

    >>> import scoresheet.training
    >>> moves = scoresheet.training.vocabulary()
    >>> len(moves), moves[0], moves[-1]
    (1968, 'a1b1', 'h8g8')
    """
    return [_name(code) for code in _codes()]


def _name(code: int) -> str:
    square = [f"{'abcdefgh'[square % 8]}{square // 8 + 1}" for square in range(64)]
    return square[code & 63] + square[code >> 6 & 63] + " nbrq"[code >> 12 & 7].strip()


@cache
def _lookup() -> NDArray[np.int16]:
    table = np.full(1 << 15, -1, np.int16)
    table[_codes()] = np.arange(MOVES, dtype=np.int16)
    return table


def move_index(codes: Any) -> NDArray[np.int16]:
    """Returns the index of each move in the vocabulary, and -1 for a null move.

    Args:
        codes: The column move_code of plies, or the moves of move_codes of games.

    >>> import scoresheet.training
    >>> scoresheet.training.move_index([796, 0]).tolist()
    [322, -1]
    """
    numbers = np.asarray(codes, dtype=np.int64)
    index: NDArray[np.int16] = _lookup()[numbers & 0x7FFF]
    return index


def boards(column: Any) -> NDArray[np.uint8]:
    """Returns the boards as numbers, of the shape (rows, 8 ranks from the first, 8 files): 0 is empty, 1 to 6 are
    White's pawn, knight, bishop, rook, queen and king, and 9 to 14 those of Black.

    Args:
        column: The column board or board_before of plies, of pyarrow, Polars, pandas, or a list of bytes.

    >>> import scoresheet.training
    >>> board = scoresheet.scan("games.pgn", "plies", ["board_before"]).to_arrow()["board_before"]
    >>> scoresheet.training.boards(board)[0, 0].tolist()
    [4, 2, 3, 5, 6, 3, 2, 4]
    """
    packed = np.frombuffer(b"".join(_values(column)), np.uint8).reshape(-1, 32)
    squares = np.empty((len(packed), 64), np.uint8)
    squares[:, 0::2] = packed & 15
    squares[:, 1::2] = packed >> 4
    return squares.reshape(-1, 8, 8)


def _values(column: Any) -> Iterable[Any]:
    values = column.to_pylist() if hasattr(column, "to_pylist") else column
    return list(values)


def planes(plies: Any, from_mover: bool = True) -> NDArray[np.uint8]:
    """Returns the positions before the moves as planes of 0 and 1: an array of the shape (rows, 18, 8, 8).

    PLANES names the planes. The ranks begin at the first rank.

    Args:
        plies: A table of plies with the columns board_before, turn, castling and ep: of pyarrow, Polars or
            pandas, or a dict.
        from_mover: Whether the board is mirrored if Black moves, so that the own pawns always move up. Otherwise
            "own" is White.

    >>> import scoresheet.training
    >>> plies = scoresheet.scan("games.pgn", "plies", ["board_before", "turn", "castling", "ep"])
    >>> first = scoresheet.training.planes(plies.to_polars())[0]
    >>> first[0].sum(), first[0, 1].tolist()
    (8, [1, 1, 1, 1, 1, 1, 1, 1])
    """
    squares = boards(plies["board_before"])
    black = np.array([side == "b" for side in _values(plies["turn"])], bool)
    rights = [str(text) for text in _values(plies["castling"])]
    flipped = black if from_mover else np.zeros_like(black)
    pieces = np.array([*range(1, 7), *range(9, 15)], np.uint8)
    out = np.zeros((len(squares), len(PLANES), 8, 8), np.uint8)
    out[:, :12] = squares[:, None] == pieces[None, :, None, None]
    swapped = np.roll(out[flipped, :12], 6, axis=1)[:, :, ::-1]
    out[flipped, :12] = swapped
    out[black, 12] = 1
    for plane, (own, other) in enumerate(zip("KQkq", "kqKQ"), 13):
        has = [(other if mirrored else own) in text for text, mirrored in zip(rights, flipped)]
        out[np.array(has, bool), plane] = 1
    for row, square in enumerate(_values(plies["ep"])):
        if isinstance(square, str):
            rank = int(square[1]) - 1
            out[row, 17, 7 - rank if flipped[row] else rank, "abcdefgh".index(square[0])] = 1
    return out
