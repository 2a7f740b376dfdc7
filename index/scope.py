"""Which commits count for a question, and which people may answer it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fnmatch import translate
from re import compile as compiled

import numpy as np

from index.columns import ROLES
from index.commit_index import CommitIndex
from index.details import Details
from index.lexical import EVERYWHERE, Within
from index.passages import spelled
from index.remembered import Remembered
from sourcer.commits import Role
from sourcer.languages import is_written_in
from sourcer.query import Filter, Mode, Query
from sourcer.query.fields import ends
from sourcer.ranking import Ints, Mask
from sourcer.topics import Taxonomy

EPOCH = date(1970, 1, 1)
MOST_BY_PHRASE = 20_000
_ROLE_OF = {"author": Role.AUTHOR, "co-author": Role.CO_AUTHOR, "review": Role.REVIEWER}


def day_of(text: object) -> int:
    """
    >>> day_of("1970-01-03")
    2
    """
    return (date.fromisoformat(str(text)) - EPOCH).days


@dataclass(frozen=True)
class Scope:
    """The commits that a query lets count. `counted` heeds repositories and window alone: it is
    what "at least 10 commits in vLLM this year" counts."""

    allowed: Mask | None
    counted: Mask | None
    repos: Mask | None
    within: Within
    roles: tuple[Role, ...]
    """The roles that get credit."""
    reviews_unknown: bool = False
    """Reviewers are asked for and no review is known: who wrote the work stands in for them."""
    any_role: bool = True
    """The question does not say in which role the work was done."""
    notes: tuple[str, ...] = ()

    def until(self, days: Ints, last: int | None) -> "Scope":
        """The same scope without commits after a day."""
        if last is None:
            return self
        past: Mask = days <= last
        allowed = past if self.allowed is None else self.allowed & past
        counted = past if self.counted is None else self.counted & past
        return replace(
            self, allowed=allowed, counted=counted, within=replace(self.within, until=last)
        )


class Scopes:
    """Turns a query's conditions on commits into masks; what it looks up, it keeps."""

    def __init__(
        self, index: CommitIndex, details: Details, taxonomy: Taxonomy, names: Sequence[str]
    ) -> None:
        self._index = index
        self._details = details
        self._taxonomy = taxonomy
        self._names = names
        self._at = Remembered[tuple[str, tuple[str, ...]], Ints](256)
        self._in = Remembered[tuple[str, ...], Ints](256)
        reviewed = index.columns.roles == ROLES.index(Role.REVIEWER)
        commit = np.repeat(np.arange(len(index.columns.day)), index.columns.people.lengths)
        self._reviewed = frozenset(np.unique(index.columns.repo[commit[reviewed]]).tolist())

    def of(self, query: Query) -> Scope:
        """Every `must` condition on commits."""
        musts = [wanted for wanted in query.filters if wanted.mode is Mode.MUST]
        repos = _all(self._repo(wanted) for wanted in musts if wanted.field == "repo")
        days = _all(self._window(wanted) for wanted in musts if wanted.field == "window")
        others = _all(self._mask(wanted) for wanted in musts)
        unwanted = _all(self._without(topic) for topic in self._unwanted(query))
        counted = _all((repos, days))
        roles, named = _credited(musts), self._repos_named(musts)
        unknown = roles == (Role.REVIEWER,) and self._reviewed.isdisjoint(named)
        return Scope(
            allowed=_all((counted, others, unwanted)),
            counted=counted,
            repos=repos,
            within=_within(musts, self._details),
            roles=(Role.AUTHOR, Role.CO_AUTHOR) if unknown else roles,
            reviews_unknown=unknown,
            any_role=all(wanted.field != "activity" for wanted in musts),
            notes=(
                *_unheld(musts, self._details),
                *self._unreviewed(musts),
                *(("as no review is known, who wrote the work is shown",) if unknown else ()),
            ),
        )

    def _unreviewed(self, musts: Sequence[Filter]) -> Iterator[str]:
        """Repositories whose reviews a question asks for, and that have none to show."""
        if not any(map(_is_about_reviews, musts)):
            return
        for repo in sorted(self._repos_named(musts)):
            if repo not in self._details.reviews_fetched:
                name = self._details.repos[repo].name
                only = "; its commit messages name some" if repo in self._reviewed else ""
                yield f"no review data were fetched for {name}{only}"

    def _repos_named(self, musts: Sequence[Filter]) -> frozenset[int]:
        """The repositories of a question; all of them where it names none."""
        named = [_repos(wanted, self._details) for wanted in musts if wanted.field == "repo"]
        return frozenset[int]().union(*named) if named else frozenset(self._details.repos)

    def wished(self, query: Query) -> Mask | None:
        """The commits that meet every `should` condition on commits."""
        wishes = [wanted for wanted in query.filters if wanted.mode is Mode.SHOULD]
        return _all(
            mask
            for wanted in wishes
            for mask in (self._repo(wanted), self._window(wanted), self._mask(wanted))
        )

    def _mask(self, wanted: Filter) -> Mask | None:
        looks: Mapping[str, Callable[[Filter], Mask]] = {
            "path": self._path,
            "language": self._language,
            "phrase": self._phrase,
            "pull": self._pull,
        }
        look = looks.get(wanted.field)
        if look is None:
            return None
        return ~look(wanted) if wanted.negated else look(wanted)

    def _repo(self, wanted: Filter) -> Mask | None:
        """A repository that is unwanted excludes people, not commits."""
        if wanted.field != "repo" or wanted.negated:
            return None
        return np.isin(self._index.columns.repo, list(_repos(wanted, self._details)))

    def _window(self, wanted: Filter) -> Mask | None:
        if wanted.field != "window":
            return None
        day = self._index.columns.day
        found: Mask = np.zeros(len(day), np.bool_)
        for first, last in _times(wanted):
            since = np.iinfo(np.int32).min if first is None else day_of(first)
            until = np.iinfo(np.int32).max if last is None else day_of(last)
            found |= (day >= since) & (day <= until)
        return ~found if wanted.negated else found

    def _path(self, wanted: Filter) -> Mask:
        return self._touching(self._at.get((wanted.op, _texts(wanted)), self._nodes_at))

    def _language(self, wanted: Filter) -> Mask:
        return self._touching(self._in.get(_texts(wanted), self._nodes_in))

    def _nodes_at(self, place: tuple[str, tuple[str, ...]]) -> Ints:
        op, texts = place
        matches = [_matcher(op, text) for text in texts]
        found = (n for n, name in enumerate(self._names) if any(match(name) for match in matches))
        return np.fromiter(found, np.int32)

    def _nodes_in(self, languages: tuple[str, ...]) -> Ints:
        files = np.flatnonzero(self._index.columns.node_is_file).tolist()
        names = self._names
        found = (n for n in files if any(is_written_in(names[n], text) for text in languages))
        return np.fromiter(found, np.int32)

    def _phrase(self, wanted: Filter) -> Mask:
        found = np.zeros(len(self._index.columns.day), np.bool_)
        for text in _texts(wanted):
            found[self._index.lexical.phrase(spelled(text), MOST_BY_PHRASE).commits] = True
        return found

    def _pull(self, wanted: Filter) -> Mask:
        found: Mask = np.isin(self._details.pulls, [int(text) for text in _texts(wanted)])
        return found

    def _unwanted(self, query: Query) -> list[str]:
        """The topics to leave out. One that is wider than a topic asked for describes that topic
        ("n-gram proposals without a draft model") and would leave nothing of it."""
        return [
            topic.id
            for topic in query.topics
            if topic.negated
            and topic.id in self._details.topic_ordinals
            and set(query.wanted).isdisjoint(self._taxonomy.family(topic.id))
        ]

    def _without(self, topic: str) -> Mask:
        ordinal = self._details.topic_ordinals[topic]
        found = np.ones(len(self._index.columns.day), np.bool_)
        found[self._index.columns.topic_commits[ordinal]] = False
        return found

    def _touching(self, nodes: Ints) -> Mask:
        found = np.zeros(len(self._index.columns.day), np.bool_)
        if len(nodes):
            found[self._index.columns.node_commits.gather(nodes)[1]] = True
        return found


