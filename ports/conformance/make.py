"""Makes the bundle from a checkout: the folder conformance/scoresheet-vectors-VERSION and its archive. (README.md)

    python3 ports/conformance/make.py [--check]

--check fails if the expected lines are not those that lines.tsv records for the version. Needs Python 3.8 or later, and nothing else.
"""
import gzip
import json
import re
import shutil
import sys
import tarfile
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OWN = ROOT / "ports/conformance"
FOLDERS = "docs/formats", "fixtures", "ports/go", "ports/python", "ports/javascript"
FILES = "LICENSE-APACHE", "LICENSE-MIT", "docs/model.md", "docs/porting.md", "docs/coverage.md"
# The pictures that the pages of formats show.
PICTURES = "ruler-", "bits-", "bytes-", "pieces-"
# The file to open, where case.toml names none.
OPEN = "si5", "si4", "si3", "dci", "cbv", "cbh", "2cbh", "jose", "cdp", "cbf", "fbk", "pgn"


def crc32(data):
    return "%08x" % zlib.crc32(data)


def rules_of(page):
    """The numbers of a page's rules for readers: numbered statements, and rows of tables that begin with `#`. (porting §2)"""
    found, section, kind, in_table = [], "", None, False
    for line in page.splitlines():
        if line.startswith("#"):
            heading = re.match(r"#+ §?([0-9.]+?)\.? (.*)", line)
            section, kind = heading.group(1) if heading else "", None
            in_errata = bool(heading) and heading.group(2).startswith(("Errata", "The published description"))
            continue
        marker = re.match(r"\*\*(Reader|Writer|Here)\*\*", line)
        kind = marker.group(1) if marker else kind
        in_table = line.startswith("|") and (in_table or line.startswith("| # |"))
        number = re.match(r"\| ([0-9]+) \|", line) if in_table else re.match(r"([0-9]+)\. ", line) if kind else None
        if number and section and not in_errata and kind != "Writer":
            found.append("%s.%s" % (section, number.group(1)))
    return found


def about(folder):
    """case.toml: a key and a value of one line each."""
    rows = (line.split(" = ", 1) for line in (folder / "case.toml").read_text("utf-8").splitlines() if " = " in line)
    return {key: json.loads(value) for key, value in rows}


def open_file(folder, named):
    if named:
        return named
    there = {path.suffix[1:].lower(): path.name for path in folder.iterdir() if path.stem.lower() == "base"}
    return next(there[extension] for extension in OPEN if extension in there)


def entry(folder):
    case = about(folder)
    files = [path for path in sorted(folder.iterdir())
             if path.is_file() and path.name not in ("case.toml", "source.pgn") and not path.name.startswith("expected.")]
    expected = []
    for option in [None, *case.get("options", [])]:
        lines = "expected.%sjsonl" % (option.replace("=", ".") + "." if option else "")
        data = (folder / lines).read_bytes()
        expected.append({"option": option, "lines": lines, "games": data.count(b"\n"), "crc32": crc32(data)})
    contents = [(path.name, path.read_bytes()) for path in files]
    return {
        "name": "%s/%s" % (folder.parent.name, folder.name), "format": case["format"], "open": open_file(folder, case.get("open")),
        "files": [{"name": name, "bytes": len(data), "crc32": crc32(data)} for name, data in contents],
        "encoding": case.get("encoding"), "expected": expected, "covers": case.get("covers", []), "damaged": folder.name.startswith("bad_"),
        "expect": case.get("expect"), "notes": case.get("notes"), "origin": case["origin"],
    }


