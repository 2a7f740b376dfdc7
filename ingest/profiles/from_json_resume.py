"""JSON Resume (jsonresume.org): a résumé that its owner wrote for machines to read."""

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from jsonschema import Draft7Validator

from ingest.profiles.accounts import github_in, github_login, linkedin_url
from ingest.profiles.json_values import Json, Object, objects, text
from ingest.profiles.records import Origin, Outcome, Record, Unread, declared, digest, lines

SOURCE = "json-resume"


def is_resume(row: Object) -> bool:
    return isinstance(row.get("basics"), dict)


@cache
def schema() -> Draft7Validator:
    """The part of the JSON Resume schema that is read, as strict as the whole."""
    return Draft7Validator(json.loads(files(__package__).joinpath("json_resume.json").read_text()))


def outcome(line: int, row: Object, origin: Origin) -> Outcome:
    """The record of a résumé, or where it breaks the schema.

    >>> from datetime import UTC, datetime
    >>> origin = Origin(datetime(2026, 1, 1, tzinfo=UTC), b"s")
    >>> outcome(1, {"basics": {"name": 7}}, origin)
    Unread(line=1, reason='basics.name is not a string')
    >>> resume = {"basics": {"name": "Ada Lund"}, "education": [{"institution": "MIT"}]}
    >>> outcome(1, resume, origin).fields
    {'name': 'Ada Lund', 'school': 'MIT'}
    """
    broken = min(schema().iter_errors(row), key=lambda error: str(error.json_path), default=None)
    if broken:
        where = broken.json_path.removeprefix("$").removeprefix(".") or "the résumé"
        return Unread(line, f"{where} is not {_expected(broken.validator, broken.validator_value)}")
    return _record(line, row, origin)


def _expected(rule: str, value: Json) -> str:
    """What the schema asks for; never what the file says instead.

    >>> _expected("type", "string"), _expected("pattern", "^x")
    ('a string', 'of the form that JSON Resume asks for')
    """
    return f"a {value}" if rule == "type" else "of the form that JSON Resume asks for"


def _record(line: int, row: Object, origin: Origin) -> Outcome:
    jobs = sorted(objects(row.get("work")), key=lambda job: text(job, "startDate"), reverse=True)
    now = next((job for job in jobs if not text(job, "endDate")), {})
    fields = declared(
        name=text(row, "basics", "name"),
        title=text(now, "position") or text(row, "basics", "label"),
        company=_employer(now),
        location=_location(row),
        bio=text(row, "basics", "summary"),
        blog=text(row, "basics", "url") or text(row, "basics", "website"),
        linkedin=_profile(row, "linkedin", linkedin_url),
        past_company=lines(_employer(job) for job in jobs if text(job, "endDate")),
        school=lines(text(each, "institution") for each in objects(row.get("education"))),
        skills=lines(text(each, "name") for each in objects(row.get("skills"))),
    )
    emails = origin.email_keys([text(row, "basics", "email")])
    login = _profile(row, "github", github_login) or github_in(fields.get("blog", ""))
    if not (fields.get("name") or login or emails):
        return Unread(line, "it names nobody: no name, GitHub profile or email")
    key = login or next(iter(emails), "") or digest(fields["name"])
    return Record(SOURCE, key, origin.at, fields, login, None, emails, "declared")


def _employer(job: Object) -> str:
    return text(job, "name") or text(job, "company")


def _location(row: Object) -> str:
    parts = (text(row, "basics", "location", key) for key in ("city", "region", "countryCode"))
    return ", ".join(part for part in parts if part)


def _profile(row: Object, network: str, read: Callable[[str], str | None]) -> str | None:
    basics = row.get("basics")
    for profile in objects(basics.get("profiles") if isinstance(basics, dict) else None):
        if text(profile, "network").lower() == network:
            return read(text(profile, "url")) or read(text(profile, "username"))
    return None
