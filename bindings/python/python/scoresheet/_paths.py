"""Paths, addresses and file objects, for input and output."""

from __future__ import annotations

import errno
import glob
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Union

from . import _scoresheet
from ._errors import Error, base_error

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

#: A path as text or bytes, an address that fsspec can open, or an object with ``__fspath__``.
PathLike = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
#: A path, or a binary file object.
Source = Union[PathLike, BinaryIO, io.StringIO]

_EXPECTED = "a path is expected (str, bytes or os.PathLike), or a binary file object"


#: A path, and the names and objects of the open files of the database, if it is no path of this machine.
_Found = tuple[str, list[tuple[str, Any]]]


def resolve(argument: Any, many: bool) -> list[_Found]:
    """Returns the databases that an argument names."""
    if _is_path(argument) or _is_file(argument):
        found = _one(argument, many)
    elif isinstance(argument, (bytearray, memoryview)):
        raise TypeError(f"{_EXPECTED}, not {_kind(argument)}; wrap the content in io.BytesIO")
    elif many and isinstance(argument, Iterable) and not isinstance(argument, dict):
        found = [base for item in argument for base in _item(item)]
    else:
        several = ", or an iterable of them" if many else ""
        raise TypeError(f"{_EXPECTED}{several}, not {_kind(argument)}")
    return found


def _item(item: Any) -> list[_Found]:
    if not _is_path(item) and not _is_file(item):
        raise TypeError(f"{_EXPECTED}, not {_kind(item)}")
    return _one(item, True)


def _one(argument: Any, many: bool) -> list[_Found]:
    if _is_file(argument):
        name, fs = _name(argument), getattr(argument, "fs", None)
        exists, opens = (os.path.exists, _read) if fs is None else (fs.exists, fs.open)
        return [(name, [(name, _binary(argument)), *_beside(name, name, exists, opens)])]
    path = local(argument, may_be_remote=True)
    if path == "-" and isinstance(argument, str):
        return [("standard input", [("standard input", sys.stdin.buffer)])]
    if is_remote(path):
        return _remote(path, many)
    if glob.has_magic(path) and not os.path.lexists(path):
        matches = matching(path)
        if not many and len(matches) > 1:
            raise ValueError(f"{path}: {len(matches)} files match; open() opens one")
        return [(match, []) for match in matches]
    return [(path, [])]


def _read(path: str) -> BinaryIO:
    return open(path, "rb")


def _beside(
    name: str, place: str, exists: Callable[[str], bool], opens: Callable[[str], Any]
) -> Iterator[tuple[str, Any]]:
    """Yields the other files of a database, opened: those with the endings of its format."""
    above, _, ending = place.rpartition(".")
    for known in _scoresheet.formats():
        if len(known["extensions"]) < 2 or ending.lower() not in known["extensions"]:
            continue
        for other in known["extensions"]:
            there = f"{above}.{other.upper() if ending.isupper() else other}"
            if other != ending.lower() and exists(there):
                yield name.rpartition(".")[0] + there[len(above) :], opens(there)


def matching(pattern: str) -> list[str]:
    """Returns the files that match a pattern: of a database of several files the main one, if it matches."""
    matches = sorted(glob.glob(pattern, recursive=True))
    if not matches:
        raise base_error(f"{pattern}: no file matches", Path(pattern), number=errno.ENOENT)
    return [match for match in matches if _scoresheet.is_base(match)] or matches


def local(path: Any, may_be_remote: bool = False) -> str:
    """Returns a path as text, with ``~`` and ``file:`` resolved."""
    if not _is_path(path):
        raise TypeError(f"{_EXPECTED}, not {_kind(path)}")
    text = os.fsdecode(path)
    if not isinstance(path, str):
        return text
    if text.startswith("file:"):
        from urllib.parse import unquote

        # Both file:/path and file:///path are in use. A pattern may contain ?, so this is no other URL.
        rest = text.removeprefix("file:")
        host_and_path = rest.removeprefix("//")
        return unquote(rest if host_and_path == rest else "/" + host_and_path.partition("/")[2])
    if is_remote(text) and not may_be_remote:
        raise ValueError(f"{text}: a path of this machine is expected")
    return os.path.expanduser(text)


def is_remote(path: str) -> bool:
    """Returns whether a text is an address for fsspec, such as ``s3://bucket/games.pgn``."""
    scheme, colon, rest = path.partition("://")
    # A single letter is a drive of Windows.
    return bool(colon and rest and len(scheme) > 1) and scheme.replace("::", "").replace("+", "").isalnum()


def _fsspec() -> Any:
    try:
        import fsspec
    except ImportError as error:
        raise ImportError("an address needs the package fsspec: pip install fsspec") from error
    return fsspec


