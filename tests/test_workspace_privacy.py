import json

import pytest
from sqlalchemy import select, text

from sourcer.errors import BadInput, NotAllowed, NotFound
from sourcer.query import Query
from sourcer.workspace import (
    Workspace,
    alerts,
    audit,
    decisions,
    entries,
    erasures,
    hiding,
    idempotency,
    notes,
    notices,
    saved_searches,
    shortlists,
    subject_access,
    suppressions,
)  # fmt: skip
from sourcer.workspace.alerts import Match
from sourcer.workspace.decisions import Side
from sourcer.workspace.identifiers import (
    Identifier,
    email,
    login,
    named,
    person,
    read,
    signature,
    url,
)  # fmt: skip
from sourcer.workspace.tables import metadata
from tests.workspaces import ADA, IDA, VERA, Clock, Place

MIRA = "mira@firm.example"


@pytest.mark.parametrize(
    ("asked", "known_by"),
    [
        (login("Mira-L"), login("@mira-l")),
        (email(" Mira@Firm.example"), email(MIRA)),
        (url("https://github.com/Mira-L/"), login("mira-l")),
        (email("9+mira-l@users.noreply.github.com"), login("Mira-L")),
        (login("mira-l"), email("9+Mira-L@users.noreply.github.com")),
        (login("mira-l"), url("http://www.github.com/mira-l?tab=stars")),
        (url("https://de.linkedin.com/in/mira-lundgren"), url("linkedin.com/in/Mira-Lundgren/")),
        (named("Mira Lundgren", "Acme"), named("Lundgren, Mira", " ACME ")),
        (person("p1"), person("p1")),
    ],
)
def test_whoever_asked_is_known_again(
    desk: Workspace, place: Place, clock: Clock, asked: Identifier, known_by: Identifier
) -> None:
    with desk.writing() as session:
        suppressions.suppress(session, IDA, [asked], "API")
    again = place.open(clock)
    with again.reading() as session:
        suppressed = suppressions.load(session)
    again.close()
    assert suppressed.matches([login("jon-b"), known_by])
    assert suppressed.among({"p1": [known_by], "p2": [login("jon-b")]}) == {"p1"}


def test_others_are_not_taken_for_them(desk: Workspace) -> None:
    with desk.writing() as session:
        suppressions.suppress(session, IDA, [login("mira-l"), named("Mira Berg", "Acme")], "API")
        found = suppressions.load(session)
    assert not found.matches(
        [login("mira"), named("Mira Berg", "Initech"), email("mira-l@x.example")]
    )


def test_a_name_needs_a_context() -> None:
    with pytest.raises(BadInput, match="a name alone may be many people"):
        named("Mira Lundgren", " ")


def test_only_hashes_are_kept(desk: Workspace) -> None:
    with desk.writing() as session:
        given = [
            login("mira-l"),
            email(MIRA),
            url("https://mira.example/cv"),
            named("Mira Berg", "Acme"),
        ]
        (first, *_) = suppressions.suppress(session, IDA, given, "page")
        everything = json.dumps(
            [
                [str(value) for value in row]
                for table in metadata.sorted_tables
                for row in session.db.execute(select(table))
            ]
        )
    assert (first.kind, first.channel, first.at) == ("login", "page", session.now)
    for word in ("mira", "Mira", "firm.example", "Berg", "Acme"):
        assert word not in everything
    assert repr(email(MIRA)) == "<email>"


def test_the_revision_moves_with_every_change(desk: Workspace) -> None:
    seen = []
    with desk.writing() as session:
        seen.append(suppressions.revision(session))
        suppressions.suppress(session, IDA, [login("mira-l")], "API")
        seen.append(suppressions.revision(session))
        suppressions.suppress(session, IDA, [login("mira-l")], "page")
        assert suppressions.revision(session) == seen[-1]
        with pytest.raises(NotAllowed):
            suppressions.lift(session, IDA, [login("mira-l")])
        assert suppressions.lift(session, ADA, [login("mira-l")]) == 1
        assert not suppressions.load(session).matches([login("mira-l")])
        seen.append(suppressions.revision(session))
        suppressions.suppress(session, IDA, [login("mira-l")], "API")
        assert suppressions.load(session).matches([login("mira-l")])
        seen.append(suppressions.revision(session))
    assert len(set(seen)) == 4
    with desk.writing() as session:
        with pytest.raises(NotFound):
            suppressions.lift(session, ADA, [login("jon-b")])
        with pytest.raises(NotAllowed):
            suppressions.suppress(session, VERA, [login("jon-b")], "API")


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        ("mira-l", "login"),
        ("@mira-l", "login"),
        (MIRA, "email"),
        ("github.com/mira-l", "profile URL"),
    ],
)
def test_what_is_typed_is_told_apart(typed: str, kind: str) -> None:
    assert read(typed).kind == kind


