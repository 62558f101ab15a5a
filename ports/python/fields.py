"""Makes docs/formats/tables/*-fields.tsv: the offsets of fields of fixed size, from docs/formats/ksy; and their pictures.

    python3 ports/python/fields.py [--check]

`cargo xtask ports` holds the descriptions for Kaitai Struct against the program. A table has for each field its record, offset,
size and type (u big or little endian, i signed; bytes where a field is no number) and name, with tabs between. docs/formats/tables/*-layouts.tsv are the tables of the pages for fields without a fixed place.
"""

import re
import sys
from pathlib import Path

FORMATS = Path(__file__).resolve().parents[2] / "docs/formats"
# Table: description, its record, and the name of that in the table.
TABLES = {
    "cbh-fields": [("cbh_headers", None, ".cbh header"), ("cbh_headers", "record", ".cbh game"), ("cbh_names", "player", ".cbp data"), ("cbh_names", "tournament", ".cbt data"),
                   ("cbh_names", "annotator", ".cbc data"), ("cbh_names", "source", ".cbs data"), ("cbh_names", "team", ".cbe data"),
                   ("cbh_extended", "record", ".cbj record")],
    "cbh2-fields": [("cbh2_headers", None, ".2cbh header"), ("cbh2_headers", "game", ".2cbh game"), ("cbh2_headers", "text", ".2cbh text"), ("cbh2_headers", "analysis", ".2cbh analysis"),
                    ("cbh2_headers", "rating_type", "rating type"), ("cbh2_names", None, ".2lid header"), ("cbh2_names", "entity_type", ".2lid type of entity")],
}
# Where a record begins in its block.
BEGINS = {"game": 8, "text": 8, "analysis": 8}
BLOCKS = {"rating_type": 14, "entity_type": 20, "pair": 8, "kind": 4}
NUMBERS = {"u1": 1, "u2": 2, "u4": 4, "u8": 8, "s1": 1, "s2": 2, "s4": 4, "s8": 8, "f4": 4, "u3": 3}


def sections(text):
    """The lines of the sequence of each type; None is the file itself."""
    found, name, here = {}, None, False
    for line in text.split("\n"):
        heading = re.match(r"  ([a-z_0-9]+):$", line)
        if line == "types:" or heading:
            name, here = heading.group(1) if heading else "", False
        elif line.strip() == "seq:":
            here = True
        elif line.strip() in ("instances:", "params:"):
            here = False
        elif here and name != "":
            found.setdefault(name, []).append(line.strip())
    return found


def rows(description, record, label):
    text = (FORMATS / "ksy" / (description + ".ksy")).read_text("utf-8")
    endian, at = re.search(r"endian: (..)", text).group(1), BEGINS.get(record, 0)
    types = sections(text)
    for line in types[record]:
        field = dict(re.findall(r"(\w[\w-]*): ([^,}]+)", line))
        kind, size = field.get("type"), field.get("size", "")
        if "contents" in line:
            kind, size = None, str(len(re.search(r"\[(.*)\]", line).group(1).split(",")))
        if "is_text}" in line and "not is_text" not in line:
            continue
        if not field.get("repeat-expr", "1").isdigit():
            return
        if kind in NUMBERS:
            bytes_, kind = NUMBERS[kind], "%s%d%s" % ("f" if kind[0] == "f" else "i" if kind[0] == "s" else "u", 8 * NUMBERS[kind], "" if NUMBERS[kind] == 1 else " " + endian)
        elif size.isdigit():
            bytes_, kind = int(size), "bytes"
        elif kind in BLOCKS:
            bytes_, kind = BLOCKS[kind], kind.replace("_", " ")
        else:
            return
        count = int(field.get("repeat-expr", "1"))
        for place in range(count):
            yield label, "%02x" % at, bytes_, kind, field["id"] + (" %d" % (place + 1) if count > 1 else "")
            at += bytes_


def table(name):
    text = "# Fields of fixed size: record, offset in hexadecimal, bytes, type, name. Made from docs/formats/ksy by ports/python/fields.py.\n"
    return text + "".join("\t".join(map(str, row)) + "\n" for part in TABLES[name] for row in rows(*part))


