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
    "pydantic_ai": "index/language_model.py",
    "openai": "index/language_model.py",
    "tantivy": "index/lexical.py",
    "pygal": "sourcer/pool/charts.py",
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
    return names_of(ast.parse(path.read_text("utf-8")))


def names_of(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import of {node.module}"
            yield node.module or ""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    here = path.relative_to(ROOT)
    is_cli = here.is_relative_to("sourcer/cli")
    for name in imports(path):
        top = name.partition(".")[0]
        if top in MAY_IMPORT and not is_cli:
            assert top in MAY_IMPORT[here.parts[0]], f"{here} imports {name}"
        assert is_cli or not name.startswith("sourcer.cli"), f"{here} imports the command line"
        if top in DOORS:
            assert str(here).startswith(DOORS[top]), (
                f"{here} imports {name}; its door is {DOORS[top]}"
            )


def test_no_module_collects() -> None:
    assert [str(path) for path in MODULES if path.stem in REFUSED] == []


@pytest.mark.parametrize("path", sorted((ROOT / "sourcer/cli").glob("*.py")), ids=lambda p: p.stem)
def test_the_command_line_imports_nothing_heavy_at_module_level(path: Path) -> None:
    body = ast.parse(path.read_text("utf-8")).body
    module_level = ast.Module([node for node in body if "Import" in type(node).__name__], [])
    heavy = {"ingest", "index", "api", "duckdb", "numpy", "torch", "pyarrow"}
    assert {name.partition(".")[0] for name in names_of(module_level)}.isdisjoint(heavy)
