"""Records -> people: by account, login, email, profile address, and by name and company.

A name alone is only suggested, however rare. What speaks against a link keeps it from being made:
then a human is asked. The passes go from the surest rule to the weakest, and a later one knows what
the earlier ones linked.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from ingest.forgotten import NOBODY, is_forgotten
from ingest.profiles import decisions
from ingest.profiles.decisions import Decided
from ingest.profiles.identifying import Found, by_keys, by_learnt, learnt
from ingest.profiles.known import Known, known
from ingest.profiles.links import Linked, Linking, Suggested
from ingest.profiles.namesakes import by_account_name, by_name
from ingest.profiles.records import Record, load
from sourcer.retention import USUALLY, Retention
from sourcer.store import profiles
from sourcer.store.database import Database
from sourcer.workspace.suppressions import Suppressed


def link(
    db: Database,
    folder: Path,
    salt: bytes,
    suppressed: Suppressed = NOBODY,
    retention: Retention = USUALLY,
) -> Linking:
    """Writes into a snapshot all that the records in a folder say about its people.

    A row about somebody who asked to be forgotten is suggested to nobody. It may be linked: then
    it tells who that is.
    """
    found = of(db, folder, salt)
    asked = (each for each in found.suggestions if not is_forgotten(each.record, suppressed))
    done = replace(found, suggestions=tuple(asked))
    write(db, done, retention)
    return done


def ties(db: Database, folder: Path, salt: bytes) -> tuple[tuple[str, str], ...]:
    """Pairs of signature keys whom one profile shows to be one person, for the resolver."""
    keys = profiles.signature_keys(db)
    return tuple((keys[a], keys[b]) for a, b in of(db, folder, salt).ties)


def of(db: Database, folder: Path, salt: bytes) -> Linking:
    """Who the records in a folder are about; writes nothing."""
    records = load(folder)
    if not records:
        return Linking()
    return linked(records, known(db, salt), decisions.decided(folder, profiles.redirects(db)))


def linked(records: Sequence[Record], people: Known, decided: Decided) -> Linking:
    """Who the records are about, each record in the first pass that has an answer.

    >>> from datetime import datetime
    >>> from ingest.profiles.known import Someone
    >>> people = Known({"p1": Someone("p1", ())}, logins={"ada": "p1"})
    >>> record = Record("github", "7", datetime(2026, 1, 1), {}, login="Ada", github_id=7)
    >>> [(each.person_id, str(each.rule)) for each in linked([record], people, Decided()).links]
    [('p1', 'GitHub login')]
    """
    links, asked, rest = _sorted(records, lambda record: by_keys(record, people, decided))
    links, doubtful, rest = _follow(links, rest, people, decided)
    named, suggested = by_name(rest, people, links, decided)
    also = by_account_name(links, people, decided)
    links += [*named, *also]
    found = {(each.record.source, each.record.key) for each in named}
    rest = [each for each in rest if (each.source, each.key) not in found]
    links, late, _ = _follow(links, rest, people, decided)
    done = {(each.record.source, each.record.key) for each in links}
    open_ = [*asked, *doubtful, *late, *suggested]
    return Linking(
        tuple(links),
        tuple(each for each in open_ if (each.record.source, each.record.key) not in done),
    )


def _follow(
    links: list[Linked], rest: list[Record], people: Known, decided: Decided
) -> tuple[list[Linked], list[Suggested], list[Record]]:
    """Links by the keys that linked records carry: an address in one leads to another."""
    told = learnt(links)
    more, asked, rest = _sorted(rest, lambda record: by_learnt(record, told, people, decided))
    return [*links, *more], asked, rest


def _sorted(
    records: Iterable[Record], find: Callable[[Record], Found]
) -> tuple[list[Linked], list[Suggested], list[Record]]:
    links: list[Linked] = []
    asked: list[Suggested] = []
    rest: list[Record] = []
    for record in records:
        found = find(record)
        links += [each for each in found if isinstance(each, Linked)]
        asked += [each for each in found if isinstance(each, Suggested)]
        if not found:
            rest.append(record)
    return links, asked, rest


def write(db: Database, done: Linking, retention: Retention = USUALLY) -> None:
    """Fields, artifacts, links and the queue, into a snapshot."""
    profiles.write_fields(db, list(_fields(done.links, retention)))
    made = [_artifact(each, retention) for each in done.links if each.record.is_artifact]
    profiles.write_artifacts(db, made)
    profiles.write_links(db, [_link(each) for each in done.links])
    profiles.add_logins(db, list(_logins(done.links)))
    profiles.write_suggestions(db, [_suggestion(each) for each in done.suggestions])


def _fields(links: Iterable[Linked], retention: Retention) -> Iterator[profiles.Field]:
    for each in links:
        record = each.record
        expiry = retention.expiry(record.source, record.fetched_at)
        for field in () if record.is_artifact else record.fields:
            for value in record.values(field):
                yield profiles.Field(
                    each.person_id,
                    field,
                    value,
                    record.source,
                    record.fetched_at,
                    record.method,
                    expiry,
                )


def _logins(links: Sequence[Linked]) -> Iterator[profiles.NewLogin]:
    """A record that is surely somebody's tells their GitHub login, if it has one."""
    told = learnt(links).logins
    for each in links:
        record = each.record
        if record.login and told.get(record.login.lower()) == each.person_id:
            rule = f"profile linked by {each.rule}"
            yield profiles.NewLogin(each.person_id, record.login, record.github_id, rule)


def _artifact(each: Linked, retention: Retention) -> profiles.Artifact:
    record = each.record
    day = record.fields.get("date")
    return profiles.Artifact(
        each.person_id,
        record.fields["kind"],
        record.fields["title"],
        record.fields.get("url"),
        date.fromisoformat(day) if day else None,
        record.source,
        record.fetched_at,
        str(each.rule),
        retention.expiry(record.source, record.fetched_at),
    )


def _link(each: Linked) -> profiles.Link:
    record = each.record
    return profiles.Link(each.pair.id, record.source, record.key, each.person_id, str(each.rule))


def _suggestion(each: Suggested) -> profiles.Suggestion:
    record = each.record
    said = (record.fields.get(field, "") for field in ("name", "title", "company", "location"))
    return profiles.Suggestion(
        each.pair.id,
        record.source,
        record.key,
        " · ".join(text for text in said if text),
        each.person_id,
        each.reasons,
        each.against,
    )
