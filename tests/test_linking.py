"""Which record is about whom: sure by keys, sure by name and company, else only suggested."""

import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ingest import crawl, identity, names
from ingest.profiles import decisions, houses, linking
from ingest.profiles.decisions import Decided, Pair, Verdict
from ingest.profiles.importing import import_file
from ingest.profiles.known import Known, Someone, _spelled
from ingest.profiles.links import Linking
from ingest.profiles.records import ARTIFACT, Record, declared
from ingest.sample import Sample, truth, write
from sourcer.commits import Depth, Repo
from sourcer.store import history, people, profiles
from sourcer.store.database import Database, create

DAY = datetime(2026, 6, 1, tzinfo=UTC)
SALT = b"salt"


@dataclass
class World:
    """People of a history and rows of files, in a few words."""

    people: dict[str, Someone] = field(default_factory=dict)
    logins: dict[str, str] = field(default_factory=dict)
    accounts: dict[int, str] = field(default_factory=dict)
    emails: dict[str, str] = field(default_factory=dict)
    rows: list[Record] = field(default_factory=list)

    def person(
        self,
        id_: str,
        *called: str,
        login: str = "",
        account: int = 0,
        email: str = "",
        domain: str = "",
    ) -> None:
        self.people[id_] = Someone(
            id_,
            tuple(names.read(name) for name in called),
            frozenset([login] if login else []),
            frozenset([account] if account else []),
            houses.of_domain(domain) if domain else (),
        )
        self.logins |= {login: id_} if login else {}
        self.accounts |= {account: id_} if account else {}
        self.emails |= {email: id_} if email else {}

    def row(
        self,
        key: str,
        source: str = "linkedin",
        login: str | None = None,
        account: int | None = None,
        email: str = "",
        method: str = "imported",
        **said: str,
    ) -> None:
        keys = (email,) if email else ()
        self.rows.append(Record(source, key, DAY, declared(**said), login, account, keys, method))

    def link(self, decided: Decided | None = None) -> Linking:
        known = Known(
            self.people, self.accounts, self.logins, self.emails, _spelled(self.people.values())
        )
        return linking.linked(self.rows, known, decided or Decided())


def links(done: Linking) -> set[tuple[str, str, str]]:
    return {(each.record.key, each.person_id, str(each.rule)) for each in done.links}


def asked(done: Linking) -> list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    return [
        (each.record.key, each.person_id, each.reasons, each.against) for each in done.suggestions
    ]


@pytest.fixture
def world() -> World:
    return World()


# --- by keys ------------------------------------------------------------------------------------


def test_keys_from_the_surest_to_the_weakest(world: World) -> None:
    world.person("p1", "Mira Lundgren", login="mira-l", account=7, email="k1")
    world.row("1", "github", login="renamed", account=7)
    world.row("2", login="Mira-L")
    world.row("3", email="k1")
    assert links(world.link()) == {
        ("1", "p1", "GitHub account id"),
        ("2", "p1", "GitHub login"),
        ("3", "p1", "email"),
    }


def test_a_login_that_somebody_else_took_over_is_not_its_former_holders(world: World) -> None:
    world.person("p1", "Mira Lundgren", login="mira-l", account=7)
    world.row("99", "github", login="mira-l", account=99, name="Jo Bergqvist")
    done = world.link()
    assert done.links == ()
    assert asked(done)[0][3] == ("another GitHub account", "different full names")


def test_a_key_with_a_contradicting_name_is_asked_about(world: World) -> None:
    world.person("p1", "Mira Lundgren", email="k1")
    world.row("1", email="k1", name="Jo Bergqvist")
    assert asked(world.link()) == [("1", "p1", ("same email",), ("different full names",))]


def test_names_in_two_alphabets_do_not_contradict(world: World) -> None:
    world.person("p1", "עידו כרמלוביץ", login="ido")
    world.row("1", login="ido", name="Ido Karmelowitz")
    assert links(world.link()) == {("1", "p1", "GitHub login")}