def _matcher(op: str, text: str) -> Callable[[str], bool]:
    """
    >>> _matcher("under", "csrc/moe/")("csrc/moe"), _matcher("under", "csrc/moe")("csrc/moe2")
    (True, False)
    >>> _matcher("glob", "csrc/*.cu")("csrc/attention/paged.cu")
    True
    """
    bare = text.strip("/")
    if op == "glob":
        pattern = compiled(translate(bare))
        return lambda name: pattern.match(name) is not None
    return lambda name: name == bare or name.endswith("/" + bare)


def _texts(wanted: Filter) -> tuple[str, ...]:
    values = wanted.value if isinstance(wanted.value, tuple) else (wanted.value,)
    return tuple(str(value) for value in values)


def _times(wanted: Filter) -> Iterator[tuple[object, object]]:
    """The first and last day of each time that will do.

    >>> list(_times(Filter("window", "in", ("2021-01-01/2021-12-31", "../2019-12-31"))))
    [('2021-01-01', '2021-12-31'), (None, '2019-12-31')]
    """
    if wanted.op == "in":
        yield from map(ends, _texts(wanted))
    else:
        first, last = wanted.value if isinstance(wanted.value, tuple) else (wanted.value, None)
        yield first, last


def _all(masks: Iterable[Mask | None]) -> Mask | None:
    result: Mask | None = None
    for mask in masks:
        if mask is not None:
            result = mask if result is None else result & mask
    return result


