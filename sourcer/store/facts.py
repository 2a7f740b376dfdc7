"""How much a snapshot holds, and how much of it is unknown."""

from sourcer.store.database import Database, query

COUNTS = """
select (select count(*) from repos) as repositories,
       (select count(*) from commits) as commits,
       (select count(*) from changes) as file_changes,
       (select count(*) from changes where added is null and not is_binary)
           as unknown_line_counts,
       (select count(*) from signatures) as signatures,
       (select count(*) from machine_signatures) as machine_signatures,
       (select count(*) from machine_signatures where kind = 'withheld') as withheld_signatures,
       (select count(*) from people) as people,
       (select count(distinct person_id) from roles join person_signatures using (signature_id)
        where role in ('author', 'co-author')) as authors,
       (select count(distinct commit_id) from commit_topics) as commits_with_topics,
       (select count(distinct person_id) from profile_fields) as people_with_profiles,
       (select count(distinct person_id) from affiliations where how = 'email domain')
           as people_seen_at_employers,
       (select count(*) from holdings where until is null) as roles_held,
       (select count(*) from holdings where until is null and person_id is null)
           as roles_of_unknown_people
"""


def counts(db: Database) -> dict[str, int]:
    """Rows of each kind, by a name that a person understands.

    >>> from sourcer.store.database import create
    >>> counts(create())["commits"]
    0
    """
    return {name: int(count) for name, count in query(db, COUNTS).to_pylist()[0].items()}