def test_a_row_that_names_two_people_shows_them_to_be_one(world: World) -> None:
    world.person("p1", "mira-l", login="mira-l")
    world.person("p2", "Mira Lundgren", email="k2")
    world.row("1", login="mira-l", email="k2", name="Mira Lundgren")
    done = world.link()
    assert {each.person_id for each in done.links} == {"p1", "p2"}
    assert done.ties == (("p1", "p2"),)


def test_a_row_whose_keys_lead_to_two_different_people_is_asked_about(world: World) -> None:
    world.person("p1", "Jo Bergqvist", login="jo")
    world.person("p2", "Mira Lundgren", email="k2")
    world.row("1", login="jo", email="k2", name="Mira Lundgren")
    done = world.link()
    assert done.links == ()
    assert {row[1] for row in asked(done)} == {"p1", "p2"}


def test_one_linked_row_leads_to_the_next(world: World) -> None:
    url = "https://www.linkedin.com/in/mira"
    world.person("p1", "Mira Lundgren", login="mira-l")
    world.row("1", "table:ats", login="mira-l", email="k9", linkedin=url)
    world.row("2", linkedin=url)
    world.row("3", email="k9")
    assert links(world.link()) == {
        ("1", "p1", "GitHub login"),
        ("2", "p1", "address of the LinkedIn profile"),
        ("3", "p1", "email"),
    }


# --- by name ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("company", "domain"),
    [
        ("NVIDIA Corporation", "nvidia.com"),
        ("Red Hat", "neuralmagic.com"),
        ("IBM", "redhat.com"),
        ("Thistledown Inference Ltd", "thistledown.example"),
    ],
)
def test_name_and_company_link(world: World, company: str, domain: str) -> None:
    world.person("p1", "Mira Lundgren", domain=domain)
    world.row("1", name="Lundgren Mira", company=company)
    assert links(world.link()) == {("1", "p1", "name and company or school")}


def test_name_and_school_link(world: World) -> None:
    world.person("p1", "Mira Lundgren", domain="berkeley.edu")
    world.row("1", name="Mira Lundgren", company="ACME", school="UC Berkeley")
    assert links(world.link()) == {("1", "p1", "name and company or school")}


def test_the_company_that_a_linked_profile_declares_counts(world: World) -> None:
    world.person("p1", "Mira Lundgren", login="mira-l")
    world.row("7", "github", login="mira-l", company="@thistledown")
    world.row("1", name="Mira Lundgren", company="Thistledown")
    assert ("1", "p1", "name and company or school") in links(world.link())


def test_a_lone_name_is_only_suggested_and_says_what_is_missing(world: World) -> None:
    world.person("p1", "Mira Lundgren", domain="nvidia.com")
    world.row("1", name="Mira Lundgren")
    world.row("2", "table:ats", name="Mira Lundgren", company="SAP")
    assert asked(world.link()) == [
        ("1", "p1", ("same name",), ("the row names no company or school",)),
        ("2", "p1", ("same name",), ("no company or school in common: SAP; seen as NVIDIA",)),
    ]


def test_a_short_name_at_a_large_company_is_only_suggested(world: World) -> None:
    world.person("p1", "Wei Li", domain="nvidia.com")
    world.row("1", name="Wei Li", company="NVIDIA")
    assert asked(world.link()) == [
        (
            "1",
            "p1",
            ("same name", "same company or school: NVIDIA"),
            ("a short name, which many share",),
        )
    ]


def test_two_rows_for_one_person_are_both_asked_about(world: World) -> None:
    world.person("p1", "Mira Lundgren", domain="nvidia.com")
    for key in ("1", "2"):
        world.row(key, name="Mira Lundgren", company="NVIDIA")
    done = world.link()
    assert done.links == ()
    assert [row[:2] for row in asked(done)] == [("1", "p1"), ("2", "p1")]


def test_two_people_for_one_row_are_both_asked_about(world: World) -> None:
    for who in ("p1", "p2"):
        world.person(who, "Mira Lundgren", domain="nvidia.com")
    world.row("1", name="Mira Lundgren", company="NVIDIA")
    done = world.link()
    assert done.links == ()
    assert [row[1] for row in asked(done)] == ["p1", "p2"]


