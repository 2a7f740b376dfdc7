"""The sample's profile files are linked to its people as its plan says."""

from collections import Counter
from dataclasses import dataclass, replace

import pytest

from ingest import crawl, identity
from ingest.profiles import linking
from ingest.profiles.decisions import Pair
from ingest.profiles.importing import import_file
from ingest.profiles.links import Linking
from ingest.sample import Sample, truth, write
from sourcer import openness, titles
from sourcer.commits import Depth, Repo
from sourcer.people import Declared, Profile
from sourcer.places.declared import read as read_place
from sourcer.store import history, people, profiles
from sourcer.store.database import Database, create

SALT = b"salt"


@dataclass
class Sampled:
    sample: Sample
    db: Database
    done: Linking


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Sampled:
    place = tmp_path_factory.mktemp("linked")
    sample = write(place / "sample")
    crawled = []
    for name, path in sample.repositories.items():
        into = place / name.replace("/", "+")
        crawl.crawl(path, into, Depth.PATHS)
        repo = Repo(name, str(path), None)
        crawled.append(history.Crawled(repo, Depth.PATHS, crawl.batches(into)))
    db = create()
    history.load_history(db, crawled, SALT)
    evidence = people.evidence(db)
    people.write(db, identity.resolve(evidence))
    for file in sample.profiles:
        import_file(file, place / "profiles", SALT)
    same = linking.ties(db, place / "profiles", SALT)
    people.write(db, identity.resolve(replace(evidence, same_profile=same)))
    return Sampled(sample, db, linking.link(db, place / "profiles", SALT))


def slugs(sampled: Sampled) -> dict[str, set[str]]:
    """Whose signatures each person of the database has, as the plan of the sample says."""
    mine = {
        (sign.name, sign.email): slug
        for slug, person in truth().people.items()
        for sign in person.signatures
    }
    rows = sampled.db.execute(
        "select person_id, name, email from person_signatures join signatures on id = signature_id"
    ).fetchall()
    found: dict[str, set[str]] = {}
    for who, name, email in rows:
        if (name, email) in mine:
            found.setdefault(who, set()).add(mine[name, email])
    return found


def test_every_link_of_the_sample_is_true(sampled: Sampled) -> None:
    whose = slugs(sampled)
    named = {person.name: slug for slug, person in truth().people.items()}
    logins = {login: slug for slug, each in truth().people.items() for login in each.logins}
    for each in sampled.done.links:
        right = logins.get(each.record.login or "") or named[each.record.fields["name"]]
        assert right in whose[each.person_id], each


def test_the_samples_linkedin_rows_are_linked_but_for_the_one_without_a_company(
    sampled: Sampled,
) -> None:
    linkedin = [each for each in sampled.done.links if each.record.source == "linkedin"]
    rows = Counter(str(each.rule) for each in linkedin)
    assert rows == {"name and company or school": 21}
    asked_about = [each for each in sampled.done.suggestions if each.record.source == "linkedin"]
    assert [(each.record.fields["name"], each.reasons, each.against) for each in asked_about] == [
        ("Ivor Penhallisk", ("same name",), ("the row names no company or school",))
    ]


def test_a_profile_shows_two_people_of_the_history_to_be_one(sampled: Sampled) -> None:
    assert sampled.done.ties == (), "the resolver was told"
    rules = sampled.db.execute(
        """
        select distinct rule from person_signatures join people on people.id = person_id
        where people.name = 'Ximena Calderwood' order by all
        """
    ).fetchall()
    assert ("one profile names both",) in rules


Words = tuple[str | None, str | None, str | None]
NOT_TOLD = {
    "linnea-frosthollow",  # wants no recruiters, which is more than not being open
    "ilmar-osterhagen",  # the plan leaves open what these two rows say
    "bronislawa-cwiklinska",
    "claude-vignemarre",  # a level that stands in no title
    "script-alert",  # a place within markup
}


