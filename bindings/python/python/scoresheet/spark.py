"""Chess databases as a data source for Spark 4.

    import scoresheet.spark
    scoresheet.spark.register(spark)
    games = spark.read.format("scoresheet").option("columns", "ECO,Result").load("bases/")

Options: ``rows`` ("games" or "plies"), ``columns`` (comma-separated names; a schema has the same
effect), ``minPly`` and ``maxPly`` (the half-moves that have a row), ``partitionGames`` and ``partitionBytes`` (the
size of a partition), ``encoding``, ``strict``,
and every filter of :func:`scoresheet.scan` by its name. Any other option is an error. The file of ``spelling`` is
read by the workers, so every worker must be able to read it at this path.

A partition of a PGN file is a range of bytes. Of a PGN file that Zstandard has compressed in several frames,
as ``pzstd`` does, it is some of the frames. Other compressed files are one partition.

Paths may have the scheme ``file:``, patterns such as ``games*.pgn``, and addresses that fsspec can open
(``s3://...``, ``hdfs://...``), whose files are read by the workers. Every worker must be able to read them.

The values are cast to the types of a schema that is given. A column of such a schema that is neither a
column of :func:`scoresheet.scan` nor written ``tag:Name`` is the tag of this name.

After ``register(spark, push_filters=True)``, equality of ``ECO``, ``Result``, ``White``, ``Black``, ``Event``,
``Site`` and ``Year``, and lower bounds of both ratings, select games before they are read. Spark verifies the
rows again.

Spark has no unsigned numbers and no time of day. Hashes are signed 64-bit numbers with the same
bits, and ``UTCTime`` is in milliseconds since midnight.
"""

from __future__ import annotations

import glob
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

import scoresheet
from scoresheet import _paths
from scoresheet._scoresheet import FILTERS, game_ranges, zstd_frames

#: The number of games in a partition of a database with random access.
PARTITION_GAMES = 50_000
#: The number of bytes in a partition of an uncompressed PGN file.
PARTITION_BYTES = 64 << 20

_OPTIONS = {
    "rows",
    "columns",
    "minply",
    "maxply",
    "partitiongames",
    "partitionbytes",
    "encoding",
    "strict",
    "path",
    "paths",
    *FILTERS,
}


def register(spark: SparkSession, push_filters: bool = False) -> None:
    """Registers the format "scoresheet" in a Spark session.

    Args:
        spark: The session.
        push_filters: Whether conditions of a query select games before they are read. This sets
            ``spark.sql.python.filterPushdown.enabled`` in the session; Spark 4.1 is needed.
    """
    if push_filters:
        spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(_PushingDataSource if push_filters else ScoresheetDataSource)


def _arrow_type(kind: Any) -> Any:
    """Returns the closest Arrow type that Spark supports."""
    if pa.types.is_uint64(kind):
        return pa.int64()
    if pa.types.is_unsigned_integer(kind) or pa.types.is_time(kind):
        return pa.int32()
    if pa.types.is_fixed_size_binary(kind):
        return pa.binary()
    if pa.types.is_list(kind):
        return pa.list_(pa.field("element", _arrow_type(kind.value_type), False))
    return kind


def _arrow_schema(table: scoresheet.Table) -> Any:
    schema = pa.schema(table)
    fields = [pa.field(f.name, _arrow_type(f.type), f.nullable) for f in schema]
    return pa.schema(fields)


