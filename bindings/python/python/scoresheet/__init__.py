"""Reads, writes and converts chess databases of many formats, and provides them as Arrow tables.

    import scoresheet
    for game in scoresheet.open("twic.si4"):
        print(game.white, game.black, game.san)
"""

from __future__ import annotations

from ._scoresheet import (
    Base,
    Error,
    Game,
    GameError,
    Games,
    Summary,
    Table,
    Writer,
    __version__,
    bases_below,
    columns,
    convert,
    formats,
    open,
    scan,
)
from ._tree import Node

__all__ = [
    "Base",
    "Error",
    "Game",
    "GameError",
    "Games",
    "Node",
    "Summary",
    "Table",
    "Writer",
    "__version__",
    "bases_below",
    "columns",
    "convert",
    "formats",
    "open",
    "scan",
    "write",
]


def write(games, path, *, format=None, encoding=None, overwrite=False, **options):
    """Writes games to a new database, which appears complete or not at all. An existing database
    raises FileExistsError, unless overwrite=True. Returns the losses: a dict from the index of a
    game, from 0, to a list of messages about what the format cannot hold."""
    lost = {}
    with Writer(path, format=format, encoding=encoding, overwrite=overwrite, **options) as writer:
        for number, game in enumerate(games):
            losses = writer.write(game)
            if losses:
                lost[number] = losses
    return lost
