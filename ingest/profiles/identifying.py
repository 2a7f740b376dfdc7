"""Records -> people by what only one person has: accounts, mailboxes, profile addresses."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ingest import names
from ingest.names import Agreement
from ingest.profiles.decisions import Decided
from ingest.profiles.known import Known, unique
from ingest.profiles.links import Linked, Rule, Suggested, contradictions, pair
from ingest.profiles.records import Record

Found = tuple[Linked, ...] | tuple[Suggested, ...]
"""Links; or else the people that a human should look at. Empty: no key leads anywhere."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """Keys that linked records carry beside the one that linked them."""

    addresses: Mapping[str, str] = field(default_factory=dict)
    logins: Mapping[str, str] = field(default_factory=dict)
    emails: Mapping[str, str] = field(default_factory=dict)


def learnt(links: Iterable[Linked]) -> Learnt:
    """What the records that are surely somebody's tell of that person."""
    held = list(links)
    return Learnt(
        unique(
            (each.record.fields["linkedin"], each.person_id)
            for each in held
            if "linkedin" in each.record.fields
        ),
        unique((each.record.login.lower(), each.person_id) for each in held if each.record.login),
        unique((key, each.person_id) for each in held for key in each.record.email_keys),
    )


def by_keys(record: Record, known: Known, decided: Decided) -> Found:
    """Who a record is about by decision, account, login or email of the commits."""
    chosen = decided.accepted.get((record.source, record.key))
    if chosen in known.people:
        return (Linked(record, str(chosen), Rule.DECIDED),)
    return _weighed(record, list(_by_account(record, known)), known, decided)


def by_learnt(record: Record, told: Learnt, known: Known, decided: Decided) -> Found:
    """Who a record is about by the keys of records that are linked already."""
    return _weighed(record, list(_by_learnt(record, told)), known, decided)


def _by_account(record: Record, known: Known) -> Iterator[tuple[Rule, str]]:
    if record.github_id in known.accounts:
        yield Rule.ACCOUNT, known.accounts[record.github_id or 0]
    if record.login and record.login.lower() in known.logins:
        yield Rule.LOGIN, known.logins[record.login.lower()]
    for key in record.email_keys:
        if key in known.emails:
            yield Rule.EMAIL, known.emails[key]


def _by_learnt(record: Record, told: Learnt) -> Iterator[tuple[Rule, str]]:
    if record.fields.get("linkedin") in told.addresses:
        yield Rule.ADDRESS, told.addresses[record.fields["linkedin"]]
    if record.login and record.login.lower() in told.logins:
        yield Rule.LOGIN, told.logins[record.login.lower()]
    for key in record.email_keys:
        if key in told.emails:
            yield Rule.EMAIL, told.emails[key]


def _weighed(
    record: Record, found: list[tuple[Rule, str]], known: Known, decided: Decided
) -> Found:
    """Every person that the keys lead to, unless something speaks against one of them.

    Keys that lead to two people whose names agree with the record's say that these are one.
    """
    found = [(rule, who) for rule, who in found if pair(record, who) not in decided.rejected]
    if not found:
        return ()
    rules = {who: rule for rule, who in reversed(found)}
    against = {who: list(contradictions(record, known.people[who])) for who in rules}
    if len(rules) > 1:
        name = names.read(record.fields.get("name", ""))
        for who in rules:
            if known.people[who].agreement(name) is Agreement.SURNAME:
                against[who].append("another first name")
    if not any(against.values()):
        return tuple(Linked(record, who, rules[who]) for who in sorted(rules))
    if len(rules) > 1:
        against = {who: [*said, "its keys lead to several people"] for who, said in against.items()}
    return tuple(
        Suggested(record, who, (f"same {rules[who]}",), tuple(said))
        for who, said in against.items()
    )
