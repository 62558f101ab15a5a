"""Tests of the package's API."""

import multiprocessing
import signal
import threading

import chess
import chess.pgn
import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet
import pytest

import scoresheet


def test_base_behaves_as_a_sequence(pgn, tmp_path):
    si4 = tmp_path / "games.si4"
    assert str(scoresheet.convert(pgn, si4)) == "2 games read, 2 written"
    for path in (pgn, si4):
        base = scoresheet.open(path)
        assert len(base) == 2
        assert [(game.index, game.number) for game in base] == [(0, 1), (1, 2)]
        assert base[0].white == "Karpov, Anatoly" and base[-1].white == "Polgar, Judit"
        assert [game.white for game in base[::-1]] == ["Polgar, Judit", "Karpov, Anatoly"]
        for wrong in (2, -3, 10**30, -(10**30)):
            with pytest.raises(IndexError):
                base[wrong]
        with pytest.raises(TypeError):
            base["one"]
    assert scoresheet.open(si4).format == "si4"


def test_game_properties_match_pgn(pgn):
    first, second = scoresheet.open(pgn)
    assert first.moves == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert first.san == ["e4", "e5", "Nf3", "Nc6"]
    assert first.headers["WhiteElo"] == "2700" and first.white_elo == 2700
    assert (first.date, first.eco, first.result, len(first)) == ("1999.05.??", "B90", "1-0", 4)
    assert second.moves == ["e1g1", "e8c8"] and second.fen == second.headers["FEN"]
    assert first.boards()[-1] == first.final_fen
    assert first.hashes()[0] == 0x463B96181691FC9C
    assert scoresheet.Game.from_pgn(first.pgn()) == first
    assert hash(scoresheet.Game.from_pgn(str(first))) == hash(first)
    assert repr(first) == "<Game Karpov, Anatoly - Kasparov, Garry 1-0, 4 plies>"
    assert bool(scoresheet.Game.from_pgn('[White "A"]\n\n*'))
    with pytest.raises(ValueError):
        scoresheet.Game.from_pgn("1. e5")


def test_game_tree_has_variations(pgn):
    main = scoresheet.open(pgn)[0].tree()
    assert [node.san for node in main] == ["e4", "e5", "Nf3", "Nc6"]
    assert main[0].comments == ["[%clk 0:01:00] best by test"]
    [variation] = main[0].variations
    assert [(node.san, node.ply) for node in variation] == [("d4", 1), ("d5", 2)]
    assert variation[0].nags == [1]
    assert variation[1].variations[0][0].comments == ["Indian"]


def test_game_to_python_chess_is_equal(pgn):
    for game in scoresheet.open(pgn):
        theirs = game.to_python_chess()
        assert not theirs.errors
        assert theirs.end().board().fen() == game.final_fen.replace(" - 0 0", " - 0 0")
        exporter = chess.pgn.StringExporter(headers=True, variations=True, comments=True)
        again = scoresheet.Game.from_pgn(theirs.accept(exporter))
        assert stripped(again) == stripped(game)
        assert again.headers == game.headers


def stripped(game):
    """Returns the tokens of a game; python-chess writes a space at each end of a comment."""
    return [tuple(part.strip() if isinstance(part, str) else part for part in token) for token in game.tokens()]


def test_games_filters_select_games(pgn):
    count = lambda **filters: scoresheet.scan(pgn, columns=["White"], **filters).count()
    assert count() == 2 and count(player="karpov") == 2 and count(white="karpov") == 1
    assert count(date="1999") == 1 and count(date=(2000, None)) == 1
    assert count(eco="B9") == 1 and count(result=["1-0", "0-1"]) == 1
    assert count(annotated=True) == 1 and count(games=(2, 9)) == 1
    assert count(position="r3k2r/8/8/8/8/8/8/R3K2R w KQkq -") == 1
    assert count(white=None) == 2
    with pytest.raises(ValueError, match="no filter is called 'colour'|no filter is called \"colour\""):
        count(colour="x")
    with pytest.raises(ValueError, match="ends before it begins"):
        count(date="2001..1999")


