"""Employers of people in a snapshot: as declared, as seen, as past."""

import pytest

from ingest import employers
from sourcer.attributes import Attributes
from sourcer.people import BY_DOMAIN
from sourcer.store.database import Database
from tests.small_history import Change, History

ADDRESSES = {"Ada": "ada@redhat.com", "Bo": "bo@gmail.com", "Cy": "cy@nvidia.com"}


def history(*changes: Change) -> History:
    world = History().add(*changes)
    for name, address in ADDRESSES.items():
        world.db.execute("update signatures set email = ? where name = ?", [address, name])
    return world


def rows(db: Database) -> list[tuple[object, ...]]:
    employers.write(db)
    return db.execute(
        """
        select person_id, company, how, first_seen::date::text, last_seen::date::text, source
        from affiliations order by all
        """
    ).fetchall()


def test_a_domain_is_seen_from_its_first_commit_to_its_last() -> None:
    world = history(
        Change("Ada", "2024-03-01", "Fuse", ["a.cu"]),
        Change("Ada", "2025-06-30", "Fuse more", ["a.cu"]),
        Change("Bo", "2025-06-30", "Free mail says nothing", ["b.cu"]),
    )
    said = ("p-Ada", "red hat", BY_DOMAIN, "2024-03-01", "2025-06-30", "2 commits from redhat.com")
    assert rows(world.db) == [said]


def test_an_address_that_two_people_sign_with_says_nothing() -> None:
    world = history(Change("Ada", "2024-03-01", "Fuse", ["a.cu"], co=["Bo"]))
    world.db.execute("update signatures set email = 'ada@redhat.com'")
    assert rows(world.db) == []


def test_declarations_have_their_source_and_what_was_left_says_so() -> None:
    world = history(Change("Bo", "2025-01-01", "Fuse", ["a.cu"]))
    world.declare("Bo", company="ex-Meta, now @inferact", school="UC Berkeley")
    assert [row[1:3] + row[5:] for row in rows(world.db)] == [
        ("inferact", "declared", "github"),
        ("meta", "declared as left", "github"),
        ("uc berkeley", "declared as left", "github"),
    ]


def known(world: History, person: str, tmp: pytest.TempPathFactory) -> Attributes:
    employers.write(world.db)
    details = world.searcher(tmp.mktemp("world")).details
    ordinal = details.person(f"p-{person}")
    assert ordinal is not None
    return details.known(ordinal)


def test_what_is_declared_now_goes_before_what_is_seen(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    world = history(Change("Ada", "2026-01-01", "Fuse", ["a.cu"])).declare("Ada", company="Modal")
    ada = known(world, "Ada", tmp_path_factory)
    assert (ada.employers, ada.past_employers) == ({"modal"}, {"red hat"})


def test_an_address_out_of_use_for_a_year_is_past(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    world = history(
        Change("Cy", "2023-01-01", "Fuse", ["a.cu"]), Change("Cee", "2026-01-01", "Go", ["b.cu"])
    )
    world.db.execute("update person_signatures set person_id = 'p-Cy'")
    cy = known(world, "Cy", tmp_path_factory)
    assert (cy.employers, cy.past_employers) == (frozenset(), {"nvidia"})
    assert [(seen.declared.value, seen.declared.source) for seen in cy.seen] == [
        ("NVIDIA", "1 commit from nvidia.com")
    ]


def test_of_two_addresses_last_seen_at_once_the_one_in_use_longer_is_named(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    world = history(
        Change("Ada", "2025-01-01", "Fuse", ["a.cu"]),
        Change("Ada", "2026-06-24", "Fuse more", ["a.cu"]),
        Change("Cy", "2026-06-24", "Sign once from elsewhere", ["a.cu"]),
    )
    world.db.execute("update person_signatures set person_id = 'p-Ada'")
    ada = known(world, "Ada", tmp_path_factory)
    assert [seen.company for seen in ada.seen] == ["red hat", "nvidia"]
