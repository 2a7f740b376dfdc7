"""A draft compared with what is published: its counts, and how it answers the judged questions."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sourcer import guard_rails
from sourcer.cli import asking
from sourcer.errors import SourcerError
from sourcer.guard_rails import Limits
from sourcer.settings import Settings
from sourcer.snapshot import Snapshot

if TYPE_CHECKING:
    from index.embedder import Embedder
    from index.search import Searcher

JUDGED = "judged.jsonl"


def objections(settings: Settings, live: Snapshot | None, facts: dict[str, Any]) -> list[str]:
    """Why a draft, of which `facts` tell, should not be published; none: it may be."""
    if live is None:
        return []
    limits = Limits.of(settings)
    before, now = live.manifest.get("judged"), facts.get("judged")
    worse = guard_rails.judged_worse(_ndcg(before, now), _ndcg(now, now), limits.judged)
    counts = guard_rails.drops(live.manifest.get("counts", {}), facts["counts"], limits.counts)
    return counts + worse


def judged(
    settings: Settings, draft: Path, embedder: "Embedder | None"
) -> tuple[dict[str, Any] | None, str | None]:
    """How well a draft answers the installation's own judged questions, or why that is not known;
    neither where it has none."""
    from index import evaluate

    file = settings.data / JUDGED
    if not file.exists():
        return None, None
    try:
        questions = evaluate.read_judged(file)
        searcher = opened(settings, Snapshot(draft, {}), embedder)
        report = evaluate.evaluate(
            searcher, questions, lambda text: asking.understood(settings.data, text)
        )
    except SourcerError as error:
        return None, str(error)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    return {
        "file": digest,
        "questions": len(questions),
        "ndcg": round(report.mean("ndcg"), 4),
        "recall": round(report.mean("recall"), 4),
    }, None


def opened(settings: Settings, live: Snapshot, embedder: "Embedder | None" = None) -> "Searcher":
    """A snapshot, published or not, without those who asked not to be found since it was made."""
    from index.commit_index import CommitIndex
    from index.details import Details
    from index.search import Searcher
    from sourcer.topics import load

    index, details = CommitIndex.open(live.index, embedder), Details.open(live.database)
    searcher = Searcher(index, details, load(settings.topics_file), live.name)
    hidden = [details.person(id_) for id_ in asking.hidden(settings, live)]
    known = [ordinal for ordinal in hidden if ordinal is not None]
    return searcher.without(known) if known else searcher


def _ndcg(of: dict[str, Any] | None, now: dict[str, Any] | None) -> float | None:
    """Only figures of the very same questions compare."""
    return None if not of or not now or of["file"] != now["file"] else float(of["ndcg"])