def test_scan_columns_are_selected(pgn):
    with pytest.raises(ValueError, match="no column"):
        scoresheet.scan(pgn, columns=["Colour"])
    table = scoresheet.scan(pgn, columns=["ECO", "White"])
    assert table.columns == ["ECO", "White"]
    assert pa.schema(table).names == ["ECO", "White"]
    names = [column["name"] for column in scoresheet.columns("games") if column["usual"]]
    assert pa.schema(scoresheet.scan(pgn)).names == names
    assert "fen" in [column["name"] for column in scoresheet.columns("plies")]
    plies = pa.table(scoresheet.scan(pgn, "plies", columns=["fen", "board", "clock", "depth"]))
    assert plies["clock"][0].as_py() == 60.0
    assert len(plies["board"][0].as_py()) == 32


def test_table_other_libraries_accept_it(pgn):
    games = scoresheet.scan(pgn)
    for _ in range(2):
        assert duckdb.sql("select White from games where WhiteElo = 2700").fetchall() == [
            ("Karpov, Anatoly",)
        ]
    frame = polars.DataFrame(games)
    assert frame["plies"].to_list() == [4, 2]
    reader = pa.RecordBatchReader.from_stream(games)
    assert reader.schema.field("UTCDate").type == pa.date32()
    assert reader.read_all().num_rows == 2


def test_convert_to_parquet_reads_back(pgn, tmp_path):
    table = tmp_path / "games.parquet"
    scoresheet.convert(pgn, table, to_options={"row_group": 1})
    file = pyarrow.parquet.ParquetFile(table)
    assert file.num_row_groups == 2
    assert file.read().to_pylist() == pa.table(scoresheet.scan(pgn)).to_pylist()
    back = list(scoresheet.open(table))
    assert [game.pgn() for game in back] == [game.pgn() for game in scoresheet.open(pgn)]
    # A table of another program, with only the columns of Lichess.
    frame = polars.DataFrame(scoresheet.scan(pgn))
    theirs = tmp_path / "theirs.parquet"
    frame.select("Event", "White", "WhiteElo", "UTCDate", "Result", "movetext").head(1).write_parquet(theirs)
    [game] = scoresheet.open(theirs)
    assert game.white_elo == 2700 and game.tokens() == back[0].tokens()


def test_convert_progress_exception_stops(pgn, tmp_path):
    seen = []
    scoresheet.convert(pgn, tmp_path / "a.pgn", progress=lambda *args: seen.append(args))
    assert seen[-1] == (pgn.stat().st_size, pgn.stat().st_size, "bytes")

    def stop(done, total, unit):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scoresheet.convert(pgn, tmp_path / "b.pgn", progress=stop)
    assert not (tmp_path / "b.pgn").exists()


def test_convert_input_is_never_overwritten(pgn, tmp_path):
    before = pgn.read_bytes()
    with pytest.raises(ValueError, match="is an input too"):
        scoresheet.convert(pgn, pgn)
    link = tmp_path / "link.pgn"
    link.symlink_to(pgn)
    with pytest.raises(ValueError, match="is an input too"):
        scoresheet.convert([link], pgn)
    assert pgn.read_bytes() == before
    # Only the Parquet writer uses the threads of the conversion for compression.
    for name in ["a.parquet", "b.si4"]:
        scoresheet.convert(pgn, tmp_path / name, threads=1)


def plies_of(game):
    return game.ply_count if game.damage is None else 0


def test_pickle_games_reach_other_processes(pgn):
    base = scoresheet.open(pgn, strict=False)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(plies_of, base) == [plies_of(game) for game in base]
        assert pool.map(len, [base, base[:1]]) == [2, 1]


@pytest.mark.parametrize("chosen", [{}, {"white": "Last"}])
def test_iteration_signal_stops_reading(chosen, tmp_path):
    path = tmp_path / "many.pgn"
    path.write_text("1. e4 e5 2. Nf3 *\n\n" * 100_000 + '[White "Last"]\n\n1. d4 *\n')
    games = scoresheet.open(path).games(**chosen)

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.005)
        with pytest.raises(KeyboardInterrupt):
            list(games)
    finally:
        signal.signal(signal.SIGALRM, before)
    # Iteration stopped midway, and continues from there.
    assert list(games)[-1].white == "Last"


def test_writer_writes_games(pgn, tmp_path):
    games = list(scoresheet.open(pgn))
    assert scoresheet.write(games, tmp_path / "out.pgn") == {}
    assert list(scoresheet.open(tmp_path / "out.pgn"))[0] == games[0]
    with pytest.raises(ZeroDivisionError):
        with scoresheet.Writer(tmp_path / "none.pgn") as writer:
            writer.write(games[0])
            raise ZeroDivisionError
    assert not (tmp_path / "none.pgn").exists()
    writer = scoresheet.Writer(tmp_path / "closed.pgn")
    writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.write(games[0])


