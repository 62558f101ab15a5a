"""Breaks one thing of a reader at a time, and asks whether a fixture notices.

    python3 ports/python/mutants.py scid|dcg|cbh|movecode|chessassistant|cbf

A mutant is the module with one operator, number, text, condition or statement changed. One that
reads every fixture as before survives, and is printed: a rule that no fixture exercises, or a
change that makes no difference. docs/coverage.md has the counts.
"""

import ast
import copy
import signal
import sys
import types
from pathlib import Path

import vectors

HERE = Path(__file__).parent
SECONDS = 20
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


def mutants(source):
    """What is changed, and the tree with the change."""
    tree = ast.parse(source)
    silence(tree)
    for place, node in enumerate(ast.walk(tree)):
        if skipped(node):
            continue
        for said, change in changes(node):
            mutant = copy.deepcopy(tree)
            change(next(node for at, node in enumerate(ast.walk(mutant)) if at == place))
            yield "line %d: %s" % (getattr(node, "lineno", 0), said), ast.fix_missing_locations(mutant)
        for field in ("body", "orelse"):
            for at, statement in enumerate(getattr(node, field, None) or []) if not isinstance(node, (ast.Module, ast.ClassDef, ast.IfExp, ast.Lambda)) else []:
                if isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr, ast.Break, ast.Continue, ast.Raise)):
                    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                        continue
                    mutant = copy.deepcopy(tree)
                    twin = next(node for number, node in enumerate(ast.walk(mutant)) if number == place)
                    getattr(twin, field)[at] = ast.Pass()
                    yield "line %d: left out" % statement.lineno, ast.fix_missing_locations(mutant)


def silence(tree):
    """Empties what is only said: the words of an error, documentation."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "Damage":
            node.args = [ast.Constant("")]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant("")


def skipped(node):
    return isinstance(node, ast.Constant) and node.value == ""


def survives(name, tree, folders):
    """Whether all fixtures read as before."""
    module = types.ModuleType(name)
    module.__file__ = str(HERE / (name + ".py"))
    signal.alarm(SECONDS)
    try:
        exec(compile(tree, name, "exec"), module.__dict__)
        setattr(vectors.lines, name, module)
        # A Damage of the model is one wherever it is made.
        return not any(vectors.check(folder) for folder in folders)
    except Exception:
        return False
    finally:
        signal.alarm(0)


def late(*_):
    raise TimeoutError


def main(name):
    signal.signal(signal.SIGALRM, late)
    size = lambda folder: sum(file.stat().st_size for file in folder.iterdir())
    folders = sorted(vectors.cases(name), key=lambda folder: (folder.name[:4] == "bad_", size(folder)))
    source = (HERE / (name + ".py")).read_text("utf-8")
    count, left = 0, []
    for said, tree in mutants(source):
        count += 1
        if survives(name, tree, folders):
            left.append(said)
            line = int(said.split(":")[0].split()[1])
            print("%s.py %s: %s" % (name, said, source.splitlines()[line - 1].strip()), flush=True)
    print("%s: %d mutants, %d noticed (%.1f %%), %d not" % (
        name, count, count - len(left), 100 * (count - len(left)) / count, len(left)))


if __name__ == "__main__":
    main(sys.argv[1])
