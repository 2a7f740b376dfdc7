"""What one person did on a topic, as commits to cite."""

import numpy as np

from index.search import Searcher
from sourcer.errors import NoSuchPerson
from sourcer.evidence import Cited
from sourcer.screening import Question, Screening, questions
from sourcer.screening import load as load_screening

MOST = 200


def screening(
    searcher: Searcher, login_or_id: str, topic: str, edited: Screening | None = None
) -> tuple[Question, ...]:
    """The interview questions on a topic that a person's own commits suggest; from the file as
    shipped, unless another one is given.

    Raises NoSuchPerson, or BadInput for a topic that there is not.
    """
    person = searcher.details.person(login_or_id)
    if person is None:
        raise NoSuchPerson(f"nobody here has the login or id {login_or_id!r}")
    held = edited or load_screening()
    grown_from = frozenset[str]().union(*(one.commits.topics for one in held.of(topic)))
    commits = own_work(searcher, person, frozenset({topic}) | grown_from)
    return questions(topic, commits, held)


def own_work(searcher: Searcher, person: int, topics: frozenset[str]) -> tuple[Cited, ...]:
    """A person's commits on any of the topics or narrower ones; less trivial and newer first."""
    columns = searcher.index.columns
    about = np.flatnonzero(searcher.families.commits(topics))
    row, people = columns.people.gather(about)
    commits = about[np.unique(row[people == person])]
    heft = 1 - searcher.worth.trivial[commits]
    best = np.lexsort((-columns.day[commits], -heft))[:MOST]
    return searcher.telling.cited(commits[best], heft[best], np.full(len(best), person, np.int32))
