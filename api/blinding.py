"""Blind mode: names, employers and places stay hidden until somebody is on a shortlist."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from api.person_responses import CommitsOut, PersonDetailOut
from api.pool_responses import ScreeningOut
from api.responses import EntryOut, EvidenceOut, LaneOut, PersonOut, SearchOut
from sourcer.people import Declared
from sourcer.shortlist import Shown
from sourcer.workspace import Session, entries
from sourcer.workspace.actors import Actor

PLACE_OF_WORK = re.compile(r"\s+(?:at|bei|chez|en|–|—|-|\|)\s|[,@|]|\s*@")
"""Where a title goes on with where the work is done."""
IDENTIFYING = ("signatures", "fields", "affiliations", "artifacts")


@dataclass(frozen=True, slots=True)
class Veil:
    """Covers everybody but those who are listed; without a list, nobody.

    >>> Veil().name("p7h2k9", "Mira Lund"), Veil(frozenset()).name("p7h2k9", "Mira Lund")
    ('Mira Lund', 'Person 7h2k9')
    >>> Veil(frozenset({"p7h2k9"})).name("p7h2k9", "Mira Lund")
    'Mira Lund'
    """

    listed: frozenset[str] | None = None

    @classmethod
    def of(cls, session: Session, actor: Actor) -> Self:
        """Lifted for those who stand on a shortlist that the user may see."""
        return cls(entries.on_any_list(session, actor))

    def covers(self, person: str) -> bool:
        return self.listed is not None and person not in self.listed

    def name(self, person: str, name: str) -> str:
        """The name, or one that says nothing and stays the same."""
        return f"Person {person[1:6]}" if self.covers(person) else name

    def person(self, shown: Shown) -> Shown:
        if not self.covers(shown.id):
            return shown
        return replace(
            shown,
            name=self.name(shown.id, shown.name),
            aliases=(),
            logins=(),
            location=None,
            employer=None,
            title=_title(shown.title),
        )

    def person_out(self, person: PersonOut) -> PersonOut:
        if not self.covers(person.id):
            return person
        title = person.title
        if title is not None:
            title = title.model_copy(update={"value": bare_title(str(title.value))})
        told: dict[str, object] = {
            "name": self.name(person.id, person.name),
            "aliases": [],
            "logins": [],
            "location": None,
            "employer": None,
            "title": title,
        }
        return person.model_copy(update=told)

    def found(self, answer: SearchOut) -> SearchOut:
        told: dict[str, object] = {"entries": [self.entry(one) for one in answer.entries]}
        if answer.lanes is not None:
            told["lanes"] = [self._lane(one) for one in answer.lanes]
        return answer.model_copy(update=told)

    def _lane(self, lane: LaneOut) -> LaneOut:
        """Why somebody stands in a lane may name an employer or a title."""
        people = [
            one.model_copy(update={"why": ""}) if self.covers(one.person_id) else one
            for one in lane.people
        ]
        return lane.model_copy(update={"people": people})

    def entry(self, one: EntryOut) -> EntryOut:
        if not self.covers(one.person.id):
            return one
        told = {"person": self.person_out(one.person), "evidence": _unlinked(one.evidence)}
        return one.model_copy(update=told)

    def detail(self, one: PersonDetailOut) -> PersonDetailOut:
        colleagues = [
            each.model_copy(update={"name": self.name(each.person_id, each.name)})
            for each in one.colleagues
        ]
        if not self.covers(one.person.id):
            return one.model_copy(update={"colleagues": colleagues})
        told = {
            "person": self.person_out(one.person),
            "commits": _unlinked(one.commits),
            "time_zone": None,
        }
        return one.model_copy(
            update={**told, "colleagues": colleagues, **{name: [] for name in IDENTIFYING}}
        )

    def commits(self, one: CommitsOut) -> CommitsOut:
        covered = self.covers(one.person_id)
        return one.model_copy(update={"commits": _unlinked(one.commits)}) if covered else one

    def screening(self, one: ScreeningOut) -> ScreeningOut:
        return one.model_copy(update={"person": self.person_out(one.person)})


NOBODY = Veil()
"""Covers nobody."""


def bare_title(text: str) -> str:
    """
    >>> bare_title("Staff Engineer at Acme"), bare_title("Kernel Engineer, Acme")
    ('Staff Engineer', 'Kernel Engineer')
    """
    return PLACE_OF_WORK.split(text, maxsplit=1)[0].strip()


def _title(title: Declared | None) -> Declared | None:
    return None if title is None else replace(title, value=bare_title(str(title.value)))


def _unlinked(commits: Iterable[EvidenceOut]) -> list[EvidenceOut]:
    """A forge's page of a commit shows who wrote it."""
    return [one.model_copy(update={"url": None}) for one in commits]
