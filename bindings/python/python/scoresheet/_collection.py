"""Functions that keep a collection of games, with their documentation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _paths, _scoresheet
from ._api import _listed

if TYPE_CHECKING:
    from ._paths import PathLike, Source
    from ._scoresheet import Summary

#: The tags that `rename` changes.
_NAMES = ("White", "Black", "Event", "Site")


def update(base: PathLike, files: Source | Iterable[Source], *, dry_run: bool = False) -> dict[str, Any]:
    """Brings a database up to date by newer files.

    Games that the base lacks are added. A game that it has takes what a copy in the files knows better: a
    corrected result, date or given name, missing tags, later moves, comments. A second run changes nothing.
    The log ``base.si4.updates`` and the copy ``base.si4.undo`` lie beside the base. A text such as PGN is written anew.

    Args:
        base: The path of the database.
        files: Databases with newer games, the newest last, as in `scan`.
        dry_run: Whether nothing is written.

    Returns:
        A dict: the numbers of games ``read``, ``added``, ``changed``, ``same`` and ``damaged``; ``changes``, a list
        of dicts with the ``index`` of a game, ``white``, ``black`` and ``taken``, a list of texts; ``refused``, messages
        about games that the format cannot hold; and ``losses`` by kind.

    Raises:
        Error: A database cannot be read or changed.

    >>> _ = scoresheet.convert("games.pgn", "club.si4", games=1)
    >>> done = scoresheet.update("club.si4", "games.pgn")
    >>> done["added"], done["changed"], done["same"]
    (1, 0, 1)
    >>> scoresheet.update("club.si4", "games.pgn")["added"]
    0
    """
    return _scoresheet.update(_paths.local(base), _listed(files), dry_run)


def undo(base: PathLike, *, force: bool = False) -> str:
    """Restores a database as it was before its last `update`, and returns what was taken back.

    Args:
        base: The path of the database.
        force: Whether later changes are lost, or what an interrupted update left.

    Raises:
        Error: There is nothing to undo; or the base was changed after the update, and `force` is False.

    >>> _ = scoresheet.convert("games.pgn", "club.si4", games=1)
    >>> _ = scoresheet.update("club.si4", "games.pgn")
    >>> _ = scoresheet.undo("club.si4")
    >>> len(scoresheet.open("club.si4"))
    1
    """
    return _scoresheet.undo(_paths.local(base), force)


def append(base: PathLike, files: Source | Iterable[Source], *, unique: bool = False) -> dict[str, Any]:
    """Appends games to a database, and leaves its games as they are.

    Args:
        base: The path of the database: of Scid or Simple Chess Database; with `unique`, also a text.
        files: Databases with the games, as in `scan`.
        unique: Whether games that the base has are left out.

    Returns:
        A dict as that of `update`.

    Raises:
        Error: A database cannot be read or changed.

    >>> _ = scoresheet.convert("games.pgn", "club.si4", games=1)
    >>> scoresheet.append("club.si4", "games.pgn", unique=True)["added"]
    1
    >>> scoresheet.append("club.si4", "games.pgn")["added"], len(scoresheet.open("club.si4"))
    (2, 4)
    """
    return _scoresheet.append(_paths.local(base), _listed(files), unique)


def compare(a: PathLike, b: PathLike) -> dict[str, Any]:
    """Tells which games only one of two databases has, and which differ.

    Args:
        a: The path of a database.
        b: The path of another.

    Returns:
        A dict: ``games``, the numbers of games; ``only_a`` and ``only_b``, indexes of games; ``both``, pairs of
        indexes; ``differing``, a list of dicts with the indexes ``a`` and ``b``, and ``differs``: of ``"tags"``,
        ``"moves"``, ``"annotations"`` those that do.

    Raises:
        Error: A database cannot be read.

    >>> _ = scoresheet.convert("games.pgn", "club.si4", games=2)
    >>> found = scoresheet.compare("games.pgn", "club.si4")
    >>> found["only_a"], found["only_b"], found["both"]
    ([0], [], [(1, 0)])
    """
    return _scoresheet.compare(_paths.local(a), _paths.local(b))


def dedupe(
    inputs: Source | Iterable[Source],
    output: PathLike,
    *,
    contained: bool = False,
    merge: bool = False,
    overwrite: bool = False,
) -> tuple[Summary, list[tuple[int, int, int, int]]]:
    """Writes the games of databases to a new database, without games that repeat others.

    Args:
        inputs: The databases, as in `scan`.
        output: The path of the new database.
        contained: Whether the beginning of another game counts as repeated.
        merge: Whether a game that is kept takes what its copies know better: tags, later moves, comments.
        overwrite: Whether an existing output is replaced.

    Returns:
        The numbers of games as `convert` returns them, and the repeated games: the index of the database and of the
        game in it, and those of the game that is kept.

    Raises:
        FileExistsError: The output exists, and `overwrite` is False.
        Error: A database cannot be read or written.

    >>> _ = scoresheet.convert("games.pgn", "club.si4", games=1)
    >>> summary, repeats = scoresheet.dedupe(["games.pgn", "club.si4"], "all.si4")
    >>> summary.written, repeats
    (2, [(1, 0, 0, 0)])
    """
    return _scoresheet.dedupe(_listed(inputs), _paths.local(output), contained, merge, overwrite)


def rename(
    base: PathLike,
    old: str,
    new: str,
    *,
    tags: Iterable[str] = _NAMES,
    dry_run: bool = False,
) -> dict[str, int]:
    """Gives a player, event or site another name in all games of a database.

    Args:
        base: The path of the database.
        old: The name, letter by letter.
        new: The new name.
        tags: The tags that change.
        dry_run: Whether nothing is written.

    Returns:
        The number of games by tag.

    Raises:
        Error: The database cannot be read or changed.

    >>> _ = scoresheet.convert("games.pgn", "club.si4")
    >>> scoresheet.rename("club.si4", "Karpov, Anatoly", "Karpov, A.")
    {'Black': 1, 'White': 1}
    >>> scoresheet.open("club.si4")[0].white
    'Karpov, A.'
    """
    return _scoresheet.rename(_paths.local(base), old, new, list(tags), dry_run)


def fill(base: PathLike, players: PathLike, *, dry_run: bool = False) -> dict[str, int]:
    """Writes FIDE ids, titles and ratings at the time of the game that a list of players knows. A tag that is there stays.

    Args:
        base: The path of the database.
        players: The path of a list of players: a spelling or ratings file of Scid, or a list of FIDE.
        dry_run: Whether nothing is written.

    Returns:
        The number of games by tag.

    Raises:
        Error: The database cannot be read or changed.
        ValueError: The list is none.

    >>> _ = scoresheet.convert("games.pgn", "club.si4")
    >>> from pathlib import Path
    >>> _ = Path("list.ssp").write_text("@PLAYER\\nKarpov, Anatoly #gm\\n  %Bio FIDEID 4100026\\n")
    >>> scoresheet.fill("club.si4", "list.ssp")
    {'BlackFideId': 1, 'WhiteFideId': 1}
    """
    return _scoresheet.fill(_paths.local(base), _paths.local(players), dry_run)
