"""What users of Python expect: exceptions, pickling, file objects, paths, sequences."""

import collections.abc
import copy
import errno
import gzip
import io
import os
import pickle
import random
import shutil
import subprocess
import sys
from pathlib import Path

import polars
import pyarrow as pa
import pytest

import scoresheet
from conftest import GAMES


def test_open_missing_file_is_file_not_found(tmp_path):
    path = tmp_path / "missing.pgn"
    for read in (
        lambda: scoresheet.open(path),
        lambda: scoresheet.scan(path),
        lambda: scoresheet.scan([path]),
        lambda: scoresheet.convert(path, tmp_path / "out.pgn"),
    ):
        with pytest.raises(FileNotFoundError) as caught:
            read()
        error = caught.value
        assert isinstance(error, scoresheet.Error)
        assert (error.errno, error.filename, error.file) == (errno.ENOENT, str(path), path)
        assert str(error) == f"{path}: No such file or directory"
    assert not (tmp_path / "out.pgn").exists()


def test_open_folder_is_is_a_directory_error(tmp_path):
    with pytest.raises(IsADirectoryError) as caught:
        scoresheet.open(tmp_path)
    assert (caught.value.errno, caught.value.filename) == (errno.EISDIR, str(tmp_path))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read every file")
def test_open_unreadable_file_is_permission_error(pgn):
    pgn.chmod(0)
    with pytest.raises(PermissionError) as caught:
        scoresheet.open(pgn)
    assert caught.value.errno == errno.EACCES


def test_convert_into_missing_folder_is_file_not_found(pgn, tmp_path):
    with pytest.raises(FileNotFoundError):
        scoresheet.convert(pgn, tmp_path / "none" / "out.pgn")


def test_convert_existing_output_has_number_and_name(pgn, tmp_path):
    there = tmp_path / "there.pgn"
    there.touch()
    with pytest.raises(FileExistsError) as caught:
        scoresheet.convert(pgn, there)
    assert (caught.value.errno, caught.value.filename) == (errno.EEXIST, str(there))
    assert isinstance(caught.value, scoresheet.Error)


DAMAGED = '[White "A"]\n\n1. e4 e5 2. Ke4 *\n'


def place(error):
    return error.file, error.offset, error.game, error.ply, str(error), type(error)


def test_pickle_damaged_game_keeps_its_damage(tmp_path):
    path = tmp_path / "damaged.pgn"
    path.write_text(DAMAGED)
    [game] = scoresheet.open(path)
    for again in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert again == game
        assert place(again.damage) == place(game.damage)
        assert again.damage.game == 0 and again.damage.ply == 2


@pytest.mark.parametrize("number", [None, errno.ENOENT, errno.ENOSPC])
def test_pickle_error_keeps_its_attributes(number):
    from scoresheet._errors import base_error

    error = base_error("text", Path("a.pgn"), 1, 2, 3, number)
    again = pickle.loads(pickle.dumps(error))
    assert place(again) == place(error)
    assert (again.errno, again.filename) == (error.errno, error.filename) == (number, "a.pgn")


def test_pickle_table_and_summary_are_equal(pgn, tmp_path):
    summary = scoresheet.convert(pgn, tmp_path / "a.cbf")
    again = pickle.loads(pickle.dumps(summary))
    names = ("read", "written", "passed_over", "damaged", "refused", "lossy", "losses", "warnings")
    assert [getattr(again, name) for name in names] == [getattr(summary, name) for name in names]
    assert str(again) == str(summary) and summary.losses
    table = scoresheet.scan([pgn], "plies", ["san", "clock"], white="karpov", batch_rows=2)
    assert pa.table(pickle.loads(pickle.dumps(table))).equals(pa.table(table))


def test_pickle_base_of_bytes_reads_again():
    base = scoresheet.open(io.BytesIO(GAMES.encode()), format="pgn", encoding="latin1")
    assert list(pickle.loads(pickle.dumps(base))) == list(base)


class Unseekable(io.RawIOBase):
    """A stream as from a network."""

    def __init__(self, content):
        self.content = io.BytesIO(content)

    def readable(self):
        return True

    def readinto(self, buffer):
        return self.content.readinto(buffer)


