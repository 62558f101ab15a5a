"""Runs a port over the cases of the bundle. (README.md)

    python3 run.py                              are the files of the bundle intact?
    python3 run.py FORMAT|all PORT [WORD ...]   does `PORT WORD ... FILE [--encoding E] [--option O]` print the lines?
    python3 run.py FORMAT --write WRITER [WORD ...] -- PORT [WORD ...]
                                                does PORT print the lines of the bases that `WRITER WORD ... LINES FILE` writes?
"""
import json
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path


def crc32(path):
    return "%08x" % zlib.crc32(path.read_bytes())


def without_wording(line):
    """A line with `"error"` asks for an error in words of your own."""
    error, found, game = line.partition(b'","game":')
    return b"error" + game if found and line.startswith(b'{"error":"') else line


def printed(port, case, expected, path):
    words = [*port, str(path)]
    words += ["--encoding", case["encoding"]] if case["encoding"] else []
    words += ["--option", expected["option"]] if expected["option"] else []
    got = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return [*map(without_wording, got.split(b"\n"))]


def written(writer, port, case, folder):
    """Whether a written base has the games of a sound case, and whether its files are equal byte for byte."""
    with tempfile.TemporaryDirectory() as made:
        path = Path(made, case["open"])
        subprocess.run([*writer, str(folder / "expected.jsonl"), str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        good = printed(port, {"encoding": None}, {"option": None}, path) == (folder / "expected.jsonl").read_bytes().split(b"\n")
        return good, good and all(Path(made, file["name"]).is_file() and crc32(Path(made, file["name"])) == file["crc32"] for file in case["files"])


root = Path(__file__).resolve().parent
wanted, port, writer = sys.argv[1] if sys.argv[1:] else "all", sys.argv[2:], []
if port[:1] == ["--write"] and "--" in port:
    writer, port = port[1:port.index("--")], port[port.index("--") + 1:]
passed = failed = same = 0
for case in json.loads((root / "manifest.json").read_text("utf-8"))["cases"]:
    if wanted not in ("all", case["name"].split("/")[0]):
        continue
    folder = root / "fixtures" / case["name"]
    if writer and (case["damaged"] or b'{"error":' in (folder / "expected.jsonl").read_bytes()):
        continue
    for expected in case["expected"][:1] if writer else case["expected"]:
        lines = folder / expected["lines"]
        good = crc32(lines) == expected["crc32"] and all(crc32(folder / file["name"]) == file["crc32"] for file in case["files"])
        if good and writer:
            good, equal = written(writer, port, case, folder)
            same += equal
        elif good and port:
            good = printed(port, case, expected, folder / case["open"]) == [*map(without_wording, lines.read_bytes().split(b"\n"))]
        passed, failed = passed + good, failed + (not good)
        if not good:
            print("differs:", case["name"], expected["lines"], "rules", ", ".join(case["covers"]))
print("%d passed, %d failed" % (passed, failed))
if writer:
    print("%d equal byte for byte" % same)
sys.exit(failed > 0 or passed == 0)
