"""What goes over the wire for pools and for interviews."""

from collections.abc import Sequence
from typing import Self

from pydantic import Field

from api.responses import EvidenceOut, PersonOut, Wire, clean
from sourcer.pool import Pool
from sourcer.pool.funnel import Step
from sourcer.pool.report import Report
from sourcer.screening import Question
from sourcer.shortlist import Shown


class StepOut(Wire):
    """One word of the question: whom it keeps, whom it drops, of whom it cannot tell."""

    says: str = Field(examples=["the US"])
    field: str
    matched: int
    by_artifacts: int
    unknown: int
    dropped: int
    how: str


class RowOut(Wire):
    value: str
    people: int
    matched: int


class SliceOut(Wire):
    dimension: str = Field(examples=["employer"])
    title: str
    rows: list[RowOut]
    others: int
    unknown: int
    how: str


class LaneFunnelOut(Wire):
    """The funnel of those who stand in one sourcing lane."""

    lane: str = Field(examples=["Artifacts"])
    funnel: list[StepOut]


class PoolOut(Wire):
    """How many there are: the funnel by the question's words, then slices."""

    question: str
    snapshot: str
    funnel: list[StepOut]
    slices: list[SliceOut]
    notes: list[str]
    funnel_by_lane: list[LaneFunnelOut] | None = Field(
        None, description="With the slice 'lane': the same funnel for each sourcing lane."
    )
    report: dict[str, object] | None = Field(
        None, description="Title-only search beside artifact search, with how each was counted."
    )

    @classmethod
    def of(
        cls,
        pool: Pool,
        by: Sequence[str],
        report: Report | None,
        lanes: Sequence[tuple[str, Sequence[Step]]] | None = None,
    ) -> Self:
        said = {**pool.json(by), "report": None if report is None else report.json()}
        if lanes is not None:
            said["funnel_by_lane"] = [
                {"lane": lane, "funnel": [step.json() for step in steps]} for lane, steps in lanes
            ]
        return cls.model_validate(clean(said))


class ScreeningQuestionOut(Wire):
    """A question, what a good and a weak answer hold, and the commits it grows from."""

    id: str
    question: str
    asks: str
    good: list[str]
    weak: list[str]
    commits: list[EvidenceOut]


class ScreeningOut(Wire):
    person: PersonOut
    topic: str
    questions: list[ScreeningQuestionOut]

    @classmethod
    def of(cls, person: Shown, topic: str, questions: Sequence[Question]) -> Self:
        said = {
            "person": person.json(),
            "topic": topic,
            "questions": [one.json() for one in questions],
        }
        return cls.model_validate(clean(said))
