"""Reads every base of fixtures/ that these ports can read, and compares with expected.jsonl.

    python3 ports/python/vectors.py [--coverage] [CASE ...]

Exits with 1 if a line differs.
"""

import json
import re
import sys
from pathlib import Path

import cbh
import dcg
import scid
from game import Damage, Game, canonical

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def lines(folder, family, exact):
    """A line for each game; [error, game] where there is one."""
    try:
        base = open_base(folder, family, exact)
    except Damage as damage:
        return [(str(damage), Game().json())]
    games = (base.game(number) for number in range(base.length))
    return [(error, game.json()) for game, error in games]


def open_base(folder, family, exact):
    files = {path.suffix[1:].lower(): path.read_bytes() for path in folder.iterdir() if path.stem.lower() == "base"}
    read = files.get
    if family == "cbh":
        named = re.search('^encoding = "(.*)"', (folder / "case.toml").read_text("utf-8"), re.M)
        if "cbv" in files:
            files = cbh.unpack(files["cbv"])
            # cbh §9.1.4: an archive is one of a whole base
            if files.get("cbg") is None:
                raise Damage("the archive has no moves")
        return cbh.Base(files, named and named.group(1), exact)
    if family == "dcg":
        return dcg.Base(*[read(extension) for extension in ("dci", "dcn", "dcs", "dce", "dcg")])
    version = next(v for v in "543" if read("si" + v) is not None)
    # scid §1.3: of names and games one may be missing
    files = [read(kind + version) for kind in ("si", "sn", "sg")]
    if files[1:] == [None, None]:
        raise Damage("files are missing")
    return scid.Base(*[data or b"" for data in files], version == "5")


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


def check(folder, family):
    """What is wrong with a case: an empty list if nothing is."""
    problems = []
    # The one option of these formats that changes what is read. (cbh §5.3.17)
    for exact, name in (False, "expected.jsonl"), (True, "expected.annotations.exact.jsonl"):
        if not (folder / name).is_file():
            continue
        found = lines(folder, family, exact)
        expected = (folder / name).read_text("utf-8").split("\n")[:-1]
        if len(found) != len(expected):
            problems.append("%d games, not %d" % (len(found), len(expected)))
        for number, pair in enumerate(zip(found, expected), 1):
            problem = differs(*pair)
            if problem:
                problems.append("game %d: %s" % (number, problem))
    return problems


def cases(family):
    return sorted(folder for folder in (FIXTURES / family).iterdir() if folder.is_dir())


def main(wanted):
    failed = 0
    for family in ("scid", "dcg", "cbh"):
        count = 0
        for folder in cases(family):
            if wanted and folder.name not in wanted:
                continue
            count += 1
            problems = check(folder, family)
            failed += bool(problems)
            for problem in problems[:5]:
                print("%s/%s: %s" % (family, folder.name, problem))
        print("%s: %d cases" % (family, count))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