def objects(pgn):
    content = pgn.read_bytes()
    yield lambda: io.BytesIO(content)
    yield lambda: io.BytesIO(gzip.compress(content))
    yield lambda: io.StringIO(content.decode())
    yield lambda: pgn.open("rb")
    yield lambda: gzip.open(packed(pgn), "rb")
    yield lambda: Unseekable(content)


def packed(pgn):
    path = pgn.with_suffix(".pgn.gz")
    path.write_bytes(gzip.compress(pgn.read_bytes()))
    return path


def test_open_file_object_equals_file(pgn, tmp_path):
    games = list(scoresheet.open(pgn))
    for make in objects(pgn):
        base = scoresheet.open(make())
        assert list(base) == games and base[-1] == games[-1] and len(base) == 2
        assert list(base) == games, "the second time"
        table = pa.table(scoresheet.scan([make(), pgn], columns=["White", "plies"]))
        assert table.num_rows == 4 and table["White"][:2].equals(table["White"][2:])
        out = tmp_path / "out.pgn"
        assert scoresheet.convert(make(), out, overwrite=True).written == 2
        assert list(scoresheet.open(out)) == games


def test_open_file_object_in_text_mode_is_type_error(pgn):
    with pgn.open() as text, pytest.raises(TypeError, match='"rb"'):
        scoresheet.open(text)


def test_open_file_object_that_fails_raises_its_error():
    class Broken(io.BytesIO):
        pass

    class Failing(Unseekable):
        def readinto(self, buffer):
            raise ConnectionError("the line is down")

    with pytest.raises(scoresheet.Error, match="the line is down"):
        list(scoresheet.open(Failing(b"")))
    assert issubclass(Broken, io.BytesIO)


def test_convert_to_file_object_writes_content(pgn):
    out = io.BytesIO()
    assert scoresheet.convert(pgn, out, format="pgn").written == 2
    assert [game.white for game in scoresheet.open(io.BytesIO(out.getvalue()))] == [
        "Karpov, Anatoly",
        "Polgar, Judit",
    ]
    out = io.BytesIO()
    assert scoresheet.write(scoresheet.open(pgn), out, format="parquet") == {}
    assert polars.read_parquet(out.getvalue())["plies"].to_list() == [4, 2]
    with pytest.raises(ValueError, match="several files"):
        scoresheet.convert(pgn, io.BytesIO(), format="si4")
    with pytest.raises(ValueError, match="format="):
        scoresheet.convert(pgn, io.BytesIO())
    with pytest.raises(TypeError, match='"wb"'):
        scoresheet.convert(pgn, io.StringIO(), format="pgn")


