"""What GitHub itself says of a history: whose account a commit is of, and who reviewed it.

An account is a signature like any other, of its login and its noreply address: whoever has neither
written nor signed anything is a person by it all the same.
"""

import pyarrow as pa

from sourcer.store.database import Database
from sourcer.store.history import signature_key

MET = """
    select github_id, min(login) as login, min(authored_at) as first_at, max(authored_at) as last_at
    from said join commits using (sha) join repos on repos.id = repo_id
    where repos.name = ? and github_id is not null and login is not null
    group by all order by github_id
"""
AUTHORED = """
    with found as (
        select commits.id as commit_id, said.github_id, roles.signature_id,
               count(*) over (partition by commits.id, said.role, said.name) as alike
        from said
        join commits using (sha)
        join repos on repos.id = repo_id and repos.name = ?
        join roles on roles.commit_id = commits.id and roles.role = said.role
        join signatures on signatures.id = roles.signature_id
        where said.role = 'author' or lower(signatures.name) = lower(said.name)
    )
    insert into account_signatures
    select accounts.signature_id, found.signature_id, count(distinct commit_id)
    from found join accounts using (github_id)
    where alike = 1 and found.signature_id <> accounts.signature_id
    group by all order by all
"""
"""A commit has one author; its co-authors are told apart by name, and namesakes not at all."""
REVIEWED = """
    insert into roles
    select distinct commits.id, accounts.signature_id, 'reviewer'
    from said
    join commits using (sha)
    join repos on repos.id = repo_id and repos.name = ?
    join accounts using (github_id)
    order by all
"""
SIGN = """
    insert into signatures
    select (select count(*) from signatures) + row_number() over (order by github_id) - 1,
           name, email, key
    from signed anti join signatures using (key)
"""
ENLIST = """
    insert into accounts
    select signatures.id, met.github_id, met.login, first_at, last_at
    from met join signed using (github_id) join signatures using (key)
"""
EXTEND = """
    update accounts
    set first_at = least(accounts.first_at, met.first_at),
        last_at = greatest(accounts.last_at, met.last_at)
    from met where met.github_id = accounts.github_id
"""


def add_authors(db: Database, repo: str, said: pa.Table, salt: bytes) -> None:
    """Whose account each author and co-author is: sha, role, name, login, github_id."""
    _add(db, repo, said, salt, AUTHORED)


def add_reviews(db: Database, repo: str, said: pa.Table, pulls: int, salt: bytes) -> None:
    """Reviews (sha, login, github_id ...) as roles in the commit that was merged.

    `pulls`: how many pull requests were looked at.
    """
    if pulls:
        db.execute(
            "insert into reviews_fetched select id, ? from repos where name = ?", [pulls, repo]
        )
    _add(db, repo, said, salt, REVIEWED)


def ties(db: Database) -> tuple[tuple[int, int], ...]:
    """(signature, the account's own signature): whom GitHub says a signature is."""
    rows = db.execute(
        "select distinct signature_id, account_signature_id from account_signatures order by all"
    ).fetchall()
    return tuple((signature, account) for signature, account in rows)


def _add(db: Database, repo: str, said: pa.Table, salt: bytes, statement: str) -> None:
    if not said.num_rows:
        return
    db.register("said", said)
    _enlist(db, repo, salt)
    db.execute(statement, [repo])
    db.unregister("said")


def _enlist(db: Database, repo: str, salt: bytes) -> None:
    """The accounts of `said`: each has one signature, and the days between which it was met."""
    db.execute(f"create temp table met as {MET}", [repo])
    new = db.execute(
        "select github_id, login from met anti join accounts using (github_id) order by github_id"
    ).fetchall()
    if new:
        signed = pa.Table.from_pylist([_signature(id_, login, salt) for id_, login in new])
        db.register("signed", signed)
        db.execute(SIGN)
        db.execute(ENLIST)
        db.unregister("signed")
    db.execute(EXTEND)
    db.execute("drop table met")


def _signature(github_id: int, login: str, salt: bytes) -> dict[str, object]:
    email = f"{github_id}+{login}@users.noreply.github.com"
    key = signature_key(login, email, salt)
    return {"github_id": github_id, "name": login, "email": email, "key": key}