def _cast(batch: Any, schema: Any) -> Any:
    """Returns the batch with the types and names of a schema. Spark's numbers have signs: a hash keeps its bits."""

    def cast(array: Any, kind: Any) -> Any:
        if pa.types.is_uint64(array.type) and pa.types.is_int64(kind):
            return array.view(kind)
        plain = array if array.type.equals(kind) else array.cast(_arrow_type(array.type), safe=False)
        return plain if plain.type.equals(kind) else plain.cast(kind)

    arrays = [cast(array, field.type) for array, field in zip(batch.columns, schema)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


@dataclass
class _Part(InputPartition):
    """Games of a database: all, some ranges of numbers, or those that begin in a range of bytes."""

    path: str
    games: list[tuple[int, int]] | None = None
    bytes: tuple[int, int] | None = None


class ScoresheetDataSource(DataSource):
    """The format "scoresheet"."""

    @classmethod
    def name(cls) -> str:
        return "scoresheet"

    def schema(self) -> StructType:
        from pyspark.sql.pandas.types import from_arrow_schema

        return from_arrow_schema(_arrow_schema(_scan([], self.options)))

    def reader(self, schema: StructType) -> ScoresheetReader:
        return ScoresheetReader(self.options, schema)


class ScoresheetReader(DataSourceReader):
    """Reads the columns of a schema."""

    def __init__(self, options: Mapping[str, str], schema: StructType) -> None:
        from pyspark.sql.pandas.types import to_arrow_schema

        self.options: dict[str, Any] = dict(options)
        self.schema = to_arrow_schema(schema)
        for name in self.options:
            if name.lower() not in _OPTIONS:
                raise ValueError(f"no option is called {name!r}; they are {', '.join(sorted(_OPTIONS))}")
            _option(self.options, name)
        # The schema given by the user selects the columns.
        rows: Any = _option(self.options, "rows") or "games"
        known = {column["name"] for column in scoresheet.columns(rows)}
        names = [name if name in known else f"tag:{name}" for name in schema.fieldNames()]
        self.options["columns"] = ",".join(names) or None

    def partitions(self) -> Sequence[InputPartition]:
        parts: list[_Part] = []
        for path in _named(self.options):
            parts.extend(self._parts(path))
        return parts or [_Part("")]

    def _parts(self, path: str) -> list[_Part]:
        encoding = _option(self.options, "encoding")
        wanted = _option(self.options, "games")
        # An empty text, for instance of an unset variable, is an error and does not mean all games.
        wanted = None if wanted is None else game_ranges(wanted)
        if _paths.is_remote(path):
            return [_Part(path, wanted)]
        base = scoresheet.open(path, encoding=encoding)
        if base.format == "pgn":
            # The number of a game in the middle of a text is unknown.
            if wanted is not None:
                return [_Part(path, wanted)]
            step = int(_option(self.options, "partitionBytes") or PARTITION_BYTES)
            size = os.path.getsize(path)
            is_packed = _is_packed(path)
            begins = zstd_frames(path, step) if is_packed else list(range(0, max(size, 1), step))
            if is_packed and len(begins) < 2:
                return [_Part(path)]
            # Bytes before the first frame hold no games.
            return [_Part(path, bytes=part) for part in zip([0, *begins[1:]], [*begins[1:], size])]
        if base.format == "arrow":
            return [_Part(path, wanted)]
        step = int(_option(self.options, "partitionGames") or PARTITION_GAMES)
        starts = range(0, len(base), step)
        parts = (_common(wanted, s + 1, min(s + step, len(base))) for s in starts)
        return [_Part(path, games) for games in parts if games]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        assert isinstance(partition, _Part)
        if not partition.path:
            return
        table = _scan([partition.path], self.options, partition.games, partition.bytes)
        for batch in pa.RecordBatchReader.from_stream(table):
            yield _cast(batch, self.schema)


class _PushingDataSource(ScoresheetDataSource):
    def reader(self, schema: StructType) -> ScoresheetReader:
        return _PushingReader(self.options, schema)


class _PushingReader(ScoresheetReader):
    # Spark refuses a reader with this method unless the session allows it.
    def pushFilters(self, filters: list[Any]) -> Iterable[Any]:  # noqa: N802
        """Notes what selects games. Spark verifies every filter again, so all are returned."""
        at_least: dict[str, Any] = {}
        for given in filters:
            kind, path = type(given).__name__, list(getattr(given, "attribute", []))
            if len(path) != 1 or (_option(self.options, "rows") or "games") != "games":
                continue
            name, value = str(path[0]), getattr(given, "value", None)
            if kind == "EqualTo":
                self._push(*_selection(name, value))
            elif kind in ("GreaterThan", "GreaterThanOrEqual") and name in ("WhiteElo", "BlackElo"):
                at_least[name] = value
        if len(at_least) == 2 and all(isinstance(value, int) for value in at_least.values()):
            self._push("elo", f"{max(0, min(at_least.values()))}..")
        return filters

    def _push(self, name: str | None, value: str) -> None:
        # A second value of an option would be an alternative.
        if name is not None and _option(self.options, name) is None:
            self.options[name] = value


def _selection(name: str, value: Any) -> tuple[str | None, str]:
    """Returns the filter of scan() for the games whose column has a value, or None."""
    text = str(value)
    if name == "ECO" and re.fullmatch("[A-E][0-9][0-9]", text):
        return "eco", text
    if name == "Result" and text in ("1-0", "0-1", "1/2-1/2", "*"):
        return "result", text
    if name == "Year" and isinstance(value, int) and 1 <= value <= 9999:
        return "date", f"{value:04}"
    if name in ("White", "Black", "Event", "Site") and isinstance(value, str):
        # One tag test at most, because several options "where" cannot be given.
        return "where", f"{name}=={value}"
    return None, ""


def _common(wanted: list[tuple[int, int]] | None, first: int, last: int) -> list[tuple[int, int]]:
    """Returns the intersection of ranges with another range, or that range if there are none."""
    if wanted is None:
        return [(first, last)]
    common = ((max(first, start), min(last, end)) for start, end in wanted)
    return [(start, end) for start, end in common if start <= end]


def _scan(
    paths: list[str],
    options: Mapping[str, Any],
    games: list[tuple[int, int]] | None = None,
    bytes: tuple[int, int] | None = None,
) -> scoresheet.Table:
    columns = _option(options, "columns")
    filters: dict[str, Any] = {name: _option(options, name) for name in FILTERS if name != "games"}
    if games is not None:
        filters["games"] = games
    rows: Any = _option(options, "rows") or "games"
    return scoresheet.scan(
        paths,
        rows,
        [name.strip() for name in columns.split(",")] if columns else None,
        encoding=_option(options, "encoding"),
        strict=_is_strict(options),
        threads=1,
        bytes=bytes,
        min_ply=_whole(options, "minPly"),
        max_ply=_whole(options, "maxPly"),
        **{name: value for name, value in filters.items() if value is not None},
    )


def _option(options: Mapping[str, Any], name: str) -> Any:
    """Returns an option, ignoring case as Spark does. An empty value is an error."""
    value = next((value for key, value in options.items() if key.lower() == name.lower()), None)
    if value == "":
        raise ValueError(f"option {name} is empty")
    return value


def _whole(options: Mapping[str, Any], name: str) -> int | None:
    value = _option(options, name)
    return None if value is None else int(value)


def _is_strict(options: Mapping[str, Any]) -> bool:
    value = (_option(options, "strict") or "false").lower()
    if value not in ("true", "false"):
        raise ValueError(f'option strict is "{value}", not true or false')
    return value == "true"


def _named(options: Mapping[str, Any]) -> list[str]:
    several = _option(options, "paths")
    named = json.loads(several) if several else [_option(options, "path")]
    if named == [None]:
        raise ValueError("nothing to load: name bases, or a folder of them, in load(...)")
    paths: list[str] = []
    for name in named:
        path = _paths.local(name, may_be_remote=True)
        if _paths.is_remote(path):
            paths.extend(_paths.expand(path))
        elif os.path.isdir(path):
            below = scoresheet.bases_below(path)
            if not below:
                raise ValueError(f"{path}: no base of any format in it")
            paths.extend(str(base) for base in below)
        elif glob.has_magic(path) and not os.path.lexists(path):
            paths.extend(_paths.matching(path))
        else:
            paths.append(path)
    return paths


def _is_packed(path: str) -> bool:
    with open(path, "rb") as file:
        start = file.read(6)
    magics = (b"\x1f\x8b", b"BZh", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0")
    return start.startswith(magics)
