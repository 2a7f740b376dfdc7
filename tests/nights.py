"""A small installation for tests of the nightly job; its vectors need no model."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from index.commit_index import CommitIndex
from index.details import Details
from index.search import Searcher
from sourcer import settings, snapshot
from sourcer.cli import night
from sourcer.cli.night_steps import Surroundings
from sourcer.commits import Depth
from sourcer.query import Query
from sourcer.runs import Run
from sourcer.settings import Repository
from sourcer.topics import load
from tests.hashing_embedder import HashingEmbedder
from tests.histories import History

EMBEDDER = HashingEmbedder(64)
PEOPLE = ("Ada Roe <ada@roe.dev>", "Ben Falk <ben@falk.dev>", "Cleo Dahl <cleo@dahl.dev>")


def quiet(_step: str, _done: int, _total: int) -> None:
    pass


@dataclass
class Installation:
    """A data directory beside the repositories that it crawls."""

    root: Path
    histories: dict[str, History] = field(default_factory=dict)

    @property
    def data(self) -> Path:
        return self.root / "data"

    @classmethod
    def start(cls, root: Path, *names: str) -> "Installation":
        made = cls(root)
        for name in names or ("acme/engine", "acme/router"):
            made.add(name)
        return made

    def add(self, name: str) -> None:
        """A repository with nine commits by three people."""
        path = self.root / "sources" / name.replace("/", "+")
        self.histories[name] = History.start(path)
        for number in range(9):
            self.commit(name, f"Tune MoE kernel {number}", number)
        settings.remember(self.data, Repository(name, str(path), Depth.PATHS))

    def commit(self, name: str, message: str, number: int = 0) -> str:
        history = self.histories[name]
        file = f"csrc/moe/topk_{number % 3}.cu"
        return history.commit({file: message}, message, PEOPLE[number % 3])

    def set(self, **values: str | int) -> None:
        file = self.data / "sourcer.toml"
        text = "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())
        file.write_text(f"[settings]\n{text}{file.read_text()}")

    def night(
        self, at: datetime | None = None, environment: dict[str, str] | None = None, ping: str = ""
    ) -> Run:
        clock = (lambda: at) if at else (lambda: datetime.now(UTC))
        around = Surroundings(quiet, environment or {}, EMBEDDER, clock)
        return night.nightly(self.data, around, ping)

    def current(self) -> snapshot.Snapshot:
        """What answers now, read to its last byte."""
        return snapshot.current_good(self.data, thoroughly=True)

    def found(self, words: str) -> list[str]:
        """Subjects of the commits that the current snapshot cites."""
        return cited(snapshot.current_good(self.data), words)


def cited(live: snapshot.Snapshot, words: str) -> list[str]:
    index = CommitIndex.open(live.index, EMBEDDER)
    searcher = Searcher(index, Details.open(live.database), load(), live.name)
    entries = searcher.search(Query(words, semantic=words)).entries
    return sorted({one.subject for entry in entries for one in entry.evidence})
