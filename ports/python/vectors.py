"""Reads every base of fixtures/ that these ports can read, and compares with expected.jsonl.

    python3 ports/python/vectors.py [FORMAT|CASE ...]

Exits with 1 if a line differs.
"""

import json
import re
import sys
from pathlib import Path

import lines
from game import canonical

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
FORMATS = ["scid", "dcg", "cbh", "cbh2", "movecode", "chessassistant", "cbf"]
# The file to open, where case.toml names none.
OPEN = ["si3", "si4", "si5", "dci", "cbv", "cbh", "2cbh", "jose", "cdp", "d00", "cbf", "fbk"]


def differs(found, expected):
    """What is wrong with a line, or nothing."""
    error, game = found
    if '{"error":' == expected[:9]:
        if error is None:
            return "no error"
        # The wording of an error is everybody's own.
        expected = canonical(json.loads(expected)["game"])
    elif error is not None:
        return "error: " + error
    found = canonical(game)
    return None if found == expected else "%s\n  expected %s" % (found, expected)


def check(folder):
    """What is wrong with a case: an empty list if nothing is."""
    about = (folder / "case.toml").read_text("utf-8")

    def stated(key):
        found = re.search('^%s = "(.*)"' % key, about, re.M)
        return found and found.group(1)

    path = folder / (stated("open") or main_file(folder))
    problems = []
    for wanted in sorted(folder.glob("expected*.jsonl")):
        # porting §3: expected.NAME.VALUE.jsonl is read with an option
        option = wanted.name.split(".")[1:-1]
        found = list(lines.lines(path, stated("encoding"), [option] if option else []))
        expected = wanted.read_text("utf-8").split("\n")[:-1]
        if len(found) != len(expected):
            problems.append("%s: %d games, not %d" % (wanted.name, len(found), len(expected)))
        for number, pair in enumerate(zip(found, expected), 1):
            problem = differs(*pair)
            if problem:
                problems.append("%s, game %d: %s" % (wanted.name, number, problem))
    return problems


def main_file(folder):
    there = {path.suffix[1:].lower(): path.name for path in folder.iterdir() if path.stem.lower() == "base"}
    return next(there[extension] for extension in OPEN if extension in there)


def cases(family):
    return sorted(folder for folder in (FIXTURES / family).iterdir() if folder.is_dir())


def main(wanted):
    failed = 0
    for family in FORMATS:
        folders = [folder for folder in cases(family) if not wanted or family in wanted or folder.name in wanted]
        for folder in folders:
            problems = check(folder)
            failed += bool(problems)
            for problem in problems[:5]:
                print("%s/%s: %s" % (family, folder.name, problem))
        print("%s: %d cases" % (family, len(folders)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
