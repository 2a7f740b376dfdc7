"""Public things that people made or said in public: talks, papers, posts, packages, models.

JSON Lines of `{"kind", "title", "url", "date", "people"}`, or OpenAlex's work records.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ingest.profiles import dates
from ingest.profiles.accounts import github_in, github_login, linkedin_url
from ingest.profiles.json_values import Json, Object, objects, text, texts
from ingest.profiles.records import (
    ARTIFACT,
    Origin,
    Outcome,
    Record,
    Unread,
    declared,
    digest,
    lines,
)

KINDS = frozenset(("talk", "paper", "post", "package", "model"))
OPENALEX = {"software": "package"}


@dataclass(frozen=True, slots=True)
class Artifact:
    kind: str
    title: str
    url: str
    date: str


def is_artifact(row: Object) -> bool:
    return "kind" in row and "title" in row and "people" in row


def is_work(row: Object) -> bool:
    return isinstance(row.get("authorships"), list)


def outcomes(line: int, row: Object, origin: Origin) -> Iterator[Outcome]:
    """A record for each person of an artifact.

    >>> from datetime import UTC, datetime
    >>> origin = Origin(datetime(2026, 1, 1, tzinfo=UTC), b"s")
    >>> talk = {"kind": "talk", "title": "Fast KV", "date": "2025-09", "people": ["Ada Lund"]}
    >>> [dict(record.fields) for record in outcomes(1, talk, origin)]
    [{'name': 'Ada Lund', 'kind': 'talk', 'title': 'Fast KV', 'date': '2025-09-01'}]
    """
    if text(row, "kind") not in KINDS:
        yield Unread(line, f"its kind is none of {', '.join(sorted(KINDS))}")
        return
    artifact = Artifact(text(row, "kind"), text(row, "title"), text(row, "url"), text(row, "date"))
    people = row.get("people")
    held = people if isinstance(people, list) else [people]
    yield from _each(line, artifact, [_person(each, origin) for each in held], origin, "artifacts")


def work(line: int, row: Object, origin: Origin) -> Iterator[Outcome]:
    """A record for each author of an OpenAlex work, with the institutions of that work."""
    kind = OPENALEX.get(text(row, "type"), "paper")
    url = text(row, "doi") or text(row, "primary_location", "landing_page_url") or text(row, "id")
    title = text(row, "display_name") or text(row, "title")
    artifact = Artifact(kind, title, url, text(row, "publication_date"))
    authors = [_author(each) for each in objects(row.get("authorships"))]
    yield from _each(line, artifact, authors, origin, "openalex")


@dataclass(frozen=True, slots=True)
class _Named:
    name: str
    school: str = ""
    company: str = ""
    login: str | None = None
    linkedin: str | None = None
    email_keys: tuple[str, ...] = ()


def _each(
    line: int, artifact: Artifact, people: list[_Named], origin: Origin, source: str
) -> Iterator[Outcome]:
    """The same person named twice in one artifact is one record."""
    named = [who for who in dict.fromkeys(people) if who.name or who.login or who.email_keys]
    if not artifact.title or not named:
        yield Unread(line, "it has no title" if not artifact.title else "it names nobody")
        return
    day = dates.read(artifact.date)
    for who in named:
        fields = declared(
            name=who.name,
            company=who.company,
            school=who.school,
            linkedin=who.linkedin,
            kind=artifact.kind,
            title=artifact.title,
            url=artifact.url if artifact.url.startswith(("https://", "http://")) else None,
            date=str(day) if day else None,
        )
        key = digest(artifact.url or artifact.title, who.name or who.login or who.email_keys[0])
        yield Record(source, key, origin.at, fields, who.login, None, who.email_keys, ARTIFACT)


def _person(value: Json, origin: Origin) -> _Named:
    if isinstance(value, str):
        login = github_in(value) or (github_login(value) if value.startswith("@") else None)
        return _Named("" if login else value, login=login)
    row: Object = value if isinstance(value, dict) else {}
    return _Named(
        text(row, "name"),
        text(row, "school"),
        text(row, "company") or text(row, "affiliation"),
        github_login(text(row, "github") or text(row, "login")) or github_in(text(row, "url")),
        linkedin_url(text(row, "linkedin") or text(row, "url")),
        origin.email_keys(texts(row.get("email"))),
    )


def _author(authorship: Object) -> _Named:
    institutions = objects(authorship.get("institutions"))
    schools = [text(each, "display_name") for each in institutions if _teaches(each)]
    firms = [text(each, "display_name") for each in institutions if not _teaches(each)]
    return _Named(
        text(authorship, "author", "display_name") or text(authorship, "raw_author_name"),
        lines(schools),
        next(iter(firms), ""),
    )


def _teaches(institution: Object) -> bool:
    return text(institution, "type") == "education"
