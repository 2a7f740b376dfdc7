"""People Data Labs' person records, as its API and its bulk files give them."""

from ingest.profiles.accounts import github_login, linkedin_url
from ingest.profiles.dates import moment
from ingest.profiles.json_values import Object, objects, text, texts
from ingest.profiles.records import Origin, Outcome, Record, Unread, declared, digest, lines

SOURCE = "people-data-labs"


def is_person(row: Object) -> bool:
    telling = {"full_name", "job_title", "job_company_name", "linkedin_url", "experience"}
    return "full_name" in row and len(telling & row.keys()) > 1


def outcome(line: int, row: Object, origin: Origin) -> Outcome:
    """One person. Age, sex, birth date, addresses and phone numbers are never read.

    >>> from datetime import UTC, datetime
    >>> origin = Origin(datetime(2026, 1, 1, tzinfo=UTC), b"s")
    >>> person = {"id": "x1", "full_name": "mira lund", "job_company_name": "acme", "sex": "female"}
    >>> outcome(1, person, origin).fields
    {'name': 'mira lund', 'company': 'acme'}
    """
    jobs = objects(row.get("experience"))
    fields = declared(
        name=text(row, "full_name"),
        title=text(row, "job_title"),
        company=text(row, "job_company_name"),
        location=text(row, "location_name"),
        bio=text(row, "summary"),
        linkedin=linkedin_url(text(row, "linkedin_url")),
        past_company=lines(text(job, "company", "name") for job in jobs if text(job, "end_date")),
        school=lines(text(each, "school", "name") for each in objects(row.get("education"))),
        skills=lines(texts(row.get("skills"))),
    )
    login = github_login(text(row, "github_url")) or github_login(text(row, "github_username"))
    emails = origin.email_keys(_emails(row))
    if not (fields.get("name") or login or emails):
        return Unread(line, "it names nobody: no full_name, github_url or email")
    key = text(row, "id") or fields.get("linkedin") or digest(fields.get("name", ""), str(emails))
    at = moment(text(row, "job_last_verified")) or moment(text(row, "job_last_updated"))
    at = min(at, origin.at) if at else origin.at
    return Record(SOURCE, key, at, fields, login, None, emails, "imported")


def _emails(row: Object) -> list[str]:
    """Fields hold an address, a list of them, or `true` where the plan does not show them."""
    listed = [text(each, "address") for each in objects(row.get("emails"))]
    single = [*texts(row.get("work_email")), *texts(row.get("personal_emails"))]
    return [mail for mail in (*single, *listed, text(row, "recommended_personal_email")) if mail]
