"""Roles that a project itself says people hold."""

from collections.abc import Sequence
from dataclasses import asdict

import pyarrow as pa

from sourcer.commits import Holding
from sourcer.store.database import Database, insert


def write(db: Database, repo_name: str, holdings: Sequence[Holding]) -> None:
    """The roles that one repository's pages name, held by logins; nobody is looked up yet."""
    if not holdings:
        return
    rows = pa.Table.from_pylist([asdict(held) for held in holdings])
    [[repo_id]] = db.execute("select id from repos where name = ?", [repo_name]).fetchall()
    repo_ids = pa.array([repo_id] * len(holdings), pa.int32())
    insert(db, "holdings", rows.append_column("repo_id", repo_ids))


def name_holders(db: Database) -> None:
    """Says which person each login of a holding is, now that people are known."""
    db.execute(
        """
        update holdings set person_id = l.person_id
        from (select lower(login) as login, any_value(person_id) as person_id
              from logins group by 1 having count(distinct person_id) = 1) l
        where lower(holdings.login) = l.login
        """
    )