def _remote(path: str, many: bool) -> list[_Found]:
    files = _opened(path, lambda: _fsspec().open_files([path], mode="rb"))
    if not files:
        raise base_error(f"{path}: no file matches", Path(path), number=errno.ENOENT)
    if not many and len(files) > 1:
        raise ValueError(f"{path}: {len(files)} files match; open() opens one")
    found: list[_Found] = []
    for file in files:
        # An address in several parts, as of a file in an archive, does not end with the name of the file.
        name = path if len(files) == 1 and path.endswith(file.path.lstrip("/")) else file.path
        main = _opened(name, file.open)
        found.append((name, [(name, main), *_beside(name, file.path, file.fs.exists, file.fs.open)]))
    return found


def _opened(path: str, opens: Callable[[], Any]) -> Any:
    """Opens an address. fsspec calls all that fails over HTTP FileNotFoundError: its cause says what happened."""
    try:
        return opens()
    except OSError as error:
        cause: BaseException | None = error
        if isinstance(error, FileNotFoundError):
            cause = error.__cause__
            if cause is None or getattr(cause, "status", None) in (404, 410):
                raise base_error(f"{path}: no such file", Path(path), number=errno.ENOENT) from error
        text, number = getattr(cause, "strerror", None) or cause, getattr(cause, "errno", None)
        raise base_error(f"{path}: {text}", Path(path), number=number) from error


def expand(path: str) -> list[str]:
    """Returns the addresses that match an address with a pattern, each with its scheme."""
    if not glob.has_magic(path):
        return [path]
    fs, place = _fsspec().core.url_to_fs(path)
    found = [str(fs.unstrip_protocol(match)) for match in sorted(fs.glob(place))]
    if not found:
        raise base_error(f"{path}: no file matches", Path(path), number=errno.ENOENT)
    return found


def _is_path(argument: Any) -> bool:
    return isinstance(argument, (str, bytes, os.PathLike))


def _is_file(argument: Any) -> bool:
    if isinstance(argument, (io.BytesIO, io.StringIO)):
        return True
    return hasattr(argument, "read") and not isinstance(argument, type)


def _kind(argument: Any) -> str:
    return type(argument).__name__


def _name(file: Any) -> str:
    name = getattr(file, "name", None) or getattr(file, "path", None)
    return name if isinstance(name, str) else f"<{_kind(file)}>"


def _binary(file: Any) -> Any:
    """Returns the content of a buffer in memory, or the binary file object."""
    if isinstance(file, io.BytesIO):
        return file.getvalue()
    if isinstance(file, io.StringIO):
        return file.getvalue().encode()
    if isinstance(file, io.TextIOBase):
        raise TypeError('the file is open as text; open it in binary mode, "rb"')
    return file


def temporary_folder() -> TemporaryDirectory[str]:
    """Returns a folder that is removed after use."""
    # It imports much that reading does not need.
    from tempfile import TemporaryDirectory

    return TemporaryDirectory(prefix="scoresheet-")


@contextmanager
def _renamed(folder: str, to: str) -> Iterator[None]:
    """Replaces a temporary folder in the text and file of an error."""
    try:
        yield
    except Error as error:
        text, file = (str(part).replace(folder + os.sep, to) for part in (error, error.file))
        raise base_error(text, Path(file), error.offset, error.game, error.ply, error.errno) from None


@contextmanager
def output(target: Any, format: str | None, overwrite: bool) -> Iterator[tuple[str, str | None, bool]]:
    """Yields the arguments for a writer: path, format, overwrite. A file object or an address receives the
    database when the block ends without an exception."""
    if _is_path(target):
        path = local(target, may_be_remote=True)
        if not is_remote(path):
            yield path, format, overwrite
            return
        fs, place = _fsspec().core.url_to_fs(path)
        if not overwrite and fs.exists(place):
            text = f"{path}: exists; overwrite=True replaces it"
            raise base_error(text, Path(path), number=errno.EEXIST)
        name = place.rstrip("/").rsplit("/", 1)[-1]
        with temporary_folder() as folder, _renamed(folder, path.rstrip("/")[: -len(name)]):
            yield os.path.join(folder, name), format, False
            above = place[: len(place) - len(name)]
            for file in os.listdir(folder):
                fs.put(os.path.join(folder, file), above + file, recursive=True)
    elif hasattr(target, "write"):
        if isinstance(target, io.TextIOBase):
            raise TypeError('the file is open as text; open it in binary mode, "wb"')
        if format is None and isinstance(getattr(target, "name", None), str):
            name = os.path.basename(target.name)
        elif format is None:
            raise ValueError("a file object has no extension that tells the format; pass format=")
        else:
            from ._scoresheet import formats

            endings = [known["extensions"][0] for known in formats() if known["name"] == format]
            name = f"base.{endings[0]}" if endings else "base"
        with temporary_folder() as folder, _renamed(folder, ""):
            yield os.path.join(folder, name), format, False
            files = [os.path.join(folder, file) for file in os.listdir(folder)]
            if len(files) != 1 or os.path.isdir(files[0]):
                raise ValueError("a database of several files does not fit into a file object")
            from shutil import copyfileobj

            with open(files[0], "rb") as content:
                copyfileobj(content, target)
    else:
        raise TypeError(f"{_EXPECTED}, not {_kind(target)}")
