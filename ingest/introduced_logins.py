"""Logins whose holders a page of the project introduces: "[@qui](...) (Mira Lund)"."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from ingest import names
from ingest.clusters import Clusters
from sourcer.people import Login, Rule
from sourcer.resolution import Introduced, SignatureEvidence

LEAST = 4
"""Letters of a name that is no full name, for it to be found in the login."""


def of_introductions(
    clusters: Clusters, evidence: SignatureEvidence, taken: Mapping[int, list[Login]]
) -> Mapping[int, list[Login]]:
    """Logins tied to the one person who bears the name, or made the commit, that a page gives.

    Tried on six public histories with the logins that addresses show: of 235 that a page
    introduces, 233 are that very person's, and two a person's of whom no address shows a login.
    """
    fitting: dict[str, set[int]] = defaultdict(set)
    spelled = {each.login.casefold(): each.login for each in evidence.introduced}
    known = {reading.login for reading in clusters.readings}
    known |= {held.login.casefold() for logins in taken.values() for held in logins}
    by_name = _by_name(clusters)
    for each in evidence.introduced:
        fitting[each.login.casefold()] |= set(_people(clusters, each, by_name))
    found: dict[int, list[Login]] = defaultdict(list)
    for login, people in sorted(fitting.items()):
        if login not in known and len(people) == 1:
            found[people.pop()].append(Login(spelled[login], None, str(Rule.INTRODUCED)))
    return {
        person: logins
        for person, logins in found.items()
        if len(logins) == 1 and person not in taken and not clusters.accounts(person).logins
    }


def _by_name(clusters: Clusters) -> Mapping[str, set[int]]:
    bearers: dict[str, set[int]] = defaultdict(set)
    for index, reading in enumerate(clusters.readings):
        if not reading.name.generic:
            bearers[reading.name.order_free].add(clusters.find(index))
    return bearers


def _people(
    clusters: Clusters, introduced: Introduced, by_name: Mapping[str, set[int]]
) -> Iterator[int]:
    """Of a commit its author; of a full name its bearers; a first name must be in the login."""
    if introduced.author is not None:
        yield from (
            clusters.find(index)
            for index, reading in enumerate(clusters.readings)
            if reading.seen.id == introduced.author
        )
    name = names.read(introduced.name)
    word = name.joined
    if name.full or (len(word) >= LEAST and word in names.squeeze(introduced.login)):
        yield from by_name.get(name.order_free, ())
