"""Which record is about whom: sure by keys, sure by name and company, else only suggested."""

from pathlib import Path

import pytest

from ingest.profiles import decisions
from ingest.profiles.decisions import Decided, Pair, Verdict
from ingest.profiles.links import Linking
from ingest.profiles.records import ARTIFACT
from tests.linking_world import World, asked, links


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
