from datetime import timedelta

import pytest
from sqlalchemy import select

from sourcer.errors import BadInput, Conflict, NotAllowed, NotFound, NotLoggedIn, TooManyAttempts
from sourcer.workspace import Workspace, accounts, idempotency, jobs, tokens
from sourcer.workspace.actors import LOCAL, Actor, Role
from sourcer.workspace.idempotency import Answer
from sourcer.workspace.tables import metadata
from sourcer.workspace.tokens import Scope
from tests.workspaces import ADA, IDA, JON, Clock

PASSWORD = "correct horse battery"


def add(desk: Workspace, name: str = "ida", role: Role = Role.RECRUITER) -> accounts.User:
    with desk.writing() as session:
        return accounts.add(session, LOCAL, name, role, password=PASSWORD)


def test_a_password_lets_its_user_in(desk: Workspace) -> None:
    user = add(desk)
    assert accounts.log_in(desk, "ida", PASSWORD) == user
    for name, password in (("ida", "wrong"), ("nobody", PASSWORD), ("", ""), ("ida", "x" * 10**6)):
        with pytest.raises(NotLoggedIn, match="the name or the password is wrong"):
            accounts.log_in(desk, name, password)
    with desk.writing() as session, pytest.raises(BadInput, match="12 to 1024 characters"):
        accounts.set_password(session, user.actor, "ida", "short")


def test_wrong_passwords_make_the_name_wait(desk: Workspace, clock: Clock) -> None:
    add(desk)
    add(desk, "jon")
    for _ in range(5):
        with pytest.raises(NotLoggedIn):
            accounts.log_in(desk, "ida", "wrong")
    with pytest.raises(TooManyAttempts):
        accounts.log_in(desk, "ida", PASSWORD)
    assert accounts.log_in(desk, "jon", PASSWORD).name == "jon"
    clock.sleep(15 * 60 + 1)
    assert accounts.log_in(desk, "ida", PASSWORD).name == "ida"


def test_roles_and_the_last_admin(desk: Workspace) -> None:
    add(desk, "ada", Role.ADMIN)
    add(desk)
    with desk.writing() as session:
        with pytest.raises(NotAllowed):
            accounts.set_role(session, IDA, "ida", Role.ADMIN)
        with pytest.raises(Conflict, match="ada is the only admin"):
            accounts.disable(session, ADA, "ada")
        accounts.set_role(session, ADA, "ida", Role.ADMIN)
        assert accounts.set_role(session, ADA, "ada", Role.VIEWER).role is Role.VIEWER
        with pytest.raises(Conflict, match="a user ida already"):
            accounts.add(session, ADA, "ida", Role.VIEWER)
        with pytest.raises(BadInput, match="letters, digits"):
            accounts.add(session, ADA, "ida\n", Role.VIEWER)
        accounts.add(session, ADA, "eve", Role.VIEWER, identity="https://login.example|7")
        found = accounts.by_identity(session, "https://login.example|7")
    assert found is not None
    assert found.name == "eve"


def test_a_token_does_no_more_than_it_was_given_for(desk: Workspace, clock: Clock) -> None:
    add(desk)
    with desk.writing() as session:
        token, secret = tokens.give(session, IDA, "script", Scope.READ, timedelta(days=30))
        with pytest.raises(NotAllowed):
            tokens.give(session, IDA, "too much", Scope.ADMIN)
        assert tokens.bearer(session, secret) == (Actor("ida", Role.VIEWER), token)
        _, writes = tokens.give(session, IDA, "writer", Scope.WRITE)
        accounts.set_role(session, LOCAL, "ida", Role.VIEWER)
        assert tokens.bearer(session, writes)[0] == Actor("ida", Role.VIEWER)
        everything = [
            str(row)
            for table in metadata.sorted_tables
            for row in session.db.execute(select(table))
        ]
        assert not any(secret in row for row in everything)
    clock.sleep(60)
    with desk.writing() as session:
        tokens.used(session, [token.id])
        assert tokens.every(session, IDA)[1].last_used_at == clock()
        assert tokens.every(session, JON) == ()
        with pytest.raises(NotFound):
            tokens.revoke(session, JON, token.id)
        tokens.revoke(session, IDA, token.id)
        with pytest.raises(NotLoggedIn):
            tokens.bearer(session, secret)
        _, short = tokens.give(
            session, Actor("ida", Role.VIEWER), "day", Scope.READ, timedelta(days=1)
        )
    clock.sleep(86_401)
    with desk.reading() as session, pytest.raises(NotLoggedIn):
        tokens.bearer(session, short)


