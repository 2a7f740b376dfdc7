"""Which GitHub logins a person holds: from addresses, and from pages that mention logins."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from ingest import names
from ingest.clusters import Clusters
from ingest.readings import Reading
from sourcer.addresses import Kind
from sourcer.people import Login, Rule

SPELLED = 7


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
    is left alone. Only where no name or mailbox is the login, one that spells it is looked for.
    """
    exact, spelled = _fitting(clusters, _exact_words), _fitting(clusters, _spelled_words)
    held = {reading.login for reading in clusters.readings}
    found: dict[int, list[Login]] = defaultdict(list)
    for login in sorted(set(mentioned), key=str.casefold):
        word = names.squeeze(login)
        fits = exact.get(word) or spelled.get(word.rstrip("0123456789"), {})
        if login.casefold() in held or len(fits) != 1:
            continue
        ((root, rule),) = fits.items()
        if not clusters.accounts(root).logins and not found[root]:
            found[root].append(Login(login, None, str(rule)))
    return found


def _fitting(
    clusters: Clusters, words: Callable[[Reading], Iterable[tuple[str, Rule]]]
) -> dict[str, dict[int, Rule]]:
    """For each word, the people whose name or mailbox it is."""
    fitting: dict[str, dict[int, Rule]] = defaultdict(dict)
    for index, reading in enumerate(clusters.readings):
        for word, rule in words(reading):
            fitting[word].setdefault(clusters.find(index), rule)
    return fitting


def _exact_words(reading: Reading) -> Iterator[tuple[str, Rule]]:
    tokens = reading.name.tokens
    if tokens:
        yield "".join(tokens), Rule.NAME_IS_LOGIN
        yield "".join((*tokens[-1:], *tokens[:-1])), Rule.NAME_IS_LOGIN
    if reading.address.kind is Kind.PERSONAL:
        yield names.squeeze(reading.address.local), Rule.LOCAL_PART_IS_LOGIN


def _spelled_words(reading: Reading) -> Iterator[tuple[str, Rule]]:
    """From "Mira Lund": mlund, miral, mirlund; from mira@lund.example: miralund."""
    address, name = reading.address, reading.name
    if address.is_company:
        yield names.squeeze(address.local + address.domain.partition(".")[0]), Rule.SPELLS_LOGIN
    if name.strong and name.tokens:
        first, last = name.tokens[0], name.tokens[-1]
        shortened = {first[:length] + last for length in range(3, len(first))}
        for word in names.spellings(name) | shortened:
            if len(word) >= SPELLED:
                yield word, Rule.SPELLS_LOGIN
