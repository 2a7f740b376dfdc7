"""The notebooks run from top to bottom, are kept without outputs, and use only what is public."""

import ast
import doctest
import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.sample_snapshot import Demo

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MODULES = sorted(FOLDER.glob("*.py"))
REAL = os.environ.get("SOURCER_DATA", "")
PATIENCE = 600
"""Seconds for one cell."""

each_notebook = pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)


def test_there_are_four() -> None:
    assert [file.stem[0] for file in NOTEBOOKS] == ["1", "2", "3", "4"]


@each_notebook
def test_kept_without_outputs(file: Path) -> None:
    for cell in code_cells(file):
        assert cell.outputs == []
        assert cell.execution_count is None


@pytest.mark.parametrize("file", [*NOTEBOOKS, *MODULES], ids=lambda file: file.name)
def test_only_public_names(file: Path) -> None:
    assert [name for name in names(source_of(file)) if name.startswith("_")] == []


@pytest.mark.slow
@each_notebook
def test_runs_on_the_sample(file: Path, demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    run(file, demo.data, monkeypatch)


@pytest.mark.slow
@pytest.mark.skipif(not REAL, reason="SOURCER_DATA names no data directory")
@each_notebook
def test_runs_on_real_data(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(file, Path(REAL), monkeypatch)


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.stem)
def test_examples_in_their_modules(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    module = importlib.import_module(file.stem)
    assert doctest.testmod(module).failed == 0
    sys.modules.pop(file.stem)


def run(file: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a kernel of this Python, which sees this checkout; raises what a cell raises."""
    monkeypatch.setenv("SOURCER_DATA", str(data.resolve()))
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent))
    notebook = nbformat.read(file, as_version=4)
    where = {"metadata": {"path": str(FOLDER)}}
    NotebookClient(notebook, timeout=PATIENCE, kernel_name="python3", resources=where).execute()
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")


def code_cells(file: Path) -> list[nbformat.NotebookNode]:
    return [c for c in nbformat.read(file, as_version=4).cells if c.cell_type == "code"]


def source_of(file: Path) -> str:
    if file.suffix == ".py":
        return file.read_text("utf-8")
    return "\n".join(cell.source for cell in code_cells(file))


def names(source: str) -> Iterator[str]:
    """Whatever is imported, and every attribute that is reached for."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (part for alias in node.names for part in alias.name.split("."))
        elif isinstance(node, ast.Attribute):
            yield node.attr
