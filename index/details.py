"""What is shown of commits and people, read once from the snapshot's DuckDB."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from index.commit_facts import CommitFacts
from index.remembered import Remembered
from sourcer import companies
from sourcer.attributes import NOTHING_KNOWN, Attributes, Seen
from sourcer.openness import Openness
from sourcer.people import Declared, Profile
from sourcer.shortlist import Holding, Shown
from sourcer.store import shortlist as tables
from sourcer.store.database import Database, open_readonly
from sourcer.time_zones import Clock, clock

NEVER = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class RepoShown:
    name: str
    url: str | None

    def answers_to(self, said: str) -> bool:
        """
        >>> RepoShown("vllm-project/vllm", None).answers_to("vLLM")
        True
        """
        name = self.name.lower()
        return said.lower() in (name, name.rpartition("/")[2])


@dataclass(frozen=True)
class Details:
    repos: Mapping[int, RepoShown]
    topics: tuple[tuple[str, str], ...]
    """id and name, by ordinal."""
    commits: pa.Table
    created: npt.NDArray[np.int32]
    """Per commit: how many files it created."""
    people: pa.Table
    attributes: Mapping[int, Attributes]
    holdings: Mapping[int, tuple[Holding, ...]]
    reviews_fetched: frozenset[int] = frozenset()
    """Repositories whose pull requests were asked for their reviews."""
    clocks: Mapping[int, Clock] = field(default_factory=dict)
    """By which clocks people write commits, where these hint at something."""

    @classmethod
    def open(cls, file: Path) -> Self:
        db = open_readonly(file)
        try:
            return cls.read(db)
        finally:
            db.close()

    @classmethod
    def read(cls, db: Database) -> Self:
        held: dict[int, list[Holding]] = defaultdict(list)
        for person, repo, role, scope, since in tables.holdings(db):
            held[person].append(Holding(repo, role, scope, since))
        commits = tables.commits(db).combine_chunks()
        return cls(
            repos={id_: RepoShown(name, url) for id_, name, url in tables.repos(db)},
            topics=tuple(tables.topics(db)),
            commits=commits,
            created=_created(db, commits.num_rows),
            people=tables.people(db).combine_chunks(),
            attributes=_attributes(db),
            holdings={person: tuple(holdings) for person, holdings in held.items()},
            reviews_fetched=tables.reviews_fetched(db),
            clocks=_clocks(db),
        )

    @cached_property
    def facts(self) -> CommitFacts:
        return CommitFacts.of(self.commits)

    @property
    def pulls(self) -> npt.NDArray[np.int32]:
        """Per commit its pull request; 0: none."""
        return self.facts.pulls

    @cached_property
    def topic_ordinals(self) -> Mapping[str, int]:
        return {id_: ordinal for ordinal, (id_, _) in enumerate(self.topics)}

    @cached_property
    def _called(self) -> list[tuple[str, str, list[str], list[str]]]:
        columns = (self.people[name].to_pylist() for name in ("id", "name", "aliases", "logins"))
        return list(zip(*columns, strict=True))

    @cached_property
    def person_by_name(self) -> Mapping[str, int]:
        """Ordinals by id and by login in small letters."""
        found: dict[str, int] = {}
        ids, logins = self.people["id"].to_pylist(), self.people["logins"].to_pylist()
        for ordinal, (id_, held) in enumerate(zip(ids, logins, strict=True)):
            for name in (id_, *(login.lower() for login in held)):
                found.setdefault(name, ordinal)
        return found

    def person(self, login_or_id: str) -> int | None:
        said = login_or_id.lstrip("@")
        return self.person_by_name.get(said, self.person_by_name.get(said.lower()))

    def repos_named(self, said: str) -> frozenset[int]:
        return frozenset(id_ for id_, repo in self.repos.items() if repo.answers_to(said))

    def known(self, person: int) -> Attributes:
        return self.attributes.get(person, NOTHING_KNOWN)

    def shown(self, person: int) -> Shown:
        return self._people_shown.get(person, self._as_shown)

    @cached_property
    def _people_shown(self) -> Remembered[int, Shown]:
        return Remembered(10_000)

    def _as_shown(self, person: int) -> Shown:
        known = self.known(person)
        first = known.profile.first
        id_, name, aliases, logins = self._called[person]
        return Shown(
            id=id_,
            name=name,
            aliases=tuple(aliases),
            logins=tuple(logins),
            location=first("location"),
            employer=first("company") or _seen_employer(known),
            title=first("title"),
            seniority=_seniority(known),
            open_to_offers=_open_to_offers(known),
            roles_held=self.holdings.get(person, ()),
        )

    def url(self, repo: int, sha: str) -> str | None:
        base = self.repos[repo].url
        return None if base is None else f"{base}/commit/{sha}"


def _created(db: Database, commits: int) -> npt.NDArray[np.int32]:
    table = tables.created(db)
    created = np.zeros(commits, np.int32)
    created[table["commit"].to_numpy()] = table["files"].to_numpy()
    return created


def _attributes(db: Database) -> dict[int, Attributes]:
    profiles: dict[int, Profile] = {}
    for person, name, value, source, fetched_at, method in tables.profiles(db):
        known = profiles.get(person, Profile(str(person)))
        profiles[person] = known.with_field(name, Declared(value, source, fetched_at, method))
    seen: dict[int, list[Seen]] = defaultdict(list)
    for person, company, how, _first, last, source, current in tables.affiliations(db):
        fact = Declared(companies.shown_name(company), source, last or NEVER, how)
        seen[person].append(Seen(company, fact, current))
    return {
        person: Attributes(profiles.get(person, Profile(str(person))), tuple(seen[person]))
        for person in profiles.keys() | seen.keys()
    }


def _clocks(db: Database) -> dict[int, Clock]:
    zones: dict[int, dict[int, int]] = defaultdict(dict)
    for person, zone, commits in tables.zones(db):
        zones[person][zone] = commits
    clocks = ((person, clock(held)) for person, held in zones.items())
    return {person: found for person, found in clocks if found is not None}


def _seen_employer(known: Attributes) -> Declared | None:
    return next((seen.declared for seen in known.seen if seen.current), None)


def _seniority(known: Attributes) -> Declared | None:
    """As read from what was declared, with its provenance."""
    if known.level is None:
        return None
    level, said = known.level
    return replace(said, value=level.value, method=f"read from {said.value!r} ({said.method})")


def _open_to_offers(known: Attributes) -> Declared | None:
    """The answer, with the statement that gives it."""
    if known.openness is None:
        return None
    answer, said = known.openness
    how = "GitHub's hireable flag" if said.value == "true" else repr(said.value)
    value = {Openness.OPEN: "open to offers", Openness.CLOSED: "not open to offers"}
    shown = value.get(answer, str(answer))
    return replace(said, value=shown, method=f"read from {how} ({said.method})")
