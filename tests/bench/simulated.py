"""A made-up history of any size, put straight into a snapshot's tables and indexed as any other.

Few people write most of it. A commit is about one area of work: its words, its directories and
now and then its topic follow from that. Vectors are sums of word vectors drawn from a seed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zlib import crc32

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from index.build import build
from index.commit_index import CommitIndex
from index.details import Details
from index.embedder import ready
from index.onnx_embedder import OnnxEmbedder
from index.search import Searcher
from sourcer.store.database import Database, create, insert
from sourcer.topics import Taxonomy, load

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
DIM, WORDS, AREAS = 384, 4096, 400
FILLER = ("add", "fix", "support", "improve", "enable", "refactor", "test", "handle", "move")
PLACES = ("Berlin, Germany", "San Francisco, CA", "Toronto, Canada", "Beijing, China", "Paris")
TITLES = ("Senior Software Engineer", "Staff Engineer", "Software Engineer")
FIRST, LAST = datetime(2016, 1, 1), datetime(2026, 6, 1)


@dataclass(frozen=True, slots=True)
class SimulatedEmbedder:
    """Vectors for commits without a model; questions are encoded by the real one, which is what
    they cost."""

    for_questions: OnnxEmbedder | None = None
    name: str = "simulated"
    dim: int = DIM

    def encode(self, texts: Sequence[str]) -> Floats:
        if self.for_questions is not None:
            return self.for_questions.encode(texts)
        table = np.random.default_rng(5).normal(size=(WORDS, DIM)).astype(np.float32)
        rows = [[crc32(word.encode()) % WORDS for word in text.split()] or [0] for text in texts]
        sums = np.stack([table[row].sum(axis=0) for row in rows])
        unit: Floats = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        return unit


def searcher(commits: int, folder: Path, say: Callable[[str], None]) -> Searcher:
    """Of a history of that many commits; `folder` is built unless it holds one already."""
    if not (folder / "index" / "index.json").exists():
        db = create(folder / "graph.duckdb")
        say("writing the history")
        _History(commits, load()).write(db)
        say("indexing it")
        build(db, folder / "index", SimulatedEmbedder(), folder / "cache")
        db.close()
    encoder = SimulatedEmbedder(OnnxEmbedder.for_questions(ready()))
    index = CommitIndex.open(folder / "index", encoder)
    return Searcher(index, Details.open(folder / "graph.duckdb"), load(), "simulated")


class _History:
    """Draws everything once; writes it table by table."""

    def __init__(self, commits: int, taxonomy: Taxonomy) -> None:
        self._draw = np.random.default_rng(2026)
        self._taxonomy = taxonomy
        self._commits = commits
        self._people = max(20, commits // 20)
        self._repos = 20
        self._per_area = max(4, commits // 8 // AREAS)
        self._area = np.sort(self._draw.integers(0, AREAS, commits))
        self._draw.shuffle(self._area)
        words = sorted({word for topic in taxonomy.topics for word in topic.words})
        self._words = [words[at : at + 3] for at in range(0, len(words), 3)] or [["kernel"]]

    def write(self, db: Database) -> None:
        self._write_repos(db)
        self._write_people(db)
        self._write_commits(db)
        self._write_changes(db)
        self._write_topics(db)

    def _write_repos(self, db: Database) -> None:
        names = ["vllm-project/vllm", "sgl-project/sglang"]
        names += [f"made-up/engine-{number}" for number in range(2, self._repos)]
        _insert(db, "repos", id=range(self._repos), name=names, source=names, depth="paths",
                url=[f"https://example.com/{name}" for name in names])  # fmt: skip

    def _write_people(self, db: Database) -> None:
        numbers = range(self._people)
        ids, names = [f"p{n}" for n in numbers], [f"Person {n}" for n in numbers]
        emails = [f"p{n}@example.com" for n in numbers]
        _insert(db, "people", id=ids, ordinal=numbers, name=names)
        _insert(db, "signatures", id=numbers, name=names, email=emails, key=ids)
        _insert(db, "person_signatures", signature_id=numbers, person_id=ids, rule="same email")
        _insert(db, "logins", person_id=ids, login=ids, rule="same GitHub account")
        told = range(0, self._people, 10)
        for field, values in (("location", PLACES), ("title", TITLES)):
            _insert(db, "profile_fields", person_id=[ids[n] for n in told], field=field,
                    value=[values[n // 10 % len(values)] for n in told], source="github",
                    fetched_at=LAST, method="declared")  # fmt: skip

    def _write_commits(self, db: Database) -> None:
        count = self._commits
        repo = np.sort(np.minimum(self._draw.zipf(1.6, count), self._repos) - 1)
        span = int((LAST - FIRST).total_seconds())
        offset = np.sort(self._draw.integers(0, span, count)).astype("timedelta64[s]")
        when = np.datetime64(FIRST, "s") + offset
        self._files = np.minimum(self._draw.geometric(0.35, count), 12)
        subjects = [self._subject(number, area) for number, area in enumerate(self._area.tolist())]
        _insert(db, "commits", id=range(count), repo_id=repo, authored_at=when, authored_zone=0,
                sha=[f"{number:040x}" for number in range(count)], committed_at=when,
                committed_zone=0, subject=subjects, body="", pull=range(1, count + 1), parents=1,
                files=self._files)  # fmt: skip
        author = np.minimum(self._draw.zipf(1.3, count) - 1, 10**9) % self._people
        helped = np.flatnonzero(self._draw.random(count) < 0.15)
        helper = self._draw.integers(0, self._people, len(helped))
        _insert(db, "roles", commit_id=range(count), signature_id=author, role="author")
        _insert(db, "roles", commit_id=helped, signature_id=helper, role="co-author")

    def _subject(self, number: int, area: int) -> str:
        said = self._words[area % len(self._words)]
        verb, word = FILLER[number % len(FILLER)], said[number % len(said)]
        return f"{verb} {word} in area{area} v{number % 97}"

    def _write_changes(self, db: Database) -> None:
        """A file lies four directories deep; an area's files lie in a few of them."""
        files = np.arange(AREAS * self._per_area)
        area, place = files // self._per_area, files % self._per_area
        names = [
            f"src/{'abcdefgh'[a % 8]}/area{a}/part{n % 7}/file{n}.{'cu' if n % 5 == 0 else 'py'}"
            for a, n in zip(area.tolist(), place.tolist(), strict=True)
        ]
        _insert(db, "paths", id=files, repo_id=area % self._repos, path=names, current=names)
        commit = np.repeat(np.arange(self._commits), self._files)
        within = np.minimum(self._draw.zipf(1.2, len(commit)) - 1, 10**9) % self._per_area
        path = self._area[commit] * self._per_area + within
        _insert(db, "changes", commit_id=commit, path_id=path, status="M", is_binary=False)

    def _write_topics(self, db: Database) -> None:
        topics = self._taxonomy.topics
        ids = [topic.id for topic in topics]
        _insert(db, "topics", id=ids, ordinal=range(len(ids)), definition="",
                name=[topic.name for topic in topics], parents=[[] for _ in ids])  # fmt: skip
        about = np.flatnonzero(self._draw.random(self._commits) < 0.5)
        named = [ids[area % len(ids)] for area in self._area[about].tolist()]
        _insert(db, "commit_topics", commit_id=about, topic_id=named, weight=1.0,
                matched=[["subject"]] * len(named))  # fmt: skip


def _insert(db: Database, table: str, **columns: object) -> None:
    """Columns of one length; a single value stands for as many of it."""
    length = next(len(c) for c in columns.values() if isinstance(c, range | list | np.ndarray))
    rows = {
        name: pa.array(column)
        if isinstance(column, range | list | np.ndarray)
        else pa.repeat(pa.scalar(column), length)
        for name, column in columns.items()
    }
    insert(db, table, pa.table(rows))
