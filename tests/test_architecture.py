"""Who may import whom, read from the syntax trees."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "sourcer": {"sourcer"},
    "ingest": {"ingest", "sourcer"},
    "index": {"index", "sourcer"},
    "api": {"api", "index", "sourcer"},
}
DOORS = {
    "duckdb": "sourcer/store/",
    "git": "ingest/clones.py",
    "faiss": "index/vectors.py",
    "sentence_transformers": "index/embedder.py",
    "github": "ingest/profiles/from_github",
    "fastapi": "api/",
    "networkx": "ingest/graph.py",
    "tantivy": "index/lexical.py",
    "sqlalchemy": "sourcer/workspace",
}
REFUSED = {
    "utils",
    "helpers",
    "misc",
    "common",
    "base",
    "core",
    "manager",
    "engine",
    "service",
    "models",
}
MODULES = sorted(path for package in MAY_IMPORT for path in (ROOT / package).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    here = path.relative_to(ROOT)
    is_cli = here == Path("sourcer/cli.py")
    for name in imports(path):
        top = name.partition(".")[0]
        if top in MAY_IMPORT and not is_cli:
            assert top in MAY_IMPORT[here.parts[0]], f"{here} imports {name}"
        assert not name.startswith("sourcer.cli"), f"{here} imports the command line"
        if top in DOORS:
            assert str(here).startswith(DOORS[top]), (
                f"{here} imports {name}; its door is {DOORS[top]}"
            )


def test_no_module_collects() -> None:
    assert [str(path) for path in MODULES if path.stem in REFUSED] == []


def test_cli_imports_nothing_heavy_at_module_level() -> None:
    tree = ast.parse((ROOT / "sourcer/cli.py").read_text("utf-8"))
    tops = {
        alias.name.partition(".")[0]
        for node in tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {
        (node.module or "").partition(".")[0]
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
    }
    assert tops.isdisjoint({"ingest", "index", "api", "duckdb", "numpy", "torch"})
