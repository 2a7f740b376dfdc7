"""Which GitHub logins a person holds: from addresses, and from pages that mention logins."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from ingest import names
from ingest.addresses import Kind
from ingest.clusters import Clusters, Reading
from sourcer.people import Login, Rule


def of_addresses(clusters: Clusters, root: int) -> list[Login]:
    """The accounts that a cluster's noreply addresses name, most used first."""
    spelled: Counter[str] = Counter()
    numbers: dict[str, int] = {}
    for index in sorted(clusters.members(root)):
        address, seen = clusters.readings[index].address, clusters.readings[index].seen
        if address.login:
            spelled[address.login] += seen.total
            if address.github_id is not None:
                numbers.setdefault(address.login.casefold(), address.github_id)
    logins: dict[str, Login] = {}
    for login, _ in sorted(spelled.items(), key=lambda item: (-item[1], item[0])):
        folded = login.casefold()
        logins.setdefault(folded, Login(login, numbers.get(folded), str(Rule.SAME_ACCOUNT)))
    return list(logins.values())


def of_mentions(clusters: Clusters, mentioned: Iterable[str]) -> Mapping[int, list[Login]]:
    """Logins that no address shows, tied to the one person who is named like them.

    A person who shows an account of their own gets no other, and a login that fits two people
    is left alone.
    """
    fitting = _fitting(clusters)
    held = {reading.login for reading in clusters.readings}
    found: dict[int, list[Login]] = defaultdict(list)
    for login in sorted(set(mentioned), key=str.casefold):
        fits = fitting.get(names.squeeze(login), {})
        if login.casefold() in held or len(fits) != 1:
            continue
        ((root, rule),) = fits.items()
        if not clusters.accounts(root).logins and not found[root]:
            found[root].append(Login(login, None, str(rule)))
    return found


def _fitting(clusters: Clusters) -> dict[str, dict[int, Rule]]:
    """For each word, the people whose name or mailbox it is."""
    fitting: dict[str, dict[int, Rule]] = defaultdict(dict)
    for index, reading in enumerate(clusters.readings):
        for word, rule in _words(reading):
            fitting[word].setdefault(clusters.find(index), rule)
    return fitting


def _words(reading: Reading) -> list[tuple[str, Rule]]:
    tokens = reading.name.tokens
    spelled = {"".join(tokens), "".join((*tokens[-1:], *tokens[:-1]))} if tokens else set()
    words = [(word, Rule.NAME_IS_LOGIN) for word in sorted(spelled)]
    if reading.address.kind is Kind.PERSONAL:
        words.append((names.squeeze(reading.address.local), Rule.LOCAL_PART_IS_LOGIN))
    return words