def test_error_has_location(pgn, tmp_path):
    with pytest.raises(scoresheet.Error) as caught:
        scoresheet.open(tmp_path / "none.si4")
    assert caught.value.file == tmp_path / "none.si4"
    broken = tmp_path / "broken.pgn"
    broken.write_text(pgn.read_text() + '\n[Event "C"]\n\n1. e4 e5 2. Ke4 Nc6 *\n\n1. d4 *\n')
    games = list(scoresheet.open(broken))
    assert len(games) == 4
    damage = games[2].damage
    assert isinstance(damage, scoresheet.GameError)
    assert (damage.game, damage.ply) == (2, 2) and damage.offset > 0
    assert "game 3" in str(damage) and games[2].moves == ["e2e4", "e7e5"]
    strict = iter(scoresheet.open(broken, strict=True))
    assert next(strict) == games[0] and next(strict) == games[1]
    with pytest.raises(scoresheet.GameError):
        next(strict)
    assert next(strict).moves == ["d2d4"]
    rows = pa.table(scoresheet.scan(broken)).to_pylist()
    assert rows[2]["damage"] and rows[1]["damage"] is None
    with pytest.raises((OSError, ValueError), match="game 3"):
        pa.table(scoresheet.scan(broken, strict=True))
    with pytest.raises(scoresheet.Error, match="No such file"):
        scoresheet.scan(tmp_path / "none.pgn")
    with pytest.raises(ValueError, match="no format is called"):
        scoresheet.open(pgn, format="doc")


