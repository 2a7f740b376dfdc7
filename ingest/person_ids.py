"""Ids of people that stay while histories grow, and redirects from every id they ever had."""

from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, count

from ingest.clusters import Clusters


@dataclass(slots=True)
class Ids:
    """`current` is the id of each cluster, by root, oldest cluster first."""

    current: dict[int, str] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)


def derived(key: str) -> str:
    """The id that a signature gives its person when no snapshot knew it before.

    >>> derived("k0")
    'p2gs2zgqbl6'
    """
    return "p" + b32encode(sha256(key.encode()).digest()).decode()[:10].lower()


def assign(clusters: Clusters, known: Mapping[str, str]) -> Ids:
    """A known id stays with the cluster of the oldest signature that had it.

    Readings are ordered oldest first, so that a cluster's smallest position is its oldest.
    """
    owners = _owners(clusters, known)
    roots = sorted(clusters.roots(), key=lambda root: min(clusters.members(root)))
    ids = Ids()
    taken = set(owners)
    for root in roots:
        held = [id_ for id_ in _candidates(clusters, root, known) if owners.get(id_, root) == root]
        mine = next((id_ for id_ in held if id_ in owners), None) or _fresh(clusters, root, taken)
        taken.add(mine)
        ids.current[root] = mine
    ids.redirects = _redirects(clusters, ids, known)
    return ids


def _owners(clusters: Clusters, known: Mapping[str, str]) -> dict[str, int]:
    """Each known id's cluster: that of the oldest signature that had it."""
    owners: dict[str, int] = {}
    for index, reading in enumerate(clusters.readings):
        if reading.seen.key in known:
            owners.setdefault(known[reading.seen.key], clusters.find(index))
    return owners


def _candidates(clusters: Clusters, root: int, known: Mapping[str, str]) -> list[str]:
    """Ids that a cluster may take, known ones first, each by age of its signature."""
    keys = _keys(clusters, root)
    return [known[key] for key in keys if key in known] + [derived(key) for key in keys]


def _fresh(clusters: Clusters, root: int, taken: set[str]) -> str:
    """The id of the oldest signature; another when that one lives on with somebody else."""
    keys = _keys(clusters, root)
    spare = (f"{keys[0]}/{number}" for number in count())
    return next(id_ for id_ in map(derived, chain(keys, spare)) if id_ not in taken)


def _redirects(clusters: Clusters, ids: Ids, known: Mapping[str, str]) -> dict[str, str]:
    """From every other id of a cluster's signatures; a living id is never redirected."""
    living = set(ids.current.values())
    owners = _owners(clusters, known)
    found: dict[str, str] = {}
    for root, current in ids.current.items():
        for id_ in _candidates(clusters, root, known):
            if id_ not in living and owners.get(id_, root) == root:
                found.setdefault(id_, current)
    return found


def _keys(clusters: Clusters, root: int) -> list[str]:
    return [clusters.readings[index].seen.key for index in sorted(clusters.members(root))]
