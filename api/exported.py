"""One person as an export tells of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from api.responses import EntryOut, EvidenceOut, PersonOut

COLUMNS = (
    "name", "github", "linkedin", "title", "employer", "location", "seniority", "open to offers",
    "score", "why", "evidence", "unknown", "stage", "reason", "id",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Exported:
    """A person with the reasons for being on the list; `evidence` is the commits that prove it."""

    person: PersonOut
    why: str
    evidence: Sequence[EvidenceOut]
    score: float | None = None
    unknown: Sequence[str] = ()
    stage: str = ""
    reason: str = ""
    linkedin: str = ""

    @classmethod
    def of(cls, entry: EntryOut, linkedin: str) -> "Exported":
        return cls(
            entry.person, entry.why.says, entry.evidence, entry.score, entry.unknown,
            linkedin=linkedin,
        )  # fmt: skip

    @property
    def names(self) -> tuple[str, str]:
        """First and last, split where most names are; neither is empty.

        >>> from api.responses import PersonOut
        >>> blank = dict.fromkeys(("location", "employer", "title", "seniority", "open_to_offers"))
        >>> mira = PersonOut(id="p1", name="Mira van Dam", aliases=[], logins=[], roles_held=[],
        ...                  **blank)
        >>> Exported(mira, "", ()).names
        ('Mira', 'van Dam')
        """
        first, _, last = self.person.name.strip().partition(" ")
        return first or "unknown", last.strip() or "unknown"

    @property
    def links(self) -> list[str]:
        """The commits by address, or by repository and hash where there is none."""
        return [one.url or f"{one.repo}@{one.sha}" for one in self.evidence]

    @property
    def github(self) -> str:
        return f"https://github.com/{self.person.logins[0]}" if self.person.logins else ""

    def declared(self, name: str) -> str:
        fact = getattr(self.person, name)
        return "" if fact is None else str(fact.value)

    def row(self) -> tuple[str, ...]:
        declared = ("title", "employer", "location", "seniority", "open_to_offers")
        return (
            self.person.name, self.github, self.linkedin,
            *(self.declared(name) for name in declared),
            "" if self.score is None else f"{self.score:.4f}",
            self.why, "\n".join(self.links), ", ".join(self.unknown), self.stage, self.reason,
            self.person.id,
        )  # fmt: skip

    def json(self) -> dict[str, object]:
        return {
            "person": self.person.model_dump(mode="json"),
            "linkedin": self.linkedin or None,
            "score": self.score,
            "why": self.why,
            "evidence": [one.model_dump(mode="json") for one in self.evidence],
            "unknown": list(self.unknown),
            "stage": self.stage or None,
            "reason": self.reason or None,
        }
