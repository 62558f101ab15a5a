"""Runs the notebook of the examples without a browser. A cell that fails names itself."""

import shutil

import pytest

from conftest import ROOT

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

EXAMPLES = ROOT / "bindings/python/examples"


def cell(text):
    """A cell of the percent format."""
    kind, _, source = text.partition("\n")
    if "[markdown]" not in kind:
        return nbformat.v4.new_code_cell(source.strip())
    lines = source.strip().splitlines()
    return nbformat.v4.new_markdown_cell("\n".join(line.removeprefix("#").strip() for line in lines))


def test_notebook_of_ten_tasks_runs(tmp_path):
    shutil.copy(EXAMPLES / "games.pgn", tmp_path)
    _, *cells = (EXAMPLES / "ten_tasks.py").read_text().split("# %%")
    notebook = nbformat.v4.new_notebook(cells=[cell(text) for text in cells])
    tasks = [c for c in notebook.cells if c.cell_type == "code"]
    assert len(tasks) == 11
    nbclient.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": tmp_path}}).execute()
    assert all(task.outputs for task in tasks[1:]), "a task shows nothing"
