"""Records -> people by name: linked when a company or school agrees too, else only suggested."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ingest import names
from ingest.names import Agreement, Name
from ingest.profiles.decisions import Decided
from ingest.profiles.houses import House, shared
from ingest.profiles.known import Known, Someone, of_record, spellings
from ingest.profiles.links import Linked, Rule, Suggested, contradictions, pair
from ingest.profiles.records import Record

CROWD = 3
"""More people or rows of one name than these are not worth a human's time."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A person who may be meant by a record, and the house that both name."""

    record: Record
    name: Name
    someone: Someone
    agreement: Agreement
    house: House | None
    against: tuple[str, ...]

    @property
    def is_sure(self) -> bool:
        same = self.agreement is Agreement.SAME and self.name.strong
        return self.house is not None and same and not self.against


def by_name(
    records: Iterable[Record], known: Known, links: Iterable[Linked], decided: Decided
) -> tuple[list[Linked], list[Suggested]]:
    """Links by name and house, and suggestions for the rest that bears a known name."""
    taken = {(each.record.source, each.person_id) for each in links}
    told = _told(links)
    groups = [found for record in records if (found := _candidates(record, known, told, decided))]
    rows = Counter((group[0].record.source, group[0].name) for group in groups)
    sure = [housed[0] for group in groups if len(housed := _housed(group)) == 1]
    sure = [each for each in sure if each.is_sure]
    claims = Counter((each.record.source, each.someone.id) for each in sure)
    linked: list[Linked] = []
    suggested: list[Suggested] = []
    for group in groups:
        housed = _housed(group)
        lone = housed[0] if len(housed) == 1 and housed[0].is_sure else None
        if lone and not _rivals(lone, claims, taken):
            linked.append(Linked(lone.record, lone.someone.id, Rule.HOUSE))
        else:
            rivals = ("another row of this source is about the same person",) if lone else ()
            suggested += _suggestions(group, rows, rivals)
    return linked, suggested


def by_account_name(links: Iterable[Linked], known: Known, decided: Decided) -> list[Linked]:
    """The other person that a linked GitHub profile names, by full name and company.

    Somebody who commits from a company address alone holds no account in the history; the profile
    that is linked by its account shows the two to be one.
    """
    held = list(links)
    told = _told(held)
    found = []
    for each in held:
        if each.rule not in (Rule.ACCOUNT, Rule.LOGIN) or each.record.source != "github":
            continue
        group = _candidates(each.record, known, told, decided)
        housed = _housed([one for one in group if one.someone.id != each.person_id])
        if len(housed) == 1 and housed[0].is_sure and not housed[0].someone.logins:
            found.append(Linked(each.record, housed[0].someone.id, Rule.HOUSE))
    return found


def _told(links: Iterable[Linked]) -> Mapping[str, tuple[House, ...]]:
    """The houses that each person's linked profiles declare."""
    found: dict[str, dict[House, None]] = defaultdict(dict)
    for each in links:
        if not each.record.is_artifact:
            found[each.person_id].update(dict.fromkeys(of_record(each.record)))
    return {person: tuple(houses) for person, houses in found.items()}


def _candidates(
    record: Record, known: Known, told: Mapping[str, tuple[House, ...]], decided: Decided
) -> list[Candidate]:
    name = names.read(record.fields.get("name", ""))
    if not name.full:
        return []
    ids = {who for word in spellings(name) for who in known.named.get(word, ())}
    mine = of_record(record) if ids else ()
    return [
        _candidate(record, name, known.people[who], mine, told.get(who, ()))
        for who in sorted(ids)
        if pair(record, who) not in decided.rejected
    ]


def _candidate(
    record: Record, name: Name, someone: Someone, mine: tuple[House, ...], told: tuple[House, ...]
) -> Candidate:
    against = list(contradictions(record, someone))
    if record.login and someone.logins and record.login.lower() not in someone.logins:
        against.append("another GitHub login")
    house = shared(mine, (*told, *someone.seen_as))
    return Candidate(record, name, someone, someone.agreement(name), house, tuple(against))


def _housed(group: list[Candidate]) -> list[Candidate]:
    return [each for each in group if each.house]


def _rivals(
    one: Candidate, claims: Mapping[tuple[str, str], int], taken: set[tuple[str, str]]
) -> bool:
    """Whether two rows of one source claim to be the same person; artifacts may be many."""
    at = (one.record.source, one.someone.id)
    return not one.record.is_artifact and (claims[at] > 1 or at in taken)


def _suggestions(
    group: list[Candidate], rows: Mapping[tuple[str, Name], int], rivals: tuple[str, ...]
) -> Iterator[Suggested]:
    """Those who share a house too; or the only person of that name."""
    chosen = _housed(group) or (group if len(group) == 1 else [])
    others = rows[group[0].record.source, group[0].name] - 1
    if len(chosen) > CROWD or (others >= CROWD and not _housed(group)):
        return
    for each in chosen:
        against = (*each.against, *_doubts(each, len(chosen), others), *rivals)
        yield Suggested(each.record, each.someone.id, tuple(_reasons(each)), against)


def _reasons(each: Candidate) -> Iterator[str]:
    yield "same name" if each.agreement is Agreement.SAME else "a name written in another way"
    if each.house:
        yield f"same company or school: {each.house.shown}"


def _doubts(each: Candidate, chosen: int, others: int) -> Iterator[str]:
    if not each.house:
        named = ", ".join(house.shown for house in of_record(each.record))
        known = ", ".join(dict.fromkeys(house.shown for house in each.someone.seen_as))
        yield (
            "the row names no company or school"
            if not named
            else (f"no company or school in common: {named}; seen as {known or 'nobody’s'}")
        )
    if not each.name.strong:
        yield "a short name, which many share"
    if chosen > 1:
        yield f"{chosen} people fit"
    if others > 0 and not each.record.is_artifact:
        yield f"{others + 1} rows carry this name"
