"""The question that the sample was made for: who answers it, and why everybody else does not."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from index.search import Searcher
from index.verdicts import Verdict, verdicts
from ingest.sample import truth
from ingest.sample.cast import NEAR_THEMES
from sourcer import snapshot
from sourcer.cli.asking import understood
from sourcer.pool.funnel import Standing
from sourcer.query import Query
from sourcer.shortlist import Entry
from sourcer.store.database import open_readonly
from tests.sample_snapshot import Demo

SEED = truth().seed
FIELDS = {
    "country": "location",
    "hireable": "openness",
    "seniority": "seniority",
    "topic": "topic",
    "repo": "commits",
}
DECLARED = {"location", "seniority", "openness"}
ARGUABLE = {
    "ilmar-osterhagen": ("topic", "openness"),  # reverts others' work; the plan leaves him open
    "claude-vignemarre": ("seniority",),  # a level that stands in no title
    "script-alert": ("location",),  # a place within markup
}
"""What the plan says and the files do not, or the reverse; see test_linking_sample."""
SHOWN = {"location": "location", "open to offers": "openness", "seniority": "seniority"}


@pytest.fixture(scope="module")
def whose(sample_data: Path) -> Mapping[str, str]:
    """Person id -> slug of the plan; every person of the snapshot is one of the plan's."""
    planned = {
        (signed.name, signed.email.lower()): slug
        for slug, person in truth().people.items()
        for signed in person.signatures
    }
    db = open_readonly(snapshot.current(sample_data).database)
    rows = db.execute(
        """
        select person_id, name, lower(email)
        from person_signatures join signatures on signatures.id = signature_id
        """
    ).fetchall()
    db.close()
    return {who: planned[name, email] for who, name, email in rows if (name, email) in planned}


@dataclass(frozen=True)
class Told:
    """What is true of one person: words that are false, that are open, that may be argued."""

    false: set[str]
    open: set[str]
    arguable: set[str]


def told(slug: str, declaring: frozenset[str]) -> Told:
    """A profile that is linked to nobody, or only suggested, decides no word."""
    false, open_ = set(SEED.fails.get(slug, ())), set(SEED.unknown.get(slug, ()))
    if slug not in declaring:
        false, open_ = false - DECLARED, set(DECLARED)
    arguable = set(ARGUABLE.get(slug, ()))
    if truth().people[slug].wrote(NEAR_THEMES):
        arguable.add("topic")
    return Told(false, open_ - arguable, arguable)


@pytest.fixture(scope="module")
def declaring(sample_data: Path, whose: Mapping[str, str]) -> frozenset[str]:
    """Those to whom some profile is linked."""
    db = open_readonly(snapshot.current(sample_data).database)
    rows = db.execute("select distinct person_id from profile_fields").fetchall()
    db.close()
    return frozenset(whose[who] for (who,) in rows)


@pytest.fixture(scope="module")
def query(sample_data: Path) -> Query:
    return understood(sample_data, SEED.question)


@pytest.fixture(scope="module")
def entries(sample_searcher: Searcher, query: Query, whose: Mapping[str, str]) -> dict[str, Entry]:
    found = sample_searcher.search(query, limit=500)
    assert len(found.entries) == found.total
    return {whose[entry.person.id]: entry for entry in found.entries}


def test_exactly_those_made_to_match_come_first(entries: dict[str, Entry]) -> None:
    known = [slug for slug, entry in entries.items() if not entry.unknown]
    assert set(known) == SEED.matches
    assert list(entries)[: len(known)] == known


def test_every_word_of_a_match_has_a_source(entries: dict[str, Entry]) -> None:
    for slug in SEED.matches:
        shown = entries[slug].person
        facts = [shown.location, shown.seniority, shown.open_to_offers]
        assert [bool(fact and fact.source and fact.fetched_at) for fact in facts] == [True] * 3
        assert shown.open_to_offers is not None
        assert shown.open_to_offers.value == "open to offers"
        assert entries[slug].evidence


def test_the_others_are_those_for_whom_words_are_open_and_says_which(
    entries: dict[str, Entry], declaring: frozenset[str], whose: Mapping[str, str]
) -> None:
    said = {slug: {SHOWN[name] for name in entry.unknown} for slug, entry in entries.items()}
    right = {slug: told(slug, declaring) for slug in truth().people}
    must = {slug: words.open for slug, words in right.items() if not words.false and words.open}
    assert {slug: said.get(slug) for slug in must} == must
    people = Counter(whose.values())
    for slug in said.keys() - must.keys() - SEED.matches:
        assert right[slug].false <= right[slug].arguable or people[slug] > 1, slug
        assert said[slug], slug


def test_who_asked_not_to_be_found_is_not_in_the_snapshot(
    whose: Mapping[str, str], sample_data: Path
) -> None:
    suppressed = {slug for slug, words in SEED.fails.items() if "suppressed" in words}
    assert suppressed == {"linnea-frosthollow"}
    assert suppressed.isdisjoint(whose.values())
    db = open_readonly(snapshot.current(sample_data).database)
    for table in ("people", "signatures", "commits", "profile_fields", "holdings", "accounts"):
        rows = repr(db.execute(f"from {table}").fetchall()).lower()
        assert "frosthollow" not in rows, table
    kinds = dict(
        db.execute("select kind, count(*) from machine_signatures group by kind").fetchall()
    )
    assert kinds["withheld"] > 0
    ordinals = db.execute("select ordinal from people order by ordinal").fetchall()
    assert ordinals == [(number,) for number in range(len(ordinals))]


def test_no_machine_is_a_person(whose: Mapping[str, str], sample_searcher: Searcher) -> None:
    names = set(sample_searcher.details.people["name"].to_pylist())
    assert names.isdisjoint({bot.name for bot in truth().bots})


def test_each_near_miss_is_told_which_word_failed(
    sample_searcher: Searcher,
    query: Query,
    whose: Mapping[str, str],
    declaring: frozenset[str],
) -> None:
    wrong = {}
    for person, slug in _main_people(sample_searcher, whose).items():
        found = verdicts(sample_searcher, query, person)
        false, right = _words(found, Standing.DROPPED), told(slug, declaring)
        open_ = _words(found, Standing.UNKNOWN) | _words(found, Standing.BY_ARTIFACTS)
        if false - right.arguable != right.false - right.arguable:
            wrong[slug] = (false, right)
        elif not right.false and open_ != right.open:
            wrong[slug] = (open_, right)
    assert wrong == {}


def _main_people(searcher: Searcher, whose: Mapping[str, str]) -> dict[int, str]:
    """One person a slug: who has the most commits, where the history does not show it is one."""
    commits = searcher.index.columns.person_commits
    ordinals = sorted(
        (person for id_ in whose if (person := searcher.details.person(id_)) is not None),
        key=lambda person: int(commits[person]),
    )
    ids = searcher.details.people["id"].to_pylist()
    best = {whose[ids[person]]: person for person in ordinals}
    return {person: slug for slug, person in best.items()}


def _words(found: tuple[Verdict, ...], standing: Standing) -> set[str]:
    return {FIELDS[each.field] for each in found if each.standing is standing}


def test_the_demo_shows_exactly_them(demo: Demo) -> None:
    names = {truth().people[slug].name for slug in SEED.matches}
    assert {name for name in names if f". {name}  " in demo.said} == names
    assert "unknown:" not in demo.said
