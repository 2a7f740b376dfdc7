"""What goes over the wire for the workspace: searches, shortlists, decisions, accounts, jobs."""

from typing import Self

from pydantic import ConfigDict, Field

from api.responses import Moment, PersonOut, QueryOut, SearchOut, Wire
from sourcer.workspace import changes, entries, saved_searches
from sourcer.workspace.actors import Role, Sharing
from sourcer.workspace.decisions import Kind
from sourcer.workspace.entries import Stage
from sourcer.workspace.jobs import State
from sourcer.workspace.tokens import Scope


class DoneOut(Wire):
    """A change that leaves nothing to show."""

    done: bool = True


class SavedSearchOut(Wire):
    slug: str = Field(examples=["gbgbtze6nd"])
    name: str
    note: str
    query: QueryOut
    owner: str
    sharing: Sharing
    version: int
    created_at: Moment
    changed_at: Moment

    @classmethod
    def of(cls, found: saved_searches.SavedSearch) -> Self:
        fields = {name: getattr(found, name) for name in cls.model_fields if name != "query"}
        return cls(query=QueryOut.of(found.query), **fields)


class SavedSearchesOut(Wire):
    searches: list[SavedSearchOut]


class VersionOut(Wire):
    version: int
    name: str
    note: str
    query: QueryOut
    changed_by: str
    changed_at: Moment

    @classmethod
    def of(cls, found: saved_searches.Version) -> Self:
        fields = {name: getattr(found, name) for name in cls.model_fields if name != "query"}
        return cls(query=QueryOut.of(found.query), **fields)


class VersionsOut(Wire):
    versions: list[VersionOut]


class LinkOut(Wire):
    """A link to read one search, shown only now."""

    token: str


class RevokedOut(Wire):
    links: int


class SharedOut(Wire):
    """What the bearer of a link may read."""

    name: str
    query: QueryOut
    results: SearchOut


class ShortlistOut(Wire):
    slug: str
    name: str
    about: str
    owner: str
    sharing: Sharing
    created_at: Moment


class ShortlistsOut(Wire):
    shortlists: list[ShortlistOut]


class ListedOut(Wire):
    """A person on a shortlist; `person` is null for one whom the snapshot no longer holds."""

    person_id: str
    person: PersonOut | None
    stage: Stage
    reasons: list[str]
    added_by: str
    added_at: Moment
    changed_at: Moment
    removed_at: Moment | None = None

    @classmethod
    def of(cls, listed: entries.Listed, person: PersonOut | None) -> Self:
        fields = {name: getattr(listed, name) for name in cls.model_fields if name != "person"}
        return cls(person=person, **{**fields, "reasons": list(listed.reasons)})


class PeopleOut(Wire):
    people: list[ListedOut]


class ShortlistDetailOut(ShortlistOut):
    people: list[ListedOut]


class ChangeOut(Wire):
    """One step of a shortlist's history."""

    id: int
    at: Moment
    changed_by: str
    kind: str
    before: dict[str, dict[str, str | int | None]]
    after: dict[str, dict[str, str | int | None]]
    undoes: int | None
    undone_by: int | None

    @classmethod
    def of(cls, change: changes.Change) -> Self:
        return cls.model_validate(change)


class ChangesOut(Wire):
    changes: list[ChangeOut]


class SharedPersonOut(Wire):
    person_id: str
    first: Stage
    second: Stage


class ComparisonOut(Wire):
    only_first: list[str]
    only_second: list[str]
    both: list[SharedPersonOut]


class NoteOut(Wire):
    id: int
    shortlist: str
    person_id: str
    author: str
    text: str
    written_at: Moment


class NotesOut(Wire):
    notes: list[NoteOut]


class DecisionOut(Wire):
    """A merge or split, with author, time and reason; it can be undone with nothing lost."""

    id: int
    kind: Kind
    people: list[str]
    reason: str
    author: str
    at: Moment
    undone_at: Moment | None
    undone_by: str | None


class DecisionsOut(Wire):
    merges: list[DecisionOut]


class SuppressionOut(Wire):
    """What kind of thing was hashed, never what it is."""

    id: int
    kind: str
    channel: str
    at: Moment
    lifted_at: Moment | None


class SuppressionsOut(Wire):
    suppressions: list[SuppressionOut]


class ForgottenOut(Wire):
    """How many people of the snapshot it was, and how many hashes are kept."""

    people: int
    hashes: int
    erasure: int | None = Field(None, description="The request's number, when erased.")


class LiftedOut(Wire):
    hashes: int


class LoggedOut(Wire):
    id: int
    at: Moment
    actor: str
    action: str
    details: dict[str, object] | None
    digest: str


class AuditOut(Wire):
    entries: list[LoggedOut]
    before: int | None = Field(description="Ask with ?before= for the next page.")


class VerifiedOut(Wire):
    holds: bool
    first_broken: int | None


class TokenOut(Wire):
    id: int
    user: str
    label: str
    scope: Scope
    created_at: Moment
    expires_at: Moment | None
    last_used_at: Moment | None
    revoked_at: Moment | None


class TokensOut(Wire):
    tokens: list[TokenOut]


class TokenGivenOut(Wire):
    token: TokenOut
    secret: str | None = Field(None, description="Shown this once.", examples=["sourcer_…"])


class UserOut(Wire):
    name: str
    role: Role
    created_at: Moment
    disabled_at: Moment | None


class UsersOut(Wire):
    users: list[UserOut]


class SessionOut(Wire):
    """Who is logged in, and what a browser's changes must send as X-CSRF-Token."""

    name: str
    role: Role
    csrf: str | None


class JobOut(Wire):
    slug: str
    kind: str = Field(examples=["import"])
    started_by: str
    started_at: Moment
    changed_at: Moment
    state: State
    done: int
    total: int
    says: str
    result: object = None


class JobsOut(Wire):
    jobs: list[JobOut]


class QueuedOut(Wire):
    """An imported row that may be about somebody, with what speaks for and against it."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)
    id: str
    row: str
    source: str
    person: str
    name: str
    speaks_for: list[str] = Field(alias="for")
    speaks_against: list[str] = Field(alias="against")
    decided: str | None


class QueueOut(Wire):
    queue: list[QueuedOut]
