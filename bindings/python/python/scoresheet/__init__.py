"""Chess databases of many formats: read, written, converted, and as Arrow tables.

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
    """Writes games to a new base, which appears whole or not at all. A base that exists raises
    FileExistsError, unless overwrite=True. Returns what of each game the format cannot hold: a dict
    from the place of the game, from 0, to a list of texts."""
    lost = {}
    with Writer(path, format=format, encoding=encoding, overwrite=overwrite, **options) as writer:
        for number, game in enumerate(games):
            losses = writer.write(game)
            if losses:
                lost[number] = losses
    return lost
