"""What goes over the wire for what is owed to people: notices, and who is shown how often."""

from typing import Self

from pydantic import Field

from api.notifying import Due
from api.responses import Moment, Wire, clean
from sourcer.pool.exposure import Exposure
from sourcer.runs import Run


class ToldOut(Wire):
    by: str
    how: str = Field(examples=["letter"])
    at: Moment


class NoticeOut(Wire):
    """A person who has to be told that data on them are held, and by when."""

    person_id: str
    name: str
    sources: list[str] = Field(examples=[["public commit history", "linkedin"]])
    obtained: Moment
    due: Moment
    is_listed: bool = Field(description="On a shortlist.")
    told: ToldOut | None

    @classmethod
    def of(cls, one: Due) -> Self:
        told = None
        if one.told is not None:
            told = ToldOut(by=one.told.sent_by, how=one.told.how, at=one.told.at)
        return cls(
            person_id=one.person_id,
            name=str(clean(one.name)),
            sources=list(one.sources),
            obtained=one.obtained,
            due=one.due,
            is_listed=one.is_listed,
            told=told,
        )


class NoticesOut(Wire):
    """Those who are late first; those who were told last."""

    notices: list[NoticeOut]
    total: int
    late: int


class LetterOut(Wire):
    """The notice to one person, to be sent by whoever writes to them."""

    person_id: str
    language: str = Field(examples=["en"])
    text: str


class TellIn(Wire):
    people: list[str] = Field(min_length=1, max_length=500, examples=[["p7h2k9qw4mz"]])
    how: str = Field("", max_length=200, examples=["letter"])


class UntellIn(Wire):
    people: list[str] = Field(min_length=1, max_length=500, examples=[["p7h2k9qw4mz"]])


class CountedOut(Wire):
    people: int


class ShareOut(Wire):
    """One group; its value is empty where people declare nothing."""

    value: str = Field(examples=["PL"])
    pool: int
    people: int = Field(description="Of them, shown at least once.")
    times: int
    pool_share: float
    shown_share: float
    ratio: float = Field(description="Above 1: shown more than their share of the pool.")


class ExposedOut(Wire):
    dimension: str = Field(examples=["country"])
    title: str
    how: str
    shares: list[ShareOut]

    @classmethod
    def of(cls, one: Exposure) -> Self:
        shares = [ShareOut.model_validate(share) for share in one.shares]
        return cls(dimension=one.dimension, title=one.title, how=one.how, shares=shares)


class ExposureOut(Wire):
    """Who was shown, beside who is there; by what people declared alone."""

    days: int
    times: int = Field(description="How often anybody was shown.")
    by: list[ExposedOut]


class RunOut(Wire):
    """One nightly run."""

    began: str = Field(examples=["2026-06-15T02:00:00+00:00"])
    outcome: str = Field(examples=["published"])
    ended: str | None
    step: str | None
    says: str
    snapshot: str | None
    seconds: dict[str, float]
    counts: dict[str, int]
    did: dict[str, int]
    failures: dict[str, str]
    peak_memory_mb: int

    @classmethod
    def of(cls, run: Run) -> Self:
        return cls.model_validate(clean(run.json()))


class RunsOut(Wire):
    runs: list[RunOut]
