"""An index to which commits are added answers as one that is built of all of them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
import numpy.typing as npt
import pytest

from index.build import IndexReport, build
from index.commit_index import CommitIndex
from index.passages import terms
from sourcer.store import create

BEFORE, NOW = (2600, 2500), (2660, 2540)
"""Commits of two repositories: too many to be laid out anew each night."""
COMMITS = """
    insert into commits
    select row_number() over (order by repo, number) - 1, repo, repo || '-' || number,
           '2026-01-01', 0, '2026-01-01', 0, 'Tune kernel' || number || ' of layer' || repo,
           '', null, null, 1, 0, 0, 0
    from (select 0 as repo, unnest(range(?)) as number union all select 1, unnest(range(?)))
"""


class Scattered:
    """Every text somewhere else in the space."""

    name, dim = "scattered", 64

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        rows = [np.random.default_rng(crc32(text.encode())).standard_normal(64) for text in texts]
        vectors = np.array(rows, np.float32).reshape(-1, 64)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


Built = tuple[CommitIndex, IndexReport]
Make = Callable[..., Built]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Builds the index of so many commits of each repository, perhaps out of an earlier one."""

    def made(name: str, counts: tuple[int, int], previous: str = "") -> Built:
        db = create()
        db.execute("insert into repos (id, name, source, depth) values (0, 'a/a', '', 'paths')")
        db.execute("insert into repos (id, name, source, depth) values (1, 'b/b', '', 'paths')")
        db.execute(COMMITS, counts)
        before = tmp_path / previous if previous else None
        report = build(db, tmp_path / name, Scattered(), tmp_path / "cache", previous=before)
        return CommitIndex.open(tmp_path / name, Scattered()), report

    return made


def by_meaning(index: CommitIndex, text: str, limit: int) -> dict[int, float]:
    """The commits most like a text, best first, and how like it they are."""
    found = index.vectors.search(index.encoder.encode([text])[0], limit)
    return dict(zip(found.commits.tolist(), found.similarities.tolist(), strict=True))


@pytest.mark.parametrize(("repo", "number"), [(0, 2599), (0, 2600), (0, 2659), (1, 0), (1, 2539)])
def test_a_commit_is_found_where_it_is_now(make: Make, repo: int, number: int) -> None:
    """Those of the second repository have other ids than before."""
    make("before", BEFORE)
    (grown, report), (anew, _) = make("grown", NOW, "before"), make("anew", NOW)
    assert report.copied == ["lexical", "vectors.faiss"]
    asked = f"Tune kernel{number} of layer{repo}"
    best, all_ = by_meaning(grown, asked, 50), by_meaning(anew, asked, 4000)
    assert next(iter(best)) == next(iter(all_)) == number + repo * NOW[0]
    assert [all_[commit] for commit in best] == pytest.approx(list(best.values()), abs=0.1)
    weights = dict.fromkeys(terms(asked), 1.0)
    words = [index.lexical.search(weights, 1) for index in (grown, anew)]
    assert words[0].commits.tolist() == words[1].commits.tolist() == [number + repo * NOW[0]]


def test_codes_are_learnt_anew_when_there_are_twice_as_many(make: Make) -> None:
    make("before", BEFORE)
    _, more = make("more", (BEFORE[0] + 5000, BEFORE[1]), "before")
    assert more.copied == ["lexical", "vectors.faiss"]
    _, twice = make("twice", (BEFORE[0] + 5200, BEFORE[1]), "more")
    assert twice.copied == ["lexical"]


def test_another_history_is_laid_out_anew(make: Make) -> None:
    make("before", BEFORE)
    _, fewer = make("fewer", (2500, 2590), "before")
    assert fewer.copied == []
