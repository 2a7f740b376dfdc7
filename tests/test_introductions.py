"""Whose a login is, as a project's own pages say it."""

from pathlib import Path

import pytest

from ingest.crawl import batches
from ingest.identity import resolve
from ingest.introductions import PAGE, introductions, standing
from ingest.owners import versions
from sourcer.commits import Depth
from sourcer.people import Rule
from sourcer.resolution import Introduced, SignatureEvidence
from sourcer.store import people
from tests.histories import History, crawled
from tests.test_identity import seen

MIRA, JOHAN = "Mira Lundgren <mira@firm.example>", "Johan Berg <jb@firm.example>"


def told(*introduced: Introduced, signatures: tuple[str, ...]) -> dict[str, str]:
    """Login -> name of its holder, for logins that a page ties to people."""
    evidence = SignatureEvidence(
        tuple(seen(number, text) for number, text in enumerate(signatures)), introduced=introduced
    )
    return {
        held.login: person.name
        for person in resolve(evidence).people
        for held in person.logins
        if held.rule == str(Rule.INTRODUCED)
    }


@pytest.mark.parametrize(
    ("introduced", "holder"),
    [
        (Introduced("snowquill", "Lundgren, Mira", None), {"snowquill": "Mira Lundgren"}),
        (Introduced("snowquill", "", 1), {"snowquill": "Johan Berg"}),
        (Introduced("snowquill", "Mira Lundgren", 0), {"snowquill": "Mira Lundgren"}),
    ],
    ids=["by name", "by commit", "by both"],
)
def test_a_page_ties_a_login_to_its_holder(introduced: Introduced, holder: dict[str, str]) -> None:
    assert told(introduced, signatures=(MIRA, JOHAN)) == holder


@pytest.mark.parametrize(
    ("introduced", "signatures"),
    [
        ((Introduced("snowquill", "Kim Vale", None),), (MIRA, JOHAN)),
        ((Introduced("snowquill", "Mira Lundgren", 1),), (MIRA, JOHAN)),
        ((Introduced("snowquill", "Mira", None),), ("Mira <mira@firm.example>", JOHAN)),
        ((Introduced("a-1", "", 0), Introduced("b-2", "Mira Lundgren", None)), (MIRA, JOHAN)),
        (
            (Introduced("snowquill", "Mira Lundgren", None),),
            ("Mira Lundgren <7+mlu@users.noreply.github.com>", JOHAN),
        ),
        (
            (Introduced("snowquill", "Mira Lundgren", None),),
            (MIRA, "Kim Vale <9+snowquill@users.noreply.github.com>"),
        ),
    ],
    ids=[
        "nobody has the name",
        "name and commit are two people's",
        "a first name that is not in the login",
        "two logins for one person",
        "the person shows another account",
        "the login is shown to be another's",
    ],
)
def test_what_is_not_certain_is_left_alone(
    introduced: tuple[Introduced, ...], signatures: tuple[str, ...]
) -> None:
    assert told(*introduced, signatures=signatures) == {}


def test_a_first_name_that_is_in_the_login_will_do() -> None:
    mira = "Miranda <miranda@firm.example>"
    found = told(Introduced("miranda-qq", "Miranda", None), signatures=(mira, JOHAN))
    assert found == {"miranda-qq": "Miranda"}


def test_pages_are_read_as_they_stand_and_commits_found_by_the_beginning(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    first = source.commit({"a.py": "1\n"}, author="Mira Lundgren <mira@firm.example>")
    source.commit({"MAINTAINERS.md": "@old (Kim Vale)\n"})
    row = f"| 1 | @snowquill | [x](https://github.com/acme/engine/commit/{first[:9]}) |\n"
    source.commit({"MAINTAINERS.md": None, "docs/community/contributors.md": row})
    result = crawled(source.dir, tmp_path / "out", Depth.PATHS)
    pages = standing(versions(batches(tmp_path / "out"), PAGE))
    assert [page.path for page in pages] == ["docs/community/contributors.md"]
    found = introductions(pages, source.dir)
    assert [(each.login, each.sha) for each in found] == [("snowquill", first[:9])]
    people.introduce(result.db, "acme/engine", found)
    held = resolve(people.evidence(result.db))
    assert [(person.name, login.login) for person in held.people for login in person.logins] == [
        ("Mira Lundgren", "snowquill")
    ]
