"""The functions of the package, with their documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _frames, _paths, _scoresheet
from ._scoresheet import Base, Book, Game, Summary, Table, Writer

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._paths import PathLike, Source
    from ._scoresheet import Filters, Rows


def open(
    path: Source,
    *,
    format: str | None = None,
    encoding: str | None = None,
    strict: bool = False,
    **options: Any,
) -> Base:
    """Opens a database, and returns it as a sequence of games.

    Args:
        path: Any file of the database: a path, with ``~``, a pattern that matches one file, an address that
            fsspec can open (``s3://...``), a binary file object, or ``"-"`` for standard input.
        format: The name of the format (`formats` lists them), if the content does not tell.
        encoding: The encoding of the texts, for formats without a fixed one.
        strict: Whether a deviation or a damaged game is raised as an exception.
        **options: Options of the format, such as ``password``, and ``max_unpacked`` in bytes.

    Raises:
        Error: The database cannot be read. A missing file is a FileNotFoundError, too.

    >>> import io
    >>> base = scoresheet.open("games.pgn")
    >>> base[0].white
    'Karpov, Anatoly'
    >>> len(scoresheet.open(io.BytesIO(b'[White "A"]\\n\\n1. e4 *')))
    1
    """
    return _scoresheet.open(path, format=format, encoding=encoding, strict=strict, **options)


def book(path: str | Path) -> Book:
    """Opens an opening book of Polyglot (.bin), ChessBase (.ctg, .fbk), Arena (.abk) or ChessMaster (.obk).

    `Book.moves` returns the moves of a position, and `Book.rows` those of all positions that can be
    reached from the start position: dicts with ``uci``, ``san``, ``weight``, ``games``, ``white``,
    ``draws``, ``black`` and so on, which ``pandas.DataFrame`` and ``polars.DataFrame`` take as rows.

    Raises:
        Error: The book cannot be read.
        ValueError: The file is no opening book of a known format.

    A book of one move:

    >>> from pathlib import Path
    >>> _ = Path("one.bin").write_bytes(bytes.fromhex("463b96181691fc9c031c000100000000"))
    >>> [move["san"] for move in scoresheet.book("one.bin").moves()]
    ['e4']
    """
    return _scoresheet.book(Path(path).expanduser())


def scan(
    paths: Source | Iterable[Source],
    rows: Rows = "games",
    columns: Sequence[str] | str | None = None,
    *,
    encoding: str | None = None,
    options: Mapping[str, Any] | None = None,
    strict: bool = False,
    threads: int | None = None,
    batch_rows: int | None = None,
    bytes: tuple[int, int] | None = None,
    sample: int | None = None,
    seed: int = 0,
    min_ply: int | None = None,
    max_ply: int | None = None,
    time_unit: Literal["ms", "us"] = "ms",
    signed: bool | None = None,
    **filters: Unpack[Filters],
) -> Table:
    """Returns the games of databases as a table for DuckDB, Polars, pyarrow and pandas.

    Nothing is read until a library asks for the rows, and each use reads the databases again.

    Ratings and years have 16 bits, as in Lichess's tables: cast them before you multiply. `Table.to_pandas` does.

    Args:
        paths: A path, pattern, folder, address or file object as in `open`, or an iterable of them.
        rows: ``"games"``, a row a game; ``"plies"``, a row a half-move with variations; or ``"positions"``,
            a row for each different position of the main lines, with counts of games and results.
        columns: The names of the columns, in this order, or one name. `columns` lists them. None selects
            the usual ones. Columns that are not selected are not computed. ``"tag:Name"`` is any tag.
        encoding: The encoding of the texts, for formats without a fixed one.
        options: Options of the formats, as in `open`.
        strict: Whether the first deviation, damaged game or loss ends the table with an exception.
        threads: The number of threads; by default one for each core.
        batch_rows: The number of rows of a batch, by default 8192.
        bytes: The range of bytes, from and to, of plain PGN files in which a game begins. Of PGN files
            compressed with Zstandard, the range in which a frame begins.
        sample: The number of games to draw at random, each with the same chance.
        seed: Decides the sample: the same seed draws the same games.
        min_ply: The first ply of each game that has a row; for plies only.
        max_ply: The last ply of each game that has a row, or whose position is counted; for plies and positions.
        time_unit: The unit of times of day: ``"ms"``, or ``"us"``, the only one that Spark reads.
        signed: Whether numbers without a sign get one, for Spark and SQLite: hashes keep their 64 bits. By default
            with ``time_unit="us"`` only.
        **filters: Only games that match all of these. A list means one of its values; a pair is a range,
            whose ends may be None. ``player``, ``white``, ``black``, ``against``: names, in any order of
            their parts. ``elo=(2500, None)`` (``elo=2500`` is exactly that), ``date="1990..1995"``, ``eco="B90..B99"``,
            ``result="1-0"``, ``length=(20, 40)`` in full moves, ``games=(1, 100)`` numbers from 1
            (reading ends with the last of them),
            ``time_class="blitz"``, ``base_seconds=180``, ``increment=2``, ``where="TimeControl==180+2"`` (with one
            ``=``, a regular expression), ``position``: a FEN. The help of
            the program (``scoresheet list --help``) describes all.

    >>> scoresheet.scan("games.pgn", columns=["White", "WhiteElo"], elo="2000..").to_arrow().num_rows
    0
    >>> plies = scoresheet.scan("games.pgn", "plies", ["san", "clock"])
    >>> plies.to_polars()["clock"][0]
    60.0
    >>> positions = scoresheet.scan("games.pgn", "positions", ["fen", "games", "white_wins"], white="karpov")
    >>> len(positions), positions.to_polars().filter(fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").rows()
    (5, [('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -', 1, 1)])
    """
    if isinstance(columns, str):
        columns = [columns]
    if isinstance(sample, float):
        raise TypeError("sample is a number of games, not a share of them")
    return _scoresheet.scan(
        _listed(paths),
        rows,
        columns,
        encoding=encoding,
        options=options,
        strict=strict,
        threads=threads,
        batch_rows=batch_rows,
        bytes=bytes,
        sample=sample,
        seed=seed,
        min_ply=min_ply,
        max_ply=max_ply,
        time_unit=time_unit,
        signed=signed,
        **filters,
    )


def _listed(paths: Any) -> Any:
    """Returns an iterator as a list, so that it can be pickled and read again."""
    if isinstance(paths, (str, bytes, bytearray, Mapping)) or hasattr(paths, "read") or not isinstance(paths, Iterable):
        return paths
    return list(paths)


def convert(
    inputs: Source | Iterable[Source],
    output: Any,
    *,
    format: str | None = None,
    encoding: str | None = None,
    to_encoding: str | None = None,
    options: Mapping[str, Any] | None = None,
    to_options: Mapping[str, Any] | None = None,
    columns: Sequence[str] | str | None = None,
    partition_by: str | None = None,
    append: bool = False,
    strict: bool = False,
    drop_damaged: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int | None, str], object] | None = None,
    overwrite: bool = False,
    **filters: Unpack[Filters],
) -> Summary:
    """Copies the games of databases to a new database, which appears complete or not at all.

    Args:
        inputs: A path, pattern, folder, address or file object as in `open`, or an iterable of them.
        output: The path or address of the new database, or a binary file object.
        format: The format of the output, if its extension does not tell.
        encoding: The encoding of the texts of the inputs.
        to_encoding: The encoding of the texts of the output.
        options: Options of the formats of the inputs.
        to_options: Options of the format of the output, such as ``{"rows": "plies"}`` for Parquet.
        columns: The names of the columns of a table or .csv file: the option ``columns``.
        partition_by: Writes a folder of Parquet files by ``"year"``, ``"month"``, ``"eco"`` or a tag.
        append: Adds these files to a folder that is there. A value that the folder has is an error, or its file is
            replaced with ``overwrite=True``.
        strict: Whether the first deviation, damaged game or loss is raised as an exception.
        drop_damaged: Whether damaged games are left out. By default the readable part is written.
        threads: The number of threads; by default one for each core.
        progress: Called with the work done, the whole work or None, and the unit: "games" or "bytes".
        overwrite: Whether an existing output is replaced.
        **filters: Only games that match all of these, as in `scan`.

    Returns:
        The numbers of games read, written, damaged and so on.

    Raises:
        FileExistsError: The output exists, and `overwrite` is False.
        Error: A database cannot be read or written.

    >>> print(scoresheet.convert("games.pgn", "karpov.si4", white="karpov"))
    2 games read, 1 written, 1 not chosen
    """
    if columns is not None:
        names = columns if isinstance(columns, str) else ",".join(columns)
        to_options = {**(to_options or {}), "columns": names}
    with _paths.output(output, format, overwrite) as (path, format, overwrite):
        return _scoresheet.convert(
            _listed(inputs),
            path,
            format=format,
            encoding=encoding,
            to_encoding=to_encoding,
            options=options,
            to_options=to_options,
            partition_by=partition_by,
            append=append,
            strict=strict,
            drop_damaged=drop_damaged,
            threads=threads,
            progress=progress,
            overwrite=overwrite,
            **filters,
        )


def write(
    games: Iterable[Game],
    path: Any,
    *,
    format: str | None = None,
    encoding: str | None = None,
    overwrite: bool = False,
    **options: Any,
) -> dict[int, list[str]]:
    """Writes games to a new database, which appears complete or not at all.

    Args:
        games: The games.
        path: The path or address of the new database, or a binary file object.
        format: The format, if the extension does not tell.
        encoding: The encoding of the texts.
        overwrite: Whether an existing database is replaced.
        **options: Options of the format.

    Returns:
        The losses: for the index of a game, from 0, a message for each part that the format cannot hold.

    Raises:
        FileExistsError: The database exists, and `overwrite` is False.

    >>> scoresheet.write(scoresheet.open("games.pgn")[:1], "one.si4")
    {}
    """
    lost: dict[int, list[str]] = {}
    with _paths.output(path, format, overwrite) as (file, format, overwrite):
        with Writer(file, format=format, encoding=encoding, overwrite=overwrite, **options) as writer:
            for number, game in enumerate(games):
                losses = writer.write(game)
                if losses:
                    lost[number] = losses
    return lost


def write_table(
    table: Any,
    path: Any,
    *,
    format: str | None = None,
    overwrite: bool = False,
    **arguments: Any,
) -> Summary:
    """Writes the games of a data frame to a database of any format. Needs the package pyarrow.

    A row is a game. The columns are those of `scan`; ``movetext``, ``moves`` or ``move_codes`` has the moves.
    ``white_id``, ``winner`` and other names of popular files are known, too (docs/tables.md). A column of texts,
    numbers, booleans or days with another name is a tag of this name.

    Args:
        table: A pandas or Polars DataFrame, a pyarrow.Table, a DuckDB relation, or any other object with
            Arrow's PyCapsule interface.
        path: The path or address of the new database, or a binary file object.
        format: The format, if the extension does not tell.
        overwrite: Whether an existing database is replaced.
        **arguments: Other arguments of `convert`.

    Returns:
        The numbers of games read, written, damaged and so on. ``losses["column"]`` is the number of columns
        that are no part of a game, such as lists; the text of the summary names them.

    >>> import polars
    >>> frame = polars.DataFrame({"White": ["A"], "Result": ["1-0"], "movetext": ["1. e4 e5 1-0"]})
    >>> print(scoresheet.write_table(frame, "frame.si4"))
    1 game read, 1 written
    """
    with _paths.temporary_folder() as folder:
        spooled = _frames.spool(table, folder)
        summary = convert(spooled, path, format=format, overwrite=overwrite, **arguments)
        unread = _scoresheet.unread_columns(spooled)
        return summary._without(unread) if unread else summary


def formats() -> list[dict[str, Any]]:
    """Returns the formats: name, title, extensions, and whether they can be read, written and edited.

    >>> [format["name"] for format in scoresheet.formats() if "si4" in format["extensions"]]
    ['si4']
    """
    return _scoresheet.formats()


def columns(rows: Rows) -> list[dict[str, Any]]:
    """Returns the columns of a table: name, type, nullable, usual, help.

    Args:
        rows: ``"games"``, ``"plies"`` or ``"positions"``.

    >>> [column["name"] for column in scoresheet.columns("plies")][:3]
    ['game', 'ply', 'depth']
    """
    return _scoresheet.columns(rows)


def bases_below(folder: PathLike) -> list[Any]:
    """Returns the paths of all databases in a folder and the folders in it, in order.

    >>> scoresheet.bases_below("no-such-folder")
    Traceback (most recent call last):
    scoresheet._NotFound: no-such-folder: No such file or directory
    """
    return _scoresheet.bases_below(_paths.local(folder))