def words(sampled: Sampled) -> dict[str, Words]:
    """Country, level and openness, of all that the linked records say of each made-up person."""
    found: dict[str, Profile] = {}
    whose = slugs(sampled)
    for who, name, *said in sampled.db.execute(
        "select person_id, field, value, source, fetched_at, method from profile_fields"
    ).fetchall():
        for slug in whose[who]:
            profile = found.get(slug, Profile(slug))
            found[slug] = profile.with_field(name, Declared(*said))
    return {slug: spoken(profile) for slug, profile in found.items()}


def spoken(profile: Profile) -> Words:
    places_named = [
        {place.country for place in read_place(said.value).places}
        for said in profile.all("location")
        if said.source == "github" or len(profile.all("location")) == 1
    ]
    levels = [titles.read(said.value).seniority for said in profile.all("title")]
    stands = openness.of_profile(profile)
    one = places_named[0] if places_named else set()
    return (
        one.pop() if len(one) == 1 else None,
        str(levels[0]) if levels and levels[0] else None,
        {"open": "yes", "not open": "no"}.get(str(stands[0])) if stands else None,
    )


def test_the_linked_records_say_of_everybody_what_is_true(sampled: Sampled) -> None:
    said = words(sampled)
    told = {slug: (each.country, each.level, each.open) for slug, each in truth().people.items()}
    wrong = {slug: (said[slug], told[slug]) for slug in said if said[slug] != told[slug]}
    assert wrong.keys() == NOT_TOLD, wrong
    assert truth().seed.matches <= set(said)


def test_the_bot_of_the_sample_is_nobody(sampled: Sampled) -> None:
    logins = {each.record.login for each in sampled.done.links}
    assert "moe-tuner[bot]" not in logins


def test_the_sample_has_one_person_who_wants_no_recruiters(sampled: Sampled) -> None:
    whose = slugs(sampled)
    suppressed = {slug for who in sampled.done.suppressed for slug in whose[who]}
    assert suppressed == {"linnea-frosthollow"}


def test_sources_that_disagree_are_all_kept(sampled: Sampled) -> None:
    rows = sampled.db.execute(
        """
        select field, value, profile_fields.source from profile_fields
        join people on people.id = person_id
        where people.name = 'Bettany Hargrovel' and field in ('location', 'hireable', 'status')
        order by all
        """
    ).fetchall()
    assert rows == [
        ("hireable", "true", "github"),
        ("location", "Denver, CO", "table:ats-export"),
        ("location", "Toronto", "github"),
        ("status", "not open", "table:ats-export"),
    ]


def test_the_queue_of_the_sample_waits_in_the_database(sampled: Sampled) -> None:
    waiting = profiles.suggestions(sampled.db)
    assert len(waiting) == len(sampled.done.suggestions)
    ivor = next(each for each, name in waiting if each.source == "linkedin")
    assert ivor.says == "Ivor Penhallisk · Senior Software Engineer"
    assert ivor.id == Pair(ivor.source, ivor.key, ivor.person_id).id


def test_a_linked_profile_tells_its_persons_login_and_nobody_elses(sampled: Sampled) -> None:
    rows = sampled.db.execute(
        "select people.name, login from logins join people on people.id = person_id"
        " where rule like 'profile linked by %'"
    ).fetchall()
    truly = {login: each.name for each in truth().people.values() for login in each.logins}
    assert len(rows) >= 60
    assert [row for row in rows if truly[row[1]] != row[0]] == []


def test_a_login_that_somebody_has_is_not_given_away() -> None:
    db = create()
    db.execute("insert into logins values ('p1', 'Ada', null, 'same GitHub account')")
    told = [profiles.NewLogin("p2", login, 7, "profile linked by email") for login in ("ada", "bo")]
    profiles.add_logins(db, [*told, told[1]])
    assert db.execute("select person_id, login, github_id from logins").fetchall() == [
        ("p1", "Ada", None),
        ("p2", "bo", 7),
    ]
