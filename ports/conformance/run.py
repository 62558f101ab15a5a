"""Runs a port over the cases of the bundle. (README.md)

    python3 run.py                              are the files of the bundle intact?
    python3 run.py FORMAT|all PORT [WORD ...]   does `PORT WORD ... FILE [--encoding E] [--option O]` print the lines?
"""
import json
import subprocess
import sys
import zlib
from pathlib import Path


def crc32(path):
    return "%08x" % zlib.crc32(path.read_bytes())


def without_wording(line):
    """A line with `"error"` asks for an error in words of your own."""
    error, found, game = line.partition(b'","game":')
    return b"error" + game if found and line.startswith(b'{"error":"') else line


root = Path(__file__).resolve().parent
wanted, port = sys.argv[1] if sys.argv[1:] else "all", sys.argv[2:]
passed = failed = 0
for case in json.loads((root / "manifest.json").read_text("utf-8"))["cases"]:
    if wanted not in ("all", case["name"].split("/")[0]):
        continue
    folder = root / "fixtures" / case["name"]
    for expected in case["expected"]:
        lines = folder / expected["lines"]
        good = crc32(lines) == expected["crc32"] and all(crc32(folder / file["name"]) == file["crc32"] for file in case["files"])
        if good and port:
            words = [*port, str(folder / case["open"])]
            words += ["--encoding", case["encoding"]] if case["encoding"] else []
            words += ["--option", expected["option"]] if expected["option"] else []
            got = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
            good = [*map(without_wording, got.split(b"\n"))] == [*map(without_wording, lines.read_bytes().split(b"\n"))]
        passed, failed = passed + good, failed + (not good)
        if not good:
            print("differs:", case["name"], expected["lines"], "rules", ", ".join(case["covers"]))
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed > 0 or passed == 0)
