"""Writes the games of the bases that Scid wrote, and compares the bytes with Scid's.

Compared are the records, the names and the entries of the index.

    python3 ports/python/writing.py

Exits with 1 if a byte differs.
"""

import json
import sys

import scid
import scid_writer
from scid import number
from vectors import cases

# What JSON does not tell.
NOT_COMPARED = {
    "deadspace": "a game was replaced: its old record is still there",
    "latin1": "its texts are not UTF-8",
}


def check(folder, version5):
    def read(extension):
        return (folder / ("base." + extension + "45"[version5])).read_bytes()

    lines = (folder / "expected.jsonl").read_text("utf-8").splitlines()
    index, names, games = scid_writer.write([json.loads(line) for line in lines], version5)
    header, size = (0, 56) if version5 else (182, 47)
    mine, theirs = (entries(data, header, size) for data in (index, read("si")))
    problems = []
    if games != read("sg"):
        problems.append("the games differ")
    if names != read("sn"):
        problems.append("the names differ")
    differing = [number for number, pair in enumerate(zip(mine, theirs), 1) if pair[0] != pair[1]]
    if differing or len(mine) != len(theirs):
        problems.append("entries %s differ" % differing)
    return problems


def entries(index, header, size):
    found = []
    for at in range(header, len(index), size):
        entry = bytearray(index[at:at + size])
        # No event date has two forms. (scid §2.2.27)
        if size == 47 and scid.entry_4(bytes(entry))["event date"] == 0:
            entry[25:29] = (number(entry, 25, 4) & 0xfffff).to_bytes(4, "big")
        found.append(bytes(entry))
    return found


def main():
    failed = count = 0
    for folder in cases("scid"):
        version5 = (folder / "base.si5").is_file()
        by_scid = "written by Scid" in (folder / "case.toml").read_text("utf-8")
        sound = by_scid and not folder.name.startswith("bad_") and (version5 or (folder / "base.si4").is_file())
        if not sound:
            continue
        if folder.name in NOT_COMPARED:
            print("scid/%s: not compared: %s" % (folder.name, NOT_COMPARED[folder.name]))
            continue
        count += 1
        for problem in check(folder, version5):
            failed += 1
            print("scid/%s: %s" % (folder.name, problem))
    print("scid: %d bases written again, byte for byte" % count)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
