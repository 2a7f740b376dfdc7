"""The question that the sample was made for: who answers it, and why everybody else does not."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from index.search import Searcher
from index.verdicts import Verdict, verdicts
from ingest.sample import truth
from sourcer import snapshot
from sourcer.cli.asking import understood
from sourcer.funnel import Standing
from sourcer.query import Query
from sourcer.shortlist import Entry
from sourcer.store.database import open_readonly

SEED = truth().seed
FIELDS = {
    "country": "location",
    "hireable": "openness",
    "seniority": "seniority",
    "topic": "topic",
    "repo": "commits",
}
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


def test_nobody_is_shown_for_whom_a_word_is_false(entries: dict[str, Entry]) -> None:
    assert entries.keys() & SEED.fails.keys() == set()


def test_the_others_are_those_for_whom_words_are_open_and_says_which(
    entries: dict[str, Entry],
) -> None:
    said = {
        slug: tuple(SHOWN[name] for name in entry.unknown)
        for slug, entry in entries.items()
        if entry.unknown
    }
    assert {slug: set(words) for slug, words in said.items()} == {
        slug: set(words) for slug, words in SEED.unknown.items()
    }


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
    sample_searcher: Searcher, query: Query, whose: Mapping[str, str]
) -> None:
    wrong = {}
    for id_, slug in whose.items():
        person = sample_searcher.details.person(id_)
        assert person is not None
        found = verdicts(sample_searcher, query, person)
        failed, open_ = _words(found, Standing.DROPPED), _words(found, Standing.UNKNOWN)
        open_ |= _words(found, Standing.BY_ARTIFACTS)
        told = set(SEED.fails.get(slug, ())), set(SEED.unknown.get(slug, ()))
        if (failed, open_ if not failed else told[1]) != told:
            wrong[slug] = (failed, open_, told)
    assert wrong == {}


def _words(found: tuple[Verdict, ...], standing: Standing) -> set[str]:
    return {FIELDS[each.field] for each in found if each.standing is standing}
