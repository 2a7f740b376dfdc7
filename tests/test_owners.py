"""CODEOWNERS by GitHub's rules, and roles through the history of the pages that name them."""

from pathlib import Path

import pytest

from ingest.codeowners import CodeOwners
from ingest.crawl import batches
from ingest.owners import holdings, read_markdown, versions
from sourcer.commits import Depth
from sourcer.store import holdings as stored
from tests.histories import History, crawled


@pytest.mark.parametrize(
    ("pattern", "path", "owned"),
    [
        ("*", "a/b.py", True),
        ("*.js", "a/b.js", True),
        ("*.js", "a/b.jsx", False),
        ("/build/logs/", "build/logs/x/y", True),
        ("/build/logs/", "a/build/logs/x", False),
        ("/build/logs/", "build/logs", False),
        ("docs/*", "docs/getting-started.md", True),
        ("docs/*", "docs/build-app/troubleshooting.md", False),
        ("docs/*", "a/docs/x.md", False),
        ("apps/", "x/apps/y.rb", True),
        ("/docs/", "docs/a/b", True),
        ("/scripts/", "scripts/x", True),
        ("**/logs", "build/logs/x", True),
        ("**/logs", "deeply/nested/logs/x", True),
        ("/vllm/entrypoints/*.py", "vllm/entrypoints/llm.py", True),
        ("/vllm/entrypoints/*.py", "vllm/entrypoints/openai/api.py", False),
        ("/vllm/lora", "vllm/lora/layers.py", True),
        ("/vllm/lora", "vllm/lora2/layers.py", False),
        ("/a/**/b", "a/b", True),
        ("/a/**/b", "a/x/y/b/c", True),
        ("/a/**", "a/x/y", True),
        ("/ci/rust*", "ci/rust-tests.yml", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("with\\ space/", "with space/x", True),
        ("README.md", "docs/README.md", True),
        ("readme.md", "README.md", False),
    ],
)
def test_a_pattern_matches_as_on_github(pattern: str, path: str, owned: bool) -> None:
    assert CodeOwners.parse(f"{pattern} @ada").owners(path) == (("ada",) if owned else ())


def test_the_last_line_that_matches_wins_even_when_it_names_nobody() -> None:
    owners = CodeOwners.parse(
        "* @ada\n/lib @bo @org/team bo@x.org # why\n/lib/free\n!/x @cy\n[a] @d"
    )
    assert owners.owners("lib/x.py") == ("bo",)
    assert owners.owners("lib/free/x.py") == ()
    assert owners.owners("x") == ("ada",)
    assert owners.owners("a") == ("ada",)


def test_a_rule_that_later_ones_take_all_from_is_not_in_force() -> None:
    owners = CodeOwners.parse("/lib/a @ada\n*.cu @bo\n/lib @cy\n/lib/a @dee\n/src @eve\n/src @flo")
    assert [(rule.pattern, rule.logins) for rule in owners.in_force()] == [
        ("*.cu", ("bo",)),
        ("/lib", ("cy",)),
        ("/lib/a", ("dee",)),
        ("/src", ("flo",)),
    ]


def test_areas_of_a_committers_page() -> None:
    page = """# Committers
Ask @ada or write to me@x.org. `@code` is no one, @org/team is many.
- [@ada](https://github.com/ada): RL API
### Engine
- Scheduler: the core loop
    - @bo, @cy-9 (lora)
- LoRA: @dee
| Name | GitHub |
| Eve | [@eve](https://github.com/eve) |
## Emeritus Committers
- [@old](https://github.com/old): kernels
"""
    assert list(read_markdown(page)) == [
        ("ada", "RL API"),
        ("bo", "Scheduler"),
        ("cy-9", "Scheduler"),
        ("dee", "LoRA"),
        ("eve", "Engine"),
    ]


def test_roles_begin_and_end_with_the_versions_that_name_them(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    first = source.commit({".github/CODEOWNERS": "/moe @ada @bo\n"})
    source.commit({"a.py": "1\n"})
    second = source.commit({".github/CODEOWNERS": "/moe @bo\n", "MAINTAINERS.md": "## KV\n@cy\n"})
    source.commit({"MAINTAINERS.md": None, "docs/MAINTAINERS.md": "## KV\n@cy\n"})
    source.commit({".github/CODEOWNERS": None})
    result = crawled(source.dir, tmp_path / "out", Depth.PATHS)
    held = holdings(versions(batches(tmp_path / "out")), source.dir)
    assert [(h.login, h.role, h.scope, h.since_sha, h.until is None) for h in held] == [
        ("ada", "code owner", "/moe", first, False),
        ("bo", "code owner", "/moe", first, False),
        ("cy", "maintainer", "KV", second, True),
    ]
    stored.write(result.db, "acme/engine", held)
    rows = result.rows("select login, person_id, role, since_sha from holdings where until is null")
    assert rows == [("cy", None, "maintainer", second)]


def test_only_the_first_codeowners_that_github_looks_at_counts(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({"CODEOWNERS": "* @ada\n", "docs/CODEOWNERS": "* @bo\n"})
    source.commit({".github/CODEOWNERS": "* @cy\n"})
    crawled(source.dir, tmp_path / "out", Depth.PATHS)
    held = holdings(versions(batches(tmp_path / "out")), source.dir)
    assert [(h.login, h.until is None) for h in held] == [("ada", False), ("cy", True)]


def test_a_version_whose_contents_are_missing_changes_nothing(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({"CODEOWNERS": "* @ada\n"})
    source.commit({"CODEOWNERS": "* @bo\n"})
    sha = source.git("rev-parse", "HEAD:CODEOWNERS")
    (source.dir / "objects" / sha[:2] / sha[2:]).unlink()
    crawled(source.dir, tmp_path / "out", Depth.PATHS)
    held = holdings(versions(batches(tmp_path / "out")), source.dir)
    assert [(h.login, h.until) for h in held] == [("ada", None)]
