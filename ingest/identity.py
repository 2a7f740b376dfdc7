"""Signatures -> people: rules with evidence, guards, human decisions, ids that stay."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ingest import logins, machines, names, rules
from ingest.clusters import Clusters
from ingest.commit_rules import same_commit, signs_only
from ingest.introduced_logins import of_introductions
from ingest.owner_namings import of_namings
from ingest.person_ids import assign
from ingest.readings import Reading, mended, readings
from ingest.suggestions import suggest
from sourcer.people import Login, Person, Rule
from sourcer.resolution import (
    Decisions,
    Doubt,
    Machine,
    Occurrence,
    Resolution,
    SignatureEvidence,
)

NO_DECISIONS = Decisions()
RULES = (
    rules.same_account,
    rules.same_email,
    rules.name_is_login,
    rules.same_full_name,
    rules.local_part_is_login,
    rules.same_handle,
)


def resolve(
    evidence: SignatureEvidence,
    decisions: Decisions = NO_DECISIONS,
    known: Mapping[str, str] | None = None,
) -> Resolution:
    """Who is who. `known` gives the person id that the last snapshot had for a signature key.

    >>> from datetime import datetime
    >>> may, june = datetime(2026, 5, 1), datetime(2026, 6, 1)
    >>> seen = (
    ...     Occurrence(0, "k0", "Mira Lundgren", "mira@firm.example", may, june, authored=3),
    ...     Occurrence(1, "k1", "mira-l", "9+mira-l@users.noreply.github.com", june, june, 1),
    ...     Occurrence(2, "k2", "Lundgren, Mira", "9+mira-l@users.noreply.github.com", june, june),
    ...     Occurrence(3, "k3", "Claude", "noreply@anthropic.com", june, june),
    ... )
    >>> found = resolve(SignatureEvidence(seen))
    >>> [(person.name, [str(link.rule) for link in person.links]) for person in found.people]
    [('Mira Lundgren', ['the first signature of this person', 'same full name', \
'same GitHub account'])]
    >>> found.machines
    {3: <Machine.AGENT: 'agent'>}
    """
    machine = _machines(evidence)
    people = [seen for seen in evidence.occurrences if seen.id not in machine]
    clusters = _clustered(readings(people), evidence, decisions)
    ids = assign(clusters, known or {})
    mentioned = logins.of_mentions(clusters, evidence.logins)
    for rule in (of_introductions, of_namings):
        mentioned = {**mentioned, **rule(clusters, evidence, mentioned)}
    return Resolution(
        people=tuple(
            _person(clusters, root, id_, mentioned.get(root, []))
            for root, id_ in ids.current.items()
        ),
        machines=machine,
        redirects=ids.redirects,
        suggestions=suggest(clusters, ids.current),
        doubts=tuple(_doubts(people)),
    )


def _machines(evidence: SignatureEvidence) -> dict[int, Machine]:
    found = (
        (seen.id, machines.is_machine(*mended(seen.name, seen.email), evidence.projects))
        for seen in evidence.occurrences
    )
    return {id_: machine for id_, machine in found if machine is not None}


def _doubts(people: Iterable[Occurrence]) -> Iterator[Doubt]:
    for seen in people:
        why = machines.doubt(*mended(seen.name, seen.email))
        if why is not None:
            yield Doubt(seen.id, why)


def _clustered(
    people: list[Reading], evidence: SignatureEvidence, decisions: Decisions
) -> Clusters:
    """Splits guard from the start, so that the rest of a person falls on the right side."""
    by_key = {one.seen.key: place for place, one in enumerate(people)}
    places = {one.seen.id: place for place, one in enumerate(people)}
    clusters = Clusters(people, _placed(decisions.splits, by_key))
    rules.github_says(clusters, _located(evidence.same_account, places))
    for rule in RULES:
        rule(clusters)
    same_commit(clusters, evidence.same_commit, places)
    signs_only(clusters, evidence.sign_offs, places)
    for a, b in _placed(evidence.same_profile, by_key):
        clusters.join(a, b, Rule.SAME_PROFILE)
    for a, b in _placed(decisions.merges, by_key):
        clusters.force(a, b, Rule.DECIDED)
    return clusters


def _located(pairs: Iterable[tuple[int, int]], places: Mapping[int, int]) -> list[tuple[int, int]]:
    """Pairs of signatures that are people's."""
    return [(places[a], places[b]) for a, b in pairs if {a, b} <= places.keys()]


def _placed(pairs: Iterable[tuple[str, str]], by_key: Mapping[str, int]) -> list[tuple[int, int]]:
    """Decisions about signatures that this history has."""
    return [(by_key[a], by_key[b]) for a, b in sorted(pairs) if a in by_key and b in by_key]


def _person(clusters: Clusters, root: int, id_: str, mentioned: list[Login]) -> Person:
    return Person(
        id=id_,
        name=_display_name([clusters.readings[index] for index in clusters.members(root)]),
        links=tuple(clusters.links(min(clusters.members(root)))),
        logins=(*logins.of_addresses(clusters, root), *mentioned),
    )


def _display_name(own: list[Reading]) -> str:
    """The most used name that looks like a human's full name; else the most used name at all."""
    used: Counter[str] = Counter()
    for one in own:
        used[one.written] += one.seen.total
    best = min(used, key=lambda name: (*_looks(name), -used[name], name))
    login = next((one.address.login for one in own if one.address.login), None)
    return login or "unnamed" if names.read(best).generic else best


def _looks(name: str) -> tuple[bool, bool]:
    read = names.read(name)
    return read.generic, not read.full