def filled(desk: Workspace) -> tuple[str, list[Identifier]]:
    """A workspace that has p1 and p2 everywhere, and what p1 is known by."""
    with desk.writing() as session:
        slug = shortlists.start(session, IDA, "Kernels").slug
        for one in ("p1", "p2"):
            entries.add(session, IDA, slug, one, f"reason {one}")
            notes.write(session, IDA, slug, one, f"note {one}")
        entries.order(session, IDA, slug, ["p2", "p1"])
        saved = saved_searches.save(session, IDA, "MoE", Query("moe"))
        alerts.check(session, saved, [], "s1")
        alerts.check(session, saved, [Match("p1"), Match("p2")], "s2")
        decisions.merge(session, IDA, Side("p1", ("k1",)), Side("p9", ("k9",)), "same")
        audit.append(
            session, audit.Entry("ida", "search", {"shown": ["p1", "p2"], "text": "like mira-l"})
        )
        hiding.hide(session, IDA, "moe", "p1", "known")
        notices.sent(session, IDA, ["p1"], "letter")
        other = saved_searches.save(session, IDA, "Like Mira-L", Query("people like mira-l"))
        saved_searches.change(session, IDA, other.slug, note="as Mira-L and Mira Lund are")
        idempotency.begin(session, IDA, "key", b"x")
        idempotency.finish(session, IDA, "key", idempotency.Answer(200, {"person": "p1"}))
    return slug, [person("p1"), login("mira-l"), signature("k1"), email(MIRA)]


def test_access_tells_everything_held(desk: Workspace) -> None:
    _, known_by = filled(desk)
    with desk.writing() as session:
        held = subject_access.held(session, ADA, known_by)
        with pytest.raises(NotAllowed):
            subject_access.held(session, IDA, known_by)
    assert json.loads(json.dumps(held)) == held
    (entry,) = held["shortlists"]  # type: ignore[misc]
    assert (entry["reason"], entry["notes"][0]["text"]) == ("reason p1", "note p1")
    assert [one["what"] for one in entry["history"]] == ["ordered", "added"]
    assert {name: len(rows) for name, rows in held.items()} == {  # type: ignore[arg-type]
        "shortlists": 1,
        "alerts": 1,
        "saved searches that found them": 1,
        "hidden from answers": 1,
        "told that data are held": 1,
        "decisions about who they are": 1,
        "suppressions": 0,
        "audit log": 4,
    }


def test_erasing_leaves_nothing_but_hashes(desk: Workspace) -> None:
    slug, known_by = filled(desk)
    with desk.writing() as session:
        made = erasures.erase(session, IDA, known_by, "API", ["Mira Lund", MIRA])
        assert made.words == tuple(sorted(("Mira Lund", MIRA, "mira-l")))
        assert suppressions.load(session).matches([login("mira-l")])
        assert audit.verify(session) is None
        rows = [
            f"{table.name} {tuple(row)}"
            for table in metadata.sorted_tables
            for row in session.db.execute(select(table))
        ]
        told = [row for row in rows if "p1'" in row or "mira" in row.casefold()]
        assert [row.partition(" ")[0] for row in told] == ["erasures"]
        assert [one.person_id for one in entries.every(session, IDA, slug)] == ["p2"]
        assert [one.text for one in notes.every(session, IDA, slug)] == ["note p2"]
        shortlists.undo(session, IDA, slug)
        assert erasures.pending(session) == (made,)
        for store in made.stores:
            done = erasures.purged(session, made.id, store)
        assert (done.stores, done.done_at) == ((), session.now)
        assert erasures.pending(session) == ()
        assert done.words == ()
        assert erasures.standing(session).matches([email(MIRA)])
        suppressions.lift(session, ADA, known_by)
        assert not erasures.standing(session).matches([email(MIRA)])


def test_sqlite_overwrites_what_it_deletes(desk: Workspace) -> None:
    with desk.reading() as session:
        if session.db.dialect.name == "sqlite":
            assert session.db.execute(text("pragma secure_delete")).scalar() == 1
