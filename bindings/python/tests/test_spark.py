"""Tests of the Spark data source, on two local cores."""

import os
import signal
import sys

import pyarrow as pa
import pytest

import scoresheet
import scoresheet.spark

GAME = '[Event "{n}"]\n[White "Player {m}"]\n[Result "{result}"]\n[WhiteElo "{elo}"]\n\n{moves} {result}\n\n'
LINES = ["1. e4 e5 2. Nf3", "1. d4 {[%clk 0:00:30]} d5", "1. c4", "1. e4 c5 (1... c6) 2. Nf3 d6"]


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    # Otherwise Spark uses the first python3 in the path.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # A task may fail three times before its job fails.
    session = (
        SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    scoresheet.spark.register(session)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def bases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spark")
    pgn = folder / "games.pgn"
    games = (
        GAME.format(
            n=n,
            m=n % 7,
            result=["1-0", "0-1", "1/2-1/2"][n % 3],
            elo=2000 + n,
            moves=LINES[n % 4],
        )
        for n in range(500)
    )
    pgn.write_text("".join(games))
    scoresheet.convert(pgn, folder / "games.si4")
    scoresheet.convert(pgn, folder / "games.parquet")
    return folder


def load(spark, path, **options):
    reader = spark.read.format("scoresheet")
    for name, value in options.items():
        reader = reader.option(name, value)
    return reader.load(str(path))


def aggregate(frame):
    rows = frame.groupBy("Result").agg({"plies": "sum", "WhiteElo": "avg", "*": "count"}).collect()
    return sorted(tuple(row) for row in rows)


def test_load_every_source_and_partition_agree(spark, bases):
    # Spark's own Parquet reader does not support the type of UTCTime, a time of day in milliseconds.
    known = spark.read.schema("Result string, WhiteElo smallint, plies int")
    expected = aggregate(known.parquet(str(bases / "games.parquet")))
    assert sum(row[3] for row in expected) == 500
    for name, option in [
        ("games.pgn", {"partitionBytes": 4000}),
        ("games.si4", {"partitionGames": 60}),
        ("games.parquet", {"partitionGames": 60}),
    ]:
        frame = load(spark, bases / name, **option)
        assert frame.rdd.getNumPartitions() > 4, name
        assert aggregate(frame) == expected, name
    assert load(spark, bases).count() == 1500


def test_load_columns_and_filters_are_applied(spark, bases):
    frame = load(spark, bases / "games.si4", columns="White,WhiteElo", elo="1..9999")
    assert frame.columns == ["White", "WhiteElo"]
    assert load(spark, bases / "games.si4", white="player 3").count() == 71
    frame = spark.read.format("scoresheet").schema("plies int, Result string")
    assert frame.load(str(bases / "games.si4")).columns == ["plies", "Result"]


def test_load_spelling_finds_all_spellings_of_a_name(spark, bases, tmp_path):
    names = tmp_path / "names.ssp"
    names.write_text('@PLAYER "., -_*"\nPlayer 3\n  = Speler 3\n')
    frame = load(spark, bases / "games.si4", white="speler 3", spelling=str(names), columns="White")
    assert {row.White for row in frame.collect()} == {"Player 3"}
    assert load(spark, bases / "games.si4", white="speler 3").count() == 0
    with pytest.raises(Exception, match="none.ssp"):
        load(spark, bases / "games.si4", white="speler 3", spelling=str(tmp_path / "none.ssp")).count()


def test_load_games_by_number_are_selected(spark, bases):
    for name in ["games.pgn", "games.si4", "games.parquet"]:
        frame = load(spark, bases / name, games="1-3,58..63,499-", partitionGames=60, columns="game")
        numbers = sorted(row.game for row in frame.collect())
        assert numbers == [1, 2, 3, 58, 59, 60, 61, 62, 63, 499, 500], name
    assert load(spark, bases / "games.si4", games="1-3", partitionGames=60).rdd.getNumPartitions() == 1
    assert load(spark, bases / "games.si4", games="1000-").count() == 0
    assert load(spark, bases / "games.si4", length="2..", columns="plies").count() == 250


def test_load_empty_option_is_error(spark, bases):
    for name in ["games.pgn", "games.si4", "games.parquet"]:
        for option in ["rows", "strict", "partitionGames"]:
            with pytest.raises(Exception):
                load(spark, bases / name, **{option: ""}).count()
        for option in ["games", "player", "elo"]:
            with pytest.raises(Exception):
                load(spark, bases / name, **{option: ""}, columns="plies").count()
            assert load(spark, bases / name, **{option: "1"}, columns="plies").count() < 500


def test_load_plies_hashes_keep_their_bits(spark, bases):
    frame = load(spark, bases / "games.si4", rows="plies", partitionGames=100)
    plies = pa.table(scoresheet.scan(bases / "games.si4", "plies"))
    assert frame.count() == plies.num_rows
    mine = {hash - (1 << 64) if hash >> 63 else hash for hash in plies["hash"].to_pylist()}
    assert {row.hash for row in frame.select("hash").distinct().collect()} == mine
    assert frame.where("clock = 30").count() == 125
    second = load(spark, bases / "games.si4", rows="plies", partitionGames=100, minPly=2, maxPly=2, columns="ply,fen")
    assert second.count() == frame.where("ply = 2").count() > 0


def dying(marker):
    """Returns a data source, one of whose tasks is killed after its first rows, once."""

    class Reader(scoresheet.spark.ScoresheetReader):
        def read(self, partition):
            for number, batch in enumerate(super().read(partition)):
                yield batch
                if number == 0 and partition.games[0][0] > 200 and not os.path.exists(marker):
                    open(marker, "w").close()
                    os.kill(os.getpid(), signal.SIGKILL)

    class Source(scoresheet.spark.ScoresheetDataSource):
        @classmethod
        def name(cls):
            return "dying"

        def reader(self, schema):
            return Reader(self.options, schema)

    return Source


def test_load_killed_task_is_retried(spark, bases, tmp_path):
    marker = str(tmp_path / "killed")
    spark.dataSource.register(dying(marker))
    frame = spark.read.format("dying").option("partitionGames", 60).load(str(bases / "games.si4"))
    assert aggregate(frame) == aggregate(load(spark, bases / "games.si4"))
    assert os.path.exists(marker)


def test_write_lakes_after_killed_task_have_each_game_once(spark, bases, tmp_path):
    """Spark writes Parquet. The same files become a Delta table and an Iceberg table."""
    deltalake = pytest.importorskip("deltalake")
    sql = pytest.importorskip("pyiceberg.catalog.sql")
    import pyarrow.parquet as pq

    marker, folder = str(tmp_path / "killed"), tmp_path / "lake"
    spark.dataSource.register(dying(marker))
    reader = spark.read.format("dying").option("partitionGames", 60)
    columns = "game,White,WhiteElo,Result,plies,moves"
    reader.option("columns", columns).load(str(bases / "games.si4")).write.parquet(str(folder))
    assert os.path.exists(marker)
    deltalake.convert_to_deltalake(folder)
    files = sorted(deltalake.DeltaTable(folder).file_uris())
    assert len(files) == 9
    catalog = sql.SqlCatalog("tests", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}")
    catalog.create_namespace("chess")
    iceberg = catalog.create_table("chess.games", schema=pq.read_schema(files[0]))
    iceberg.add_files(files)
    expected = pa.table(scoresheet.scan(bases / "games.si4", columns=columns.split(","))).to_pylist()
    for lake in (pa.concat_tables([pq.read_table(path) for path in files]), iceberg.scan().to_arrow()):
        assert sorted(lake.to_pylist(), key=lambda row: row["game"]) == expected


def test_load_unreadable_file_is_error(spark, bases):
    for path, options, words in [
        (bases / "none.pgn", {}, "No such file"),
        (bases / "games.pgn", {"columns": "Colour"}, "no column"),
        (bases / "games.pgn", {"date": "soon"}, "is not a date"),
        (bases / "games.si4", {"games": "3-1"}, "3-1"),
        (bases / "games.si4", {"colour": "white"}, "no option is called"),
    ]:
        with pytest.raises(Exception, match=words):
            load(spark, path, **options).collect()


def test_load_paths_of_all_spellings_are_read(spark, bases):
    for path in [f"file:{bases}/games.si4", f"file://{bases}/games.si4", f"{bases}/g*.si4", f"file:{bases}/games.s?4"]:
        assert load(spark, path, columns="plies").count() == 500, path
    spaced = bases / "sub folder"
    spaced.mkdir()
    scoresheet.convert(bases / "games.si4", spaced / "a b.pgn")
    assert load(spark, f"file://{spaced}/a%20b.pgn".replace(" ", "%20"), columns="plies").count() == 500
    with pytest.raises(Exception, match="no file matches"):
        load(spark, bases / "*.none").count()


def test_load_address_is_read_by_fsspec(spark, bases):
    pytest.importorskip("fsspec")
    # The only file system of fsspec that all processes share here.
    path = f"local://{bases}/games.pgn"
    assert load(spark, path, columns="plies").count() == 500
    assert load(spark, f"local://{bases}/game*.pgn", columns="plies").count() == 500


def test_load_given_schema_is_cast(spark, bases):
    schema = "White string, WhiteElo bigint, plies double, Result string, game string, Club string"
    frame = spark.read.format("scoresheet").schema(schema).load(str(bases / "games.si4"))
    first = frame.where("game = '1'").collect()[0]
    assert tuple(first) == ("Player 0", 2000, 3.0, "1-0", "1", None)
    assert frame.agg({"WhiteElo": "max"}).collect()[0][0] == 2499


def test_load_filters_are_pushed(spark, bases):
    expected = {}
    conditions = [
        "Result = '1-0'",
        "White = 'Player 3' and Result <> '*'",
        "Event = '17'",
        "WhiteElo > 2400",
        "WhiteElo >= 2400 and BlackElo > 0",
        "Year = 1999",
        "ECO = 'B90' or Result = '1-0'",
        "White like 'Player%' and Result in ('0-1')",
    ]
    for condition in conditions:
        expected[condition] = load(spark, bases / "games.si4").where(condition).count()
    assert expected["Result = '1-0'"] == 167 and expected["Event = '17'"] == 1
    scoresheet.spark.register(spark, push_filters=True)
    try:
        for condition in conditions:
            assert load(spark, bases / "games.si4").where(condition).count() == expected[condition], condition
        pushed = scoresheet.spark._PushingReader({"path": "x"}, load(spark, bases / "games.si4").schema)
        from pyspark.sql.datasource import EqualTo

        given = [EqualTo(("White",), "O'Neil (1)"), EqualTo(("ECO",), "B90"), EqualTo(("a", "b"), 1)]
        assert list(pushed.pushFilters(given)) == given
        assert pushed.options["eco"] == "B90"
        assert pushed.options["where"] == "White==O'Neil (1)"
    finally:
        spark.conf.set("spark.sql.python.filterPushdown.enabled", "false")
        scoresheet.spark.register(spark)


def test_load_frames_of_zstd_are_partitions(spark, bases):
    packed = bases / "packed"
    packed.mkdir()
    path = packed / "frames.pgn.zst"
    with path.open("wb") as file:
        for n in range(5):
            one = packed / f"{n}.pgn.zst"
            games = [game.with_headers(Round=str(n)) for game in scoresheet.open(bases / "games.pgn")]
            scoresheet.write(games, one)
            file.write(one.read_bytes())
            one.unlink()
    frame = load(spark, path, partitionBytes=1, columns="Event,Round,plies")
    assert frame.rdd.getNumPartitions() == 5
    assert frame.count() == frame.distinct().count() == 2500
    whole = load(spark, path, partitionBytes=1 << 30, columns="plies")
    assert (whole.rdd.getNumPartitions(), whole.count()) == (1, 2500)
    assert load(spark, path, games="1-3", columns="plies").count() == 3


def test_time_unit_microseconds_is_read_by_spark_itself(spark, bases):
    times = bases / "times"
    times.mkdir()
    (times / "a.pgn").write_text('[White "A"]\n[UTCTime "22:00:22"]\n\n1. e4 *\n')
    scoresheet.convert(times / "a.pgn", times / "a.parquet", to_options={"time-unit": "us"})
    columns = ["White", "UTCTime"]
    # Times of day are new in Spark 4.1, and are asked for.
    spark.conf.set("spark.sql.timeType.enabled", "true")
    known = spark.read.parquet(str(times / "a.parquet")).select("White", "UTCTime")
    made = spark.createDataFrame(pa.table(scoresheet.scan(times / "a.pgn", columns=columns, time_unit="us")))
    for frame in (known, made):
        [row] = frame.selectExpr("White", "cast(UTCTime as string)").collect()
        assert tuple(row) == ("A", "22:00:22")
