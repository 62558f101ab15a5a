"""Breaks one thing of a reader at a time, and asks whether a fixture notices.

    python3 ports/python/mutants.py FORMAT [MODULE ...]

A mutant is a module of the reader with one operator, number, text, condition or statement changed.
One that reads every fixture as before survives, and is printed: a rule that no fixture exercises, or
a change that makes no difference. docs/coverage.md has the counts.
"""

import ast
import importlib.abc
import importlib.util
import os
import resource
import signal
import sys
from pathlib import Path

import vectors

HERE = Path(__file__).parent
# Seconds of processor time, and bytes of memory, that a mutant has.
SECONDS, MEMORY = 3, 1 << 30
# What is said of all damage.
SAID = "damage"
# The modules of each reader.
MODULES = {
    "cbf": ["cbf", "cbf_moves", "fbk"], "cbh": ["cbh", "cbh_commands"], "cbh2": ["cbh2", "cbh2_moves", "cbh2_notes", "cbh2_commands"],
    "chessassistant": ["chessassistant", "ca_record", "ca_volume"], "dcg": ["dcg"], "movecode": ["movecode", "jose"], "scid": ["scid"],
}
SWAPS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot,
    ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}


def changes(node):
    """The ways to change a node: pairs of what is said of it and a function that does it."""
    def swap(field, place=None):
        old = getattr(node, field) if place is None else getattr(node, field)[place]
        new = SWAPS.get(type(old))
        if new is None:
            return

        def change(node):
            if place is None:
                setattr(node, field, new())
            else:
                getattr(node, field)[place] = new()
        yield "%s for %s" % (new.__name__, type(old).__name__), change

    def constant(value):
        def change(node):
            node.value = value
        return "%r for %r" % (value, node.value), change

    def test(value):
        def change(node):
            node.test = ast.Constant(value)
        return "condition always %s" % value, change

    if isinstance(node, ast.Compare):
        for place in range(len(node.ops)):
            yield from swap("ops", place)
    elif isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)):
        yield from swap("op")
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield constant(node.value + 1)
        if node.value > 0:
            yield constant(node.value - 1)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield constant(not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) is str and node.value:
        yield constant(node.value[1:] + "~")
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield test(True)
        yield test(False)


def mutants(tree):
    """What is changed, and a function that changes it in the tree."""
    for node in ast.walk(tree):
        if skipped(node):
            continue
        for said, change in changes(node):
            yield "%d: column %d, %s" % (getattr(node, "lineno", 0), getattr(node, "col_offset", 0), said), lambda node=node, change=change: change(node)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.IfExp, ast.Lambda)):
            continue
        for field in ("body", "orelse"):
            for at, statement in enumerate(getattr(node, field, None) or []):
                if isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr, ast.Break, ast.Continue, ast.Raise)):
                    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                        continue
                    yield "%d: left out" % statement.lineno, lambda body=getattr(node, field), at=at: body.__setitem__(at, ast.Pass())


def silence(tree):
    """Empties what is only said: the words of an error, documentation."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", None)) in ("Damage", "ValueError", "WrongNumber", "fail"):
            node.args = [ast.Constant(SAID)]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant("")


def skipped(node):
    return isinstance(node, ast.Constant) and node.value in ("", SAID)


class Ports(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports all modules of this folder anew, one of them changed."""

    def __init__(self, name, code):
        self.codes = {**CODES, name: code}
        for module in CODES:
            sys.modules.pop(module, None)

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name in self.codes else None

    def exec_module(self, module):
        module.__file__ = str(HERE / (module.__name__ + ".py"))
        exec(self.codes[module.__name__], module.__dict__)


CODES = {path.stem: compile(path.read_text("utf-8"), path.stem, "exec") for path in HERE.glob("*.py")}


def noticed(name, tree, change, folders):
    """The place in `folders` of a case that the mutant reads otherwise, or None. The mutant lives in a process of its own."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGVTALRM, late)
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        place = 0
        try:
            change()
            sys.meta_path.insert(0, Ports(name, compile(ast.fix_missing_locations(tree), name, "exec")))
            check = importlib.import_module("vectors").check
            place = next((place for place, folder in enumerate(folders) if fails(folder, check)), None)
        except BaseException:
            pass
        os.write(writes, b"" if place is None else b"%d" % place)
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as said:
        found = said.read()
    _, status = os.waitpid(child, 0)
    return int(found or b"0") if found or status else None


def fails(folder, check=vectors.check):
    """Whether a case is read otherwise, or not at all."""
    try:
        return bool(check(folder))
    except Exception:
        return True


def late(*_):
    # No `except Exception` of a reader may catch it.
    os._exit(1)


def main(family, asked):
    size = lambda folder: sum(file.stat().st_size for file in folder.iterdir())
    folders = sorted(vectors.cases(family), key=lambda folder: (folder.name[:4] == "bad_", size(folder)))
    for name in asked or MODULES[family]:
        source = (HERE / (name + ".py")).read_text("utf-8")
        tree = ast.parse(source)
        silence(tree)
        assert noticed(name, tree, lambda: None, folders) is None, "a case fails without any change"
        count = left = 0
        for said, change in mutants(tree):
            count += 1
            place = noticed(name, tree, change, folders)
            if place is None:
                left += 1
                print("%s.py:%s: %s" % (name, said, source.splitlines()[int(said.split(":")[0]) - 1].strip()), flush=True)
            else:
                # A case that notices one mutant is likely to notice the next.
                folders.insert(0, folders.pop(place))
        print("%s of %s: %d mutants, %d noticed (%.1f %%), %d not" % (name, family, count, count - left, 100 * (count - left) / count, left), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
