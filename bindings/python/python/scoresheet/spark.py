"""Chess databases as a data source for Spark 4.

    import scoresheet.spark
    scoresheet.spark.register(spark)
    games = spark.read.format("scoresheet").option("columns", "ECO,Result").load("bases/")

Options: ``rows`` ("games" or "plies"), ``columns`` (comma-separated names; a schema has the same
effect), ``partitionGames`` and ``partitionBytes`` (the size of a partition), ``encoding``, ``strict``,
and every filter of :func:`scoresheet.scan` by its name. Any other option is an error. Every worker
must be able to read the paths.

Spark has no unsigned numbers and no time of day. Hashes are signed 64-bit numbers with the same
bits, and ``UTCTime`` is in milliseconds since midnight.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

import scoresheet
from scoresheet._scoresheet import FILTERS, game_ranges

#: The number of games in a partition of a database with random access.
PARTITION_GAMES = 50_000
#: The number of bytes in a partition of an uncompressed PGN file.
PARTITION_BYTES = 64 << 20

_OPTIONS = {
    "rows",
    "columns",
    "partitiongames",
    "partitionbytes",
    "encoding",
    "strict",
    "path",
    "paths",
    *FILTERS,
}


def register(spark):
    """Registers the format "scoresheet" in a Spark session."""
    spark.dataSource.register(ScoresheetDataSource)


def _arrow_type(kind):
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


def _arrow_schema(table):
    schema = pa.schema(table)
    fields = [pa.field(f.name, _arrow_type(f.type), f.nullable) for f in schema]
    return pa.schema(fields)


def _cast(batch, schema):
    def cast(array, kind):
        if pa.types.is_uint64(array.type):
            return array.view(kind)
        return array if array.type.equals(kind) else array.cast(kind)

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
    def name(cls):
        return "scoresheet"

    def schema(self):
        from pyspark.sql.pandas.types import from_arrow_schema

        return from_arrow_schema(_arrow_schema(_scan([], self.options)))

    def reader(self, schema: StructType):
        return ScoresheetReader(self.options, schema)


class ScoresheetReader(DataSourceReader):
    """Reads the columns of a schema."""

    def __init__(self, options, schema):
        self.options = dict(options)
        for name in self.options:
            if name.lower() not in _OPTIONS:
                raise ValueError(f"no option is called {name!r}; they are {', '.join(sorted(_OPTIONS))}")
            _option(self.options, name)
        # The schema given by the user selects the columns.
        self.options["columns"] = ",".join(schema.fieldNames()) or None

    def partitions(self):
        parts = []
        for path in _paths(self.options):
            parts.extend(self._parts(path))
        return parts or [_Part("")]

    def _parts(self, path):
        encoding = _option(self.options, "encoding")
        wanted = _option(self.options, "games")
        # An empty text, for instance of an unset variable, is an error and does not mean all games.
        wanted = None if wanted is None else game_ranges(wanted)
        base = scoresheet.open(path, encoding=encoding)
        if base.format == "pgn":
            # The number of a game in the middle of a text is unknown.
            if wanted is not None or _is_packed(path):
                return [_Part(path, wanted)]
            step = int(_option(self.options, "partitionBytes") or PARTITION_BYTES)
            size = os.path.getsize(path)
            starts = range(0, max(size, 1), step)
            return [_Part(path, bytes=(start, min(start + step, size))) for start in starts]
        if base.format == "arrow":
            return [_Part(path, wanted)]
        step = int(_option(self.options, "partitionGames") or PARTITION_GAMES)
        starts = range(0, len(base), step)
        parts = (_common(wanted, s + 1, min(s + step, len(base))) for s in starts)
        return [_Part(path, games) for games in parts if games]

    def read(self, partition):
        if not partition.path:
            return
        table = _scan([partition.path], self.options, partition.games, partition.bytes)
        schema = _arrow_schema(table)
        for batch in pa.RecordBatchReader.from_stream(table):
            yield _cast(batch, schema)


def _common(wanted, first, last):
    """Returns the intersection of ranges with another range, or that range if there are none."""
    if wanted is None:
        return [(first, last)]
    common = ((max(first, start), min(last, end)) for start, end in wanted)
    return [(start, end) for start, end in common if start <= end]


def _scan(paths, options, games=None, bytes=None):
    columns = _option(options, "columns")
    filters = {name: _option(options, name) for name in FILTERS if name != "games"}
    if games is not None:
        filters["games"] = games
    return scoresheet.scan(
        paths,
        _option(options, "rows") or "games",
        [name.strip() for name in columns.split(",")] if columns else None,
        encoding=_option(options, "encoding"),
        strict=_is_strict(options),
        threads=1,
        bytes=bytes,
        **{name: value for name, value in filters.items() if value is not None},
    )


def _option(options, name):
    """Returns an option, ignoring case as Spark does. An empty value is an error."""
    value = next((value for key, value in options.items() if key.lower() == name.lower()), None)
    if value == "":
        raise ValueError(f"option {name} is empty")
    return value


def _is_strict(options):
    value = (_option(options, "strict") or "false").lower()
    if value not in ("true", "false"):
        raise ValueError(f'option strict is "{value}", not true or false')
    return value == "true"


def _paths(options):
    several = _option(options, "paths")
    named = json.loads(several) if several else [_option(options, "path")]
    if named == [None]:
        raise ValueError("nothing to load: name bases, or a folder of them, in load(...)")
    paths = []
    for path in named:
        path = path.removeprefix("file://")
        if os.path.isdir(path):
            below = scoresheet.bases_below(path)
            if not below:
                raise ValueError(f"{path}: no base of any format in it")
            paths.extend(str(base) for base in below)
        else:
            paths.append(path)
    return paths


def _is_packed(path):
    with open(path, "rb") as file:
        start = file.read(6)
    magics = (b"\x1f\x8b", b"BZh", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0")
    return start.startswith(magics)
