"""Taking people who asked to be forgotten out of a draft, before anything is made of it."""

from collections.abc import Collection

from sourcer.store.database import Database


def forget(db: Database, signature_ids: Collection[int], logins: Collection[str]) -> None:
    """Blanks signatures, drops their roles, their lines in messages, and roles held by login.

    Signatures keep their places, as ids are dense; what is left of each says nothing.
    """
    if not signature_ids:
        return
    ids = {"ids": list(signature_ids)}
    db.begin()
    for (email,) in db.execute(
        "select distinct lower(email) from signatures where id in $ids and email <> ''", ids
    ).fetchall():
        _cut_lines(db, email)
    db.execute("delete from roles where signature_id in $ids", ids)
    db.execute(
        "update signatures set name = '', email = '', key = 'forgotten-' || id where id in $ids",
        ids,
    )
    held = [login.casefold() for login in logins]
    db.execute("delete from holdings where lower(login) in $logins", {"logins": held})
    db.commit()


def _cut_lines(db: Database, email: str) -> None:
    """A trailer names the person, so its whole line goes."""
    db.execute(
        """
        update commits
        set body = array_to_string(
            list_filter(string_split(body, chr(10)), lambda line: not contains(lower(line), $email)),
            chr(10)
        )
        where contains(lower(body), $email)
        """,
        {"email": email},
    )