def test_convert_releases_the_interpreter(pgn, tmp_path):
    """Reading releases the interpreter, so that another thread can run."""
    big = tmp_path / "big.pgn"
    big.write_text(pgn.read_text() * 20000)
    turns, done = [0], threading.Event()

    def count():
        while not done.is_set():
            turns[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = turns[0]
    assert scoresheet.scan(big, columns=["plies"]).count() == 40000
    after = turns[0]
    done.set()
    thread.join()
    assert after - before > 1000


def count(path, **options):
    return scoresheet.scan(path, columns=["White"], **options).count()


def test_scan_filters_of_all_kinds_count(pgn):
    assert count(pgn, white=["karpov", "polgar"]) == 2
    assert count(pgn, white="Karpov", exact=True) == 0
    assert count(pgn, white="Karpov, Anatoly", exact=True) == 1
    assert count(pgn, elo=(2600, None)) == 0, "the rating of both"
    assert count(pgn, where="WhiteElo=^27") == 1 and count(pgn, where=["WhiteElo!=^27"]) == 1
    assert count(pgn, moves="1. e4 e5") == 1 and count(pgn, length="2..") == 1
    assert count(pgn, games=[1, (2, 2)]) == 2 and count(pgn, games="2-") == 1
    assert [game.number for game in scoresheet.open(pgn).games(white="polgar")] == [2]
    for wrong, words in [
        ({"white": ""}, "white: the value is empty"),
        ({"variations": True}, "variations needs position"),
        ({"deleted": "maybe"}, "is not yes or no"),
        ({"position": "x"}, "position: "),
        ({"elo": (1, 2, 3)}, "tuple"),
    ]:
        with pytest.raises(ValueError, match=words):
            count(pgn, **wrong)
        with pytest.raises(ValueError, match=words):
            scoresheet.open(pgn).games(**wrong)


def test_spelling_finds_all_spellings_of_a_name(pgn, tmp_path):
    names = tmp_path / "names.ssp"
    names.write_text('@PLAYER "., -_*"\nKarpov, Anatoly #gm\n  = Keller, Anatoli\n')
    for path in [names, str(names)]:
        assert count(pgn, player="keller", spelling=path) == 2
    assert count(pgn, player="keller") == 0 and count(pgn, player="keller", spelling=None) == 0
    assert len(list(scoresheet.open(pgn).games(white="keller", spelling=names))) == 1
    written = scoresheet.convert(pgn, tmp_path / "out.pgn", white="keller", spelling=names)
    assert written.written == 1
    names.write_text("Karpov\n")
    for wrong, words in [
        (names, r"spelling: .*names.ssp: line 1: "),
        (tmp_path / "none.ssp", "spelling: .*none.ssp: "),
        ([names, names], "given twice"),
        ("", "spelling: "),
    ]:
        with pytest.raises(ValueError, match=words):
            count(pgn, player="keller", spelling=wrong)


def test_scan_without_games_is_an_empty_table(pgn, tmp_path):
    empty = tmp_path / "empty.pgn"
    empty.write_text("")
    for path, filters in [(empty, {}), (pgn, {"white": "nobody"})]:
        for rows in ("games", "plies"):
            asked = scoresheet.scan(path, rows, **filters)
            assert pa.table(asked).num_rows == 0
            assert pa.table(asked).schema == pa.schema(scoresheet.scan(pgn, rows))
            assert polars.DataFrame(asked).shape == (0, len(asked.columns))
            assert duckdb.sql("select count(*) from asked").fetchall() == [(0,)]
            for name in ("none.parquet", "none.arrow"):
                file = tmp_path / f"{rows}-{name}"
                summary = scoresheet.convert(path, file, to_options={"rows": rows}, overwrite=True, **filters)
                assert summary.written == 0
                if rows == "games":
                    assert list(scoresheet.open(file)) == []
        parquet = tmp_path / "games-none.parquet"
        assert pyarrow.parquet.read_table(parquet).num_rows == 0
        assert duckdb.sql(f"select count(*) from '{parquet}'").fetchall() == [(0,)]
    assert list(scoresheet.open(empty)) == [] and len(scoresheet.open(empty)) == 0
    with pytest.raises(IndexError):
        scoresheet.open(empty)[0]
    with pytest.raises(ValueError, match="no base of any format"):
        scoresheet.scan(make_folder(tmp_path / "void"))


def make_folder(path):
    path.mkdir()
    return path


def test_open_unicode_file_names_are_read(pgn, tmp_path):
    folder = make_folder(tmp_path / "\u0428\u0430\u0445\u043c\u0430\u0442\u044b \u00e9 \u68cb")
    base = folder / "\u0431\u0430\u0437\u0430 1.si4"
    scoresheet.convert(pgn, base)
    rows = pa.table(scoresheet.scan(folder)).to_pylist()
    assert [row["source"] for row in rows] == [str(base)] * 2
    table = folder / "\u0438\u0433\u0440\u044b.parquet"
    scoresheet.convert(base, table)
    assert duckdb.sql(f"select count(*) from '{table}'").fetchall() == [(2,)]
    with pytest.raises(scoresheet.Error) as caught:
        scoresheet.open(folder / "\u043d\u0435\u0442.si4")
    assert caught.value.file == folder / "\u043d\u0435\u0442.si4"


def test_chess960_castling_names_the_rook(tmp_path):
    """The target of castling is the rook's square where a king move of two squares would be ambiguous."""
    path = tmp_path / "960.pgn"
    path.write_text(
        '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"]\n\n'
        "1. O-O O-O-O 1/2-1/2\n"
    )
    table = tmp_path / "960.parquet"
    scoresheet.convert(path, table)
    for base in (path, table):
        [game] = scoresheet.open(base)
        assert game.moves == ["e1g1", "e8b8"] and game.san == ["O-O", "O-O-O"]
        theirs = game.to_python_chess()
        assert not theirs.errors and theirs.board().chess960
        last = "2kr2r1/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1"
        assert theirs.end().board().board_fen() == game.final_fen.split()[0] == last


def test_open_lichess_table_is_read(tmp_path):
    """A table with their columns and types is a database, with clocks and evaluations."""
    import datetime

    columns = {
        "Event": "Rated Blitz game",
        "Site": "https://lichess.org/in28emmw",
        "White": "Kazuma",
        "Black": "AlisonHart",
        "Result": "1-0",
        "WhiteTitle": None,
        "BlackTitle": "WFM",
        "WhiteElo": 1756,
        "BlackElo": 2100,
        "WhiteRatingDiff": 11,
        "BlackRatingDiff": -9,
        "UTCDate": datetime.date(2013, 5, 31),
        "UTCTime": datetime.time(22, 0, 22),
        "ECO": "A07",
        "Opening": "King's Indian Attack",
        "Termination": "Normal",
        "TimeControl": "60+0",
        "movetext": "1. Nf3 { [%eval 0.17] [%clk 0:01:00] } 1... d5 { [%clk 0:00:59] } 2. g3 1-0",
    }
    mine = pa.schema(scoresheet.scan([], columns=list(columns)))
    types = {name: mine.field(name).type for name in columns}
    theirs = pa.table({name: pa.array([columns[name]] * 3, types[name]) for name in columns})
    path = tmp_path / "theirs.parquet"
    pyarrow.parquet.write_table(theirs, path)
    game = scoresheet.open(path)[2]
    assert game.moves == ["g1f3", "d7d5", "g2g3"] and game.date == "2013.05.31"
    assert game.headers["WhiteRatingDiff"] == "+11" and game.headers["UTCTime"] == "22:00:22"
    assert "WhiteTitle" not in game.headers
    plies = pa.table(scoresheet.scan(path, "plies", columns=["clock", "eval"])).to_pylist()
    assert plies[:3] == [
        {"clock": 60.0, "eval": 0.17},
        {"clock": 59.0, "eval": None},
        {"clock": None, "eval": None},
    ]
    again = pa.table(scoresheet.scan(path, columns=list(columns)))
    assert again.drop(["movetext"]).to_pylist() == theirs.drop(["movetext"]).to_pylist()


def test_convert_partition_by_writes_folders(pgn, tmp_path):
    out = tmp_path / "by-white.parquet"
    scoresheet.convert(pgn, out, partition_by="White")
    asked = duckdb.sql(
        f"select by_White, count(*) from read_parquet('{out}/*/*.parquet') group by all order by all"
    )
    assert asked.fetchall() == [("Karpov, Anatoly", 1), ("Polgar, Judit", 1)]
    assert len(pyarrow.parquet.read_table(out, filters=[("by_White", "=", "Polgar, Judit")])) == 1
    frame = polars.scan_parquet(out, hive_partitioning=True)
    assert frame.filter(polars.col("by_White") == polars.col("White")).collect().shape[0] == 2
    years = tmp_path / "by-year.parquet"
    scoresheet.convert(pgn, years, partition_by="year")
    assert pyarrow.parquet.read_table(years)["by_year"].to_pylist() == [1999, 2001]
    assert [game.white for game in scoresheet.open(years / "by_year=2001/games.parquet")] == ["Polgar, Judit"]
    with pytest.raises(scoresheet.Error, match="no game has the tag"):
        scoresheet.convert(pgn, tmp_path / "x.parquet", partition_by="Whiet")
    assert not (tmp_path / "x.parquet").exists()
    with pytest.raises(scoresheet.Error, match="partitions"):
        scoresheet.convert(pgn, tmp_path / "x.pgn", partition_by="White")


def test_unknown_column_is_named_in_error(pgn, tmp_path):
    for run in (
        lambda: scoresheet.scan(pgn, columns=["White", "colour"]),
        lambda: scoresheet.convert(pgn, tmp_path / "x.parquet", to_options={"columns": ["colour"]}),
    ):
        with pytest.raises((ValueError, OSError), match='no column "colour"; they have Event, Site'):
            run()
    assert not (tmp_path / "x.parquet").exists()


def test_parquet_of_several_pages_is_read_by_every_library(tmp_path):
    pgn, path = tmp_path / "many.pgn", tmp_path / "many.parquet"
    lines = ["", "1. e4 e5 2. Nf3", "1. d4", "1. Nf3 d5 2. g3 Nf6 3. Bg2 e6 4. O-O"]
    games = (f'[Event "{n}"]\n\n{lines[n * n % 7 % 4]} *\n\n' for n in range(45_000))
    pgn.write_text("".join(games))
    scoresheet.convert(pgn, path)
    columns = ["moves", "move_codes", "Event"]
    mine = pa.table(scoresheet.scan(pgn, columns=columns)).combine_chunks()
    assert pyarrow.parquet.read_table(path, columns=columns).combine_chunks().equals(mine)
    assert polars.read_parquet(path, columns=columns).equals(polars.DataFrame(mine))
    asked = "select count(*), sum(len(moves)), sum(hash(moves, move_codes, Event)) from "
    assert duckdb.sql(f"{asked} '{path}'").fetchall() == duckdb.sql(f"{asked} mine").fetchall()
    late = polars.scan_parquet(path).select(columns).slice(40_000, 3).collect()
    assert late.equals(polars.DataFrame(mine).slice(40_000, 3))


def test_number_of_a_game_counts_like_the_column_and_the_filter(pgn):
    base = scoresheet.open(pgn)
    numbers = scoresheet.scan(pgn, columns=["game"]).to_arrow()["game"].to_pylist()
    assert [game.number for game in base] == numbers == [1, 2]
    for game in base:
        assert list(base.games(games=game.number)) == [game] == [base[game.index]]
