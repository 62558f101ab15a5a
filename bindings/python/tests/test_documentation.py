"""Runs the examples of the docstrings and of README.md, and checks that everything is documented and typed."""

import doctest
import importlib.util
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import scoresheet
from conftest import GAMES, ROOT


def documented():
    """Yields each public object with its name."""
    yield "scoresheet", scoresheet
    for name in scoresheet.__all__:
        value = getattr(scoresheet, name)
        if name.startswith("__"):
            continue
        yield name, value
        if inspect.isclass(value):
            for member, attribute in vars(value).items():
                if not member.startswith("_") and getattr(attribute, "__doc__", None) and not isinstance(attribute, str):
                    yield f"{name}.{member}", attribute


OBJECTS = dict(documented())
#: Exceptions of other kinds than the message shows, and line ends, do not count.
FLAGS = doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS


@pytest.mark.parametrize("name", OBJECTS)
def test_docstring_examples_give_what_they_show(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("games.pgn").write_text(GAMES)
    globs = {"scoresheet": scoresheet, "__name__": "example"}
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(OBJECTS[name]), globs, name, None, None)
    failures = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=failures.append)
    assert not failures, "".join(failures)


@pytest.mark.parametrize("name", [name for name in scoresheet.__all__ if not name.startswith("__")])
def test_public_object_has_an_example(name):
    if name in ("Games", "Summary"):
        pytest.skip("it is made by other functions, whose examples show it")
    assert ">>> " in inspect.getdoc(getattr(scoresheet, name))


@pytest.mark.parametrize("function", ["open", "scan", "convert", "write", "write_table", "update", "undo", "append", "compare", "dedupe", "rename", "fill"])
def test_docstring_names_every_argument(function):
    value = getattr(scoresheet, function)
    text = inspect.getdoc(value)
    for name in inspect.signature(value).parameters:
        assert re.search(rf"^    \*{{0,2}}{name}: ", text, re.M), name


def test_base_and_game_members_are_all_documented():
    for kind in (scoresheet.Base, scoresheet.Game, scoresheet.Table, scoresheet.Writer):
        missing = [name for name in dir(kind) if not name.startswith("_") and not getattr(kind, name).__doc__]
        assert missing == [], kind


SETTINGS = ROOT / "bindings/python/pyproject.toml"
MYPY = [sys.executable, "-m", "mypy", "--config-file", SETTINGS, "--no-error-summary", "--cache-dir", os.devnull]


def test_types_pass_mypy_strict():
    """The package itself, and a file that uses all of it."""
    pytest.importorskip("mypy")
    # As modules, not as files: beside the installed files are the modules of other packages.
    names = [path.stem for path in Path(scoresheet.__file__).parent.glob("*.py") if path.name not in ("__init__.py", "__main__.py")]
    names = [name for name in names if name != "spark" or importlib.util.find_spec("pyspark")]
    modules = [word for name in names for word in ("-m", "scoresheet." + name)]
    for checked in (["-m", "scoresheet", *modules], [Path(__file__).with_name("typing_example.py")]):
        done = subprocess.run([*MYPY, *checked], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_types_wrong_arguments_are_found(tmp_path):
    pytest.importorskip("mypy")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import scoresheet\n"
        'scoresheet.scan("a", rows="moves")\n'
        'scoresheet.scan("a", playr="x")\n'
        'scoresheet.open(3)\n'
        "scoresheet.write([1], 'a.pgn')\n"
    )
    done = subprocess.run([*MYPY, wrong], capture_output=True, text=True)
    lines = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line}
    assert lines == {2, 3, 4, 5}, done.stdout


README = (ROOT / "bindings/python/README.md").read_text()


def test_readme_examples_run(tmp_path, monkeypatch):
    """The Python blocks run in order, in a folder with the files that they name."""
    blocks = re.findall(r"```python\n(.*?)```", README, re.S)
    assert len(blocks) >= 3
    monkeypatch.chdir(tmp_path)
    Path("games.pgn").write_text(GAMES)
    scoresheet.convert("games.pgn", "twic.si4")
    scoresheet.convert("games.pgn", "club.si4")
    Path("week.pgn").write_text(GAMES)
    Path("bases").mkdir()
    scoresheet.convert("games.pgn", "bases/twic.pgn")
    names = {}
    for block in blocks:
        if "spark" not in block:
            exec(compile(block, "README.md", "exec"), names)
