"""The program that the package installs."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import scoresheet


def command():
    """Returns the installed program, or the module if the package is not installed."""
    found = Path(sys.executable).with_name("scoresheet")
    return [str(found)] if found.exists() else [sys.executable, "-m", "scoresheet"]


def run(*arguments, **options):
    return subprocess.run([*command(), *map(str, arguments)], capture_output=True, text=True, **options)


def test_program_and_module_say_the_version():
    for start in (command(), [sys.executable, "-m", "scoresheet"]):
        done = subprocess.run([*start, "--version"], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, f"scoresheet {scoresheet.__version__}\n")


def test_program_convert_and_list_work(pgn, tmp_path):
    out = tmp_path / "out.si4"
    assert run("convert", pgn, out).returncode == 0
    done = run("list", out, "--json")
    assert [json.loads(line)["tags"]["White"] for line in done.stdout.splitlines()] == ["Karpov, Anatoly", "Polgar, Judit"]
    again = run("convert", pgn, out)
    assert again.returncode == 3 and "exists" in again.stderr


def test_program_writes_tables(pgn, tmp_path):
    assert run("convert", pgn, tmp_path / "out.parquet", "--rows", "plies").returncode == 0
    assert (tmp_path / "out.parquet").stat().st_size > 1000


@pytest.mark.parametrize(
    "arguments, code",
    [(["--help"], 0), (["conver"], 2), ([], 2), (["info", "missing.si4"], 3), (["list", "PGN", "--player", "x"], 1)],
)
def test_program_exit_codes_are_documented(arguments, code, pgn):
    done = run(*[str(pgn) if argument == "PGN" else argument for argument in arguments])
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


def test_program_standard_streams_are_used(pgn):
    done = run("convert", "-", "-", input=pgn.read_text())
    assert done.returncode == 0 and done.stdout.count("[Event ") == 2


def test_program_closed_output_is_silent(tmp_path):
    path = tmp_path / "many.pgn"
    path.write_text("1. e4 e5 *\n\n" * 200_000)
    program = subprocess.Popen([*command(), "list", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    program.stdout.readline()
    program.stdout.close()
    assert program.stderr.read() == b"" and program.wait(30) == 0


def test_program_interrupt_leaves_nothing(tmp_path):
    path = tmp_path / "many.pgn"
    path.write_text("1. e4 e5 2. Nf3 Nc6 *\n\n" * 1_500_000)
    out = tmp_path / "out"
    out.mkdir()
    # A shell ignores the signal for tests that run in the background, and the program would too.
    heed = (lambda: signal.signal(signal.SIGINT, signal.default_int_handler)) if os.name == "posix" else None
    line = [*command(), "convert", "-q", str(path), str(out / "out.si4")]
    program = subprocess.Popen(line, stderr=subprocess.PIPE, preexec_fn=heed)
    for _ in range(500):
        if any(out.iterdir()):
            break
        time.sleep(0.02)
    program.send_signal(signal.SIGINT)
    _, said = program.communicate(timeout=30)
    assert program.returncode == 130 and b"interrupted; nothing was written" in said, said
    assert b"Traceback" not in said and list(out.iterdir()) == []


@pytest.mark.skipif(not shutil.which("script"), reason="there is no script to make a terminal")
def test_program_on_terminal_uses_its_width(pgn):
    line = " ".join([*command(), "list", str(pgn)])
    done = subprocess.run(["script", "-qec", f"stty cols 60; PAGER= {line}", "/dev/null"], capture_output=True, text=True)
    assert "Karpov" in done.stdout and max(map(len, done.stdout.splitlines())) <= 90
