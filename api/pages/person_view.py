"""One person as the page shows them: everything held, each thing with where it comes from."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import quote, urlencode

from api.pages.asking import Asked
from api.pages.entries import (
    EPOCH,
    CommitView,
    Fact,
    Node,
    Showing,
    commit,
    facts,
    safe_href,
    unknown_names,
)
from api.pages.pictures import Bar, Cell, cells, years
from api.pages.site import Site
from api.pages.words import Words
from index.own_work import screening
from index.person import PersonDetail
from index.verdicts import Verdict, verdicts
from sourcer import companies
from sourcer.evidence import Cited
from sourcer.query import Query
from sourcer.screening import Question
from sourcer.shortlist import Entry, Shown
from sourcer.store.near import TieRow
from sourcer.store.person import ColleagueRow, FieldRow

ROWS = 8
COLLEAGUES = 10
QUESTIONS = 4


@dataclass(frozen=True, slots=True)
class Row:
    """A topic's work over time."""

    name: str
    count: int
    cells: tuple[Cell, ...]
    href: str


@dataclass(frozen=True, slots=True)
class Line:
    """A fact in a table: what, detail, when."""

    name: str
    detail: str = ""
    when: str = ""
    href: str = ""
    key: str = ""
    count: int = 0


@dataclass(frozen=True)
class PersonView:
    id: str
    name: str
    is_covered: bool
    """In blind mode, while not shortlisted."""
    aliases: tuple[str, ...]
    logins: tuple[str, ...]
    facts: tuple[Fact, ...]
    held: tuple[Line, ...]
    roles: tuple[Bar, ...]
    unknown: tuple[str, ...]
    tree: Node | None
    rows: tuple[Row, ...]
    years: list[tuple[str, int]]
    areas: tuple[Line, ...]
    colleagues: tuple[Line, ...]
    signatures: tuple[Line, ...]
    fields: tuple[Line, ...]
    affiliations: tuple[Line, ...]
    artifacts: tuple[Line, ...]
    commits: tuple[CommitView, ...]
    questions: tuple[Question, ...]
    verdicts: tuple[Verdict, ...]
    """Word by word, where the question is not answered by this person."""
    like: str
    clock: str
    """By which clock commits are written, as a weak hint."""


DECLARED = ("title", "employer", "location", "open_to_offers")


def view(site: Site, id_: str, asked: Asked) -> PersonView:
    """Raises NoSuchPerson."""
    opened, words = site.opened, site.words
    detail = opened.people.detail(id_)
    person = site.veil.person(detail.shown)
    is_covered = site.veil.covers(person.id)
    if is_covered:
        detail = replace(detail, signatures=(), fields=(), affiliations=(), artifacts=())
    ordinal = opened.searcher.details.person(person.id) or 0
    query = asked.query(site.desk) if asked.q or asked.edit else None
    entry = opened.searcher.about(query, person.id) if query else None
    showing = Showing(opened.searcher, words, asked, site.veil, query.wanted if query else ())
    activity = opened.searcher.activity
    whole = activity.timeline(ordinal)
    return PersonView(
        id=person.id,
        name=person.name,
        is_covered=is_covered,
        aliases=person.aliases,
        logins=person.logins,
        facts=facts(person, words),
        held=tuple(_held(person, words)),
        roles=tuple(
            Bar(words(f"role.{role}"), count, 100 * count / max(detail.roles.values()))
            for role, count in detail.roles.items()
        ),
        unknown=tuple(
            words(f"field.{name}") for name in DECLARED if getattr(detail.shown, name) is None
        ),
        tree=showing.tree(entry.why, _cited(site, entry), is_linked=not is_covered)
        if entry
        else None,
        rows=tuple(_rows(site, ordinal)),
        years=years(whole.quarters),
        areas=tuple(
            Line(one.directory or "/", one.repo, count=one.commits) for one in detail.areas
        ),
        colleagues=tuple(
            Line(
                site.veil.name(one.person_id, one.name),
                together(one, words),
                href=asked.link(f"/people/{quote(one.person_id)}"),
            )
            for one in detail.colleagues[:COLLEAGUES]
        ),
        signatures=tuple(
            Line(
                one.name,
                words.told(one.rule),
                _span(one.first, one.last, words),
                key=one.key,
                count=one.commits,
            )
            for one in detail.signatures
        ),
        fields=tuple(_declared(one, words) for one in detail.fields),
        affiliations=tuple(
            Line(
                company.shown if (company := companies.find(one.company)) else one.company,
                f"{words.told(one.how)}, {one.source}",
                _span(one.first, one.last, words),
            )
            for one in detail.affiliations
        ),
        artifacts=tuple(
            Line(
                one.title,
                one.kind,
                words.day(one.dated) if one.dated else "",
                safe_href(one.url),
                one.source,
            )
            for one in detail.artifacts
        ),
        commits=tuple(_commits(detail, words, is_linked=not is_covered)),
        questions=_questions(site, person, query),
        verdicts=verdicts(opened.searcher, query, ordinal) if query and entry is None else (),
        clock=detail.clock.says if detail.clock and not is_covered else "",
        like=f"/search?{urlencode({'q': f'people like {_name(person)}'})}",
    )


