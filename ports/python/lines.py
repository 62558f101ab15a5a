"""Prints the canonical lines of the base that a file belongs to. (model §5)

    python3 ports/python/lines.py FILE [--encoding LABEL] [--option NAME=VALUE]

This is a port as the runners of ports/conformance want it.
"""

import sys
from pathlib import Path

import cbf
import cbh
import cbh2
import chessassistant
import dcg
import fbk
import jose
import movecode
import scid
from game import Damage, Game, canonical
from texts import variant_error


def open_base(path, encoding=None, options=()):
    """The base that a file belongs to: the files of its folder that have its stem."""
    path = Path(path)
    options = dict(options)
    extension = path.suffix[1:].lower()
    if extension in ("jose", "myd", "frm", "myi"):
        return open_jose(path, extension, encoding, options)
    files = {file.suffix[1:].lower(): file.read_bytes() for file in sorted(path.parent.iterdir())
             if file.is_file() and file.stem.lower() == path.stem.lower()}
    read = files.get
    if extension in ("cbh", "cbv"):
        if extension == "cbv":
            files = cbh.unpack(files["cbv"])
            # cbh §9.1.4: an archive is one of a whole base
            if files.get("cbg") is None:
                raise Damage("the archive has no moves")
        return cbh.Base(files, encoding, options.get("annotations") == "exact")
    if extension in ("2cbh", "2cbg", "2cba", "2lid"):
        return cbh2.Base(files, options.get("annotations") == "exact")
    if extension in ("dci", "dcn", "dcs", "dce", "dcg"):
        return dcg.Base(*[read(each) for each in ("dci", "dcn", "dcs", "dce", "dcg")], options.get("promotions"))
    if extension in ("cdp", "emb", "d00", "a02", "d02"):
        return chessassistant.Base(*[read(each) for each in ("cdp", "emb", "d00", "a02", "d02")], encoding, options.get("reading"))
    if extension == "fbk":
        return fbk.Base(files["fbk"])
    if extension in ("cbf", "cbi"):
        return cbf.Base(read("cbf"), read("cbi"), encoding, options.get("dialect"), options.get("records") == "walk")
    if extension[:1] == "s" and extension[-1:] in "345":
        # scid §1.3: of names and games one may be missing
        found = [read(kind + extension[-1]) for kind in ("si", "sn", "sg")]
        if found[1:] == [None, None]:
            raise Damage("files are missing")
        return scid.Base(*[data or b"" for data in found], extension[-1] == "5")
    raise Damage("%s is of no format that is read here" % path)


def open_jose(path, extension, encoding, options):
    # movecode §8
    if extension == "jose":
        files = jose.unpack(path.read_bytes())
    else:
        files = {file.name.lower(): file.read_bytes() for file in sorted(path.parent.iterdir()) if file.is_file()}
    return movecode.Base(files, encoding, options.get("dialect", "auto"))


def lines(path, encoding=None, options=()):
    """(error or None, game as JSON) for each game; one for a base that does not open."""
    try:
        base = open_base(path, encoding, options)
    except Damage as damage:
        yield str(damage), Game().json()
        return
    for number in range(base.length):
        game, error = base.game(number)
        # model §4.1
        yield error or variant_error(game), game.json()


def line(error, game):
    return canonical(game if error is None else {"error": error, "game": game})


def main(words):
    path, encoding, options = words[0], None, []
    for name, value in zip(words[1::2], words[2::2]):
        if name == "--encoding":
            encoding = value
        elif name == "--option":
            options.append(value.split("=", 1))
    for error, game in lines(path, encoding, options):
        sys.stdout.buffer.write(line(error, game).encode("utf-8") + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
