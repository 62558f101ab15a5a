"""Writes each sound case of each format from its expected lines (write.py), and compares with the program and with Scid.

    python3 ports/python/writing.py PROGRAM [FORMAT|CASE ...]

PROGRAM is `scoresheet`. The files must equal those that it writes from the same lines, where the page of the format calls them
canonical, and the lines must be read back. Of bases that Scid wrote, records, names and entries of the index must equal Scid's.
Exits with 1 if a case differs without a reason below, or if docs/coverage.md does not have the rows that are printed.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import jose
import lines as reader
import pgn_writer
import scid
import write
from scid import number
from vectors import cases

# Each format, and the extension of the bases that are written.
EXTENSIONS = {"scid": ".si4", "dcg": ".dci", "cbf": ".cbf", "movecode": ".jose", "chessassistant": ".cdp", "cbh": ".cbh", "cbh2": ".2cbh"}
COVERAGE = Path(__file__).resolve().parents[2] / "docs/coverage.md"

# What JSON does not tell of a base that Scid wrote.
NOT_COMPARED = {
    "deadspace": "a game was replaced: its old record is still there",
    "latin1": "its texts are not UTF-8",
}
# Why a case is not read back.
REASONS = {
    "cbf/charset_cp437": "letters that CP850, in which a base is written, does not have (cbf §10)",
    "cbf/headers": "a game closed to others is written as an open one (cbf §9)",
    "cbh/annotation_forms": "a place of a text that only `annotations=exact` shows (cbh §5.3.27)",
    "cbh/clauses": "a blank between squares and arrows (cbh §5.3.18)",
    "cbh/encoded_texts": "a name that fills its field, in an encoding that the user names (cbh §6.2.1)",
    "cbh/setups_bits": "a start position of more than 32 pieces is refused (cbh §4.2)",
    "cbh/shapes": "the clock of White comes first (cbh §5.1.8)",
    "cbh2/clauses": "an event date of which nothing is known is none (cbh §10.3)",
    "cbh2/fields": "titles stand in the order of their languages (cbh2 §6.4.1)",
    "cbh2/values": "a rating type with bytes behind the zero of its name (cbh2 §9.5)",
    "chessassistant/encoding_description": "the description of the base, which lines do not have, tells the encoding",
    "dcg/tags": "texts before and behind variations move (dcg §9.1)",
}


def canonical(family, files):
    """The files that are compared; of an archive the tables, of ChessBase 17 those that do not follow from the others."""
    if family == "chessassistant":
        return {}
    if family == "cbh2":
        return {kind: files[kind] for kind in ("2cbh", "2cbg", "2cba", "2lid")}
    return jose.unpack(files["jose"]) if family == "movecode" else files


def check(program, folder):
    """Whether the files are the program's, and whether the lines are read back: by the program, where no bytes are compared."""
    family, lines = folder.parent.name, folder / "expected.jsonl"
    extension = ".si5" if (folder / "base.si5").is_file() else EXTENSIONS[family]
    with tempfile.TemporaryDirectory() as made:
        mine, theirs = Path(made, "mine"), Path(made, "theirs")
        for place in mine, theirs:
            place.mkdir()
        subprocess.run([program, "convert", "--quiet", lines, theirs / ("base" + extension)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        write.main(lines, mine / ("base" + extension))
        found, wanted = [{path.suffix[1:]: path.read_bytes() for path in place.iterdir()} for place in (mine, theirs)]
        same, base = canonical(family, found) == canonical(family, wanted), mine / ("base" + extension)
        if family != "chessassistant":
            back = "".join(reader.line(*game) + "\n" for game in reader.lines(base)).encode()
        else:
            back = subprocess.run([program, "show", "--quiet", "--lines", base], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        return same, back == lines.read_bytes()


def check_pgn(problems):
    """The row of PGN: the texts of all cases, from their lines. Facts of a base, behind the games, are not in lines. (pgn §2.4)"""
    count = 0
    for path in sorted((COVERAGE.parents[1] / "fixtures").glob("*/*/expected.pgn")):
        text = path.read_bytes()
        if b"\n%about " in text:
            continue
        count += 1
        lines = map(json.loads, filter(None, (path.parent / "expected.jsonl").read_text("utf-8").split("\n")))
        if pgn_writer.write([line.get("game", line) for line in lines])["pgn"] != text:
            problems.append("%s/%s: the PGN differs" % path.parts[-3:-1])
    differing = sum("the PGN differs" in problem for problem in problems)
    return "| pgn | %d | %d | no port reads it | the cases with damage are among them |" % (count, count - differing)


def sound(folder):
    """Not damaged, and no book."""
    return not folder.name.startswith("bad_") and not (folder / "base.fbk").is_file() and '{"error":' not in (folder / "expected.jsonl").read_text("utf-8")


def by_scid(folder):
    version5 = (folder / "base.si5").is_file()
    return "written by Scid" in (folder / "case.toml").read_text("utf-8") and (version5 or (folder / "base.si4").is_file())


def check_scid(folder):
    """What differs from the files that Scid wrote."""
    version = "5" if (folder / "base.si5").is_file() else "4"

    def read(extension):
        return (folder / ("base." + extension + version)).read_bytes()

    lines = (folder / "expected.jsonl").read_text("utf-8").split("\n")[:-1]
    files = write.files([json.loads(line) for line in lines], ".si" + version)
    mine, theirs = (entries(data, version) for data in (files["si" + version], read("si")))
    problems = ["the files .s%s differ" % kind for kind in "gn" if files["s" + kind + version] != read("s" + kind)]
    differing = [place for place, pair in enumerate(zip(mine, theirs), 1) if pair[0] != pair[1]]
    if differing or len(mine) != len(theirs):
        problems.append("entries %s differ" % differing)
    return problems


def entries(index, version):
    header, size = (0, 56) if version == "5" else (182, 47)
    found = []
    for at in range(header, len(index), size):
        entry = bytearray(index[at:at + size])
        # No event date has two forms. (scid §2.2.27)
        if size == 47 and scid.entry_4(bytes(entry))["event date"] == 0:
            entry[25:29] = (number(entry, 25, 4) & 0xfffff).to_bytes(4, "big")
        found.append(bytes(entry))
    return found


def main(program, *wanted):
    problems, count = [], 0
    for folder in cases("scid"):
        if not wanted and sound(folder) and by_scid(folder) and folder.name not in NOT_COMPARED:
            count += 1
            problems += ["scid/%s: %s" % (folder.name, problem) for problem in check_scid(folder)]
    print("scid: %d bases of Scid written again, byte for byte" % count)
    coverage = COVERAGE.read_text("utf-8")
    for family in EXTENSIONS:
        rows = {}
        for folder in cases(family):
            name = "%s/%s" % (family, folder.name)
            if not sound(folder) or wanted and family not in wanted and folder.name not in wanted:
                continue
            same, back = rows[name] = check(program, folder)
            if not same:
                problems.append("%s: the bytes differ" % name)
            if back == (name in REASONS):
                problems.append("%s: %s" % (name, "it is read back, but has a reason" if back else "it is not read back"))
        same = "none is canonical" if family == "chessassistant" else sum(same for same, _ in rows.values())
        read = sum(back for _, back in rows.values())
        row = "| %s | %d | %s | %s | %s |" % (family, len(rows), same, read,
                                              "; ".join("%s: %s" % (name.split("/")[1], REASONS[name]) for name in rows if name in REASONS))
        print(row)
        if not wanted and row not in coverage:
            problems.append("docs/coverage.md does not have this row of %s" % family)
    if not wanted or "pgn" in wanted:
        row = check_pgn(problems)
        print(row)
        if row not in coverage:
            problems.append("docs/coverage.md does not have this row of pgn")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
