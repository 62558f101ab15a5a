"""Writes a Scid base from canonical lines: a writer for run.py --write of ports/conformance.

    python3 ports/python/write.py LINES FILE.si4|FILE.si5
"""

import json
import sys
from pathlib import Path

import scid_writer


def main(lines, path):
    path = Path(path)
    games = [json.loads(line) for line in Path(lines).read_text("utf-8").splitlines()]
    index, names, records = scid_writer.write(games, path.suffix == ".si5")
    for kind, data in ("i", index), ("n", names), ("g", records):
        path.with_suffix(".s%s%s" % (kind, path.suffix[-1])).write_bytes(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
