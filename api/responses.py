"""What goes over the wire for questions and people, apart from the domain's own types."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from sourcer.query import Query
from sourcer.shortlist import Shown
from sourcer.topics import Taxonomy
from sourcer.workspace.wording import without_emails

Json = dict[str, object]
_MAY_BE_EMAIL = {mark: re.compile(rf"{mark}[\w-]++\.") for mark in ("@", "\uff20")}
"""Quick to look for, one mark at a time: most texts with an @ are citations, repo@sha."""


def in_utc(moment: datetime) -> datetime:
    """A snapshot's moments are in UTC and do not say so; on the wire they do."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


Moment = Annotated[datetime, AfterValidator(in_utc)]


class Wire(BaseModel):
    """Every wire model: what is not declared is refused."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class DeclaredOut(Wire):
    """A fact with its provenance."""

    value: str | bool | int
    source: str = Field(examples=["github"])
    fetched_at: Moment
    method: str = Field(examples=["declared"])


class FilterOut(Wire):
    field: str = Field(examples=["country"])
    op: str = Field(examples=["="])
    value: str | int | bool | list[str | int | bool | None] = Field(examples=["US"])
    negated: bool = False
    mode: str = Field("must", examples=["must"])
    span: tuple[int, int] | None = None


class TopicOut(Wire):
    id: str = Field(examples=["moe"])
    negated: bool = False
    mode: str = "must"
    span: tuple[int, int] | None = None


class CorrectionOut(Wire):
    found: str
    read_as: str
    span: tuple[int, int]
    says: str
    applied: bool


class AmbiguityOut(Wire):
    text: str
    span: tuple[int, int]
    readings: list[str]
    read_as: str | None


class LeftoverOut(Wire):
    text: str
    span: tuple[int, int]
    why: str


class RefusalOut(Wire):
    trait: str
    span: tuple[int, int]
    why: str


class QueryOut(Wire):
    """A question as it was understood: what is filtered on, what is searched by meaning."""

    text: str = Field(examples=["MoE kernel engineers in the US"])
    topics: list[TopicOut]
    filters: list[FilterOut]
    semantic: str
    corrected: list[CorrectionOut]
    ambiguous: list[AmbiguityOut]
    leftover: list[LeftoverOut]
    refused: list[RefusalOut]

    @classmethod
    def of(cls, query: Query) -> Self:
        return cls.model_validate(clean(query.json()))


class HoldingOut(Wire):
    repo: str
    role: str = Field(examples=["code owner"])
    scope: str
    since: str | None


class PersonOut(Wire):
    """A person as a list shows them."""

    id: str = Field(examples=["p7h2k9qw4mz"])
    name: str
    aliases: list[str]
    logins: list[str]
    location: DeclaredOut | None
    employer: DeclaredOut | None
    title: DeclaredOut | None
    seniority: DeclaredOut | None
    open_to_offers: DeclaredOut | None
    roles_held: list[HoldingOut]

    @classmethod
    def of(cls, shown: Shown) -> Self:
        return cls.model_validate(clean(shown.json()))


class ScoreOut(Wire):
    """A score that says what it is made of, and cites the commits it rests on."""

    model_config = ConfigDict(extra="allow")
    value: float
    says: str
    parts: list["ScoreOut"] = []
    commits: list[str] = []


class EvidenceOut(Wire):
    """One commit, with what the person did in it."""

    repo: str = Field(examples=["vllm-project/vllm"])
    sha: str
    subject: str
    date: str
    role: str = Field(examples=["author"])
    paths: list[str] = []
    files: int | None = None
    topics: list[str]
    url: str | None
    pull: int | None
    added: int | None
    deleted: int | None


class EntryOut(Wire):
    """One person of an answer, with why and with the commits that prove it."""

    person: PersonOut
    score: float = Field(description="Against the first of the list, who has 1.")
    why: ScoreOut
    evidence: list[EvidenceOut]
    unknown: list[str] = Field(
        description="Conditions that the data cannot decide for this person.",
        examples=[["location"]],
    )
    notes: list[str] = Field(
        default=[], description="What else is to be known, such as seniority shown by artifacts."
    )


class LanedOut(Wire):
    person_id: str
    why: str = Field(examples=["33 commits to kernels: moe-kernels (20), cuda-kernels (9)"])


class LaneOut(Wire):
    """The people of a page who stand in one sourcing lane, best first."""

    lane: str | None = Field(description="null: no lane leads to them", examples=["artifacts"])
    name: str
    says: str
    people: list[LanedOut]


class SearchOut(Wire):
    """A page of people who answer a question, best first."""

    search_id: str = Field(description="The same for every page of one answer.")
    snapshot: str = Field(examples=["2026-06-15T020000Z"])
    query: QueryOut
    total: int
    entries: list[EntryOut]
    next_cursor: str | None
    notes: list[str] = []
    lanes: list[LaneOut] | None = Field(
        None, description="The same people by sourcing lane, in the lanes' order; when asked for."
    )


class TaxonomyTopicOut(Wire):
    id: str
    name: str
    definition: str
    parents: list[str]
    words: list[str]


class TopicsOut(Wire):
    topics: list[TaxonomyTopicOut]

    @classmethod
    def of(cls, taxonomy: Taxonomy) -> Self:
        return cls(
            topics=[
                TaxonomyTopicOut(
                    id=topic.id,
                    name=topic.name,
                    definition=topic.definition,
                    parents=list(topic.parents),
                    words=list(topic.words),
                )
                for topic in taxonomy.topics
            ]
        )


class RepositoryOut(Wire):
    name: str
    head: str | None
    depth: str


class StatusOut(Wire):
    """What is published: repositories, heads, counts, unknowns, and what took how long."""

    snapshot: str
    made: str | None
    sourcer: str | None
    repositories: list[RepositoryOut]
    counts: dict[str, int]
    failures: dict[str, str]
    seconds: dict[str, float]

    @classmethod
    def of(cls, name: str, manifest: Mapping[str, Any]) -> Self:
        inputs = manifest.get("inputs", {}).get("repositories", {})
        return cls(
            snapshot=name,
            made=manifest.get("made"),
            sourcer=manifest.get("sourcer"),
            repositories=[
                RepositoryOut(name=repo, head=at.get("head"), depth=at.get("depth", ""))
                for repo, at in inputs.items()
            ],
            counts=manifest.get("counts", {}),
            failures=_texts(manifest.get("failures", {})),
            seconds=manifest.get("seconds", {}),
        )


def _texts(said: Mapping[str, str]) -> dict[str, str]:
    return {key: without_emails(value) for key, value in said.items()}


def may_hold_email(text: str) -> bool:
    """
    >>> [may_hold_email(text) for text in ("me@firm.example", "me\uff20firm.example", "repo@9f1c")]
    [True, True, False]
    """
    return any(mark in text and found.search(text) for mark, found in _MAY_BE_EMAIL.items())


def clean(value: object) -> object:
    """Blots out what people wrote into subjects, names and fields."""
    if isinstance(value, str):
        return without_emails(value) if may_hold_email(value) else value
    if isinstance(value, dict):
        return {key: clean(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [clean(each) for each in value]
    return value
