"""Tables in the formats of data lakes: Delta and Iceberg."""

import re

import pytest

import scoresheet
from conftest import GAMES as TEXT
from conftest import ROOT

FIXTURE = ROOT / "fixtures/scid/plain/base.si4"
#: Columns that both formats hold as they are.
GAMES = ["White", "Black", "Result", "WhiteElo", "BlackElo", "ECO", "UTCDate", "Year", "plies", "moves", "tags", "game"]
PLIES = ["game", "ply", "move", "san", "clock", "eval", "comment"]


def arrow(rows, columns):
    pa = pytest.importorskip("pyarrow")
    return pa.table(scoresheet.scan(FIXTURE, rows, columns))


@pytest.mark.parametrize(("rows", "columns"), [("games", GAMES), ("plies", PLIES)])
def test_delta_table_holds_the_rows(rows, columns, tmp_path):
    deltalake = pytest.importorskip("deltalake")
    expected = arrow(rows, columns)
    assert expected.num_rows > 5
    deltalake.write_deltalake(tmp_path / "lake", scoresheet.scan(FIXTURE, rows, columns))
    deltalake.write_deltalake(tmp_path / "lake", scoresheet.scan(FIXTURE, rows, columns), mode="append")
    lake = deltalake.DeltaTable(tmp_path / "lake")
    assert lake.version() == 1
    twice = sorted(2 * expected.to_pylist(), key=str)
    assert sorted(read_delta(lake).to_pylist(), key=str) == twice


def read_delta(lake):
    """Returns the rows of a Delta table."""
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    return pa.concat_tables([pq.read_table(path) for path in lake.file_uris()])


def test_delta_table_by_result_has_a_folder_each(tmp_path):
    deltalake = pytest.importorskip("deltalake")
    deltalake.write_deltalake(tmp_path / "lake", scoresheet.scan(FIXTURE, columns=GAMES), partition_by=["Result"])
    results = set(arrow("games", ["Result"])["Result"].to_pylist())
    folders = [path.name for path in (tmp_path / "lake").iterdir() if path.name.startswith("Result=")]
    assert len(folders) == len(results) > 1


@pytest.mark.parametrize(("rows", "columns"), [("games", GAMES), ("plies", PLIES)])
def test_iceberg_table_holds_the_rows(rows, columns, tmp_path):
    sql = pytest.importorskip("pyiceberg.catalog.sql")
    expected = arrow(rows, columns)
    catalog = sql.SqlCatalog("tests", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}")
    catalog.create_namespace("chess")
    lake = catalog.create_table(f"chess.{rows}", schema=expected.schema)
    for _ in range(2):
        lake.append(expected)
    read = lake.scan().to_arrow()
    assert read.column_names == columns
    assert sorted(read.to_pylist(), key=str) == sorted(2 * expected.to_pylist(), key=str)


def test_delta_signed_hash_keeps_its_bits(tmp_path):
    deltalake = pytest.importorskip("deltalake")
    pl = pytest.importorskip("polars")
    frame = scoresheet.scan(FIXTURE, "plies", ["ply", "hash"]).to_polars()
    assert (frame["hash"] >= 1 << 63).any()
    signed = frame.with_columns(pl.col("hash").reinterpret(signed=True))
    deltalake.write_deltalake(tmp_path / "lake", signed)
    read = pl.from_arrow(read_delta(deltalake.DeltaTable(tmp_path / "lake")))
    assert read.with_columns(pl.col("hash").reinterpret(signed=False)).sort("ply", "hash").equals(frame.sort("ply", "hash"))


def test_example_of_the_page_runs(tmp_path, monkeypatch):
    deltalake = pytest.importorskip("deltalake")
    pytest.importorskip("pyiceberg.catalog.sql")
    page = (ROOT / "docs/scale.md").read_text()
    example = re.search(r"## Delta and Iceberg\n.*?```python\n(.*?)```", page, re.S).group(1)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bases").mkdir()
    (tmp_path / "bases/games.pgn").write_text(TEXT)
    names = {}
    exec(example.replace("file:///data/lake", f"file://{tmp_path}/data"), names)
    assert read_delta(deltalake.DeltaTable("lake")).num_rows == 2
    assert names["catalog"].load_table("chess.games").scan().to_arrow()["plies"].to_pylist() == [4, 2]
