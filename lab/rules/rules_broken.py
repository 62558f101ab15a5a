"""Breaks one rule of a reader at a time, and asks whether a case notices.

    python3 lab/rules/rules_broken.py [--list] [FORMAT[:RULE] ...]

broken/FORMAT.tsv names for each rule for readers the smallest change of ports/python that breaks it: rule, module, text of
the module, text in its place, with tabs between. A fifth cell says why no case can notice the change. A rule of which these
ports have nothing to break has "-" for the module, and the reason behind it. In texts `¶` is a line end.

Exits with 1 if a rule of a page has no line here, a text stands in its module not exactly once, a change is noticed by no
case and has no reason, or has a reason and is noticed. docs/coverage.md has the counts.
"""

import importlib.abc
import importlib.util
import multiprocessing
import os
import re
import signal
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PORTS = ROOT / "ports/python"
FORMATS = ["cbf", "cbh", "cbh2", "chessassistant", "dcg", "movecode", "scid"]
SECONDS = 20
SOURCES = {path.stem: path.read_text("utf-8") for path in PORTS.glob("*.py")}


class Ports(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the modules of ports/python, one of them changed."""

    def __init__(self, name=None, source=None):
        self.codes = {**CODES, **({name: compile(source, name, "exec")} if name else {})}

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name in self.codes else None

    def exec_module(self, module):
        module.__file__ = str(PORTS / (module.__name__ + ".py"))
        exec(self.codes[module.__name__], module.__dict__)


CODES = {name: compile(source, name, "exec") for name, source in SOURCES.items()}


class Break:
    def __init__(self, number, cells):
        self.line, self.rule, self.module = number, cells[0], cells[1]
        self.old, self.new = ([cell.replace("¶", "\n") for cell in cells[2:4]] if self.module != "-" else ("", ""))
        self.reason = cells[2] if self.module == "-" else cells[4] if len(cells) > 4 else None

    def source(self):
        """The changed module, or None if the text does not stand there exactly once."""
        source = SOURCES[self.module]
        return source.replace(self.old, self.new) if source.count(self.old) == 1 else None


def breaks(family):
    lines = (HERE / "broken" / (family + ".tsv")).read_text("utf-8").split("\n")
    return [Break(number, line.split("\t")) for number, line in enumerate(lines, 1) if line and line[0] != "#"]


def rules(family):
    """The rules for readers of a page, as cargo xtask coverage counts them."""
    section, kind, table, found, errata = "", None, False, [], False
    for line in (ROOT / "docs/formats" / (family + ".md")).read_text("utf-8").split("\n"):
        if line.startswith("#"):
            heading = re.match(r"#+ §?([0-9][^ ]*) (.*)", line)
            section, kind = (heading.group(1).rstrip("."), None) if heading else ("", None)
            errata = heading is not None and heading.group(2).startswith(("Errata", "The published description"))
            continue
        kind = next((word for word in ("Reader", "Writer", "Here") if line.startswith("**%s**" % word)), kind)
        table = line.startswith("|") and (table or line.startswith("| # |"))
        number = re.match(r"\| ([0-9]+) \|", line) if table else re.match(r"([0-9]+)\. ", line) if kind else None
        if number and not errata and kind != "Writer":
            found.append("%s.%s" % (section, number.group(1)))
    return found


def covers(folder):
    return re.findall(r'"([0-9.]+)"', next(iter(re.findall(r"^covers = .*", (folder / "case.toml").read_text("utf-8"), re.M)), ""))


def noticed(task):
    """The first case that a change fails, or None. Runs in a process of its own."""
    family, module, source, rule = task
    sys.meta_path.insert(0, Ports(module, source))
    # Processor time: a reader that never ends is noticed, a slow machine is not.
    signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    size = lambda folder: sum(file.stat().st_size for file in folder.iterdir())
    name = None
    try:
        import vectors
        folders = sorted(vectors.cases(family), key=lambda folder: (rule not in covers(folder), size(folder)))
        for folder in folders:
            name = folder.name
            if vectors.check(folder):
                return name
    except Exception as error:
        return "%s: %s" % (name, type(error).__name__)
    return None


def late(*_):
    raise TimeoutError


def main(words):
    listed, words = "--list" in words, [word for word in words if word != "--list"]
    asked = [word.partition(":") for word in words] or [(family, "", "") for family in FORMATS]
    tasks, problems, table = [], [], {}
    for family, _, only in asked:
        there = breaks(family)
        known = rules(family)
        problems += ["%s §%s: no rule has this number" % (family, one.rule) for one in there if one.rule not in known]
        problems += ["%s §%s: broken/%s.tsv has no line for it" % (family, rule, family) for rule in known if rule not in [one.rule for one in there]]
        for one in there:
            where = "broken/%s.tsv:%d, §%s" % (family, one.line, one.rule)
            if one.module == "-" or only and one.rule != only:
                continue
            source = one.source()
            if source is None:
                problems.append("%s: %s.py has this text %d times, not once" % (where, one.module, SOURCES[one.module].count(one.old)))
            else:
                tasks.append((where, one, (family, one.module, source, one.rule)))
        changed = [one for one in there if one.module != "-"]
        table[family] = [len(known), len({one.rule for one in changed}), len(changed), sum(one.reason is not None for one in changed)]
    # A process for each change, so that none sees the modules of another.
    with multiprocessing.get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        for (where, one, _), case in zip(tasks, pool.imap(noticed, [task for *_, task in tasks])):
            if listed:
                print("%s: %s" % (where, case or "not noticed"), flush=True)
            if case is None and one.reason is None:
                problems.append("%s: no case notices `%s` for `%s`" % (where, one.new, one.old))
            elif case is not None and one.reason is not None:
                problems.append("%s: %s notices it, so its reason must go" % (where, case))
    if not words:
        coverage = (ROOT / "docs/coverage.md").read_text("utf-8")
        known, broken, changes, reasons = map(sum, zip(*table.values()))
        counts = "Of %d rules for readers %d have a change. A case notices %d of the %d changes, and %d have a reason." % (
            known, broken, changes - reasons, changes, reasons)
        if counts not in coverage:
            problems.append("docs/coverage.md: it should say: " + counts)
    for problem in problems[:500]:
        print(problem)
    print("%d changes, %d problems" % (len(tasks), len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
