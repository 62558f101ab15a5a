"""Tables in other libraries, and data frames as databases."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from ._scoresheet import Table

T = TypeVar("T")


def _needs(package: str, what: str) -> Any:
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(f"{what} needs the package {package}: pip install {package}") from error


def _pull(table: Table, read: Callable[[], T]) -> T:
    """Runs a function that reads the table. Raises the exception that ended the table, such as
    KeyboardInterrupt or scoresheet.Error, and not what the library made of it."""
    table._set_ours(True)
    try:
        return read()
    except BaseException:
        table._raise_ended()
        raise
    finally:
        table._set_ours(False)


def to_arrow(table: Table) -> Any:
    """Returns a pyarrow.Table with all rows. Needs the package pyarrow.

    >>> scoresheet.scan("games.pgn", columns=["White"]).to_arrow().num_rows
    2
    """
    pa = _needs("pyarrow", "to_arrow()")
    # pyarrow.table() would import pandas.
    return _pull(table, lambda: pa.RecordBatchReader.from_stream(table).read_all())


def to_polars(table: Table) -> Any:
    """Returns a polars.DataFrame with all rows. Needs the package polars.

    >>> scoresheet.scan("games.pgn", columns=["White"]).to_polars().height
    2
    """
    polars = _needs("polars", "to_polars()")
    return _pull(table, lambda: polars.DataFrame(table))


def to_pandas(table: Table) -> Any:
    """Returns a pandas.DataFrame with all rows. Needs the packages pandas and pyarrow.

    The types follow from the columns alone. Whole numbers have types that know missing values; those of 16 bits,
    such as ratings, become ``Int32``, so that the square of a difference fits.

    >>> int(scoresheet.scan("games.pgn", columns=["plies"]).to_pandas().plies.sum())
    6
    """
    pd = _needs("pandas", "to_pandas()")
    pa = _needs("pyarrow", "to_pandas()")
    types = {
        pa.int16(): pd.Int32Dtype(),
        pa.int32(): pd.Int32Dtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.uint64(): pd.UInt64Dtype(),
    }
    return to_arrow(table).to_pandas(types_mapper=types.get)


def to_duckdb(table: Table, connection: Any = None) -> Any:
    """Returns a relation of DuckDB. Each evaluation reads the databases again. Needs the package duckdb.

    `connection` is a connection of DuckDB, or None for its default.

    >>> scoresheet.scan("games.pgn").to_duckdb().aggregate("sum(plies)").fetchall()
    [(6,)]
    """
    duckdb = _needs("duckdb", "to_duckdb()")
    connection = connection or duckdb.default_connection()
    return connection.from_arrow(table)


def complete(table: type[Table]) -> None:
    """Adds the methods that call other libraries. They are written in Python, because a library may
    release the interpreter and then read the table, which a method in Rust does not support."""
    from ._display import table_html

    methods: dict[str, Callable[..., Any]] = {
        "to_arrow": to_arrow,
        "to_polars": to_polars,
        "to_pandas": to_pandas,
        "to_duckdb": to_duckdb,
        "_repr_html_": table_html,
    }
    for name, method in methods.items():
        setattr(table, name, method)


def spool(table: Any, folder: str) -> str:
    """Writes a data frame to a temporary Arrow file, and returns its path."""
    pa = _needs("pyarrow", "write_table()")
    if isinstance(table, (pa.Table, pa.RecordBatch)) or hasattr(table, "__arrow_c_stream__"):
        reader = pa.RecordBatchReader.from_stream(table)
    elif type(table).__module__.startswith("pandas"):
        reader = pa.Table.from_pandas(table, preserve_index=False).to_reader()
    elif hasattr(table, "fetch_record_batch"):
        reader = table.fetch_record_batch()
    else:
        raise TypeError(
            "a data frame or table with Arrow's PyCapsule interface is expected, "
            f"not {type(table).__name__}"
        )
    path = os.path.join(folder, "table.arrow")
    fields = [field for field in reader.schema if not _is_void(field.type)]
    schema = pa.schema([pa.field(f.name, _plain(f.type), f.nullable) for f in fields])
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_stream(sink, schema) as writer:
        for batch in reader:
            columns = [_unpacked(batch.column(field.name)) for field in fields]
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))
    return path


def _is_void(kind: Any) -> bool:
    """Returns whether a column has no value, such as the empty lists of a pandas DataFrame."""
    pa = _needs("pyarrow", "write_table()")
    return bool(pa.types.is_null(kind) or pa.types.is_list(kind) and pa.types.is_null(kind.value_type))


def _plain(kind: Any) -> Any:
    """Returns a type without dictionaries and views. An Arrow stream may hold them in forms that are not read."""
    pa = _needs("pyarrow", "write_table()")
    if pa.types.is_dictionary(kind):
        return _plain(kind.value_type)
    return pa.large_string() if kind == pa.string_view() else kind


def _unpacked(column: Any) -> Any:
    """Returns a column with the type of _plain."""
    pa = _needs("pyarrow", "write_table()")
    if pa.types.is_dictionary(column.type):
        return _unpacked(column.dictionary).take(column.indices)
    return column.cast(_plain(column.type))
