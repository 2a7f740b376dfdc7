"""What goes over the wire for one person."""

from collections.abc import Sequence
from typing import Self

from pydantic import Field

from api.responses import EvidenceOut, Json, Moment, PersonOut, Wire, clean
from index.person import PersonDetail
from sourcer.store.person import CommitRow

ROWS = (
    "topics", "areas", "quarters", "colleagues", "signatures", "fields", "affiliations",
    "artifacts", "commits",
)  # fmt: skip
"""The parts of a person's detail that are lists of rows."""


class ActiveTopicOut(Wire):
    id: str
    name: str
    commits: int
    first: Moment
    last: Moment


class AreaOut(Wire):
    repo: str
    directory: str
    commits: int


class QuarterOut(Wire):
    quarter: str = Field(examples=["2026-Q1"])
    repo: str
    commits: int


class ColleagueOut(Wire):
    person_id: str
    name: str
    co_authored: int
    shared_files: int
    reviewed: int = Field(description="Commits of the one that the other reviewed.")


class SignatureOut(Wire):
    """A name signed with, and the rule that says it is this person. Never an email."""

    key: str
    name: str
    rule: str
    commits: int
    first: Moment | None
    last: Moment | None


class FieldOut(Wire):
    field: str
    value: str
    source: str
    fetched_at: Moment
    method: str
    expires_at: Moment | None
    standing: str = Field(
        description="Where sources differ: why this one is shown, or is not",
        examples=["shown: the newest of 2 that differ"],
    )


class AffiliationOut(Wire):
    company: str
    how: str = Field(examples=["email domain"])
    first: Moment | None
    last: Moment | None
    source: str


class ArtifactOut(Wire):
    kind: str
    title: str
    url: str | None
    dated: str | None
    source: str


class ClockOut(Wire):
    """By which clock somebody writes commits: a weak hint, and no location."""

    says: str = Field(
        examples=["31 of 33 commits in two years at UTC+8 (weak hint: not where they live)"]
    )
    offsets: list[str] = Field(examples=[["UTC+8"]])
    commits: int
    of: int


class PersonDetailOut(Wire):
    """Everything held on one person, each fact with where it comes from."""

    snapshot: str
    person: PersonOut
    roles: dict[str, int]
    topics: list[ActiveTopicOut]
    areas: list[AreaOut]
    quarters: list[QuarterOut]
    colleagues: list[ColleagueOut]
    signatures: list[SignatureOut]
    fields: list[FieldOut]
    affiliations: list[AffiliationOut]
    artifacts: list[ArtifactOut]
    commits: list[EvidenceOut]
    time_zone: ClockOut | None

    @classmethod
    def of(cls, detail: PersonDetail, snapshot: str) -> Self:
        said: Json = {name: [one._asdict() for one in getattr(detail, name)] for name in ROWS}
        said |= {"snapshot": snapshot, "person": detail.shown.json(), "roles": detail.roles}
        said["time_zone"] = None if detail.clock is None else detail.clock.json()
        return cls.model_validate(clean(_with_days(said)))


class CommitsOut(Wire):
    """A page of a person's commits, newest first."""

    person_id: str
    commits: list[EvidenceOut]
    next_cursor: str | None

    @classmethod
    def of(cls, person: str, rows: Sequence[CommitRow], next_cursor: str | None) -> Self:
        commits = [{**row._asdict(), "date": f"{row.date:%Y-%m-%d}"} for row in rows]
        said = {"person_id": person, "commits": commits, "next_cursor": next_cursor}
        return cls.model_validate(clean(said))


def _with_days(said: Json) -> Json:
    for key in ("commits", "artifacts"):
        rows = said[key]
        for row in rows if isinstance(rows, list) else []:
            day = "date" if key == "commits" else "dated"
            row[day] = None if row[day] is None else row[day].isoformat()[:10]
    return said