def test_a_browser_stays_logged_in_while_it_is_used(desk: Workspace, clock: Clock) -> None:
    user = add(desk)
    with desk.writing() as session:
        secret = tokens.log_in_browser(session, user)
        assert tokens.browser(session, secret) == user.actor
        assert tokens.form_secret(session, secret) != tokens.form_secret(session, secret + "x")
    for _ in range(3):
        clock.sleep(11 * 3600)
        with desk.writing() as session:
            tokens.seen_in_browser(session, secret)
            assert tokens.browser(session, secret) == user.actor
    with desk.writing() as session:
        tokens.log_out_browser(session, secret)
        with pytest.raises(NotLoggedIn):
            tokens.browser(session, secret)


def test_a_new_password_or_the_end_logs_everybody_out(desk: Workspace) -> None:
    user = add(desk)
    with desk.writing() as session:
        browser = tokens.log_in_browser(session, user)
        _, secret = tokens.give(session, user.actor, "script", Scope.READ)
        accounts.set_password(session, user.actor, "ida", PASSWORD + "!")
        with pytest.raises(NotLoggedIn):
            tokens.browser(session, browser)
        accounts.disable(session, LOCAL, "ida")
        with pytest.raises(NotLoggedIn):
            tokens.bearer(session, secret)
    with pytest.raises(NotLoggedIn):
        accounts.log_in(desk, "ida", PASSWORD + "!")


def test_a_write_sent_twice_is_done_once(desk: Workspace, clock: Clock) -> None:
    with desk.writing() as session:
        assert idempotency.begin(session, IDA, "k", b"one") is None
        with pytest.raises(Conflict, match="still running"):
            idempotency.begin(session, IDA, "k", b"one")
        assert idempotency.begin(session, JON, "k", b"two") is None
        idempotency.finish(session, IDA, "k", Answer(201, {"slug": "x"}))
        assert idempotency.begin(session, IDA, "k", b"one") == Answer(201, {"slug": "x"})
        with pytest.raises(Conflict, match="another request"):
            idempotency.begin(session, IDA, "k", b"other")
        idempotency.give_up(session, JON, "k")
        assert idempotency.begin(session, JON, "k", b"two") is None
    clock.sleep(6 * 60)
    with desk.writing() as session:
        assert idempotency.begin(session, JON, "k", b"two") is None
    clock.sleep(24 * 3600 + 1)
    with desk.writing() as session:
        assert idempotency.begin(session, IDA, "k", b"other") is None


def test_a_job_tells_how_far_it_is(desk: Workspace, clock: Clock) -> None:
    with desk.writing() as session:
        job = jobs.start(session, IDA, "import")
        assert jobs.report(session, job.slug, "rows", 3, 10).done == 3
        done = jobs.finish(session, job.slug, {"people": 3})
        assert (done.state, done.result) == (jobs.State.DONE, {"people": 3})
        with pytest.raises(Conflict, match="has ended already: done"):
            jobs.report(session, job.slug, "rows", 4, 10)
        lost = jobs.start(session, IDA, "ingest")
        assert jobs.fail_abandoned(session) == 0
    clock.sleep(601)
    with desk.writing() as session:
        assert jobs.fail_abandoned(session) == 1
        assert jobs.get(session, lost.slug).state is jobs.State.FAILED
        assert {one.slug for one in jobs.recent(session)} == {job.slug, lost.slug}