def described(family, entries):
    """A format: its page, and for each rule and clause for readers the cases that show it."""
    name = "docs/formats/%s.md" % family
    page, shown = (ROOT / name).read_text("utf-8"), {}
    for case in entries:
        for cover in case["covers"]:
            rule, _, clause = cover.partition(" ")
            shown.setdefault(rule, {}).setdefault(clause, []).append(case["name"])
    rules, clauses = {}, {}
    for rule in rules_of(page):
        of_rule = shown.get(rule, {})
        rules[rule] = sorted({case for cases in of_rule.values() for case in cases})
        clauses.update({"%s %s" % (rule, clause): cases for clause, cases in of_rule.items() if clause})
    return {"page": name, "page_bytes": len(page.encode()), "cases": len(entries), "games": sum(case["expected"][0]["games"] for case in entries),
            "rules": rules, "clauses": clauses}


def table(entries):
    """manifest.tsv: a row for each reading of each case; an empty cell means none."""
    rows = ["case\topen\tencoding\toption\tlines\tgames\tcrc32"]
    for case in entries:
        for expected in case["expected"]:
            cells = case["name"], case["open"], case["encoding"], expected["option"], expected["lines"], expected["games"], expected["crc32"]
            rows.append("\t".join("" if cell is None else str(cell) for cell in cells))
    return "\n".join(rows) + "\n"


def record_lines(version, rows, check):
    """Compares the sum of all expected lines with lines.tsv, and writes it there for a version that is new or not released."""
    changes, path = (OWN / "CHANGES.md").read_text("utf-8"), OWN / "lines.tsv"
    if "\n## %s" % version not in changes:
        sys.exit("CHANGES.md has no section for version %s" % version)
    row, known = "%s\t%s" % (version, crc32(rows.encode())), path.read_text("utf-8").splitlines()
    is_open = "\n## %s (not released)" % version in changes
    others = [line for line in known if not line.startswith(version + "\t")]
    if row in known or check and is_open:
        return
    if len(others) < len(known) and not is_open:
        sys.exit("expected lines differ from version %s: raise VERSION and say why in CHANGES.md" % version)
    if check:
        sys.exit("lines.tsv lacks the row %r: run ports/conformance/make.py" % row)
    path.write_text("\n".join([*others, row]) + "\n", "utf-8")


def pack(folder, archive):
    """The same input gives the same archive: names in order, no times, no owners."""
    def plain(member):
        member.mtime = member.uid = member.gid = 0
        member.uname = member.gname = ""
        return member

    with open(archive, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in [folder, *sorted(folder.rglob("*"))]:
            tar.add(path, str(path.relative_to(folder.parent)), recursive=False, filter=plain)


def main(check):
    version = (OWN / "VERSION").read_text("utf-8").strip()
    families = sorted(path.name for path in (ROOT / "fixtures").iterdir() if (ROOT / "docs/formats" / (path.name + ".md")).is_file())
    entries = {family: [entry(folder) for folder in sorted((ROOT / "fixtures" / family).iterdir()) if folder.is_dir()] for family in families}
    cases = [case for family in families for case in entries[family]]
    record_lines(version, table(cases), check)
    manifest = {"version": version, "formats": {family: described(family, entries[family]) for family in families}, "cases": cases}
    made, name = ROOT / "conformance", "scoresheet-vectors-" + version
    shutil.rmtree(made, ignore_errors=True)
    folder, ignored = made / name, shutil.ignore_patterns("__pycache__", "node_modules")
    shutil.copytree(OWN, folder, ignore=ignored)
    for copied in FOLDERS:
        shutil.copytree(ROOT / copied, folder / copied, ignore=ignored)
    pictures = [path for path in (ROOT / "docs/images").iterdir() if path.name.startswith(PICTURES)]
    for path in [*(ROOT / file for file in FILES), *pictures]:
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", "utf-8")
    (folder / "manifest.tsv").write_text(table(cases), "utf-8")
    archive = made / (name + ".tar.gz")
    pack(folder, archive)
    print("%s: %d cases, %d rules, %d bytes" % (archive, len(cases), sum(len(one["rules"]) for one in manifest["formats"].values()), archive.stat().st_size))


if __name__ == "__main__":
    main(sys.argv[1:] == ["--check"])
