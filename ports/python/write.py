"""Writes a base from canonical lines: a writer for run.py --write of ports/conformance.

    python3 ports/python/write.py LINES FILE
"""

import json
import sys
from pathlib import Path

import ca_writer
import cbf_writer
import cbh2_writer
import cbh_writer
import dcg_writer
import movecode_writer
import pgn_writer
import scid_writer

WRITERS = {".2cbh": cbh2_writer.write, ".cbh": cbh_writer.write, ".cdp": ca_writer.write, ".cbf": cbf_writer.write, ".dci": dcg_writer.write, ".jose": movecode_writer.write,
           ".pgn": pgn_writer.write}


def files(games, extension):
    """The files of a base by their extensions. Games are those of canonical lines."""
    if extension in (".si4", ".si5"):
        return dict(zip(["s%s%s" % (kind, extension[-1]) for kind in "ing"], scid_writer.write(games, extension == ".si5")))
    return WRITERS[extension](games)


def main(lines, path):
    games = [json.loads(line) for line in Path(lines).read_text("utf-8").split("\n") if line]
    for extension, data in files(games, Path(path).suffix.lower()).items():
        Path(path).with_suffix("." + extension).write_bytes(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
