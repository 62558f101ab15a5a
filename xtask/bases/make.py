"""Makes the bases of fixtures/ that no program wrote, byte by byte.

    python3 xtask/bases/make.py [--check]

Writes the files of each base and its case.toml, or with --check compares them and exits with 1 if
one differs. `cargo xtask fixtures` makes what reading them must give; a person must have looked at
that before it is committed.
"""

import sys
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ORIGIN = "made byte by byte from docs/formats/%s.md by xtask/bases/%s.py; no program wrote it"


class Case:
    """A base: its files by extension, and what case.toml says of it."""

    def __init__(self, family, name, files, covers, games, expect=None, notes=None):
        self.family, self.name, self.files = family, name, files
        self.covers, self.games, self.expect, self.notes = covers, games, expect, notes
        self.format, self.script = family, family + "_bases"
        self.options = []  # name=value, each read as well
        self.encoding = None  # to read it in, where a user must say
        self.open = None  # the file to open, if it is not the usual one

    def toml(self):
        lines = [
            'format = "%s"' % self.format,
            'origin = "%s"' % (ORIGIN % (self.family, self.script)),
            'licence = "MIT OR Apache-2.0"',
            "covers = [%s]" % ", ".join('"%s"' % rule for rule in sorted(set(self.covers), key=order)),
            "games = %d" % self.games,
        ]
        if self.encoding:
            lines.append('encoding = "%s"' % self.encoding)
        if self.open:
            lines.append('open = "%s"' % self.open)
        if self.options:
            lines.append("options = [%s]" % ", ".join('"%s"' % option for option in self.options))
        if self.notes:
            lines.append('notes = "%s"' % self.notes)
        if self.expect:
            lines.append('expect = "%s"' % self.expect)
        return "\n".join(lines) + "\n"

    def contents(self):
        """Everything in its folder but what is expected of it."""
        files = {"base." + extension: bytes(data) for extension, data in self.files.items() if data is not None}
        return {**files, "case.toml": self.toml().encode()}


def order(rule):
    rule, _, clause = rule.partition(" ")
    return [int(part) for part in rule.split(".")], clause


def main(check):
    import cbf_bases
    import cbh2_bases
    import cbh2_doubts
    import cbh2_edges
    import cbh2_more
    import cbh_bases
    import cbh_ends
    import cbh_rules
    import chessassistant_bases
    import clauses
    import dcg_bases
    import movecode_bases
    import rule_edges
    import rule_gaps
    import scid_bases

    differing = 0
    scripts = [cbf_bases, cbh2_bases, cbh2_doubts, cbh2_edges, cbh2_more, cbh_bases, cbh_ends, cbh_rules, chessassistant_bases, clauses, dcg_bases, movecode_bases, rule_edges, rule_gaps, scid_bases]
    for case in [case for script in scripts for case in script.cases()]:
        folder = FIXTURES / case.family / case.name
        for name, data in case.contents().items():
            path = folder / name
            same = path.is_file() and path.read_bytes() == data
            if same:
                continue
            if check:
                differing += 1
                print("%s/%s/%s is not what xtask/bases makes" % (case.family, case.name, name))
            else:
                folder.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] == ["--check"]))
