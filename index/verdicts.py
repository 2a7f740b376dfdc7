"""Which words of a question hold of one person, which do not, and which the data leave open."""

from collections.abc import Iterator
from dataclasses import dataclass

from index.pool import ON_COMMITS, Pools
from index.search import Searcher
from sourcer import track_record
from sourcer.pool.funnel import Standing, Word
from sourcer.query import Query

ANSWERS = {
    Standing.MATCHED: "yes",
    Standing.BY_ARTIFACTS: "by artifacts",
    Standing.UNKNOWN: "unknown",
    Standing.DROPPED: "no",
}
ABOUT_COMMITS = ON_COMMITS | {"topic"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One word of a question, decided for one person."""

    says: str
    field: str
    standing: Standing
    how: str
    """How such words are decided; for one that only artifacts meet, by what."""

    @property
    def answer(self) -> str:
        return ANSWERS[self.standing]

    def json(self) -> dict[str, object]:
        return {"says": self.says, "field": self.field, "answer": self.answer, "how": self.how}


def verdicts(searcher: Searcher, query: Query, person: int) -> tuple[Verdict, ...]:
    """Every word in the question's order. Words on commits must hold of one and the same commit:
    after one that no commit of the person meets, the others are not asked any more."""
    return tuple(_verdicts(searcher, query, person))


def _verdicts(searcher: Searcher, query: Query, person: int) -> Iterator[Verdict]:
    fails = False
    for word in Pools(searcher).words(query):
        if fails and word.field in ABOUT_COMMITS:
            continue
        standing = _standing(word, person)
        fails |= standing is Standing.DROPPED and word.field in ABOUT_COMMITS
        how = word.how
        if standing is Standing.BY_ARTIFACTS:
            shown = track_record.senior(searcher.facts.record(person))
            how = "; ".join((shown.label, *shown.reasons)) if shown else how
        yield Verdict(word.says, word.field, standing, how)


def _standing(word: Word, person: int) -> Standing:
    if word.yes[person]:
        return Standing.MATCHED
    if not word.unknown[person]:
        return Standing.DROPPED
    by_artifacts = word.by_artifacts is not None and word.by_artifacts[person]
    return Standing.BY_ARTIFACTS if by_artifacts else Standing.UNKNOWN