def _rows(site: Site, ordinal: int) -> Iterable[Row]:
    activity, topics = site.opened.searcher.activity, site.opened.searcher.details.topics
    counts = list(activity.topics(ordinal).items())[:ROWS]
    lines = [activity.timeline_of(ordinal, topic) for topic, _ in counts]
    most = max((max(line.counts, default=0) for line in lines), default=0)
    for (topic, count), line in zip(counts, lines, strict=True):
        href = f"/search?{urlencode({'q': topics[topic][1]})}"
        yield Row(topics[topic][1], count, cells(line, most), href)


def _cited(site: Site, entry: Entry) -> dict[str, Cited]:
    """Every commit that the score's parts name."""
    keys = list(dict.fromkeys(_keys(entry.why.json())))
    found = {one.cite: one for one in entry.evidence}
    missing = [key for key in keys if key not in found]
    return found | site.opened.searcher.cited(entry.person.id, missing)


def _keys(score: dict[str, object]) -> Iterable[str]:
    commits, parts = score["commits"], score["parts"]
    yield from commits if isinstance(commits, list) else ()
    for part in parts if isinstance(parts, list) else ():
        yield from _keys(part)


def _questions(site: Site, person: Shown, query: Query | None) -> tuple[Question, ...]:
    """Those of the topic asked for, else of the topic that the person did most on."""
    searcher = site.opened.searcher
    named = query.wanted if query else ()
    ordinal = searcher.details.person(person.id) or 0
    own = [searcher.details.topics[topic][0] for topic in searcher.activity.topics(ordinal)]
    topic = next((one for one in (*named, *own) if one in own), None)
    if topic is None:
        return ()
    return screening(searcher, person.id, topic, site.desk.screening)[:QUESTIONS]


def _held(person: Shown, words: Words) -> Iterable[Line]:
    for one in person.roles_held:
        since = words("person.since", day=words.day(one.since)) if one.since else ""
        yield Line(one.scope, f"{words.told(one.role)}, {one.repo}", since)


def together(tie: ColleagueRow | TieRow, words: Words) -> str:
    """What ties two people."""
    counts = {"together": tie.co_authored, "files": tie.shared_files, "reviewed": tie.reviewed}
    return ", ".join(words(f"person.n-{what}", n=count) for what, count in counts.items() if count)


def _declared(one: FieldRow, words: Words) -> Line:
    until = words.day(one.expires_at) if one.expires_at else ""
    source = words(
        "person.kept-until" if until else "person.source",
        source=one.source,
        method=words.told(one.method),
        day=words.day(one.fetched_at),
        until=until,
    )
    return Line(
        unknown_names((one.field,), words)[0], one.value, words.told(one.standing), key=source
    )


def _commits(detail: PersonDetail, words: Words, *, is_linked: bool) -> Iterable[CommitView]:
    for one in detail.commits:
        yield replace(commit(one, words, is_linked=is_linked), pull="")


def _span(first: datetime | None, last: datetime | None, words: Words) -> str:
    """
    >>> from api.pages.words import words_for
    >>> _span(datetime(2024, 1, 5), datetime(2026, 2, 1), words_for("en"))
    'Jan 2024 – Feb 2026'
    """
    ends = [words.month(one) for one in (first, last) if one is not None and one.year > EPOCH]
    return " – ".join(dict.fromkeys(ends))


def _name(person: Shown) -> str:
    return person.logins[0] if person.logins else person.id
