"""Reads lanes.toml, and says what is wrong with it in the words of the person who edited it."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from sourcer import boolean, companies, topics
from sourcer.errors import BadInput, BadSettings
from sourcer.settings import Settings
from sourcer.toml_tables import Table, parsed, text_of
from sourcer.topics import Taxonomy

SHIPPED = Path(__file__).with_name("lanes.toml")


@dataclass(frozen=True, slots=True)
class WantedCommits:
    """Work that puts somebody into a lane."""

    topics: frozenset[str]
    """Any of them; none: any topic."""
    at_least: int = 1
    kernels: bool = False


@dataclass(frozen=True, slots=True)
class Lane:
    """One lane as lanes.toml has it; any of its conditions is enough."""

    id: str
    name: str
    says: str
    commits: tuple[WantedCommits, ...] = ()
    companies: tuple[str, ...] = ()
    ever: bool = False
    """Those who left count too."""
    titles: boolean.Expression | None = field(default=None, compare=False)


@cache
def shipped() -> tuple[Lane, ...]:
    return read()


def read(path: Path = SHIPPED, known_topics: Collection[str] = ()) -> tuple[Lane, ...]:
    """Raises BadSettings with the file, lane, key and value that cannot be used.

    >>> [lane.id for lane in read()]
    ['artifacts', 'day-0-operators', 'lineage', 'adjacent', 'titles']
    """
    return parse(text_of(path), path.name, known_topics)


def lanes(settings: Settings, taxonomy: Taxonomy) -> tuple[Lane, ...] | None:
    """The lanes that the installation is set to; None: those that are built in."""
    if not settings.lanes:
        return None
    return read(Path(settings.lanes), [topic.id for topic in taxonomy.topics])


def parse(
    text: str, name: str = "lanes.toml", known_topics: Collection[str] = ()
) -> tuple[Lane, ...]:
    """
    >>> parse('[[lane]]\\nid = "a"\\nname = "A"\\nsays = "Why"')
    Traceback (most recent call last):
    sourcer.errors.BadSettings: lanes.toml: lane 'a' has no condition; give it commits, \
companies or titles
    """
    root = parsed(text, name)
    root.refuse_unknown({"lane"})
    there_are = frozenset(known_topics or (topic.id for topic in topics.load().topics))
    lanes = tuple(
        _lane(Table(table.entries, f"{name}: lane {table.entries.get('id', number)!r}"), there_are)
        for number, table in enumerate(root.list_of_tables("lane"), start=1)
    )
    for id_, times in Counter(lane.id for lane in lanes).items():
        if times > 1:
            raise BadSettings(f"{name}: lane {id_!r} is there {times} times; ids are unique")
    return lanes


def _lane(table: Table, there_are: frozenset[str]) -> Lane:
    table.refuse_unknown({"id", "name", "says", "commits", "companies", "titles"})
    employers = table.within("companies")
    employers.refuse_unknown({"names", "when"})
    lane = Lane(
        id=table.string("id"),
        name=table.string("name"),
        says=table.string("says"),
        commits=tuple(_commits(each, there_are) for each in table.list_of_tables("commits")),
        companies=_companies(employers),
        ever=_ever(employers),
        titles=_titles(table),
    )
    if not (lane.commits or lane.companies or lane.titles):
        raise BadSettings(f"{table.where} has no condition; give it commits, companies or titles")
    return lane


def _commits(table: Table, there_are: frozenset[str]) -> WantedCommits:
    table.refuse_unknown({"topics", "at_least", "kernels"})
    for topic in table.strings("topics"):
        if topic not in there_are:
            raise table.error("topics", topic, "a topic of topics.toml")
    return WantedCommits(
        frozenset(table.strings("topics")), table.count("at_least", usual=1), table.flag("kernels")
    )


def _companies(employers: Table) -> tuple[str, ...]:
    found = []
    for name in employers.strings("names"):
        company = companies.find(name)
        if company is None:
            raise employers.error("names", name, "a company, school or lab of companies.toml")
        found.append(company.name)
    return tuple(found)


def _ever(employers: Table) -> bool:
    when = employers.entries.get("when", "now")
    if when not in ("now", "ever"):
        raise employers.error("when", when, '"now" or "ever"')
    return when == "ever"


def _titles(table: Table) -> boolean.Expression | None:
    if "titles" not in table.entries:
        return None
    text = " ".join(table.string("titles").split())
    try:
        return boolean.parse(text)
    except BadInput as error:
        raise table.error("titles", text, f"a boolean search ({error})") from error