# The page's own tables, of fields without a fixed place and of formats without a description of all fields: page, section, name of the record.
LAYOUTS = {
    "cbf-layouts": [("cbf", "3", ".cbf header")],
    "cbh-layouts": [("cbh", "7", ".cbj record")],
    "cbh2-layouts": [("cbh2", "5.5", "training"), ("cbh2", "5.6", "quotation"), ("cbh2", "6.4", "entity")],
    "chessassistant-layouts": [("chessassistant", "2", "CDP"), ("chessassistant", "3", "EMB"), ("chessassistant", "3.1", "fragment"), ("chessassistant", "3.2", "file"),
                               ("chessassistant", "4.3", "player"), ("chessassistant", "5", "D00 game")],
    "dcg-layouts": [("dcg", "3", ".dci header"), ("dcg", "4", ".dci entry")],
    "scid-layouts": [("scid", "2.1", "header"), ("scid", "2.2", "entry of version 4"), ("scid", "5.2", "entry of version 5")],
}


def layout(name):
    text = "# Fields: record, and the cells of the page's table. Made from the pages by ports/python/fields.py.\n"
    for page, section, record in LAYOUTS[name]:
        body = re.search(r"\n##+ %s .*?\n(.*?)(?=\n##)" % re.escape(section), (FORMATS / (page + ".md")).read_text("utf-8"), re.S).group(1)
        lines = [[cell.replace("`", "").replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in body.split("\n") if line.startswith("| ")]
        whose = ""
        for cells in lines[1:]:
            # An entity is named once.
            if lines[0][0] == "entity":
                whose, cells[0] = cells[0] or whose, cells[0] or whose
            text += "\t".join([record] + cells) + "\n"
    return text


# Pictures: table, record and bytes of a row.
RULERS = {"ruler-cbh": ("cbh-fields", ".cbh game", 16), "ruler-cbh2": ("cbh2-fields", ".2cbh game", 16)}


def ruler(table, record, width):
    """A record as a ruler: a row of boxes for each `width` bytes, as wide as their fields."""
    fields = [(int(at, 16), int(size), name) for label, at, size, _, name in (line.split("\t") for line in text_of(table)) if label == record]
    out, end = [], max(at + size for at, size, _ in fields)
    for at, size, name in fields:
        begin = at
        while begin < at + size:
            stop = min(at + size, begin // width * width + width)
            x, y, wide = 44 + begin % width * 44, 8 + begin // width * 34, (stop - begin) * 44
            out.append('<rect x="%d" y="%d" width="%d" height="28" fill="#f4f1ea" stroke="#2f6f4f"/>' % (x, y, wide))
            letters = name.replace("_", " ") if begin == at else ""
            shown = letters if len(letters) * 5.4 < wide - 4 else letters[:max(int((wide - 4) / 5.4), 1)]
            out.append('<text x="%d" y="%d"><title>%s</title>%s</text>' % (x + 3, y + 18, "%02x %s" % (at, name), shown))
            begin = stop
    rows = -(-end // width)
    marks = ['<text x="6" y="%d">%02x</text>' % (26 + row * 34, row * width) for row in range(rows)]
    size = 52 + width * 44, 12 + rows * 34
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="monospace" font-size="9">\n' % size
            + "<!-- made by ports/python/fields.py -->\n" + "\n".join(marks + out) + "\n</svg>\n")


def text_of(name):
    return [line for line in table(name).split("\n") if line and line[0] != "#"]


def main(check):
    differ = 0
    made = {FORMATS / "tables" / (name + ".tsv"): table(name) for name in TABLES}
    made.update({FORMATS / "tables" / (name + ".tsv"): layout(name) for name in LAYOUTS})
    made.update({FORMATS.parent / "images" / (name + ".svg"): ruler(*what) for name, what in RULERS.items()})
    for path, text in made.items():
        if not check:
            path.write_text(text, "utf-8")
        elif not path.is_file() or path.read_text("utf-8") != text:
            differ += 1
            print("%s is out of date; run python3 ports/python/fields.py" % path.name)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] == ["--check"]))
