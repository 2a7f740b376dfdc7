import json
from datetime import timedelta

import pytest

from sourcer.errors import BadInput, NotAllowed, NotFound
from sourcer.query import Filter, Query
from sourcer.workspace import Workspace, saved_searches
from sourcer.workspace.actors import Sharing
from sourcer.workspace.wording import ALPHABET
from tests.workspaces import ADA, IDA, JON, VERA, Clock, Place

MOE = Query("moe in Poland", filters=(Filter("country", "=", "PL", span=(7, 13)),), semantic="moe")


def test_a_search_is_kept_as_it_was_read(desk: Workspace, clock: Clock, place: Place) -> None:
    with desk.writing() as session:
        saved = saved_searches.save(session, IDA, "MoE\npeople", MOE, "for the June project")
    assert len(saved.slug) == 10
    assert set(saved.slug) <= set(ALPHABET)
    again = place.open(clock)
    with again.reading() as session:
        assert saved_searches.get(session, VERA, saved.slug) == saved
    again.close()
    assert (saved.name, saved.query, saved.version) == ("MoE people", MOE, 1)


def test_its_history_is_kept(desk: Workspace, clock: Clock) -> None:
    with desk.writing() as session:
        slug = saved_searches.save(session, IDA, "MoE", MOE).slug
    clock.sleep(60)
    with desk.writing() as session:
        changed = saved_searches.change(session, JON, slug, query=Query("moe"))
    assert (changed.query, changed.name, changed.version) == (Query("moe"), "MoE", 2)
    with desk.reading() as session:
        history = saved_searches.history(session, IDA, slug)
    assert [(one.version, one.query.text, one.changed_by) for one in history] == [
        (2, "moe", "jon"),
        (1, "moe in Poland", "ida"),
    ]
    assert history[0].changed_at - history[1].changed_at == timedelta(minutes=1)


def test_a_private_one_is_not_there_for_others(desk: Workspace) -> None:
    with desk.writing() as session:
        slug = saved_searches.save(session, IDA, "Mine", MOE, sharing=Sharing.PRIVATE).slug
        for act in (
            lambda: saved_searches.get(session, JON, slug),
            lambda: saved_searches.change(session, JON, slug, name="Jon's"),
            lambda: saved_searches.remove(session, ADA, slug),
            lambda: saved_searches.make_link(session, JON, slug),
        ):
            with pytest.raises(NotFound, match=f"there is no saved search {slug}"):
                act()
        assert saved_searches.every(session, JON) == ()
        assert [one.slug for one in saved_searches.every(session, IDA)] == [slug]
        saved_searches.share(session, IDA, slug, Sharing.TEAM)
        assert saved_searches.get(session, JON, slug).name == "Mine"
        with pytest.raises(NotAllowed, match="belongs to ida"):
            saved_searches.remove(session, JON, slug)


def test_a_removed_one_comes_back(desk: Workspace) -> None:
    with desk.writing() as session:
        saved = saved_searches.save(session, IDA, "MoE", MOE)
        saved_searches.remove(session, IDA, saved.slug)
        with pytest.raises(NotFound):
            saved_searches.get(session, IDA, saved.slug)
        assert saved_searches.recover(session, IDA, saved.slug) == saved


def test_a_link_reads_one_search_until_revoked(desk: Workspace) -> None:
    with desk.writing() as session:
        slug = saved_searches.save(session, IDA, "Mine", MOE, sharing=Sharing.PRIVATE).slug
        link = saved_searches.make_link(session, IDA, slug)
    with desk.reading() as session:
        assert saved_searches.by_link(session, link).slug == slug
        with pytest.raises(NotFound):
            saved_searches.by_link(session, link[:-1])
    with desk.writing() as session:
        assert saved_searches.revoke_links(session, IDA, slug) == 1
        with pytest.raises(NotFound, match="may have been revoked"):
            saved_searches.by_link(session, link)


def test_emails_are_blotted_out_and_spans_still_fit(desk: Workspace) -> None:
    text = "like mira@firm.example in Poland"
    query = Query(text, filters=(Filter("country", "=", "PL", span=(26, 32)),), semantic=text)
    with desk.writing() as session:
        saved = saved_searches.save(session, IDA, "ask mira@firm.example", query, "a@b.example")
    assert saved.query.text == "like ••••••••••••••••• in Poland"
    assert saved.query.filters == query.filters
    assert "@" not in saved.name + saved.note + json.dumps(saved.query.json())


def test_viewers_only_look_and_names_are_needed(desk: Workspace) -> None:
    with desk.writing() as session:
        with pytest.raises(NotAllowed, match="vera is a viewer; this needs a recruiter"):
            saved_searches.save(session, VERA, "MoE", MOE)
        with pytest.raises(BadInput, match="needs a name"):
            saved_searches.save(session, IDA, " \x00", MOE)