def test_another_github_login_keeps_name_and_company_from_linking(world: World) -> None:
    world.person("p1", "Mira Lundgren", login="mira-l", domain="nvidia.com")
    world.row("1", login="other", name="Mira Lundgren", company="NVIDIA")
    done = world.link()
    assert done.links == ()
    assert asked(done)[0][3] == ("another GitHub login",)


@pytest.mark.parametrize("company", ["Freelance", "Stealth Startup", "self-employed", "Student"])
def test_what_is_no_company_is_shared_by_nobody(world: World, company: str) -> None:
    world.person("p1", "Mira Lundgren", login="mira-l")
    world.row("7", "github", login="mira-l", company=company)
    world.row("1", name="Mira Lundgren", company=company)
    assert {key for key, _, _ in links(world.link())} == {"7"}


def test_several_papers_of_one_author_are_all_linked(world: World) -> None:
    world.person("p1", "Mira Lundgren", domain="nvidia.com")
    for key in ("a", "b"):
        world.row(
            key, "openalex", method=ARTIFACT, name="Mira Lundgren", company="NVIDIA", kind="paper"
        )
    assert {key for key, _, _ in links(world.link())} == {"a", "b"}


def test_a_chinese_name_in_pinyin_is_suggested(world: World) -> None:
    world.person("p1", "徐文岚", domain="alibaba-inc.com")
    world.row("1", name="Wenlan Xu", company="Alibaba")
    assert asked(world.link()) == [
        ("1", "p1", ("a name written in another way", "same company or school: Alibaba"), ())
    ]


# --- decisions ----------------------------------------------------------------------------------


def test_accept_reject_and_undo_are_records(world: World, tmp_path: Path) -> None:
    world.person("p1", "Mira Lundgren", domain="nvidia.com")
    world.row("1", name="Mira Lundgren")
    pair = Pair("linkedin", "1", "p1")
    decisions.decide(tmp_path, Verdict.ACCEPT, pair)
    accepted = world.link(decisions.decided(tmp_path))
    assert links(accepted) == {("1", "p1", "linked by a human decision")}
    decisions.decide(tmp_path, Verdict.REJECT, pair)
    assert world.link(decisions.decided(tmp_path)) == Linking()
    decisions.decide(tmp_path, Verdict.UNDO, pair)
    assert [row[:2] for row in asked(world.link(decisions.decided(tmp_path)))] == [("1", "p1")]
    assert [str(each.verdict) for each in decisions.history(tmp_path)] == [
        "accept",
        "reject",
        "undo",
    ]


def test_a_rejected_pair_is_not_linked_by_any_rule(world: World) -> None:
    world.person("p1", "Mira Lundgren", login="mira-l", domain="nvidia.com")
    world.row("1", login="mira-l", name="Mira Lundgren", company="NVIDIA")
    assert world.link(Decided(rejected=frozenset([Pair("linkedin", "1", "p1")]))) == Linking()


def test_a_decision_follows_a_person_who_was_merged(tmp_path: Path) -> None:
    decisions.decide(tmp_path, Verdict.ACCEPT, Pair("linkedin", "1", "old"))
    assert decisions.decided(tmp_path, {"old": "new"}).accepted == {("linkedin", "1"): "new"}


# --- "no recruiters" ----------------------------------------------------------------------------


def test_who_asks_recruiters_to_stay_away_is_suppressed(world: World) -> None:
    world.person("p1", "Mira Lundgren", login="mira-l")
    world.person("p2", "Jo Bergqvist", login="jo")
    world.row("7", "github", login="mira-l", bio="Kernels. No recruiters, please!")
    world.row("8", "github", login="jo", bio="I make tools for recruiters")
    assert world.link().suppressed == {"p1"}


# --- how well -----------------------------------------------------------------------------------

