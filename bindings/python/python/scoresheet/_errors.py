"""The exceptions of the package. They can be pickled, so that a worker process can raise them."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any


class _Located:
    """The place that an exception concerns, in its attributes."""

    file: Path
    offset: int | None
    game: int | None
    ply: int | None

    def _locate(self, file: Path | None, offset: int | None, game: int | None, ply: int | None) -> None:
        self.file = Path() if file is None else file
        self.offset, self.game, self.ply = offset, game, ply

    def _place(self) -> tuple[Any, ...]:
        return (self.file, self.offset, self.game, self.ply)


class Error(_Located, OSError):
    """A base cannot be read or written.

    If the system refused, the exception is also a FileNotFoundError, PermissionError and so on, with
    ``errno`` and ``filename``.

    Attributes:
        file: The file that the error concerns.
        offset: The number of bytes before the place in the file, or None.
        game: The index of the game, from 0, or None.
        ply: The number of plies before the place in the game, or None.

    >>> import scoresheet
    >>> try:
    ...     scoresheet.open("missing.si4")
    ... except FileNotFoundError as error:
    ...     print(error.file, isinstance(error, scoresheet.Error))
    missing.si4 True
    """

    def __init__(
        self,
        message: str,
        file: Path | None = None,
        offset: int | None = None,
        game: int | None = None,
        ply: int | None = None,
        number: int | None = None,
    ) -> None:
        if number is None:
            super().__init__(message)
        else:
            super().__init__(number, message, str(file))
        self._message = message
        self._locate(file, offset, game, ply)
        self.filename = str(self.file)

    def __str__(self) -> str:
        return self._message

    def __reduce__(self) -> tuple[Any, ...]:
        return base_error, (self._message, *self._place(), self.errno)


class GameError(_Located, ValueError):
    """A game is damaged or cannot be stored. The attributes are those of Error.

    >>> import scoresheet
    >>> scoresheet.Game.from_pgn("1. e4 e5 2. Ke3")
    Traceback (most recent call last):
    scoresheet.GameError: the text: line 1, ... "Ke3" is not legal here; ...
    """

    def __init__(
        self,
        message: str,
        file: Path | None = None,
        offset: int | None = None,
        game: int | None = None,
        ply: int | None = None,
    ) -> None:
        super().__init__(message)
        self._locate(file, offset, game, ply)

    def __reduce__(self) -> tuple[Any, ...]:
        return game_error, (str(self), *self._place())


class _NotFound(Error, FileNotFoundError):
    pass


class _Permission(Error, PermissionError):
    pass


class _Exists(Error, FileExistsError):
    pass


class _IsDirectory(Error, IsADirectoryError):
    pass


class _NotADirectory(Error, NotADirectoryError):
    pass


class _Refused(Error, ConnectionRefusedError):
    pass


class _Reset(Error, ConnectionResetError):
    pass


class _TimedOut(Error, TimeoutError):
    pass


_KINDS: dict[int | None, type[Error]] = {
    errno.ENOENT: _NotFound,
    errno.EACCES: _Permission,
    errno.EPERM: _Permission,
    errno.EEXIST: _Exists,
    errno.EISDIR: _IsDirectory,
    errno.ENOTDIR: _NotADirectory,
    errno.ECONNREFUSED: _Refused,
    errno.ECONNRESET: _Reset,
    errno.ETIMEDOUT: _TimedOut,
}

for _kind in set(_KINDS.values()):
    # A traceback names the class that a program can catch.
    _kind.__module__ = "scoresheet"
Error.__module__ = GameError.__module__ = "scoresheet"


def base_error(
    message: str,
    file: Path | None = None,
    offset: int | None = None,
    game: int | None = None,
    ply: int | None = None,
    number: int | None = None,
) -> Error:
    """Returns the exception for an error number of the system, or for none."""
    return _KINDS.get(number, Error)(message, file, offset, game, ply, number)


def game_error(
    message: str,
    file: Path | None = None,
    offset: int | None = None,
    game: int | None = None,
    ply: int | None = None,
    number: int | None = None,
) -> GameError:
    """Returns the exception for a game. Its arguments are those of `base_error`; it has no number of the system."""
    return GameError(message, file, offset, game, ply)