def _repos(wanted: Filter, details: Details) -> frozenset[int]:
    return frozenset[int]().union(*(details.repos_named(name) for name in _texts(wanted)))


def _within(musts: Iterable[Filter], details: Details) -> Within:
    """What the lexical index can bound by itself."""
    named = [
        _repos(wanted, details) for wanted in musts if wanted.field == "repo" and not wanted.negated
    ]
    return Within(repos=frozenset.intersection(*named)) if named else EVERYWHERE


def _credited(musts: Iterable[Filter]) -> tuple[Role, ...]:
    """The roles that a question asks for; authors and co-authors when it asks for none.

    >>> _credited([Filter("activity", "in", ("author", "review"))])
    (<Role.AUTHOR: 'author'>, <Role.REVIEWER: 'reviewer'>)
    """
    asked = [wanted for wanted in musts if wanted.field == "activity"]
    wanted_roles = [
        _ROLE_OF[text]
        for wanted in asked
        if not wanted.negated
        for text in _texts(wanted)
        if text in _ROLE_OF
    ]
    unwanted = {_ROLE_OF.get(text) for one in asked if one.negated for text in _texts(one)}
    roles = wanted_roles or [Role.AUTHOR, Role.CO_AUTHOR]
    if roles == [Role.AUTHOR]:
        roles.append(Role.CO_AUTHOR)
    return tuple(role for role in dict.fromkeys(roles) if role not in unwanted)


def _is_about_reviews(wanted: Filter) -> bool:
    """
    >>> _is_about_reviews(Filter("activity", "in", ("author", "review")))
    True
    """
    asks = wanted.field == "activity" and not wanted.negated and "review" in _texts(wanted)
    return asks or wanted.field == "reviews"


def _unheld(musts: Iterable[Filter], details: Details) -> Iterator[str]:
    for wanted in musts:
        if wanted.field == "repo":
            for name in _texts(wanted):
                if not details.repos_named(name):
                    yield f"no repository {name!r} is held here"
