"""Reads, writes and converts chess databases of many formats, and provides them as Arrow tables.

>>> import scoresheet
>>> for game in scoresheet.open("games.pgn"):
...     print(game.white, game.black, game.san[:2])
Karpov, Anatoly Kasparov, Garry ['e4', 'e5']
Polgar, Judit Karpov, Anatoly ['O-O', 'O-O-O']
"""

from __future__ import annotations

from collections.abc import Sequence

from . import _frames
from ._api import bases_below, book, columns, convert, formats, open, scan, write, write_table
from ._build import GameBuilder
from ._collection import append, compare, dedupe, fill, rename, undo, update
from ._errors import Error, GameError
from ._scoresheet import Base, Book, Game, Games, Summary, Table, Writer, __version__
from ._tree import Node

Sequence.register(Base)
_frames.complete(Table)

__all__ = [
    "Base",
    "Book",
    "Error",
    "Game",
    "GameBuilder",
    "GameError",
    "Games",
    "Node",
    "Summary",
    "Table",
    "Writer",
    "__version__",
    "append",
    "bases_below",
    "book",
    "columns",
    "compare",
    "convert",
    "dedupe",
    "fill",
    "formats",
    "open",
    "rename",
    "scan",
    "undo",
    "update",
    "write",
    "write_table",
]