def test_paths_of_all_spellings_are_read(pgn, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    spaced = tmp_path / "a b.pgn"
    shutil.copy(pgn, spaced)
    for path in (
        os.fsencode(pgn),
        "~/games.pgn",
        f"file:{pgn}",
        f"file://{pgn}",
        f"file://{tmp_path}/a%20b.pgn",
        str(tmp_path / "g*.pgn"),
        f"file:{tmp_path}/game?.pgn",
        Path(pgn),
    ):
        assert len(scoresheet.open(path)) == 2, path
        assert scoresheet.scan(path).count() == 2, path
    assert scoresheet.scan(str(tmp_path / "*.pgn")).count() == 4
    assert scoresheet.convert("~/games.pgn", "~/out.si4").written == 2
    assert (tmp_path / "out.si4").exists()
    # Three files of one database.
    assert scoresheet.scan(str(tmp_path / "out.s?4")).count() == 2
    with pytest.raises(ValueError, match="2 files match"):
        scoresheet.open(str(tmp_path / "*.pgn"))
    with pytest.raises(FileNotFoundError, match="no file matches"):
        scoresheet.scan(str(tmp_path / "*.none"))


def test_addresses_are_read_and_written(pgn):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/chess/games.pgn", pgn.read_bytes())
    address = "memory://chess/games.pgn"
    assert list(scoresheet.open(address)) == list(scoresheet.open(pgn))
    assert scoresheet.scan("memory://chess/*.pgn").count() == 2
    with fsspec.open(address, "rb") as file:
        assert len(scoresheet.open(file)) == 2
    assert scoresheet.convert(address, "memory://chess/out.si4").written == 2
    assert memory.exists("/chess/out.si4") and memory.exists("/chess/out.sg4")
    with pytest.raises(FileExistsError):
        scoresheet.convert(address, "memory://chess/out.si4")
    with pytest.raises(scoresheet.Error, match="^memory://chess/out.si3: "):
        scoresheet.convert(address, "memory://chess/out.si3")
    with pytest.raises(FileNotFoundError):
        scoresheet.open("memory://chess/none.pgn")
    memory.rm("/chess", recursive=True)


def test_every_format_is_read_at_an_address_and_from_a_file_object(pgn, tmp_path):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    games = list(scoresheet.open(pgn))
    for name in ("a.si4", "a.si5", "a.dci", "a.cbf", "a.parquet", "a.arrow", "a.pgn.gz", "A.PGN"):
        address = f"memory://chess/{name}"
        scoresheet.convert(pgn, address)
        read = list(scoresheet.open(address))
        assert scoresheet.open(address)[1] == read[1], name
        assert [game.white for game in read] == [game.white for game in games], name
        assert read[1].san == games[1].san, name
        assert scoresheet.scan([address], "plies").count() == scoresheet.scan(pgn, "plies").count(), name
        with fsspec.open(address, "rb") as file:
            assert len(scoresheet.open(file)) == 2, name
        local = tmp_path / name
        scoresheet.convert(pgn, local, overwrite=True)
        with open(local, "rb") as file:
            assert len(scoresheet.open(file)) == 2 and scoresheet.scan(file).count() == 2, name
        memory.rm("/chess", recursive=True)
    assert len(scoresheet.open(io.BytesIO((tmp_path / "a.parquet").read_bytes()))) == 2


def test_parquet_from_a_pipe_is_read(pgn, tmp_path):
    path = tmp_path / "a.parquet"
    scoresheet.convert(pgn, path)
    for read in (lambda pipe: len(scoresheet.open(pipe)), lambda pipe: scoresheet.scan(pipe).count()):
        process = subprocess.Popen(["cat", path], stdout=subprocess.PIPE)
        assert read(process.stdout) == 2
        process.stdout.close()
        process.wait()


def test_address_that_fails_says_why(pgn):
    fsspec = pytest.importorskip("fsspec")
    failure = None

    class Failing(fsspec.AbstractFileSystem):
        protocol = "failing"

        def _open(self, path, **_):
            raise failure[0] from failure[1]

    class Status(Exception):
        def __init__(self, status):
            super().__init__(f"status {status}")
            self.status = status

    fsspec.register_implementation("failing", Failing, clobber=True)
    missing = FileNotFoundError("failing://a.pgn")
    refused = ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")
    for failure, kind, text in [
        ((missing, None), FileNotFoundError, "no such file"),
        ((missing, Status(404)), FileNotFoundError, "no such file"),
        ((missing, Status(500)), scoresheet.Error, "status 500"),
        ((missing, refused), ConnectionRefusedError, "Connection refused"),
        ((refused, None), ConnectionRefusedError, "Connection refused"),
        ((PermissionError(errno.EACCES, "Forbidden"), None), PermissionError, "Forbidden"),
        ((TimeoutError(errno.ETIMEDOUT, "too slow"), None), TimeoutError, "too slow"),
    ]:
        for read in (scoresheet.open, scoresheet.scan, lambda path: scoresheet.convert(path, pgn.with_name("x.pgn"))):
            with pytest.raises(kind, match=text) as caught:
                read("failing://a.pgn")
            assert isinstance(caught.value, scoresheet.Error) and str(caught.value).startswith("failing://a.pgn: ")
            assert kind is FileNotFoundError or not isinstance(caught.value, FileNotFoundError)


@pytest.mark.parametrize("wrong", [3, None, bytearray(b"x"), {"a": 1}])
def test_open_and_scan_other_objects_are_type_errors(wrong):
    for read in (scoresheet.open, scoresheet.scan):
        with pytest.raises(TypeError, match="a path is expected"):
            read(wrong)
    with pytest.raises(TypeError, match="a path is expected"):
        scoresheet.scan([wrong])
    with pytest.raises(TypeError):
        scoresheet.Writer(wrong)


def test_scan_columns_of_all_kinds(pgn):
    assert scoresheet.scan(pgn, columns="White").columns == ["White"]
    assert scoresheet.scan(pgn, columns=("White", "plies")).columns == ["White", "plies"]
    with pytest.raises(ValueError, match="columns is empty"):
        scoresheet.scan(pgn, columns=[])
    assert scoresheet.scan([], columns=["White"]).count() == 0
    assert scoresheet.scan((str(path) for path in [pgn, pgn])).count() == 4


def test_table_of_iterator_of_paths_is_read_twice(pgn):
    table = scoresheet.scan(path for path in [pgn])
    assert table.count() == table.count() == len(table) == 2


@pytest.fixture(params=["pgn", "pgn.gz", "si4", "parquet", "jsonl"])
def base(pgn, tmp_path, request):
    path = tmp_path / f"base.{request.param}"
    if request.param == "pgn.gz":
        path.write_bytes(gzip.compress(pgn.read_bytes()))
    else:
        scoresheet.convert(pgn, path)
    return scoresheet.open(path)


def test_base_is_a_sequence(base):
    assert isinstance(base, collections.abc.Sequence)
    games = list(base)
    assert list(reversed(base)) == games[::-1]
    assert [base.index(game) for game in games] == [0, 1]
    assert base.index(games[1], 1) == 1 and base.index(games[1], -1) == 1
    assert [base.count(game) for game in games] == [1, 1] and base.count("x") == 0
    other = scoresheet.Game.from_pgn("1. a4 *")
    assert games[0] in base and other not in base and "x" not in base
    for wrong in (lambda: base.index(other), lambda: base.index(games[0], 1), lambda: base.index(games[1], 0, 1)):
        with pytest.raises(ValueError):
            wrong()
    assert random.Random(1).sample(base, 2)


def test_base_closed_raises_value_error(base):
    with base as entered:
        assert entered is base and base[0] and not base.closed
    assert base.closed
    for use in (lambda: base[0], lambda: len(base), lambda: list(base), lambda: base.warnings, base.__enter__):
        with pytest.raises(ValueError, match="is closed; open it again"):
            use()
    base.close()
    assert base.format in repr(base)


def test_random_access_any_order_equals_iteration(tmp_path):
    text = "".join(
        f'[Event "{n}"]\n[Round "{n}"]\n\n1. e4 {{{"x" * (n * 7919 % 300)}}} {"e5" if n % 37 else "Ke4"} *\n\n'
        for n in range(4000)
    )
    plain = tmp_path / "games.pgn"
    plain.write_text(text)
    packed = tmp_path / "games.pgn.gz"
    packed.write_bytes(gzip.compress(text.encode(), 1))
    games = list(scoresheet.open(plain))
    for source in (plain, packed, io.BytesIO(text.encode()), packed.open("rb")):
        base = scoresheet.open(source)
        # The first access, before the number of games is known.
        assert base[10] == games[10]
        chance = random.Random(7)
        for number in [chance.randrange(4000) for _ in range(300)] + list(range(2000, 2100)):
            game = base[number]
            assert game == games[number] and game.index == number
            assert str(game.damage).partition(":")[2] == str(games[number].damage).partition(":")[2]
        assert base[-1] == games[-1]
        with pytest.raises(IndexError):
            base[4000]


def test_random_access_before_a_break_works(tmp_path):
    text = "".join(f'[Event "{n}"]\n\n1. e4 {{{n * 2654435761 % 2**32:x}}} *\n\n' for n in range(20000)).encode()
    whole = gzip.compress(text)
    path = tmp_path / "cut.pgn.gz"
    path.write_bytes(whole[: len(whole) // 2])
    base = scoresheet.open(path)
    for _ in range(2):
        assert base[100].headers["Event"] == "100"
        with pytest.raises(scoresheet.Error):
            base[19999]


def test_open_pipe_is_read_twice(pgn, tmp_path):
    pipe = tmp_path / "pipe.pgn"
    os.mkfifo(pipe)
    writer = subprocess.Popen([sys.executable, "-c", "import sys; open(sys.argv[2], 'w').write(open(sys.argv[1]).read())", pgn, pipe])
    base = scoresheet.open(pipe)
    assert list(base) == list(base) and base[1].white == "Polgar, Judit"
    assert writer.wait() == 0


def test_open_minus_is_standard_input(pgn):
    code = "import scoresheet; print(len(scoresheet.open('-')))"
    done = subprocess.run([sys.executable, "-c", code], stdin=pgn.open(), capture_output=True, text=True)
    assert done.stdout == "2\n", done.stderr


class Endless(io.RawIOBase):
    """A text without an end. White of game 7 is "7"."""

    def __init__(self):
        self.number, self.rest = 0, b""

    def readable(self):
        return True

    def readinto(self, buffer):
        while len(self.rest) < len(buffer):
            numbers = range(self.number + 1, self.number + 1001)
            self.rest += b"".join(b'[White "%d"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n' % number for number in numbers)
            self.number += 1000
        buffer[:] = self.rest[: len(buffer)]
        self.rest = self.rest[len(buffer) :]
        return len(buffer)


def test_games_by_number_of_an_endless_text_end_with_the_last_one(tmp_path):
    white = [str(number) for number in range(1, 11)]
    first = {"games": (1, 10)}
    assert scoresheet.scan(Endless(), columns="White", **first).to_arrow()["White"].to_pylist() == white
    assert scoresheet.scan(Endless(), "plies", **first).count() == 40
    assert scoresheet.scan(Endless(), "positions", **first).count() == 5
    assert scoresheet.scan(Endless(), columns="White", games=[3, 70_000]).to_arrow()["White"].to_pylist() == ["3", "70000"]
    assert [game.white for game in scoresheet.open(Endless()).games(**first)] == white
    base = scoresheet.open(Endless())
    assert [game.white for game in base[:10]] == white
    assert [game.white for game in base[1:8:3]] == ["2", "5", "8"] and base[5:3] == base[0:0] == []
    summary = scoresheet.convert(Endless(), tmp_path / "ten.pgn", **first)
    assert (summary.read, summary.written) == (10, 10)


def test_slice_beyond_the_end_has_the_games_there_are(pgn):
    si4 = pgn.with_suffix(".si4")
    scoresheet.convert(pgn, si4)
    for base in (scoresheet.open(pgn), scoresheet.open(si4)):
        games = list(base)
        for cut in (slice(0, 1), slice(1, 9), slice(5, 9), slice(None, 9, 2), slice(0, -1), slice(None, None, -1), slice(-1, 9)):
            assert base[cut] == games[cut], cut
        with pytest.raises(ValueError):
            base[0:1:0]


def test_interrupt_during_sample_is_heard():
    """An endless text is never sampled to its end."""
    code = """
import os, signal, sys, threading, time
import scoresheet
sys.path.insert(0, sys.argv[1])
from test_manners import Endless
sent = []
def send():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(1, send).start()
try:
    scoresheet.scan(Endless(), sample=10).count()
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
"""
    done = subprocess.run([sys.executable, "-c", code, Path(__file__).parent], capture_output=True, text=True, timeout=60)
    # Half a second on an idle machine.
    assert float(done.stdout) < 3, done.stderr


@pytest.mark.parametrize("pull", ["arrow", "polars", "duckdb", "pandas", "to_arrow", "to_polars", "to_pandas"])
def test_interrupt_ends_table_soon(pull, tmp_path):
    """Ctrl-C while a library reads: the exception comes long before the end of the table."""
    path = tmp_path / "many.pgn"
    path.write_text(('[Event "x"]\n\n' + "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 " + "*\n\n") * 300_000)
    code = f"""
import os, signal, threading, time
import duckdb, pandas, polars, pyarrow
import scoresheet
table = pulled = scoresheet.scan({str(path)!r}, "plies", threads=1)
pulls = {{
    "arrow": lambda: pyarrow.table(table),
    "polars": lambda: polars.DataFrame(table),
    "duckdb": lambda: duckdb.sql("select max(san), max(hash) from pulled").fetchall(),
    "pandas": lambda: pandas.DataFrame.from_arrow(table) if hasattr(pandas.DataFrame, "from_arrow") else table.to_pandas(),
    "to_arrow": table.to_arrow,
    "to_polars": table.to_polars,
    "to_pandas": table.to_pandas,
}}
sent = []
def send():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.3, send).start()
try:
    try:
        pulls[{pull!r}]()
        print("finished")
    except KeyboardInterrupt:
        print("interrupted", time.monotonic() - sent[0])
        raise SystemExit
    except Exception as error:
        # The exception of the library; KeyboardInterrupt follows. DuckDB may take it for itself.
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt
        for _ in range(500):
            time.sleep(0.01)
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - sent[0])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    word, took = done.stdout.split() or ["", "inf"]
    assert word == "interrupted", done.stdout + done.stderr
    # Half a second on an idle machine.
    assert float(took) < 3, done.stdout