FIRST = "Alba Bruno Carla Dario Elena Fabio Greta Hugo Irene Jonas Katya Lucian Marek Nadia".split()
LAST = [
    start + end
    for start in "Ald Bern Cald Dorn Eld Fern Gold Hart Iver Kest Lund Mor Nest Orl".split()
    for end in "berg dale field gard hurst man quist son".split()
]
EMPLOYERS = {
    "NVIDIA": "nvidia.com",
    "Google": "google.com",
    "Red Hat": "redhat.com",
    "Meta": "meta.com",
    "AMD": "amd.com",
    "Intel": "intel.com",
    "ByteDance": "bytedance.com",
    "Anyscale": "anyscale.com",
    "Hexworth Systems": "hexworth.dev",
    "Larkspur Compute": "larkspur.io",
}
WRITTEN = {"NVIDIA": "NVIDIA Corporation", "Meta": "Facebook", "Red Hat": "@RedHatOfficial"}


@dataclass
class Crowd:
    """500 contributors with a LinkedIn row each, and 5,000 rows of strangers."""

    world: World
    right: dict[str, str]


def crowd(seed: int) -> Crowd:
    """Strangers are drawn from the same names and the other companies, as address books are."""
    dice = random.Random(seed)
    every = [f"{first} {last}" for first in FIRST for last in LAST]
    dice.shuffle(every)
    world, right = World(), {}
    held: dict[str, set[str]] = {}
    for number, name in enumerate(every[:500]):
        firm = dice.choice(list(EMPLOYERS))
        world.person(f"p{number}", name, domain=EMPLOYERS[firm])
        held.setdefault(name, set()).add(firm)
        first, last = name.split()
        spelled = dice.choice([name, name, name.upper(), f"{last}, {first}", name.lower()])
        world.row(f"own-{number}", name=spelled, company=WRITTEN.get(firm, firm))
        right[f"own-{number}"] = f"p{number}"
    for number in range(5000):
        name = f"{dice.choice(FIRST)} {dice.choice(LAST)}{dice.choice(['', 'er', 'ov', 'ski', 'a'])}"
        firms = sorted({*EMPLOYERS, "SAP", "Oracle", "Acme", "Initech"} - held.get(name, set()))
        world.row(f"stranger-{number}", name=name, company=dice.choice(firms))
    return Crowd(world, right)


def test_name_and_company_find_nearly_all_and_nobody_else() -> None:
    made = crowd(20260601)
    found = {each.record.key: each.person_id for each in made.world.link().links}
    wrong = {key for key, who in found.items() if made.right.get(key) != who}
    assert wrong == set()
    assert len(found) >= 495


def test_names_alone_would_have_linked_strangers() -> None:
    made = crowd(20260601)
    called = Counter(each.names[0].order_free for each in made.world.people.values())
    strangers = [
        row
        for row in made.world.rows
        if row.key not in made.right and called[names.read(row.fields["name"]).order_free] == 1
    ]
    assert len(strangers) > 100


# --- the sample ---------------------------------------------------------------------------------


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
    people.write(db, identity.resolve(people.evidence(db)))
    for file in sample.profiles:
        import_file(file, place / "profiles", SALT)
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
    rows = Counter(str(each.rule) for each in sampled.done.links if each.record.source == "linkedin")
    assert rows == {"name and company or school": 21}
    asked_about = [each for each in sampled.done.suggestions if each.record.source == "linkedin"]
    assert [
        (each.record.fields["name"], each.reasons, each.against) for each in asked_about
    ] == [("Ivor Penhallisk", ("same name",), ("the row names no company or school",))]


def test_everybody_who_answers_the_seed_question_has_a_profile(sampled: Sampled) -> None:
    whose = slugs(sampled)
    have = {slug for each in sampled.done.links for slug in whose[each.person_id]}
    assert truth().seed.matches <= have


def test_the_bot_of_the_sample_is_nobody(sampled: Sampled) -> None:
    logins = {each.record.login for each in sampled.done.links}
    assert "moe-tuner[bot]" not in logins


def test_the_sample_has_one_person_who_wants_no_recruiters(sampled: Sampled) -> None:
    whose = slugs(sampled)
    assert {slug for who in sampled.done.suppressed for slug in whose[who]} == {"linnea-frosthollow"}


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
